/* Gathers, scatters and lists of elements that are not 0: the kernels of engine/lists.cu, compiled for the CPU and launched by
   src/cuda/lists.c on a fake runtime (tests/unit/fake_cuda), do what the CPU backend does, and both what one loop does.  Random
   lists of every class, wrong and repeated positions, widths and numbers of dimensions.  */

#include <vector>

#define KERNEL "../../kernels/engine/lists.cu"
#define HEADER "../../src/core/lists.h"
#include "launched.h"

extern "C" {
/* Of the CPU backend.  */
gpr_status gpr_cpu_gather (gpr_gathering *g);
gpr_status gpr_cpu_find (gpr_finding *f);
}

static long wrong, repeated, wide_lists;
template <class A> static void run (const void *kernel, const void *arguments, unsigned blocks, unsigned block)
{
  run_launch (kernel, *(const A *) arguments, blocks, block, &launch_seed);
}
static size_t bytes_of (const void *kernel)
{
  bool finds = kernel == gpr_engine_find_sum ();
  for (int bytes = 1; bytes <= 16; bytes *= 2)
    finds = finds || kernel == gpr_engine_find (bytes, true) || kernel == gpr_engine_find (bytes, false);
  return finds ? sizeof (gpr_find_args) : kernel == gpr_engine_last (false) || kernel == gpr_engine_last (true) ? sizeof (gpr_last_args) : sizeof (gpr_gather_args);
}
static void run_kernel (const void *kernel, unsigned blocks, unsigned block, const void *arguments)
{
  switch (bytes_of (kernel))
    {
    case sizeof (gpr_find_args): run<gpr_find_args> (kernel, arguments, blocks, block); break;
    case sizeof (gpr_last_args): run<gpr_last_args> (kernel, arguments, min (blocks, 3u), block); break;
    default: run<gpr_gather_args> (kernel, arguments, min (blocks, 3u), block);
    }
}

typedef std::vector<uint64_t> words;
static words random_words (size_t bytes)
{
  words w (bytes / 8 + 2);
  for (auto &v : w)
    v = random_u64 ();
  return w;
}

/* ---- lists ------------------------------------------------------------------------ */

template <class T> static void put (words &w, int64_t k, double v) { ((T *) w.data ())[k] = (T) v; }
static void put_position (enum gpr_elem e, words &w, int64_t k, double v)
{
  switch ((int) e)
    {
#define PUT_CASE(T) case GPR_##T: put<T> (w, k, v); break;
    GPR_LIST_ELEMS (PUT_CASE)
    }
}

struct case_of_lists {
  gpr_gathering g = {};
  words lists[4];
  std::vector<int64_t> at[4];   /* from 0 */
  int64_t count = 1, elements = 1;
  bool bad = false;
};

static void random_lists (case_of_lists *c, bool scatters)
{
  static const int widths[] = { 1, 2, 4, 8, 16 };
  const bool long_one = random_below (8) == 0;
  c->g.rank = long_one ? 1 : 1 + (int) random_below (4);
  c->g.bytes = widths[random_below (5)];
  c->g.scatters = scatters;
  c->g.one = scatters && random_below (4) == 0;
  for (int d = 0; d < c->g.rank; d++)
    {
      gpr_list &l = c->g.lists[d];
      const int64_t extent = 1 + random_below (long_one ? 5000 : 12), n = random_below (8) ? 1 + random_below (long_one ? 5000 : 12) : 1;
      const int how = (int) random_below (4);
      l = { nullptr, GPR_f64, n, 0, 0, extent, c->elements };
      c->elements *= extent;
      c->count *= n;
      if (how == 0 && n <= extent)      /* a progression */
        {
          l.step = random_below (2) || n == 1 ? 1 : -1;
          l.first = l.step > 0 ? random_below (extent - n + 1) : n - 1 + random_below (extent - n + 1);
          for (int64_t k = 0; k < n; k++)
            c->at[d].push_back (l.first + k * l.step);
          continue;
        }
      do
        l.elem = (enum gpr_elem) random_below (GPR_c128);
      while (extent > 127 && (l.elem == GPR_i8 || l.elem == GPR_u8));
      c->lists[d] = random_words (8 * n);
      for (int64_t k = 0; k < n; k++)
        {
          const int64_t at = how == 1 ? k % extent : random_below (extent);
          put_position (l.elem, c->lists[d], k, (double) at + 1);
          c->at[d].push_back (at);
        }
      if (random_below (12) == 0)
        {
          static const double others[] = { 0, -1, 1.5, NAN, INFINITY, -INFINITY, 1e300 };
          const bool floating = l.elem == GPR_f64 || l.elem == GPR_f32;
          const double v = random_below (2) ? (double) extent + 1 : floating ? others[random_below (7)] : 0;
          put_position (l.elem, c->lists[d], random_below (n), v);
          c->bad = true;
        }
      l.at = c->lists[d].data ();
    }
  wrong += c->bad;
}

/* What one loop makes of it.  */
static void by_one_loop (const case_of_lists &c, const char *x, char *z)
{
  const size_t bytes = (size_t) c.g.bytes;
  std::vector<bool> met (c.elements);
  for (int64_t i = 0; i < c.count; i++)
    {
      int64_t offset = 0, rest = i;
      for (int d = 0; d < c.g.rank; d++)
        {
          offset += c.at[d][rest % c.g.lists[d].count] * c.g.lists[d].stride;
          rest /= c.g.lists[d].count;
        }
      repeated += c.g.scatters && ! c.g.one && met[offset];
      met[offset] = true;
      if (c.g.scatters)
        memcpy (z + offset * bytes, x + (c.g.one ? 0 : i) * bytes, bytes);
      else
        memcpy (z + i * bytes, x + offset * bytes, bytes);
    }
}

static void one_gathering (bool scatters)
{
  case_of_lists c;
  random_lists (&c, scatters);
  const size_t bytes = (size_t) c.g.bytes, named = (size_t) (scatters ? c.elements : c.count) * bytes;
  const words x = random_words ((size_t) (scatters ? c.count : c.elements) * bytes), before = random_words (named);
  words want = before, got = before, cpu = before;

  wide_lists += bytes == 16;
  if (! c.bad)
    by_one_loop (c, (const char *) x.data (), (char *) want.data ());
  c.g.x = x.data ();
  c.g.z = cpu.data ();
  expect (gpr_cpu_gather (&c.g) == GPR_OK && c.g.bad == c.bad, "the CPU: bad is %d, not %d", c.g.bad, c.bad);
  c.g.z = got.data ();
  expect (gpr_cuda_gather (device, &c.g) == GPR_OK && fake.violations == 0, "the kernel fails: %s", fake.violations ? fake.last : "");
  expect (c.g.bad == c.bad, "bad is %d, not %d", c.g.bad, c.bad);
  if (c.bad && ! scatters)
    return;
  expect (cpu == want, "the CPU's elements: %d bytes each, %lld of %lld, %d dimensions", c.g.bytes, (long long) c.count, (long long) c.elements, c.g.rank);
  expect (got == want, "elements: %d bytes each, %lld of %lld, %d dimensions", c.g.bytes, (long long) c.count, (long long) c.elements, c.g.rank);
}

/* ---- elements that are not 0 -------------------------------------------------------- */

static bool is_not_0 (const gpr_finding &f, const char *x, int64_t i)
{
  switch ((int) f.elem)
    {
#define IS_CASE(T) case GPR_##T: return ((const T *) x)[i] != 0;
    GPR_LIST_ELEMS (IS_CASE)
    case GPR_c64: return ((const f32 *) x)[2 * i + 1] != 0 || (! f.imaginary && ((const f32 *) x)[2 * i] != 0);
    default: return ((const f64 *) x)[2 * i + 1] != 0 || (! f.imaginary && ((const f64 *) x)[2 * i] != 0);
    }
}

static void one_finding ()
{
  static const enum gpr_elem results[] = { GPR_f64, GPR_u32, GPR_i64 };
  gpr_finding f = {};
  f.elem = (enum gpr_elem) random_below (GPR_ELEM_COUNT);
  f.imaginary = (f.elem == GPR_c128 || f.elem == GPR_c64) && random_below (2);
  f.count = random_below (random_below (4) ? 600 : 150000);
  f.z_elem = results[random_below (3)];
  const int parts = f.elem == GPR_c128 || f.elem == GPR_c64 ? 2 : 1, bytes = gpr_elem_bytes[f.elem] / parts;
  const int z_bytes = gpr_elem_bytes[f.z_elem], dense = (int) random_below (4);
  words x = random_words ((size_t) (f.count * bytes * parts));
  for (int64_t i = 0; i < f.count * parts; i++)
    if (dense == 0 || (dense < 3 && random_below (dense == 1 ? 2 : 50)))
      {
        memset ((char *) x.data () + i * bytes, 0, bytes);
        if (f.elem == GPR_f64 || f.elem == GPR_f32 || parts == 2)       /* or -0 */
          ((unsigned char *) x.data ())[(i + 1) * bytes - 1] = random_below (2) ? 0x80 : 0;
      }
  std::vector<int64_t> want;
  for (int64_t i = 0; i < f.count; i++)
    if (is_not_0 (f, (const char *) x.data (), i))
      want.push_back (i + 1);
  f.x = x.data ();
  const int64_t total = (int64_t) want.size (), take = random_below (2) ? total : random_below (total + 1);
  words got[2];
  for (int gpu = 0; gpu < 2; gpu++)
    {
      got[gpu].assign (take * z_bytes / 8 + 2, 0xA5A5A5A5A5A5A5A5u);
      void *before;
      expect (gpr_cuda_take (device, &before, (gpr_find_tiles (f.count) + 1) * sizeof *f.before) == GPR_OK, "no memory");
      f.before = (int64_t *) before;
      f.z = nullptr;
      f.total = -1;
      expect ((gpu ? gpr_cuda_find (device, &f) : gpr_cpu_find (&f)) == GPR_OK && fake.violations == 0, "counting fails: %s", fake.violations ? fake.last : "");
      expect (f.total == total, "backend %d: %lld of %lld, not %lld, element type %d", gpu, (long long) f.total, (long long) f.count, (long long) total, (int) f.elem);
      f.skip = gpu ? f.skip : random_below (2) ? 0 : random_below (total - take + 1);
      f.take = take;
      f.z = got[gpu].data ();
      expect ((gpu ? gpr_cuda_find (device, &f) : gpr_cpu_find (&f)) == GPR_OK, "finding fails");
      for (int64_t k = 0; k < take; k++)
        {
          const int64_t at = f.z_elem == GPR_f64 ? (int64_t) ((f64 *) f.z)[k] : f.z_elem == GPR_u32 ? ((u32 *) f.z)[k] : ((i64 *) f.z)[k];
          if (at != want[f.skip + k])
            {
              expect (false, "backend %d: %lld is at %lld, not %lld", gpu, (long long) k, (long long) at, (long long) want[f.skip + k]);
              break;
            }
        }
      gpr_cuda_give (before);
    }
  expect (got[0] == got[1], "they differ, or write beyond the end");
}

int main (int argc, char **argv)
{
  const int rounds = argc > 1 ? atoi (argv[1]) : 400;

  if (! begin_on_device (run_kernel, 0, bytes_of))
    return 1;
  device->multiprocessors = 1;  /* for loops over blocks */
  rule ("gathers_as_one_loop");
  for (int round = 0; round < rounds; round++)
    one_gathering (false);
  rule ("scatters_as_one_loop");
  for (int round = 0; round < rounds; round++)
    one_gathering (true);
  rule ("what_is_not_0_is_found");
  for (int round = 0; round < rounds / 4; round++)
    one_finding ();
  rule ("every_kind_is_met");
  expect (wrong > 0 && repeated > 0 && wide_lists > 0, "%ld wrong, %ld repeated, %ld wide", wrong, repeated, wide_lists);
  return verdict ();
}
