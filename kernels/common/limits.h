/* The least and the greatest value of each element type, for C11 and CUDA C++; those
   of floating-point types are the infinities.  */

#ifndef GPR_LIMITS_H
#define GPR_LIMITS_H

#include "scalars.h"

#define GPR_MIN_f64 (-HUGE_VAL)
#define GPR_MAX_f64 HUGE_VAL
#define GPR_MIN_f32 (-HUGE_VALF)
#define GPR_MAX_f32 HUGE_VALF
#define GPR_MIN_i8 INT8_MIN
#define GPR_MAX_i8 INT8_MAX
#define GPR_MIN_u8 0
#define GPR_MAX_u8 UINT8_MAX
#define GPR_MIN_i16 INT16_MIN
#define GPR_MAX_i16 INT16_MAX
#define GPR_MIN_u16 0
#define GPR_MAX_u16 UINT16_MAX
#define GPR_MIN_i32 INT32_MIN
#define GPR_MAX_i32 INT32_MAX
#define GPR_MIN_u32 0
#define GPR_MAX_u32 UINT32_MAX
#define GPR_MIN_i64 INT64_MIN
#define GPR_MAX_i64 INT64_MAX
#define GPR_MIN_u64 0
#define GPR_MAX_u64 UINT64_MAX

/* The least normal number: below it a product has lost bits.  */
#define GPR_SMALL_f64 DBL_MIN
#define GPR_SMALL_f32 FLT_MIN

/* Whether a type holds one half: the floating-point types do.  */
#define GPR_IS_FLOAT(T) ((T) 0.5 != 0)

#endif
