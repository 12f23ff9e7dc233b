/* The sorts of sort.cu.  Each returns a cudaError_t; stream is a cudaStream_t; temp NULL: sets *temp_bytes only.  */

#ifndef GPR_SORT_H
#define GPR_SORT_H

#include "engine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sorts count pairs of a key (of 4 or 8 bytes, so many bits) and a position by key, equal
   keys as they come.  Pairs lie in keys[*at], positions[*at], and then in the new *at.  */
int gpr_engine_sort (int key_bytes, int key_bits, void *const keys[2], uint32_t *const positions[2], int *at, int64_t count,
                     void *temp, size_t *temp_bytes, void *stream);

/* Sorts each of the columns of n elements of 4 or 8 bytes, less than 2^31 in all.  Of floating-point elements NaN come
   first and last, and -0 and 0 are equal; negative integers come last, for the sake of fewer kernels.  at_once: by one
   call of CUB, a block a column.  */
int gpr_engine_sort_columns (enum gpr_elem elem, bool at_once, const void *from, void *to, int64_t columns, int64_t n, void *temp,
                             size_t *temp_bytes, void *stream);

#ifdef __cplusplus
}
#endif
#endif
