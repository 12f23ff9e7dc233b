/* Threads near a device.  */

#ifndef GPR_CUDA_NEAR_H
#define GPR_CUDA_NEAR_H

#include "error.h"

/* Binds the calling thread, and those that it starts, to the CPUs of the device's node (from 0), where it may run
   on at least so many of them.  */
void gpr_cuda_stay_near (int device, int threads);

#endif
