/* The kernels of reductions, compiled for the CPU and launched by src/cuda/reduce.c itself
   on a fake runtime (tests/unit/fake_cuda): values, indices and the needs_fixup flag of
   every algorithm are those of tests/oracle/tree_oracle.h, bit for bit.  So are those of a share
   (src/cuda/reduce_share.c) that is all units.  */

#include "cuda.h"

#include <atomic>
#include <cfloat>
#include <dlfcn.h>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>
using std::atomic_bool, std::atomic_long;

#include "../../kernels/engine/reduce/instances.cuh"
#include "../../kernels/ladder/variant.h"
#define class class_            /* a name in C */
extern "C" {
#include "../../src/core/map.h"
#include "../../src/cuda/compile.h"
#include "../../src/cuda/problems.h"
#include "../../src/cuda/session.h"
#define _Atomic                 /* C's alone; nothing else works on the share here */
#include "../../src/core/partial.h"
#include "../../src/core/share.h"
#include "../../src/cuda/stream.h"
#define gpr_span gpr_rows_span  /* the kernels have one, too */
#include "../../src/ranks/parts.h"
#include "../oracle/tree_oracle.h"
#include "../unit/fake_cuda/fake_cuda.h"
gpr_status gpr_cpu_map (gpr_mapping *m);        /* of the CPU backend, with: */
extern const char gpr_cpu_map_loops_baseline;
const void *gpr_cpu_map_loops_here () { return &gpr_cpu_map_loops_baseline; }
int gpr_cpu_threads () { return 1; }
void gpr_cpu_note_pool () {}
volatile int not_interrupted, *gpr_interrupt_flag = &not_interrupted;
gpr_status gpr_fail (gpr_status status, const char *, ...) { return status; }
bool gpr_cuda_settles_behind (const gpr_reduction *) { return false; }
gpr_status gpr_cuda_settle_behind (gpr_cuda_state *, gpr_cuda_slot *, const gpr_reduction *, void *) { return GPR_OK; }
const void *gpr_engine_map (gpr_map_kernel) { static const char none = 0; return &none; }     /* not launched: the host side alone wants it */
#undef class
}

/* Every family that has a way of its own in the kernels, every width and size; all of those whose kernels
   are another's.  */
#define SUM(F) \
  F (sum_f64, SUM, f64, f64, f64)        F (sum_f32, SUM, f32, f32, f32)   F (sum_f32_f64, SUM, f32, f64, f64) \
  F (sum_c128, CSUM, c128, c128, f64)    F (sum_c64, CSUM, c64, c64, f32)  F (sumomit_f64, SUMOMIT, f64, f64, f64) \
  F (sum_u8, ISUM, u8, u64, f64)         F (sum_i16, ISUM, i16, i64, f64)  F (sum_i32, ISUM, i32, i64, f64) \
  F (extra_f64, DD, f64, dd, f64)
#define SUMSQ(F) F (sumsq_i64, SQ192, i64, u192, f64) F (sumsq_i16, ISQ, i16, u64, f64) F (sumsq_f32, SQ, f32, f32, f32)
#define PROD(F) F (prod_f64, FPROD, f64, f64, f64) F (prod_f32, FPROD, f32, f32, f32) F (prodomit_f64, PRODOMIT, f64, f64, f64) F (prod_u16, IPROD, u16, f64, f64)
#define NATIVE(F) F (satsum_i8, SATSUM, i8, sat64, i8)
#define EXTREME GPR_INSTANCES_EXTREME
#define BOUNDS(F) \
  F (bounds_f64, FBOUNDS, f64, f64, f64)  F (bounds_f32, FBOUNDS, f32, f32, f32)  F (bounds_u8, BOUNDS, u8, u8, u8) \
  F (bounds_i8, BOUNDS, i8, i8, i8)      F (bounds_u16, BOUNDS, u16, u16, u16)  F (bounds_i16, BOUNDS, i16, i16, i16)  F (bounds_u64, BOUNDS, u64, u64, u64)
#define ARG(F) \
  GPR_INSTANCES_REAL_ (F, argmax, ARGMAX)        GPR_INSTANCES_REAL_ (F, argmin, ARGMIN) \
  F (argmax_c64, CARGMAX, c64, c64, c64)         F (nanindex_f64, NANINDEX, f64, f64, f64)
#define LOGICAL(F) \
  GPR_INSTANCES_REAL_ (F, any, ANY) F (any_c128, CANY, c128, u8, u8) F (any_c64, CANY, c64, u8, u8) \
  GPR_INSTANCES_REAL_ (F, all, ALL) F (all_c128, CALL, c128, u8, u8) F (all_c64, CALL, c64, u8, u8)
#define MOMENTS(F) \
  F (moments_f64, MOMENTS, f64, moments, f64)  F (moments_f32, MOMENTS, f32, moments, f32) \
  F (momentsomit_f32, MOMENTSOMIT, f32, moments, f32)  F (stats_f64, SUMMARY, f64, summary, stats)
#define NORM(F) F (norm2_f64, NORM2, f64, f64, f64)  F (scalednorm2_f64, SCALEDNORM2, f64, scaled_squares, f64)  F (nonzero_f32, NONZERO, f32, i64, f64)
GPR_ENGINE_GROUP (sum, SUM)
GPR_ENGINE_GROUP (sumsq, SUMSQ)
GPR_ENGINE_GROUP (prod, PROD)
GPR_ENGINE_GROUP (native, NATIVE)
GPR_ENGINE_SHARING_GROUP (extreme, EXTREME, GPR_SHARED_EXTREME)
GPR_ENGINE_GROUP (bounds, BOUNDS)
GPR_ENGINE_SHARING_GROUP (arg, ARG, GPR_SHARED_ARG)
GPR_ENGINE_SHARING_GROUP (logical, LOGICAL, GPR_SHARED_LOGICAL)
GPR_ENGINE_GROUP (moments, MOMENTS)
GPR_ENGINE_GROUP (norm, NORM)

#define ORACLE(GROUP) GROUP (GPR_DEFINE_TREE_ORACLE)
ORACLE (SUM) ORACLE (SUMSQ) ORACLE (PROD) ORACLE (NATIVE) ORACLE (EXTREME) ORACLE (BOUNDS) ORACLE (ARG) ORACLE (LOGICAL) ORACLE (MOMENTS) ORACLE (NORM)
typedef int oracle_function (const gpr_reduction *r);

/* ---- the fake device ----------------------------------------------------------------- */

static volatile int never, *flag = &never;
static gpr_settings settings;
static std::string message;
static gpr_status note (gpr_status status, const char *format, ...)
{
  message = format;
  return status;
}
static gpr_cuda_state *device;

static const char *const algorithm_names[] = { "LANES", "BLOCK", "COLUMNS", "GROUP", "ROWS", "WARPS", "THREAD", "STREAM", "EXACT_ROWS", "EXACT_COLUMNS", "PARTS" };
enum { ALGORITHMS = GPR_ALGORITHMS };
static long grouped[2], runs, full_runs, outside, launches[ALGORITHMS], ticketed[ALGORITHMS], mailbox[ALGORITHMS], checked[ALGORITHMS];
static long index_cases, truth_cases, small_cases, exact_parts, exact_vectors, exact_units;  /* EXACT_COLUMNS */
static unsigned algorithms_run;         /* bits: the algorithms of this call */
static long lanes_of_threads;   /* launches */
static unsigned most_blocks;    /* of a launch of this call */
static uint64_t launch_seed = 1;

static bool of_terms;           /* the kernel is compiled, unless parts are merged */
static long compiled[ALGORITHMS];
/* What is compiled is a module of its own, and has more arguments.  */
static bool is_compiled (const void *kernel)
{
  Dl_info module, program;
  return of_terms && dladdr (kernel, &module) && dladdr ((void *) is_compiled, &program) && module.dli_fbase != program.dli_fbase;
}
static size_t bytes_of (const void *kernel) { return sizeof (gpr_reduce_args) + (is_compiled (kernel) ? sizeof (gpr_expression_args) : 0); }
static void run_kernel (const void *kernel, unsigned blocks, unsigned threads, const void *arguments)
{
  const gpr_algorithm algorithm = ((const gpr_reduce_args *) arguments)->algorithm;
  if (of_terms && algorithm != GPR_ALGORITHM_PARTS)
    {
      compiled[algorithm]++;
      return ((void (*) (unsigned, unsigned, const void *)) kernel) (min (blocks, 3u), threads, arguments);
    }
  gpr_reduce_args a = *(const gpr_reduce_args *) arguments;
  launches[a.algorithm]++;
  ticketed[a.algorithm] += a.tickets != nullptr;
  mailbox[a.algorithm] += a.out.mailbox != nullptr;
  const bool merge_warp = threads == GPR_MERGE_WARP_THREADS, in_runs = a.algorithm == GPR_ALGORITHM_BLOCK && ! merge_warp;
  grouped[a.columns > 1] += a.tickets && merge_warp && a.all_parts > a.own.merge_warp.ticket_parts;
  runs += in_runs && a.own.block.run > 1;
  full_runs += in_runs && a.own.block.run == GPR_RUN_PARTS;
  /* BLOCK and STREAM begin with a unit.  */
  outside += (a.algorithm == GPR_ALGORITHM_BLOCK || a.algorithm == GPR_ALGORITHM_STREAM) && blocks > a.units;
  algorithms_run |= 1u << a.algorithm;
  lanes_of_threads += a.algorithm == GPR_ALGORITHM_THREAD && a.lanes > 1;
  if (a.algorithm == GPR_ALGORITHM_EXACT_COLUMNS)
    {
      exact_parts += a.all_parts > 1;
      exact_vectors += a.own.exact_columns.vector;
      exact_units += a.own.exact_columns.units > 1;
    }
  run_launch (kernel, a, min (blocks, most_blocks), threads, &launch_seed);
}

/* One NaN is as good as another, unless it is an element itself; a zero that is an extreme
   has its sign fixed up later.  */
template <class R> static bool same_numbers (const void *x, const void *y, size_t count, bool zeros)
{
  const R *a = (const R *) x, *b = (const R *) y;
  for (size_t i = 0; i < count; i++)
    if (memcmp (a + i, b + i, sizeof (R)) != 0 && ! (a[i] != a[i] && b[i] != b[i]) && ! (zeros && a[i] == 0 && b[i] == 0))
      return false;
  return true;
}
template <class F> static bool same_values (const void *x, const void *y, size_t outputs)
{
  typedef typename F::Y Y;
  const bool zeros = (F::traits & GPR_FIXUP_MASK) == GPR_FIXUP_BY_INDEX;
  if (F::indexed || std::is_integral<Y>::value || (F::both && std::is_integral<typename F::X>::value))
    return memcmp (x, y, outputs * sizeof (Y)) == 0;
  if (std::is_same<Y, f32>::value || std::is_same<Y, c64>::value || (F::both && sizeof (Y) == 8))
    return same_numbers<f32> (x, y, outputs * sizeof (Y) / 4, zeros);
  return same_numbers<f64> (x, y, outputs * sizeof (Y) / 8, zeros);
}

/* ---- problems --------------------------------------------------------------------------- */

static long passed, failed;
static int64_t below (int64_t n) { return (int64_t) (random64 (&seed) >> 1) % n; }
static double unit () { return (double) (random64 (&seed) >> 11) * 0x1p-53; }

enum { PLAIN, TIES, NEAR_1, SPECIAL, SOME_NAN, NAN_OR_LEAST, NAN_OR_MOST, FAR_FROM_1, MOSTLY_NAN, KINDS };
template <class R> static R number (int kind)
{
  typedef std::numeric_limits<R> limits;
  if (limits::is_integer)
    return kind == TIES ? (R) (below (5) - 2 * limits::is_signed) : kind == NAN_OR_LEAST && below (1000) ? limits::min ()
           : kind == NAN_OR_MOST && below (1000) ? limits::max () : (R) random64 (&seed);
  static const double odd[] = { NAN, INFINITY, -INFINITY, 0, -0.0, 1e300, 1e-300, 5e-324, 1e38 };
  switch (kind)
    {
    case TIES: return (R) (below (5) - 2) * (below (2) ? 1 : -1);
    case NEAR_1: return (R) ((0.99 + 0.02 * unit ()) * (below (2) ? 1 : -1));
    case SPECIAL: return (R) (below (500) ? 4 * unit () - 2 : odd[below (sizeof odd / sizeof *odd)]);
    case SOME_NAN: return (R) (below (12) ? 4 * unit () - 2 : NAN);
    case MOSTLY_NAN: return (R) (below (12) ? NAN : 4 * unit () - 2);
    case FAR_FROM_1: return (R) std::ldexp (0.99 + 0.02 * unit (), below (6) ? 0 : (int) (limits::max_exponent / 2 - below (limits::max_exponent)));
    case NAN_OR_LEAST: return (R) (below (3000) ? NAN : -INFINITY);
    case NAN_OR_MOST: return (R) (below (3000) ? NAN : INFINITY);
    default: return (R) (4 * unit () - 2);
    }
}
template <class X> static X element (int kind) { return number<X> (kind); }
template <> c128 element<c128> (int kind) { return { number<f64> (kind), number<f64> (kind) }; }
template <> c64 element<c64> (int kind) { return { number<f32> (kind), number<f32> (kind) }; }

enum { TO_HOST, RESIDENT, STREAMED, SHARED, IN_PIECES, WAYS };
static const char *const way_names[] = { "resident", "resident, results too", "streamed", "shared", "in pieces" };
static long shares, in_pieces, limited, put_together, fused_in_pieces;

static void *take (size_t bytes)
{
  void *p;
  if (gpr_cuda_take (device, &p, bytes) != GPR_OK)
    exit (1);
  return p;
}

/* All units of r, whose results are written.  Of several parts there are accumulators, which merge here as the CPU
   does it.  */
static int64_t take_units (gpr_share *s, bool, int64_t most, int64_t *first)
{
  const int64_t count = min ((int64_t) s->left, most);
  s->left -= count;
  *first = s->left;
  return count;
}
template <class F> static gpr_status share_all (gpr_reduction *r)
{
  typedef typename F::A A;
  const gpr_tree t = gpr_tree_make (sizeof (A), r->inner, r->length, r->outer);
  const int64_t outputs = r->inner * r->outer;
  std::vector<A> parts (t.parts > 1 ? outputs * t.parts : 0);
  gpr_share s = {};
  s.r = r;
  s.tree = t;
  s.partials = t.parts > 1 ? (char *) parts.data () : nullptr;
  s.acc_bytes = sizeof (A);
  s.unit_bytes = min (t.rows, r->length) * r->inner * (int64_t) sizeof (typename F::X) * (r->y ? 2 : 1);
  s.take = take_units;
  s.left = t.parts * r->outer;
  int64_t units;
  const gpr_status status = gpr_cuda_share (device, &s, &units);
  r->needs_fixup = s.needs_fixup;
  for (int64_t o = 0; t.parts > 1 && o < outputs; o++)
    {
      A *p = parts.data () + o * t.parts;
      int64_t index = 0;
      for (int64_t h = 1; h < t.parts; h *= 2)
        for (int64_t j = 0; j + h < t.parts; j += 2 * h)
          F::merge_here (p + j, p[j + h]);
      if (F::finish (*p, r->divisor, (typename F::Y *) r->value + o, &index))
        r->needs_fixup = true;
      if (r->index)
        r->index[o] = index;
    }
  return status;
}

/* Two pieces of the rows, each with the subtrees of its parts, which merge here as ranks do it (src/ranks/reduce.c).  */
template <class F> struct subtrees {
  std::vector<typename F::A> accumulators;
  gpr_forest forest;
  int64_t slot[GPR_MOST_SUBTREES], inner;
};
template <class F> static void merge_subtrees (void *context, int into)
{
  subtrees<F> *w = (subtrees<F> *) context;
  for (int64_t c = 0; c < w->inner; c++)
    F::merge_here (&w->accumulators[w->slot[into] * w->inner + c], w->accumulators[w->slot[into + 1] * w->inner + c]);
}
static int height_of (int64_t parts)
{
  int height = 0;
  while ((int64_t) 1 << height < parts)
    height++;
  return height;
}
/* Of an expression once it is compiled, which may take thirty times.  */
static void compile_partial (gpr_partial *p)
{
  bool can = false;
  p->asked = &can;
  for (int again = 0; again < 31 && ! can; again++)
    if (gpr_cuda_partial_begin (device, p) != GPR_OK || ! gpr_cuda_compile_wait ())
      break;
  p->asked = nullptr;
}
/* The expression of these rows alone.  */
static gpr_mapping terms_of_rows (const gpr_mapping &m, int64_t first, int64_t end)
{
  gpr_mapping own = m;
  own.dims[1] = end - first;
  for (int l = 0; l < m.leaves; l++)
    own.x[l] = (const char *) m.x[l] + first * m.strides[l][1] * (m.classes[l] == GPR_CLASS_single ? 4 : 8);
  return own;
}
static gpr_status partial (gpr_partial *p)
{
  if (p->r.terms)
    compile_partial (p);
  const gpr_status status = gpr_cuda_partial_begin (device, p);
  return status == GPR_OK ? gpr_cuda_partial_end (device, p, true) : status;
}
template <class F> static gpr_status reduce_pieces (gpr_reduction *r)
{
  const gpr_tree t = gpr_tree_make (sizeof (typename F::A), r->inner, r->length, 1);
  const int64_t cut = t.parts > 1 ? 1 + (int64_t) below (t.parts - 1) : 1;
  subtrees<F> w = { {}, { 0 }, {}, r->inner };
  gpr_status status = GPR_OK;
  /* Or all parts' accumulators go to one memory, whose device makes the results.  */
  void *partials = below (3) == 0 ? take (t.parts * r->inner * sizeof (typename F::A)) : nullptr;
  for (int piece = 0; piece < 1 + (t.parts > 1) && status == GPR_OK; piece++)
    {
      const gpr_span parts = { piece ? cut : 0, piece ? t.parts : cut };
      const int64_t first = parts.first * t.rows, end = std::min<int64_t> (parts.end * t.rows, r->length);
      const int64_t extra = piece && first > 0 ? (int64_t) below (3) : 0;
      const gpr_forest f = gpr_forest_of (parts, t.parts);
      const bool singly = ! partials && below (3) == 0;
      std::vector<int64_t> ends;
      if (partials)
        ends.push_back (parts.end);
      for (int k = 0; k < f.count && ! singly && ! partials; k++)
        ends.push_back (std::min<int64_t> ((f.of[k].at + 1) << f.of[k].height, t.parts));
      for (int64_t p = parts.first; p < parts.end && singly; p++)
        ends.push_back (p + 1);
      /* Rows before the parts may be there, too.  */
      const size_t each = r->inner * sizeof (typename F::X), bytes = (end - first + extra) * each;
      void *there[2] = {};
      for (int i = 0; i < 1 + (r->y != nullptr) && ! r->terms; i++)
        memcpy (there[i] = take (bytes), (const char *) (i ? r->y : r->x) + (first - extra) * each, bytes);
      gpr_reduction q = *r;
      const gpr_mapping own = r->terms ? terms_of_rows (*r->terms, first - extra, end) : gpr_mapping {};
      q.terms = r->terms ? &own : nullptr;
      q.x = there[0];
      q.y = there[1];
      const size_t before = w.accumulators.size () / r->inner, apart = r->inner * sizeof (typename F::A);
      w.accumulators.resize ((before + ends.size ()) * r->inner);
      gpr_partial p = { q, t, (int) sizeof (typename F::A), first - extra, parts.first, (int64_t) ends.size (), ends.data (), (char *) &w.accumulators[before * r->inner], apart, partials };
      status = partial (&p);
      if (status == GPR_OUT_OF_MEMORY)          /* a limit: part after part */
        {
          ends.clear ();
          for (int64_t part = parts.first; part < parts.end; part++)
            ends.push_back (part + 1);
          w.accumulators.resize ((before + ends.size ()) * r->inner);
          status = GPR_OK;
          for (size_t k = 0; k < ends.size () && status == GPR_OK; k++)
            {
              gpr_partial one = { q, t, (int) sizeof (typename F::A), first - extra, (int64_t) ends[k] - 1, 1, &ends[k],
                                        (char *) &w.accumulators[(before + k) * r->inner], apart };
              status = partial (&one);
              limited++;
            }
        }
      int64_t from = parts.first;
      for (size_t k = 0; k < ends.size () && status == GPR_OK && ! partials; from = ends[k++])
        {
          const int height = height_of (ends[k] - from);
          w.slot[w.forest.count] = before + k;
          gpr_forest_add (&w.forest, t.parts, { height, from >> height }, merge_subtrees<F>, &w);
        }
      gpr_cuda_give (there[0]);
      gpr_cuda_give (there[1]);
    }
  if (partials)
    {
      gpr_partial p = { *r, t, (int) sizeof (typename F::A) };
      p.r.terms = nullptr;
      p.partials = partials;
      put_together++;
      void *value = NULL, *index = NULL;
      p.r.out_resident = below (2) == 0;        /* where they stay */
      p.r.rows = p.r.out_resident && below (2) == 0;
      if (p.r.out_resident)
        {
          gpr_cuda_take (device, &value, r->inner * sizeof (typename F::Y));
          gpr_cuda_take (device, &index, r->inner * sizeof (double));
          p.r.value = value;
          p.r.index = r->index ? (int64_t *) index : NULL;
        }
      status = status == GPR_OK ? gpr_cuda_partial_results (device, &p) : status;
      if (value)
        memcpy (r->value, value, r->inner * sizeof (typename F::Y));
      for (int64_t c = 0; c < r->inner && index && r->index; c++)
        r->index[c] = p.r.rows ? (int64_t) ((double *) index)[c] - 1 : ((int64_t *) index)[c];
      gpr_cuda_give (value);
      gpr_cuda_give (index);
      r->needs_fixup |= p.r.needs_fixup;
      gpr_cuda_give (partials);
      return status;
    }
  for (int64_t c = 0; c < r->inner && status == GPR_OK; c++)
    {
      int64_t index = 0;
      if (F::finish (w.accumulators[w.slot[0] * r->inner + c], r->divisor, (typename F::Y *) r->value + c, &index))
        r->needs_fixup = true;
      if (r->index)
        r->index[c] = index;
    }
  return status == GPR_OK && w.forest.count != 1 ? GPR_BAD_INPUT : status;
}

template <class F> static void check (const char *name, enum gpr_instance instance, oracle_function *oracle, bool products, int64_t l, int64_t n, int64_t u)
{
  typedef typename F::X X;
  typedef typename F::Y Y;
  const size_t count = (size_t) (l * n * u), outputs = (size_t) (l * u), off[2] = { below (4) == 0, below (8) == 0 };
  const int kind = F::traits & GPR_OMITS_NAN && below (4) == 0 ? MOSTLY_NAN : F::marks && below (4) ? (below (2) ? NEAR_1 : FAR_FROM_1) : ! F::indexed && below (2) ? PLAIN : (int) below (KINDS);
  std::vector<X> x (count + 2), y (count + 2);
  std::vector<Y> want (outputs), got (outputs);
  std::vector<int64_t> want_at (outputs), got_at (outputs);
  for (X &e : x)
    e = element<X> (kind);
  if (products)
    for (X &e : y)
      e = element<X> (kind);

  gpr_reduction r = {};
  r.instance = instance;
  r.inner = l;
  r.length = n;
  r.outer = u;
  r.divisor = below (3) ? 0 : (double) n;
  r.x = x.data () + off[0];
  r.y = products ? y.data () + off[1] : nullptr;
  r.value = want.data ();
  r.index = F::indexed ? want_at.data () : nullptr;
  const bool needs_fixup = oracle (&r) != 0;

  const gpr_tree tree = gpr_tree_make (sizeof (typename F::A), l, n, u);
  const bool may_share = tree.tiles == 1 && tree.parts * u > 1 && count > 0 && ! r.y;
  for (int way = 0; way < WAYS; way++)
    {
      if ((way == SHARED && ! may_share) || (way == IN_PIECES && (u > 1 || count == 0)))
        continue;
      static const unsigned grids[] = { 1, 2, 3, 7, 1u << 31 };
      static const size_t limits[] = { 0, 1 << 20, 128 << 10, 16 << 10 };
      gpr_reduction q = r;
      X *there[2] = {};
      memset (got.data (), 0x55, outputs * sizeof (Y));
      std::fill (got_at.begin (), got_at.end (), -7);
      q.value = got.data ();
      q.index = F::indexed ? got_at.data () : nullptr;
      settings.memory_limit = limits[way == SHARED ? 1 + below (3) : below (4)];
      settings.threads = 1;
      if (way == TO_HOST || way == RESIDENT)
        {
          q.x_resident = true;
          for (int i = 0; i < 1 + products; i++)
            {
              there[i] = (X *) take ((count + 1) * sizeof (X));
              memcpy (there[i] + off[i], i ? r.y : r.x, count * sizeof (X));
            }
          q.x = there[0] + off[0];
          if (products)
            q.y = there[1] + off[1];
        }
      if (way == RESIDENT)
        {
          q.out_resident = true;
          q.value = take (outputs * sizeof (Y));
          q.apart = F::both && below (2);
          q.most = q.apart && below (4) ? (X *) q.value + outputs : nullptr;
          q.index = F::indexed ? (int64_t *) take (outputs * sizeof (int64_t)) : nullptr;
        }
      most_blocks = grids[below (5)];
      device->multiprocessors = 1 + (int) below (3);
      algorithms_run = 0;
      const gpr_status status = way == SHARED ? share_all<F> (&q) : way == IN_PIECES ? reduce_pieces<F> (&q) : gpr_cuda_reduce (device, &q);
      shares += way == SHARED;
      in_pieces += way == IN_PIECES;
      if (way == RESIDENT)
        {
          memcpy (got.data (), q.value, outputs * sizeof (Y));
          if constexpr (F::both)
            for (size_t i = 0; q.apart && i < outputs; i++)
              {
                const X *apart = (const X *) q.value;
                got[i] = { apart[i], q.most ? apart[outputs + i] : want[i].most };
              }
          gpr_cuda_give (q.value);
          if (F::indexed)
            {
              memcpy (got_at.data (), q.index, outputs * sizeof (int64_t));
              gpr_cuda_give (q.index);
            }
        }
      gpr_cuda_give (there[0]);
      gpr_cuda_give (there[1]);
      const bool values = same_values<F> (want.data (), got.data (), outputs), places = ! F::indexed || want_at == got_at;
      const bool good = status == GPR_OK && values && places && q.needs_fixup == needs_fixup && fake.violations == 0;
      for (int w = 0; w < ALGORITHMS; w++)
        checked[w] += algorithms_run >> w & 1;
      if (! good && failed < 30)
        {
          printf ("FAILED %s%s l %lld n %lld u %lld %s, limit %zu, %d multiprocessors, at most %u blocks:%s%s%s%s, algorithms", name, products ? ", products" : "",
                  (long long) l, (long long) n, (long long) u, way_names[way], settings.memory_limit, device->multiprocessors, most_blocks,
                  values ? "" : " other values", places ? "" : " other places", q.needs_fixup == needs_fixup ? "" : " needs_fixup differs",
                  status == GPR_OK ? "" : message.c_str ());
          for (int w = 0; w < ALGORITHMS; w++)
            if (algorithms_run >> w & 1)
              printf (" %s", algorithm_names[w]);
          printf ("; x %zu off, data %d%s%s\n", off[0], kind, fake.violations ? ", " : "", fake.violations ? fake.last : "");
        }
      *(good ? &passed : &failed) += 1;
      fake.violations = 0;
    }
}

/* Short rows, longer ones, long ones; a power of two of columns, any number of them.  */
template <class F> static void check_instance (const char *name, enum gpr_instance instance, oracle_function *oracle, int problems)
{
  static const int64_t any[] = { 3, 5, 10, 100, 333, 600, 1001, 1501, 1536, 3000 };
  static const int64_t ns[] = { 0, 1, 2, 4, 7, 8,   9, 16, 24, 32, 64, 100, 127, 128, 129, 333, 1000, 1024, 2047, 2048,
                                2049, 5000, 20000, 70000, 150001, 200000 };
  static const int64_t us[] = { 1, 1, 2, 5, 40, 700 };
  enum { MOST = 300000, ANY = sizeof any / sizeof *any, NS = sizeof ns / sizeof *ns, SHORT = 6, LONG = 20, US = sizeof us / sizeof *us };
  for (int i = 0; i < problems; )
    {
      const int kind = i % 6;
      const int64_t l = kind < 3 ? 1 : kind < 5 ? 2 << below (11) : any[below (ANY)], u = us[below (US)];
      const int64_t n = kind == 0 ? ns[below (SHORT)] : kind == 1 ? ns[SHORT + below (LONG - SHORT)]
                        : kind == 2 ? ns[LONG + below (NS - LONG)] : ns[below (NS)];
      if (l * n * u > MOST)
        continue;
      check<F> (name, instance, oracle, F::products && below (3) == 0, l, n, u);
      i++;
    }
}

/* ---- extremes with an index ------------------------------------------------------------------ */

enum { ANY_NUMBER, FEW, ONE_ZERO_OR_THE_OTHER, INFINITIES, SOME_NANS, NANS_FIRST, NANS_ALONE, WORST_ALONE, WORST_OR_NAN, INDEX_KINDS };

/* An element at a row; NaN are all different.  */
template <class R> static R index_element (int kind, bool least, int64_t row)
{
  typedef std::numeric_limits<R> limits;
  const R worst = limits::is_integer ? (least ? limits::max () : limits::min ()) : least ? (R) INFINITY : (R) -INFINITY;
  if constexpr (! limits::is_integer)
    {
      const bool nan = kind == SOME_NANS ? below (2) : kind == NANS_FIRST ? row < 5 + below (60) : kind == WORST_OR_NAN ? below (8) > 0 : kind == NANS_ALONE;
      if (nan)
        {
          uint64_t bits = sizeof (R) == 8 ? 0x7ff8000000000000u | random64 (&seed) >> 16 | below (2) << 63 : 0x7fc00000u | random64 (&seed) >> 48 | below (2) << 31;
          R x;
          memcpy (&x, &bits, sizeof x);
          return x;
        }
    }
  switch (kind)
    {
    case FEW: return (R) (below (3) - limits::is_signed);
    case ONE_ZERO_OR_THE_OTHER: return limits::is_integer ? 0 : (R) (below (2) ? 0.0 : -0.0);
    case INFINITIES: return limits::is_integer ? (below (2) ? limits::min () : limits::max ()) : (R) (below (2) ? INFINITY : -INFINITY);
    case WORST_ALONE: case WORST_OR_NAN: return worst;
    default: return number<R> (PLAIN);
    }
}

/* A reduction of a resident array, and a device of any size to do it.  */
static gpr_reduction any_device (enum gpr_instance instance, int64_t l, int64_t n, int64_t u, const void *x)
{
  static const size_t limits[] = { 0, 0, 128 << 10, 16 << 10 };
  settings.memory_limit = limits[below (4)];
  most_blocks = below (3) ? 1u << 31 : 1 + below (4);
  device->multiprocessors = 1 + (int) below (3);
  algorithms_run = 0;
  gpr_reduction r = {};
  r.instance = instance;
  r.inner = l;
  r.length = n;
  r.outer = u;
  r.x = x;
  r.x_resident = true;
  return r;
}

/* Beside a plain reading of all elements, one after the other.  */
template <class F> static void check_index (const char *name, enum gpr_instance instance, int64_t l, int64_t n, int64_t u)
{
  typedef typename F::X X;
  const bool least = ! (F::traits & GPR_PREFERS_GREATER), resident = below (2), rows = below (2);
  const size_t count = (size_t) (l * n * u), outputs = (size_t) (l * u), off = below (2) ? 0 : below (4);
  const int kind = (int) below (INDEX_KINDS);
  X *x = (X *) take ((count + off) * sizeof (X)) + off;
  std::vector<X> want (outputs), got (outputs);
  std::vector<int64_t> want_at (outputs), got_at (outputs);
  for (size_t i = 0; i < count; i++)
    x[i] = index_element<X> (kind, least, (int64_t) i / l % n);
  for (size_t o = 0; o < outputs; o++)
    {
      const X *column = x + o % l + o / l * l * n;
      int64_t best = 0;
      for (int64_t r = 1; r < n; r++)
        {
          const X a = column[best * l], b = column[r * l];
          if ((a != a && b == b) || (least ? b < a : b > a))
            best = r;
        }
      want[o] = column[best * l];
      want_at[o] = best;
    }
  gpr_reduction r = any_device (instance, l, n, u, x);
  r.value = got.data ();
  r.index = got_at.data ();
  if (resident)
    {
      r.out_resident = true;
      r.rows = rows;
      r.value = take ((outputs + 1) * sizeof (X));
      r.index = (int64_t *) take (outputs * sizeof (int64_t));
    }
  const gpr_status status = gpr_cuda_reduce (device, &r);
  if (resident)
    {
      memcpy (got.data (), r.value, outputs * sizeof (X));
      for (size_t o = 0; o < outputs; o++)
        got_at[o] = rows ? (int64_t) ((double *) r.index)[o] - 1 : r.index[o];
      gpr_cuda_give (r.value);
      gpr_cuda_give (r.index);
    }
  gpr_cuda_give (x - off);
  const bool values = memcmp (want.data (), got.data (), outputs * sizeof (X)) == 0, places = want_at == got_at;
  const bool chosen = (algorithms_run & (1u << GPR_ALGORITHM_EXACT_ROWS | 1u << GPR_ALGORITHM_EXACT_COLUMNS)) != 0;
  const bool good = status == GPR_OK && values && places && ! r.needs_fixup && (chosen || l * u == 1 || (l == 1 && n > GPR_EXACT_ROW)) && fake.violations == 0;
  if (! good && failed < 30)
    printf ("FAILED %s l %lld n %lld u %lld, %zu off, data %d, %d multiprocessors, at most %u blocks, limit %zu:%s%s%s%s\n", name, (long long) l, (long long) n,
            (long long) u, off, kind, device->multiprocessors, most_blocks, settings.memory_limit, values ? "" : " other values", places ? "" : " other places",
            chosen ? "" : " another algorithm", fake.violations ? fake.last : "");
  *(good ? &passed : &failed) += 1;
  index_cases++;
  fake.violations = 0;
}

/* ---- any, all --------------------------------------------------------------------------------- */

enum { ZEROS, ONE_AT_THE_END, ONE_SOMEWHERE, ZERO_AT_THE_END, ZERO_SOMEWHERE, NEGATIVE_ZEROS, NANS, NANS_AND_ZEROS, SMALLEST, TOPS, MIXED, TRUTH_KINDS };

template <class R> static R truth_part (int kind, bool last, bool chosen)
{
  typedef std::numeric_limits<R> limits;
  const R minus = limits::is_integer ? (R) 0 : (R) -0.0, nan = limits::is_integer ? (R) 0 : limits::quiet_NaN (), least = limits::is_integer ? (R) 1 : limits::denorm_min ();
  /* Of an integer a single bit: in the lowest byte, or in the highest.  */
  const R top = limits::is_integer ? (R) (1ull << (8 * sizeof (R) - 1)) : limits::infinity (), bit = below (2) ? top : least;
  switch (kind)
    {
    case ZEROS: return 0;
    case ONE_AT_THE_END: return last ? bit : 0;
    case ONE_SOMEWHERE: return chosen ? bit : minus;
    case ZERO_AT_THE_END: return last ? minus : bit;
    case ZERO_SOMEWHERE: return chosen ? 0 : bit;
    case NEGATIVE_ZEROS: return minus;
    case NANS: return below (2) ? nan : -nan;
    case NANS_AND_ZEROS: return below (2) ? nan : minus;
    case SMALLEST: return below (2) ? least : (R) -least;
    case TOPS: return top;
    default: return below (3) ? number<R> (SPECIAL) : 0;
    }
}
template <class X> static X truth_element (int kind, bool last, bool chosen) { return truth_part<X> (kind, last, chosen); }
template <class C, class R> static C truth_complex (int kind, bool last, bool chosen)
{
  const bool re = below (2), both = kind == MIXED || below (3) == 0;
  const R x = truth_part<R> (kind, last, chosen), y = both ? truth_part<R> (kind, last, chosen) : 0;
  return re ? C { x, y } : C { y, x };
}
template <> c128 truth_element<c128> (int kind, bool last, bool chosen) { return truth_complex<c128, f64> (kind, last, chosen); }
template <> c64 truth_element<c64> (int kind, bool last, bool chosen) { return truth_complex<c64, f32> (kind, last, chosen); }

/* Octave's rule, of one element; NaN of any is false, of all true.  */
template <class R> static bool is_true (R x, bool any) { return x != x ? ! any : x < 0 || x > 0; }
template <class C> static bool is_true_complex (C x, bool any)
{
  return x.re != x.re || x.im != x.im ? ! any : is_true (x.re, any) || is_true (x.im, any);
}
static bool is_true (c128 x, bool any) { return is_true_complex (x, any); }
static bool is_true (c64 x, bool any) { return is_true_complex (x, any); }

/* Beside a plain reading.  */
template <class F> static void check_truth (const char *name, enum gpr_instance instance, int64_t l, int64_t n, int64_t u)
{
  typedef typename F::X X;
  const bool any = F::traits & GPR_DECIDED_BY_1, resident = below (2);
  const size_t count = (size_t) (l * n * u), outputs = (size_t) (l * u), off = below (2) ? 0 : below (4), out_off = below (2) ? 0 : below (4);
  const int kind = (int) below (TRUTH_KINDS);
  X *x = (X *) take ((count + off) * sizeof (X)) + off;
  std::vector<u8> want (outputs, (u8) ! any), got (outputs + 2, 0x55);
  for (size_t o = 0; o < outputs; o++)
    {
      const int64_t chosen = below (n);
      const bool otherwise = below (3) == 0;    /* neighbours differ */
      for (int64_t r = 0; r < n; r++)
        {
          X *e = x + o % l + o / l * l * n + r * l;
          *e = truth_element<X> (otherwise ? any ? ZEROS : TOPS : kind, r == n - 1, r == chosen);
          want[o] = any ? want[o] | is_true (*e, any) : want[o] & is_true (*e, any);
        }
    }
  gpr_reduction r = any_device (instance, l, n, u, x);
  r.value = got.data () + 1;
  u8 *there = nullptr;
  if (resident)
    {
      r.out_resident = true;
      there = (u8 *) take (outputs + out_off + 1);
      memset (there, 0x55, outputs + out_off + 1);
      r.value = there + out_off;
    }
  const gpr_status status = gpr_cuda_reduce (device, &r);
  bool beyond = got[0] != 0x55 || got[outputs + 1] != 0x55;
  if (resident)
    {
      memcpy (got.data () + 1, r.value, outputs);
      beyond |= there[outputs + out_off] != 0x55 || (out_off && there[out_off - 1] != 0x55);
      gpr_cuda_give (there);
    }
  gpr_cuda_give (x - off);
  const bool values = memcmp (want.data (), got.data () + 1, outputs) == 0;
  const bool chosen = (algorithms_run & (1u << GPR_ALGORITHM_EXACT_ROWS | 1u << GPR_ALGORITHM_EXACT_COLUMNS)) != 0;
  const bool good = status == GPR_OK && values && ! beyond && ! r.needs_fixup && (chosen || ! F::exact_rows || l * u == 1 || (l == 1 && n > GPR_EXACT_ROW)) && fake.violations == 0;
  if (! good && failed < 30)
    printf ("FAILED %s l %lld n %lld u %lld, %zu off, data %d, %d multiprocessors, at most %u blocks, limit %zu:%s%s%s%s\n", name, (long long) l, (long long) n,
            (long long) u, off, kind, device->multiprocessors, most_blocks, settings.memory_limit, values ? "" : " other values", beyond ? " writes beyond" : "",
            chosen ? "" : " another algorithm", fake.violations ? fake.last : "");
  *(good ? &passed : &failed) += 1;
  truth_cases++;
  fake.violations = 0;
}

/* ---- extremes of 1 and 2 bytes ------------------------------------------------------------------ */

template <class X> static void take_extremes (X least, X most, X *y, bool greatest) { *y = greatest ? most : least; }
template <class X, class BOTH> static void take_extremes (X least, X most, BOTH *y, bool) { *y = { least, most }; }

/* Beside a plain reading.  */
template <class F> static void check_small (const char *name, enum gpr_instance instance, int64_t l, int64_t n, int64_t u)
{
  typedef typename F::X X;
  typedef typename F::Y Y;
  const size_t outputs = (size_t) (l * u), count = outputs * (size_t) n, off = below (2) ? 0 : below (8);
  const bool narrow = below (2);        /* few values: equal ones */
  X *x = (X *) take ((count + off) * sizeof (X)) + off;
  std::vector<Y> want (outputs), got (outputs);
  for (size_t i = 0; i < count; i++)
    x[i] = (X) (narrow ? below (3) : below (65536));
  for (size_t o = 0; o < outputs; o++)
    {
      const X *column = x + o % l + o / l * l * n;
      X least = *column, most = *column;
      for (int64_t r = 0; r < n; r++)
        {
          least = column[r * l] < least ? column[r * l] : least;
          most = column[r * l] > most ? column[r * l] : most;
        }
      take_extremes (least, most, &want[o], (F::traits & GPR_PREFERS_GREATER) != 0);
    }
  gpr_reduction r = any_device (instance, l, n, u, x);
  r.value = got.data ();
  const bool good = gpr_cuda_reduce (device, &r) == GPR_OK && memcmp (want.data (), got.data (), outputs * sizeof (Y)) == 0 && fake.violations == 0
                    && (l * u == 1 || (l == 1 && (n <= 8 || n > GPR_EXACT_ROW)) || (algorithms_run & (1u << GPR_ALGORITHM_EXACT_ROWS | 1u << GPR_ALGORITHM_EXACT_COLUMNS)));
  gpr_cuda_give (x - off);
  if (! good && failed < 30)
    printf ("FAILED %s l %lld n %lld u %lld, %zu off:%s\n", name, (long long) l, (long long) n, (long long) u, off, fake.violations ? fake.last : " other values, or another algorithm");
  *(good ? &passed : &failed) += 1;
  small_cases++;
  fake.violations = 0;
}

/* ---- shapes of all --------------------------------------------------------------------------- */

typedef void exact_check (const char *name, enum gpr_instance instance, int64_t l, int64_t n, int64_t u);

/* few: of the short rows a third, others each time.  */
static void check_shapes (exact_check *check, const char *name, enum gpr_instance instance, int rounds, bool few)
{
  static const int64_t columns[] = { 2, 3, 4, 5, 6, 7, 8, 9, 40, 255, 256, 257, 333, 512, 513, 1001, 1500, 2500 };
  static const int64_t lengths[] = { 1, 2, 3, 7, 8, 9, 40, 100, 333, 1001 };
  for (int round = 0; round < rounds; round++)
    {
      for (int64_t n = few ? 1 + below (3) : 1; n <= 70; n += few ? 3 : 1)
        check (name, instance, 1, n, 2 + below (below (4) ? 40 : 1500));
      for (int64_t n : { 333, 1000, 1001, 2048 })
        check (name, instance, 1, n, 2 + below (30));
      for (int64_t l : columns)
        {
          const int64_t n = lengths[below (10)], room = 200000 / (l * n);
          check (name, instance, l, n, 1 + (room > 1 && below (3) ? below (min (room, (int64_t) 300)) : 0));
        }
      /* Parts; more steps than 16 bits count.  */
      check (name, instance, 2 + below (40), 5000 + below (3000), 1 + below (2));
      if (round == 0)
        check (name, instance, 1001, 150 + below (100), 1);
    }
}

/* Both sides of the reductions have the GPU's way of dividing: against the division itself.  */
static void check_by_counts ()
{
  const f64 special[] = { 0, -0.0, HUGE_VAL, -HUGE_VAL, 0x1p-1074, -0x1.8p-1073, 0x1.fffffffffffffp-1022, DBL_MAX, 1 };
  for (int k = 0; k < 4096; k++)
    {
      const f64 n = k % 2 ? ldexp (1, k % 63) : (f64) (1 + (random64 (&seed) >> 24));
      union { uint64_t u; f64 f; } x = { random64 (&seed) }, q, by;
      if (k % 8 == 0)
        x.f = special[k / 8 % 9];
      q.f = x.f / n;
      const int slot = k / 2 % 3;       /* beside powers of two, mostly */
      f64 quotients[3], xs[3] = { 3, 5, 7 }, ns[3] = { 4, k % 5 ? 8.0 : 3.0, 1 };
      xs[slot] = x.f;
      ns[slot] = n;
      gpr_by_counts (quotients, xs, ns);
      by.f = quotients[slot];
      const bool same = q.f != q.f ? by.f != by.f : q.u == by.u;
      if (! same)
        printf ("FAILED %a by %.17g is %a, not %a\n", x.f, n, by.f, q.f);
      *(same ? &passed : &failed) += 1;
    }
}

/* ---- expressions: (x - y) .* x, or .* w, one for each row of a column, of z's class, y a row for all, a column for all, or as the results lie -------- */

/* along: the dimension that the second operand has alone; 3: all but the reduced one; -1: any.  */
template <class F> static void check_fused (const char *name, enum gpr_instance instance, oracle_function *oracle, int64_t l, int64_t n, int64_t u, int along = -1, bool weighted = false)
{
  typedef typename F::X X;
  typedef typename F::Y Y;
  const bool single = std::is_same<X, f32>::value, whole = std::is_integral<X>::value;
  const int64_t count = l * n * u, outputs = l * u;
  const gpr_class cls = whole ? GPR_CLASS_logical : single ? GPR_CLASS_single : GPR_CLASS_double, leaf = single ? GPR_CLASS_single : GPR_CLASS_double;
  const size_t bytes = single ? 4 : 8;
  char *x = (char *) take (count * bytes), *y = (char *) take (count * bytes);
  for (int64_t i = 0; i < count; i++)
    for (char *to : { x, y })
      if (single)
        ((float *) to)[i] = (float) unit () - 0.4f;
      else
        ((double *) to)[i] = unit () - 0.4;
  gpr_map_step step[3] = { { .op = GPR_MAP_load, .single = single, .operand = GPR_MAP_LEAF }, { .op = GPR_MAP_minus, .single = single, .operand = GPR_MAP_LEAF, .at = 1 },
                           { .op = (uint8_t) (whole ? GPR_MAP_gt : GPR_MAP_times), .single = single, .operand = GPR_MAP_LEAF } };
  gpr_mapping m = {};
  m.rank = 3;
  m.dims[0] = l, m.dims[1] = n, m.dims[2] = u;
  m.leaves = weighted ? 3 : 2;
  m.x[0] = x, m.x[1] = m.x[2] = y;
  m.classes[0] = m.classes[1] = m.classes[2] = leaf;
  step[2].at = weighted ? 2 : 0;
  m.strides[2][1] = 1;
  for (int d = 0, k = 1; d < 3; k *= (int) m.dims[d++])
    m.strides[0][d] = k;
  if (along < 0)
    along = (int) below (4);
  if (along < 3)
    m.strides[1][along] = 1;
  else
    m.strides[1][0] = 1, m.strides[1][2] = l;
  m.steps = 3;
  m.step = step;
  m.class_ = cls;
  std::vector<X> z (count);
  std::vector<Y> want (outputs), got (outputs);
  m.z = z.data ();
  gpr_reduction r = {};
  r.instance = instance;
  r.inner = l, r.length = n, r.outer = u;
  r.divisor = below (2) ? 3 : 0;
  bool good = gpr_cpu_map (&m) == GPR_OK;
  gpr_reduction plain = r, fused = r;
  plain.x = z.data ();
  plain.value = want.data ();
  const int fixup = oracle (&plain);
  m.z = nullptr;
  fused.terms = &m;
  fused.x_resident = true;
  fused.value = got.data ();
  device->multiprocessors = 1;
  settings.memory_limit = 0;
  settings.interpret = false;
  settings.kernel_folder = "";
  gpr_cuda_compile_forget ();   /* another one of these may have the same kernel */
  of_terms = true;
  good = good && gpr_cuda_reduce (device, &fused) == GPR_OK && ! fused.fused && gpr_cuda_compile_wait ();
  gpr_cuda_compiling report;
  gpr_cuda_compile_report (&report);
  for (int again = 1; again < 30 && count < 4096 && good; again++)      /* compiled the thirtieth time */
    good = gpr_cuda_reduce (device, &fused) == GPR_OK && ! fused.fused && gpr_cuda_compile_wait ();
  good = good && gpr_cuda_reduce (device, &fused) == GPR_OK && fused.fused && fused.needs_fixup == (fixup != 0) && same_values<F> (want.data (), got.data (), outputs);
  if (good && u == 1)                   /* pieces of it, as GPUs have that share it */
    {
      gpr_reduction pieces = fused;
      std::fill (got.begin (), got.end (), Y ());
      pieces.needs_fixup = false;
      good = reduce_pieces<F> (&pieces) == GPR_OK && pieces.needs_fixup == (fixup != 0) && same_values<F> (want.data (), got.data (), outputs);
      fused_in_pieces++;
    }
  of_terms = false;
  if (! good)
    printf ("FAILED fused %s l %lld n %lld u %lld: fused %d, needs_fixup %d, %d; %s\n", name, (long long) l, (long long) n, (long long) u, fused.fused, fused.needs_fixup, fixup,
            report.failure);
  *(good ? &passed : &failed) += 1;
  gpr_cuda_give (x);
  gpr_cuda_give (y);
}

/* Some of them, from another one on each time, and one that has several parts, for pieces.  */
static void check_expressions (int some)
{
#define FUSED(id, l, n, u) [] { check_fused<op_##id> (#id, GPR_##id, oracle_##id, l, n, u); }
  void (*const all[]) () = {
    FUSED (sum_f64, 1, 6000, 2), FUSED (sum_f64, 1030, 40, 1), FUSED (moments_f64, 1, 9000, 1), FUSED (min_f64, 1, 5000, 3), FUSED (sum_u8, 3, 5000, 2),
    FUSED (sum_f32, 1, 2100, 60), FUSED (sum_f64, 1, 100, 1100), FUSED (sum_f64, 1, 7, 900), FUSED (sum_f32, 5, 300, 11), FUSED (sum_f64, 2, 400, 50),
    FUSED (max_f32, 700, 9, 2), FUSED (moments_f64, 40, 6, 40), FUSED (sum_u8, 1, 9000, 1), FUSED (sum_f64, 24, 3000, 1), FUSED (moments_f32, 3, 7000, 1),
    FUSED (sum_f64, 1, 300, 1), FUSED (max_f32, 5, 40, 3), FUSED (sum_f64, 1, 3, 7), FUSED (moments_f64, 1, 2000, 1),
    FUSED (any_u8, 1, 6000, 2), FUSED (all_f64, 1030, 40, 1), FUSED (any_f32, 1, 700, 300), FUSED (any_u8, 700, 7, 3), FUSED (all_u8, 1, 5, 900), FUSED (any_u8, 1, 40, 400), FUSED (all_u8, 90, 20, 60), FUSED (sum_f64, 64, 2, 5),
    FUSED (sum_f32, 90, 7, 30), FUSED (max_f64, 333, 5, 3),
    FUSED (bounds_f64, 1, 9000, 1), FUSED (bounds_f32, 1, 70000, 1), FUSED (sumsq_f32, 1, 700, 300)
  };
  const int count = sizeof all / sizeof *all, first = (int) below (count);
  check_fused<op_sum_u8> ("sum_u8", GPR_sum_u8, oracle_sum_u8, 1, 9000, 1);
  check_fused<op_sum_f64> ("sum_f64", GPR_sum_f64, oracle_sum_f64, 30, 20, 60);          /* a thread's lanes */
  check_fused<op_moments_f32> ("moments_f32", GPR_moments_f32, oracle_moments_f32, 30, 50, 60);
  check_fused<op_sum_f64> ("sum_f64", GPR_sum_f64, oracle_sum_f64, 3, 7000, 1, 0);      /* rows end within neighbours that are read together */
  /* What lies as a column's rows do beside what they have in common, in each algorithm.  */
  check_fused<op_sum_f64> ("sum_f64", GPR_sum_f64, oracle_sum_f64, 1, 12345, 9, 3, true);
  check_fused<op_sum_f64> ("sum_f64", GPR_sum_f64, oracle_sum_f64, 7, 9000, 1, 3, true);
  check_fused<op_sum_f32> ("sum_f32", GPR_sum_f32, oracle_sum_f32, 64, 900, 2, 3, true);
  check_fused<op_sum_f64> ("sum_f64", GPR_sum_f64, oracle_sum_f64, 9000, 7, 1, 3, true);
  check_fused<op_sum_f32> ("sum_f32", GPR_sum_f32, oracle_sum_f32, 1, 333, 70, 3, true);
  check_fused<op_sum_f32> ("sum_f32", GPR_sum_f32, oracle_sum_f32, 1, 6000, 9, 3, true);
  check_fused<op_sum_f64> ("sum_f64", GPR_sum_f64, oracle_sum_f64, 1, 6, 3000, 3, true);
  check_fused<op_sum_f64> ("sum_f64", GPR_sum_f64, oracle_sum_f64, 34, 7, 90, 3);
  check_fused<op_sum_f64> ("sum_f64", GPR_sum_f64, oracle_sum_f64, 333, 700, 2, 3);
  for (int outer = 1; outer <= 8; outer++)      /* which algorithm it is does not depend on how many blocks of its kernel run at once */
    check_fused<op_sum_f64> ("sum_f64", GPR_sum_f64, oracle_sum_f64, outer % 2 ? 2048 : 1000, 200 + 50 * (outer / 3), outer, 3);
  for (int i = 0; i < some && i < count; i++)
    all[(first + i) % count] ();
  printf ("compiled:");
  for (int w = 0; w < ALGORITHMS; w++)
    if (compiled[w])
      printf (" %s %ld", algorithm_names[w], compiled[w]);
  printf (", %ld in pieces\n", fused_in_pieces);
}

int main (int argc, char **argv)
{
  const int problems = argc > 1 ? atoi (argv[1]) : 84, expressions = argc > 2 ? atoi (argv[2]) : 24;
  if (getenv ("TEST_SEED"))
    seed ^= strtoull (getenv ("TEST_SEED"), NULL, 0) * 0x9E3779B97F4A7C15ull;
  gpr_host = { &flag, &settings, note, nullptr, nullptr };
  fake_run_kernel = run_kernel;
  fake_argument_bytes_of = bytes_of;
  if (gpr_cuda_enter (&device, nullptr, nullptr, nullptr) != GPR_OK)
    return 1;
  fake_late_us = 0;
#define CHECK(id, FAMILY, X, A, Y) check_instance<op_##id> (#id, GPR_##id, oracle_##id, problems);
#define CHECK_SOME(id, FAMILY, X, A, Y) check_instance<op_##id> (#id, GPR_##id, oracle_##id, (problems + 1) / 2);       /* of all types */
  SUM (CHECK) SUMSQ (CHECK) PROD (CHECK) NATIVE (CHECK) MOMENTS (CHECK) NORM (CHECK) BOUNDS (CHECK)
  EXTREME (CHECK_SOME) ARG (CHECK_SOME) LOGICAL (CHECK_SOME)
  for (int i = 0; i < 6; i++)           /* WARPS of bytes, which few shapes come to */
    {
      check<op_min_u8> ("min_u8", GPR_min_u8, oracle_min_u8, false, 1, 3072, 90);
      check<op_max_u16> ("max_u16", GPR_max_u16, oracle_max_u16, false, 1, 3072, 90);
      check<op_min_i16> ("min_i16", GPR_min_i16, oracle_min_i16, false, 1, 3072, 90);
    }
  for (int i = 0; i < 3; i++)           /* enough for the longest runs of parts */
    check<op_sum_f64> ("sum_f64", GPR_sum_f64, oracle_sum_f64, false, 1024, 2000, 1);
  for (int i = 0; i < 2; i++)           /* groups of a single column's parts */
    check<op_moments_f64> ("moments_f64", GPR_moments_f64, oracle_moments_f64, false, 1, 200000, 1);
  for (int i = 0; i < 6; i++)           /* short columns, all lanes of one a thread's */
    {
      const int64_t l = 2 + below (i % 2 ? 6 : 90), n = 9 + below (i % 3 ? 16 : 120), u = 1 + 1600 / l;
      check<op_moments_f64> ("moments_f64", GPR_moments_f64, oracle_moments_f64, false, l, n, u);
      check<op_moments_f32> ("moments_f32", GPR_moments_f32, oracle_moments_f32, false, l, n, u);
      check<op_sum_f32> ("sum_f32", GPR_sum_f32, oracle_sum_f32, i % 2, l, n, u);
      check<op_prod_f64> ("prod_f64", GPR_prod_f64, oracle_prod_f64, false, l, n, u);
      check<op_bounds_f64> ("bounds_f64", GPR_bounds_f64, oracle_bounds_f64, false, l, n, u);
      check<op_sum_i16> ("sum_i16", GPR_sum_i16, oracle_sum_i16, false, l, n, u);
    }
  for (int i = 0; i < 16; i++)          /* two boxes, the last of a single output, whose need of a fix-up is not all */
    check<op_sum_f64> ("sum_f64", GPR_sum_f64, oracle_sum_f64, false, 1025, 256, 1);
#define CHECK_INDEX(id, FAMILY, X, A, Y) check_shapes (check_index<op_##id>, #id, GPR_##id, 1 + problems / 80, problems < 80);
#define CHECK_TRUTH(id, FAMILY, X, A, Y) check_shapes (check_truth<op_##id>, #id, GPR_##id, 1 + problems / 80, problems < 80);
#define CHECK_SMALL(op) \
  check_shapes (check_small<op_##op##_i8>, #op "_i8", GPR_##op##_i8, 1, true); check_shapes (check_small<op_##op##_u8>, #op "_u8", GPR_##op##_u8, 1, true); \
  check_shapes (check_small<op_##op##_i16>, #op "_i16", GPR_##op##_i16, 1, true); check_shapes (check_small<op_##op##_u16>, #op "_u16", GPR_##op##_u16, 1, true);
  GPR_INSTANCES_REAL_ (CHECK_INDEX, argmax, ARGMAX)
  GPR_INSTANCES_REAL_ (CHECK_INDEX, argmin, ARGMIN)
  LOGICAL (CHECK_TRUTH)
  CHECK_SMALL (max) CHECK_SMALL (min) CHECK_SMALL (bounds)
  check_index<op_argmax_i16> ("argmax_i16", GPR_argmax_i16, 1500, 20000, 1);    /* more rows than steps are counted */
  check_by_counts ();
  check_expressions (expressions);
  for (int w = 0; w < ALGORITHMS; w++)
    {
      printf ("%s: %ld calls, %ld launches, %ld with tickets, %ld with mailbox\n", algorithm_names[w], checked[w], launches[w], ticketed[w], mailbox[w]);
      *(checked[w] > 0 ? &passed : &failed) += 1;
    }
  printf ("%ld launches with tickets of groups of parts, %ld of several columns\n", grouped[0] + grouped[1], grouped[1]);
  printf ("%ld extremes with an index, %ld any and all, %ld extremes of 1 and 2 bytes: %ld launches of parts, %ld of vectors, %ld of several outers a block\n", index_cases, truth_cases, small_cases,
          exact_parts, exact_vectors, exact_units);
  *(exact_parts > 0 && exact_vectors > 0 && exact_units > 0 ? &passed : &failed) += 1;
  printf ("%ld launches of columns whose lanes are a thread's\n", lanes_of_threads);
  *(lanes_of_threads > 0 ? &passed : &failed) += 1;
  printf ("%ld launches with more blocks than units, %ld shares, %ld in pieces, %ld parts singly, %ld put together\n", outside, shares, in_pieces, limited, put_together);
  *(outside == 0 && shares > 0 && in_pieces > 0 && limited > 0 && put_together > 0 ? &passed : &failed) += 1;
  printf ("%ld launches whose blocks merge runs of parts, %ld runs of %d\n", runs, full_runs, GPR_RUN_PARTS);
  *(full_runs > 0 && runs > full_runs ? &passed : &failed) += 1;
  *(grouped[0] > 0 && grouped[1] > 0 ? &passed : &failed) += 1;
  printf ("%ld passed, %ld failed\n", passed, failed);
  return failed > 0;
}
