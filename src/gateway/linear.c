/* Linear algebra and Fourier transforms of resident arrays, where the backend has them (src/core/linear.h).  */

#include <string.h>

#include "../core/solve.h"
#include "../resident/resident.h"
#include "values.h"

/* a, or in *copy, the caller's, the same numbers of a class.  */
static gpr_status
as_class (const gpr_array **a, gpr_class class, gpr_array *copy)
{
  copy->data = NULL;
  if ((*a)->class == class)
    return GPR_OK;
  const gpr_status status = gpr_value_convert (*a, class, copy);
  *a = copy;
  return status;
}

static bool
counts_as_double (gpr_class class)
{
  return class == GPR_CLASS_double || class == GPR_CLASS_logical || class == GPR_CLASS_char;
}

/* What the backend gave, beside a.  */
static gpr_status
finish (gpr_array *z, const gpr_array *a)
{
  z->home = a->home;
  z->device = a->device;
  gpr_array_trim (z);
  return gpr_value_narrow (z);
}

gpr_status
gpr_value_linear (gpr_linear_task *task, const gpr_array *const *given, int count, gpr_array *results)
{
  gpr_array copies[GPR_LINEAR_GIVEN] = { { .data = NULL }, { .data = NULL } };
  gpr_linear p = { .task = task };
  gpr_class class = GPR_CLASS_double;
  const gpr_backend *home = given[0]->home;
  gpr_status status = GPR_OK;

  for (int k = 0; k < count; k++)
    {
      const gpr_array *a = given[k];
      if (! home->linear || a->home != home || a->device != given[0]->device || a->ndims != 2 || gpr_array_numel (a) == 0
          || ! (a->class == GPR_CLASS_single || counts_as_double (a->class)))
        return GPR_UNSUPPORTED;
      if (a->class == GPR_CLASS_single)
        class = a->class;
    }
  for (int k = 0; k < count && status == GPR_OK; k++)
    {
      p.given[k] = given[k];
      status = as_class (&p.given[k], class, &copies[k]);
    }
  if (status == GPR_OK)
    status = home->linear (&p);
  for (int k = 0; k < count; k++)
    home->release ((void *) copies[k].data);
  for (int k = 0; k < GPR_LINEAR_RESULTS; k++)
    {
      results[k] = p.results[k];
      if (status == GPR_OK && results[k].data)
        status = finish (&results[k], given[0]);
      results[k].home = home;
    }
  return status;
}

gpr_status
gpr_value_fourier (const gpr_fourier_task *task, const gpr_array *x, gpr_array *z)
{
  gpr_fourier p = { task, x, z };

  *z = (gpr_array) { .class = x->class == GPR_CLASS_single ? GPR_CLASS_single : GPR_CLASS_double, .complex = true, .ndims = task->ndims };
  memcpy (z->dims, task->dims, task->ndims * sizeof *task->dims);
  if (! x->home->fourier || ! (x->class == GPR_CLASS_single || counts_as_double (x->class)) || gpr_array_numel (x) == 0 || gpr_array_numel (z) == 0)
    return GPR_UNSUPPORTED;
  gpr_status status = gpr_resident_allocate (z, x);
  if (status == GPR_OK)
    status = x->home->fourier (&p);
  return status == GPR_OK ? finish (z, x) : status;
}
