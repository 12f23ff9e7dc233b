/* accumarray: which output an element goes to, and how it is added there, for C11 and
   CUDA C++.

   Every output takes its elements in their order, beginning with start, in the result's class:
   the built-in's own sequence of operations, and so its bits.  If a sum or product is NaN,
   it is the first NaN met (of a complex sum the last one), as with the built-in
   on x86; that is spelled out here because GPUs do not keep the bits of a NaN.  */

#ifndef GPR_OPS_SCATTER_H
#define GPR_OPS_SCATTER_H

#include "../common/scalars.h"

typedef enum { GPR_SCATTER_SUM, GPR_SCATTER_PROD, GPR_SCATTER_MAX, GPR_SCATTER_MIN } gpr_scatter_op;

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
