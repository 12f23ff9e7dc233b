/* Calls with "comm": arguments that are this rank's pieces of arrays divided over ranks.

   gpr_mx_array describes such an argument as the whole array, whose home is the ranks' backend; so what is decided by sizes and
   class is decided alike on all ranks.  All other arguments are the same on all ranks (ranks/agree.h).  A whole array without
   elements is no longer divided: each rank has it, until results are delivered.  */

#ifndef GPR_DIVIDED_H
#define GPR_DIVIDED_H

#include "mx.h"
#include "../ranks/agree.h"
#include "../ranks/ranks.h"

enum { GPR_MOST_DIVIDED = 32, GPR_ALL_STAY = -1, GPR_ROWS = -1, GPR_FAILED = -2 };

typedef struct gpr_divided {
  int count;                    /* of the arguments, and of what was made of them */
  struct { const mxArray *m; gpr_array whole; gpr_piece piece; int device; } of[GPR_MOST_DIVIDED];       /* device: of a piece that lies on one */
  const int64_t *starts;        /* of each rank, along dimension dim, from 0 */
  int dim;
  int64_t columns;              /* of rows (GPR_ROWS) */
  gpr_world world;
  const gpr_backend *home;      /* of this rank's X where that is a gpuArray, on: */
  int device;
  bool reduced;                 /* Octave's own results are not divided, though one may be as long along dim as X is */
  bool empty;                   /* the whole array is */
  bool weights_differ;          /* those of elements (variance): each rank has its own */
  int result;                   /* the rank that gets the results; -1: all */
  int stays;                    /* out: bit i: result i is divided as X is */
} gpr_divided;

static inline bool
gpr_is_divided (const gpr_array *a)
{
  return a->home == &gpr_ranks_backend;
}

/* gpu_comm.  */
void gpr_mx_comm (gpr_call *c);
/* Is it what gpu_comm returned in this session?  */
bool gpr_mx_is_comm (const mxArray *m, const gpr_world *w);
/* What "result" says, a number or "all": the rank that gets the results, -1: all.  */
gpr_status gpr_mx_result_rank (const mxArray *m, const gpr_world *w, int *rank);
/* Takes "comm", "result", "divided" and "device" off: of the world, what is wrong with this rank's is said.  */
void gpr_mx_take_comm_options (gpr_call *c, gpr_divided *d, gpr_saying *s);
/* The first thing that is wrong with this rank's arguments.  */
void gpr_mx_blame (gpr_saying *s, gpr_status status, const char *format, ...) __attribute__ ((format (printf, 3, 4)));
/* Of arguments from the first-th on, but one: classes, sizes, elements.  */
uint64_t gpr_mx_hash_arguments (const gpr_call *c, int first, const mxArray *left_out);
/* The argument with this index, on the host, where it may be weights of this rank's piece; NULL: it is none.  */
const mxArray *gpr_mx_describe_weights (gpr_call *c, int at, gpr_saying *s);
/* Has the call "comm", in any place but the first?  */
bool gpr_mx_has_comm (const gpr_call *c);
/* Takes "comm" and what goes with it off the call, agrees with the other ranks, and raises the same error on all where they do not.  pieces: so many first
   arguments are divided; 0: the function does not take "comm"; GPR_ROWS: the first has
   rows of a matrix, and the second a value for each, or one: each rank's are arrays of its own to gpr_mx_array; GPR_FAILED: the first is the message
   of an error that this rank has met.  weights: the index of an argument that may be weights of the piece; 0: none.  there: gpuArrays are
   read where they lie; else they are copied to the host.  */
gpr_divided *gpr_mx_take_comm (gpr_call *c, int pieces, int weights, bool there);
/* The results are there: for the ranks that want them.  Arrays of so many first outputs become gpuArrays, where X was one.  along, bits: where X has no
   elements, each of these is divided if it is as long as X along the divided dimension.  */
void gpr_mx_deliver_comm (gpr_call *c, gpr_divided *d, int arrays, int along);

/* An argument that is a piece, as the whole array; false: it is none.  */
bool gpr_mx_divided (const gpr_call *c, const mxArray *m, gpr_array *a);
/* As the array that it is here.  */
void gpr_mx_here (const gpr_call *c, const mxArray *m, gpr_array *a);
/* What a function does along dim, from 1, to X, which is divided along another: each rank does it to its piece, an array of its own from here
   on, and so are the results.  False: dim is the divided one, or X is not divided.  */
bool gpr_mx_takes_piece (gpr_call *c, const mxArray *m, gpr_array *x, int64_t dim);
/* Makes the sizes of a whole result those of this rank's part.  */
void gpr_mx_part_sizes (const gpr_call *c, gpr_array *a);
/* What an elementwise function made of a piece is a piece, too, if that is one; returns it.  */
const mxArray *gpr_mx_divided_alike (const gpr_call *c, const mxArray *piece, const mxArray *made);
/* X's piece of the whole divided along a later dimension, which is *made: an array.  Each element is sent once.  */
const gpr_piece *gpr_mx_redivided (const gpr_call *c, const gpr_array *x, int dim, const mxArray **made, gpr_piece *piece);
/* A piece in the sizes that it has by those of the others: it may be [].  */
const mxArray *gpr_mx_in_shape (const gpr_call *c, const mxArray *m);
/* This rank's part of a row along the divided dimension.  */
void gpr_mx_divided_row (const gpr_call *c, const mxArray *m);
/* A piece of elements that each rank has picked of its own, of the whole of all; without any at all it is the empty array of every rank.  */
const mxArray *gpr_mx_picked (const gpr_call *c, const mxArray *made);
/* A rank's array as its piece of one of the whole sizes.  */
gpr_piece gpr_piece_of (const gpr_array *a, const gpr_array *whole, const int64_t *starts, int dim);
/* The least and the greatest of all ranks' numbers; NaN: none.  */
void gpr_mx_bounds_of_all (const gpr_call *c, double *low, double *high);
/* The whole array of a piece, on every rank; m itself where it is none.  */
const mxArray *gpr_mx_whole (const gpr_call *c, const mxArray *m);
/* The same of results that are divided as X is.  */
mxArray *gpr_mx_whole_result (const gpr_call *c, mxArray *m);
/* And this rank's part of a result that all have, where it is divided.  */
mxArray *gpr_mx_own_part (const gpr_call *c, mxArray *m);
/* The error of what does not go with "comm" yet, the same on all ranks.  */
void gpr_mx_not_yet (const gpr_call *c, const char *what) __attribute__ ((noreturn));
/* That of an array whose divided dimension must be the last for this.  */
void gpr_mx_not_last (const gpr_call *c, const char *where) __attribute__ ((noreturn));

#endif
