/* Cumulative sums, products and extremes.  */

#ifndef GPR_SCAN_H
#define GPR_SCAN_H

#include "gpr.h"
#include "../../kernels/ops/scan.h"

/* y[c + inner*(r + length*o)] is the operator over rows 0 … r of x.  Sums and products are of
   floating-point elements only.  */
typedef struct gpr_scanning {
  gpr_scan_op op;
  enum gpr_elem elem;
  int64_t inner, length, outer;
  const void *x;
  bool x_resident;
  void *y;
  double *index;                /* rows of the extremes, from 1; or NULL */
  bool out_resident;            /* of y and index */
} gpr_scanning;

/* An instance of kernels/ops/scan.h at run time.  */
typedef struct {
  gpr_scan_op op;
  enum gpr_elem elem;
  int acc_bytes;
  void (*init) (void *a);
  void (*merge) (void *a, const void *b);
  int (*doubtful) (const void *a);
} gpr_scan_kind;

#define GPR_SCAN_DEFINE_KIND(id, op, T) \
  static void id##_init_at (void *a) { *(id##_a *) a = id##_init (); } \
  static void id##_merge_at (void *a, const void *b) { id##_merge (a, *(const id##_a *) b); } \
  static int id##_doubtful_at (const void *a) { return id##_doubtful (*(const id##_a *) a); }
#define GPR_SCAN_KIND(id, op, T) { GPR_SCAN_##op, GPR_##T, sizeof (id##_a), id##_init_at, id##_merge_at, id##_doubtful_at }

/* Replaces the totals of one outer index, [block][column], by what goes before each block: the
   totals of all blocks before it.  True: some are doubtful.  */
static inline bool
gpr_scan_totals (const gpr_scan_kind *kind, char *totals, int64_t l, int64_t blocks)
{
  const size_t bytes = kind->acc_bytes;
  char before[64] __attribute__ ((aligned (16))), own[64] __attribute__ ((aligned (16)));
  bool doubtful = false;

  for (int64_t c = 0; c < l; c++)
    {
      kind->init (before);
      for (int64_t b = 0; b < blocks; b++)
        {
          char *at = totals + (b * l + c) * bytes;
          __builtin_memcpy (own, at, bytes);
          __builtin_memcpy (at, before, bytes);
          kind->merge (before, own);
          doubtful |= kind->doubtful (own) || kind->doubtful (before);
        }
    }
  return doubtful;
}

#endif
