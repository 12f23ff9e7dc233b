/* Elementwise expressions of arrays on the device: what the kernel is told.  */

#include <string.h>

#include "problems.h"
#include "stream.h"
#include "../core/map.h"
#include "../../kernels/engine/map.h"

static gpr_map_lie
lie (const gpr_map_args *a, int l)
{
  int64_t step = 1;
  bool scalar = true, same = true;

  for (int d = 0; d < a->rank; d++)
    {
      scalar = scalar && a->strides[l][d] == 0;
      same = same && a->strides[l][d] == step;
      step *= a->dims[d];
    }
  return scalar ? GPR_MAP_SCALAR : same ? GPR_MAP_VECTORS : GPR_MAP_STRIDED;
}

static bool
is_aligned (const void *p, int64_t bytes)
{
  return (uintptr_t) p % (uintptr_t) bytes == 0;
}

/* Vectors of four elements or of two, as long as 16 bytes at most.  */
static void
plan_vectors (const gpr_mapping *m, gpr_map_args *a)
{
  a->fours = a->z_elem != GPR_f64;
  for (int l = 0; l < m->leaves; l++)
    {
      a->lies[l] = lie (a, l);
      a->fours = a->fours && ! (a->lies[l] == GPR_MAP_VECTORS && a->elems[l] == GPR_f64);
    }
  const int each = a->fours ? 4 : 2;
  a->z_vectors = ! m->placed && is_aligned (m->z, each * gpr_bytes_of (a->z_elem));
  for (int l = 0; l < m->leaves; l++)
    if (a->lies[l] == GPR_MAP_VECTORS && ! is_aligned (m->x[l], each * gpr_bytes_of (a->elems[l])))
      a->lies[l] = GPR_MAP_STRIDED;
}

_Static_assert ((int) GPR_MAP_RANK == (int) GPR_MAX_DIMS, "dims and strides are copied");
gpr_status
gpr_cuda_map (gpr_cuda_state *s, gpr_mapping *m)
{
  gpr_map_args a = { .z = m->z, .left = s->needs_fixup, .z_elem = gpr_elem_of_class (m->class), .steps = m->steps };
  gpr_mapping joined = *m;
  gpr_cuda_slot *slot;

  m->left = false;
  a.count = gpr_map_join (&joined);
  a.rank = joined.rank;
  if (a.count == 0)
    return GPR_OK;
  a.narrow = a.count <= UINT32_MAX;
  a.placed = joined.placed;
  memcpy (a.dims, joined.dims, sizeof a.dims);
  memcpy (a.strides, joined.strides, sizeof a.strides);
  for (int l = 0; l < m->leaves; l++)
    {
      a.x[l] = m->x[l];
      a.elems[l] = gpr_elem_of_class (m->classes[l]);
    }
  plan_vectors (m, &a);
  memcpy (a.step, m->step, m->steps * sizeof *m->step);
  for (int k = 0; k < a.steps; k++)
    {
      gpr_map_step *step = &a.step[k];
      if (step->op == GPR_MAP_power && ! step->turned && step->operand == GPR_MAP_NUMBER && step->number == 2)
        {
          step->op = GPR_MAP_times;
          step->operand = GPR_MAP_SELF;
        }
    }
  bool singles = a.fours;
  for (int k = 0; k < a.steps; k++)
    singles = singles && a.step[k].single;
  const int tile = GPR_MAP_THREADS * (singles ? GPR_MAP_SINGLES : GPR_MAP_EACH);
  *(volatile int *) s->needs_fixup = 0;
  GPR_TRY (gpr_cuda_next_slot (s, &slot));
  GPR_TRY (gpr_cuda_begin_work (s, slot));
  GPR_TRY (gpr_cuda_launch (s, gpr_engine_map (singles), gpr_over (a.count, tile), GPR_MAP_THREADS, 0, &a));
  GPR_TRY (gpr_cuda_end_work (s, slot));
  GPR_TRY (gpr_cuda_drain (s));
  m->left = *(volatile int *) s->needs_fixup != 0;
  return GPR_OK;
}
