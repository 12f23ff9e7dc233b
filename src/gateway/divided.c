#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "divided.h"
#include "../core/hash.h"
#include "fields.h"
#include "request.h"

static gpr_divided divided;     /* of the call in hand: an error unwinds without clean-up */

/* ---- the arguments ------------------------------------------------------------------ */

static void
failed (gpr_saying *s, gpr_status status)
{
  gpr_mx_blame (s, status, "%s", gpr_message ());
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
      gpr_mx_blame (s, GPR_BAD_INPUT, "%s is a gpuArray that is no longer alive", i ? "Y" : "X");
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
          gpr_mx_blame (s, GPR_BAD_INPUT, "%s is missing", i ? "Y" : "X");
          return;
        }
      if (! take_array (c, i, there, &here[i], s))
        gpr_mx_blame (s, GPR_BAD_INPUT, "%s must be a full array, of class double, single, an integer class, logical or char", i ? "Y" : "X");
      if (s->failed)
        return;
      describe (s, i, &here[i]);
      if (i > 0 && ! gpr_array_same_sizes (&here[0], &here[i]))
        gpr_mx_blame (s, GPR_BAD_INPUT, "X and Y must have the same sizes on each rank");
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
          gpr_mx_blame (s, GPR_UNSUPPORTED, "%s must be a full array, with \"comm\": not a cell", names[i]);
          return;
        }
      describe (s, i, &a);
      const int64_t numbers = gpr_array_numel (&a);
      if (i == 1 && numbers != 1 && numbers != s->of[0].dims[0])
        gpr_mx_blame (s, GPR_BAD_INPUT, "VALS must have an element for each row of SUBS, or one");
    }
}

/* What this rank's m-code has met while the others make the call.  */
static void
blame_by_message (const gpr_call *c, gpr_saying *s)
{
  char text[sizeof s->message];
  const bool known = gpr_mx_text (c->rhs[0], text, sizeof text);
  gpr_mx_blame (s, GPR_BAD_INPUT, "%s", known ? text : "an error");
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
gpr_mx_take_comm (gpr_call *c, int pieces, int weights, bool there)
{
  gpr_array here[GPR_MOST_PIECES];
  gpr_saying s;
  gpr_agreed a;
  gpr_world w;

  gpr_raise_if (c, gpr_world_check (&w));
  forget_last ();
  divided.world = w;
  memset (&s, 0, sizeof s);
  snprintf (s.function, sizeof s.function, "%s", c->caller);
  if (pieces == 0)
    gpr_mx_blame (&s, GPR_UNSUPPORTED, "this function does not take \"comm\" yet");
  gpr_mx_take_comm_options (c, &divided, &s);
  if (pieces == GPR_FAILED)
    blame_by_message (c, &s);
  else if (pieces == GPR_ROWS)
    describe_rows (c, &s);
  else
    describe_pieces (c, pieces, there, here, &s);
  s.arguments = c->nrhs;
  s.outputs = c->nlhs;
  const mxArray *given = gpr_mx_describe_weights (c, weights, &s);
  s.options = gpr_hash (gpr_mx_hash_arguments (c, s.pieces, given), &divided.result, sizeof divided.result);
  gpr_raise_if (c, gpr_agree (&s, &a, &divided.starts));
  if (a.failed)
    gpr_raise_if (c, gpr_fail (a.failed, "%s", a.message));

  for (int i = 0; i < s.pieces; i++)
    take_class (c, i, a.class[i], &s, &here[i]);
  gpr_array whole = { .ndims = a.ndims };
  memcpy (whole.dims, a.dims, sizeof whole.dims);
  divided.dim = a.dim;
  divided.weights_differ = a.weights_differ;
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
  if (divided.empty && a.weights_differ)
    gpr_mx_not_yet (c, "weights of an array without elements do");
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
