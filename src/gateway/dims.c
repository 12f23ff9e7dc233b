/* Dimensions to reduce, and the shape that they make of an array.  */

#include <math.h>
#include <string.h>

#include "mx.h"

gpr_dims_status
gpr_mx_read_dims (const mxArray *m, int *ndims, int64_t *dims, int64_t *repeated)
{
  const size_t count = mxGetNumberOfElements (m);
  const double *v = mxGetData (m);

  *ndims = 0;
  if (! mxIsDouble (m) || mxIsComplex (m) || mxIsSparse (m) || count == 0)
    return GPR_DIMS_NONE;
  for (size_t i = 0; i < count; i++)
    if (! (v[i] >= 1 && v[i] < 0x1p53 && v[i] == floor (v[i])))
      return GPR_DIMS_NONE;
  if (count > GPR_MAX_DIMS)
    return GPR_DIMS_TOO_MANY;
  for (size_t i = 0; i < count; i++)
    {
      int at = *ndims;
      while (at > 0 && dims[at - 1] > (int64_t) v[i])
        at--;
      if (at > 0 && dims[at - 1] == (int64_t) v[i])
        {
          *repeated = dims[at - 1];
          return GPR_DIMS_REPEATED;
        }
      memmove (dims + at + 1, dims + at, (*ndims - at) * sizeof *dims);
      dims[at] = (int64_t) v[i];
      (*ndims)++;
    }
  return GPR_DIMS_OK;
}

bool
gpr_mx_dims (const gpr_call *c, const mxArray *m, bool logical, int *ndims, int64_t *dims)
{
  const size_t count = mxGetNumberOfElements (m);
  int64_t repeated;

  if (! (mxIsNumeric (m) || (mxIsLogical (m) && logical)) || mxIsComplex (m) || mxIsSparse (m) || count == 0)
    return false;
  *ndims = 1;
  if (count == 1)
    return gpr_mx_count (m, dims);
  if (! mxIsDouble (m) || count > GPR_MAX_DIMS)
    gpr_mx_invalid (c, "DIM must be a vector of at most %d dimensions, of class double", GPR_MAX_DIMS);
  gpr_dims_status found = gpr_mx_read_dims (m, ndims, dims, &repeated);
  if (found == GPR_DIMS_NONE)
    gpr_mx_invalid (c, "DIM must be a vector of positive integers");
  if (found == GPR_DIMS_REPEATED)
    gpr_mx_invalid (c, "DIM must not name dimension %lld twice", (long long) repeated);
  return true;
}

gpr_shape
gpr_shape_make (const gpr_array *a, const bool *reduced, bool keeps_empty)
{
  gpr_shape s = { .inner = 1, .length = 1, .outer = 1, .out = { .ndims = a->ndims } };
  enum { BELOW, WITHIN, ABOVE } state = BELOW;

  for (int d = 0; d < a->ndims; d++)
    {
      s.out.dims[d] = ! reduced[d] ? a->dims[d] : keeps_empty && a->dims[d] == 0 ? 0 : 1;
      if (a->dims[d] == 1)
        continue;
      if (reduced[d])
        {
          s.scattered |= state == ABOVE;
          state = state == BELOW ? WITHIN : state;
          s.length *= a->dims[d];
        }
      else if (state == BELOW)
        s.inner *= a->dims[d];
      else
        {
          state = ABOVE;
          s.outer *= a->dims[d];
        }
    }
  for (int pass = 0; pass < 2; pass++)
    for (int d = 0; d < a->ndims; d++)
      if (reduced[d] == (pass == 0))
        s.order[s.rank++] = d;
  if (s.scattered)
    {
      s.outer *= s.inner;
      s.inner = 1;
    }
  gpr_array_trim (&s.out);
  return s;
}

mxArray *
gpr_mx_permuted (const gpr_shape *s, const mxArray *x)
{
  mxArray *order = mxCreateDoubleMatrix (1, s->rank, mxREAL), *out[1], *in[2] = { (mxArray *) x, order };
  for (int k = 0; k < s->rank; k++)
    ((double *) mxGetData (order))[k] = s->order[k] + 1;
  if (gpr_mx_is_gpuarray (x))
    {
      mexCallMATLAB (1, out, 1, in, "gather");
      in[0] = out[0];
    }
  mexCallMATLAB (1, out, 2, in, "permute");
  mxDestroyArray (order);
  return out[0];
}

mxArray *
gpr_mx_reshaped (const mxArray *x, int ndims, const int64_t *dims)
{
  mxArray *size = mxCreateDoubleMatrix (1, ndims, mxREAL), *out[1], *in[2] = { (mxArray *) x, size };
  for (int d = 0; d < ndims; d++)
    ((double *) mxGetData (size))[d] = (double) dims[d];
  mexCallMATLAB (1, out, 2, in, "reshape");
  mxDestroyArray (size);
  return out[0];
}
