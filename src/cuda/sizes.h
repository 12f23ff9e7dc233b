/* Arithmetic on sizes and counts.  */

#ifndef GPR_CUDA_SIZES_H
#define GPR_CUDA_SIZES_H

#include "../core/gpr.h"

static inline int64_t
gpr_bytes_of (enum gpr_elem elem)
{
  switch (elem)
    {
#define ELEM_BYTES(t) case GPR_##t: return sizeof (t);
    GPR_ELEMS (ELEM_BYTES)
#undef ELEM_BYTES
    default: return 0;
    }
}
static inline int64_t gpr_min64 (int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t gpr_max64 (int64_t a, int64_t b) { return a > b ? a : b; }
static inline int64_t gpr_over (int64_t a, int64_t b) { return (a + b - 1) / b; }   /* rounded up */
/* At most so many workers for n > 0 units, and each as many, or nearly.  */
static inline int64_t gpr_evenly (int64_t n, int64_t most) { return gpr_over (n, gpr_over (n, most)); }

#endif
