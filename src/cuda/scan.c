/* Cumulative sums, products and extremes: short columns a thread each, long ones in tiles.
   As many outers at once as fit in memory.  */

#include <stdlib.h>
#include <string.h>

#include "compile.h"
#include "scan_job.h"
#include "stream.h"
#include "../../kernels/common/turn.h"
#include "../../kernels/engine/engine.h"
#include "../core/map.h"

enum { IN_ORDER_BLOCKS = 2,      /* of a multiprocessor, before a block takes more columns */
       IN_ORDER_ROWS = 1 << 15, IN_ORDER_PART = 1 << 11,        /* at most: rows, or a part of all elements, which take no longer */
       WHOLE_ROWS = 1 << 10 };  /* so few are done in order to the end, without tiles */
enum { MANY_ROWS = 32,          /* fewer take longer with what WALK_MANY asks */
       WIDE = 128 };            /* columns beside each other, of which a few may be done twice */
#ifndef GPR_SCAN_MANY           /* tests have less */
#  define GPR_SCAN_MANY 480     /* columns for a multiprocessor that keep it busy with a thread each */
#endif
enum { STAGED_THREADS = 256, STAGED_BYTES = 46 << 10, SHARED = 48 << 10 };     /* what a block has without asking */

#define ROW(id, op, T) { GPR_SCAN_##op, GPR_##T, sizeof (id##_a), sizeof (id##_x), id##_STEPS },
static const gpr_scan_kind kinds[] = { GPR_SCANS (ROW) }, values[] = { GPR_SCAN_EXTREME_VALUES (ROW) };

typedef struct {
  const gpr_scanning *p;
  const gpr_scan_kind *kind;
  gpr_cuda_state *s;
  gpr_scan_way way;
  int64_t tiles, outers;        /* tiles of a column; outers that are done at once */
  void *x, *y, *index, *notes;  /* on the device; notes: states, ticket, settled, heads, doubt, ends */
  bool lost;                    /* by walks_many: a long sum has overflowed */
  gpr_cuda_function *compiled;  /* of an expression, with: */
  gpr_terms_args terms;
} job;

static bool
is_tiled (const job *j)
{
  return j->way == GPR_SCAN_TILED || j->way == GPR_SCAN_VALUES_TILED;
}

static size_t
bytes_of_states (const job *j)
{
  return j->tiles > 1 ? gpr_scan_state_bytes (j->kind, j->outers * j->p->inner, j->tiles) : 0;
}

/* A ticket, what is settled, and an int for each outer.  */
static size_t
bytes_of_heads (const job *j)
{
  return (sizeof (int) * (3 + j->outers) + 15) / 16 * 16;
}

static bool
walks_many (const job *j)
{
  return j->way == GPR_SCAN_WALK_MANY || j->way == GPR_SCAN_VALUES_WALK_MANY || j->way == GPR_SCAN_WALK_TWICE || j->way == GPR_SCAN_VALUES_WALK_TWICE;
}

static bool
is_long_product (const job *j)
{
  return j->p->op == GPR_SCAN_cumprod && j->p->length > GPR_SCAN_SHORT;
}

static bool
is_extreme (const job *j)
{
  return j->p->op == GPR_SCAN_cummax || j->p->op == GPR_SCAN_cummin;
}

/* A sum or product that ends (kernels/ops/scan.h).  */
static bool
is_real (const job *j)
{
  return j->p->elem == GPR_f64 || j->p->elem == GPR_f32;
}

static gpr_status
allocate (job *j)
{
  const gpr_scanning *p = j->p;
  const size_t elements = (size_t) p->inner * p->length * j->outers;

  if (! p->x_resident)
    GPR_TRY (gpr_cuda_take (j->s, &j->x, elements * j->kind->elem_bytes));
  if (! p->out_resident)
    GPR_TRY (gpr_cuda_take (j->s, &j->y, elements * j->kind->elem_bytes));
  if (p->index && ! p->out_resident)
    GPR_TRY (gpr_cuda_take (j->s, &j->index, elements * sizeof (double)));
  if (is_tiled (j))
    GPR_TRY (gpr_cuda_take (j->s, &j->notes, bytes_of_states (j) + 2 * bytes_of_heads (j)
                                             + (is_extreme (j) || ! is_real (j) ? 0 : sizeof (gpr_scan_end) * j->outers * p->inner)));
  if (walks_many (j) && is_long_product (j))    /* doubt and modes */
    GPR_TRY (gpr_cuda_take (j->s, &j->notes, j->outers * (sizeof (int) + gpr_over (p->inner, 32))));
  return GPR_OK;
}

static void
release (job *j)
{
  gpr_cuda_give (j->x);
  gpr_cuda_give (j->y);
  gpr_cuda_give (j->index);
  gpr_cuda_give (j->notes);
  j->x = j->y = j->index = j->notes = NULL;
}

/* ---- launches -------------------------------------------------------------------- */

/* Shared memory of a tile is as the package's kernel has it, which notes more.  */
static gpr_status
launch_compiled (job *j, gpr_scan_way way, int64_t blocks, int threads, int shared, const gpr_scan_args *a)
{
  const struct { gpr_scan_args args; gpr_terms_args terms; } all = { *a, j->terms };
  return gpr_cuda_launch_compiled (j->s, j->compiled, way == GPR_SCAN_WALK ? gpr_cuda_element_blocks (j->s, blocks) : gpr_evenly (blocks, gpr_cuda_most_blocks (j->s)),
                                   threads, shared, &all);
}

static const void *
kernel_of (const gpr_scanning *p, gpr_scan_way way, size_t *shared)
{
  size_t tile_bytes;
  const void *kernel = gpr_engine_scan (p->op, p->elem, way, &tile_bytes);
  if (way == GPR_SCAN_TILED || way == GPR_SCAN_VALUES_TILED)
    *shared = tile_bytes;
  return kernel;
}

gpr_status
gpr_scan_launch (gpr_cuda_state *s, const gpr_scanning *p, gpr_scan_way way, int64_t blocks, int threads, size_t shared, const gpr_scan_args *a)
{
  const void *kernel = kernel_of (p, way, &shared);
  if (shared > SHARED)
    GPR_CUDA_TRY (cudaFuncSetAttribute (kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int) shared), "asking for shared memory");
  return (way == GPR_SCAN_WALK ? gpr_cuda_launch_elements : gpr_cuda_launch) (s, kernel, blocks, threads, shared, a);
}

static gpr_status
launch (job *j, gpr_scan_way way, int64_t blocks, int threads, size_t shared, const gpr_scan_args *a)
{
  if (! j->compiled)
    return gpr_scan_launch (j->s, j->p, way, blocks, threads, shared, a);
  kernel_of (j->p, way, &shared);
  return launch_compiled (j, way, blocks, threads, (int) shared, a);
}

static gpr_status
walk (job *j, const gpr_scan_args *a)
{
  return launch (j, GPR_SCAN_WALK, gpr_over (a->inner * a->outer, GPR_SCAN_WALKERS), GPR_SCAN_WALKERS, 0, a);
}

static gpr_status
walk_many (job *j, gpr_scan_args *a)
{
  const bool cut = j->way == GPR_SCAN_WALK_TWICE || j->way == GPR_SCAN_VALUES_WALK_TWICE;
  const int twice = cut ? GPR_SCAN_TWICE (j->kind->elem_bytes, a->index) : 0;
  int64_t walkers = gpr_scan_walkers (a->inner, twice);

  if (is_long_product (j))
    {
      walkers = gpr_over (a->inner, 32) * 32;   /* a warp is of one outer */
      a->doubt = j->notes;
      a->modes = (unsigned char *) (a->doubt + a->outer);
      GPR_CUDA_TRY (cudaMemsetAsync (a->doubt, 0, sizeof (int) * a->outer, j->s->work), "clearing doubts");
    }
  for (a->round = 0; a->round <= (a->modes ? 1 : 0); a->round++)
    GPR_TRY (launch (j, j->way, gpr_over (walkers * a->outer, GPR_SCAN_WALKERS), GPR_SCAN_WALKERS, 0, a));
  return GPR_OK;
}

/* Bytes of shared memory of an outer of STAGED.  */
static size_t
bytes_of_outer (const job *j)
{
  return (size_t) ((j->p->inner * j->p->length) | 1) * (j->kind->elem_bytes + (j->p->index ? sizeof (short) : 0));
}

static gpr_status
staged (job *j, gpr_scan_args *a)
{
  a->outers = gpr_min64 (gpr_over (STAGED_THREADS, a->inner), STAGED_BYTES / bytes_of_outer (j));
  return launch (j, GPR_SCAN_STAGED, gpr_over (a->outer, a->outers), STAGED_THREADS, a->outers * bytes_of_outer (j) + 256, a);
}

/* Of a tile of whole columns.  */
static int64_t
outers_of_tile (const job *j)
{
  const int columns = gpr_scan_columns (j->p->inner);
  const int64_t segments = gpr_over (j->p->length, j->kind->steps);
  return j->tiles == 1 && columns == j->p->inner ? gpr_max64 (1, GPR_SCAN_THREADS / (columns * segments)) : 1;
}

/* The states and notes of a launch of TILED; doubts stay where it is done again.  */
static gpr_status
clear (job *j, gpr_scan_args *a)
{
  const size_t states = bytes_of_states (j), heads = bytes_of_heads (j);

  a->tiles = j->tiles;
  a->outers = outers_of_tile (j);
  a->works = a->tiles * gpr_over (a->outer, a->outers) * gpr_scan_bands (a->inner);
  a->states = j->notes;
  a->ticket = (unsigned *) ((char *) j->notes + states);
  a->settled = a->ticket + 1;
  a->heads = a->ticket + 3;
  a->doubt = (int *) ((char *) a->ticket + heads);
  a->ends = (gpr_scan_end *) ((char *) a->doubt + heads);
  GPR_CUDA_TRY (cudaMemsetAsync (j->notes, 0, states + (a->round ? 1 : 2) * heads, j->s->work), "clearing states");
  return GPR_OK;
}

/* Columns in the built-in's order, by blocks: of few columns one each, since more threads bring a column's rows sooner.  */
static gpr_status
in_order (job *j, gpr_scan_args *a)
{
  const int64_t columns = a->inner * a->outer;

  a->lanes = a->inner > 1 ? 32 : 1;
  while (a->lanes < 32 && a->lanes * IN_ORDER_BLOCKS * j->s->multiprocessors < columns)
    a->lanes *= 2;
  return launch (j, GPR_SCAN_IN_ORDER, gpr_over (columns, a->lanes), GPR_SCAN_IN_ORDER_THREADS, GPR_SCAN_IN_ORDER_SHARED (j->kind->elem_bytes), a);
}

/* A product of random numbers soon leaves the range: first what comes before that, if it seems to, then the rest by tiles.  One column that leaves
   it sends all of an outer there, so of several the least suspicion is enough; a tile that has whole columns does most of them for
   itself.  */
static gpr_status
tiled (job *j, gpr_scan_args *a)
{
  const bool product = a->length > GPR_SCAN_SHORT && j->p->op == GPR_SCAN_cumprod && is_real (j) && ! j->compiled;

  GPR_TRY (clear (j, a));
  if (product)
    {
      a->limit = gpr_max64 (IN_ORDER_ROWS, a->inner * a->length * a->outer / IN_ORDER_PART);
      a->patience = a->inner > 1 ? 6 : a->tiles == 1 ? 2 : 4;
      a->rests = true;
      GPR_TRY (in_order (j, a));
    }
  else
    a->heads = NULL;
  return launch (j, j->way, a->works, GPR_SCAN_THREADS, 0, a);
}

/* The outers in doubt, where there are any: seldom.  Once more those in which a product did not rest as it seemed to.  */
static gpr_status
again (job *j, gpr_scan_args *a)
{
  gpr_cuda_slot *slot;

  for (a->round = 1; a->round <= 2; a->round++)
    {
      GPR_TRY (gpr_cuda_drain (j->s));
      if (*(volatile int *) a->any < a->round)
        break;
      GPR_TRY (gpr_cuda_next_slot (j->s, &slot));
      GPR_TRY (gpr_cuda_begin_work (j->s, slot));
      GPR_TRY (clear (j, a));
      a->whole = ! is_real (j) || a->length <= WHOLE_ROWS;
      a->rests = a->round == 1;
      if (a->whole)
        a->heads = NULL;
      GPR_TRY (in_order (j, a));
      if (! a->whole)
        GPR_TRY (launch (j, j->way, a->works, GPR_SCAN_THREADS, 0, a));
      GPR_TRY (gpr_cuda_end_work (j->s, slot));
    }
  return GPR_OK;
}

/* Outers first … of the problem.  */
static gpr_status
run (job *j, int64_t first, int64_t outers)
{
  const gpr_scanning *p = j->p;
  const int64_t slab = p->inner * p->length, at = first * slab;
  const size_t elements = (size_t) slab * outers, bytes = elements * j->kind->elem_bytes;
  const char *x = (const char *) p->x + at * j->kind->elem_bytes;
  char *y = (char *) p->y + at * j->kind->elem_bytes;
  gpr_scan_args a = { .x = p->x_resident ? x : j->x, .y = p->out_resident ? y : j->y, .inner = p->inner, .length = p->length, .outer = outers,
                      .turn = is_extreme (j) ? gpr_turn (p->elem, p->op == GPR_SCAN_cummin) : 0 };
  gpr_cuda_slot *slot;

  a.any = j->s->needs_fixup;
  *(volatile int *) a.any = 0;
  if (p->index)
    a.index = p->out_resident ? p->index + at : j->index;
  if (! p->x_resident)
    {
      gpr_cuda_view v = gpr_cuda_bytes (x, bytes);
      GPR_TRY (gpr_cuda_upload (j->s, j->x, &v));
    }
  GPR_TRY (gpr_cuda_next_slot (j->s, &slot));
  GPR_TRY (gpr_cuda_begin_work (j->s, slot));
  GPR_TRY (j->way == GPR_SCAN_WALK ? walk (j, &a) : walks_many (j) ? walk_many (j, &a) : j->way == GPR_SCAN_STAGED ? staged (j, &a) : tiled (j, &a));
  GPR_TRY (gpr_cuda_end_work (j->s, slot));
  if (is_tiled (j) && ! is_extreme (j) && ! j->compiled)
    GPR_TRY (again (j, &a));
  if (walks_many (j))
    {
      GPR_TRY (gpr_cuda_drain (j->s));
      j->lost |= *(volatile int *) a.any != 0;
    }
  if (! p->out_resident)
    {
      gpr_cuda_view v = gpr_cuda_bytes (y, bytes);
      GPR_TRY (gpr_cuda_download (j->s, &v, j->y));
      if (p->index)
        {
          v = gpr_cuda_bytes (p->index + at, elements * sizeof (double));
          GPR_TRY (gpr_cuda_download (j->s, &v, j->index));
        }
    }
  return gpr_cuda_drain (j->s);
}

static gpr_status
scan (job *j)
{
  gpr_status status;

  for (;;)
    {
      status = allocate (j);
      if (status != GPR_OUT_OF_MEMORY || j->outers == 1)
        break;
      release (j);
      j->outers = gpr_over (j->outers, 2);
    }
  for (int64_t o = 0; o < j->p->outer && status == GPR_OK && ! j->lost; o += j->outers)
    {
      status = run (j, o, gpr_min64 (j->outers, j->p->outer - o));
      if (status == GPR_OK && gpr_cuda_interrupted ())
        status = gpr_cuda_fail (GPR_INTERRUPTED, "interrupted");
    }
  gpr_cuda_finish (j->s);       /* before its memory goes */
  release (j);
  return status;
}

const gpr_scan_kind *
gpr_scan_kind_of (const gpr_scanning *p, bool of_values)
{
  const gpr_scan_kind *all = of_values ? values : kinds;
  const size_t count = of_values ? sizeof values / sizeof *values : sizeof kinds / sizeof *kinds;
  for (size_t k = 0; k < count; k++)
    if (all[k].op == p->op && all[k].elem == p->elem)
      return &all[k];
  return NULL;
}

/* ---- expressions --------------------------------------------------------------------------- */

static gpr_scan_kernel
compiled_kernel_of (const job *j)
{
  const int64_t inner = j->p->inner;
  if (! is_tiled (j))
    return j->way == GPR_SCAN_WALK ? GPR_SCAN_WALKS : GPR_SCAN_STAGES;
  return gpr_scan_columns (inner) < inner ? GPR_SCAN_OF_BANDS : inner == 1 && outers_of_tile (j) == 1 ? GPR_SCAN_OF_COLUMN : GPR_SCAN_OF_ROWS;
}

/* Whether the kernel for an expression's elements is ready: of all outers at once, and values alone.  */
static bool
find_compiled (job *j)
{
  const gpr_scanning *p = j->p;
  gpr_map_args a;
  gpr_source_key key;
  size_t tile_bytes;

  gpr_cuda_plan_map (&a, p->terms);
  if (p->index || ! p->out_resident || ! gpr_source_of_map (&key, &a, p->terms->leaves, j->s->capability))
    return false;
  gpr_source_scans (&key, p->op, compiled_kernel_of (j));
  j->compiled = gpr_cuda_compiled_for (j->s, &key, a.count);
  if (! j->compiled)
    return false;
  (void) gpr_engine_scan (p->op, p->elem, j->way, &tile_bytes);
  gpr_source_terms (&j->terms, &a, p->terms->leaves);
  return ! is_tiled (j) || gpr_cuda_compiled_shares (j->compiled, (int) tile_bytes);
}

/* Where there is a doubt, or no memory, the elements shall be computed.  */
static gpr_status
scan_terms (job *j, bool *done)
{
  gpr_status status = GPR_OK;

  *done = find_compiled (j) && (status = allocate (j)) == GPR_OK && (status = run (j, 0, j->outers)) == GPR_OK
          && *(volatile int *) j->s->needs_fixup == 0;
  gpr_cuda_finish (j->s);
  release (j);
  return status == GPR_OUT_OF_MEMORY ? GPR_OK : status;
}

/* Whether a thread each is quickest, and there is a kernel for it.  A warp of long products is of one outer, which must have more columns than it.  */
static bool
many_columns (const job *j)
{
  const gpr_scanning *p = j->p;
  const bool complex = p->elem == GPR_c128 || p->elem == GPR_c64;
  if (p->terms || (complex && (is_extreme (j) || is_long_product (j))) || (is_long_product (j) && p->inner < WIDE))
    return false;
  return p->inner > GPR_SCAN_COLUMNS && p->length >= MANY_ROWS && p->inner * p->outer >= (int64_t) GPR_SCAN_MANY * j->s->multiprocessors;
}

gpr_status
gpr_cuda_scan (gpr_cuda_state *s, gpr_scanning *p)
{
  job j = { .p = p, .s = s, .tiles = 1, .outers = p->outer };

  j.kind = gpr_scan_kind_of (p, false);
  if (! j.kind)
    return gpr_cuda_fail (GPR_UNSUPPORTED, "no cumulative operator of that class");
  const gpr_scan_kind *value = p->index ? NULL : gpr_scan_kind_of (p, true);
  if (many_columns (&j))
    {
      const int twice = GPR_SCAN_TWICE (j.kind->elem_bytes, p->index);
      if (twice && p->inner >= WIDE && p->inner % twice != 0 && ! is_long_product (&j)) /* rows begin anywhere */
        j.way = value ? GPR_SCAN_VALUES_WALK_TWICE : GPR_SCAN_WALK_TWICE;
      else
        j.way = value ? GPR_SCAN_VALUES_WALK_MANY : GPR_SCAN_WALK_MANY;
    }
  else if (p->length > GPR_SCAN_SHORT)
    {
      j.way = value ? GPR_SCAN_VALUES_TILED : GPR_SCAN_TILED;
      j.kind = value ? value : j.kind;
      j.tiles = gpr_scan_tiles (p->inner, p->length, j.kind->steps);
    }
  else                          /* many columns are read side by side as it is */
    j.way = p->inner < GPR_SCAN_COLUMNS && bytes_of_outer (&j) <= STAGED_BYTES ? GPR_SCAN_STAGED : GPR_SCAN_WALK;
  if (p->terms)
    return scan_terms (&j, &p->fused);
  GPR_TRY (scan (&j));
  if (! j.lost)
    return GPR_OK;
  j.lost = false;
  j.way = GPR_SCAN_TILED;
  j.tiles = gpr_scan_tiles (p->inner, p->length, j.kind->steps);
  return scan (&j);
}
