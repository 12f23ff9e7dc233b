/* One part of the tree (kernels/common/tree.h) on one thread.  */

#include <stdatomic.h>
#include <string.h>

#include "part.h"

/* Which columns make a tile changes no result.  */
static gpr_tree
tree_of (int64_t acc_bytes, const gpr_reduction *r)
{
  gpr_tree t = gpr_tree_make (acc_bytes, r->whole_inner ? r->whole_inner : r->inner, r->length, r->whole_outer ? r->whole_outer : r->outer);
  t.inner = r->inner;
  t.outer = r->outer;
  if (t.inner < t.columns)
    t.columns = t.inner > 0 ? (int32_t) t.inner : 1;
  t.tiles = (t.inner + t.columns - 1) / t.columns;
  return t;
}

gpr_cpu_job
gpr_cpu_job_of (const gpr_reduction *r)
{
  const gpr_instance_info *f = &gpr_instances[r->instance];
  const enum gpr_instance values = gpr_instance_of_values (r->instance);
  return (gpr_cpu_job) { .r = r, .info = f, .loops = gpr_cpu_loops_of (r->instance),
                         .values = values != GPR_INSTANCE_NONE ? gpr_cpu_loops_of (values) : NULL,
                         .index = values != GPR_INSTANCE_NONE ? &gpr_cpu_vectors ()->index[r->instance] : NULL,
                         .tree = tree_of (f->acc_bytes, r) };
}

/* ---- the index of a value ----------------------------------------------------

   Without indices the loops vectorise.  So of contiguous elements the value of
   each block is taken first; the first element that is equal is then looked for in the first block that
   has the best of these values.  */

enum { BLOCK = 1024, BLOCK_LANES = 128, BLOCKS = 64, VALUE_BYTES = 8, FEWEST_ROWS = 256, FEWEST_STEPS = 16 };

/* The first of n elements that equals *value; n: none.  */
typedef int64_t first_equal (const void *x, int64_t n, const void *value);
/* I: an integer as wide, of which loops over T vectorise.  */
#define DEFINE_FIRST_EQUAL(T, I) \
static int64_t \
first_equal_##T (const void *data, int64_t n, const void *value) \
{ \
  enum { AT_ONCE = 64 }; \
  const T *x = data, v = *(const T *) value; \
  int64_t i = 0; \
  for (; i + AT_ONCE <= n; i += AT_ONCE) \
    { \
      I any = 0; \
      for (int k = 0; k < AT_ONCE; k++) \
        any |= x[i + k] == v; \
      if (any != 0) \
        break; \
    } \
  while (i < n && x[i] != v) \
    i++; \
  return i; \
}
#define FIRST_EQUAL(T, I) [GPR_##T] = first_equal_##T,
#define REALS(F) F (f64, i64) F (f32, i32) F (i8, i8) F (u8, i8) F (i16, i16) F (u16, i16) F (i32, i32) F (u32, i32) F (i64, i64) F (u64, i64)
REALS (DEFINE_FIRST_EQUAL)
static first_equal *const first_equals[GPR_ELEM_COUNT] = { REALS (FIRST_EQUAL) };

/* The value of up to BLOCK elements.  */
static void
value_of_block (const gpr_cpu_job *g, const char *x, int64_t n, char *value)
{
  const int bytes = g->info->elem_bytes;
  const int64_t full = n / BLOCK_LANES;
  char lanes[BLOCK_LANES * VALUE_BYTES] __attribute__ ((aligned (64)));
  g->values->init (lanes, BLOCK_LANES);
  g->values->lanes (lanes, x, BLOCK_LANES, full, BLOCK_LANES, 0, BLOCK_LANES, 1);
  g->values->lanes (lanes, x + full * BLOCK_LANES * bytes, 0, 1, n % BLOCK_LANES, 0, 1, 1);
  g->values->halve (lanes, BLOCK_LANES, 1);
  memcpy (value, lanes, bytes);
}

/* False where the value of some blocks is the identity: then nobody knows whether they have
   an element of that value (all may be NaN), and every element must be taken with its index.  */
static bool
index_by_blocks (const gpr_cpu_job *g, const char *x, int64_t first, int64_t rows, void *acc)
{
  const int bytes = g->info->elem_bytes;
  char best[BLOCKS * VALUE_BYTES] __attribute__ ((aligned (64))), identity[VALUE_BYTES] __attribute__ ((aligned (8)));
  char one[GPR_ACC_BYTES] __attribute__ ((aligned (16))), value[VALUE_BYTES] __attribute__ ((aligned (8)));
  g->values->init (identity, 1);
  g->loops->init (acc, 1);
  for (int64_t from = 0; from < rows; from += BLOCKS * BLOCK)
    {
      int64_t here = rows - from < BLOCKS * BLOCK ? rows - from : BLOCKS * BLOCK, blocks = (here + BLOCK - 1) / BLOCK, at;
      for (int64_t b = 0; b < blocks; b++)
        value_of_block (g, x + (from + b * BLOCK) * bytes, here - b * BLOCK < BLOCK ? here - b * BLOCK : BLOCK, best + b * bytes);
      g->loops->init (one, 1);
      g->loops->lanes (one, best, 1, blocks, 1, 0, 1, 1);
      g->loops->finish (one, 1, 0, value, &at);
      if (memcmp (best + at * bytes, identity, bytes) == 0)
        return false;
      const int64_t block = from + at * BLOCK, row = block + first_equals[g->info->elem] (x + block * bytes, rows - block, value);
      g->loops->init (one, 1);
      g->loops->lanes (one, x + row * bytes, 1, 1, 1, first + row, 1, 1);
      g->loops->merge (acc, one, 1);
    }
  return true;
}

/* ---- products of two arrays, and expressions --------------------------------------- */

/* As many of their elements, terms, as stay in L1 while they are reduced.  */
enum { TERM_BYTES = 32 << 10 };
typedef char term_buffer[TERM_BYTES] __attribute__ ((aligned (64)));

static bool
has_terms (const gpr_cpu_job *g)
{
  return g->r->y || g->terms;
}

/* z <- x's n elements times those of the second array, or n elements of the expression.  */
static void
make_terms (const gpr_cpu_job *g, const char *x, char *z, int64_t n)
{
  if (g->terms)
    {
      if (gpr_cpu_terms_take (g->terms, (x - (const char *) g->r->x) / g->info->elem_bytes, n, z))
        atomic_store_explicit (g->left, true, memory_order_relaxed);
      return;
    }
  const char *y = (const char *) g->r->y + (x - (const char *) g->r->x);
  gpr_cpu_vectors_for_products (g->info->elem)->products (g->info->elem, x, y, z, n);
}

/* The loops' lanes, of x or of terms.  */
static void
take_rows (const gpr_cpu_job *g, void *acc, const char *x, int64_t step, int64_t rows, int64_t width,
           int64_t first, int64_t lanes, int64_t columns)
{
  if (! has_terms (g))
    {
      g->loops->lanes (acc, x, step, rows, width, first, lanes, columns);
      return;
    }
  term_buffer terms;
  const int bytes = g->info->elem_bytes;
  const int64_t at_once = TERM_BYTES / (width * bytes);
  for (int64_t r = 0; r < rows; r += at_once)
    {
      int64_t some = rows - r < at_once ? rows - r : at_once;
      for (int64_t i = 0, runs = step == width ? 1 : some; i < runs; i++)
        make_terms (g, x + (r + i) * step * bytes, terms + i * width * bytes, step == width ? some * width : width);
      g->loops->lanes (acc, terms, width, some, width, first + r * lanes, lanes, columns);
    }
}

/* ---- a part ------------------------------------------------------------------------ */

void
gpr_cpu_reduce_piece (const gpr_cpu_job *g, int64_t tile, const void *data, int64_t first, int64_t rows, bool begins, bool ends, void *acc)
{
  const gpr_tree *t = &g->tree;
  const int64_t columns = gpr_cpu_columns (g, tile), k = g->info->traits & GPR_ORDERED ? 1 : t->lanes;  /* grouped in any way if in order: one lane has all */
  const int64_t full = rows / k, rest = rows % k;
  const char *x = data;

  if (begins)
    g->loops->init (acc, k * columns);
  take_rows (g, acc, x, k * t->inner, full, k * columns, first, k, columns);
  if (rest > 0)
    take_rows (g, acc, x + full * k * t->inner * g->info->elem_bytes, 0, 1, rest * columns, first + full * k, k, columns);
  if (ends && k > 1)
    g->loops->halve (acc, k, columns);
}

void
gpr_cpu_reduce_part (const gpr_cpu_job *g, int64_t outer, int64_t tile, int64_t p, void *acc)
{
  const gpr_tree *t = &g->tree;
  const int64_t first = p * t->rows, rows = t->length - first < t->rows ? t->length - first : t->rows;
  const int64_t columns = gpr_cpu_columns (g, tile);
  int64_t k = t->lanes;
  const char *x = (const char *) g->r->x + ((outer * t->length + first) * t->inner + tile * t->columns) * g->info->elem_bytes;

  if (g->values && t->inner == 1 && rows >= FEWEST_ROWS && index_by_blocks (g, x, first, rows, acc))
    return;
  while (g->index && k > 1 && rows / k < FEWEST_STEPS)   /* merging takes longer than the rows */
    k /= 2;
  if (! g->index || g->info->traits & GPR_ORDERED)
    {
      gpr_cpu_reduce_piece (g, tile, x, first, rows, true, true, acc);
      return;
    }
  int64_t full = rows / k, rest = rows % k;
  g->loops->init (acc, k * columns);
  if (full > 0)
    g->index->lanes (acc, x, k * t->inner, full, k * columns, first, k, columns);
  if (rest > 0)
    take_rows (g, acc, x + full * k * t->inner * g->info->elem_bytes, 0, 1, rest * columns,
               first + full * k, k, columns);
  g->loops->halve (acc, k, columns);
}

int
gpr_cpu_finish (const gpr_cpu_job *g, int64_t outer, int64_t tile, const void *acc)
{
  const int64_t at = outer * g->tree.inner + tile * g->tree.columns;
  return g->loops->finish (acc, gpr_cpu_columns (g, tile), g->r->divisor, (char *) g->r->value + at * g->info->value_bytes,
                           g->r->index ? g->r->index + at : NULL);
}

/* ---- short rows ---------------------------------------------------------------------- */

bool
gpr_cpu_has_short_rows (const gpr_cpu_job *g)
{
  const gpr_tree *t = &g->tree;
  return t->inner == 1 && t->parts == 1 && t->lanes <= 8 && ! (g->info->traits & GPR_ORDERED);
}

int
gpr_cpu_short_rows (const gpr_cpu_job *g, int64_t o, int64_t count)
{
  const gpr_reduction *r = g->r;
  const int bytes = g->info->elem_bytes;
  const int64_t n = g->tree.length, at_once = has_terms (g) ? TERM_BYTES / (n * bytes) : count;
  const char *x = (const char *) r->x + o * n * bytes;
  char *value = (char *) r->value + o * g->info->value_bytes;
  int needs_fixup = 0;

  if (g->index)
    {
      g->index->short_rows (x, n, count, value, r->index ? r->index + o : NULL);
      return 0;
    }
  if (! has_terms (g))
    return g->loops->short_rows (x, n, count, g->tree.lanes, r->divisor, value, r->index ? r->index + o : NULL);
  term_buffer terms;
  for (int64_t i = 0; i < count; i += at_once)
    {
      int64_t some = count - i < at_once ? count - i : at_once;
      make_terms (g, x + i * n * bytes, terms, some * n);
      needs_fixup |= g->loops->short_rows (terms, n, some, g->tree.lanes, r->divisor,
                                           value + i * g->info->value_bytes, NULL);
    }
  return needs_fixup;
}
