/* Products: the kernels of engine/settle.cu and engine/prod_columns.cu, compiled for the CPU and launched by src/cuda/settle.c on a fake
   runtime (tests/unit/fake_cuda).  In doubt they give what the elements in their order give, NaN and NA by the rule that NA among the inputs
   stays, and the tree's 0 where there is a factor 0; outputs that are not in doubt are left alone.  Many columns: the tree's results, or those.
   Random classes, shapes and numbers.  */

#include "cuda.h"

#include <atomic>
#include <cfloat>
#include <vector>
using std::atomic_bool, std::atomic_long;

#include "../../kernels/engine/settle.cu"
#include "../../kernels/engine/prod_columns.cu"
extern "C" {
#include "../../src/cuda/problems.h"
#include "../../src/cuda/session.h"
#include "../../src/cuda/stream.h"
#include "../unit/fake_cuda/fake_cuda.h"
const gpr_reduce_kernels *gpr_engine_sum (enum gpr_instance) { static const gpr_reduce_kernels none = {}; return &none; }   /* which device.c loads */
}
static volatile int never, *flag = &never;
static gpr_settings settings;
static gpr_status note (gpr_status status, const char *, ...) { return status; }
static gpr_cuda_state *device;
static uint64_t launch_seed = 1;
static void run_kernel (const void *kernel, unsigned blocks, unsigned block, const void *arguments)
{
  for (enum gpr_instance instance : { GPR_prod_f64, GPR_prod_f32, GPR_prod_f32_f64 })
    if (kernel == gpr_engine_prod_columns (instance)->kernel)
      {
        run_launch (kernel, *(const gpr_prod_columns_args *) arguments, min (blocks, 3u), block, &launch_seed);
        return;
      }
  run_launch (kernel, *(const gpr_settle_args *) arguments, min (blocks, 3u), block, &launch_seed);
}

static double unit () { return rand () / (double) RAND_MAX; }
/* Whose products fall to 0; grow beyond all; stay; do either for some hundred rows; or come to half of the least number, which is 0, or
   to a bit more, which is not, and go up again.  */
enum { FALLING, GROWING, NEAR_1, BOTH, HALF, MOODS };
static double number (int mood, int special, bool integer)
{
  static const double specials[] = { 0, -0.0, HUGE_VAL, -HUGE_VAL, NAN, 1e-310 };
  const double r = unit (), sign = rand () % 2 ? 1 : -1;
  if (special && rand () % special == 0)
    return integer ? 0 : rand () % 8 == 0 ? gpr_make_na () : specials[rand () % 6];
  return sign * (integer ? (mood == NEAR_1 ? 1 : 1 + rand () % 100) : mood == FALLING ? r : mood == GROWING ? 1 + 3 * r : mood == NEAR_1 ? 1 + (r - 0.5) / 1000 : exp (6 * (r - 0.5)));
}

template <class X, class A> static double half (int64_t row, int64_t rows)
{
  const int step = sizeof (A) == 8 ? 60 : 8, steps = sizeof (A) == 8 ? 17 : 15, last = sizeof (A) == 8 ? 55 : 30;
  const int64_t there = rows % 2 ? 2 * steps : 4 * steps;       /* and back, or to infinity were it not 0 */
  const int64_t first = rows > there ? (rows - there) & ~(int64_t) 1 : 0;
  const double more = rand () % (4 * rows) ? 1 : 1 + (sizeof (X) == 8 ? DBL_EPSILON : FLT_EPSILON);
  return ldexp (rand () % 2 ? more : -more, row < first ? (row % 2 ? step : -step) : row - first < steps ? -step : row - first == steps ? -last : step);
}

static long settled, left_open;
static void put (f64 *y, f64 v) { *y = v; }
static void put (f32 *y, f64 v) { settle_put (y, v); }

template <class X, class A> static bool check (const char *name, enum gpr_instance instance, bool omit, bool beyond = false)
{
  static const int64_t inners[] = { 1, 1, 1, 2, 7, 31, 32, 40 };
  const bool many = ! beyond && rand () % 4 == 0;               /* outputs, of few rows */
  const int64_t inner = many && rand () % 2 ? 600 + rand () % 1000 : inners[rand () % 8];
  const int64_t outer = beyond ? 1 : 1 + rand () % (many ? 2000 / inner + 1 : 6), outputs = inner * outer;
  const int64_t length = beyond ? GPR_SETTLE_LIMIT + 1 + (GPR_IS_FLOAT (X) ? 0 : rand () % GPR_SETTLE_LIMIT) : many ? 1 + rand () % 200 : rand () % 5 ? 1 + rand () % 3000 : outputs < 3 ? 1 + rand () % 90000 : 5000;
  const int mood = beyond ? NEAR_1 : rand () % MOODS, special = beyond && ! GPR_IS_FLOAT (X) ? GPR_SETTLE_LIMIT : beyond || rand () % 2 ? 0 : 3 + rand () % 4000;
  std::vector<X> x ((size_t) (outputs * length));
  std::vector<A> y (outputs), want (outputs);
  bool near_1 = false, good = true;

  for (size_t k = 0; k < x.size (); k++)
    x[k] = (X) (mood == HALF && GPR_IS_FLOAT (X) ? half<X, A> (k / inner % length, length) : number (mood, special, ! GPR_IS_FLOAT (X)));
  for (int64_t i = 0; i < outputs; i++)
    {
      A p = 1;
      bool nan = false, na = false, zero = false, infinite = false;
      for (int64_t r = 0; r < length; r++)
        {
          const X v = x[i / inner * length * inner + i % inner + r * inner];
          if (v != v && omit)
            continue;
          nan = nan || v != v;
          na = na || (v != v && gpr_na_f64 (v));
          zero = zero || v == 0;
          infinite = infinite || (GPR_IS_FLOAT (X) && (v == (X) HUGE_VAL || v == (X) -HUGE_VAL));
          p *= (A) v;
        }
      put (&want[i], nan || p != p ? (na ? gpr_make_na () : gpr_make_nan ()) : (f64) p);
      y[i] = nan || zero || infinite ? (A) NAN : signbit (p) ? (A) -HUGE_VAL : (A) HUGE_VAL;      /* ops/product.h */
      if (zero && ! nan && ! infinite && rand () % 3 == 0)
        y[i] = want[i] = 0;     /* the tree met the 0 before it overflowed */
      if (rand () % 10 == 0 || (beyond && ! zero && ! GPR_IS_FLOAT (X)))
        y[i] = want[i] = (A) 1.5;       /* not in doubt */
    }
  device->multiprocessors = 1 << rand () % 8;           /* by which outputs share blocks, and blocks have more of them */
  void *there[2] = {};
  const bool resident = rand () % 2;
  if (gpr_cuda_take (device, &there[0], x.size () * sizeof (X)) != GPR_OK || gpr_cuda_take (device, &there[1], outputs * sizeof (A)) != GPR_OK)
    return false;
  memcpy (there[0], x.data (), x.size () * sizeof (X));
  memcpy (there[1], y.data (), outputs * sizeof (A));
  gpr_reduction r = { .instance = instance, .inner = inner, .length = length, .outer = outer, .x = there[0], .x_resident = true,
                      .value = resident ? there[1] : y.data (), .out_resident = resident, .needs_fixup = true };
  device->first_rows_done = false;
  if (resident && rand () % 2)          /* behind a tree */
    {
      good = gpr_cuda_settle_behind (device, NULL, &r, there[1]) == GPR_OK && gpr_cuda_drain (device) == GPR_OK;
      r.needs_fixup = *(volatile int *) device->left_in_doubt;
    }
  good = good && (! r.needs_fixup || gpr_cuda_settle (device, &r) == GPR_OK);
  if (resident)
    memcpy (y.data (), there[1], outputs * sizeof (A));
  gpr_cuda_give (there[0]);
  gpr_cuda_give (there[1]);
  good = good && fake.violations == 0 && (! r.needs_fixup || length > GPR_SETTLE_LIMIT);
  (r.needs_fixup ? left_open : settled)++;
  for (int64_t i = 0; i < outputs && ! r.needs_fixup; i++)
    good = good && memcmp (&y[i], &want[i], sizeof (A)) == 0;
  if (! good)
    printf ("FAILED %s: %lld x %lld x %lld on %d, mood %d, special %d%s %s\n", name, (long long) inner, (long long) length, (long long) outer,
            device->multiprocessors, mood, special, resident ? ", resident" : "", fake.violations ? fake.last : "");
  fake.violations = 0;
  return good;
}

/* By the text of kernels/common/tree.h.  */
template <class A> static A marked (A a, A b)
{
  if constexpr (sizeof (A) == 8)
    return gpr_marked_product_f64 (a, b, GPR_SMALL_f64);
  else
    return gpr_marked_product_f32 (a, b, GPR_SMALL_f32);
}
template <class A> static A factor (A x) { return fabs (x) == (A) HUGE_VAL ? (A) NAN : x; }
template <class X, class A> static A by_the_tree (const X *x, int64_t stride, const gpr_tree &t, bool omit)
{
  std::vector<A> parts, lanes (t.lanes);
  for (int64_t first = 0; first < t.length; first += t.rows)
    {
      std::fill (lanes.begin (), lanes.end (), (A) 1);
      for (int64_t r = first; r < t.length && r < first + t.rows; r++)
        if (! (omit && x[r * stride] != x[r * stride]))
          lanes[(r - first) % t.lanes] = marked (lanes[(r - first) % t.lanes], factor ((A) x[r * stride]));
      for (int k = t.lanes / 2; k > 0; k /= 2)
        for (int q = 0; q < k; q++)
          lanes[q] = marked (lanes[q], lanes[q + k]);
      parts.push_back (lanes[0]);
    }
  for (; parts.size () > 1; parts.resize ((parts.size () + 1) / 2))
    for (size_t k = 0; k < parts.size (); k += 2)
      parts[k / 2] = k + 1 < parts.size () ? marked (parts[k], parts[k + 1]) : parts[k];
  return parts[0];
}

static long certain, doubtful;
template <class X, class A> static bool check_columns (const char *name, enum gpr_instance instance, bool omit)
{
  device->multiprocessors = 1;
  const int64_t inner = rand () % 8 == 0 ? 1500 : 100 + rand () % 700, outer = 1 + GPR_PROD_MANY / inner + rand () % 2, outputs = inner * outer;
  const int64_t length = (sizeof (A) == 8 ? 1024 : 128) + rand () % 500;
  const int mood = rand () % MOODS, special = rand () % 2 ? 0 : 3 + rand () % 9000;
  const gpr_tree t = gpr_tree_make (sizeof (A), inner, length, outer);
  std::vector<X> x ((size_t) (outputs * length));
  std::vector<A> y (outputs);
  bool good = true, done = false;

  for (size_t k = 0; k < x.size (); k++)
    x[k] = (X) (mood == HALF ? half<X, A> (k / inner % length, length) : number (mood, special, false));
  void *there[2] = {};
  if (gpr_cuda_take (device, &there[0], x.size () * sizeof (X)) != GPR_OK || gpr_cuda_take (device, &there[1], outputs * sizeof (A)) != GPR_OK)
    return false;
  memcpy (there[0], x.data (), x.size () * sizeof (X));
  gpr_reduction r = { .instance = instance, .inner = inner, .length = length, .outer = outer, .x = there[0], .x_resident = true,
                      .value = there[1], .out_resident = true };
  good = gpr_cuda_prod_columns (device, &r, &done) == GPR_OK && done;
  if (good && r.needs_fixup)
    good = gpr_cuda_settle (device, &r) == GPR_OK && ! r.needs_fixup;
  memcpy (y.data (), there[1], outputs * sizeof (A));
  gpr_cuda_give (there[0]);
  gpr_cuda_give (there[1]);
  for (int64_t i = 0; i < outputs && good; i++)
    {
      const X *own = x.data () + i / inner * length * inner + i % inner;
      A want = by_the_tree<X, A> (own, inner, t, omit);
      (want - want == 0 ? certain : doubtful)++;
      if (want - want != 0)
        {
          A p = 1;
          bool nan = false, na = false;
          for (int64_t k = 0; k < length; k++)
            {
              const X v = own[k * inner];
              if (v != v && omit)
                continue;
              nan = nan || v != v;
              na = na || (v != v && gpr_na_f64 (v));
              p *= (A) v;
            }
          put (&want, nan || p != p ? (na ? gpr_make_na () : gpr_make_nan ()) : (f64) p);
        }
      good = memcmp (&y[i], &want, sizeof (A)) == 0;
    }
  good = good && fake.violations == 0;
  if (! good)
    printf ("FAILED columns, %s: %lld x %lld x %lld, mood %d, special %d %s\n", name, (long long) inner, (long long) length, (long long) outer, mood, special,
            fake.violations ? fake.last : "");
  fake.violations = 0;
  return good;
}

/* Rows whose groups of 16 stay in the range, each, while what they come to together does not: a run of groups leaps too far.  */
static bool check_runs ()
{
  const double u = 0x1p60, d = 0x1p-60;
  std::vector<double> x;
  const auto group = [&] (std::vector<double> own) { own.resize (16, 1); x.insert (x.end (), own.begin (), own.end ()); };
  const auto many = [] (int n, double v, std::vector<double> more) { std::vector<double> all (n, v); all.insert (all.end (), more.begin (), more.end ()); return all; };
  group (many (15, u, {}));
  x.resize (128, 1);
  group (many (10, d, {}));
  group (many (1, 1.6 * 0x1p-54, many (7, d, {})));
  group (many (15, u, {}));
  x.resize (256, 1);
  group (many (4, u, { 1.1 * 0x1p57 }));
  group (many (4, d, { 0x1p-57 }));
  group (many (12, d, { 0x1p-6 }));
  x.resize (1536, 1);
  for (int k = 0; k < 20; k++)
    {
      const size_t end = x.size () + 64;
      x.insert (x.end (), { d, u });
      x.resize (end, 1);
    }
  double p = 1, y = HUGE_VAL;
  for (double v : x)
    p *= v;
  void *there;
  if (gpr_cuda_take (device, &there, x.size () * sizeof (double)) != GPR_OK)
    return false;
  memcpy (there, x.data (), x.size () * sizeof (double));
  gpr_reduction r = { .instance = GPR_prod_f64, .inner = 1, .length = (int64_t) x.size (), .outer = 1, .x = there, .x_resident = true, .value = &y, .needs_fixup = true };
  device->multiprocessors = 100;
  device->first_rows_done = false;
  const bool good = gpr_cuda_settle (device, &r) == GPR_OK && ! r.needs_fixup && y == p;
  if (! good)
    printf ("FAILED runs of groups: %g, not %g\n", y, p);
  gpr_cuda_give (there);
  return good;
}

int main (int argc, char **argv)
{
  const int rounds = argc > 1 ? atoi (argv[1]) : 60;
  long passed = 0, failed = 0;

  if (getenv ("TEST_SEED"))
    seed ^= strtoull (getenv ("TEST_SEED"), NULL, 0) * 0x9E3779B97F4A7C15ull;
  srand ((unsigned) seed);
  gpr_host = { &flag, &settings, note, nullptr, nullptr };
  fake_run_kernel = run_kernel;
  fake_argument_bytes = sizeof (gpr_settle_args);
  if (gpr_cuda_enter (&device, nullptr, nullptr, nullptr) != GPR_OK)
    return 1;
  fake_late_us = 0;
#define CHECK(id, X, A, omit) (check<X, A> (#id, GPR_##id, omit) ? passed : failed)++;
#define COLUMNS(id, X, A, omit) (check_columns<X, A> (#id, GPR_##id, omit) ? passed : failed)++;
  for (int round = 0; round < rounds; round++)
    {
      CHECK (prod_f64, f64, f64, false) CHECK (prod_f32, f32, f32, false) CHECK (prod_f32_f64, f32, f64, false)
      CHECK (prodomit_f64, f64, f64, true) CHECK (prodomit_f32, f32, f32, true) CHECK (prodomit_f32_f64, f32, f64, true)
      COLUMNS (prod_f64, f64, f64, false) COLUMNS (prod_f32, f32, f32, false) COLUMNS (prod_f32_f64, f32, f64, false)
      COLUMNS (prodomit_f64, f64, f64, true) COLUMNS (prodomit_f32, f32, f32, true) COLUMNS (prodomit_f32_f64, f32, f64, true)
      CHECK (prod_i8, i8, f64, false) CHECK (prod_u16, u16, f64, false) CHECK (prod_i32, i32, f64, false) CHECK (prod_u64, u64, f64, false)
    }
  (check_runs () ? passed : failed)++;
  (check<f64, f64> ("beyond the limit", GPR_prod_f64, false, true) ? passed : failed)++;
  for (int k = 0; k < 4; k++)
    (check<i8, f64> ("integers beyond the limit", GPR_prod_i8, false, true) ? passed : failed)++;
  printf ("%ld problems settled, %ld left to the host\n", settled, left_open);
  (settled > rounds && left_open > 0 ? passed : failed)++;
  printf ("many columns: %ld products by the tree, %ld in order\n", certain, doubtful);
  (certain > 1000 && doubtful > 1000 ? passed : failed)++;
  printf ("%ld passed, %ld failed\n", passed, failed);
  return failed != 0;
}
