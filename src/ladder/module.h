/* Modules of ladder variants for the GPU (kernels/ladder/module.cu): the package's
   own gpureduce_ladder.so, and those that gpu_variant_add builds.  */

#ifndef GPR_LADDER_LOAD_H
#define GPR_LADDER_LOAD_H

#include "../core/variant_run.h"

/* file NULL: the package's own.  NULL with gpr_message () set where it is missing,
   does not load or is of another version.  A module stays open: a changed one
   needs a new name.  */
const gpr_ladder_module *gpr_ladder_open (const char *file);

#endif
