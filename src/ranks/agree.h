/* Before a call of all ranks each says what it calls, with what, and how much of the array it holds: one wrong, all know.  */

#ifndef GPR_RANKS_AGREE_H
#define GPR_RANKS_AGREE_H

#include "../core/array.h"
#include "world.h"

enum { GPR_MOST_PIECES = 2 };

/* What a rank says.  */
typedef struct {
  int64_t calls;                /* that it has made so far */
  char function[64];
  int32_t failed;               /* a gpr_status: this rank's arguments are wrong, as message says */
  char message[200];
  int32_t outputs, arguments;
  int64_t link_least;           /* that GPUREDUCE_NCCL_BYTES says; 0: nothing */
  uint64_t options;             /* a hash of all arguments but the pieces, and weights */
  int64_t weights;              /* elements of an argument that may be weights of this rank's piece; 0: there is none */
  uint64_t weighed;             /* a hash of that */
  int32_t divided;              /* dimension from 1; 0: the last */
  int32_t rows;                 /* the first piece is rows of a matrix, whatever its columns are */
  int32_t pieces;
  struct { int32_t class, complex, ndims, device; int64_t dims[GPR_MAX_DIMS]; } of[GPR_MOST_PIECES];     /* device: that can be linked; 0: none */
} gpr_saying;

/* What all know then.  */
typedef struct {
  int32_t failed;               /* a gpr_status */
  char message[400];
  int32_t dim;                  /* that is divided, from 0 */
  int32_t ndims;
  int64_t dims[GPR_MAX_DIMS];   /* of the whole array */
  int32_t class[GPR_MOST_PIECES], complex[GPR_MOST_PIECES];     /* also of a rank whose piece is [] */
  int32_t weights_differ;       /* so each rank's are its own */
  uint64_t devices;             /* a hash of those that all pieces lie on; 0: some do not */
} gpr_agreed;

/* The same on every rank; *starts: where each rank's piece begins along the divided dimension, and the end (ours until the next call).
   A failure that all share is in a->failed; what is returned is one of the ranks' working together.  */
gpr_status gpr_agree (gpr_saying *own, gpr_agreed *a, const int64_t **starts);

/* How far it went on each rank, of a call that has no pieces: the first failure, its message the last one of its rank, is everybody's.  */
gpr_status gpr_agree_status (const char *function, gpr_status own);

/* What rank 0 makes of what all have said; counts gets each one's length along a->dim.  */
void gpr_compare (const gpr_saying *all, int ranks, gpr_agreed *a, int64_t *counts);

#endif
