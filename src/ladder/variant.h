/* One run of a ladder variant (kernels/ladder), on a GPU or in the simulator.  */

#ifndef GPR_VARIANT_H
#define GPR_VARIANT_H

#include "../core/gpr.h"
#include "../../kernels/ladder/variant.h"

typedef struct {
  const char *name;             /* of the variant */
  const char *module;           /* the file it is in; NULL: the package's own */
  int op, type;                 /* LADDER_SUM, …; LADDER_DOUBLE, … */
  int finish, block;            /* LADDER_TWO_PASS, …; threads a block; below 0: the variant's own */
  int64_t n;
  const void *x;                /* contiguous */
  bool x_resident;              /* on the GPU in use (never for the simulator) */

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
     frames also every access and value.  force lifts the limit of 2^24 elements.  */
  const char *report;
  bool frames, force;
  double seconds;               /* most; 0: no limit */
} gpr_variant_run;

/* The variant of that name, the package's or one that a user added.  */
gpr_status gpr_variant_go (gpr_variant_run *r, bool simulated);
/* aliases as a descriptor has them; files of its modules, compiled "": for the
   simulator only.  Takes the place of one of the same name.  */
gpr_status gpr_variant_add (const char *name, const char *aliases, const char *simulated, const char *compiled);

/* real, but for this one reduction, which the variant runs.  One at a time.  x_resident
   only with l = 1; results in host memory.  */
typedef struct {
  const char *name;
  int finish, block;            /* below 0: the variant's own */
  bool simulated, force;
  enum gpr_instance instance;
  const gpr_backend *real;
} gpr_variant_call;
const gpr_backend *gpr_variant_backend (const gpr_variant_call *c);

/* The simulator, a process of its own (src/sim.c): a fault of the kernel is
   GPR_BAD_INPUT with a message naming kind, kernel, file, line, thread, address.  */
gpr_status gpr_sim_run (gpr_variant_run *r);

#endif
