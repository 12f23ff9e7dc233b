/* Kernels that use what the simulator has and are right: each gives the sum of n
   ones, or less where something is not as it should be.  */

#include "ladder.h"

namespace cg = cooperative_groups;

#define KERNEL(name) template <class Op> __global__ void name (reduce_args<Op> a)
#define VARIANT(name, more) \
  LADDER_VARIANT (name) \
  { \
    v.shared_per_thread = 1; \
    v.finishes = 1u << LADDER_ATOMIC; \
    v.default_finish = LADDER_ATOMIC; \
    more; \
    REDUCE_KERNELS (v, name); \
  }

/* The sum by thread 0 of each block, where good holds for all.  */
template <class Op> static __device__ void hand_on (const reduce_args<Op> &a, bool good)
{
  int64_t first = (int64_t) blockIdx.x * blockDim.x, last = min (a.n, first + blockDim.x);
  int all = __syncthreads_and (good);
  finish (a, all ? (typename Op::T) (last - first) : Op::identity ());
}

/* One 16-byte access, in memory of all kinds.  */
KERNEL (wide)
{
  __shared__ float4 w[32];
  int t = threadIdx.x;
  bool good = true;
  if (t < 4 && blockIdx.x == 0 && a.n >= 256)
    {
      float4 v = ((const float4 *) a.x)[t];     /* LOAD */
      w[t] = v;                                 /* STORE */
      float4 u = w[t];
      good = u.x == v.x && u.w == v.w;
    }
  hand_on (a, good);
}
VARIANT (wide, )

KERNEL (warp_operations)
{
  int t = threadIdx.x, lane = t % 32;
  unsigned all = 0xffffffffu;
  bool good = __shfl_sync (all, lane, 5) == 5;
  good = good && __shfl_down_sync (all, lane, 4) == (lane + 4 < 32 ? lane + 4 : lane);
  good = good && __shfl_up_sync (all, lane, 4) == (lane >= 4 ? lane - 4 : lane);
  good = good && __shfl_xor_sync (all, lane, 1) == (lane ^ 1);
  good = good && __shfl_down_sync (all, lane, 1, 8) == (lane % 8 < 7 ? lane + 1 : lane);
  good = good && __shfl_sync (all, lane, 9, 8) == lane / 8 * 8 + 1;
  good = good && __shfl_down_sync (all, 0.5 + lane, 1) == 0.5 + (lane < 31 ? lane + 1 : lane);
  good = good && __shfl_sync (all, (long long) lane << 40, 3) == 3ll << 40;
  good = good && __ballot_sync (all, lane < 3) == 7 && __any_sync (all, lane == 31) && ! __all_sync (all, lane == 31);
  good = good && __all_sync (all, 1) && __match_any_sync (all, lane / 8) == 0xffu << (lane / 8 * 8);
  good = good && __reduce_add_sync (all, lane) == 496 && __reduce_max_sync (all, -lane) == 0 && __reduce_min_sync (all, -lane) == -31;
  good = good && __reduce_max_sync (all, (unsigned) lane) == 31 && __reduce_or_sync (all, 1u << lane) == all;
  good = good && __reduce_xor_sync (all, (unsigned) lane) == 0 && __reduce_and_sync (all, 6u | lane) == 6;
  if (lane < 8)
    good = good && __shfl_xor_sync (0xffu, lane, 4) == (lane ^ 4);
  __syncwarp ();
  auto tile = cg::tiled_partition<16> (cg::this_thread_block ());
  good = good && cg::reduce (tile, 1, cg::plus<int> ()) == 16 && tile.thread_rank () == t % 16u && tile.size () == 16;
  good = good && tile.shfl_down (lane, 2) == (lane % 16 < 14 ? lane + 2 : lane) && tile.ballot (lane % 16 == 1) == 2;
  tile.sync ();
  good = good && __popc (7u) == 3 && __clz (1) == 31 && __ffs (8) == 4 && __int_as_float (0x3f800000) == 1.0f;
  good = good && __float_as_int (1.0f) == 0x3f800000 && max (2, 3u) == 3 && min (2.5, 1) == 1;
  hand_on (a, good);
}
VARIANT (warp_operations, )

KERNEL (barriers)
{
  int t = threadIdx.x;
  bool good = __syncthreads_count (t < 10) == 10 && __syncthreads_or (t == 3) && ! __syncthreads_and (t != 3);
  hand_on (a, good);
}
VARIANT (barriers, )

/* Changes of values in a warp by __syncwarp of all and of some.  */
KERNEL (warp_sync)
{
  typedef typename Op::T T;
  T *s = shared<T> ();
  int t = threadIdx.x, lane = t % 32;
  bool good = true;
  s[t] = lane;
  __syncwarp ();
  good = s[t ^ 1] == (T) (lane ^ 1);
  __syncwarp ();
  if (lane < 8)
    {
      s[t] = lane + 100;
      __syncwarp (0xff);
      good = good && s[t ^ 4] == (T) ((lane ^ 4) + 100);
    }
  hand_on (a, good);
}
VARIANT (warp_sync, )

KERNEL (atomics)
{
  __shared__ unsigned u[12];
  __shared__ float f;
  int t = threadIdx.x;
  unsigned b = blockDim.x;
  if (t < 12)
    u[t] = t == 2 ? 1000 : t == 7 ? ~0u : t == 11 ? b : 0;
  if (t == 0)
    f = 0;
  __syncthreads ();
  atomicAdd (&u[0], 2u);
  atomicSub (&u[1], 1u);
  atomicMin (&u[2], (unsigned) t + 5);
  atomicMax (&u[3], (unsigned) t);
  if (t == 0)
    atomicExch (&u[4], 9u);
  atomicCAS (&u[5], 0u, (unsigned) t + 1);
  atomicInc (&u[6], 9u);
  atomicAnd (&u[7], ~(1u << (t % 32)));
  atomicOr (&u[8], 1u << (t % 32));
  atomicXor (&u[9], 1u);
  atomicMin ((int *) &u[10], -t);
  atomicDec (&u[11], 1000000u);
  atomicAdd (&f, 0.5f);
  __syncthreads ();
  bool good = u[0] == 2 * b && u[1] == 0u - b && u[2] == 5 && u[3] == b - 1 && u[4] == 9 && u[5] != 0 && u[6] == b % 10
    && u[7] == 0 && u[8] == ~0u && u[9] == 0 && (int) u[10] == 1 - (int) b && u[11] == 0 && f == b / 2.0f;
  hand_on (a, good);
}
VARIANT (atomics, )

/* A flag set behind a fence, from block to block.  */
KERNEL (flags)
{
  typedef typename Op::T T;
  volatile unsigned *turn = a.ticket;
  volatile T *sum = a.result;
  if (threadIdx.x == 0)
    {
      int64_t first = (int64_t) blockIdx.x * blockDim.x, last = min (a.n, first + blockDim.x);
      while (*turn != blockIdx.x)
        ;
      __threadfence ();
      *sum = *sum + (T) (last - first);
      __threadfence ();
      *turn = blockIdx.x + 1;
    }
}
VARIANT (flags, )

/* A lock.  */
KERNEL (lock)
{
  typedef typename Op::T T;
  if (threadIdx.x == 0)
    {
      int64_t first = (int64_t) blockIdx.x * blockDim.x, last = min (a.n, first + blockDim.x);
      while (atomicCAS (a.ticket, 0u, 1u) != 0)
        ;
      __threadfence ();
      *a.result = *a.result + (T) (last - first);
      __threadfence ();
      atomicExch (a.ticket, 0u);
    }
}
VARIANT (lock, )

/* Each thread its own byte: neighbours do not race.  */
KERNEL (bytes)
{
  __shared__ unsigned char c[1024];
  int t = threadIdx.x;
  c[t] = (unsigned char) t;
  c[t] = (unsigned char) (c[t] + 1);
  __syncthreads ();
  hand_on (a, c[(t + 1) % blockDim.x] == (unsigned char) ((t + 1) % blockDim.x + 1));
}
VARIANT (bytes, )

/* Three exchanges through the whole grid.  */
KERNEL (grid_rounds)
{
  typedef typename Op::T T;
  bool good = true;
  for (int round = 0; round < 3; round++)
    {
      if (threadIdx.x == 0)
        a.partial[blockIdx.x] = (T) (blockIdx.x + round);
      cg::this_grid ().sync ();
      unsigned next = (blockIdx.x + 1) % gridDim.x;
      good = good && a.partial[next] == (T) (next + round);
      cg::this_grid ().sync ();
    }
  int64_t first = (int64_t) blockIdx.x * blockDim.x, last = min (a.n, first + blockDim.x);
  finish (a, good ? (T) (last - first) : Op::identity ());
}
VARIANT (grid_rounds, v.finishes = 1u << LADDER_GRID_SYNC; v.default_finish = LADDER_GRID_SYNC)

/* Structs and copies that g++ makes calls of.  */
struct record { long long a[40]; };
KERNEL (copies)
{
  record *r = (record *) shared<char> ();
  int t = threadIdx.x;
  if (t < 2)
    memset (r + t, t + 1, sizeof *r);
  __syncthreads ();
  bool good = true;
  if (t == 0)
    {
      record here = r[1];
      r[0] = r[1];
      good = here.a[39] == 0x0202020202020202ll && r[0].a[0] == here.a[1];
    }
  hand_on (a, good);
}
VARIANT (copies, v.shared_fixed = 256)
