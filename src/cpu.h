/* The CPU backend's inside: loops generated from the table of folds, compiled
   once for each instruction set, and the threads that run them.  */

#ifndef GPR_CPU_H
#define GPR_CPU_H

#include "gpr.h"

/* One fold's loops over W lanes of accumulators (src/cpu_fold.c).  */
typedef struct {
  void (*init) (void *acc, int64_t width);
  /* rows times: acc[j] takes x[j], x advances by step elements.  Lane j is
     row lane j / columns; its row's index is first + (j / columns), then
     + lanes a row.  */
  void (*lanes) (void *acc, const void *x, int64_t step, int64_t rows, int64_t width,
                 int64_t first, int64_t lanes, int64_t columns);
  void (*halve) (void *acc, int64_t lanes, int64_t columns);       /* leaves columns accumulators */
  void (*merge) (void *a, const void *b, int64_t width);
  int (*finish) (const void *acc, int64_t width, double divisor, void *value, int64_t *index);
  /* u contiguous outputs of n elements, one part, 1 or 8 lanes.  */
  int (*short_rows) (const void *x, int64_t n, int64_t u, int lanes, double divisor, void *value, int64_t *index);
  /* The built-in's order: one lane, nothing marked.  */
  void (*plain) (void *acc, const void *x, int64_t stride, int64_t n);
} gpr_cpu_loops;

extern const gpr_cpu_loops gpr_cpu_loops_baseline[GPR_FOLD_COUNT];
#ifdef GPR_HAVE_AVX2
extern const gpr_cpu_loops gpr_cpu_loops_avx2[GPR_FOLD_COUNT];
#endif
#ifdef GPR_HAVE_AVX512
extern const gpr_cpu_loops gpr_cpu_loops_avx512[GPR_FOLD_COUNT];
#endif

/* Which of the compiled instruction sets this processor runs; GPUREDUCE_ISA
   ("baseline", "avx2") lowers it, for tests.  */
typedef enum { GPR_ISA_BASELINE, GPR_ISA_AVX2, GPR_ISA_AVX512 } gpr_isa;
gpr_isa gpr_cpu_best_isa (void);

gpr_status gpr_cpu_count (gpr_counting *c);
gpr_status gpr_cpu_pair (gpr_pairing *p);
/* z <- conj (x) .* y, n elements of a float type.  */
void gpr_cpu_products (enum gpr_elem elem, const void *x, const void *y, void *z, int64_t n);
gpr_status gpr_cpu_scan (struct gpr_scanning *s);
gpr_status gpr_cpu_scatter (struct gpr_scattering *s);
gpr_status gpr_cpu_order (struct gpr_ordering *o);

/* After fork () the OpenMP pool of the parent is dead in the child.  */
void gpr_cpu_note_pool (void);         /* before each parallel region, and when the module is locked */

double gpr_now_ms (void);

#endif
