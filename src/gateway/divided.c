#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "divided.h"
#include "../core/hash.h"
#include "fields.h"
#include "request.h"

static gpr_divided divided;     /* of the call in hand: an error unwinds without clean-up */

void
gpr_mx_comm (gpr_call *c)
{
  gpr_world w;

  strcpy (c->caller, "gpu_comm");
  if (c->nrhs > 0)
    gpr_mx_too_many_inputs (c);
  gpr_raise_if (c, gpr_world_join (&w));
  mxArray *s = mxCreateStructMatrix (1, 1, 0, NULL);
  set_number (s, "rank", w.rank);
  set_number (s, "size", w.size);
  set_number (s, "local_rank", w.local_rank);
  c->plhs[0] = s;
}

/* ---- the arguments ------------------------------------------------------------------ */

bool
gpr_mx_has_comm (const gpr_call *c)
{
  for (int i = 1; i < c->nrhs - 1; i++)
    if (mxIsChar (c->rhs[i]) && mxGetNumberOfElements (c->rhs[i]) == 4 && gpr_mx_option (c->rhs[i], "comm"))
      return true;
  return false;
}

/* The first thing that is wrong with this rank's arguments.  */
static void __attribute__ ((format (printf, 3, 4)))
blame (gpr_saying *s, gpr_status status, const char *format, ...)
{
  va_list args;
  if (s->failed)
    return;
  va_start (args, format);
  vsnprintf (s->message, sizeof s->message, format, args);
  va_end (args);
  s->failed = status;
}

static bool
is_field (const mxArray *s, const char *name, int value)
{
  const mxArray *m = mxGetField (s, 0, name);
  return m && mxIsDouble (m) && mxGetNumberOfElements (m) == 1 && mxGetScalar (m) == value;
}

bool
gpr_mx_is_comm (const mxArray *m, const gpr_world *w)
{
  return mxIsStruct (m) && mxGetNumberOfElements (m) == 1 && is_field (m, "rank", w->rank) && is_field (m, "size", w->size);
}

gpr_status
gpr_mx_result_rank (const mxArray *m, const gpr_world *w, int *rank)
{
  double v = mxIsNumeric (m) && mxGetNumberOfElements (m) == 1 && ! mxIsComplex (m) && ! mxIsSparse (m) ? mxGetScalar (m) : NAN;
  *rank = -1;
  if (v >= 0 && v < w->size && v == floor (v))
    *rank = (int) v;
  else if (! gpr_mx_option (m, "all"))
    return gpr_fail (GPR_BAD_INPUT, "result must be \"all\" or a rank from 0 to %d", w->size - 1);
  return GPR_OK;
}

/* Takes "comm", "result", "divided" and "device" off.  */
static void
take_options (gpr_call *c, const gpr_world *w, gpr_saying *s)
{
  gpr_device_request device;
  int64_t dim;
  char text[64];
  int left = 1;

  divided.result = -1;
  for (int i = 1; i < c->nrhs; i++)
    {
      const mxArray *key = c->rhs[i], *value = i + 1 < c->nrhs ? c->rhs[i + 1] : NULL;
      bool ours = value != NULL;
      if (value && gpr_mx_option (key, "comm"))
        {
          if (! gpr_mx_is_comm (value, w))
            blame (s, GPR_BAD_INPUT, "comm must be what gpu_comm () returned in this session");
        }
      else if (value && gpr_mx_option (key, "result"))
        {
          if (gpr_mx_result_rank (value, w, &divided.result) != GPR_OK)
            blame (s, GPR_BAD_INPUT, "%s", gpr_message ());
        }
      else if (value && gpr_mx_option (key, "divided"))
        {
          if (gpr_mx_count (value, &dim) && dim <= GPR_MAX_DIMS)
            s->divided = (int32_t) dim;
          else
            blame (s, GPR_BAD_INPUT, "divided must be a dimension");
        }
      else if (value && gpr_mx_option (key, "device"))
        {
          const bool known = gpr_mx_text (value, text, sizeof text) && gpr_parse_device (text, &device);
          if (! known || (device.want != GPR_WANT_CPU && device.want != GPR_WANT_AUTO && device.want != GPR_WANT_DEFAULT))
            blame (s, GPR_UNSUPPORTED, "\"comm\" goes with the device \"cpu\" and with no other: gpuArrays are reduced where they lie");
        }
      else
        ours = false;
      if (ours)
        i++;
      else
        c->rhs[left++] = key;
    }
  c->nrhs = left;
}

uint64_t
gpr_mx_hash_arguments (const gpr_call *c, int first)
{
  uint64_t h = GPR_HASH_BEGIN;

  for (int i = first; i < c->nrhs; i++)
    {
      gpr_array a;
      const char *class = mxGetClassName (c->rhs[i]);
      h = gpr_hash (h, class, strlen (class) + 1);
      if (gpr_mx_is_gpuarray (c->rhs[i]) || ! gpr_mx_array (c, c->rhs[i], &a))
        continue;
      h = gpr_hash (h, a.dims, a.ndims * sizeof *a.dims);
      h = gpr_hash (h, a.data, (size_t) gpr_array_numel (&a) * gpr_elem_bytes[gpr_array_elem (&a)]);
    }
  return h;
}

static void
failed (gpr_saying *s, gpr_status status)
{
  blame (s, status, "%s", gpr_message ());
}

/* A gpuArray's elements, computed; on the host, as argument i, where they are not read there.  Nothing here raises an error: the others wait for
   word of it.  */
static void
take_gpuarray (gpr_call *c, int i, bool there, gpr_array *a, gpr_saying *s)
{
  gpr_resident *r = gpr_mx_find (c, c->rhs[i]);
  gpr_status status;
  void *data;

  if (! r)
    {
      blame (s, GPR_BAD_INPUT, "%s is a gpuArray that is no longer alive", i ? "Y" : "X");
      return;
    }
  if ((status = gpr_expression_compute (r)) != GPR_OK)
    {
      failed (s, status);
      return;
    }
  *a = r->array;
  if (i == 0)
    {
      divided.home = a->home;
      divided.device = a->device;
    }
  if (there)
    return;
  gpr_array host = *a;
  host.home = NULL;
  mxArray *m = gpr_mx_create (&host, &data);
  const size_t bytes = (size_t) gpr_array_numel (a) * gpr_elem_bytes[gpr_array_elem (a)];
  status = bytes > 0 ? a->home->download (data, a->data, bytes) : GPR_OK;
  if (status != GPR_OK)
    failed (s, status);
  host.data = data;
  *a = host;
  c->rhs[i] = m;
}

/* Argument i; false: it is no array.  */
static bool
take_array (gpr_call *c, int i, bool there, gpr_array *a, gpr_saying *s)
{
  if (! gpr_mx_is_gpuarray (c->rhs[i]))
    return gpr_mx_array (c, c->rhs[i], a);
  take_gpuarray (c, i, there, a, s);
  return ! s->failed;
}

static void
describe (gpr_saying *s, int i, const gpr_array *a)
{
  s->of[i].class = a->class;
  s->of[i].complex = a->complex;
  s->of[i].ndims = a->ndims;
  s->of[i].device = a->home && a->home->on_device && a->home->links ? a->device : 0;
  memcpy (s->of[i].dims, a->dims, a->ndims * sizeof *a->dims);
}

static void
describe_pieces (gpr_call *c, int pieces, bool there, gpr_array here[GPR_MOST_PIECES], gpr_saying *s)
{
  s->pieces = pieces;
  for (int i = 0; i < pieces; i++)
    {
      if (i >= c->nrhs)
        {
          blame (s, GPR_BAD_INPUT, "%s is missing", i ? "Y" : "X");
          return;
        }
      if (! take_array (c, i, there, &here[i], s))
        blame (s, GPR_BAD_INPUT, "%s must be a full array, of class double, single, an integer class, logical or char", i ? "Y" : "X");
      if (s->failed)
        return;
      describe (s, i, &here[i]);
      if (i > 0 && ! gpr_array_same_sizes (&here[0], &here[i]))
        blame (s, GPR_BAD_INPUT, "X and Y must have the same sizes on each rank");
    }
}

/* Rows, and values of them.  */
static void
describe_rows (gpr_call *c, gpr_saying *s)
{
  static const char *const names[2] = { "SUBS", "VALS" };

  s->pieces = 2;
  s->rows = 1;
  for (int i = 0; i < 2 && ! s->failed; i++)
    {
      gpr_array a;
      if (i >= c->nrhs || ! take_array (c, i, false, &a, s))
        {
          blame (s, GPR_UNSUPPORTED, "%s must be a full array, with \"comm\": not a cell", names[i]);
          return;
        }
      describe (s, i, &a);
      const int64_t numbers = gpr_array_numel (&a);
      if (i == 1 && numbers != 1 && numbers != s->of[0].dims[0])
        blame (s, GPR_BAD_INPUT, "VALS must have an element for each row of SUBS, or one");
    }
}

/* ---- the agreement ------------------------------------------------------------------- */

/* Complex where another rank's piece is.  */
static const mxArray *
as_complex (const mxArray *m, bool complex)
{
  return complex && ! mxIsComplex (m) ? gpr_mx_call ("complex", 2, m, mxCreateDoubleScalar (0)) : m;
}

/* [] is of the class that others' pieces have.  */
static void
take_class (gpr_call *c, int i, int32_t class, gpr_saying *s, gpr_array *here)
{
  gpr_array empty = { .class = (gpr_class) class, .ndims = 2 };
  void *data;

  if (s->of[i].class == class)
    return;
  c->rhs[i] = gpr_mx_create (&empty, &data);
  s->of[i].class = class;
  empty.data = data;
  *here = empty;
}

static void
take_rows (gpr_call *c, const gpr_agreed *a, const gpr_array *whole)
{
  const int64_t none[2] = { 0, whole->ndims > 1 ? whole->dims[1] : 1 };

  divided.columns = none[1];
  c->rhs[1] = as_complex (c->rhs[1], a->complex[1]);
  if (whole->dims[0] > 0)
    c->divided = &divided;
  else
    c->rhs[0] = gpr_mx_reshaped (c->rhs[0], 2, none);
}

/* Of X and Y that lie apart neither is read there; nor one that becomes complex.  */
static void
bring_both (gpr_call *c, int pieces, const gpr_agreed *a, gpr_array here[GPR_MOST_PIECES], gpr_saying *s)
{
  bool apart = false;
  for (int i = 0; i < pieces; i++)
    apart |= here[i].home != here[0].home || here[i].device != here[0].device || (here[i].home && a->complex[i] && ! here[i].complex);
  for (int i = 0; i < pieces && apart; i++)
    if (here[i].home)
      take_gpuarray (c, i, false, &here[i], s);
}

static void
take_piece (gpr_call *c, int i, const gpr_array *whole, const gpr_array *here)
{
  gpr_array a = *here;
  const mxArray *m = a.home ? c->rhs[i] : as_complex (c->rhs[i], whole->complex);

  if (! a.home)
    a.data = mxGetData (m);
  c->rhs[i] = m;
  divided.of[i].m = m;
  divided.of[i].whole = *whole;
  gpr_array_trim (&divided.of[i].whole);
  divided.of[i].piece = gpr_piece_of (&a, whole, divided.starts, divided.dim);
  divided.of[i].device = a.device;
}

/* Nothing to divide.  */
static void
take_empty (gpr_call *c, int i, const gpr_array *whole)
{
  gpr_array empty = *whole;
  void *data;
  empty.home = NULL;
  empty.complex = false;
  gpr_array_trim (&empty);
  c->rhs[i] = gpr_mx_create (&empty, &data);
}

static void
forget_last (void)
{
  for (int i = 0; i < divided.count; i++)
    gpr_piece_forget (&divided.of[i].piece);
  memset (&divided, 0, sizeof divided);
}

gpr_divided *
gpr_mx_take_comm (gpr_call *c, int pieces, bool there)
{
  gpr_array here[GPR_MOST_PIECES];
  gpr_saying s;
  gpr_agreed a;
  gpr_world w;

  gpr_raise_if (c, gpr_world_check (&w));
  forget_last ();
  memset (&s, 0, sizeof s);
  snprintf (s.function, sizeof s.function, "%s", c->caller);
  if (pieces == 0)
    blame (&s, GPR_UNSUPPORTED, "this function does not take \"comm\" yet");
  take_options (c, &w, &s);
  if (pieces == GPR_ROWS)
    describe_rows (c, &s);
  else
    describe_pieces (c, pieces, there, here, &s);
  s.arguments = c->nrhs;
  s.outputs = c->nlhs;
  s.options = gpr_hash (gpr_mx_hash_arguments (c, s.pieces), &divided.result, sizeof divided.result);
  gpr_raise_if (c, gpr_agree (&s, &a, &divided.starts));
  if (a.failed)
    gpr_raise_if (c, gpr_fail (a.failed, "%s", a.message));

  for (int i = 0; i < s.pieces; i++)
    take_class (c, i, a.class[i], &s, &here[i]);
  gpr_array whole = { .ndims = a.ndims };
  memcpy (whole.dims, a.dims, sizeof whole.dims);
  divided.dim = a.dim;
  divided.world = w;
  if (pieces == GPR_ROWS)
    {
      take_rows (c, &a, &whole);
      return &divided;
    }
  bring_both (c, pieces, &a, here, &s);
  if (s.failed)
    {
      gpr_fail (s.failed, "%s", s.message);
      gpr_world_leave (s.failed);
      gpr_mx_raise (c, s.failed);
    }
  divided.count = pieces;
  divided.empty = gpr_array_numel (&whole) == 0;
  whole.home = &gpr_ranks_backend;
  for (int i = 0; i < pieces; i++)
    {
      whole.class = s.of[i].class;
      whole.complex = a.complex[i];
      take_piece (c, i, &whole, &here[i]);
      if (gpr_array_numel (&whole) == 0)
        take_empty (c, i, &whole);
    }
  c->divided = divided.empty ? NULL : &divided;
  return &divided;
}
