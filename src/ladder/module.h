/* Modules of ladder variants for the GPU (kernels/ladder/module.cu): the package's
   own gpureduce_ladder.so, and those that gpu_variant_add builds.  */

#ifndef GPR_LADDER_LOAD_H
#define GPR_LADDER_LOAD_H

#include "variant.h"

/* A module's exports.  use and launch return a cudaError_t.  */
typedef struct {
  int (*count) (void);
  const ladder_variant *(*at) (int i);
  const ladder_variant *(*second_pass) (void);
  const ladder_variant *(*read_test) (void);
  const ladder_variant *(*delay) (void);
  int (*use) (int device);      /* from 0 */
  void (*reset) (int device);
  int (*launch) (const ladder_variant *v, int op, int type, int block, unsigned grid, size_t shared, void *args,
                 void *stream, int cooperative);
  int (*resident_blocks) (const ladder_variant *v, int op, int type, int block, size_t shared);   /* below 0: less an error */
} gpr_ladder_module;

/* file NULL: the package's own.  NULL with gpr_message () set where it is missing,
   does not load or is of another version.  A module stays open: a changed one
   needs a new name.  */
const gpr_ladder_module *gpr_ladder_open (const char *file);

#endif
