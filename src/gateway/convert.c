/* Operands made of one class.  */

#include <stdlib.h>

#include "../cpu/cpu.h"
#include "request.h"

/* n numbers, which may become complex.  */
#define PUT(TO, FROM) \
  static void \
  put_##TO##_from_##FROM (void *results, const void *numbers, int64_t n, bool apart) \
  { \
    TO *to = results; \
    const FROM *from = numbers; \
    for (int64_t i = 0; i < n; i++) \
      if (apart) \
        { \
          to[2 * i] = (TO) from[i]; \
          to[2 * i + 1] = 0; \
        } \
      else \
        to[i] = (TO) from[i]; \
  }
PUT (double, double)
PUT (double, float)
PUT (float, double)
PUT (float, float)

/* Floating-point numbers as others of these, on the host, without Octave.  */
static mxArray *
converted_floats (const gpr_call *c, gpr_class class, bool complex, const gpr_array *from)
{
  static void (*const put[2][2]) (void *, const void *, int64_t, bool) = {
    [GPR_CLASS_double] = { [GPR_CLASS_double] = put_double_from_double, [GPR_CLASS_single] = put_double_from_float },
    [GPR_CLASS_single] = { [GPR_CLASS_double] = put_float_from_double, [GPR_CLASS_single] = put_float_from_float } };
  const gpr_choice host = { .backend = &gpr_cpu_backend };
  gpr_array to = *from;
  const void *data;
  void *result, *copy;
  bool resident;

  to.class = class;
  to.complex = complex;
  to.home = NULL;
  mxArray *m = gpr_mx_create (&to, &result);
  gpr_status status = gpr_reach (from, &host, &data, &resident, &copy);
  if (status == GPR_OK)
    put[class][from->class] (result, data, gpr_array_numel (from) * (from->complex ? 2 : 1), complex && ! from->complex);
  free (copy);
  if (status != GPR_OK)
    gpr_mx_raise (c, status);
  return m;
}

const mxArray *
gpr_mx_converted (const gpr_call *c, const mxArray *m, gpr_class class, bool complex, gpr_array *a)
{
  if (a->class == class && a->complex == complex)
    return m;
  if (a->class <= GPR_CLASS_single && class <= GPR_CLASS_single)
    m = converted_floats (c, class, complex, a);
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
