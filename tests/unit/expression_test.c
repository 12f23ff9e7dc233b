/* Elementwise operations and reductions that wait, and cumulative functions of them: random programs whose operations wait beside the same ones computed at once, also while
   allocations fail; what expressions may be at most; memory that only waiting operations hold; a reset device; a forked child.  */

#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

#include "allocations.h"
#include "../../src/core/operators.h"
#include "../../src/core/slices.h"
#include "../../src/cpu/cpu.h"
#include "../../src/resident/explain.h"
#include "../../kernels/ops/moments.h"
#include "map_random.h"

/* ---- a backend that counts ------------------------------------------------------------------ */

static gpr_backend counted, device;     /* the CPU's; memory of the other goes with a reset */
static int maps, reductions, fused, scans, sliced, wide, arrays, lost_and_released;    /* wide: leaves that steps cannot read */
static size_t bytes_in_use, room = (size_t) 1 << 40;
enum { PLACES = 200 };
static struct { void *p; size_t bytes; bool on_device; } places[PLACES];        /* p NULL: free */
static size_t limit = SIZE_MAX;         /* bytes in use at most */

static gpr_status
take (void **p, size_t bytes, bool on_device)
{
  int i = 0;
  while (i < PLACES && places[i].p)
    i++;
  *p = i == PLACES || bytes_in_use + bytes > limit ? NULL : __wrap_malloc (bytes ? bytes : 1);
  if (! *p)
    return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of the test's memory", bytes);
  places[i].p = *p;
  places[i].bytes = bytes;
  places[i].on_device = on_device;
  arrays++;
  bytes_in_use += bytes;
  return GPR_OK;
}

static void
give (void *p)
{
  int i = 0;
  while (i < PLACES && places[i].p != p)
    i++;
  if (i == PLACES)
    {
      lost_and_released++;
      return;
    }
  places[i].p = NULL;
  arrays--;
  bytes_in_use -= places[i].bytes;
  __wrap_free (p);
}

static void
reset_device (void)
{
  for (int i = 0; i < PLACES; i++)
    if (places[i].p && places[i].on_device)
      give (places[i].p);
}

static gpr_status allocate (void **p, size_t bytes) { return take (p, bytes, false); }
static gpr_status allocate_on_device (void **p, size_t bytes) { return take (p, bytes, true); }
static size_t how_much (void) { return room; }
static gpr_status map (struct gpr_mapping *m) { maps += ! m->asked; return gpr_cpu_map (m); }
static bool slices_fit (int64_t inner, int64_t length, int64_t outer) { return length <= 10000 && inner * outer > 0; }

static gpr_status
reduce (gpr_reduction *r)
{
  const bool asked = r->terms && r->terms->asked;
  gpr_status status = gpr_cpu_backend.reduce (r);
  reductions += ! asked;
  fused += ! asked && r->terms && r->fused;
  return status;
}

static gpr_status
scan (struct gpr_scanning *s)
{
  gpr_status status = gpr_cpu_backend.scan (s);
  scans += s->terms && s->fused;
  return status;
}

static gpr_status
slices (struct gpr_slices *s)
{
  const gpr_status status = gpr_cpu_backend.slices (s);
  for (int l = 0; l < s->m.leaves; l++)
    wide += s->m.classes[l] == GPR_CLASS_int64 || s->m.classes[l] == GPR_CLASS_uint64;
  sliced += s->done && ! s->m.asked;
  return status;
}

static void
set_up (void)
{
  counted = gpr_cpu_backend;
  counted.allocate = allocate;
  counted.release = give;
  counted.room = how_much;
  counted.map = map;
  counted.reduce = reduce;
  counted.scan = scan;
  counted.slices = slices;
  counted.slices_fit = slices_fit;
  device = counted;
  device.allocate = allocate_on_device;
  device.on_device = true;
}

/* ---- arrays ------------------------------------------------------------------------------------ */

static int64_t
bytes_of (const gpr_array *a)
{
  return gpr_array_numel (a) * gpr_elem_bytes[gpr_array_elem (a)];
}

/* Of b; 0: no memory.  */
static double
upload (const gpr_backend *b, gpr_array a, const void *x)
{
  void *data;
  double id = 0;
  a.home = b;
  if (b->allocate (&data, (size_t) bytes_of (&a)) != GPR_OK)
    return 0;
  memcpy (data, x, (size_t) bytes_of (&a));
  a.data = data;
  if (gpr_resident_add (&a, &id) == GPR_OK)
    return id;
  b->release (data);
  return 0;
}

static double
line_of (const gpr_backend *b, int n, double value)
{
  static double x[6 << 20];
  for (int i = 0; i < n; i++)
    x[i] = value + i % 3;
  return upload (b, (gpr_array) { .class = GPR_CLASS_double, .ndims = 2, .dims = { n, 1 } }, x);
}

static gpr_operand of (double id) { return (gpr_operand) { .array = gpr_resident_find (id) }; }

/* 0: not done here, or *status.  */
static double
called (gpr_map_op op, gpr_operand x, const gpr_operand *y, gpr_status *status)
{
  const gpr_operand both[2] = { x, y ? *y : x };
  gpr_resident *r = NULL;
  double id = 0;

  *status = gpr_expression (op, both, y ? 2 : 1, &r, &(bool) { false });
  if (*status != GPR_OK || ! r)
    return 0;
  *status = gpr_resident_name (r, &id);
  if (*status != GPR_OK)
    gpr_resident_drop (r);
  return *status == GPR_OK ? id : 0;
}

static double
sure (gpr_map_op op, gpr_operand x, const gpr_operand *y)
{
  gpr_status status;
  const double id = called (op, x, y, &status);
  expect (id != 0, "%s: status %d, %s", gpr_map_names[op], status, gpr_message ());
  return id;
}
static double one (gpr_map_op op, double x) { return sure (op, of (x), NULL); }
static double two (gpr_map_op op, double x, double y) { return sure (op, of (x), &(gpr_operand) { .array = gpr_resident_find (y) }); }
static double with (gpr_map_op op, double x, double y) { return sure (op, of (x), &(gpr_operand) { NULL, y, GPR_CLASS_double }); }

/* Reductions that stay on the device.  */
typedef struct { gpr_node_reduction r; gpr_array z; } reduction;

/* Of op over dimensions first to last; false: there is none, or no array comes of it.  */
static bool
reduction_of (gpr_op op, const gpr_array *x, int first, int last, reduction *to)
{
  static const double divisors[] = { [GPR_DIVISOR_DEVIATION] = GPR_SPREAD_ROOT };
  const gpr_divisor by = gpr_operators[op].divisor;
  int64_t sizes[3] = { 1, 1, 1 };       /* before the dimensions, of them, and after */
  gpr_plan plan;

  to->z = *x;
  for (int d = 0; d < x->ndims; d++)
    {
      sizes[(d >= first) + (d > last)] *= x->dims[d];
      to->z.dims[d] = d >= first && d <= last ? 1 : x->dims[d];
    }
  gpr_array_trim (&to->z);
  const gpr_question q = { .op = op, .class = x->class, .n = sizes[1] };
  if (x->complex || sizes[1] < 2 || sizes[0] * sizes[2] < 2 || ! gpr_plan_make (&q, &plan) || plan.raw_class != plan.out_class)
    return false;
  const double divisor = by == GPR_DIVISOR_LENGTH ? (double) sizes[1] : by == GPR_DIVISOR_ROOT_MEAN ? - (double) sizes[1] : divisors[by];
  to->r = (gpr_node_reduction) { plan.instance, sizes[0], sizes[1], sizes[2], divisor };
  to->z.class = plan.out_class;
  return true;
}

/* 0: not done, or *status; *waits: whether it is to be computed.  */
static double
reduced (double x, const reduction *r, bool *waits, gpr_status *status)
{
  gpr_resident *result = NULL;
  double id = 0;

  *status = gpr_expression_reduction (gpr_resident_find (x), &r->r, &r->z, &result);
  *waits = result != NULL;
  if (*status != GPR_OK || ! result)
    return 0;
  *status = gpr_resident_name (result, &id);
  if (*status != GPR_OK)
    gpr_resident_drop (result);
  return *status == GPR_OK ? id : 0;
}

static double
reduced_at_once (double x, const reduction *r, gpr_status *status)
{
  const gpr_array *a;
  gpr_array z = r->z;
  double id = 0;

  *status = gpr_resident_array (x, &a);
  if (*status == GPR_OK)
    *status = gpr_resident_allocate (&z, a);
  if (*status != GPR_OK)
    return 0;
  gpr_reduction q = { .instance = r->r.instance, .inner = r->r.inner, .length = r->r.length, .outer = r->r.outer, .divisor = r->r.divisor,
                      .x = a->data, .value = (void *) (uintptr_t) z.data, .out_resident = true };
  *status = gpr_reduce (z.home, &q);
  if (*status == GPR_OK)
    *status = gpr_resident_add (&z, &id);
  if (*status != GPR_OK)
    z.home->release ((void *) (uintptr_t) z.data);
  return *status == GPR_OK ? id : 0;
}

/* A cumulative function along a dimension, as the gateway has it.  */
static double
scanned (double x, gpr_scan_op op, int dim, gpr_status *status)
{
  gpr_resident *of = gpr_resident_find (x), *made = NULL;
  gpr_array z = of->array;
  gpr_scanning s = { .op = op, .inner = 1, .length = 1, .outer = 1, .out_resident = true };
  const bool doubles = op < GPR_SCAN_cummax && z.class > GPR_CLASS_single;
  bool done = false;
  double id = 0;

  for (int d = 0; d < z.ndims; d++)
    *(d < dim ? &s.inner : d == dim ? &s.length : &s.outer) *= z.dims[d];
  z.class = doubles ? GPR_CLASS_double : z.class;
  z.data = NULL;
  s.elem = gpr_array_elem (&z);
  *status = gpr_resident_allocate (&z, &of->array);
  s.y = (void *) (uintptr_t) z.data;
  if (*status == GPR_OK && doubles)
    {
      *status = gpr_expression_doubles (of, &made);
      of = made;
    }
  if (*status == GPR_OK && ! (s.x = gpr_expression_lies (of)))
    {
      *status = gpr_expression_scan (of, &s, &done);
      if (*status == GPR_OK && ! done)
        *status = gpr_expression_compute (of);
      s.x = of->array.data;
    }
  if (*status == GPR_OK && ! done)
    *status = z.home->scan (&s);
  if (made)
    gpr_resident_drop (made);
  if (*status == GPR_OK)
    *status = gpr_resident_add (&z, &id);
  if (*status != GPR_OK && s.y)
    z.home->release (s.y);
  return *status == GPR_OK ? id : 0;
}

/* Of the columns of x; it waits.  */
static double
down (gpr_op op, double x)
{
  reduction r;
  bool waits = false;
  gpr_status status = GPR_OK;
  const double id = reduction_of (op, &gpr_resident_find (x)->array, 0, 0, &r) ? reduced (x, &r, &waits, &status) : 0;
  expect (id != 0 && waits, "%s: status %d, %s", gpr_operators[op].name, status, gpr_message ());
  return id;
}

/* The new one may read the old one.  */
static double
instead (double id, double old)
{
  gpr_resident_free (old);
  return id;
}

static double
first_of (double id)
{
  const gpr_array *a;
  return gpr_resident_array (id, &a) == GPR_OK ? gpr_array_element (a, 0) : NAN;
}

/* ---- random programs ----------------------------------------------------------------------------- */

enum { NAMES = 12, MOST = 20000 };
typedef struct { double waits, done; char how[200]; } variable;         /* the same of both, its values wanted or computed at once */
static variable v[NAMES];
static int faults, refused, survived;

static gpr_array
random_shape (void)
{
  static const struct { int ndims; int64_t dims[4]; } shapes[] = {
    { 2, { 1, 1 } }, { 2, { 1, 1 } }, { 2, { 3, 5 } }, { 2, { 3, 5 } }, { 2, { 3, 5 } }, { 2, { 3, 1 } }, { 2, { 1, 5 } }, { 3, { 3, 5, 2 } },
    { 3, { 1, 5, 2 } }, { 4, { 3, 1, 1, 4 } }, { 2, { 0, 5 } }, { 2, { 3, 0 } }, { 3, { 1, 1, 0 } }, { 2, { 2, 5 } }, { 2, { 1, 700 } }
  };
  const int i = (int) random_below (sizeof shapes / sizeof *shapes);
  gpr_array a = { .class = random_below (30) ? random_class () : GPR_CLASS_int64, .ndims = shapes[i].ndims };
  memcpy (a.dims, shapes[i].dims, sizeof shapes[i].dims);
  if (random_below (300) == 0)
    a = (gpr_array) { .class = a.class, .ndims = 2, .dims = { 100, MOST / 100 } };
  a.complex = random_below (60) == 0 && a.class <= GPR_CLASS_single;
  return a;
}

static void
random_array (variable *to)
{
  static _Alignas (16) char x[MOST * 16];
  const gpr_array a = random_shape ();
  const int64_t n = gpr_array_numel (&a) * (a.complex ? 2 : 1);

  if (a.class == GPR_CLASS_int64)
    memset (x, 1, (size_t) bytes_of (&a));
  else
    fill (a.class, x, n);
  if (a.class <= GPR_CLASS_single && random_below (2))  /* whole numbers, that meet one another */
    for (int64_t i = 0; i < n; i++)
      {
        const double whole = (double) (random_below (9) - 4) * (random_below (9) ? 1 : -0.0);
        if (a.class == GPR_CLASS_double)
          ((double *) x)[i] = whole;
        else
          ((float *) x)[i] = (float) whole;
      }
  gpr_resident_free (to->waits);
  gpr_resident_free (to->done);
  to->waits = upload (&counted, a, x);
  to->done = upload (&counted, a, x);
  snprintf (to->how, sizeof to->how, "new %s", gpr_class_names[a.class]);
}

static gpr_operand
random_number (void)
{
  static const double numbers[] = { 0, -0.0, 1, 2, 2, 3, -1, -2, 0.5, -0.5, NAN, HUGE_VAL, -HUGE_VAL, 2147483647, -2147483648, 2147483646, 1e-60, 300 };
  const gpr_class class = random_class ();
  double x = numbers[random_below (sizeof numbers / sizeof *numbers)];
  switch ((int) class)
    {
    case GPR_CLASS_double: break;
    case GPR_CLASS_single: x = (float) x; break;
    default: x = x == x && fabs (x) < 100 ? fabs (trunc (x)) : 1;
    }
  if (class == GPR_CLASS_logical)
    x = x != 0;
  return (gpr_operand) { NULL, x, class };
}

static gpr_map_op
random_op (void)
{
  static const gpr_map_op often[] = { GPR_MAP_plus, GPR_MAP_minus, GPR_MAP_times, GPR_MAP_rdivide, GPR_MAP_max, GPR_MAP_min, GPR_MAP_abs, GPR_MAP_uminus,
                                      GPR_MAP_sqrt, GPR_MAP_power, GPR_MAP_lt, GPR_MAP_and, GPR_MAP_to_single, GPR_MAP_to_int8, GPR_MAP_log };
  return random_below (2) ? often[random_below (sizeof often / sizeof *often)] : (gpr_map_op) (GPR_MAP_save + 1 + random_below (GPR_MAP_OP_COUNT - GPR_MAP_save - 1));
}

/* The next allocation, or one soon, fails, where there are to be faults.  */
static void
arm (bool faulty)
{
  failures = 0;
  until_failure = faulty && random_below (2) ? (int) random_below (4) : -1;
}

/* Whether it is to be tried again.  */
static bool
was_refused (gpr_status status, const char *what)
{
  const bool failed = failures > 0;
  until_failure = -1;
  faults += failed;
  expect (status == GPR_OK || (failed && status == GPR_OUT_OF_MEMORY), "%s: status %d, %s", what, status, gpr_message ());
  refused += failed && status != GPR_OK;
  survived += failed && status == GPR_OK;
  failures = 0;
  return failed && status == GPR_OUT_OF_MEMORY;
}

/* In how many passes it would be computed: nothing is, by asking.  */
static int
explained (const variable *x, bool faulty)
{
  gpr_explanation e;
  gpr_status status;
  const int before = maps;

  do
    {
      arm (faulty);
      status = gpr_explain (gpr_resident_find (x->waits), &e);
    }
  while (was_refused (status, "explaining"));
  expect (maps == before, "%s: explaining it computes", x->how);
  gpr_explanation_free (&e);
  return e.passes;
}

static void
compare (const variable *x, const char *when, bool faulty)
{
  const gpr_array *a, *b;
  const int passes = explained (x, faulty), before = maps, reduced = reductions + sliced;
  gpr_status status;

  do
    {
      arm (faulty);
      status = gpr_resident_array (x->waits, &a);
    }
  while (was_refused (status, x->how));
  /* A reduction whose result is in doubt takes more of them.  */
  expect (faulty || maps - before == passes || (reductions + sliced > reduced && passes > 0), "%s, %s: explained as %d passes, computed in %d", x->how, when, passes, maps - before);
  expect (gpr_resident_array (x->done, &b) == GPR_OK, "%s: %s", x->how, gpr_message ());
  if (! a || ! b)
    return;
  const bool alike = a->class == b->class && a->complex == b->complex && a->ndims == b->ndims && memcmp (a->dims, b->dims, a->ndims * sizeof *a->dims) == 0;
  expect (alike, "%s, %s: %s of %d dimensions, not %s of %d", x->how, when, gpr_class_names[a->class], a->ndims, gpr_class_names[b->class], b->ndims);
  if (! alike)
    return;
  const int64_t each = gpr_elem_bytes[gpr_array_elem (a)], bytes = bytes_of (a);
  int64_t i = 0;
  while (i < bytes && ((const char *) a->data)[i] == ((const char *) b->data)[i])
    i++;
  if (i < bytes)
    expect (false, "%s, %s: element %lld of %lld of class %s is %.17g, not %.17g", x->how, when, (long long) (i / each), (long long) (bytes / each),
            gpr_class_names[a->class], gpr_array_element (a, i / each), gpr_array_element (b, i / each));
}

static void
operate (variable *to, bool faulty)
{
  const gpr_map_op op = random_op ();
  const bool is_binary = gpr_map_takes_two (op);
  const variable *x = &v[random_below (NAMES)], *y = random_below (6) ? &v[random_below (NAMES)] : x;
  const int numbers = is_binary && random_below (3) == 0 ? 1 + (int) random_below (2) : 0;      /* which operand is one */
  const gpr_operand n = random_number ();
  gpr_operand second = numbers == 2 ? n : of (y->done);
  gpr_status status;
  char how[sizeof to->how];

  snprintf (how, sizeof how, "%s%s (%.60s, %.60s)", gpr_map_names[op], numbers == 1 ? ", number first" : numbers == 2 ? ", number second" : "", x->how, y->how);
  gpr_expression_lazy (0);
  const double done = called (op, numbers == 1 ? n : of (x->done), is_binary ? &second : NULL, &status);
  expect (status == GPR_OK, "%s at once: status %d, %s", how, status, gpr_message ());
  gpr_expression_lazy (random_below (20) != 0);
  double waits;
  second = numbers == 2 ? n : of (y->waits);
  do
    {
      arm (faulty);
      waits = called (op, numbers == 1 ? n : of (x->waits), is_binary ? &second : NULL, &status);
    }
  while (was_refused (status, how));
  expect ((waits != 0) == (done != 0), "%s: %s, and at once: %s", how, waits != 0 ? "done" : "not done", done != 0 ? "done" : "not done");
  if (waits == 0 || done == 0)
    {
      gpr_resident_free (waits);
      gpr_resident_free (done);
      return;
    }
  const gpr_array *a = &gpr_resident_find (waits)->array, *b = &gpr_resident_find (done)->array;
  expect (a->class == b->class && a->ndims == b->ndims, "%s: of another class or sizes", how);
  gpr_resident_free (to->waits);
  gpr_resident_free (to->done);
  to->waits = waits;
  to->done = done;
  memcpy (to->how, how, sizeof how);
}

/* Elements change in place, as by an assignment.  */
static void
assign (variable *to, bool faulty)
{
  gpr_resident *r = gpr_resident_find (to->waits), *s = gpr_resident_find (to->done);
  gpr_status status;

  compare (to, "before an assignment", faulty);
  do
    {
      arm (faulty);
      status = gpr_expression_compute_readers (r);
    }
  while (was_refused (status, "assignment"));
  const int64_t bytes = bytes_of (&r->array);
  if (bytes == 0)
    return;
  const int64_t each = gpr_elem_bytes[gpr_array_elem (&r->array)], at = random_below (bytes / each) * each;
  gpr_expression_changed (r);
  gpr_expression_changed (s);
  if (r->array.class == GPR_CLASS_double || r->array.class == GPR_CLASS_single)
    for (int64_t i = 0; i < each; i++)
      ((char *) (uintptr_t) r->array.data)[at + i] ^= i == each - 1 ? 0x80 : 0;         /* the sign */
  else
    ((char *) (uintptr_t) r->array.data)[at] ^= 1;
  memcpy ((char *) (uintptr_t) s->array.data + at, (const char *) r->array.data + at, (size_t) each);
}

static void
reduce_one (variable *to, bool faulty)
{
  static const gpr_op ops[] = { GPR_OP_SUM, GPR_OP_MEAN, GPR_OP_MAX, GPR_OP_MIN, GPR_OP_VAR, GPR_OP_STD, GPR_OP_SUMSQ, GPR_OP_PROD, GPR_OP_ANY, GPR_OP_ALL, GPR_OP_RMS };
  const gpr_op op = ops[random_below (sizeof ops / sizeof *ops)];
  const variable *x = &v[random_below (NAMES)];
  const int first = (int) random_below (3), last = first + (random_below (4) == 0);
  reduction r;
  bool later;
  gpr_status status;
  char how[sizeof to->how];

  if (gpr_array_numel (&gpr_resident_find (x->done)->array) == 0 || ! reduction_of (op, &gpr_resident_find (x->done)->array, first, last, &r))
    return;
  snprintf (how, sizeof how, "%s (%.60s, %d:%d)", gpr_operators[op].name, x->how, first + 1, last + 1);
  gpr_expression_lazy (0);
  const double done = reduced_at_once (x->done, &r, &status);
  expect (status == GPR_OK, "%s at once: status %d, %s", how, status, gpr_message ());
  gpr_expression_lazy (random_below (20) != 0);
  double waits;
  do
    {
      arm (faulty);
      waits = reduced (x->waits, &r, &later, &status);
      if (status == GPR_OK && ! later)
        waits = reduced_at_once (x->waits, &r, &status);
    }
  while (was_refused (status, how));
  if (waits == 0 || done == 0)
    return;
  gpr_resident_find (done)->positive = gpr_resident_find (waits)->positive;     /* empty results are not done here where less is known */
  gpr_resident_free (to->waits);
  gpr_resident_free (to->done);
  to->waits = waits;
  to->done = done;
  memcpy (to->how, how, sizeof how);
}

static void
scan_one (variable *to, bool faulty)
{
  const variable *x = &v[random_below (NAMES)];
  const gpr_array *a = &gpr_resident_find (x->done)->array;
  const int dim = (int) random_below (3);
  gpr_scan_op op = (gpr_scan_op) random_below (GPR_SCAN_OPS);
  gpr_status status;
  char how[sizeof to->how];

  if (op < GPR_SCAN_cummax && ! gpr_expression_reads (a))
    op = GPR_SCAN_cummax;
  if (gpr_array_numel (a) == 0 || a->class == GPR_CLASS_char)
    return;
  snprintf (how, sizeof how, "cumulative %d (%.60s, %d)", (int) op, x->how, dim + 1);
  gpr_expression_lazy (0);
  const double done = scanned (x->done, op, dim, &status);
  expect (status == GPR_OK, "%s at once: status %d, %s", how, status, gpr_message ());
  gpr_expression_lazy (1);
  double waits;
  do
    {
      arm (faulty);
      waits = scanned (x->waits, op, dim, &status);
    }
  while (was_refused (status, how));
  if (waits == 0 || done == 0)
    return;
  gpr_resident_free (to->waits);
  gpr_resident_free (to->done);
  to->waits = waits;
  to->done = done;
  memcpy (to->how, how, sizeof how);
}

static void
run_program (int steps, bool faulty)
{
  const int before = live, arrays_before = arrays;

  for (int i = 0; i < NAMES; i++)
    random_array (&v[i]);
  for (int k = 0; k < steps && test_broken == 0; k++)
    {
      variable *x = &v[random_below (NAMES)];
      const int what = (int) random_below (40);
      if (what < 3)
        random_array (x);
      else if (what < 5)
        assign (x, faulty);
      else if (what < 8)
        compare (x, "looked at", faulty);
      else if (what == 8)
        expect (gpr_expression_compute_all () == GPR_OK, "all: %s", gpr_message ());
      else if (what < 15)
        reduce_one (x, faulty);
      else if (what == 15)
        scan_one (x, faulty);
      else
        operate (x, faulty);
    }
  for (int i = 0; i < NAMES; i++)
    compare (&v[i], "at last", faulty);
  for (int i = 0; i < NAMES; i++)
    {
      gpr_resident_free (v[i].waits);
      gpr_resident_free (v[i].done);
      v[i] = (variable) { .waits = 0 };
    }
  expect (gpr_resident_count () == 0, "%d names are left", (int) gpr_resident_count ());
  expect (arrays == arrays_before, "%d arrays are left", arrays - arrays_before);
  expect (live == before, "%d allocations are left", live - before);
  gpr_expression_lazy (1);
}

static void
programs (void)
{
  const int count = 10 * test_cases (250);

  gpr_resident_free (line_of (&counted, 1, 0));         /* the table of names stays */
  rule ("expressions_that_wait_as_those_computed_at_once");
  for (int i = 0; i < count; i++)
    run_program (400, false);
  expect (sliced > count && fused > count && scans > count && wide == 0, "%d programs in slices, %d reductions and %d cumulative functions of what waits, %d leaves of 64-bit integers",
          sliced, fused, scans, wide);
  rule ("and_where_any_allocation_fails");
  for (int i = 0; i < count; i++)
    run_program (100, true);
  expect (faults > 10 && refused > 5 && survived > 0, "%d faults, %d refused, %d survived", faults, refused, survived);
}

/* ---- explanations ----------------------------------------------------------------------------------- */

static double
mean_of (double x, int64_t inner, int64_t length, int64_t outer)
{
  gpr_resident *r = NULL;
  double id = 0;
  const gpr_array z = { .class = GPR_CLASS_double, .ndims = 2, .dims = { inner, outer } };
  const gpr_status status = gpr_expression_reduction (gpr_resident_find (x), &(gpr_node_reduction) { GPR_sum_f64, inner, length, outer, (double) length }, &z, &r);
  expect (status == GPR_OK && r && gpr_resident_name (r, &id) == GPR_OK, "a mean does not wait: %s", gpr_message ());
  return id;
}

/* Means over the columns and the rows of 200 x 600 elements, of which the first are read in slices with what they are subtracted from.  */
static void
explanations (void)
{
  static double elements[200 * 600];
  rule ("what_is_explained_is_what_is_done");
  for (int columns = 0; columns < 2; columns++)
    for (int rows = 0; rows < 2; rows++)
      for (int before = 0; before < 2; before++)
        {
          gpr_explanation e;
          const double x = upload (&counted, (gpr_array) { .class = GPR_CLASS_double, .ndims = 2, .dims = { 200, 600 } }, elements);
          const double of_columns = mean_of (x, 1, 200, 600), of_rows = mean_of (x, 200, 600, 1);
          double y = before ? with (GPR_MAP_plus, x, 1) : x;
          y = columns ? instead (two (GPR_MAP_minus, y, of_columns), before ? y : 0) : y;
          y = rows ? instead (two (GPR_MAP_minus, y, of_rows), columns || before ? y : 0) : y;
          y = instead (one (GPR_MAP_abs, y), y == x ? 0 : y);
          expect (gpr_explain (gpr_resident_find (y), &e) == GPR_OK, "%s", gpr_message ());
          int64_t bytes = 0;
          for (int k = 0; k < e.passes; k++)
            bytes += e.pass[k].bytes_read + e.pass[k].bytes_written;
          const int64_t all = sizeof elements, column = 600 * sizeof (double), row = 200 * sizeof (double);
          const int64_t want = ! columns && ! rows ? 2 * all : columns && rows ? 4 * all + 2 * (column + row) : 2 * all + (columns ? column : row);
          expect (bytes == want, "columns %d, rows %d: %lld bytes, not %lld", columns, rows, (long long) bytes, (long long) want);
          const int passes = maps + reductions + sliced;
          first_of (y);
          expect (maps + reductions + sliced - passes == e.passes, "columns %d, rows %d: explained as %d passes, computed in %d", columns, rows, e.passes,
                  maps + reductions + sliced - passes);
          gpr_explanation_free (&e);
          gpr_resident_free (x);
          gpr_resident_free (of_columns);
          gpr_resident_free (of_rows);
          gpr_resident_free (y);
        }
  expect (arrays == 0 && gpr_resident_count () == 0, "%d arrays are left", arrays);
}

/* ---- limits ---------------------------------------------------------------------------------------- */

/* What x is after that, how many passes it took, and that nothing is left.  */
static void
is_computed (double x, double want, int most)
{
  const int before = maps;
  const double is = first_of (x);
  expect (is == want, "%.17g, not %.17g: %s", is, want, gpr_message ());
  expect (maps - before <= most, "%d passes", maps - before);
  gpr_resident_free (x);
}

static void
limits (void)
{
  rule ("expressions_at_their_limits");
  for (int depth = 1; depth < 40; depth++)
    {
      double x = line_of (&counted, 4, 1);
      const int before = maps;
      for (int k = 0; k < depth; k++)
        x = instead (one (GPR_MAP_uminus, x), x);
      expect (first_of (x) == (depth % 2 ? -1 : 1), "%d operations one after the other", depth);
      expect (maps - before == (depth + 15) / 16, "%d operations one after the other: %d passes", depth, maps - before);
      gpr_resident_free (x);
    }
  for (int leaves = 1; leaves < 40; leaves++)
    {
      double x = line_of (&counted, 4, 0), want = 0;
      const int before = maps;
      for (int k = 1; k < leaves; k++)
        {
          const double leaf = line_of (&counted, 4, want += 1);
          x = instead (k % 2 ? two (GPR_MAP_minus, x, leaf) : two (GPR_MAP_plus, leaf, x), x);
          gpr_resident_free (leaf);
        }
      double value = 0;
      for (int k = 1; k < leaves; k++)
        value = k % 2 ? value - k : k + value;
      expect (first_of (x) == value && maps - before == (leaves - 1 + 6) / 7, "%d leaves: %g, not %g; %d passes", leaves, first_of (x), value, maps - before);
      gpr_resident_free (x);
    }
  for (int depth = 1; depth < 8; depth++)
    {
      double x[128];
      for (int k = 0; k < 1 << depth; k++)
        x[k] = line_of (&counted, 4, k + 1);
      double want[128];
      for (int k = 0; k < 1 << depth; k++)
        want[k] = k + 1;
      for (int n = 1 << depth; n > 1; n /= 2)
        for (int k = 0; k < n / 2; k++)
          {
            const double pair = two (k % 2 ? GPR_MAP_minus : GPR_MAP_rdivide, x[2 * k], x[2 * k + 1]);
            want[k] = k % 2 ? want[2 * k] - want[2 * k + 1] : want[2 * k] / want[2 * k + 1];
            gpr_resident_free (x[2 * k]);
            gpr_resident_free (x[2 * k + 1]);
            x[k] = pair;
          }
      is_computed (x[0], want[0], 1 << depth);
    }
  expect (arrays == 0 && gpr_resident_count () == 0, "%d arrays are left", arrays);

  rule ("sizes_that_cannot_be_counted");
  {
    gpr_status status = GPR_OK;
    const int8_t x[1] = { 0 };
    gpr_array a = { .class = GPR_CLASS_int8, .ndims = 2, .dims = { 1, 1 } };
    double tall = upload (&counted, a, x), wide = upload (&counted, a, x);
    gpr_resident_find (tall)->array.dims[0] = gpr_resident_find (wide)->array.dims[1] = (int64_t) 1 << 33;
    const gpr_operand second = of (wide);
    expect (called (GPR_MAP_plus, of (tall), &second, &status) == 0 && status == GPR_OUT_OF_MEMORY
            && strstr (gpr_message (), "computing plus of 8589934592x8589934592 int8"), "status %d: %s", status, gpr_message ());
    gpr_resident_free (tall);
    gpr_resident_free (wide);
  }
}

/* ---- memory ------------------------------------------------------------------------------------------ */

enum { MIB = 1 << 20, MIB_OF_DOUBLES = MIB / 8 };

/* Rows by columns, of 0, -0 and other numbers.  */
static double
matrix_of (const gpr_backend *b, int rows, int columns)
{
  static double x[2 << 20];
  for (int i = 0; i < rows * columns; i++)
    x[i] = i % 3 - 1;
  return upload (b, (gpr_array) { .class = GPR_CLASS_double, .ndims = 2, .dims = { rows, columns } }, x);
}

static bool is_waiting (double id) { return gpr_resident_find (id)->node != NULL; }

static void
memory_of_reductions (void)
{
  const gpr_array *a;

  rule ("what_cannot_be_computed_to_make_room_is_passed_over");
  double x = matrix_of (&counted, 2, MIB_OF_DOUBLES), s = down (GPR_OP_STD, x), m = down (GPR_OP_MEAN, x), sum = two (GPR_MAP_plus, m, s);
  gpr_resident_free (x);
  gpr_resident_free (m);
  gpr_resident_free (s);
  double other = line_of (&counted, 2, 1), more = with (GPR_MAP_plus, other, 1);
  limit = bytes_in_use + 2 * MIB + 8;   /* for the sum and the mean, but not the deviation */
  double big = line_of (&counted, 4 * MIB_OF_DOUBLES, 1);
  expect (big == 0 && gpr_resident_allocate (&(gpr_array) { .class = GPR_CLASS_double, .ndims = 2, .dims = { 4 * MIB_OF_DOUBLES, 1 } },
                                             &gpr_resident_find (other)->array) == GPR_OUT_OF_MEMORY, "there was room");
  expect (gpr_resident_array (sum, &a) == GPR_OUT_OF_MEMORY
          && strcmp (gpr_message (), "1048576 bytes of the test's memory; computing a reduction of 1x131072 double") == 0, "%s", gpr_message ());
  limit = SIZE_MAX;
  is_computed (sum, -0.5 + sqrt (0.5), 1);
  is_computed (more, 2, 1);
  gpr_resident_free (other);
  expect (arrays == 0, "%d arrays are left", arrays);

  rule ("a_reduction_may_be_computed_to_make_room_for_its_own_operand");
  x = matrix_of (&counted, 2, MIB_OF_DOUBLES);
  double zeros = with (GPR_MAP_times, x, 0), largest = down (GPR_OP_MAX, zeros), above = two (GPR_MAP_gt, zeros, largest);
  gpr_resident_free (x);
  gpr_resident_free (zeros);
  limit = bytes_in_use + 5 * MIB / 2;   /* for the results, but not for the zeros, which settle the signs */
  expect (gpr_resident_array (largest, &a) == GPR_OK, "%s", gpr_message ());
  expect (! is_waiting (above), "it still waits");
  limit = SIZE_MAX;
  is_computed (largest, 0, 0);
  is_computed (above, 0, 0);
  expect (arrays == 0 && bytes_in_use == 0, "%d arrays are left", arrays);

  rule ("what_was_computed_for_a_reader_gives_its_memory_back");
  x = matrix_of (&counted, 4, MIB_OF_DOUBLES);
  more = with (GPR_MAP_plus, x, 1);
  m = down (GPR_OP_MEAN, more);
  s = down (GPR_OP_STD, more);
  largest = down (GPR_OP_MAX, more);
  gpr_resident_free (x);
  gpr_resident_free (more);
  first_of (m);
  first_of (s);
  expect (bytes_in_use == 6 * MIB && is_waiting (largest), "%zu bytes in use", bytes_in_use);
  limit = 8 * MIB;
  gpr_array z = { .class = GPR_CLASS_double, .ndims = 2, .dims = { 4 * MIB_OF_DOUBLES, 1 } };
  gpr_status status = gpr_resident_allocate (&z, &gpr_resident_find (m)->array);
  expect (status == GPR_OK && ! is_waiting (largest), "status %d: %s", status, gpr_message ());
  if (status == GPR_OK)
    z.home->release ((void *) (uintptr_t) z.data);
  limit = SIZE_MAX;
  is_computed (m, 0.75, 0);
  is_computed (s, sqrt (0.6875 + 0.0625 * 3.6666666666666665), 0);
  is_computed (largest, 2, 0);
  expect (arrays == 0, "%d arrays are left", arrays);
}

static void
memory (void)
{
  rule ("memory_that_only_waiting_operations_hold");
  /* 24 MiB may wait, and be computed and given back; so may as many again.  */
  for (int round = 0; round < 3; round++)
    {
      const int before = maps;
      double x = line_of (&counted, 24 * MIB_OF_DOUBLES, 1), y = with (GPR_MAP_plus, x, 1), z = with (GPR_MAP_times, y, 2);
      room = 0;
      gpr_resident_free (x);
      gpr_resident_free (y);
      expect (maps == before && bytes_in_use == 24 * MIB, "%d passes, %zu bytes", maps - before, bytes_in_use);
      /* 12 more are too many.  */
      double small = line_of (&counted, 12 * MIB_OF_DOUBLES, 1), sum = with (GPR_MAP_plus, small, 1);
      gpr_resident_free (small);
      expect (maps == before + 1 && bytes_in_use == 36 * MIB, "then %d passes, %zu bytes", maps - before, bytes_in_use);
      is_computed (sum, 2, 0);
      is_computed (z, 4, 1);
      room = (size_t) 1 << 40;
      expect (arrays == 0, "%d arrays are left", arrays);
    }

  rule ("the_whole_expression_gives_memory_back");
  {
    double x = line_of (&counted, 5 * MIB_OF_DOUBLES * 8, 1), y = with (GPR_MAP_plus, x, 1), z = with (GPR_MAP_gt, y, 2);
    room = 0;
    gpr_resident_free (y);
    gpr_resident_free (x);
    expect (bytes_in_use == 5 * MIB, "%zu bytes in use", bytes_in_use);
    room = (size_t) 1 << 40;
    is_computed (z, 0, 0);
  }

  rule ("waiting_operations_make_room");
  {
    double x = line_of (&counted, 8 * MIB_OF_DOUBLES, 1), is_more = with (GPR_MAP_gt, x, 1), last;
    gpr_status status;
    gpr_resident_free (x);
    double y = line_of (&counted, 8 * MIB_OF_DOUBLES, 5);
    last = with (GPR_MAP_plus, y, 1);
    limit = 18 * MIB;
    is_computed (last, 6, 2);
    expect (! gpr_resident_find (is_more)->node, "nothing was computed");
    is_computed (is_more, 0, 0);
    gpr_resident_free (y);

    /* What has to be computed goes with it, and the one that reads it.  */
    x = line_of (&counted, 8 * MIB_OF_DOUBLES, 1);
    y = with (GPR_MAP_gt, x, 1);
    gpr_resident_free (x);
    x = line_of (&counted, 8 * MIB_OF_DOUBLES, 1);
    last = two (GPR_MAP_plus, y, x);
    gpr_resident_free (y);
    limit = 20 * MIB;
    expect (bytes_in_use == 16 * MIB, "%zu bytes in use", bytes_in_use);
    expect (gpr_expression_compute_all () == GPR_OUT_OF_MEMORY
            && strstr (gpr_message (), "; computing plus of 1048576x1 double"), "%s", gpr_message ());
    is_computed (x, 1, 0);
    expect (gpr_expression_compute_all () == GPR_OUT_OF_MEMORY, "no room, but no failure");
    limit = SIZE_MAX;
    is_computed (last, 1, 1);

    rule ("an_error_names_the_operation_and_its_sizes");
    x = line_of (&counted, 300, 1);
    y = with (GPR_MAP_lt, x, 2);
    limit = 0;
    const gpr_array *a;
    status = gpr_resident_array (y, &a);
    expect (status == GPR_OUT_OF_MEMORY && ! a && strcmp (gpr_message (), "300 bytes of the test's memory; computing lt of 300x1 logical") == 0,
            "status %d: %s", status, gpr_message ());
    expect (called (GPR_MAP_asin, of (x), NULL, &status) == 0 && status == GPR_OUT_OF_MEMORY && strstr (gpr_message (), "; computing asin of 300x1 double"),
            "status %d: %s", status, gpr_message ());
    limit = SIZE_MAX;
    is_computed (y, 1, 1);

    /* Also where another one could not be computed to make room.  */
    y = with (GPR_MAP_lt, x, 2);
    double z = line_of (&counted, 200, 1), w = with (GPR_MAP_plus, z, 2);
    gpr_resident_free (x);
    limit = 0;
    expect (gpr_resident_array (w, &a) == GPR_OUT_OF_MEMORY
            && strcmp (gpr_message (), "1600 bytes of the test's memory; computing plus of 200x1 double") == 0, "%s", gpr_message ());
    limit = SIZE_MAX;
    is_computed (y, 1, 1);
    is_computed (w, 3, 1);
    gpr_resident_free (z);
  }
  expect (arrays == 0, "%d arrays are left", arrays);
}

static void
repetitions (void)
{
  rule ("what_keeps_its_name_is_computed_at_most_twice");
  double x = line_of (&counted, 4, 1), y = with (GPR_MAP_plus, x, 1), sum = 0;
  const int before = maps;
  for (int k = 1; k <= 10; k++)
    {
      const double z = with (GPR_MAP_times, y, k);
      sum += first_of (z);
      gpr_resident_free (z);
    }
  expect (sum == 110 && maps - before == 11, "%g, %d passes", sum, maps - before);
  expect (! gpr_resident_find (y)->node, "it waits on");
  gpr_resident_free (x);
  gpr_resident_free (y);

  rule ("on_a_device_what_reads_no_more_than_it_is_is_computed_for_the_third_reader");
  for (int operands = 1; operands <= 2; operands++)
    {
      double w = line_of (&device, 6, 2);
      x = line_of (&device, 6, 1);
      y = operands == 1 ? with (GPR_MAP_plus, x, 1) : two (GPR_MAP_plus, x, w);
      for (int k = 1; k <= 4; k++)
        {
          const double z = with (GPR_MAP_times, y, k);
          expect (first_of (z) == (operands == 1 ? 2 : 3) * k, "%g", first_of (z));
          expect ((gpr_resident_find (y)->node == NULL) == (k >= (operands == 1 ? 3 : 2)), "reader %d of what has %d operands", k, operands);
          gpr_resident_free (z);
        }
      gpr_resident_free (x);
      gpr_resident_free (y);
      gpr_resident_free (w);
    }

  rule ("and_so_is_what_has_several_readers");
  for (int named = 0; named < 2; named++)
    {
      static const gpr_op ops[] = { GPR_OP_MEAN, GPR_OP_MAX, GPR_OP_STD, GPR_OP_SUM };
      double of[4];
      x = matrix_of (&counted, 3, 40);
      y = with (GPR_MAP_plus, x, 1);
      for (int k = 0; k < 4; k++)
        of[k] = down (ops[k], y);
      gpr_resident_free (x);
      if (! named)
        gpr_resident_free (y);
      const int passes = maps + fused;
      for (int k = 0; k < 4; k++)
        first_of (of[k]);
      expect (maps + fused - passes == 2, "%d passes", maps + fused - passes);
      for (int k = 0; k < 4; k++)
        gpr_resident_free (of[k]);
      gpr_resident_free (y);
    }
  x = matrix_of (&counted, 3, 40);
  y = with (GPR_MAP_plus, x, 1);
  double m = down (GPR_OP_MEAN, y), centered = two (GPR_MAP_minus, y, m);
  first_of (m);
  first_of (centered);
  expect (! gpr_resident_find (y)->node, "it waits on");
  gpr_resident_free (x);
  gpr_resident_free (y);
  gpr_resident_free (m);
  gpr_resident_free (centered);

  rule ("reductions_of_64_bit_integers_do_not_wait");
  {
    static const int64_t whole[] = { 1, 2, 3, (INT64_C (1) << 53) + 1, 5, 6 };
    bool waits = true;
    reduction r;
    gpr_status status;
    x = upload (&counted, (gpr_array) { .class = GPR_CLASS_int64, .ndims = 2, .dims = { 2, 3 } }, whole);
    expect (reduction_of (GPR_OP_SUM, &gpr_resident_find (x)->array, 0, 0, &r) && reduced (x, &r, &waits, &status) == 0 && ! waits && status == GPR_OK, "it waits");
    gpr_resident_free (x);
  }

  rule ("results_and_their_readers_are_one_pass");
  x = matrix_of (&counted, 3, 40);
  y = with (GPR_MAP_plus, x, 1);
  m = down (GPR_OP_MEAN, y);
  centered = two (GPR_MAP_minus, y, m);
  double s = down (GPR_OP_STD, y), z = two (GPR_MAP_rdivide, centered, s);
  gpr_resident_free (centered);
  gpr_resident_free (x);
  gpr_resident_free (y);
  const int all = sliced;
  expect (first_of (z) == -1 && sliced - all == 1, "%g, %d passes", first_of (z), sliced - all);
  expect (! gpr_resident_find (m)->node && ! gpr_resident_find (s)->node, "a result still waits");
  is_computed (m, 1, 0);
  is_computed (s, 1, 0);
  is_computed (z, -1, 0);
  expect (arrays == 0, "%d arrays are left", arrays);
}

static void
assignments (void)
{
  rule ("what_waits_is_computed_to_where_it_is_assigned");
  for (int broadcast = 0; broadcast < 2; broadcast++)
    {
      double x = matrix_of (&counted, 3, 4), row = upload (&counted, (gpr_array) { .class = GPR_CLASS_double, .ndims = 2, .dims = { 1, 4 } }, (double[]) { 1, 2, 3, 4 });
      double y = two (GPR_MAP_minus, x, broadcast ? row : x), z = with (GPR_MAP_times, y, 2);
      double to[30];
      bool placed = false;
      /* Every second row, the last column first.  */
      gpr_mapping m = { .class = GPR_CLASS_double, .rank = 3, .dims = { 3, 1, 4 }, .strides = { [GPR_MAP_LEAVES] = { 2, 0, -6 } }, .z = to + 20 };
      const int before = arrays, passes = maps;
      const double *of = gpr_resident_find (x)->array.data;
      gpr_resident_free (y);
      expect (gpr_expression_place (gpr_resident_find (z), &m, &placed) == GPR_OK && placed, "placed %d, %s", placed, gpr_message ());
      expect (arrays == before && maps == passes + 1, "%d arrays for %d, %d passes", arrays, before, maps - passes);
      for (int k = 0; k < 12; k++)
        expect (to[20 + k % 3 * 2 - k / 3 * 6] == 2 * (of[k] - (broadcast ? k / 3 + 1 : of[k])), "element %d", k);
      m.dims[0] = 4;
      m.dims[2] = 3;
      if (broadcast)
        expect (gpr_expression_place (gpr_resident_find (z), &m, &placed) == GPR_OK && ! placed, "of other sizes");
      gpr_resident_free (x);
      gpr_resident_free (row);
      gpr_resident_free (z);
    }
  expect (arrays == 0, "%d arrays are left", arrays);
}

static int given_back;
static void give_back (void *lender) { *(double *) lender = NAN; given_back++; }

static void
lent (void)
{
  const gpr_array *a;

  rule ("what_is_lent_is_given_back_once_when_nobody_reads_it");
  for (int changed = 0; changed < 3; changed++)
    {
      double elements[4] = { 1, 2, 3, 4 }, x;
      const int before = given_back;
      expect (gpr_resident_add (&(gpr_array) { .class = GPR_CLASS_double, .ndims = 2, .dims = { 4, 1 }, .data = elements, .home = &counted }, &x) == GPR_OK, "no name");
      gpr_resident *r = gpr_resident_find (x);
      r->lender = elements;
      r->give_back = give_back;
      const double y = with (GPR_MAP_plus, x, 1);
      if (changed == 1)
        {
          expect (gpr_resident_own (r) == GPR_OK && given_back == before + 1 && r->array.data != elements, "not copied");
          expect (gpr_resident_own (r) == GPR_OK && given_back == before + 1, "copied twice");
        }
      if (changed == 2)
        {
          limit = bytes_in_use;
          expect (gpr_resident_own (r) == GPR_OUT_OF_MEMORY && r->array.data == elements && given_back == before, "where there is no memory");
          limit = SIZE_MAX;
        }
      gpr_resident_free (x);
      expect (given_back == before + (changed == 1), "given back while an operation waits to read it");
      expect (gpr_resident_array (y, &a) == GPR_OK && gpr_array_element (a, 3) == 5, "other elements");
      expect (given_back == before + 1, "%d times given back", given_back - before);
      gpr_resident_free (y);
    }
  expect (arrays == 0 && lost_and_released == 0, "%d arrays are left, %d released that were not taken", arrays, lost_and_released);
}

/* ---- bounds and counts --------------------------------------------------------------------------------- */

/* Whether the least and the greatest of what x waits for are found so; x is read again.  */
static bool
finds_bounds (double x, double *both)
{
  const gpr_reduction r = { .instance = GPR_bounds_f64, .inner = 1, .length = gpr_array_numel (&gpr_resident_find (x)->array), .outer = 1, .value = both };
  bool found = false;
  expect (gpr_expression_reduce (gpr_resident_find (x), &r, true, &found) == GPR_OK, "%s", gpr_message ());
  return found;
}

static bool
counts_from_1 (double x, double *counts)
{
  static const double edges[] = { 1, 2, 3, 4 };
  const gpr_counting c = { .elem = GPR_f64, .inner = 1, .length = gpr_array_numel (&gpr_resident_find (x)->array), .outer = 1, .rule = GPR_BIN_CLOSED, .bins = 3,
                           .edges = edges, .counts = counts };
  bool done = false;
  expect (gpr_expression_count (gpr_resident_find (x), &c, &done) == GPR_OK, "%s", gpr_message ());
  return done;
}

static void
readings (void)
{
  double both[2], counts[3];

  rule ("bounds_and_counts_of_what_waits_are_two_readings_and_the_next_is_of_memory");
  double x = line_of (&counted, 8, 0), y = with (GPR_MAP_plus, x, 1);
  const int before = maps;
  expect (finds_bounds (y, both) && both[0] == 1 && both[1] == 3, "%g, %g", both[0], both[1]);
  expect (counts_from_1 (y, counts) && counts[0] == 3 && counts[1] == 3 && counts[2] == 2, "%g, %g, %g", counts[0], counts[1], counts[2]);
  expect (gpr_resident_find (y)->node && maps == before, "it is computed");
  expect (! counts_from_1 (y, counts) && ! finds_bounds (y, both), "it is read a third time");
  gpr_resident_free (y);

  rule ("a_zero_that_may_be_negative_is_in_doubt");
  const double zero = with (GPR_MAP_times, x, 1), size = one (GPR_MAP_abs, x);
  expect (! finds_bounds (zero, both) && finds_bounds (size, both) && both[0] == 0 && both[1] == 2, "%g, %g", both[0], both[1]);
  gpr_resident_free (zero);
  gpr_resident_free (size);

  rule ("what_is_long_to_make_or_reads_much_is_made_once");
  static const struct { int leaves; gpr_map_op last; int readings; bool cheap; } cases[] = {
    { 1, GPR_MAP_abs, 2, true }, { 3, GPR_MAP_abs, 2, true }, { 4, GPR_MAP_abs, 2, false }, { 2, GPR_MAP_abs, 3, true }, { 3, GPR_MAP_abs, 3, false },
    { 1, GPR_MAP_exp, 1, true }, { 1, GPR_MAP_exp, 2, false }, { 6, GPR_MAP_exp, 1, true }, { 1, GPR_MAP_power, 2, true }, { 1, GPR_MAP_to_single, 2, true }, { 2, GPR_MAP_to_single, 2, false }
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
      y = with (GPR_MAP_plus, x, 1);
      for (int l = 1; l < cases[i].leaves; l++)
        {
          const double leaf = line_of (&counted, 8, l);
          y = instead (two (GPR_MAP_plus, y, leaf), y);
          gpr_resident_free (leaf);
        }
      y = instead (cases[i].last == GPR_MAP_power ? with (GPR_MAP_power, y, 2) : one (cases[i].last, y), y);
      expect (gpr_expression_is_cheap (gpr_resident_find (y), cases[i].readings) == cases[i].cheap, "%d leaves, %s, %d times", cases[i].leaves, gpr_map_names[cases[i].last],
              cases[i].readings);
      gpr_resident_free (y);
    }
  gpr_resident_free (x);
  expect (arrays == 0 && gpr_resident_count () == 0, "%d arrays are left", arrays);
}

/* ---- names that go ------------------------------------------------------------------------------------- */

static void
names (void)
{
  const gpr_array *a;

  rule ("a_freed_array_is_read_by_what_waits");
  double x = line_of (&counted, 4, 1), y = with (GPR_MAP_plus, x, 1), z = two (GPR_MAP_times, y, y);
  gpr_resident_free (x);
  gpr_resident_free (y);
  expect (gpr_resident_array (x, &a) == GPR_BAD_INPUT && gpr_resident_array (y, &a) == GPR_BAD_INPUT, "they have names");
  is_computed (z, 4, 1);
  expect (arrays == 0 && gpr_resident_count () == 0, "%d arrays are left", arrays);

  rule ("arrays_of_a_reset_device_are_lost_with_what_reads_them");
  const int before = live;
  double h = line_of (&counted, 4, 1), h_waits = with (GPR_MAP_plus, h, 1);
  double t = matrix_of (&device, 3, 4), t_mean = down (GPR_OP_MEAN, t), t_centered = two (GPR_MAP_minus, t, t_mean);
  double t_square = two (GPR_MAP_times, t_centered, t_centered), t_variance = down (GPR_OP_MEAN, t_square);
  gpr_resident_free (t);
  gpr_resident_free (t_mean);
  gpr_resident_free (t_square);
  x = line_of (&device, 4, 1);
  y = with (GPR_MAP_plus, x, 1);
  z = two (GPR_MAP_times, y, y);
  double computed = with (GPR_MAP_minus, x, 1);
  first_of (computed);
  double w = two (GPR_MAP_plus, z, computed);
  gpr_resident_free (y);
  gpr_resident_free (computed);
  gpr_resident_free (h);
  gpr_resident_forget_device (0);
  reset_device ();
  expect (! gpr_resident_find (x) && ! gpr_resident_find (z) && ! gpr_resident_find (w) && ! gpr_resident_find (t_centered)
          && ! gpr_resident_find (t_variance), "a name is left");
  expect (gpr_resident_count () == 1 && lost_and_released == 0, "%d names, %d released that were lost", (int) gpr_resident_count (), lost_and_released);
  is_computed (h_waits, 2, 1);
  expect (arrays == 0 && live == before, "%d arrays, %d allocations are left", arrays, live - before);

  rule ("a_forked_child_has_none_of_them");
  x = line_of (&counted, 4, 1);
  y = with (GPR_MAP_plus, x, 1);
  h = matrix_of (&counted, 3, 4);
  h_waits = down (GPR_OP_MEAN, h);
  fflush (stdout);
  const pid_t child = fork ();
  if (child == 0)
    {
      bool right = gpr_resident_count () == 0 && ! gpr_resident_find (y) && gpr_expression_compute_all () == GPR_OK;
      const double own = line_of (&counted, 4, 5), sum = with (GPR_MAP_plus, own, 1), own_matrix = matrix_of (&counted, 3, 4), mean = down (GPR_OP_MEAN, own_matrix);
      gpr_resident_free (y);
      gpr_resident_free (h_waits);
      right = right && gpr_resident_count () == 4 && first_of (mean) == 0 && gpr_expression_compute_all () == GPR_OK && first_of (sum) == 6 && ! gpr_resident_find (y);
      _exit (right ? 0 : 1);
    }
  int status = -1;
  expect (waitpid (child, &status, 0) == child && status == 0, "the child: %d", status);
  gpr_resident_free (x);
  gpr_resident_free (h);
  is_computed (y, 2, 1);
  is_computed (h_waits, 0, 0);
}

int
main (void)
{
  set_up ();
  programs ();
  explanations ();
  limits ();
  memory ();
  memory_of_reductions ();
  repetitions ();
  assignments ();
  lent ();
  readings ();
  names ();
  return verdict ();
}
