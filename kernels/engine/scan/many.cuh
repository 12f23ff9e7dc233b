/* Columns that are many: a thread each, long ones in the order of tiles (ops/scan.h), without waiting for other threads.  */

#ifndef GPR_SCAN_MANY_CUH
#define GPR_SCAN_MANY_CUH

#include "columns.cuh"
#include "in_order.cuh"

/* A warp does 32 columns, TWICE of them like the next warp too: of these each row is written by the one or the other, so that each writes whole sectors of
   memory wherever rows begin.  Whether this one writes column LANE of its own, FIRST of an outer or not, in a row that begins with element ROW of the array.  */
template <int TWICE> static __device__ __forceinline__ bool scan_writes (int lane, bool first, i64 row)
{
  const int left = TWICE ? -(int) row & (TWICE - 1) : 0;
  return TWICE == 0 || (lane < 32 - TWICE + left && (first || lane >= left));
}

/* Whether some of a warp's columns, or of others like them, seem to leave the range, by the exponents of their first rows' products: these go on as far on average,
   and spread with the root of the rows.  */
template <class F> static __device__ __forceinline__ bool scan_leaves (bool there, typename F::X product, i64 rows, i64 length)
{
  const int columns = __popc (__ballot_sync (0xFFFFFFFFu, there));
  int exponent = 0;
  if (there && ! scan_ends<F>::ended (product))         /* by a factor of 0 or that is not finite: tiles would not leave the range by it */
    frexp (product, &exponent);
  float mean = (float) exponent / columns, square = (float) exponent * exponent / columns;
  for (int k = 16; k > 0; k /= 2)
    {
      mean += __shfl_xor_sync (0xFFFFFFFFu, mean, k);
      square += __shfl_xor_sync (0xFFFFFFFFu, square, k);
    }
  const float on = (float) length / rows, spread = square - mean * mean;
  return fabsf (mean) * on + 3 * sqrtf ((spread > 0 ? spread : 0) * on) > scan_ends<F>::RANGE;
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

/* Rows FIRST … of so many of a column, from element TO on: a batch of them at most.  */
template <class L>
static __device__ __forceinline__ void scan_read_rows (const gpr_scan_args &a, typename L::some &batch, i64 to, int first, int rows)
{
#pragma unroll
  for (int r = 0; r < L::batch; r++)
    if (first + r < rows)
      batch.read (a, r, to + r * a.inner);
}

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
              scan_read_rows<L> (a, batch, to, first, rows);
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

/* A column of products in the built-in's order; in a warp.  It is known that the outer is in doubt, or is told as soon as a step loses more than orders differ
   by: so tiles leave the range, too.  */
template <class L>
static __device__ __forceinline__ void scan_products_in_order (const gpr_scan_args &a, bool there, i64 column, bool known, volatile int *doubt)
{
  typedef typename L::F F;
  typedef typename F::X X;
  enum { EACH = 4 };            /* rows at once, while the next ones are on their way: of more, neighbouring warps would not write a sector at the same time */
  X next[EACH], product = 1;
  i64 to = column;

#pragma unroll
  for (int j = 0; j < EACH; j++)
    next[j] = j < a.length ? L::at (a, column + j * a.inner) : (X) 1;
  for (i64 row = 0; row < a.length; row += EACH, to += EACH * a.inner)
    {
      const X before = product;
      const bool ended = before != before;      /* NaN stays what it is */
      const i64 left = a.length - row - EACH;
      X own[EACH];
      unsigned odd = 0;
      bool lost = false;

#pragma unroll
      for (int j = 0; j < EACH; j++)
        own[j] = next[j];
      if (left >= EACH)
#pragma unroll
        for (int j = 0; j < EACH; j++)
          next[j] = L::at (a, to + (EACH + j) * a.inner);
      else
#pragma unroll
        for (int j = 0; j < EACH; j++)
          next[j] = j < left ? L::at (a, to + (EACH + j) * a.inner) : (X) 1;
#pragma unroll
      for (int j = 0; j < EACH; j++)
        {
          product = ended ? before : F::plain (product, own[j]);
          const unsigned oddness = scan_oddness (product);
          odd = oddness > odd ? oddness : odd;
          if (there && left + EACH > j)
            L::put (a, product, column, (X *) a.y + to + j * a.inner);
        }
      if ((F::strange (product) && ! ended) || (odd >= scan_odd<X> () && ! known && ! scan_ends<F>::ended (before)))
        {
          product = before;     /* step by step */
#pragma unroll 1
          for (int j = 0; j < EACH && j < left + EACH; j++)
            {
              const X was = product, x = L::at (a, to + j * a.inner);
              if (row + j > 0)
                F::step (&product, x, 0);
              else
                product = x;
              lost |= row + j > 0 && F::unsure (product) && ! scan_ends<F>::ended (was) && ! scan_ends<F>::ended (x)
                      && scan_ends<F>::clearly_lost (was, x, product, row + j);
              if (there)
                L::put (a, product, column, (X *) a.y + to + j * a.inner);
            }
        }
      if (! known)
        {
          known = __any_sync (0xFFFFFFFFu, there && lost);
          if (known && threadIdx.x % 32 == 0)
            *doubt = 1;
        }
    }
}

/* Rows of a segment of products, by tiles.  LOOK: their product in the built-in's order is wanted, too.  */
template <class L, bool LOOK>
static __device__ __forceinline__ void
scan_product_rows (const gpr_scan_args &a, scan_progress<typename L::F> &own, typename L::F::X &product, bool there, bool begins, int rows, i64 column, i64 &to)
{
  typedef typename L::F F;
  typedef typename F::X X;
  for (int first = 0; first < rows; first += L::batch)
    {
      typename L::some batch;
      scan_read_rows<L> (a, batch, to, first, rows);
#pragma unroll
      for (int r = 0; r < L::batch; r++)
        if (first + r < rows)
          {
            const X x = batch.at (a, r, to), all = own.next (x, 0, first + r == 0);
            if (LOOK && begins && first + r == 0)
              product = x;
            else if (LOOK)
              scan_progress<F>::step (product, x, 0);
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
  enum { LOOK = 96 / F::STEPS * F::STEPS };
  const int segments = GPR_SCAN_THREADS / gpr_scan_columns (a.inner), lane = threadIdx.x % 32;
  const i64 warps = (a.inner + 31) / 32;
  const bool again = a.round > 0;

  for (i64 w = ((i64) blockIdx.x * blockDim.x + threadIdx.x) / 32; w < warps * a.outer; w += (i64) gridDim.x * blockDim.x / 32)
    {
      const i64 outer = w / warps, c = (w - outer * warps) * 32 + lane, top = outer * a.length * a.inner;
      const bool there = c < a.inner;
      const i64 column = top + (there ? c : 0);
      volatile int *doubt = a.doubt + outer;
      bool known = __any_sync (0xFFFFFFFFu, *doubt != 0), in_order = known;
      scan_progress<F> own;
      typename F::X product = 1;
      if (again && a.modes[w] == in_order)
        continue;

      for (i64 from = 0, to = column; from < a.length && ! in_order; from += F::STEPS)
        {
          const int rows = a.length - from < F::STEPS ? (int) (a.length - from) : (int) F::STEPS, told = again ? 0 : *doubt;
          const bool looks = ! again && from < LOOK;
          if (looks)
            scan_product_rows<L, true> (a, own, product, there, from == 0, rows, column, to);
          else
            scan_product_rows<L, false> (a, own, product, there, false, rows, column, to);
          if (! again)
            {
              const bool lost = __any_sync (0xFFFFFFFFu, there && own.lost);
              if (lost && lane == 0)
                *doubt = 1;
              known = lost || __any_sync (0xFFFFFFFFu, told);
              in_order = known || (looks && from + rows >= LOOK && scan_leaves<F> (there, product, from + rows, a.length));
            }
          own.end_segment (segments);
        }
      if (in_order)
        scan_products_in_order<L> (a, there, column, known, doubt);
      else if (again && there && own.lost)
        *a.any = 1;             /* all is done again by tiles */
      if (! again && lane == 0)
        a.modes[w] = in_order;
    }
}

#endif
