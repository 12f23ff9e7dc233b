/* Options of "streamed": what the file or function holds, and how it is read.  */

#include <math.h>

#include "divided.h"
#include "fields.h"
#include "streamed.h"

static bool
truth (const gpr_call *c, const char *name, const mxArray *m)
{
  if (! mxIsLogicalScalar (m))
    gpr_mx_invalid (c, "%s must be true or false", name);
  return mxIsLogicalScalarTrue (m);
}

static double
number (const gpr_call *c, const char *name, const mxArray *m, double least)
{
  const double v = mxIsDouble (m) && ! mxIsComplex (m) && ! mxIsSparse (m) && mxGetNumberOfElements (m) == 1 ? mxGetScalar (m) : NAN;
  if (! (v >= least && v < 0x1p53))
    gpr_mx_invalid (c, "%s must be a number from %g", name, least);
  return v;
}

static int64_t
whole (const gpr_call *c, const char *name, const mxArray *m, double least)
{
  const double v = number (c, name, m, least);
  if (v != floor (v))
    gpr_mx_invalid (c, "%s must be a whole number", name);
  return (int64_t) v;
}

static void
text (const gpr_call *c, const char *name, const mxArray *m, char *to, size_t bytes)
{
  if (! gpr_mx_text (m, to, bytes) || ! to[0])
    gpr_mx_invalid (c, "%s must be a string of at most %zu characters", name, bytes - 1);
}

static void
take_class (const gpr_call *c, const mxArray *m, gpr_array *a, gpr_asked *o)
{
  int k = 0;
  while (k < GPR_CLASS_COUNT && ! gpr_mx_option (m, gpr_class_names[k]))
    k++;
  if (k == GPR_CLASS_COUNT)
    gpr_mx_invalid (c, "class must be \"double\", \"single\", an integer class, \"logical\" or \"char\"");
  a->class = k;
  o->has_class = true;
}

static void
take_sizes (const gpr_call *c, const mxArray *m, gpr_array *a)
{
  const size_t n = mxGetNumberOfElements (m);
  const double *v = mxIsDouble (m) && ! mxIsComplex (m) && ! mxIsSparse (m) && n >= 2 && n <= GPR_MAX_DIMS ? mxGetData (m) : NULL;
  double bytes = 16;
  for (size_t d = 0; v && d < n; d++)
    {
      bytes *= v[d] > 0 ? v[d] : 1;
      if (! (v[d] >= 0 && v[d] == floor (v[d]) && bytes < 0x1p62))
        v = NULL;
      else
        a->dims[d] = (int64_t) v[d];
    }
  if (! v)
    gpr_mx_invalid (c, "dims must be a row of two sizes or more");
  a->ndims = (int) n;
  gpr_array_trim (a);
}

/* False: it is not one of a file or function.  */
static bool
take_option (const gpr_call *c, const mxArray *key, const mxArray *value, gpr_array *a, gpr_asked *o)
{
  if (gpr_mx_option (key, "class"))
    take_class (c, value, a, o);
  else if (gpr_mx_option (key, "dims"))
    take_sizes (c, value, a);
  else if (gpr_mx_option (key, "complex"))
    o->complex = truth (c, "complex", value);
  else if (gpr_mx_option (key, "offset"))
    o->offset = whole (c, "offset", value, 0);
  else if (gpr_mx_option (key, "longer"))
    o->longer = truth (c, "longer", value);
  else if (gpr_mx_option (key, "pieces"))
    o->pieces = whole (c, "pieces", value, 1);
  else if (gpr_mx_option (key, "dataset"))
    text (c, "dataset", value, o->dataset, sizeof o->dataset);
  else if (gpr_mx_option (key, "progress"))
    o->progress = truth (c, "progress", value);
  else if (gpr_mx_option (key, "checkpoint"))
    text (c, "checkpoint", value, o->checkpoint, sizeof o->checkpoint - 20);
  else if (gpr_mx_option (key, "every"))
    o->every = number (c, "every", value, 0);
  else if (gpr_mx_option (key, "comm"))
    {
      gpr_raise_if (c, gpr_world_check (&o->world));
      if (! gpr_mx_is_comm (value, &o->world))
        gpr_mx_invalid (c, "comm must be what gpu_comm () returned in this session");
      o->comm = true;
    }
  else if (gpr_mx_option (key, "result"))
    o->result = value;
  else if (gpr_mx_option (key, "variant") || gpr_mx_option (key, "finish") || gpr_mx_option (key, "block") || gpr_mx_option (key, "seconds")
           || gpr_mx_option (key, "force"))
    gpr_mx_not_streamed (c, "a variant");
  else
    return false;
  return true;
}

/* Of what is no option of files: is it one of the operator?  */
static void
check_name (const gpr_call *c, const mxArray *key)
{
  static const char *const of_operators[] = { "dim", "outtype", "nanflag", "meantype", "device" };
  char name[64] = "?";
  for (size_t k = 0; k < sizeof of_operators / sizeof *of_operators; k++)
    if (gpr_mx_option (key, of_operators[k]))
      return;
  if (gpr_mx_option (key, "edges") && gpr_mx_option (c->rhs[1], "count"))
    return;
  gpr_mx_text (key, name, sizeof name);
  gpr_mx_invalid (c, "unknown option \"%s\"; options of a file or function are class, dims, complex, offset, longer, dataset, pieces, checkpoint, every, "
                  "progress, comm, result, dim, outtype, nanflag, meantype, device; limits of a histogram", name);
}

/* The operator's own device: there is one way.  */
static void
check_device (gpr_call *c)
{
  int left = 2;
  for (int i = 2; i + 1 < c->nrhs; i += 2)
    if (gpr_mx_option (c->rhs[i], "device"))
      {
        gpr_device_request d = { 0 };
        gpr_mx_device (c, c->rhs[i + 1], &d);
        if (d.want != GPR_WANT_CPU && d.want != GPR_WANT_AUTO && d.want != GPR_WANT_DEFAULT && d.want != GPR_WANT_LOCAL)
          gpr_raise_if (c, gpr_fail (GPR_UNSUPPORTED, "a file, and what a function brings, is reduced on the CPU: device must be \"cpu\" or \"auto\""));
      }
    else
      {
        c->rhs[left++] = c->rhs[i];
        c->rhs[left++] = c->rhs[i + 1];
      }
  c->nrhs = left;
}

void
gpr_mx_take_asked (gpr_call *c, gpr_array *a, gpr_asked *o)
{
  int left = 2;

  if (c->nrhs < 2 || c->nrhs % 2 != 0)
    gpr_mx_invalid (c, "options must come as pairs of a name and a value");
  *o = (gpr_asked) { .file = mxIsChar (c->rhs[0]), .every = 30, .progress = -1, .world = { .size = 1 } };
  for (int i = 2; i < c->nrhs; i += 2)
    if (! take_option (c, c->rhs[i], c->rhs[i + 1], a, o))
      {
        check_name (c, c->rhs[i]);
        c->rhs[left++] = c->rhs[i];
        c->rhs[left++] = c->rhs[i + 1];
      }
  c->nrhs = left;
  check_device (c);
  if (o->result && ! o->comm)
    gpr_mx_invalid (c, "result goes with comm");
  if (o->file)
    text (c, "the file's name", c->rhs[0], o->name, sizeof o->name);
  if (o->dataset[0])
    {
      if (! o->file || o->offset || o->longer || o->has_class || o->complex || a->ndims)
        gpr_mx_invalid (c, "dataset goes with a file, which says itself what class and dims are, and with neither offset nor longer");
      return;
    }
  if (! o->has_class || a->ndims == 0)
    gpr_mx_invalid (c, "class and dims must say what the %s", o->file ? "file holds" : "function returns in all");
  a->complex = o->complex;
  if (a->complex && a->class != GPR_CLASS_double && a->class != GPR_CLASS_single)
    gpr_mx_invalid (c, "complex goes with the classes double and single");
  if (! o->file && (o->offset || o->longer))
    gpr_mx_invalid (c, "offset and longer go with a file");
}
