/* The built-in's own order: one element after the other, into one accumulator, on host memory.
   Results that the tree may have got otherwise than the built-in are computed again so.  */

#include <complex.h>
#undef complex
#include <string.h>

#include "gpr.h"

GPR_INSTANCES (GPR_DEFINE_INSTANCE)

#define DEFINE_PLAIN(id, FAMILY, X, A, Y) \
static void \
begin_##id (void *acc) \
{ \
  *(id##_a *) acc = id##_init (); \
} \
static void \
take_##id (void *acc, const void *data, int64_t stride, int64_t n) \
{ \
  const id##_x *x = data; \
  id##_a a = *(id##_a *) acc; \
  for (int64_t r = 0; r < n && ! gpr_interrupted (); ) \
    for (int64_t end = n - r < 1 << 20 ? n : r + (1 << 20); r < end; r++) \
      id##_step (&a, x[r * stride], -1); \
  *(id##_a *) acc = a; \
} \
static void \
finish_##id (const void *acc, double divisor, void *value) \
{ \
  int64_t index; \
  id##_finish (*(const id##_a *) acc, divisor, value, &index); \
}
GPR_INSTANCES (DEFINE_PLAIN)

#define PLAIN(id, FAMILY, X, A, Y) { begin_##id, take_##id, finish_##id },
static const struct {
  void (*begin) (void *acc);
  void (*take) (void *acc, const void *x, int64_t stride, int64_t n);
  void (*finish) (const void *acc, double divisor, void *value);
} plain[] = { GPR_INSTANCES (PLAIN) };

/* ---- products of real numbers ---------------------------------------------------------- */

/* A product that has become 0 stays so, as long as all factors are finite: only the signs of the rest
   count, and they need not wait for each other.  */
#define DEFINE_PLAIN_PRODUCT(function, X, A, FABS, MOST) \
static void \
function (const X *x, int64_t stride, int64_t n, bool omit, A *value) \
{ \
  A a = *value; \
  int64_t r = 0; \
  unsigned finite = 1;          /* the factors after a 0: looked at once */ \
  while (r < n && ! gpr_interrupted ()) \
    { \
      for (const int64_t end = n - r < 4096 ? n : r + 4096; r < end; r++) \
        a *= omit && x[r * stride] != x[r * stride] ? 1 : (A) x[r * stride]; \
      unsigned odd = 0; \
      for (int64_t k = r; a == 0 && finite && k < n; ) \
        for (const int64_t end = n - k < 4096 ? n : k + 4096; k < end; k++) \
          { \
            const bool counts = ! (omit && x[k * stride] != x[k * stride]); \
            finite &= ! counts || FABS (x[k * stride]) <= MOST; \
            odd ^= counts && signbit (x[k * stride]) != 0; \
          } \
      if (a == 0 && finite) \
        { \
          a = odd ? -a : a; \
          break; \
        } \
    } \
  *value = a; \
}
DEFINE_PLAIN_PRODUCT (product_f64, f64, f64, fabs, DBL_MAX)
DEFINE_PLAIN_PRODUCT (product_f32, f32, f32, fabsf, FLT_MAX)
DEFINE_PLAIN_PRODUCT (product_f32_f64, f32, f64, fabsf, FLT_MAX)

static bool
is_real_product (const gpr_instance_info *f)
{
  return (f->traits & GPR_FIXUP_MASK) == GPR_FIXUP_PRODUCT && (f->elem == GPR_f64 || f->elem == GPR_f32);
}

static void
take_factors (const gpr_instance_info *f, const void *x, int64_t stride, int64_t n, void *value)
{
  const bool omit = f->traits & GPR_OMITS_NAN;
  if (f->elem == GPR_f64)
    product_f64 (x, stride, n, omit, value);
  else if (f->value_bytes == sizeof (f32))
    product_f32 (x, stride, n, omit, value);
  else
    product_f32_f64 (x, stride, n, omit, value);
}

/* ---- complex products, logarithms and reciprocals --------------------------------------

   By the C library's rules (C11, Annex G), which are C++'s and so the built-in's; a kernel's
   own differ where something overflows.  In single where the instance's result is.  */

typedef enum { NO_TERM, PRODUCT, LOGARITHM, RECIPROCAL } complex_term;

static complex_term
term_of (const gpr_instance_info *f)
{
  const int fixup = f->traits & GPR_FIXUP_MASK;
  if (f->elem != GPR_c128 && f->elem != GPR_c64)
    return NO_TERM;
  return fixup == GPR_FIXUP_PRODUCT ? PRODUCT
         : fixup != GPR_FIXUP_TERMS ? NO_TERM : f->traits & GPR_LOGARITHMS ? LOGARITHM : RECIPROCAL;
}

#define DEFINE_PLAIN_COMPLEX(function, R, T, MAKE, LOG) \
static void \
function (const gpr_instance_info *f, const void *x, int64_t stride, int64_t n, T *value) \
{ \
  const complex_term term = term_of (f); \
  const bool omit = f->traits & GPR_OMITS_NAN, single = f->elem == GPR_c64; \
  T a = *value; \
  for (int64_t r = 0; r < n; r++) \
    { \
      R re = single ? (R) ((const c64 *) x)[r * stride].re : (R) ((const c128 *) x)[r * stride].re; \
      R im = single ? (R) ((const c64 *) x)[r * stride].im : (R) ((const c128 *) x)[r * stride].im; \
      T z = MAKE (re, im); \
      if (r % 4096 == 0 && gpr_interrupted ()) \
        break; \
      if (omit && (re != re || im != im)) \
        continue; \
      a = term == PRODUCT ? a * z : term == LOGARITHM ? a + LOG (z) : a + MAKE (1, 0) / z; \
    } \
  *value = a; \
}
DEFINE_PLAIN_COMPLEX (take_complex_double, double, double _Complex, CMPLX, clog)
DEFINE_PLAIN_COMPLEX (take_complex_single, float, float _Complex, CMPLXF, clogf)

#define DIVIDED(R, RE, IM) \
  { \
    R *v = value; \
    v[0] = divisor != 0 ? RE (a) / (R) divisor : RE (a); \
    v[1] = divisor != 0 ? IM (a) / (R) divisor : IM (a); \
  }
static void
divide_complex (const gpr_instance_info *f, const void *acc, double divisor, void *value)
{
  if (f->value_bytes == sizeof (c64))
    {
      const float _Complex a = *(const float _Complex *) acc;
      DIVIDED (float, crealf, cimagf)
    }
  else
    {
      const double _Complex a = *(const double _Complex *) acc;
      DIVIDED (double, creal, cimag)
    }
}

/* ---- all ------------------------------------------------------------------------------- */

void
gpr_plain_begin (enum gpr_instance instance, void *acc)
{
  const gpr_instance_info *f = &gpr_instances[instance];
  const bool terms = term_of (f) != NO_TERM;

  if (! is_real_product (f) && ! terms)
    plain[instance].begin (acc);
  else if (terms && f->value_bytes == sizeof (c64))
    *(float _Complex *) acc = term_of (f) == PRODUCT ? 1 : 0;
  else if (terms)
    *(double _Complex *) acc = term_of (f) == PRODUCT ? 1 : 0;
  else if (f->value_bytes == sizeof (f32))
    *(f32 *) acc = 1;
  else
    *(f64 *) acc = 1;
}

void
gpr_plain_take (enum gpr_instance instance, void *acc, const void *x, int64_t stride, int64_t n)
{
  const gpr_instance_info *f = &gpr_instances[instance];
  if (is_real_product (f))
    take_factors (f, x, stride, n, acc);
  else if (term_of (f) == NO_TERM)
    plain[instance].take (acc, x, stride, n);
  else if (f->value_bytes == sizeof (c64))
    take_complex_single (f, x, stride, n, acc);
  else
    take_complex_double (f, x, stride, n, acc);
}

void
gpr_plain_finish (enum gpr_instance instance, const void *acc, double divisor, void *value)
{
  const gpr_instance_info *f = &gpr_instances[instance];
  if (is_real_product (f))
    memcpy (value, acc, f->value_bytes);
  else if (term_of (f) == NO_TERM)
    plain[instance].finish (acc, divisor, value);
  else
    divide_complex (f, acc, divisor, value);
}

void
gpr_plain (enum gpr_instance instance, const void *x, int64_t stride, int64_t n, double divisor, void *value)
{
  char acc[GPR_ACC_BYTES] __attribute__ ((aligned (16)));
  gpr_plain_begin (instance, acc);
  gpr_plain_take (instance, acc, x, stride, n);
  gpr_plain_finish (instance, acc, divisor, value);
}
