/* A block takes a tile, which it reads and writes once.  */

#ifndef GPR_SCAN_TILES_CUH
#define GPR_SCAN_TILES_CUH

#include "signs.cuh"

enum { GPR_SCAN_BLOCKS = 4 };     /* of a multiprocessor */

/* Replaces n totals, a stride apart, by what is before each; returns all of them.  */
template <class F>
static __device__ __forceinline__ typename F::A scan_fold (typename F::A *at, int n, int stride)
{
  enum { BATCH = 5 };
  typename F::A all = *at;
  GPR_SCAN_ROLLED
  for (int from = 1; from < n; from += BATCH)
    {
      typename F::A own[BATCH];
#pragma unroll
      for (int j = 0; j < BATCH; j++)
        if (from + j < n)
          own[j] = at[(from + j) * stride];
#pragma unroll
      for (int j = 0; j < BATCH; j++)
        if (from + j < n)
          {
            at[(from + j) * stride] = all;
            all = F::plain (all, own[j]);
          }
    }
  return all;
}

/* The same of group g of outer k and column c, with what NaN asks for.  The segments' totals are in their last
   rows.  */
template <class F>
static __device__ __noinline__ typename F::A scan_fold_surely (scan_tile<F> &p, int k, int g, int c)
{
  const int first = g * GPR_SCAN_FOLD;
  typename F::A all;
  GPR_SCAN_ROLLED
  for (int s = first; s < first + GPR_SCAN_FOLD && s < p.segments; s++)
    {
      const int last = (s + 1) * F::STEPS < p.rows ? (s + 1) * F::STEPS - 1 : p.rows - 1, e = (k * p.rows + last) * p.columns + c;
      const typename F::A own = F::unpack (p.s[e], F::ROWS ? p.at[e] : 0, p.from + s * F::STEPS);
      p.totals[(k * p.segments + s) * p.columns + c] = all;
      if (s == first)
        all = own;
      else
        F::merge (&all, own);
    }
  return all;
}

/* From the segments' totals to what goes before each segment in its tile.  By a warp.  */
template <class F>
static __device__ __forceinline__ void scan_tops (scan_tile<F> &p)
{
  const int columns = p.columns, groups = p.groups, segments = p.segments;

  GPR_SCAN_ROLLED
  for (int l = threadIdx.x; l < p.outers * groups * columns; l += 32)
    {
      const int c = l % columns, g = l / columns % groups, k = l / columns / groups, s = g * GPR_SCAN_FOLD;
      if (c >= p.valid)
        continue;
      typename F::A all = scan_fold<F> (p.totals + (k * segments + s) * columns + c,
                                        segments - s < GPR_SCAN_FOLD ? segments - s : (int) GPR_SCAN_FOLD, columns);
      if (F::strange (all))
        all = scan_fold_surely (p, k, g, c);
      p.of_groups[l] = all;
    }
  __syncwarp ();
  GPR_SCAN_ROLLED
  for (int l = threadIdx.x; l < p.outers * columns; l += 32)
    {
      const int c = l % columns, k = l / columns;
      if (c >= p.valid)
        continue;
      typename F::A *at = p.of_groups + k * groups * columns + c, all = scan_fold<F> (at, groups, columns);
      if (F::strange (all))
        GPR_SCAN_ROLLED
        for (int g = 0; g < groups; g++)
          {
            const typename F::A own = scan_fold_surely (p, k, g, c);
            at[g * columns] = all;
            if (g == 0)
              all = own;
            else
              F::merge (&all, own);
          }
      if (k == p.outers - 1)    /* of several: no other tile asks */
        p.own[c] = all;
    }
}

#ifndef GPR_SCAN_NOTES_SIGNS    /* tests count */
#define GPR_SCAN_NOTES_SIGNS(turns)
#endif
#ifndef GPR_SCAN_IS_LATE        /* tests have tiles whose sum up to them nobody learns */
#define GPR_SCAN_IS_LATE(t) 0
#endif

/* What goes before the tile, and what others must know of it.  */
template <class L, class F>
static __device__ __forceinline__ void scan_join (const gpr_scan_args &a, scan_tile<F> &p)
{
  typedef typename F::A A;
  enum { WORDS = (sizeof (A) + 3) / 4 };
  const int c = threadIdx.x;
  const i64 next = a.inner * WORDS;
  unsigned long long *states = a.states + (p.outer * a.tiles * a.inner + p.column) * WORDS;

  if (a.stage == GPR_SCAN_KNOWN)
    {
      if (p.late && c < p.valid)
        scan_look (states + p.t * next + c * WORDS, &p.before[c]);
      return;
    }
  if (c < p.valid)
    scan_publish (states + p.t * next + c * WORDS, p.own[c], p.t ? GPR_SCAN_TOTAL : GPR_SCAN_UP_TO);
  if (p.t == 0 || a.stage == GPR_SCAN_TOTALS)
    return;
  scan_look_back<F> (p, states, next);
  if (c == 0 && p.outers == 1 && p.round == 0)
    p.in_doubt = *(volatile int *) L::doubt (a, p.outer) != 0;
  if (c < p.valid && p.t + 1 < a.tiles && ! GPR_SCAN_IS_LATE (p.t))
    {
      A all = p.before[c];
      F::merge (&all, p.own[c]);
      scan_publish (states + p.t * next + c * WORDS, all, GPR_SCAN_UP_TO);
    }
}

/* An outer is to be done again.  any is on the host: written once, or products that leave the range everywhere would wait for the bus.  */
static __device__ __forceinline__ void scan_doubts (int round, int *any, int *doubt)
{
  if (*doubt != round + 1)
    *any = *doubt = round + 1;
}

/* What an element of a column is to its tile: of rows that IN_ORDER has done nothing, after them what it does to what they have ended with.  */
template <class F>
static __device__ __forceinline__ typename F::X
scan_part (const gpr_scan_args &a, const scan_tile<F> &p, int k, int c, int row, typename F::X x)
{
  if constexpr (F::ENDS)
    if (p.settled)
      {
        const int column = k * p.columns + c, done = p.done[column];
        if (done < 0)
          return x;
        if (row < done)
          return (typename F::X) scan_ends<F>::NEUTRAL;
        x = scan_ends<F>::rest (p.ended[column], x);
        if (scan_ends<F>::NEUTRAL && x == 0)
          scan_doubts (p.round, a.any, &a.doubt[p.outer + k]);
      }
  return x;
}

/* The same of all elements: by each thread those that it has read.  */
template <class F>
static __device__ __forceinline__ void scan_parts (const gpr_scan_args &a, scan_tile<F> &p)
{
  scan_cell at (p.columns);
  for (int e = threadIdx.x; e < p.outers * p.rows * p.columns; e += GPR_SCAN_THREADS, at.next ())
    if (at.c < p.valid)
      {
        const int k = p.outers == 1 ? 0 : at.row / p.rows;
        p.s[e] = scan_part (a, p, k, at.c, at.row - k * p.rows, p.s[e]);
      }
}

/* Some rows of a segment, for itself, by batches: LINE: all of a segment of a single column.  */
template <class F, bool LINE>
static __device__ __forceinline__ int scan_chain (scan_tile<F> &p, int place, int columns, int rows, i64 from, u64 turn, typename F::A *v)
{
  enum { BATCH = 4 };
  int unsure = 0;

  GPR_SCAN_UNROLLED
  for (int first = 0; first < F::STEPS; first += BATCH)
    {
      typename F::X batch[BATCH];
#pragma unroll
      for (int r = first; r < first + BATCH && r < F::STEPS; r++)
        if (LINE || r < rows)
          batch[r - first] = F::turned (p.s[place + r * (LINE ? 1 : columns)], turn);
#pragma unroll
      for (int r = first; r < first + BATCH && r < F::STEPS; r++)
        if (LINE || r < rows)
          {
            if (r == 0)
              F::first (v, batch[0], from);
            else
              F::next (v, batch[r - first], from + r);
            if (F::EACH)
              unsure |= F::unsure (*v);
            const short row = F::pack (*v, from, &p.s[place + r * (LINE ? 1 : columns)]);
            if (F::ROWS)
              p.at[place + r * (LINE ? 1 : columns)] = row;
          }
    }
  return unsure | F::unsure (*v);
}

/* A thread's segment, for itself.  */
template <class L, class F>
static __device__ __forceinline__ void scan_segment (const gpr_scan_args &a, scan_tile<F> &p)
{
  const int columns = p.columns, tid = threadIdx.x;
  const int c = columns == 1 ? 0 : tid % columns, all = columns == 1 ? tid : tid / columns;
  const int k = p.outers == 1 ? 0 : all / p.segments, s = all - k * p.segments, left = p.rows - s * F::STEPS;
  const int place = (k * p.rows + s * F::STEPS) * columns + c;
  const i64 from = p.from + s * F::STEPS;
  typename F::A v;

  if (left <= 0 || k >= p.outers || c >= p.valid)
    return;
  if (GPR_SCAN_LINES && columns == 1 && left >= F::STEPS ? scan_chain<F, true> (p, place, 1, F::STEPS, from, a.turn, &v)
      : scan_chain<F, false> (p, place, columns, left, from, a.turn, &v))
    {
      const i64 stride = a.inner, first = p.base + (k * a.length + s * F::STEPS) * stride + c;
      GPR_SCAN_ROLLED
      for (int r = 0; r < F::STEPS && r < left; r++)
        {
          const typename F::X own = scan_part (a, p, k, c, s * F::STEPS + r, L::at (a, first + r * stride));
          if (r == 0)
            F::first (&v, own, from);
          else if (F::step (&v, own, from + r) && p.round == 0)
            scan_doubts (0, a.any, L::doubt (a, p.outer + k));
          F::pack (v, from, &p.s[place + r * columns]);
        }
    }
  p.totals[threadIdx.x] = v;
}

/* The same, with what NaN asks for.  */
template <class F>
static __device__ GPR_SCAN_SELDOM typename F::A
scan_surely_after (const scan_tile<F> &p, bool in_group, int s, bool in_tile, int g, bool late, const typename F::A &earlier, typename F::A z, int *any, int *doubt)
{
  const typename F::A before[] = { p.totals[s], p.of_groups[g], earlier };
  const bool is[] = { in_group, in_tile, late };
#pragma unroll
  for (int i = 0; i < 3; i++)
    if (is[i])
      {
        typename F::A b = before[i];
        if (F::merge (&b, z) && p.round == 0)
          scan_doubts (0, any, doubt);
        z = b;
      }
  return z;
}

/* What goes before an element of segment s, and of group g, of the tile.  */
template <class F>
static __device__ __forceinline__ typename F::A
scan_after (const scan_tile<F> &p, bool in_group, int s, bool in_tile, int g, bool late, const typename F::A &earlier, typename F::A z, int *any, int *doubt)
{
  typedef typename F::A A;
  A all = z;
  int unsure = 0;

  if (in_group)
    {
      all = F::plain (p.totals[s], all);
      if (F::EACH)
        unsure |= F::unsure (all);
    }
  if (in_tile)
    {
      all = F::plain (p.of_groups[g], all);
      if (F::EACH)
        unsure |= F::unsure (all);
    }
  if (late)
    all = F::plain (earlier, all);
  if (! (unsure || F::unsure (all)))
    return all;
  return scan_surely_after (p, in_group, s, in_tile, g, late, earlier, z, any, doubt);
}

/* A result goes to its place.  first: the column's first element; column, row: in the tile.  */
template <class L, class F>
static __device__ __forceinline__ void
scan_put (const gpr_scan_args &a, const scan_tile<F> &p, int column, int row, typename F::A all, i64 first, i64 to)
{
  if constexpr (F::ENDS)
    if (p.settled && (p.round > 0 || p.done[column] >= 0))
      {
        if (p.done[column] < 0 || row < p.done[column])
          return;
        all = scan_ends<F>::after (p.ended[column], all);
      }
  L::put (a, all, first, (typename F::X *) a.y + to);
  if (F::ROWS && a.index)
    a.index[to] = (double) (F::row (all) + 1);
}

/* A tile of a single column.  */
template <class L, class F>
static __device__ __forceinline__ void scan_write_column (const gpr_scan_args &a, const scan_tile<F> &p)
{
  const int rows = p.rows;
  const bool late = p.late;
  const typename F::A earlier = p.before[0];
  const i64 first = p.outer * a.length, base = p.base, from = p.from;
  int *doubt = L::doubt (a, p.outer);

#pragma unroll GPR_SCAN_WRITES
  for (int e = threadIdx.x; e < rows; e += GPR_SCAN_THREADS)
    {
      const unsigned s = (unsigned) e / F::STEPS, g = s / GPR_SCAN_FOLD;
      const typename F::A z = F::unpack (p.s[e], F::ROWS ? p.at[e] : 0, from + s * F::STEPS);
      scan_put<L> (a, p, 0, e, scan_after<F> (p, s % GPR_SCAN_FOLD, s, g, g, late, earlier, z, a.any, doubt), first, base + e);
    }
}

template <class L, class F>
static __device__ __forceinline__ void scan_write (const gpr_scan_args &a, const scan_tile<F> &p)
{
  const int columns = p.columns, outers = p.outers, rows = p.rows, count = outers * rows * columns, valid = p.valid;
  const bool whole = columns == a.inner, late = p.late;
  const i64 base = p.base, from = p.from;
  scan_cell at (columns);

#pragma unroll GPR_SCAN_WRITES_APART
  for (int e = threadIdx.x; e < count; e += GPR_SCAN_THREADS, at.next ())
    if (at.c < valid)
      {
        const int k = outers == 1 ? 0 : at.row / rows, row = at.row - k * rows;
        const unsigned s = (unsigned) row / F::STEPS, g = s / GPR_SCAN_FOLD;
        const typename F::A z = F::unpack (p.s[e], F::ROWS ? p.at[e] : 0, from + s * F::STEPS);
        scan_put<L> (a, p, k * columns + at.c, row,
                     scan_after<F> (p, s % GPR_SCAN_FOLD, (k * p.segments + s) * columns + at.c, g, (k * p.groups + g) * columns + at.c,
                                    late, p.before[at.c], z, a.any, L::doubt (a, p.outer + k)),
                     (p.outer + k) * a.length * a.inner + p.column + at.c, base + (whole ? e : at.row * a.inner + at.c));
      }
}

/* The tile is left out, and others need not wait for it.  */
template <class F>
static __device__ __forceinline__ void scan_leave (const gpr_scan_args &a, const scan_tile<F> &p, const typename F::A &all)
{
  enum { WORDS = (sizeof (typename F::A) + 3) / 4 };
  if (p.t + 1 < a.tiles && (int) threadIdx.x < p.valid)
    scan_publish (a.states + ((p.outer * a.tiles + p.t) * a.inner + p.column + threadIdx.x) * WORDS, all, GPR_SCAN_UP_TO);
}

/* What IN_ORDER has done of the tile.  False: there is nothing to do, but for tiles of settled columns after it to learn that.  */
template <class F>
static __device__ __forceinline__ bool scan_is_open (const gpr_scan_args &a, scan_tile<F> &p)
{
  const int tid = threadIdx.x, k = tid / p.columns, c = tid % p.columns;
  bool settled = false, open = false;

  if (p.outers == 1 && p.round == 0 && a.heads[p.outer] == 0)
    return true;
  if constexpr (F::ENDS)
    if (k < p.outers && c < p.valid)
      {
        const unsigned head = a.heads[p.outer + k];
        settled = head == GPR_SCAN_LOST;
        open = ! settled && p.round == 0 && ! (head & GPR_SCAN_LOST);
        if (head == (GPR_SCAN_LOST | GPR_SCAN_OPEN))
          scan_doubts (p.round, a.any, &a.doubt[p.outer + k]);
        p.done[tid] = -1;
        if (settled)
          {
            const gpr_scan_end end = a.ends[(p.outer + k) * a.inner + p.column + c];
            const i64 done = end.rows - p.from;
            memcpy (&p.ended[tid], &end.all, sizeof p.ended[tid]);
            p.done[tid] = (int) (done < 0 ? 0 : done < p.rows ? done : p.rows);
            open = p.done[tid] < p.rows;
          }
      }
  const bool others = scan_may_turn<F> () && __syncthreads_or (! settled && k < p.outers && c < p.valid);
  settled = __syncthreads_or (settled);
  open = __syncthreads_or (open);
  if (tid == 0)
    {
      p.settled = settled;
      p.turns = ! others;
      p.skip = settled && p.outers == 1 ? p.rows : 0;
    }
  __syncthreads ();
  if constexpr (F::ENDS)
    if (p.skip && tid < p.valid)
      atomicMin (&p.skip, p.done[tid]);
  if constexpr (F::ENDS)
    if (! open && settled)
      scan_leave (a, p, (typename F::A) scan_ends<F>::NEUTRAL);
  __syncthreads ();
  return open;
}

template <class L>
static __device__ __forceinline__ void scan_tiles (const gpr_scan_args &a)
{
  typedef typename L::F F;
  scan_tile<F> &p = *(scan_tile<F> *) gpr_scan_shared;

  if (F::ENDS && a.heads && a.settled[0] == a.inner * a.outer && a.settled[1] == a.outer)
    return;
  for (;;)
    {
      if (threadIdx.x == 0)
        {
          p.take (a, atomicAdd (a.ticket, 1u));
          if (L::gives_up)
            p.in_doubt = *(volatile int *) L::doubt (a, 0) != 0;
        }
      __syncthreads ();
      if (p.ticket >= a.works)
        return;
      if (L::gives_up && p.in_doubt)
        {
          scan_leave (a, p, typename F::A ());
          __syncthreads ();
          continue;
        }
      if (F::ENDS && a.heads && ! scan_is_open (a, p))
        continue;
      L::read (a, p);
      bool turns = false;
      if constexpr (scan_may_turn<F> ())
        if (p.turns)
          {
            __syncthreads ();
            turns = scan_signs (p);
            GPR_SCAN_NOTES_SIGNS (turns);
          }
      if constexpr (F::ENDS)
        if (p.settled && ! turns)
          scan_parts (a, p);
      __syncthreads ();
      if (! turns)
        scan_segment<L> (a, p);
      __syncthreads ();
      if (threadIdx.x < 32)
        scan_tops (p);
      __syncthreads ();
      if (a.tiles > 1 || p.late || a.stage == GPR_SCAN_TOTALS)
        {
          scan_join<L> (a, p);
          __syncthreads ();
        }
      if (p.in_doubt || a.stage == GPR_SCAN_TOTALS)
        ;                       /* all will be done again, or totals alone are wanted */
      else if (turns)
        {
          if constexpr (scan_may_turn<F> ())
            {
              scan_turn_signs (p);
              __syncthreads ();
              scan_write_signs (a, p);
            }
        }
      else if (L::kernel == GPR_SCAN_ANY_KERNEL ? p.columns * p.outers == 1 : L::kernel == GPR_SCAN_OF_COLUMN)
        scan_write_column<L> (a, p);
      else
        scan_write<L> (a, p);
      __syncthreads ();
    }
}

#endif
