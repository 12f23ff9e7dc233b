/* The one of the CPU's loops that counting needs.  */

#include "../../src/cpu/part.h"

const gpr_cpu_vector *
gpr_cpu_vectors (void)
{
  static const gpr_cpu_vector v = { .slots = gpr_cpu_slots_baseline };
  return &v;
}
