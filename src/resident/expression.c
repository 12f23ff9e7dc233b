/* Elementwise operations and reductions that wait: what is known of them when they are noted.  */

#include <math.h>
#include <stdlib.h>

#include "node.h"
#include "../spread/spread.h"

enum {
  DEEPEST = 16,                 /* operations, of which one is computed for another */
  SCALAR_STEPS = 3              /* a single number of no more steps is computed again for every element */
};

static bool lazy = true;

bool
gpr_expression_lazy (int wanted)
{
  const bool old = lazy;
  if (wanted >= 0)
    lazy = wanted != 0;
  return old;
}

/* ---- what is known of a result -------------------------------------------------------------- */

static bool
is_positive (const gpr_operand *x)
{
  if (! x->array)
    return ! (x->number < 0 || signbit (x->number));
  const gpr_class class = x->array->array.class;
  return x->array->positive || class == GPR_CLASS_logical || class == GPR_CLASS_char
         || class == GPR_CLASS_uint8 || class == GPR_CLASS_uint16 || class == GPR_CLASS_uint32;
}

static bool
is_never_nan (const gpr_operand *x)
{
  const gpr_class class = x->array ? x->array->array.class : x->class;
  return x->array ? class != GPR_CLASS_double && class != GPR_CLASS_single : x->number == x->number;
}

static bool
is_whole (const gpr_operand *x)         /* a number that an int holds, also where it is rounded to single */
{
  return ! x->array && fabs (x->number) < 0x1p30 && x->number == (int) x->number;
}

static bool
may_leave (gpr_map_op op, const gpr_operand *x)
{
  switch ((int) op)
    {
    case GPR_MAP_sqrt: case GPR_MAP_log: case GPR_MAP_log2: case GPR_MAP_log10: case GPR_MAP_log1p:
      return ! is_positive (&x[0]);
    case GPR_MAP_power:
      return ! (is_positive (&x[0]) || is_whole (&x[1]));
    case GPR_MAP_not: case GPR_MAP_to_logical:
      return ! is_never_nan (&x[0]);
    case GPR_MAP_and: case GPR_MAP_or: case GPR_MAP_xor:
      return ! (is_never_nan (&x[0]) && is_never_nan (&x[1]));
    case GPR_MAP_asin: case GPR_MAP_acos: case GPR_MAP_acosh: case GPR_MAP_atanh: case GPR_MAP_lgamma:
      return true;
    default:
      return false;
    }
}

static bool
makes_positive (gpr_map_op op, const gpr_operand *x)
{
  switch ((int) op)
    {
    case GPR_MAP_abs: case GPR_MAP_exp: case GPR_MAP_hypot:
      return true;
    case GPR_MAP_sqrt:
      return is_positive (&x[0]);
    case GPR_MAP_times:
      return (x[0].array && x[0].array == x[1].array) || (is_positive (&x[0]) && is_positive (&x[1]));
    case GPR_MAP_plus: case GPR_MAP_rdivide: case GPR_MAP_max: case GPR_MAP_min: case GPR_MAP_bitand: case GPR_MAP_bitor: case GPR_MAP_bitxor:
      return is_positive (&x[0]) && is_positive (&x[1]);
    case GPR_MAP_power:
      return is_positive (&x[0]) || (is_whole (&x[1]) && (int) x[1].number % 2 == 0);
    default:
      return false;
    }
}

void
gpr_expression_changed (gpr_resident *r)
{
  r->positive = r->finite = false;
}

/* ---- new nodes ------------------------------------------------------------------------------------ */

/* z's sizes, of which it has none yet; false: they do not go together.  */
static bool
broadcasts (gpr_array *z, const gpr_operand *x, int count)
{
  for (int k = 0; k < count; k++)
    if (x[k].array && ! gpr_broadcast (z, &x[k].array->array))
      return false;
  gpr_array_trim (z);
  return true;
}

/* The nodes below reductions that an expression waits for.  */
typedef struct { const gpr_node *node[64]; int count; bool full; } below;

static void
find_below (below *b, const gpr_node *n, bool reduced)
{
  int i = 0;
  reduced = reduced || n->op == GPR_NODE_REDUCTION;
  while (i < b->count && b->node[i] != n)
    i++;
  if (reduced && (i < b->count || (b->full = b->full || i == (int) (sizeof b->node / sizeof *b->node))))
    return;
  if (reduced)
    b->node[b->count++] = n;
  for (int k = 0; k < n->count; k++)
    if (n->operands[k].array && n->operands[k].array->node)
      find_below (b, n->operands[k].array->node, reduced);
}

/* Whether n alone reads r, or beside it what is reduced to results that n waits for too: then they may come from one reading.  */
static bool
has_no_other_reader (const gpr_resident *r, const gpr_node *n)
{
  int holders = r->named;
  below b = { .count = 0 };

  if (r->holders == holders)
    return true;
  for (int k = 0; k < n->count; k++)
    if (n->operands[k].array && n->operands[k].array->node)
      find_below (&b, n->operands[k].array->node, false);
  for (int i = 0; i < b.count; i++)
    for (int k = 0; k < b.node[i]->count; k++)
      holders += b.node[i]->operands[k].array == r;
  return ! b.full && r->holders == holders;
}

/* Whether an operand that waits is computed with what reads it.  */
static bool
joins (const gpr_resident *r, const gpr_node *n, const gpr_array *z)
{
  if (n->op == GPR_NODE_REDUCTION)
    return ! gpr_node_is_due (r);
  return (gpr_array_numel (&r->array) == gpr_array_numel (z) || (gpr_array_numel (&r->array) == 1 && r->node->steps <= SCALAR_STEPS))
         && ! gpr_node_is_due (r) && has_no_other_reader (r, n);
}

/* Whether an operand that waits is a result that may come from the same reading as what n is made of: a reduction's, or made of such.  */
static bool
is_result (const gpr_resident *r, const gpr_array *z)
{
  below b = { .count = 0 };

  if (r->node->op == GPR_NODE_REDUCTION)
    return true;
  if (gpr_array_numel (&r->array) >= gpr_array_numel (z) || gpr_node_is_due (r))
    return false;
  find_below (&b, r->node, false);
  return b.count > 0;
}

/* The node's counts, of operands as they are now; class: of its result.  */
static bool
counts (gpr_node *n, gpr_class class)
{
  const gpr_node_operand *x = n->operands;
  const gpr_node *a = gpr_node_joins (n, 0) ? x[0].array->node : NULL, *b = gpr_node_joins (n, 1) ? x[1].array->node : NULL;
  const bool same = a && a == b;

  n->depth = 1;
  for (int k = 0; k < n->count; k++)
    if (x[k].array && x[k].array->node && x[k].array->node->depth >= n->depth)
      n->depth = x[k].array->node->depth + 1;
  if (n->op == GPR_NODE_REDUCTION)
    return n->depth <= DEEPEST;
  /* A load, or nothing, or a save; the operation; the class.  Of an operand that is computed since there are fewer.  */
  n->steps = n->op == GPR_MAP_load ? (a ? a->steps : 1)
             : (a ? a->steps : 0) + (b && ! same ? b->steps : 0) + (! a == ! b) + 1 + gpr_class_is_integer (class);
  n->leaves = (a ? a->leaves : x[0].array != NULL) + (same ? 0 : b ? b->leaves : n->count == 2 && x[1].array != NULL);
  n->slots = ! b ? (a ? a->slots : 0) : ! a ? b->slots : same ? a->slots + (a->slots == 0)
             : a->slots == b->slots ? a->slots + 1 : a->slots > b->slots ? a->slots : b->slots;
  return n->steps <= GPR_MAP_STEPS && n->leaves <= GPR_MAP_LEAVES && n->slots <= GPR_MAP_SLOTS && n->depth <= DEEPEST;
}

/* Whether operand k lies as z does, or is a single number.  */
static bool
lies_as (const gpr_node *n, int k, const gpr_array *z)
{
  const gpr_resident *x = n->operands[k].array;
  const int64_t count = x ? gpr_array_numel (&x->array) : 1;
  return (count == 1 || count == gpr_array_numel (z)) && ! (gpr_node_joins (n, k) && ! x->node->flat);
}

/* Computes what is not to be computed with n: what has other readers, what lies in other sizes beside what broadcasts, and where the expression would
   be too long.  Then n's counts are known, and how what it reads lies.  */
static gpr_status
settle_operands (gpr_node *n, const gpr_array *z)
{
  gpr_node_operand *x = n->operands;
  const bool only_sizes = n->op == GPR_MAP_load && ! gpr_array_same_sizes (&x[0].array->array, z);
  gpr_status status = GPR_OK;

  for (int k = 0; k < n->count && status == GPR_OK; k++)
    if (x[k].array && x[k].array->node && ! (n->later[k] = is_result (x[k].array, z)) && ! joins (x[k].array, n, z))
      status = gpr_expression_compute (x[k].array);
  n->flat = true;
  n->reshaped = only_sizes;
  for (int k = 0; k < n->count; k++)
    {
      n->flat = n->flat && lies_as (n, k, z);
      n->reshaped = n->reshaped || (gpr_node_joins (n, k) && x[k].array->node->reshaped);
    }
  for (int k = 0; k < n->count && status == GPR_OK && n->op != GPR_NODE_REDUCTION; k++)
    if (n->reshaped && ! n->flat && gpr_node_joins (n, k) && (only_sizes || x[k].array->node->reshaped))
      status = gpr_expression_compute (x[k].array);
  n->flat = n->flat || only_sizes;
  n->reshaped = n->reshaped && n->flat;
  while (status == GPR_OK && ! counts (n, z->class))
    {
      bool waits[2] = { false, false };
      for (int k = 0; k < n->count; k++)
        waits[k] = x[k].array && x[k].array->node;
      const bool second = waits[1] && (! waits[0] || x[1].array->node->steps > x[0].array->node->steps);
      status = gpr_expression_compute (x[second].array);
    }
  return status;
}

/* The result of a node like given, which is new; computed where it shall not wait.  */
static gpr_status
begin_node (const gpr_node *given, const gpr_array *z, bool positive, bool at_once, gpr_resident **result, bool *left)
{
  gpr_node *n = malloc (sizeof *n);
  if (! n)
    return gpr_fail (GPR_OUT_OF_MEMORY, "no host memory for an operation");
  *n = *given;
  gpr_status status = settle_operands (n, z);
  if (status == GPR_OK)
    status = gpr_resident_new (z, result);
  if (status != GPR_OK)
    {
      free (n);
      return status;
    }
  for (int k = 0; k < n->count; k++)
    if (n->operands[k].array)
      n->operands[k].array->holders++;
  n->result = *result;
  gpr_node_link (n);
  (*result)->positive = positive;
  if (! lazy || at_once)
    status = gpr_node_compute (*result, left);
  if (status != GPR_OK || *left)
    {
      gpr_resident_drop (*result);
      *result = NULL;
    }
  return status == GPR_UNSUPPORTED ? GPR_OK : status;
}

bool
gpr_expression_reads (const gpr_array *a)
{
  return ! (a->complex || a->class == GPR_CLASS_int64 || a->class == GPR_CLASS_uint64);
}

gpr_status
gpr_expression_doubles (gpr_resident *r, gpr_resident **result)
{
  const gpr_node n = { .op = GPR_MAP_load, .count = 1, .operands = { { r, 0 } } };
  gpr_array z = r->array;
  bool left = false;

  z.class = GPR_CLASS_double;
  z.data = NULL;
  *result = NULL;
  return begin_node (&n, &z, r->positive, false, result, &left);
}

gpr_status
gpr_expression_reshape (gpr_resident *r, const gpr_array *z, gpr_resident **result)
{
  gpr_array reshaped = *z;
  bool left = false;

  *result = NULL;
  if (! gpr_expression_reads (&r->array) || gpr_array_numel (z) == 0)
    return GPR_OK;
  reshaped.home = r->array.home;
  reshaped.device = r->array.device;
  reshaped.class = r->array.class;
  const gpr_node n = { .op = GPR_MAP_load, .single = reshaped.class == GPR_CLASS_single, .count = 1, .operands = { { r, 0 } } };
  return begin_node (&n, &reshaped, r->positive, false, result, &left);
}

/* Of a reduction: sums, means and extremes of what is not negative are not either.  */
static bool
reduces_to_positive (const gpr_resident *x, const gpr_node_reduction *r)
{
  const int fixup = gpr_instances[r->instance].traits & GPR_FIXUP_MASK;
  const gpr_operand of = { (gpr_resident *) x, 0, x->array.class };
  return fixup == GPR_FIXUP_SPREAD || fixup == GPR_FIXUP_SQUARES
         || ((fixup == GPR_FIXUP_SUM || fixup == GPR_FIXUP_BY_INDEX || gpr_class_is_integer (x->array.class)) && is_positive (&of));
}

/* Whether x, which waits, is better computed for the reduction and once more for what reads that, than written for both: on a device, whose memory is the slower part, if
   the results are few.  */
static bool
is_taken_twice (const gpr_resident *x, const gpr_node_reduction *r)
{
  enum { MANY = 64 };
  return x->node && x->node->op != GPR_NODE_REDUCTION && x->array.home->on_device && r->length >= MANY;
}

gpr_status
gpr_expression_reduction (gpr_resident *x, const gpr_node_reduction *r, const gpr_array *z, gpr_resident **result)
{
  const gpr_backend *b = x->array.home;
  gpr_array of = *z;
  bool left = false;

  *result = NULL;
  if (! lazy || ! gpr_expression_reads (&x->array))
    return GPR_OK;
  if (! b->slices || ! (b->slices_fit (r->inner, r->length, r->outer) || is_taken_twice (x, r)))
    return GPR_OK;
  of.home = b;
  of.device = x->array.device;
  const gpr_node n = { .op = GPR_NODE_REDUCTION, .reduction = *r, .count = 1, .operands = { { x, 0 } } };
  return begin_node (&n, &of, reduces_to_positive (x, r), false, result, &left);
}

static gpr_status
begin_operation (gpr_map_op op, const gpr_operand *x, int count, const gpr_array *z, bool single, bool empty, gpr_resident **result, bool *left)
{
  gpr_node n = { .op = op, .single = single, .count = count };
  for (int k = 0; k < count; k++)
    n.operands[k] = (gpr_node_operand) { x[k].array, x[k].number };
  return begin_node (&n, z, makes_positive (op, x), may_leave (op, x) || empty, result, left);
}

static gpr_status
begin_on_several (gpr_map_op op, const gpr_operand *given, int count, const gpr_array *place, const gpr_array *z, bool single, gpr_resident **result, bool *left)
{
  gpr_resident *brought[2] = { NULL, NULL };
  gpr_operand x[2] = { given[0], count == 2 ? given[1] : (gpr_operand) { NULL, 0, 0 } };
  gpr_status status = gpr_node_bring (x, count, place, brought);

  if (status == GPR_OK)
    status = begin_operation (op, x, count, z, single, false, result, left);
  for (int k = 0; k < 2; k++)
    if (brought[k])
      gpr_resident_drop (brought[k]);
  return status;
}

gpr_status
gpr_expression (gpr_map_op op, const gpr_operand *x, int count, gpr_resident **result, bool *left)
{
  gpr_class classes[2];
  gpr_array z = { .class = 0 };
  const gpr_array *place = NULL;
  size_t bytes;
  bool single, apart = false;

  *result = NULL;
  *left = false;
  for (int k = 0; k < count; k++)
    {
      const gpr_array *a = x[k].array ? &x[k].array->array : NULL;
      classes[k] = a ? a->class : x[k].class;
      if (a && a->complex)
        return GPR_OK;
      apart = apart || (a && place && (a->home != place->home || a->device != place->device));
      place = a && ! (place && gpr_is_spread (place)) ? a : place;
    }
  if (! place || (apart && ! gpr_is_spread (place)) || ! gpr_map_class (op, classes[0], count == 2 ? &classes[1] : NULL, &z.class, &single) || ! broadcasts (&z, x, count))
    return GPR_OK;
  if (! gpr_node_bytes (&z, &bytes))
    return gpr_node_fail (gpr_fail (GPR_OUT_OF_MEMORY, "the result has more elements than can be counted"), op, &z);
  if (bytes == 0 && may_leave (op, x))   /* a NaN beside an empty array is an error too */
    return GPR_OK;
  z.home = place->home;
  z.device = place->device;
  if (apart && bytes == 0)
    return GPR_OK;
  if (apart)
    return begin_on_several (op, x, count, place, &z, single, result, left);
  return begin_operation (op, x, count, &z, single, bytes == 0, result, left);
}
