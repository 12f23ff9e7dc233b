/* Fields of structures that commands return.  */

#ifndef GPR_FIELDS_H
#define GPR_FIELDS_H

#include <string.h>

#include "mx.h"

static inline void
gpr_raise_if (const gpr_call *c, gpr_status status)
{
  if (status != GPR_OK)
    gpr_mx_raise (c, status);
}

static inline mxArray *
row_of (const double *values, int n)
{
  mxArray *m = mxCreateDoubleMatrix (1, n, mxREAL);
  memcpy (mxGetData (m), values, n * sizeof *values);
  return m;
}

static inline void
set (mxArray *s, const char *name, mxArray *value)
{
  mxAddField (s, name);
  mxSetField (s, 0, name, value);
}

static inline void
set_number (mxArray *s, const char *name, double value)
{
  set (s, name, mxCreateDoubleScalar (value));
}

static inline void
set_text (mxArray *s, const char *name, const char *value)
{
  set (s, name, mxCreateString (value));
}

static inline void
set_flag (mxArray *s, const char *name, bool value)
{
  set (s, name, mxCreateLogicalScalar (value));
}

#endif
