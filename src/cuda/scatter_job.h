/* accumarray on the GPU: what is to be done with which memory.  */

#ifndef GPR_CUDA_SCATTER_JOB_H
#define GPR_CUDA_SCATTER_JOB_H

#include "problems.h"
#include "stream.h"
#include "../core/scatter.h"
#include "../../kernels/engine/scatter.h"
#include "../../kernels/engine/sort.h"

enum {
  GPR_SCATTER_FLAG_BYTES = GPR_SCATTER_FLAGS * sizeof (int),
  GPR_SCATTER_TABLE_BLOCKS = 4  /* of a multiprocessor, where their tables are not in shared memory */
};

typedef struct {
  gpr_scattering *p;
  gpr_cuda_state *s;
  enum { GPR_SCATTER_IN_TABLES, GPR_SCATTER_IN_PIECES, GPR_SCATTER_IN_ORDER } way;
  gpr_scatter_cut cut;
  int64_t elem_bytes, out_bytes;        /* of a value, of an output */
  int64_t chunk, window;                /* elements, outputs */
  int64_t first, count;                 /* the window at hand */
  bool direct;                          /* in tables: the subscripts are doubles of one column */
  bool runs;                            /* of sorted elements are found: in pieces, or counted */
  bool counted;                         /* elements of each output are counted */
  bool look;                            /* for sums that are not finite, in again */
  const unsigned char *only;            /* outputs that are asked for; or NULL: all */
  int bits;                             /* of a key */
  size_t temp_bytes;

  void *columns[GPR_SCATTER_COLUMNS], *values;          /* what is not resident, of a chunk */
  uint32_t *keys[2], *positions[2];
  uint32_t *begin, *end;                /* of each output's sorted elements */
  void *temp, *memory, *counts, *again, *sums, *part, *tables;
  void *out;                            /* the window's: memory, or the caller's */
  void *flags;                          /* GPR_SCATTER_FLAGS */
} gpr_scatter_job;

/* Sums of an output go on from chunk to chunk in the middle of a piece.  */
static inline bool
gpr_scatter_several_chunks (const gpr_scatter_job *j)
{
  return j->way == GPR_SCATTER_IN_PIECES && j->chunk < j->p->n;
}

static inline int64_t
gpr_scatter_unit (const gpr_scatter_job *j)     /* elements that a chunk is a multiple of, unless it is the last one */
{
  return j->way == GPR_SCATTER_IN_TABLES ? j->cut.group * j->cut.chunk : 1;
}

/* Memory (scatter_memory.c): bytes of a unit, the sort's own aside, and of an output.  */
int64_t gpr_scatter_unit_bytes (const gpr_scatter_job *j);
int64_t gpr_scatter_output_bytes (const gpr_scatter_job *j);
gpr_status gpr_scatter_allocate (gpr_scatter_job *j);
void gpr_scatter_release (gpr_scatter_job *j);

/* Elements to the outputs of the window, chunk after chunk (scatter_chunk.c).  */
gpr_status gpr_scatter_add_chunks (gpr_scatter_job *j);
gpr_status gpr_scatter_launch (gpr_scatter_job *j, const void *kernel, int64_t items, const void *args);

#endif
