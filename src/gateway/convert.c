/* Operands made of one class.  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../spread/spread.h"
#include "../cpu/cpu.h"
#include "divided.h"
#include "request.h"
#include "values.h"

/* n real numbers as complex ones.  */
#define PUT_APART(TO, FROM) \
  static void \
  put_##TO##_from_##FROM (void *results, const void *numbers, int64_t n) \
  { \
    TO *to = results; \
    const FROM *from = numbers; \
    for (int64_t i = 0; i < n; i++) \
      { \
        to[2 * i] = (TO) from[i]; \
        to[2 * i + 1] = 0; \
      } \
  }
PUT_APART (double, double)
PUT_APART (double, float)
PUT_APART (float, double)
PUT_APART (float, float)

/* Numbers as floating-point ones, on the host, without Octave.  */
static mxArray *
converted_to_floats (const gpr_call *c, gpr_class class, bool complex, const gpr_array *from)
{
  static void (*const put_apart[2][2]) (void *, const void *, int64_t) = {
    [GPR_CLASS_double] = { [GPR_CLASS_double] = put_double_from_double, [GPR_CLASS_single] = put_double_from_float },
    [GPR_CLASS_single] = { [GPR_CLASS_double] = put_float_from_double, [GPR_CLASS_single] = put_float_from_float } };
  const gpr_choice host = { .backend = &gpr_cpu_backend };
  const gpr_array part = { .class = from->class }, result_part = { .class = class };
  gpr_conversion p = { .from = gpr_array_elem (&part), .to = gpr_array_elem (&result_part), .count = gpr_array_numel (from) * (from->complex ? 2 : 1) };
  gpr_array to = *from;
  void *copy;
  bool resident;

  to.class = class;
  to.complex = complex;
  to.home = NULL;
  mxArray *m = gpr_mx_create (&to, &p.y);
  gpr_status status = gpr_reach (from, &host, &p.x, &resident, &copy);
  if (status == GPR_OK && complex && ! from->complex)
    put_apart[class][from->class] (p.y, p.x, p.count);
  else if (status == GPR_OK)
    status = gpr_cpu_backend.convert (&p);
  free (copy);
  if (status != GPR_OK)
    gpr_mx_raise (c, status);
  return m;
}

/* The same of an array that stays where it is; NULL: not by its backend.  narrow: real, where all its imaginary parts are 0.  */
static mxArray *
converted_there (const gpr_call *c, gpr_class class, const gpr_array *from, bool narrow)
{
  gpr_array to;
  double id = 0;

  if (class >= GPR_CLASS_logical || (from->complex && (class > GPR_CLASS_single || gpr_is_spread (from))))
    return NULL;
  gpr_status status = gpr_value_convert (from, class, &to);
  if (status == GPR_OK)
    {
      if (narrow)
        status = gpr_value_narrow (&to);
      if (status == GPR_OK)
        status = gpr_resident_add (&to, &id);
      if (status != GPR_OK)
        from->home->release ((void *) (uintptr_t) to.data);
    }
  if (status != GPR_OK)
    gpr_mx_raise (c, status);
  return gpr_mx_wrap (c, id);
}

const mxArray *
gpr_mx_converted (const gpr_call *c, const mxArray *m, gpr_class class, bool complex, gpr_array *a)
{
  if (a->class == class && a->complex == complex)
    return m;
  if (gpr_is_divided (a))
    {
      gpr_call plain = *c;
      gpr_array here;
      plain.divided = NULL;
      gpr_mx_array (&plain, m, &here);
      m = gpr_mx_divided_alike (c, m, gpr_mx_converted (&plain, m, class, complex, &here));
      gpr_mx_array (c, m, a);
      return m;
    }
  mxArray *there = a->home && a->complex == complex ? converted_there (c, class, a, false) : NULL;
  if (there)
    m = there;
  else if (class <= GPR_CLASS_single && (a->class <= GPR_CLASS_single || (complex == a->complex && a->class <= GPR_CLASS_logical)))
    m = converted_to_floats (c, class, complex, a);
  else
    {
      if (a->home)
        m = gpr_mx_call ("gather", 1, m, NULL);
      if (a->class != class)
        m = gpr_mx_call (gpr_class_names[class], 1, m, NULL);
      if (complex && ! mxIsComplex (m))
        m = gpr_mx_call ("complex", 2, m, mxCreateDoubleScalar (0));
    }
  gpr_mx_array (c, m, a);
  return m;
}

/* double (G), int8 (G) …: what the backend does not do, Octave does on the host.  */
void
gpr_mx_convert (gpr_call *c)
{
  char name[16];
  gpr_array a;
  int class = 0;

  if (c->nrhs != 2 || ! gpr_mx_array (c, c->rhs[0], &a) || ! a.home || ! gpr_mx_text (c->rhs[1], name, sizeof name))
    gpr_mx_invalid (c, "a gpuArray and the name of a class are needed");
  while (class < GPR_CLASS_COUNT && strcmp (name, gpr_class_names[class]) != 0)
    class++;
  if (class == GPR_CLASS_COUNT)
    gpr_mx_invalid (c, "there are no gpuArrays of class %s", name);
  snprintf (c->caller, sizeof c->caller, "%s", name);
  c->plhs[0] = converted_there (c, class, &a, true);
  if (! c->plhs[0])
    {
      const gpr_choice home = { .backend = a.home, .device = a.device };
      mxArray *y = gpr_mx_call (name, 1, gpr_mx_call ("gather", 1, c->rhs[0], NULL), NULL);
      gpr_array kept;
      gpr_mx_array (c, y, &kept);
      c->plhs[0] = gpr_mx_keep (c, &home, &kept, y);
    }
}
