/* accumarray: keys from subscripts, the largest subscript, and the runs of keys that are sorted.  */

#include "scatter.cuh"

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
      good = good && at >= 0 && at < (int64_t) a.count && (! a.only || a.only[at]);
      a.keys[i] = good ? (uint32_t) at : a.count;
      if (a.positions)
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

/* Where the runs of sorted keys begin and end.  */
static __global__ void __launch_bounds__ (GPR_SCATTER_THREADS) runs_k (const gpr_scatter_runs_args a)
{
  GRID_STRIDE (i, a.n)
    {
      const uint32_t key = a.keys[i];
      if (key >= a.count)
        continue;
      if (i == 0 || a.keys[i - 1] != key)
        a.begin[key] = (uint32_t) i;
      if (i == a.n - 1 || a.keys[i + 1] != key)
        a.end[key] = (uint32_t) (i + 1);
    }
}

/* ---- for the host side -------------------------------------------------------------- */

extern "C" const void *gpr_engine_scatter_keys (void) { return (const void *) keys_k; }
extern "C" const void *gpr_engine_scatter_largest (void) { return (const void *) largest_k; }
extern "C" const void *gpr_engine_scatter_runs (void) { return (const void *) runs_k; }
