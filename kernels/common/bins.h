/* Which bin an element is counted in, for C11 and CUDA C++.  */

#ifndef GPR_BINS_H
#define GPR_BINS_H

#include "scalars.h"

typedef enum {
  GPR_BIN_EDGES,        /* k: edges[k] <= x < edges[k+1]; the last bin: x == edges[bins-1] (histc) */
  GPR_BIN_CUTS,         /* bins-1 cuts; k = number of cuts below x: x on a cut goes down (hist) */
  GPR_BIN_SPACED,       /* k = max (0, min (bins-1, ceil ((x - origin) / step)))  (hist, even centres) */
  GPR_BIN_CLOSED        /* as EDGES with bins+1 edges, the last bin closed on both sides (histogram) */
} gpr_bin_rule;

/* How many edges are given.  */
GPR_FN i64 gpr_edge_count (gpr_bin_rule rule, i64 bins)
{
  return rule == GPR_BIN_SPACED ? 0 : rule == GPR_BIN_CUTS ? bins - 1 : rule == GPR_BIN_CLOSED ? bins + 1 : bins;
}

/* The bin of x, from 0; -1: counted nowhere.  Compared and computed in T.  */
#define GPR_DEF_BIN_OF(T, CEIL) \
/* How many edges are below x, or, where equal is set, at or below it.  */ \
GPR_FN i64 gpr_edges_below_##T (const T *edges, i64 n, T x, int equal) \
{ \
  i64 k = 0; \
  while (n > 0) \
    { \
      i64 half = (n + 1) / 2; \
      T e = edges[k + half - 1]; \
      k += (equal ? e <= x : e < x) ? half : 0; \
      n -= half; \
    } \
  return k; \
} \
GPR_FN i64 gpr_bin_of_##T (gpr_bin_rule rule, i64 bins, const T *edges, T origin, T step, T x) \
{ \
  i64 count = gpr_edge_count (rule, bins), k; \
  if (x != x) \
    return -1; \
  if (rule == GPR_BIN_CUTS) \
    return gpr_edges_below_##T (edges, count, x, 0); \
  if (rule == GPR_BIN_SPACED) \
    { \
      T t = CEIL ((x - origin) / step), last = (T) (bins - 1); \
      t = t < last ? t : last; \
      k = (i64) (t > 0 ? t : 0); \
      return k < bins ? k : bins - 1;   /* last may be rounded up */ \
    } \
  k = gpr_edges_below_##T (edges, count, x, 1) - 1; \
  if (k < 0) \
    return -1; \
  if (k < count - 1) \
    return x < edges[k + 1] ? k : -1; \
  return x != edges[k] ? -1 : rule == GPR_BIN_CLOSED ? k - 1 : k; \
}
GPR_DEF_BIN_OF (f64, ceil)
GPR_DEF_BIN_OF (f32, ceilf)

#endif
