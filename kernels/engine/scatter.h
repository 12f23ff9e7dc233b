/* accumarray (ops/scatter.h) on the GPU: arguments of the kernels.  */

#ifndef GPR_ENGINE_SCATTER_H
#define GPR_ENGINE_SCATTER_H

#include <stdbool.h>
#include <stddef.h>

#include "../ops/scatter.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GPR_SCATTER_THREADS = 256, GPR_SCATTER_BAD = 0, GPR_SCATTER_BEYOND = 1, GPR_SCATTER_FLAGS = 2 };

/* Keys of n elements: the output less first, or count for outputs of other
   windows and where a subscript is not allowed.  */
typedef struct {
  int64_t n, first;
  uint32_t count;
  int columns;
  gpr_scatter_column column[GPR_SCATTER_COLUMNS];       /* at: of this chunk */
  uint32_t *keys, *positions;      /* positions: 0 … n-1 */
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

/* Adds the values to the outputs, by keys in ascending order; positions of one key
   ascend.  Those with key count are left out.  */
typedef struct {
  int64_t n;
  uint32_t count;
  const uint32_t *keys, *positions;
  const void *values;           /* of this chunk */
  bool repeated;
  int op;
  void *out;
  unsigned char *hit;           /* or NULL */
} gpr_scatter_add_args;
const void *gpr_engine_scatter_add (enum gpr_elem in, enum gpr_elem to);

/* out = cell, where hit is not NULL only for outputs without elements.  */
typedef struct {
  int64_t count;
  void *out;
  const unsigned char *hit;
  union { u64 u[2]; u32 u32; u16 u16; u8 u8; } cell;
} gpr_scatter_fill_args;
const void *gpr_engine_scatter_fill (int bytes);        /* of an output */
const void *gpr_engine_scatter_zero (int bytes);        /* NaN and zeros become 0 */

/* Stable sort of n pairs by the lowest bits of the keys, between two buffers of
   each; *at: which of the two has the result.  temp NULL: only *temp_bytes.
   Returns a cudaError_t; stream is a cudaStream_t.  */
int gpr_engine_scatter_sort (void *temp, size_t *temp_bytes, uint32_t *const keys[2], uint32_t *const positions[2],
                             int64_t n, int bits, int *keys_at, int *places_at, void *stream);

#ifdef __cplusplus
}
#endif
#endif
