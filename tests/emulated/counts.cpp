/* Counting of an expression's elements (kernels/engine/compiled/histogram.cuh), compiled by a fake NVRTC and launched by src/cuda/count.c on a fake runtime, and
   by the CPU backend a block at a time: both give the counts of elements that lie in memory.  Random steps, classes, shapes, rules and edges.  */

#define KERNEL "../../kernels/engine/count.cu"
#define HEADER "../unit/map_random.h"
#include "cuda.h"
#undef __shared__
#define __shared__
using std::max;
alignas (16) unsigned char raw[48 << 10];

#include <vector>
#include "launched.h"

#define class class_
extern "C" {
#include "../../kernels/engine/histogram.h"
#include "../../src/cuda/compile.h"
gpr_status gpr_cpu_map (gpr_mapping *m);
gpr_status gpr_cpu_count (gpr_counting *c);
extern const char gpr_cpu_map_loops_baseline;
const void *gpr_cpu_map_loops_here () { return &gpr_cpu_map_loops_baseline; }
/* The host side alone wants them.  */
const void *gpr_engine_map (gpr_map_kernel) { static const char none = 0; return &none; }
const void *gpr_engine_histogram (enum gpr_elem, enum gpr_elem) { static const char none = 0; return &none; }
const void *gpr_engine_histogram_bytes () { static const char none = 0; return &none; }
}
#undef class

enum { MOST = 40000 };
static long compiled, finds[3], stores[3], shared_cuts, groups, unaligned, integers;
static size_t bytes_of (const void *kernel) { return kernel == gpr_engine_widen () ? sizeof (gpr_widen_args) : sizeof (gpr_compiled_histogram_args); }
static void run_kernel (const void *kernel, unsigned blocks, unsigned block, const void *arguments)
{
  if (kernel == gpr_engine_widen ())
    return run_launch (kernel, *(const gpr_widen_args *) arguments, blocks, block, &launch_seed);
  const auto &a = *(const gpr_compiled_histogram_args *) arguments;
  compiled++;
  finds[a.counting.find]++;
  stores[a.counting.store]++;
  shared_cuts += a.counting.cuts_shared;
  groups += a.counting.groups > 1;
  unaligned += a.aligned < a.first;
  ((void (*) (unsigned, unsigned, const void *)) kernel) (blocks, block, arguments);
}

/* ---- expressions ---- */

typedef std::vector<double> memory;     /* of elements of any class */
struct expression
{
  gpr_mapping m = {};
  gpr_map_step step[GPR_MAP_STEPS] = {};
  memory x[3], z;
  int64_t count;
};

/* Of operations that leave the reals never.  Integers are narrowed after each.  */
static void make_steps (expression *e, gpr_class z)
{
  static const int ops[] = { GPR_MAP_plus, GPR_MAP_minus, GPR_MAP_times, GPR_MAP_rdivide, GPR_MAP_max, GPR_MAP_min, GPR_MAP_abs, GPR_MAP_uminus };
  gpr_mapping &m = e->m;
  const bool single = z == GPR_CLASS_single, whole = gpr_class_is_integer (z);
  m.step = e->step;
  m.class_ = z;
  m.steps = 0;
  for (int k = 0, count = 2 + (int) random_below (4); k < count; k++)
    {
      gpr_map_step *s = &e->step[m.steps++];
      *s = {};
      s->op = (uint8_t) (k == 0 ? GPR_MAP_load : ops[random_below (8)]);
      s->single = single;
      s->turned = gpr_map_takes_two (s->op) && random_below (2);
      s->operand = (uint8_t) (k > 0 && random_below (3) == 0 ? GPR_MAP_NUMBER : GPR_MAP_LEAF);
      s->number = 0.5 + random_below (3);
      s->at = (int8_t) (k == 0 ? 0 : random_below (m.leaves));
      if (whole && k > 0)
        {
          e->step[m.steps] = {};
          e->step[m.steps++].op = (uint8_t) (GPR_MAP_to_int8 + (int) z - (int) GPR_CLASS_int8);
        }
    }
}

/* Of class z.  outer: of the counting, a dimension of its own; of several, most begin where no vector does.  */
static void make_expression (expression *e, gpr_class z, int64_t outer)
{
  gpr_mapping &m = e->m;
  const int64_t rows = (1 + random_below (random_below (2) ? 50 : 3000)) | 1, columns = ((9000 + random_below (MOST / outer - 13000)) / rows + 1) | 1;
  m.rank = 3;
  m.dims[0] = rows, m.dims[1] = columns, m.dims[2] = outer;
  e->count = rows * columns * outer;
  m.leaves = 1 + (int) random_below (3);
  for (int l = 0; l < m.leaves; l++)
    {
      m.classes[l] = gpr_class_is_integer (z) ? z : random_below (3) || z == GPR_CLASS_single ? z : random_class_of (z == GPR_CLASS_single ? SINGLES : DOUBLES);
      if (m.classes[l] == GPR_CLASS_char)
        m.classes[l] = GPR_CLASS_logical;
      e->x[l].resize (e->count + 2);
      m.x[l] = e->x[l].data () + (random_below (4) == 0);       /* where no vector begins */
      lay_out (&m, l, l == 0 || random_below (2) ? ~0u : (unsigned) random_u64 ());
      fill (m.classes[l], (void *) m.x[l], e->count);
    }
  make_steps (e, z);
  e->z.resize (e->count);
  m.z = e->z.data ();
  expect (gpr_cpu_map (&m) == GPR_OK && ! m.left, "the CPU fails");
  m.z = nullptr;
}

static double element (const expression &e, int64_t i)
{
  const void *z = e.z.data ();
  switch (e.m.class_)
    {
    case GPR_CLASS_double: return ((const f64 *) z)[i];
    case GPR_CLASS_single: return ((const f32 *) z)[i];
    case GPR_CLASS_int16: return ((const i16 *) z)[i];
    case GPR_CLASS_uint16: return ((const u16 *) z)[i];
    case GPR_CLASS_int32: return ((const i32 *) z)[i];
    case GPR_CLASS_uint32: return ((const u32 *) z)[i];
    default: return ((const u8 *) z)[i];
    }
}

/* ---- countings ---- */

enum { EVEN, ANYWHERE, ON_ELEMENTS, WITH_ENDS, KINDS };
struct counting
{
  gpr_counting c = {};
  std::vector<double> edges;
  std::vector<float> singles;
};

static void make_counting (counting *p, const expression &e, int64_t outer, gpr_bin_rule rule, int kind, int64_t bins, bool single)
{
  gpr_counting &c = p->c;
  c.elem = gpr_elem_of_class (e.m.class_);
  c.inner = 1;
  c.outer = outer;
  c.length = e.count / outer;
  c.rule = rule;
  c.bins = bins;
  c.single_precision = single;
  double low = element (e, random_below (e.count)), high = element (e, random_below (e.count));
  if (! (fabs (low) < 1e30))
    low = -1;
  if (! (fabs (high) < 1e30) || high <= low)
    high = low + 1 + fabs (low);
  c.origin = low;
  c.step = (high - low) / (double) bins;
  const int64_t count = gpr_edge_count (rule, bins);
  for (int64_t k = 0; k < count; k++)
    {
      double edge = low + (high - low) * (kind == EVEN ? (double) k / (double) bins : random_unit ());
      if (kind == ON_ELEMENTS && random_below (2))
        edge = element (e, random_below (e.count));
      if (kind == WITH_ENDS && (k == 0 || k == count - 1))
        edge = k == 0 ? -INFINITY : INFINITY;
      p->edges.push_back (edge == edge ? edge : 0);
    }
  std::sort (p->edges.begin (), p->edges.end ());
  p->singles.assign (p->edges.begin (), p->edges.end ());
  c.edges = c.single_precision ? (const void *) p->singles.data () : p->edges.data ();
}

static gpr_cuda_compiling report () { static gpr_cuda_compiling r; gpr_cuda_compile_report (&r); return r; }

/* Whether the GPU's kernel for these counts was there, or came.  */
static bool compare (expression *e, counting *p)
{
  gpr_counting &c = p->c;
  std::vector<double> want (c.bins * c.outer), got (c.bins * c.outer, 0.5);
  gpr_counting plain = c;
  plain.x = e->z.data ();
  plain.counts = want.data ();
  expect (gpr_cpu_count (&plain) == GPR_OK, "the CPU fails");
  c.terms = &e->m;
  c.counts = got.data ();
  expect (gpr_cpu_count (&c) == GPR_OK && c.fused && want == got, "the CPU, a block at a time: class %d, rule %d, %ld bins", (int) e->m.class_, (int) c.rule, (long) c.bins);

  const long before = compiled;
  got.assign (got.size (), 0.5);
  c.x_resident = true;
  gpr_histogram_plan plan;
  const bool has = gpr_histogram_make (&plan, &c), by_runs = has && ! plan.bytes;
  gpr_histogram_drop (&plan);
  for (int asked = 0; asked < 31 && (asked == 0 || (by_runs && ! c.fused)); asked++)    /* of few elements the thirtieth time has it compiled */
    expect (gpr_cuda_count (device, &c) == GPR_OK && gpr_cuda_compile_wait (), "fails");
  expect (c.fused == by_runs && (compiled > before) == c.fused && fake.violations == 0, "fused is %d, %ld launches: %s", c.fused, compiled - before, report ().failure);
  expect (! c.fused || want == got, "class %d, %d leaves, rule %d, %ld bins, %ld of %ld: other counts", (int) e->m.class_, e->m.leaves, (int) c.rule, (long) c.bins,
          (long) c.outer, (long) c.length);
  integers += c.fused && gpr_class_is_integer (e->m.class_);
  return c.fused;
}

/* Several countings that one kernel does, and in between of bytes, by the CPU alone.  */
static void one_round (int round)
{
  static const gpr_class floats[] = { GPR_CLASS_double, GPR_CLASS_single, GPR_CLASS_double }, whole[] = { GPR_CLASS_int16, GPR_CLASS_uint16, GPR_CLASS_int32, GPR_CLASS_uint32 };
  const int way = round % 6;    /* even, anywhere, spaced; packed; in global memory; of integers */
  const int64_t outer = way == 0 ? 3 : 1 + random_below (2);
  expression e;

  device->multiprocessors = way == 2 ? 32 : 2;  /* of which these are few elements */
  device->shared_bytes = way == 3 ? 8 << 10 : 96 << 10;
  const gpr_class z = way == 5 ? whole[random_below (4)] : floats[random_below (3)];
  const bool single = z == GPR_CLASS_single || (z == GPR_CLASS_double && random_below (4) == 0);
  make_expression (&e, z, outer);
  const bool narrow_table = way == 3 && random_below (2);       /* two groups of blocks */
  if (narrow_table)
    device->shared_bytes = 4 << 10;
  for (int k = 0; k < 4; k++)
    {
      counting p;
      const gpr_bin_rule rule = way == 2 ? GPR_BIN_SPACED : (gpr_bin_rule[]) { GPR_BIN_EDGES, GPR_BIN_CUTS, GPR_BIN_CLOSED }[random_below (3)];
      const int kind = way == 1 || way == 5 ? (int) (1 + random_below (KINDS - 1)) : EVEN;
      const int64_t bins = way == 3 ? 2200 + random_below (1500) : way == 4 ? 30000 + random_below (1000) : 20 + random_below (k == 3 ? 3000 : 200);
      make_counting (&p, e, outer, rule, kind, bins, single);
      compare (&e, &p);
    }
  expression bytes;
  counting of_bytes;
  make_expression (&bytes, random_below (2) ? GPR_CLASS_uint8 : GPR_CLASS_int8, 1);
  make_counting (&of_bytes, bytes, 1, GPR_BIN_CLOSED, (int) random_below (KINDS), 1 + random_below (300), false);
  expect (! compare (&bytes, &of_bytes), "bytes are fused");
}

int main (int argc, char **argv)
{
  const int rounds = argc > 1 ? atoi (argv[1]) : 6;

  if (! begin_on_device (run_kernel, 0, bytes_of))
    return 1;
  settings.interpret = false;
  settings.kernel_folder = "";
  rule ("expressions_are_counted_as_arrays");
  for (int round = 0; round < rounds; round++)
    one_round (round);
  expect (report ().failed == 0, "%d failed: %s", report ().failed, report ().failure);
  printf ("%ld launches: even %ld, narrowed %ld, %ld with cuts in shared memory, spaced %ld; wide %ld, packed %ld, %ld in groups, global %ld; %ld from where no vector begins; %d compiled\n",
          compiled, finds[0], finds[1], shared_cuts, finds[2], stores[0], stores[1], groups, stores[2], unaligned, report ().compiled);
  if (rounds >= 6)
    expect (finds[0] && finds[1] && finds[2] && stores[0] && stores[1] && stores[2] && shared_cuts && unaligned && integers, "some way is not met");
  return verdict ();
}
