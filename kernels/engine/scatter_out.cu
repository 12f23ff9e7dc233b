/* accumarray: what the outputs begin with, and what makes results of them.  */

#include "scatter.cuh"

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
    if (! a.counts || a.counts[i] == 0)
      put ((W *) a.out + i, a);
}

template <class A>
static __global__ void __launch_bounds__ (GPR_SCATTER_THREADS) zero_k (const gpr_scatter_fill_args a)
{
  if (a.flags[GPR_SCATTER_BEYOND])
    return;
  GRID_STRIDE (i, a.count)
    {
      A x = ((const A *) a.out)[i];
      if (x == 0 || x != x)
        ((A *) a.out)[i] = 0;
    }
}

/* ---- results ------------------------------------------------------------------------ */

/* A block takes 32 outputs: all its threads fetch, its first warp merges.  */
template <class A>
static __global__ void __launch_bounds__ (GPR_SCATTER_THREADS) merge_k (const gpr_scatter_few_args a)
{
  enum { WARPS = GPR_SCATTER_THREADS / 32, EACH = 8, TILE = WARPS * EACH };
  __shared__ __align__ (16) char memory[TILE * 32 * sizeof (A)];
  A *tile = (A *) memory, *out = (A *) a.out;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;

  for (int64_t strip = blockIdx.x; 32 * strip < (int64_t) a.outputs; strip += gridDim.x)
    {
      const int64_t k = 32 * strip + lane;
      const bool mine = k < (int64_t) a.outputs;
      const A *sums = (const A *) a.sums + k;
      A sum = mine ? out[k] : *(const A *) a.start, next[EACH];
      for (int64_t from = -TILE; from < a.groups; from += TILE)
        {
#pragma unroll
          for (int e = 0; e < EACH; e++)
            {
              const int64_t g = from + TILE + warp * EACH + e;
              if (mine && g < a.groups)
                next[e] = sums[g * a.outputs];
            }
          if (from >= 0 && warp == 0 && mine)
            for (int g = 0; g < TILE && from + g < a.groups; g++)
              sum = a.op == GPR_SCATTER_SUM ? plus (sum, tile[32 * g + lane]) : merged (a.op, sum, tile[32 * g + lane]);
          __syncthreads ();
#pragma unroll
          for (int e = 0; e < EACH; e++)
            if (mine && from + TILE + warp * EACH + e < a.groups)
              tile[32 * (warp * EACH + e) + lane] = next[e];
          __syncthreads ();
        }
      if (mine && warp == 0)
        out[k] = sum;
    }
}

/* Elements of this chunk join those of the chunks before it.  */
static __global__ void __launch_bounds__ (GPR_SCATTER_THREADS) lengths_k (const gpr_scatter_finish_args a)
{
  GRID_STRIDE (i, a.count)
    {
      a.counts[i] += a.end[i] - a.begin[i];
      a.begin[i] = a.end[i] = 0;
    }
}

static __global__ void __launch_bounds__ (GPR_SCATTER_THREADS) counted_k (const gpr_scatter_finish_args a)
{
  GRID_STRIDE (i, a.count)
    ((f64 *) a.out)[i] = a.scale * (f64) a.counts[i] + 0.0;
}

static __device__ __forceinline__ bool is_finite (f64 x) { return gpr_finite_f64 (x); }
static __device__ __forceinline__ bool is_finite (f32 x) { return gpr_finite_f32 (x); }
static __device__ __forceinline__ bool is_finite (c128 z) { return gpr_finite_f64 (z.re) && gpr_finite_f64 (z.im); }
static __device__ __forceinline__ bool is_finite (c64 z) { return gpr_finite_f32 (z.re) && gpr_finite_f32 (z.im); }
template <class A> static __device__ __forceinline__ bool is_finite (A) { return true; }
/* The bits of a NaN stay.  */
static __device__ __forceinline__ f64 over (f64 x, f64 n) { return x == x ? x / n : x; }
static __device__ __forceinline__ f32 over (f32 x, f64 n) { return x == x ? x / (f32) n : x; }
static __device__ __forceinline__ c128 over (c128 z, f64 n) { z.re = over (z.re, n); z.im = over (z.im, n); return z; }
static __device__ __forceinline__ c64 over (c64 z, f64 n) { z.re = over (z.re, n); z.im = over (z.im, n); return z; }
template <class A> static __device__ __forceinline__ A over (A x, f64) { return x; }

/* Takes what is left of the pieces in, divides means, and marks what is to be taken again.  */
template <class A>
static __global__ void __launch_bounds__ (GPR_SCATTER_THREADS) finish_k (const gpr_scatter_finish_args a)
{
  bool again = false;
  GRID_STRIDE (i, a.count)
    {
      A *at = (A *) a.out + i, x = *at;
      if (a.part)
        x = merged (a.op, x, ((const A *) a.part)[i]);
      const bool infinite = a.look && ! is_finite (x);
      if (a.look)
        a.again[i] = infinite;
      if (infinite)
        *at = *(const A *) a.start;
      else if (! a.again || a.look || a.again[i])
        *at = a.mean && a.counts[i] > 0 ? over (x, (f64) a.counts[i]) : x;
      again = again || infinite;
    }
  if (again)
    a.flags[GPR_SCATTER_AGAIN] = 1;
}

/* ---- for the host side -------------------------------------------------------------- */

extern "C" const void *gpr_engine_scatter_lengths (void) { return (const void *) lengths_k; }
extern "C" const void *gpr_engine_scatter_counted (void) { return (const void *) counted_k; }

extern "C" const void *gpr_engine_scatter_finish (enum gpr_elem to)
{
  switch ((int) to)
    {
#define FINISH(A) case (int) GPR_##A: return (const void *) finish_k<A>;
    GPR_ELEMS (FINISH)
#undef FINISH
    default: return 0;
    }
}

extern "C" const void *gpr_engine_scatter_merge (enum gpr_elem to)
{
  switch ((int) to)
    {
#define MERGE(A) case (int) GPR_##A: return (const void *) merge_k<A>;
    GPR_ELEMS (MERGE)
#undef MERGE
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
