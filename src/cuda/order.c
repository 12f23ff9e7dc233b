/* The sorted columns, for the list of all modes, and the k greatest or least: a chunk of whole columns after the other,
   sorted on the GPU.  A column that does not fit there is out of memory.  */

#include "problems.h"
#include "select_args.h"
#include "../core/order.h"
#include "../core/select.h"
#include "../../kernels/engine/order.h"
#include "../../kernels/engine/sort.h"

enum { MOST_ELEMENTS = INT32_MAX };     /* of a chunk: positions have 32 bits */

typedef struct {
  const gpr_ordering *o;                /* of a ranking: its columns alone */
  const gpr_ranking *r;                 /* or NULL: all of a column */
  gpr_cuda_state *s;
  const gpr_order_kernels *kernels;
  int64_t elem_bytes;
  int64_t outers, columns;              /* of a chunk; outers is 1 unless columns is l */
  void *x, *keys[2], *temp, *value, *index;
  uint32_t *positions[2];
  size_t temp_bytes;
} job;

/* Bytes of what the device keeps of a column beside its elements.  */
static int64_t
bytes_of_column (const job *j)
{
  const gpr_ranking *r = j->r;
  return ! r || r->out_resident ? 0 : r->count * (j->elem_bytes + (r->index ? sizeof (double) : 0));
}

/* Sorts count positions by the keys; temp NULL: says how much of it that takes.  */
static cudaError_t
sort (const job *j, int key_bytes, int key_bits, int *at, int64_t count, void *temp, size_t *temp_bytes)
{
  return (cudaError_t) gpr_engine_sort (key_bytes, key_bits, j->keys, j->positions, at, count, temp, temp_bytes, j->s->work);
}

static int
bits_of (int64_t columns)
{
  int bits = 1;
  while (bits < 32 && (int64_t) 1 << bits < columns)
    bits++;
  return bits;
}

/* As many columns as room holds, but one at least.  */
static gpr_status
make_plan (job *j, size_t room)
{
  const gpr_ordering *o = j->o;
  const int64_t element = 2 * (j->kernels->key_bytes + sizeof (uint32_t)) + (o->x_resident ? 0 : j->elem_bytes);
  if (o->length > MOST_ELEMENTS)
    return gpr_cuda_fail (GPR_OUT_OF_MEMORY, "%lld elements of a column: the GPU sorts at most %d",
                          (long long) o->length, MOST_ELEMENTS);
  int64_t most = gpr_min64 (room / (o->length * element + bytes_of_column (j)), MOST_ELEMENTS / o->length);

  j->columns = gpr_max64 (1, gpr_min64 (o->inner, most));
  j->outers = gpr_max64 (1, gpr_min64 (o->outer, most / o->inner));
  return GPR_OK;
}

static gpr_status
allocate (job *j)
{
  const int64_t columns = j->outers * j->columns, count = columns * j->o->length;
  size_t by_key = 0, by_column = 0;
  int at = 0;

  if (! j->o->x_resident)
    GPR_TRY (gpr_cuda_take (j->s, &j->x, count * j->elem_bytes));
  for (int i = 0; i < 2; i++)
    {
      void *positions;
      GPR_TRY (gpr_cuda_take (j->s, &j->keys[i], count * j->kernels->key_bytes));
      GPR_TRY (gpr_cuda_take (j->s, &positions, count * sizeof (uint32_t)));
      j->positions[i] = positions;
    }
  if (j->r && ! j->r->out_resident)
    {
      GPR_TRY (gpr_cuda_take (j->s, &j->value, columns * j->r->count * j->elem_bytes));
      if (j->r->index)
        GPR_TRY (gpr_cuda_take (j->s, &j->index, columns * j->r->count * sizeof (double)));
    }
  GPR_CUDA_TRY (sort (j, j->kernels->key_bytes, j->kernels->key_bits, &at, count, NULL, &by_key), "planning a sort");
  GPR_CUDA_TRY (sort (j, sizeof (uint32_t), bits_of (columns), &at, count, NULL, &by_column), "planning a sort");
  j->temp_bytes = by_key > by_column ? by_key : by_column;
  return gpr_cuda_take (j->s, &j->temp, j->temp_bytes);
}

static void
release (job *j)
{
  gpr_cuda_give (j->x);
  for (int i = 0; i < 2; i++)
    {
      gpr_cuda_give (j->keys[i]);
      gpr_cuda_give (j->positions[i]);
      j->keys[i] = j->positions[i] = NULL;
    }
  gpr_cuda_give (j->temp);
  gpr_cuda_give (j->value);
  gpr_cuda_give (j->index);
  j->x = j->temp = j->value = j->index = NULL;
}

static gpr_status
launch (const job *j, const void *kernel, int64_t items, const gpr_order_args *a)
{
  return gpr_cuda_launch (j->s, kernel, gpr_over (items, GPR_ORDER_THREADS), GPR_ORDER_THREADS, 0, a);
}

/* The positions of the sorted columns, one column after the other.  */
static gpr_status
sort_columns (const job *j, gpr_order_args *a)
{
  const gpr_order_kernels *k = j->kernels;
  const int64_t columns = a->outers * a->columns;
  int at = 0;

  a->keys = j->keys[0];
  a->positions = j->positions[0];
  GPR_TRY (launch (j, k->keys, a->count, a));
  if (a->n == 1)
    return GPR_OK;
  GPR_CUDA_TRY (sort (j, k->key_bytes, k->key_bits, &at, a->count, j->temp, &(size_t) { j->temp_bytes }), "sorting");
  a->positions = j->positions[at];
  if (columns == 1)
    return GPR_OK;
  a->column = j->keys[at];
  GPR_TRY (launch (j, k->column, a->count, a));
  GPR_CUDA_TRY (sort (j, sizeof (uint32_t), bits_of (columns), &at, a->count, j->temp, &(size_t) { j->temp_bytes }), "sorting");
  a->positions = j->positions[at];
  return GPR_OK;
}

static gpr_status
work_on (const job *j, gpr_order_args *a)
{
  const gpr_order_kernels *k = j->kernels;
  const int64_t columns = a->outers * a->columns;

  GPR_TRY (sort_columns (j, a));
  if (j->r)
    return launch (j, k->first, columns * a->taken, a);
  a->sorted = j->keys[0];               /* done with */
  return launch (j, k->take, a->count, a);
}

static gpr_status
fetch_sorted (const job *j, const gpr_order_args *a, int64_t first)
{
  const int64_t column = j->o->length * j->elem_bytes;
  gpr_cuda_view v = gpr_cuda_bytes ((char *) j->o->sorted + first * column, a->outers * a->columns * column);
  return gpr_cuda_download (j->s, &v, a->sorted);
}

/* What the chunk has of an output, which begins there.  */
static gpr_status
fetch_ranked (const job *j, const gpr_order_args *a, void *host, const void *device, size_t bytes)
{
  gpr_cuda_view v = { host, a->columns * bytes, j->o->inner * bytes, a->taken };
  if (a->columns == j->o->inner)
    v = gpr_cuda_bytes (host, a->outers * a->columns * a->taken * bytes);
  return gpr_cuda_download (j->s, &v, device);
}

static gpr_status
run_chunk (job *j, int64_t outer, int64_t column)
{
  const gpr_ordering *o = j->o;
  const int64_t outers = gpr_min64 (j->outers, o->outer - outer), columns = gpr_min64 (j->columns, o->inner - column);
  const int64_t first = column + o->inner * outer, results = outers * columns;
  const char *x = (const char *) o->x + (column + o->inner * o->length * outer) * j->elem_bytes;
  gpr_cuda_slot *slot;
  gpr_order_args a = {
    .x = x, .row_stride = o->inner, .outer_stride = o->inner * o->length, .outers = outers, .n = o->length, .columns = columns,
    .count = results * o->length
  };
  const gpr_ranking *r = j->r;
  const int64_t ranked = r ? column + o->inner * r->count * outer : 0;
  char *value = r ? (char *) r->value + ranked * j->elem_bytes : NULL;

  gpr_select_keys (&a.key, o->elem);
  a.key.minus_zero = a.key.floating ? a.key.flip : 0;
  if (r)
    {
      a.taken = r->count;
      a.key.nan_first = r->nan_first;
      a.key.turned = r->greatest ? ~(uint64_t) 0 >> (64 - j->kernels->key_bits) : 0;
      a.value = r->out_resident ? value : j->value;
      a.index = ! r->index ? NULL : r->out_resident ? r->index + ranked : j->index;
      a.value_stride = r->out_resident ? o->inner : columns;
    }

  if (! o->x_resident)
    {
      gpr_cuda_view v = { (char *) x, columns * j->elem_bytes, o->inner * j->elem_bytes, o->length };
      if (columns == o->inner)
        v = gpr_cuda_bytes (x, a.count * j->elem_bytes);
      GPR_TRY (gpr_cuda_upload (j->s, j->x, &v));
      a.x = j->x;
      a.row_stride = columns;
      a.outer_stride = columns * o->length;
    }
  GPR_TRY (gpr_cuda_next_slot (j->s, &slot));
  GPR_TRY (gpr_cuda_begin_work (j->s, slot));
  GPR_TRY (work_on (j, &a));
  GPR_TRY (gpr_cuda_end_work (j->s, slot));
  if (! r)
    return fetch_sorted (j, &a, first);
  if (r->out_resident)
    return gpr_cuda_drain (j->s);
  GPR_TRY (fetch_ranked (j, &a, value, a.value, j->elem_bytes));
  return r->index ? fetch_ranked (j, &a, r->index + ranked, a.index, sizeof (double)) : GPR_OK;
}

static gpr_status
run (job *j)
{
  for (int64_t outer = 0; outer < j->o->outer; outer += j->outers)
    for (int64_t column = 0; column < j->o->inner; column += j->columns)
      GPR_TRY (run_chunk (j, outer, column));
  return gpr_cuda_drain (j->s);
}

static gpr_status
order (job *j)
{
  gpr_status status;

  j->elem_bytes = gpr_bytes_of (j->o->elem);
  j->kernels = gpr_engine_order ((int) j->elem_bytes);
  if (j->o->elem == GPR_c128 || j->o->elem == GPR_c64)
    return gpr_cuda_fail (GPR_UNSUPPORTED, "ordering element type %d", (int) j->o->elem);
  for (size_t room = gpr_cuda_room ();; room /= 2)
    {
      status = make_plan (j, room);
      if (status == GPR_OK)
        status = allocate (j);
      if (status != GPR_OUT_OF_MEMORY || j->outers * j->columns <= 1)
        break;
      release (j);
    }
  if (status == GPR_OK)
    status = run (j);
  gpr_cuda_finish (j->s);
  release (j);
  return status;
}

gpr_status
gpr_cuda_order (gpr_cuda_state *s, gpr_ordering *o)
{
  job j = { .o = o, .s = s };
  if (o->sorted)
    GPR_TRY (order (&j));
  return gpr_cuda_modes (s, o);
}

gpr_status
gpr_cuda_sort (gpr_cuda_state *s, gpr_ranking *r)
{
  const gpr_ordering o = { .elem = r->elem, .inner = r->inner, .length = r->length, .outer = r->outer, .x = r->x, .x_resident = r->x_resident };
  job j = { .o = &o, .r = r, .s = s };
  return order (&j);
}
