/* Columns that are many: a thread each, long ones in the order of tiles (ops/scan.h), without waiting for other threads.  */

#ifndef GPR_SCAN_MANY_CUH
#define GPR_SCAN_MANY_CUH

#include "columns.cuh"

/* A warp does 32 columns, TWICE of them like the next warp too: of these each row is written by the one or the other, so that each writes whole sectors of
   memory wherever rows begin.  Whether this one writes column LANE of its own, FIRST of an outer or not, in a row that begins with element ROW of the array.  */
template <int TWICE> static __device__ __forceinline__ bool scan_writes (int lane, bool first, i64 row)
{
  const int left = TWICE ? -(int) row & (TWICE - 1) : 0;
  return TWICE == 0 || (lane < 32 - TWICE + left && (first || lane >= left));
}

/* Whether a column whose first rows have this product seems to leave the range.  */
template <class F> static __device__ __forceinline__ bool scan_leaves (typename F::X product, i64 rows, i64 length)
{
  int exponent = 0;
  if (scan_ends<F>::ended (product))    /* by a factor of 0 or that is not finite: tiles would not leave the range by it */
    return false;
  frexp (product, &exponent);
  return (i64) abs (exponent) * length > scan_ends<F>::RANGE * rows;
}

/* Whether this step in the built-in's order, which is unsure, loses more than orders differ by, and is the first of the column that does: so tiles would leave the
   range, too.  */
template <class F> static __device__ __forceinline__ bool scan_leaves_surely (typename F::X before, typename F::X x, typename F::X product, i64 row)
{
  return ! scan_ends<F>::ended (before) && ! scan_ends<F>::ended (x) && scan_ends<F>::clearly_lost (before, x, product, row);
}

/* What a long column has come to, row by row, in the order of tiles that are a group of segments at most (ops/scan.h).  */
template <class F> struct scan_progress
{
  typedef typename F::X X;
  typedef typename F::A A;
  A z, before, earlier;         /* of the segment; of those before it in the tile; of the tiles before that */
  int segment, lost;            /* number in the tile; an operation says that the column must be done again */
  bool late;

  __device__ __forceinline__ scan_progress () { begin (); }
  __device__ __forceinline__ void begin () { segment = lost = 0; late = false; }

  static __device__ __forceinline__ void step (A &z, X x, i64 row)
  {
    const A old = z;
    F::next (&z, x, row);
    if (! F::unsure (z))
      return;
    z = old;
    F::step (&z, x, row);
  }
  __device__ __forceinline__ A surely_after (const A &a, const A &all)
  {
    A b = a;
    lost |= F::merge (&b, all);
    return b;
  }
  /* The result with x, the segment's first or not.  */
  __device__ __forceinline__ A next (X x, i64 row, bool first)
  {
    A own = z, all;
    int unsure = 0;
    if (first)
      F::first (&own, x, row);
    else
      F::next (&own, x, row);
    all = own;
    if (F::EACH && (segment || late))
      unsure = F::unsure (all);
    if (segment)
      {
        all = F::plain (before, all);
        if (F::EACH && late)
          unsure |= F::unsure (all);
      }
    if (late)
      all = F::plain (earlier, all);
    if (! (unsure | F::unsure (all)))
      {
        z = own;
        return all;
      }
    if (first)
      z = own;
    else
      lost |= F::step (&z, x, row);
    all = z;
    if (segment)
      all = surely_after (before, all);
    if (late)
      all = surely_after (earlier, all);
    return all;
  }

  __device__ __forceinline__ void end_segment (int segments)
  {
    A all = segment ? F::plain (before, z) : z;
    if (segment && F::strange (all))
      {
        all = before;
        F::merge (&all, z);
      }
    before = all;
    if (++segment < segments)
      return;
    if (late)
      F::merge (&earlier, before);
    else
      earlier = before;
    late = true;
    segment = 0;
  }
};

/* A thread goes along a column of those that are many: up to GPR_SCAN_SHORT rows in the built-in's order, else in that of tiles.  */
template <class L, int TWICE>
static __device__ __forceinline__ void scan_walk_many (const gpr_scan_args &a)
{
  typedef typename L::F F;
  enum { OWN = 32 - TWICE };
  const bool tiles = a.length > GPR_SCAN_SHORT;
  const int steps = tiles ? (int) F::STEPS : (int) a.length, segments = GPR_SCAN_THREADS / gpr_scan_columns (a.inner), lane = threadIdx.x % 32;
  const i64 each = gpr_scan_walkers (a.inner, TWICE), walkers = each * a.outer;

  for (i64 i = (i64) blockIdx.x * blockDim.x + threadIdx.x; i < walkers; i += (i64) gridDim.x * blockDim.x)
    {
      const i64 outer = i / each, in = i - outer * each, c = TWICE ? in / 32 * OWN + lane : in, column = outer * a.length * a.inner + c;
      i64 to = column;
      scan_progress<F> own;
      if (c >= a.inner)
        continue;

      for (i64 from = 0; from < a.length; from += steps)
        {
          const int rows = a.length - from < steps ? (int) (a.length - from) : steps;
          for (int first = 0; first < rows; first += L::batch)
            {
              typename L::some batch;
#pragma unroll
              for (int r = 0; r < L::batch; r++)
                if (first + r < rows)
                  batch.read (a, r, to + r * a.inner);
#pragma unroll
              for (int r = 0; r < L::batch; r++)
                if (first + r < rows)
                  {
                    const typename F::A all = own.next (F::turned (batch.at (a, r, to), a.turn), from + first + r, first + r == 0);
                    if (scan_writes<TWICE> (lane, in < 32, to - c))
                      {
                        L::put (a, all, column, (typename F::X *) a.y + to);
                        if (F::ROWS && a.index)
                          a.index[to] = (double) (F::row (all) + 1);
                      }
                    to += a.inner;
                  }
            }
          own.end_segment (segments);
        }
      if (own.lost && tiles)
        *a.any = 1;
    }
}

/* Rows of a segment of products.  IN_ORDER: their product in the built-in's order is wanted; TILES: that of tiles.  Where both are, that of tiles is the
   result.  In the built-in's order alone a column is lost that surely is in that of tiles.  */
template <class L, bool IN_ORDER, bool TILES>
static __device__ __forceinline__ void
scan_product_rows (const gpr_scan_args &a, scan_progress<typename L::F> &own, typename L::F::X &product, bool there, i64 from, int rows, i64 column, i64 &to)
{
  typedef typename L::F F;
  typedef typename F::X X;
  for (int first = 0; first < rows; first += L::batch)
    {
      typename L::some batch;
#pragma unroll
      for (int r = 0; r < L::batch; r++)
        if (first + r < rows)
          batch.read (a, r, to + r * a.inner);
#pragma unroll
      for (int r = 0; r < L::batch; r++)
        if (first + r < rows)
          {
            const X x = batch.at (a, r, to);
            X all = 1;
            if (TILES)
              all = own.next (x, 0, first + r == 0);
            if (IN_ORDER)
              {
                const i64 row = from + first + r;
                const X before = product;
                if (row == 0)
                  product = x;
                else
                  scan_progress<F>::step (product, x, 0);
                if (! TILES)
                  {
                    if (row > 0 && F::unsure (product))
                      own.lost |= scan_leaves_surely<F> (before, x, product, row);
                    all = product;
                  }
              }
            if (there)
              L::put (a, all, column, (X *) a.y + to);
            to += a.inner;
          }
    }
}

/* The same of products, all of an outer in one order: that of tiles, unless a column of it leaves the range there.  A warp goes by what its columns seem to do after
   some rows, and begins once more when one has left the range or another warp has found that; in round 1 those whose order was not the outer's begin once more.  */
template <class L>
static __device__ __forceinline__ void scan_walk_products (const gpr_scan_args &a)
{
  typedef typename L::F F;
  typedef typename F::X X;
  enum { LOOK = 96 / F::STEPS * F::STEPS };
  const int segments = GPR_SCAN_THREADS / gpr_scan_columns (a.inner), lane = threadIdx.x % 32;
  const i64 warps = (a.inner + 31) / 32;

  for (i64 w = ((i64) blockIdx.x * blockDim.x + threadIdx.x) / 32; w < warps * a.outer; w += (i64) gridDim.x * blockDim.x / 32)
    {
      const i64 outer = w / warps, c = (w - outer * warps) * 32 + lane, top = outer * a.length * a.inner;
      const bool there = c < a.inner, again = a.round > 0;
      const i64 column = top + (there ? c : 0);
      volatile int *doubt = a.doubt + outer;
      bool in_order = __any_sync (0xFFFFFFFFu, *doubt != 0), known = again || in_order, looked = known;
      scan_progress<F> own;
      X product = 1;
      if (again && a.modes[w] == in_order)
        continue;

      for (i64 from = 0, to = column; from < a.length; from += F::STEPS)
        {
          const int rows = a.length - from < F::STEPS ? (int) (a.length - from) : (int) F::STEPS;
          if (in_order)
            scan_product_rows<L, true, false> (a, own, product, there, from, rows, column, to);
          else if (looked)
            scan_product_rows<L, false, true> (a, own, product, there, from, rows, column, to);
          else
            scan_product_rows<L, true, true> (a, own, product, there, from, rows, column, to);
          bool leaves = false;
          if (! known)
            {
              known = __any_sync (0xFFFFFFFFu, there && own.lost);
              if (known && lane == 0)
                *doubt = 1;
              leaves = known;
              if (! looked && from + rows >= LOOK)
                {
                  looked = true;
                  leaves |= __any_sync (0xFFFFFFFFu, there && scan_leaves<F> (product, from + rows, a.length)) || __any_sync (0xFFFFFFFFu, *doubt != 0);
                }
            }
          own.end_segment (segments);
          if (leaves && ! in_order)
            {
              in_order = looked = true;
              own.begin ();
              from = -(i64) F::STEPS;
              to = column;
            }
        }
      if (again && ! in_order && there && own.lost)
        *a.any = 1;             /* all is done again by tiles */
      if (! again && lane == 0)
        a.modes[w] = in_order;
    }
}

#endif
