/* Pieces and wholes of a call with "comm" (divided.h).  */

#include <string.h>

#include "divided.h"
#include "fields.h"
#include "../ranks/redivide.h"

static int
find (const gpr_call *c, const mxArray *m)
{
  int i = c->divided ? c->divided->count - 1 : -1;
  while (i >= 0 && c->divided->of[i].m != m)
    i--;
  return i;
}

gpr_piece
gpr_piece_of (const gpr_array *a, const gpr_array *whole, const int64_t *starts, int dim)
{
  gpr_piece p = { .data = a->data, .starts = starts, .home = a->home, .outer = 1 };
  for (int d = dim + 1; d < whole->ndims; d++)          /* a may be [] */
    p.outer *= whole->dims[d];
  return p;
}

bool
gpr_mx_divided (const gpr_call *c, const mxArray *m, gpr_array *a)
{
  const int i = find (c, m);
  if (i < 0)
    return false;
  *a = c->divided->of[i].whole;
  a->data = &c->divided->of[i].piece;
  return true;
}

static void
own_sizes (const gpr_divided *d, const int64_t *starts, gpr_array *a)
{
  while (a->ndims <= d->dim)
    a->dims[a->ndims++] = 1;
  a->dims[d->dim] = starts[d->world.rank + 1] - starts[d->world.rank];
  gpr_array_trim (a);
}

void
gpr_mx_part_sizes (const gpr_call *c, gpr_array *a)
{
  own_sizes (c->divided, c->divided->starts, a);
}

void
gpr_mx_here (const gpr_call *c, const mxArray *m, gpr_array *a)
{
  const int i = find (c, m);
  *a = c->divided->of[i].whole;
  own_sizes (c->divided, c->divided->of[i].piece.starts, a);
  a->home = c->divided->of[i].piece.home;
  a->device = c->divided->of[i].device;
  a->data = c->divided->of[i].piece.data;
}

static void
note (const gpr_call *c, const mxArray *m, const gpr_array *whole, const gpr_array *here, const int64_t *starts)
{
  gpr_divided *d = c->divided;
  if (d->count == GPR_MOST_DIVIDED)
    gpr_mx_raise (c, gpr_fail (GPR_UNSUPPORTED, "more than %d arrays of one call are divided", GPR_MOST_DIVIDED));
  d->of[d->count].m = m;
  d->of[d->count].whole = *whole;
  d->of[d->count].device = here->device;
  d->of[d->count++].piece = gpr_piece_of (here, whole, starts, d->dim);
}

bool
gpr_mx_takes_piece (gpr_call *c, const mxArray *m, gpr_array *x, int64_t dim)
{
  const gpr_divided *d = c->divided;

  /* With one index alone along it a rank has all, and it does not matter which dimension is said to be divided.  */
  if (! gpr_is_divided (x) || dim == d->dim + 1 || d->starts[d->world.size] == 1)
    return false;
  gpr_mx_here (c, m, x);
  c->divided->stays = GPR_ALL_STAY;
  if (! x->home)
    c->device = (gpr_device_request) { .want = GPR_WANT_CPU };
  return true;
}

const mxArray *
gpr_mx_divided_alike (const gpr_call *c, const mxArray *piece, const mxArray *made)
{
  const int i = find (c, piece);
  gpr_call plain = *c;
  gpr_array a;

  plain.divided = NULL;
  if (i >= 0 && find (c, made) < 0 && gpr_mx_array (&plain, made, &a))
    {
      gpr_array whole = c->divided->of[i].whole;
      whole.class = a.class;
      whole.complex = a.complex;
      note (c, made, &whole, &a, c->divided->of[i].piece.starts);
    }
  return made;
}

const mxArray *
gpr_mx_in_shape (const gpr_call *c, const mxArray *m)
{
  gpr_array own;
  void *data;

  if (find (c, m) < 0)
    return m;
  gpr_mx_here (c, m, &own);
  own.home = NULL;
  return gpr_array_numel (&own) > 0 ? m : gpr_mx_divided_alike (c, m, gpr_mx_create (&own, &data));
}

/* The whole of a piece like a that is longer than 1 along the divided dimension alone.  */
static gpr_array
row_along (const gpr_divided *d, const gpr_array *a, int64_t length)
{
  gpr_array whole = { .class = a->class, .complex = a->complex, .home = &gpr_ranks_backend };
  while (whole.ndims <= d->dim || whole.ndims < 2)
    whole.dims[whole.ndims++] = 1;
  whole.dims[d->dim] = length;
  return whole;
}

void
gpr_mx_divided_row (const gpr_call *c, const mxArray *m)
{
  const gpr_divided *d = c->divided;
  gpr_call plain = *c;
  gpr_array a;

  plain.divided = NULL;
  gpr_mx_array (&plain, m, &a);
  const gpr_array whole = row_along (d, &a, d->starts[d->world.size]);
  note (c, m, &whole, &a, d->starts);
}

const gpr_piece *
gpr_mx_redivided (const gpr_call *c, const gpr_array *x, int dim, const mxArray **made, gpr_piece *piece)
{
  const int ranks = c->divided->world.size, rank = c->divided->world.rank, from = c->divided->dim;
  int64_t *starts = mxMalloc ((ranks + 1) * sizeof *starts);    /* freed by Octave after the call */
  gpr_redivision r = { .bytes = gpr_elem_bytes[gpr_array_elem (x)], .below = 1, .between = 1, .above = 1, .later = x->dims[dim], .starts = starts };
  gpr_array a = *x;
  void *data;

  for (int k = 0; k <= ranks; k++)
    starts[k] = r.later * k / ranks;
  for (int d = 0; d < x->ndims; d++)
    if (d != from && d != dim)
      *(d < from ? &r.below : d < dim ? &r.between : &r.above) *= x->dims[d];
  a.home = NULL;
  a.dims[dim] = starts[rank + 1] - starts[rank];
  *made = gpr_mx_create (&a, &data);
  gpr_raise_if (c, gpr_ranks_redivide (&r, x->data, data));
  *piece = (gpr_piece) { .data = data, .starts = starts, .outer = r.above };
  return piece;
}

const mxArray *
gpr_mx_picked (const gpr_call *c, const mxArray *made)
{
  const gpr_divided *d = c->divided;
  const int ranks = d->world.size;
  int64_t *starts = mxMalloc ((ranks + 1) * sizeof *starts);    /* freed by Octave after the call */
  gpr_call plain = *c;
  gpr_array a;

  plain.divided = NULL;
  gpr_mx_array (&plain, made, &a);
  memset (starts, 0, (ranks + 1) * sizeof *starts);
  starts[d->world.rank + 1] = gpr_array_numel (&a);
  gpr_raise_if (c, gpr_world_combine (starts, ranks + 1, sizeof *starts, gpr_add_integers));
  for (int k = 0; k < ranks; k++)
    starts[k + 1] += starts[k];
  if (starts[ranks] == 0)
    return made;
  const gpr_array whole = row_along (d, &a, starts[ranks]);
  note (c, made, &whole, &a, starts);
  return made;
}

void
gpr_mx_bounds_of_all (const gpr_call *c, double *low, double *high)
{
  double both[2] = { *low, *high };
  gpr_raise_if (c, gpr_world_combine (both, 1, sizeof both, gpr_take_bounds));
  *low = both[0];
  *high = both[1];
}

static mxArray *
put_together (const gpr_call *c, const gpr_array *whole, const gpr_piece *piece)
{
  const int64_t most = (int64_t) 1 << 30;
  const int64_t bytes = gpr_array_numel (whole) * gpr_elem_bytes[gpr_array_elem (whole)];
  gpr_array a = *whole;
  void *data;

  if (bytes > most)
    gpr_raise_if (c, gpr_fail (GPR_UNSUPPORTED, "this is Octave's own to compute, of the whole array, and %lld bytes are too many to bring "
                               "together on each rank", (long long) bytes));
  a.home = NULL;
  mxArray *m = gpr_mx_create (&a, &data);
  gpr_raise_if (c, gpr_ranks_backend.download (data, piece, (size_t) bytes));
  return m;
}

const mxArray *
gpr_mx_whole (const gpr_call *c, const mxArray *m)
{
  const int i = find (c, m);
  return i < 0 ? m : put_together (c, &c->divided->of[i].whole, &c->divided->of[i].piece);
}

mxArray *
gpr_mx_whole_result (const gpr_call *c, mxArray *m)
{
  gpr_call plain = *c;
  gpr_array a;

  plain.divided = NULL;
  gpr_mx_array (&plain, m, &a);
  gpr_piece piece = gpr_piece_of (&a, &a, c->divided->starts, c->divided->dim);
  a.dims[c->divided->dim] = c->divided->starts[c->divided->world.size];
  mxArray *whole = put_together (c, &a, &piece);
  gpr_piece_forget (&piece);
  return whole;
}

mxArray *
gpr_mx_own_part (const gpr_call *c, mxArray *m)
{
  gpr_divided *d = c->divided;
  const int64_t *starts = d->starts, whole = starts[d->world.size], first = starts[d->world.rank];
  gpr_call plain = *c;
  gpr_array a;
  void *data;

  plain.divided = NULL;
  if (whole == 1 || d->reduced || ! gpr_mx_array (&plain, m, &a) || a.ndims <= d->dim || a.dims[d->dim] != whole)
    return m;
  const int64_t outer = gpr_piece_of (&a, &a, starts, d->dim).outer, rows = starts[d->world.rank + 1] - first;
  const size_t each = gpr_array_numel (&a) == 0 ? 0 : (size_t) (gpr_array_numel (&a) / (whole * outer)) * gpr_elem_bytes[gpr_array_elem (&a)];
  const char *from = a.data;
  a.dims[d->dim] = rows;
  mxArray *own = gpr_mx_create (&a, &data);
  for (int64_t o = 0; o < outer; o++)
    memcpy ((char *) data + o * rows * each, from + (o * whole + first) * each, rows * each);
  d->stays = GPR_ALL_STAY;
  return own;
}

/* ---- for m-code -------------------------------------------------------------------------- */

/* This rank's piece with the class and sizes that it has by those of the others, and a structure: sizes of the whole array, the dimension that is
   divided, how many of its indices come before, whether this rank gets what all could have, and the other arguments, which are the same on all ranks.  */
void
gpr_mx_own_piece (gpr_call *c)
{
  gpr_divided *d = c->comm;
  mxArray *s = mxCreateStructMatrix (1, 1, 0, NULL), *args;
  double sizes[GPR_MAX_DIMS];
  void *data;

  if (! d)
    gpr_mx_invalid (c, "a piece comes with \"comm\"");
  gpr_array own = d->of[0].whole;
  own_sizes (d, d->starts, &own);
  own.home = NULL;
  c->plhs[0] = gpr_array_numel (&own) > 0 ? (mxArray *) d->of[0].m : gpr_mx_create (&own, &data);
  for (int k = 0; k < d->of[0].whole.ndims; k++)
    sizes[k] = (double) d->of[0].whole.dims[k];
  set (s, "sizes", row_of (sizes, d->of[0].whole.ndims));
  set_number (s, "dim", d->dim + 1);
  set_number (s, "from", (double) d->starts[d->world.rank]);
  set_flag (s, "wanted", d->result < 0 || d->result == d->world.rank);
  set (s, "args", args = mxCreateCellMatrix (1, c->nrhs - 1));
  for (int i = 1; i < c->nrhs; i++)
    mxSetCell (args, i - 1, mxDuplicateArray (c->rhs[i]));
  if (c->nlhs > 1)
    c->plhs[1] = s;
  d->stays = GPR_ALL_STAY;
}

void
gpr_mx_redivide (gpr_call *c)
{
  const mxArray *made = c->rhs[0];
  gpr_piece piece;
  gpr_array x;
  int64_t dim;

  if (! c->divided || c->nrhs != 2 || ! gpr_mx_count (c->rhs[1], &dim) || dim <= c->divided->dim + 1 || ! gpr_mx_divided (c, made, &x) || dim > x.ndims)
    gpr_mx_invalid (c, "DIM must be a later dimension of a divided array than the divided one");
  gpr_mx_redivided (c, &x, (int) dim - 1, &made, &piece);
  c->plhs[0] = (mxArray *) made;
  c->divided->stays = GPR_ALL_STAY;
}

void
gpr_mx_fail_on_ranks (gpr_call *c)
{
  gpr_mx_invalid (c, "an error of ranks comes with \"comm\"");
}

/* ---- results -------------------------------------------------------------------------- */

/* To where X is.  */
static mxArray *
as_gpuarray (const gpr_call *c, const gpr_divided *d, mxArray *m)
{
  gpr_call plain = *c;
  gpr_array a;

  plain.divided = NULL;
  if (mxGetNumberOfElements (m) == 1 || gpr_mx_is_gpuarray (m) || ! gpr_mx_array (&plain, m, &a))
    return m;
  const gpr_choice home = { .backend = d->home, .device = d->device };
  return gpr_mx_keep (c, &home, &a, m);
}

/* This rank's part of a result, or of each of a structure, of an X without elements; false: it is not divided.  */
static bool
take_own (const gpr_call *c, gpr_divided *d, mxArray **result)
{
  gpr_call plain = *c, own = *c;
  gpr_array a;
  const int64_t whole = d->starts[d->world.size];
  bool cut = false;

  if (mxIsStruct (*result))
    {
      for (int i = 0; i < mxGetNumberOfFields (*result); i++)
        {
          mxArray *field = mxGetFieldByNumber (*result, 0, i);
          if (take_own (c, d, &field))
            {
              mxSetFieldByNumber (*result, 0, i, field);
              cut = true;
            }
        }
      return cut;
    }
  plain.divided = NULL;
  own.divided = d;
  if (whole < 2 || ! gpr_mx_array (&plain, *result, &a) || a.ndims <= d->dim || a.dims[d->dim] != whole)
    return false;
  const int stays = d->stays;   /* others of this call may not be divided */
  *result = gpr_mx_own_part (&own, *result);
  d->stays = stays;
  return true;
}

void
gpr_mx_deliver_comm (gpr_call *c, gpr_divided *d, int arrays, int along)
{
  for (int i = 0; d->empty && i < (c->nlhs > 0 ? c->nlhs : 1); i++)
    if (along >> i & 1 && c->plhs[i] && take_own (c, d, &c->plhs[i]))
      d->stays |= 1 << i;
  const bool wanted = d->result < 0 || d->result == d->world.rank;
  for (int i = 0; i < (c->nlhs > 0 ? c->nlhs : 1); i++)
    if (! wanted && ! (d->stays >> i & 1))
      c->plhs[i] = mxCreateDoubleMatrix (0, 0, mxREAL);
    else if (d->home && i < arrays && c->plhs[i])
      c->plhs[i] = as_gpuarray (c, d, c->plhs[i]);
  for (int i = 0; i < d->count; i++)
    gpr_piece_forget (&d->of[i].piece);
}
