/* Datasets of HDF5 files: read in blocks, of which one is kept.  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../core/system.h"
#include "../hdf5/module.h"
#include "stream.h"

enum { BLOCK = 1 << 25 };       /* bytes of a block, about */

typedef struct {
  gpr_source source;            /* first */
  gpr_source *whole;            /* the file: whether it has changed */
  const gpr_hdf5_api *api;
  void *file;
  gpr_hdf5_about about;
  int dim;                      /* blocks are indices of this one, of one index of those above it */
  int64_t slice, at_once;       /* elements of such an index; indices of a block */
  char *block;
  gpr_brought brought;          /* its elements */
} dataset;

static const gpr_hdf5_api *
find_module (void)
{
  char folder[4096], path[4200] = "gpureduce_hdf5.so", why[512] = "";
  if (gpr_system_folder_of ((const void *) gpr_hdf5_open, folder, sizeof folder))
    snprintf (path, sizeof path, "%s/gpureduce_hdf5.so", folder);
  void *module = gpr_system_open (path, why, sizeof why);
  const gpr_hdf5_api *(*entry) (void) = module ? (const gpr_hdf5_api *(*) (void)) gpr_system_symbol (module, "gpr_hdf5_module") : NULL;
  const gpr_hdf5_api *found = entry ? entry () : NULL;
  if (! found)
    gpr_fail (GPR_UNSUPPORTED, "what reads HDF5 and MAT 7.3 files was not built or does not load: install libhdf5 with its headers (Debian and "
              "Ubuntu: libhdf5-dev) and then gpureduce again (%s)", why);
  else if (found->abi != GPR_HDF5_ABI || strcmp (found->version, GPR_VERSION) != 0)
    gpr_fail (GPR_UNSUPPORTED, "%.200s is of another version of gpureduce", path);
  else
    return found;
  return NULL;
}

/* The block that begins with this element, or has it.  */
static gpr_status
bring (gpr_source *s, int64_t element)
{
  dataset *f = (dataset *) s;
  int64_t start[GPR_HDF5_DIMS] = { 0 }, count[GPR_HDF5_DIMS], index = element / f->slice;
  const int64_t here = index % f->about.dims[f->dim], begin = here / f->at_once * f->at_once;

  for (int d = 0; d < f->about.ndims; d++)
    count[d] = d < f->dim ? f->about.dims[d] : 1;
  f->brought = (gpr_brought) { .data = f->block, .first = (index - here + begin) * f->slice };
  start[f->dim] = begin;
  count[f->dim] = f->about.dims[f->dim] - begin < f->at_once ? f->about.dims[f->dim] - begin : f->at_once;
  index /= f->about.dims[f->dim];
  for (int d = f->dim + 1; d < f->about.ndims; d++)
    {
      start[d] = index % f->about.dims[d];
      index /= f->about.dims[d];
    }
  f->brought.count = f->api->read (f->file, start, count, f->block) ? count[f->dim] * f->slice : 0;
  return f->brought.count > 0 ? GPR_OK : gpr_fail (GPR_CANNOT_READ, "the HDF5 file does not give all elements: is it cut off or damaged?");
}

static gpr_status
read_dataset (gpr_source *s, int64_t first, int64_t count, void *to)
{
  return gpr_read_brought (s, &((dataset *) s)->brought, bring, first, count, to);
}

static gpr_status
check (gpr_source *s)
{
  gpr_source *whole = ((dataset *) s)->whole;
  return whole->check (whole);
}

static void
close_dataset (gpr_source *s)
{
  dataset *f = (dataset *) s;
  if (f->file)
    f->api->close (f->file);
  if (f->whole)
    f->whole->close (f->whole);
  free (f->block);
  free (f);
}

/* Blocks of the last dimension of which an index is small enough; of whole chunks.  */
static gpr_status
plan (dataset *f)
{
  const gpr_hdf5_about *a = &f->about;
  const int bytes = gpr_elem_bytes[f->source.elem];

  f->slice = 1;
  while (f->dim < a->ndims - 1 && f->slice * a->dims[f->dim] * bytes <= BLOCK)
    f->slice *= a->dims[f->dim++];
  f->at_once = BLOCK / (f->slice * bytes);
  if (f->dim == a->ndims - 1 && f->at_once > a->chunk)
    f->at_once -= f->at_once % a->chunk;
  else if (f->dim == a->ndims - 1 && a->chunk * f->slice * bytes <= 4 * BLOCK)
    f->at_once = a->chunk;
  f->at_once = f->at_once < 1 ? 1 : f->at_once < a->dims[f->dim] ? f->at_once : a->dims[f->dim];
  f->block = malloc ((size_t) (f->at_once * f->slice * bytes));
  return f->block ? GPR_OK : gpr_fail (GPR_OUT_OF_MEMORY, "%lld bytes of host memory", (long long) (f->at_once * f->slice * bytes));
}

static gpr_status
describe (dataset *f, gpr_array *a)
{
  int k = 0;
  while (k < GPR_CLASS_COUNT && strcmp (f->about.class, gpr_class_names[k]) != 0)
    k++;
  *a = (gpr_array) { .class = k, .complex = f->about.complex, .ndims = f->about.ndims };
  memcpy (a->dims, f->about.dims, f->about.ndims * sizeof *a->dims);
  while (a->ndims < 2)
    a->dims[a->ndims++] = 1;
  gpr_array_trim (a);
  f->source.elem = gpr_array_elem (a);
  f->source.count = gpr_array_numel (a);
  if (f->about.ndims == 0)
    f->about.dims[f->about.ndims++] = 1;
  return f->source.count > 0 ? plan (f) : GPR_OK;
}

gpr_status
gpr_hdf5_open (const char *name, const char *set, gpr_array *a, gpr_source **source)
{
  dataset *f = calloc (1, sizeof *f);
  char why[200] = "";

  if (! f)
    return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", sizeof *f);
  f->source = (gpr_source) { .read = read_dataset, .check = check, .close = close_dataset };
  gpr_status status = gpr_raw_open (name, GPR_u8, 0, 0, true, &f->whole);
  if (status == GPR_OK && ! (f->api = find_module ()))
    status = GPR_UNSUPPORTED;
  if (status == GPR_OK && ! (f->file = f->api->open (name, set, &f->about, why, sizeof why)))
    status = gpr_fail (GPR_CANNOT_READ, "the dataset %.100s of the file %.200s cannot be read: %s", set, name, why);
  if (status == GPR_OK)
    {
      f->source.changed = f->whole->changed;
      f->source.fingerprint = gpr_hash (f->whole->fingerprint, set, strlen (set));
      status = describe (f, a);
    }
  if (status != GPR_OK)
    close_dataset (&f->source);
  else
    *source = &f->source;
  return status;
}
