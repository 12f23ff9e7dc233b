/* Products in doubt, since the tree overflowed or underflowed.  In the built-in's order, a product that has become 0
   or infinite changes nothing but its sign, unless a special value follows.  Where the tree's is infinite no factor is special, and it
   has the sign (kernels/ops/product.h): so the first rows say what the product is.  Where it is NaN, these and what there is in all rows:
   the special values decide as in src/core/fixup.c.  Of integers the only one is 0, and NaN says that there is one: so what the first rows make
   infinite is NaN, and only of what they make 0 the sign is in all rows.  */

#include "engine.h"
#include "factors.cuh"
#include "settle.h"

enum { SETTLE_ODD = 1 << 16,
       SETTLE_EACH_BITS = 4, SETTLE_EACH = 1 << SETTLE_EACH_BITS,       /* rows that a thread takes at once, while the next ones are on their way */
       SETTLE_RUNS = 16,        /* of groups of a column, where these are more */
       SETTLE_PITCH = GPR_SETTLE_TILE_THREADS + 1 };    /* odd: threads that write rows beside each other use all banks */

static __device__ __forceinline__ unsigned settle_join (unsigned a, unsigned b)
{
  return ((a | b) & ~(unsigned) SETTLE_ODD) | ((a ^ b) & SETTLE_ODD);
}

template <class X> static __device__ __forceinline__ unsigned settle_look (X x) { return (x == 0 ? GPR_SEEN_ZERO : 0) | (x < 1 && x != 0 ? SETTLE_ODD : 0); }
template <> __device__ __forceinline__ unsigned settle_look (f64 x) { return gpr_seen_f64 (x) | (signbit (x) ? SETTLE_ODD : 0); }
template <> __device__ __forceinline__ unsigned settle_look (f32 x) { return gpr_seen_f32 (x) | (signbit (x) ? SETTLE_ODD : 0); }

/* An integer product of which the first rows did not tell all: a NaN that nothing else makes.  */
enum { SETTLE_OPEN = 0x7FF9AB1E };
template <class X> constexpr bool settle_whole = (X) 0.5 == 0;
static __device__ __forceinline__ f64 settle_open () { const u64 bits = (u64) SETTLE_OPEN << 32; f64 y; memcpy (&y, &bits, sizeof y); return y; }
template <class A> static __device__ __forceinline__ bool settle_is_open (A y)
{
  u64 bits = 0;
  memcpy (&bits, &y, sizeof y);
  return bits == (u64) SETTLE_OPEN << 32;
}

/* The first element of output i's column.  */
static __device__ __forceinline__ i64 settle_start (const gpr_settle_args &a, i64 i)
{
  return i / a.inner * a.length * a.inner + i % a.inner;
}

template <class X, class A, bool OMIT>
__global__ void __launch_bounds__ (GPR_SETTLE_THREADS) settle_seen_k (const gpr_settle_args a)
{
  const i64 rows = (a.length + a.pieces - 1) / a.pieces, step = (i64) gridDim.x * blockDim.x / a.lanes;
  const int lane = threadIdx.x % a.lanes;

  for (i64 w = ((i64) blockIdx.x * blockDim.x + threadIdx.x) / a.lanes; w < a.outputs * a.pieces; w += step)
    {
      const i64 i = w % a.outputs, piece = w / a.outputs, end = (piece + 1) * rows < a.length ? (piece + 1) * rows : a.length;
      const X *x = (const X *) a.x + settle_start (a, i);
      unsigned bits = 0;
      const A y = ((const A *) a.value)[i];
      if (y == y || (settle_whole<X> && ! settle_is_open (y)))
        continue;
#pragma unroll 8
      for (i64 r = piece * rows + lane; r < end; r += a.lanes)
        {
          const X own = x[r * a.inner];
          if (! (OMIT && own != own))
            bits = settle_join (bits, settle_look (own));
        }
      for (int lanes = a.lanes / 2; lanes > 0; lanes /= 2)
        bits = settle_join (bits, __shfl_xor_sync (0xFFFFFFFFu, bits, lanes));
      if (lane > 0 || bits == 0)
        continue;
      atomicOr (&a.seen[i], bits & ~(unsigned) SETTLE_ODD);
      if (bits & SETTLE_ODD)
        atomicXor (&a.seen[i], (unsigned) SETTLE_ODD);
    }
}

static __device__ __forceinline__ void settle_put (f64 *y, f64 v) { *y = v; }
static __device__ __forceinline__ void settle_put (f32 *y, f64 v)
{
  const unsigned na = 0x7FC207A2u;
  *y = (f32) v;
  if (gpr_na_f64 (v))
    memcpy (y, &na, sizeof na);
}

/* Whether rows of an output are to be looked at.  Others are not in doubt, are special by what is in all rows, or are left.  */
template <class X, class A> static __device__ __forceinline__ bool settle_waits (const gpr_settle_args &a, i64 i)
{
  A *value = (A *) a.value + i;
  const A y = *value;
  if (y == y)           /* what left the range and nothing else is settled by the first turn, but for rows beyond the limit */
    return y - y != 0 && (! a.seen || a.length > GPR_SETTLE_LIMIT);
  if (settle_whole<X>)
    return ! a.seen || settle_is_open (y);
  if (! a.seen)
    {
      *a.left = 1;
      return false;
    }
  const unsigned seen = a.seen[i];
  if (! (seen & GPR_SEEN_NAN || (seen & GPR_SEEN_ZERO && seen & (GPR_SEEN_POSINF | GPR_SEEN_NEGINF))))
    return true;
  settle_put (value, seen & GPR_SEEN_NA ? gpr_make_na () : gpr_make_nan ());
  return false;
}

/* p: of the first rows, where it is 0 or infinite, or of all.  */
template <class X, class A> static __device__ __forceinline__ void settle_done (const gpr_settle_args &a, i64 i, A p)
{
  A *value = (A *) a.value + i;
  const A y = *value;
  if (settle_whole<X> && y != y && (p - p != 0 || ! a.seen))
    {
      settle_put (value, p == 0 ? settle_open () : p - p == 0 ? (f64) p : gpr_make_nan ());
      if (p == 0)
        *a.left = 1;
      return;
    }
  const unsigned seen = y == y ? (y < 0 ? (unsigned) SETTLE_ODD : 0) : a.seen[i];
  const bool negative = seen & SETTLE_ODD;

  if (p == 0)
    p = seen & (GPR_SEEN_POSINF | GPR_SEEN_NEGINF) ? (A) gpr_make_nan () : negative ? -(A) 0 : (A) 0;
  else if (p - p != 0)
    p = seen & GPR_SEEN_ZERO || p != p ? (A) gpr_make_nan () : negative ? -(A) HUGE_VAL : (A) HUGE_VAL;
  *value = p;
}

/* It may have come to nothing final in its first rows.  */
template <class X, class A> static __device__ __forceinline__ void settle_leave (const gpr_settle_args &a, i64 i)
{
  A *value = (A *) a.value + i;
  if (settle_whole<X> && *value != *value)
    settle_put (value, settle_open ());
  *a.left = 1;
}

static __device__ __forceinline__ int settle_rows (const gpr_settle_args &a)
{
  return a.length < GPR_SETTLE_LIMIT ? (int) a.length : (int) GPR_SETTLE_LIMIT;
}
template <bool OMIT, class X> static __device__ __forceinline__ X settle_factor (X x) { return OMIT && x != x ? (X) 1 : x; }
template <class A> static __device__ __forceinline__ bool settle_ended (A p) { return ! (p > 0 || p < 0) || p - p != 0; }

/* A thread an output.  */
template <class X, class A, bool OMIT>
__global__ void __launch_bounds__ (GPR_SETTLE_THREADS) settle_k (const gpr_settle_args a)
{
  const int rows = settle_rows (a);
  for (i64 i = (i64) blockIdx.x * blockDim.x + threadIdx.x; i < a.outputs; i += (i64) gridDim.x * blockDim.x)
    {
      if (! settle_waits<X, A> (a, i))
        continue;
      const X *x = (const X *) a.x + settle_start (a, i);
      X next[SETTLE_EACH];
      A p = 1;
      factors_fetch<SETTLE_EACH> (x, a.inner, rows, next);
      for (int row = SETTLE_EACH; row < rows + SETTLE_EACH && ! settle_ended (p); row += SETTLE_EACH)
        {
          X own[SETTLE_EACH];
#pragma unroll
          for (int j = 0; j < SETTLE_EACH; j++)
            own[j] = next[j];
          factors_fetch<SETTLE_EACH> (x + row * a.inner, a.inner, rows - row, next);
#pragma unroll
          for (int j = 0; j < SETTLE_EACH; j++)
            p *= (A) settle_factor<OMIT> (own[j]);
        }
      if (rows < a.length && ! settle_ended (p))
        settle_leave<X, A> (a, i);
      else
        settle_done<X> (a, i, p);
    }
}

/* The leading bits of a number, which are in its order where it has no sign, and a number that begins with them.  */
static __device__ __forceinline__ unsigned settle_top (f64 x) { u64 bits; memcpy (&bits, &x, sizeof bits); return (unsigned) (bits >> 32); }
static __device__ __forceinline__ unsigned settle_top (f32 x) { unsigned bits; memcpy (&bits, &x, sizeof bits); return bits; }
static __device__ __forceinline__ void settle_of_top (f64 *x, unsigned top) { const u64 bits = (u64) top << 32; memcpy (x, &bits, sizeof bits); }
static __device__ __forceinline__ void settle_of_top (f32 *x, unsigned top) { memcpy (x, &top, sizeof top); }

/* Columns that a block works at, and some of their rows.  */
template <class X, class A> struct settle_room
{
  X tile[SETTLE_EACH * SETTLE_PITCH];           /* [row of a group][group][column] */
  A product[GPR_SETTLE_TILE_THREADS], least[GPR_SETTLE_TILE_THREADS], most[GPR_SETTLE_TILE_THREADS];   /* [group][column]; of products on the way */
  A run_product[SETTLE_RUNS << 2], run_least[SETTLE_RUNS << 2], run_most[SETTLE_RUNS << 2];            /* [run][column] */
  i64 start[32];                /* negative: the column has ended */
  unsigned going, found;        /* columns, as bits; outputs in list */
  int list[GPR_SETTLE_CHUNK];
};

/* Where inner is 1 all threads have rows of one column, and then of the next one: that of load J of each, and how many rows on it is.  */
template <int BITS> static __device__ __forceinline__ constexpr int settle_column (int j) { return j << BITS >> SETTLE_EACH_BITS; }
template <int BITS> static __device__ __forceinline__ constexpr int settle_more (int j)
{
  return (j - (settle_column<BITS> (j) << SETTLE_EACH_BITS >> BITS)) * GPR_SETTLE_TILE_THREADS;
}
template <int BITS, class X, class A>
static __device__ __forceinline__ void settle_load_side (const settle_room<X, A> &s, const X *x, int left, X *own)
{
#pragma unroll
  for (int j = 0; j < SETTLE_EACH; j++)
    {
      const i64 start = s.start[settle_column<BITS> (j)];
      own[j] = start >= 0 && settle_more<BITS> (j) < left ? x[start + settle_more<BITS> (j)] : (X) 1;
    }
}
template <int BITS, bool OMIT, class X>
static __device__ __forceinline__ void settle_store_side (X *tile, const X *own)
{
  const int t = threadIdx.x;
  X *to = tile + t % SETTLE_EACH * SETTLE_PITCH + (t / SETTLE_EACH << BITS);
#pragma unroll
  for (int j = 0; j < SETTLE_EACH; j++)
    to[(settle_more<BITS> (j) / SETTLE_EACH << BITS) + settle_column<BITS> (j)] = settle_factor<OMIT> (own[j]);
}

/* Rows from ROW on, of columns that are going: side by side in memory they go to lanes side by side.  */
template <class X, class A>
static __device__ __forceinline__ void settle_load (const gpr_settle_args &a, const settle_room<X, A> &s, int row, int rows, X *own)
{
  const int t = threadIdx.x;
  const X *x = (const X *) a.x;
  if (a.inner > 1)
    {
      const i64 start = s.start[t & ((1 << a.column_bits) - 1)];
      row += (t >> a.column_bits) * SETTLE_EACH;
      factors_fetch<SETTLE_EACH> (x + start + row * a.inner, a.inner, start < 0 ? 0 : rows - row, own);
      return;
    }
  x += row + t;
  const int left = rows - row - t;
  if (a.column_bits == 4)
    settle_load_side<4> (s, x, left, own);
  else if (a.column_bits == 2)
    settle_load_side<2> (s, x, left, own);
  else
    settle_load_side<0> (s, x, left, own);
}
template <bool OMIT, class X, class A>
static __device__ __forceinline__ void settle_store (const gpr_settle_args &a, settle_room<X, A> &s, const X *own)
{
  if (a.inner > 1)
#pragma unroll
    for (int j = 0; j < SETTLE_EACH; j++)
      s.tile[j * SETTLE_PITCH + threadIdx.x] = settle_factor<OMIT> (own[j]);
  else if (a.column_bits == 4)
    settle_store_side<4, OMIT> (s.tile, own);
  else if (a.column_bits == 2)
    settle_store_side<2, OMIT> (s.tile, own);
  else
    settle_store_side<0, OMIT> (s.tile, own);
}

template <class A> struct settle_range
{
  A small, large, rounded;
  __device__ __forceinline__ settle_range ()
    : small ((sizeof (A) == 8 ? (A) DBL_MIN : (A) FLT_MIN) * 16), large (1 / small),
      rounded (SETTLE_EACH * (sizeof (A) == 8 ? (A) DBL_EPSILON : (A) FLT_EPSILON) * 4) {}
};

/* Of the thread's rows, without signs.  */
template <class X, class A>
static __device__ __forceinline__ void settle_multiply (settle_room<X, A> &s)
{
  const settle_range<A> range;
  const int t = threadIdx.x;
  A product = 1, least, most;
  unsigned low = ~0u, high = 0;
#pragma unroll
  for (int j = 0; j < SETTLE_EACH; j++)
    {
      product *= fabs ((A) s.tile[j * SETTLE_PITCH + t]);
      const unsigned top = settle_top (product);
      low = top < low ? top : low;
      high = top > high ? top : high;
    }
  settle_of_top (&least, low);
  settle_of_top (&most, high);
  s.product[t] = product;
  s.most[t] = most;
  s.least[t] = least > range.small && most < range.large ? least : 0;          /* 0: bits may be lost; comparisons are false of NaN */
}

/* Of runs of EACH groups.  */
template <class X, class A>
static __device__ __forceinline__ void settle_join_runs (settle_room<X, A> &s, int bits, int each)
{
  const settle_range<A> range;
  const int t = threadIdx.x;
  A product = 1, least = 1, most = 1;
  if (t >= SETTLE_RUNS << bits)
    return;
  int at = ((t >> bits) * each << bits) + (t & ((1 << bits) - 1));
  for (int k = 0; k < each; k++, at += 1 << bits)
    {
      const A low = product * s.least[at], high = product * s.most[at];
      least = low < least ? low : least;
      most = high > most ? high : most;
      product *= s.product[at];
    }
  s.run_product[t] = product;
  s.run_least[t] = least > range.small && most < range.large ? least : 0;      /* as of a group */
  s.run_most[t] = most;
}

/* Columns until they are 0 or infinite: a leader each, of the first threads, to whom output I is MINE, goes through them.  In their order;
   LEAP: the product lies between low and high, without its sign, and groups of rows that cannot take it out of the range only move these apart
   by what may have been rounded.  Rows of others are multiplied in their order: rounding is monotonic, so the product stays between.  True:
   that does not decide it.  */
template <bool LEAP, bool OMIT, class X, class A>
static __device__ __forceinline__ bool settle_columns (const gpr_settle_args &a, settle_room<X, A> &s, i64 i, bool mine)
{
  const settle_range<A> range;
  const int t = threadIdx.x, groups = GPR_SETTLE_TILE_THREADS >> a.column_bits, rows = settle_rows (a), step = groups * SETTLE_EACH;
  const int run = groups / SETTLE_RUNS;         /* groups that are looked at together first; 0, 1: none */
  bool undecided = false;
  A low = 1, high = 1;
  X own[SETTLE_EACH];

  __syncthreads ();             /* all have seen that the last columns have ended */
  if (t < 32)
    {
      const unsigned going = __ballot_sync (0xFFFFFFFFu, mine);
      s.start[t] = mine ? settle_start (a, i) : -1;
      if (t == 0)
        s.going = going;
    }
  __syncthreads ();
  if (s.going == 0)
    return false;
  settle_load (a, s, 0, rows, own);
  for (int row = 0; s.going; row += step)
    {
      settle_store<OMIT> (a, s, own);
      if (t < 32 && ! mine && s.start[t] >= 0)
        s.start[t] = -1;
      __syncthreads ();
      settle_load (a, s, row + step, rows, own);        /* is on its way meanwhile */
      if (LEAP)
        {
          settle_multiply (s);
          __syncthreads ();
          if (run > 1)
            {
              settle_join_runs (s, a.column_bits, run);
              __syncthreads ();
            }
        }
      if (t < 32)
        {
          for (int group = 0; mine && group < groups && row + group * SETTLE_EACH < rows; group++)
            {
              const int at = (group << a.column_bits) + t;
              if (LEAP && run > 1 && group % run == 0)
                {
                  const int there = (group / run << a.column_bits) + t;
                  const A product = s.run_product[there], least = s.run_least[there], most = s.run_most[there];
                  if (low * least > range.small && high * most < range.large)
                    {
                      low *= product * (1 - run * range.rounded);
                      high *= product * (1 + run * range.rounded);
                      group += run - 1;
                      continue;
                    }
                }
              if (LEAP)
                {
                  const A product = s.product[at], least = s.least[at], most = s.most[at];
                  if (low * least > range.small && high * most < range.large)
                    {
                      low *= product * (1 - range.rounded);
                      high *= product * (1 + range.rounded);
                      continue;
                    }
                }
#pragma unroll
              for (int j = 0; j < SETTLE_EACH; j++)
                {
                  const A f = (A) s.tile[j * SETTLE_PITCH + at];
                  low *= LEAP ? fabs (f) : f;
                  if (LEAP)
                    high *= fabs (f);
                }
              undecided = LEAP && (low != low || high != high);
              const bool ended = settle_ended (low) && (! LEAP || low == high);
              mine = ! undecided && ! ended;
              if (ended)
                settle_done<X> (a, i, low);
            }
          if (mine && row + step >= rows)
            {
              mine = false;
              undecided = LEAP;
              if (! LEAP && rows < a.length)
                settle_leave<X, A> (a, i);
              else if (! LEAP)
                settle_done<X> (a, i, low);
            }
          const unsigned going = __ballot_sync (0xFFFFFFFFu, mine);
          if (t == 0)
            s.going = going;
        }
      __syncthreads ();
    }
  return undecided;
}

/* A block some outputs: of these, those that wait are taken together.  */
template <class X, class A, bool OMIT>
__global__ void __launch_bounds__ (GPR_SETTLE_TILE_THREADS, 6) settle_tile_k (const gpr_settle_args a)
{
  __shared__ settle_room<X, A> s;
  const int t = threadIdx.x, columns = 1 << a.column_bits;

  for (i64 first = (i64) blockIdx.x * a.chunk; first < a.outputs; first += (i64) gridDim.x * a.chunk)
    {
      if (t == 0)
        s.found = 0;
      __syncthreads ();
      for (int k = t; k - t < a.chunk; k += GPR_SETTLE_TILE_THREADS)
        {
          const bool waits = k < a.chunk && first + k < a.outputs && settle_waits<X, A> (a, first + k);
          const unsigned all = __ballot_sync (0xFFFFFFFFu, waits);
          unsigned place = 0;
          if (t % 32 == 0 && all)
            place = atomicAdd (&s.found, (unsigned) __popc (all));
          place = __shfl_sync (0xFFFFFFFFu, place, 0) + __popc (all & ((1u << t % 32) - 1));
          if (waits)
            s.list[place] = k;
        }
      __syncthreads ();
      const int found = (int) s.found;
      for (int k = 0; k < found; k += columns)
        {
          bool mine = t < columns && k + t < found;
          const i64 i = mine ? first + s.list[k + t] : 0;
          if (a.length >= GPR_SETTLE_LONG)
            mine = settle_columns<true, OMIT> (a, s, i, mine);
          settle_columns<false, OMIT> (a, s, i, mine);
        }
    }
}

#define SETTLE_CASE(id, X, A, OMIT) \
  case GPR_##id: \
    { \
      static const gpr_settle_kernels k = { \
        (const void *) settle_seen_k<X, A, OMIT>, (const void *) settle_k<X, A, OMIT>, (const void *) settle_tile_k<X, A, OMIT>, sizeof (A) }; \
      return &k; \
    }
#define SETTLE_INTEGER(X) SETTLE_CASE (prod_##X, X, f64, false)
extern "C" const gpr_settle_kernels *gpr_engine_settle (enum gpr_instance instance)
{
  switch ((int) instance)
    {
    SETTLE_CASE (prod_f64, f64, f64, false) SETTLE_CASE (prod_f32, f32, f32, false) SETTLE_CASE (prod_f32_f64, f32, f64, false)
    SETTLE_CASE (prodomit_f64, f64, f64, true) SETTLE_CASE (prodomit_f32, f32, f32, true) SETTLE_CASE (prodomit_f32_f64, f32, f64, true)
    SETTLE_INTEGER (i8) SETTLE_INTEGER (u8) SETTLE_INTEGER (i16) SETTLE_INTEGER (u16)
    SETTLE_INTEGER (i32) SETTLE_INTEGER (u32) SETTLE_INTEGER (i64) SETTLE_INTEGER (u64)
    default: return 0;
    }
}
