/* The CPU backend: the parts of kernels/common/tree.h, spread over OpenMP threads.  */

#include <complex.h>
#undef complex
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cpu.h"
#include "../core/operators.h"
#include "../dispatch/split.h"
#include "../core/system.h"

#ifdef _OPENMP
#include <omp.h>
#endif

/* ---- instruction sets and threads ---------------------------------------- */

gpr_isa
gpr_cpu_best_isa (void)
{
  static int best = -1;
  if (best < 0)
    {
      const char *most = getenv ("GPUREDUCE_ISA");
      bool none = most && strcmp (most, "baseline") == 0;
      best = GPR_ISA_BASELINE;
      (void) none;
#ifdef GPR_HAVE_AVX2
      if (__builtin_cpu_supports ("avx2") && ! none)
        best = GPR_ISA_AVX2;
#endif
#ifdef GPR_HAVE_AVX512
      if (__builtin_cpu_supports ("avx512f") && __builtin_cpu_supports ("avx512dq")
          && __builtin_cpu_supports ("avx512bw") && __builtin_cpu_supports ("avx512vl") && ! most)
        best = GPR_ISA_AVX512;
#endif
    }
  return best;
}

const char *
gpr_cpu_isa (void)
{
  static const char *const names[] = { "baseline", "avx2", "avx512" };
  return names[gpr_cpu_best_isa ()];
}

static const gpr_cpu_vector *
vectors_of (gpr_isa isa)
{
  switch (isa)
    {
#ifdef GPR_HAVE_AVX512
    case GPR_ISA_AVX512: return &gpr_cpu_vector_avx512;
#endif
#ifdef GPR_HAVE_AVX2
    case GPR_ISA_AVX2: return &gpr_cpu_vector_avx2;
#endif
    default: return &gpr_cpu_vector_baseline;
    }
}

const gpr_cpu_vector *
gpr_cpu_vectors (void)
{
  return vectors_of (gpr_cpu_best_isa ());
}

static bool
is_complex (enum gpr_instance instance)
{
  return gpr_instances[instance].elem == GPR_c128 || gpr_instances[instance].elem == GPR_c64;
}

static bool
is_complex_product (enum gpr_instance instance)
{
  return is_complex (instance) && (gpr_instances[instance].traits & GPR_FIXUP_MASK) == GPR_FIXUP_PRODUCT;
}

/* gcc 12 fuses complex products into vfmaddsub for AVX-512 in spite of
   -ffp-contract=off, which gives other bits.  */
static gpr_isa
best_isa (bool complex_products)
{
  gpr_isa isa = gpr_cpu_best_isa ();
  return isa == GPR_ISA_AVX512 && complex_products ? GPR_ISA_AVX2 : isa;
}

static const gpr_cpu_loops *
loops_of (enum gpr_instance instance)
{
  switch (best_isa (is_complex_product (instance)))
    {
#ifdef GPR_HAVE_AVX512
    case GPR_ISA_AVX512: return &gpr_cpu_loops_avx512[instance];
#endif
#ifdef GPR_HAVE_AVX2
    case GPR_ISA_AVX2: return &gpr_cpu_loops_avx2[instance];
#endif
    default: return &gpr_cpu_loops_baseline[instance];
    }
}

bool
gpr_cpu_openmp (void)
{
#ifdef _OPENMP
  return true;
#else
  return false;
#endif
}

static long pool_pid;   /* the process whose OpenMP pool was started; 0: none */

void
gpr_cpu_note_pool (void)
{
  if (pool_pid == 0)
    pool_pid = gpr_system_pid ();
}

int
gpr_cpu_threads (void)
{
#ifdef _OPENMP
  int allowed = gpr_system_allowed_cpus ();
  int wanted = gpr_config.threads > 0 ? gpr_config.threads : omp_get_max_threads ();
  if (pool_pid != 0 && pool_pid != gpr_system_pid ())
    return 1;
  /* More than two threads a processor gain nothing, and libgomp ends the
     process when it cannot start one.  */
  int most = gpr_config.threads > 0 ? 2 * allowed : allowed;
  return wanted < most ? wanted : most;
#else
  return 1;
#endif
}

double
gpr_now_ms (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

/* ---- a part ---------------------------------------------------------------- */

typedef struct {
  const gpr_cpu_loops *loops;
  const gpr_instance_info *info;
  gpr_tree tree;
  gpr_reduction *r;
} job;

static bool
is_ordered (const gpr_instance_info *f)
{
  return f->traits & GPR_ORDERED;
}

/* The reduction of values alone that goes with one of real values and places, or NONE.  */
static enum gpr_instance
value_instance (enum gpr_instance instance)
{
  const gpr_instance_info *f = &gpr_instances[instance];
  return f->traits & GPR_HAS_INDEX ? gpr_extreme_instance (f->traits & GPR_MAXIMUM, false, f->elem) : GPR_INSTANCE_NONE;
}

/* The best value and its place among contiguous elements: the best of each
   block first, by the fast reduction, then the place in the first block that has
   it.  False where a block's best is the reduction's identity: perhaps all NaN.  */
enum { BLOCK = 1024, BLOCK_LANES = 128, BLOCKS = 64 };

static bool
place_by_blocks (const job *g, const char *x, int64_t first, int64_t rows, void *acc)
{
  const gpr_cpu_loops *values = loops_of (value_instance (g->r->instance)), *places = g->loops;
  const int bytes = g->info->elem_bytes;
  char lanes[BLOCK_LANES * 8] __attribute__ ((aligned (64))), best[BLOCKS * 8] __attribute__ ((aligned (64)));
  char pair[16] __attribute__ ((aligned (16))), identity[8] __attribute__ ((aligned (8)));
  values->init (identity, 1);
  places->init (acc, 1);
  for (int64_t from = 0; from < rows; from += BLOCKS * BLOCK)
    {
      int64_t here = rows - from < BLOCKS * BLOCK ? rows - from : BLOCKS * BLOCK, blocks = (here + BLOCK - 1) / BLOCK, at;
      for (int64_t b = 0; b < blocks; b++)
        {
          int64_t n = here - b * BLOCK < BLOCK ? here - b * BLOCK : BLOCK;
          const char *y = x + (from + b * BLOCK) * bytes;
          values->init (lanes, BLOCK_LANES);
          values->lanes (lanes, y, BLOCK_LANES, n / BLOCK_LANES, BLOCK_LANES, 0, BLOCK_LANES, 1);
          values->lanes (lanes, y + n / BLOCK_LANES * BLOCK_LANES * bytes, 0, 1, n % BLOCK_LANES, 0, 1, 1);
          values->halve (lanes, BLOCK_LANES, 1);
          memcpy (best + b * bytes, lanes, bytes);
        }
      places->init (pair, 1);
      places->lanes (pair, best, 1, blocks, 1, 0, 1, 1);
      memcpy (&at, pair, sizeof at);
      if (memcmp (best + at * bytes, identity, bytes) == 0)
        return false;
      from += at * BLOCK;
      places->init (pair, 1);
      places->lanes (pair, x + from * bytes, 1, rows - from < BLOCK ? rows - from : BLOCK, 1, first + from, 1, 1);
      places->merge (acc, pair, 1);
      from -= at * BLOCK;
    }
  return true;
}

/* Products of two arrays, as many as stay in L1 while they are added.  */
enum { PRODUCT_BYTES = 32 << 10 };
typedef char product_buffer[PRODUCT_BYTES] __attribute__ ((aligned (64)));

/* z <- x's n elements with the second factor's.  */
static void
multiply (const job *g, const char *x, char *z, int64_t n)
{
  const char *y = (const char *) g->r->y + (x - (const char *) g->r->x);
  vectors_of (best_isa (is_complex (g->r->instance)))->products (g->info->elem, x, y, z, n);
}

/* The loops' lanes, of x or of its products with the second factor.  */
static void
take_rows (const job *g, void *acc, const char *x, int64_t step, int64_t rows, int64_t width,
           int64_t first, int64_t lanes, int64_t columns)
{
  if (! g->r->y)
    {
      g->loops->lanes (acc, x, step, rows, width, first, lanes, columns);
      return;
    }
  product_buffer products;
  const int bytes = g->info->elem_bytes;
  const int64_t at_once = PRODUCT_BYTES / (width * bytes);
  for (int64_t r = 0; r < rows; r += at_once)
    {
      int64_t some = rows - r < at_once ? rows - r : at_once;
      for (int64_t i = 0, runs = step == width ? 1 : some; i < runs; i++)
        multiply (g, x + (r + i) * step * bytes, products + i * width * bytes, step == width ? some * width : width);
      g->loops->lanes (acc, products, width, some, width, first + r * lanes, lanes, columns);
    }
}

static int
take_short_rows (const job *g, int64_t o, int64_t count)
{
  const gpr_reduction *r = g->r;
  const int bytes = g->info->elem_bytes;
  const int64_t n = g->tree.length, at_once = r->y ? PRODUCT_BYTES / (n * bytes) : count;
  const char *x = (const char *) r->x + o * n * bytes;
  char *value = (char *) r->value + o * g->info->value_bytes;
  int needs_fixup = 0;

  if (! r->y)
    return g->loops->short_rows (x, n, count, g->tree.lanes, r->divisor, value, r->index ? r->index + o : NULL);
  product_buffer products;
  for (int64_t i = 0; i < count; i += at_once)
    {
      int64_t some = count - i < at_once ? count - i : at_once;
      multiply (g, x + i * n * bytes, products, some * n);
      needs_fixup |= g->loops->short_rows (products, n, some, g->tree.lanes, r->divisor,
                                       value + i * g->info->value_bytes, NULL);
    }
  return needs_fixup;
}

/* Reduces part p of the columns of one tile of one outer index into acc[0 … columns-1].  */
static void
reduce_part (const job *g, int64_t o, int64_t tile, int64_t p, void *acc)
{
  const gpr_tree *t = &g->tree;
  int64_t first = p * t->rows;
  int64_t rows = t->length - first < t->rows ? t->length - first : t->rows;
  int64_t c0 = tile * t->columns;
  int64_t columns = t->inner - c0 < t->columns ? t->inner - c0 : t->columns;
  int64_t k = t->lanes;
  const char *x = (const char *) g->r->x + ((o * t->length + first) * t->inner + c0) * g->info->elem_bytes;

  if (t->inner == 1 && rows >= BLOCK && value_instance (g->r->instance) != GPR_INSTANCE_NONE
      && place_by_blocks (g, x, first, rows, acc))
    return;
  if (k == 1 || is_ordered (g->info))   /* ordered reductions are exact: any tree that keeps the order will do */
    {
      g->loops->init (acc, columns);
      take_rows (g, acc, x, t->inner, rows, columns, first, 1, columns);
      return;
    }
  int64_t full = rows / k, rest = rows % k;
  g->loops->init (acc, k * columns);
  take_rows (g, acc, x, k * t->inner, full, k * columns, first, k, columns);
  if (rest > 0)
    take_rows (g, acc, x + full * k * t->inner * g->info->elem_bytes, 0, 1, rest * columns,
               first + full * k, k, columns);
  g->loops->halve (acc, k, columns);
}

static int
finish (const job *g, int64_t o, int64_t tile, const void *acc)
{
  const gpr_tree *t = &g->tree;
  int64_t c0 = tile * t->columns, at = o * t->inner + c0;
  int64_t columns = t->inner - c0 < t->columns ? t->inner - c0 : t->columns;
  return g->loops->finish (acc, columns, g->r->divisor, (char *) g->r->value + at * g->info->value_bytes,
                           g->r->index ? g->r->index + at : NULL);
}

/* any and all are decided once every column holds this value; -1: other reductions.  */
static int
deciding_value (enum gpr_instance instance)
{
  int traits = gpr_instances[instance].traits;
  return traits & GPR_DECIDED_BY_1 ? 1 : traits & GPR_DECIDED_BY_0 ? 0 : -1;
}

static bool
decided (int value, const void *acc, int64_t columns)
{
  const u8 *a = acc;
  if (value < 0)
    return false;
  for (int64_t c = 0; c < columns; c++)
    if (a[c] != value)
      return false;
  return true;
}

/* Neighbours pairwise, level by level, an odd last one passing on: the same
   tree as a binary counter that merges equal levels as parts arrive.  */
enum { LEVELS = 16 };   /* 2^14 parts at most */

static int
reduce_unit (const job *g, int64_t o, int64_t tile, char *scratch, size_t level_bytes)
{
  const gpr_tree *t = &g->tree;
  int64_t c0 = tile * t->columns;
  int64_t columns = t->inner - c0 < t->columns ? t->inner - c0 : t->columns;
  int height[LEVELS + 1], top = 0;   /* stack of partial trees, tallest first */
  int value = deciding_value (g->r->instance);

  for (int64_t p = 0; p < t->parts; p++)
    {
      if (gpr_interrupted ())
        return 0;
      reduce_part (g, o, tile, p, scratch + top * level_bytes);
      if (decided (value, scratch + top * level_bytes, columns))
        return finish (g, o, tile, scratch + top * level_bytes);
      height[top++] = 0;
      while (top > 1 && height[top - 1] == height[top - 2])
        {
          top--;
          g->loops->merge (scratch + (top - 1) * level_bytes, scratch + top * level_bytes, columns);
          height[top - 1]++;
        }
    }
  for (; top > 1; top--)
    g->loops->merge (scratch + (top - 2) * level_bytes, scratch + (top - 1) * level_bytes, columns);
  return finish (g, o, tile, scratch);
}

/* ---- the reduction ---------------------------------------------------------------- */

/* Below this a parallel region costs more than it saves.  */
static const int64_t serial_bytes = 1 << 19;

static gpr_status
run (job *g, int threads)
{
  const gpr_tree *t = &g->tree;
  gpr_reduction *r = g->r;
  int acc_bytes = g->info->acc_bytes;
  size_t level_bytes = (size_t) gpr_tree_width (acc_bytes) * acc_bytes;
  int64_t units = t->outer * t->tiles;
  int needs_fixup = 0;

  if (t->inner == 1 && t->parts == 1 && t->lanes <= 8 && ! is_ordered (g->info))
    {
      int64_t batch = 4096, batches = (t->outer + batch - 1) / batch;
      #pragma omp parallel for num_threads (threads) if (threads > 1) reduction (| : needs_fixup)
      for (int64_t b = 0; b < batches; b++)
        if (! gpr_interrupted ())
          {
            int64_t o = b * batch, count = t->outer - o < batch ? t->outer - o : batch;
            needs_fixup |= take_short_rows (g, o, count);
          }
    }
  else if (t->parts == 1 || units >= 4 * threads || threads == 1)
    {
      size_t each = (LEVELS + 1) * level_bytes;
      char *scratch = malloc (threads * each);
      if (! scratch)
        return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of scratch memory for %d threads", threads * each, threads);
      #pragma omp parallel num_threads (threads) if (threads > 1) reduction (| : needs_fixup)
      {
#ifdef _OPENMP
        char *own = scratch + omp_get_thread_num () * each;
#else
        char *own = scratch;
#endif
        #pragma omp for schedule (static)
        for (int64_t unit = 0; unit < units; unit++)
          if (! gpr_interrupted ())
            needs_fixup |= reduce_unit (g, unit / t->tiles, unit % t->tiles, own, level_bytes);
      }
      free (scratch);
    }
  else
    {
      /* Few outputs of many parts: threads take parts, then one merges them.  */
      size_t stride = (size_t) t->columns * acc_bytes, lanes = threads * level_bytes;
      char *scratch = malloc (lanes + t->parts * stride);
      if (! scratch)
        return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of scratch memory for %lld parts",
                         lanes + t->parts * stride, (long long) t->parts);
      char *partial = scratch + lanes;
      for (int64_t unit = 0; unit < units && ! gpr_interrupted (); unit++)
        {
          int64_t o = unit / t->tiles, tile = unit % t->tiles;
          int64_t columns = t->inner - tile * t->columns < t->columns ? t->inner - tile * t->columns : t->columns;
          int value = deciding_value (r->instance);
          atomic_bool done = false;
          int64_t from = 0;
          if (value >= 0)
            {
              /* Often the first elements decide: no need to wake the threads.  */
              reduce_part (g, o, tile, 0, scratch);
              if (decided (value, scratch, columns))
                {
                  needs_fixup |= finish (g, o, tile, scratch);
                  continue;
                }
              memcpy (partial, scratch, stride);
              from = 1;
            }
          #pragma omp parallel for num_threads (threads) if (threads > 1) schedule (static)
          for (int64_t p = from; p < t->parts; p++)
            if (! gpr_interrupted ())
              {
#ifdef _OPENMP
                char *own = scratch + omp_get_thread_num () * level_bytes;
#else
                char *own = scratch;
#endif
                if (done)
                  {
                    memset (partial + p * stride, value, stride);
                    continue;
                  }
                reduce_part (g, o, tile, p, own);
                memcpy (partial + p * stride, own, stride);
                if (decided (value, own, columns))
                  done = true;
              }
          for (int64_t step = 1; step < t->parts; step *= 2)
            for (int64_t p = 0; p + step < t->parts; p += 2 * step)
              g->loops->merge (partial + p * stride, partial + (p + step) * stride, t->columns);
          needs_fixup |= finish (g, o, tile, partial);
        }
      free (scratch);
    }
  r->needs_fixup = needs_fixup != 0;
  return gpr_interrupted () ? gpr_fail (GPR_INTERRUPTED, "interrupted") : GPR_OK;
}

static double last_ms;

static gpr_status
cpu_reduce (gpr_reduction *r)
{
  const gpr_instance_info *info = &gpr_instances[r->instance];
  job g = { loops_of (r->instance), info, gpr_tree_make (info->acc_bytes, r->inner, r->length, r->outer), r };
  double start = gpr_now_ms ();
  int threads = 1;

  if (r->length == 0)
    {
      /* Every output is the identity.  */
      char acc[GPR_ACC_BYTES] __attribute__ ((aligned (16)));
      int needs_fixup = 0;
      g.loops->init (acc, 1);
      for (int64_t i = 0; i < r->inner * r->outer; i++)
        needs_fixup |= g.loops->finish (acc, 1, r->divisor, (char *) r->value + i * info->value_bytes,
                                    r->index ? r->index + i : NULL);
      r->needs_fixup = needs_fixup != 0;
      return GPR_OK;
    }
  if (r->inner * r->length * r->outer * info->elem_bytes >= serial_bytes)
    {
      threads = gpr_cpu_threads ();
      if (threads > 1)
        gpr_cpu_note_pool ();
    }
  gpr_status status = run (&g, threads);
  last_ms = gpr_now_ms () - start;
  return status;
}

/* ---- a share of a reduction --------------------------------------------------------- */

gpr_status
gpr_cpu_share (gpr_share *s)
{
  const gpr_instance_info *info = &gpr_instances[s->r->instance];
  const gpr_tree *t = &s->tree;
  const int64_t some_bytes = 1 << 19, some = s->unit_bytes < some_bytes ? some_bytes / s->unit_bytes : 1;
  const size_t each = info->acc_bytes;
  job g = { loops_of (s->r->instance), info, *t, s->r };
  bool short_rows = t->inner == 1 && t->parts == 1 && t->lanes <= 8 && ! is_ordered (info);
  char acc[256 * GPR_ACC_BYTES] __attribute__ ((aligned (64)));
  int needs_fixup = 0;
  int64_t first, count;

  while ((count = s->take (s, false, some, &first)) > 0)
    {
      if (gpr_interrupted ())
        return gpr_fail (GPR_INTERRUPTED, "interrupted");
      if (short_rows)
        {
          needs_fixup |= take_short_rows (&g, first, count);
          continue;
        }
      for (int64_t unit = first; unit < first + count; unit++)
        {
          int64_t o = unit / t->parts, p = unit % t->parts;
          reduce_part (&g, o, 0, p, acc);
          if (t->parts == 1)
            needs_fixup |= finish (&g, o, 0, acc);
          else
            for (int64_t c = 0; c < t->inner; c++)
              memcpy (s->partials + ((o * t->inner + c) * t->parts + p) * each, acc + c * each, each);
        }
    }
  if (needs_fixup)
    s->needs_fixup = true;
  return GPR_OK;
}

void
gpr_cpu_finish_shares (gpr_share *s)
{
  const gpr_tree *t = &s->tree;
  const gpr_reduction *r = s->r;
  const gpr_instance_info *info = &gpr_instances[r->instance];
  const gpr_cpu_loops *loops = loops_of (r->instance);
  const int64_t outputs = t->inner * t->outer;
  const size_t each = info->acc_bytes;
  int needs_fixup = 0;

  #pragma omp parallel for num_threads (gpr_cpu_threads ()) if (outputs * t->parts > 1 << 15) reduction (| : needs_fixup)
  for (int64_t i = 0; i < outputs; i++)
    {
      char *partial = s->partials + i * t->parts * each;
      for (int64_t step = 1; step < t->parts; step *= 2)
        for (int64_t p = 0; p + step < t->parts; p += 2 * step)
          loops->merge (partial + p * each, partial + (p + step) * each, 1);
      needs_fixup |= loops->finish (partial, 1, r->divisor, (char *) r->value + i * info->value_bytes,
                                r->index ? r->index + i : NULL);
    }
  if (needs_fixup)
    s->needs_fixup = true;
}

/* ---- the built-in's own order --------------------------------------------------- */

/* Complex products, logarithms and reciprocals by the C library's rules, which
   are C++'s and so the built-in's: C11 Annex G.  Single stays single where the
   reduction's result is.  */
static bool
is_complex_term (enum gpr_instance instance)
{
  return is_complex_product (instance)
         || (is_complex (instance) && (gpr_instances[instance].traits & GPR_FIXUP_MASK) == GPR_FIXUP_TERMS);
}

#define DEFINE_PLAIN_COMPLEX(function, R, T, MAKE, RE, IM, LOG) \
static void \
function (enum gpr_instance instance, const void *x, bool single, int64_t stride, int64_t n, double divisor, R *value) \
{ \
  bool product = is_complex_product (instance); \
  bool omit = gpr_instances[instance].traits & GPR_OMITS, log = gpr_instances[instance].traits & GPR_LOGARITHMS; \
  T a = product ? 1 : 0; \
  for (int64_t r = 0; r < n; r++) \
    { \
      R re = single ? (R) ((const c64 *) x)[r * stride].re : (R) ((const c128 *) x)[r * stride].re; \
      R im = single ? (R) ((const c64 *) x)[r * stride].im : (R) ((const c128 *) x)[r * stride].im; \
      T z = MAKE (re, im); \
      if (r % 4096 == 0 && gpr_interrupted ()) \
        break; \
      if (omit && (re != re || im != im)) \
        continue; \
      a = product ? a * z : log ? a + LOG (z) : a + MAKE (1, 0) / z; \
    } \
  value[0] = divisor != 0 ? RE (a) / (R) divisor : RE (a); \
  value[1] = divisor != 0 ? IM (a) / (R) divisor : IM (a); \
}
DEFINE_PLAIN_COMPLEX (plain_complex_double, double, double _Complex, CMPLX, creal, cimag, clog)
DEFINE_PLAIN_COMPLEX (plain_complex_single, float, float _Complex, CMPLXF, crealf, cimagf, clogf)

void
gpr_cpu_plain (enum gpr_instance instance, const void *x, int64_t stride, int64_t n, double divisor, void *value)
{
  const gpr_cpu_loops *loops = loops_of (instance);
  char acc[GPR_ACC_BYTES] __attribute__ ((aligned (16)));
  const int64_t piece = 1 << 20;   /* Ctrl-C is seen in between */

  if (is_complex_term (instance))
    {
      bool single = gpr_instances[instance].elem == GPR_c64;
      if (gpr_instances[instance].value_bytes == sizeof (c64))
        plain_complex_single (instance, x, single, stride, n, divisor, value);
      else
        plain_complex_double (instance, x, single, stride, n, divisor, value);
      return;
    }
  loops->init (acc, 1);
  for (int64_t r = 0; r < n && ! gpr_interrupted (); r += piece)
    loops->plain (acc, (const char *) x + r * stride * gpr_instances[instance].elem_bytes, stride,
                  n - r < piece ? n - r : piece);
  loops->finish (acc, 1, divisor, value, NULL);
}

/* ---- memory ------------------------------------------------------------------------ */

static gpr_status
cpu_allocate (void **p, size_t bytes)
{
  *p = gpr_system_allocate (bytes);
  return *p ? GPR_OK : gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", bytes);
}

static gpr_status
cpu_copy (void *to, const void *from, size_t bytes)
{
  memcpy (to, from, bytes);
  return GPR_OK;
}

static gpr_status
cpu_download (void *host, const void *resident, size_t bytes)
{
  return cpu_copy (host, resident, bytes);
}

#define TIMED(name, type) \
static gpr_status \
timed_##name (type *problem) \
{ \
  double start = gpr_now_ms (); \
  gpr_status status = gpr_cpu_##name (problem); \
  last_ms = gpr_now_ms () - start; \
  return status; \
}
TIMED (count, gpr_counting)
TIMED (pair, gpr_pairing)
TIMED (scan, struct gpr_scanning)
TIMED (scatter, struct gpr_scattering)
TIMED (order, struct gpr_ordering)

static void
cpu_times (double *transfer_ms, double *kernel_ms)
{
  *transfer_ms = 0;
  *kernel_ms = last_ms;
}

const gpr_backend gpr_cpu_backend = {
  .name = "cpu",
  .reduce = cpu_reduce,
  .share = gpr_cpu_share,
  .count = timed_count,
  .pair = timed_pair,
  .scan = timed_scan,
  .scatter = timed_scatter,
  .order = timed_order,
  .allocate = cpu_allocate,
  .release = free,
  .upload = cpu_copy,
  .download = cpu_download,
  .times = cpu_times
};
