/* Modes by the columns' length: networks, tables in shared memory, or, of longer ones, bins and sorting.  As many
   columns at once as fit in memory.  */

#include "problems.h"
#include "select_args.h"
#include "../core/order.h"
#include "../../kernels/engine/mode.h"
#include "../../kernels/engine/sort.h"

enum { MOST_ELEMENTS = INT32_MAX, MOST_COUNTS = 1 << 24 };      /* of a chunk; of a launch */
typedef enum { NETWORKS, TABLES, BINS } ways;

typedef struct {
  const gpr_ordering *o;
  gpr_cuda_state *s;
  int elem_bytes, key_bytes;
  ways way;
  bool lay, sort, at_once;      /* columns lie apart; may be sorted; those by one call */
  int64_t outers, columns;      /* of a chunk; outers is 1 unless columns is inner */
  int64_t slots, most_bins, counted;    /* counted: columns of a launch */
  size_t temp_bytes;
  gpr_cuda_slot *slot;
  void *x, *value, *frequency, *laid, *sorted, *found, *counts, *temp;
} job;

/* ---- plan ---------------------------------------------------------------------------- */

static void
plan_way (job *j)
{
  const gpr_ordering *o = j->o;
  const int64_t room = (int64_t) j->s->shared_bytes - 1024 - GPR_MODE_HEAD, fit = room / (j->key_bytes + (int) sizeof (unsigned)) - 1;

  j->slots = j->elem_bytes == 1 ? 256 : gpr_min64 (2 * o->length, fit);
  if (o->length <= GPR_SELECT_NETWORK)
    j->way = NETWORKS;
  else
    j->way = j->elem_bytes == 1 ? (o->length <= 1 << 14 ? TABLES : BINS) : o->length <= fit / 8 * 7 ? TABLES : BINS;
  j->lay = j->way != NETWORKS && o->inner > 1;
  j->sort = j->way == BINS && j->elem_bytes > 2;
  j->most_bins = j->elem_bytes == 1 ? 256 : j->elem_bytes == 2 ? GPR_MODE_HALVES : room / 2 / (int) sizeof (unsigned);
}

/* As many columns as room holds, but one at least.  */
static gpr_status
plan_chunk (job *j, size_t room)
{
  const gpr_ordering *o = j->o;
  const int64_t out = o->out_resident ? 0 : j->elem_bytes + (o->frequency ? sizeof (double) : 0);
  /* A sort needs its result and as much again.  */
  const int64_t column = (2 * j->sort + j->lay + ! o->x_resident) * o->length * j->elem_bytes + out + (j->way == BINS ? sizeof (gpr_mode_found) : 0);
  int64_t most = column ? (int64_t) room / column : o->inner * o->outer;

  if (j->way == BINS)
    {
      if (o->length > MOST_ELEMENTS)
        return gpr_cuda_fail (GPR_OUT_OF_MEMORY, "%lld elements of a column: the GPU counts at most %d", (long long) o->length, MOST_ELEMENTS);
      most = gpr_min64 (most, MOST_ELEMENTS / o->length);
    }
  j->columns = gpr_max64 (1, gpr_min64 (o->inner, most));
  j->outers = gpr_max64 (1, gpr_min64 (o->outer, most / o->inner));
  /* Their kernels do not loop over columns: as many as one launch has blocks.  */
  most = gpr_min64 (MOST_COUNTS / j->most_bins, gpr_cuda_most_blocks (j->s));
  j->counted = gpr_max64 (1, gpr_min64 (j->columns * j->outers, most));
  return GPR_OK;
}

/* One column after the other, or a block a column: about 45 us each and 26 keys a ns, or 4 ns a key.  */
static bool
sorts_at_once (const job *j, int64_t columns)
{
  const int64_t n = j->o->length;
  return columns > 1 && gpr_over (columns, 2 * j->s->multiprocessors) * 4 * n < columns * (45000 + n / 26);
}

/* ---- memory -------------------------------------------------------------------------- */

static gpr_status
allocate (job *j)
{
  const gpr_ordering *o = j->o;
  const int64_t columns = j->outers * j->columns, bytes = columns * o->length * j->elem_bytes;

  if (! o->x_resident)
    GPR_TRY (gpr_cuda_take (j->s, &j->x, bytes));
  if (! o->out_resident)
    {
      GPR_TRY (gpr_cuda_take (j->s, &j->value, columns * j->elem_bytes));
      if (o->frequency)
        GPR_TRY (gpr_cuda_take (j->s, &j->frequency, columns * sizeof (double)));
    }
  if (j->lay)
    GPR_TRY (gpr_cuda_take (j->s, &j->laid, bytes));
  if (j->way != BINS)
    return GPR_OK;
  GPR_TRY (gpr_cuda_take (j->s, &j->found, columns * sizeof (gpr_mode_found)));
  GPR_TRY (gpr_cuda_take (j->s, &j->counts, j->counted * j->most_bins * sizeof (unsigned)));
  if (! j->sort)
    return GPR_OK;
  j->at_once = sorts_at_once (j, columns);
  GPR_TRY (gpr_cuda_take (j->s, &j->sorted, bytes));
  GPR_CUDA_TRY ((cudaError_t) gpr_engine_sort_columns (o->elem, j->at_once, NULL, NULL, columns, o->length, NULL, &j->temp_bytes, j->s->work),
                "planning a sort");
  return gpr_cuda_take (j->s, &j->temp, j->temp_bytes);
}

static void
release (job *j)
{
  void **all[] = { &j->x, &j->value, &j->frequency, &j->laid, &j->sorted, &j->found, &j->counts, &j->temp };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    {
      gpr_cuda_give (*all[i]);
      *all[i] = NULL;
    }
}

/* ---- launches ------------------------------------------------------------------------ */

static gpr_status
launch (const job *j, gpr_mode_kernel which, int64_t blocks, int threads, size_t shared, const gpr_mode_args *a)
{
  const void *kernel = gpr_engine_mode (which, a);
  if (shared > GPR_SELECT_SHARED)
    GPR_CUDA_TRY (cudaFuncSetAttribute (kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int) shared), "asking for shared memory");
  return gpr_cuda_launch (j->s, kernel, blocks, threads, shared, a);
}

/* Blocks of a launch whose threads go on until all is done.  */
static int64_t
some_blocks (const job *j, int64_t items)
{
  return gpr_max64 (1, gpr_min64 (gpr_over (items, GPR_MODE_THREADS), (int64_t) 32 * j->s->multiprocessors));
}

static gpr_status
begin (job *j)
{
  GPR_TRY (gpr_cuda_next_slot (j->s, &j->slot));
  return gpr_cuda_begin_work (j->s, j->slot);
}
static gpr_status
finish (job *j)
{
  GPR_TRY (gpr_cuda_end_work (j->s, j->slot));
  return gpr_cuda_drain (j->s);
}

static gpr_status
run_networks (const job *j, gpr_mode_args *a)
{
  const int64_t column = 16 + (a->x.length | 1) * j->key_bytes;
  a->x.pitch = (int) (a->x.length | 1);
  gpr_select_group (&a->x, gpr_min64 (GPR_SELECT_SHORT_THREADS, ((int64_t) j->s->shared_bytes / 2 - 1024) / column));
  return launch (j, GPR_MODE_NETWORKS, gpr_over (a->x.inner * a->x.outers, a->x.group), GPR_SELECT_SHORT_THREADS, a->x.group * column, a);
}

static gpr_status
run_tables (const job *j, gpr_mode_args *a)
{
  const int64_t n = a->x.length, columns = a->x.inner * a->x.outers;
  const int threads = n <= 512 ? GPR_MODE_TABLE_THREADS / 4 : n <= 2048 ? GPR_MODE_TABLE_THREADS / 2 : GPR_MODE_TABLE_THREADS;
  a->slots = (unsigned) j->slots;
  return launch (j, GPR_MODE_TABLES, gpr_min64 (columns, gpr_cuda_most_blocks (j->s)), threads,
                 (size_t) (j->slots + 1) * ((j->elem_bytes == 1 ? 0 : j->key_bytes) + sizeof (unsigned)), a);
}

/* ---- long columns: bins ---------------------------------------------------------------- */

/* Bins for what a sample has, and somewhat more on either side; false: too many.  */
static bool
plan_bins (const job *j, gpr_mode_args *a, const gpr_mode_range *r)
{
  const uint64_t top = a->x.floating ? ~(uint64_t) 0 : ~(uint64_t) 0 >> (64 - 8 * j->elem_bytes);
  const uint64_t limit = (uint64_t) (j->s->shared_bytes - 1024 - GPR_MODE_HEAD) / 2 / sizeof (unsigned);

  if (! r->whole || ! r->any || r->most - r->least >= limit)
    return false;
  const uint64_t more = gpr_min64 ((limit - (r->most - r->least) - 1) / 2, (r->most - r->least) / 2 + 8);
  const uint64_t last = r->most < top - more ? r->most + more : top;
  a->base = r->least > more ? r->least - more : 0;
  a->bins = (unsigned) (last - a->base + 1);
  a->low = a->x.floating ? (double) ((int64_t) a->base - (int64_t) GPR_MODE_ZERO) : 0;
  return true;
}

/* Of all numbers of 16 bits as many at once as shared memory has halves of words for.  */
static gpr_status
count_halves (const job *j, gpr_mode_args *a, int64_t blocks)
{
  for (a->window = GPR_MODE_HALVES; a->window * sizeof (uint16_t) > j->s->shared_bytes - 1024; a->window /= 2)
    ;
  for (a->base = 0; a->base < GPR_MODE_HALVES; a->base += a->window)
    GPR_TRY (launch (j, GPR_MODE_COUNT_HALVES, blocks, GPR_MODE_HALVES_THREADS, a->window * sizeof (uint16_t), a));
  a->base = 0;
  return GPR_OK;
}

/* Every column's counts, and what comes most.  */
static gpr_status
count (const job *j, gpr_mode_args *a, bool halves)
{
  const int64_t columns = a->x.inner * a->x.outers, vectors = gpr_over (a->x.length * j->elem_bytes, 16);
  const int64_t threads = halves ? GPR_MODE_HALVES_THREADS : GPR_MODE_COUNT_THREADS;

  for (a->copies = 32; a->copies > 1 && a->copies * a->bins * sizeof (unsigned) > GPR_SELECT_SHARED; a->copies /= 2)
    ;
  const size_t shared = a->copies * a->bins * sizeof (unsigned);
  const int64_t fit = gpr_max64 (1, gpr_min64 (GPR_MODE_COUNT_BLOCKS, (int64_t) (j->s->shared_bytes / (shared + 1024))));
  const int64_t at_once = gpr_min64 (j->s->multiprocessors * (halves ? 1 : fit), gpr_cuda_most_blocks (j->s));
  for (a->from = 0; a->from < columns; a->from += j->counted)
    {
      const int64_t those = gpr_min64 (j->counted, columns - a->from);
      a->pieces = gpr_max64 (1, gpr_min64 (at_once / those, vectors / (4 * threads)));
      GPR_CUDA_TRY (cudaMemsetAsync (j->counts, 0, those * a->bins * sizeof (unsigned), j->s->work), "clearing counts");
      if (halves)
        GPR_TRY (count_halves (j, a, those * a->pieces));
      else
        GPR_TRY (launch (j, GPR_MODE_COUNT, those * a->pieces, (int) threads, shared, a));
      GPR_TRY (launch (j, GPR_MODE_BEST, those, GPR_MODE_THREADS, 0, a));
    }
  return GPR_OK;
}

/* *done: every element had a bin.  */
static gpr_status
count_columns (job *j, gpr_mode_args *a, bool *done)
{
  volatile int *failed = a->failed;
  const gpr_mode_range *range = a->range;

  a->base = 0;
  a->bins = 256;
  *done = true;
  if (j->elem_bytes == 1)
    return count (j, a, false);
  GPR_TRY (launch (j, GPR_MODE_LOOK, 1, GPR_MODE_TABLE_THREADS, 0, a));
  GPR_TRY (finish (j));
  GPR_TRY (begin (j));
  if (plan_bins (j, a, range))
    {
      *failed = 0;
      GPR_TRY (count (j, a, false));
      GPR_TRY (finish (j));
      GPR_TRY (begin (j));
      if (! *failed)
        return GPR_OK;
    }
  *done = j->elem_bytes == 2;
  if (! *done)
    return GPR_OK;
  a->base = 0;
  a->bins = GPR_MODE_HALVES;
  GPR_CUDA_TRY (cudaMemsetAsync (j->found, 0, a->x.inner * a->x.outers * sizeof (gpr_mode_found), j->s->work), "clearing results");
  return count (j, a, true);
}

/* ---- long columns: sorted ---------------------------------------------------------------- */

static int64_t
pieces_of (const job *j, int64_t columns)
{
  return gpr_max64 (1, gpr_min64 (gpr_over (j->o->length, 8 * GPR_MODE_THREADS), gpr_over ((int64_t) 32 * j->s->multiprocessors, columns)));
}

static gpr_status
sort_columns (const job *j, gpr_mode_args *a)
{
  const int64_t columns = a->x.inner * a->x.outers;

  a->sorted = j->sorted;
  a->pieces = pieces_of (j, columns);
  GPR_CUDA_TRY (cudaMemsetAsync (j->found, 0, columns * sizeof (gpr_mode_found), j->s->work), "clearing results");
  GPR_CUDA_TRY ((cudaError_t) gpr_engine_sort_columns (j->o->elem, j->at_once, a->columns, j->sorted, columns, a->x.length, j->temp,
                                                    &(size_t) { j->temp_bytes }, j->s->work), "sorting");
  return launch (j, GPR_MODE_RUNS, columns * a->pieces, GPR_MODE_THREADS, 0, a);
}

static gpr_status
run_long (job *j, gpr_mode_args *a)
{
  const int64_t columns = a->x.inner * a->x.outers;
  bool done;

  GPR_CUDA_TRY (cudaMemsetAsync (j->found, 0, columns * sizeof (gpr_mode_found), j->s->work), "clearing results");
  GPR_TRY (count_columns (j, a, &done));
  if (! done)
    GPR_TRY (sort_columns (j, a));
  a->pieces = pieces_of (j, columns);
  if (a->x.floating)              /* of zeros the first has the sign */
    GPR_TRY (launch (j, GPR_MODE_ZEROS, columns * a->pieces, GPR_MODE_THREADS, 0, a));
  return launch (j, GPR_MODE_SETTLE, some_blocks (j, columns), GPR_MODE_THREADS, 0, a);
}

/* ---- chunks --------------------------------------------------------------------------- */

static gpr_status
lay (const job *j, gpr_mode_args *a)
{
  const int64_t wide = gpr_min64 (32, a->x.inner), tiles = a->x.outers * gpr_over (a->x.inner, wide) * gpr_over (a->x.length, GPR_MODE_TILE / wide);
  a->columns = a->laid = j->laid;
  return launch (j, GPR_MODE_LAY, gpr_min64 (tiles, INT32_MAX), GPR_MODE_THREADS, 0, a);
}

static gpr_status
fetch (const job *j, void *host, const void *device, int64_t bytes)
{
  gpr_cuda_view v = gpr_cuda_bytes (host, bytes);
  return gpr_cuda_download (j->s, &v, device);
}

static gpr_mode_args
arguments (const job *j, int64_t outer, int64_t column)
{
  const gpr_ordering *o = j->o;
  const int64_t first = column + o->inner * outer;
  gpr_mode_args a = {
    .x = { .x = (const char *) o->x + (column + o->inner * o->length * outer) * j->elem_bytes, .row_stride = o->inner,
           .outer_stride = o->inner * o->length, .inner = gpr_min64 (j->columns, o->inner - column),
           .outers = gpr_min64 (j->outers, o->outer - outer), .length = o->length,
           .value = o->out_resident ? (char *) o->value + first * j->elem_bytes : j->value },
    .span = ~(uint64_t) 0, .found = j->found, .counts = j->counts, .range = (gpr_mode_range *) j->s->mail, .failed = j->s->needs_fixup
  };
  if (o->frequency)
    a.frequency = o->out_resident ? o->frequency + first : j->frequency;
  gpr_select_keys (&a.x, o->elem);
  a.x.minus_zero = a.x.floating ? a.x.flip : 0;
  if (a.x.floating)               /* between the infinities */
    {
      a.least = ~(a.x.infinite | a.x.flip) + 1;
      a.span = (a.x.infinite | a.x.flip) - 1 - a.least;
    }
  return a;
}

static gpr_status
run_chunk (job *j, int64_t outer, int64_t column)
{
  const gpr_ordering *o = j->o;
  gpr_mode_args a = arguments (j, outer, column);
  const int64_t first = column + o->inner * outer, columns = a.x.inner * a.x.outers;

  if (! o->x_resident)
    {
      gpr_cuda_view v = { (char *) a.x.x, a.x.inner * j->elem_bytes, o->inner * j->elem_bytes, o->length };
      if (a.x.inner == o->inner)
        v = gpr_cuda_bytes (a.x.x, columns * o->length * j->elem_bytes);
      GPR_TRY (gpr_cuda_upload (j->s, j->x, &v));
      a.x.x = j->x;
      a.x.row_stride = a.x.inner;
      a.x.outer_stride = a.x.inner * o->length;
    }
  a.columns = a.x.x;
  GPR_TRY (begin (j));
  if (j->lay)
    GPR_TRY (lay (j, &a));
  GPR_TRY (j->way == NETWORKS ? run_networks (j, &a) : j->way == TABLES ? run_tables (j, &a) : run_long (j, &a));
  GPR_TRY (finish (j));         /* x of the device is used again */
  if (o->out_resident)
    return GPR_OK;
  GPR_TRY (fetch (j, (char *) o->value + first * j->elem_bytes, j->value, columns * j->elem_bytes));
  return o->frequency ? fetch (j, o->frequency + first, j->frequency, columns * sizeof (double)) : GPR_OK;
}

static gpr_status
run (job *j)
{
  for (int64_t outer = 0; outer < j->o->outer; outer += j->outers)
    for (int64_t column = 0; column < j->o->inner; column += j->columns)
      {
        GPR_TRY (run_chunk (j, outer, column));
        if (gpr_cuda_interrupted ())
          return gpr_cuda_fail (GPR_INTERRUPTED, "interrupted");
      }
  return GPR_OK;
}

gpr_status
gpr_cuda_modes (gpr_cuda_state *s, gpr_ordering *o)
{
  job j = { .o = o, .s = s, .elem_bytes = (int) gpr_bytes_of (o->elem) };
  gpr_status status;

  if (o->elem == GPR_c128 || o->elem == GPR_c64)
    return gpr_cuda_fail (GPR_UNSUPPORTED, "ordering element type %d", (int) o->elem);
  j.key_bytes = j.elem_bytes == 8 ? 8 : 4;
  plan_way (&j);
  for (size_t room = gpr_cuda_room ();; room /= 2)
    {
      status = plan_chunk (&j, room);
      if (status == GPR_OK)
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
