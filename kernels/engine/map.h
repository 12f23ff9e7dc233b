/* Elementwise expressions (ops/map.h) on the GPU: arguments of the kernel.  */

#ifndef GPR_ENGINE_MAP_H
#define GPR_ENGINE_MAP_H

#include <stdbool.h>

#include "../ops/map.h"

enum {
  GPR_MAP_THREADS = 256,
  GPR_MAP_EACH = 4,             /* elements of a thread at a time, by map_k */
  GPR_MAP_EACH_DOUBLE = 8,      /* by the quick kernels */
  GPR_MAP_EACH_SINGLE = 12,
  GPR_MAP_QUICK_SLOTS = 3,      /* which fit in the shared memory that every kernel has */
  GPR_MAP_RANK = 32
};

/* How a leaf lies.  */
typedef enum {
  GPR_MAP_VECTORS,              /* as z does, in vectors */
  GPR_MAP_SCALAR,               /* one element for all */
  GPR_MAP_STRIDED,              /* by its strides */
  GPR_MAP_BY_COLUMN,            /* one element for all of z's column, of as many rows as a vector has elements at least (compiled/terms.cuh) */
  /* Of slices (compiled/slices.cuh): */
  GPR_MAP_RESULT,               /* a stage's result, one for each slice */
  GPR_MAP_KEPT,                 /* as z does, and kept in shared memory */
  /* By its strides, where it is reduced (compiled/reduce.cuh): */
  GPR_MAP_OF_COLUMN,            /* one element for all rows of a column, which lie one after the other */
  GPR_MAP_OF_COLUMNS,           /* the same of columns side by side */
  GPR_MAP_ALONG_COLUMN,         /* an element for each row of a column, one after the other as the rows are */
  GPR_MAP_ALONG_COLUMNS         /* the same of columns side by side: one for all columns of a row */
} gpr_map_lie;
/* An operand that only the kernel knows: the accumulator itself (x.^2).  */
enum { GPR_MAP_SELF = GPR_MAP_SLOT + 1 };

#define GPR_MAP_QUICK_AS_EVER(F) GPR_MAP_SHORT_COMPARING (F) GPR_MAP_SHORT_UNARY (F)    /* as ops/map.h has them */

/* Steps as the quick kernels read them.  */
#define GPR_MAP_QUICK_ENUM(name) GPR_MAP_QUICK_##name,
#define GPR_MAP_QUICK_TURNED_ENUM(name) GPR_MAP_QUICK_TURNED_##name,
typedef enum {
  GPR_MAP_QUICK_call, GPR_MAP_QUICK_load,
  GPR_MAP_SHORT_BINARY (GPR_MAP_QUICK_ENUM) GPR_MAP_SHORT_TURNED (GPR_MAP_QUICK_TURNED_ENUM) GPR_MAP_SHORT_UNARY (GPR_MAP_QUICK_ENUM) GPR_MAP_QUICK_sqrt
} gpr_map_quick_op;
/* Where the operand is, or that the accumulator is saved.  FROM_CALL: a number or nothing, for a call.  */
typedef enum {
  GPR_MAP_FROM_NONE, GPR_MAP_FROM_NUMBER, GPR_MAP_FROM_SELF, GPR_MAP_FROM_SLOT, GPR_MAP_FROM_LEAF, GPR_MAP_TO_SLOT,
  GPR_MAP_FROM_CALL
} gpr_map_from;
typedef struct {
  uint16_t op;                  /* gpr_map_quick_op */
  uint8_t from;                 /* gpr_map_from */
  uint8_t at;                   /* which leaf or slot */
  uint16_t call;                /* gpr_map_op that is called */
  uint16_t turned;
  double number;
} gpr_map_quick_step;

/* dims and strides with adjacent dimensions joined.  */
typedef struct {
  int64_t count;
  const void *x[GPR_MAP_LEAVES];
  void *z;
  int *left;                    /* <- 1 where an element left the reals */
  uint8_t elems[GPR_MAP_LEAVES], lies[GPR_MAP_LEAVES];
  uint8_t z_elem;
  bool z_vectors;
  bool narrow;                  /* 31 bits count the elements, and hold every offset of them */
  bool fours;                   /* a thread's elements are neighbours, else pairs of them: so that vectors have 16 bytes at most */
  int rank, steps;
  bool placed;
  int64_t dims[GPR_MAP_RANK], strides[GPR_MAP_LEAVES + 1][GPR_MAP_RANK];        /* the last: z's, where it is placed */
  uint32_t magic[GPR_MAP_RANK], shift[GPR_MAP_RANK];    /* i / dims[d] is i * magic[d] >> 32 >> shift[d], if narrow */
  gpr_map_step step[GPR_MAP_STEPS];
  gpr_map_quick_step quick[GPR_MAP_STEPS + 1];  /* one more is read */
} gpr_map_args;

/* Steps in either precision; all in double; all in single.  */
typedef enum { GPR_MAP_ANY, GPR_MAP_DOUBLES, GPR_MAP_SINGLES } gpr_map_kernel;

#ifdef __cplusplus
extern "C"
#endif
const void *gpr_engine_map (gpr_map_kernel kernel);

#endif
