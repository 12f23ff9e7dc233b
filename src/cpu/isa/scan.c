/* Each operator's loops for each class of kernels/ops/scan.h, and the table of them.  */

#include "loops.h"
#include "scan_extremes.h"

/* The classes that this instruction set is asked for: isa_for in ../threads.c.  */
#if defined GPR_PRODUCTS_ONLY
#define SUMS(F) GPR_SCAN_COMPLEX_ (F, cumsum, cumsum) GPR_SCAN_COMPLEX_ (F, cumprod, cumprod)
#define EXTREMES(F) GPR_SCAN_COMPLEX_ (F, cummax, cummax) GPR_SCAN_COMPLEX_ (F, cummin, cummin)
#elif defined GPR_AVX2_FOR_PRODUCTS
#define SUMS GPR_SCAN_REAL_SUMS
#define EXTREMES(F) GPR_SCAN_REAL_ (F, cummax, cummax) GPR_SCAN_REAL_ (F, cummin, cummin)
#else
#define SUMS GPR_SCAN_SUMS
#define EXTREMES GPR_SCAN_EXTREMES
#endif

SUMS (GPR_SCAN_DEFINE_FOLD)
SUMS (GPR_SCAN_DEFINE_SURELY)
SUMS (GPR_SCAN_DEFINE_ZEROS)
SUMS (GPR_SCAN_DEFINE_SEGMENTS)
SUMS (GPR_SCAN_DEFINE_WALK)
SUMS (GPR_SCAN_DEFINE_LINE)
SUMS (GPR_SCAN_DEFINE_BAND)
SUMS (GPR_SCAN_DEFINE_ROWS)
SUMS (GPR_SCAN_DEFINE_DOWN)
EXTREMES (GPR_SCAN_DEFINE_EXTREME_SEGMENTS)
EXTREMES (GPR_SCAN_DEFINE_EXTREME_ROWS)
SUMS (GPR_SCAN_DEFINE_GO_ON)
EXTREMES (GPR_SCAN_DEFINE_PUT_BEHIND)

#define DEFINE_MERGE(id, op, T) static void id##_merge_at (void *a, const void *b) { id##_merge (a, *(const id##_a *) b); }
SUMS (DEFINE_MERGE) EXTREMES (DEFINE_MERGE)
#define ROW(id, op, T, ...) { GPR_SCAN_##op, GPR_##T, sizeof (id##_a), id##_STEPS, id##_walk, id##_segments, id##_rows, id##_down, id##_merge_at, __VA_ARGS__ },
#define OF_SUMS(id, op, T) ROW (id, op, T, id##_REAL_PRODUCT ? id##_are_zero : NULL)
#define OF_EXTREMES(id, op, T) ROW (id, op, T, NULL)
static const gpr_cpu_scan_kind kinds[] = { SUMS (OF_SUMS) EXTREMES (OF_EXTREMES) };
#define SUM_ROW(id, op, T) { GPR_SCAN_##op, GPR_##T, { sizeof (id##_a), id##_STEPS, id##_merge_at, .go_on = id##_go_on } },
#define EXTREME_ROW(id, op, T) { GPR_SCAN_##op, GPR_##T, { sizeof (id##_a), id##_STEPS, id##_merge_at, .last = id##_last, .put_behind = id##_put_behind } },
static const struct { gpr_scan_op op; enum gpr_elem elem; gpr_scan_parts parts; } pieces[]
  = { SUMS (SUM_ROW) EXTREMES (EXTREME_ROW) };

static const gpr_cpu_scan_kind *
kind (gpr_scan_op op, enum gpr_elem elem)
{
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    if (kinds[k].op == op && kinds[k].elem == elem)
      return &kinds[k];
  return NULL;
}

static const gpr_scan_parts *
parts (gpr_scan_op op, enum gpr_elem elem)
{
  for (size_t k = 0; k < sizeof pieces / sizeof *pieces; k++)
    if (pieces[k].op == op && pieces[k].elem == elem)
      return &pieces[k].parts;
  return NULL;
}

#ifdef GPR_PRODUCTS_ONLY
static const gpr_cpu_scan_range *
range (gpr_scan_op op, enum gpr_elem elem)
{
  (void) op, (void) elem;
  return NULL;
}
#else
GPR_SCAN_DEFINE_RANGE (cumprod_f64, f64, DBL_MIN, 1022)
GPR_SCAN_DEFINE_RANGE (cumprod_f32, f32, FLT_MIN, 126)

static const gpr_cpu_scan_range *
range (gpr_scan_op op, enum gpr_elem elem)
{
  return op != GPR_SCAN_cumprod ? NULL : elem == GPR_f64 ? &cumprod_f64_range : elem == GPR_f32 ? &cumprod_f32_range : NULL;
}
#endif

const gpr_cpu_scans GPR_PASTE (gpr_cpu_scans_, GPR_ISA) = { kind, parts, range };
