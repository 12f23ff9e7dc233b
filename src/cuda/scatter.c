/* accumarray: chunk after chunk of the elements.  With few outputs each chunk goes to tables (FEW); else it
   is sorted by output and added to what the outputs hold, a run of elements in pieces (PIECES)
   or, for products and sums in the built-in's order, one after the other (IN_ORDER).  Outputs that
   do not fit are done in windows, each from all elements.  */

#include <string.h>

#include "problems.h"
#include "stream.h"
#include "../core/scatter.h"
#include "../../kernels/engine/scatter.h"

enum {
  BLOCK = GPR_SCATTER_THREADS,
  MOST = 1 << 28,               /* elements of a chunk */
  TABLES = 4                    /* blocks of a multiprocessor whose tables are not in shared memory */
};

typedef struct {
  gpr_scattering *p;
  gpr_cuda_state *s;
  enum { FEW, PIECES, IN_ORDER } way;
  gpr_scatter_cut cut;
  int64_t elem_bytes, out_bytes;        /* of a value, of an output */
  int64_t chunk, window;                /* elements, outputs */
  int64_t first, count;                 /* the window at hand */
  bool direct;                          /* FEW: the subscripts are doubles of one column */
  bool counted;                         /* elements of each output are counted */
  bool look;                            /* for sums that are not finite, in again */
  const unsigned char *only;            /* outputs that are asked for; or NULL: all */
  int bits;                             /* of a key */
  size_t temp_bytes;

  void *columns[GPR_SCATTER_COLUMNS], *values;          /* what is not resident, of a chunk */
  uint32_t *keys[2], *positions[2];
  uint32_t *begin, *end;                /* of each output's sorted elements */
  void *temp, *memory, *counts, *again, *sums, *part, *tables;
  void *out;                            /* the window's: memory, or the caller's */
  void *flags;                          /* GPR_SCATTER_FLAGS */
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

/* ---- memory ------------------------------------------------------------------------ */

static bool
several_chunks (const job *j)
{
  return j->way == PIECES && j->chunk < j->p->n;
}

static bool
has_runs (const job *j)
{
  return j->way == PIECES || (j->way == IN_ORDER && j->counted);
}

static int64_t
unit (const job *j)             /* elements that a chunk is a multiple of, unless it is the last one */
{
  return j->way == FEW ? j->cut.group * j->cut.chunk : 1;
}

/* Bytes of a unit, the sort's own memory aside.  */
static int64_t
bytes_of_unit (const job *j)
{
  const gpr_scattering *p = j->p;
  int64_t bytes = j->way == FEW ? (j->direct ? 0 : sizeof (uint32_t)) : 4 * sizeof (uint32_t);
  for (int i = 0; i < p->columns; i++)
    bytes += p->column_resident[i] ? 0 : gpr_bytes_of (p->column[i].elem);
  bytes += p->values_resident || p->repeated ? 0 : j->elem_bytes;
  bytes += several_chunks (j) ? j->out_bytes : 0;
  return bytes * unit (j) + (j->way == FEW ? gpr_scatter_outputs (p) * j->out_bytes : 0);
}

static int64_t
bytes_of_output (const job *j)
{
  return (j->p->out_resident ? 0 : j->out_bytes) + (has_runs (j) ? 8 : 0) + (j->counted || several_chunks (j) ? 8 : 0)
         + (j->look ? 1 : 0) + (several_chunks (j) ? j->out_bytes : 0);
}

static gpr_status
allocate_sort (job *j)
{
  int keys_at, places_at;

  for (int i = 0; i < 2; i++)
    {
      GPR_TRY (gpr_cuda_take (j->s, (void **) &j->keys[i], j->chunk * sizeof (uint32_t)));
      GPR_TRY (gpr_cuda_take (j->s, (void **) &j->positions[i], j->chunk * sizeof (uint32_t)));
    }
  j->bits = bits_of (j->window);
  GPR_CUDA_TRY ((cudaError_t) gpr_engine_scatter_sort (NULL, &j->temp_bytes, j->keys, j->positions, j->chunk, j->bits,
                                                       &keys_at, &places_at, j->s->work), "planning a sort");
  GPR_TRY (gpr_cuda_take (j->s, &j->temp, gpr_max64 (1, j->temp_bytes)));
  if (has_runs (j))
    {
      GPR_TRY (gpr_cuda_take (j->s, (void **) &j->begin, j->window * sizeof (uint32_t)));
      GPR_TRY (gpr_cuda_take (j->s, (void **) &j->end, j->window * sizeof (uint32_t)));
    }
  if (j->way == PIECES && j->p->op != GPR_SCATTER_COUNT)
    GPR_TRY (gpr_cuda_take (j->s, &j->sums, (several_chunks (j) ? j->chunk : 2 * (j->chunk / j->cut.piece + 1)) * j->out_bytes));
  return several_chunks (j) ? gpr_cuda_take (j->s, &j->part, j->window * j->out_bytes) : GPR_OK;
}

static bool
tables_are_shared (const job *j)
{
  return gpr_scatter_few_shared (j->cut.group, j->window, (int) j->out_bytes, true) <= j->s->shared_bytes;
}

static gpr_status
allocate_tables (job *j)
{
  const int64_t table = j->window * j->out_bytes;

  if (! j->direct)
    GPR_TRY (gpr_cuda_take (j->s, (void **) &j->keys[0], j->chunk * sizeof (uint32_t)));
  if (j->p->op == GPR_SCATTER_COUNT)
    return GPR_OK;
  if (! tables_are_shared (j))
    GPR_TRY (gpr_cuda_take (j->s, &j->tables, (int64_t) j->s->multiprocessors * TABLES * j->cut.group * table));
  return gpr_cuda_take (j->s, &j->sums, gpr_over (j->chunk, unit (j)) * table);
}

static gpr_status
allocate (job *j)
{
  const gpr_scattering *p = j->p;

  for (int i = 0; i < p->columns; i++)
    if (! p->column_resident[i])
      GPR_TRY (gpr_cuda_take (j->s, &j->columns[i], j->chunk * gpr_bytes_of (p->column[i].elem)));
  if (! p->values_resident && p->op != GPR_SCATTER_COUNT)
    GPR_TRY (gpr_cuda_take (j->s, &j->values, (p->repeated ? 1 : j->chunk) * j->elem_bytes));
  GPR_TRY (j->way == FEW ? allocate_tables (j) : allocate_sort (j));
  if (j->only)
    return gpr_cuda_take (j->s, &j->flags, FLAG_BYTES);
  if (! p->out_resident)
    GPR_TRY (gpr_cuda_take (j->s, &j->memory, j->window * j->out_bytes));
  if (j->counted || several_chunks (j))
    GPR_TRY (gpr_cuda_take (j->s, &j->counts, j->window * sizeof (unsigned long long)));
  if (j->look)
    GPR_TRY (gpr_cuda_take (j->s, &j->again, j->window));
  return gpr_cuda_take (j->s, &j->flags, FLAG_BYTES);
}

static void
release (job *j)
{
  void **all[] = { &j->values, &j->temp, &j->memory, &j->counts, &j->again, &j->sums, &j->part, &j->tables, &j->flags,
                   (void **) &j->keys[0], (void **) &j->keys[1], (void **) &j->positions[0], (void **) &j->positions[1],
                   (void **) &j->begin, (void **) &j->end };

  for (int i = 0; i < GPR_SCATTER_COLUMNS; i++)
    {
      gpr_cuda_give (j->columns[i]);
      j->columns[i] = NULL;
    }
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    {
      gpr_cuda_give (*all[i]);
      *all[i] = NULL;
    }
}

/* ---- chunks ---------------------------------------------------------------------------- */

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
  return gpr_cuda_launch (j->s, kernel, gpr_over (items, BLOCK), BLOCK, 0, args);
}

/* Outputs, or what is like them, become the cell.  */
static gpr_status
fill (job *j, void *out, const union gpr_scatter_cell *cell, const void *counts)
{
  gpr_scatter_fill_args a = { .count = j->count, .out = out, .counts = counts };
  memcpy (&a.cell, cell, sizeof a.cell);
  return launch (j, gpr_engine_scatter_fill ((int) j->out_bytes), j->count, &a);
}

static gpr_status
add_to_tables (job *j, const gpr_scatter_keys_args *k, const void *values, int64_t n)
{
  const gpr_scattering *p = j->p;
  const void *subs = j->direct ? k->column[0].at : j->keys[0];

  if (! j->direct)
    GPR_TRY (launch (j, gpr_engine_scatter_keys (), n, k));
  if (j->counted)
    {
      gpr_scatter_count_args c = { .n = n, .outputs = (uint32_t) j->count, .subs = subs, .counts = j->counts, .flags = j->flags };
      GPR_TRY (gpr_cuda_launch (j->s, gpr_engine_scatter_count (j->direct),
                                gpr_min64 (gpr_over (n, 16 * BLOCK), 6 * j->s->multiprocessors), BLOCK, 0, &c));
    }
  if (p->op == GPR_SCATTER_COUNT)
    return GPR_OK;
  gpr_scatter_few_args a = {
    .n = n, .groups = gpr_over (n, unit (j)), .chunk = j->cut.chunk, .outputs = (uint32_t) j->count, .group = j->cut.group, .subs = subs,
    .values = values, .repeated = p->repeated, .look_beyond = p->from_zero, .op = p->op, .tables = j->tables, .sums = j->sums,
    .out = j->out, .flags = j->flags
  };
  const void *kernel = gpr_engine_scatter_few (j->direct, p->in, p->to);
  const size_t shared = gpr_scatter_few_shared (a.group, j->count, (int) j->out_bytes, ! j->tables);
  const int64_t blocks = j->tables ? gpr_min64 (a.groups, (int64_t) j->s->multiprocessors * TABLES) : a.groups;
  memcpy (a.start, &p->start, sizeof a.start);
  GPR_CUDA_TRY (cudaFuncSetAttribute (kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int) shared), "asking for shared memory");
  GPR_TRY (gpr_cuda_launch (j->s, kernel, blocks, 32 * a.group, shared, &a));
  return gpr_cuda_launch (j->s, gpr_engine_scatter_merge (p->to), gpr_over (j->count, 32), BLOCK, 0, &a);
}

static gpr_status
sort_and_add (job *j, const gpr_scatter_keys_args *k, const void *values, int64_t n)
{
  const gpr_scattering *p = j->p;
  size_t bytes = j->temp_bytes;
  int keys_at, places_at;

  GPR_TRY (launch (j, gpr_engine_scatter_keys (), n, k));
  GPR_CUDA_TRY ((cudaError_t) gpr_engine_scatter_sort (j->temp, &bytes, j->keys, j->positions, n, j->bits,
                                                       &keys_at, &places_at, j->s->work), "sorting");
  if (has_runs (j))
    {
      gpr_scatter_runs_args r = { .n = n, .count = (uint32_t) j->count, .keys = j->keys[keys_at], .begin = j->begin, .end = j->end };
      GPR_TRY (launch (j, gpr_engine_scatter_runs (), n, &r));
    }
  if (p->op != GPR_SCATTER_COUNT)
    {
      gpr_scatter_add_args a = {
        .n = n, .count = (uint32_t) j->count, .piece = j->way == PIECES ? (uint32_t) j->cut.piece : 0, .keys = j->keys[keys_at],
        .positions = j->positions[places_at], .begin = j->begin, .end = j->end, .counts = several_chunks (j) ? j->counts : NULL,
        .values = values, .repeated = p->repeated, .op = p->op, .out = j->out, .part = j->part, .sums = j->sums
      };
      memcpy (a.start, &p->start, sizeof a.start);
      GPR_TRY (launch (j, gpr_engine_scatter_add (p->in, p->to), n, &a));
      if (j->way == PIECES && (j->part || n > j->cut.piece))
        GPR_TRY (launch (j, gpr_engine_scatter_add_pieces (p->to), j->count, &a));
    }
  if (! j->counts)
    return GPR_OK;
  gpr_scatter_finish_args f = { .count = j->count, .counts = j->counts, .begin = j->begin, .end = j->end };
  return launch (j, gpr_engine_scatter_lengths (), j->count, &f);
}

static gpr_status
add_chunk (job *j, int64_t from, int64_t n)
{
  gpr_scattering *p = j->p;
  gpr_scatter_keys_args k = {
    .n = n, .first = j->first, .count = (uint32_t) j->count, .columns = p->columns, .only = j->only, .keys = j->keys[0],
    .positions = j->positions[0], .flags = j->flags, .elem = p->in, .repeated = p->repeated, .op = p->op
  };
  const void *values = NULL;
  gpr_cuda_slot *slot;

  GPR_TRY (gpr_cuda_drain (j->s));      /* who reads the chunk before */
  for (int i = 0; i < p->columns; i++)
    {
      k.column[i] = p->column[i];
      GPR_TRY (bring (j, p->column[i].at, p->column_resident[i], j->columns[i], from, n,
                      gpr_bytes_of (p->column[i].elem), &k.column[i].at));
    }
  if (p->op != GPR_SCATTER_COUNT)
    GPR_TRY (bring (j, p->values, p->values_resident, j->values, p->repeated ? 0 : from, p->repeated ? 1 : n,
                    j->elem_bytes, &values));
  k.values = p->from_zero && j->way != FEW ? values : NULL;
  GPR_TRY (gpr_cuda_next_slot (j->s, &slot));
  GPR_TRY (gpr_cuda_begin_work (j->s, slot));
  GPR_TRY (j->way == FEW ? add_to_tables (j, &k, values, n) : sort_and_add (j, &k, values, n));
  return gpr_cuda_end_work (j->s, slot);
}

static gpr_status
add_chunks (job *j)
{
  if (j->begin)
    {
      GPR_CUDA_TRY (cudaMemsetAsync (j->begin, 0, (size_t) j->count * sizeof (uint32_t), j->s->work), "clearing runs");
      GPR_CUDA_TRY (cudaMemsetAsync (j->end, 0, (size_t) j->count * sizeof (uint32_t), j->s->work), "clearing runs");
    }
  for (int64_t from = 0; from < j->p->n; from += j->chunk)
    {
      GPR_TRY (add_chunk (j, from, gpr_min64 (j->chunk, j->p->n - from)));
      if (gpr_cuda_interrupted ())
        return gpr_cuda_fail (GPR_INTERRUPTED, "interrupted");
    }
  return GPR_OK;
}

/* ---- windows --------------------------------------------------------------------------- */

static gpr_status take_again (const job *j);

static gpr_status
begin_window (job *j)
{
  const gpr_scattering *p = j->p;

  j->out = p->out_resident ? (char *) p->out + j->first * j->out_bytes : j->memory;
  GPR_CUDA_TRY (cudaMemsetAsync (j->flags, 0, FLAG_BYTES, j->s->work), "clearing flags");
  if (j->counts)
    GPR_CUDA_TRY (cudaMemsetAsync (j->counts, 0, (size_t) j->count * sizeof (unsigned long long), j->s->work), "clearing counts");
  if (j->part)
    GPR_TRY (fill (j, j->part, &p->start, NULL));
  return p->op == GPR_SCATTER_COUNT ? GPR_OK : fill (j, j->out, &p->start, NULL);
}

static gpr_status
end_window (job *j, bool look)
{
  const gpr_scattering *p = j->p;
  gpr_scatter_finish_args f = { .count = j->count, .op = p->op, .out = j->out, .part = look || ! j->look ? j->part : NULL, .counts = j->counts,
                                .again = j->again, .look = look, .mean = p->mean, .scale = p->scale, .flags = j->flags };

  memcpy (f.start, &p->start, sizeof f.start);
  if (p->op == GPR_SCATTER_COUNT)
    GPR_TRY (launch (j, gpr_engine_scatter_counted (), j->count, &f));
  else if (look || p->mean || f.part)
    GPR_TRY (launch (j, gpr_engine_scatter_finish (p->to), j->count, &f));
  if (p->gaps)
    GPR_TRY (fill (j, j->out, &p->gap, j->counts));
  if (p->from_zero)
    {
      gpr_scatter_fill_args z = { .count = j->count, .out = j->out, .flags = j->flags };
      GPR_TRY (launch (j, gpr_engine_scatter_zero ((int) j->out_bytes), j->count, &z));
    }
  return GPR_OK;
}

static gpr_status
run_window (job *j)
{
  gpr_scattering *p = j->p;
  int flags[GPR_SCATTER_FLAGS];
  gpr_cuda_view f = gpr_cuda_bytes (flags, sizeof flags);

  GPR_TRY (begin_window (j));
  GPR_TRY (add_chunks (j));
  GPR_TRY (end_window (j, j->look));
  GPR_TRY (gpr_cuda_download (j->s, &f, j->flags));
  p->bad = flags[GPR_SCATTER_BAD];
  if (p->bad)
    return GPR_OK;
  if (flags[GPR_SCATTER_AGAIN])
    {
      GPR_TRY (take_again (j));
      if (p->mean)
        GPR_TRY (end_window (j, false));
    }
  if (p->out_resident)
    return GPR_OK;
  gpr_cuda_view v = gpr_cuda_bytes ((char *) p->out + j->first * j->out_bytes, (size_t) (j->count * j->out_bytes));
  return gpr_cuda_download (j->s, &v, j->out);
}

static gpr_status
run (job *j)
{
  const int64_t outputs = gpr_scatter_outputs (j->p);
  if (j->only)
    return add_chunks (j);
  for (j->first = 0; j->first < outputs && ! j->p->bad; j->first += j->window)
    {
      j->count = gpr_min64 (j->window, outputs - j->first);
      GPR_TRY (run_window (j));
    }
  return gpr_cuda_drain (j->s);
}

/* The chunk that fits into so many bytes.  */
static void
plan_chunk (job *j, int64_t room)
{
  const int64_t all = gpr_over (j->p->n, unit (j)) * unit (j), most = gpr_max64 (1, MOST / unit (j)) * unit (j);

  j->chunk = j->p->n;           /* one chunk, if it fits */
  if (gpr_over (j->chunk, unit (j)) * bytes_of_unit (j) > room || all > most)
    {
      j->chunk = 1;             /* several */
      j->chunk = gpr_min64 (most, gpr_max64 (1, room / bytes_of_unit (j)) * unit (j));
    }
}

/* Half of the chunk, in whole units; false: it is one.  */
static bool
halve_chunk (job *j)
{
  const int64_t units = gpr_over (j->chunk, unit (j));
  j->chunk = gpr_over (units, 2) * unit (j);
  return units > 1;
}

/* The window first takes all outputs, but half of what a call may have where that
   is limited; and half of what there was, whenever memory ends.  */
static gpr_status
scatter (job *j)
{
  const gpr_scattering *p = j->p;
  const bool limited = gpr_host.settings->memory_limit > 0;
  const int64_t room = (int64_t) gpr_cuda_room ();

  plan_chunk (j, limited ? room / 2 : room);
  if (! j->only)
    j->window = gpr_min64 (gpr_scatter_outputs (p), (int64_t) 1 << 31);
  if (limited && j->way != FEW && ! j->only)
    j->window = gpr_max64 (1, gpr_min64 (j->window, room / 2 / gpr_max64 (1, bytes_of_output (j))));
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
      const bool smaller = halve_chunk (j);
      const bool narrower = j->way != FEW && ! j->only && j->window > 1;
      if (status != GPR_OUT_OF_MEMORY || ! (smaller || narrower)
          || j->chunk / unit (j) * bytes_of_unit (j) + j->window * bytes_of_output (j) < 2 * GPR_CUDA_LEAST)
        return status;
      if (narrower)
        j->window = gpr_over (j->window, 2);
    }
}

/* Sums that are not finite, in the built-in's order: they have been made what they begin with.  */
static gpr_status
take_again (const job *j)
{
  job again = { .p = j->p, .s = j->s, .way = IN_ORDER, .elem_bytes = j->elem_bytes, .out_bytes = j->out_bytes, .window = j->count,
                .first = j->first, .count = j->count, .only = j->again, .out = j->out };
  return scatter (&again);
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
  if (! p->out)
    return find_largest (&j);
  j.cut = gpr_scatter_cut_of (p->n, gpr_scatter_outputs (p));
  j.way = p->op == GPR_SCATTER_PROD || (p->op == GPR_SCATTER_SUM && p->builtin_order) ? IN_ORDER : j.cut.chunk > 0 ? FEW : PIECES;
  j.direct = p->columns == 1 && p->column[0].elem == GPR_f64;
  j.counted = p->gaps || p->mean || p->op == GPR_SCATTER_COUNT;
  j.look = gpr_scatter_is_cut (p);
  return scatter (&j);
}
