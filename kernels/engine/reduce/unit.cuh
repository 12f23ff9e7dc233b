/* Units of work: which part of which tile of which outer, where its elements lie, and how
   many steps its lanes take.  */

#ifndef GPR_REDUCE_UNIT_CUH
#define GPR_REDUCE_UNIT_CUH

#include "load.cuh"

struct gpr_unit { int64_t outer, part, tile; };   /* part and tile within the box */

/* i / d for i below 2^52, by_d being 1 / d: a 64-bit division is a long routine.  */
static __device__ __forceinline__ int64_t gpr_quotient (int64_t i, int64_t d, double by_d)
{
  int64_t q = (int64_t) ((double) i * by_d), left = i - q * d;
  return q + (left >= d) - (left < 0);
}

static __device__ __forceinline__ gpr_unit gpr_unit_at (const gpr_reduce_args &a, int64_t i)
{
  gpr_unit u;
  if (a.tiles == 1 && (a.parts == 1 || a.outers == 1))
    {
      u.tile = 0;
      u.outer = a.parts == 1 ? i : 0;
      u.part = a.parts == 1 ? 0 : i;
      return u;
    }
  int64_t slab = gpr_quotient (i, a.tiles, a.by_tiles);
  u.tile = i - slab * a.tiles;
  u.outer = gpr_quotient (slab, a.parts, a.by_parts);
  u.part = slab - u.outer * a.parts;
  return u;
}

/* One part of the tree, of a unit that may have several: where a thread's first lane
   begins, and how far it goes.  */
template <class L> struct gpr_span
{
  gpr_unit u;
  typename L::cursor x;
  int64_t row;                  /* first of the part */
  int full, rest;               /* steps that all lanes take; lanes that take one more */
  int part;                     /* of the unit */
  bool last;                    /* it is the unit's last */
};

/* Part p of unit i, of units of run parts; the thread's first lane is lane * columns + column = f0.  */
template <class L>
static __device__ __forceinline__ void gpr_locate (gpr_span<L> *r, const gpr_reduce_args &a, int64_t i, int f0, int run = 1, int p = 0)
{
  r->u = gpr_unit_at (a, i);
  const int64_t part = r->u.part * run + p;
  r->row = (a.first_part + part) * a.rows;
  r->part = p;
  r->last = p + 1 == run || a.length - r->row <= a.rows;
  const int rows = a.length - r->row < a.rows ? (int) (a.length - r->row) : a.rows;
  r->full = rows >> a.lanes_log2;
  r->rest = (rows & (a.lanes - 1)) * a.columns;
  r->x = L::begin (a.load) + r->u.outer * a.outer_stride + r->u.tile * a.columns + part * a.rows * a.row_stride + f0;
}

/* All lanes take full steps, the first rest lanes (counted over all columns) one more.  V
   lanes from f on step together as often as all of them do; the rest may end within them,
   and then lane e of them takes its last step alone.  */
template <int V> static __device__ __forceinline__ int gpr_steps_of (int full, int rest, int f) { return full + (f + V <= rest); }
template <int V> static __device__ __forceinline__ bool gpr_odd_lane (int rest, int f, int e) { return f + e < rest && f + V > rest; }

#endif
