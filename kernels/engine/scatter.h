/* accumarray (ops/scatter.h) on the GPU: arguments of the kernels.  */

#ifndef GPR_ENGINE_SCATTER_H
#define GPR_ENGINE_SCATTER_H

#include <stdbool.h>
#include <stddef.h>

#include "../ops/scatter.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GPR_SCATTER_THREADS = 256, GPR_SCATTER_BAD = 0, GPR_SCATTER_BEYOND = 1, GPR_SCATTER_AGAIN = 2, GPR_SCATTER_FLAGS = 4 };

/* Keys of n elements: the output less first, or count for outputs of other
   windows and where a subscript is not allowed.  */
typedef struct {
  int64_t n, first;
  uint32_t count;
  int columns;
  gpr_scatter_column column[GPR_SCATTER_COLUMNS];       /* at: of this chunk */
  const unsigned char *only;    /* NULL, or which outputs are asked for: the rest is as of other windows */
  uint32_t *keys, *positions;   /* positions: 0 … n-1, or NULL */
  int *flags;                   /* [GPR_SCATTER_BAD]: some subscript was not allowed */
  const void *values;           /* looked at for [GPR_SCATTER_BEYOND], else NULL; repeated: one */
  enum gpr_elem elem;           /* GPR_f64 or GPR_f32 */
  bool repeated;
  int op;                       /* gpr_scatter_op */
} gpr_scatter_keys_args;
const void *gpr_engine_scatter_keys (void);

/* The largest subscript, at least 0, and the flag of what is not allowed.  */
typedef struct {
  int64_t n;
  gpr_scatter_column column;
  unsigned long long *largest;
  int *flags;
} gpr_scatter_largest_args;
const void *gpr_engine_scatter_largest (void);

/* Sorted elements begin[k] … end[k]-1 are those of output k; other outputs' are as they were.  */
typedef struct {
  int64_t n;
  uint32_t count;
  const uint32_t *keys;
  uint32_t *begin, *end;
} gpr_scatter_runs_args;
const void *gpr_engine_scatter_runs (void);

/* Adds the values to the outputs, by keys in ascending order; positions of one key
   ascend.  Those with key count are left out.  Where sums are cut, add leaves those of
   outputs with several pieces in sums, and add_pieces adds these; with several chunks,
   part holds of every output what its last piece has so far.  */
typedef struct {
  int64_t n;
  uint32_t count, piece;        /* piece 0: in the built-in's order */
  const uint32_t *keys, *positions;
  const uint32_t *begin, *end;  /* with piece */
  const unsigned long long *counts;     /* elements of the chunks before this one, or NULL */
  const void *values;           /* of this chunk */
  bool repeated;
  int op;
  void *out;
  void *part;                   /* NULL: there is no other chunk */
  void *sums;                   /* 2 * (n / piece + 1) of them; with part: n */
  union { u64 u[2]; } start[1]; /* of a piece */
} gpr_scatter_add_args;
const void *gpr_engine_scatter_add (enum gpr_elem in, enum gpr_elem to);
const void *gpr_engine_scatter_add_pieces (enum gpr_elem to);

/* Few outputs.  A block has a group of chunks, a warp each of these, with a table of all
   outputs; it leaves the merged table of each of its groups in sums, [groups][outputs],
   which merge adds to out in the order of the groups.  */
typedef struct {
  int64_t n, groups, chunk;     /* chunk: elements of one */
  uint32_t outputs;
  int group;                    /* chunks of one: warps of a block */
  const void *subs;             /* doubles from 1, or keys (uint32_t) */
  const void *values;
  bool repeated, look_beyond;
  int op;
  void *tables;                 /* of all blocks, group * outputs each; NULL: in shared memory */
  void *sums;
  void *out;
  int *flags;
  union { u64 u[2]; } start[1];
} gpr_scatter_few_args;
const void *gpr_engine_scatter_few (bool doubles, enum gpr_elem in, enum gpr_elem to);
const void *gpr_engine_scatter_merge (enum gpr_elem to);
/* Shared memory of a block: with or without its tables, which of sums have a tag for each output too.  */
static inline size_t
gpr_scatter_few_shared (int group, int64_t outputs, int out_bytes, bool sums, bool tables)
{
  const size_t of_output = (size_t) (out_bytes + (sums ? 1 : 0));
  return (size_t) group * (32 * (size_t) out_bytes + (tables ? of_output * (size_t) outputs : 0));
}

/* Counts elements of few outputs.  */
typedef struct {
  int64_t n;
  uint32_t outputs;
  const void *subs;             /* as above */
  unsigned long long *counts;   /* added to */
  int *flags;
} gpr_scatter_count_args;
const void *gpr_engine_scatter_count (bool doubles);

/* out = cell, where counts is not NULL only for outputs without elements.  */
typedef struct {
  int64_t count;
  void *out;
  const unsigned long long *counts;
  const int *flags;             /* of zero: nothing happens where a value was beyond 0 */
  union { u64 u[2]; u32 u32; u16 u16; u8 u8; } cell;
} gpr_scatter_fill_args;
const void *gpr_engine_scatter_fill (int bytes);        /* of an output */
const void *gpr_engine_scatter_zero (int bytes);        /* NaN and zeros become 0 */

/* The end: part joins out (or is NULL); with look what is not finite begins again and is marked in
   again, else only what is marked there is taken (NULL: all); means are divided.  */
typedef struct {
  int64_t count;
  int op;
  void *out;
  const void *part;
  unsigned long long *counts;
  uint32_t *begin, *end;        /* of lengths, which adds them to counts and clears them */
  unsigned char *again;
  bool look, mean;
  f64 scale;                    /* of counted: out is its product with counts */
  int *flags;
  union { u64 u[2]; } start[1];
} gpr_scatter_finish_args;
const void *gpr_engine_scatter_finish (enum gpr_elem to);
const void *gpr_engine_scatter_lengths (void);
const void *gpr_engine_scatter_counted (void);

#ifdef __cplusplus
}
#endif
#endif
