/* The text of an expression, for NVRTC to compile with kernels/engine/compiled/.  */

#ifndef GPR_CUDA_SOURCE_H
#define GPR_CUDA_SOURCE_H

#include <stddef.h>

#include "histogram.h"
#include "reduce_plan.h"
#include "../core/slices.h"
#include "../../kernels/engine/compiled.h"
#include "../../kernels/engine/scan.h"

/* Equal bytes, equal text; so it is made of zeros first.  */
typedef struct {
  int32_t capability;           /* of the device: 90 for sm_90 */
  int16_t instance;             /* of a reduction, with: */
  uint8_t algorithm;            /* gpr_algorithm + 1; 0: none, the results are the elements */
  uint8_t vector, columns, merge_warp, merges, lanes;   /* vectors (of slices, as S says); THREAD's columns; BLOCK's merge warp, or how its lanes merge; ROWS' lanes, and those
                                                           of THREAD's columns, 0: one, 1: several, of wide accumulators */
  uint8_t compared, find, store, cuts_shared;           /* of elements that are counted: the type compared in, + 1 (0: they are not), and as gpr_histogram_args has them */
  uint8_t stages, columns_first, teams_of_warps, flat, packed, rows, kept, group_log2, slices_log2;   /* slices (slices.c): how many stages; as S of compiled/slices.cuh says; */
  uint8_t warps, together, blocks;    /* of a block; bytes of neighbours that a thread takes together; blocks for which a multiprocessor has registers */
  uint8_t held;                       /* as S says, and vector */
  uint8_t cluster_log2, chunk_log2;   /* as S of compiled/slices.cuh says */
  int8_t keeper, keeps;         /* the stage whose elements take the place of leaf keeps; -1: none's do */
  struct { int16_t instance; uint8_t end, elem, lanes; int8_t leaf; } stage[GPR_MAP_STAGES];  /* before which step it ends, what it makes, LANES and LEAF of slices_reduce */
  uint8_t scan, scan_kernel;          /* of a cumulative function gpr_scan_op + 1 and gpr_scan_kernel; 0: none */
  uint8_t steps, leaves, rank, each;
  uint8_t fours, narrow, placed, z_vectors, z_elem;
  uint8_t elems[GPR_MAP_LEAVES], lies[GPR_MAP_LEAVES];
  struct { uint8_t op, single, turned, operand; int8_t at; } step[GPR_MAP_STEPS];       /* at: which leaf or slot; of a number that is compiled, the number */
} gpr_source_key;

enum {
  GPR_SOURCE_LITERAL = GPR_MAP_SELF + 1,        /* a number that is compiled: the exponents whose powers are products and quotients */
  GPR_SOURCE_DIVISOR,           /* a number that doubles are divided by, by its inverse (over_ of compiled/terms.cuh; a reduction divides) */
  GPR_SOURCE_POWER_OF_2         /* the same, whose inverse is exact: a product */
};

/* An elementwise kernel whose threads take one vector of one array, in so few registers that a multiprocessor has all its threads: so many blocks, or
   fewer where it has fewer threads.  */
enum { GPR_MAP_STREAM_BLOCKS = 2048 / GPR_MAP_THREADS };
bool gpr_source_streams (const gpr_source_key *key);
/* False: an expression that is not compiled.  Of a reduction comes gpr_source_reduces after it.  */
bool gpr_source_of_map (gpr_source_key *key, const gpr_map_args *a, int leaves, int capability);
void gpr_source_reduces (gpr_source_key *key, const gpr_reduce_kernels *kernels, const gpr_reduce_launch *l, const gpr_tree *t);
/* Of stages, after it too: leaves lie as GPR_MAP_RESULT and GPR_MAP_KEPT have it.  */
typedef struct {
  int group, slices_log2, cluster_log2, chunk_log2;     /* as S of compiled/slices.cuh says */
  int threads, blocks;          /* of a block; for which a multiprocessor shall have registers */
  int word, packed, rows, together;     /* bytes that are copied at a time, 0: nothing is kept; two as S says; and bytes of neighbours that a thread takes together */
  int lanes[GPR_MAP_STAGES];    /* LANES of slices_reduce */
  int held, vector;             /* as S says */
  bool warps, flat;             /* teams are warps; as S says */
} gpr_slices_teams;
void gpr_source_slices (gpr_source_key *key, const gpr_slices *p, const gpr_slices_teams *teams);
/* Counted by the plan, which is placed, after it too.  */
void gpr_source_counts (gpr_source_key *key, const gpr_map_args *a, const gpr_histogram_plan *p);
/* Of a cumulative function of elements of z's type, after it too.  */
void gpr_source_scans (gpr_source_key *key, gpr_scan_op op, gpr_scan_kernel kernel);
void gpr_source_terms (gpr_terms_args *t, const gpr_map_args *a, int leaves);

/* How long what is compiled of a function is, about: 0, some instructions; 1, as exp; 2, longer.  */
int gpr_source_length (int op);

/* The text, of less than so many bytes; a longer one is cut off, and does not compile.  */
enum { GPR_SOURCE_BYTES = 32 << 10 };
void gpr_source_write (char *text, const gpr_source_key *key);

#endif
