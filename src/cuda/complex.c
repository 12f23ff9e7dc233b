/* Elementwise operations on complex arrays on the device.  */

#include <string.h>

#include "problems.h"
#include "stream.h"
#include "../core/complex.h"
#include "../../kernels/engine/complex.h"

_Static_assert ((int) GPR_COMPLEX_RANK == (int) GPR_MAX_DIMS, "as many dimensions as arrays have");
gpr_status
gpr_cuda_complex (gpr_cuda_state *s, gpr_complex_mapping *m)
{
  gpr_complex_args a = { .x = { m->x[0], m->x[1] }, .number = { m->number[0], m->number[1] }, .z = m->z, .found = (unsigned char *) s->needs_fixup,
                         .count = 1, .rank = m->rank };
  gpr_cuda_slot *slot;

  memcpy (a.dims, m->dims, sizeof a.dims);
  memcpy (a.strides, m->strides, sizeof a.strides);
  for (int d = 0; d < m->rank; d++)
    a.count *= m->dims[d];
  m->is_complex = false;
  if (a.count == 0)
    return GPR_OK;
  *(volatile int *) s->needs_fixup = 0;
  GPR_TRY (gpr_cuda_next_slot (s, &slot));
  GPR_TRY (gpr_cuda_begin_work (s, slot));
  GPR_TRY (gpr_cuda_launch_elements (s, gpr_engine_complex (m->single, m->op, m->kind), gpr_over (a.count, GPR_COMPLEX_THREADS * GPR_COMPLEX_EACH (m->single)),
                                     GPR_COMPLEX_THREADS, 0, &a));
  GPR_TRY (gpr_cuda_end_work (s, slot));
  GPR_TRY (gpr_cuda_drain (s));
  m->is_complex = *(volatile int *) s->needs_fixup != 0;
  return GPR_OK;
}
