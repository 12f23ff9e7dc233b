/* Copies from one device to another.  */

#ifndef GPR_CUDA_PEER_H
#define GPR_CUDA_PEER_H

#include "error.h"

gpr_status gpr_cuda_copy (const gpr_cuda_transfer *t, int count, int *failed);
bool gpr_cuda_reaches (int device, int other);
void gpr_cuda_forget_peers (int device);         /* from 0: its context ends */

#endif
