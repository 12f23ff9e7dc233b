/* Checks gpureduce_cuda.so on a machine with a GPU: every instance against
   tests/oracle/tree_oracle.h, bit for bit, over many shapes, from the host, from
   the device and streamed; counting and pairs against their definitions; what
   happens without memory, after Ctrl-C, after a lost context.

     cc -std=gnu11 -O2 -fopenmp -ffp-contract=off -o engine_check engine_check.c -ldl -lm
     ./engine_check path/to/gpureduce_cuda.so [quick]  */

#include <dlfcn.h>
#include <float.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../src/cuda/cuda.h"
#include "../oracle/tree_oracle.h"

static const gpr_cuda_api *cuda;
static volatile int no_interrupt, *flag = &no_interrupt;
static gpr_settings settings = { .cache_limit = 256 << 20 };
static char message[1024];
static bool quick;
static long passed, failed;

static gpr_status
note_failure (gpr_status status, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  vsnprintf (message, sizeof message, format, args);
  va_end (args);
  return status;
}

static void __attribute__ ((format (printf, 2, 3)))
expect (bool ok, const char *format, ...)
{
  if (ok)
    {
      passed++;
      return;
    }
  if (failed++ < 40)
    {
      va_list args;
      va_start (args, format);
      printf ("FAILED ");
      vprintf (format, args);
      printf ("\n");
      va_end (args);
    }
}

static double
seconds (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

static void
need (gpr_status status, const char *what)
{
  if (status == GPR_OK)
    return;
  printf ("%s: status %d: %s\n", what, status, message);
  exit (1);
}

/* ---- data ------------------------------------------------------------------------- */

enum { MOST = 10250000 };

static uint64_t seed = 20260101;
static uint64_t
random64 (uint64_t *s)
{
  uint64_t z = *s += 0x9E3779B97F4A7C15ull;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ z >> 27) * 0x94D049BB133111EBull;
  return z ^ z >> 31;
}

static double
random_real (uint64_t *s, bool special)
{
  static const union { uint64_t u; double d; } na = { 0x7FF840F440000000ull };
  uint64_t r = random64 (s);
  double x = ((double) (r >> 11) * 0x1p-53 - 0.5) * 4;
  if (! special)
    return x;
  switch (r % 4096)
    {
    case 0: return NAN;
    case 1: return na.d;
    case 2: return -0.0;
    case 3: return 0;
    case 4: return r & 8192 ? INFINITY : -INFINITY;
    case 5: return x * 1e300;
    case 6: return x * 1e-300;
    default: return (double) (int) (x * 8) / 4;
    }
}

/* An array of MOST + 1 elements; plain and special in turn, 64Ki at a time.  */
static void *
make_data (enum gpr_elem elem, int bytes)
{
  char *data = malloc ((size_t) (MOST + 1) * bytes);
  const int64_t piece = 1 << 16;
  seed += 1000003;
  #pragma omp parallel for
  for (int64_t first = 0; first <= MOST; first += piece)
    {
      uint64_t s = seed + first;
      bool special = first / piece % 2 == 1;
      for (int64_t i = first; i < first + piece && i <= MOST; i++)
        switch (elem)
          {
          case GPR_f64: ((f64 *) data)[i] = random_real (&s, special); break;
          case GPR_f32: ((f32 *) data)[i] = (f32) random_real (&s, special); break;
          case GPR_c128: ((f64 *) data)[2*i] = random_real (&s, special); ((f64 *) data)[2*i+1] = random_real (&s, special); break;
          case GPR_c64: ((f32 *) data)[2*i] = (f32) random_real (&s, special); ((f32 *) data)[2*i+1] = (f32) random_real (&s, special); break;
          default:
            {
              uint64_t r = random64 (&s);
              if (special)
                r %= 4;
              memcpy (data + i * bytes, &r, bytes);
            }
          }
    }
  return data;
}

/* ---- the instances, and the oracle of each --------------------------------------------- */

GPR_INSTANCES (GPR_DEFINE_INSTANCE)
GPR_INSTANCES (GPR_DEFINE_TREE_ORACLE)

enum value { OTHER, F64, F32 };         /* how values compare: NaN equals NaN */
static const struct {
  const char *name;
  int (*oracle) (const gpr_reduction *r);
  enum gpr_elem elem;
  int elem_bytes, value_bytes;
  enum value value;
  bool indexed;
} instances[] = {
#define REDUCE_ROW(id, FAMILY, X, A, Y) \
  { #id, oracle_##id, GPR_##X, sizeof (id##_x), sizeof (id##_y), \
    _Generic ((id##_y) { 0 }, f64: F64, c128: F64, f32: F32, c64: F32, default: OTHER), id##_has_index },
  GPR_INSTANCES (REDUCE_ROW)
};

/* -1: all the same; else the first difference.  A sum of logarithms may differ
   by the library's rounding of each.  */
static int64_t
first_difference (int instance, const void *a, const void *b, int64_t outputs, int64_t n)
{
  bool rounded = strncmp (instances[instance].name, "sumlog", 6) == 0;
  int words = instances[instance].value == F64 ? instances[instance].value_bytes / 8 : instances[instance].value_bytes / 4;
  if (instances[instance].value == OTHER)
    {
      for (int64_t i = 0; i < outputs * instances[instance].value_bytes; i++)
        if (((const char *) a)[i] != ((const char *) b)[i])
          return i / instances[instance].value_bytes;
      return -1;
    }
  for (int64_t i = 0; i < outputs * words; i++)
    {
      bool wide = instances[instance].value == F64;
      double x = wide ? ((const double *) a)[i] : ((const float *) a)[i];
      double y = wide ? ((const double *) b)[i] : ((const float *) b)[i];
      if (x == y ? signbit (x) != signbit (y) : x == x || y == y)
        if (! rounded || ! (fabs (x - y) <= (wide ? 1e-13 : 1e-5) * (n + 1)))
          return i / words;
    }
  return -1;
}

/* Products of real numbers that the tree marks (kernels/ops/product.h), of an array on the device: these are multiplied
   in the order of the rows, there, unless that would take a thread too long; but a product
   that is 0 by the tree, and has a factor 0, stays.  */
#define SETTLED(id, X, A, OMIT) \
static void \
settle_##id (const X *x, A *y, int64_t l, int64_t n, int64_t u) \
{ \
  for (int64_t o = 0; o < l * u; o++) \
    if (! (fabs (y[o]) >= (sizeof (A) == 8 ? DBL_MIN : FLT_MIN) && fabs (y[o]) <= (sizeof (A) == 8 ? DBL_MAX : FLT_MAX))) \
      { \
        A p = 1; \
        bool zero = false; \
        for (int64_t row = 0; row < n; row++) \
          { \
            const X factor = x[o / l * l * n + o % l + row * l]; \
            if (! (OMIT && factor != factor)) \
              { \
                p *= factor; \
                zero |= factor == 0; \
              } \
          } \
        if (! (zero && y[o] == 0)) \
          y[o] = p; \
      } \
}
#define ALL_SETTLED(F) \
  F (prod_f64, f64, f64, 0) F (prod_f32, f32, f32, 0) F (prod_f32_f64, f32, f64, 0) \
  F (prodomit_f64, f64, f64, 1) F (prodomit_f32, f32, f32, 1) F (prodomit_f32_f64, f32, f64, 1) \
  F (prod_i8, i8, f64, 0) F (prod_u8, u8, f64, 0) F (prod_i16, i16, f64, 0) F (prod_u16, u16, f64, 0) \
  F (prod_i32, i32, f64, 0) F (prod_u32, u32, f64, 0) F (prod_i64, i64, f64, 0) F (prod_u64, u64, f64, 0)
ALL_SETTLED (SETTLED)

/* As the device must: false where the instance has no such products.  */
static bool
settle (int instance, const void *x, void *y, int64_t l, int64_t n, int64_t u)
{
  switch (instance)
    {
#define SETTLE_CASE(id, X, A, OMIT) case GPR_##id: settle_##id (x, y, l, n, u); return true;
    ALL_SETTLED (SETTLE_CASE)
    default: return false;
    }
}

/* ---- one call, in four ways ----------------------------------------------------------- */

static const char *const ways[] = { "host", "resident in", "resident", "streamed" };

static void
check_instance (int instance, const char *x, const char *resident, int64_t l, int64_t n, int64_t u, int shape)
{
  int64_t outputs = l * u;
  int bytes = instances[instance].value_bytes, offset = shape % 2;
  char *expected = malloc (outputs * bytes), *settled = malloc (outputs * bytes), *value = malloc (outputs * bytes);
  int64_t *expected_index = malloc (outputs * 8), *index = malloc (outputs * 8);
  gpr_reduction r = { .instance = instance, .inner = l, .length = n, .outer = u, .divisor = shape % 3 ? 0 : 3.7,
                      .x = x + offset * instances[instance].elem_bytes };
  void *resident_value = NULL, *resident_index = NULL;

  r.value = expected;
  r.index = instances[instance].indexed && shape % 5 ? expected_index : NULL;
  bool has_index = r.index != NULL, needs_fixup = instances[instance].oracle (&r) != 0;
  memcpy (settled, expected, outputs * bytes);
  bool settles = needs_fixup && settle (instance, r.x, settled, l, n, u);
  need (cuda->backend.allocate (&resident_value, outputs * bytes), "allocate");
  need (cuda->backend.allocate (&resident_index, outputs * 8), "allocate");

  for (int way = 0; way < 4; way++)
    {
      memset (value, 0x5A, outputs * bytes);
      memset (index, 0x5A, outputs * 8);
      r.needs_fixup = false;
      r.x_resident = way == 1 || way == 2;
      r.out_resident = way == 2;
      r.x = (r.x_resident ? resident : x) + offset * instances[instance].elem_bytes;
      r.value = r.out_resident ? resident_value : value;
      r.index = ! has_index ? NULL : r.out_resident ? resident_index : index;
      settings.memory_limit = way == 3 ? 100000 : 0;
      gpr_status status = cuda->backend.reduce (&r);
      settings.memory_limit = 0;
      if (status == GPR_OK && r.out_resident)
        {
          need (cuda->backend.download (value, resident_value, outputs * bytes), "download");
          if (has_index)
            need (cuda->backend.download (index, resident_index, outputs * 8), "download");
        }
      int64_t at = status == GPR_OK ? first_difference (instance, r.x_resident ? settled : expected, value, outputs, n) : 0;
      expect (status == GPR_OK && at < 0, "%s %s l %lld n %lld u %lld offset %d: output %lld (%s)", instances[instance].name, ways[way],
              (long long) l, (long long) n, (long long) u, offset, (long long) at, status ? message : "bits");
      if (status != GPR_OK)
        continue;
      expect (r.needs_fixup == (needs_fixup && ! (r.x_resident && settles)), "%s %s l %lld n %lld u %lld: needs_fixup %d", instances[instance].name, ways[way],
              (long long) l, (long long) n, (long long) u, r.needs_fixup);
      if (has_index)
        expect (memcmp (index, expected_index, outputs * 8) == 0, "%s %s l %lld n %lld u %lld: index", instances[instance].name,
                ways[way], (long long) l, (long long) n, (long long) u);
    }
  cuda->backend.release (resident_value);
  cuda->backend.release (resident_index);
  free (expected); free (settled); free (value); free (expected_index); free (index);
}

static void
check_instances (void)
{
  static const int64_t ns[] = { 0, 1, 7, 8, 9, 31, 32, 33, 127, 128, 129, 2047, 2048, 2049, 2052, 100000, 1000000 };
  static const int64_t ls[] = { 1, 2, 3, 7, 31, 500, 1023, 1024, 1025, 5000 };
  static const int64_t us[] = { 1, 2, 5, 1000, 1100, 9000, 40000 };
  static const char *const thorough[] = { "sum_f64", "sum_f32", "sum_c64_c128", "sum_i8", "sum_i64", "sumsq_i64", "extra_f64",
                                          "satsum_i8", "satprod_i64", "max_u8", "argmax_f64", "argmin_c64", "any_u8" };
  double start = seconds ();

  for (int elem = 0; elem < GPR_ELEM_COUNT; elem++)
    {
      char *x = NULL;
      void *resident = NULL;
      for (int instance = 0; instance < GPR_INSTANCE_COUNT; instance++)
        {
          if ((int) instances[instance].elem != elem)
            continue;
          if (! x)
            {
              x = make_data (elem, instances[instance].elem_bytes);
              need (cuda->backend.allocate (&resident, (size_t) (MOST + 1) * instances[instance].elem_bytes), "allocate");
              need (cuda->backend.upload (resident, x, (size_t) (MOST + 1) * instances[instance].elem_bytes), "upload");
            }
          int64_t most = quick ? 3000 : 40000;
          int shape = 0;
          for (size_t i = 0; i < sizeof thorough / sizeof *thorough; i++)
            if (! quick && strcmp (thorough[i], instances[instance].name) == 0)
              most = MOST;
          for (size_t in = 0; in < sizeof ns / sizeof *ns; in++)
            for (size_t il = 0; il < sizeof ls / sizeof *ls; il++)
              for (size_t iu = 0; iu < sizeof us / sizeof *us; iu++)
                {
                  int64_t n = ns[in], l = ls[il], u = us[iu];
                  bool many_parts = l == 1 && n == 100000 && u == 2;
                  bool always = many_parts || (! quick && ((l == 1 && n == 1000000 && u == 2) || (l == 1025 && n == 2048 && u == 2)
                                            || (l == 3 && n == 100000 && u == 5) || (l == 5000 && n == 129 && u == 2)));
                  /* So many that warps take the rows, in packs and not, or blocks have two at once, of 64 and 8 lanes.  */
                  always |= ! quick && l == 1 && ((u == 1100 && (n == 2049 || n == 2052)) || (u == 9000 && n == 129) || (u == 40000 && n == 33));
                  shape++;
                  if (quick && shape % 7 && ! many_parts)
                    continue;
                  if (always || (l * n * u <= (u > 1000 ? 40000 : most) && l * u <= most))
                    check_instance (instance, x, resident, l, n, u, shape);
                }
        }
      cuda->backend.release (resident);
      free (x);
    }
  printf ("reductions: %ld passed, %ld failed, %.0f s\n", passed, failed, seconds () - start);
}

/* ---- counting -------------------------------------------------------------------------- */

static int64_t
bin_of (const gpr_counting *c, double x)
{
  if (x != x)
    return -1;
#define EDGE(i) (c->single_precision ? ((const float *) c->edges)[i] : ((const double *) c->edges)[i])
  if (c->rule == GPR_BIN_SPACED)
    {
      double t = c->single_precision ? (double) (((float) x - (float) c->origin) / (float) c->step) : (x - c->origin) / c->step;
      return (int64_t) fmax (0, fmin ((double) c->bins - 1, ceil (t)));
    }
  int64_t edges = c->rule == GPR_BIN_CUTS ? c->bins - 1 : c->rule == GPR_BIN_CLOSED ? c->bins + 1 : c->bins;
  int64_t low = 0, high = edges;        /* edges before low are (at or) below x */
  while (low < high)
    {
      int64_t mid = (low + high) / 2;
      if (c->rule == GPR_BIN_CUTS ? EDGE (mid) < x : EDGE (mid) <= x)
        low = mid + 1;
      else
        high = mid;
    }
  if (c->rule == GPR_BIN_CUTS)
    return low;
  if (low == edges)
    return x == EDGE (edges - 1) ? c->bins - 1 : -1;
  return low - 1;
}

static double
element (enum gpr_elem elem, const void *x, int64_t i)
{
  switch (elem)
    {
#define ELEMENT(t) case GPR_##t: return (double) ((const t *) x)[i];
    ELEMENT (f64) ELEMENT (f32) ELEMENT (i8) ELEMENT (u8) ELEMENT (i16) ELEMENT (u16)
    ELEMENT (i32) ELEMENT (u32) ELEMENT (i64) ELEMENT (u64)
    default: return 0;
    }
}

static int
ascending (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return (x > y) - (x < y);
}

static void
check_count (enum gpr_elem elem, int bytes, const char *x, const char *resident,
             int64_t l, int64_t n, int64_t u, int64_t bins, int rule, bool single, bool with_place)
{
  int64_t total = l * n * u, tables = l * u * bins;
  double *edges = malloc ((bins + 1) * sizeof *edges), *expected = calloc (tables, 8), *counts = malloc (tables * 8);
  double *place = malloc ((total + 1) * 8), *expected_place = calloc (total + 1, 8);
  float *floats = malloc ((bins + 1) * sizeof *floats);
  double low = elem <= GPR_f32 ? -2 : 0, high = elem <= GPR_f32 ? 2 : bytes == 1 ? 127 : 30000;
  void *resident_counts = NULL, *resident_place = NULL;

  for (int64_t i = 0; i <= bins; i++)
    {
      edges[i] = low + (high - low) * (double) (random64 (&seed) >> 11) * 0x1p-53;
      if (i % 3 == 0)
        edges[i] = floor (edges[i]);
      if (single)
        edges[i] = (float) edges[i];
    }
  qsort (edges, bins + 1, sizeof *edges, ascending);
  for (int64_t i = bins > 0 ? bins - 1 : 0; i <= bins; i++)
    edges[i] = ceil (edges[i]);         /* some elements lie on the last edge */
  for (int64_t i = 0; i <= bins; i++)
    floats[i] = (float) edges[i];
  gpr_counting c = { .elem = elem, .inner = l, .length = n, .outer = u, .rule = rule, .single_precision = single, .bins = bins,
                     .edges = single ? (void *) floats : edges, .origin = low, .step = (high - low) / (double) bins };
  for (int64_t i = 0; i < total; i++)
    {
      double v = element (elem, x, i);
      int64_t k = bin_of (&c, single ? (float) v : v);
      if (k >= 0)
        expected[i % l + l * (k + bins * (i / (l * n)))]++;
      expected_place[i] = (double) (k + 1);
    }
  need (cuda->backend.allocate (&resident_counts, tables * 8), "allocate");
  need (cuda->backend.allocate (&resident_place, total * 8), "allocate");
  for (int way = 0; way < 4; way++)
    {
      memset (counts, 0x5A, tables * 8);
      memset (place, 0x5A, total * 8);
      c.x_resident = way == 1 || way == 2;
      c.out_resident = way == 2;
      c.x = c.x_resident ? resident : x;
      c.counts = c.out_resident ? resident_counts : counts;
      c.bin_of = ! with_place ? NULL : c.out_resident ? resident_place : place;
      settings.memory_limit = way == 3 ? 100000 : 0;
      gpr_status status = cuda->backend.count (&c);
      settings.memory_limit = 0;
      if (status == GPR_OK && c.out_resident)
        {
          need (cuda->backend.download (counts, resident_counts, tables * 8), "download");
          need (cuda->backend.download (place, resident_place, total * 8), "download");
        }
      expect (status == GPR_OK && memcmp (counts, expected, tables * 8) == 0,
              "count %s elem %d l %lld n %lld u %lld bins %lld rule %d single %d (%s)", ways[way], elem, (long long) l,
              (long long) n, (long long) u, (long long) bins, rule, single, status ? message : "counts");
      if (with_place && status == GPR_OK)
        expect (memcmp (place, expected_place, total * 8) == 0,
                "place %s elem %d l %lld n %lld u %lld bins %lld rule %d single %d", ways[way], elem, (long long) l,
                (long long) n, (long long) u, (long long) bins, rule, single);
    }
  cuda->backend.release (resident_counts);
  cuda->backend.release (resident_place);
  free (edges); free (floats); free (expected); free (counts); free (place); free (expected_place);
}

static void
check_counts (void)
{
  static const int64_t shapes[][3] = { { 1, 0, 2 }, { 1, 1, 1 }, { 1, 100000, 1 }, { 3, 1000, 7 }, { 1, 50, 700 }, { 500, 37, 2 },
                                       { 20000, 3, 1 }, { 2, 5, 3000 }, { 1, 1000000, 1 } };
  static const int64_t bins[] = { 1, 2, 10, 256, 5000, 14000, 60000 };
  static const struct { enum gpr_elem elem; int bytes; } elems[] = {
    { GPR_f64, 8 }, { GPR_f32, 4 }, { GPR_i8, 1 }, { GPR_u8, 1 }, { GPR_i16, 2 }, { GPR_u16, 2 },
    { GPR_i32, 4 }, { GPR_u32, 4 }, { GPR_i64, 8 }, { GPR_u64, 8 } };
  double start = seconds ();
  long before = passed;

  for (int e = 0; e < 10; e++)
    {
      char *x = make_data (elems[e].elem, elems[e].bytes);
      void *resident = NULL;
      need (cuda->backend.allocate (&resident, 1000000 * elems[e].bytes), "allocate");
      need (cuda->backend.upload (resident, x, 1000000 * elems[e].bytes), "upload");
      int which = 0;
      for (int s = 0; s < 9; s++)
        for (int b = 0; b < 7; b++)
          for (int rule = 0; rule < 4; rule++)
            {
              int64_t l = shapes[s][0], n = shapes[s][1], u = shapes[s][2];
              bool single = elems[e].bytes <= 4 && which % 3 == 0, with_place = which % 4 == 1;
              which++;
              if (l * u * bins[b] > 2000000 || (quick && (l * n * u > 100000 || bins[b] > 5000)) || (e > 1 && which % 5))
                continue;
              check_count (elems[e].elem, elems[e].bytes, x, resident, l, n, u, bins[b], rule, single, with_place);
            }
      cuda->backend.release (resident);
      free (x);
    }
  printf ("counts: %ld passed, %.0f s\n", passed - before, seconds () - start);
}

/* ---- pairs --------------------------------------------------------------------------------- */

#define PAIR_REAL(T) \
static void pair_##T (int op, const void *x, int64_t i, const void *y, int64_t j, void *z, int64_t k) \
{ \
  T a = ((const T *) x)[i], b = ((const T *) y)[j]; \
  ((T *) z)[k] = op == GPR_PAIR_TIMES ? gpr_times_##T (a, b) : op == GPR_PAIR_MINUS ? gpr_minus_##T (a, b) : b != b ? a : (op == GPR_PAIR_MAX ? a >= b : a <= b) ? a : b; \
}
#define PAIR_COMPLEX(T) \
static void pair_##T (int op, const void *x, int64_t i, const void *y, int64_t j, void *z, int64_t k) \
{ \
  T a = ((const T *) x)[i], b = ((const T *) y)[j]; \
  bool keep = op == GPR_PAIR_MAX ? gpr_abs_##T (a) >= gpr_abs_##T (b) : gpr_abs_##T (a) <= gpr_abs_##T (b); \
  ((T *) z)[k] = op == GPR_PAIR_TIMES ? gpr_times_##T (a, b) : op == GPR_PAIR_MINUS ? gpr_minus_##T (a, b) : keep || gpr_nan_##T (a) ? a : b; \
}
PAIR_REAL (f64) PAIR_REAL (f32) PAIR_REAL (i8) PAIR_REAL (u8) PAIR_REAL (i16) PAIR_REAL (u16)
PAIR_REAL (i32) PAIR_REAL (u32) PAIR_REAL (i64) PAIR_REAL (u64) PAIR_COMPLEX (c128) PAIR_COMPLEX (c64)

static void
check_pairs (void)
{
  static const struct { int bytes; void (*pair) (int, const void *, int64_t, const void *, int64_t, void *, int64_t); } elems[] = {
#define PAIR_ROW(t) { sizeof (t), pair_##t },
    GPR_ELEMS (PAIR_ROW)
  };
  /* Sizes of x and y; 1 broadcasts.  */
  static const int64_t sizes[][2][4] = {
    { { 1, 1, 1, 1 }, { 1, 1, 1, 1 } }, { { 1000, 1, 1, 1 }, { 1000, 1, 1, 1 } }, { { 1000, 1, 1, 1 }, { 1, 1, 1, 1 } },
    { { 100, 1, 1, 1 }, { 1, 77, 1, 1 } }, { { 3, 1, 5, 7 }, { 3, 4, 5, 1 } }, { { 1, 4, 1, 9 }, { 6, 1, 3, 1 } },
    { { 300, 200, 1, 2 }, { 300, 200, 1, 2 } }, { { 300, 200, 2, 1 }, { 1, 200, 1, 1 } }, { { 2, 3, 0, 1 }, { 2, 3, 1, 1 } } };
  double start = seconds ();
  long before = passed;

  for (int elem = 0; elem < GPR_ELEM_COUNT; elem++)
    {
      int bytes = elems[elem].bytes;
      char *x = make_data (elem, bytes), *y = x + (size_t) 300000 * bytes;
      for (int s = 0; s < 9; s++)
        for (int way = 0; way < 4; way++)
          for (int op = GPR_PAIR_MAX; op <= GPR_PAIR_MINUS; op++)
            {
              int64_t dims[4], xs[4], ys[4], count = 1, x_count = 1, y_count = 1;
              for (int d = 0; d < 4; d++)
                {
                  int64_t p = sizes[s][0][d], q = sizes[s][1][d];
                  dims[d] = p == 1 ? q : p;
                  xs[d] = p == 1 ? 0 : x_count;
                  ys[d] = q == 1 ? 0 : y_count;
                  count *= dims[d];
                  x_count *= p;
                  y_count *= q;
                }
              char *expected = malloc (count * bytes + 1), *z = calloc (count * bytes + 1, 1);
              for (int64_t i = 0; i < count; i++)
                {
                  int64_t left = i, at_x = 0, at_y = 0;
                  for (int d = 0; d < 4; d++)
                    {
                      at_x += left % dims[d] * xs[d];
                      at_y += left % dims[d] * ys[d];
                      left /= dims[d];
                    }
                  elems[elem].pair (op, x, at_x, y, at_y, expected, i);
                }
              void *rx = NULL, *ry = NULL, *rz = NULL;
              gpr_pairing p = { .elem = elem, .op = op, .rank = 4, .dims = dims, .xs = xs, .ys = ys,
                                .x = x, .y = y, .z = z, .x_resident = way == 1 || way == 2,
                                .y_resident = way == 2, .out_resident = way == 2 };
              need (cuda->backend.allocate (&rx, x_count * bytes), "allocate");
              need (cuda->backend.allocate (&ry, y_count * bytes), "allocate");
              need (cuda->backend.allocate (&rz, count * bytes), "allocate");
              need (cuda->backend.upload (rx, x, x_count * bytes), "upload");
              need (cuda->backend.upload (ry, y, y_count * bytes), "upload");
              if (p.x_resident)
                p.x = rx;
              if (p.y_resident)
                p.y = ry;
              if (p.out_resident)
                p.z = rz;
              settings.memory_limit = way == 3 ? 100000 : 0;
              gpr_status status = cuda->backend.pair (&p);
              settings.memory_limit = 0;
              if (p.out_resident)
                need (cuda->backend.download (z, rz, count * bytes), "download");
              int64_t at = 0;
              while (status == GPR_OK && at < count && memcmp (z + at * bytes, expected + at * bytes, bytes) == 0)
                at++;
              uint64_t got = 0, wanted = 0;
              if (at < count)
                {
                  memcpy (&got, z + at * bytes, bytes < 8 ? bytes : 8);
                  memcpy (&wanted, expected + at * bytes, bytes < 8 ? bytes : 8);
                }
              expect (at == count, "pair %s elem %d sizes %d op %d: element %lld is %llx, not %llx (%s)", ways[way], elem, s, op,
                      (long long) at, (unsigned long long) got, (unsigned long long) wanted, status ? message : "bits");
              cuda->backend.release (rx);
              cuda->backend.release (ry);
              cuda->backend.release (rz);
              free (expected);
              free (z);
            }
      free (x);
    }
  printf ("pairs: %ld passed, %.0f s\n", passed - before, seconds () - start);
}

/* ---- what goes wrong ------------------------------------------------------------------------- */

static void
check_trouble (void)
{
  enum { COUNT = 1 << 22 };
  double *x = malloc (COUNT * 8), sum = 0;
  gpr_reduction r = { .instance = GPR_sum_f64, .inner = 1, .length = COUNT, .outer = 1, .x = x, .value = &sum };
  gpr_cuda_memory before, after;
  volatile int pressed = 1;

  for (int64_t i = 0; i < COUNT; i++)
    x[i] = 1;
  cuda->memory (&before);
  flag = &pressed;
  expect (cuda->backend.reduce (&r) == GPR_INTERRUPTED, "Ctrl-C ends a reduction");
  flag = &no_interrupt;
  expect (cuda->backend.reduce (&r) == GPR_OK && sum == COUNT, "the call after Ctrl-C works");
  expect (cuda->select (9999) == GPR_NO_DEVICE, "no GPU 9999");
  expect (cuda->backend.reduce (&r) == GPR_OK && sum == COUNT, "the selection stays");

  if (! quick)
    {
      void *blocks[512] = { NULL };
      int used = 0;
      gpr_status status = GPR_OK;
      for (size_t bytes = (size_t) 16 << 30; bytes >= 1 << 20; bytes /= 2)
        for (status = GPR_OK; used < 512 && status == GPR_OK; used += status == GPR_OK)
          status = cuda->backend.allocate (&blocks[used], bytes);
      expect (status == GPR_OUT_OF_MEMORY, "a full device: %d", status);
      printf ("  when full: %s\n", message);
      sum = 0;
      status = cuda->backend.reduce (&r);
      expect (status == GPR_OUT_OF_MEMORY || (status == GPR_OK && sum == COUNT), "a reduction on a full device: %d %g", status, sum);
      printf ("  reduction of 32 MiB on a full device: status %d\n", status);
      for (int i = 0; i < used; i++)
        cuda->backend.release (blocks[i]);
      expect (cuda->backend.reduce (&r) == GPR_OK && sum == COUNT, "the next call works");
    }
  cuda->memory (&after);
  expect (after.in_use == before.in_use && after.allocations == before.allocations, "nothing leaked: %lld bytes before, %lld after",
          (long long) before.in_use, (long long) after.in_use);
  expect (after.idle <= (int64_t) settings.cache_limit, "idle memory within its limit");
  cuda->trim ();
  cuda->memory (&after);
  expect (after.idle == 0, "trim gives everything idle back");

  /* A wild pointer: the context is lost, until reset.  Not under a memory checker.  */
  if (! quick)
    {
      r.x = (void *) 0x10;
      r.x_resident = true;
      expect (cuda->backend.reduce (&r) == GPR_DEVICE_LOST, "a wild pointer loses the device");
      printf ("  lost: %s\n", message);
      r.x = x;
      r.x_resident = false;
      expect (cuda->backend.reduce (&r) == GPR_DEVICE_LOST, "a lost device stays lost");
      /* Whether it comes back is the driver's choice; both must be told plainly.  */
      gpr_device d;
      expect (cuda->select (1) == GPR_DEVICE_LOST && cuda->selected () == 1, "a lost device can be selected, for a reset");
      expect (cuda->describe (1, &d) == GPR_OK && d.index == 1 && d.free_memory == -1, "a lost device is described");
      gpr_status reset = cuda->reset ();
      expect (cuda->selected () == (reset ? 1 : 0), "a reset deselects");
      gpr_status status = cuda->backend.reduce (&r);
      printf ("  reset: %s\n", reset ? message : "works again");
      expect (reset == status && (status == GPR_DEVICE_LOST || (status == GPR_OK && sum == COUNT)),
              "after a reset: %d, then %d %s", reset, status, message);
    }
  free (x);
}

/* ---- the run ------------------------------------------------------------------------------------ */

int
main (int argc, char **argv)
{
  const gpr_cuda_host host = { &flag, &settings, note_failure };
  gpr_cuda_probe probe;
  gpr_device d;
  char report[256];
  void *module = argc > 1 ? dlopen (argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  if (! module)
    {
      printf ("usage: engine_check path/to/gpureduce_cuda.so [quick]: %s\n", argc > 1 ? dlerror () : "no path");
      return 2;
    }
  quick = argc > 2 && strcmp (argv[2], "quick") == 0;
  const gpr_cuda_api *(*entry) (const gpr_cuda_host *)
    = (const gpr_cuda_api *(*) (const gpr_cuda_host *)) dlsym (module, "gpr_cuda_module");
  cuda = entry (&host);
  expect (cuda->abi == GPR_CUDA_ABI && strcmp (cuda->version, GPR_VERSION) == 0, "the module is of this version");
  cuda->probe (&probe);
  printf ("%d devices, driver %d, runtime %d, built for %s\n", probe.devices, probe.driver_version, probe.runtime_version,
          cuda->architectures ());
  if (probe.devices == 0)
    {
      printf ("%s\nself-check: status %d, %s\n", probe.reason, cuda->self_check (report, sizeof report), message);
      return 77;
    }
  need (cuda->select (1), "select");
  need (cuda->describe (1, &d), "describe");
  printf ("%s, %d.%d, %d multiprocessors, %.1f GiB, %.1f free\n", d.name, d.major, d.minor, d.multiprocessors,
          d.total_memory / 1073741824.0, d.free_memory / 1073741824.0);
  need (cuda->self_check (report, sizeof report), "self-check");
  printf ("%s\n", report);
  check_instances ();
  check_counts ();
  check_pairs ();
  check_trouble ();
  printf ("%ld passed, %ld failed\n", passed, failed);
  return failed > 0;
}
