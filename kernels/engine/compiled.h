/* Expressions compiled at run time (compiled/): arguments of their kernels.  */

#ifndef GPR_ENGINE_COMPILED_H
#define GPR_ENGINE_COMPILED_H

#include "histogram.h"
#include "map.h"

enum { GPR_COMPILED_RANK = 8 };

/* What doubles are divided by, by its inverse (map_quickly::over_ of compiled/terms.cuh).  */
#define GPR_MAP_DIVIDES(y) (fabs (y) >= 0x1p-100 && fabs (y) <= 0x1p100)

/* What an expression reads.  How each leaf lies, and what its steps are, is compiled.  */
typedef struct {
  const void *x[GPR_MAP_LEAVES];
  double numbers[GPR_MAP_STEPS], inverses[GPR_MAP_STEPS];       /* of the steps; 1 / the number */
  int64_t dims[GPR_COMPILED_RANK], strides[GPR_MAP_LEAVES + 1][GPR_COMPILED_RANK];      /* the last: z's, where it is placed */
  uint32_t magic[GPR_COMPILED_RANK], shift[GPR_COMPILED_RANK];          /* as gpr_map_args has them */
} gpr_terms_args;

/* Of a reduction, where gpr_reduce_args has load.  */
typedef struct {
  int64_t first;                /* element of the expression that the launch begins with */
  uint64_t turn;                /* as gpr_array_args has it */
  gpr_terms_args terms;
} gpr_expression_args;

typedef struct {
  gpr_terms_args terms;
  int64_t count;
  void *z;
  int *left;                    /* <- 1 where an element left the reals */
} gpr_compiled_map_args;

/* Elements first to before end are counted (compiled/histogram.cuh), read from aligned on, which is a multiple of their vectors.  */
typedef struct {
  gpr_terms_args terms;
  gpr_histogram_args counting;  /* without x and n */
  int64_t aligned, first, end;
} gpr_compiled_histogram_args;

/* Reductions in stages and what reads their results, slice by slice (compiled/slices.cuh), of which a team, a block or a warp, has some.  */
enum { GPR_SLICES_MOST_THREADS = 1024 };
typedef struct { int64_t rows; int32_t parts, lanes, lanes_log2; } gpr_slices_tree;
/* A block's parts, so many at a time, are merged before others' come: the greatest power of 2 by which all of them can be, so no order changes.  */
#ifdef __CUDACC__
__host__ __device__
#endif
static inline int32_t gpr_slices_each (const gpr_slices_tree *t) { return t->lanes > 1 ? 1 : t->parts & -t->parts; }
typedef struct {
  gpr_terms_args terms;
  void *z, *value[GPR_MAP_STAGES];      /* the results of the stages */
  double divisor[GPR_MAP_STAGES];
  gpr_slices_tree tree[GPR_MAP_STAGES];
  int64_t inner, length, outer, slabs, tiles;   /* x[c + inner*(r + length*o)] is reduced over r; slabs of slices, of inner tiles */
  int32_t slices;               /* of a team */
  int32_t share, parts[GPR_MAP_STAGES];         /* of clusters: rows of a block, at most, and parts of all blocks, where trees are a block's */
  int32_t unit;                 /* of flat slices: elements that lie one after the other; */
  uint32_t magic, shift;        /* i / unit, as gpr_map_args has it */
  int32_t row;                  /* elements from a slice, of flat ones a unit, in shared memory to the next, where they are not side by side */
  int32_t team_bytes, box_at, kept_at, kept[GPR_MAP_LEAVES];    /* shared memory of a team: accumulators, of a cluster what other blocks send, then leaves and results, each from kept there on */
  int *doubt;                   /* <- 1 where a result may not be final, or an element left the reals */
} gpr_slices_args;

#endif
