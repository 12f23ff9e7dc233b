/* The table of instances, an operator on an element type each, for C11 and CUDA C++.

   A row is  F (id, FAMILY, X, A, Y):

     id       its name; the enum constant is GPR_id
     FAMILY   the operator: GPR_DEF_FAMILY and GPR_TRAITS_FAMILY (traits.h)
     X A Y    types of an element, the accumulator and the result; complex families and
              inspect.h use A and Y differently and say so; with an index the
              accumulator is id_pair, of bounds it and the result are id_both

   CPU loops, CUDA kernels and the simulator are generated from this table.  What a user's
   function is (arguments, options, class of the result) is a row of src/core/operators.c.  */

#ifndef GPR_INSTANCES_H
#define GPR_INSTANCES_H

#include "../common/turn.h"
#include "bounds.h"
#include "extreme.h"
#include "inspect.h"
#include "logical.h"
#include "moments.h"
#include "norm.h"
#include "product.h"
#include "saturate.h"
#include "stats.h"
#include "sum.h"

/* ---- the rows, in groups small enough to be compiled one group a file ---------- */

#define GPR_INSTANCES_SUM(F) \
  F (sum_f64, SUM, f64, f64, f64)        F (sum_f32, SUM, f32, f32, f32) \
  F (sum_f32_f64, SUM, f32, f64, f64) \
  F (sum_c128, CSUM, c128, c128, f64)    F (sum_c64, CSUM, c64, c64, f32) \
  F (sum_c64_c128, CSUM, c64, c128, f64) \
  F (sumomit_f64, SUMOMIT, f64, f64, f64) F (sumomit_f32, SUMOMIT, f32, f32, f32) \
  F (sumomit_f32_f64, SUMOMIT, f32, f64, f64) \
  F (sumomit_c128, CSUMOMIT, c128, c128, f64) F (sumomit_c64, CSUMOMIT, c64, c64, f32) \
  F (sumomit_c64_c128, CSUMOMIT, c64, c128, f64) \
  F (sum_i8, ISUM, i8, i64, f64)         F (sum_u8, ISUM, u8, u64, f64) \
  F (sum_i16, ISUM, i16, i64, f64)       F (sum_u16, ISUM, u16, u64, f64) \
  F (sum_i32, ISUM, i32, i64, f64)       F (sum_u32, ISUM, u32, u64, f64) \
  F (sumlong_i32, WIDESUM, i32, i128, f64) F (sumlong_u32, WIDESUM, u32, i128, f64) \
  F (sum_i64, WIDESUM, i64, i128, f64)   F (sum_u64, WIDESUM, u64, i128, f64) \
  F (extra_f64, DD, f64, dd, f64)        F (extra_c128, CDD, c128, cdd, c128) \
  F (extraomit_f64, DDOMIT, f64, dd, f64) F (extraomit_c128, CDDOMIT, c128, cdd, c128) \
  F (sumlog_f64, LOG, f64, f64, f64)     F (sumlog_f32, LOG, f32, f32, f32) \
  F (sumlog_c128, CLOG, c128, f64, c128) F (sumlog_c64, CLOG, c64, f32, c64) \
  F (sumrecip_f64, RECIP, f64, f64, f64) F (sumrecip_f32, RECIP, f32, f32, f32) \
  F (sumrecip_c128, CRECIP, c128, f64, c128) F (sumrecip_c64, CRECIP, c64, f32, c64)

#define GPR_INSTANCES_SUMSQ(F) \
  F (sumsq_f64, SQ, f64, f64, f64)       F (sumsq_f32, SQ, f32, f32, f32) \
  F (sumsq_c128, CSQ, c128, f64, f64)    F (sumsq_c64, CSQ, c64, f32, f32) \
  F (sumsqomit_f64, SQOMIT, f64, f64, f64) F (sumsqomit_f32, SQOMIT, f32, f32, f32) \
  F (sumsqomit_c128, CSQOMIT, c128, f64, f64) F (sumsqomit_c64, CSQOMIT, c64, f32, f32) \
  F (sumsq_i8, ISQ, i8, u64, f64)        F (sumsq_u8, ISQ, u8, u64, f64) \
  F (sumsq_i16, ISQ, i16, u64, f64)      F (sumsq_u16, ISQ, u16, u64, f64) \
  F (sumsqlong_i16, WIDESQ, i16, u128, f64) F (sumsqlong_u16, WIDESQ, u16, u128, f64) \
  F (sumsq_i32, WIDESQ, i32, u128, f64)  F (sumsq_u32, WIDESQ, u32, u128, f64) \
  F (sumsq_i64, SQ192, i64, u192, f64)   F (sumsq_u64, SQ192, u64, u192, f64)

#define GPR_INSTANCES_PROD(F) \
  F (prod_f64, FPROD, f64, f64, f64)     F (prod_f32, FPROD, f32, f32, f32) \
  F (prod_f32_f64, PROD, f32, f64, f64) \
  F (prod_c128, CPROD, c128, c128, f64)  F (prod_c64, CPROD, c64, c64, f32) \
  F (prod_c64_c128, CPROD, c64, c128, f64) \
  F (prodomit_f64, PRODOMIT, f64, f64, f64) F (prodomit_f32, PRODOMIT, f32, f32, f32) \
  F (prodomit_f32_f64, PRODOMIT, f32, f64, f64) \
  F (prodomit_c128, CPRODOMIT, c128, c128, f64) F (prodomit_c64, CPRODOMIT, c64, c64, f32) \
  F (prodomit_c64_c128, CPRODOMIT, c64, c128, f64) \
  F (prod_i8, IPROD, i8, f64, f64)        F (prod_u8, IPROD, u8, f64, f64) \
  F (prod_i16, IPROD, i16, f64, f64)      F (prod_u16, IPROD, u16, f64, f64) \
  F (prod_i32, IPROD, i32, f64, f64)      F (prod_u32, IPROD, u32, f64, f64) \
  F (prod_i64, IPROD, i64, f64, f64)      F (prod_u64, IPROD, u64, f64, f64)

#define GPR_INSTANCES_NATIVE(F) \
  F (satsum_i8, SATSUM, i8, sat64, i8)   F (satsum_u8, SATSUM, u8, sat64, u8) \
  F (satsum_i16, SATSUM, i16, sat64, i16) F (satsum_u16, SATSUM, u16, sat64, u16) \
  F (satsum_i32, SATSUM, i32, sat64, i32) F (satsum_u32, SATSUM, u32, sat64, u32) \
  F (satsum_i64, SATSUM128, i64, sat128, i64) F (satsum_u64, SATSUM128, u64, sat128, u64) \
  F (satprod_i8, SATPROD, i8, sat64, i8) F (satprod_u8, SATPROD, u8, sat64, u8) \
  F (satprod_i16, SATPROD, i16, sat64, i16) F (satprod_u16, SATPROD, u16, sat64, u16) \
  F (satprod_i32, SATPROD, i32, sat64, i32) F (satprod_u32, SATPROD, u32, sat64, u32) \
  F (satprod_i64, SATPROD128, i64, sat128, i64) F (satprod_u64, SATPROD128, u64, sat128, u64)

#define GPR_INSTANCES_REAL_(F, op, FAMILY) \
  F (op##_f64, FAMILY, f64, f64, f64) F (op##_f32, FAMILY, f32, f32, f32) \
  GPR_INSTANCES_INTEGER_ (F, op, FAMILY)
#define GPR_INSTANCES_INTEGER_(F, op, FAMILY) \
  F (op##_i8, FAMILY, i8, i8, i8)     F (op##_u8, FAMILY, u8, u8, u8) \
  F (op##_i16, FAMILY, i16, i16, i16) F (op##_u16, FAMILY, u16, u16, u16) \
  F (op##_i32, FAMILY, i32, i32, i32) F (op##_u32, FAMILY, u32, u32, u32) \
  F (op##_i64, FAMILY, i64, i64, i64) F (op##_u64, FAMILY, u64, u64, u64)

#define GPR_INSTANCES_EXTREME(F) \
  GPR_INSTANCES_REAL_ (F, max, MAX) \
  GPR_INSTANCES_REAL_ (F, min, MIN)

#define GPR_INSTANCES_BOUNDS(F) \
  F (bounds_f64, FBOUNDS, f64, f64, f64) F (bounds_f32, FBOUNDS, f32, f32, f32) \
  GPR_INSTANCES_INTEGER_ (F, bounds, BOUNDS)

#define GPR_INSTANCES_ARG(F) \
  GPR_INSTANCES_REAL_ (F, argmax, ARGMAX) \
  F (argmax_c128, CARGMAX, c128, c128, c128) F (argmax_c64, CARGMAX, c64, c64, c64) \
  GPR_INSTANCES_REAL_ (F, argmin, ARGMIN) \
  F (argmin_c128, CARGMIN, c128, c128, c128) F (argmin_c64, CARGMIN, c64, c64, c64) \
  F (nanindex_f64, NANINDEX, f64, f64, f64)     F (nanindex_f32, NANINDEX, f32, f32, f32) \
  F (nanindex_c128, NANINDEX, c128, c128, c128) F (nanindex_c64, NANINDEX, c64, c64, c64)

#define GPR_INSTANCES_LOGICAL(F) \
  GPR_INSTANCES_REAL_ (F, any, ANY) F (any_c128, CANY, c128, u8, u8) F (any_c64, CANY, c64, u8, u8) \
  GPR_INSTANCES_REAL_ (F, all, ALL) F (all_c128, CALL, c128, u8, u8) F (all_c64, CALL, c64, u8, u8) \
  F (nancount_f64, NANCOUNT, f64, i64, f64)    F (nancount_f32, NANCOUNT, f32, i64, f64) \
  F (nancount_c128, CNANCOUNT, c128, i64, f64) F (nancount_c64, CNANCOUNT, c64, i64, f64) \
  F (seen_f64, SEEN, f64, f64, u32)            F (seen_f32, SEEN, f32, f32, u32) \
  F (seen_c128, CSEEN, c128, f64, u32)         F (seen_c64, CSEEN, c64, f32, u32) \
  F (seenomit_c128, CSEENOMIT, c128, f64, u32) F (seenomit_c64, CSEENOMIT, c64, f32, u32)

#define GPR_INSTANCES_MOMENTS(F) \
  F (moments_f64, MOMENTS, f64, moments, f64) F (moments_f32, MOMENTS, f32, moments, f32) \
  F (moments_c128, CMOMENTS, c128, cmoments, f64) F (moments_c64, CMOMENTS, c64, cmoments, f32) \
  F (momentsomit_f64, MOMENTSOMIT, f64, moments, f64) F (momentsomit_f32, MOMENTSOMIT, f32, moments, f32) \
  F (momentsomit_c128, CMOMENTSOMIT, c128, cmoments, f64) F (momentsomit_c64, CMOMENTSOMIT, c64, cmoments, f32) \
  F (stats_f64, SUMMARY, f64, summary, stats)    F (stats_f32, SUMMARY, f32, summary, stats)

#define GPR_INSTANCES_NORM(F) \
  F (norm1_f64, NORM1, f64, f64, f64)            F (norm1_f32, NORM1, f32, f64, f64) \
  F (norm1_c128, NORM1, c128, f64, f64)          F (norm1_c64, NORM1, c64, f64, f64) \
  F (norm2_f64, NORM2, f64, f64, f64)            F (norm2_f32, WIDENORM2, f32, f64, f64) \
  F (norm2_c128, CNORM2, c128, f64, f64)         F (norm2_c64, CWIDENORM2, c64, f64, f64) \
  F (scalednorm2_f64, SCALEDNORM2, f64, scaled_squares, f64) F (scalednorm2_c128, CSCALEDNORM2, c128, scaled_squares, f64) \
  F (normmax_f64, NORMMAX, f64, f64, f64)        F (normmax_f32, NORMMAX, f32, f64, f64) \
  F (normmax_c128, NORMMAX, c128, f64, f64)      F (normmax_c64, NORMMAX, c64, f64, f64) \
  F (nonzero_f64, NONZERO, f64, i64, f64)        F (nonzero_f32, NONZERO, f32, i64, f64) \
  F (nonzero_u8, NONZERO, u8, i64, f64)          F (nonzero_u16, NONZERO, u16, i64, f64) \
  F (nonzero_u32, NONZERO, u32, i64, f64)        F (nonzero_u64, NONZERO, u64, i64, f64) \
  F (nonzero_c128, CNONZERO, c128, i64, f64)     F (nonzero_c64, CNONZERO, c64, i64, f64)

/* Only the ladder (kernels/ladder) has these: its programs add and multiply 32-bit integers
   without widening.  */
#define GPR_INSTANCES_LADDER(F) \
  F (wrapsum_i32, WRAPSUM, i32, i32, i32) F (wrapprod_i32, WRAPPROD, i32, i32, i32)

#define GPR_INSTANCES(F) \
  GPR_INSTANCES_SUM (F) GPR_INSTANCES_SUMSQ (F) GPR_INSTANCES_PROD (F) GPR_INSTANCES_NATIVE (F) \
  GPR_INSTANCES_EXTREME (F) GPR_INSTANCES_BOUNDS (F) GPR_INSTANCES_ARG (F) GPR_INSTANCES_LOGICAL (F) GPR_INSTANCES_MOMENTS (F) GPR_INSTANCES_NORM (F)

/* ---- instances that have another's kernels ------------------------------------------

   Kernels take long to compile.  F (id, other, TURN): on the GPU id is done by other's kernels, of
   elements turned by TURN (../common/turn.h).  */

#define GPR_TURNED_(F, least, greatest) \
  F (least##_f64, greatest##_f64, gpr_turn (GPR_f64, 1)) F (least##_f32, greatest##_f32, gpr_turn (GPR_f32, 1)) \
  GPR_TURNED_INTEGERS_ (F, least, greatest, i8, u8)   GPR_TURNED_INTEGERS_ (F, least, greatest, i16, u16) \
  GPR_TURNED_INTEGERS_ (F, least, greatest, i32, u32) GPR_TURNED_INTEGERS_ (F, least, greatest, i64, u64)
#define GPR_TURNED_INTEGERS_(F, least, greatest, I, U) \
  F (least##_##I, greatest##_##I, gpr_turn (GPR_##I, 1)) \
  F (least##_##U, greatest##_##I, gpr_turn (GPR_##U, 1)) \
  F (greatest##_##U, greatest##_##I, gpr_turn (GPR_##U, 0))
#define GPR_SHARED_EXTREME(F) GPR_TURNED_ (F, min, max)
#define GPR_SHARED_ARG(F) GPR_TURNED_ (F, argmin, argmax)

/* Whether an integer is 0 does not hang on its sign.  */
#define GPR_UNSIGNED_(F, op) F (op##_i8, op##_u8, 0) F (op##_i16, op##_u16, 0) F (op##_i32, op##_u32, 0) F (op##_i64, op##_u64, 0)
#define GPR_SHARED_LOGICAL(F) GPR_UNSIGNED_ (F, any) GPR_UNSIGNED_ (F, all)

#define GPR_INSTANCE_ID(id, FAMILY, X, A, Y) GPR_##id,
enum gpr_instance { GPR_INSTANCE_NONE = -1, GPR_INSTANCES (GPR_INSTANCE_ID) GPR_INSTANCE_COUNT };
#undef GPR_INSTANCE_ID

/* F (V, I): I finds the same value as V, and its index.  V is faster; I is asked where V cannot tell
   (GPR_FIXUP_BY_INDEX: all NaN, the sign of a zero), and V may find the value whose index I wants.  */
#define GPR_VALUES_OF_INDEXED_(F, value, indexed) \
  F (value##_f64, indexed##_f64) F (value##_f32, indexed##_f32) F (value##_i8, indexed##_i8) F (value##_u8, indexed##_u8) \
  F (value##_i16, indexed##_i16) F (value##_u16, indexed##_u16) F (value##_i32, indexed##_i32) F (value##_u32, indexed##_u32) \
  F (value##_i64, indexed##_i64) F (value##_u64, indexed##_u64)
#define GPR_VALUES_OF_INDEXED(F) GPR_VALUES_OF_INDEXED_ (F, max, argmax) GPR_VALUES_OF_INDEXED_ (F, min, argmin)

#endif
