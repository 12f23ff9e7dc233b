/* The k greatest or least: of columns that shared memory holds, or chunk by chunk of longer ones.  Where k is too large for
   that, columns are sorted (order.c).  */

#include "problems.h"
#include "select_args.h"
#include "../core/select.h"

enum { LONGEST_OF_WARP = 1024, MOST_TAKEN = 4096 };

typedef struct {
  const gpr_ranking *p;
  gpr_cuda_state *s;
  int elem_bytes, key_bytes, padded;
  bool counted, warps;          /* how columns are taken, else by blocks */
  int64_t chunk;                /* elements of a column that a block takes */
  int64_t outers, columns;      /* of a part; outers is 1 unless columns is inner */
  void *x, *value, *index, *keys[2], *rows[2];
} job;

/* Bytes of shared memory of a block; two should fit.  */
static int64_t
room_of_block (const job *j)
{
  return (int64_t) j->s->shared_bytes / 2 - 1024;
}
static int64_t
bytes_of_taken (const job *j)
{
  return (int64_t) j->padded * (j->key_bytes + 4);
}

/* What a level of so many elements a column leaves to the next.  */
static int64_t
next_data (const job *j, int64_t data)
{
  const int64_t full = data / j->chunk;
  return full * j->p->count + gpr_min64 (j->p->count, data - full * j->chunk);
}

/* False: to be sorted.  */
static bool
plan_way (job *j)
{
  const gpr_ranking *p = j->p;

  if (p->count > MOST_TAKEN || p->length > UINT32_MAX)
    return false;
  for (j->padded = 2; j->padded < p->count; j->padded *= 2)
    ;
  j->counted = p->length <= GPR_SELECT_COUNTED;
  j->warps = p->length <= LONGEST_OF_WARP && p->inner * p->outer >= 8 * j->s->multiprocessors
             && GPR_SELECT_WARPS_THREADS / 32 * (GPR_SELECT_WARP_BYTES + bytes_of_taken (j)) + 16 + (p->length + 1) * j->key_bytes <= room_of_block (j);
  j->chunk = (room_of_block (j) - GPR_SELECT_BLOCK_BYTES - bytes_of_taken (j)) / j->key_bytes;
  return j->counted || j->warps || j->chunk >= p->length || j->chunk >= 4 * p->count;
}

/* As many columns as room holds, but one at least.  */
static void
plan_part (job *j, size_t room)
{
  const gpr_ranking *p = j->p;
  const int64_t lists = j->counted || j->warps || p->length <= j->chunk ? 0 : next_data (j, p->length);
  const int64_t column = (p->x_resident ? 0 : p->length * j->elem_bytes) + 2 * lists * (j->key_bytes + 4);
  const int64_t most = column ? (int64_t) room / column : p->inner * p->outer;

  j->columns = gpr_max64 (1, gpr_min64 (p->inner, most));
  j->outers = gpr_max64 (1, gpr_min64 (p->outer, most / p->inner));
}

static gpr_status
allocate (job *j)
{
  const gpr_ranking *p = j->p;
  const int64_t columns = j->outers * j->columns, results = p->inner * p->outer * p->count;
  int64_t data = p->length;

  if (! p->x_resident)
    GPR_TRY (gpr_cuda_take (j->s, &j->x, columns * p->length * j->elem_bytes));
  if (! p->out_resident)
    GPR_TRY (gpr_cuda_take (j->s, &j->value, results * j->elem_bytes));
  if (! p->out_resident && p->index)
    GPR_TRY (gpr_cuda_take (j->s, &j->index, results * sizeof (double)));
  for (int i = 0; i < 2 && ! j->counted && ! j->warps && data > j->chunk; i++)
    {
      data = next_data (j, data);
      GPR_TRY (gpr_cuda_take (j->s, &j->keys[i], columns * data * j->key_bytes));
      GPR_TRY (gpr_cuda_take (j->s, &j->rows[i], columns * data * sizeof (uint32_t)));
    }
  return GPR_OK;
}

static void
release (job *j)
{
  void **all[] = { &j->x, &j->value, &j->index, &j->keys[0], &j->keys[1], &j->rows[0], &j->rows[1] };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    {
      gpr_cuda_give (*all[i]);
      *all[i] = NULL;
    }
}

static gpr_status
rank_counted (const job *j, gpr_select_args *a)
{
  a->pitch = (int) (a->length | 1);
  const int64_t column = 16 + a->pitch * j->key_bytes;
  gpr_select_group (a, gpr_min64 (room_of_block (j), GPR_SELECT_SHARED) / 2 / column);
  return gpr_select_launch (j->s, GPR_SELECT_RANK_COUNTED, gpr_over (a->inner * a->outers, a->group), GPR_SELECT_WARPS_THREADS, a->group * column, a);
}

static gpr_status
rank_columns (const job *j, gpr_select_args *a)
{
  const int warps = GPR_SELECT_WARPS_THREADS / 32;
  const int64_t own = warps * (GPR_SELECT_WARP_BYTES + bytes_of_taken (j));

  a->pitch = (int) (a->length | 1);
  const int64_t column = 16 + a->pitch * j->key_bytes;
  gpr_select_group (a, gpr_min64 ((room_of_block (j) - own) / column, warps));
  return gpr_select_launch (j->s, GPR_SELECT_RANK_COLUMNS, gpr_over (a->inner * a->outers, a->group), GPR_SELECT_WARPS_THREADS, own + a->group * column, a);
}

static gpr_status
rank_chunks (const job *j, gpr_select_args *a)
{
  for (int level = 0;; level++)
    {
      a->data = level ? a->next_data : a->length;
      a->keys = level ? j->keys[! (level & 1)] : NULL;
      a->rows = level ? j->rows[! (level & 1)] : NULL;
      a->chunk = gpr_min64 (j->chunk, a->data);
      a->chunks = gpr_over (a->data, a->chunk);
      a->next_keys = j->keys[level & 1];
      a->next_rows = j->rows[level & 1];
      a->next_data = next_data (j, a->data);
      GPR_TRY (gpr_select_launch (j->s, GPR_SELECT_RANK_CHUNKS, a->inner * a->outers * a->chunks, gpr_select_threads (a->chunk * j->key_bytes),
                                  GPR_SELECT_BLOCK_BYTES + bytes_of_taken (j) + a->chunk * j->key_bytes, a));
      if (a->chunks == 1)
        return GPR_OK;
    }
}

static gpr_status
run_part (const job *j, int64_t outer, int64_t column)
{
  const gpr_ranking *p = j->p;
  const int64_t outers = gpr_min64 (j->outers, p->outer - outer), columns = gpr_min64 (j->columns, p->inner - column);
  const int64_t to = column + p->inner * p->count * outer;
  const char *x = (const char *) p->x + (column + p->inner * p->length * outer) * j->elem_bytes;
  double *index = p->out_resident ? p->index : j->index;
  gpr_cuda_slot *slot;
  gpr_select_args a = {
    .x = x, .row_stride = p->inner, .outer_stride = p->inner * p->length, .inner = columns, .outers = outers, .length = p->length,
    .taken = p->count, .padded = j->padded, .value_stride = p->inner,
    .value = (char *) (p->out_resident ? p->value : j->value) + to * j->elem_bytes, .index = p->index ? index + to : NULL
  };

  gpr_select_keys (&a, p->elem);
  a.minus_zero = a.floating ? a.flip : 0;
  a.turned = p->greatest ? ~(uint64_t) 0 : 0;
  a.nan_first = p->nan_first;
  if (! p->x_resident)
    {
      gpr_cuda_view v = { (char *) x, columns * j->elem_bytes, p->inner * j->elem_bytes, p->length };
      if (columns == p->inner)
        v = gpr_cuda_bytes (x, outers * columns * p->length * j->elem_bytes);
      GPR_TRY (gpr_cuda_upload (j->s, j->x, &v));
      a.x = j->x;
      a.row_stride = columns;
      a.outer_stride = columns * p->length;
    }
  GPR_TRY (gpr_cuda_next_slot (j->s, &slot));
  GPR_TRY (gpr_cuda_begin_work (j->s, slot));
  GPR_TRY (j->counted ? rank_counted (j, &a) : j->warps ? rank_columns (j, &a) : rank_chunks (j, &a));
  GPR_TRY (gpr_cuda_end_work (j->s, slot));
  return p->x_resident ? GPR_OK : gpr_cuda_drain (j->s);        /* x of the device is used again */
}

static gpr_status
run (const job *j)
{
  const gpr_ranking *p = j->p;
  const int64_t results = p->inner * p->outer * p->count;

  for (int64_t outer = 0; outer < p->outer; outer += j->outers)
    for (int64_t column = 0; column < p->inner; column += j->columns)
      {
        GPR_TRY (run_part (j, outer, column));
        if (gpr_cuda_interrupted ())
          return gpr_cuda_fail (GPR_INTERRUPTED, "interrupted");
      }
  if (p->out_resident)
    return gpr_cuda_drain (j->s);
  gpr_cuda_view v = gpr_cuda_bytes (p->value, results * j->elem_bytes);
  GPR_TRY (gpr_cuda_download (j->s, &v, j->value));
  v = gpr_cuda_bytes (p->index, results * sizeof (double));
  return p->index ? gpr_cuda_download (j->s, &v, j->index) : GPR_OK;
}

gpr_status
gpr_cuda_ranking (gpr_cuda_state *s, gpr_ranking *p)
{
  job j = { .p = p, .s = s, .elem_bytes = (int) gpr_bytes_of (p->elem) };
  gpr_status status;

  if (p->elem == GPR_c128 || p->elem == GPR_c64)
    return gpr_cuda_fail (GPR_UNSUPPORTED, "ordering element type %d", (int) p->elem);
  j.key_bytes = j.elem_bytes == 8 ? 8 : 4;
  if (! plan_way (&j))
    return gpr_cuda_sort (s, p);
  for (size_t room = gpr_cuda_room ();; room /= 2)
    {
      plan_part (&j, room);
      status = allocate (&j);
      if (status != GPR_OUT_OF_MEMORY || j.outers * j.columns <= 1)
        break;
      release (&j);
    }
  if (status == GPR_OK)
    status = run (&j);
  gpr_cuda_finish (s);          /* before its memory goes */
  release (&j);
  return status;
}
