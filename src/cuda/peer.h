/* Copies from one device to another.  */

#ifndef GPR_CUDA_PEER_H
#define GPR_CUDA_PEER_H

#include "error.h"

/* Devices from 1; also one and the same.  */
gpr_status gpr_cuda_copy (int to_device, void *to, int from_device, const void *from, size_t bytes);
bool gpr_cuda_reaches (int device, int other);
void gpr_cuda_forget_peers (int device);         /* from 0: its context ends */

#endif
