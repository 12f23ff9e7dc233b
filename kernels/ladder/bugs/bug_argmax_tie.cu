/* bug_argmax_tie (argmax): ties give any index.

   Change from shuffle_pairs: pairs are compared by their values alone.
   Wrong: of equal values the one wins that the tree happens to bring last: the
   index depends on the block's size and on the grid.  (A NaN loses to nothing,
   either: a > b does not hold.)  Nothing faults.
   Caught: wrong result, where the extreme occurs more than once.  */

#include "ladder.h"

template <class T>
static __device__ __forceinline__ T pair_from (T v, int stride)
{
  v.v = __shfl_down_sync (0xffffffffu, v.v, stride);
  v.i = __shfl_down_sync (0xffffffffu, v.i, stride);
  return v;
}

template <class Op> struct greatest { enum { yes = 0 }; };
template <class X> struct greatest<Argmax<X>> { enum { yes = 1 }; };

/* V's comparison.  */
template <class Op, class T>
static __device__ __forceinline__ T better (T a, T b)
{
  if (a.i == INT64_MAX || b.i == INT64_MAX)     /* no element at all */
    return Op::combine (a, b);
  return (greatest<Op>::yes ? a.v > b.v : a.v < b.v) ? a : b;
}

template <class Op>
__global__ void bug_argmax_tie (reduce_args<Op> a)
{
  typedef typename Op::T T;
  T *s = shared<T> ();
  int t = threadIdx.x;
  int64_t me = (int64_t) blockIdx.x * blockDim.x + t, all = (int64_t) gridDim.x * blockDim.x;

  T v = Op::identity ();
  for (int64_t i = me; i < a.n; i += all)
    v = better<Op> (v, Op::element (a.x[i], i));
  for (int stride = 16; stride > 0; stride /= 2)
    v = better<Op> (v, pair_from (v, stride));
  if (t % 32 == 0)
    s[t / 32] = v;
  __syncthreads ();
  if (t < 32)
    {
      v = t < blockDim.x / 32 ? s[t] : Op::identity ();
      for (int stride = 16; stride > 0; stride /= 2)
        v = better<Op> (v, pair_from (v, stride));
    }
  finish (a, v);
}

LADDER_VARIANT (bug_argmax_tie)
{
  v.rank = 1100;
  v.fault = "wrong result";
  v.idea = "shuffle_pairs that compares values alone";
  v.lesson = "a tie needs a rule, and the rule belongs to the combination";
  v.wrong = "of equal elements not the first: its index is lost";
  v.source = "V, argmax";
  v.grid_stride = true;
  v.shared_per_warp = 1;
  v.finishes = 1u << LADDER_TWO_PASS | 1u << LADDER_LAST_BLOCK | 1u << LADDER_GRID_SYNC;
  v.default_n = 64;
  ARGMAX_KERNELS (v, bug_argmax_tie);
}
