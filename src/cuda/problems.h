/* The problems, each in a file of its name, on the device they are given.  */

#ifndef GPR_CUDA_PROBLEMS_H
#define GPR_CUDA_PROBLEMS_H

#include "device.h"

gpr_status gpr_cuda_reduce (gpr_cuda_state *s, gpr_reduction *r);
gpr_status gpr_cuda_share (gpr_cuda_state *s, struct gpr_share *share);
gpr_status gpr_cuda_count (gpr_cuda_state *s, gpr_counting *c);
gpr_status gpr_cuda_pair (gpr_cuda_state *s, gpr_pairing *p);
gpr_status gpr_cuda_scan (gpr_cuda_state *s, struct gpr_scanning *p);
gpr_status gpr_cuda_scatter (gpr_cuda_state *s, struct gpr_scattering *p);
gpr_status gpr_cuda_order (gpr_cuda_state *s, struct gpr_ordering *o);

#endif
