/* Steps, reductions and arrays in Octave's notation.  */

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "explain.h"
#include "../core/operators.h"

/* ---- steps -------------------------------------------------------------------------------------- */

/* How strongly Octave's operators bind.  */
enum { OR = 1, AND, COMPARISON, SUM, PRODUCT, SIGN, POWER, ALONE };

typedef struct { char text[GPR_EXPLAIN_LINE]; int binds; } part;

static void __attribute__ ((format (printf, 2, 3)))
write (char *text, const char *format, ...)
{
  va_list list;
  va_start (list, format);
  if (vsnprintf (text, GPR_EXPLAIN_LINE, format, list) >= GPR_EXPLAIN_LINE)
    strcpy (text + GPR_EXPLAIN_LINE - 4, "...");
  va_end (list);
}

static const struct { const char *sign; int binds; } infix[GPR_MAP_OP_COUNT] = {
  [GPR_MAP_plus] = { "+", SUM }, [GPR_MAP_minus] = { "-", SUM }, [GPR_MAP_times] = { ".*", PRODUCT }, [GPR_MAP_rdivide] = { "./", PRODUCT },
  [GPR_MAP_power] = { ".^", POWER }, [GPR_MAP_eq] = { "==", COMPARISON }, [GPR_MAP_ne] = { "!=", COMPARISON }, [GPR_MAP_lt] = { "<", COMPARISON },
  [GPR_MAP_le] = { "<=", COMPARISON }, [GPR_MAP_gt] = { ">", COMPARISON }, [GPR_MAP_ge] = { ">=", COMPARISON }, [GPR_MAP_and] = { "&", AND },
  [GPR_MAP_or] = { "|", OR }
};

static part
enclosed (const part *p, bool needed)
{
  part q = *p;
  if (needed)
    write (q.text, "(%s)", p->text);
  return q;
}

static void
apply_two (part *z, int op, const part *x, const part *y)
{
  const int binds = infix[op].binds;
  part p = { .binds = binds ? binds : ALONE };

  if (op == GPR_MAP_times && x->binds < ALONE && strcmp (x->text, y->text) == 0)
    {
      write (p.text, "(%s) .^ 2", x->text);
      p.binds = POWER;
    }
  else if (binds == 0)
    write (p.text, "%s (%s, %s)", gpr_map_names[op], x->text, y->text);
  else
    {
      const part left = enclosed (x, x->binds < binds), right = enclosed (y, y->binds <= binds);
      write (p.text, "%s %s %s", left.text, infix[op].sign, right.text);
    }
  *z = p;
}

static void
apply_one (part *z, int op)
{
  const char *name = gpr_map_names[op];
  part p = { .binds = ALONE };

  if (op == GPR_MAP_uminus || op == GPR_MAP_not)
    {
      const part x = enclosed (z, z->binds < SIGN);
      p.binds = SIGN;
      write (p.text, "%c%s", op == GPR_MAP_not ? '!' : '-', x.text);
    }
  else
    write (p.text, "%s (%s)", strncmp (name, "to_", 3) == 0 ? name + 3 : name, z->text);
  *z = p;
}

static void
write_number (part *p, double number)
{
  p->binds = signbit (number) ? SIGN : ALONE;
  if (isnan (number) || isinf (number))
    write (p->text, "%s", isnan (number) ? "NaN" : number > 0 ? "Inf" : "-Inf");
  else
    write (p->text, "%.15g", number);
}

/* Integers are rounded after every operation, as Octave has it; what is written twice is a conversion.  */
static bool
is_rounding (const gpr_map_step *step, int k, int from)
{
  const bool rounds = step[k].op >= GPR_MAP_to_int8 && step[k].op <= GPR_MAP_to_uint32;
  return rounds && ! (k > from && step[k - 1].op == step[k].op);
}

int
gpr_explain_steps (char *text, const gpr_mapping *m, int from, int end, const gpr_explained *const *of)
{
  part acc = { .binds = ALONE }, other, slot[GPR_MAP_SLOTS];
  int operations = 0;

  for (int k = from; k < end; k++)
    {
      const gpr_map_step *s = &m->step[k];
      const bool two = gpr_map_takes_two (s->op);
      other.binds = ALONE;
      if (s->operand == GPR_MAP_NUMBER)
        write_number (&other, s->number);
      else if (s->operand == GPR_MAP_SLOT && two)
        other = slot[s->at];
      else if (s->op == GPR_MAP_load || two)
        write (other.text, "%s", of[s->at] ? of[s->at]->name : "?");
      if (s->op == GPR_MAP_load)
        acc = other;
      else if (s->op == GPR_MAP_save)
        slot[s->at] = acc;
      else if (! is_rounding (m->step, k, from))
        {
          operations++;
          if (two)
            apply_two (&acc, s->op, s->turned ? &other : &acc, s->turned ? &acc : &other);
          else
            apply_one (&acc, s->op);
        }
    }
  strcpy (text, acc.text);
  return operations;
}

/* ---- reductions ----------------------------------------------------------------------------------- */

static gpr_divisor
divisor_of (const gpr_node_reduction *r)
{
  if ((gpr_instances[r->instance].traits & GPR_FIXUP_MASK) == GPR_FIXUP_SPREAD)
    return (int) r->divisor & GPR_SPREAD_ROOT ? GPR_DIVISOR_DEVIATION : GPR_DIVISOR_VARIANCE;
  return r->divisor > 0 ? GPR_DIVISOR_LENGTH : r->divisor < 0 ? GPR_DIVISOR_ROOT_MEAN : GPR_DIVISOR_NONE;
}

/* The function whose row has the instance.  */
static const gpr_operator *
operator_of (const gpr_node_reduction *r, int *form)
{
  const bool range = gpr_instances[r->instance].traits & GPR_BOTH_EXTREMES;
  const int elem = gpr_instances[r->instance].elem;

  for (const gpr_operator *o = gpr_operators; o < gpr_operators + GPR_OP_COUNT; o++)
    for (*form = 0; *form < GPR_FORMS; (*form)++)
      if (o->instances[*form] && *form != GPR_FORM_LOGICAL && (*o->instances[*form])[elem] == (short) r->instance
          && (range || o->divisor == divisor_of (r)))
        return o;
  return NULL;
}

/* The dimensions that are reduced, which are neighbours: 1, or [1 2].  */
static void
write_dims (char *text, const gpr_node_reduction *r, const gpr_array *x)
{
  int64_t inner = 1, length = 1;
  int d = 0, used = 0;

  while (d < x->ndims && (inner < r->inner || x->dims[d] == 1))
    inner *= x->dims[d++];
  const int first = d;
  while (d < x->ndims && length < r->length)
    {
      length *= x->dims[d++];
      used += sprintf (text + used, " %d", d);
    }
  text[0] = '[';
  if (d > first + 1)
    strcpy (text + used, "]");
  else
    memmove (text, text + 1, used);
}

void
gpr_explain_reduction (char *text, const gpr_node_reduction *r, const gpr_array *x)
{
  static const char *const options[GPR_FORMS] = {
    [GPR_FORM_OMIT] = ", \"omitnan\"", [GPR_FORM_DOUBLE] = ", \"double\"", [GPR_FORM_DOUBLE_OMIT] = ", \"double\", \"omitnan\"",
    [GPR_FORM_EXTRA] = ", \"extra\"", [GPR_FORM_EXTRA_OMIT] = ", \"extra\", \"omitnan\"", [GPR_FORM_NATIVE] = ", \"native\"" };
  static const char *const norms[GPR_OP_COUNT] = { [GPR_OP_NORM1] = ", 1", [GPR_OP_NORM2] = ", 2", [GPR_OP_NORMMAX] = ", Inf", [GPR_OP_NORM0] = ", 0" };
  int form = 0;
  const gpr_operator *o = operator_of (r, &form);
  char dims[GPR_MAX_DIMS * 4] = "", of[GPR_EXPLAIN_LINE];

  strcpy (of, text);
  write_dims (dims, r, x);
  if (! o)
    write (text, "%s (%s, %s)", gpr_instances[r->instance].name, of, dims);
  else if (norms[o - gpr_operators])
    write (text, "vecnorm (%s%s, %s)", of, norms[o - gpr_operators], dims);
  else
    write (text, "%s (%s%s, %s%s)", o->name, of,
           o->arguments == GPR_ARGS_PAIR ? ", []" : o->arguments != GPR_ARGS_WEIGHT ? "" : (int) r->divisor & GPR_SPREAD_BY_N ? ", 1" : ", 0",
           dims, options[form] && o->divisor != GPR_DIVISOR_LENGTH ? options[form] : "");
}

/* ---- arrays ------------------------------------------------------------------------------------------- */

void
gpr_explain_array (char *text, const gpr_explained *a)
{
  char sizes[GPR_MAX_DIMS * 21] = "";
  int length = 0;

  for (int d = 0; d < a->array->ndims; d++)
    length += snprintf (sizes + length, sizeof sizes - length, "%s%" PRId64, d > 0 ? "x" : "", a->array->dims[d]);
  write (text, "%s %s %s", a->name, gpr_class_names[a->array->class], sizes);
}
