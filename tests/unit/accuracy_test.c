/* How far elementwise operations are from the exact value, over their whole domain: what IEEE rounds exactly has the same bits, the rest
   is within so many units in the last place (map_promise.h).  The exact value is libquadmath's, of singles the C library's of a
   long double; both are compared with each other.  Prints a table; what it said on which machine is in bench/results.

   The CPU backend is asked or, with the path of gpureduce_cuda.so, the GPU, for which this builds where no Octave is:

     cc -std=gnu11 -O2 -fopenmp -ffp-contract=off -DGPR_ISA=baseline -o build/accuracy tests/unit/accuracy_test.c \
       $(find src/core src/cpu src/dispatch -name '*.c') -lquadmath -lm -ldl
     build/accuracy path/to/gpureduce_cuda.so  */

#include <math.h>
#include <quadmath.h>

#include "../../src/core/map.h"
#include "../../src/cpu/cpu.h"
#include "../../src/dispatch/cuda_module.h"
#include "map_promise.h"
#include "test.h"

enum { BLOCK = 4096, SINGLES = 4 };     /* blocks of singles for each one of doubles */
typedef __float128 quad;

#define NAME(name) [GPR_MAP_##name] = #name,
static const char *const names[GPR_MAP_OP_COUNT] = { GPR_MAP_UNARY (NAME) GPR_MAP_BINARY (NAME) };
static const gpr_backend *backend;

/* ---- exact values ------------------------------------------------------------------------ */

/* As Octave has it: no sign at the poles but at 0.  */
static bool is_pole (quad x) { return (x < 0 && floorq (x) == x) || (isinfq (x) && x < 0); }

static quad
in_quad (int op, quad x, quad y)
{
  switch (op)
    {
#define ONE(name) case GPR_MAP_##name: return name##q (x);
#define TWO(name) case GPR_MAP_##name: return name##q (x, y);
    MAP_LIBRARY_OF_ONE (ONE) MAP_LIBRARY_OF_TWO (TWO)
    ONE (sqrt) ONE (floor) ONE (ceil) ONE (round)
#undef ONE
#undef TWO
    case GPR_MAP_fix: return truncq (x);
    case GPR_MAP_gamma: return is_pole (x) ? HUGE_VALQ : tgammaq (x);
    case GPR_MAP_power: return powq (x, y);
    case GPR_MAP_plus: return x + y;
    case GPR_MAP_minus: return x - y;
    case GPR_MAP_times: return x * y;
    default: return x / y;
    }
}

static long double
in_long_double (int op, long double x, long double y)
{
  switch (op)
    {
#define ONE(name) case GPR_MAP_##name: return name##l (x);
#define TWO(name) case GPR_MAP_##name: return name##l (x, y);
    MAP_LIBRARY_OF_ONE (ONE) MAP_LIBRARY_OF_TWO (TWO)
#undef ONE
#undef TWO
    case GPR_MAP_gamma: return is_pole (x) ? HUGE_VALL : tgammal (x);
    default: return powl (x, y);
    }
}

/* Whether the value above is the operation's; the others only compare, choose or round by Octave's formulas.  */
static bool
has_value (int op)
{
  return map_promise (op) > 0 || op == GPR_MAP_sqrt || (op >= GPR_MAP_floor && op <= GPR_MAP_fix) || (op >= GPR_MAP_plus && op <= GPR_MAP_rdivide);
}

/* What kernels/ops/map.h says of one element, which map_test.c compares with Octave's.  */
static double
as_defined (int op, bool single, double x, double y, int *left)
{
  switch (op)
    {
#define ONE(name) case GPR_MAP_##name: return single ? (double) gpr_map_##name##_f32 ((float) x, left) : gpr_map_##name##_f64 (x, left);
#define TWO(name) case GPR_MAP_##name: return single ? (double) gpr_map_##name##_f32 ((float) x, (float) y, left) : gpr_map_##name##_f64 (x, y, left);
    GPR_MAP_UNARY (ONE) GPR_MAP_BINARY (TWO)
#undef ONE
#undef TWO
    default: return 0;
    }
}

/* |v - exact| in units in the last place of the exact value; HUGE_VAL: a NaN, or a zero's sign, is wrong.  Infinity counts as the
   power of two after the greatest number.  */
static double
distance (int op, bool single, quad v, quad exact)
{
  const int digits = single ? 24 : 53, most = single ? 128 : 1024, least = single ? -149 : -1074;
  const quad infinite = scalbnq (1, most);
  quad far;
  int e;

  if (isnanq (exact) || isnanq (v))
    return isnanq (exact) && isnanq (v) ? 0 : HUGE_VAL;
  if (exact == 0 && v == 0)
    return ! signbitq (exact) == ! signbitq (v) ? 0 : HUGE_VAL;
  v = v > infinite ? infinite : v < -infinite ? -infinite : v;
  exact = exact > infinite ? infinite : exact < -infinite ? -infinite : exact;
  far = fabsq (v - exact);
  if (exact == 0)
    return (double) scalbnq (far, -least);
  frexpq (exact, &e);
  e = (e > most ? most : e) - digits;
  const double ulps = (double) scalbnq (far, -(e < least ? least : e)), epsilons = (double) scalbnq (far, digits - 1);
  return op == GPR_MAP_lgamma && epsilons < ulps ? epsilons : ulps;
}

/* ---- arguments ----------------------------------------------------------------------------- */

/* Zeros, poles, branch points, and where results overflow or become 0.  */
static const double points[] = {
  0, 1, 0.5, 2, 1.4616321449683622, 2.718281828459045, 0.70710678118654752, 3.1435808883499797, 3.9552942848585979, 5.0082181687294525, 5.998607480080876,
  709.78271289338397, 710.47586007394394, 745.13321910194122, 708.39641853226408, 171.62437695630272, 178.47241115886637, 5.8635847487551676, 26.543258430632783,
  88.722839111672997, 89.415986292232944, 103.97207708, 87.336544750553102, 35.040095531, 42.000001, 3.8325066, 10.054, 0x1p53, 0x1p24, 0x1p31, 1024, 128, 0x1p-27, 0x1p-12,
  DBL_MAX, DBL_MIN, FLT_MAX, FLT_MIN, 4.085e6, 1.2e17, 2.55634e305, HUGE_VAL, NAN
};

/* NaN is the quiet one.  */
static double
of_bits (bool single, uint64_t bits)
{
  union { uint64_t u; double d; } d = { bits };
  union { uint32_t u; float f; } f = { (uint32_t) bits };
  const double x = single ? f.f : d.d;
  return x == x ? x : NAN;
}

/* Some numbers further, in either direction.  */
static double
moved (double x, bool single)
{
  const uint64_t far = (uint64_t) random_below ((int64_t) 1 << random_below (single ? 20 : 44)), by = random_below (2) ? far : -far;
  union { double d; uint64_t u; } d = { x };
  union { float f; uint32_t u; } f = { (float) x };
  return of_bits (single, single ? f.u + by : d.u + by);
}

static double
argument (bool single)
{
  const double sign = random_below (2) ? 1 : -1;
  switch (random_below (6))
    {
    case 0: return of_bits (single, random_u64 ());
    case 1: return sign * moved (points[random_below (sizeof points / sizeof *points)], single);
    case 2: return sign * random_unit () * ldexp (1, (int) random_below (14) - 3);
    case 3: return sign * moved ((double) random_below ((int64_t) 1 << random_below (50)) * 1.5707963267948966, single);
    case 4: return sign * moved (0.5 * (double) random_below (400), single);
    default: return sign * (1 + (2 * random_unit () - 1) * ldexp (1, -(int) random_below (single ? 24 : 53)));
    }
}

/* Powers whose results are no zeros and infinities, and operands that are near to each other.  */
static double
second (bool single, double *x)
{
  const double log = log2 (fabs (*x)), exponent = (2 * random_unit () - 1) * (single ? 155 : 1080) / log;
  switch (random_below (5))
    {
    case 0: return argument (single);
    case 1: *x = fabs (*x); return exponent;
    case 2: return round (exponent);
    case 3: return *x * (2 * random_unit () - 1) * ldexp (1, (int) random_below (60) - 30);
    default: return moved (*x, single);
    }
}

/* Of singles the first half of all numbers that are looked at are each k-th of all there are.  Where the result would leave the
   reals, another is taken.  */
static void
arguments (int op, bool single, int64_t block, double *x, double *y)
{
  for (int i = 0; i < BLOCK; )
    {
      int left = 0;
      x[i] = single && i < BLOCK / 2 ? of_bits (true, (uint32_t) (block * BLOCK + i) * 2654435769u) : argument (single);
      if (single)
        x[i] = (float) x[i];
      y[i] = second (single, &x[i]);
      if (single)
        y[i] = (float) y[i];
      as_defined (op, single, x[i], y[i], &left);
      if (! left)
        i++;
      else if (i < BLOCK / 2)
        x[i++] = 1, y[i - 1] = 1;
    }
}

/* ---- one operation --------------------------------------------------------------------------- */

static void *
resident (const void *from, size_t bytes)
{
  void *p = NULL;
  if (backend->allocate (&p, bytes) != GPR_OK || (from && backend->upload (p, from, bytes) != GPR_OK))
    {
      printf ("%s\n", gpr_message ());
      exit (1);
    }
  return p;
}

/* z <- x op y by the backend.  */
static void
compute (int op, bool single, const double *x, const double *y, double *z)
{
  static float singles[3][BLOCK];
  const size_t bytes = BLOCK * (single ? sizeof (float) : sizeof (double));
  const bool rounds = op >= GPR_MAP_to_int8 && op <= GPR_MAP_to_uint32;         /* a step in double */
  const gpr_class class = single ? GPR_CLASS_single : GPR_CLASS_double;
  const gpr_map_step step[] = { { .op = GPR_MAP_load, .single = single && ! rounds }, { .op = op, .single = single && ! rounds, .at = 1 } };
  gpr_mapping m = { .rank = 1, .dims = { BLOCK }, .leaves = 2, .classes = { class, class }, .strides = { { 1 }, { 1 } }, .steps = 2, .step = step,
                    .class = class };

  for (int i = 0; single && i < BLOCK; i++)
    {
      singles[0][i] = (float) x[i];
      singles[1][i] = (float) y[i];
    }
  m.x[0] = resident (single ? (const void *) singles[0] : x, bytes);
  m.x[1] = resident (single ? (const void *) singles[1] : y, bytes);
  m.z = resident (NULL, bytes);
  expect (backend->map (&m) == GPR_OK && ! m.left && backend->download (single ? (void *) singles[2] : z, m.z, bytes) == GPR_OK,
          "%s of %s: %s", names[op], gpr_class_names[class], m.left ? "leaves the reals" : gpr_message ());
  for (int i = 0; single && i < BLOCK; i++)
    z[i] = singles[2][i];
  backend->release ((void *) m.x[0]);
  backend->release ((void *) m.x[1]);
  backend->release (m.z);
}

typedef struct { double ulps, x, y, got, exact; } worst;

static quad
exact_value (int op, bool single, double x, double y)
{
  int left = 0;
  const bool library = map_promise (op) > 0;
  const quad v = ! has_value (op) ? as_defined (op, single, x, y, &left) : single && library ? in_long_double (op, x, y) : in_quad (op, x, y);
  return library ? v : single ? (quad) (float) v : (quad) (double) v;
}

static worst
measure (int op, bool single, int64_t blocks)
{
  static double x[BLOCK], y[BLOCK], z[BLOCK], ulps[BLOCK];
  worst w = { 0 };

  for (int64_t block = 0; block < blocks; block++)
    {
      arguments (op, single, block, x, y);
      compute (op, single, x, y, z);
      #pragma omp parallel for
      for (int i = 0; i < BLOCK; i++)
        ulps[i] = distance (op, single, z[i], exact_value (op, single, x[i], y[i]));
      for (int i = 0; i < BLOCK; i++)
        if (ulps[i] > w.ulps)
          w = (worst) { ulps[i], x[i], y[i], z[i], (double) exact_value (op, single, x[i], y[i]) };
    }
  return w;
}

/* What is taken for exact: two libraries agree far beyond what they judge.  */
static void
compare_libraries (int op, int64_t blocks)
{
  static double x[BLOCK], y[BLOCK];
  for (int64_t block = 0; block < blocks; block++)
    {
      arguments (op, false, block, x, y);
      for (int i = 0; i < BLOCK; i++)
        {
          const long double v = in_long_double (op, x[i], y[i]);
          const double ulps = distance (op, false, v, in_quad (op, x[i], y[i]));
          expect (ulps <= 0.01, "%s (%.17g, %.17g): %.21Lg is %g units off", names[op], x[i], y[i], v, ulps);
        }
    }
}

static const char *
text_of (int op, bool single, const worst *w)
{
  static char text[2][120];
  const int digits = single ? 9 : 17;
  snprintf (text[single], sizeof text[single], gpr_map_takes_two (op) ? "%.*g, %.*g" : "%.*g", digits, w->x, digits, w->y);
  return w->ulps > 0 ? text[single] : "";
}

static void
all_operations (bool by_library)
{
  const int64_t blocks = test_cases (600);
  for (int op = GPR_MAP_save + 1; op < GPR_MAP_OP_COUNT; op++)
    {
      if ((map_promise (op) > 0) != by_library || op == GPR_MAP_to_logical)     /* whose NaN is an error */
        continue;
      const worst w[2] = { measure (op, false, by_library ? blocks : (blocks + 3) / 4), measure (op, true, SINGLES * (by_library ? blocks : (blocks + 3) / 4)) };
      for (int s = 0; s < 2; s++)
        expect (w[s].ulps <= map_promise (op), "%s (%s) of %s: %.17g, not %.17g", names[op], text_of (op, s, &w[s]), s ? "singles" : "doubles", w[s].got, w[s].exact);
      if (by_library)
        printf ("%-8s %2d %8.3f %8.3f  (%s) (%s)\n", names[op], map_promise (op), w[0].ulps, w[1].ulps, text_of (op, false, &w[0]), text_of (op, true, &w[1]));
    }
}

int
main (int argc, char **argv)
{
  if (argc > 1)
    setenv ("GPUREDUCE_CUDA_MODULE", argv[1], 1);
  backend = argc > 1 ? gpr_cuda () ? &gpr_cuda ()->backend : NULL : &gpr_cpu_backend;
  if (! backend)
    {
      printf ("%s\n0 passed, 1 failed\n", gpr_message ());
      return 1;
    }
  rule ("libraries_agree_on_the_exact_value");
  for (int op = GPR_MAP_save + 1; op < GPR_MAP_OP_COUNT; op++)
    if (map_promise (op) > 0)
      compare_libraries (op, 2);
  rule ("what_ieee_rounds_exactly_has_the_same_bits");
  all_operations (false);
  rule ("the_rest_is_within_so_many_units_in_the_last_place");
  printf ("function, units promised, of doubles, of singles, and where\n");
  all_operations (true);
  return verdict ();
}
