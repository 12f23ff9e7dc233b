/* accumarray: keys from subscripts, a stable sort by key, then every output takes
   its run of elements in order, on from what it holds; so one chunk of elements
   after the other gives the bits of all at once.  */

#include <cub/device/device_radix_sort.cuh>

#include "scatter.h"

#define GRID_STRIDE(i, n) \
  for (int64_t i = (int64_t) blockIdx.x * GPR_SCATTER_THREADS + threadIdx.x; i < (n); \
       i += (int64_t) gridDim.x * GPR_SCATTER_THREADS)

/* ---- keys --------------------------------------------------------------------------- */

static __device__ int64_t subscript (const gpr_scatter_column &c, int64_t i)
{
  switch ((int) c.elem)
    {
#define SUBSCRIPT(T) case GPR_##T: return gpr_subscript_##T (((const T *) c.at)[i], c.size);
    SUBSCRIPT (f64) SUBSCRIPT (f32) SUBSCRIPT (i8) SUBSCRIPT (u8) SUBSCRIPT (i16) SUBSCRIPT (u16)
    SUBSCRIPT (i32) SUBSCRIPT (u32) SUBSCRIPT (i64) SUBSCRIPT (u64)
#undef SUBSCRIPT
    default: return 0;
    }
}

template <class T>
static __device__ bool is_beyond (const gpr_scatter_keys_args &a, int64_t i)
{
  T v = ((const T *) a.values)[a.repeated ? 0 : i];
  return ! (a.op == GPR_SCATTER_MAX ? v >= 0 : v <= 0);
}

static __global__ void __launch_bounds__ (GPR_SCATTER_THREADS) keys_k (const gpr_scatter_keys_args a)
{
  bool bad = false, beyond = false;
  GRID_STRIDE (i, a.n)
    {
      int64_t at = -a.first, stride = 1;
      bool good = true;
      for (int c = 0; c < a.columns; c++)
        {
          int64_t k = subscript (a.column[c], i);
          good = good && k > 0;
          at += (k - 1) * stride;
          stride *= a.column[c].size;
        }
      bad = bad || ! good;
      a.keys[i] = good && at >= 0 && at < (int64_t) a.count ? (uint32_t) at : a.count;
      a.positions[i] = (uint32_t) i;
      if (a.values)
        beyond = beyond || (a.elem == GPR_f64 ? is_beyond<f64> (a, i) : is_beyond<f32> (a, i));
    }
  if (bad)
    a.flags[GPR_SCATTER_BAD] = 1;
  if (beyond)
    a.flags[GPR_SCATTER_BEYOND] = 1;
}

static __global__ void __launch_bounds__ (GPR_SCATTER_THREADS) largest_k (const gpr_scatter_largest_args a)
{
  int64_t largest = 0;
  bool bad = false;
  GRID_STRIDE (i, a.n)
    {
      int64_t k = subscript (a.column, i);
      bad = bad || k == 0;
      largest = k > largest ? k : largest;
    }
  if (bad)
    a.flags[GPR_SCATTER_BAD] = 1;
  for (int step = 16; step > 0; step /= 2)
    {
      int64_t other = __shfl_xor_sync (0xFFFFFFFFu, largest, step);
      largest = other > largest ? other : largest;
    }
  if (threadIdx.x % 32 == 0)
    atomicMax (a.largest, (unsigned long long) largest);
}

/* ---- adding --------------------------------------------------------------------------- */

static __device__ __forceinline__ bool is_nan (f64 x) { return x != x; }
static __device__ __forceinline__ bool is_nan (f32 x) { return x != x; }
static __device__ __forceinline__ bool is_nan (c128 z) { return gpr_nan_c128 (z); }
static __device__ __forceinline__ bool is_nan (c64 z) { return gpr_nan_c64 (z); }
static __device__ __forceinline__ f64 plus (f64 a, f64 v) { return a + v; }
static __device__ __forceinline__ f32 plus (f32 a, f32 v) { return a + v; }
static __device__ __forceinline__ c128 plus (c128 a, c128 v) { a.re += v.re; a.im += v.im; return a; }
static __device__ __forceinline__ c64 plus (c64 a, c64 v) { a.re += v.re; a.im += v.im; return a; }
static __device__ __forceinline__ f64 careful_plus (f64 a, f64 v) { return gpr_plus_f64 (a, v); }
static __device__ __forceinline__ f32 careful_plus (f32 a, f32 v) { return gpr_plus_f32 (a, v); }
static __device__ __forceinline__ c128 careful_plus (c128 a, c128 v) { return gpr_plus_c128 (a, v); }
static __device__ __forceinline__ c64 careful_plus (c64 a, c64 v) { return gpr_plus_c64 (a, v); }
static __device__ __forceinline__ f64 careful_by (f64 a, f64 v) { return gpr_by_f64 (a, v); }
static __device__ __forceinline__ f32 careful_by (f32 a, f32 v) { return gpr_by_f32 (a, v); }

/* What an output's type takes: integers are only compared, complex numbers only
   added.  Which NaN it is matters only once there is one.  */
template <class A>
struct accumulator {
  static __device__ A take (int op, A a, const A *v, int count)
  {
    if (op == GPR_SCATTER_MAX)
      for (int j = 0; j < count; j++)
        a = GPR_LARGER (a, v[j]);
    else
      for (int j = 0; j < count; j++)
        a = GPR_SMALLER (a, v[j]);
    return a;
  }
};

template <class A>
static __device__ __forceinline__ A add_up (A a, const A *v, int count)
{
  A sum = a;
  for (int j = 0; j < count; j++)
    sum = plus (sum, v[j]);
  if (is_nan (sum))
    for (int j = 0; j < count; j++)
      a = careful_plus (a, v[j]);
  else
    a = sum;
  return a;
}

template <class A>
static __device__ __forceinline__ A multiply_up (A a, const A *v, int count)
{
  A product = a;
  for (int j = 0; j < count; j++)
    product *= v[j];
  if (is_nan (product))
    for (int j = 0; j < count; j++)
      a = careful_by (a, v[j]);
  else
    a = product;
  return a;
}

#define FLOAT_ACCUMULATOR(A) \
template <> struct accumulator<A> { \
  static __device__ A take (int op, A a, const A *v, int count) \
  { \
    if (op == GPR_SCATTER_SUM) \
      return add_up (a, v, count); \
    if (op == GPR_SCATTER_PROD) \
      return multiply_up (a, v, count); \
    if (op == GPR_SCATTER_MAX) \
      for (int j = 0; j < count; j++) \
        a = GPR_LARGER (a, v[j]); \
    else \
      for (int j = 0; j < count; j++) \
        a = GPR_SMALLER (a, v[j]); \
    return a; \
  } \
};
#define COMPLEX_ACCUMULATOR(A) \
template <> struct accumulator<A> { \
  static __device__ A take (int, A a, const A *v, int count) { return add_up (a, v, count); } \
};
FLOAT_ACCUMULATOR (f64) FLOAT_ACCUMULATOR (f32) COMPLEX_ACCUMULATOR (c128) COMPLEX_ACCUMULATOR (c64)

template <class A, class X> struct widened { static __device__ __forceinline__ A of (X x) { return (A) x; } };
template <class A> struct widened<A, A> { static __device__ __forceinline__ A of (A x) { return x; } };

/* A warp looks at 32 sorted elements.  The lane where a run begins adds that run
   as far as it lies within these; only the last run can go on, and for it all
   lanes fetch elements, more and more at once, while its lane adds them.  So every
   run is added by one thread, wherever it ends.  */
template <class X, class A>
static __global__ void __launch_bounds__ (GPR_SCATTER_THREADS) add_k (const gpr_scatter_add_args a)
{
  enum { WARPS = GPR_SCATTER_THREADS / 32, MOST = 8 };
  const unsigned every = 0xFFFFFFFFu;
  __shared__ alignas (16) char memory[WARPS * MOST * 32 * sizeof (A)];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  A *stage = (A *) memory + warp * MOST * 32, *out = (A *) a.out;
  const X *values = (const X *) a.values;
  const int64_t windows = (a.n + 31) / 32;

  for (int64_t w = (int64_t) blockIdx.x * WARPS + warp; w < windows; w += (int64_t) gridDim.x * WARPS)
    {
      const int64_t i = 32 * w + lane;
      const uint32_t key = i < a.n ? a.keys[i] : a.count;
      const bool counted = key < a.count;               /* so are all lanes below, as keys ascend */
      const bool begins = counted && (i == 0 || a.keys[i - 1] != key);
      if (counted)
        stage[lane] = widened<A, X>::of (values[a.repeated ? 0 : a.positions[i]]);
      const unsigned beginnings = __ballot_sync (every, begins);
      const int length = __popc (__ballot_sync (every, counted));
      A sum;
      __syncwarp ();
      if (begins)
        {
          const unsigned later = lane < 31 ? beginnings >> (lane + 1) : 0;
          const int end = later ? lane + __ffs (later) : length;
          sum = accumulator<A>::take (a.op, out[key], stage + lane, end - lane);
        }
      __syncwarp ();
      if (beginnings && length == 32)
        {
          const int last = 31 - __clz (beginnings);
          const uint32_t run = __shfl_sync (every, key, last);
          int64_t next = 32 * w + 32;
          int rows = 1, taken;
          do
            {
              uint32_t k[MOST], position[MOST];
              A v[MOST];
              taken = 0;
              #pragma unroll
              for (int r = 0; r < MOST; r++)
                {
                  const int64_t j = next + 32 * r + lane;
                  k[r] = r < rows && j < a.n ? a.keys[j] : a.count;
                }
              #pragma unroll
              for (int r = 0; r < MOST; r++)
                position[r] = k[r] == run && ! a.repeated ? a.positions[next + 32 * r + lane] : 0;
              #pragma unroll
              for (int r = 0; r < MOST; r++)
                if (k[r] == run)
                  v[r] = widened<A, X>::of (values[position[r]]);
              #pragma unroll
              for (int r = 0; r < MOST; r++)
                {
                  if (k[r] == run)
                    stage[32 * r + lane] = v[r];
                  taken += __popc (__ballot_sync (every, k[r] == run));
                }
              __syncwarp ();
              if (lane == last)
                sum = accumulator<A>::take (a.op, sum, stage, taken);
              __syncwarp ();
              next += 32 * rows;
            }
          while (taken == 32 * rows && (rows = rows < MOST ? 2 * rows : MOST) > 0);
        }
      if (begins)
        {
          out[key] = sum;
          if (a.hit)
            a.hit[key] = 1;
        }
    }
}

/* ---- outputs --------------------------------------------------------------------------- */

template <class W>
static __device__ __forceinline__ void put (W *to, const gpr_scatter_fill_args &a);
template <> __device__ __forceinline__ void put (u8 *to, const gpr_scatter_fill_args &a) { *to = a.cell.u8; }
template <> __device__ __forceinline__ void put (u16 *to, const gpr_scatter_fill_args &a) { *to = a.cell.u16; }
template <> __device__ __forceinline__ void put (u32 *to, const gpr_scatter_fill_args &a) { *to = a.cell.u32; }
template <> __device__ __forceinline__ void put (u64 *to, const gpr_scatter_fill_args &a) { *to = a.cell.u[0]; }
template <> __device__ __forceinline__ void put (ulonglong2 *to, const gpr_scatter_fill_args &a)
{
  *to = make_ulonglong2 (a.cell.u[0], a.cell.u[1]);
}

template <class W>
static __global__ void __launch_bounds__ (GPR_SCATTER_THREADS) fill_k (const gpr_scatter_fill_args a)
{
  GRID_STRIDE (i, a.count)
    if (! a.hit || ! a.hit[i])
      put ((W *) a.out + i, a);
}

template <class A>
static __global__ void __launch_bounds__ (GPR_SCATTER_THREADS) zero_k (const gpr_scatter_fill_args a)
{
  GRID_STRIDE (i, a.count)
    {
      A x = ((const A *) a.out)[i];
      if (x == 0 || x != x)
        ((A *) a.out)[i] = 0;
    }
}

/* ---- for the host side -------------------------------------------------------------- */

extern "C" const void *gpr_engine_scatter_keys (void) { return (const void *) keys_k; }
extern "C" const void *gpr_engine_scatter_largest (void) { return (const void *) largest_k; }

extern "C" const void *gpr_engine_scatter_add (enum gpr_elem in, enum gpr_elem to)
{
  switch ((int) in * GPR_ELEM_COUNT + (int) to)
    {
#define ADD(X, A) case (int) GPR_##X * GPR_ELEM_COUNT + (int) GPR_##A: return (const void *) add_k<X, A>;
    GPR_SCATTER_SAME (ADD)
    GPR_SCATTER_WIDENED (ADD)
    GPR_SCATTER_COMPLEX (ADD)
#undef ADD
    default: return 0;
    }
}

extern "C" const void *gpr_engine_scatter_fill (int bytes)
{
  switch (bytes)
    {
    case 1: return (const void *) fill_k<u8>;
    case 2: return (const void *) fill_k<u16>;
    case 4: return (const void *) fill_k<u32>;
    case 8: return (const void *) fill_k<u64>;
    case 16: return (const void *) fill_k<ulonglong2>;
    default: return 0;
    }
}

extern "C" const void *gpr_engine_scatter_zero (int bytes)
{
  return bytes == 8 ? (const void *) zero_k<f64> : (const void *) zero_k<f32>;
}

extern "C" int gpr_engine_scatter_sort (void *temp, size_t *temp_bytes, uint32_t *const keys[2], uint32_t *const positions[2],
                                        int64_t n, int bits, int *keys_at, int *places_at, void *stream)
{
  cub::DoubleBuffer<uint32_t> k (keys[0], keys[1]), p (positions[0], positions[1]);
  cudaError_t e = cub::DeviceRadixSort::SortPairs (temp, *temp_bytes, k, p, (int) n, 0, bits, (cudaStream_t) stream);
  *keys_at = k.selector;
  *places_at = p.selector;
  return (int) e;
}
