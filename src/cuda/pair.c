/* Elementwise max, min, product and difference of two arrays: in pieces along the last dimension
   where the arrays do not fit together, and along the one before where a single
   index of it does not.  */

#include <string.h>

#include "problems.h"
#include "stream.h"
#include "../../kernels/engine/engine.h"

typedef struct {
  gpr_pairing p;                /* x, y, z: of the part at hand */
  gpr_cuda_state *s;
  gpr_pair_args a;              /* of a piece; count is set for each */
  int64_t elem_bytes, slab;     /* elements of z for one index of the last dimension */
  int64_t length, piece;        /* of the last dimension */
  void *x, *y, *z;              /* host arrays' copies */
} job;

static gpr_status
join_dimensions (job *j)
{
  const gpr_pairing *p = &j->p;
  gpr_pair_args *a = &j->a;
  int last;

  a->rank = 0;
  for (int d = 0; d < p->rank; d++)
    {
      last = a->rank - 1;
      if (p->dims[d] == 1)
        continue;
      if (last >= 0 && p->xs[d] == a->xs[last] * a->dims[last] && p->ys[d] == a->ys[last] * a->dims[last])
        {
          a->dims[last] *= p->dims[d];
          continue;
        }
      if (a->rank == GPR_PAIR_RANK)
        return gpr_cuda_fail (GPR_UNSUPPORTED, "arrays that broadcast in more than %d dimensions", GPR_PAIR_RANK);
      a->dims[a->rank] = p->dims[d];
      a->xs[a->rank] = p->xs[d];
      a->ys[a->rank++] = p->ys[d];
    }
  if (a->rank == 0)
    a->dims[a->rank++] = 1;
  return GPR_OK;
}

/* Bytes of an array of these strides that a piece of the last dimension needs.  */
static size_t
span (const job *j, const int64_t *strides, int64_t piece)
{
  const int last = j->a.rank - 1;
  int64_t elements = 1;
  if (strides[last] > 0)
    return piece * strides[last] * j->elem_bytes;
  for (int d = 0; d < last; d++)
    elements += (j->a.dims[d] - 1) * strides[d];
  return elements * j->elem_bytes;
}

static size_t
total (const job *j, int64_t piece)
{
  return (j->p.x_resident ? 0 : span (j, j->a.xs, piece)) + (j->p.y_resident ? 0 : span (j, j->a.ys, piece))
         + (j->p.out_resident ? 0 : j->slab * piece * j->elem_bytes);
}

static gpr_status
allocate (job *j)
{
  if (! j->p.x_resident)
    GPR_TRY (gpr_cuda_take (j->s, &j->x, span (j, j->a.xs, j->piece)));
  if (! j->p.y_resident)
    GPR_TRY (gpr_cuda_take (j->s, &j->y, span (j, j->a.ys, j->piece)));
  if (! j->p.out_resident)
    GPR_TRY (gpr_cuda_take (j->s, &j->z, j->slab * j->piece * j->elem_bytes));
  return GPR_OK;
}

static void
release (job *j)
{
  gpr_cuda_give (j->x);
  gpr_cuda_give (j->y);
  gpr_cuda_give (j->z);
  j->x = j->y = j->z = NULL;
}

/* Where indices first … of the last dimension are on the device.  An array
   that broadcasts there is uploaded once.  */
static gpr_status
bring (job *j, const void *host, bool resident, void *copy, const int64_t *strides, int64_t first, int64_t piece,
       const void **device)
{
  int64_t stride = strides[j->a.rank - 1];
  const char *at = (const char *) host + first * stride * j->elem_bytes;
  *device = resident ? at : copy;
  if (resident || (first > 0 && stride == 0))
    return GPR_OK;
  gpr_cuda_view v = gpr_cuda_bytes (at, span (j, strides, piece));
  return gpr_cuda_upload (j->s, copy, &v);
}

static gpr_status
run (job *j)
{
  const gpr_pairing *p = &j->p;
  for (int64_t first = 0; first < j->length; first += j->piece)
    {
      int64_t piece = gpr_min64 (j->piece, j->length - first);
      gpr_pair_args *a = &j->a;
      char *z = (char *) p->z + first * j->slab * j->elem_bytes;
      gpr_cuda_slot *slot;

      a->count = piece * j->slab;
      a->z = p->out_resident ? z : j->z;
      GPR_TRY (bring (j, p->x, p->x_resident, j->x, a->xs, first, piece, &a->x));
      GPR_TRY (bring (j, p->y, p->y_resident, j->y, a->ys, first, piece, &a->y));
      GPR_TRY (gpr_cuda_next_slot (j->s, &slot));
      GPR_TRY (gpr_cuda_begin_work (j->s, slot));
      GPR_TRY (gpr_cuda_launch (j->s, gpr_engine_pair (p->elem), gpr_over (a->count, GPR_REDUCE_THREADS), GPR_REDUCE_THREADS, 0, a));
      GPR_TRY (gpr_cuda_end_work (j->s, slot));
      if (! p->out_resident)
        {
          gpr_cuda_view v = gpr_cuda_bytes (z, a->count * j->elem_bytes);
          GPR_TRY (gpr_cuda_download (j->s, &v, j->z));
        }
    }
  return gpr_cuda_drain (j->s);
}

static gpr_status pair_slabs (const job *j);

static gpr_status
pair (job *j)
{
  const int last = j->a.rank - 1;
  gpr_status status;

  j->length = j->piece = j->a.dims[last];
  j->slab = 1;
  for (int d = 0; d < last; d++)
    j->slab *= j->a.dims[d];
  while (j->piece > 1 && total (j, j->piece) > gpr_cuda_room ())
    j->piece = gpr_over (j->piece, 2);
  if (last > 0 && total (j, j->piece) > gpr_cuda_room ())
    return pair_slabs (j);
  for (;;)
    {
      status = allocate (j);
      if (status == GPR_OK)
        {
          status = run (j);
          gpr_cuda_finish (j->s);       /* before its memory goes */
          release (j);
          return status;
        }
      release (j);
      if (status != GPR_OUT_OF_MEMORY || total (j, j->piece) / 2 < GPR_CUDA_LEAST)
        return status;
      if (j->piece == 1)
        return last > 0 ? pair_slabs (j) : status;
      j->piece = gpr_over (j->piece, 2);
    }
}

/* One index of the last dimension after the other.  What broadcasts there is
   uploaded for each, never more than comes back of z.  */
static gpr_status
pair_slabs (const job *j)
{
  const int last = j->a.rank - 1;
  for (int64_t i = 0; i < j->length; i++)
    {
      job part = *j;
      part.a.rank = last;
      part.p.x = (const char *) j->p.x + i * j->a.xs[last] * j->elem_bytes;
      part.p.y = (const char *) j->p.y + i * j->a.ys[last] * j->elem_bytes;
      part.p.z = (char *) j->p.z + i * j->slab * j->elem_bytes;
      GPR_TRY (pair (&part));
    }
  return GPR_OK;
}

gpr_status
gpr_cuda_pair (gpr_cuda_state *s, gpr_pairing *p)
{
  job j = { .p = *p, .s = s, .elem_bytes = gpr_bytes_of (p->elem), .a = { .op = p->op } };

  for (int d = 0; d < p->rank; d++)
    if (p->dims[d] == 0)
      return GPR_OK;
  GPR_TRY (join_dimensions (&j));
  return pair (&j);
}
