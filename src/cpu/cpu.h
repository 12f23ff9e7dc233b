/* The CPU backend's inside: loops generated from the table of reductions, compiled
   once for each instruction set, and the threads that run them.  */

#ifndef GPR_CPU_H
#define GPR_CPU_H

#include "../core/gpr.h"

/* One reduction's loops over W lanes of accumulators (src/cpu_instance.c).  */
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

extern const gpr_cpu_loops gpr_cpu_loops_baseline[GPR_INSTANCE_COUNT];
#ifdef GPR_HAVE_AVX2
extern const gpr_cpu_loops gpr_cpu_loops_avx2[GPR_INSTANCE_COUNT];
#endif
#ifdef GPR_HAVE_AVX512
extern const gpr_cpu_loops gpr_cpu_loops_avx512[GPR_INSTANCE_COUNT];
#endif

/* Other loops (src/cpu_vector.c).  */
typedef struct {
  /* z <- conj (x) .* y, n elements of a float type; a NaN is any NaN.  */
  void (*products) (enum gpr_elem elem, const void *x, const void *y, void *z, int64_t n);
  /* key <- subscripts less 1; false: one is not a whole number from 1 to size, which
     is at most INT32_MAX.  */
  bool (*keys) (enum gpr_elem elem, const void *x, int count, int64_t size, uint32_t *key);
  /* The largest subscript; 0: one is below 1, or the largest not allowed.  */
  int64_t (*largest) (enum gpr_elem elem, const void *x, int count, int64_t size);
  /* Of count places, those whose key lacks the bit go to low, the others to high, in
     their order; returns how many are low.  from NULL: places 0, 1, …; low may be from.
     Writes up to count places to either.  */
  int (*split) (const uint32_t *key, const uint16_t *from, int count, uint32_t bit, uint16_t *low, uint16_t *high);
} gpr_cpu_vector;

extern const gpr_cpu_vector gpr_cpu_vector_baseline;
#ifdef GPR_HAVE_AVX2
extern const gpr_cpu_vector gpr_cpu_vector_avx2;
#endif
#ifdef GPR_HAVE_AVX512
extern const gpr_cpu_vector gpr_cpu_vector_avx512;
#endif

/* Which of the compiled instruction sets this processor runs; GPUREDUCE_ISA
   ("baseline", "avx2") lowers it, for tests.  */
typedef enum { GPR_ISA_BASELINE, GPR_ISA_AVX2, GPR_ISA_AVX512 } gpr_isa;
gpr_isa gpr_cpu_best_isa (void);
const gpr_cpu_vector *gpr_cpu_vectors (void);

gpr_status gpr_cpu_count (gpr_counting *c);
gpr_status gpr_cpu_pair (gpr_pairing *p);
gpr_status gpr_cpu_scan (struct gpr_scanning *s);
gpr_status gpr_cpu_scatter (struct gpr_scattering *s);
gpr_status gpr_cpu_order (struct gpr_ordering *o);

/* After fork () the OpenMP pool of the parent is dead in the child.  */
void gpr_cpu_note_pool (void);         /* before each parallel region, and when the module is locked */

double gpr_now_ms (void);

#endif
