/* Elementwise operations that wait, and the steps (kernels/ops/map.h) that compute them together.  */

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "resident.h"
#include "../dispatch/choose.h"

enum {
  DEEPEST = 16,                 /* operations, of which one is computed for another */
  UNNOTICED = 32 << 20,         /* bytes that may always wait */
  SCALAR_STEPS = 3              /* a single number of no more steps is computed again for every element */
};

typedef struct {
  gpr_resident *array;
  double number;
} operand;

struct gpr_node {
  gpr_resident *result;
  gpr_map_op op;                /* load: the operand, in other sizes */
  bool single;                  /* in which precision the operation works; what it leaves is of that */
  bool flat;                    /* all that it reads lies as the result does, or is a single number */
  bool reshaped;                /* something in it lies in other sizes, so it must be flat */
  int count;
  operand operands[2];
  int steps, leaves, slots, depth;      /* at most, of the whole expression */
  gpr_node *next, *before;
};

static gpr_node *waiting;       /* the latest */
static size_t pinned;           /* bytes that only waiting operations hold */
static bool lazy = true;

bool
gpr_expression_lazy (int wanted)
{
  const bool old = lazy;
  if (wanted >= 0)
    lazy = wanted != 0;
  return old;
}

void
gpr_expression_forget (void)
{
  waiting = NULL;
  pinned = 0;
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
    case GPR_MAP_plus: case GPR_MAP_rdivide: case GPR_MAP_max: case GPR_MAP_min:
      return is_positive (&x[0]) && is_positive (&x[1]);
    case GPR_MAP_power:
      return is_positive (&x[0]) || (is_whole (&x[1]) && (int) x[1].number % 2 == 0);
    default:
      return false;
    }
}

/* ---- the steps of an expression --------------------------------------------------------------- */

typedef struct {
  gpr_mapping m;
  gpr_map_step *step;
  bool flat;
  const gpr_resident *leaf[GPR_MAP_LEAVES];
  int slot;                     /* the next that is free */
} code;

static gpr_map_step *
add_step (code *c, gpr_map_op op, bool single)
{
  gpr_map_step *s = &c->step[c->m.steps++];
  *s = (gpr_map_step) { .op = (uint8_t) op, .single = single };
  return s;
}

static void
call_operand (code *c, gpr_map_step *s, const operand *x)
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

static bool
waits (const operand *x)
{
  return x->array && x->array->node;
}

static void
write_node (code *c, const gpr_node *n)
{
  static const uint8_t narrows[GPR_CLASS_COUNT] = {
    [GPR_CLASS_int8] = GPR_MAP_to_int8, [GPR_CLASS_uint8] = GPR_MAP_to_uint8, [GPR_CLASS_int16] = GPR_MAP_to_int16,
    [GPR_CLASS_uint16] = GPR_MAP_to_uint16, [GPR_CLASS_int32] = GPR_MAP_to_int32, [GPR_CLASS_uint32] = GPR_MAP_to_uint32
  };
  const operand *x = n->operands, *other = n->count == 2 ? &x[1] : NULL;
  const bool first_waits = waits (&x[0]), other_waits = other && waits (other);
  bool turned = false;
  int saved = -1;

  if (n->result->named)         /* it waits on, where it is not the one that is wanted */
    n->result->repeated = true;
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

static code
code_of (const gpr_resident *r, gpr_map_step *steps)
{
  const gpr_array *z = &r->array;
  code c = { .m.rank = z->ndims, .m.class = z->class, .m.step = steps, .step = steps };

  memcpy (c.m.dims, z->dims, z->ndims * sizeof *z->dims);
  if ((c.flat = r->node->flat))
    {
      c.m.rank = 1;
      c.m.dims[0] = gpr_array_numel (z);
    }
  write_node (&c, r->node);
  return c;
}

const void *
gpr_expression_lies (const gpr_resident *r)
{
  for (; r->node; r = r->node->operands[0].array)
    if (r->node->op != GPR_MAP_load)
      return NULL;
  return r->array.data;
}

bool
gpr_expression_fuses (gpr_resident *r, gpr_mapping *m, gpr_map_step *steps)
{
  if (! r->node || r->repeated)
    return false;
  *m = code_of (r, steps).m;
  return true;
}

void
gpr_node_free (gpr_node *n)
{
  if (n->next)
    n->next->before = n->before;
  if (n->before)
    n->before->next = n->next;
  else
    waiting = n->next;
  for (int k = 0; k < n->count; k++)
    if (n->operands[k].array)
      gpr_resident_drop (n->operands[k].array);
  free (n);
}

void
gpr_node_lose (const gpr_node *n)
{
  for (int k = 0; n && k < n->count; k++)
    if (n->operands[k].array)
      {
        n->operands[k].array->lost = true;
        gpr_node_lose (n->operands[k].array->node);
      }
}

static bool
count_bytes (const gpr_array *a, size_t *bytes)
{
  bool fits = true;

  *bytes = gpr_elem_bytes[gpr_array_elem (a)];
  for (int d = 0; d < a->ndims; d++)
    {
      if (a->dims[d] == 0)
        return *bytes = 0, true;
      fits = ! __builtin_mul_overflow (*bytes, (size_t) a->dims[d], bytes) && fits;
    }
  return fits && *bytes <= PTRDIFF_MAX;
}

static gpr_status
allocate_once (gpr_array *z, const gpr_array *a, size_t bytes)
{
  void *data = NULL;
  gpr_choice choice;
  const gpr_work work = { GPR_WORK_STORE, gpr_array_elem (z), bytes };
  gpr_status status = gpr_choose ((gpr_device_request) { 0 }, a->home, a->device, &work, NULL, &choice);
  if (status == GPR_OK)
    status = choice.backend->allocate (&data, bytes);
  if (status != GPR_OK)
    return status;
  z->data = data;
  z->home = choice.backend;
  z->device = choice.device;
  return GPR_OK;
}

static size_t
bytes_of (const gpr_resident *r)
{
  size_t bytes;
  return count_bytes (&r->array, &bytes) ? bytes : 0;
}

/* ---- memory that only waiting operations hold -------------------------------------------------

   An operand with a name is not of the expression: it is computed, or computed again, for itself.  */

static bool
is_of_expression (const gpr_node *n, int k)
{
  const gpr_resident *x = n->operands[k].array;
  return x && x->node && ! x->named && (k == 0 || x != n->operands[0].array);
}

static bool
reads (const gpr_node *n, const gpr_resident *r)
{
  bool found = false;
  for (int k = 0; k < n->count && ! found; k++)
    found = n->operands[k].array == r || (is_of_expression (n, k) && reads (n->operands[k].array->node, r));
  return found;
}

/* Bytes that go when n is computed: of what several read, a share.  */
static size_t
frees (const gpr_node *n)
{
  size_t bytes = 0;
  for (int k = 0; k < n->count; k++)
    if (is_of_expression (n, k))
      bytes += frees (n->operands[k].array->node);
    else if (n->operands[k].array && n->operands[k].array->pinned)
      bytes += bytes_of (n->operands[k].array) / (size_t) n->operands[k].array->holders;
  return bytes;
}

bool
gpr_expression_make_room (void)
{
  static bool busy;             /* what is computed needs room too */
  gpr_status status = GPR_OUT_OF_MEMORY;
  char why[1024];               /* what the caller has to say where nothing helps */

  if (busy || gpr_resident_count () == 0)
    return false;
  busy = true;
  snprintf (why, sizeof why, "%s", gpr_message ());
  for (const gpr_node *n = waiting; n && status == GPR_OUT_OF_MEMORY; )
    {
      const gpr_node *next = n->next;
      if (n->result->named && frees (n) > bytes_of (n->result))
        status = gpr_expression_compute (n->result);
      n = next;
    }
  busy = false;
  if (status != GPR_OK)
    (void) gpr_fail (status, "%s", why);
  return status == GPR_OK;
}

gpr_status
gpr_resident_allocate (gpr_array *z, const gpr_array *a)
{
  gpr_status status;
  size_t bytes;

  if (! count_bytes (z, &bytes))
    return gpr_fail (GPR_OUT_OF_MEMORY, "the result has more elements than can be counted");
  do
    status = allocate_once (z, a, bytes);
  while (status == GPR_OUT_OF_MEMORY && gpr_expression_make_room ());
  return status;
}

void
gpr_expression_pin (gpr_resident *r)
{
  if (r->node)
    return;
  r->pinned = true;
  pinned += bytes_of (r);
  /* What fails here fails again where the values are wanted, and is said there.  */
  if (pinned > UNNOTICED && pinned > r->array.home->room () / 4)
    (void) gpr_expression_compute_readers (r);
}

void
gpr_expression_unpin (const gpr_resident *r)
{
  if (r->pinned)
    pinned -= bytes_of (r);
}

/* ---- when they are computed --------------------------------------------------------------------- */

/* left: z is of no use, and the node stays.  */
static gpr_status
compute (gpr_resident *r, bool *left)
{
  gpr_map_step steps[GPR_MAP_STEPS];
  code c;
  gpr_array z = r->array;

  gpr_status status = gpr_resident_allocate (&z, &r->array);
  if (! r->node)                /* computed, to make room */
    {
      if (status == GPR_OK)
        z.home->release ((void *) z.data);
      return GPR_OK;
    }
  if (status != GPR_OK)
    return status;
  c = code_of (r, steps);
  c.m.z = (void *) z.data;
  status = gpr_array_numel (&z) > 0 ? z.home->map (&c.m) : GPR_OK;
  *left = c.m.left;
  if (status != GPR_OK || c.m.left)
    {
      z.home->release ((void *) z.data);
      return status;
    }
  r->array = z;
  gpr_node_free (r->node);
  r->node = NULL;
  return GPR_OK;
}

/* The last failure, with the operation and its result's class and sizes.  */
static gpr_status
fail_at (gpr_status status, gpr_map_op op, const gpr_array *z)
{
  char sizes[GPR_MAX_DIMS * 21] = "";
  int length = 0;

  for (int d = 0; d < z->ndims; d++)
    length += snprintf (sizes + length, sizeof sizes - length, "%s%" PRId64, d > 0 ? "x" : "", z->dims[d]);
  return gpr_fail (status, "%s; computing %s of %s %s", gpr_message (), gpr_map_names[op] ? gpr_map_names[op] : "a copy", sizes, gpr_class_names[z->class]);
}

gpr_status
gpr_expression_compute (gpr_resident *r)
{
  bool left = false;
  gpr_status status = r->node ? compute (r, &left) : GPR_OK;
  if (status == GPR_OK && left)
    status = gpr_fail (GPR_UNSUPPORTED, "an element of an expression left the real numbers");
  if (status != GPR_OK)
    status = fail_at (status, r->node->op, &r->array);
  return status;
}

gpr_status
gpr_expression_compute_readers (const gpr_resident *r)
{
  gpr_status status = GPR_OK;
  gpr_node *n = waiting;

  while (n && status == GPR_OK && r->holders > r->named)
    if (reads (n, r))
      {
        status = gpr_expression_compute (n->result);
        n = waiting;            /* others may have gone */
      }
    else
      n = n->next;
  return status;
}

void
gpr_expression_changed (gpr_resident *r)
{
  r->positive = false;
}

gpr_status
gpr_expression_compute_all (void)
{
  gpr_status status = GPR_OK;
  while (waiting && gpr_resident_count () > 0 && status == GPR_OK)
    status = gpr_expression_compute (waiting->result);  /* the latest has no readers */
  return status;
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

/* Whether an operand that waits is computed with what reads it.  */
static bool
joins (const gpr_resident *r, const gpr_array *z)
{
  return r->holders == r->named && ! r->repeated        /* by nobody else */
         && (gpr_array_numel (&r->array) == gpr_array_numel (z) || (gpr_array_numel (&r->array) == 1 && r->node->steps <= SCALAR_STEPS));
}

/* The node's counts, of operands as they are now; class: of its result.  */
static bool
counts (gpr_node *n, gpr_class class)
{
  const operand *x = n->operands;
  const gpr_node *a = waits (&x[0]) ? x[0].array->node : NULL, *b = n->count == 2 && waits (&x[1]) ? x[1].array->node : NULL;
  const bool same = a && a == b;

  /* A load, or nothing, or a save; the operation; the class.  Of an operand that is computed since there are fewer.  */
  n->steps = n->op == GPR_MAP_load ? (a ? a->steps : 1)
             : (a ? a->steps : 0) + (b && ! same ? b->steps : 0) + (! a == ! b) + 1 + gpr_class_is_integer (class);
  n->leaves = (a ? a->leaves : x[0].array != NULL) + (same ? 0 : b ? b->leaves : n->count == 2 && x[1].array != NULL);
  n->slots = ! b ? (a ? a->slots : 0) : ! a ? b->slots : same ? a->slots + (a->slots == 0)
             : a->slots == b->slots ? a->slots + 1 : a->slots > b->slots ? a->slots : b->slots;
  n->depth = 1 + (a && (! b || a->depth > b->depth) ? a->depth : b ? b->depth : 0);
  return n->steps <= GPR_MAP_STEPS && n->leaves <= GPR_MAP_LEAVES && n->slots <= GPR_MAP_SLOTS && n->depth <= DEEPEST;
}

/* Whether an operand lies as z does, or is a single number.  */
static bool
lies_as (const operand *x, const gpr_array *z)
{
  const int64_t count = x->array ? gpr_array_numel (&x->array->array) : 1;
  return (count == 1 || count == gpr_array_numel (z)) && ! (waits (x) && ! x->array->node->flat);
}

/* Computes what is not to be computed with n: what has other readers, what lies in other sizes beside what broadcasts, and where the expression would
   be too long.  Then n's counts are known, and how what it reads lies.  */
static gpr_status
settle_operands (gpr_node *n, const gpr_array *z)
{
  operand *x = n->operands;
  const bool only_sizes = n->op == GPR_MAP_load;
  gpr_status status = GPR_OK;

  for (int k = 0; k < n->count && status == GPR_OK; k++)
    if (waits (&x[k]) && ! joins (x[k].array, z))
      status = gpr_expression_compute (x[k].array);
  n->flat = true;
  n->reshaped = only_sizes;
  for (int k = 0; k < n->count; k++)
    {
      n->flat = n->flat && lies_as (&x[k], z);
      n->reshaped = n->reshaped || (waits (&x[k]) && x[k].array->node->reshaped);
    }
  for (int k = 0; k < n->count && status == GPR_OK; k++)
    if (n->reshaped && ! n->flat && waits (&x[k]) && (only_sizes || x[k].array->node->reshaped))
      status = gpr_expression_compute (x[k].array);
  n->flat = n->flat || only_sizes;
  n->reshaped = n->reshaped && n->flat;
  while (status == GPR_OK && ! counts (n, z->class))
    {
      const bool second = n->count == 2 && waits (&x[1]) && (! waits (&x[0]) || x[1].array->node->steps > x[0].array->node->steps);
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
  const gpr_map_op op = n->op;
  n->result = *result;
  n->next = waiting;
  if (waiting)
    waiting->before = n;
  waiting = n;
  (*result)->node = n;
  (*result)->positive = positive;
  if (! lazy || at_once)
    status = compute (*result, left);
  if (status != GPR_OK && status != GPR_UNSUPPORTED)
    status = fail_at (status, op, z);
  if (status != GPR_OK || *left)
    {
      gpr_resident_drop (*result);
      *result = NULL;
    }
  return status == GPR_UNSUPPORTED ? GPR_OK : status;
}

gpr_status
gpr_expression_reshape (gpr_resident *r, const gpr_array *z, gpr_resident **result)
{
  gpr_array reshaped = *z;
  bool left = false;

  *result = NULL;
  if (r->array.complex || r->array.class == GPR_CLASS_int64 || r->array.class == GPR_CLASS_uint64 || gpr_array_numel (z) == 0)
    return GPR_OK;
  reshaped.home = r->array.home;
  reshaped.device = r->array.device;
  reshaped.class = r->array.class;
  const gpr_node n = { .op = GPR_MAP_load, .single = reshaped.class == GPR_CLASS_single, .count = 1, .operands = { { r, 0 } } };
  return begin_node (&n, &reshaped, r->positive, false, result, &left);
}

gpr_status
gpr_expression (gpr_map_op op, const gpr_operand *x, int count, gpr_resident **result, bool *left)
{
  gpr_class classes[2];
  gpr_array z = { .class = 0 };
  const gpr_array *place = NULL;
  size_t bytes;
  bool single;

  *result = NULL;
  *left = false;
  for (int k = 0; k < count; k++)
    {
      const gpr_array *a = x[k].array ? &x[k].array->array : NULL;
      classes[k] = a ? a->class : x[k].class;
      if (a && (a->complex || (place && (a->home != place->home || a->device != place->device))))
        return GPR_OK;
      place = a ? a : place;
    }
  if (! place || ! gpr_map_class (op, classes[0], count == 2 ? &classes[1] : NULL, &z.class, &single) || ! broadcasts (&z, x, count))
    return GPR_OK;
  if (! count_bytes (&z, &bytes))
    return fail_at (gpr_fail (GPR_OUT_OF_MEMORY, "the result has more elements than can be counted"), op, &z);
  if (bytes == 0 && may_leave (op, x))   /* a NaN beside an empty array is an error too */
    return GPR_OK;
  z.home = place->home;
  z.device = place->device;

  gpr_node n = { .op = op, .single = single, .count = count };
  for (int k = 0; k < count; k++)
    n.operands[k] = (operand) { x[k].array, x[k].number };
  return begin_node (&n, &z, makes_positive (op, x), may_leave (op, x) || bytes == 0, result, left);
}
