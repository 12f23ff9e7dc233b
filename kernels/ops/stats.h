/* All numbers of gpu_stats in one pass.  NaN elements are counted and left out.  */

#ifndef GPR_STATS_H
#define GPR_STATS_H

#include "moments.h"

/* count steps at once, of elements with indices at, at + distance, …; some number must have
   come before.  0: there is a NaN among them, or the sum became one; nothing was done.  */
GPR_FN int gpr_summary_run (summary *a, const f64 *v, int count, i64 at, i64 distance)
{
  const moments m = a->m;
  const f64 sum = a->sum;
  f64 least = a->least, most = a->most;
  int i, least_at = -1, most_at = -1;
  gpr_moments_run (&a->m, v, count);
  for (i = 0; i < count; i++)
    {
      int below = v[i] < least, above = v[i] > most;
      a->sum = a->sum + v[i];
      least = below ? v[i] : least;
      least_at = below ? i : least_at;
      most = above ? v[i] : most;
      most_at = above ? i : most_at;
    }
  if (a->sum != a->sum)
    {
      a->m = m;
      a->sum = sum;
      return 0;
    }
  a->least = least;
  a->least_at = least_at >= 0 ? at + least_at * distance : a->least_at;
  a->most = most;
  a->most_at = most_at >= 0 ? at + most_at * distance : a->most_at;
  return 1;
}

/* Everything but the moments.  */
GPR_FN void gpr_summary_merge (summary *a, summary b)
{
  int less = (b.least < a->least) | ((b.least == a->least) & (b.least_at < a->least_at));
  int more = (b.most > a->most) | ((b.most == a->most) & (b.most_at < a->most_at));
  a->sum = a->sum + b.sum;
  a->nans = a->nans + b.nans;
  a->least = less ? b.least : a->least;
  a->least_at = less ? b.least_at : a->least_at;
  a->most = more ? b.most : a->most;
  a->most_at = more ? b.most_at : a->most_at;
}

#define GPR_TRAITS_SUMMARY (GPR_OMITS_NAN | GPR_HAS_INDEX | GPR_INDEX_FIRST)      /* the index of the greatest */
#define GPR_DEF_SUMMARY(id, X, A, Y) \
  GPR_TYPES (id, X, summary, stats) \
  GPR_INIT (id, {0, 0, 0, 0}, 0, HUGE_VAL, -HUGE_VAL, 0, INT64_MAX, INT64_MAX) \
  GPR_STEP (id, \
    f64 v = x; \
    int nan = v != v, below = (v < a->least) | (a->least_at == INT64_MAX), above = (v > a->most) | (a->most_at == INT64_MAX); \
    gpr_moments_step (&a->m, v, nan); \
    a->nans = nan ? a->nans + 1 : a->nans; \
    a->sum = nan ? a->sum : a->sum + v; \
    a->least = nan | ! below ? a->least : v; \
    a->least_at = nan | ! below ? a->least_at : i; \
    a->most = nan | ! above ? a->most : v; \
    a->most_at = nan | ! above ? a->most_at : i) \
  GPR_MERGE_LED (id, \
    gpr_moments_lead (&a->m, first.m), \
    gpr_moments_joins (&a->m, &b->m), \
    gpr_moments_join (&a->m, b.m); gpr_summary_merge (a, b), \
    gpr_moments_merge (&a->m, b.m); gpr_summary_merge (a, b)) \
  GPR_FINISH (id, \
    if (a.m.n > 0) gpr_moments_center (&a.m, a.m.sum / a.m.n); \
    y->n = a.m.n; \
    y->sum = gpr_plain_f64 (a.sum); \
    y->mean = gpr_plain_f64 (a.sum / a.m.n); \
    y->squares = gpr_plain_f64 (a.m.squares); \
    y->least = a.m.n > 0 ? a.least : gpr_make_nan (); \
    y->least_at = a.m.n > 0 ? (f64) a.least_at + 1 : gpr_make_nan (); \
    y->most = a.m.n > 0 ? a.most : gpr_make_nan (); \
    y->most_at = a.m.n > 0 ? (f64) a.most_at + 1 : gpr_make_nan (); \
    y->nans = a.nans; \
    *k = a.most_at; \
    return 0)

#endif
