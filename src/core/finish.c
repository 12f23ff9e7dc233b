/* Finishes of operators, and conversions between classes.  */

#include <complex.h>
#undef complex
#include <math.h>

#include "finish.h"

/* ---- classes ----------------------------------------------------------------------- */

static double
to_double (const void *p, gpr_class class, int64_t i)
{
  switch (class)
    {
    case GPR_CLASS_double: return ((const double *) p)[i];
    case GPR_CLASS_single: return ((const float *) p)[i];
    case GPR_CLASS_int8: return ((const int8_t *) p)[i];
    case GPR_CLASS_int16: return ((const int16_t *) p)[i];
    case GPR_CLASS_uint16: return ((const uint16_t *) p)[i];
    case GPR_CLASS_int32: return ((const int32_t *) p)[i];
    case GPR_CLASS_uint32: return ((const uint32_t *) p)[i];
    case GPR_CLASS_int64: return (double) ((const int64_t *) p)[i];
    case GPR_CLASS_uint64: return (double) ((const uint64_t *) p)[i];
    default: return ((const uint8_t *) p)[i];
    }
}

#define TO_INTEGER(T, low, high) \
  (((T *) p)[i] = v != v ? 0 : (v = round (v)) <= (double) low ? low : v >= (double) high ? high : (T) v)

static void
from_double (void *p, gpr_class class, int64_t i, double v)
{
  switch (class)
    {
    case GPR_CLASS_double: ((double *) p)[i] = v; break;
    case GPR_CLASS_single: ((float *) p)[i] = (float) v; break;
    case GPR_CLASS_int8: TO_INTEGER (int8_t, INT8_MIN, INT8_MAX); break;
    case GPR_CLASS_uint8: TO_INTEGER (uint8_t, 0, UINT8_MAX); break;
    case GPR_CLASS_int16: TO_INTEGER (int16_t, INT16_MIN, INT16_MAX); break;
    case GPR_CLASS_uint16: TO_INTEGER (uint16_t, 0, UINT16_MAX); break;
    case GPR_CLASS_int32: TO_INTEGER (int32_t, INT32_MIN, INT32_MAX); break;
    case GPR_CLASS_uint32: TO_INTEGER (uint32_t, 0, UINT32_MAX); break;
    case GPR_CLASS_int64: TO_INTEGER (int64_t, INT64_MIN, INT64_MAX); break;
    case GPR_CLASS_uint64: TO_INTEGER (uint64_t, 0, UINT64_MAX); break;
    default: ((uint8_t *) p)[i] = (uint8_t) v; break;
    }
}

void
gpr_convert_values (void *to, gpr_class to_class, const void *from, gpr_class from_class, int64_t count)
{
  for (int64_t i = 0; i < count; i++)
    from_double (to, to_class, i, to_double (from, from_class, i));
}

void
gpr_fill_nan (void *values, gpr_class class, bool complex, int64_t count)
{
  for (int64_t i = 0, parts = complex ? 2 : 1; i < count * parts; i++)
    from_double (values, class, i, i % parts ? 0 : gpr_make_nan ());
}

/* ---- finishing --------------------------------------------------------------------- */

void
gpr_divide_values (const gpr_finishing *f, void *values, const double *nans)
{
  const int parts = f->complex ? 2 : 1;
  for (int64_t i = 0; i < f->outputs * parts; i++)
    {
      double n = f->length - nans[i / parts];
      if (f->class == GPR_CLASS_single)
        ((float *) values)[i] /= (float) n;
      else
        ((double *) values)[i] /= n;
    }
}

/* exp (s), n / s or sqrt (s) of one value, in its own precision.  */
static void
finish_number (const gpr_finishing *f, void *values, int64_t i)
{
#define FINISH(R, T, MAKE, RE, IM, EXP, CEXP, SQRT) \
  do \
    { \
      R *v = (R *) values + (f->complex ? 2 * i : i), n = (R) f->length; \
      if (! f->complex) \
        *v = f->finish == GPR_FINISH_EXP ? EXP (*v) : f->finish == GPR_FINISH_SQRT ? SQRT (*v) : n / *v; \
      else \
        { \
          T s = MAKE (v[0], v[1]), y = f->finish == GPR_FINISH_EXP ? CEXP (s) : MAKE (n, 0) / s; \
          v[0] = RE (y); \
          v[1] = IM (y); \
        } \
    } \
  while (0)
  if (f->class == GPR_CLASS_single)
    FINISH (float, float _Complex, CMPLXF, crealf, cimagf, expf, cexpf, sqrtf);
  else
    FINISH (double, double _Complex, CMPLX, creal, cimag, exp, cexp, sqrt);
#undef FINISH
}

void
gpr_finish_values (const gpr_finishing *f, void *values)
{
  for (int64_t i = 0; i < f->outputs; i++)
    switch (f->finish)
      {
      case GPR_FINISH_EXP:
      case GPR_FINISH_RECIPROCAL:
      case GPR_FINISH_SQRT:
        finish_number (f, values, i);
        break;
      case GPR_FINISH_SUMMARY:
        {
          stats *y = (stats *) values + i;
          y->squares = isfinite (y->least) && isfinite (y->most) ? gpr_spread (y->n, y->squares, 0) : gpr_make_nan ();
        }
        break;
      default:
        return;
      }
}
