/* Operators by their rows: as functions, as gpu_reduce's OP, as a table.  */

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "divided.h"
#include "request.h"
#include "streamed.h"

/* ---- as functions ----------------------------------------------------------------------- */

/* Are there options that not every release's built-in takes: a nanflag, "all", several dimensions?
   They are spelled as it does.  */
static bool
has_options (gpr_call *c, const gpr_operator *o)
{
  static const char *const words[] = { "omitnan", "includenan", "all" };
  const int dim = o->arguments == GPR_ARGS_PAIR || o->arguments == GPR_ARGS_WEIGHT ? 2 : 1;
  bool found = false;

  for (int i = 1; i < c->nrhs; i++)
    {
      for (int k = 0; k < 3; k++)
        if (gpr_mx_option (c->rhs[i], words[k]))
          {
            found = true;
            if (! gpr_is_exactly (c->rhs[i], words[k]))
              c->rhs[i] = mxCreateString (words[k]);
          }
      found |= i == dim && ! mxIsChar (c->rhs[i]) && mxGetNumberOfElements (c->rhs[i]) > 1;
    }
  return found;
}

void
gpr_run_operator (gpr_call *c, gpr_op op)
{
  const gpr_operator *o = &gpr_operators[op];
  gpr_request q = { .op = op };

  if (o->arguments > GPR_ARGS_MEAN && c->nrhs == 2 && gpr_mx_option (c->rhs[0], "device"))
    c->nrhs = 0;                /* a device, and nothing to run on it */
  gpr_mx_take_device (c);
  if (op == GPR_OP_SUM)
    gpr_take_exact (c, &q);
  if (! (q.exact && c->nrhs > 0 && mxIsSparse (c->rhs[0])) && gpr_is_builtins (c, o, has_options (c, o)))
    {
      gpr_mx_ask_builtin (c);
      return;
    }
  if (c->nlhs > o->max_outputs && c->nrhs > 0 && gpr_mx_is_gpuarray (c->rhs[0]))
    gpr_mx_too_many_outputs (c);        /* of a host array the built-in says so */
  if (c->streamed && (o->engine == GPR_ENGINE_ORDER || o->engine == GPR_ENGINE_SCAN))
    gpr_mx_not_streamed (c, o->name);
  switch (o->engine)
    {
    case GPR_ENGINE_REDUCE:
    case GPR_ENGINE_ORDER: gpr_run_by_arguments (c, &q); break;
    case GPR_ENGINE_VARIANCE: gpr_run_variance (c, &q); break;
    case GPR_ENGINE_SCAN: gpr_run_scan (c, &q); break;
    case GPR_ENGINE_MAX_AND_MIN: gpr_run_max_and_min (c, &q); break;
    case GPR_ENGINE_NORM: gpr_run_norm (c, &q); break;
    }
}

/* ---- as gpu_reduce's OP ------------------------------------------------------------------ */

/* "sum", "prod" …, of the operators with all of these options, and what follows the last.  */
static void
name_operators (char *text, size_t bytes, int options, const char *quote)
{
  size_t at = 0;
  text[0] = '\0';
  for (int i = 0; i < GPR_OP_COUNT && at < bytes; i++)
    if (gpr_operators[i].listed && (gpr_operators[i].options & options) == options)
      at += snprintf (text + at, bytes - at, "%s%s%s%s", at ? ", " : "", quote, gpr_operators[i].name, quote);
}

static bool
find_listed (const mxArray *m, gpr_op *op)
{
  char name[64];
  return gpr_mx_text (m, name, sizeof name) && gpr_operator_find (name, op) && gpr_operators[*op].listed;
}

/* What goes with variants, and with the one that is none.  */
static void
check_variant (const gpr_call *c, const gpr_request *q, bool engine, bool geometry)
{
  const gpr_operator *o = &gpr_operators[q->op];

  if (engine && geometry)
    gpr_mx_invalid (c, "the variant engine takes neither finish nor block nor seconds nor force");
  if (engine && c->device.want == GPR_WANT_SIM)
    gpr_mx_invalid (c, "the variant engine runs on a GPU or the CPU, not in the simulator");
  if (! engine && ! q->variant.name && geometry)
    gpr_mx_invalid (c, "finish, block, seconds and force go with variant");
  if (q->variant.name && c->divided)
    gpr_mx_not_yet (c, "variants do");
  if (q->variant.name && ! (o->options & GPR_TAKES_VARIANT))
    {
      char names[256];
      name_operators (names, sizeof names, GPR_TAKES_VARIANT, "");
      gpr_mx_invalid (c, "variants take %s and histogram, not %s", names, o->name);
    }
  if (q->variant.name && (q->nan != GPR_NAN_DEFAULT || q->outtype != GPR_OUT_DEFAULT || q->exact))
    gpr_mx_invalid (c, "a variant takes neither nanflag nor outtype");
}

/* "dim", VALUE; and so on, of reductions: false where NAME is no such option.  */
static bool
take_option (gpr_call *c, const mxArray *key, const mxArray *value, gpr_request *q)
{
  const gpr_operator *o = &gpr_operators[q->op];
  char text[64] = "";

  gpr_mx_text (value, text, sizeof text);
  if (gpr_mx_option (key, "device"))
    gpr_mx_device (c, value, &c->device);
  else if (gpr_mx_option (key, "dim"))
    {
      if (gpr_mx_option (value, "all"))
        q->which = GPR_DIM_ALL;
      else if (mxGetNumberOfElements (value) == 0 && mxIsDouble (value))
        q->which = GPR_DIM_DEFAULT;
      else if (! gpr_take_dims (c, value, q))
        gpr_mx_invalid (c, "dim must be a positive integer, a vector of them, or \"all\"");
    }
  else if (gpr_mx_option (key, "nanflag"))
    {
      if (! gpr_mx_option (value, "omitnan") && ! gpr_mx_option (value, "includenan"))
        gpr_mx_invalid (c, "nanflag must be \"omitnan\" or \"includenan\"");
      if (! (o->options & GPR_TAKES_NANFLAG))
        gpr_mx_invalid (c, "%s takes no nanflag", o->name);
      q->nan = gpr_mx_option (value, "omitnan") ? GPR_NAN_OMIT : GPR_NAN_INCLUDE;
    }
  else if (gpr_mx_option (key, "outtype"))
    {
      if (gpr_mx_option (value, "default"))
        q->outtype = GPR_OUT_DEFAULT;
      else if (gpr_mx_option (value, "exact") && q->op == GPR_OP_SUM)
        q->exact = true;
      else if (! gpr_take_outtype (o, value, &q->outtype))
        gpr_mx_invalid (c, "outtype \"%s\" is not one that %s has", text, o->name);
    }
  else if (gpr_mx_option (key, "meantype") && o->options & GPR_TAKES_MEANTYPE)
    {
      if (strlen (text) != 1 || ! strchr ("agh", text[0]))
        gpr_mx_invalid (c, "meantype must be \"a\", \"g\" or \"h\"");
      q->op = text[0] == 'g' ? GPR_OP_GEOMETRIC_MEAN : text[0] == 'h' ? GPR_OP_HARMONIC_MEAN : GPR_OP_MEAN;
    }
  else
    return false;
  return true;
}

/* The same of variants; name has room for the variant's.  */
static bool
take_variant_option (const gpr_call *c, const mxArray *key, const mxArray *value, gpr_request *q, char name[128], bool *geometry)
{
  *geometry |= ! gpr_mx_option (key, "variant");
  if (gpr_mx_option (key, "variant"))
    {
      if (! gpr_mx_text (value, name, 128))
        gpr_mx_invalid (c, "variant must be a name; gpu_variants lists them");
      q->variant.name = strcmp (name, "engine") == 0 ? NULL : name;     /* the engine runs anyway */
    }
  else if (gpr_mx_option (key, "finish"))
    q->variant.finish = gpr_mx_finish (c, value);
  else if (gpr_mx_option (key, "block"))
    q->variant.block = gpr_mx_block (c, value);
  else if (gpr_mx_option (key, "force"))
    {
      if (! mxIsLogicalScalar (value))
        gpr_mx_invalid (c, "force must be true or false");
      q->variant.force = mxIsLogicalScalarTrue (value);
    }
  else if (gpr_mx_option (key, "seconds"))
    q->variant.seconds = gpr_mx_seconds (c, value);
  else
    return false;
  return true;
}

static const char *
option_name (const mxArray *key, char text[64])
{
  text[0] = '\0';
  gpr_mx_text (key, text, 64);
  return mxIsChar (key) ? text : "?";
}

static void
reduce_with_options (gpr_call *c, gpr_op op)
{
  gpr_request q = { .op = op, .x = c->rhs[0], .variant = { .finish = -1, .block = -1 } };
  const gpr_operator *o = &gpr_operators[op];
  bool geometry = false;
  char name[128] = "", text[64];

  gpr_mx_gather_from (c, 2);
  for (int i = 2; i < c->nrhs; i += 2)
    {
      bool shape = geometry;
      if (take_option (c, c->rhs[i], c->rhs[i + 1], &q))
        continue;
      if (! take_variant_option (c, c->rhs[i], c->rhs[i + 1], &q, name, &shape))
        gpr_mx_invalid (c, "unknown option \"%s\"; options are dim, outtype, nanflag, variant, finish, block, seconds, force, device%s",
                        option_name (c->rhs[i], text), o->options & GPR_TAKES_MEANTYPE ? ", meantype" : "");
      geometry = shape;
    }
  check_variant (c, &q, strcmp (name, "engine") == 0, geometry);
  c->builtin = o->builtin;
  gpr_in_builtin_order (c, &q);
  if (c->nlhs > o->max_outputs)
    gpr_mx_invalid (c, "%s has %d output%s", o->name, o->max_outputs, o->max_outputs > 1 ? "s" : "");
  if (! q.variant.name && gpr_is_builtins (c, o, gpr_several_dims (&q) || q.nan != GPR_NAN_DEFAULT))
    gpr_mx_ask_builtin (c);
  else
    gpr_run_reduction (c, &q);
}

/* The others take dim, nanflag and device; the rest is as the function has it.  */
static void
call_function (gpr_call *c, gpr_op op)
{
  const gpr_operator *o = &gpr_operators[op];
  const mxArray *dim = NULL, *flag = NULL, *device = NULL;
  char text[64];

  for (int i = 2; i < c->nrhs; i += 2)
    {
      const mxArray *key = c->rhs[i], *value = c->rhs[i + 1];
      if (gpr_mx_option (key, "dim"))
        dim = ! gpr_mx_is_gpuarray (value) && mxIsEmpty (value) ? NULL : value;
      else if (gpr_mx_option (key, "nanflag"))
        {
          if (! (o->options & GPR_TAKES_NANFLAG) || (! gpr_mx_option (value, "omitnan") && ! gpr_mx_option (value, "includenan")))
            gpr_mx_invalid (c, "nanflag must be \"omitnan\" or \"includenan\", and is not for mode");
          flag = value;
        }
      else if (gpr_mx_option (key, "device"))
        device = value;
      else
        gpr_mx_invalid (c, "unknown option \"%s\"; options of %s are dim, nanflag, device", option_name (key, text), o->name);
    }
  c->nrhs = 1;
  if (dim && o->arguments == GPR_ARGS_WEIGHT)
    c->rhs[c->nrhs++] = mxCreateDoubleScalar (0);
  if (dim)
    c->rhs[c->nrhs++] = dim;
  if (flag)
    c->rhs[c->nrhs++] = flag;
  c->builtin = o->builtin;
  snprintf (c->caller, sizeof c->caller, "gpu_%s", o->name);
  if (c->nlhs > o->max_outputs)
    gpr_mx_too_many_outputs (c);
  if (device)
    gpr_mx_device (c, device, &c->device);
  gpr_run_operator (c, op);
}

/* X, OP, then options as pairs.  */
void
gpr_mx_reduce_named (gpr_call *c)
{
  gpr_op op;

  if (c->nrhs < 2 || ! find_listed (c->rhs[1], &op))
    {
      char names[400];
      name_operators (names, sizeof names, 0, "\"");
      gpr_mx_invalid (c, "OP must be %s or \"histogram\"", names);
    }
  if (c->nrhs % 2 != 0)
    gpr_mx_invalid (c, "options must come as pairs of a name and a value");
  const gpr_operator *o = &gpr_operators[op];
  if (o->engine == GPR_ENGINE_REDUCE)
    reduce_with_options (c, op);
  else
    call_function (c, op);
}

/* ---- as a table --------------------------------------------------------------------------- */

static mxArray *
flag_of (const gpr_operator *o, int option)
{
  return mxCreateLogicalScalar ((o->options & option) != 0);
}

/* One structure for each function, as its row has it.  */
void
gpr_mx_operators (gpr_call *c)
{
  static const char *const fields[] = { "name", "builtin", "reduce", "arguments", "outputs", "index", "nanflag", "outtype",
                                        "vecdim", "variants", "empty" };
  static const char *const arguments[] = {
    [GPR_ARGS_DIM] = "x, dim", [GPR_ARGS_PAIR] = "x, [], dim", [GPR_ARGS_MEAN] = "x, dim, type", [GPR_ARGS_WEIGHT] = "x, w, dim",
    [GPR_ARGS_CUMULATIVE] = "x, dim", [GPR_ARGS_ALL] = "x", [GPR_ARGS_BOUNDS] = "x, dim", [GPR_ARGS_NORM] = "x, p, opt" };
  static const char *const empties[] = {
    [GPR_EMPTY_IDENTITY] = "identity", [GPR_EMPTY_STAYS] = "stays", [GPR_EMPTY_NAN] = "nan", [GPR_EMPTY_BUILTIN] = "builtin" };
  enum { FIELDS = sizeof fields / sizeof *fields };
  mxArray *s = mxCreateStructMatrix (1, GPR_OP_FUNCTIONS, FIELDS, (const char **) fields);

  for (int i = 0; i < GPR_OP_FUNCTIONS; i++)
    {
      const gpr_operator *o = &gpr_operators[i];
      mxArray *values[FIELDS] = {
        mxCreateString (o->name), mxCreateString (o->builtin ? o->builtin : ""), mxCreateLogicalScalar (o->listed),
        mxCreateString (arguments[o->arguments]), mxCreateDoubleScalar (o->max_outputs), mxCreateLogicalScalar (gpr_has_index (o)),
        flag_of (o, GPR_TAKES_NANFLAG), flag_of (o, GPR_TAKES_NATIVE | GPR_TAKES_DOUBLE), flag_of (o, GPR_TAKES_VECDIM),
        flag_of (o, GPR_TAKES_VARIANT), mxCreateString (empties[o->empty]) };
      for (int k = 0; k < FIELDS; k++)
        mxSetFieldByNumber (s, i, k, values[k]);
    }
  c->plhs[0] = s;
}
