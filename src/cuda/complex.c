/* Elementwise operations on complex arrays on the device.  */

#include "problems.h"
#include "stream.h"
#include "../core/complex.h"
#include "../../kernels/engine/complex.h"

/* Adjacent dimensions are one where both operands allow it.  */
static void
join (const gpr_complex_mapping *m, gpr_complex_args *a)
{
  a->count = 1;
  for (int d = 0; d < m->rank; d++)
    {
      const int last = a->rank - 1;
      a->count *= m->dims[d];
      if (m->dims[d] == 1)
        continue;
      bool joins = last >= 0;
      for (int k = 0; k < 2 && joins; k++)
        joins = m->strides[k][d] == a->strides[k][last] * a->dims[last];
      if (joins)
        {
          a->dims[last] *= m->dims[d];
          continue;
        }
      a->dims[a->rank] = m->dims[d];
      for (int k = 0; k < 2; k++)
        a->strides[k][a->rank] = m->strides[k][d];
      a->rank++;
    }
  if (a->rank == 0)
    a->dims[a->rank++] = 1;     /* and strides of 0 */
}

_Static_assert ((int) GPR_COMPLEX_RANK == (int) GPR_MAX_DIMS, "as many dimensions as arrays have");
gpr_status
gpr_cuda_complex (gpr_cuda_state *s, gpr_complex_mapping *m)
{
  gpr_complex_args a = { .x = { m->x[0], m->x[1] }, .number = { m->number[0], m->number[1] }, .z = m->z, .found = (unsigned char *) s->needs_fixup };
  gpr_cuda_slot *slot;

  join (m, &a);
  m->is_complex = false;
  if (a.count == 0)
    return GPR_OK;
  *(volatile int *) s->needs_fixup = 0;
  GPR_TRY (gpr_cuda_next_slot (s, &slot));
  GPR_TRY (gpr_cuda_begin_work (s, slot));
  GPR_TRY (gpr_cuda_launch (s, gpr_engine_complex (m->single, m->op, m->kind), gpr_over (a.count, GPR_COMPLEX_THREADS * GPR_COMPLEX_EACH),
                            GPR_COMPLEX_THREADS, 0, &a));
  GPR_TRY (gpr_cuda_end_work (s, slot));
  GPR_TRY (gpr_cuda_drain (s));
  m->is_complex = *(volatile int *) s->needs_fixup != 0;
  return GPR_OK;
}
