/* One run of a ladder variant (kernels/ladder), and the module that has its kernels: what
   src/ladder hands to the CUDA backend and to the simulator.  */

#ifndef GPR_VARIANT_RUN_H
#define GPR_VARIANT_RUN_H

#include "gpr.h"

struct ladder_variant;          /* kernels/ladder/variant.h */

typedef struct {
  const char *name;             /* of the variant */
  const char *module;           /* the file it is in; NULL: the package's own */
  int op, type;                 /* LADDER_SUM, …; LADDER_DOUBLE, … */
  int finish, block;            /* LADDER_TWO_PASS, …; threads a block; below 0: the variant's own */
  int64_t n;
  const void *x;                /* contiguous */
  bool x_resident;              /* on the GPU in use (never for the simulator) */
  bool unmapped;                /* reduce x itself, also by a variant that maps it */

  /* Results, in host memory.  */
  void *value;                  /* one of the type: reductions and the arg family */
  int64_t *index;               /* 0-based; the arg family */
  unsigned long long *counts;   /* histograms: bins of them */
  int bins;
  const double *edges;          /* bins + 1 */

  /* GPU: repeats > 0 times the variant so often, warm; milliseconds of the kernels
     alone, and from host memory to the result where x is not resident.  */
  int repeats;
  double *kernel_ms, *total_ms; /* repeats of each, or NULL */

  /* Simulator: a report as JSON in this file (kernels/sim/README.md), or NULL; with
     frames also every access and value, or of totals alone.  force lifts the limit of 2^24 elements.  */
  const char *report;
  bool frames, totals, force;
  /* Simulator: the seed of its order of threads, 0: 1; the folder of a submission's module, to which its process is
     confined (kernels/sim/confine.cpp), NULL: it is not; anyway: also where the system cannot do all of that.  */
  unsigned seed;
  const char *confined;
  bool anyway;
  double seconds;               /* of a run, most; 0: what any kernel of so many elements is done in; INFINITY: no limit */
} gpr_variant_run;

/* A module's exports.  use and launch return a cudaError_t.  */
typedef struct {
  int (*count) (void);
  const struct ladder_variant *(*at) (int i);
  const struct ladder_variant *(*second_pass) (void);
  const struct ladder_variant *(*read_test) (void);
  const struct ladder_variant *(*delay) (void);
  int (*use) (int device);      /* from 0 */
  void (*reset) (int device);
  int (*launch) (const struct ladder_variant *v, int op, int type, int block, unsigned grid, size_t shared, void *args,
                 void *stream, int cooperative);
  int (*resident_blocks) (const struct ladder_variant *v, int op, int type, int block, size_t shared);   /* below 0: less an error */
} gpr_ladder_module;

#endif
