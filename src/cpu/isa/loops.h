/* What is compiled once for each instruction set: every .c file of this folder, with
   -DGPR_ISA=baseline, avx2 or avx512.  Lanes are independent, so the compiler's vectoriser
   does the rest.  */

#ifndef GPR_LOOPS_H
#define GPR_LOOPS_H

#include "../../core/gpr.h"
#include "../../../kernels/ops/map.h"

enum { GPR_CPU_SHORT = 128 };   /* rows of columns with 8 lanes, of accumulators up to 16 bytes */

/* Of one instance: loops over width lanes of accumulators (reduce.h).  */
typedef struct {
  void (*init) (void *acc, int64_t width);
  /* rows times: acc[j] takes x[j], and x advances by step elements.  Lane j is
     row lane j / columns; the index of its row is first + j / columns, and goes up by
     lanes from row to row.  */
  void (*lanes) (void *acc, const void *x, int64_t step, int64_t rows, int64_t width,
                 int64_t first, int64_t lanes, int64_t columns);
  void (*halve) (void *acc, int64_t lanes, int64_t columns);       /* leaves columns accumulators */
  void (*merge) (void *a, const void *b, int64_t width);
  int (*finish) (const void *acc, int64_t width, double divisor, void *value, int64_t *index);
  /* u contiguous outputs of n elements each, of one part and 1 or 8 lanes.  Or, of more than GPR_CPU_SHORT elements: puts the
     results of the first outputs that few elements decide, and returns how many those are.  */
  int (*short_rows) (const void *x, int64_t n, int64_t u, int lanes, double divisor, void *value, int64_t *index);
} gpr_cpu_loops;

/* Of real numbers, the first that is greatest or least (index.c); NULL of other instances.  */
typedef struct {
  /* As above, of lanes that have taken nothing yet; rows is above 0, width at most 512.  */
  void (*lanes) (void *acc, const void *x, int64_t step, int64_t rows, int64_t width,
                 int64_t first, int64_t lanes, int64_t columns);
  /* u contiguous outputs of n elements each, GPR_CPU_SHORT at most.  */
  void (*short_rows) (const void *x, int64_t n, int64_t u, void *value, int64_t *index);
} gpr_cpu_index;

/* s <- the slots of so many real numbers (slots.c).  */
struct gpr_cpu_search;
typedef void gpr_cpu_slots (const struct gpr_cpu_search *p, enum gpr_elem elem, const void *x, int count, int32_t *s);

/* Other loops (vector.c).  */
typedef struct {
  /* z <- conj (x) .* y, n elements of a floating-point type; a NaN is any NaN.  */
  void (*products) (enum gpr_elem elem, const void *x, const void *y, void *z, int64_t n);
  /* sums <- sums + x, n real numbers.  */
  void (*add_f64) (f64 *sums, const f64 *x, int64_t n);
  void (*add_f32) (f32 *sums, const f32 *x, int64_t n);
  /* key <- subscripts less 1; false: one is not a whole number from 1 to size, which
     is at most INT32_MAX.  */
  bool (*keys) (enum gpr_elem elem, const void *x, int count, int64_t size, uint32_t *key);
  /* The largest subscript; 0: one is below 1, or the largest is above size or not whole.  */
  int64_t (*largest) (enum gpr_elem elem, const void *x, int count, int64_t size);
  /* Deals count positions into those whose key lacks the bit (low) and those whose key has it
     (high), both in their order; returns how many are low.  from has the positions, NULL: 0, 1, …;
     low may be from.  Writes up to count positions to either.  */
  int (*split) (const uint32_t *key, const uint16_t *from, int count, uint32_t bit, uint16_t *low, uint16_t *high);
  const struct gpr_cpu_expansions *expansions;
  const gpr_cpu_index *index;   /* of each instance */
  const struct gpr_cpu_random *random;
  gpr_cpu_slots *slots;
} gpr_cpu_vector;

/* Exact sums (exact.c).  n is a multiple of 8, at most GPR_CPU_LANES.  */
enum { GPR_CPU_LANES = 256 };
/* x[i] was not added to lane + i.  */
typedef void gpr_cpu_spill (void *context, int lane, const double *x, int count);
typedef struct gpr_cpu_expansions {
  /* Add x[j + row*stride] of all rows to the expansion of lane j, whose doubles, two or three, are
     a[j + GPR_CPU_LANES*level].  What does not fit goes to the spill.  */
  void (*add_f64_2) (double *a, const double *x, int64_t stride, int64_t rows, int n, gpr_cpu_spill *spill, void *context);
  void (*add_f64_3) (double *a, const double *x, int64_t stride, int64_t rows, int n, gpr_cpu_spill *spill, void *context);
  void (*add_f32_2) (double *a, const float *x, int64_t stride, int64_t rows, int n, gpr_cpu_spill *spill, void *context);
  /* p[j] + e[j] is x[j] * y[j]; false: some are too large or too small for that.  n: any multiple of 8.  */
  bool (*multiply) (const double *x, const double *y, double *p, double *e, int n);
} gpr_cpu_expansions;

/* Elementwise expressions (map.c).  z <- x op y, n elements of double or single, strides 0 or 1; of one operand y is not looked at.  Where
   both strides are 0, n is 1.  z may be x or y.  Not 0: some element left the reals.  */
typedef int gpr_cpu_map_step (const void *x, int xs, const void *y, int ys, void *z, int n);
typedef void gpr_cpu_map_move (const void *x, int64_t stride, void *z, int n);
typedef struct {
  gpr_cpu_map_step *const (*step)[2], *const *power;            /* in double, in single */
  gpr_cpu_map_move *const (*load)[2];   /* of an element type as double, as single */
  gpr_cpu_map_move *const (*store)[2];  /* the other way; stride 0 or 1 */
  gpr_cpu_map_move *const (*cast)[2];   /* the same of values that the element type, an integer, has */
} gpr_cpu_map_loops;

/* Random numbers (random.c).  words: of a multiple of 8 blocks of the stream, in order.  numbers: uniform, normal, exponential; double from
   as many words of 64 bits, single from words of 32.  */
typedef struct gpr_cpu_random {
  void (*words) (u64 seed, u64 first, int blocks, u64 *out);
  void (*numbers[3][2]) (const void *words, void *z, int n);
} gpr_cpu_random;

/* Cumulative functions (../scan_tile.h).  */
typedef struct gpr_cpu_scans gpr_cpu_scans;

extern const gpr_cpu_loops *const gpr_cpu_loops_baseline[GPR_INSTANCE_COUNT];
extern const gpr_cpu_vector gpr_cpu_vector_baseline;
extern const gpr_cpu_map_loops gpr_cpu_map_loops_baseline;
extern const gpr_cpu_expansions gpr_cpu_expansions_baseline;
extern const gpr_cpu_random gpr_cpu_random_baseline;
extern gpr_cpu_slots gpr_cpu_slots_baseline;
extern const gpr_cpu_scans gpr_cpu_scans_baseline;
extern const gpr_cpu_index gpr_cpu_index_baseline[GPR_INSTANCE_COUNT];
#ifdef GPR_HAVE_AVX2
extern const gpr_cpu_loops *const gpr_cpu_loops_avx2[GPR_INSTANCE_COUNT];
extern const gpr_cpu_vector gpr_cpu_vector_avx2;
extern const gpr_cpu_map_loops gpr_cpu_map_loops_avx2;
extern const gpr_cpu_expansions gpr_cpu_expansions_avx2;
extern const gpr_cpu_random gpr_cpu_random_avx2;
extern gpr_cpu_slots gpr_cpu_slots_avx2;
extern const gpr_cpu_scans gpr_cpu_scans_avx2;
extern const gpr_cpu_index gpr_cpu_index_avx2[GPR_INSTANCE_COUNT];
#endif
#ifdef GPR_HAVE_AVX512
extern const gpr_cpu_loops *const gpr_cpu_loops_avx512[GPR_INSTANCE_COUNT];
extern const gpr_cpu_vector gpr_cpu_vector_avx512;
extern const gpr_cpu_map_loops gpr_cpu_map_loops_avx512;
extern const gpr_cpu_expansions gpr_cpu_expansions_avx512;
extern const gpr_cpu_random gpr_cpu_random_avx512;
extern gpr_cpu_slots gpr_cpu_slots_avx512;
extern const gpr_cpu_scans gpr_cpu_scans_avx512;
extern const gpr_cpu_index gpr_cpu_index_avx512[GPR_INSTANCE_COUNT];
#endif

/* The names of this compilation's tables, and of one instance's loops.  */
#ifndef GPR_ISA
#define GPR_ISA baseline
#endif
#define GPR_PASTE_(a, b) a##b
#define GPR_PASTE(a, b) GPR_PASTE_ (a, b)
#define GPR_LOOPS_OF(id) GPR_PASTE (gpr_cpu_loops_##id##_, GPR_ISA)

/* Has a loop of lanes vectorised, which the compiler would otherwise unroll first.  */
#ifdef _OPENMP
#define GPR_OMP_TEXT(what) _Pragma (#what)
#define GPR_SIMD _Pragma ("omp simd")
#define GPR_SIMD_OR(word) GPR_OMP_TEXT (omp simd reduction (| : word))
#else
#define GPR_SIMD
#define GPR_SIMD_OR(word)
#endif

#endif
