/* Calls of gpu_reduce whose X is in a file, or what a function brings in pieces.

   gpr_mx_array describes the call's first argument, which stands for it, as an array whose home is the stream's backend.  What
   Octave itself would have to compute of it is an error.  */

#ifndef GPR_STREAMED_H
#define GPR_STREAMED_H

#include "mx.h"
#include "../ranks/world.h"
#include "../stream/stream.h"

typedef struct gpr_streamed {
  const mxArray *m;             /* stands for the array in the call */
  gpr_array array;
  gpr_stream stream;
  int dim;                      /* the last that is longer than 1, from 0: pieces lie along it */
  gpr_world world;              /* ranks that share it; size 1: nobody else */
  int result;                   /* the rank that gets the results; -1: all */
  bool shares;                  /* out: each rank has those of its share */
} gpr_streamed;

/* The options of a call.  */
typedef struct {
  bool file, comm, longer, complex, has_class;
  char name[4096], checkpoint[4096], dataset[1024];
  double every;
  int progress;                 /* -1: by default */
  int64_t offset, pieces;
  gpr_world world;
  const mxArray *result;        /* or NULL */
} gpr_asked;

static inline bool
gpr_is_streamed (const gpr_array *a)
{
  return a->home == &gpr_stream_backend;
}

/* Of the call in hand, if its X is one that comes so.  */
bool gpr_mx_streamed_array (const gpr_call *c, const mxArray *m, gpr_array *a);
/* m with its elements as doubles.  */
const mxArray *gpr_mx_doubled (const gpr_call *c, const mxArray *m);
/* The error of what does not go with a file or a function.  */
void gpr_mx_not_streamed (const gpr_call *c, const char *what) __attribute__ ((noreturn));

/* ---- streamed_options.c ---- */
/* Takes what is of the file or function off the call: X, OP and the operator's options are left.  */
void gpr_mx_take_asked (gpr_call *c, gpr_array *a, gpr_asked *o);

/* ---- streamed_function.c ---- */
/* Elements that FUNCTION (FIRST, LAST) returns, indices of the dimension dim, about so many bytes at once (pieces: indices; 0).  */
gpr_status gpr_function_open (const gpr_call *c, const mxArray *function, const gpr_array *a, int dim, int64_t pieces, gpr_source **source);

#endif
