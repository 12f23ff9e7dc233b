/* Reductions that wait, and what reads their results, as one problem: x - mean (x), and all that is made of it along the same dimension.  */

#include <string.h>

#include "node.h"
#include "../core/slices.h"

typedef struct {
  gpr_slices s;
  gpr_resident *of[GPR_MAP_STAGES];     /* the results of the stages */
  gpr_array read, reduced;      /* sizes: of what is reduced, and of results */
} program;

static bool add_stage (program *p, gpr_resident *r);

/* The stages that operand k of n hangs on.  */
static bool
add_stages (program *p, const gpr_node *n)
{
  for (int k = 0; k < n->count; k++)
    if (gpr_node_is_later (n, k) ? ! add_stage (p, n->operands[k].array) : gpr_node_joins (n, k) && ! add_stages (p, n->operands[k].array->node))
      return false;
  return ! n->reshaped;
}

static bool
add_stage (program *p, gpr_resident *r)
{
  const gpr_node *n = r->node;
  gpr_stage *stage;

  for (int k = 0; k < p->s.stages; k++)
    if (p->of[k] == r)
      return true;
  if (! add_stages (p, n) || p->s.stages == GPR_MAP_STAGES)
    return false;
  stage = &p->s.stage[p->s.stages];
  *stage = (gpr_stage) { .leaf = -1, .class = r->array.class, .instance = GPR_INSTANCE_NONE };
  if (n->op == GPR_NODE_REDUCTION)
    {
      const gpr_node_reduction *q = &n->reduction;
      const gpr_array *x = &n->operands[0].array->array;
      if (p->s.length == 0)
        {
          p->read = *x;
          p->reduced = r->array;
          p->s.inner = q->inner;
          p->s.length = q->length;
          p->s.outer = q->outer;
        }
      if (p->s.inner != q->inner || p->s.length != q->length || p->s.outer != q->outer || ! gpr_array_same_sizes (&p->read, x))
        return false;
      stage->class = x->class;
      stage->instance = q->instance;
      stage->info = &gpr_instances[q->instance];
      stage->divisor = q->divisor;
    }
  else if (p->s.length == 0 || ! gpr_array_same_sizes (&p->reduced, &r->array))
    return false;
  p->of[p->s.stages++] = r;
  return true;
}

/* The steps of all stages and of z; false: they are too many.  */
static bool
write_code (program *p, const gpr_resident *r, bool has_z, gpr_map_step *steps)
{
  gpr_code c = { .m.rank = p->read.ndims, .m.class = r->array.class, .m.step = steps, .step = steps };

  memcpy (c.m.dims, p->read.dims, p->read.ndims * sizeof *p->read.dims);
  for (int k = 0; k < p->s.stages; k++)
    {
      const gpr_node *n = p->of[k]->node;
      gpr_code_add (&c, n->op == GPR_NODE_REDUCTION ? n->operands[0].array : p->of[k]);
      p->s.stage[k].end = c.m.steps;
    }
  if (has_z)
    gpr_code_add (&c, r);
  for (int l = 0; l < c.m.leaves; l++)
    for (int k = 0; k < p->s.stages; k++)
      if (c.leaf[l] == p->of[k])
        {
          p->s.stage[k].leaf = l;
          c.m.x[l] = p->s.stage[k].value;
        }
  p->s.m = c.m;
  return ! c.full;
}

/* Whether the backend has done is said only where this reduction's results are finite.  */
static bool
is_asked_for_finite (const gpr_stage *stage)
{
  const int fixup = stage->info ? stage->info->traits & GPR_FIXUP_MASK : GPR_FIXUP_NONE;
  return fixup == GPR_FIXUP_SUM || fixup == GPR_FIXUP_SPREAD;
}

/* What r waited for is computed, and is a.  */
static void
settle (gpr_resident *r, const gpr_array *a, bool first)
{
  gpr_node *n = r->node;
  gpr_code_mark (n, first);
  r->array = *a;
  r->node = NULL;
  gpr_node_free (n);
}

gpr_status
gpr_node_slices (gpr_resident *r, const gpr_array *z, bool *tried)
{
  const gpr_backend *b = z->home;
  program p = { .s.length = 0 };
  gpr_map_step steps[GPR_MAP_STEPS];
  gpr_array result[GPR_MAP_STAGES];
  gpr_status status = GPR_OK;
  int made = 0;

  if (! b->slices || ! (r->node->op == GPR_NODE_REDUCTION ? add_stage (&p, r) : add_stages (&p, r->node)) || p.s.stages == 0)
    return GPR_OK;
  bool has_z = r->node->op != GPR_NODE_REDUCTION;
  if (has_z && gpr_array_same_sizes (&p.reduced, &r->array))
    {
      if (! add_stage (&p, r))
        return GPR_OK;
      has_z = false;
    }
  else if (has_z && ! gpr_array_same_sizes (&p.read, &r->array))
    return GPR_OK;
  if (! has_z && p.s.stages < 2)        /* a reduction alone has a better way */
    return GPR_OK;
  for (; made < p.s.stages && status == GPR_OK; made++)
    {
      result[made] = p.of[made]->array;
      if (p.of[made] == r)
        result[made] = *z;
      else
        {
          void *data;
          status = b->allocate (&data, (size_t) gpr_array_numel (&result[made]) * gpr_elem_bytes[gpr_array_elem (&result[made])]);
          if (status != GPR_OK)
            break;
          result[made].data = data;
        }
      p.s.stage[made].value = (void *) result[made].data;
    }
  if (status == GPR_OK && write_code (&p, r, has_z, steps))
    {
      p.s.m.z = has_z ? (void *) z->data : NULL;
      status = b->slices (&p.s);
      if (status != GPR_OK && status != GPR_OUT_OF_MEMORY)
        status = gpr_node_fail (status, r->node->op, &r->array);
      *tried = ! p.s.done;
    }
  if (status != GPR_OK || ! p.s.done)
    {
      for (int k = 0; k < made; k++)
        if (p.of[k] != r)
          b->release ((void *) result[k].data);
      return status == GPR_OUT_OF_MEMORY ? GPR_OK : status;
    }
  for (int k = 0; k < p.s.stages; k++)
    p.of[k]->holders++;
  for (int k = 0; k < p.s.stages; k++)
    {
      settle (p.of[k], &result[k], k == 0);
      p.of[k]->finite = is_asked_for_finite (&p.s.stage[k]);
    }
  if (has_z)
    settle (r, z, false);
  for (int k = 0; k < p.s.stages; k++)
    {
      if (p.of[k] != r && ! p.of[k]->named)
        gpr_node_pin (p.of[k]);
      gpr_resident_drop (p.of[k]);
    }
  return GPR_OK;
}
