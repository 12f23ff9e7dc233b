/* Long columns in the built-in's order: a lane of a block's first warp multiplies a column's rows, and the other warps bring
   them to shared memory, some stages ahead, and take away what is done.  */

#ifndef GPR_SCAN_IN_ORDER_CUH
#define GPR_SCAN_IN_ORDER_CUH

#include "stages.cuh"

enum { GPR_SCAN_LINE = 32,      /* rows that a lane has in registers */
       GPR_SCAN_RESTS = 3 };    /* lines after which a product rests: random ones seldom stay for so long */

/* Binary digits of its size: how far a product is from 1.  */
static __device__ __forceinline__ int scan_digits (f64 v)
{
  u64 bits;
  memcpy (&bits, &v, sizeof bits);
  const int e = (int) (bits >> 52 & 2047) - 1023;
  return e < 0 ? -1 - e : e;
}
static __device__ __forceinline__ int scan_digits (f32 v)
{
  unsigned bits;
  memcpy (&bits, &v, sizeof bits);
  const int e = (int) (bits >> 23 & 255) - 127;
  return e < 0 ? -1 - e : e;
}

/* Greater than that of all others, scan_odd at least, where a product is unsure: 0, not finite, or has lost digits.  So the
   greatest of a line tells it of all.  */
static __device__ __forceinline__ unsigned scan_oddness (f64 v)
{
  u64 bits;
  memcpy (&bits, &v, sizeof bits);
  return (unsigned) (bits >> 31) - (1u << 21);
}
static __device__ __forceinline__ unsigned scan_oddness (f32 v)
{
  unsigned bits;
  memcpy (&bits, &v, sizeof bits);
  return bits * 2 - (1u << 24);
}
template <class X>
static __device__ __forceinline__ constexpr unsigned scan_odd (void) { return sizeof (X) == 8 ? 2046u << 21 : 254u << 24; }

/* Whether a line of the warp's column c, of whose results one is unsure, leaves the range by so much that it does in any order.  v: what
   has gone before it, of so many rows.  By the warp, a row each; s: the results.  */
template <class F>
static __device__ __forceinline__ bool scan_has_lost (const gpr_scan_args &a, const scan_stages &w, int c, typename F::A v, i64 rows, const typename F::X *s)
{
  typedef typename F::A A;
  const int j = threadIdx.x;
  const bool there = rows + j < a.length;
  const A r = there ? s[w.place (0, j)] : v, was = __shfl_up_sync (0xFFFFFFFFu, r, 1);
  const bool ended = there && scan_ends<F>::ended (r);
  const unsigned ends = __ballot_sync (0xFFFFFFFFu, ended);
  /* Of what has not ended, the factor does not matter.  */
  const unsigned lost = __ballot_sync (0xFFFFFFFFu, there && ! ended && rows + j > 0 && scan_ends<F>::clearly_lost (r, r, r, 0));
  const int end = __ffs (ends) - 1;

  if (! ends || lost & ((1u << end) - 1))
    return lost != 0;
  const typename F::X x = ((const typename F::X *) a.x)[scan_element (a, w, c, rows + end)];
  const A last = __shfl_sync (0xFFFFFFFFu, r, end), before = __shfl_sync (0xFFFFFFFFu, j > 0 ? was : v, end);
  return rows + end > 0 && ! scan_ends<F>::ended (x) && scan_ends<F>::clearly_lost (before, x, last, rows + end);
}

/* A lane's column.  */
template <class F>
struct scan_column_done
{
  typename F::A v;
  i64 rows;
  int digits, still;            /* at most, so far; lines that have not changed a number that underflowed */
  bool going, lost, open;

  /* The next rows, at s, STEP apart, as many as a line has: plain operations, which are the built-in's but for what is strange.  */
  template <int STEP>
  __device__ __forceinline__ bool line (typename F::X *s)
  {
    typedef typename F::X X;
    enum { LINE = GPR_SCAN_LINE, BATCH = sizeof (X) == 16 ? 8 : LINE };         /* in registers */
    const bool begun = rows > 0;
    unsigned odd = 0;

#pragma unroll
    for (int from = 0; from < LINE; from += BATCH, s += BATCH * STEP)
      {
        const typename F::A before = v;
        X x[BATCH];

#pragma unroll
        for (int j = 0; j < BATCH; j++)
          x[j] = s[j * STEP];
#pragma unroll
        for (int j = 0; j < BATCH; j++)
          {
            s[j * STEP] = v = from + j > 0 || begun ? F::plain (v, x[j]) : x[j];
            if constexpr (F::ENDS && F::EACH)
              {
                const unsigned own = scan_oddness (v);
                odd = own > odd ? own : odd;
              }
          }
        if (F::strange (v))
          {
            v = before;
#pragma unroll
            for (int j = 0; j < BATCH; j++)
              {
                if (from + j > 0 || begun)
                  F::step (&v, x[j], 0);
                else
                  v = x[j];
                s[j * STEP] = v;
              }
          }
      }
    if constexpr (F::ENDS && F::EACH)
      return odd >= scan_odd<X> ();
    return F::unsure (v);
  }
  /* The last rows, which are no whole line.  */
  __device__ __forceinline__ bool rest (typename F::X *s, int step, int count)
  {
    bool unsure = false;
#pragma unroll 1
    for (int j = 0; j < count; j++, s += step)
      {
        if (j > 0 || rows > 0)
          F::step (&v, *s, 0);
        else
          v = *s;
        *s = v;
        unsure |= F::unsure (v);
      }
    return unsure;
  }
  /* Returns whether a result is unsure.  last: there are no more rows.  */
  template <int STEP>
  __device__ __forceinline__ bool go_on (const gpr_scan_args &a, typename F::X *s, bool last)
  {
    const i64 left = a.length - rows;
    const bool unsure = last && left < GPR_SCAN_LINE ? rest (s, STEP, (int) left) : line<STEP> (s);
    rows = last ? a.length : rows + GPR_SCAN_LINE;
    if constexpr (F::ENDS)
      {
        const int far = scan_digits (v);
        digits = far > digits ? far : digits;
      }
    return unsure;
  }
  /* After that, whether it goes on.  before: what it was.  */
  __device__ __forceinline__ void end (const gpr_scan_args &a, typename F::A before, bool unsure, bool last)
  {
    if (last)
      going = false;
    if constexpr (F::ENDS)
      {
        still = unsure && (v == before || v == -before) ? still + 1 : 0;
        if (! a.whole && (scan_ends<F>::ended (v) || (a.rests && still == GPR_SCAN_RESTS)))
          going = false;
      }
  }
};

/* Whether the columns of a warp, one of which is so far from 1, seem to leave the range soon enough: else the tiles do them better.  Of few
   elements that is taken less strictly.  */
template <class F>
static __device__ __forceinline__ bool scan_is_worth_it (const gpr_scan_args &a, i64 rows, int columns, int digits)
{
  if constexpr (F::ENDS)
    {
      const i64 most = a.limit < a.length ? a.limit : a.length, seen = rows * columns;
      return rows < a.limit && a.patience * digits * most * (seen + 2 * GPR_SCAN_SAMPLE) >= 4 * scan_ends<F>::RANGE * rows * seen;
    }
  return true;
}

/* What is known of the columns then.  */
template <class F>
static __device__ __forceinline__ void scan_note (const gpr_scan_args &a, i64 i, bool there, const scan_column_done<F> &own)
{
  const unsigned all = __ballot_sync (0xFFFFFFFFu, there && ! own.open && own.rows == a.length);

  if (! a.heads)
    return;
  if (threadIdx.x == 0 && all)
    atomicAdd (&a.settled[0], (unsigned) __popc (all));
  if (! there)
    return;
  const unsigned found = (own.lost || a.round > 0 ? GPR_SCAN_LOST : 0) | (own.open ? GPR_SCAN_OPEN : 0);
  unsigned *head = &a.heads[i / a.inner];
  gpr_scan_end end = { own.rows, 0 };
  if constexpr (F::ENDS)
    memcpy (&end.all, &own.v, sizeof own.v);
  a.ends[i] = end;
  if ((*(volatile unsigned *) head & found) != found && ! (atomicOr (head, found) & GPR_SCAN_LOST) && found & GPR_SCAN_LOST)
    atomicAdd (&a.settled[1], 1u);
}

/* The first warp's work at stage k, of which it says what is done.  Most lines ask for nothing but one vote: what else there is to look at takes as
   long as a line does.  */
template <class F, int STEP>
static __device__ __forceinline__ void
scan_multiply (const gpr_scan_args &a, const scan_stages &w, i64 k, typename F::X *stage, scan_column_done<F> &own)
{
  enum { LINE = GPR_SCAN_LINE };
  const i64 columns = a.inner * a.outer, left = a.length - k * w.rows;
  const int lane = threadIdx.x, those = columns < a.lanes ? (int) columns : a.lanes, end = left < w.rows ? (int) left : w.rows;
  const int sample = GPR_SCAN_SAMPLE / those > GPR_SCAN_LEAST_SAMPLE ? GPR_SCAN_SAMPLE / those : (int) GPR_SCAN_LEAST_SAMPLE;
  typename F::X *s = stage + w.place (lane, 0);

#pragma unroll 1
  for (int r = 0; r < end; r += LINE, s += LINE * STEP)
    {
      const i64 rows = k * w.rows + r, then = rows + LINE;
      const typename F::A before = own.v;
      const bool last = then >= a.length, seems = a.round == 0 && then >= sample && (then >= a.limit || (then & (then - 1)) == 0);
      const bool unsure = own.going && own.template go_on<STEP> (a, s, last);
      if (! (last | seems) && ! (F::ENDS && __any_sync (0xFFFFFFFFu, unsure)))
        {
          own.still = 0;
          continue;
        }
      if (own.going)
        own.end (a, before, unsure, last);
      if constexpr (F::ENDS)
        for (unsigned asked = __ballot_sync (0xFFFFFFFFu, a.round == 0 && unsure && ! own.lost); asked; asked &= asked - 1)
          {
            const int c = __ffs (asked) - 1;
            __syncwarp ();      /* others read its line */
            const bool lost = scan_has_lost<F> (a, w, c, __shfl_sync (0xFFFFFFFFu, before, c), rows, stage + w.place (c, r));
            if (lane == c)
              own.lost = lost;
          }
      if (seems && ! __any_sync (0xFFFFFFFFu, own.going && scan_is_worth_it<F> (a, then, those, own.digits)) && own.going)
        {
          own.open = true;
          own.going = false;
        }
      if (! __any_sync (0xFFFFFFFFu, own.going))
        break;
    }
}

/* Stage k, and what is said of it.  */
template <class F>
static __device__ __forceinline__ void
scan_judge (const gpr_scan_args &a, const scan_stages &w, i64 k, typename F::X *stage, scan_column_done<F> &own, gpr_scan_verdict *verdict)
{
  const i64 begun = own.rows;
  if (w.apart)
    scan_multiply<F, 32> (a, w, k, stage, own);
  else
    scan_multiply<F, 1> (a, w, k, stage, own);
  const unsigned live = __ballot_sync (0xFFFFFFFFu, own.going);
  verdict->done[threadIdx.x] = own.open ? 0 : (int) (own.rows - begun);
  if (threadIdx.x == 0)
    verdict->live = live;
}

/* Columns live, as bits, of a block: the first warp multiplies, the others bring stages and take them away.  All come to the same barriers.
   waits: until it is known of the first stage whether it is worth it, no more is read.  */
template <class F>
static __device__ __forceinline__ void
scan_columns_in_order (const gpr_scan_args &a, const scan_stages &w, unsigned live, bool waits, typename F::X *s, gpr_scan_verdict *verdicts)
{
  typedef typename F::X X;
  enum { STAGES = GPR_SCAN_STAGES_OF (sizeof (X)) };
  const int lane = threadIdx.x % 32;
  const bool multiplies = threadIdx.x < 32, there = live >> lane & 1;
  scan_column_done<F> own = {};
  scan_carrier<X> carrier (a, w, s);

  own.going = there;
  if (! multiplies)
    {
      carrier.bring (w, live);
      if (! waits)
#pragma unroll 1
        for (int j = 1; j < STAGES; j++)
          carrier.bring (w, live);
      if (waits)
        scan_arrived<0> ();
      else
        scan_arrived<STAGES - 1> ();
    }
  __syncthreads ();
  for (i64 k = 0; ; k++)
    {
      const bool alone = waits && k == 0;
      gpr_scan_verdict *verdict = &verdicts[k & 1];
      if (multiplies)
        scan_judge<F> (a, w, k, s + k % STAGES * GPR_SCAN_PITCH, own, verdict);
      else if (! alone)
        scan_arrived<STAGES - 2> ();
      __syncthreads ();         /* a stage is multiplied, the next one has come */
      live = verdict->live;
      if (! multiplies)
        carrier.take_away (w, verdict->done);
      if (! live)
        break;
      if (! multiplies)
        {
          carrier.bring (w, live);
          if (alone)
#pragma unroll 1
            for (int j = 1; j < STAGES; j++)
              carrier.bring (w, live);
          if (alone)
            scan_arrived<STAGES - 1> ();
        }
      if (alone)
        __syncthreads ();
    }
  if (multiplies)
    scan_note (a, w.first + lane, there, own);
  else
    scan_arrived<0> ();
}

template <class F>
__global__ void __launch_bounds__ (GPR_SCAN_IN_ORDER_THREADS, sizeof (typename F::X) == 4 ? 4 : 2) scan_in_order_k (const gpr_scan_args a)
{
  typedef typename F::X X;
  X *s = (X *) gpr_scan_shared;
  gpr_scan_verdict *verdicts = (gpr_scan_verdict *) (s + GPR_SCAN_STAGES_OF (sizeof (X)) * GPR_SCAN_PITCH);
  const i64 columns = a.inner * a.outer;

  for (i64 first = (i64) blockIdx.x * a.lanes; first < columns; first += (i64) gridDim.x * a.lanes)
    {
      const int lane = threadIdx.x % 32;
      const i64 i = first + lane;
      const unsigned live = __ballot_sync (0xFFFFFFFFu, lane < a.lanes && i < columns && (a.round == 0 || a.doubt[i / a.inner] == a.round));
      if (live)
        scan_columns_in_order<F> (a, scan_stages (a, first), live, a.round == 0, s, verdicts);
    }
}

/* Of sums and products alone.  */
template <class F, bool SUMS = F::SUMS>
struct scan_in_order
{
  static const void *kernel () { return (const void *) scan_in_order_k<F>; }
};
template <class F>
struct scan_in_order<F, false>
{
  static const void *kernel () { return NULL; }
};

#endif
