/* Reductions in stages and what reads their results (kernels/engine/compiled/slices.cuh), compiled by a fake NVRTC and launched by src/cuda/slices.c on a
   fake runtime: results have the bits of the tree (tests/oracle/tree_oracle.h) of elements that the CPU computes.  Random stages, classes and shapes.  */

#define KERNEL "../../kernels/engine/map.cu"
#define HEADER "../unit/map_random.h"
#include "cuda.h"
#undef __shared__
#define __shared__
alignas (16) unsigned char map_shared[48 << 10];

#include <string>
#include <vector>
#include "map_intrinsics.h"
#include "launched.h"

#define class class_
extern "C" {
#include "../../src/cuda/compile.h"
gpr_status gpr_cpu_map (gpr_mapping *m);
extern const char gpr_cpu_map_loops_baseline;
const void *gpr_cpu_map_loops_here () { return &gpr_cpu_map_loops_baseline; }
}
#include "../oracle/tree_oracle.h"
#undef class
#include "../../kernels/engine/compiled/terms.cuh"

/* ---- reductions that stages have, by the class of what they reduce ---- */

#define KINDS(F) \
  F (sum_f64, SUM, f64, f64, f64) F (sum_f32, SUM, f32, f32, f32) F (max_f64, MAX, f64, f64, f64) F (min_f64, MIN, f64, f64, f64) \
  F (max_f32, MAX, f32, f32, f32) F (min_f32, MIN, f32, f32, f32) F (moments_f64, MOMENTS, f64, moments, f64) F (moments_f32, MOMENTS, f32, moments, f32) \
  F (sumsq_f64, SQ, f64, f64, f64) F (nonzero_u8, NONZERO, u8, i64, f64) \
  F (any_u8, ANY, u8, u8, u8) F (any_f64, ANY, f64, u8, u8) F (all_f32, ALL, f32, u8, u8)
#define KIND_OF(id, FAMILY, X, A, Y) { GPR_##id, oracle_##id, #X, #Y },
#define DEFINE(id, FAMILY, X, A, Y) GPR_DEFINE_INSTANCE (id, FAMILY, X, A, Y) GPR_DEFINE_TREE_ORACLE (id, FAMILY, X, A, Y)
KINDS (DEFINE)
static const struct { enum gpr_instance instance; int (*oracle) (const gpr_reduction *r); const char *x, *y; } kinds[] = { KINDS (KIND_OF) };
enum { KIND_COUNT = sizeof kinds / sizeof *kinds, SUM_F64 = 0, MAX_F64 = 2 };

static gpr_class class_of (const char *type)
{
  return std::string (type) == "f64" ? GPR_CLASS_double : std::string (type) == "f32" ? GPR_CLASS_single : GPR_CLASS_logical;
}

/* ---- random problems ---- */

enum { MOST = 40000 };
static long launches, doubts, repeated, unfit;
static size_t bytes_of (const void *kernel)
{
  return kernel == gpr_engine_map (GPR_MAP_ANY) || kernel == gpr_engine_map (GPR_MAP_SINGLES) || kernel == gpr_engine_map (GPR_MAP_DOUBLES)
         ? sizeof (gpr_map_args) : sizeof (gpr_slices_args);
}
static void run_kernel (const void *kernel, unsigned blocks, unsigned block, const void *arguments)
{
  launches++;
  ((void (*) (unsigned, unsigned, const void *)) kernel) (blocks, block, arguments);
}

typedef std::vector<double> memory;     /* of elements of any class */
struct problem
{
  gpr_slices s = {};
  gpr_map_step step[GPR_MAP_STEPS] = {};
  memory x, row, column, more[4], value[GPR_MAP_STAGES], z;
  int given, kind[GPR_MAP_STAGES];     /* leaves that no stage makes */
  int64_t count, results;
};

static void lay (gpr_mapping *m, int l, bool inner, bool length, bool outer, const gpr_slices &s)
{
  m->strides[l][0] = inner;
  m->strides[l][1] = length ? (inner ? s.inner : 1) : 0;
  m->strides[l][2] = outer ? (inner ? s.inner : 1) * (length ? s.length : 1) : 0;
}

static int add_leaf (problem *p, const void *at, gpr_class class_)
{
  gpr_mapping &m = p->s.m;
  m.x[m.leaves] = at;
  m.classes[m.leaves] = class_;
  return m.leaves++;
}

/* Steps of exactly rounded operations on leaf first and those from `from` on; quotients by results, which the given leaves are not.  */
static void add_steps (problem *p, int first, int from, int leaves, bool single, gpr_class wanted)
{
  static const int ops[] = { GPR_MAP_plus, GPR_MAP_minus, GPR_MAP_times, GPR_MAP_max, GPR_MAP_min, GPR_MAP_abs, GPR_MAP_uminus, GPR_MAP_gt, GPR_MAP_rdivide };
  gpr_mapping &m = p->s.m;
  const int steps = 1 + (int) random_below (3);
  for (int k = 0; k < steps; k++)
    {
      gpr_map_step *s = &p->step[m.steps++];
      *s = {};
      s->op = (uint8_t) (k == 0 ? GPR_MAP_load : ops[random_below (leaves > p->given ? 9 : 8)]);
      s->single = single;
      s->turned = gpr_map_takes_two (s->op) && random_below (2);
      s->operand = (uint8_t) (k > 0 && random_below (4) == 0 ? GPR_MAP_NUMBER : GPR_MAP_LEAF);
      s->number = 0.5 + random_below (3);
      s->at = (int8_t) (k == 0 ? first : from + random_below (leaves - from));
      if (s->op == GPR_MAP_rdivide)
        s->at = (int8_t) (p->given + random_below (leaves - p->given));
    }
  if (wanted == GPR_CLASS_logical)
    {
      gpr_map_step *s = &p->step[m.steps++];
      *s = {};
      s->op = GPR_MAP_gt;
      s->single = single;
      s->operand = GPR_MAP_NUMBER;
      s->number = 0.25;
    }
}

/* z's steps begin with those of the last stage, a sum, one of which is long to compute.  */
static void repeat_steps (problem *p, bool single)
{
  gpr_mapping &m = p->s.m;
  gpr_stage &last = p->s.stage[p->s.stages - 1];
  const int from = p->s.stages > 1 ? p->s.stage[p->s.stages - 2].end : 0;
  gpr_map_step exp = {};
  exp.op = GPR_MAP_exp;
  exp.single = single;
  p->step[m.steps++] = exp;
  last.end = m.steps;
  for (int k = from; k < last.end; k++)
    p->step[m.steps++] = p->step[k];
  gpr_map_step by = {};
  by.op = GPR_MAP_rdivide;
  by.single = single;
  by.at = last.leaf;
  p->step[m.steps++] = by;
}

/* Slices of 64 lanes, which warps take; of more, which blocks take; side by side; the same so few and short that a block has several outer indices; short, of up to
   8 lanes; the same of odd numbers of elements, which lie in shared memory as they do outside; of five arrays, two for a block, whose sums have two parts and
   deviations one; for clusters, long or side by side, whose trees have one lane or several; in registers, about as long as more threads take them; any.  */
enum { WARPS, BLOCKS, ROWS, UNITS, SHORT, PACKED, WIDE, LONG, CLUSTERS, HELD, ANY, FORMS };
static void random_problem (problem *p, int form, bool odd)
{
  static int columns;
  columns += form == CLUSTERS;
  const bool clusters = form == LONG || form == CLUSTERS, several_lanes = form == CLUSTERS && columns % 2;
  gpr_slices &s = p->s;
  gpr_mapping &m = s.m;
  static const int64_t lengths[] = { 2, 7, 8, 9, 33, 128, 129, 300, 1000, 2049, 4500 };
  do
    {
      s.length = random_below (3) ? lengths[random_below (11)] : 2 + random_below (1500);
      if (form == WARPS || form == BLOCKS || form == SHORT || form == WIDE)
        s.length = form == WARPS ? (130 + random_below (380)) & (random_below (4) ? ~3 : ~0) : form == BLOCKS ? 1100 + random_below (3500) : form == WIDE ? 830 + random_below (190) : 2 + random_below (random_below (2) ? 127 : 30);
      static const int64_t ends[] = { 17, 32, 64, 128, 131, 208, 416, 515, 1024, 2048, 2051, 8192, 16384 };
      if (form == HELD)
        s.length = ends[random_below (13)] - 1 + random_below (3);
      s.inner = form == ANY ? random_below (2) : form == ROWS;
      s.inner = s.inner == 0 ? 1 : 1 + random_below (random_below (2) ? 40 : 1100);
      s.outer = 1 + random_below (random_below (2) ? 6 : 3000);
      if (clusters)
        {
          s.inner = form == LONG ? 1 : several_lanes ? 65 + random_below (200) : 513 + random_below (11);
          s.length = s.inner == 1 ? 5000 + random_below (6000) : 360 + random_below (40);
          s.outer = several_lanes ? 1 + random_below (2) : 1;
        }
      if (form == UNITS)
        {
          s.inner = 2 + random_below (random_below (2) ? 6 : 120);
          s.length = 2 + random_below (random_below (3) ? 30 : random_below (3) ? 127 : 300);
          s.outer = 700 + random_below (2500);
        }
      if (form == PACKED)
        {
          s.inner = random_below (2) ? 1 : 3 + 2 * random_below (4);
          s.length = 3 + 2 * random_below (s.inner == 1 ? 12 : 5);
          s.outer = 1000 + random_below (2000);
        }
      p->count = s.inner * s.length * s.outer;
    }
  while ((p->count > MOST && ! clusters) || p->count < 4096);
  p->results = s.inner * s.outer;
  const bool signs = random_below (2);
  const gpr_class class_ = form == WIDE || clusters || random_below (3) ? GPR_CLASS_double : GPR_CLASS_single;
  const bool shifted = ! clusters && form != PACKED && random_below (3) == 0;       /* x begins where no two elements can be taken together */
  p->x.resize (p->count + 1);
  for (memory &v : p->more)
    v.resize (form == WIDE ? p->count : 0);
  p->row.resize (p->results);
  p->column.resize (s.length);
  for (memory *v : { &p->x, &p->row, &p->column, &p->more[0], &p->more[1], &p->more[2], &p->more[3] })
    for (size_t i = 0; i < v->size (); i++)
      {
        double number = (double) random_below (2000) / 300 - 3;
        if (random_below (5) == 0)
          number = random_below (2) ? 0. : -0.;
        if (clusters && number > 0 && signs)    /* so zeros are the greatest */
          number = -number;
        if (odd && random_below (9000) == 0)
          number = random_below (2) ? NAN : INFINITY;
        if (class_ == GPR_CLASS_single)
          ((float *) v->data ())[i] = (float) number;
        else
          (*v)[i] = number;
      }
  m.step = p->step;
  m.rank = 3;
  m.dims[0] = s.inner;
  m.dims[1] = s.length;
  m.dims[2] = s.outer;
  lay (&m, add_leaf (p, (char *) p->x.data () + shifted * gpr_elem_bytes[gpr_elem_of_class (class_)], class_), true, true, true, s);
  if (form != WIDE)
    {
      lay (&m, add_leaf (p, p->row.data (), class_), true, false, true, s);
      lay (&m, add_leaf (p, p->column.data (), class_), false, true, false, s);
    }
  for (memory &v : p->more)
    if (! v.empty ())
      lay (&m, add_leaf (p, v.data (), class_), true, true, true, s);
  p->given = m.leaves;
  const int most = form == WIDE ? 2 : 1 + (int) random_below (3);
  const bool single = class_ == GPR_CLASS_single;
  for (int k = 0; k < most; k++)
    {
      gpr_stage &stage = s.stage[s.stages];
      const bool reduces = k == 0 || form == WIDE || random_below (4);
      const int leaves = m.leaves;
      const bool greatest_is_zero = clusters && ! several_lanes && signs && k == 0;
      stage = {};
      stage.instance = GPR_INSTANCE_NONE;
      stage.class_ = class_;
      gpr_class result = class_;
      if (reduces)
        {
          do
            p->kind[k] = greatest_is_zero ? MAX_F64 : several_lanes && k == 0 ? SUM_F64 : (int) random_below (KIND_COUNT);
          while ((form == WIDE && kinds[p->kind[k]].instance != (k == 0 ? GPR_sum_f64 : GPR_moments_f64)) || (class_of (kinds[p->kind[k]].x) != class_ && class_of (kinds[p->kind[k]].x) != GPR_CLASS_logical
                 && ! (single && class_of (kinds[p->kind[k]].x) == GPR_CLASS_double)));          /* doubles made of singles */
          stage.instance = kinds[p->kind[k]].instance;
          stage.info = &gpr_instances[stage.instance];
          stage.class_ = class_of (kinds[p->kind[k]].x);
          result = class_of (kinds[p->kind[k]].y);
          stage.divisor = stage.instance == GPR_moments_f64 || stage.instance == GPR_moments_f32 ? random_below (4) : random_below (2) ? (double) s.length : 0;
          if (greatest_is_zero)
            p->step[m.steps++].op = GPR_MAP_load;
          else
            add_steps (p, random_below (3) ? 0 : (int) random_below (leaves), 0, leaves, single && stage.class_ != GPR_CLASS_double, stage.class_);
        }
      else
        {
          const int leaf = (int) (p->given + random_below (leaves - p->given));
          add_steps (p, leaf, p->given, leaves, single, stage.class_);
        }
      stage.end = m.steps;
      p->value[k].assign (p->results + 1, 77);
      stage.value = p->value[k].data ();
      stage.leaf = add_leaf (p, stage.value, result);
      lay (&m, stage.leaf, true, false, true, s);
      s.stages++;
    }
  m.class_ = class_;
  const gpr_stage &last = s.stage[s.stages - 1];
  if (m.steps < 12 && last.instance != GPR_INSTANCE_NONE && last.class_ == class_ && random_below (2))
    {
      repeat_steps (p, single);
      repeated++;
    }
  else if (random_below (5))
    add_steps (p, 0, 0, m.leaves, single, class_);
  else
    return;
  p->z.assign (p->count + 1, 77);
  m.z = (char *) p->z.data () + (form != PACKED && random_below (2)) * gpr_elem_bytes[gpr_elem_of_class (class_)];
}

/* Step by step; whether a result is in doubt.  */
static bool plainly (const problem &p, memory *value, memory *z)
{
  bool doubt = false;
  int from = 0;
  gpr_mapping m = p.s.m;
  for (int k = 0; k < p.s.stages; k++)
    {
      const gpr_stage &stage = p.s.stage[k];
      memory all (p.count);
      m.step = p.step + from;
      m.steps = stage.end - from;
      m.class_ = stage.class_;
      m.z = all.data ();
      value[k].assign (p.results + 1, 77);
      expect (gpr_cpu_map (&m) == GPR_OK && ! m.left, "the CPU fails");
      if (stage.instance == GPR_INSTANCE_NONE)
        for (int64_t i = 0; i < p.results; i++)
          {
            const int bytes = gpr_elem_bytes[gpr_elem_of_class (stage.class_)];
            memcpy ((char *) value[k].data () + i * bytes, (char *) all.data () + (i % p.s.inner + i / p.s.inner * p.s.inner * p.s.length) * bytes, bytes);
          }
      else
        {
          gpr_reduction r = {};
          r.instance = stage.instance;
          r.inner = p.s.inner;
          r.length = p.s.length;
          r.outer = p.s.outer;
          r.divisor = stage.divisor;
          r.x = all.data ();
          r.value = value[k].data ();
          const bool odd = kinds[p.kind[k]].oracle (&r);
          const bool single = stage.class_ == GPR_CLASS_single;
          if (odd && (gpr_instances[stage.instance].traits & GPR_FIXUP_MASK) == GPR_FIXUP_BY_INDEX)
            for (int64_t i = 0; i < p.results; i++)
              {
                const double y = single ? ((float *) r.value)[i] : ((double *) r.value)[i];
                bool found = false;
                for (int64_t row = 0; row < p.s.length && y == 0 && ! found; row++)
                  {
                    const int64_t at = i % p.s.inner + p.s.inner * (row + p.s.length * (i / p.s.inner));
                    const double e = single ? ((float *) r.x)[at] : ((double *) r.x)[at];
                    if ((found = e == 0) && single)
                      ((float *) r.value)[i] = (float) e;
                    else if (found)
                      ((double *) r.value)[i] = e;
                  }
                doubt |= y == (stage.instance == GPR_max_f64 || stage.instance == GPR_max_f32 ? -INFINITY : INFINITY);      /* all may be NaN */
              }
          else
            doubt |= odd;
        }
      m.x[stage.leaf] = value[k].data ();
      from = stage.end;
    }
  if (p.s.m.z)
    {
      z->assign (p.count + 1, 77);
      m.step = p.step + from;
      m.steps = p.s.m.steps - from;
      m.class_ = p.s.m.class_;
      m.z = (char *) z->data () + ((char *) p.s.m.z - (char *) p.z.data ());
      expect (gpr_cpu_map (&m) == GPR_OK, "the CPU fails");
    }
  return doubt;
}

/* Of few elements, for the device's multiprocessors, only what is asked for again and again is compiled.  */
static void one_problem (int round, bool odd)
{
  const bool few = random_below (3) == 0;
  problem p;
  memory value[GPR_MAP_STAGES], z;
  random_problem (&p, round % FORMS, odd);
  const bool doubt = plainly (p, value, &z);
  device->multiprocessors = few ? 1 + (int) (p.count / (2 * GPR_MAP_THREADS * GPR_MAP_EACH_DOUBLE)) : 1;
  device->capability = 90;
  device->shared_bytes = (round % FORMS == LONG ? 40 : round % FORMS != CLUSTERS ? 227 : random_below (2) ? 20 : 90) << 10;
  expect (gpr_cuda_compiles (device, p.count) == ! few, "%ld elements", (long) p.count);
  for (int asked = 0; asked < (few ? 30 : 1); asked++)
    expect (gpr_cuda_slices (device, &p.s) == GPR_OK, "the kernel of another problem fails");    /* done, where such a kernel was compiled */
  expect (gpr_cuda_compile_wait (), "the compiler does not end");
  const long before = launches;
  expect (gpr_cuda_slices (device, &p.s) == GPR_OK && fake.violations == 0, "the kernel fails: %s", fake.violations ? fake.last : "");
  gpr_cuda_compiling report;
  gpr_cuda_compile_report (&report);
  /* Four blocks of a cluster hold so many elements and their accumulators, if all arrays are taken into shared memory; eight do, but for wide accumulators.  */
  const bool may_not_fit = round % FORMS == LONG && (size_t) (p.s.length * p.given) * sizeof (double) > 2 * device->shared_bytes;
  if (may_not_fit && launches == before && ! *report.failure && ! p.s.done)
    {
      unfit++;                  /* it is computed step by step */
      return;
    }
  expect (launches > before, "not compiled, %ld x %ld x %ld, %d stages: %s", (long) p.s.inner, (long) p.s.length, (long) p.s.outer, p.s.stages, report.failure);
  expect (p.s.done == ! doubt, "in doubt: %d, not %d", ! p.s.done, doubt);
  doubts += doubt;
  for (int k = 0; k < p.s.stages && p.s.done; k++)
    expect (value[k].size () == p.value[k].size () && memcmp (value[k].data (), p.value[k].data (), value[k].size () * 8) == 0, "stage %d of %d (instance %d) of %ld x %ld x %ld", k, p.s.stages,
            (int) p.s.stage[k].instance, (long) p.s.inner, (long) p.s.length, (long) p.s.outer);
  if (p.s.done && p.s.m.z)
    expect (memcmp (z.data (), p.z.data (), z.size () * 8) == 0, "elements after %d stages of %ld x %ld x %ld", p.s.stages, (long) p.s.inner, (long) p.s.length, (long) p.s.outer);
}

/* Of arrays that are not there, on any device: whether there is a plan is asked, and no more.  */
static void plan_any ()
{
  static const struct { int capability, kilobytes; } devices[] = { { 75, 64 }, { 80, 163 }, { 89, 99 }, { 90, 227 } };
  const auto size = [] { return (int64_t) 1 << random_below (18) | (int64_t) random_below (1 << random_below (18)); };
  gpr_kernel state = GPR_KERNEL_BUILT;
  problem p;
  gpr_slices &s = p.s;
  const auto &kind = devices[random_below (4)];
  const int leaves = 1 + (int) random_below (6);
  device->multiprocessors = 1 + (int) random_below (132);
  device->capability = kind.capability;
  device->shared_bytes = kind.kilobytes << 10;
  s.inner = random_below (2) ? 1 : size ();
  s.length = size ();
  s.outer = random_below (2) ? 1 : size ();
  s.m.step = p.step;
  s.m.rank = 3;
  s.m.dims[0] = s.inner;
  s.m.dims[1] = s.length;
  s.m.dims[2] = s.outer;
  for (int l = 0; l < leaves; l++)
    {
      p.step[l].op = (uint8_t) (l == 0 ? GPR_MAP_load : GPR_MAP_plus);
      p.step[l].at = (int8_t) l;
      lay (&s.m, add_leaf (&p, (const void *) (uintptr_t) (1 << 20), GPR_CLASS_double), true, true, true, s);
    }
  s.m.steps = leaves;
  s.m.class_ = GPR_CLASS_double;
  s.m.z = (void *) (uintptr_t) (1 << 20);
  s.m.asked = &state;
  s.stages = 1;
  s.stage[0].instance = random_below (2) ? GPR_sum_f64 : GPR_moments_f64;
  s.stage[0].info = &gpr_instances[s.stage[0].instance];
  s.stage[0].class_ = GPR_CLASS_double;
  s.stage[0].end = leaves;
  s.stage[0].value = s.m.z;
  s.stage[0].leaf = add_leaf (&p, s.m.z, GPR_CLASS_double);
  lay (&s.m, s.stage[0].leaf, true, false, true, s);
  expect (gpr_cuda_slices (device, &s) == GPR_OK, "%ld x %ld x %ld of %d arrays", (long) s.inner, (long) s.length, (long) s.outer, leaves);
}

/* Mantissas that are random, or of few ones or few zeros; x is often about a multiple of y, so that quotients are about half way between two numbers.  */
static double random_double (int from, int to)
{
  u64 bits = random_u64 () & ((1ull << 52) - 1);
  if (random_below (3) == 0)
    bits = random_below (2) ? 1ull << random_below (52) : ((1ull << 52) - 1) & ~(1ull << random_below (52));
  double x;
  bits |= (u64) (1023 + from + (int) random_below (to - from + 1)) << 52 | (u64) random_below (2) << 63;
  memcpy (&x, &bits, sizeof x);
  return x;
}

static void divide (int rounds)
{
  long wrong = 0, odd = 0;
  for (int i = 0; i < rounds; i++)
    {
      map_quickly way;
      const double y = random_double (random_below (3) ? -20 : -1000, random_below (3) ? 20 : 1000);
      double x = random_below (3) ? random_double (-30, 30) : random_double (-1022, 1000);
      if (random_below (2))
        x = y * (random_double (-3, 3) + (random_below (2) ? 0 : 0x1p-52));
      if (random_below (50) == 0)
        x = random_below (2) ? 0. : -0.;
      if (random_below (50) == 0)
        x = (random_below (2) ? -1 : 1) * (random_below (2) ? HUGE_VAL : DBL_MAX);
      const double got = way.over_ (x, y, map_inverse (y)), want = x / y;
      odd += way.odd;           /* left to the rules */
      wrong += ! way.odd && ! (got != got && want != want) && memcmp (&got, &want, sizeof got) != 0;
      /* Results of other classes, some of which are 0.  */
      const u8 truth = random_below (3);
      const float other = random_below (3) ? (float) y : 0;
      for (const double by : { (double) truth, (double) other })
        {
          map_quickly near;
          const double quotient = near.over_ (x, by, by == truth ? map_inverse (truth) : map_inverse (other)), exact = x / by;
          wrong += ! near.odd && ! (quotient != quotient && exact != exact) && memcmp (&quotient, &exact, sizeof exact) != 0;
        }
      const float fx = (float) x, fy = (float) y, single = way.over_ (fx, fy, map_inverse (fy)), real = fx / fy;
      wrong += ! (single != single && real != real) && memcmp (&single, &real, sizeof single) != 0;
    }
  expect (wrong == 0 && odd < rounds / 3 * 2, "%ld of %d wrong, %ld left to the rules", wrong, rounds, odd);
}

int main (int argc, char **argv)
{
  const int rounds = argc > 1 ? atoi (argv[1]) : 20;

  if (! begin_on_device (run_kernel, 0, bytes_of))
    return 1;
  settings.interpret = false;
  settings.kernel_folder = "";
  rule ("quotients_by_an_inverse_are_those_of_a_division");
  divide (rounds * 100000);
  rule ("slices_by_the_tree");
  for (int round = 0; round < rounds; round++)
    one_problem (round, false);
  expect (unfit <= 1 + rounds / FORMS / 2, "%ld of %d long slices have no plan", unfit, rounds / FORMS);
  rule ("which_reductions_wait_for_slices");
  device->multiprocessors = 132;
  device->shared_bytes = 227 << 10;
  static const struct { int64_t inner, length, outer; bool fit; } sizes[] = {
    { 1, 1000, 100000, true }, { 100000, 1000, 1, true }, { 1, 12345, 8100, true }, { 1, 7, 14285714, true }, { 333, 1001, 300, true }, { 1, 333, 300300, true },
    { 12345, 8100, 1, true }, { 1, 100000, 1000, true }, { 1, 340000, 300, true }, { 1, 600000, 300, false }, { 1, 200000000, 2, false }, { 100000, 100000, 1, false }, { 1, 1000, 100, true },
    { 1, 1000, 1, true }, { 100, 1000, 1, true }, { 1, 100000, 1, true }, { 1, 2000000, 1, false }
  };
  for (const auto &size : sizes)
    expect (gpr_cuda_slices_fit (device, size.inner, size.length, size.outer) == size.fit, "%ld x %ld x %ld", (long) size.inner, (long) size.length, (long) size.outer);
  rule ("every_size_has_a_plan_or_none");
  for (int round = 0; round < 30000; round++)
    plan_any ();
  rule ("slices_with_results_in_doubt");
  for (int round = 0; round < (rounds + 1) / 2; round++)
    one_problem (round, true);
  rule ("steps_of_z_that_begin_as_a_stage");
  expect (repeated > 0, "none");
  return verdict ();
}
