/* The backend's functions.  Those that are NULL the gateway refuses before (gateway/streamed.c).  */

#include <stdlib.h>
#include <string.h>

#include "../core/timed.h"
#include "../cpu/cpu.h"
#include "stream.h"

GPR_TIMED (reduce, gpr_reduction, gpr_stream_reduce)

static gpr_status
exact (gpr_reduction *r)
{
  (void) r;
  return gpr_fail (GPR_UNSUPPORTED, "\"exact\" does not go with a file or a function yet");
}

/* Results of two reductions.  */
static gpr_status
pair (gpr_pairing *p)
{
  return p->x_resident ? gpr_fail (GPR_UNSUPPORTED, "this does not go with a file or a function") : gpr_cpu_pair (p);
}

static gpr_status
count (gpr_counting *c)
{
  const gpr_stream *s = c->x;
  const int bytes = gpr_elem_bytes[c->elem];
  const int64_t all = c->inner * c->length * c->outer, at_once = ((int64_t) 16 << 20) / bytes;
  gpr_status status = GPR_OK;
  double *some = malloc (c->bins * sizeof *some);
  char *x = malloc ((all < at_once ? all : at_once) * bytes);

  if (! some || ! x)
    status = gpr_fail (GPR_OUT_OF_MEMORY, "%lld bytes of host memory", (long long) at_once * bytes);
  memset (c->counts, 0, c->bins * sizeof *c->counts);
  for (int64_t i = 0; i < all && status == GPR_OK; i += at_once)
    {
      gpr_counting piece = *c;
      piece.length = all - i < at_once ? all - i : at_once;
      piece.inner = piece.outer = 1;
      piece.x = x;
      piece.x_resident = false;
      piece.counts = some;
      status = gpr_stream_read (s, i, piece.length, x);
      if (status == GPR_OK)
        status = gpr_cpu_count (&piece);
      for (int64_t k = 0; k < c->bins && status == GPR_OK; k++)
        c->counts[k] += some[k];
      if (s->progress)
        s->progress ((double) (i + piece.length) / (double) all);
    }
  free (some);
  free (x);
  return status == GPR_OK ? s->source->check (s->source) : status;
}

/* Of one output: each rank reads them for itself.  */
static gpr_status
rows (const gpr_reduction *r, int64_t output, int64_t first, int64_t count, void *elements)
{
  const gpr_stream *s = r->x;
  const int bytes = gpr_instances[r->instance].elem_bytes;
  const int64_t o = output / r->inner, c = output % r->inner, most = (int64_t) 4 << 20, row_bytes = r->inner * bytes;
  const int64_t at_once = row_bytes < most ? most / row_bytes : 1;
  gpr_status status = GPR_OK;

  if (r->inner == 1)
    return gpr_stream_read (s, o * r->length + first, count, elements);
  const bool single = row_bytes > 1 << 16;      /* one by one */
  char *some = single ? NULL : malloc (at_once * row_bytes);
  if (! single && ! some)
    return gpr_fail (GPR_OUT_OF_MEMORY, "%lld bytes of host memory", (long long) (at_once * row_bytes));
  for (int64_t k = 0; k < count && status == GPR_OK && ! gpr_interrupted (); k += single ? 1 : at_once)
    {
      const int64_t here = count - k < at_once ? count - k : at_once, at = (o * r->length + first + k) * r->inner;
      if (single)
        status = gpr_stream_read (s, at + c, 1, (char *) elements + k * bytes);
      else
        status = gpr_stream_read (s, at, here * r->inner, some);
      for (int64_t i = 0; i < here && ! single && status == GPR_OK; i++)
        memcpy ((char *) elements + (k + i) * bytes, some + (i * r->inner + c) * bytes, bytes);
    }
  free (some);
  return status;
}

const gpr_backend gpr_stream_backend = {
  .name = "stream",
  .reduce = timed_reduce,
  .exact = exact,
  .count = count,
  .pair = pair,
  .room = gpr_system_free_memory,
  .rows = rows,
  .times = gpr_last_times
};
