/* accumarray with few outputs: a warp takes a chunk of elements, 32 at a time, to a table of all
   outputs that is its own.  Elements of a row that go to one output are added in their order by the
   first of their lanes, so that nothing depends on timing.  */

#include "scatter.cuh"

enum : unsigned { EVERY_LANE = 0xFFFFFFFFu, NOWHERE = 0xFFFFFFFFu };
enum { ROWS = 4, CROWD = 6 };           /* rows of which loads are on their way; elements of one output that make a crowd */

/* Of a subscript or key, NOWHERE if it is not allowed.  As gpr_subscript_f64: adding 2^52 leaves a whole number in
   the low bits, without a conversion, of which a GPU does few at once.  */
static __device__ __forceinline__ uint32_t key_of (f64 s, uint32_t outputs)
{
  union { f64 d; u64 u; } shifted;
  shifted.d = s + 0x1p52;
  return s >= 1 && s <= (f64) outputs && shifted.d - 0x1p52 == s ? (uint32_t) shifted.u - 1 : (uint32_t) NOWHERE;
}
static __device__ __forceinline__ uint32_t key_of (uint32_t k, uint32_t outputs) { return k < outputs ? k : (uint32_t) NOWHERE; }

static __device__ __forceinline__ bool is_beyond (int op, f64 v) { return ! (op == GPR_SCATTER_MAX ? v >= 0 : v <= 0); }
static __device__ __forceinline__ bool is_beyond (int op, f32 v) { return is_beyond (op, (f64) v); }
template <class A> static __device__ __forceinline__ bool is_beyond (int, A) { return false; }

/* Whether v changes an extreme a.  */
template <class A> static __device__ __forceinline__ bool beats (int op, A a, A v)
{
  return v == v && ! (op == GPR_SCATTER_MAX ? a >= v : a <= v);
}
static __device__ __forceinline__ bool beats (int, c128, c128) { return true; }
static __device__ __forceinline__ bool beats (int, c64, c64) { return true; }

/* a and the values of these lanes, in their order.  */
template <class A>
static __device__ __forceinline__ A take_lanes (int op, A a, const A *stage, unsigned lanes)
{
  if (op == GPR_SCATTER_SUM)
    {
      const A *v = (const A *) __builtin_assume_aligned (stage, 16);
      if (lanes == EVERY_LANE)
#pragma unroll
        for (int j = 0; j < 32; j++)
          a = plus (a, v[j]);
      else
#pragma unroll
        for (int j = 0; j < 32; j++)
          {
            const A y = v[j];
            if (lanes >> j & 1)
              a = plus (a, y);
          }
    }
  else
    for (; lanes; lanes &= lanes - 1)
      {
        const A v = stage[__ffs (lanes) - 1];
        a = merged (op, a, v);
      }
  return a;
}

/* op is SUM, or any.  tags: a byte for each output.  Of the lanes that write to one of these a single one is found there by all, so that a row without
   two elements of an output is soon known; to match lanes takes as long as all else.  */
template <bool SUM, class A>
static __device__ __forceinline__ void take_row (int op, uint32_t key, A v, bool here, A *table, A *stage, unsigned char *tags, int lane)
{
  if (SUM)
    {
      if (here)
        tags[key] = (unsigned char) lane;
      __syncwarp ();
      if (! __any_sync (EVERY_LANE, here && tags[key] != lane))
        {
          if (here)
            table[key] = plus (table[key], v);
          __syncwarp ();
          return;
        }
    }
  if (! SUM && op != GPR_SCATTER_SUM)
    {
      here = here && beats (op, table[key], v);
      if (! __any_sync (EVERY_LANE, here))
        return;
    }
  const unsigned peers = __match_any_sync (EVERY_LANE, here ? key : (uint32_t) NOWHERE);
  const int turn = here ? __popc (peers & ((1u << lane) - 1)) : 0;
  if (! __any_sync (EVERY_LANE, turn >= CROWD))
    {
      for (int t = 0; ; t++)
        {
          if (here && turn == t)
            table[key] = SUM || op == GPR_SCATTER_SUM ? plus (table[key], v) : merged (op, table[key], v);
          __syncwarp ();
          if (! __any_sync (EVERY_LANE, turn > t))
            return;
        }
    }
  stage[lane] = v;
  __syncwarp ();
  if (here && turn == 0)
    table[key] = take_lanes (SUM ? (int) GPR_SCATTER_SUM : op, table[key], stage, peers);
  __syncwarp ();
}

/* ALL: there are as many elements.  */
template <bool ALL, class K, class X>
static __device__ __forceinline__ void fetch (const gpr_scatter_few_args &a, int64_t at, int64_t end, int lane, K *s, X *v)
{
  const K *subs = (const K *) a.subs + at + lane;
  const X *values = a.repeated ? (const X *) a.values : (const X *) a.values + at + lane;
#pragma unroll
  for (int r = 0; r < ROWS; r++)
    if (ALL || at + 32 * r + lane < end)
      {
        s[r] = subs[32 * r];
        v[r] = a.repeated ? *values : values[32 * r];
      }
}

template <bool SUM, bool ALL, class K, class X, class A>
static __device__ __forceinline__ void
take_rows (const gpr_scatter_few_args &a, int op, int64_t at, int64_t end, const K *s, const X *v, A *table, A *stage, unsigned char *tags, int lane,
           bool *bad, bool *beyond)
{
#pragma unroll
  for (int r = 0; r < ROWS; r++)
    {
      const bool inside = ALL || at + 32 * r + lane < end;
      const uint32_t key = inside ? key_of (s[r], a.outputs) : (uint32_t) NOWHERE;
      const A y = inside ? widened<A, X>::of (v[r]) : *(const A *) a.start;
      *bad = *bad || (inside && key == NOWHERE);
      *beyond = *beyond || (! SUM && a.look_beyond && inside && is_beyond (op, y));
      take_row<SUM> (op, key, y, key != NOWHERE, table, stage, tags, lane);
    }
}

/* The next rows are on their way.  */
template <bool SUM, class K, class X, class A>
static __device__ __forceinline__ void take_chunk (const gpr_scatter_few_args &a, int64_t at, int64_t end, A *table, A *stage, unsigned char *tags, int lane)
{
  enum { SOME = 32 * ROWS };
  bool bad = false, beyond = false;
  K s[ROWS], next_s[ROWS];
  X v[ROWS], next_v[ROWS];

  fetch<false> (a, at, end, lane, s, v);
  for (; at < end; at += SOME)
    {
      const bool more = at + 2 * SOME <= end;
      if (more)
        {
          fetch<true> (a, at + SOME, end, lane, next_s, next_v);
          take_rows<SUM, true> (a, a.op, at, end, s, v, table, stage, tags, lane, &bad, &beyond);
        }
      else
        {
          fetch<false> (a, at + SOME, end, lane, next_s, next_v);
          take_rows<SUM, false> (a, a.op, at, end, s, v, table, stage, tags, lane, &bad, &beyond);
        }
#pragma unroll
      for (int r = 0; r < ROWS; r++)
        {
          s[r] = next_s[r];
          v[r] = next_v[r];
        }
    }
  if (bad)
    a.flags[GPR_SCATTER_BAD] = 1;
  if (beyond)
    a.flags[GPR_SCATTER_BEYOND] = 1;
}

template <class K, class X, class A>
static __global__ void __launch_bounds__ (GPR_SCATTER_GROUP * 32) few_k (const gpr_scatter_few_args a)
{
  GPR_BLOCK_MEMORY (raw);
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const uint32_t m = a.outputs;
  A *stage = (A *) raw + warp * 32, *here = (A *) raw + a.group * 32;
  A *tables = a.tables ? (A *) a.tables + (size_t) blockIdx.x * a.group * m : here;
  A *table = tables + (size_t) warp * m;
  const A start = *(const A *) a.start;

  for (int64_t g = blockIdx.x; g < a.groups; g += gridDim.x)
    {
      const int64_t first = (g * a.group + warp) * a.chunk, end = min (first + a.chunk, a.n);
      for (uint32_t k = lane; k < m; k += 32)
        table[k] = start;
      __syncwarp ();
      if (a.op == GPR_SCATTER_SUM && ! a.tables)        /* the compiler knows both */
        take_chunk<true, K, X> (a, first, end, here + (size_t) warp * m, stage, (unsigned char *) (here + (size_t) a.group * m) + (size_t) warp * m, lane);
      else
        take_chunk<false, K, X> (a, first, end, table, stage, NULL, lane);
      __syncthreads ();
      for (uint32_t k = threadIdx.x; k < m; k += 32 * a.group)
        {
          A sum = start;
          for (int w = 0; w < a.group; w++)
            sum = a.op == GPR_SCATTER_SUM ? plus (sum, tables[(size_t) w * m + k]) : merged (a.op, sum, tables[(size_t) w * m + k]);
          ((A *) a.sums)[(size_t) g * m + k] = sum;
        }
      __syncthreads ();
    }
}

template <class K>
static __global__ void __launch_bounds__ (GPR_SCATTER_THREADS) count_k (const gpr_scatter_count_args a)
{
  __shared__ unsigned table[GPR_SCATTER_FEW];
  bool bad = false;
  for (uint32_t k = threadIdx.x; k < a.outputs; k += GPR_SCATTER_THREADS)
    table[k] = 0;
  __syncthreads ();
  const int64_t stride = (int64_t) gridDim.x * GPR_SCATTER_THREADS;
  for (int64_t i = (int64_t) blockIdx.x * GPR_SCATTER_THREADS + threadIdx.x; i < a.n; i += ROWS * stride)
    {
      K s[ROWS];
#pragma unroll
      for (int r = 0; r < ROWS; r++)
        if (i + r * stride < a.n)
          s[r] = ((const K *) a.subs)[i + r * stride];
#pragma unroll
      for (int r = 0; r < ROWS; r++)
        if (i + r * stride < a.n)
          {
            const uint32_t key = key_of (s[r], a.outputs);
            bad = bad || key == NOWHERE;
            if (key != NOWHERE)
              atomicAdd (table + key, 1u);
          }
    }
  if (bad)
    a.flags[GPR_SCATTER_BAD] = 1;
  __syncthreads ();
  for (uint32_t k = threadIdx.x; k < a.outputs; k += GPR_SCATTER_THREADS)
    if (table[k])
      atomicAdd (a.counts + k, (unsigned long long) table[k]);
}

/* ---- for the host side -------------------------------------------------------------- */

extern "C" const void *gpr_engine_scatter_few (bool doubles, enum gpr_elem in, enum gpr_elem to)
{
  switch ((int) in * GPR_ELEM_COUNT + (int) to)
    {
#define FEW(X, A) \
    case (int) GPR_##X * GPR_ELEM_COUNT + (int) GPR_##A: \
      return doubles ? (const void *) few_k<f64, X, A> : (const void *) few_k<uint32_t, X, A>;
    GPR_SCATTER_SAME (FEW)
    GPR_SCATTER_WIDENED (FEW)
    GPR_SCATTER_COMPLEX (FEW)
#undef FEW
    default: return 0;
    }
}

extern "C" const void *gpr_engine_scatter_count (bool doubles)
{
  return doubles ? (const void *) count_k<f64> : (const void *) count_k<uint32_t>;
}
