/* Kernels that NVRTC compiles at run time, beside what goes on, and their launches.  */

#ifndef GPR_CUDA_COMPILE_H
#define GPR_CUDA_COMPILE_H

#include "device.h"
#include "source.h"

/* A mapping as kernels are told of it (map.c).  */
void gpr_cuda_plan_map (gpr_map_args *a, const struct gpr_mapping *m);
void gpr_cuda_plan_quotient (int64_t d, uint32_t *magic, uint32_t *shift);

/* Whether an expression of so many elements is worth it.  */
static inline bool gpr_cuda_compiles (const gpr_cuda_state *s, int64_t count) { return count >= (int64_t) 2 * s->multiprocessors * GPR_MAP_THREADS * GPR_MAP_EACH_DOUBLE; }
/* The kernel of an expression, for gpr_cuda_launch_compiled; NULL: not yet, or it is not to be had.  The first to ask has it compiled.  */
typedef struct CUfunc_st gpr_cuda_function;
gpr_cuda_function *gpr_cuda_compiled (const gpr_cuda_state *s, const gpr_source_key *key);
/* The same of so many elements: of few, where only what is computed again and again is worth it, the first to ask for the thirtieth time has it compiled.  */
gpr_cuda_function *gpr_cuda_compiled_for (const gpr_cuda_state *s, const gpr_source_key *key, int64_t elements);
/* Whether anything is compiled at all: it is wanted, and there is a thread for it.  */
bool gpr_cuda_can_compile (void);
/* Only what there is of it: nobody has it compiled by that.  Of few elements none is wanted yet.  */
gpr_kernel gpr_cuda_compiled_state (const gpr_cuda_state *s, const gpr_source_key *key, int64_t elements);
gpr_status gpr_cuda_launch_compiled (gpr_cuda_state *s, gpr_cuda_function *kernel, int64_t blocks, int threads, int shared, const void *args);
/* Of it, on a multiprocessor at once.  */
int gpr_cuda_compiled_blocks (gpr_cuda_function *kernel, int threads, int shared);
/* Lets it have so many bytes of shared memory; false: it cannot.  */
bool gpr_cuda_compiled_shares (gpr_cuda_function *kernel, int shared);

void gpr_cuda_compile_report (gpr_cuda_compiling *report);
/* The process ends: NVRTC must have ended before, or its threads find their own memory gone.  */
void gpr_cuda_compile_end (void);
/* Until nothing waits to be compiled; false: interrupted.  */
bool gpr_cuda_compile_wait (void);
/* Forgets all kernels, of memory; and of disk.  */
void gpr_cuda_compile_forget (void);
void gpr_cuda_compile_clear (void);
/* Before the reset of a device, from 0.  */
void gpr_cuda_close_compiled (int device, bool lost);

#endif
