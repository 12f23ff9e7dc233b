/* accumarray: chunk after chunk of the elements, each sorted by output and added
   to what the outputs hold.  Outputs that do not fit are done in windows, each
   from all elements.  */

#include <string.h>

#include "problems.h"
#include "stream.h"
#include "../core/scatter.h"
#include "../../kernels/engine/scatter.h"

enum {
  BLOCK = GPR_SCATTER_THREADS,
  MOST = 1 << 28                /* elements of a chunk */
};

typedef struct {
  gpr_scattering *p;
  gpr_cuda_state *s;
  int64_t elem_bytes, out_bytes;        /* of a value, of an output */
  int64_t chunk, window;                /* elements, outputs */
  int64_t first, count;                 /* the window at hand */
  int bits;                             /* of a key */
  size_t temp_bytes;

  void *columns[GPR_SCATTER_COLUMNS], *values;          /* what is not resident, of a chunk */
  uint32_t *keys[2], *positions[2];
  void *temp, *out, *hit;
  void *flags;                          /* GPR_SCATTER_FLAGS, then a number of 64 bits */
} job;

enum { FLAG_BYTES = GPR_SCATTER_FLAGS * sizeof (int) };

static int
bits_of (int64_t x)
{
  int bits = 1;
  while (x >> bits)
    bits++;
  return bits;
}

/* Bytes of an element of a chunk, the sort's own memory aside.  */
static int64_t
bytes_of_element (const job *j)
{
  const gpr_scattering *p = j->p;
  int64_t bytes = 4 * sizeof (uint32_t);
  for (int i = 0; i < p->columns; i++)
    bytes += p->column_resident[i] ? 0 : gpr_bytes_of (p->column[i].elem);
  return bytes + (p->values_resident ? 0 : j->elem_bytes);
}

static gpr_status
allocate (job *j)
{
  const gpr_scattering *p = j->p;
  int keys_at, places_at;

  for (int i = 0; i < p->columns; i++)
    if (! p->column_resident[i])
      GPR_TRY (gpr_cuda_take (j->s, &j->columns[i], j->chunk * gpr_bytes_of (p->column[i].elem)));
  if (! p->values_resident)
    GPR_TRY (gpr_cuda_take (j->s, &j->values, (p->repeated ? 1 : j->chunk) * j->elem_bytes));
  for (int i = 0; i < 2; i++)
    {
      GPR_TRY (gpr_cuda_take (j->s, (void **) &j->keys[i], j->chunk * sizeof (uint32_t)));
      GPR_TRY (gpr_cuda_take (j->s, (void **) &j->positions[i], j->chunk * sizeof (uint32_t)));
    }
  j->bits = bits_of (j->window);
  GPR_CUDA_TRY ((cudaError_t) gpr_engine_scatter_sort (NULL, &j->temp_bytes, j->keys, j->positions, j->chunk, j->bits,
                                                       &keys_at, &places_at, j->s->work), "planning a sort");
  GPR_TRY (gpr_cuda_take (j->s, &j->temp, gpr_max64 (1, j->temp_bytes)));
  GPR_TRY (gpr_cuda_take (j->s, &j->out, j->window * j->out_bytes));
  if (p->gaps)
    GPR_TRY (gpr_cuda_take (j->s, &j->hit, j->window));
  return gpr_cuda_take (j->s, &j->flags, FLAG_BYTES);
}

static void
release (job *j)
{
  for (int i = 0; i < GPR_SCATTER_COLUMNS; i++)
    {
      gpr_cuda_give (j->columns[i]);
      j->columns[i] = NULL;
    }
  for (int i = 0; i < 2; i++)
    {
      gpr_cuda_give (j->keys[i]);
      gpr_cuda_give (j->positions[i]);
      j->keys[i] = j->positions[i] = NULL;
    }
  gpr_cuda_give (j->values);
  gpr_cuda_give (j->temp);
  gpr_cuda_give (j->out);
  gpr_cuda_give (j->hit);
  gpr_cuda_give (j->flags);
  j->values = j->temp = j->out = j->hit = j->flags = NULL;
}

/* Where elements from … are on the device.  */
static gpr_status
bring (job *j, const void *data, bool resident, void *copy, int64_t from, int64_t count, int64_t bytes, const void **at)
{
  const char *x = (const char *) data + from * bytes;
  gpr_cuda_view v = gpr_cuda_bytes (x, (size_t) (count * bytes));
  *at = resident ? x : copy;
  return resident ? GPR_OK : gpr_cuda_upload (j->s, copy, &v);
}

static gpr_status
launch (job *j, const void *kernel, int64_t items, const void *args)
{
  gpr_cuda_slot *slot;
  GPR_TRY (gpr_cuda_next_slot (j->s, &slot));
  GPR_TRY (gpr_cuda_begin_work (j->s, slot));
  GPR_TRY (gpr_cuda_launch (j->s, kernel, gpr_over (items, BLOCK), BLOCK, 0, args));
  return gpr_cuda_end_work (j->s, slot);
}

static gpr_status
add_chunk (job *j, int64_t from, int64_t n)
{
  gpr_scattering *p = j->p;
  gpr_scatter_keys_args k = {
    .n = n, .first = j->first, .count = (uint32_t) j->count, .columns = p->columns, .keys = j->keys[0], .positions = j->positions[0],
    .flags = j->flags, .elem = p->in, .repeated = p->repeated, .op = p->op
  };
  gpr_scatter_add_args a = { .n = n, .count = (uint32_t) j->count, .repeated = p->repeated, .op = p->op, .out = j->out, .hit = j->hit };
  gpr_cuda_slot *slot;
  int keys_at, places_at;

  GPR_TRY (gpr_cuda_drain (j->s));      /* who reads the chunk before */
  for (int i = 0; i < p->columns; i++)
    {
      k.column[i] = p->column[i];
      GPR_TRY (bring (j, p->column[i].at, p->column_resident[i], j->columns[i], from, n,
                      gpr_bytes_of (p->column[i].elem), &k.column[i].at));
    }
  GPR_TRY (bring (j, p->values, p->values_resident, j->values, p->repeated ? 0 : from, p->repeated ? 1 : n,
                  j->elem_bytes, &a.values));
  k.values = p->from_zero ? a.values : NULL;
  GPR_TRY (launch (j, gpr_engine_scatter_keys (), n, &k));

  GPR_TRY (gpr_cuda_next_slot (j->s, &slot));
  GPR_TRY (gpr_cuda_begin_work (j->s, slot));
  size_t bytes = j->temp_bytes;
  GPR_CUDA_TRY ((cudaError_t) gpr_engine_scatter_sort (j->temp, &bytes, j->keys, j->positions, n, j->bits,
                                                       &keys_at, &places_at, j->s->work), "sorting");
  GPR_TRY (gpr_cuda_end_work (j->s, slot));

  a.keys = j->keys[keys_at];
  a.positions = j->positions[places_at];
  return launch (j, gpr_engine_scatter_add (p->in, p->to), n, &a);
}

static gpr_status
run_window (job *j)
{
  gpr_scattering *p = j->p;
  int flags[GPR_SCATTER_FLAGS];
  gpr_cuda_view f = gpr_cuda_bytes (flags, sizeof flags);
  gpr_cuda_view v = gpr_cuda_bytes ((char *) p->out + j->first * j->out_bytes, (size_t) (j->count * j->out_bytes));
  gpr_scatter_fill_args fill = { .count = j->count, .out = j->out };

  GPR_CUDA_TRY (cudaMemsetAsync (j->flags, 0, FLAG_BYTES, j->s->work), "clearing flags");
  if (j->hit)
    GPR_CUDA_TRY (cudaMemsetAsync (j->hit, 0, (size_t) j->count, j->s->work), "clearing marks");
  memcpy (&fill.cell, &p->start, sizeof fill.cell);
  GPR_TRY (launch (j, gpr_engine_scatter_fill ((int) j->out_bytes), j->count, &fill));
  for (int64_t from = 0; from < p->n; from += j->chunk)
    GPR_TRY (add_chunk (j, from, gpr_min64 (j->chunk, p->n - from)));
  GPR_TRY (gpr_cuda_download (j->s, &f, j->flags));
  p->bad = flags[GPR_SCATTER_BAD];
  if (p->bad)
    return GPR_OK;
  if (j->hit)
    {
      fill.hit = j->hit;
      memcpy (&fill.cell, &p->gap, sizeof fill.cell);
      GPR_TRY (launch (j, gpr_engine_scatter_fill ((int) j->out_bytes), j->count, &fill));
    }
  if (p->from_zero && ! flags[GPR_SCATTER_BEYOND])
    GPR_TRY (launch (j, gpr_engine_scatter_zero ((int) j->out_bytes), j->count, &fill));
  return gpr_cuda_download (j->s, &v, j->out);
}

static gpr_status
run (job *j)
{
  const int64_t outputs = gpr_scatter_outputs (j->p);
  for (j->first = 0; j->first < outputs && ! j->p->bad; j->first += j->window)
    {
      j->count = gpr_min64 (j->window, outputs - j->first);
      GPR_TRY (run_window (j));
    }
  return gpr_cuda_drain (j->s);
}

/* The window first takes all outputs, but half of what a call may have where that
   is limited; and half of what there was, whenever memory ends.  */
static gpr_status
scatter (job *j)
{
  const gpr_scattering *p = j->p;
  const int64_t room = (int64_t) gpr_cuda_room (), outputs = gpr_scatter_outputs (p);
  const int64_t out_bytes = j->out_bytes + (p->gaps ? 1 : 0), element = bytes_of_element (j);

  j->window = gpr_min64 (outputs, (int64_t) 1 << 31);
  j->chunk = room / element;
  if (gpr_host.settings->memory_limit > 0)
    {
      j->window = gpr_max64 (1, gpr_min64 (j->window, room / 2 / out_bytes));
      j->chunk /= 2;
    }
  j->chunk = gpr_max64 (1, gpr_min64 (gpr_min64 (p->n, MOST), j->chunk));
  for (;;)
    {
      gpr_status status = allocate (j);
      if (status == GPR_OK)
        {
          status = run (j);
          gpr_cuda_finish (j->s);       /* before its memory goes */
          release (j);
          return status;
        }
      release (j);
      if (status != GPR_OUT_OF_MEMORY || j->chunk * element + j->window * out_bytes < 2 * GPR_CUDA_LEAST)
        return status;
      j->chunk = gpr_over (j->chunk, 2);
      j->window = gpr_over (j->window, 2);
    }
}

typedef struct {
  unsigned long long largest;
  int flags[GPR_SCATTER_FLAGS];
} largest_found;

static gpr_status
ask_largest (job *j, largest_found *memory, largest_found *found)
{
  gpr_scatter_largest_args a = { .n = j->p->n, .column = j->p->column[0], .largest = &memory->largest, .flags = memory->flags };
  gpr_cuda_view v = gpr_cuda_bytes (found, sizeof *found);
  GPR_CUDA_TRY (cudaMemsetAsync (memory, 0, sizeof *memory, j->s->work), "clearing flags");
  GPR_TRY (launch (j, gpr_engine_scatter_largest (), a.n, &a));
  return gpr_cuda_download (j->s, &v, memory);
}

/* Of a column that is on the device.  */
static gpr_status
find_largest (job *j)
{
  largest_found found = { 0 };
  void *memory;

  GPR_TRY (gpr_cuda_take (j->s, &memory, sizeof found));
  gpr_status status = ask_largest (j, memory, &found);
  gpr_cuda_finish (j->s);
  gpr_cuda_give (memory);
  j->p->bad = found.flags[GPR_SCATTER_BAD];
  j->p->column[0].size = (int64_t) found.largest;
  return status;
}

gpr_status
gpr_cuda_scatter (gpr_cuda_state *s, gpr_scattering *p)
{
  job j = { .p = p, .s = s, .elem_bytes = gpr_bytes_of (p->in), .out_bytes = gpr_bytes_of (p->to) };

  p->bad = false;
  return p->out ? scatter (&j) : find_largest (&j);
}
