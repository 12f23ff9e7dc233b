/* "streamed": gpu_reduce of a file or of what a function returns, and "streamed_end", which follows it however it ends.  */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bins.h"
#include "divided.h"
#include "fields.h"
#include "streamed.h"
#include "../core/system.h"

static gpr_streamed streamed;   /* of the call in hand: an error unwinds without clean-up */
static int depth;               /* calls that have begun and not ended: more than one where a function that brings pieces calls again */
static bool finished;           /* it has its results */

/* ---- progress ----------------------------------------------------------------------- */

static struct { double begun, shown, after; bool on_terminal, some; } said;

/* On standard error, since results go to standard output; now and then.  */
static void
show_progress (double share)
{
  const double now = gpr_now_ms (), left = (now - said.begun) / 1e3 * (1 - share) / share;
  if (now - said.begun < said.after || now - said.shown < (said.on_terminal ? 500 : 10000) || ! (share > 0 && share < 1))
    return;
  said.shown = now;
  said.some = true;
  fprintf (stderr, "%sgpu_reduce: %.0f %% read, about %.0f s left%s", said.on_terminal ? "\r" : "", 100 * share, left,
           said.on_terminal ? "  " : "\n");
  fflush (stderr);
}

static void
end_progress (void)
{
  if (said.some && said.on_terminal)
    fprintf (stderr, "\r%60s\r", "");
  said.some = false;
}

/* ---- options ------------------------------------------------------------------------ */

typedef struct {
  bool file, comm, longer, complex, has_class;
  char name[4096], checkpoint[4096], dataset[1024];
  double every;
  int progress;                 /* -1: by default */
  int64_t offset, pieces;
} asked;

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
take_class (const gpr_call *c, const mxArray *m, gpr_array *a, asked *o)
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
take_option (const gpr_call *c, const mxArray *key, const mxArray *value, gpr_array *a, asked *o)
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
      gpr_raise_if (c, gpr_world_check (&streamed.world));
      if (! gpr_mx_is_comm (value, &streamed.world))
        gpr_mx_invalid (c, "comm must be what gpu_comm () returned in this session");
      o->comm = true;
    }
  else if (gpr_mx_option (key, "variant") || gpr_mx_option (key, "finish") || gpr_mx_option (key, "block") || gpr_mx_option (key, "seconds")
           || gpr_mx_option (key, "force"))
    gpr_mx_not_streamed (c, "a variant");
  else
    return false;
  return true;
}

/* Takes what is of the file or function off the call: X, OP and the operator's options are left.  */
static void
take_options (gpr_call *c, gpr_array *a, asked *o)
{
  int left = 2;

  if (c->nrhs < 2 || c->nrhs % 2 != 0)
    gpr_mx_invalid (c, "options must come as pairs of a name and a value");
  *o = (asked) { .file = mxIsChar (c->rhs[0]), .every = 30, .progress = -1 };
  for (int i = 2; i < c->nrhs; i += 2)
    if (! take_option (c, c->rhs[i], c->rhs[i + 1], a, o))
      {
        c->rhs[left++] = c->rhs[i];
        c->rhs[left++] = c->rhs[i + 1];
      }
  c->nrhs = left;
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

/* ---- the call ----------------------------------------------------------------------- */

void
gpr_mx_not_streamed (const gpr_call *c, const char *what)
{
  gpr_fail (GPR_UNSUPPORTED, "%s does not go with a file or a function that brings pieces", what);
  gpr_mx_raise (c, GPR_UNSUPPORTED);
}

bool
gpr_mx_streamed_array (const gpr_call *c, const mxArray *m, gpr_array *a)
{
  if (! c->streamed || c->streamed->m != m)
    return false;
  *a = c->streamed->array;
  a->data = &c->streamed->stream;
  return true;
}

const mxArray *
gpr_mx_doubled (const gpr_call *c, const mxArray *m)
{
  if (! c->streamed || c->streamed->m != m)
    return gpr_mx_divided_alike (c, m, gpr_mx_call ("double", 1, m, NULL));
  c->streamed->stream.as_double = c->streamed->array.class != GPR_CLASS_double;
  c->streamed->array.class = GPR_CLASS_double;
  return m;
}

/* Opens what the elements come from.  */
static gpr_status
open_source (const gpr_call *c, const mxArray *function, gpr_array *a, const asked *o)
{
  gpr_stream *s = &streamed.stream;
  gpr_status status = o->dataset[0] ? gpr_hdf5_open (o->name, o->dataset, a, &s->source) : GPR_OK;

  if (status != GPR_OK)
    return status;
  while (streamed.dim < a->ndims - 1)
    streamed.dim++;
  while (streamed.dim > 0 && a->dims[streamed.dim] == 1)
    streamed.dim--;
  if (gpr_array_numel (a) == 0)
    return GPR_OK;
  if (! s->source)
    status = o->file ? gpr_raw_open (o->name, gpr_array_elem (a), o->offset, gpr_array_numel (a), o->longer, &s->source)
             : gpr_function_open (c, function, a, streamed.dim, o->pieces, &s->source);
  if (status == GPR_OK)
    s->source->logical = a->class == GPR_CLASS_logical;
  return status;
}

static gpr_status
open_checkpoint (const asked *o, uint64_t call)
{
  gpr_stream *s = &streamed.stream;
  char path[sizeof o->checkpoint + 20];
  snprintf (path, sizeof path, streamed.world.size > 1 ? "%s.%d" : "%s", o->checkpoint, streamed.world.rank);
  return o->checkpoint[0] ? gpr_checkpoint_open (&s->checkpoint, path, o->every, call, s->source->fingerprint) : GPR_OK;
}

/* All ranks make the same call, and each has opened what it reads; or the same error on all.  */
static void
agree (const gpr_call *c, const gpr_array *a, uint64_t call, gpr_status own)
{
  const int64_t *starts, n = a->dims[streamed.dim], size = streamed.world.size, rank = streamed.world.rank;
  gpr_agreed agreed;
  gpr_saying s;

  memset (&s, 0, sizeof s);
  snprintf (s.function, sizeof s.function, "%s", c->caller);
  s.failed = own;
  if (own != GPR_OK)
    snprintf (s.message, sizeof s.message, "%.199s", gpr_message ());
  s.arguments = c->nrhs;
  s.outputs = c->nlhs;
  s.options = call;
  s.pieces = 1;
  s.divided = streamed.dim + 1;
  s.of[0].class = a->class;
  s.of[0].ndims = a->ndims;
  memcpy (s.of[0].dims, a->dims, sizeof s.of[0].dims);
  if (own == GPR_OK)
    s.of[0].dims[streamed.dim] = n * (rank + 1) / size - n * rank / size;
  gpr_raise_if (c, gpr_agree (&s, &agreed, &starts));
  if (agreed.failed)
    gpr_raise_if (c, gpr_fail (agreed.failed, "%s", agreed.message));
}

/* "count", "edges", EDGES: counts of all elements.  */
static void
count_bins (gpr_call *c)
{
  gpr_binning b = { .row = true, .to_host = true, .k.rule = GPR_BIN_CLOSED, .m = c->rhs[0] };
  gpr_array edges;

  if (c->nrhs != 4 || ! gpr_mx_option (c->rhs[2], "edges") || ! gpr_mx_array (c, c->rhs[3], &edges) || edges.class != GPR_CLASS_double
      || edges.complex || gpr_array_numel (&edges) < 2)
    gpr_mx_invalid (c, "a histogram of a file or function has the options limits and those of the file or function");
  if (streamed.world.size > 1)
    gpr_mx_not_yet (c, "a histogram of a file or function does");
  if (! gpr_mx_array (c, b.m, &b.x) || b.x.complex)
    gpr_mx_invalid (c, "X must be real for a histogram");
  b.k.bins = gpr_array_numel (&edges) - 1;
  b.k.edges = edges.data;
  gpr_mx_run_binning (c, &b, &c->plhs[0], NULL);
}

static void
end_call (void)
{
  gpr_stream *s = &streamed.stream;
  end_progress ();
  gpr_stream_free (s);
  gpr_checkpoint_close (s->checkpoint, finished);
  if (s->source)
    s->source->close (s->source);
  streamed = (gpr_streamed) { .m = NULL };
}

void
gpr_mx_streamed_end (gpr_call *c)
{
  (void) c;
  if (depth > 0 && --depth == 0)
    end_call ();
}

void
gpr_mx_streamed (gpr_call *c)
{
  const mxArray *function = c->nrhs > 0 ? c->rhs[0] : NULL;
  const bool within = depth++ > 0;
  gpr_array a = { .ndims = 0 };
  asked o;

  if (within)
    gpr_mx_invalid (c, "a function that brings pieces cannot itself reduce a file or what a function brings");
  streamed = (gpr_streamed) { .world = { .size = 1 } };
  finished = false;
  take_options (c, &a, &o);
  check_device (c);
  gpr_status status = open_source (c, function, &a, &o);
  uint64_t call = gpr_hash (gpr_mx_hash_arguments (c, 1), a.dims, a.ndims * sizeof *a.dims);
  call = gpr_hash (call, &a.class, sizeof a.class);
  call = gpr_hash (call, &o.offset, sizeof o.offset);
  call = gpr_hash (call, &a.complex, sizeof a.complex);
  call = gpr_hash (call, &streamed.world.size, sizeof streamed.world.size);
  streamed.m = c->rhs[0] = mxCreateDoubleScalar (0);
  if (status != GPR_OK || gpr_array_numel (&a) > 0)
    {
      if (status == GPR_OK)
        status = open_checkpoint (&o, call);
      if (streamed.world.size > 1)
        agree (c, &a, call, status);
      gpr_raise_if (c, status);
      a.home = &gpr_stream_backend;
      streamed.array = a;
      c->streamed = &streamed;
    }
  else
    {
      void *data;
      c->rhs[0] = gpr_mx_create (&a, &data);    /* without elements it is in memory */
    }
  said = (typeof (said)) { .begun = gpr_now_ms (), .after = o.progress == 1 ? 0 : 3000, .on_terminal = isatty (2) };
  if (streamed.world.rank == 0 && (o.progress == 1 || (o.progress < 0 && said.on_terminal)))
    streamed.stream.progress = show_progress;
  if (gpr_mx_option (c->rhs[1], "count"))
    count_bins (c);
  else
    gpr_mx_reduce_named (c);
  finished = true;
}
