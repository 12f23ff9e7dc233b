/* Medians and quantiles by selection: columns in shared memory, or longer ones by samples.  As many columns
   at once as fit in memory.  */

#include <math.h>

#include "problems.h"
#include "select_args.h"
#include "../core/select.h"

#ifndef GPR_SELECT_SIGMAS
#define GPR_SELECT_SIGMAS 5     /* of a sample's places: it misleads once in a million times */
#endif
enum { MOST_LEVELS = 12, MOST_TRIES = 100, MOST_SAMPLE = 1 << 14, LEAST_SAMPLE = 256, LONGEST_OF_WARP = 1024, FEWEST_WARPS = 8 };
typedef enum { NETWORKS = GPR_SELECT_NETWORKS, PARTS = GPR_SELECT_PARTS, WARPS = GPR_SELECT_WARPS, BLOCKS = GPR_SELECT_BLOCKS, SAMPLES } ways;

typedef struct {
  const gpr_selection *p;
  gpr_cuda_state *s;
  int elem_bytes, key_bytes, value_bytes;
  ways way;
  int64_t outers, columns;      /* of a chunk; outers is 1 unless columns is inner */
  int results;                  /* of a launch */
  /* Of samples.  */
  int fit, levels, sample[MOST_LEVELS];
  int64_t room[MOST_LEVELS + 1];        /* keys of a query that a level divides */
  void *x, *center, *value, *lists[2], *nans, *brackets, *done;
} job;

/* ---- plan ---------------------------------------------------------------------------- */

/* How many keys of n at most lie between the bounds that a sample gives, but for bad luck.  */
static int64_t
between (int64_t n, int sample)
{
  const double places = 2 * (GPR_SELECT_SIGMAS * sqrt (sample) / 2 + 4);
  const double most = (double) n / sample * (places + 6 * sqrt (places)) + 64;
  return most < (double) n ? (int64_t) most : n;
}

static void
plan_levels (job *j)
{
  j->room[0] = j->p->length;
  for (j->levels = 0; j->levels < MOST_LEVELS && (j->levels == 0 || j->room[j->levels] > j->fit); j->levels++)
    {
      const int64_t n = j->room[j->levels];
      int sample = LEAST_SAMPLE;
      while (2 * sample <= j->fit && sample < MOST_SAMPLE && between (n, sample) > j->fit / 2 && n / sample > 32)
        sample *= 2;
      while (sample > j->fit)
        sample /= 2;
      j->sample[j->levels] = sample;
      j->room[j->levels + 1] = between (n, sample);
    }
}

static void
plan_way (job *j)
{
  const gpr_selection *p = j->p;
  const int64_t columns = p->inner * p->outer;

  j->fit = (int) ((j->s->shared_bytes / 2 - 1024 - GPR_SELECT_BLOCK_BYTES - 32) / j->key_bytes);
  if (p->length <= GPR_SELECT_NETWORK)
    j->way = NETWORKS;
  else if (p->length <= GPR_SELECT_PART * GPR_SELECT_PARTS_OF_COLUMN && columns >= FEWEST_WARPS * j->s->multiprocessors)
    j->way = PARTS;
  else if ((p->length | 1) > j->fit)
    j->way = SAMPLES;
  else
    j->way = p->length <= LONGEST_OF_WARP && columns >= FEWEST_WARPS * j->s->multiprocessors ? WARPS : BLOCKS;
  j->results = p->p ? (int) gpr_min64 (p->results, GPR_SELECT_RESULTS) : 1;
  if (j->way == SAMPLES)
    plan_levels (j);
}

static int64_t
bytes_of_query (const job *j)
{
  return (j->room[1] + (j->levels > 1 ? j->room[2] : 0)) * j->key_bytes + j->levels * sizeof (gpr_select_bracket) + 1;
}

/* As many columns as room holds, but one at least.  */
static void
plan_chunk (job *j, size_t room)
{
  const gpr_selection *p = j->p;
  const int64_t column = (p->x_resident ? 0 : p->length * j->elem_bytes)
                         + (j->way == SAMPLES ? j->results * bytes_of_query (j) + (int64_t) sizeof (unsigned long long) : 0);
  const int64_t most = column ? (int64_t) room / column : p->inner * p->outer;

  j->columns = gpr_max64 (1, gpr_min64 (p->inner, most));
  j->outers = gpr_max64 (1, gpr_min64 (p->outer, most / p->inner));
}

/* ---- memory -------------------------------------------------------------------------- */

static gpr_status
allocate (job *j)
{
  const gpr_selection *p = j->p;
  const int64_t columns = j->outers * j->columns, queries = columns * j->results;

  if (! p->x_resident)
    GPR_TRY (gpr_cuda_take (j->s, &j->x, columns * p->length * j->elem_bytes));
  if (! p->x_resident && p->center)
    GPR_TRY (gpr_cuda_take (j->s, &j->center, p->inner * p->outer * j->elem_bytes));
  if (! p->out_resident)
    GPR_TRY (gpr_cuda_take (j->s, &j->value, p->inner * p->outer * p->results * j->value_bytes));
  if (j->way != SAMPLES)
    return GPR_OK;
  GPR_TRY (gpr_cuda_take (j->s, &j->nans, columns * sizeof (unsigned long long)));
  GPR_TRY (gpr_cuda_take (j->s, &j->done, queries));
  GPR_TRY (gpr_cuda_take (j->s, &j->brackets, j->levels * queries * sizeof (gpr_select_bracket)));
  GPR_TRY (gpr_cuda_take (j->s, &j->lists[0], queries * j->room[1] * j->key_bytes));
  return j->levels > 1 ? gpr_cuda_take (j->s, &j->lists[1], queries * j->room[2] * j->key_bytes) : GPR_OK;
}

static void
release (job *j)
{
  void **all[] = { &j->x, &j->center, &j->value, &j->nans, &j->brackets, &j->done, &j->lists[0], &j->lists[1] };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    {
      gpr_cuda_give (*all[i]);
      *all[i] = NULL;
    }
}

/* ---- launches ------------------------------------------------------------------------ */

static gpr_status
launch (const job *j, gpr_select_kernel which, int64_t blocks, int threads, size_t shared, const gpr_select_args *a)
{
  return gpr_select_launch (j->s, which, blocks, threads, shared, a);
}

/* Columns in the registers of teams, where there are enough of them to keep all multiprocessors busy.  done: they are.  */
static gpr_status
select_held (const job *j, const gpr_select_args *a, bool *done)
{
  const bool suits = (j->way == WARPS || j->way == BLOCKS || (j->way == PARTS && a->bytes == 8)) && a->inner == 1 && a->row_stride == 1 && ! a->center && a->bytes == j->key_bytes;
  const gpr_select_held held = suits ? gpr_engine_select_held (a->bytes, a->length, a->method == 0) : (gpr_select_held) { NULL, 0 };
  const int warps = GPR_SELECT_WARPS_THREADS / 32;

  *done = held.kernel && a->outers * held.team / 32 >= FEWEST_WARPS * j->s->multiprocessors;
  if (! *done)
    return GPR_OK;
  return held.team == 32 ? gpr_cuda_launch (j->s, held.kernel, gpr_over (a->outers, warps), GPR_SELECT_WARPS_THREADS, warps * GPR_SELECT_WARP_BYTES, a)
                         : gpr_cuda_launch (j->s, held.kernel, a->outers, held.team, GPR_SELECT_BLOCK_BYTES, a);
}

/* Columns in shared memory.  */
static gpr_status
select_short (const job *j, gpr_select_args *a)
{
  bool done;
  GPR_TRY (select_held (j, a, &done));
  if (done)
    return GPR_OK;
  const int64_t room = (int64_t) j->s->shared_bytes / 2 - 1024, column = 16 + (a->length | 1) * j->key_bytes;
  int threads = j->way == NETWORKS || j->way == PARTS ? GPR_SELECT_SHORT_THREADS : j->way == WARPS ? GPR_SELECT_WARPS_THREADS
                : gpr_select_threads (a->length * j->key_bytes);
  while (j->way == WARPS && threads > 32 && threads / 32 * (GPR_SELECT_WARP_BYTES + column) > room)
    threads /= 2;
  const int warps = threads / 32, teams = j->way == NETWORKS || j->way == PARTS ? 0 : j->way == WARPS ? warps * GPR_SELECT_WARP_BYTES : GPR_SELECT_BLOCK_BYTES;
  a->part = (int) gpr_over (a->length, GPR_SELECT_PARTS_OF_COLUMN);
  int64_t most = j->way == NETWORKS ? threads : j->way == PARTS ? threads / GPR_SELECT_PARTS_OF_COLUMN : j->way == WARPS ? warps : 1;

  a->pitch = (int) (a->length | 1);
  if (a->inner > 1 && j->way != NETWORKS && j->way != PARTS)    /* rows of 32 bytes, or more */
    most = gpr_max64 (most, 32 / j->elem_bytes);
  most = gpr_min64 (most, (room - teams) / column);
  gpr_select_group (a, most);
  return launch (j, (gpr_select_kernel) j->way, gpr_over (a->inner * a->outers, a->group), threads,
                 teams + a->group * column, a);
}

/* Samples and readings in turn, and the end.  */
static gpr_status
select_long (const job *j, gpr_select_args *a)
{
  const size_t shared = GPR_SELECT_BLOCK_BYTES + (size_t) j->fit * j->key_bytes;
  gpr_select_args b = *a;
  b.queries = a->inner * a->outers * a->results;
  b.fit = j->fit;
  b.sigmas = GPR_SELECT_SIGMAS;
  b.nans = j->nans;
  b.brackets = j->brackets;
  b.done = j->done;
  b.failed = j->s->needs_fixup;
  for (int i = 0; i < 2; i++)
    {
      b.lists[i] = j->lists[i];
      b.room[i] = j->room[i + 1];
    }
  GPR_CUDA_TRY (cudaMemsetAsync (j->nans, 0, a->inner * a->outers * sizeof (unsigned long long), j->s->work), "clearing counts");
  if (b.seed == 1)
    GPR_CUDA_TRY (cudaMemsetAsync (j->done, 0, b.queries, j->s->work), "clearing notes");
  for (b.level = 0; b.level < j->levels; b.level++)
    {
      const int64_t n = j->room[b.level], columns = a->inner * a->outers;
      b.sample = j->sample[b.level];
      b.width = (int) (a->inner <= GPR_SELECT_WIDTH ? a->inner : 32);
      const int64_t parts = b.level ? b.queries : gpr_over (a->inner, b.width) * a->outers;
      const int64_t turn = (int64_t) GPR_SELECT_EACH * (b.level ? GPR_SELECT_PART_THREADS : GPR_SELECT_PART_THREADS / b.width);
      b.pieces = gpr_max64 (1, gpr_min64 (gpr_over (n, turn), gpr_over ((int64_t) 32 * j->s->multiprocessors, parts)));
      GPR_TRY (launch (j, GPR_SELECT_SAMPLE, b.level ? b.queries : columns, GPR_SELECT_THREADS,
                       GPR_SELECT_BLOCK_BYTES + (size_t) b.sample * j->key_bytes, &b));
      const size_t keys = b.level ? GPR_SELECT_DIVIDE_KEYS (1) : b.width == 1 ? GPR_SELECT_DIVIDE_KEYS (a->results) : 0;
      GPR_TRY (launch (j, GPR_SELECT_DIVIDE, parts * b.pieces, GPR_SELECT_PART_THREADS, keys * j->key_bytes, &b));
    }
  return launch (j, GPR_SELECT_FINISH, b.queries, GPR_SELECT_THREADS, shared, &b);
}

/* ---- chunks --------------------------------------------------------------------------- */

/* Some results of a chunk.  */
static gpr_status
select_some (const job *j, gpr_select_args *a)
{
  volatile int *failed = j->s->needs_fixup;
  gpr_cuda_slot *slot;

  for (int tries = 0; tries < MOST_TRIES; tries++)
    {
      *failed = 0;
      a->seed = 1 + (uint64_t) tries;
      GPR_TRY (gpr_cuda_next_slot (j->s, &slot));
      GPR_TRY (gpr_cuda_begin_work (j->s, slot));
      GPR_TRY (j->way == SAMPLES ? select_long (j, a) : select_short (j, a));
      GPR_TRY (gpr_cuda_end_work (j->s, slot));
      if (j->way != SAMPLES && j->p->x_resident)
        return GPR_OK;
      GPR_TRY (gpr_cuda_drain (j->s));          /* x of the device is used again */
      if (! *failed)
        return GPR_OK;
    }
  return gpr_cuda_fail (GPR_UNSUPPORTED, "no sample bounds the elements wanted");
}

static gpr_status
run_chunk (const job *j, int64_t outer, int64_t column)
{
  const gpr_selection *p = j->p;
  const int64_t outers = gpr_min64 (j->outers, p->outer - outer), columns = gpr_min64 (j->columns, p->inner - column);
  const int64_t center = column + p->inner * outer, value = column + p->inner * p->results * outer;
  const char *x = (const char *) p->x + (column + p->inner * p->length * outer) * j->elem_bytes;
  gpr_select_args a = {
    .x = x, .row_stride = p->inner, .outer_stride = p->inner * p->length, .inner = columns, .outers = outers, .length = p->length,
    .center_stride = p->inner, .value_stride = p->inner, .all = p->results, .method = p->p ? p->method : 0,
    .omit_nan = p->omit_nan, .logical = p->logical, .round_up = p->round_up,
    .value = (char *) (p->out_resident ? p->value : j->value) + value * j->value_bytes
  };

  gpr_select_keys (&a, p->elem);
  if (p->center)
    a.center = (const char *) (p->x_resident ? p->center : j->center) + center * j->elem_bytes;
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
  for (a.first = 0; a.first < p->results; a.first += j->results)
    {
      a.results = (int) gpr_min64 (j->results, p->results - a.first);
      for (int k = 0; p->p && k < a.results; k++)
        a.p[k] = p->p[a.first + k];
      GPR_TRY (select_some (j, &a));
    }
  return GPR_OK;
}

static gpr_status
run (const job *j)
{
  const gpr_selection *p = j->p;

  if (j->center)
    {
      gpr_cuda_view v = gpr_cuda_bytes (p->center, p->inner * p->outer * j->elem_bytes);
      GPR_TRY (gpr_cuda_upload (j->s, j->center, &v));
    }
  for (int64_t outer = 0; outer < p->outer; outer += j->outers)
    for (int64_t column = 0; column < p->inner; column += j->columns)
      {
        GPR_TRY (run_chunk (j, outer, column));
        if (gpr_cuda_interrupted ())
          return gpr_cuda_fail (GPR_INTERRUPTED, "interrupted");
      }
  if (! p->out_resident)
    {
      gpr_cuda_view v = gpr_cuda_bytes (p->value, p->inner * p->outer * p->results * j->value_bytes);
      GPR_TRY (gpr_cuda_download (j->s, &v, j->value));
    }
  return gpr_cuda_drain (j->s);
}

gpr_status
gpr_cuda_selection (gpr_cuda_state *s, gpr_selection *p)
{
  job j = { .p = p, .s = s, .elem_bytes = (int) gpr_bytes_of (p->elem) };
  gpr_status status;

  if (p->elem == GPR_c128 || p->elem == GPR_c64)
    return gpr_cuda_fail (GPR_UNSUPPORTED, "ordering element type %d", (int) p->elem);
  j.key_bytes = j.elem_bytes == 8 ? 8 : 4;
  j.value_bytes = p->p == NULL ? j.elem_bytes : p->elem == GPR_f32 ? 4 : 8;
  plan_way (&j);
  for (size_t room = gpr_cuda_room ();; room /= 2)
    {
      plan_chunk (&j, room);
      status = allocate (&j);
      if (status != GPR_OUT_OF_MEMORY || (j.outers * j.columns <= 1 && j.results <= 1))
        break;
      if (j.outers * j.columns <= 1)
        j.results = (j.results + 1) / 2;
      release (&j);
    }
  if (status == GPR_OK)
    status = run (&j);
  gpr_cuda_finish (s);          /* before its memory goes */
  release (&j);
  return status;
}
