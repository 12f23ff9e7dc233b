/* Inside the CPU backend: columns as keys of 64 bits, the key of kernels/ops/order.h in the
   highest bits.  */

#ifndef GPR_CPU_KEYS_H
#define GPR_CPU_KEYS_H

#include "../core/order.h"

enum {
  PIECE = 1024,             /* keys made together: in L1 */
  SHORT = 32,               /* keys that are sorted by insertion */
  LONG = 1 << 17            /* elements of a column that all threads work on together */
};

static inline int64_t smaller (int64_t a, int64_t b) { return a < b ? a : b; }

/* Where column j begins.  */
static inline int64_t
first_of_column (const gpr_ordering *o, int64_t j)
{
  return j % o->inner + o->inner * o->length * (j / o->inner);
}

int gpr_cpu_key_bits (enum gpr_elem elem);      /* 0: not ordered here */

/* Keys of the elements at, at + stride, …  */
void gpr_cpu_load_keys (const gpr_ordering *o, int64_t at, int64_t stride, int64_t count, u64 *keys);

void gpr_cpu_sort_short (u64 *keys, int64_t n); /* by insertion */

/* The median of column j: of its keys, which are reordered; or from the column itself, which is long, by
   so many threads (median.c).  */
void gpr_cpu_median_of_keys (const gpr_ordering *o, u64 *keys, int64_t j);
gpr_status gpr_cpu_median_of_long (const gpr_ordering *o, int64_t j, int threads);

/* The mode of column j of its keys, which are reordered; room is for as many (mode.c).  */
void gpr_cpu_mode_of_keys (const gpr_ordering *o, u64 *keys, u64 *room, int64_t j, int threads);

#endif
