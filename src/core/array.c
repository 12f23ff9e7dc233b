#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "array.h"
#include "system.h"

const char *const gpr_class_names[GPR_CLASS_COUNT] = {
  "double", "single", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "logical", "char"
};

enum gpr_elem
gpr_array_elem (const gpr_array *a)
{
  static const enum gpr_elem elems[GPR_CLASS_COUNT] = {
    GPR_f64, GPR_f32, GPR_i8, GPR_u8, GPR_i16, GPR_u16, GPR_i32, GPR_u32, GPR_i64, GPR_u64, GPR_u8, GPR_u8
  };
  return a->complex ? (a->class == GPR_CLASS_single ? GPR_c64 : GPR_c128) : elems[a->class];
}

int64_t
gpr_array_numel (const gpr_array *a)
{
  int64_t n = 1;
  for (int d = 0; d < a->ndims; d++)
    n *= a->dims[d];
  return n;
}

double
gpr_array_element (const gpr_array *a, int64_t k)
{
  switch (gpr_array_elem (a))
    {
#define ELEMENT(T) case GPR_##T: return (double) ((const T *) a->data)[k];
    ELEMENT (f64) ELEMENT (f32) ELEMENT (i8) ELEMENT (u8) ELEMENT (i16) ELEMENT (u16)
    ELEMENT (i32) ELEMENT (u32) ELEMENT (i64) ELEMENT (u64)
#undef ELEMENT
    default: return NAN;
    }
}

void
gpr_array_trim (gpr_array *a)
{
  while (a->ndims > 2 && a->dims[a->ndims - 1] == 1)
    a->ndims--;
}

/* ---- resident arrays -------------------------------------------------------- */

/* An id is slot + 2^20 * generation.  Generations start at a number drawn at
   the first use and never repeat, so an id kept from a freed array names nothing,
   and one of an earlier session hardly ever.  */
enum { SLOT_BITS = 20 };
typedef struct { gpr_array array; int64_t generation; int next_free; } slot;
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
gpr_handle_add (const gpr_array *a, double *id)
{
  if (owner != gpr_system_pid ())
    {
      /* First use, or a forked child: the parent's arrays are not ours to free.  */
      owner = gpr_system_pid ();
      slots = NULL;
      capacity = 0;
      first_free = -1;
      live = 0;
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
  slots[i].array = *a;
  slots[i].generation = ++generation;
  live++;
  *id = (double) (slots[i].generation << SLOT_BITS | i);
  return GPR_OK;
}

const gpr_array *
gpr_handle_find (double id)
{
  slot *s = slot_of (id);
  return s ? &s->array : NULL;
}

void
gpr_handle_free (double id)
{
  slot *s = slot_of (id);
  if (! s)
    return;
  s->array.home->release ((void *) s->array.data);
  s->generation = 0;
  s->next_free = first_free;
  first_free = (int) (s - slots);
  live--;
}

int64_t
gpr_handle_count (void)
{
  return owner == gpr_system_pid () ? live : 0;
}

void
gpr_handle_forget_device (int device)
{
  for (int i = 0; i < capacity; i++)
    if (slots[i].generation != 0 && slots[i].array.home && slots[i].array.home->on_device
        && slots[i].array.device == device)
      {
        slots[i].generation = 0;
        slots[i].next_free = first_free;
        first_free = i;
        live--;
      }
}
