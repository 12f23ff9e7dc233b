/* Readings of a column's keys (core/select.h): the digit that is wanted is counted in each block's shared memory.  Once the keys that begin with the
   prefix are few they go to a list, which is read from there on, so that the column itself is read two or three times.  */

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "problems.h"
#include "select_args.h"
#include "../core/select.h"

enum {
  /* Both are estimates.  */
  FEWER = 4,            /* times fewer keys are worth a list: 8 bytes are written of each that lies there, and read once or twice */
  BLOCKS = 3            /* of a multiprocessor, at once */
};

typedef struct {
  gpr_select_args a;            /* how keys are made of elements, and what a reading finds */
  int key_bytes, key_bits;
  void *room;                   /* for k->most keys */
  /* The keys of a column that begin with a prefix, or NULL.  */
  void *list;
  const void *column;           /* where it begins */
  int64_t listed;
  int known;
  uint64_t prefix, above;       /* above: the least key of the column above these, all ones: none */
} running;

/* ---- one reading ------------------------------------------------------------------------- */

/* Whether all that begins with the prefix is in the list.  */
static bool
in_list (const running *r, const gpr_key_reading *k)
{
  return r->list && r->column == k->x && k->known >= r->known && k->prefix >> (k->known - r->known) == r->prefix;
}

/* What is read of the keys that begin with the prefix: the list or the column.  */
static gpr_select_args
args_of (const running *r, const gpr_key_reading *k)
{
  gpr_select_args a = r->a;

  a.of_list = in_list (r, k);
  a.x = a.of_list ? r->list : k->x;
  a.row_stride = a.of_list ? 1 : k->stride;
  a.length = a.of_list ? r->listed : k->length;
  a.center = k->center && ! a.of_list ? &a.found->center : NULL;
  a.known = k->known;
  a.prefix = k->prefix;
  a.over = r->key_bits - k->known;
  return a;
}

static gpr_status
clear_found (gpr_cuda_state *s, gpr_select_found *there)
{
  const size_t keys = offsetof (gpr_select_found, kept), all = offsetof (gpr_select_found, center);

  GPR_CUDA_TRY (cudaMemsetAsync (there, 0xFF, keys, s->work), "clearing keys");
  GPR_CUDA_TRY (cudaMemsetAsync ((char *) there + keys, 0, all - keys, s->work), "clearing counts");
  return GPR_OK;
}

/* found: gets so many bytes of what it finds.  */
static gpr_status
read (gpr_cuda_state *s, const gpr_key_reading *k, gpr_select_kernel which, const gpr_select_args *a, gpr_select_found *found, size_t bytes)
{
  const int64_t blocks = gpr_min64 (gpr_over (a->length, GPR_SELECT_PART_THREADS * GPR_SELECT_EACH), BLOCKS * s->multiprocessors);
  const gpr_cuda_view v = gpr_cuda_bytes (found, bytes);
  gpr_cuda_slot *slot;

  if (gpr_cuda_interrupted ())
    return gpr_cuda_fail (GPR_INTERRUPTED, "interrupted");
  if (a->center)
    {
      const gpr_cuda_view center = gpr_cuda_bytes (k->center, a->bytes);
      GPR_TRY (gpr_cuda_upload (s, &a->found->center, &center));
    }
  GPR_TRY (gpr_cuda_next_slot (s, &slot));
  GPR_TRY (gpr_cuda_begin_work (s, slot));
  GPR_TRY (clear_found (s, a->found));
  GPR_TRY (gpr_select_launch (s, which, blocks, GPR_SELECT_PART_THREADS, 0, a));
  GPR_TRY (gpr_cuda_end_work (s, slot));
  return gpr_cuda_download (s, &v, a->found);
}

/* The keys that begin with the prefix, unless to is NULL, and the least above.  */
static gpr_status
keep (gpr_cuda_state *s, const gpr_key_reading *k, void *to, uint64_t *above)
{
  const running *r = k->running;
  gpr_select_args a = args_of (r, k);
  gpr_select_found found;

  a.next_keys = to;
  a.next_data = k->inside;
  GPR_TRY (read (s, k, GPR_SELECT_KEEP, &a, &found, offsetof (gpr_select_found, count)));
  *above = a.of_list && r->above < found.above ? r->above : found.above;
  return ! to || (int64_t) found.kept == k->inside ? GPR_OK : gpr_cuda_fail (GPR_CUDA_FAILED, "two readings of a column differ");
}

/* ---- the list ------------------------------------------------------------------------------ */

static void
take_list (running *r, const gpr_key_reading *k, void *list, uint64_t above)
{
  gpr_cuda_give (r->list);
  r->list = list;
  r->column = k->x;
  r->listed = k->inside;
  r->known = k->known;
  r->prefix = k->prefix;
  r->above = above;
}

/* A list of what begins with the prefix, if that is worth it and there is memory.  */
static gpr_status
make_list (gpr_cuda_state *s, gpr_key_reading *k)
{
  running *r = k->running;
  const int64_t all = in_list (r, k) ? r->listed : k->length, bytes = k->inside * r->key_bytes;
  uint64_t above;
  void *list = NULL;

  if (k->known == 0 || k->inside == 0 || k->inside > all / FEWER || bytes > (int64_t) gpr_cuda_room () || gpr_cuda_take (s, &list, bytes) != GPR_OK)
    return GPR_OK;
  const gpr_status status = keep (s, k, list, &above);
  if (status == GPR_OK)
    take_list (r, k, list, above);
  else
    gpr_cuda_give (list);
  return status;
}

/* ---- the functions -------------------------------------------------------------------------- */

static gpr_status
count (gpr_cuda_state *s, gpr_key_reading *k, int digit, gpr_select_found *found)
{
  const running *r = k->running;

  GPR_TRY (make_list (s, k));
  gpr_select_args a = args_of (r, k);
  a.digits = 1 << digit;
  a.down = r->key_bits - k->known - digit;
  return read (s, k, GPR_SELECT_DIGIT, &a, found, offsetof (gpr_select_found, count) + a.digits * sizeof *found->count);
}

gpr_status
gpr_cuda_keys_count (gpr_cuda_state *s, gpr_key_reading *k, int digit, int64_t *table, uint64_t *least, uint64_t *greatest)
{
  gpr_select_found *found = malloc (sizeof *found);
  gpr_status status = found ? count (s, k, digit, found) : gpr_cuda_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", sizeof *found);

  gpr_cuda_finish (s);
  for (int d = 0; status == GPR_OK && d < 1 << digit; d++)
    table[d] = (int64_t) found->count[d];
  if (status == GPR_OK)
    {
      *least = found->least;
      *greatest = ~(uint64_t) found->least_not;
    }
  free (found);
  return status;
}

/* Keys that lie here as the device has them to the highest of 64 bits each.  */
static void
widen (const running *r, uint64_t *keys, int64_t count)
{
  for (int64_t i = count - 1; i >= 0 && r->key_bytes == sizeof (uint32_t); i--)
    {
      uint32_t key;
      memcpy (&key, (const char *) keys + i * sizeof key, sizeof key);
      keys[i] = (uint64_t) key << (64 - r->key_bits);
    }
}

gpr_status
gpr_cuda_keys_keep (gpr_cuda_state *s, gpr_key_reading *k, uint64_t *kept, uint64_t *above)
{
  const running *r = k->running;
  gpr_status status = ! kept || k->inside <= k->most ? GPR_OK : gpr_cuda_fail (GPR_UNSUPPORTED, "more keys than there is room for");

  if (status == GPR_OK)
    status = keep (s, k, kept && k->inside > 0 ? r->room : NULL, above);
  if (status == GPR_OK && kept && k->inside > 0)
    {
      const gpr_cuda_view v = gpr_cuda_bytes (kept, k->inside * r->key_bytes);
      status = gpr_cuda_download (s, &v, r->room);
      widen (r, kept, k->inside);
    }
  gpr_cuda_finish (s);
  return status;
}

const void *
gpr_cuda_keys_memory (const gpr_key_reading *k)
{
  return ((const running *) k->running)->a.found;
}

void
gpr_cuda_keys_end (gpr_key_reading *k)
{
  running *r = k->running;
  if (r)
    {
      gpr_cuda_give (r->list);
      gpr_cuda_give (r->room);
      gpr_cuda_give (r->a.found);
    }
  free (r);
  k->running = NULL;
}

gpr_status
gpr_cuda_keys_begin (gpr_cuda_state *s, gpr_key_reading *k)
{
  running *r = k->running = calloc (1, sizeof *r);
  void *found = NULL;

  if (! r)
    return gpr_cuda_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", sizeof *r);
  gpr_select_keys (&r->a, k->elem);
  r->key_bits = 8 * r->a.bytes;
  r->key_bytes = r->a.bytes == 8 ? 8 : 4;
  r->a.align = 64 - r->key_bits;
  r->a.inner = 1;
  gpr_status status = k->elem == GPR_c128 || k->elem == GPR_c64 || k->digit > GPR_KEY_DIGIT ? gpr_cuda_fail (GPR_UNSUPPORTED, "keys of that kind")
                      : gpr_cuda_take (s, &found, sizeof (gpr_select_found));
  r->a.found = found;
  if (status == GPR_OK)
    status = gpr_cuda_take (s, &r->room, k->most * r->key_bytes);
  if (status != GPR_OK)
    gpr_cuda_keys_end (k);
  return status;
}
