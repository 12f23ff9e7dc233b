/* Some parts of a reduction's tree, of memory that holds only their rows: accumulators, for who has those of the others and merges.  */

#ifndef GPR_PARTIAL_H
#define GPR_PARTIAL_H

#include "gpr.h"

typedef struct gpr_partial {
  gpr_reduction r;              /* x and y: the backend's memory, from row first_row on, or terms: the elements from there on; outer is 1, and there are no
                                   results, but of partial_results */
  gpr_tree tree;                /* of the whole array */
  int acc_bytes;                /* of an accumulator here: GPR_UNSUPPORTED where the backend has another size */
  int64_t first_row;
  int64_t first;                /* part */
  int64_t count;                /* of subtrees: the k-th is of the parts before end[k], from where the last one ended */
  const int64_t *end;
  char *accumulators;           /* host memory: gets each subtree's, of all columns, ... */
  size_t apart;                 /* ... so many bytes from the last one's */
  void *partials;               /* or NULL: memory of this or another device, for all parts of the whole array, [part][column]: these parts' go there,
                                   and are neither merged nor fetched (accumulators NULL) */
  bool *asked;                  /* not NULL: nothing begins; *asked <- whether r.terms can be done, as gpr_reduction.fused */
  void *running;                /* the backend's, from partial_begin to partial_end */
} gpr_partial;

#endif
