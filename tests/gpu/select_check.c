/* Checks medians, quantiles and the k greatest of gpureduce_cuda.so on a machine with a GPU: random classes, shapes,
   numbers and places against sorted columns, bit for bit; then says how long resident arrays take.

     cc -std=gnu11 -O2 -ffp-contract=off -o select_check select_check.c -ldl -lm
     ./select_check path/to/gpureduce_cuda.so [ROUNDS]  */

#include <dlfcn.h>
#include <float.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "../../src/cuda/cuda.h"
#include "../oracle/select_oracle.h"

static const gpr_cuda_api *cuda;
static volatile int no_interrupt, *flag = &no_interrupt;
static gpr_settings settings = { .cache_limit = GPR_CACHE_SHARE };
static char message[1024];
static long passed, failed;
static const int sizes[GPR_ELEM_COUNT] = { 8, 4, 1, 1, 2, 2, 4, 4, 8, 8 };

static gpr_status
note_failure (gpr_status status, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  vsnprintf (message, sizeof message, format, args);
  va_end (args);
  return status;
}

static void
need (gpr_status status, const char *what)
{
  if (status == GPR_OK)
    return;
  printf ("%s: status %d: %s\n", what, status, message);
  exit (1);
}

static double
seconds (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

/* ---- data ------------------------------------------------------------------------- */

static uint64_t state = 88172645463325252ull;
static uint64_t
random64 (void)
{
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state * 0x2545F4914F6CDD1Dull;
}
static int64_t below (int64_t n) { return (int64_t) (random64 () >> 11) % n; }
static double unit (void) { return (double) (random64 () >> 11) * 0x1p-53; }

static double
number (int mood, int64_t i)
{
  static const double special[] = { 0, -0.0, HUGE_VAL, -HUGE_VAL, NAN, 1, -1, DBL_MIN / 8 };
  switch (mood)
    {
    case 0: return floor (5 * unit ());
    case 1: return 3;
    case 2: return (double) (i / 7);
    case 3: return 1 + unit ();
    case 4: return below (20) ? unit () : special[below (8)];
    default: return 100 * (unit () + unit () + unit () - 1.5);
    }
}

static void
fill (void *x, enum gpr_elem elem, int64_t count, int mood)
{
  for (int64_t i = 0; i < count; i++)
    {
      const double v = number (mood, i);
      if (elem == GPR_f64)
        ((f64 *) x)[i] = v;
      else if (elem == GPR_f32)
        ((f32 *) x)[i] = (f32) v;
      else
        {
          const double place = unit ();
          const uint64_t few = place < 0.3 ? 0x7F0000FE : place < 0.997 ? 0xFF0000FE : 0xFF0000FF;      /* of first words with ones, zeros and ones again */
          const int64_t n = mood == 6 ? (int64_t) (sizes[elem] == 8 ? few << 32 | i % 7 : few) : mood == 4 ? (int64_t) random64 () : (int64_t) v;
          memcpy ((char *) x + i * sizes[elem], &n, sizes[elem]);
        }
    }
}

static void *
on_device (const void *host, size_t bytes)
{
  void *p;
  need (cuda->backend.allocate (&p, bytes), "allocate");
  if (host)
    need (cuda->backend.upload (p, host, bytes), "upload");
  return p;
}

/* ---- checks --------------------------------------------------------------------------- */

static void
judge (gpr_status status, const void *x, const void *y, size_t bytes, const char *what, enum gpr_elem elem, int64_t inner, int64_t length, int64_t outer)
{
  const bool good = status == GPR_OK && memcmp (x, y, bytes) == 0;
  (good ? &passed : &failed)[0]++;
  if (! good && failed < 40)
    printf ("FAILED %s of element %d, %lld x %lld x %lld: status %d %s\n", what, elem, (long long) inner, (long long) length, (long long) outer,
            status, status ? message : "");
}

static void
check_selection (enum gpr_elem elem, int64_t inner, int64_t length, int64_t outer, const void *x, const void *dx, const void *center)
{
  double p[20];
  const int results = below (2) ? 0 : 1 + (int) below (20);
  const size_t columns = (size_t) (inner * outer), out = columns * (results ? results : 1), bytes = out * (results && elem != GPR_f32 ? 8 : sizes[elem]);
  void *y = malloc (bytes), *z = malloc (bytes), *dcenter = on_device (center, columns * sizes[elem]), *dz = on_device (NULL, bytes);
  const bool centered = elem <= GPR_f32 && below (4) == 0, resident = below (2), out_resident = below (2);

  for (int k = 0; k < results; k++)
    p[k] = below (4) == 0 ? 1 - (double) below (8) / (double) length : below (8) == 0 ? 3 * unit () - 1 : below (3) == 0 ? (double) below (5) / 4 : unit ();
  gpr_selection s = { .elem = elem, .inner = inner, .length = length, .outer = outer, .x = x, .center = centered ? center : NULL, .p = results ? p : NULL,
                      .results = results ? results : 1, .method = 1 + (int) below (9), .omit_nan = below (2), .round_up = below (2), .value = y };
  oracle_columns (&s, NULL);
  if (resident)
    {
      s.x = dx;
      s.center = centered ? dcenter : NULL;
      s.x_resident = true;
    }
  s.value = out_resident ? dz : z;
  s.out_resident = out_resident;
  gpr_status status = cuda->backend.select (&s);
  if (out_resident)
    need (cuda->backend.download (z, dz, bytes), "download");
  judge (status, y, z, bytes, results ? "quantiles" : "median", elem, inner, length, outer);
  cuda->backend.release (dcenter);
  cuda->backend.release (dz);
  free (y);
  free (z);
}

static void
check_ranking (enum gpr_elem elem, int64_t inner, int64_t length, int64_t outer, const void *x, const void *dx)
{
  const int64_t count = 1 + below (below (2) ? length : length < 40 ? length : 40);
  const size_t out = (size_t) (inner * outer * count), bytes = out * sizes[elem];
  void *y = malloc (bytes), *z = malloc (bytes), *dz = on_device (NULL, bytes), *dindex = on_device (NULL, out * sizeof (double));
  double *index_y = malloc (out * sizeof (double)), *index_z = malloc (out * sizeof (double));
  gpr_ranking r = { .elem = elem, .greatest = below (2), .nan_first = below (2), .inner = inner, .length = length, .outer = outer, .count = count, .x = x, .value = y, .index = index_y };

  oracle_columns (NULL, &r);
  r.x_resident = below (2);
  r.out_resident = below (2);
  r.x = r.x_resident ? dx : x;
  r.value = r.out_resident ? dz : z;
  r.index = r.out_resident ? dindex : index_z;
  gpr_status status = cuda->backend.rank (&r);
  if (r.out_resident)
    {
      need (cuda->backend.download (z, dz, bytes), "download");
      need (cuda->backend.download (index_z, dindex, out * sizeof (double)), "download");
    }
  judge (status, y, z, bytes, "k greatest", elem, inner, length, outer);
  judge (status, index_y, index_z, out * sizeof (double), "rows of the k greatest", elem, inner, length, outer);
  cuda->backend.release (dz);
  cuda->backend.release (dindex);
  free (y);
  free (z);
  free (index_y);
  free (index_z);
}

static void
check (int64_t most)
{
  static const int64_t lengths[] = { 1, 2, 7, 8, 40, 48, 64, 65, 333, 1024, 1025, 4097, 12345, 14000, 30000, 100000, 3000000 };
  static const int64_t inners[] = { 1, 1, 1, 2, 7, 31, 33, 64, 70, 300 };
  const enum gpr_elem elem = (enum gpr_elem) below (10);
  const int64_t length = below (2) ? lengths[below (17)] : 1 + below (3000), inner = inners[below (10)], outer = 1 + below (below (2) ? 3 : 20000);

  if (inner * length * outer > most)
    return;
  const size_t count = (size_t) (inner * length * outer), bytes = count * sizes[elem];
  void *x = malloc (bytes), *center = malloc ((size_t) (inner * outer) * sizes[elem]);
  fill (x, elem, (int64_t) count, (int) below (6));
  fill (center, elem, inner * outer, (int) below (6));
  void *dx = on_device (x, bytes);
  settings.memory_limit = below (3) ? 0 : 1 + (size_t) below (4 * (int64_t) bytes);
  check_selection (elem, inner, length, outer, x, dx, center);
  if (count < 1 << 20)
    check_ranking (elem, inner, length, outer, x, dx);
  settings.memory_limit = 0;
  cuda->backend.release (dx);
  free (x);
  free (center);
}

/* Columns that teams hold in their registers: as long as each number of a thread's elements allows, and by one longer; so many that they are held (src/cuda/select.c).  */
static void
check_held (void)
{
  static const enum gpr_elem elems[2][4] = { { GPR_f32, GPR_i32, GPR_u32, GPR_f32 }, { GPR_f64, GPR_i64, GPR_u64, GPR_f64 } };
  for (int size = 32; size <= 512; size *= 2)
    for (int each = size == 32 ? 2 : 12; each <= 32; each++)
      for (int more = 0; more <= 3; more++)
        {
          const enum gpr_elem elem = elems[more / 2][below (4)];
          const int64_t length = size * each + more % 2, outer = 1600 * 32 / size + below (100);
          const size_t count = (size_t) (length * outer);
          void *x = malloc (count * sizes[elem]), *dx;
          fill (x, elem, (int64_t) count, (int) below (7));
          dx = on_device (x, count * sizes[elem]);
          check_selection (elem, 1, length, outer, x, dx, x);
          cuda->backend.release (dx);
          free (x);
        }
}

/* ---- times ---------------------------------------------------------------------------- */

/* Milliseconds of a call, the least of some.  */
static double
least_ms (gpr_status (*call) (void *), void *problem)
{
  double least = HUGE_VAL;
  for (int i = 0; i < 8; i++)
    {
      const double from = seconds ();
      need (call (problem), "a timed call");
      const double ms = 1e3 * (seconds () - from);
      least = ms < least ? ms : least;
    }
  return least;
}
static gpr_status call_select (void *p) { return cuda->backend.select (p); }
static gpr_status call_rank (void *p) { return cuda->backend.rank (p); }

static void
time_shape (enum gpr_elem elem, int64_t inner, int64_t length, int64_t outer, int mood, const void *x)
{
  static const double p[] = { 0, 0.25, 0.5, 0.75, 1 };
  const int64_t count = inner * length * outer;
  void *dx = on_device (x, (size_t) count * sizes[elem]), *value = on_device (NULL, (size_t) (inner * outer) * 5 * 8), *index = on_device (NULL, (size_t) (inner * outer) * 5 * 8);
  gpr_selection s = { .elem = elem, .inner = inner, .length = length, .outer = outer, .x = dx, .x_resident = true, .results = 1, .value = value, .out_resident = true };
  gpr_ranking r = { .elem = elem, .greatest = true, .inner = inner, .length = length, .outer = outer, .count = length < 5 ? length : 5, .x = dx, .x_resident = true,
                    .value = value, .index = index, .out_resident = true };
  const double median = least_ms (call_select, &s);
  s.p = p;
  s.results = 5;
  s.method = 5;
  const double quantiles = least_ms (call_select, &s);
  const double ranks = count < 1 << 28 ? least_ms (call_rank, &r) : 0;
  printf ("%-6s %9lld x %9lld x %9lld, mood %d: median %8.3f ms (%5.0f GB/s), 5 quantiles %8.3f, 5 greatest %8.3f\n", elem == GPR_f64 ? "double" : elem == GPR_f32 ? "single" : "int16",
          (long long) inner, (long long) length, (long long) outer, mood, median, count * sizes[elem] / median / 1e6, quantiles, ranks);
  cuda->backend.release (dx);
  cuda->backend.release (value);
  cuda->backend.release (index);
}

static void
time_all (void)
{
  static const int64_t shapes[][3] = { { 1, 1000, 1 }, { 1, 100000, 1 }, { 1, 10000000, 1 }, { 1, 200000000, 1 }, { 1, 7, 14285714 }, { 1, 40, 2500000 }, { 1, 64, 1562500 },
    { 1, 100, 1000000 }, { 1, 333, 300300 }, { 1, 1001, 99900 }, { 1, 3000, 33333 }, { 1, 12345, 8100 }, { 1, 30000, 3333 }, { 1, 1000000, 100 }, { 7, 14285714, 1 }, { 40, 2500000, 1 },
    { 333, 1001, 300 }, { 333333, 300, 1 }, { 12345, 8100, 1 }, { 14285714, 7, 1 }, { 2500000, 40, 1 } };
  enum { MOST = 200000000 };
  static const enum gpr_elem elems[] = { GPR_f64, GPR_f32, GPR_i16 };
  void *x = malloc ((size_t) MOST * 8);

  for (int e = 0; e < 3; e++)
    for (int mood = 5; mood >= 0; mood -= 5)
      {
        fill (x, elems[e], MOST, mood);
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
          time_shape (elems[e], shapes[i][0], shapes[i][1], shapes[i][2], mood, x);
      }
  free (x);
}

int
main (int argc, char **argv)
{
  const gpr_cuda_host host = { &flag, &settings, note_failure };
  void *module = argc > 1 ? dlopen (argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  if (! module)
    {
      printf ("usage: select_check path/to/gpureduce_cuda.so [ROUNDS]: %s\n", argc > 1 ? dlerror () : "no path");
      return 2;
    }
  cuda = ((const gpr_cuda_api *(*) (const gpr_cuda_host *)) dlsym (module, "gpr_cuda_module")) (&host);
  if (getenv ("TEST_SEED"))
    state ^= strtoull (getenv ("TEST_SEED"), NULL, 0) * 0x9E3779B97F4A7C15ull;
  need (cuda->select (1), "choosing the GPU");
  const int rounds = argc > 2 ? atoi (argv[2]) : 1500;
  for (int round = rounds; round > 0; round--)
    check (round % 50 ? 300000 : 6000000);
  if (rounds > 30)              /* a race checker would take minutes */
    check_held ();
  if (argc <= 2)
    time_all ();
  printf ("%ld passed, %ld failed\n", passed, failed);
  return failed > 0;
}
