/* Counting into bins.  A block counts an item (some outers, rows, columns)
   into 32-bit tables in shared memory, in several copies where they fit so
   that threads collide less, then adds them to the 64-bit counts.  Tables that
   do not fit are counted in global memory at once.  */

#include "engine.h"

static __device__ __forceinline__ int64_t bin_of (const gpr_count_args &a, const f64 *edges, f64 x)
{
  return gpr_bin_of_f64 (a.rule, a.bins, edges, a.origin, a.step, x);
}
static __device__ __forceinline__ int64_t bin_of (const gpr_count_args &a, const f32 *edges, f32 x)
{
  return gpr_bin_of_f32 (a.rule, a.bins, edges, (f32) a.origin, (f32) a.step, x);
}

template <class X, class T>
__global__ void __launch_bounds__ (GPR_COUNT_THREADS) count_k (const gpr_count_args a)
{
  extern __shared__ __align__ (16) unsigned char raw[];
  const T *edges = (const T *) a.edges;
  u32 *tables = (u32 *) raw;
  const int threads = GPR_COUNT_THREADS;

  if (a.edges_shared)
    {
      T *s = (T *) raw;
      tables = (u32 *) (s + a.edge_count);
      for (int i = threadIdx.x; i < a.edge_count; i += threads)
        s[i] = edges[i];
      edges = s;
    }

  const int64_t items = a.outer_tiles * a.row_tiles * a.column_tiles;
  for (int64_t item = blockIdx.x; item < items; item += gridDim.x)
    {
      const int64_t ct = item % a.column_tiles, rt = item / a.column_tiles % a.row_tiles,
                    ot = item / a.column_tiles / a.row_tiles;
      const int64_t c0 = ct * a.tile_columns, r0 = rt * a.tile_rows, o0 = ot * a.tile_outers;
      const u32 columns = (u32) min ((long long) a.tile_columns, (long long) (a.columns - c0));
      const u32 rows = (u32) min ((long long) a.tile_rows, (long long) (a.rows - r0));
      const u32 outers = (u32) min ((long long) a.tile_outers, (long long) (a.outers - o0));
      const u32 table = a.copies ? (u32) (outers * columns * a.bins) : 0;

      for (u32 i = threadIdx.x; i < table * a.copies; i += threads)
        tables[i] = 0;
      __syncthreads ();

      u32 *mine = tables + (threadIdx.x / 32 % max (a.copies, 1)) * table;
      const X *x = (const X *) a.x + o0 * a.outer_stride + r0 * a.row_stride + c0;
      unsigned long long *counts = a.counts + c0 + a.count_columns * a.bins * o0;
      double *bin_at = a.bin_of ? a.bin_of + o0 * a.bin_outer_stride + r0 * a.bin_row_stride + c0 : 0;

      /* Element e of the item is column c of row r of outer o: kept up by carrying.  */
      const u32 total = columns * rows * outers;
      u32 c = threadIdx.x % columns, r = threadIdx.x / columns % rows, o = threadIdx.x / columns / rows;
      const u32 dc = threads % columns, dr = threads / columns % rows, d_o = threads / columns / rows;
      for (u32 e = threadIdx.x; e < total; )
        {
          enum { ahead = 4 };
          X v[ahead];
          u32 cs[ahead], rs[ahead], os[ahead];
          int n = 0;
#pragma unroll
          for (int i = 0; i < ahead; i++)
            if (e < total)
              {
                cs[i] = c, rs[i] = r, os[i] = o;
                v[i] = x[o * a.outer_stride + r * a.row_stride + c];
                n = i + 1;
                e += threads;
                c += dc;
                r += dr;
                o += d_o;
                if (c >= columns)
                  {
                    c -= columns;
                    r++;
                  }
                if (r >= rows)
                  {
                    r -= rows;
                    o++;
                  }
              }
#pragma unroll
          for (int i = 0; i < ahead; i++)
            if (i < n)
              {
                int64_t k = bin_of (a, edges, (T) (f64) v[i]);
                if (k >= 0)
                  {
                    if (table)
                      atomicAdd (mine + (os[i] * columns + cs[i]) * (u32) a.bins + (u32) k, 1u);
                    else
                      atomicAdd (counts + cs[i] + a.count_columns * (k + a.bins * os[i]), 1ull);
                  }
                if (bin_at)
                  bin_at[os[i] * a.bin_outer_stride + rs[i] * a.bin_row_stride + cs[i]] = (double) (k + 1);
              }
        }
      __syncthreads ();

      for (u32 i = threadIdx.x; i < table; i += threads)
        {
          unsigned long long sum = 0;
          for (int copy = 0; copy < a.copies; copy++)
            sum += tables[copy * table + i];
          u32 k = i % (u32) a.bins, t = i / (u32) a.bins;
          if (sum)
            atomicAdd (counts + t % columns + a.count_columns * (k + a.bins * (t / columns)), sum);
        }
      __syncthreads ();
    }
}

__global__ void __launch_bounds__ (GPR_REDUCE_THREADS) widen_k (const gpr_widen_args a)
{
  const int64_t total = a.columns * a.rows;
  for (int64_t i = (int64_t) blockIdx.x * GPR_REDUCE_THREADS + threadIdx.x; i < total;
       i += (int64_t) gridDim.x * GPR_REDUCE_THREADS)
    {
      int64_t r = i / a.columns;
      a.out[i - r * a.columns + r * a.out_columns] = (double) a.in[i];
    }
}

#define GPR_COUNT_REAL(F) F (f64) F (f32) F (i8) F (u8) F (i16) F (u16) F (i32) F (u32) F (i64) F (u64)
#define GPR_COUNT_CASE(X) \
    case GPR_##X: return single_precision ? (const void *) count_k<X, f32> : (const void *) count_k<X, f64>;

extern "C" const void *gpr_engine_count (enum gpr_elem elem, bool single_precision)
{
  switch ((int) elem)
    {
    GPR_COUNT_REAL (GPR_COUNT_CASE)
    default: return 0;
    }
}

extern "C" const void *gpr_engine_widen (void)
{
  return (const void *) widen_k;
}
