/* accumarray, shared by the gateway, the CPU and the GPU: where an element goes,
   and how it is added there.

   Every output takes its elements in their order, from start on, in the class of
   the result: the built-in's own sequence of operations, so its own bits.  A NaN
   of a sum or product is the first one met (of a complex sum the last one), as
   the built-in has it on x86; said here because GPUs keep no payloads.  */

#ifndef GPR_ENGINE_SCATTER_H
#define GPR_ENGINE_SCATTER_H

#include <stdbool.h>
#include <stddef.h>

#include "../common/scalars.h"

typedef enum { GPR_SCATTER_SUM, GPR_SCATTER_PROD, GPR_SCATTER_MAX, GPR_SCATTER_MIN } gpr_scatter_op;

enum { GPR_SCATTER_COLUMNS = 32 };

/* One subscript of every element: 1 … size.  */
typedef struct {
  const void *at;
  enum gpr_elem elem;           /* a real one */
  int64_t size;
} gpr_scatter_column;

/* Elements in values and result: the same type, or integers that are added up
   as doubles.  */
#define GPR_SCATTER_SAME(F) F (f64, f64) F (f32, f32) F (i8, i8) F (u8, u8) F (i16, i16) F (u16, u16) \
  F (i32, i32) F (u32, u32) F (i64, i64) F (u64, u64)
#define GPR_SCATTER_WIDENED(F) F (i8, f64) F (u8, f64) F (i16, f64) F (u16, f64) F (i32, f64) F (u32, f64) \
  F (i64, f64) F (u64, f64)
#define GPR_SCATTER_COMPLEX(F) F (c128, c128) F (c64, c64)

/* ---- what a subscript may be ---------------------------------------------------- */

/* s, or 0 where it is not a whole number from 1 to size (below 2^53).  */
GPR_FN i64 gpr_subscript_f64 (f64 s, i64 size)
{
  f64 held = s >= 1 && s <= (f64) size ? s : 0.5;
  i64 k = (i64) held;
  return (f64) k == held ? k : 0;
}
GPR_FN i64 gpr_subscript_f32 (f32 s, i64 size) { return gpr_subscript_f64 (s, size); }
GPR_FN i64 gpr_subscript_u64 (u64 s, i64 size) { return s <= (u64) size ? (i64) s : 0; }
GPR_FN i64 gpr_subscript_i64 (i64 s, i64 size) { return s >= 1 && s <= size ? s : 0; }
#define GPR_SUBSCRIPT(T) GPR_FN i64 gpr_subscript_##T (T s, i64 size) { return gpr_subscript_i64 (s, size); }
GPR_SUBSCRIPT (i8) GPR_SUBSCRIPT (u8) GPR_SUBSCRIPT (i16) GPR_SUBSCRIPT (u16) GPR_SUBSCRIPT (i32) GPR_SUBSCRIPT (u32)

/* ---- one step ---------------------------------------------------------------------- */

GPR_FN c128 gpr_plus_c128 (c128 a, c128 v)
{
  a.re = gpr_plus_f64 (v.re, a.re);
  a.im = gpr_plus_f64 (v.im, a.im);
  return a;
}
GPR_FN c64 gpr_plus_c64 (c64 a, c64 v)
{
  a.re = gpr_plus_f32 (v.re, a.re);
  a.im = gpr_plus_f32 (v.im, a.im);
  return a;
}

/* NaN loses, also as the start; the earlier one of equals stays.  */
#define GPR_LARGER(a, v) ((v) != (v) || (a) >= (v) ? (a) : (v))
#define GPR_SMALLER(a, v) ((v) != (v) || (a) <= (v) ? (a) : (v))

/* ---- kernels ------------------------------------------------------------------------- */

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
  uint32_t *keys, *places;      /* places: 0 … n-1 */
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

/* Adds the values to the outputs, by keys in ascending order; places of one key
   ascend.  Those with key count are left out.  */
typedef struct {
  int64_t n;
  uint32_t count;
  const uint32_t *keys, *places;
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
int gpr_engine_scatter_sort (void *temp, size_t *temp_bytes, uint32_t *const keys[2], uint32_t *const places[2],
                             int64_t n, int bits, int *keys_at, int *places_at, void *stream);

#ifdef __cplusplus
}
#endif
#endif
