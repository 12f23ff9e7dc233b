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
#define QUOTIENTS(real) \
  { \
    const real origin = (real) p->low, step = (real) p->scale, last = (real) (p->slots - 2); \
    UNKNOWN (real, none, 0); \
    for (int i = 0; i < count; i++) \
      { \
        real q = ((real) v[i] - origin) / step; \
        q = q < last ? q : last; \
        place[i] = q > none ? q : none; \
      } \
  }

static void
spaced (const gpr_cpu_search *p, const double *restrict v, int count, int32_t *restrict s)
{
  const double most = (double) (p->slots - 1);          /* last may have been rounded up */
  double place[GPR_CPU_SLOTS_AT_ONCE];
  UNKNOWN (double, zero, 0);
  UNKNOWN (double, one, 1);
  UNKNOWN (double, two, 2);

  if (p->single_precision)
    QUOTIENTS (float)
  else
    QUOTIENTS (double)
  for (int i = 0; i < count; i++)
    {
      const double whole = (double) (int32_t) place[i], k = whole + (place[i] > whole ? two : one), slot = k < most ? k : most;
      place[i] = v[i] == v[i] ? slot : zero;
    }
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

/* The estimate, -0.5 below all cuts and half a cut beyond the last above all: neither is near one.  */
#define ESTIMATE(v) \
  double t = ((v) - low) * scale; \
  t = (v) >= low ? t : least; \
  t = t < most ? t : most;

static void
among_even (const gpr_cpu_search *p, const double *restrict v, int count, int32_t *restrict s)
{
  const double low = p->low, scale = p->scale, near = p->near, top = p->top, most = p->inside - 0.5, before = p->before + 1;
  const double *restrict cuts = p->cuts + p->before;
  double place[GPR_CPU_SLOTS_AT_ONCE];
  int64_t all_far = -1;
  UNKNOWN (double, least, -0.5);
  UNKNOWN (double, zero, 0);
  UNKNOWN (double, one, 1);

  for (int i = 0; i < count; i++)
    {
      ESTIMATE (v[i])
      const double k = nearest (t), slot = k + before - (k > t ? one : zero);
      const union { double x; int64_t bits; } beyond = { near - fabs (t - k) };
      all_far &= beyond.bits;   /* its sign */
      place[i] = v[i] <= top ? slot : zero;
    }
  if (all_far >= 0)             /* some are near: each is compared with the cut that it may be at */
    for (int i = 0; i < count; i++)
      {
        ESTIMATE (v[i])
        const double k = nearest (t), slot = k + before - (v[i] >= cuts[(int32_t) k] ? zero : one);
        place[i] = v[i] <= top ? slot : zero;
      }
  const double above = p->before + p->inside + p->after;
  for (int i = 0; i < count && p->after > 0; i++)
    place[i] = v[i] == INFINITY && v[i] <= top ? above : place[i];
  narrow (place, count, s);
}

#define LOAD(t) \
  case GPR_##t: \
    for (int i = 0; i < count; i++) \
      v[i] = (double) ((const t *) x)[i]; \
    break;

/* As doubles, which have been rounded to single precision where the rule asks for it.  */
static void
load (enum gpr_elem elem, bool single_precision, const void *restrict x, int count, double *restrict v)
{
  switch (elem)
    {
    LOAD (f64) LOAD (f32) LOAD (i8) LOAD (u8) LOAD (i16) LOAD (u16) LOAD (i32) LOAD (u32) LOAD (i64) LOAD (u64)
    default: break;
    }
  if (single_precision && elem != GPR_f32)
    for (int i = 0; i < count; i++)
      v[i] = (float) v[i];
}

void
GPR_PASTE (gpr_cpu_slots_, GPR_ISA) (const gpr_cpu_search *p, enum gpr_elem elem, const void *x, int count, int32_t *s)
{
  static void (*const by[]) (const gpr_cpu_search *, const double *, int, int32_t *) = { spaced, among_buckets, among_even };
  const bool as_it_is = elem == GPR_f64 && ! p->single_precision;
  double v[GPR_CPU_SLOTS_AT_ONCE];

  if (! as_it_is)
    load (elem, p->single_precision, x, count, v);
  by[p->how] (p, as_it_is ? x : v, count, s);
}
