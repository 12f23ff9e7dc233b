/* Elementwise expressions on the CPU: random ones against one element after the other; each operation against the built-in of
   Octave, which must be there: classes, values, and where a result leaves the real numbers.  */

#include <math.h>

#include "../../src/core/map.h"
#include "../../src/cpu/cpu.h"
#include "map_promise.h"
#include "map_random.h"

enum { MOST = 40000, VALUES = 32 };


/* ---- one element ------------------------------------------------------------------------- */

typedef struct { double d; float f; bool single; } cell;       /* d or f */
static cell cell_of (double d) { return (cell) { d, 0, false }; }
static cell cell_of_single (float f) { return (cell) { 0, f, true }; }
static cell as (cell c, bool single) { return c.single == single ? c : single ? cell_of_single (gpr_f32_of_f64 (c.d)) : cell_of (gpr_f64_of_f32 (c.f)); }

static double
in_double (int op, double x, double y, int *left)
{
  switch (op)
    {
#define ONE(name) case GPR_MAP_##name: return gpr_map_##name##_f64 (x, left);
#define TWO(name) case GPR_MAP_##name: return gpr_map_##name##_f64 (x, y, left);
    GPR_MAP_UNARY (ONE) GPR_MAP_BINARY (TWO)
#undef ONE
#undef TWO
    default: return y;
    }
}

static float
in_single (int op, float x, float y, int *left)
{
  switch (op)
    {
#define ONE(name) case GPR_MAP_##name: return gpr_map_##name##_f32 (x, left);
#define TWO(name) case GPR_MAP_##name: return gpr_map_##name##_f32 (x, y, left);
    GPR_MAP_UNARY (ONE) GPR_MAP_BINARY (TWO)
#undef ONE
#undef TWO
    default: return y;
    }
}

static cell
compute (int op, bool single, cell x, cell y, int *left)
{
  return single ? cell_of_single (in_single (op, as (x, true).f, as (y, true).f, left)) : cell_of (in_double (op, as (x, false).d, as (y, false).d, left));
}

static cell
read (gpr_class class, const void *x, int64_t i)
{
  const gpr_array a = { .class = class, .data = x };
  return class == GPR_CLASS_single ? cell_of_single (((const float *) x)[i]) : cell_of (gpr_array_element (&a, i));
}

static void
write (gpr_class class, void *z, int64_t i, cell v)
{
  if (class == GPR_CLASS_single)
    ((float *) z)[i] = as (v, true).f;
  else
    switch (gpr_elem_of_class (class))
      {
#define PUT(T) case GPR_##T: ((T *) z)[i] = gpr_##T##_of_f64 (as (v, false).d); break;
      GPR_MAP_ELEMS (PUT)
#undef PUT
      default: break;
      }
}

/* Element i of m, into z.  */
static int
one_element (const gpr_mapping *m, int64_t i, void *z)
{
  cell acc = { 0 }, slot[GPR_MAP_SLOTS] = { 0 };
  int64_t at[GPR_MAP_LEAVES] = { 0 }, rest = i;
  int left = 0;

  for (int d = 0; d < m->rank; d++)
    {
      for (int l = 0; l < m->leaves; l++)
        at[l] += rest % m->dims[d] * m->strides[l][d];
      rest /= m->dims[d];
    }
  for (int k = 0; k < m->steps; k++)
    {
      const gpr_map_step *s = &m->step[k];
      cell y = { 0 };
      if (s->op == GPR_MAP_load || gpr_map_takes_two (s->op))
        y = s->operand == GPR_MAP_LEAF ? read (m->classes[s->at], m->x[s->at], at[s->at]) : s->operand == GPR_MAP_SLOT ? slot[s->at] : cell_of (s->number);
      acc = as (acc, s->single);
      if (s->op == GPR_MAP_save)
        slot[s->at] = acc;
      else
        acc = s->turned && gpr_map_takes_two (s->op) ? compute (s->op, s->single, y, acc, &left) : compute (s->op, s->single, acc, y, &left);
    }
  write (m->class, z, i, acc);
  return left;
}

/* ---- random expressions ------------------------------------------------------------------- */

static void
check (gpr_mapping *m, int64_t count, bool over_leaf)
{
  static _Alignas (8) char want[MOST * 8], got[MOST * 8];
  const int bytes = gpr_elem_bytes[gpr_elem_of_class (m->class)];
  int left = 0;

  for (int64_t i = 0; i < count; i++)
    left |= one_element (m, i, want);
  memset (got, 0xA5, sizeof got);
  m->z = got;
  if (over_leaf)
    m->x[0] = memcpy (got, m->x[0], (size_t) (count * bytes));
  m->left = ! left;
  expect (gpr_cpu_map (m) == GPR_OK, "%s", gpr_message ());
  expect (m->left == (left != 0), "left: %d, not %d", m->left, left);
  for (int64_t i = 0; i < count; i++)
    if (memcmp (got + i * bytes, want + i * bytes, (size_t) bytes) != 0)
      {
        expect (false, "element %lld of %lld, class %s: %.17g, not %.17g", (long long) i, (long long) count, gpr_class_names[m->class],
                as (read (m->class, got, i), false).d, as (read (m->class, want, i), false).d);
        for (int k = 0; k < m->steps; k++)
          printf ("         %s single %d turned %d operand %d at %d number %g\n", m->step[k].op < 2 ? m->step[k].op ? "save" : "load" : gpr_map_names[m->step[k].op],
                  m->step[k].single, m->step[k].turned, m->step[k].operand, m->step[k].at, m->step[k].number);
        return;
      }
  expect ((unsigned char) got[count * bytes] == 0xA5, "writes beyond the end");
}

static void
random_expression (int64_t most)
{
  static _Alignas (8) char x[GPR_MAP_LEAVES][MOST * 8];
  gpr_map_step step[GPR_MAP_STEPS];
  gpr_mapping m = { .step = step };
  bool over_leaf;

  for (int l = 0; l < GPR_MAP_LEAVES; l++)
    m.x[l] = x[l];
  const int64_t count = random_mapping (&m, step, most, &over_leaf);
  check (&m, count, over_leaf);
}

static void
expressions (void)
{
  rule ("expressions_one_element_after_the_other");
  for (int i = 0; i < 400; i++)
    random_expression (2000);
  rule ("long_expressions_by_threads");
  for (int i = 0; i < 12; i++)
    random_expression (MOST - 1);
  rule ("nothing_of_empty_arrays");
  gpr_map_step load = { .op = GPR_MAP_load };
  gpr_mapping m = { .rank = 2, .dims = { 3, 0 }, .leaves = 1, .x = { &load }, .strides = { { 1, 3 } }, .steps = 1, .step = &load, .left = true };
  expect (gpr_cpu_map (&m) == GPR_OK && ! m.left, "an empty array");
}

/* ---- beside Octave ------------------------------------------------------------------------ */

static const double values[VALUES] = { 0, -0.0, 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 3, -3, 2, 0.1, 0.3, -0.7, 1e-30, 5e-324, 1e300, -1e300,
                                       HUGE_VAL, -HUGE_VAL, NAN, 0 /* NA */, 4503599627370497.5, 0.49999999999999994, 2147483648, -7, 127.5, -128.5,
                                       1e-5, 65535.4, 300 };

static int
op_called (const char *name)
{
  for (int op = GPR_MAP_save + 1; op < GPR_MAP_OP_COUNT; op++)
    if (strcmp (gpr_map_names[op], name) == 0 || (strncmp (gpr_map_names[op], "to_", 3) == 0 && strcmp (gpr_map_names[op] + 3, name) == 0))
      return op;
  return -1;
}

static int
class_called (const char *name)
{
  for (int c = 0; c < GPR_CLASS_COUNT; c++)
    if (strcmp (gpr_class_names[c], name) == 0)
      return c;
  return -1;
}

/* What is left to the built-in although that gives a result.  */
static bool
may_refuse (int op, int a, int b)
{
  const bool integers = gpr_class_is_integer (a) && gpr_class_is_integer (b);
  const bool wide = a == GPR_CLASS_int64 || a == GPR_CLASS_uint64 || b == GPR_CLASS_int64 || b == GPR_CLASS_uint64;
  const bool bits = op == GPR_MAP_bitand || op == GPR_MAP_bitor || op == GPR_MAP_bitxor;
  const bool one = b >= 0 && (gpr_class_is_integer (a) || gpr_class_is_integer (b)) && (a <= GPR_CLASS_single || b <= GPR_CLASS_single);
  return wide || (integers && a != b && op != GPR_MAP_eq) || (op == GPR_MAP_power && integers)
         || (a == GPR_CLASS_char && b == GPR_CLASS_char && (op == GPR_MAP_max || op == GPR_MAP_min))
         || (bits && (gpr_class_is_integer (a) != gpr_class_is_integer (b) || (a != b && a <= GPR_CLASS_single && b <= GPR_CLASS_single)))
         || (one && (op == GPR_MAP_max || op == GPR_MAP_min || op == GPR_MAP_mod || op == GPR_MAP_rem));
}

static void
check_class (const char *name, const char *first, const char *second, const char *result)
{
  const int op = op_called (name), a = class_called (first), b = class_called (second), want = class_called (result);
  const gpr_class other = b;
  gpr_class class;
  bool single;

  expect (op > 0 && a >= 0, "Octave's line: %s %s %s %s", name, first, second, result);
  if (! gpr_map_class (op, a, b < 0 ? NULL : &other, &class, &single))
    expect (want < 0 || may_refuse (op, a, b), "%s of %s and %s is not done, Octave's is %s", name, first, second, result);
  else
    expect ((int) class == want && (! single || class == GPR_CLASS_single || class == GPR_CLASS_logical), "%s of %s and %s: %s, not %s",
            name, first, second, gpr_class_names[class], result);
}

/* How many representable numbers apart.  */
static double
distance (bool single, double x, double y)
{
  if (x == y)
    return 0;
  int e;
  frexp (fabs (y) < HUGE_VAL ? y : x, &e);
  const int least = single ? -149 : -1074, last = e - (single ? 24 : 53);
  return fabs (x - y) / ldexp (1, last < least ? least : last);
}

static void
check_value (const char *name, bool single, int i, int j, int gone, const char *bits)
{
  const int op = op_called (name);
  double x = i == 23 ? gpr_make_na () : values[i - 1], y = j == 23 ? gpr_make_na () : values[j - 1];
  int left = 0;
  if (op == GPR_MAP_bitand || op == GPR_MAP_bitor || op == GPR_MAP_bitxor)      /* floating-point numbers come without what is below 0 */
    {
      x = x > 0 ? x : 0;
      y = y > 0 ? y : 0;
    }
  const bool rounds = op >= GPR_MAP_to_int8 && op <= GPR_MAP_to_uint32;         /* a step in double */
  const double v = as (compute (op, single && ! rounds, as (cell_of (x), single), as (cell_of (y), single), &left), false).d;
  const uint64_t u = strtoull (bits, NULL, 16);
  double want;

  memcpy (&want, &u, sizeof want);
  /* Powers of negative numbers and lgamma below -2 may be left although Octave's are real.  */
  expect (left == (gone != 0) || (left && ((op == GPR_MAP_power && x < 0) || (op == GPR_MAP_lgamma && x < -2))), "%s (%g, %g), single %d: left %d, Octave %d", name, x, y, single, left, gone);
  if (left || gone)
    return;
  if (bits[0] == 'a' || bits[0] == 'n')
    expect (v != v && (gpr_na_f64 (v) == (bits[0] == 'a')), "%s (%g, %g), single %d: %.17g%s, not %s", name, x, y, single, v, gpr_na_f64 (v) ? " NA" : "",
            bits[0] == 'a' ? "NA" : "NaN");
  else if (map_promise (op) > 0)
    expect (distance (single, v, want) <= map_promise (op), "%s (%.17g, %.17g), single %d: %.17g, not %.17g", name, x, y, single, v, want);
  else
    expect (memcmp (&v, &want, sizeof v) == 0, "%s (%.17g, %.17g), single %d: %.17g, not %.17g", name, x, y, single, v, want);
}

static void
beside_octave (void)
{
  char line[200], name[20], a[20], b[20], result[40];
  int single, i, j, gone, class_lines = 0, value_lines = 0;

  FILE *f = popen ("octave-cli --quiet --norc --no-history map_values.m 2>&1", "r");
  rule ("classes_as_octave");
  while (f && fgets (line, sizeof line, f))
    if (sscanf (line, "c %19s %19s %19s %39s", name, a, b, result) == 4)
      {
        check_class (name, a, b, result);
        class_lines++;
      }
    else if (sscanf (line, "v %19s %d %d %d %d %39s", name, &single, &i, &j, &gone, result) == 6)
      {
        if (value_lines++ == 0)
          rule ("values_as_octave");
        check_value (name, single, i, j, gone, result);
      }
  if (f)
    pclose (f);
  expect (class_lines == 12 * 45 + 23 * 144 && value_lines == 2 * (45 * VALUES + 23 * VALUES * VALUES), "Octave said %d classes and %d values; the last line: %s",
          class_lines, value_lines, line);
}

int
main (void)
{
  expressions ();
  beside_octave ();
  return verdict ();
}
