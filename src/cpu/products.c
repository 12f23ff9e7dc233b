/* Real products in doubt, in the built-in's order: one that has become 0 or infinite only changes its sign, unless
   a special value or 0 follows.  Where the tree's is infinite none does, and it has the sign (kernels/ops/product.h); where it is
   NaN the factors after that are looked at, which need no order.  */

#include <string.h>

#include "cpu.h"

enum {
  TOGETHER = 8,                 /* columns that a thread multiplies side by side: none waits for its last product */
  NEIGHBOURS = 64,              /* the same of columns beside each other, those not in doubt included */
  AHEAD = 8,                    /* rows of neighbours that are on their way */
  BLOCK = 64,                   /* rows between two looks at what they have come to */
  LOOKED = 1 << 15              /* rows of a column that a thread looks at */
};

#define OMP(what) _Pragma (what)

/* The sign of factors, whether one is not finite, and whether one is 0.  */
#define DEFINE_LOOK(function, X, BITS) \
static inline __attribute__ ((always_inline)) void \
function (const X *restrict x, int64_t stride, int64_t n, bool omit, BITS *odd, BITS *bad, bool *zero) \
{ \
  BITS o = 0, b = 0; \
  X z = 0; \
  for (int64_t k = 0; k < n; k++) \
    { \
      X f = x[k * stride]; \
      f = omit && f != f ? 1 : f; \
      const X none = f - f; \
      BITS own, nan; \
      memcpy (&own, &f, sizeof own); \
      memcpy (&nan, &none, sizeof nan); \
      o ^= own; \
      b |= nan; \
      z = f == 0 ? 1 : z; \
    } \
  *odd ^= o; \
  *bad |= b; \
  *zero |= z != 0; \
}
DEFINE_LOOK (look_f64, f64, uint64_t)
DEFINE_LOOK (look_f32, f32, uint32_t)

/* The first rows of some columns in their order, until all products are 0 or not finite.  Of neighbours all from which[0] to which[n-1] are
   multiplied, and those in which count.  */
#define DEFINE_WALK(function, X, A) \
static inline __attribute__ ((always_inline)) bool \
function##_goes_on (const A *p, const int64_t *which, int n) \
{ \
  bool going = false; \
  for (int j = 0; j < n; j++) \
    { \
      const A y = p[which ? which[j] - which[0] : j]; \
      going |= y != 0 && y - y == 0; \
    } \
  return going; \
} \
static inline __attribute__ ((always_inline)) int64_t \
function (const X *const *x, int64_t stride, int64_t rows, int columns, bool omit, A *p) \
{ \
  int64_t row = 0; \
  while (row < rows && function##_goes_on (p, NULL, columns) && ! gpr_interrupted ()) \
    for (const int64_t end = rows - row < BLOCK ? rows : row + BLOCK; row < end; row++) \
      for (int j = 0; j < columns; j++) \
        { \
          const X f = x[j][row * stride]; \
          p[j] *= omit && f != f ? 1 : (A) f; \
        } \
  return row; \
} \
static int64_t \
function##_beside (const X *restrict x, int64_t stride, int64_t rows, const int64_t *which, int n, bool omit, A *restrict p) \
{ \
  const int columns = (int) (which[n-1] - which[0]) + 1; \
  int64_t row = 0; \
  while (row < rows && function##_goes_on (p, which, n) && ! gpr_interrupted ()) \
    for (const int64_t end = rows - row < BLOCK ? rows : row + BLOCK; row < end; row++, x += stride) \
      { \
        for (int j = 0; j < columns; j += 64 / (int) sizeof (X)) \
          __builtin_prefetch (x + AHEAD * stride + j); \
        OMP ("omp simd") \
        for (int j = 0; j < columns; j++) \
          p[j] *= omit && x[j] != x[j] ? 1 : (A) x[j]; \
      } \
  return row; \
}
DEFINE_WALK (walk_f64, f64, f64)
DEFINE_WALK (walk_f32, f32, f32)
DEFINE_WALK (walk_f32_f64, f32, f64)

/* Some columns, which[0..n-1], or neighbours; threads look at what is in one.  True: an open one is left.  */
#define DEFINE_SETTLE(function, X, A, BITS, WALK, LOOK, COPYSIGN) \
static bool \
function (const gpr_reduction *r, bool omit, bool beside, const int64_t *which, int n, int threads, A *values, bool *open) \
{ \
  const int64_t stride = r->inner, rows = r->length; \
  const X *x[NEIGHBOURS]; \
  A product[NEIGHBOURS]; \
  int64_t row; \
  bool left = false; \
  for (int j = 0; j < NEIGHBOURS; j++) \
    { \
      const int64_t i = which[j < n ? j : 0]; \
      x[j] = (const X *) r->x + i / stride * rows * stride + i % stride; \
      product[j] = 1; \
    } \
  if (beside) \
    row = WALK##_beside (x[0], stride, rows, which, n, omit, product); \
  else \
    row = n == 1 ? WALK (x, stride, rows, 1, omit, product) : WALK (x, stride, rows, TOGETHER, omit, product); \
  for (int j = 0; j < n; j++) \
    { \
      const A p = product[beside ? which[j] - which[0] : j]; \
      A *y = values + which[j]; \
      BITS odd = 0, bad = 0; \
      bool zero = false; \
      if (*y == *y) \
        { \
          *y = p != 0 && p - p == 0 ? p : COPYSIGN (p, *y); \
          continue; \
        } \
      OMP ("omp parallel for num_threads (threads) if (threads > 1) reduction (^ : odd) reduction (| : bad, zero)") \
      for (int64_t k = row; k < rows; k += LOOKED) \
        if (! gpr_interrupted ()) \
          { \
            const int64_t m = rows - k < LOOKED ? rows - k : LOOKED; \
            if (stride == 1 && ! omit) \
              LOOK (x[j] + k, 1, m, false, &odd, &bad, &zero); \
            else \
              LOOK (x[j] + k * stride, stride, m, omit, &odd, &bad, &zero); \
          } \
      if (p != p || bad || (p != 0 && p - p != 0 && zero)) \
        left = open[which[j]] = true; \
      else \
        *y = odd >> (8 * sizeof odd - 1) ? -p : p; \
    } \
  return left; \
}
DEFINE_SETTLE (settle_f64, f64, f64, uint64_t, walk_f64, look_f64, copysign)
DEFINE_SETTLE (settle_f32, f32, f32, uint32_t, walk_f32, look_f32, copysignf)
DEFINE_SETTLE (settle_f32_f64, f32, f64, uint32_t, walk_f32_f64, look_f32, copysign)

/* Of the outputs from first on to end.  */
static bool
settle (const gpr_reduction *r, int64_t first, int64_t end, int threads, void *values, bool *open)
{
  const gpr_instance_info *f = &gpr_instances[r->instance];
  const bool omit = f->traits & GPR_OMITS_NAN, single = f->value_bytes == sizeof (f32);
  const bool beside = r->inner >= TOGETHER;
  const int most = beside ? NEIGHBOURS : TOGETHER;
  int64_t which[NEIGHBOURS];
  bool left = false;
  for (int64_t i = first; i < end && ! gpr_interrupted (); )
    {
      int n = 0;
      /* Neighbours have one outer index.  */
      for (; i < end && n < most && ! (beside && n > 0 && (i - which[0] >= NEIGHBOURS || i % r->inner == 0)); i++)
        if (! (single ? isfinite (((const f32 *) values)[i]) : isfinite (((const f64 *) values)[i])))
          which[n++] = i;
      if (n > 0 && f->elem == GPR_f64)
        left |= settle_f64 (r, omit, beside, which, n, threads, values, open);
      else if (n > 0 && single)
        left |= settle_f32 (r, omit, beside, which, n, threads, values, open);
      else if (n > 0)
        left |= settle_f32_f64 (r, omit, beside, which, n, threads, values, open);
    }
  return left;
}

bool
gpr_settle_products (const gpr_reduction *r, void *values, bool *open)
{
  const gpr_instance_info *f = &gpr_instances[r->instance];
  const int64_t outputs = r->inner * r->outer, at_once = NEIGHBOURS, serial = 1 << 16;        /* elements that one thread takes sooner */
  const int threads = outputs * r->length > serial ? gpr_cpu_threads () : 1, columns_threads = outputs > at_once ? threads : 1;
  bool left = false;
  if ((f->traits & GPR_FIXUP_MASK) != GPR_FIXUP_PRODUCT || (f->elem != GPR_f64 && f->elem != GPR_f32) || r->x_resident)
    {
      memset (open, true, (size_t) outputs);
      return true;
    }
  if (threads > 1)
    gpr_cpu_note_pool ();
  #pragma omp parallel for num_threads (columns_threads) if (columns_threads > 1) schedule (dynamic) reduction (| : left)
  for (int64_t i = 0; i < outputs; i += at_once)
    left |= settle (r, i, outputs - i < at_once ? outputs : i + at_once, columns_threads > 1 ? 1 : threads, values, open);
  return left;
}
