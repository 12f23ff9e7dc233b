/* The kernels of medians, quantiles and the k greatest, compiled for the CPU and launched by src/cuda/select.c, rank.c and
   read_keys.c themselves on a fake runtime (tests/unit/fake_cuda), give what the sorted column has there, bit for bit: random classes, shapes,
   numbers, places and sizes of shared memory.  Samples mislead now and then (GPR_SELECT_SIGMAS).  */

#include "cuda.h"

#include <atomic>
#include <cfloat>
#include <limits>
#include <set>
#include <vector>
using std::atomic_bool, std::atomic_long;

alignas (16) static unsigned char block_memory[256 << 10];
#define GPR_SELECT_MEMORY(raw) unsigned char *raw = block_memory
#include "../../kernels/engine/select.cu"
#include "../../kernels/engine/select_held.cu"
extern "C" {
#include "../../src/core/select.h"
#include "../../src/cuda/problems.h"
#include "../../src/cuda/session.h"
#include "../../src/cuda/stream.h"
#include "../unit/fake_cuda/fake_cuda.h"
#include "../oracle/select_oracle.h"
volatile int never, *gpr_interrupt_flag = &never;
gpr_status gpr_fail (gpr_status status, const char *, ...) { return status; }
gpr_status gpr_cuda_sort (gpr_cuda_state *, gpr_ranking *p);
const void *gpr_engine_sum (...) { static const void *none[64]; return none; }    /* which device.c loads */
}

static volatile int *flag = &never;
static gpr_settings settings;
static gpr_status note (gpr_status status, const char *, ...) { return status; }
static gpr_cuda_state *device;
static uint64_t launch_seed = 1;

enum { KINDS = GPR_SELECT_KEEP + 1 };
static long runs[KINDS], sampled, again, sorts, listed;
static std::set<const void *> of_held;
static int asked;               /* of columns that registers hold: 1: for medians, 2: for quantiles */
static void run_kernel (const void *kernel, unsigned blocks, unsigned block, const void *arguments)
{
  const gpr_select_args a = *(const gpr_select_args *) arguments;
  for (int k = 0; k < KINDS; k++)
    if (gpr_engine_select ((gpr_select_kernel) k, &a) == kernel && (k != GPR_SELECT_NETWORKS || a.length <= GPR_SELECT_NETWORK))
      runs[k]++;
  if (kernel == gpr_engine_select (GPR_SELECT_SAMPLE, &a) && a.level == 0)
    (a.seed == 1 ? sampled : again)++;
  if (asked && kernel == gpr_engine_select_held (a.bytes, a.length, a.method == 0).kernel)
    of_held.insert (kernel);
  listed += a.of_list && kernel == gpr_engine_select (GPR_SELECT_DIGIT, &a);
  run_launch (kernel, a, min (blocks, 3u), block, &launch_seed);
}

/* ---- problems --------------------------------------------------------------------------- */

static double unit () { return rand () / (double) RAND_MAX; }
static const int bytes_of[GPR_ELEM_COUNT] = { 8, 4, 1, 1, 2, 2, 4, 4, 8, 8 };
static bool near;               /* all elements are near each other: keys differ in their last bits */
template <class T> static void fill_as (std::vector<char> &x, bool floats)
{
  static const double special[] = { 0, -0.0, HUGE_VAL, -HUGE_VAL, NAN, -NAN, 1, -1, DBL_MIN / 8, (double) std::numeric_limits<T>::max (), (double) std::numeric_limits<T>::lowest () };
  const int mood = near ? 6 : rand () % 7, last = 3 + rand () % 3000;
  const double some = rand () % 3 ? 0 : unit (), step = exp (12 * unit ());
  T *at = (T *) x.data ();
  for (size_t i = 0; i < x.size () / sizeof (T); i++)
    {
      const double r = unit ();
      at[i] = (T) (mood == 0 ? floor (5 * r) : mood == 1 ? 3 : mood == 2 ? i / step : mood == 3 ? 1 + r : mood == 6 ? (floats ? 1 + rand () % last * (double) std::numeric_limits<T>::epsilon () : rand () % last) : 100 * (r + unit () + unit () - 1.5));
      if (floats && unit () < some)
        at[i] = (T) special[rand () % 11];
    }
  if (! floats && mood == 5)
    for (char &b : x)
      b = (char) rand ();
}

/* Columns of so many whole numbers, of which a few are wanted: their first words have a byte of ones, zeros that all have, and a byte of ones again.  */
static int64_t few_of;
template <class T> static void fill_few (std::vector<char> &x)
{
  for (size_t i = 0; i < x.size () / sizeof (T); i++)
    {
      const int64_t r = i % few_of;
      const u32 word = r < few_of * 3 / 10 ? 0x7F0000FE : r < few_of - 5 ? 0xFF0000FE : 0xFF0000FF;
      ((T *) x.data ())[i] = sizeof (T) == 4 ? (T) word : (T) word << (8 * sizeof (T) - 32) | (T) (rand () % 9);
    }
}
static int64_t ones_of;         /* columns of that length, of u64, whose first words are all ones or 0: with the registers that are left over as many ones as the column has elements */
static void fill (std::vector<char> &x, enum gpr_elem elem)
{
  const int bytes = bytes_of[elem];
  if (few_of)
    return bytes == 4 ? fill_few<u32> (x) : fill_few<u64> (x);
  if (ones_of && bytes == 8)
    {
      const int64_t ones = 2 * ones_of - (ones_of + 31) / 32 * 32;
      for (size_t i = 0; i < x.size () / 8; i++)
        ((u64 *) x.data ())[i] = (i % ones_of * 7 + 3) % ones_of < (u64) ones ? ~(u64) (rand () % 100) : rand () % 100;
      return;
    }
  elem == GPR_f64 ? fill_as<f64> (x, true) : elem == GPR_f32 ? fill_as<f32> (x, true) : bytes == 1 ? fill_as<i8> (x, false)
    : bytes == 2 ? fill_as<i16> (x, false) : bytes == 4 ? fill_as<i32> (x, false) : fill_as<i64> (x, false);
}

/* A GPU of any size.  */
static bool room_for_all;       /* of any length in shared memory */
static void set_device (int64_t length, size_t bytes)
{
  device->multiprocessors = room_for_all ? 1 : 1 + rand () % 2;
  device->shared_bytes = 272 << 10;
  settings.memory_limit = 0;
  if (room_for_all)
    return;
  device->shared_bytes = 12000 << rand () % (length > 1000 ? 3 : 5);
  settings.memory_limit = rand () % 3 ? 0 : 1 + rand () % (4 * bytes);
}

static bool check (enum gpr_elem elem, int64_t inner, int64_t length, int64_t outer)
{
  const int bytes = bytes_of[elem], results = asked ? asked == 1 ? 0 : 1 + rand () % 3 : rand () % 2 ? 0 : 1 + rand () % (rand () % 4 ? 5 : 20);
  const bool floats = elem == GPR_f64 || elem == GPR_f32, x_resident = rand () % 2, out_resident = rand () % 2, centered = floats && ! asked && rand () % 4 == 0;
  const int to_bytes = results ? (elem == GPR_f32 ? 4 : 8) : bytes;
  const size_t count = (size_t) (inner * length * outer), columns = (size_t) (inner * outer), out = columns * (results ? results : 1);
  std::vector<char> x (count * bytes), center (columns * bytes), y (out * to_bytes), z (out * to_bytes);
  std::vector<double> p (results);

  fill (x, elem);
  fill (center, floats ? elem : GPR_f64);
  for (double &q : p)
    q = asked && rand () % 2 ? 1 - rand () % 8 / (double) length : rand () % 8 == 0 ? (rand () % 3 ? NAN : 3 * unit () - 1) : rand () % 3 == 0 ? rand () % 5 / 4.0 : unit ();
  gpr_selection s = { .elem = elem, .inner = inner, .length = length, .outer = outer, .x = x.data (), .center = centered ? center.data () : NULL,
                      .p = results ? p.data () : NULL, .results = results ? results : 1, .method = results ? 1 + rand () % 9 : 0,
                      .omit_nan = rand () % 2 != 0, .logical = bytes == 1 && rand () % 2, .round_up = rand () % 2 != 0, .value = y.data () };
  oracle_columns (&s, NULL);
  s.value = z.data ();
  void *there[3] = {};
  const size_t room[3] = { x.size (), center.size (), z.size () };
  for (int i = 0; i < 3; i++)
    if ((i < 2 ? x_resident : out_resident) && gpr_cuda_take (device, &there[i], room[i]) != GPR_OK)
      return false;
  if (x_resident)
    {
      s.x = memcpy (there[0], x.data (), x.size ());
      s.center = centered ? memcpy (there[1], center.data (), center.size ()) : NULL;
      s.x_resident = true;
    }
  if (out_resident)
    s.value = there[2];
  s.out_resident = out_resident;
  set_device (length, x.size ());
  gpr_status status = gpr_cuda_selection (device, &s);
  if (out_resident)
    memcpy (z.data (), there[2], z.size ());
  for (void *t : there)
    gpr_cuda_give (t);
  const bool good = status == GPR_OK && fake.violations == 0 && memcmp (y.data (), z.data (), y.size ()) == 0;
  if (! good)
    printf ("FAILED: element %d, %lld x %lld x %lld, %d results of method %d, %zu bytes of shared memory, limit %zu%s%s%s%s%s%s\n", elem,
            (long long) inner, (long long) length, (long long) outer, results, s.method, device->shared_bytes, settings.memory_limit,
            centered ? ", centered" : "", x_resident ? ", resident" : "", out_resident ? ", to resident" : "", s.omit_nan ? ", no NaN" : "",
            status == GPR_OK ? "" : ", status", fake.violations ? fake.last : "");
  fake.violations = 0;
  return good;
}

/* Stands in for order.c, whose sort is CUB's.  */
gpr_status gpr_cuda_sort (gpr_cuda_state *, gpr_ranking *p)
{
  sorts++;
  oracle_columns (NULL, p);
  return GPR_OK;
}

static bool check_ranking (enum gpr_elem elem, int64_t inner, int64_t length, int64_t outer)
{
  const int bytes = bytes_of[elem];
  const bool floats = elem == GPR_f64 || elem == GPR_f32, x_resident = rand () % 2, out_resident = rand () % 2;
  const int64_t count = 1 + rand () % (rand () % 2 ? length : min (length, (int64_t) 1 + length / 10));
  const size_t columns = (size_t) (inner * outer), out = columns * count;
  std::vector<char> x (columns * length * bytes), y (out * bytes), z (out * bytes);
  std::vector<double> at_y (out), at_z (out);

  fill (x, elem);
  gpr_ranking p = { .elem = elem, .greatest = rand () % 3 != 0, .nan_first = rand () % 2 != 0, .inner = inner, .length = length, .outer = outer, .count = count, .x = x.data (),
                    .value = y.data (), .index = rand () % 3 ? at_y.data () : NULL };
  oracle_columns (NULL, &p);
  void *there[3] = {};
  const size_t room[3] = { x.size (), y.size (), out * 8 };
  for (int i = 0; i < 3; i++)
    if ((i < 1 ? x_resident : out_resident) && gpr_cuda_take (device, &there[i], room[i]) != GPR_OK)
      return false;
  p.x_resident = x_resident;
  p.out_resident = out_resident;
  if (x_resident)
    p.x = memcpy (there[0], x.data (), x.size ());
  p.value = out_resident ? there[1] : z.data ();
  if (p.index)
    p.index = out_resident ? (double *) there[2] : at_z.data ();
  set_device (length, x.size ());
  const gpr_status status = gpr_cuda_ranking (device, &p);
  if (out_resident)
    {
      memcpy (z.data (), there[1], z.size ());
      memcpy (at_z.data (), there[2], out * 8);
    }
  for (void *t : there)
    gpr_cuda_give (t);
  const bool good = status == GPR_OK && fake.violations == 0 && y == z && (! p.index || at_y == at_z);
  if (! good)
    printf ("FAILED: first %lld of element %d, %lld x %lld x %lld, %zu bytes of shared memory, limit %zu%s%s%s%s\n", (long long) count, elem,
            (long long) inner, (long long) length, (long long) outer, device->shared_bytes, settings.memory_limit, x_resident ? ", resident" : "",
            out_resident ? ", to resident" : "", status == GPR_OK ? "" : ", status", fake.violations ? fake.last : "");
  fake.violations = 0;
  return good;
}

/* ---- readings of keys that begin with a prefix: beside all keys of the column ----------------------- */

static std::vector<u64> keys_of (const gpr_key_reading &k, const char *x, const char *center)
{
  std::vector<u64> keys;
  for (int64_t r = 0; r < k.length; r++)
    switch (k.elem)
      {
#define KEY(T, K, B) \
      case GPR_##T: \
        { \
          const T v = ((const T *) x)[r * k.stride]; \
          keys.push_back ((u64) gpr_order_key_##T (center ? (T) fabs ((double) (T) (v - *(const T *) center)) : v, false) << (64 - B)); \
        } \
        break;
      GPR_ORDER_TYPES (KEY)
#undef KEY
      default: break;
      }
  return keys;
}
static bool begins (const gpr_key_reading &k, u64 key) { return k.known == 0 || key >> (64 - k.known) == k.prefix; }

static bool counts_agree (gpr_key_reading *k, const std::vector<u64> &keys, int digit, std::vector<int64_t> &table)
{
  std::vector<int64_t> want ((size_t) 1 << digit);
  u64 least, greatest, low = ~(u64) 0, high = 0;
  table.assign (want.size (), -1);
  for (u64 key : keys)
    if (begins (*k, key))
      {
        want[key >> (64 - k->known - digit) & ((1u << digit) - 1)]++;
        low = key < low ? key : low;
        high = key > high ? key : high;
      }
  return gpr_cuda_keys_count (device, k, digit, table.data (), &least, &greatest) == GPR_OK && table == want && least == low && greatest == high;
}

static bool kept_agree (gpr_key_reading *k, const std::vector<u64> &keys)
{
  std::vector<u64> want, got (k->inside);
  const bool wanted = k->inside <= k->most && rand () % 4;
  u64 above, least = ~(u64) 0;
  for (u64 key : keys)
    if (begins (*k, key))
      want.push_back (key);
    else if (key >> (64 - k->known) > k->prefix && key < least)
      least = key;
  if (gpr_cuda_keys_keep (device, k, wanted ? got.data () : NULL, &above) != GPR_OK || above != least)
    return false;
  std::sort (want.begin (), want.end ());
  std::sort (got.begin (), got.end ());
  return ! wanted || want == got;
}

/* Looks for one key as a median is looked for, now and then for none.  */
static bool search (gpr_key_reading *k, const std::vector<u64> &keys)
{
  const int bits = 8 * bytes_of[k->elem];
  const u64 key = keys[rand () % keys.size ()];
  std::vector<int64_t> table;
  bool good = true;
  for (k->known = 0, k->prefix = 0; k->known < bits && good; )
    {
      const int digit = min (bits - k->known, rand () % 2 ? (int) GPR_KEY_DIGIT : 1 + rand () % GPR_KEY_DIGIT);
      good = counts_agree (k, keys, digit, table);
      const u64 found = rand () % 16 ? key >> (64 - k->known - digit) & (table.size () - 1) : rand () % table.size ();
      k->known += digit;
      k->prefix = k->prefix << digit | found;
      k->inside = table[found];
      good = good && (rand () % 3 || kept_agree (k, keys));
    }
  return good && kept_agree (k, keys);
}

static bool check_keys (enum gpr_elem elem, int64_t stride, int64_t length)
{
  const int bytes = bytes_of[elem];
  const bool centered = (elem == GPR_f64 || elem == GPR_f32) && rand () % 3 == 0;
  std::vector<char> x (stride * length * bytes), center (bytes);
  void *there = NULL;
  gpr_key_reading k = { .elem = elem, .length = length, .stride = stride, .digit = GPR_KEY_DIGIT, .most = 1 + rand () % length };

  fill (x, elem);
  fill (center, centered ? elem : GPR_f64);
  if (gpr_cuda_take (device, &there, x.size ()) != GPR_OK)
    return false;
  memcpy (there, x.data (), x.size ());
  set_device (length, x.size ());
  k.x = there;
  bool good = gpr_cuda_keys_begin (device, &k) == GPR_OK;
  for (int64_t c = 0; c < stride && good; c++)
    {
      k.x = (char *) there + c * bytes;
      k.center = centered ? center.data () : NULL;
      const std::vector<u64> keys = keys_of (k, x.data () + c * bytes, (const char *) k.center);
      for (int result = 0; result < 2 && good; result++)
        good = search (&k, keys);
    }
  gpr_cuda_keys_end (&k);
  gpr_cuda_give (there);
  good = good && fake.violations == 0;
  if (! good)
    printf ("FAILED: keys of element %d, %lld rows %lld apart, %d bits known, limit %zu%s%s\n", elem, (long long) length, (long long) stride, k.known,
            settings.memory_limit, centered ? ", centered" : "", fake.violations ? fake.last : "");
  fake.violations = 0;
  return good;
}

int main (int argc, char **argv)
{
  static const int64_t inners[] = { 1, 1, 1, 2, 3, 7, 31, 33, 64, 70 };
  static const int64_t lengths[] = { 1, 2, 3, 7, 8, 40, 48, 64, 65, 100, 128, 129, 333, 1000, 1024, 1025, 3000, 9000, 20000, 50000 };
  const int rounds = argc > 1 ? atoi (argv[1]) : 250;
  long passed = 0, failed = 0;

  if (getenv ("TEST_SEED"))
    seed ^= strtoull (getenv ("TEST_SEED"), NULL, 0) * 0x9E3779B97F4A7C15ull;
  srand ((unsigned) seed);
  gpr_host = { &flag, &settings, note, nullptr, nullptr };
  fake_run_kernel = run_kernel;
  fake_argument_bytes = sizeof (gpr_select_args);
  if (gpr_cuda_enter (&device, nullptr, nullptr, nullptr) != GPR_OK)
    return 1;
  fake_late_us = 0;
  for (int round = 0; round < rounds; )
    {
      const int64_t inner = inners[rand () % 10], length = rand () % 2 ? lengths[rand () % (sizeof lengths / sizeof *lengths)] : 1 + rand () % 2000;
      const int64_t outer = 1 + rand () % (rand () % 2 ? 3 : 300);
      if (inner * length * outer > 30000)
        continue;
      (check ((enum gpr_elem) (round % 10), inner, length, outer) ? passed : failed)++;
      (check_ranking ((enum gpr_elem) (round++ % 10), inner, length, outer) ? passed : failed)++;
    }
  for (int round = 0; round < rounds / 4; round++)
    {
      const int64_t inner = inners[rand () % 10], most = 60000 / inner;
      (check ((enum gpr_elem) (round % 10), inner, 1500 + rand () % most, 1 + rand () % 2) ? passed : failed)++;
    }
  near = true;
  for (int round = 0; round < rounds / 4; round++)
    (check (round % 4 ? GPR_f64 : GPR_i64, 1, 15000 + rand () % 30000, 1) ? passed : failed)++;
  near = false;
  /* Columns that a team's registers hold: every kernel.  */
  std::set<const void *> held;
  room_for_all = true;
  for (asked = 1; asked <= 2; asked++)
    for (int bytes = 4; bytes <= 8; bytes *= 2)
      for (int64_t length = bytes == 8 ? 65 : 129, next = length; length <= 16384; length = next + 1)
        {
          const gpr_select_held h = gpr_engine_select_held (bytes, length, asked == 1);
          while (next < 16384 && gpr_engine_select_held (bytes, next + 1, asked == 1).kernel == h.kernel)
            next++;
          held.insert (h.kernel);
          for (int64_t n : { length, length + rand () % (next - length + 1), next })
            if (rounds > 100 || n < 1200 || rand () % 3 == 0 || n == next)
              {
                static const enum gpr_elem elems[2][4] = { { GPR_f32, GPR_i32, GPR_u32, GPR_u32 }, { GPR_f64, GPR_i64, GPR_u64, GPR_u64 } };
                (check (elems[bytes / 8][rand () % 4], 1, n, 1 + 8 * 32 / h.team) ? passed : failed)++;
              }
        }
  asked = 2;
  for (int64_t length : { 1000, 1270, 90, 555, 777, 1500 })
    for (int k = 0; k < 4; k++)
      {
        few_of = length;
        (check (length < 128 || k % 2 ? GPR_u64 : GPR_u32, 1, length, 17) ? passed : failed)++;
      }
  asked = few_of = 0;
  for (const void *kernel : held)
    (of_held.count (kernel) ? passed : failed)++;
  for (ones_of = 67; ones_of < 160; ones_of += ones_of % 32 == 31 ? 36 : 2)
    (check (GPR_u64, 1, ones_of, 17) ? passed : failed)++;
  ones_of = 0;
  room_for_all = false;
  for (int round = 0; round < rounds; round++)
    (check_keys ((enum gpr_elem) (round % 10), 1 + rand () % 3, 1 + rand () % (rand () % 4 ? 3000 : 40000)) ? passed : failed)++;
  printf ("launches: %ld networks, %ld of parts, %ld warps, %ld blocks, %ld samples, %ld readings, %ld ends; %ld times sampled, %ld again; "
          "ranks %ld times counted, of %ld times columns, %ld times chunks, %ld sorts; digits %ld times, %ld of lists, keys %ld times; %zu kernels of held keys\n", runs[0], runs[1], runs[2], runs[3], runs[4], runs[5], runs[6], sampled, again, runs[7], runs[8], runs[9], sorts, runs[10], listed, runs[11], of_held.size ());
  for (long r : runs)
    (r ? passed : failed)++;
  (again && sorts && listed ? passed : failed)++;
  printf ("%ld passed, %ld failed\n", passed, failed);
  return failed != 0;
}
