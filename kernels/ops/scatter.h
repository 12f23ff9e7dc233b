/* accumarray: which output an element goes to, and in which order elements meet there, for
   C11 and CUDA C++.

   Products, and sums that are asked for in the built-in's order, take the elements of an output
   one after the other, beginning with start, in the result's class: the built-in's own sequence
   of operations, and so its bits.  If such a sum or product is NaN, it is the first NaN met (of a
   complex sum the last one), as with the built-in on x86; that is spelled out here because GPUs
   do not keep the bits of a NaN.  Extremes are merged in any grouping that keeps the order.

   Other sums of floating-point numbers are cut (gpr_scatter_cut).  With few outputs the elements
   are cut into chunks of neighbours: each chunk has a sum for each output, from +0 in
   the order of the elements; the sums of some neighbouring chunks, a group, are added from +0 in their
   order, and then those of the groups.  With many outputs the elements of each output are cut into
   pieces: each is added from +0 in their order, and then the pieces from +0 in theirs.  No sum
   is ever -0 on the way, so whoever adds nothing and whoever adds +0 have the same bits.
   A sum that is not finite in the end is taken again in the built-in's order.  */

#ifndef GPR_OPS_SCATTER_H
#define GPR_OPS_SCATTER_H

#include "../common/scalars.h"

typedef enum { GPR_SCATTER_SUM, GPR_SCATTER_PROD, GPR_SCATTER_MAX, GPR_SCATTER_MIN, GPR_SCATTER_COUNT } gpr_scatter_op;

enum { GPR_SCATTER_COLUMNS = 32 };

/* One subscript of every element: 1 … size.  */
typedef struct {
  const void *at;
  enum gpr_elem elem;           /* a real one */
  int64_t size;
} gpr_scatter_column;

/* Types of the values and the result: the same, or integers that are added up as
   doubles.  */
#define GPR_SCATTER_SAME(F) F (f64, f64) F (f32, f32) F (i8, i8) F (u8, u8) F (i16, i16) F (u16, u16) \
  F (i32, i32) F (u32, u32) F (i64, i64) F (u64, u64)
#define GPR_SCATTER_WIDENED(F) F (i8, f64) F (u8, f64) F (i16, f64) F (u16, f64) F (i32, f64) F (u32, f64) \
  F (i64, f64) F (u64, f64)
#define GPR_SCATTER_COMPLEX(F) F (c128, c128) F (c64, c64)

/* ---- how sums are cut ------------------------------------------------------------ */

enum {
  GPR_SCATTER_FEW = 8192,       /* outputs at most of which each chunk has its own */
  GPR_SCATTER_CHUNKS = 3072,    /* about as many, at most: so many warps have tables of 1000 doubles at once on an H100 */
  GPR_SCATTER_LEAST = 1024,     /* elements of a chunk or piece */
  GPR_SCATTER_MOST = 65536,     /* of a piece */
  GPR_SCATTER_GROUP = 8         /* chunks of a group at most */
};

typedef struct {
  i64 chunk;                    /* elements of a chunk; 0: many outputs */
  i32 group;                    /* chunks of a group */
  i64 piece;                    /* elements of a piece, a power of two; 0: few outputs */
} gpr_scatter_cut;

/* It depends on the numbers of elements and outputs alone.  A group's tables are no larger than
   GPR_SCATTER_FEW outputs, and all groups have no more outputs than there are elements.  */
GPR_FN gpr_scatter_cut gpr_scatter_cut_of (i64 n, i64 outputs)
{
  gpr_scatter_cut c = { 0, 1, 0 };
  if (outputs <= GPR_SCATTER_FEW)
    {
      c.chunk = ((n + GPR_SCATTER_CHUNKS - 1) / GPR_SCATTER_CHUNKS + 31) / 32 * 32;
      c.chunk = c.chunk < outputs ? (outputs + 31) / 32 * 32 : c.chunk;
      c.chunk = c.chunk < GPR_SCATTER_LEAST ? (i64) GPR_SCATTER_LEAST : c.chunk;
      while (c.group < GPR_SCATTER_GROUP && 2 * c.group * outputs <= GPR_SCATTER_FEW)
        c.group *= 2;
    }
  else
    for (c.piece = GPR_SCATTER_LEAST; c.piece * c.piece < n && c.piece < GPR_SCATTER_MOST; )
      c.piece *= 2;
  return c;
}

/* ---- what a subscript may be ---------------------------------------------------- */

/* s, or 0 where it is not a whole number from 1 to size (below 2^53).  */
GPR_FN i64 gpr_subscript_f64 (f64 s, i64 size)
{
  f64 held = s >= 1 && s <= (f64) size ? s : 0.5;
  i64 k = (i64) held;
  return (f64) k == held ? k : 0;
}
GPR_FN i64 gpr_subscript_f32 (f32 s, i64 size) { return gpr_subscript_f64 (s, size); }
GPR_FN i64 gpr_subscript_u64 (u64 s, i64 size) { return s <= (u64) size ? (i64) s : 0; }
GPR_FN i64 gpr_subscript_i64 (i64 s, i64 size) { return s >= 1 && s <= size ? s : 0; }
#define GPR_SUBSCRIPT(T) GPR_FN i64 gpr_subscript_##T (T s, i64 size) { return gpr_subscript_i64 (s, size); }
GPR_SUBSCRIPT (i8) GPR_SUBSCRIPT (u8) GPR_SUBSCRIPT (i16) GPR_SUBSCRIPT (u16) GPR_SUBSCRIPT (i32) GPR_SUBSCRIPT (u32)

/* ---- one step ---------------------------------------------------------------------- */

GPR_FN c128 gpr_plus_c128 (c128 a, c128 v)
{
  a.re = gpr_plus_f64 (v.re, a.re);
  a.im = gpr_plus_f64 (v.im, a.im);
  return a;
}
GPR_FN c64 gpr_plus_c64 (c64 a, c64 v)
{
  a.re = gpr_plus_f32 (v.re, a.re);
  a.im = gpr_plus_f32 (v.im, a.im);
  return a;
}

/* NaN loses, also as the start; the earlier one of equals stays.  */
#define GPR_LARGER(a, v) ((v) != (v) || (a) >= (v) ? (a) : (v))
#define GPR_SMALLER(a, v) ((v) != (v) || (a) <= (v) ? (a) : (v))

#endif
