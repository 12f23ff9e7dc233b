/* Expressions and reductions that wait are computed.  */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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
  return r->repeated && (r->named || r->holders - r->watched > 1);
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

/* To make room for one of them r may be computed too: then it waits no more.  */
static gpr_status
compute_earlier (const gpr_resident *r, bool results)
{
  gpr_status status = GPR_OK;
  gpr_resident *x;

  while (status == GPR_OK && r->node && (x = earlier_of (r->node, results)))
    status = gpr_expression_compute (x);
  return status;
}

/* Whether x's elements can be made where they are reduced, and not for the second time while it has a name.  */
static bool
is_terms (const gpr_resident *x)
{
  return x->node && x->node->op != GPR_NODE_REDUCTION && ! (x->repeated && x->named);
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

/* A failure of r's own operation; what goes before it names itself.  */
static gpr_status
named (gpr_status status, const gpr_resident *r)
{
  return status == GPR_OK ? GPR_OK : gpr_node_fail (status, r->node->op, &r->array);
}

/* The steps of x, which waits, for a backend that takes its elements as it makes them; NULL: x is to be computed.  */
static gpr_status
take_terms (gpr_resident *x, bool again, gpr_map_step *steps, gpr_mapping *room, const gpr_mapping **terms)
{
  gpr_status status = is_terms (x) ? compute_earlier (x, true) : GPR_OK;

  *terms = NULL;
  if (status != GPR_OK || ! is_terms (x))
    return status;
  *room = gpr_code_of (x, steps).m;
  if (! again)
    gpr_code_mark (x->node);
  *terms = room;
  return GPR_OK;
}

/* Whether the result may not be final.  An extreme that is zero has no other sign where no element is -0.  */
static bool
is_in_doubt (const gpr_resident *x, const gpr_reduction *r)
{
  const gpr_instance_info *f = &gpr_instances[r->instance];
  const bool known = x->positive && (f->traits & GPR_FIXUP_MASK) == GPR_FIXUP_BY_INDEX && ! r->out_resident && r->inner * r->outer == 1;

  return r->needs_fixup && ! (known && (f->elem == GPR_f64 ? *(const f64 *) r->value == 0 : f->elem == GPR_f32 && *(const f32 *) r->value == 0));
}

gpr_status
gpr_expression_reduce (gpr_resident *x, const gpr_reduction *r, bool again, bool *reduced)
{
  gpr_map_step steps[GPR_MAP_STEPS];
  gpr_mapping m;
  gpr_reduction q = *r;
  gpr_status status = take_terms (x, again, steps, &m, &q.terms);

  *reduced = false;
  if (status != GPR_OK || ! q.terms)
    return status;
  q.x_resident = x->array.home->on_device;
  status = named (x->array.home->reduce (&q), x);
  *reduced = status == GPR_OK && q.fused && ! is_in_doubt (x, &q);
  return status;
}

/* Elements of the expression m, all of whose leaves lie as its elements do where it is flat, go where p's do; false: sizes differ.  */
static bool
lay_into (gpr_mapping *m, bool flat, const gpr_mapping *p)
{
  int at = 0;

  if (flat)
    {
      for (int l = 0; l < m->leaves; l++)
        for (int d = 1; d < p->rank; d++)
          m->strides[l][d] = m->strides[l][d - 1] * p->dims[d - 1];
      m->rank = p->rank;
      memcpy (m->dims, p->dims, sizeof m->dims);
      memcpy (m->strides[GPR_MAP_LEAVES], p->strides[GPR_MAP_LEAVES], sizeof m->strides[GPR_MAP_LEAVES]);
      return true;
    }
  for (int d = 0; d < m->rank; d++)
    {
      m->strides[GPR_MAP_LEAVES][d] = 0;
      while (m->dims[d] != 1 && at < p->rank && p->dims[at] == 1)
        at++;
      if (m->dims[d] != 1 && (at == p->rank || p->dims[at] != m->dims[d]))
        return false;
      if (m->dims[d] != 1)
        m->strides[GPR_MAP_LEAVES][d] = p->strides[GPR_MAP_LEAVES][at++];
    }
  return true;
}

gpr_status
gpr_expression_place (gpr_resident *x, const gpr_mapping *place, bool *placed)
{
  gpr_map_step steps[GPR_MAP_STEPS];
  gpr_mapping m;
  const gpr_mapping *terms;
  int64_t count = 1;

  *placed = false;
  for (int d = 0; d < place->rank; d++)
    count *= place->dims[d];
  if (! is_terms (x) || x->array.class != place->class || count != gpr_array_numel (&x->array) || count == 0)
    return GPR_OK;
  gpr_status status = take_terms (x, true, steps, &m, &terms);
  if (! terms || ! lay_into (&m, x->node->flat, place))
    return status;
  gpr_code_mark (x->node);
  m.placed = true;
  m.z = place->z;
  status = named (x->array.home->map (&m), x);
  *placed = status == GPR_OK;
  return status;
}

gpr_status
gpr_expression_count (gpr_resident *x, const gpr_counting *c, bool *counted)
{
  gpr_map_step steps[GPR_MAP_STEPS];
  gpr_mapping m;
  gpr_counting q = *c;
  gpr_status status = take_terms (x, false, steps, &m, &q.terms);

  *counted = false;
  if (status != GPR_OK || ! q.terms)
    return status;
  q.x_resident = x->array.home->on_device;
  status = named (x->array.home->count (&q), x);
  *counted = status == GPR_OK && q.fused;
  return status;
}

static bool
is_square (const gpr_map_step *s)
{
  return s->op == GPR_MAP_power && ! s->turned && s->operand == GPR_MAP_NUMBER && s->number == 2;
}

/* Of bytes read and written.  What a function takes beside them is paid once.  */
bool
gpr_expression_is_cheap (const gpr_resident *x, int readings)
{
  gpr_map_step steps[GPR_MAP_STEPS];
  const int64_t count = gpr_array_numel (&x->array), made = count * gpr_elem_bytes[gpr_array_elem (&x->array)];
  int64_t read = 0;

  if (readings <= 1 || ! is_terms (x))
    return readings <= 1;
  const gpr_code c = gpr_code_of (x, steps);
  for (int l = 0; l < c.m.leaves; l++)
    read += gpr_array_numel (&c.leaf[l]->array) * gpr_elem_bytes[gpr_elem_of_class (c.m.classes[l])];
  for (int k = 0; k < c.m.steps; k++)
    if (! gpr_map_is_short (steps[k].op) && ! is_square (&steps[k]))
      return false;
  return readings * read <= read + (1 + readings) * made;
}

gpr_status
gpr_expression_scan (gpr_resident *x, const gpr_scanning *s, bool *scanned)
{
  gpr_map_step steps[GPR_MAP_STEPS];
  gpr_mapping m;
  gpr_scanning q = *s;
  gpr_status status = take_terms (x, false, steps, &m, &q.terms);

  *scanned = false;
  if (status != GPR_OK || ! q.terms)
    return status;
  q.x_resident = x->array.home->on_device;
  status = named (x->array.home->scan (&q), x);
  *scanned = status == GPR_OK && q.fused;
  return status;
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
    status = named (gpr_reduce (x->array.home, &q), r);
  gpr_resident_drop (x);
  return status;
}

static gpr_status
compute_elements (gpr_resident *r, gpr_array *z, bool *left)
{
  gpr_map_step steps[GPR_MAP_STEPS];
  gpr_status status = compute_earlier (r, true);

  if (status != GPR_OK || ! r->node)
    return status;
  gpr_code c = gpr_code_of (r, steps);
  gpr_code_mark (r->node);
  c.m.z = (void *) z->data;
  status = gpr_array_numel (z) > 0 ? named (z->home->map (&c.m), r) : GPR_OK;
  *left = c.m.left;
  return status;
}

gpr_status
gpr_node_compute (gpr_resident *r, bool *left)
{
  static bool by_steps;         /* the slices of what is computed have been tried */
  const bool before = by_steps;
  gpr_array z = r->array;

  gpr_status status = gpr_resident_allocate (&z, &r->array);
  if (status != GPR_OK && r->node)
    return named (status, r);
  if (status == GPR_OK && r->node && (status = compute_earlier (r, false)) == GPR_OUT_OF_MEMORY)
    status = GPR_OK;            /* then it is computed with r once more */
  if (status == GPR_OK && r->node && ! by_steps)
    status = gpr_node_slices (r, &z, &by_steps);
  if (status == GPR_OK && r->node)
    status = r->node->op == GPR_NODE_REDUCTION ? compute_reduction (r, &z) : compute_elements (r, &z, left);
  by_steps = before;
  if (! r->node)                /* in slices, or to make room */
    {
      if (z.data && z.data != r->array.data)
        z.home->release ((void *) z.data);
      return GPR_OK;
    }
  if (status != GPR_OK || *left)
    {
      z.home->release ((void *) z.data);
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
    status = named (gpr_fail (GPR_UNSUPPORTED, "an element of an expression left the real numbers"), r);
  if (status == GPR_OK && ! r->named)
    gpr_node_pin (r);
  gpr_resident_drop (r);
  return status;
}
