/* Elementwise expressions (ops/map.h) on the GPU: arguments of the kernel.  */

#ifndef GPR_ENGINE_MAP_H
#define GPR_ENGINE_MAP_H

#include <stdbool.h>

#include "../ops/map.h"

enum {
  GPR_MAP_THREADS = 256,
  GPR_MAP_EACH = 4,             /* elements of a thread at a time */
  GPR_MAP_SINGLES = 8,          /* where all steps are in single */
  GPR_MAP_RANK = 32
};

/* How a leaf lies: as z does, in vectors; one element for all; or by its strides.  */
typedef enum { GPR_MAP_VECTORS, GPR_MAP_SCALAR, GPR_MAP_STRIDED } gpr_map_lie;
/* An operand that only the kernel knows: the accumulator itself (x.^2).  */
enum { GPR_MAP_SELF = GPR_MAP_SLOT + 1 };

/* dims and strides with adjacent dimensions joined.  */
typedef struct {
  int64_t count;
  const void *x[GPR_MAP_LEAVES];
  void *z;
  int *left;                    /* <- 1 where an element left the reals */
  uint8_t elems[GPR_MAP_LEAVES], lies[GPR_MAP_LEAVES];
  uint8_t z_elem;
  bool z_vectors;
  bool narrow;                  /* 32 bits count the elements */
  bool fours;                   /* a thread's elements are neighbours, else pairs of them: so that vectors have 16 bytes at most */
  int rank, steps;
  bool placed;
  int64_t dims[GPR_MAP_RANK], strides[GPR_MAP_LEAVES + 1][GPR_MAP_RANK];        /* the last: z's, where it is placed */
  gpr_map_step step[GPR_MAP_STEPS];
} gpr_map_args;

#ifdef __cplusplus
extern "C"
#endif
const void *gpr_engine_map (bool singles);          /* all steps are in single, no element is a double */

#endif
