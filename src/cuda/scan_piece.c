/* Rows of columns behind others that lie elsewhere (core/scan.h).

   Sums and products in tiles, and extremes: the tiles' totals, then, once it is known what comes before, what goes before each tile, then
   the results: two readings and one writing.  Of few columns, whose tiles are many, the host says what goes before each, since it adds quicker
   than a GPU's thread and others wait for it.  In the built-in's order columns are done in one, some after others.  */

#include <stdlib.h>
#include <string.h>

#include "scan_job.h"
#include "stream.h"
#include "../../kernels/common/turn.h"
#include "../../kernels/engine/engine.h"

#ifndef GPR_SCAN_HOST_TILES
#define GPR_SCAN_HOST_TILES 2048
#endif
enum { HOST_TILES = GPR_SCAN_HOST_TILES, HOST_COLUMNS = 16 };   /* estimates: from so many tiles on, of so many columns at most */

typedef struct {
  gpr_scan_piece *p;
  const gpr_scan_kind *kind;
  gpr_cuda_state *s;
  gpr_scan_args a;
  size_t states;                /* bytes */
  int level_bytes;              /* of a column's accumulator on the host */
  bool values;                  /* of extremes alone */
  char *notes, *level, *own_level, *own_top;        /* of the device; notes: states, ticket and what is settled, doubt */
} job;
enum { TICKET = 16, NOTES = 32 };

static gpr_status
allocate (job *j)
{
  const gpr_scanning *s = &j->p->s;

  if (! j->p->level_there)
    GPR_TRY (gpr_cuda_take (j->s, (void **) &j->own_level, (size_t) (s->inner * j->level_bytes)));
  j->level = j->p->level_there ? j->p->level : j->own_level;
  if (j->p->in_order)
    return GPR_OK;
  GPR_TRY (gpr_cuda_take (j->s, (void **) &j->notes, j->states + NOTES));
  return j->p->level_there ? GPR_OK : gpr_cuda_take (j->s, (void **) &j->own_top, (size_t) (s->inner * j->kind->elem_bytes));
}

/* Of a state.  */
static int
words_of (const job *j)
{
  return (j->kind->acc_bytes + 3) / 4;
}

static gpr_status
begin (job *j, gpr_cuda_slot **slot)
{
  GPR_TRY (gpr_cuda_next_slot (j->s, slot));
  return gpr_cuda_begin_work (j->s, *slot);
}

/* ---- levels -------------------------------------------------------------------------------- */

static gpr_cuda_view
level_of (const job *j, int64_t column, int64_t columns)
{
  return gpr_cuda_bytes ((char *) j->p->level + column * j->level_bytes, (size_t) (columns * j->level_bytes));
}

/* Before what waits for others: an error here ends the call without them.  */
static gpr_status
ask (job *j, int64_t column, int64_t columns)
{
  if (gpr_cuda_interrupted ())
    return gpr_cuda_fail (GPR_INTERRUPTED, "interrupted");
  j->p->begun = true;
  GPR_TRY (j->p->before (j->p->of, column, columns));
  if (j->p->above == 0 || j->p->level_there)
    return GPR_OK;
  const gpr_cuda_view v = level_of (j, column, columns);
  return gpr_cuda_upload (j->s, j->level + column * j->level_bytes, &v);
}

static gpr_status
tell (job *j, int64_t column, int64_t columns)
{
  const gpr_cuda_view v = level_of (j, column, columns);
  if (j->p->level_there)
    GPR_TRY (gpr_cuda_drain (j->s));
  else
    GPR_TRY (gpr_cuda_download (j->s, &v, j->level + column * j->level_bytes));
  return j->p->after (j->p->of, column, columns);
}

/* ---- tiles --------------------------------------------------------------------------------- */

/* Tiles whose rows lie side by side, the first of which is the t-th of all.  */
static gpr_status
launch_rows (job *j, int64_t t, gpr_scan_rows rows)
{
  gpr_scan_args a = j->a;

  if (rows.rows == 0)
    return GPR_OK;
  a.x = rows.x;
  a.y = rows.y;
  a.length = rows.rows;
  a.tiles = gpr_scan_tiles (a.inner, rows.rows, j->kind->steps);
  a.works = a.tiles * gpr_scan_bands (a.inner);
  a.above += t * gpr_scan_tile_rows (a.inner, j->kind->steps);
  a.goes_on = a.above > 0;
  a.states += t * a.inner * words_of (j);
  GPR_CUDA_TRY (cudaMemsetAsync (j->notes + j->states, 0, NOTES, j->s->work), "clearing notes");
  return gpr_scan_launch (j->s, &j->p->s, j->values ? GPR_SCAN_VALUES_TILED : GPR_SCAN_TILED, a.works, GPR_SCAN_THREADS, 0, &a);
}

static gpr_status
launch_tiles (job *j, gpr_scan_stage stage)
{
  const gpr_scanning *s = &j->p->s;
  gpr_cuda_slot *slot;

  j->a.stage = stage;
  GPR_TRY (begin (j, &slot));
  if (stage == GPR_SCAN_TOTALS)
    GPR_CUDA_TRY (cudaMemsetAsync (j->notes, 0, j->states, j->s->work), "clearing states");
  GPR_TRY (launch_rows (j, 0, (gpr_scan_rows) { s->x, s->y, s->length }));
  GPR_TRY (launch_rows (j, j->a.tiles - 1, j->p->tile));
  return gpr_cuda_end_work (j->s, slot);
}

static gpr_status
launch_chain (job *j)
{
  const int columns = gpr_scan_columns (j->p->s.inner);
  gpr_cuda_slot *slot;

  GPR_TRY (begin (j, &slot));
  GPR_TRY (gpr_scan_launch (j->s, &j->p->s, j->values ? GPR_SCAN_VALUES_CHAIN : GPR_SCAN_CHAIN, gpr_scan_bands (j->p->s.inner), GPR_SCAN_CHAIN_THREADS,
                            GPR_SCAN_WINDOW + (size_t) columns * j->kind->acc_bytes, &j->a));
  return gpr_cuda_end_work (j->s, slot);
}

/* ---- tiles of few columns, on the host ------------------------------------------------------- */

/* States as the kernels have them (kernels/engine/scan.h): totals, then what goes before each tile.  level: what the columns have come to
   before, if any rows are (late), then with these.  */
typedef void chain (uint64_t *states, int columns, int64_t tiles, bool late, void *level);
#define DEFINE_CHAIN(id, op, T) \
  static void id##_chain (uint64_t *state, int columns, int64_t tiles, bool late, void *level) \
  { \
    enum { WORDS = sizeof (T) / 4 }; \
    union { T v; uint32_t word[WORDS]; } all[HOST_COLUMNS], own; \
    for (int c = 0; c < columns; c++) \
      all[c].v = ((T *) level)[c]; \
    for (int64_t t = 0; t < tiles; t++) \
      for (int c = 0; c < columns; c++, state += WORDS) \
        { \
          for (int w = 0; w < WORDS; w++) \
            { \
              own.word[w] = (uint32_t) state[w]; \
              state[w] = (uint64_t) GPR_SCAN_UP_TO << 32 | all[c].word[w]; \
            } \
          if (late || t > 0) \
            id##_merge (&all[c].v, own.v); \
          else \
            all[c].v = own.v; \
        } \
    for (int c = 0; c < columns; c++) \
      ((T *) level)[c] = all[c].v; \
  }
GPR_SCAN_SUMS (DEFINE_CHAIN)

static chain *
chain_of (const gpr_scanning *s)
{
#define CHAIN_OF(id, op_, T) if (s->op == GPR_SCAN_##op_ && s->elem == GPR_##T) return id##_chain;
  GPR_SCAN_SUMS (CHAIN_OF)
  return NULL;
}

static gpr_status
chain_on_host (job *j, uint64_t *states)
{
  const int64_t columns = j->p->s.inner;
  const size_t bytes = (size_t) (columns * j->level_bytes);
  char level[HOST_COLUMNS * sizeof (c128)] __attribute__ ((aligned (16))) = { 0 };
  const gpr_cuda_view v = gpr_cuda_bytes (level, bytes), all = gpr_cuda_bytes (states, j->states);

  if (j->a.goes_on && ! j->p->level_there)
    memcpy (level, j->p->level, bytes);
  else if (j->a.goes_on)
    GPR_TRY (gpr_cuda_download (j->s, &v, j->level));
  chain_of (&j->p->s) (states, (int) columns, j->a.tiles, j->a.goes_on, level);
  gpr_cuda_slot *slot;
  GPR_TRY (begin (j, &slot));           /* which whoever tells others waits for */
  GPR_TRY (gpr_cuda_upload (j->s, j->level, &v));
  GPR_TRY (gpr_cuda_end_work (j->s, slot));
  GPR_TRY (tell (j, 0, columns));
  return gpr_cuda_upload (j->s, j->notes, &all);
}

/* Memory for that, with the tiles' totals, if it is to be so and can be.  */
static gpr_status
totals_on_host (job *j, uint64_t **states)
{
  *states = j->p->s.inner <= HOST_COLUMNS && j->a.tiles >= HOST_TILES && chain_of (&j->p->s) ? malloc (j->states) : NULL;
  if (! *states)
    return GPR_OK;
  const gpr_cuda_view v = gpr_cuda_bytes (*states, j->states);
  return gpr_cuda_download (j->s, &v, j->notes);
}

/* The columns' first row, which extremes are as long as there was no number.  */
static gpr_status
bring_top (job *j)
{
  if (j->p->above == 0 || ! j->p->top)
    return GPR_OK;
  j->a.top = j->p->level_there ? j->p->top : j->own_top;
  if (j->p->level_there)
    return GPR_OK;
  const gpr_cuda_view v = gpr_cuda_bytes (j->p->top, (size_t) (j->p->s.inner * j->kind->elem_bytes));
  return gpr_cuda_upload (j->s, j->own_top, &v);
}

static gpr_status
chain_on_device (job *j)
{
  GPR_TRY (bring_top (j));
  GPR_TRY (launch_chain (j));
  return tell (j, 0, j->p->s.inner);
}

static gpr_status
in_tiles (job *j)
{
  const int64_t inner = j->p->s.inner;

  j->a.states = (unsigned long long *) j->notes;
  j->a.ticket = (unsigned *) (j->notes + j->states);
  j->a.settled = j->a.ticket + 1;
  j->a.doubt = (int *) (j->notes + j->states + TICKET);
  j->a.outers = 1;
  GPR_TRY (launch_tiles (j, GPR_SCAN_TOTALS));
  uint64_t *states;
  gpr_status status = totals_on_host (j, &states);
  if (status == GPR_OK)
    status = ask (j, 0, inner);
  if (status == GPR_OK)
    status = states ? chain_on_host (j, states) : chain_on_device (j);
  free (states);
  GPR_TRY (status);
  GPR_TRY (launch_tiles (j, GPR_SCAN_KNOWN));
  if (j->p->meanwhile)
    GPR_TRY (j->p->meanwhile (j->p->of));
  GPR_TRY (gpr_cuda_drain (j->s));
  j->p->lost = *(volatile int *) j->a.any != 0;
  return GPR_OK;
}

/* ---- the built-in's order -------------------------------------------------------------------- */

static gpr_status
in_order (job *j)
{
  const gpr_scanning *s = &j->p->s;
  const int64_t each = gpr_scan_passed (s->inner);

  for (int64_t c = 0; c < s->inner; c += each)
    {
      gpr_scan_args a = j->a;
      gpr_cuda_slot *slot;
      a.some = gpr_min64 (each, s->inner - c);
      a.x = (const char *) s->x + c * j->kind->elem_bytes;
      a.y = (char *) s->y + c * j->kind->elem_bytes;
      a.level = j->level + c * j->level_bytes;
      GPR_TRY (ask (j, c, a.some));
      GPR_TRY (begin (j, &slot));
      GPR_TRY (gpr_scan_launch (j->s, s, GPR_SCAN_WALK, gpr_over (a.some, GPR_SCAN_WALKERS), GPR_SCAN_WALKERS, 0, &a));
      GPR_TRY (gpr_cuda_end_work (j->s, slot));
      GPR_TRY (tell (j, c, a.some));
    }
  return gpr_cuda_drain (j->s);
}

gpr_status
gpr_cuda_scan_piece (gpr_cuda_state *s, gpr_scan_piece *p)
{
  const gpr_scanning *w = &p->s;
  const bool extreme = w->op == GPR_SCAN_cummax || w->op == GPR_SCAN_cummin;
  const gpr_scan_kind *kind = gpr_scan_kind_of (w, false), *value = w->index ? NULL : gpr_scan_kind_of (w, true);
  job j = { .p = p, .kind = value ? value : kind, .s = s, .values = value != NULL };

  p->begun = p->lost = false;
  if (! kind || (extreme && p->in_order))
    return gpr_cuda_fail (GPR_UNSUPPORTED, "no cumulative operator of that class");
  j.level_bytes = kind->acc_bytes;
  j.a = (gpr_scan_args) { .x = w->x, .y = w->y, .index = w->index, .inner = w->inner, .length = w->length, .outer = 1,
                          .turn = extreme ? gpr_turn (w->elem, w->op == GPR_SCAN_cummin) : 0,
                          .goes_on = p->above > 0, .above = p->above, .any = s->needs_fixup };
  *(volatile int *) j.a.any = 0;
  j.a.tiles = gpr_scan_tiles (w->inner, w->length, j.kind->steps) + (p->tile.rows > 0);
  j.states = gpr_scan_state_bytes (j.kind, w->inner, j.a.tiles);
  gpr_status status = allocate (&j);
  j.a.level = j.level;
  if (status == GPR_OK)
    status = p->in_order ? in_order (&j) : in_tiles (&j);
  gpr_cuda_finish (s);          /* before its memory goes */
  gpr_cuda_give (j.notes);
  gpr_cuda_give (j.own_level);
  gpr_cuda_give (j.own_top);
  return status;
}
