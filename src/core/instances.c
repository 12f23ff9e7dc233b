/* What the table of instances says at run time.  */

#include "gpr.h"

GPR_INSTANCES (GPR_DEFINE_INSTANCE)

#define INFO(id, FAMILY, X, A, Y) \
  { #id, GPR_##X, sizeof (id##_x), sizeof (id##_a), sizeof (id##_y), id##_has_index, id##_traits },
const gpr_instance_info gpr_instances[GPR_INSTANCE_COUNT] = { GPR_INSTANCES (INFO) };

#define BYTES(t) sizeof (t),
const int gpr_elem_bytes[GPR_ELEM_COUNT] = { GPR_ELEMS (BYTES) };

enum gpr_instance
gpr_instance_with_index (enum gpr_instance values)
{
  switch ((int) values)
    {
#define WITH_INDEX(v, i) case GPR_##v: return GPR_##i;
    GPR_VALUES_OF_INDEXED (WITH_INDEX)
    default: return GPR_INSTANCE_NONE;
    }
}

enum gpr_instance
gpr_instance_of_values (enum gpr_instance with_index)
{
  switch ((int) with_index)
    {
#define OF_VALUES(v, i) case GPR_##i: return GPR_##v;
    GPR_VALUES_OF_INDEXED (OF_VALUES)
    default: return GPR_INSTANCE_NONE;
    }
}

enum gpr_instance
gpr_instance_scaled (enum gpr_instance unscaled)
{
  return unscaled == GPR_norm2_f64 ? GPR_scalednorm2_f64 : GPR_scalednorm2_c128;
}

/* ---- what the rows must agree on ---------------------------------------------------- */

#define HAS(id, trait) ((id##_traits & (trait)) == (trait))
#define CONSISTENT(id, FAMILY, X, A, Y) \
  _Static_assert (sizeof (id##_a) <= GPR_ACC_BYTES, #id ": GPR_ACC_BYTES is too small"); \
  _Static_assert (! HAS (id, GPR_INDEX_FIRST) || HAS (id, GPR_HAS_INDEX), #id ": there is no index"); \
  _Static_assert (! HAS (id, GPR_RAW_COMPARE) || HAS (id, GPR_SELECTS), #id ": compares but does not select"); \
  _Static_assert (! (HAS (id, GPR_EXACT) && HAS (id, GPR_ORDERED)), #id ": does the order count?");
GPR_INSTANCES (CONSISTENT)

#define PAIRED(v, i) \
  _Static_assert (HAS (v, GPR_SELECTS) && ! v##_has_index && sizeof (v##_a) == sizeof (v##_x), #v); \
  _Static_assert (HAS (i, GPR_SELECTS | GPR_INDEX_FIRST) && sizeof (i##_y) == sizeof (v##_y), #i);
GPR_VALUES_OF_INDEXED (PAIRED)
