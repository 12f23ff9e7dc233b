/* The kernels that count a long run, compiled for the CPU.  Their bins are those of the
   rule's own words for the elements that are the hardest: on the edges, beside them, out of
   them, NaN, infinite, tiny; then whole launches, a thread of the CPU for each of a block,
   give the counts of the CPU backend.  */

#include <algorithm>
#include <barrier>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#define __global__
#define __device__
#define __shared__
#define __forceinline__ inline
#define __noinline__
#define __align__(n) __attribute__ ((aligned (n)))
#define __launch_bounds__(...)
using std::min;

enum { THREADS = 64, WARPS = THREADS / 32, SHARED = 96 << 10 };
struct position { unsigned x; };
static thread_local position threadIdx;
static position blockIdx, gridDim, blockDim = { THREADS };
alignas (16) unsigned char raw[SHARED];

static std::barrier<> whole_block (THREADS);
static std::barrier<> *warps[WARPS];
static unsigned lanes[WARPS][32];
static void __syncthreads () { whole_block.arrive_and_wait (); }
template <class F> static unsigned together (unsigned mine, F answer)
{
  unsigned w = threadIdx.x / 32;
  lanes[w][threadIdx.x % 32] = mine;
  warps[w]->arrive_and_wait ();
  unsigned y = answer (lanes[w]);
  warps[w]->arrive_and_wait ();
  return y;
}
static unsigned __ballot_sync (unsigned, bool p)
{
  return together (p, [] (unsigned *v) { unsigned y = 0; for (int i = 0; i < 32; i++) y |= v[i] << i; return y; });
}
static unsigned __shfl_sync (unsigned, unsigned x, int lane) { return together (x, [=] (unsigned *v) { return v[lane]; }); }
static unsigned __shfl_xor_sync (unsigned, unsigned x, int m)
{
  return together (x, [=] (unsigned *v) { return v[threadIdx.x % 32 ^ m]; });
}
static int __popc (unsigned x) { return __builtin_popcount (x); }
template <class T> static T atomicAdd (T *p, T x) { return __atomic_fetch_add (p, x, __ATOMIC_RELAXED); }
static unsigned atomicCAS (unsigned *p, unsigned old, unsigned x)
{
  __atomic_compare_exchange_n (p, &old, x, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return old;
}
struct uint4 { unsigned x, y, z, w; };
static uint4 __ldcs (const uint4 *p) { return *p; }
static unsigned __byte_perm (unsigned x, unsigned y, unsigned which)
{
  const uint64_t both = (uint64_t) y << 32 | x;
  unsigned r = 0;
  for (int i = 0; i < 4; i++)
    r |= (unsigned) (both >> (which >> 4 * i & 7) * 8 & 255) << 8 * i;
  return r;
}
#include "map_intrinsics.h"
#include "histogram_intrinsics.h"

#include "../../kernels/engine/histogram.cu"
extern "C" {
#include "../../src/cuda/histogram.h"
#include "../../src/cpu/cpu.h"
/* What cpu/count.c needs of the others.  */
static volatile int never;
volatile int *gpr_interrupt_flag = &never;
int gpr_cpu_threads (void) { return 1; }
void gpr_cpu_note_pool (void) {}
gpr_status gpr_fail (gpr_status status, const char *, ...) { return status; }
gpr_status gpr_cpu_count (gpr_counting *);
/* No expression is counted here.  */
void *gpr_cpu_terms_make (const void *) { return nullptr; }
bool gpr_cpu_terms_take (const void *, int64_t, int64_t, char *) { return false; }
}

static long passed, failed;
static uint64_t seed = 88172645463325252ull;
static uint64_t random64 () { seed ^= seed << 13; seed ^= seed >> 7; seed ^= seed << 17; return seed * 0x2545F4914F6CDD1Dull; }
static int64_t below (int64_t n) { return (int64_t) (random64 () >> 1) % n; }
static double unit () { return (double) (random64 () >> 11) * 0x1p-53; }

static const enum gpr_elem elems[] = { GPR_f64, GPR_f32, GPR_i8, GPR_u8, GPR_i16, GPR_u16, GPR_i32, GPR_u32, GPR_i64, GPR_u64 };
static const char *const rules[] = { "edges", "cuts", "spaced", "closed" };

struct problem {
  gpr_counting c;
  std::vector<double> edges;
  std::vector<float> singles;
  double edge (int64_t k) const { return c.single_precision ? singles[k] : edges[k]; }
};

/* As gpr.h and bins.h say it; -1: none.  */
static int64_t bin (const problem &p, double x)
{
  const gpr_counting &c = p.c;
  if (c.single_precision)
    x = (float) x;
  if (x != x)
    return -1;
  if (c.rule == GPR_BIN_SPACED)
    {
      double q = c.single_precision ? ceilf (((float) x - (float) c.origin) / (float) c.step) : std::ceil ((x - c.origin) / c.step);
      return (int64_t) (q < (double) (c.bins - 1) ? (q > 0 ? q : 0) : (double) (c.bins - 1));
    }
  int64_t n = p.edges.size (), k = 0, reached = 0;
  for (int64_t i = 0; i < n; i++)
    {
      k += p.edge (i) < x;
      reached += p.edge (i) <= x;
    }
  if (c.rule == GPR_BIN_CUTS)
    return k;
  int64_t last = c.rule == GPR_BIN_CLOSED ? c.bins : c.bins - 1;
  if (reached == 0)
    return -1;
  if (reached <= last)
    return x < p.edge (reached) ? reached - 1 : -1;
  return x == p.edge (last) ? c.bins - 1 : -1;
}

enum { EVEN, WHOLE, STEPS, ROUNDED, JITTERED, ANYWHERE, CROWDED, WITH_ENDS, WITH_NAN, HUGE_RANGE, TINY_RANGE, FAR, KINDS };

static problem make_problem (enum gpr_elem elem, int64_t bins)
{
  problem p = {};
  bool real = elem == GPR_f64 || elem == GPR_f32;
  int bits = elem == GPR_f64 || elem == GPR_f32 ? 0 : elem == GPR_i8 || elem == GPR_u8 ? 8
             : elem == GPR_i16 || elem == GPR_u16 ? 16 : elem == GPR_i32 || elem == GPR_u32 ? 32 : 64;
  p.c.elem = elem;
  p.c.inner = p.c.outer = 1;
  p.c.rule = (gpr_bin_rule) below (4);
  p.c.bins = bins;
  p.c.single_precision = real || bits == 16 ? below (2) : false;
  double low = real ? 10 * unit () - 5 : -1, high = real ? low + 8 * unit () : std::ldexp (1, bits - (int) below (bits));
  if (! real && below (2))
    low = 0;
  p.c.origin = low;
  p.c.step = (high - low) / bins;
  int kind = (int) below (KINDS);
  if (kind == WHOLE)
    {
      p.c.step = 1 + below (3);
      p.c.origin = below (100) - 50;
    }
  if (kind == HUGE_RANGE)
    p.c.step = below (2) ? 1e37 : 1e305;
  if (kind == TINY_RANGE)
    p.c.step = below (2) ? 1e-44 : 5e-324;
  if (kind == FAR)
    p.c.origin = 1e6;
  int64_t count = p.c.rule == GPR_BIN_SPACED ? 0 : p.c.rule == GPR_BIN_CUTS ? bins - 1 : p.c.rule == GPR_BIN_CLOSED ? bins + 1 : bins;
  for (int64_t k = 0; k < count; k++)
    {
      double t = (double) k / bins, e = low + (high - low) * t;
      switch (kind)
        {
        case WHOLE: e = p.c.origin + k * p.c.step; break;
        case STEPS: e = low + k * ((high - low) / bins); break;
        case ROUNDED: e = (float) e; break;
        case JITTERED: e += (high - low) / bins * 0.12 * (unit () - 0.5); break;
        case ANYWHERE: e = low + (high - low) * unit (); break;
        case CROWDED: e = k < 2 ? low + k * (high - low) : (low + high) / 2 + 1e-9 * below (50); break;
        case WITH_ENDS: e = k == 0 && below (2) ? -INFINITY : k > count - 3 && below (2) ? INFINITY : e; break;
        case WITH_NAN: e = below (8) ? e : NAN; break;
        case HUGE_RANGE: e = (2 * t - 1) * (p.c.single_precision ? 3.4e38 : 1.79e308); break;
        case TINY_RANGE: e = k * p.c.step; break;
        case FAR: e = 1e6 + t; break;
        default: break;
        }
      p.edges.push_back (e);
    }
  auto ascending = [] (double x, double y) { return x == x && (x < y || y != y); };
  std::sort (p.edges.begin (), p.edges.end (), ascending);
  p.singles.assign (p.edges.begin (), p.edges.end ());
  std::sort (p.singles.begin (), p.singles.end (), ascending);
  return p;
}

/* Where bins change, or anywhere.  */
static double hard_number (const problem &p)
{
  double x;
  if (below (16) == 0)
    {
      static const double odd[] = { NAN, INFINITY, -INFINITY, 0, -0.0, 5e-324, -5e-324, 1e-40, 1.7e308, -1.7e308, 3.3e38, 1e-300, 65535 };
      return odd[below (sizeof odd / sizeof *odd)];
    }
  if (p.edges.empty ())
    x = p.c.origin + p.c.step * (below (p.c.bins + 4) - 2 + (below (3) ? 0 : unit ()));
  else
    x = p.edge (below (p.edges.size ()));
  if (below (4) == 0 && ! p.edges.empty ())
    x += (p.edge (below (p.edges.size ())) - x) * unit ();
  for (int64_t steps = below (4) - 1; steps > 0; steps--)
    x = p.c.single_precision ? std::nextafter ((float) x, INFINITY) : std::nextafter (x, INFINITY);
  for (int64_t steps = below (4) - 1; steps > 0; steps--)
    x = p.c.single_precision ? std::nextafter ((float) x, -INFINITY) : std::nextafter (x, -INFINITY);
  return x;
}

template <class X> static X element (double x)
{
  if (sizeof (X) >= 4 && (X) 0.5 != 0)
    return (X) x;
  double most = (double) std::numeric_limits<X>::max (), least = (double) std::numeric_limits<X>::min ();
  return x != x ? 0 : x >= most ? std::numeric_limits<X>::max () : x <= least ? std::numeric_limits<X>::min () : (X) x;
}

static void put (enum gpr_elem elem, void *x, int64_t i, double v)
{
  switch ((int) elem)
    {
#define PUT(t) case GPR_##t: ((t *) x)[i] = element<t> (v); break;
    PUT (f64) PUT (f32) PUT (i8) PUT (u8) PUT (i16) PUT (u16) PUT (i32) PUT (u32) PUT (i64) PUT (u64)
    }
}

static double value (enum gpr_elem elem, const void *x, int64_t i)
{
  switch ((int) elem)
    {
#define VALUE(t) case GPR_##t: return (double) ((const t *) x)[i];
    VALUE (f64) VALUE (f32) VALUE (i8) VALUE (u8) VALUE (i16) VALUE (u16) VALUE (i32) VALUE (u32) VALUE (i64) VALUE (u64)
    }
  return 0;
}

/* ---- bins ----------------------------------------------------------------------------- */

static long even, narrowed, spaced, alone, integers;

template <class T> static void check_bins (const problem &p, gpr_histogram_plan &plan)
{
  gpr_histogram_args a = plan.args;
  a.cuts = plan.table;
  a.buckets = (const uint32_t *) ((char *) plan.table + plan.buckets_at);
  cells<T> c = cells_of<T> (a, 0);
  long wrong = 0;
  for (int i = 0; i < 300; i++)
    {
      T x[8];
      u32 k[8], past = (u32) below (256) & (u32) below (256) & (u32) below (256);
      for (int j = 0; j < 8; j++)
        {
          union { char bytes[8]; double align; } e;
          put (p.c.elem, &e, 0, hard_number (p));
          x[j] = (T) value (p.c.elem, &e, 0);
        }
      find_bins (c, x, past, k);
      for (int j = 0; j < 8; j++)
        {
          int64_t want = past >> j & 1 ? -1 : bin (p, x[j]), got = k[j] < (u32) p.c.bins ? (int64_t) k[j] : -1;
          if (want != got && wrong++ < 2)
            printf ("FAILED elem %d rule %s single %d find %d, %lld bins: x %.17g in %lld, not %lld\n", p.c.elem, rules[p.c.rule],
                    p.c.single_precision, a.find, (long long) p.c.bins, (double) x[j], (long long) got, (long long) want);
        }
    }
  (a.find == GPR_FIND_EVEN ? even : a.find == GPR_FIND_NARROWED ? narrowed : spaced)++;
  alone += a.find == GPR_FIND_EVEN && a.near < 0;
  integers += (T) 0.5 == 0;
  *(wrong ? &failed : &passed) += 1;
}

static void check_rules (int problems)
{
  long none = 0;
  for (int i = 0; i < problems; i++)
    {
      problem p = make_problem (elems[below (10)], 1 + below (below (4) ? 40 : 3000));
      gpr_histogram_plan plan;
      p.c.edges = p.c.single_precision ? (void *) p.singles.data () : p.edges.data ();
      if (! gpr_histogram_make (&plan, &p.c))
        {
          none++;
          continue;
        }
      if (plan.bytes)
        {
          bool good = true;
          for (int v = 0; v < 256; v++)
            good &= plan.of_bytes.bin[v] == bin (p, p.c.elem == GPR_u8 ? v : (int8_t) v);
          *(good ? &passed : &failed) += 1;
        }
      else if (plan.compared == GPR_f32)
        check_bins<float> (p, plan);
      else if (plan.compared == GPR_f64)
        check_bins<double> (p, plan);
      else if (plan.compared == GPR_i32)
        check_bins<int32_t> (p, plan);
      else
        check_bins<uint32_t> (p, plan);
      gpr_histogram_drop (&plan);
    }
  printf ("bins: %ld even, %ld of them by the estimate alone, %ld of integers, %ld narrowed, %ld spaced, %ld left to the general kernel\n",
          even, alone, integers, narrowed, spaced, none);
}

/* ---- launches ------------------------------------------------------------------------------ */

template <class A> static void launch (const void *kernel, const A &a, int64_t blocks)
{
  std::vector<std::thread> threads;
  gridDim.x = (unsigned) blocks;
  for (unsigned t = 0; t < THREADS; t++)
    threads.emplace_back ([=] {
      threadIdx.x = t;
      for (unsigned b = 0; b < blocks; b++)
        {
          if (t == 0)
            {
              blockIdx.x = b;
              memset (raw, 0x5A, sizeof raw);
            }
          whole_block.arrive_and_wait ();
          ((void (*) (A)) kernel) (a);
          whole_block.arrive_and_wait ();
        }
    });
  for (auto &t : threads)
    t.join ();
}

static void check_launches (int problems)
{
  long stores[3] = {}, groups = 0, hot = 0;
  for (int i = 0; i < problems; i++)
    {
      static const int64_t sizes[] = { 1, 2, 10, 256, 1000, 5000, 30000, 60000 };
      problem p = make_problem (elems[below (10)], sizes[below (8)]);
      int64_t n = below (3) ? below (20000) : below (40), offset = below (17);
      std::vector<double> store (n + offset + 2), counts (p.c.bins, 0.5);
      std::vector<unsigned long long> tally (p.c.bins);
      int64_t bytes = p.c.elem == GPR_f64 || p.c.elem == GPR_i64 || p.c.elem == GPR_u64 ? 8 : p.c.elem == GPR_f32 || p.c.elem == GPR_i32
                      || p.c.elem == GPR_u32 ? 4 : p.c.elem == GPR_i16 || p.c.elem == GPR_u16 ? 2 : 1;
      char *x = (char *) store.data () + offset * bytes;
      int skew = (int) below (4);
      double most = hard_number (p);
      for (int64_t e = 0; e < n; e++)
        put (p.c.elem, x, e, below (4) < skew ? most : hard_number (p));
      gpr_histogram_plan plan;
      p.c.edges = p.c.single_precision ? (void *) p.singles.data () : p.edges.data ();
      p.c.x = x;
      p.c.length = n;
      p.c.counts = counts.data ();
      if (! gpr_histogram_make (&plan, &p.c))
        continue;
      if (gpr_cpu_count (&p.c) != GPR_OK)
        failed++;
      int64_t blocks = gpr_histogram_place (&plan, below (2) ? n : 1 << 30, 4, SHARED >> below (3));
      if (plan.bytes)
        {
          gpr_histogram_bytes_args a = plan.of_bytes;
          a.x = x;
          a.n = (uint32_t) n;
          a.merge = below (2);
          a.counts = tally.data ();
          launch (gpr_engine_histogram_bytes (), a, blocks);
        }
      else
        {
          gpr_histogram_args a = plan.args;
          a.x = x;
          a.n = (uint32_t) n;
          a.cuts = plan.table;
          a.buckets = (const uint32_t *) ((char *) plan.table + plan.buckets_at);
          a.counts = tally.data ();
          stores[a.store]++;
          groups += a.groups > 1;
          hot += skew == 3;
          launch (gpr_engine_histogram (p.c.elem, plan.compared), a, blocks);
        }
      int64_t wrong = -1;
      for (int64_t k = 0; k < p.c.bins; k++)
        if ((double) tally[k] != counts[k])
          wrong = k;
      if (wrong >= 0)
        printf ("FAILED elem %d rule %s, %lld in %lld bins, store %d, %lld blocks: bin %lld has %llu, not %g\n", p.c.elem, rules[p.c.rule],
                (long long) n, (long long) p.c.bins, plan.args.store, (long long) blocks, (long long) wrong, tally[wrong], counts[wrong]);
      *(wrong >= 0 ? &failed : &passed) += 1;
      gpr_histogram_drop (&plan);
    }
  printf ("launches: %ld wide, %ld packed, %ld in global memory, %ld in groups, %ld of one value\n", stores[0], stores[1], stores[2], groups, hot);
}

/* A packed counter that would overflow: of all elements, which the lanes of a warp add at once, or of three in four, where
   the first that a thread takes, by which a warp looks for such a bin, is another one.  */
static void check_relief (bool one, int64_t n)
{
  enum { BINS = 60000 };
  std::vector<float> x (n), edges (BINS + 1);
  std::vector<unsigned long long> tally (BINS), want (BINS);
  for (int64_t i = 0; i < n; i++)
    {
      x[i] = one || i % 4 ? 7 : (float) below (BINS);
      want[(int64_t) x[i]]++;
    }
  for (int64_t k = 0; k <= BINS; k++)
    edges[k] = (float) k;
  gpr_counting c = {};
  c.elem = GPR_f32;
  c.rule = GPR_BIN_CLOSED;
  c.single_precision = true;
  c.bins = BINS;
  c.edges = edges.data ();
  gpr_histogram_plan plan;
  bool good = gpr_histogram_make (&plan, &c);
  gpr_histogram_place (&plan, 1 << 30, 4, SHARED);
  good &= plan.args.store == GPR_HISTOGRAM_PACKED;
  gpr_histogram_args a = plan.args;
  a.x = x.data ();
  a.n = (uint32_t) n;
  a.cuts = plan.table;
  a.counts = tally.data ();
  launch (gpr_engine_histogram (GPR_f32, GPR_f32), a, a.groups);
  good &= tally == want;
  if (! good)
    printf ("FAILED relief of packed counters, %s\n", one ? "one value" : "one at a time");
  *(good ? &passed : &failed) += 1;
  gpr_histogram_drop (&plan);
}

int main (int argc, char **argv)
{
  if (getenv ("TEST_SEED"))
    seed ^= strtoull (getenv ("TEST_SEED"), NULL, 0) * 0x9E3779B97F4A7C15ull;
  for (int w = 0; w < WARPS; w++)
    warps[w] = new std::barrier<> (32);
  check_rules (argc > 1 ? atoi (argv[1]) : 4000);
  check_launches (argc > 2 ? atoi (argv[2]) : 200);
  const int64_t relieved = argc > 3 ? atoi (argv[3]) : 300000;
  check_relief (false, relieved);
  check_relief (true, relieved);
  printf ("%ld passed, %ld failed\n", passed, failed);
  return failed > 0;
}
