/* shuffle_pairs (argmax): a value and its index travel together.

   Change from grid_stride: the values of the tree are pairs, and a shuffle of a
   pair is two shuffles.
   Better: the index comes from the same pass over the data as the value.
   Still wrong: a pair takes 16 bytes of partial results and shared memory; no
   atomic swaps so many, so a second pass (or the last block) takes the blocks'
   pairs.
   Work n - 1, steps n / (blocks * B) + 10, barriers 1 a block.
   Limit: memory; for small elements the comparisons of pairs.

   Op::combine takes the greater (smaller) value, of equal ones the smaller index:
   where a shuffle or a loop over the grid brings elements together out of order,
   nothing else makes the first one win (see bug_argmax_tie).  */

#include "ladder.h"

template <class T>
static __device__ __forceinline__ T pair_from (T v, int stride)
{
  v.v = __shfl_down_sync (0xffffffffu, v.v, stride);
  v.i = __shfl_down_sync (0xffffffffu, v.i, stride);
  return v;
}

template <class Op>
__global__ void shuffle_pairs (reduce_args<Op> a)
{
  typedef typename Op::T T;
  T *s = shared<T> ();
  int t = threadIdx.x;
  int64_t me = (int64_t) blockIdx.x * blockDim.x + t, all = (int64_t) gridDim.x * blockDim.x;

  T v = Op::identity ();
  for (int64_t i = me; i < a.n; i += all)
    v = Op::combine (v, Op::element (a.x[i], i));
  for (int stride = 16; stride > 0; stride /= 2)
    v = Op::combine (v, pair_from (v, stride));
  if (t % 32 == 0)
    s[t / 32] = v;
  __syncthreads ();
  if (t < 32)
    {
      v = t < blockDim.x / 32 ? s[t] : Op::identity ();
      for (int stride = 16; stride > 0; stride /= 2)
        v = Op::combine (v, pair_from (v, stride));
    }
  finish (a, v);
}

LADDER_VARIANT (shuffle_pairs)
{
  v.rank = 210;
  v.aliases = "V argmax";
  v.idea = "value and index travel together by shuffles, a pair a block, a second pass";
  v.lesson = "anything with an associative combination reduces; ties must be part of it";
  v.wrong = "two shuffles a step; a pair is too wide for an atomic";
  v.source = "V, argmax";
  v.grid_stride = true;
  v.shared_per_warp = 1;
  v.finishes = 1u << LADDER_TWO_PASS | 1u << LADDER_LAST_BLOCK | 1u << LADDER_GRID_SYNC;
  ARGMAX_KERNELS (v, shuffle_pairs);
}
