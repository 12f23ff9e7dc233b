/* What there is: the driver and the GPUs, asked without making a context.  */

#ifndef GPR_CUDA_PROBE_H
#define GPR_CUDA_PROBE_H

#include "error.h"

void gpr_cuda_probe_driver (gpr_cuda_probe *p);
/* Whether there is a GPU of that number, from 1.  */
gpr_status gpr_cuda_check_number (int number);
/* All but the free memory, which is -1.  Read once and kept, since a lost device
   answers no questions.  */
gpr_status gpr_cuda_properties (int number, gpr_device *d);

#endif
