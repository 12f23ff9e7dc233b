/* "explain": what a gpuArray waits for, as gpu_explain returns it.  */

#include "fields.h"
#include "../dispatch/cuda_module.h"
#include "../resident/explain.h"

static mxArray *
texts (char (*text)[GPR_EXPLAIN_LINE], int count)
{
  mxArray *cell = mxCreateCellMatrix (count, 1);
  for (int i = 0; i < count; i++)
    mxSetCell (cell, i, mxCreateString (text[i]));
  return cell;
}

static const char *
name_of (const gpr_pass *p, bool on_device)
{
  static const char *const names[] = { [GPR_KERNEL_WANTED] = "to be compiled", [GPR_KERNEL_COMPILING] = "being compiled", [GPR_KERNEL_COMPILED] = "compiled" };
  return p->kernel != GPR_KERNEL_BUILT ? names[p->kernel] : p->operations == 0 ? "of the package" : on_device ? "interpreting" : "by blocks";
}

/* memory_gbs 0: not known.  */
static mxArray *
passes (gpr_explanation *e, bool on_device, double memory_gbs)
{
  static const char *const fields[] = { "computes", "reads", "writes", "operations", "reductions", "bytes_read", "bytes_written", "least_ms", "kernel" };
  enum { FIELDS = sizeof fields / sizeof *fields };
  mxArray *s = mxCreateStructMatrix (1, e->passes, FIELDS, (const char **) fields);

  for (int i = 0; i < e->passes; i++)
    {
      gpr_pass *p = &e->pass[i];
      const double bytes = (double) (p->bytes_read + p->bytes_written);
      mxArray *values[FIELDS] = {
        texts (p->line, p->made), texts (p->read, p->reads), texts (p->written, p->made), mxCreateDoubleScalar (p->operations),
        mxCreateDoubleScalar (p->reductions), mxCreateDoubleScalar ((double) p->bytes_read), mxCreateDoubleScalar ((double) p->bytes_written),
        mxCreateDoubleScalar (memory_gbs > 0 ? bytes / memory_gbs / 1e6 : mxGetNaN ()), mxCreateString (name_of (p, on_device)) };
      for (int k = 0; k < FIELDS; k++)
        mxSetFieldByNumber (s, i, k, values[k]);
    }
  return s;
}

void
gpr_mx_explain (gpr_call *c)
{
  gpr_explanation e;
  gpr_device d = { .memory_gbs = 0 };
  double dims[GPR_MAX_DIMS];

  if (c->nrhs != 1 || ! gpr_mx_is_gpuarray (c->rhs[0]))
    gpr_mx_invalid (c, "G must be a gpuArray");
  gpr_resident *r = gpr_mx_find (c, c->rhs[0]);
  if (! r)
    (void) gpr_mx_resident (c, c->rhs[0]);      /* raises */
  const gpr_array a = r->array;
  const gpr_cuda_api *cuda = a.device > 0 ? gpr_cuda () : NULL;
  gpr_raise_if (c, cuda ? cuda->describe (a.device, &d) : GPR_OK);
  gpr_raise_if (c, gpr_explain (r, &e));
  mxArray *s = mxCreateStructMatrix (1, 1, 0, NULL);
  for (int k = 0; k < a.ndims; k++)
    dims[k] = (double) a.dims[k];
  set_text (s, "class", gpr_class_names[a.class]);
  set (s, "size", row_of (dims, a.ndims));
  mxArray *devices = gpr_mx_devices (r);
  d.memory_gbs *= (double) mxGetNumberOfElements (devices);
  set (s, "device", devices);
  set_number (s, "memory_gbs", d.memory_gbs > 0 ? d.memory_gbs : mxGetNaN ());
  set_flag (s, "waits", r->node != NULL);
  set (s, "passes", passes (&e, a.home->on_device, d.memory_gbs));
  gpr_explanation_free (&e);
  c->plhs[0] = s;
}
