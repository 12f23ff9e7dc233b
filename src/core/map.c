/* Classes of elementwise operations.  */

#include "map.h"

#define NAME(op) [GPR_MAP_##op] = #op,
const char *const gpr_map_names[GPR_MAP_OP_COUNT] = { GPR_MAP_UNARY (NAME) GPR_MAP_BINARY (NAME) };

static bool
is_floating (gpr_class c)
{
  return c == GPR_CLASS_double || c == GPR_CLASS_single;
}

static bool
is_wide (gpr_class c)
{
  return c == GPR_CLASS_int64 || c == GPR_CLASS_uint64;
}

/* The class in which arithmetic on both is done; what is neither integer nor single counts as double.  */
static gpr_class
common_class (gpr_class a, gpr_class b)
{
  return gpr_class_is_integer (a) ? a : gpr_class_is_integer (b) ? b
         : a == GPR_CLASS_single || b == GPR_CLASS_single ? GPR_CLASS_single : GPR_CLASS_double;
}

static bool
class_of_one (gpr_map_op op, gpr_class a, gpr_class *result)
{
  const gpr_class common = common_class (a, a);
  const bool is_char = a == GPR_CLASS_char;

  switch ((int) op)
    {
    case GPR_MAP_load: case GPR_MAP_save:
      *result = a;
      return true;
    case GPR_MAP_sign:
      *result = common;
      return ! is_char;
    case GPR_MAP_uminus: case GPR_MAP_abs: case GPR_MAP_floor: case GPR_MAP_ceil: case GPR_MAP_round: case GPR_MAP_fix:
      *result = common;
      return true;
    case GPR_MAP_not: case GPR_MAP_isnan: case GPR_MAP_isinf: case GPR_MAP_isfinite:
      *result = GPR_CLASS_logical;
      return true;
    case GPR_MAP_isna: case GPR_MAP_signbit: case GPR_MAP_to_logical:
      *result = GPR_CLASS_logical;
      return ! is_char;
#define TO(name) \
    case GPR_MAP_to_##name: \
      *result = GPR_CLASS_##name; \
      return true;
    TO (int8) TO (uint8) TO (int16) TO (uint16) TO (int32) TO (uint32) TO (single)
#undef TO
    default:    /* functions of integers are double */
      *result = common == GPR_CLASS_single ? GPR_CLASS_single : GPR_CLASS_double;
      return ! is_char;
    }
}

static bool
class_of_two (gpr_map_op op, gpr_class a, gpr_class b, gpr_class *result)
{
  const bool integer = gpr_class_is_integer (a) || gpr_class_is_integer (b), both = gpr_class_is_integer (a) && gpr_class_is_integer (b);
  const bool floating = is_floating (a) || is_floating (b), plain = is_floating (a) && is_floating (b);
  const bool chars = a == GPR_CLASS_char || b == GPR_CLASS_char;
  const gpr_class common = common_class (a, b);

  *result = common;
  switch ((int) op)
    {
    case GPR_MAP_eq: case GPR_MAP_ne: case GPR_MAP_lt: case GPR_MAP_le: case GPR_MAP_gt: case GPR_MAP_ge:
      *result = GPR_CLASS_logical;
      return true;
    case GPR_MAP_and: case GPR_MAP_or:
      *result = GPR_CLASS_logical;
      return ! both || a == b;
    case GPR_MAP_xor:
      *result = GPR_CLASS_logical;
      return ! chars;
    /* Octave multiplies integers repeatedly, and their negative exponents round to 0.  */
    case GPR_MAP_power:
      return ! both || (a == b && (a == GPR_CLASS_uint8 || a == GPR_CLASS_uint16 || a == GPR_CLASS_uint32));
    case GPR_MAP_max: case GPR_MAP_min:
      if (a == GPR_CLASS_logical && b == GPR_CLASS_logical)
        *result = GPR_CLASS_logical;
      return both ? a == b : ! chars && ! (integer && floating);           /* Octave compares letters as signed */
    case GPR_MAP_mod: case GPR_MAP_rem:
      return plain || (both && a == b);
    case GPR_MAP_atan2: case GPR_MAP_hypot:
      if (integer)
        *result = a == GPR_CLASS_single || b == GPR_CLASS_single ? GPR_CLASS_single : GPR_CLASS_double;
      return (is_floating (a) || gpr_class_is_integer (a)) && (is_floating (b) || gpr_class_is_integer (b));
    /* What a class of the other's has to round first is given rounded, and no double beside a single, whose bits singles do not hold.  */
    case GPR_MAP_bitand: case GPR_MAP_bitor: case GPR_MAP_bitxor:
      if (a == GPR_CLASS_logical && b == GPR_CLASS_logical)
        *result = GPR_CLASS_logical;
      return ! chars && (integer ? a == b : ! plain || a == b);
    default:
      return ! both || a == b;
    }
}

bool
gpr_map_class (gpr_map_op op, gpr_class a, const gpr_class *b, gpr_class *result, bool *single)
{
  if (is_wide (a) || (b && is_wide (*b)))
    return false;
  const gpr_class common = b ? common_class (a, *b) : common_class (a, a);
  if (! (b ? class_of_two (op, a, *b, result) : class_of_one (op, a, result)))
    return false;
  *single = *result == GPR_CLASS_single || (common == GPR_CLASS_single && ! gpr_class_is_integer (*result));
  return true;
}
