/* Where numbers belong among cuts (../slots.h).  */

#include <math.h>

#include "loops.h"
#include "../slots.h"

/* A number that the compiler does not know: of known ones it makes branches, and then no vectors.  */
#define UNKNOWN(type, name, value) type name = value; __asm__ ("" : "+m" (name))

/* Places in doubles first: a loop that narrows them besides is not vectorised everywhere.  */
static void
narrow (const double *restrict place, int count, int32_t *restrict s)
{
  for (int i = 0; i < count; i++)
    s[i] = (int32_t) place[i];
}

/* max (0, min (bins-1, ceil ((x - origin) / step))), where min ignores NaN.  */
#define SPACED(real) \
  { \
    UNKNOWN (real, zero, 0); \
    const real origin = (real) p->low, step = (real) p->scale, last = (real) (p->slots - 2); \
    for (int i = 0; i < count; i++) \
      { \
        real q = ((real) v[i] - origin) / step; \
        q = q < last ? q : last; \
        q = q > zero ? q : zero; \
        const real whole = (real) (int32_t) q; \
        double k = (double) whole + (q > whole ? 2 : 1); \
        k = k < most ? k : most;        /* last may have been rounded up */ \
        place[i] = v[i] == v[i] ? k : 0; \
      } \
  }

static void
spaced (const gpr_cpu_search *p, const double *restrict v, int count, int32_t *restrict s)
{
  const double most = (double) (p->slots - 1);
  double place[GPR_CPU_SLOTS_AT_ONCE];
  if (p->single_precision)
    SPACED (float)
  else
    SPACED (double)
  narrow (place, count, s);
}

static void
among_buckets (const gpr_cpu_search *p, const double *restrict v, int count, int32_t *restrict s)
{
  const double *restrict cuts = p->cuts;
  const int32_t *restrict start = p->start;

  for (int i = 0; i < count; i++)
    s[i] = start[gpr_cpu_bucket_of (p, v[i])];
  for (int width = p->width; width > 0; width /= 2)
    for (int i = 0; i < count; i++)
      s[i] += v[i] >= cuts[s[i] + width - 1] ? width : 0;
  for (int i = 0; i < count; i++)
    s[i] = v[i] <= p->top ? s[i] : 0;
}

/* Of the estimate t: the whole number nearest to it, of those below 2^51.  */
static inline double
nearest (double t)
{
  const double whole = 0x1.8p52;
  return (t + whole) - whole;
}

/* Below all cuts t is -0.5, and above all half a cut beyond the last: neither is near one.  */
static void
among_even (const gpr_cpu_search *p, const double *restrict v, int count, int32_t *restrict s)
{
  const double low = p->low, scale = p->scale, near = p->near, top = p->top, most = p->inside - 0.5, before = p->before + 1;
  double place[GPR_CPU_SLOTS_AT_ONCE];
  int64_t all_far = -1;
  UNKNOWN (double, least, -0.5);
  UNKNOWN (double, zero, 0);
  UNKNOWN (double, one, 1);

  for (int i = 0; i < count; i++)
    {
      double t = (v[i] - low) * scale;
      t = t > least ? t : least;
      t = t < most ? t : most;
      const double k = nearest (t), slot = k + before - (k > t ? one : zero);
      const union { double x; int64_t bits; } beyond = { near - fabs (t - k) };
      all_far &= beyond.bits;   /* its sign */
      place[i] = v[i] <= top ? slot : zero;
    }
  narrow (place, count, s);
  for (int i = 0; i < count && all_far >= 0; i++)
    {
      const double t = (v[i] - low) * scale, k = nearest (t);
      if (k >= 0 && k < p->inside && v[i] <= top)
        s[i] = p->before + (int32_t) k + (v[i] >= p->cuts[p->before + (int32_t) k]);
    }
}

void
GPR_PASTE (gpr_cpu_slots_, GPR_ISA) (const gpr_cpu_search *p, const double *v, int count, int32_t *s)
{
  static void (*const by[]) (const gpr_cpu_search *, const double *, int, int32_t *) = { spaced, among_buckets, among_even };
  by[p->how] (p, v, count, s);
}
