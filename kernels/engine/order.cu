/* Sorted columns, and the k greatest or least: all elements of a chunk are sorted by their keys, then, stably, by
   their columns; so one sort of the device does any shape.  What is sorted beside
   the keys are the elements' positions.  Kernels know widths alone.  */

#include "../ops/select.h"
#include "order.h"
#include "select/keys.cuh"

static __device__ __forceinline__ int64_t first_item () { return (int64_t) blockIdx.x * GPR_ORDER_THREADS + threadIdx.x; }
static __device__ __forceinline__ int64_t item_step () { return (int64_t) gridDim.x * GPR_ORDER_THREADS; }

/* Element m of the chunk, where it lies in x.  */
static __device__ __forceinline__ int64_t place_in_x (const gpr_order_args &a, int64_t m)
{
  int64_t row = m / a.columns, c = m - row * a.columns, o = row / a.n, r = row - o * a.n;
  return c + a.row_stride * r + a.outer_stride * o;
}

template <class T, class K>
__global__ void __launch_bounds__ (GPR_ORDER_THREADS) keys_k (const gpr_order_args a)
{
  for (int64_t m = first_item (); m < a.count; m += item_step ())
    {
      ((K *) a.keys)[m] = select_rank_key (a.key, (K) ((const T *) a.x)[place_in_x (a, m)]);
      a.positions[m] = (uint32_t) m;
    }
}

static __global__ void __launch_bounds__ (GPR_ORDER_THREADS) column_k (const gpr_order_args a)
{
  for (int64_t i = first_item (); i < a.count; i += item_step ())
    {
      int64_t m = a.positions[i];
      a.column[i] = (uint32_t) (m % a.columns + a.columns * (m / (a.n * a.columns)));
    }
}

template <class T>
__global__ void __launch_bounds__ (GPR_ORDER_THREADS) first_k (const gpr_order_args a)
{
  for (int64_t i = first_item (); i < a.outers * a.columns * a.taken; i += item_step ())
    {
      const int64_t row = i / a.columns, c = i - row * a.columns, o = row / a.taken, k = row - o * a.taken;
      const uint32_t m = a.positions[(c + a.columns * o) * a.n + k];
      const int64_t to = c + a.value_stride * row;
      ((T *) a.value)[to] = ((const T *) a.x)[place_in_x (a, m)];
      if (a.index)
        a.index[to] = (double) (m / a.columns - o * a.n + 1);
    }
}

template <class T>
__global__ void __launch_bounds__ (GPR_ORDER_THREADS) take_k (const gpr_order_args a)
{
  for (int64_t i = first_item (); i < a.count; i += item_step ())
    ((T *) a.sorted)[i] = ((const T *) a.x)[place_in_x (a, a.positions[i])];
}

template <class T, class K> static const gpr_order_kernels *of_width ()
{
  static const gpr_order_kernels k = { (const void *) keys_k<T, K>, (const void *) column_k, (const void *) first_k<T>, (const void *) take_k<T>,
                                       sizeof (K), 8 * sizeof (T) };
  return &k;
}
extern "C" const gpr_order_kernels *gpr_engine_order (int bytes)
{
  switch (bytes)
    {
    case 8: return of_width<u64, u64> ();
    case 4: return of_width<u32, u32> ();
    case 2: return of_width<u16, u32> ();
    default: return of_width<u8, u32> ();
    }
}
