/* The nodes that wait, and memory that only they hold.  */

#include <stdio.h>
#include <stdlib.h>

#include "node.h"
#include "../dispatch/choose.h"

enum { UNNOTICED = 32 << 20 };  /* bytes that may always wait */

static gpr_node *waiting;       /* the latest */
static size_t pinned;           /* bytes that only waiting operations hold */

void
gpr_expression_forget (void)
{
  waiting = NULL;
  pinned = 0;
}

void
gpr_node_link (gpr_node *n)
{
  n->before = NULL;
  n->next = waiting;
  if (waiting)
    waiting->before = n;
  waiting = n;
  n->result->node = n;
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

gpr_status
gpr_expression_compute_all (void)
{
  gpr_status status = GPR_OK;
  while (waiting && gpr_resident_count () > 0 && status == GPR_OK)
    status = gpr_expression_compute (waiting->result);  /* the latest has no readers */
  return status;
}

/* ---- memory ------------------------------------------------------------------------------------- */

bool
gpr_node_bytes (const gpr_array *a, size_t *bytes)
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
  const gpr_work work = { GPR_WORK_STORE, gpr_array_elem (z), bytes, false };
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
  return gpr_node_bytes (&r->array, &bytes) ? bytes : 0;
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
      if (n->result->named && frees (n) > bytes_of (n->result))
        status = gpr_expression_compute (n->result);
      if (status != GPR_OK)     /* n is still there, though not all that it reads */
        n = n->next;
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

  if (! gpr_node_bytes (z, &bytes))
    return gpr_fail (GPR_OUT_OF_MEMORY, "the result has more elements than can be counted");
  do
    status = allocate_once (z, a, bytes);
  while (status == GPR_OUT_OF_MEMORY && gpr_expression_make_room ());
  return status;
}

void
gpr_node_pin (gpr_resident *r)
{
  r->pinned = true;
  pinned += bytes_of (r);
}

void
gpr_expression_pin (gpr_resident *r)
{
  if (r->node)
    return;
  gpr_node_pin (r);
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
