/* Pieces: where they lie, and copies between them and the host.  */

#include <stdlib.h>
#include <string.h>

#include "../dispatch/cuda_module.h"
#include "../dispatch/takers.h"
#include "backend.h"

static const gpr_backend *
cuda (void)
{
  return &gpr_cuda ()->backend;
}

/* Memory of a device; the calling thread is Octave's.  */
gpr_status
gpr_spread_take (int device, int64_t bytes, void **p)
{
  const int before = gpr_cuda () ? gpr_cuda ()->selected () : 0;
  gpr_status status = gpr_cuda () ? gpr_cuda ()->select (device) : GPR_NO_DEVICE;
  *p = NULL;
  if (status == GPR_OK && bytes > 0)
    status = cuda ()->allocate (p, (size_t) bytes);
  if (status != GPR_OK)
    return gpr_among_fail (device, status);
  return before > 0 ? gpr_cuda ()->select (before) : GPR_OK;
}

void
gpr_spread_drop_pieces (gpr_pieces *s)
{
  for (int k = 0; k < s->count; k++)
    if (s->at[k])
      cuda ()->release (s->at[k]);
  s->count = 0;
}

gpr_status
gpr_spread_take_pieces (gpr_pieces *s)
{
  const int count = s->count;
  gpr_status status = GPR_OK;

  for (s->count = 0; s->count < count && status == GPR_OK; )
    {
      const int k = s->count;
      status = gpr_spread_take (s->device[k], s->starts[k + 1] - s->starts[k], &s->at[k]);
      s->count += status == GPR_OK;
    }
  if (status != GPR_OK)
    gpr_spread_drop_pieces (s);
  return status;
}

/* ---- the backend's functions ---------------------------------------------------------- */

gpr_status
gpr_spread_allocate (void **p, size_t bytes)
{
  gpr_pieces *s = calloc (1, sizeof *s);
  *p = s;
  if (! s)
    return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", sizeof *s);
  s->bytes = (int64_t) bytes;
  s->first = gpr_cuda ()->selected () > 0 ? gpr_cuda ()->selected () : 1;
  return GPR_OK;
}

void
gpr_spread_release (void *p)
{
  if (p)
    gpr_spread_drop_pieces (p);
  free (p);
}

size_t
gpr_spread_room (void)
{
  return cuda ()->room ();
}

gpr_status
gpr_spread_upload (void *resident, const void *host, size_t bytes)
{
  gpr_pieces *s = resident;
  return s->count == 0 ? gpr_spread_put (s, host, bytes) : gpr_spread_write (s, 0, (int64_t) bytes, host);
}

gpr_status
gpr_spread_download (void *host, const void *resident, size_t bytes)
{
  return gpr_spread_read (resident, 0, (int64_t) bytes, host);
}

/* ---- ranges -------------------------------------------------------------------------- */

typedef struct {
  const gpr_pieces *s;
  int64_t from, end;
  char *host;
  bool up;
} copying;

static gpr_status
copy_piece (void *of, int k)
{
  const copying *c = of;
  const gpr_pieces *s = c->s;
  const int64_t from = s->starts[k] > c->from ? s->starts[k] : c->from, end = s->starts[k + 1] < c->end ? s->starts[k + 1] : c->end;

  if (from >= end)
    return GPR_OK;
  char *there = (char *) s->at[k] + (from - s->starts[k]), *here = c->host + (from - c->from);
  return c->up ? cuda ()->upload (there, here, (size_t) (end - from)) : cuda ()->download (here, there, (size_t) (end - from));
}

static gpr_status
copy (const copying *c)
{
  void *of = (void *) (uintptr_t) c;
  gpr_status status = GPR_OK;

  if (! gpr_spread_in_thread ())
    return gpr_spread_each (c->s, c->end - c->from, copy_piece, of);
  for (int k = 0; k < c->s->count && status == GPR_OK; k++)
    status = copy_piece (of, k);
  return status;
}

gpr_status
gpr_spread_read (const gpr_pieces *x, int64_t from, int64_t bytes, void *host)
{
  const copying c = { x, from, from + bytes, host, false };
  return copy (&c);
}

gpr_status
gpr_spread_write (const gpr_pieces *z, int64_t from, int64_t bytes, const void *host)
{
  const copying c = { z, from, from + bytes, (char *) (uintptr_t) host, true };
  return copy (&c);
}

/* ---- division ------------------------------------------------------------------------ */

/* Cuts lie at multiples of a power of two, up to 65536 rows, so that few parts of a tree are on two devices; and pieces are still about even.  */
static int64_t
cut (int64_t length, int k, int count)
{
  int64_t unit = 1;
  while (unit < 65536 && 16 * unit * count <= length)
    unit *= 2;
  const int64_t even = length / count * k + length % count * k / count;
  return k == count ? length : (even + unit / 2) / unit * unit;
}

void
gpr_spread_lay (gpr_pieces *z, const int *devices, int count, int64_t length, int64_t slab)
{
  z->count = count;
  z->bytes = length * slab;
  memcpy (z->device, devices, count * sizeof *devices);
  for (int k = 0; k <= count; k++)
    z->starts[k] = cut (length, k, count) * slab;
}

gpr_status
gpr_spread_divide (gpr_pieces *z, const int *devices, int count, int64_t length, int64_t slab)
{
  if (z->count > 0)
    return GPR_OK;
  gpr_spread_lay (z, devices, count, length, slab);
  return gpr_spread_take_pieces (z);
}

static gpr_status
ordinary (gpr_array *a, int device, size_t bytes)
{
  void *data;
  gpr_status status = gpr_cuda ()->select (device);
  if (status == GPR_OK)
    status = cuda ()->allocate (&data, bytes);
  if (status != GPR_OK)
    return gpr_among_fail (device, status);
  a->data = data;
  a->home = cuda ();
  a->device = device;
  return GPR_OK;
}

static size_t
bytes_of (const gpr_array *a)
{
  return (size_t) gpr_array_numel (a) * gpr_elem_bytes[gpr_array_elem (a)];
}

gpr_status
gpr_spread_create (gpr_array *a, const int *devices, int count)
{
  const size_t bytes = bytes_of (a);
  int last = a->ndims - 1;

  while (last > 0 && a->dims[last] == 1)
    last--;
  const int64_t length = a->dims[last];
  if (count < 2 || length < 2 || bytes == 0)
    return ordinary (a, devices[0], bytes);
  gpr_pieces *s = calloc (1, sizeof *s);
  if (! s)
    return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", sizeof *s);
  s->first = devices[0];
  gpr_status status = gpr_spread_divide (s, devices, count, length, (int64_t) bytes / length);
  if (status != GPR_OK)
    {
      free (s);
      return status;
    }
  a->data = s;
  a->home = &gpr_spread_backend;
  a->device = devices[0];
  return GPR_OK;
}

void
gpr_spread_lay_as (gpr_pieces *z, const gpr_pieces *x, int64_t z_bytes, int64_t x_bytes)
{
  z->count = x->count;
  z->first = x->first;
  z->bytes = x->bytes / x_bytes * z_bytes;
  memcpy (z->device, x->device, sizeof z->device);
  for (int k = 0; k <= x->count; k++)
    z->starts[k] = x->starts[k] / x_bytes * z_bytes;
}

gpr_status
gpr_spread_as (gpr_pieces *z, const gpr_pieces *x, int64_t z_bytes, int64_t x_bytes)
{
  if (z->count > 0)
    return GPR_OK;
  gpr_spread_lay_as (z, x, z_bytes, x_bytes);
  return gpr_spread_take_pieces (z);
}

gpr_status
gpr_spread_put (gpr_pieces *z, const void *host, size_t bytes)
{
  z->count = 1;
  z->device[0] = z->first;
  z->starts[0] = 0;
  z->starts[1] = z->bytes = (int64_t) bytes;
  gpr_status status = gpr_spread_take_pieces (z);
  return status == GPR_OK ? gpr_spread_write (z, 0, (int64_t) bytes, host) : status;
}

gpr_status
gpr_spread_settle (gpr_array *a)
{
  gpr_pieces *s = (gpr_pieces *) (uintptr_t) a->data;
  gpr_status status = GPR_OK;

  if (! gpr_is_spread (a) || ! s || s->count > 1)
    return GPR_OK;
  void *data = s->count == 1 ? s->at[0] : NULL;
  if (! data)
    status = ordinary (a, s->first, (size_t) s->bytes);
  else
    {
      a->data = data;
      a->home = cuda ();
      a->device = s->first;
    }
  if (status == GPR_OK)
    free (s);
  return status;
}

/* ---- to one device, and from one ------------------------------------------------------- */

/* Bytes from there on between a device's memory and the pieces.  */
static gpr_status
move (const gpr_pieces *s, int64_t from, int64_t bytes, int device, char *memory, bool up)
{
  gpr_cuda_transfer t[GPR_MOST_DEVICES];
  int of[GPR_MOST_DEVICES], count = 0, failed;

  for (int k = 0; k < s->count; k++)
    {
      const int64_t first = s->starts[k] > from ? s->starts[k] : from, end = s->starts[k + 1] < from + bytes ? s->starts[k + 1] : from + bytes;
      if (first >= end)
        continue;
      char *there = (char *) s->at[k] + (first - s->starts[k]), *here = memory + (first - from);
      of[count] = s->device[k];
      t[count++] = (gpr_cuda_transfer) { .to_device = up ? s->device[k] : device, .from_device = up ? device : s->device[k],
                                         .to = up ? there : here, .from = up ? here : there, .bytes = (size_t) (end - first) };
    }
  const gpr_status status = gpr_cuda ()->copy (t, count, &failed);
  return status == GPR_OK ? GPR_OK : gpr_among_fail (of[failed], status);
}

gpr_status
gpr_spread_fetch (const gpr_pieces *x, int64_t from, int64_t bytes, int device, void *memory)
{
  return move (x, from, bytes, device, memory, false);
}

gpr_status
gpr_spread_store (const gpr_pieces *z, int64_t from, int64_t bytes, int device, void *memory)
{
  return move (z, from, bytes, device, memory, true);
}

gpr_status
gpr_spread_collect (const gpr_array *a, int64_t first, int64_t count, int device, gpr_array *plain)
{
  const gpr_pieces *s = a->data;
  const int64_t bytes = gpr_elem_bytes[gpr_array_elem (a)];

  *plain = *a;
  if (count != gpr_array_numel (a))
    {
      plain->ndims = 2;
      plain->dims[0] = count;
      plain->dims[1] = 1;
    }
  device = device > 0 ? device : s->first;
  gpr_status status = ordinary (plain, device, (size_t) (count * bytes));
  if (status != GPR_OK)
    return status;
  status = gpr_spread_fetch (s, first * bytes, count * bytes, device, (void *) (uintptr_t) plain->data);
  if (status != GPR_OK)
    cuda ()->release ((void *) (uintptr_t) plain->data);
  return status;
}

gpr_status
gpr_spread_put_back (const gpr_array *a, int64_t first, const gpr_array *plain)
{
  const int64_t bytes = gpr_elem_bytes[gpr_array_elem (a)];
  return move (a->data, first * bytes, gpr_array_numel (plain) * bytes, plain->device, (char *) (uintptr_t) plain->data, true);
}

gpr_status
gpr_spread_bring (const gpr_array *a, const gpr_array *like, gpr_array *spread)
{
  const gpr_pieces *x = like->data;
  const int64_t bytes = (int64_t) bytes_of (a);
  void *data;
  gpr_status status = gpr_spread_allocate (&data, (size_t) bytes);

  *spread = *a;
  spread->data = data;
  spread->home = &gpr_spread_backend;
  spread->device = x->first;
  if (status != GPR_OK)
    return status;
  gpr_pieces *z = data;
  z->first = a->home == cuda () ? a->device : x->first;
  if (gpr_array_numel (a) == gpr_array_numel (like))
    status = gpr_spread_as (z, x, gpr_elem_bytes[gpr_array_elem (a)], gpr_elem_bytes[gpr_array_elem (like)]);
  else
    status = gpr_spread_divide (z, &z->first, 1, 1, bytes);
  if (status == GPR_OK && a->home == cuda ())
    status = move (z, 0, bytes, a->device, (char *) (uintptr_t) a->data, true);
  else if (status == GPR_OK)
    status = gpr_spread_write (z, 0, bytes, a->data);   /* the CPU's memory */
  if (status != GPR_OK)
    gpr_spread_release (z);
  return status;
}

/* ---- the end of a device ---------------------------------------------------------------- */

bool
gpr_spread_is_on (const gpr_pieces *s, int device)
{
  bool found = false;
  for (int k = 0; k < s->count && ! found; k++)
    found = s->device[k] == device;
  return found;
}

void
gpr_spread_lose (gpr_pieces *s, int device)
{
  for (int k = 0; k < s->count; k++)
    if (s->device[k] == device)
      s->at[k] = NULL;
}
