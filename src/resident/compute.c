/* Expressions and reductions that wait are computed.  */

#include <inttypes.h>
#include <stdio.h>

#include "node.h"

const void *
gpr_expression_lies (const gpr_resident *r)
{
  for (; r->node; r = r->node->operands[0].array)
    if (r->node->op != GPR_MAP_load || r->node->operands[0].array->array.class != r->array.class)
      return NULL;
  return r->array.data;
}

/* Whether what was computed for a reader has a name, or other readers than the one that wants it now.  */
static bool
is_wanted_again (const gpr_resident *r)
{
  return (r->named || r->holders - r->watched > 1) && gpr_node_is_due (r);
}

/* What is to be computed before n: a result that it reads, or what is wanted again.  NULL: nothing.  */
static gpr_resident *
earlier_of (const gpr_node *n, bool results)
{
  gpr_resident *earlier = NULL;

  for (int k = 0; k < n->count && ! earlier; k++)
    {
      gpr_resident *x = n->operands[k].array;
      if (! x || ! x->node || (k == 1 && x == n->operands[0].array))
        continue;
      earlier = (n->later[k] ? results : ! results && is_wanted_again (x)) ? x : earlier_of (x->node, results);
    }
  return earlier;
}

gpr_status
gpr_node_compute_earlier (const gpr_resident *r, bool results)
{
  gpr_status status = GPR_OK;
  gpr_resident *x;

  while (status == GPR_OK && r->node && (x = earlier_of (r->node, results)))
    status = gpr_expression_compute (x);
  return status;
}

gpr_status
gpr_node_fail (gpr_status status, int op, const gpr_array *z)
{
  char sizes[GPR_MAX_DIMS * 21] = "";
  int length = 0;

  for (int d = 0; d < z->ndims; d++)
    length += snprintf (sizes + length, sizeof sizes - length, "%s%" PRId64, d > 0 ? "x" : "", z->dims[d]);
  return gpr_fail (status, "%s; computing %s of %s %s", gpr_message (), op == GPR_NODE_REDUCTION ? "a reduction" : gpr_map_names[op] ? gpr_map_names[op] : "a copy", sizes, gpr_class_names[z->class]);
}

gpr_status
gpr_node_named (gpr_status status, const gpr_resident *r)
{
  return status == GPR_OK ? GPR_OK : gpr_node_fail (status, r->node->op, &r->array);
}

static gpr_status
compute_reduction (gpr_resident *r, gpr_array *z)
{
  gpr_resident *x = r->node->operands[0].array;
  const gpr_node_reduction *n = &r->node->reduction;
  gpr_reduction q = { .instance = n->instance, .inner = n->inner, .length = n->length, .outer = n->outer, .divisor = n->divisor,
                      .value = (void *) z->data, .out_resident = true };
  bool reduced = false;
  gpr_status status = GPR_OK;

  x->holders++;                 /* if r is computed to make room, it lets go of x */
  q.x = gpr_expression_lies (x);
  if (! q.x)
    {
      status = gpr_expression_reduce (x, &q, false, &reduced);
      if (status == GPR_OK && ! reduced)
        status = gpr_expression_compute (x);
      q.x = x->array.data;
    }
  q.x_resident = x->array.home->on_device;
  if (status == GPR_OK && ! reduced)
    status = gpr_node_named (gpr_reduce (x->array.home, &q), r);
  gpr_resident_drop (x);
  return status;
}

static gpr_status
compute_elements (gpr_resident *r, gpr_array *z, bool *left)
{
  gpr_map_step steps[GPR_MAP_STEPS];
  gpr_status status = gpr_node_compute_earlier (r, true);

  if (status != GPR_OK || ! r->node)
    return status;
  gpr_code c = gpr_code_of (r, steps);
  gpr_code_mark (r->node, true);
  c.m.z = (void *) z->data;
  status = gpr_array_numel (z) > 0 ? gpr_node_named (z->home->map (&c.m), r) : GPR_OK;
  *left = c.m.left;
  return status;
}

static void
release (const gpr_array *z, const void *room)
{
  if (z->data && z->data != room)
    z->home->release ((void *) z->data);
}

gpr_status
gpr_node_compute (gpr_resident *r, bool *left)
{
  static bool by_steps;         /* the slices of what is computed have been tried */
  const bool before = by_steps;
  void *room = r->room;
  gpr_array z = r->array;

  z.data = room;
  r->room = NULL;               /* if it is computed meanwhile, to make room, it is elsewhere */
  gpr_status status = room ? GPR_OK : gpr_resident_allocate (&z, &r->array);
  if (status != GPR_OK && r->node)
    return gpr_node_named (status, r);
  if (status == GPR_OK && r->node && (status = gpr_node_compute_earlier (r, false)) == GPR_OUT_OF_MEMORY)
    status = GPR_OK;            /* then it is computed with r once more */
  if (status == GPR_OK && r->node && ! by_steps)
    status = gpr_node_slices (r, &z, &by_steps);
  if (status == GPR_OK && r->node)
    status = r->node->op == GPR_NODE_REDUCTION ? compute_reduction (r, &z) : compute_elements (r, &z, left);
  by_steps = before;
  if (! r->node)                /* in slices, or to make room */
    {
      if (z.data != r->array.data)
        release (&z, room);
      return GPR_OK;
    }
  if (status != GPR_OK || *left)
    {
      release (&z, room);
      return status;
    }
  r->array = z;
  gpr_node_free (r->node);
  r->node = NULL;
  return GPR_OK;
}

gpr_status
gpr_expression_compute (gpr_resident *r)
{
  bool left = false;

  if (! r->node)
    return GPR_OK;
  r->holders++;                 /* to make room, all that reads it may be computed */
  gpr_status status = gpr_node_compute (r, &left);
  if (status == GPR_OK && left)
    status = gpr_node_named (gpr_fail (GPR_UNSUPPORTED, "an element of an expression left the real numbers"), r);
  if (status == GPR_OK && ! r->named)
    gpr_node_pin (r);
  gpr_resident_drop (r);
  return status;
}

gpr_status
gpr_expression_compute_to (gpr_resident *r, void *room, bool *taken)
{
  r->room = room;
  gpr_status status = gpr_expression_compute (r);
  r->room = NULL;
  *taken = ! r->node && r->array.data == room;
  return status;
}
