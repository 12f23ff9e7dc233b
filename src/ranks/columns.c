#include <stdlib.h>
#include <string.h>

#include "columns.h"

static gpr_status
no_memory (size_t bytes)
{
  return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", bytes);
}

/* The first column of rank k.  */
static int64_t
first_of (const gpr_dealt *d, int k)
{
  const int64_t columns = d->inner * d->outer, each = columns / d->world.size, left = columns % d->world.size;
  return k * each + (k < left ? k : left);
}

/* Columns from first to end of this rank's rows, row by row.  */
static void
pack (const gpr_dealt *d, const char *x, int64_t rows, int64_t first, int64_t end, size_t bytes, char *to)
{
  for (int64_t r = 0; r < rows; r++)
    for (int64_t j = first; j < end; )
      {
        const int64_t c = j % d->inner, o = j / d->inner, some = d->inner - c < end - j ? d->inner - c : end - j;
        memcpy (to, x + (c + d->inner * (r + rows * o)) * bytes, some * bytes);
        to += some * bytes;
        j += some;
      }
}

/* *leaks: the memory is still written to.  */
static gpr_status
exchange (gpr_dealt *d, const gpr_piece *x, const void *data, size_t bytes, char *packed, bool *leaks)
{
  const int64_t each = d->length / x->starts[d->world.size], rows = gpr_own_rows (x, &d->world, d->length);
  gpr_post p = { .count = 0 };
  gpr_status status = GPR_OK;

  for (int k = 0; k < d->world.size && status == GPR_OK; k++)
    {
      const int64_t theirs = (x->starts[k + 1] - x->starts[k]) * each;
      if (k != d->world.rank)
        status = gpr_post_receive (&p, k, GPR_POST_ROWS, d->x + x->starts[k] * each * d->count * bytes, theirs * d->count * bytes);
    }
  for (int k = 0; k < d->world.size && status == GPR_OK; k++)
    {
      const int64_t first = first_of (d, k), end = first_of (d, k + 1);
      char *to = k == d->world.rank ? d->x + x->starts[k] * each * d->count * bytes : packed + first * rows * bytes;
      pack (d, data, rows, first, end, bytes, to);
      if (k != d->world.rank)
        status = gpr_post_send (&p, k, GPR_POST_ROWS, to, (end - first) * rows * bytes);
    }
  return gpr_post_wait (&p, status, leaks);
}

gpr_status
gpr_deal_columns (gpr_dealt *d, const gpr_piece *x, size_t bytes)
{
  gpr_status status = gpr_world_check (&d->world);
  bool leaks = false;
  const void *data = NULL;

  if (status != GPR_OK)
    return status;
  d->first = first_of (d, d->world.rank);
  d->count = first_of (d, d->world.rank + 1) - d->first;
  const size_t whole = (size_t) (d->count * d->length) * bytes;
  const size_t own = (size_t) (d->inner * d->outer * gpr_own_rows (x, &d->world, d->length)) * bytes;
  char *packed = malloc (own + 1);
  d->x = malloc (whole + 1);
  status = packed && d->x ? gpr_piece_here (x, own, &data) : no_memory (whole + own);
  if (status == GPR_OK)
    status = exchange (d, x, data, bytes, packed, &leaks);
  if (! leaks)
    free (packed);
  else
    d->x = NULL;
  return status;
}

gpr_status
gpr_collect_columns (const gpr_dealt *d, const void *own, int64_t results, size_t bytes, void *all)
{
  const int64_t columns = d->inner * d->outer;
  int64_t *starts = malloc ((d->world.size + 1) * sizeof *starts);
  char *packed = malloc (columns * results * bytes + 1);
  gpr_status status = starts && packed ? GPR_OK : no_memory (columns * results * bytes);

  for (int k = 0; k <= d->world.size && starts; k++)
    starts[k] = first_of (d, k) * results * (int64_t) bytes;
  if (status == GPR_OK)
    status = gpr_world_gather (own, starts, packed);
  for (int rank = 0; rank < d->world.size && status == GPR_OK; rank++)
    {
      const int64_t first = first_of (d, rank), count = first_of (d, rank + 1) - first;
      for (int64_t k = 0; k < results; k++)
        for (int64_t i = 0; i < count; i++)
          {
            const int64_t j = first + i, to = j % d->inner + d->inner * (k + results * (j / d->inner));
            memcpy ((char *) all + to * bytes, packed + starts[rank] + (i + count * k) * bytes, bytes);
          }
    }
  free (packed);
  free (starts);
  return status;
}
