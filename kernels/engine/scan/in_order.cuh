/* Long columns in the built-in's order: one lane of a warp multiplies a column's rows, and all lanes bring them to
   shared memory, some stages ahead.  */

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

/* Whether a line of a product, after so many rows before, leaves the range by so much that it does in any order.  */
template <class F>
static __device__ __forceinline__ bool scan_has_lost (typename F::A v, const typename F::X *line, int rows, i64 before)
{
  bool lost = false, ended = false;

#pragma unroll
  for (int j = 0; j < GPR_SCAN_LINE; j++)
    if (j < rows && ! lost && ! ended)
      {
        const bool first = j == 0 && before == 0;
        const typename F::A was = v;
        v = first ? line[j] : F::plain (v, line[j]);
        lost = ! first && ! scan_ends<F>::ended (line[j]) && scan_ends<F>::clearly_lost (was, line[j], v, before + j);
        ended = scan_ends<F>::ended (v);
      }
  return lost;
}

/* A lane's column.  */
template <class F>
struct scan_column_done
{
  typename F::A v;
  i64 rows;
  int digits, still;            /* at most, so far; lines that have not changed a number that underflowed */
  bool going, lost, open;

  /* The next rows, at s, a step apart: plain operations, which are the built-in's but for what is strange.  ALL: as many as a
     line has.  */
  template <bool ALL>
  __device__ __forceinline__ bool line (const gpr_scan_args &a, typename F::X *s, int step, int count)
  {
    enum { LINE = GPR_SCAN_LINE };
    const bool begun = rows > 0;
    const typename F::A before = v;
    typename F::X x[LINE];
    bool unsure = false;

#pragma unroll
    for (int j = 0; j < LINE; j++)
      if (ALL || j < count)
        x[j] = s[j * step];
#pragma unroll
    for (int j = 0; j < LINE; j++)
      if (ALL || j < count)
        {
          s[j * step] = v = j > 0 || begun ? F::plain (v, x[j]) : x[j];
          unsure |= F::unsure (v);
        }
    if (F::strange (v))
      {
        v = before;
#pragma unroll
        for (int j = 0; j < LINE; j++)
          if (ALL || j < count)
            {
              if (j > 0 || begun)
                F::step (&v, x[j], 0);
              else
                v = x[j];
              s[j * step] = v;
            }
      }
    if constexpr (F::ENDS)
      if (a.round == 0 && unsure && ! lost)
        lost = scan_has_lost<F> (before, x, count, rows);
    return unsure;
  }
  __device__ __forceinline__ void go_on (const gpr_scan_args &a, typename F::X *s, int step)
  {
    const typename F::A before = v;
    const bool unsure = a.length - rows >= GPR_SCAN_LINE ? line<true> (a, s, step, GPR_SCAN_LINE) : line<false> (a, s, step, (int) (a.length - rows));
    rows += GPR_SCAN_LINE;
    if (rows >= a.length)
      {
        rows = a.length;
        going = false;
      }
    if constexpr (F::ENDS)
      {
        const int far = scan_digits (v);
        digits = far > digits ? far : digits;
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

template <class F>
__global__ void __launch_bounds__ (32) scan_in_order_k (const gpr_scan_args a)
{
  typedef typename F::X X;
  enum { STAGES = GPR_SCAN_STAGES_OF (sizeof (X)), LINE = GPR_SCAN_LINE };
  X *s = (X *) gpr_scan_shared;

  for (i64 first = (i64) blockIdx.x * a.lanes; first < a.inner * a.outer; first += (i64) gridDim.x * a.lanes)
    {
      const scan_stages w (a, first);
      const i64 columns = a.inner * a.outer;
      const int lane = threadIdx.x, those = columns < a.lanes ? (int) columns : a.lanes;
      const int sample = GPR_SCAN_SAMPLE / those > GPR_SCAN_LEAST_SAMPLE ? GPR_SCAN_SAMPLE / those : (int) GPR_SCAN_LEAST_SAMPLE;
      const i64 i = first + lane, stages = (a.length + w.rows - 1) / w.rows;
      const bool there = lane < a.lanes && i < columns && (a.round == 0 || a.doubt[i / a.inner] == a.round);
      scan_column_done<F> own = {};
      i64 brought = 0;

      own.going = there;
      for (i64 k = 0; ; k++)
        {
          const unsigned live = __ballot_sync (0xFFFFFFFFu, own.going);
          if (! live)
            break;
          const bool waits = k == 0 && a.round == 0 && w.rows == sample;  /* whether it is worth it, before more is read */
          for (const i64 ahead = waits ? 1 : k + STAGES; brought < ahead; brought++)
            {
              if (brought < stages)
                scan_bring (a, w, brought, live, s + brought % STAGES * GPR_SCAN_PITCH);
              scan_committed ();
            }
          if (waits)
            scan_arrived<0> ();
          else
            scan_arrived<STAGES - 1> ();
          __syncwarp ();
          X *stage = s + k % STAGES * GPR_SCAN_PITCH;
          for (int r = 0; r < w.rows && __any_sync (0xFFFFFFFFu, own.going); r += LINE)
            {
              if (own.going)
                own.go_on (a, stage + w.place (lane) + r * w.step (), w.step ());
              const i64 rows = k * w.rows + r + LINE;
              if (a.round == 0 && rows >= sample && (rows >= a.limit || (rows & (rows - 1)) == 0)
                  && ! __any_sync (0xFFFFFFFFu, own.going && scan_is_worth_it<F> (a, rows, those, own.digits)) && own.going)
                {
                  own.open = true;
                  own.going = false;
                }
            }
          __syncwarp ();
          scan_take_away (a, w, k, own.open ? 0 : own.rows, stage);
          __syncwarp ();
        }
      scan_note (a, i, there, own);
      scan_arrived<0> ();
      __syncwarp ();
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
