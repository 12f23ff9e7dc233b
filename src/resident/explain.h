/* What an array that waits would be computed by: gpu_explain.  */

#ifndef GPR_EXPLAIN_H
#define GPR_EXPLAIN_H

#include "resident.h"

enum { GPR_EXPLAIN_LINE = 1000 };       /* characters, with the 0; what is longer ends in "..." */

/* One reading of memory.  */
typedef struct {
  int made, reads;
  char line[GPR_MAP_STAGES + 1][GPR_EXPLAIN_LINE];      /* in Octave's notation: "r1 = mean (a, 1)", one for each array made */
  char written[GPR_MAP_STAGES + 1][GPR_EXPLAIN_LINE];   /* these arrays: "r1 double 1x1000" */
  char read[GPR_MAP_LEAVES][GPR_EXPLAIN_LINE];
  int operations, reductions;
  int64_t bytes_read, bytes_written;
  gpr_kernel kernel;
} gpr_pass;

typedef struct {
  int passes;
  gpr_pass *pass;
} gpr_explanation;

/* Nothing is computed, and nothing changed.  Of an array that is computed there are no passes.  */
gpr_status gpr_explain (gpr_resident *r, gpr_explanation *e);
void gpr_explanation_free (gpr_explanation *e);

/* ---- for explain_text.c ---- */

typedef struct {
  gpr_array *array;             /* data: where it lies, or a name that no memory has */
  gpr_array reduced;            /* of the result of a reduction: sizes of what is reduced */
  char name[16];
} gpr_explained;

/* m: the steps of one array, from `from` on to `end`.  of: of the leaves.  Returns how many operations these are.  */
int gpr_explain_steps (char *text, const gpr_mapping *m, int from, int end, const gpr_explained *const *of);
/* The reduction r of what text says, in its place.  x: sizes of that.  */
void gpr_explain_reduction (char *text, const gpr_node_reduction *r, const gpr_array *x);
void gpr_explain_array (char *text, const gpr_explained *a);

#endif
