/* Lists of positions, and elements that are not 0, for C11 and CUDA C++.  */

#ifndef GPR_OPS_LISTS_H
#define GPR_OPS_LISTS_H

#include <stdbool.h>

#include "../common/scalars.h"

/* Positions in a dimension of so many elements (extent), which lie stride apart: at[k], whole numbers from 1, or where at is NULL
   1 + first + k * step, where step is 0 of one position alone.  */
typedef struct {
  const void *at;
  enum gpr_elem elem;           /* of at, real */
  int64_t count, first, step, extent, stride;
} gpr_list;

/* A position from 0; negative: none within the extent.  */
#define GPR_LIST_OF_FLOAT(T) \
GPR_FN i64 gpr_list_of_##T (T v, i64 extent) { return v >= 1 && v <= (T) extent && (T) (i64) v == v && (i64) v <= extent ? (i64) v - 1 : -1; }
#define GPR_LIST_OF_INTEGER(T) \
GPR_FN i64 gpr_list_of_##T (T v, i64 extent) { return v >= 1 && (u64) v <= (u64) extent ? (i64) v - 1 : -1; }
GPR_LIST_OF_FLOAT (f64) GPR_LIST_OF_FLOAT (f32)
GPR_LIST_OF_INTEGER (i8) GPR_LIST_OF_INTEGER (u8) GPR_LIST_OF_INTEGER (i16) GPR_LIST_OF_INTEGER (u16)
GPR_LIST_OF_INTEGER (i32) GPR_LIST_OF_INTEGER (u32) GPR_LIST_OF_INTEGER (i64) GPR_LIST_OF_INTEGER (u64)

#define GPR_LIST_ELEMS(F) F (f64) F (f32) F (i8) F (u8) F (i16) F (u16) F (i32) F (u32) F (i64) F (u64)

/* The bits of a word of an element (of its first word, and of the last) that make it other than 0: not the sign of a floating-point number.  */
GPR_FN u64 gpr_find_mask (enum gpr_elem e, int last, int imaginary)
{
  switch (e)
    {
    case GPR_f64: return ~((u64) 1 << 63);
    case GPR_c128: return imaginary && ! last ? 0 : ~((u64) 1 << 63);
    case GPR_f32: return 0x7FFFFFFFu;
    case GPR_c64: return imaginary ? (u64) 0x7FFFFFFF << 32 : 0x7FFFFFFF7FFFFFFFu;
    default: return ~(u64) 0;
    }
}

enum { GPR_FIND_TILE = 4096 };  /* elements whose number is kept: of a warp */
GPR_FN i64 gpr_find_tiles (i64 count) { return (count + GPR_FIND_TILE - 1) / GPR_FIND_TILE; }

#endif
