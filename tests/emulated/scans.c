/* The one of the CPU's loops that cumulative functions need.  */

#include "../../src/cpu/part.h"

extern const struct gpr_cpu_scans gpr_cpu_scans_baseline;

const gpr_cpu_vector *
gpr_cpu_vectors (void)
{
  static const gpr_cpu_vector v = { .scans = &gpr_cpu_scans_baseline };
  return &v;
}
