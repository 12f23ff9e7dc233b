/* The CUDA backend, opened on first use.  */

#ifndef GPR_CUDA_MODULE_H
#define GPR_CUDA_MODULE_H

#include "../cuda/cuda.h"

/* NULL with gpr_message () set where gpureduce_cuda.so is missing, cannot be opened, or
   this is a forked child of a process that used it.  */
const gpr_cuda_api *gpr_cuda (void);
void gpr_cuda_end (void);       /* the process ends: so does what compiles */

#endif
