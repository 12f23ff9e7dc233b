/* The steps (kernels/ops/map.h) of an expression.  */

#include <string.h>

#include "node.h"

static gpr_map_step *
add_step (gpr_code *c, gpr_map_op op, bool single)
{
  c->full = c->full || c->m.steps == GPR_MAP_STEPS;
  gpr_map_step *s = &c->step[c->full ? GPR_MAP_STEPS - 1 : c->m.steps++];
  *s = (gpr_map_step) { .op = (uint8_t) op, .single = single };
  return s;
}

static void
call_operand (gpr_code *c, gpr_map_step *s, const gpr_node_operand *x)
{
  if (! x->array)
    {
      s->operand = GPR_MAP_NUMBER;
      s->number = x->number;
      return;
    }
  int l = 0;
  while (l < c->m.leaves && c->leaf[l] != x->array)
    l++;
  s->operand = GPR_MAP_LEAF;
  s->at = l;
  if (l < c->m.leaves)
    return;
  if (l == GPR_MAP_LEAVES)
    {
      c->full = true;
      s->at = 0;
      return;
    }
  const gpr_array *a = &x->array->array;
  c->leaf[l] = x->array;
  c->m.x[l] = a->data;
  c->m.classes[l] = a->class;
  c->m.leaves++;
  if (c->flat)
    c->m.strides[l][0] = gpr_array_numel (a) != 1;
  else
    gpr_broadcast_strides (a, c->m.rank, c->m.strides[l]);
}

static void
write_node (gpr_code *c, const gpr_node *n)
{
  static const uint8_t narrows[GPR_CLASS_COUNT] = {
    [GPR_CLASS_int8] = GPR_MAP_to_int8, [GPR_CLASS_uint8] = GPR_MAP_to_uint8, [GPR_CLASS_int16] = GPR_MAP_to_int16,
    [GPR_CLASS_uint16] = GPR_MAP_to_uint16, [GPR_CLASS_int32] = GPR_MAP_to_int32, [GPR_CLASS_uint32] = GPR_MAP_to_uint32
  };
  const gpr_node_operand *x = n->operands, *other = n->count == 2 ? &x[1] : NULL;
  const bool first_waits = gpr_node_joins (n, 0), other_waits = gpr_node_joins (n, 1);
  bool turned = false;
  int saved = -1;

  if (n->op == GPR_MAP_load)
    {
      if (first_waits)
        write_node (c, x[0].array->node);
      else
        call_operand (c, add_step (c, GPR_MAP_load, n->single), &x[0]);
      return;
    }
  if (first_waits && other_waits)
    {
      const bool same = x[0].array == other->array, turn = ! same && x[0].array->node->slots < other->array->node->slots;
      const gpr_node *before = turn ? other->array->node : x[0].array->node;
      write_node (c, before);
      saved = c->slot++;
      add_step (c, GPR_MAP_save, before->single)->at = saved;
      if (! same)
        write_node (c, turn ? x[0].array->node : other->array->node);
      turned = ! turn;
    }
  else if (other_waits)
    {
      write_node (c, other->array->node);
      other = &x[0];
      turned = true;
    }
  else if (first_waits)
    write_node (c, x[0].array->node);
  else
    call_operand (c, add_step (c, GPR_MAP_load, n->single), &x[0]);
  gpr_map_step *s = add_step (c, n->op, n->single);
  s->turned = turned;
  if (saved >= 0)
    {
      s->operand = GPR_MAP_SLOT;
      s->at = saved;
      c->slot--;
    }
  else if (other)
    call_operand (c, s, other);
  const gpr_class class = n->result->array.class;
  if (gpr_class_is_integer (class))
    add_step (c, narrows[class], n->single);
}

void
gpr_code_add (gpr_code *c, const gpr_resident *r)
{
  const gpr_node_operand x = { (gpr_resident *) r, 0 };
  if (r->node && r->node->op != GPR_NODE_REDUCTION)
    write_node (c, r->node);
  else
    call_operand (c, add_step (c, GPR_MAP_load, r->array.class == GPR_CLASS_single), &x);
}

gpr_code
gpr_code_of (const gpr_resident *r, gpr_map_step *steps)
{
  const gpr_array *z = &r->array;
  gpr_code c = { .m.rank = z->ndims, .m.class = z->class, .m.step = steps, .step = steps };

  memcpy (c.m.dims, z->dims, z->ndims * sizeof *z->dims);
  if ((c.flat = r->node->flat))
    {
      c.m.rank = 1;
      c.m.dims[0] = gpr_array_numel (z);
    }
  write_node (&c, r->node);
  return c;
}

static unsigned pass;

static void
mark (const gpr_node *n)
{
  gpr_resident *r = n->result;

  if (r->pass == pass)
    return;
  r->pass = pass;
  if (r->named || r->holders - r->watched > 1)          /* it waits on, where it is not the one that is wanted */
    r->repeated += r->repeated < 2;
  for (int k = 0; k < n->count; k++)
    if (gpr_node_joins (n, k))
      mark (n->operands[k].array->node);
}

void
gpr_code_mark (const gpr_node *n, bool begins)
{
  pass += begins;
  mark (n);
}
