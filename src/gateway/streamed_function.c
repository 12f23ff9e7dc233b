/* Arrays that a function brings in pieces: FUNCTION (FIRST, LAST) returns the indices FIRST to LAST of the last dimension.  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "streamed.h"
#include "../core/hash.h"

typedef struct {
  gpr_source source;            /* first */
  const gpr_call *c;
  const mxArray *function;
  gpr_array array;
  int dim;
  int64_t slice, at_once;       /* elements of an index; indices of a piece */
  mxArray *piece;               /* Octave frees it if the call is left */
  gpr_brought brought;          /* its elements */
} function_source;

static gpr_status
check_piece (const function_source *f, const mxArray *m, int64_t first, int64_t last)
{
  gpr_call plain = *f->c;
  gpr_array a, wanted = f->array;
  plain.streamed = NULL;
  wanted.dims[f->dim] = last - first + 1;
  gpr_array_trim (&wanted);
  if (gpr_mx_is_gpuarray (m) || ! gpr_mx_array (&plain, m, &a) || a.class != wanted.class || (a.complex && ! wanted.complex))
    return gpr_fail (GPR_CANNOT_READ, "the function returned %s%.40s for the indices %lld to %lld, not a full array of class %s%s",
                     mxIsSparse (m) ? "a sparse " : mxIsComplex (m) ? "a complex " : "a ", mxGetClassName (m), (long long) first, (long long) last,
                     wanted.complex ? "complex " : "", gpr_class_names[wanted.class]);
  gpr_array_trim (&a);
  if (gpr_array_same_sizes (&a, &wanted))
    return GPR_OK;
  char text[2][120];
  for (int k = 0; k < 2; k++)
    {
      const gpr_array *of = k ? &wanted : &a;
      int at = 0;
      for (int d = 0; d < of->ndims && at < 100; d++)
        at += snprintf (text[k] + at, sizeof text[k] - at, "%s%lld", d ? "x" : "", (long long) of->dims[d]);
    }
  return gpr_fail (GPR_CANNOT_READ, "the function returned %s elements for the indices %lld to %lld, not %s", text[0], (long long) first,
                   (long long) last, text[1]);
}

/* The piece that begins with the index of this element.  */
static gpr_status
bring (gpr_source *s, int64_t element)
{
  function_source *f = (function_source *) s;
  const int64_t index = element / f->slice;
  const int64_t all = f->array.dims[f->dim], end = index + f->at_once < all ? index + f->at_once : all;
  char id[100] = "", message[600] = "";
  mxArray *out[3] = { NULL }, *in[3] = { (mxArray *) f->function, mxCreateDoubleScalar ((double) (index + 1)), mxCreateDoubleScalar ((double) end) };

  if (f->piece)
    mxDestroyArray (f->piece);
  f->piece = NULL;
  f->brought.count = 0;
  mexCallMATLAB (3, out, 3, in, "__gpr_piece__");
  mxGetString (out[1], id, sizeof id);
  mxGetString (out[2], message, sizeof message);
  gpr_status status = message[0] || id[0] ? gpr_fail (GPR_CANNOT_READ, "the function failed for the indices %lld to %lld: %s", (long long) (index + 1),
                                                       (long long) end, message)
                      : check_piece (f, out[0], index + 1, end);
  for (int k = 1; k < 3; k++)
    {
      mxDestroyArray (in[k]);
      mxDestroyArray (out[k]);
    }
  if (status != GPR_OK)
    {
      mxDestroyArray (out[0]);
      return status;
    }
  f->piece = out[0];
  f->brought = (gpr_brought) { mxGetData (f->piece), index * f->slice, (end - index) * f->slice, f->array.complex && ! mxIsComplex (f->piece) };
  return GPR_OK;
}

static gpr_status
read_piece (gpr_source *s, int64_t first, int64_t count, void *to)
{
  return gpr_read_brought (s, &((function_source *) s)->brought, bring, first, count, to);
}

static gpr_status
check (gpr_source *s)
{
  (void) s;
  return GPR_OK;
}

/* Its piece is Octave's, which may have freed it.  */
static void
close_function (gpr_source *s)
{
  free (s);
}

gpr_status
gpr_function_open (const gpr_call *c, const mxArray *function, const gpr_array *a, int dim, int64_t pieces, gpr_source **source)
{
  const int64_t most = (int64_t) 32 << 20;
  mxArray *said = NULL, *in[1] = { (mxArray *) function };
  mexCallMATLAB (1, &said, 1, in, "func2str");
  const char *text = mxArrayToString (said);
  function_source *f = calloc (1, sizeof *f);

  if (! f)
    return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", sizeof *f);
  f->source = (gpr_source) { .elem = gpr_array_elem (a), .count = gpr_array_numel (a), .read = read_piece, .check = check, .close = close_function,
                             .changed = "the function has another text than when", .fingerprint = gpr_hash (GPR_HASH_BEGIN, text, strlen (text)) };
  f->c = c;
  f->function = function;
  f->array = *a;
  f->dim = dim;
  f->slice = f->source.count / a->dims[dim];
  f->at_once = pieces > 0 ? pieces : most / (f->slice * gpr_elem_bytes[f->source.elem]);
  f->at_once = f->at_once > 0 ? f->at_once : 1;
  *source = &f->source;
  return GPR_OK;
}
