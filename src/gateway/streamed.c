/* "streamed": gpu_reduce of a file or of what a function returns, and "streamed_end", which follows it however it ends.  */

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
open_source (const gpr_call *c, const mxArray *function, gpr_array *a, const gpr_asked *o)
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
open_checkpoint (const gpr_asked *o, uint64_t call)
{
  gpr_stream *s = &streamed.stream;
  char path[sizeof o->checkpoint + 20];
  snprintf (path, sizeof path, streamed.world.size > 1 ? "%s.%d" : "%s", o->checkpoint, streamed.world.rank);
  return o->checkpoint[0] ? gpr_checkpoint_open (&s->checkpoint, path, o->every, call, s->source) : GPR_OK;
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

/* What the call is, of which a checkpoint may be; without the file or function.  */
static uint64_t
hash_call (const gpr_call *c, const gpr_array *a, const gpr_asked *o)
{
  uint64_t call = gpr_hash (gpr_mx_hash_arguments (c, 1, NULL), a->dims, a->ndims * sizeof *a->dims);
  call = gpr_hash (call, &a->class, sizeof a->class);
  call = gpr_hash (call, &o->offset, sizeof o->offset);
  call = gpr_hash (call, &a->complex, sizeof a->complex);
  return gpr_hash (call, &streamed.world.size, sizeof streamed.world.size);
}

/* Opens all that the call needs, here and on the other ranks.  */
static void
begin (gpr_call *c, gpr_array *a, const gpr_asked *o)
{
  gpr_status status = open_source (c, c->rhs[0], a, o);
  const uint64_t call = hash_call (c, a, o);
  if (status == GPR_OK && o->result)
    status = gpr_mx_result_rank (o->result, &streamed.world, &streamed.result);
  if (status == GPR_OK && streamed.stream.source)
    status = open_checkpoint (o, call);
  if (streamed.world.size > 1)
    agree (c, a, gpr_hash (call, &streamed.result, sizeof streamed.result), status);
  gpr_raise_if (c, status);
}

/* As of arrays (gpr_mx_deliver_comm): who does not want the results gets []; each rank has those of its share.  */
static void
deliver (gpr_call *c)
{
  const bool wanted = streamed.result < 0 || streamed.result == streamed.world.rank;
  for (int i = 0; i < (c->nlhs > 0 ? c->nlhs : 1) && ! wanted && ! streamed.shares; i++)
    c->plhs[i] = mxCreateDoubleMatrix (0, 0, mxREAL);
}

void
gpr_mx_streamed (gpr_call *c)
{
  const bool within = depth++ > 0;
  gpr_array a = { .ndims = 0 };
  gpr_asked o;
  void *data;

  if (within)
    gpr_mx_invalid (c, "a function that brings pieces cannot itself reduce a file or what a function brings");
  streamed = (gpr_streamed) { .result = -1 };
  finished = false;
  gpr_mx_take_asked (c, &a, &o);
  streamed.world = o.world;
  begin (c, &a, &o);
  if (gpr_array_numel (&a) == 0)
    c->rhs[0] = gpr_mx_create (&a, &data);      /* without elements it is in memory */
  else
    {
      streamed.m = c->rhs[0] = mxCreateDoubleScalar (0);
      a.home = &gpr_stream_backend;
      streamed.array = a;
      c->streamed = &streamed;
    }
  said = (typeof (said)) { .begun = gpr_now_ms (), .after = o.progress == 1 ? 0 : 3000, .on_terminal = isatty (2) };
  if (streamed.world.rank == 0 && (o.progress == 1 || (o.progress < 0 && said.on_terminal)))
    streamed.stream.progress = show_progress;
  if (gpr_mx_option (c->rhs[1], "count"))
    count_bins (c);
  else
    gpr_mx_reduce_named (c);
  deliver (c);
  finished = true;
}
