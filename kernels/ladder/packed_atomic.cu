/* packed_atomic (argmax): value and index in one word of 64 bits, one atomicMax a
   block.

   Change from shuffle_pairs: a 32-bit value, as an integer of the same order,
   above the inverted index (ladder_key_… in variant.h): the greater key is the
   greater value, of equal ones the smaller index.
   Better: combining two is one maximum, the blocks' results meet in one atomic,
   and no second pass is needed.
   Still wrong: 32-bit values only, and n below 2^32.
   Work n - 1, steps n / (blocks * B) + 10, barriers 1 a block, atomics 1 a block.
   Limit: memory.

   0 is no element's key: *result starts as 0.  */

#include "ladder.h"

typedef unsigned long long word;

template <class Op> struct key;
template <> struct key<Argmax<float>> { static __device__ word of (float x, int64_t i) { return ladder_key_from_float (x, i, false); } };
template <> struct key<Argmin<float>> { static __device__ word of (float x, int64_t i) { return ladder_key_from_float (x, i, true); } };
template <> struct key<Argmax<int>> { static __device__ word of (int x, int64_t i) { return ladder_key_from_int (x, i, false); } };
template <> struct key<Argmin<int>> { static __device__ word of (int x, int64_t i) { return ladder_key_from_int (x, i, true); } };

static __device__ __forceinline__ word greater (word a, word b) { return b > a ? b : a; }

template <class Op>
__global__ void packed_atomic (reduce_args<Op> a)
{
  word *s = shared<word> ();
  int t = threadIdx.x;
  int64_t me = (int64_t) blockIdx.x * blockDim.x + t, all = (int64_t) gridDim.x * blockDim.x;

  word v = 0;
  for (int64_t i = me; i < a.n; i += all)
    v = greater (v, key<Op>::of (a.x[i], i));
  for (int stride = 16; stride > 0; stride /= 2)
    v = greater (v, __shfl_down_sync (0xffffffffu, v, stride));
  if (t % 32 == 0)
    s[t / 32] = v;
  __syncthreads ();
  if (t < 32)
    {
      v = t < blockDim.x / 32 ? s[t] : 0;
      for (int stride = 16; stride > 0; stride /= 2)
        v = greater (v, __shfl_down_sync (0xffffffffu, v, stride));
    }
  if (t == 0)
    atomicMax ((word *) a.result, v);
}

LADDER_VARIANT (packed_atomic)
{
  v.family = LADDER_FAMILY_ARGMAX;
  v.rank = 220;
  v.idea = "value and index in one 64-bit word, one atomic a block";
  v.lesson = "a key whose order is the order wanted";
  v.wrong = "32-bit values only, n below 2^32";
  v.source = "a common idiom";
  v.grid_stride = true;
  v.packed = true;
  v.shared_per_warp = 1;
  v.finishes = 1u << LADDER_ATOMIC;
  v.default_finish = LADDER_ATOMIC;
  LADDER_SET (v, LADDER_ARGMAX, LADDER_SINGLE, packed_atomic<Argmax<float>>)
  LADDER_SET (v, LADDER_ARGMAX, LADDER_INT32, packed_atomic<Argmax<int>>)
  LADDER_SET (v, LADDER_ARGMIN, LADDER_SINGLE, packed_atomic<Argmin<float>>)
  LADDER_SET (v, LADDER_ARGMIN, LADDER_INT32, packed_atomic<Argmin<int>>)
}
