/* A reduction at work: what reduce.c and reduce_share.c have in common.  */

#ifndef GPR_CUDA_REDUCE_JOB_H
#define GPR_CUDA_REDUCE_JOB_H

#include "problems.h"
#include "reduce_plan.h"
#include "stream.h"
#include "../../kernels/engine/compiled.h"

typedef struct {
  gpr_reduction *r;
  const gpr_reduce_kernels *kernel;
  gpr_tree t;
  gpr_cuda_state *s;
  gpr_reduce_problem problem;
  gpr_reduce_device device;
  gpr_reduce_plan plan;
  void *partials, *results;
  int64_t left_parts;           /* of an output, after the box's launches */
  bool ticketed;                /* the last block of each launch of the box merges the parts */
  struct CUfunc_st *compiled;   /* of an expression (compile.h), with: */
  gpr_algorithm compiled_algorithm;
  const gpr_terms_args *terms;
  bool settles;                 /* a product, whose outputs in doubt the next kernel takes */
  bool called;                  /* the single result came by mailbox: of one launch, or of the merge of its parts */
} gpr_reduce_job;

/* A chunk begins at these outer, tile and part; its box at box_outer and
   box_tile, with that many columns and these outputs.  */
typedef struct {
  int64_t box_outer, box_tile, box_columns;
  gpr_reduce_out out;
  int64_t outer, tile, part;
  int64_t outers, tiles, parts;
} gpr_reduce_box;

/* Finds the kernels, and what the plan wants to know; the tree of a share is given.  */
gpr_status gpr_reduce_start (gpr_reduce_job *j, gpr_cuda_state *s, gpr_reduction *r, const gpr_tree *tree);
/* Brings the input of a chunk to the device where it is not, and works on it.  */
gpr_status gpr_reduce_run (gpr_reduce_job *j, gpr_cuda_slot *slot, const gpr_reduce_box *k);
void gpr_reduce_release (gpr_reduce_job *j);
/* Of r->terms: whether the instance has kernels of expressions; kernels is the job's from here on, and has none for exact sums.  Then whether the kernel
   that a launch with the chunk k wants is ready (or, if that is asked, could be), with its arguments.  */
bool gpr_reduce_takes_terms (gpr_reduce_job *j, gpr_reduce_kernels *kernels);
bool gpr_reduce_find_compiled (gpr_reduce_job *j, const gpr_reduce_chunk *k, gpr_terms_args *terms);

/* Outputs of a box lie together, the indices first; then the values, aligned
   for every type.  */
static inline size_t
gpr_reduce_index_bytes (const gpr_reduce_job *j, int64_t outputs)
{
  return j->r->index ? (outputs + 1) / 2 * 2 * sizeof (int64_t) : 0;
}

static inline size_t
gpr_reduce_results_bytes (const gpr_reduce_job *j, int64_t outputs)
{
  return gpr_reduce_index_bytes (j, outputs) + outputs * j->kernel->value_bytes;
}

/* The CPU's accumulators are not turned: neither an element alone nor, with an index, the one behind it.  */
static inline void
gpr_reduce_turn_back (const gpr_reduce_kernels *k, char *acc)
{
  char *element = acc + (k->acc_bytes > k->elem_bytes ? sizeof (int64_t) : 0);
  for (int b = 0; b < k->elem_bytes; b++)
    element[b] ^= (char) (k->turn >> 8 * b);
}

#endif
