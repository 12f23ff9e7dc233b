/* Names of resident arrays.  */

#include <stdlib.h>
#include <time.h>

#include "node.h"
#include "../core/system.h"
#include "../spread/spread.h"

/* An id is slot + 2^20 * generation.  Generations start at a number drawn at
   the first use and never repeat, so an id kept from a freed array names nothing,
   and one of an earlier session hardly ever.  */
enum { SLOT_BITS = 20 };
typedef struct { gpr_resident *resident; int64_t generation; int next_free; } slot;
static slot *slots;
static int capacity, first_free = -1;
static int64_t live, generation;
static long owner;

static slot *
slot_of (double id)
{
  if (! (id >= 1 && id < 0x1p53) || id != (double) (int64_t) id || owner != gpr_system_pid ())
    return NULL;
  int64_t i = (int64_t) id & ((1 << SLOT_BITS) - 1);
  int64_t named = (int64_t) id >> SLOT_BITS;     /* 0: a free slot's */
  return named > 0 && i < capacity && slots[i].generation == named ? &slots[i] : NULL;
}

gpr_status
gpr_resident_new (const gpr_array *a, gpr_resident **r)
{
  *r = calloc (1, sizeof **r);
  if (! *r)
    return gpr_fail (GPR_OUT_OF_MEMORY, "no host memory for another gpuArray");
  (*r)->array = *a;
  (*r)->holders = 1;
  return GPR_OK;
}

void
gpr_resident_drop (gpr_resident *r)
{
  if (--r->holders > 0)
    return;
  if (r->node)
    gpr_node_free (r->node);
  else if (r->give_back)
    r->give_back (r->lender);
  else if (! r->lost || gpr_is_spread (&r->array))      /* what is left on other devices */
    r->array.home->release ((void *) r->array.data);
  gpr_expression_unpin (r);
  free (r);
}

gpr_status
gpr_resident_own (gpr_resident *r)
{
  gpr_array own = r->array;

  if (! r->give_back)
    return GPR_OK;
  gpr_status status = gpr_resident_allocate (&own, &r->array);
  if (status == GPR_OK)
    {
      const size_t bytes = (size_t) gpr_array_numel (&own) * gpr_elem_bytes[gpr_array_elem (&own)];
      status = own.home->upload ((void *) own.data, r->array.data, bytes);
      if (status == GPR_OK)
        {
          r->give_back (r->lender);
          r->give_back = NULL;
          r->array.data = own.data;
        }
      else
        own.home->release ((void *) own.data);
    }
  return status;
}

gpr_status
gpr_resident_name (gpr_resident *r, double *id)
{
  if (owner != gpr_system_pid ())
    {
      /* First use, or a forked child: the parent's arrays are not ours to free.  */
      owner = gpr_system_pid ();
      slots = NULL;
      capacity = 0;
      first_free = -1;
      live = 0;
      gpr_expression_forget ();
      if (generation == 0)
        generation = 1 + (((int64_t) time (NULL) << 16 ^ owner) & INT32_MAX);
    }
  if (first_free < 0)
    {
      int more = capacity ? 2 * capacity : 64;
      slot *grown = more <= 1 << SLOT_BITS ? realloc (slots, more * sizeof *slots) : NULL;
      if (! grown)
        return gpr_fail (GPR_OUT_OF_MEMORY, "no room for another gpuArray: %d are alive", capacity);
      slots = grown;
      for (int i = more - 1; i >= capacity; i--)
        {
          slots[i].generation = 0;
          slots[i].next_free = first_free;
          first_free = i;
        }
      capacity = more;
    }
  int i = first_free;
  first_free = slots[i].next_free;
  slots[i].resident = r;
  slots[i].generation = ++generation;
  live++;
  r->named = true;
  *id = (double) (slots[i].generation << SLOT_BITS | i);
  return GPR_OK;
}

gpr_status
gpr_resident_add (const gpr_array *a, double *id)
{
  gpr_resident *r;
  gpr_status status = gpr_resident_new (a, &r);
  if (status != GPR_OK)
    return status;
  status = gpr_resident_name (r, id);
  if (status != GPR_OK)
    {
      free (r);
      return status;
    }
  status = gpr_spread_settle (&r->array);
  if (status != GPR_OK)
    {
      r->array.data = NULL;     /* the memory stays the caller's */
      gpr_resident_free (*id);
    }
  return status;
}

gpr_resident *
gpr_resident_find (double id)
{
  slot *s = slot_of (id);
  return s ? s->resident : NULL;
}

gpr_status
gpr_resident_array (double id, const gpr_array **a)
{
  gpr_resident *r = gpr_resident_find (id);
  *a = NULL;
  if (! r)
    return gpr_fail (GPR_BAD_INPUT, "the gpuArray is no longer valid: it was freed, or its device was reset");
  gpr_status status = gpr_expression_compute (r);
  *a = status == GPR_OK ? &r->array : NULL;
  return status;
}

static void
unname (slot *s)
{
  gpr_resident *r = s->resident;
  s->generation = 0;
  s->next_free = first_free;
  first_free = (int) (s - slots);
  live--;
  r->named = false;
  if (r->holders > 1 && ! r->lost)
    gpr_expression_pin (r);
  gpr_resident_drop (r);
}

void
gpr_resident_free (double id)
{
  slot *s = slot_of (id);
  if (s)
    unname (s);
}

int64_t
gpr_resident_count (void)
{
  return owner == gpr_system_pid () ? live : 0;
}

/* Whether its memory is that device's, or some of it.  */
static bool
lies_on (const gpr_resident *r, int device)
{
  bool some = r->array.home->on_device
              && (r->array.device == device || (gpr_is_spread (&r->array) && ! r->node && gpr_spread_is_on (r->array.data, device)));
  for (int k = 0; r->node && gpr_is_spread (&r->array) && k < r->node->count && ! some; k++)
    some = r->node->operands[k].array && lies_on (r->node->operands[k].array, device);
  return some;
}

int
gpr_resident_devices (const gpr_resident *r, int list[])
{
  const gpr_pieces *s = gpr_is_spread (&r->array) ? r->array.data : NULL;
  int count = 1;

  list[0] = r->array.device;
  for (int k = 0; s && k < s->count; k++)
    list[k] = s->device[k];
  if (s)
    return s->count;
  for (int k = 0; r->node && gpr_is_spread (&r->array) && k < r->node->count && count == 1; k++)
    if (r->node->operands[k].array)
      count = gpr_resident_devices (r->node->operands[k].array, list);
  return count;
}

static void
lose (gpr_resident *r, int device)
{
  r->lost = true;
  if (gpr_is_spread (&r->array) && r->array.data)
    gpr_spread_lose ((gpr_pieces *) (uintptr_t) r->array.data, device);
}

/* With what it reads.  */
static void
lose_all (gpr_resident *r, int device)
{
  lose (r, device);
  for (int k = 0; r->node && k < r->node->count; k++)
    if (r->node->operands[k].array)
      lose_all (r->node->operands[k].array, device);
}

void
gpr_resident_forget_device (int device)
{
  /* First all of them, for an array goes with the last that reads it.  */
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < capacity; i++)
      {
        gpr_resident *r = slots[i].generation != 0 ? slots[i].resident : NULL;
        if (r && lies_on (r, device))
          {
            lose_all (r, device);
            if (pass == 1)
              unname (&slots[i]);
          }
      }
}
