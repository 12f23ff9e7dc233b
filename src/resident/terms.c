/* An expression that waits is handed to who takes its elements as they are made: they are written nowhere else.  */

#include <string.h>

#include "node.h"

/* Whether x's elements can be made where they are taken, and are not to be computed while it has a name.  */
static bool
is_terms (const gpr_resident *x)
{
  return x->node && x->node->op != GPR_NODE_REDUCTION && ! (x->named && gpr_node_is_due (x));
}

/* What takes them: a backend's function, of a problem.  *taken <- false: it does not do that, or some result is in doubt.  */
typedef gpr_status taker (const gpr_resident *x, const gpr_mapping *terms, const void *problem, bool *taken);

/* again: the same call will want x once more.  */
static gpr_status
hand_over (gpr_resident *x, bool again, taker *take, const void *problem, bool *taken)
{
  gpr_map_step steps[GPR_MAP_STEPS];
  gpr_status status = is_terms (x) ? gpr_node_compute_earlier (x, true) : GPR_OK;

  *taken = false;
  if (status != GPR_OK || ! is_terms (x))
    return status;
  const gpr_mapping terms = gpr_code_of (x, steps).m;
  status = gpr_node_named (take (x, &terms, problem, taken), x);
  *taken = *taken && status == GPR_OK;
  if (*taken && ! again && x->node)              /* it may have been computed to make room */
    gpr_code_mark (x->node, true);
  return status;
}

/* ---- reductions ------------------------------------------------------------------------------------ */

/* Whether the result may not be final.  An extreme that is zero has no other sign where no element is -0.  */
static bool
is_in_doubt (const gpr_resident *x, const gpr_reduction *r)
{
  const gpr_instance_info *f = &gpr_instances[r->instance];
  const bool known = x->positive && (f->traits & GPR_FIXUP_MASK) == GPR_FIXUP_BY_INDEX && ! r->out_resident && r->inner * r->outer == 1;

  return r->needs_fixup && ! (known && (f->elem == GPR_f64 ? *(const f64 *) r->value == 0 : f->elem == GPR_f32 && *(const f32 *) r->value == 0));
}

static gpr_status
reduce (const gpr_resident *x, const gpr_mapping *terms, const void *problem, bool *reduced)
{
  gpr_reduction r = *(const gpr_reduction *) problem;
  r.terms = terms;
  r.x = NULL;
  r.x_resident = x->array.home->on_device;
  const gpr_status status = x->array.home->reduce (&r);
  *reduced = r.fused && ! is_in_doubt (x, &r);
  return status;
}

gpr_status
gpr_expression_reduce (gpr_resident *x, const gpr_reduction *r, bool again, bool *reduced)
{
  return hand_over (x, again, reduce, r, reduced);
}

/* ---- histograms and cumulative functions ------------------------------------------------------------ */

static gpr_status
count (const gpr_resident *x, const gpr_mapping *terms, const void *problem, bool *counted)
{
  gpr_counting c = *(const gpr_counting *) problem;
  c.terms = terms;
  c.x_resident = x->array.home->on_device;
  const gpr_status status = x->array.home->count (&c);
  *counted = c.fused;
  return status;
}

gpr_status
gpr_expression_count (gpr_resident *x, const gpr_counting *c, bool *counted)
{
  return hand_over (x, false, count, c, counted);
}

static gpr_status
scan (const gpr_resident *x, const gpr_mapping *terms, const void *problem, bool *scanned)
{
  gpr_scanning s = *(const gpr_scanning *) problem;
  s.terms = terms;
  s.x_resident = x->array.home->on_device;
  const gpr_status status = x->array.home->scan (&s);
  *scanned = s.fused;
  return status;
}

gpr_status
gpr_expression_scan (gpr_resident *x, const gpr_scanning *s, bool *scanned)
{
  return hand_over (x, false, scan, s, scanned);
}

/* ---- assignments ------------------------------------------------------------------------------------ */

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

static gpr_status
place (const gpr_resident *x, const gpr_mapping *terms, const void *problem, bool *placed)
{
  const gpr_mapping *to = problem;
  gpr_mapping m = *terms;

  *placed = lay_into (&m, x->node->flat, to);
  m.placed = true;
  m.z = to->z;
  return *placed ? x->array.home->map (&m) : GPR_OK;
}

gpr_status
gpr_expression_place (gpr_resident *x, const gpr_mapping *to, bool *placed)
{
  int64_t count = 1;

  *placed = false;
  for (int d = 0; d < to->rank; d++)
    count *= to->dims[d];
  if (x->array.class != to->class || count != gpr_array_numel (&x->array) || count == 0)
    return GPR_OK;
  return hand_over (x, false, place, to, placed);
}

/* ---- whether to ------------------------------------------------------------------------------------- */

static int64_t
bytes_read (const gpr_code *c)
{
  int64_t bytes = 0;
  for (int l = 0; l < c->m.leaves; l++)
    bytes += gpr_array_numel (&c->leaf[l]->array) * gpr_elem_bytes[gpr_elem_of_class (c->m.classes[l])];
  return bytes;
}

static int64_t
bytes_made (const gpr_resident *x)
{
  return gpr_array_numel (&x->array) * gpr_elem_bytes[gpr_array_elem (&x->array)];
}

/* Nothing takes long: exp hides behind a GPU's memory.  */
static bool
is_quick (const gpr_code *c, bool with_exp)
{
  bool quick = true;
  for (int k = 0; k < c->m.steps; k++)
    quick = quick && (gpr_map_is_short (c->step[k].op) || gpr_map_is_square (&c->step[k]) || (with_exp && c->step[k].op == GPR_MAP_exp));
  return quick;
}

/* Who reads it the second time reads its operands, and writes it for those that may come; on a device, where the operands are no more than itself, that is left to the third,
   since often there is none.  */
bool
gpr_node_is_due (const gpr_resident *r)
{
  gpr_map_step steps[GPR_MAP_STEPS];

  if (r->repeated != 1 || ! r->node || r->node->op == GPR_NODE_REDUCTION || ! r->array.home->on_device)
    return r->repeated > 0;
  const gpr_code c = gpr_code_of (r, steps);
  return bytes_read (&c) > bytes_made (r) || ! is_quick (&c, true);
}

/* Of bytes read and written.  What a function takes beside them is paid once.  */
bool
gpr_expression_is_cheap (const gpr_resident *x, int readings)
{
  gpr_map_step steps[GPR_MAP_STEPS];
  const int64_t made = bytes_made (x);

  if (readings <= 1 || ! is_terms (x))
    return readings <= 1;
  const gpr_code c = gpr_code_of (x, steps);
  const int64_t read = bytes_read (&c);
  return is_quick (&c, false) && readings * read <= read + (1 + readings) * made;
}
