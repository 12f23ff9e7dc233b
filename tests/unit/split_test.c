/* One reduction by two at once gives the CPU's bits, wherever they meet; the
   device is fake by the CPU's loops, which take from the back.  */

#include <math.h>

#include "test.h"
#include <pthread.h>
#include "../../src/cpu/cpu.h"
#include "../../src/dispatch/among.h"
#include "../../src/dispatch/takers.h"
#include "../../src/dispatch/split.h"

static volatile int flag;

/* ---- a device -------------------------------------------------------------- */

/* What it does: takes at most so many units at once; after so many it fails, is
   interrupted or takes no more.  */
static struct {
  int64_t at_once, units;
  enum { WORKS, FAILS, PRESSES, LEAVES } end;
  int64_t taken;
} plan;
static gpr_share *shared;

static int64_t take_back (gpr_share *s, bool from_back, int64_t most, int64_t *first)
{
  int64_t left = plan.units - plan.taken, count;
  (void) s;
  (void) from_back;
  most = most < plan.at_once ? most : plan.at_once;
  most = most < left ? most : left;
  count = most > 0 ? shared->take (shared, true, most, first) : 0;
  plan.taken += count;
  return count;
}

static gpr_status device_share (gpr_share *s)
{
  gpr_share own = { .r = s->r, .tree = s->tree, .partials = s->partials, .unit_bytes = s->unit_bytes, .take = take_back };
  shared = s;
  gpr_status status = gpr_cpu_share (&own);
  if (own.needs_fixup)
    s->needs_fixup = true;
  if (status == GPR_OK && plan.end == FAILS)
    return gpr_fail (GPR_DEVICE_LOST, "the device is lost");
  if (plan.end == PRESSES)
    flag = 1;
  return status;
}

static const gpr_backend device = { .name = "fake", .share = device_share };

static void plan_it (int64_t at_once, int64_t units, int end)
{
  plan.at_once = at_once;
  plan.units = units;
  plan.end = end;
  plan.taken = 0;
}

/* ---- problems ---------------------------------------------------------------- */

typedef struct {
  gpr_reduction r;
  char *x, *y, *want, *got;
  int64_t *want_index, *got_index;
  size_t bytes;
  bool needs_fixup;
} problem;

static char kind_of (enum gpr_elem e)
{
  return e == GPR_c128 || e == GPR_c64 ? 'c' : e <= GPR_f32 ? 'f' : 'i';
}

static void make (problem *p, enum gpr_instance instance, int64_t l, int64_t n, int64_t u, int mood)
{
  const gpr_instance_info *f = &gpr_instances[instance];
  size_t size = (size_t) (l * n * u * f->elem_bytes);
  bool products = f->traits & GPR_PRODUCTS && random_below (3) == 0;
  *p = (problem) { .bytes = (size_t) (l * u * f->value_bytes) };
  p->x = malloc (size);
  p->y = products ? malloc (size) : NULL;
  p->want = calloc (1, p->bytes);
  p->got = calloc (1, p->bytes);
  p->want_index = calloc ((size_t) (l * u), sizeof (int64_t));
  p->got_index = calloc ((size_t) (l * u), sizeof (int64_t));
  random_fill (p->x, kind_of (f->elem), f->elem_bytes, l * n * u, mood);
  if (products)
    random_fill (p->y, kind_of (f->elem), f->elem_bytes, l * n * u, mood);
  p->r = (gpr_reduction) { .instance = instance, .inner = l, .length = n, .outer = u, .x = p->x, .y = p->y, .value = p->want,
                           .divisor = random_below (3) ? 0 : (double) n, .index = f->has_index ? p->want_index : NULL };
  gpr_status status = gpr_cpu_backend.reduce (&p->r);
  expect (status == GPR_OK, "%s: status %d", f->name, status);
  p->needs_fixup = p->r.needs_fixup;
  p->r.value = p->got;
  p->r.index = f->has_index ? p->got_index : NULL;
}

static void done (problem *p)
{
  free (p->x);
  free (p->y);
  free (p->want);
  free (p->got);
  free (p->want_index);
  free (p->got_index);
}

/* An invalid operation's NaN takes its sign from the order in which the compiler
   names the two operands: one NaN stands for all where results are settled later.  */
static void one_nan (const problem *p, char *value)
{
  const gpr_instance_info *f = &gpr_instances[p->r.instance];
  size_t each = (f->elem == GPR_f32 || f->elem == GPR_c64) && f->value_bytes <= f->elem_bytes ? sizeof (float) : sizeof (double);
  for (size_t at = 0; p->needs_fixup && at + each <= p->bytes; at += each)
    if (each == sizeof (double) ? isnan (*(double *) (value + at)) : isnan (*(float *) (value + at)))
      memset (value + at, 0xff, each);
}

static void same (problem *p, gpr_status status, const char *how, int64_t number)
{
  one_nan (p, p->want);
  one_nan (p, p->got);
  expect (status == GPR_OK && p->r.needs_fixup == p->needs_fixup && memcmp (p->want, p->got, p->bytes) == 0
          && memcmp (p->want_index, p->got_index, (size_t) (p->r.inner * p->r.outer) * sizeof (int64_t)) == 0,
          "%s l %lld n %lld u %lld %s %lld: status %d, needs_fixup %d not %d", gpr_instances[p->r.instance].name, (long long) p->r.inner,
          (long long) p->r.length, (long long) p->r.outer, how, (long long) number, status, p->r.needs_fixup, p->needs_fixup);
  memset (p->got, 0x55, p->bytes);
  memset (p->got_index, 0, (size_t) (p->r.inner * p->r.outer) * sizeof (int64_t));
}

/* ---- several devices at once ---------------------------------------------------- */

/* Of each: units at once; after so many (of itself) it fails, presses Ctrl-C or takes no more.  */
static struct { int64_t at_once, units; int end; _Atomic int64_t taken; } plans[5];
static _Thread_local int mine;
static _Atomic (gpr_share *) shared_by_all;

static int64_t take_mine (gpr_share *s, bool from_back, int64_t most, int64_t *first)
{
  gpr_share *all = shared_by_all;
  const int64_t left = plans[mine].units - plans[mine].taken, few = most < plans[mine].at_once ? most : plans[mine].at_once;
  (void) s;
  (void) from_back;
  const int64_t count = left > 0 ? all->take (all, true, few < left ? few : left, first) : 0;
  plans[mine].taken += count;
  return count;
}

static gpr_status share_on (gpr_taker *t, gpr_share *s)
{
  gpr_share own = { .r = s->r, .tree = s->tree, .partials = s->partials, .unit_bytes = s->unit_bytes, .take = take_mine };
  mine = t->device - 1;
  shared_by_all = s;
  expect (t->threads >= 1, "%d threads copy", t->threads);
  gpr_status status = gpr_cpu_share (&own);
  t->units = plans[mine].taken;
  if (own.needs_fixup)
    s->needs_fixup = true;
  if (status == GPR_OK && plans[mine].end == FAILS && t->units >= plans[mine].units)
    return gpr_fail (GPR_OUT_OF_MEMORY, "none left");
  if (plans[mine].end == PRESSES)
    flag = 1;
  return status;
}

static gpr_status by_all (gpr_reduction *r, gpr_taker *takers, int count, bool cpu)
{
  shared_by_all = NULL;
  for (int i = 0; i < count; i++)
    {
      takers[i].device = i + 1;
      plans[i].taken = 0;
    }
  return gpr_among_reduce (share_on, takers, count, cpu, r);
}

static gpr_status count_on (gpr_taker *t, gpr_counting *c)
{
  gpr_status status = gpr_cpu_backend.count (c);
  return status == GPR_OK && plans[t->device - 1].end == FAILS ? gpr_fail (GPR_DEVICE_LOST, "GPU %d is lost", t->device) : status;
}

static void among_counts (void)
{
  enum { COUNT = 6000000, BINS = 70 };
  double *x = malloc (COUNT * sizeof *x), edges[BINS], *want = calloc (BINS * 60, sizeof *want), *got = calloc (BINS * 60, sizeof *got);
  gpr_taker takers[5];

  rule ("counts_of_several_devices_are_those_of_one");
  random_fill (x, 'f', sizeof *x, COUNT, PLAIN);
  for (int k = 0; k < BINS; k++)
    edges[k] = k - 35;
  for (int i = 0; i < (test_cases (24) < 24 ? 8 : 24); i++)
    {
      static const int64_t outers[] = { 1, 2, 7, 60 };
      const int64_t outer = outers[i % 4], length = COUNT / outer - random_below (9);
      const int count = 1 + (int) random_below (5);
      const bool cpu = random_below (2) == 0;
      gpr_counting c = { .elem = GPR_f64, .inner = 1, .length = length, .outer = outer, .x = x, .rule = GPR_BIN_EDGES, .bins = BINS, .edges = edges,
                         .counts = want };
      int64_t units = 0;
      expect (gpr_cpu_backend.count (&c) == GPR_OK && gpr_among_counts (&c), "the CPU's");
      c.counts = got;
      for (int k = 0; k < count; k++)
        {
          takers[k].device = k + 1;
          plans[k].end = WORKS;
        }
      gpr_status status = gpr_among_count (count_on, takers, count, cpu, &c);
      for (int k = 0; k < count; k++)
        units += takers[k].units;
      expect (status == GPR_OK && memcmp (want, got, (size_t) (BINS * outer) * sizeof *got) == 0
              && (cpu ? units <= length * outer : units == length * outer),
              "%lld runs, %d devices: status %d, %lld elements", (long long) outer, count, status, (long long) units);
      memset (got, 0x55, BINS * 60 * sizeof *got);
      plans[count - 1].end = FAILS;
      status = gpr_among_count (count_on, takers, count, cpu, &c);
      expect (status == GPR_OK || status == GPR_DEVICE_LOST, "status %d", status);
      expect (status != GPR_OK || takers[count - 1].units == 0, "a lost device counted");
      plans[count - 1].end = WORKS;
    }
  free (x);
  free (want);
  free (got);
}

static pthread_t threads_of[6];         /* of GPUs, from 1 */
static gpr_status note_thread (gpr_job *j, gpr_taker *t)
{
  (void) j;
  threads_of[t->device] = pthread_self ();
  return GPR_OK;
}
static void stop_nothing (gpr_job *j) { (void) j; }

static void threads_stay (void)
{
  rule ("each_gpu_keeps_a_thread_of_its_own_whatever_others_are_named_with_it");
  pthread_t first[6] = { 0 };
  gpr_job job = { .take = note_thread, .stop = stop_nothing };
  for (int i = 0; i < 40; i++)
    {
      gpr_taker takers[5];
      int numbers[5] = { 1, 2, 3, 4, 5 };
      const int count = 1 + (int) random_below (5);
      for (int k = 0; k < count; k++)
        {
          const int other = k + (int) random_below (5 - k), number = numbers[other];
          numbers[other] = numbers[k];
          numbers[k] = number;
          takers[k] = (gpr_taker) { .device = number };
        }
      expect (gpr_takers_run (&job, takers, count, 4) == GPR_OK, "%s", gpr_message ());
      for (int k = 0; k < count; k++)
        {
          const int d = numbers[k];
          expect (! first[d] || pthread_equal (first[d], threads_of[d]), "GPU %d has another thread", d);
          first[d] = threads_of[d];
          for (int e = 1; e <= 5; e++)
            expect (e == d || ! first[e] || ! pthread_equal (first[e], first[d]), "GPUs %d and %d have one thread", d, e);
        }
    }
}

static void among_several (void)
{
  static const int64_t shapes[][3] = { { 1, 300000, 1 }, { 3, 20001, 1 }, { 1, 10011, 9 }, { 1, 700, 100 }, { 7, 2500, 5 } };
  gpr_taker takers[5];
  problem p;

  rule ("the_same_bits_by_any_number_of_devices_with_and_without_the_cpu");
  for (int f = 0; f < GPR_INSTANCE_COUNT; f++)
    for (int i = 0; i < (test_cases (30) < 30 ? 2 : 3); i++)
      {
        const int64_t *d = shapes[random_below (5)];
        const int count = 1 + (int) random_below (5);
        const bool cpu = random_below (2);
        int64_t units = 0;
        make (&p, f, d[0], d[1], d[2], (int) random_below (MOODS));
        gpr_config.threads = 1 + (int) random_below (4);
        for (int k = 0; k < count; k++)
          {
            plans[k].at_once = 1 + random_below (9);
            plans[k].units = random_below (3) ? INT64_MAX : random_below (20);
            plans[k].end = WORKS;
          }
        if (gpr_splits (&p.r))
          {
            same (&p, by_all (&p.r, takers, count, cpu), "devices", count);
            for (int k = 0; k < count; k++)
              units += takers[k].units;
            gpr_tree t = gpr_tree_make (gpr_instances[f].acc_bytes, d[0], d[1], d[2]);
            expect (units <= t.parts * d[2], "%lld units of %lld", (long long) units, (long long) (t.parts * d[2]));
          }
        done (&p);
      }

  rule ("the_first_of_several_devices_that_fails_stops_all_and_is_named");
  gpr_config.threads = 4;
  make (&p, GPR_sum_f64, 1, 1000000, 1, PLAIN);
  for (int i = 0; i < 20; i++)
    {
      for (int k = 0; k < 4; k++)
        {
          plans[k].at_once = 1;
          plans[k].units = k == 2 ? i : INT64_MAX / 2;
          plans[k].end = k == 2 ? FAILS : WORKS;
        }
      gpr_status status = by_all (&p.r, takers, 4, i % 2);
      const bool none = takers[2].units < i;    /* the others were quicker */
      expect (none ? status == GPR_OK : status == GPR_OUT_OF_MEMORY && strcmp (gpr_message (), "GPU 3: none left") == 0,
              "status %d, %s", status, gpr_message ());
      memset (p.got, 0x55, p.bytes);
    }

  rule ("ctrl_c_stops_several_devices");
  for (int i = 0; i < 20; i++)
    {
      for (int k = 0; k < 4; k++)
        {
          plans[k].at_once = 1;
          plans[k].units = k == 1 ? i : INT64_MAX;
          plans[k].end = k == 1 ? PRESSES : WORKS;
        }
      flag = i % 2;
      gpr_status status = by_all (&p.r, takers, 4, i % 3 == 0);
      expect (status == GPR_INTERRUPTED || (status == GPR_OK && i % 2 == 0), "status %d", status);
      flag = 0;
    }
  for (int k = 0; k < 4; k++)
    {
      plans[k].units = INT64_MAX;
      plans[k].end = WORKS;
    }
  same (&p, by_all (&p.r, takers, 4, true), "again", 4);
  done (&p);
}

int main (void)
{
  static const int64_t shapes[][3] = { { 1, 100000, 1 }, { 3, 20001, 1 }, { 1, 10011, 9 }, { 1, 700, 100 }, { 7, 2500, 5 },
                                       { 1, 60000, 2 } };
  enum { SHAPES = sizeof shapes / sizeof *shapes };
  problem p;
  gpr_interrupt_flag = &flag;

  rule ("the_same_bits_wherever_the_two_meet");
  for (int i = 0; i < 12; i++)
    {
      static const enum gpr_instance instances[] = { GPR_sum_f64, GPR_max_f64, GPR_sum_f32 };
      const int64_t *d = shapes[i % SHAPES];
      make (&p, instances[i % 3], d[0], d[1], d[2], i % MOODS);
      gpr_tree t = gpr_tree_make (gpr_instances[p.r.instance].acc_bytes, d[0], d[1], d[2]);
      for (int64_t meet = 0; meet <= t.parts * d[2]; meet++)
        {
          gpr_share s;
          gpr_status status = gpr_share_open (&s, &p.r);
          plan_it (1 + random_below (5), meet, WORKS);
          if (status == GPR_OK)
            status = device_share (&s);
          expect (plan.taken == meet, "%lld of %lld units taken", (long long) plan.taken, (long long) meet);
          if (status == GPR_OK)
            status = gpr_cpu_share (&s);
          gpr_share_close (&s, status);
          same (&p, status, "meeting at", meet);
        }
      done (&p);
    }

  rule ("every_instance_alone_or_shared_by_any_number_of_threads");
  int split = 0;
  for (int f = 0; f < GPR_INSTANCE_COUNT; f++)
    for (int i = 0; i < 5; i++)
      {
        const int64_t *d = shapes[random_below (SHAPES)];
        make (&p, f, d[0], d[1], d[2], (int) random_below (MOODS));
        split += gpr_splits (&p.r);
        gpr_config.threads = 1 + (int) random_below (4);
        plan_it (1 + random_below (20), random_below (2) ? INT64_MAX : random_below (100), WORKS);
        same (&p, gpr_split_reduce (&device, &p.r), "threads", gpr_config.threads);
        done (&p);
      }
  expect (split > GPR_INSTANCE_COUNT, "only %d of %d were shared", split, 5 * GPR_INSTANCE_COUNT);
  gpr_config.threads = 4;

  rule ("what_a_device_leaves_is_done_by_the_others");
  make (&p, GPR_sum_f64, 1, 1000000, 1, PLAIN);
  for (int i = 0; i < 20; i++)
    {
      plan_it (1, i % 3, LEAVES);
      same (&p, gpr_split_reduce (&device, &p.r), "left after", i % 3);
    }

  rule ("where_nothing_can_be_shared_the_cpu_alone_answers");
  plan_it (1, INT64_MAX, FAILS);
  same (&p, gpr_split_reduce (NULL, &p.r), "without", 0);
  same (&p, gpr_split_reduce (&(gpr_backend) { .name = "none" }, &p.r), "without", 1);
  gpr_config.threads = 1;
  same (&p, gpr_split_reduce (&device, &p.r), "threads", 1);
  gpr_config.threads = 4;

#ifdef _OPENMP                  /* else the CPU has done all before the device begins */
  rule ("a_device_that_fails_stops_all_and_says_why");
  for (int i = 0; i < 20; i++)
    {
      plan_it (1 + i, i, FAILS);
      gpr_status status = gpr_split_reduce (&device, &p.r);
      expect (status == GPR_DEVICE_LOST && strcmp (gpr_message (), "the device is lost") == 0, "status %d, %s", status,
              gpr_message ());
    }
#endif

  rule ("an_interruption_on_either_side_stops_both");
  for (int i = 0; i < 20; i++)
    {
      plan_it (1, i, PRESSES);
      flag = i % 2;
      gpr_status status = gpr_split_reduce (&device, &p.r);
      /* Pressed when all was taken already: the result stands.  */
      expect (status == GPR_INTERRUPTED || (status == GPR_OK && i % 2 == 0), "status %d", status);
      flag = 0;
    }

  rule ("the_next_call_works");
  plan_it (3, INT64_MAX, WORKS);
  same (&p, gpr_split_reduce (&device, &p.r), "again", 0);
  done (&p);

  threads_stay ();
  among_several ();
  among_counts ();

  rule ("resident_data_decided_reductions_and_wide_slabs_are_not_shared");
  expect (! gpr_splits (&(gpr_reduction) { .instance = GPR_sum_f64, .inner = 1, .length = 1 << 20, .outer = 1, .x_resident = true }), "resident");
  expect (! gpr_splits (&(gpr_reduction) { .instance = GPR_any_f64, .inner = 1, .length = 1 << 20, .outer = 1 }), "any");
  expect (! gpr_splits (&(gpr_reduction) { .instance = GPR_sum_f64, .inner = 5000, .length = 1 << 20, .outer = 1 }), "tiles");
  expect (! gpr_splits (&(gpr_reduction) { .instance = GPR_sum_f64, .inner = 1, .length = 4, .outer = 1 << 20 }), "short rows");
  expect (gpr_splits (&(gpr_reduction) { .instance = GPR_sum_f64, .inner = 1, .length = 1 << 20, .outer = 1 }), "a vector");
  return verdict ();
}
