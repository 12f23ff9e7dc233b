/* Arguments of operators: dimensions, options, and the words that may stand anywhere.  */

#include <stdio.h>
#include <string.h>

#include "request.h"

bool
gpr_is_exactly (const mxArray *m, const char *name)
{
  char text[64];
  return gpr_mx_text (m, text, sizeof text) && strcmp (text, name) == 0;
}

/* Only mean refuses a logical dimension.  */
bool
gpr_take_dims (const gpr_call *c, const mxArray *m, gpr_request *q)
{
  int64_t repeated;
  if (mxIsNumeric (m) && mxGetNumberOfElements (m) > 1 && gpr_rule_holds (gpr_operators[q->op].builtin_takes.options)
      && gpr_mx_read_dims (m, &q->ndims, q->dims, &repeated) != GPR_DIMS_OK)
    return false;               /* its error */
  if (! gpr_mx_dims (c, m, gpr_operators[q->op].arguments != GPR_ARGS_MEAN, &q->ndims, q->dims))
    return false;
  q->which = GPR_DIM_LIST;
  return true;
}

bool
gpr_take_outtype (const gpr_operator *o, const mxArray *m, gpr_outtype *out)
{
  if (o->options & GPR_TAKES_NATIVE && gpr_is_exactly (m, "native"))
    *out = GPR_OUT_NATIVE;
  else if (o->options & GPR_TAKES_DOUBLE && gpr_is_exactly (m, "double"))
    *out = GPR_OUT_DOUBLE;
  else if (o->options & GPR_TAKES_EXTRA && gpr_is_exactly (m, "extra"))
    *out = GPR_OUT_EXTRA;
  else
    return false;
  return true;
}

/* A nanflag, while there is none yet.  */
static bool
take_flag (const mxArray *m, gpr_request *q)
{
  if (! (gpr_operators[q->op].options & GPR_TAKES_NANFLAG) || q->nan != GPR_NAN_DEFAULT || ! mxIsChar (m))
    return false;
  q->nan = gpr_mx_option (m, "omitnan") ? GPR_NAN_OMIT : gpr_mx_option (m, "includenan") ? GPR_NAN_INCLUDE : GPR_NAN_DEFAULT;
  return q->nan != GPR_NAN_DEFAULT;
}

void
gpr_take_nanflag (gpr_call *c, gpr_request *q)
{
  int left = 1;
  for (int i = 1; i < c->nrhs; i++)
    if (! take_flag (c->rhs[i], q))
      {
        if (gpr_mx_option (c->rhs[i], "omitnan") || gpr_mx_option (c->rhs[i], "includenan"))
          gpr_mx_invalid (c, "one nanflag at most");
        c->rhs[left++] = c->rhs[i];
      }
  c->nrhs = c->nrhs > 0 ? left : 0;
}

void
gpr_take_exact (gpr_call *c, gpr_request *q)
{
  int left = c->nrhs > 0;
  for (int i = 1; i < c->nrhs; i++)
    if (gpr_mx_option (c->rhs[i], "exact"))
      q->exact = true;
    else
      c->rhs[left++] = c->rhs[i];
  c->nrhs = left;
}

/* mean (x, dim, opt, outtype): dim and opt in either order.  */
static bool
take_mean (const gpr_call *c, int nrhs, const mxArray *const *rhs, gpr_request *q)
{
  bool seen_dim = q->which != GPR_DIM_DEFAULT, seen_kind = false;

  if (nrhs > 1)
    {
      const mxArray *last = rhs[nrhs - 1];
      bool native = gpr_mx_option (last, "native"), wide = gpr_mx_option (last, "double");
      if (native || wide || gpr_mx_option (last, "default"))
        {
          q->outtype = native ? GPR_OUT_NATIVE : wide ? GPR_OUT_DOUBLE : GPR_OUT_DEFAULT;
          nrhs--;
        }
    }
  if (nrhs > 1 && (mxIsChar (rhs[1]) || mxIsChar (rhs[nrhs - 1])) && ! gpr_rule_holds (GPR_RULE_mean_kinds))
    return false;
  for (int i = 1; i < nrhs; i++)
    {
      const mxArray *m = rhs[i];
      if (mxIsChar (m) && ! seen_kind)
        {
          seen_kind = true;
          if (gpr_is_exactly (m, "g"))
            q->op = GPR_OP_GEOMETRIC_MEAN;
          else if (gpr_is_exactly (m, "h"))
            q->op = GPR_OP_HARMONIC_MEAN;
          else if (! gpr_is_exactly (m, "a"))
            return false;
        }
      else if (! seen_dim && gpr_take_dims (c, m, q))
        seen_dim = true;
      else
        return false;
    }
  return true;
}

/* As the built-in does of max (x, y, dim).  */
static void
warn_ignored (const gpr_call *c)
{
  char text[128];
  snprintf (text, sizeof text, "%s: second argument is ignored", c->caller);
  mxArray *in[2] = { mxCreateString ("%s"), mxCreateString (text) };
  mexCallMATLAB (0, NULL, 2, in, "warning");
}

/* max (x, [], dim); max (x, []) only with words of ours.  */
static bool
take_pair (const gpr_call *c, int nrhs, const mxArray *const *rhs, gpr_request *q)
{
  if (nrhs == 1)
    return true;
  if (! mxIsNumeric (rhs[1]) || nrhs > 3)
    return false;
  /* Since nanflags go with two arrays too, only 0x0 is none.  */
  if (mxGetM (rhs[1]) + mxGetN (rhs[1]) > 0 && mxIsEmpty (rhs[1]) && gpr_rule_holds (GPR_RULE_sum_options))
    return false;
  const bool ignored = mxGetNumberOfElements (rhs[1]) != 0;
  if (nrhs == 2)
    return ! ignored && (q->which == GPR_DIM_ALL || q->nan != GPR_NAN_DEFAULT);
  if (q->which != GPR_DIM_DEFAULT || ! gpr_take_dims (c, rhs[2], q))
    return false;
  if (ignored)
    warn_ignored (c);
  return true;
}

bool
gpr_take_arguments (const gpr_call *c, gpr_request *q)
{
  const gpr_operator *o = &gpr_operators[q->op];
  const mxArray *rhs[GPR_MAX_DIMS];     /* without our own words */
  int nrhs = 0;

  if (c->nrhs < 1 || c->nlhs > o->max_outputs)
    return false;
  q->x = rhs[nrhs++] = c->rhs[0];
  for (int i = 1; i < c->nrhs; i++)
    {
      const mxArray *m = c->rhs[i];
      if (take_flag (m, q))
        continue;
      if (q->which == GPR_DIM_DEFAULT && o->options & GPR_TAKES_VECDIM && gpr_mx_option (m, "all"))
        q->which = GPR_DIM_ALL;
      else
        rhs[nrhs++] = m;
    }
  if (o->arguments == GPR_ARGS_MEAN)
    return take_mean (c, nrhs, rhs, q);
  if (o->arguments == GPR_ARGS_PAIR)
    return take_pair (c, nrhs, rhs, q);
  if (o->arguments == GPR_ARGS_ALL)
    {
      q->which = GPR_DIM_ALL;
      return nrhs == 1 && ! mxIsSparse (q->x);
    }
  if (o->options & GPR_TAKES_NATIVE && nrhs > 1 && mxIsChar (rhs[nrhs - 1]))
    {
      if (! gpr_take_outtype (o, rhs[nrhs - 1], &q->outtype))
        return false;
      nrhs--;
    }
  if (nrhs == 1)
    return true;
  const bool vector = mxGetNumberOfDimensions (rhs[1]) == 2 && (mxGetM (rhs[1]) == 1 || mxGetN (rhs[1]) == 1);
  return nrhs == 2 && q->which == GPR_DIM_DEFAULT && (vector || o->engine != GPR_ENGINE_ORDER) && gpr_take_dims (c, rhs[1], q);
}

int
gpr_default_dim (const gpr_array *a, bool long_dim)
{
  int d = 0;
  while (d < a->ndims && (long_dim ? a->dims[d] <= 1 : a->dims[d] == 1))
    d++;
  return d < a->ndims ? d : 0;
}

void
gpr_in_builtin_order (gpr_call *c, const gpr_request *q)
{
  static const char *const outtypes[] = { [GPR_OUT_NATIVE] = "native", [GPR_OUT_DOUBLE] = "double", [GPR_OUT_EXTRA] = "extra" };
  const gpr_operator *o = &gpr_operators[q->op];
  const bool options = (gpr_several_dims (q) || q->nan != GPR_NAN_DEFAULT) && gpr_rule_holds (o->builtin_takes.options);

  c->nrhs = 1;
  if (q->which != GPR_DIM_DEFAULT && (options || ! gpr_several_dims (q)))
    {
      if (o->arguments == GPR_ARGS_PAIR)
        c->rhs[c->nrhs++] = mxCreateDoubleMatrix (0, 0, mxREAL);
      mxArray *dims = q->which == GPR_DIM_ALL ? mxCreateString ("all") : mxCreateDoubleMatrix (1, q->ndims, mxREAL);
      for (int i = 0; q->which == GPR_DIM_LIST && i < q->ndims; i++)
        ((double *) mxGetData (dims))[i] = (double) q->dims[i];
      c->rhs[c->nrhs++] = dims;
    }
  if (q->op == GPR_OP_GEOMETRIC_MEAN || q->op == GPR_OP_HARMONIC_MEAN)
    c->rhs[c->nrhs++] = mxCreateString (q->op == GPR_OP_GEOMETRIC_MEAN ? "g" : "h");
  if (q->outtype != GPR_OUT_DEFAULT)
    c->rhs[c->nrhs++] = mxCreateString (outtypes[q->outtype]);
  if (options && q->nan != GPR_NAN_DEFAULT)
    c->rhs[c->nrhs++] = mxCreateString (q->nan == GPR_NAN_OMIT ? "omitnan" : "includenan");
}

bool
gpr_is_builtins (const gpr_call *c, const gpr_operator *o, bool ours)
{
  gpr_array x;

  if (! o->builtin || c->nrhs < 1)
    return false;
  ours = ours && ! gpr_rule_holds (o->builtin_takes.options);
  if (mxIsSparse (c->rhs[0]))
    return ! ours;
  if (! gpr_mx_look (c, c->rhs[0], &x, NULL))
    return false;
  const gpr_rule takes = gpr_class_is_integer (x.class) ? o->builtin_takes.integers
                         : x.class == GPR_CLASS_logical ? o->builtin_takes.logicals
                         : x.class == GPR_CLASS_char ? o->builtin_takes.chars : GPR_RULE_NONE;
  /* Of no singles the built-in's products in double are whatever the memory had.  */
  const bool empty = gpr_array_numel (&x) == 0 && ! (o == &gpr_operators[GPR_OP_PROD] && x.class == GPR_CLASS_single);
  return ! gpr_rule_holds (takes) || (empty && ! ours);
}
