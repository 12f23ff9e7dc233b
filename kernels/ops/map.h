/* Elementwise operations: the code of an expression, and what each step gives for one element, for C11 and CUDA C++.

   A step works in double or in single on an accumulator: of one operand it replaces the accumulator, of two the accumulator is the
   left one (the right one, where the step is turned) and the other is a leaf, a number or a slot.  Integers of up to 32 bits, logical and
   char are doubles, since their results as Octave defines them are what doubles give, rounded and saturated by a step GPR_MAP_TO_….  */

#ifndef GPR_MAP_H
#define GPR_MAP_H

#include "../common/scalars.h"

/* F (name): of two operands.  plus ... as Octave's functions of these names.  */
#define GPR_MAP_BINARY(F) \
  F (plus) F (minus) F (times) F (rdivide) F (power) F (eq) F (ne) F (lt) F (le) F (gt) F (ge) F (and) F (or) F (xor) \
  F (max) F (min) F (mod) F (rem) F (atan2) F (hypot)
/* Of one.  to_X: rounded and saturated to integers, to single; to_logical of NaN is an error: left.  */
#define GPR_MAP_UNARY(F) \
  F (uminus) F (not) F (abs) F (sign) F (floor) F (ceil) F (round) F (fix) F (sqrt) F (exp) F (expm1) F (log) F (log2) F (log10) F (log1p) \
  F (sin) F (cos) F (tan) F (asin) F (acos) F (atan) F (sinh) F (cosh) F (tanh) F (asinh) F (acosh) F (atanh) \
  F (gamma) F (lgamma) F (erf) F (erfc) F (cbrt) F (isnan) F (isinf) F (isfinite) F (isna) F (signbit) \
  F (to_int8) F (to_uint8) F (to_int16) F (to_uint16) F (to_int32) F (to_uint32) F (to_single) F (to_logical)

#define GPR_MAP_ENUM(name) GPR_MAP_##name,
typedef enum { GPR_MAP_load, GPR_MAP_save, GPR_MAP_UNARY (GPR_MAP_ENUM) GPR_MAP_BINARY (GPR_MAP_ENUM) GPR_MAP_OP_COUNT } gpr_map_op;

enum { GPR_MAP_LEAVES = 8, GPR_MAP_SLOTS = 4, GPR_MAP_STEPS = 32 };

typedef enum { GPR_MAP_LEAF, GPR_MAP_NUMBER, GPR_MAP_SLOT } gpr_map_operand;

typedef struct {
  uint8_t op;                   /* gpr_map_op; load: the accumulator <- operand; save: slot `at' <- the accumulator */
  uint8_t single;               /* works in single: operands are converted first */
  uint8_t turned;               /* operand op accumulator */
  uint8_t operand;              /* gpr_map_operand, of load and of two operands */
  int32_t at;                   /* which leaf or slot */
  double number;
} gpr_map_step;

#endif
