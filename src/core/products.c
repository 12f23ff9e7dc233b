/* Real products in doubt, in the built-in's order: one that has become 0 or infinite only changes its sign, unless
   a special value or 0 follows, so the factors after that need no order and are looked at side by side.  */

#include <string.h>

#include "gpr.h"

enum { LANES = 64, BLOCK = 64 };

/* The signs of n numbers beside each other, whether they are not finite, and whether they are 0, in some steps.  */
#define DEFINE_LOOK(function, X, BITS) \
static inline __attribute__ ((always_inline)) void \
function (const X *restrict x, int n, int64_t stride, int steps, bool omit, BITS *restrict odd, BITS *restrict bad, X *restrict zero) \
{ \
  for (int j = 0; j < n; j++) \
    { \
      BITS o = odd[j], b = bad[j]; \
      X z = zero[j]; \
      _Pragma ("GCC unroll 4") \
      for (int k = 0; k < steps; k++) \
        { \
          X f = x[k * stride + j]; \
          f = omit && f != f ? 1 : f; \
          const X none = f - f; \
          BITS own, nan; \
          memcpy (&own, &f, sizeof own); \
          memcpy (&nan, &none, sizeof nan); \
          o ^= own; \
          b |= nan; \
          z = f == 0 ? 1 : z; \
        } \
      odd[j] = o; \
      bad[j] = b; \
      zero[j] = z; \
    } \
}
DEFINE_LOOK (look_f64, f64, uint64_t)
DEFINE_LOOK (look_f32, f32, uint32_t)

/* Columns side by side.  y: their results by the tree, of which those in doubt are set; open[c]: not this one.  */
#define DEFINE_SETTLE(function, X, A, BITS, LOOK, ENDS, LEAST, MOST) \
static bool \
function (const X *x, int64_t stride, int64_t rows, int columns, bool omit, A *y, bool *open) \
{ \
  const int lanes = stride == columns ? LANES / columns * columns : columns; \
  const int64_t most = lanes / columns; \
  A p[LANES]; \
  BITS odd[LANES] = { 0 }, bad[LANES] = { 0 }; \
  X zero[LANES] = { 0 }; \
  bool left = false, going = false; \
  int64_t r = 0; \
  for (int c = 0; c < columns; c++) \
    { \
      p[c] = 1; \
      going |= ! (ENDS (y[c]) >= LEAST && ENDS (y[c]) <= MOST); \
    } \
  if (! going) \
    return false; \
  while (r < rows && going) \
    { \
      for (const int64_t end = rows - r < BLOCK ? rows : r + BLOCK; r < end; r++) \
        for (int c = 0; c < columns; c++) \
          { \
            const X f = x[r * stride + c]; \
            p[c] *= omit && f != f ? 1 : (A) f; \
          } \
      going = false; \
      for (int c = 0; c < columns; c++) \
        going |= p[c] != 0 && p[c] - p[c] == 0 && ! (ENDS (y[c]) >= LEAST && ENDS (y[c]) <= MOST); \
      if (gpr_interrupted ()) \
        return false; \
    } \
  const int64_t next = most * stride; \
  for (int64_t steps = 0; r < rows; steps++) \
    { \
      const X *at = x + r * stride; \
      const bool four = rows - r >= 4 * most; \
      const int n = rows - r < most ? (int) (rows - r) * columns : lanes; \
      if (four && ! omit) \
        LOOK (at, n, next, 4, false, odd, bad, zero); \
      else if (four) \
        LOOK (at, n, next, 4, true, odd, bad, zero); \
      else \
        LOOK (at, n, next, 1, omit, odd, bad, zero); \
      r += four ? 4 * most : n / columns; \
      if (steps % 1024 == 0 && gpr_interrupted ()) \
        return false; \
    } \
  for (int j = columns; j < lanes; j++) \
    { \
      odd[j % columns] ^= odd[j]; \
      bad[j % columns] |= bad[j]; \
      zero[j % columns] += zero[j]; \
    } \
  for (int c = 0; c < columns; c++) \
    { \
      if (ENDS (y[c]) >= LEAST && ENDS (y[c]) <= MOST) \
        continue; \
      if (p[c] != p[c] || bad[c] || (p[c] != 0 && p[c] - p[c] != 0 && zero[c] != 0)) \
        left = open[c] = true; \
      else \
        y[c] = odd[c] >> (8 * sizeof (BITS) - 1) ? -p[c] : p[c]; \
    } \
  return left; \
}
DEFINE_SETTLE (settle_f64, f64, f64, uint64_t, look_f64, fabs, DBL_MIN, DBL_MAX)
DEFINE_SETTLE (settle_f32, f32, f32, uint32_t, look_f32, fabsf, FLT_MIN, FLT_MAX)
DEFINE_SETTLE (settle_f32_f64, f32, f64, uint32_t, look_f32, fabs, DBL_MIN, DBL_MAX)

bool
gpr_settle_products (const gpr_reduction *r, void *values, bool *open)
{
  const gpr_instance_info *f = &gpr_instances[r->instance];
  const bool omit = f->traits & GPR_OMITS_NAN;
  bool left = false;
  if ((f->traits & GPR_FIXUP_MASK) != GPR_FIXUP_PRODUCT || (f->elem != GPR_f64 && f->elem != GPR_f32) || r->x_resident)
    {
      memset (open, true, (size_t) (r->inner * r->outer));
      return true;
    }
  for (int64_t o = 0; o < r->outer && ! gpr_interrupted (); o++)
    for (int64_t c = 0; c < r->inner; c += LANES)
      {
        const int columns = r->inner - c < LANES ? (int) (r->inner - c) : LANES;
        const int64_t at = o * r->length * r->inner + c, i = o * r->inner + c;
        if (f->elem == GPR_f64)
          left |= settle_f64 ((const f64 *) r->x + at, r->inner, r->length, columns, omit, (f64 *) values + i, open + i);
        else if (f->value_bytes == sizeof (f32))
          left |= settle_f32 ((const f32 *) r->x + at, r->inner, r->length, columns, omit, (f32 *) values + i, open + i);
        else
          left |= settle_f32_f64 ((const f32 *) r->x + at, r->inner, r->length, columns, omit, (f64 *) values + i, open + i);
      }
  return left;
}
