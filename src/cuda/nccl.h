/* NCCL: bytes from GPU to GPU between processes.  libnccl.so.2, 2.18 or later, found when it is wanted.  */

#ifndef GPR_CUDA_NCCL_H
#define GPR_CUDA_NCCL_H

#include "error.h"
#include "../core/links.h"

extern const struct gpr_links gpr_cuda_links;
void gpr_cuda_stop_links (int device, bool lost);       /* from 0, before its reset */

#endif
