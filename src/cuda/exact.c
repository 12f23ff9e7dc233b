/* Exact sums (kernels/ops/exact.h).  Numbers are real here: of complex arrays the parts are columns,
   two for each.  Outputs are computed box by box: as many outers as the scratch allows, or some
   columns of one.  The input of a box is resident, or comes in chunks: some outers, or some rows of
   one, which are then added to long sums that stay on the device, or go to who asks for them.  */

#include <string.h>

#include "problems.h"
#include "stream.h"
#include "../../kernels/engine/exact.h"

enum {
  MOST_TOTALS = 1 << 14,        /* long sums at once: 18 MB */
  MOST_OUTPUTS = 1 << 24,       /* of a box */
  RUN = 4096,                   /* numbers of an outer, at least, that a block takes together */
  PIECE = 1 << 14,              /* of such a run, at least */
  BLOCKS = 4                    /* of a multiprocessor, at once */
};

typedef struct {
  const gpr_reduction *r;
  gpr_cuda_state *s;
  const gpr_exact_kernels *kernels;
  int64_t inner, number_bytes, value_bytes;     /* columns; of a number and of a result */
  bool omit_nan, complex;
  gpr_long_sum *wanted;         /* host memory: gets each output's, which is not rounded; or NULL */
  /* The plan.  */
  int64_t columns, outers;      /* of a box, and of a chunk */
  int64_t rows;                 /* of a chunk */
  size_t chunk_bytes;           /* 0: resident */
  gpr_long_sum *totals;
  unsigned char *marks;         /* behind GPR_EXACT_TILE bytes, the first of which is some_marked */
  void *results;
} job;

static size_t
mark_bytes (int64_t outputs)
{
  return GPR_EXACT_TILE + gpr_over (outputs, GPR_EXACT_TILE) * GPR_EXACT_TILE;
}

/* ---- launches ------------------------------------------------------------------------- */

static bool
adds_to_totals (const job *j)
{
  return j->rows < j->r->length;
}

/* Whether a box may be computed in pieces.  */
static bool
has_totals (const job *j)
{
  return j->columns * j->outers <= MOST_TOTALS;
}

/* Threads that share an output, and the pieces of its rows; returns the blocks.  */
static int64_t
share_outputs (const job *j, gpr_exact_args *a)
{
  const int64_t outputs = a->columns * a->outers, fill = (int64_t) BLOCKS * j->s->multiprocessors;
  const bool whole_rows = a->columns > 1 && a->columns <= GPR_EXACT_THREADS / 2 && a->rows * a->columns >= 64 * GPR_EXACT_THREADS;

  a->side_by_side = a->columns == 1;
  if (whole_rows)               /* a block reads memory as it lies */
    a->split = GPR_EXACT_THREADS / (int) a->columns;
  while (! whole_rows && a->split < (a->side_by_side ? 32 : 8) && a->rows > 8 * a->split
         && (a->side_by_side || gpr_over (outputs * a->split, GPR_EXACT_THREADS) < 2 * fill))
    a->split *= 2;
  a->each = whole_rows ? (int) a->columns : GPR_EXACT_THREADS / a->split;
  const int64_t groups = gpr_over (outputs, a->each);
  if (a->totals && groups < fill)
    a->pieces = gpr_min64 (gpr_over (a->rows, 64 * a->split), gpr_over (fill, groups));
  a->piece = gpr_over (a->rows, a->pieces);
  return groups * a->pieces;
}

static int64_t
share_runs (const job *j, gpr_exact_args *a)
{
  const int64_t count = a->columns * a->rows, fill = (int64_t) BLOCKS * j->s->multiprocessors;
  if (a->totals && a->outers < fill)
    a->pieces = gpr_max64 (1, gpr_min64 (count / PIECE, gpr_over (fill, a->outers)));
  a->piece = gpr_over (gpr_over (count, a->pieces), a->columns) * a->columns;
  a->pieces = gpr_over (count, a->piece);
  return a->outers * a->pieces;
}

static gpr_status
launch (const job *j, const void *kernel, int64_t blocks, int threads, gpr_exact_args *a)
{
  a->threads = threads;
  return gpr_cuda_launch (j->s, kernel, gpr_min64 (blocks, gpr_cuda_most_blocks (j->s)), threads, 0, a);
}

/* A chunk of a box's input.  The box's results, where it is whole; last: of its chunks.  */
static gpr_status
run_chunk (const job *j, gpr_cuda_slot *slot, gpr_exact_args *a, bool first, bool last)
{
  const int64_t outputs = a->columns * a->outers;
  const bool runs = a->row_stride == a->columns && a->columns <= GPR_EXACT_RUN_COLUMNS && a->columns * a->rows >= RUN;
  int64_t blocks;

  a->pieces = a->split = 1;
  a->totals = has_totals (j) ? j->totals : NULL;
  blocks = runs ? share_runs (j, a) : share_outputs (j, a);
  if (a->pieces == 1 && ! adds_to_totals (j) && ! j->wanted)
    a->totals = NULL;
  GPR_TRY (gpr_cuda_begin_work (j->s, slot));
  if (a->totals && first)
    GPR_CUDA_TRY (cudaMemsetAsync (a->totals, 0, outputs * sizeof *a->totals, j->s->work), "clearing sums");
  if (! runs && ! a->totals)
    GPR_CUDA_TRY (cudaMemsetAsync (j->marks, 0, mark_bytes (outputs), j->s->work), "clearing marks");
  GPR_TRY (launch (j, runs ? j->kernels->runs[a->columns > 1] : j->kernels->outputs, blocks, GPR_EXACT_THREADS, a));
  if (! runs && ! a->totals)
    GPR_TRY (launch (j, j->kernels->marked, gpr_over (outputs, GPR_EXACT_TILE), GPR_EXACT_MARKED_THREADS, a));
  if (a->totals && last && ! j->wanted)
    GPR_TRY (launch (j, gpr_engine_exact_finish (), outputs, 32, a));
  return gpr_cuda_end_work (j->s, slot);
}

/* ---- boxes ------------------------------------------------------------------------------- */

/* The long sums of a box, from this output on.  */
static gpr_status
fetch_totals (const job *j, int64_t output, int64_t outputs)
{
  gpr_long_sum *to = j->wanted + output;
  gpr_cuda_view v = gpr_cuda_bytes (to, outputs * sizeof *to);

  GPR_TRY (gpr_cuda_download (j->s, &v, j->totals));
  for (int64_t i = 0; i < outputs; i++)
    gpr_long_settle (&to[i]);
  return GPR_OK;
}

/* Columns from column on of outers from outer on.  */
static gpr_status
run_box (const job *j, int64_t outer, int64_t column)
{
  const gpr_reduction *r = j->r;
  const int64_t outers = gpr_min64 (j->outers, r->outer - outer), columns = gpr_min64 (j->columns, j->inner - column);
  const int64_t outputs = outers * columns;
  char *value = (char *) r->value + (outer * j->inner + column) * j->value_bytes;
  const bool mail = ! r->out_resident && ! j->results;
  gpr_exact_args a = { .columns = columns, .outers = outers, .omit_nan = j->omit_nan, .complex = j->complex, .some_marked = j->marks, .marks = j->marks + GPR_EXACT_TILE,
                       .value = r->out_resident ? value : mail ? j->s->mail : j->results, .single = j->value_bytes == sizeof (f32) };
  gpr_cuda_slot *slot;

  for (int64_t row = 0; row < r->length; row += j->rows)
    {
      const int64_t rows = gpr_min64 (j->rows, r->length - row), at = column + j->inner * (row + r->length * outer);
      const char *x = (const char *) r->x + at * j->number_bytes, *y = r->y ? (const char *) r->y + at * j->number_bytes : NULL;
      GPR_TRY (gpr_cuda_next_slot (j->s, &slot));
      a.x = x;
      a.y = y;
      a.rows = rows;
      a.row_stride = j->inner;
      a.outer_stride = j->inner * r->length;
      if (j->chunk_bytes)
        {
          gpr_cuda_view v[2] = { { (char *) x, columns * j->number_bytes, j->inner * j->number_bytes, rows } };
          if (columns == j->inner)
            v[0] = gpr_cuda_bytes (x, (size_t) outers * rows * columns * j->number_bytes);
          v[1] = v[0];
          v[1].host = (char *) y;
          GPR_TRY (gpr_cuda_send (j->s, slot, v, y ? 2 : 1, slot->device));
          a.x = slot->device;
          a.y = y ? (const char *) slot->device + v[0].segment * v[0].count : NULL;
          a.row_stride = columns;
          a.outer_stride = rows * columns;
        }
      GPR_TRY (run_chunk (j, slot, &a, row == 0, row + rows == r->length));
    }
  if (j->wanted)
    return fetch_totals (j, outer * j->inner + column, outputs);
  if (r->out_resident)
    return GPR_OK;
  if (mail)
    {
      GPR_TRY (gpr_cuda_drain (j->s));
      memcpy (value, j->s->mail, outputs * j->value_bytes);
      return GPR_OK;
    }
  gpr_cuda_view v = gpr_cuda_bytes (value, outputs * j->value_bytes);
  return gpr_cuda_download (j->s, &v, j->results);
}

static gpr_status
run (const job *j)
{
  for (int64_t outer = 0; outer < j->r->outer; outer += j->outers)
    for (int64_t column = 0; column < j->inner; column += j->columns)
      {
        GPR_TRY (run_box (j, outer, column));
        if (gpr_cuda_interrupted ())
          return gpr_cuda_fail (GPR_INTERRUPTED, "interrupted");
      }
  return gpr_cuda_drain (j->s);
}

/* ---- plan -------------------------------------------------------------------------------- */

/* Some columns only of one outer, so that a box's results follow each other.  Even ones of complex
   arrays: a number's other part is beside it.  */
static void
make_plan (job *j, size_t room)
{
  const gpr_reduction *r = j->r;
  const int64_t some = j->wanted ? gpr_min64 (MOST_TOTALS, room / 4 / sizeof (gpr_long_sum)) : gpr_min64 (MOST_OUTPUTS, room / 4 / (j->value_bytes + 1));
  const int64_t most = gpr_max64 (2, some & ~(int64_t) 1);
  const int64_t chunk = gpr_min64 (GPR_CUDA_CHUNK, room / (4 * GPR_CUDA_SLOTS)) / (j->number_bytes * (r->y ? 2 : 1));

  j->columns = gpr_min64 (j->inner, most);
  j->rows = r->length;
  j->outers = j->columns < j->inner ? 1 : gpr_max64 (1, gpr_min64 (r->outer, most / j->inner));
  j->chunk_bytes = 0;
  if (r->x_resident)
    return;
  if (j->columns * j->rows <= chunk)
    j->outers = gpr_min64 (j->outers, chunk / (j->columns * j->rows));
  else
    {
      j->outers = 1;
      j->columns = gpr_min64 (j->columns, gpr_min64 (MOST_TOTALS, chunk & ~(int64_t) 1));
      j->rows = gpr_min64 (j->rows, gpr_max64 (1, chunk / j->columns));
    }
  j->chunk_bytes = (size_t) j->outers * j->rows * j->columns * j->number_bytes * (r->y ? 2 : 1);
}

static gpr_status
allocate (job *j)
{
  const int64_t outputs = j->columns * j->outers;
  const bool single = j->outers == j->r->outer && j->columns == j->inner && j->rows == j->r->length;
  void *p = NULL;

  if (has_totals (j))
    {
      GPR_TRY (gpr_cuda_take (j->s, &p, outputs * sizeof *j->totals));
      j->totals = p;
    }
  GPR_TRY (gpr_cuda_take (j->s, &p, mark_bytes (outputs)));
  j->marks = p;
  if (! j->r->out_resident && ! j->wanted && outputs * j->value_bytes > GPR_CUDA_PINNED_RESULTS)
    GPR_TRY (gpr_cuda_take (j->s, &j->results, outputs * j->value_bytes));
  return j->chunk_bytes ? gpr_cuda_equip_slots (j->s, single ? 1 : GPR_CUDA_SLOTS, j->chunk_bytes) : GPR_OK;
}

static void
release (job *j)
{
  gpr_cuda_give (j->totals);
  gpr_cuda_give (j->marks);
  gpr_cuda_give (j->results);
  gpr_cuda_strip_slots (j->s);
  j->totals = NULL;
  j->marks = NULL;
  j->results = NULL;
}

/* What the table of instances, which this module has not, says of sums.  */
typedef struct {
  enum gpr_elem elem;
  int elem_bytes, value_bytes, traits;  /* value_bytes: of a part of a complex number */
} sum_kind;
#define ROW(id, FAMILY, X, A, Y) [GPR_##id] = { GPR_##X, sizeof (X), sizeof (Y), GPR_TRAITS_##FAMILY },
static const sum_kind sums[] = { GPR_INSTANCES_SUM (ROW) };

static gpr_status
add_up (gpr_cuda_state *s, const gpr_reduction *r, gpr_long_sum *wanted)
{
  if ((size_t) r->instance >= sizeof sums / sizeof *sums)
    return gpr_cuda_fail (GPR_UNSUPPORTED, "no exact sums of that class");
  const sum_kind *f = &sums[r->instance];
  const bool complex = f->elem == GPR_c128 || f->elem == GPR_c64, omit_nan = f->traits & GPR_OMITS_NAN;
  job j = { .r = r, .s = s, .kernels = gpr_engine_exact (f->elem, r->y != NULL, omit_nan), .omit_nan = omit_nan, .complex = complex,
            .inner = complex ? 2 * r->inner : r->inner, .number_bytes = complex ? f->elem_bytes / 2 : f->elem_bytes,
            .value_bytes = f->value_bytes, .wanted = wanted };
  gpr_status status;

  if (! j.kernels)
    return gpr_cuda_fail (GPR_UNSUPPORTED, "no exact sums of that class");
  for (size_t room = gpr_cuda_room ();; room /= 2)
    {
      make_plan (&j, room);
      status = allocate (&j);
      if (status != GPR_OUT_OF_MEMORY || room / 2 < GPR_CUDA_LEAST)
        break;
      release (&j);
    }
  if (status == GPR_OK)
    status = run (&j);
  gpr_cuda_finish (s);          /* before its memory goes */
  release (&j);
  return status;
}

gpr_status
gpr_cuda_exact (gpr_cuda_state *s, gpr_reduction *r)
{
  return add_up (s, r, NULL);
}

gpr_status
gpr_cuda_exact_totals (gpr_cuda_state *s, const gpr_reduction *r, void *totals)
{
  return add_up (s, r, totals);
}
