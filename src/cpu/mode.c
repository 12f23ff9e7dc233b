/* Modes on the CPU: columns are sorted as keys (keys.h), and the longest run is looked for.  */

#include <string.h>

#include "cpu.h"
#include "keys.h"

/* ---- sorting --------------------------------------------------------------------------- */

/* Sorts n keys by their bytes, from the last to the first, between v and room; returns the one that they
   are in at the end.  */
static u64 *
sort_keys (u64 *v, u64 *room, int64_t n, int threads)
{
  u64 varies = 0;
  int64_t counts[threads][256];

  if (n <= SHORT)               /* sorted already */
    return v;
  for (int64_t i = 1; i < n; i++)
    varies |= v[i] ^ v[0];
  for (int shift = 0; shift < 64; shift += 8)
    {
      if ((varies >> shift & 255) == 0)
        continue;
      if (gpr_interrupted ())
        break;
      memset (counts, 0, sizeof counts);
      #pragma omp parallel for num_threads (threads) schedule (static, 1) if (threads > 1)
      for (int t = 0; t < threads; t++)
        for (int64_t i = n / threads * t, end = t == threads - 1 ? n : n / threads * (t + 1); i < end; i++)
          counts[t][v[i] >> shift & 255]++;
      int64_t sum = 0;
      for (int d = 0; d < 256; d++)
        for (int t = 0; t < threads; t++)
          {
            int64_t count = counts[t][d];
            counts[t][d] = sum;
            sum += count;
          }
      #pragma omp parallel for num_threads (threads) schedule (static, 1) if (threads > 1)
      for (int t = 0; t < threads; t++)
        for (int64_t i = n / threads * t, end = t == threads - 1 ? n : n / threads * (t + 1); i < end; i++)
          room[counts[t][v[i] >> shift & 255]++] = v[i];
      u64 *other = v;
      v = room;
      room = other;
    }
  return v;
}

/* ---- modes -------------------------------------------------------------------------------- */

/* mode.m has elements in one run as long as their difference is zero; so infinities and NaN
   are runs of one.  */
#define SAME_RUN(x, y) ((x) == (y) && (x) - (x) == 0)

/* The sorted elements of a column, made from their keys.  */
#define DEFINE_MODES(T, K, B) \
static void \
restore_##T (const u64 *keys, int64_t n, T *sorted) \
{ \
  for (int64_t i = 0; i < n; i++) \
    sorted[i] = gpr_order_value_##T ((K) (keys[i] >> (64 - B))); \
} \
static void \
mode_##T (const T *sorted, int64_t n, T *value, double *frequency) \
{ \
  int64_t best = 0, from = 0; \
  for (int64_t first = 0, i = 1; i <= n; i++) \
    if (i == n || ! SAME_RUN (sorted[i], sorted[i - 1])) \
      { \
        if (i - first > best) \
          { \
            best = i - first; \
            from = first; \
          } \
        first = i; \
      } \
  *value = sorted[from]; \
  if (frequency) \
    *frequency = (double) best; \
} \
static int64_t \
modes_##T (T *sorted, int64_t n, int64_t frequency) \
{ \
  int64_t count = 0; \
  for (int64_t first = 0, i = 1; i <= n; i++) \
    if (i == n || ! SAME_RUN (sorted[i], sorted[i - 1])) \
      { \
        T v = sorted[first]; \
        if (i - first == frequency) \
          sorted[count++] = v;      /* never ahead of i */ \
        first = i; \
      } \
  return count; \
}
GPR_ORDER_TYPES (DEFINE_MODES)

/* All zeros share a key, and so do all NaN: what they were is read from the column again, in its
   order.  */
#define DEFINE_RESTORE_ORDER(T) \
static void \
restore_order_##T (const T *x, int64_t stride, int64_t n, T *sorted) \
{ \
  int64_t zero = n, nan = n, left = 0; \
  for (int64_t i = n - 1; i >= 0; i--) \
    if (sorted[i] == 0) \
      { \
        zero = i; \
        left++; \
      } \
    else if (sorted[i] != sorted[i]) \
      { \
        nan = i; \
        left++; \
      } \
  for (int64_t i = 0; left > 0; i++) \
    { \
      const T v = x[i * stride]; \
      if (v == 0 || v != v) \
        { \
          sorted[v == 0 ? zero++ : nan++] = v; \
          left--; \
        } \
    } \
}
DEFINE_RESTORE_ORDER (f64) DEFINE_RESTORE_ORDER (f32)

static void
mode_of_keys (const void *problem, u64 *keys, u64 *room, int64_t j, int threads)
{
  const gpr_ordering *o = problem;
  const int64_t at = j % o->inner + o->inner * o->length * (j / o->inner);
  u64 *ordered = sort_keys (keys, room, o->length, threads);
  void *other = ordered == keys ? room : keys;
  if (gpr_interrupted ())
    return;
  switch (o->elem)
    {
#define MODE(T, K, B) \
    case GPR_##T: \
      { \
        T *sorted = o->sorted ? (T *) o->sorted + j * o->length : other; \
        restore_##T (ordered, o->length, sorted); \
        if (o->elem == GPR_f64) \
          restore_order_f64 ((const f64 *) o->x + at, o->inner, o->length, (f64 *) sorted); \
        else if (o->elem == GPR_f32) \
          restore_order_f32 ((const f32 *) o->x + at, o->inner, o->length, (f32 *) sorted); \
        mode_##T (sorted, o->length, (T *) o->value + j, o->frequency ? &o->frequency[j] : NULL); \
      } \
      break;
    GPR_ORDER_TYPES (MODE)
#undef MODE
    default: break;
    }
}

gpr_status
gpr_cpu_order (gpr_ordering *o)
{
  const gpr_key_work work = {
    .columns = { .elem = o->elem, .inner = o->inner, .length = o->length, .outer = o->outer, .x = o->x, .merge = true },
    .sort_short = true, .room = o->length, .of_keys = mode_of_keys
  };
  return gpr_cpu_each_column (&work, o);
}

void
gpr_order_modes (const gpr_ordering *o, int64_t *counts)
{
  for (int64_t j = 0; j < o->inner * o->outer; j++)
    switch (o->elem)
      {
#define MODES(T, K, B) case GPR_##T: counts[j] = modes_##T ((T *) o->sorted + j * o->length, o->length, (int64_t) o->frequency[j]); break;
      GPR_ORDER_TYPES (MODES)
#undef MODES
      default: break;
      }
}
