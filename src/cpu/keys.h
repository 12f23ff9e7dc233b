/* Inside the CPU backend: columns as keys of 64 bits, the key of kernels/ops/order.h in the
   highest bits.  */

#ifndef GPR_CPU_KEYS_H
#define GPR_CPU_KEYS_H

#include "../core/order.h"
#include "../core/select.h"

enum {
  PIECE = 1024,             /* keys made together: in L1 */
  SHORT = 32,               /* keys that are sorted without dividing them */
  LONG = 1 << 17            /* elements of a column that all threads work on together */
};

static inline int64_t smaller (int64_t a, int64_t b) { return a < b ? a : b; }

/* The columns of a problem: element r of column j is x[j % inner + inner * (r + length * (j / inner))].  merge: -0 counts
   as 0.  center: of each column, or NULL (core/select.h).  */
typedef struct {
  enum gpr_elem elem;
  int64_t inner, length, outer;
  const void *x, *center;
  bool merge;
} gpr_columns;

/* Where column j begins.  */
static inline int64_t
first_of_column (const gpr_columns *c, int64_t j)
{
  return j % c->inner + c->inner * c->length * (j / c->inner);
}

int gpr_cpu_key_bits (enum gpr_elem elem);      /* 0: not ordered here */

/* Keys of count rows of column j, from row r.  */
void gpr_cpu_load_keys (const gpr_columns *c, int64_t j, int64_t r, int64_t count, u64 *keys);
/* Of whole columns from j on, one after the other.  */
void gpr_cpu_gather_keys (const gpr_columns *c, int64_t j, int64_t columns, u64 *keys);

void gpr_cpu_sort_short (u64 *keys, int64_t n); /* by insertion */
/* Each of these columns, one after the other, by a network: no branch hangs on the keys.  */
void gpr_cpu_sort_columns (u64 *keys, int64_t length, int64_t columns);
/* The key of that rank, from 0; those of lower rank are then before it, the others behind (select.c).  */
u64 gpr_cpu_select_key (u64 *keys, int64_t n, int64_t rank);

/* Work on columns as keys: of neighbouring columns each thread gathers some and hands them over one by one; columns of LONG
   rows or more, if few, are handed over themselves, to all threads (columns.c).  */
typedef struct {
  gpr_columns columns;
  bool sort_short;              /* columns of at most SHORT keys are handed over sorted */
  int64_t room;                 /* keys that a column needs beside its own */
  void (*of_keys) (const void *problem, u64 *keys, u64 *room, int64_t j, int threads);
  gpr_status (*of_long) (const void *problem, int64_t j, int threads);          /* NULL: as keys, too */
} gpr_key_work;
gpr_status gpr_cpu_each_column (const gpr_key_work *w, const void *problem);

#endif
