/* Ladder variants: one run, on a GPU or in the simulator; a backend of them.  */

#ifndef GPR_VARIANT_H
#define GPR_VARIANT_H

#include "../core/variant_run.h"
#include "../../kernels/ladder/variant.h"

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
  double seconds;               /* as in gpr_variant_run */
  enum gpr_instance instance;
  const gpr_backend *real;
} gpr_variant_call;
const gpr_backend *gpr_variant_backend (const gpr_variant_call *c);

/* The simulator, a process of its own (simulator.c): a fault of the kernel is
   GPR_BAD_INPUT with a message naming kind, kernel, file, line, thread, address.  */
gpr_status gpr_sim_run (gpr_variant_run *r);
/* What kernels have printed since it was last asked for: lines that name thread and block, the last says how
   many more there were; NULL: nothing.  For free.  */
char *gpr_sim_printed (void);

#endif
