/* accumarray with many outputs, or in the built-in's order: after a stable sort of the keys (scatter_keys.cu,
   scatter_sort.cu) every output takes its run of elements.  In the built-in's order it takes them on from
   what it holds, so one chunk of elements after the other gives the bits of all at once.  Else
   the run is cut into pieces (ops/scatter.h), and the sums of those are added afterwards.  */

#include "scatter.cuh"

/* A piece of the run at hand, from sorted element i on, in which first says that the run begins.  */
struct piece {
  int64_t left;                 /* elements up to its end, if the run goes on so far */
  bool first;
};

/* Elements of this output in earlier chunks, in the piece at hand.  */
static __device__ __forceinline__ uint32_t before (const gpr_scatter_add_args &a, uint32_t key)
{
  return a.counts ? (uint32_t) a.counts[key] & (a.piece - 1) : 0;
}
static __device__ __forceinline__ int64_t place (const gpr_scatter_add_args &a, int64_t i, bool first)
{
  return a.part ? i : 2 * (i / a.piece) + ! first;
}

/* sum is of a whole piece, or of what this chunk has of it: to its output, to what the next chunk goes on
   from, or, if the run has several pieces, to where add_pieces_k finds it.  */
template <class A>
static __device__ __forceinline__ void put_piece (const gpr_scatter_add_args &a, uint32_t key, int64_t i, const piece &p, A sum)
{
  A *out = (A *) a.out, *part = (A *) a.part;
  const int64_t end = a.end[key];
  if (! p.first || i + p.left < end)
    ((A *) a.sums)[place (a, i, p.first)] = sum;
  else if (part && i + p.left > end)
    part[key] = sum;
  else
    {
      out[key] = merged (a.op, out[key], sum);
      if (part)
        part[key] = *(const A *) a.start;
    }
}

/* A warp looks at 32 sorted elements.  The lane where a run or a piece begins adds that
   as far as it lies within these; only the last one can go on, and for it all
   lanes fetch elements, more and more at once, while its lane adds them.  So every
   piece is added by one thread, wherever it ends.  */
template <class X, class A>
static __global__ void __launch_bounds__ (GPR_SCATTER_THREADS) add_k (const gpr_scatter_add_args a)
{
  enum { WARPS = GPR_SCATTER_THREADS / 32, MOST = 8 };
  const unsigned every = 0xFFFFFFFFu;
  __shared__ __align__ (16) char memory[WARPS * MOST * 32 * sizeof (A)];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  A *stage = (A *) memory + warp * MOST * 32, *out = (A *) a.out;
  const X *values = (const X *) a.values;
  const int64_t windows = (a.n + 31) / 32;

  for (int64_t w = (int64_t) blockIdx.x * WARPS + warp; w < windows; w += (int64_t) gridDim.x * WARPS)
    {
      const int64_t i = 32 * w + lane;
      const uint32_t key = i < a.n ? a.keys[i] : a.count;
      const bool counted = key < a.count;               /* so are all lanes below, as keys ascend */
      piece p = { INT64_MAX / 2, counted && (i == 0 || a.keys[i - 1] != key) };
      if (a.piece && counted)
        p.left = a.piece - ((before (a, key) + (i - a.begin[key])) & (a.piece - 1));
      const bool begins = p.first || (counted && p.left == a.piece);
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
          sum = ! a.piece ? out[key] : p.first && a.part ? ((const A *) a.part)[key] : *(const A *) a.start;
          sum = accumulator<A>::take (a.op, sum, stage + lane, end - lane);
        }
      __syncwarp ();
      if (beginnings && length == 32)
        {
          const int last = 31 - __clz (beginnings);
          const uint32_t run = __shfl_sync (every, key, last);
          const int64_t until = min (a.n, __shfl_sync (every, i + p.left, last));
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
                  k[r] = r < rows && j < until ? a.keys[j] : a.count;
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
      if (begins && a.piece)
        put_piece (a, key, i, p, sum);
      else if (begins)
        out[key] = sum;
    }
}

/* Adds the sums of the pieces to outputs that have several.  A warp looks at 32 outputs.  */
template <class A>
static __global__ void __launch_bounds__ (GPR_SCATTER_THREADS) add_pieces_k (const gpr_scatter_add_args a)
{
  enum { WARPS = GPR_SCATTER_THREADS / 32, MOST = 8 };
  const unsigned every = 0xFFFFFFFFu;
  __shared__ __align__ (16) char memory[WARPS * MOST * 32 * sizeof (A)];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  A *stage = (A *) memory + warp * MOST * 32, *out = (A *) a.out, *part = (A *) a.part;
  const A *sums = (const A *) a.sums;

  for (int64_t w = (int64_t) blockIdx.x * WARPS + warp; 32 * w < (int64_t) a.count; w += (int64_t) gridDim.x * WARPS)
    {
      const int64_t mine = 32 * w + lane;
      const uint32_t my_key = mine < (int64_t) a.count ? (uint32_t) mine : 0;
      const int64_t my_length = (int64_t) a.end[my_key] - a.begin[my_key];
      unsigned long_ones = __ballot_sync (every, mine < (int64_t) a.count && my_length + before (a, my_key) > a.piece);
      for (; long_ones; long_ones &= long_ones - 1)
        {
          const uint32_t key = (uint32_t) (32 * w + __ffs (long_ones) - 1);
          const int64_t begin = a.begin[key], length = a.end[key] - begin, done = before (a, key);
          const int64_t pieces = (done + length + a.piece - 1) / a.piece, whole = (done + length) / a.piece;
          A sum = out[key];
          for (int64_t from = 0; from < pieces; from += MOST * 32)
            {
              const int here = (int) min ((int64_t) (MOST * 32), pieces - from);
              for (int j = lane; j < here; j += 32)
                {
                  const int64_t i = from + j == 0 ? begin : begin - done + (from + j) * a.piece;
                  stage[j] = sums[place (a, i, from + j == 0)];
                }
              __syncwarp ();
              if (lane == 0)
                sum = accumulator<A>::take (a.op, sum, stage, part ? (int) min ((int64_t) here, whole - from) : here);
              if (lane == 0 && part && from + here == pieces)
                part[key] = whole < pieces ? stage[here - 1] : *(const A *) a.start;
              __syncwarp ();
            }
          if (lane == 0)
            out[key] = sum;
        }
    }
}

/* ---- for the host side -------------------------------------------------------------- */

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

extern "C" const void *gpr_engine_scatter_add_pieces (enum gpr_elem to)
{
  switch ((int) to)
    {
#define ADD(A) case (int) GPR_##A: return (const void *) add_pieces_k<A>;
    GPR_ELEMS (ADD)
#undef ADD
    default: return 0;
    }
}
