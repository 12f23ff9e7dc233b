/* gpureduce_hdf5.so: libhdf5 behind the interface of module.h.  */

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../core/gpr.h"
#include "module.h"

/* A row of count numbers that Octave has as BASE:INCREMENT:LIMIT.  */
typedef struct { double base, limit, increment; int64_t count; } range;

typedef struct { hid_t file, set, space, type; int ndims; range row; } opened;   /* type: below 0: of a range */

/* What the file says of a variable beside its elements: MATLAB's class, or Octave's type.  */
typedef struct { char class[16], type[64]; bool empty; } told;

/* The types of MATLAB's classes, and of what says none; what Octave's types of matrices begin with.  */
static const struct { const char *class; H5T_class_t kind; size_t bytes; H5T_sign_t sign; const char *octave; } classes[] = {
  { "double", H5T_FLOAT, 8, H5T_SGN_NONE, "" }, { "single", H5T_FLOAT, 4, H5T_SGN_NONE, "float " },
  { "int8", H5T_INTEGER, 1, H5T_SGN_2, "int8 " }, { "uint8", H5T_INTEGER, 1, H5T_SGN_NONE, "uint8 " },
  { "int16", H5T_INTEGER, 2, H5T_SGN_2, "int16 " }, { "uint16", H5T_INTEGER, 2, H5T_SGN_NONE, "uint16 " },
  { "int32", H5T_INTEGER, 4, H5T_SGN_2, "int32 " }, { "uint32", H5T_INTEGER, 4, H5T_SGN_NONE, "uint32 " },
  { "int64", H5T_INTEGER, 8, H5T_SGN_2, "int64 " }, { "uint64", H5T_INTEGER, 8, H5T_SGN_NONE, "uint64 " },
  { "logical", H5T_INTEGER, 1, H5T_SGN_NONE, "bool " } };
enum { CLASSES = sizeof classes / sizeof *classes };

static hid_t
native (int k)
{
  const hid_t types[CLASSES] = { H5T_NATIVE_DOUBLE, H5T_NATIVE_FLOAT, H5T_NATIVE_INT8, H5T_NATIVE_UINT8, H5T_NATIVE_INT16, H5T_NATIVE_UINT16,
                                 H5T_NATIVE_INT32, H5T_NATIVE_UINT32, H5T_NATIVE_INT64, H5T_NATIVE_UINT64, H5T_NATIVE_UINT8 };
  return types[k];
}

/* The attribute MATLAB_class; "" where there is none.  */
static void
read_class (hid_t set, char class[16])
{
  char text[64] = "";
  class[0] = '\0';
  if (H5Aexists (set, "MATLAB_class") <= 0)
    return;
  const hid_t a = H5Aopen (set, "MATLAB_class", H5P_DEFAULT), type = H5Aget_type (a);
  if (H5Tget_class (type) == H5T_STRING && ! H5Tis_variable_str (type) && H5Tget_size (type) < sizeof text && H5Aread (a, type, text) >= 0)
    snprintf (class, 16, "%.15s", text);
  H5Tclose (type);
  H5Aclose (a);
}

static int
class_of (hid_t type)
{
  const H5T_class_t kind = H5Tget_class (type);
  const size_t bytes = H5Tget_size (type);
  for (int k = 0; k < CLASSES - 1; k++)
    if (classes[k].kind == kind && classes[k].bytes == bytes && (kind == H5T_FLOAT || classes[k].sign == H5Tget_sign (type)))
      return k;
  return -1;
}

/* The type in memory; below 0: it is none of ours.  Complex numbers are pairs, "real" and "imag".  */
static hid_t
memory_type (hid_t stored, const char *said, gpr_hdf5_about *about)
{
  hid_t part = stored;
  about->complex = H5Tget_class (stored) == H5T_COMPOUND;
  if (about->complex)
    {
      if (H5Tget_nmembers (stored) != 2 || H5Tget_member_index (stored, "real") != 0 || H5Tget_member_index (stored, "imag") != 1)
        return -1;
      part = H5Tget_member_type (stored, 0);
    }
  int k = class_of (part);
  if (about->complex)
    H5Tclose (part);
  if (k > 1 && strcmp (said, "logical") == 0)
    k = CLASSES - 1;
  if (k < 0 || (said[0] && strcmp (said, classes[k].class) != 0) || (about->complex && k > 1))
    return -1;
  strcpy (about->class, classes[k].class);
  if (! about->complex)
    return H5Tcopy (native (k));
  const hid_t pair = H5Tcreate (H5T_COMPOUND, 2 * classes[k].bytes);
  H5Tinsert (pair, "real", 0, native (k));
  H5Tinsert (pair, "imag", classes[k].bytes, native (k));
  return pair;
}

static void
close_file (void *p)
{
  opened *f = p;
  if (f->type >= 0)
    H5Tclose (f->type);
  if (f->space >= 0)
    H5Sclose (f->space);
  if (f->set >= 0)
    H5Dclose (f->set);
  if (f->file >= 0)
    H5Fclose (f->file);
  free (f);
}

/* The dataset of this name, or the one within a group, where Octave's own "save -hdf5" puts it beside the type of the variable.  */
static hid_t
open_dataset (hid_t file, const char *name, told *t)
{
  char path[1100];
  hid_t set = H5Dopen2 (file, name, H5P_DEFAULT);

  *t = (told) { .empty = false };
  if (set >= 0)
    {
      read_class (set, t->class);
      t->empty = H5Aexists (set, "MATLAB_empty") > 0;
      return set;
    }
  snprintf (path, sizeof path, "%.1000s/type", name);
  if ((set = H5Dopen2 (file, path, H5P_DEFAULT)) >= 0)
    {
      const hid_t type = H5Dget_type (set);
      if (H5Tget_class (type) == H5T_STRING && ! H5Tis_variable_str (type) && H5Tget_size (type) < sizeof t->type)
        H5Dread (set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, t->type);
      H5Tclose (type);
      H5Dclose (set);
    }
  snprintf (t->class, sizeof t->class, "%s", strncmp (t->type, "bool", 4) == 0 ? "logical" : strstr (t->type, "string") ? "other" : "");
  snprintf (path, sizeof path, "%.1000s/value", name);
  t->empty = H5Aexists_by_name (file, name, "OCTAVE_EMPTY_MATRIX", H5P_DEFAULT) > 0
             || H5Aexists_by_name (file, path, "OCTAVE_EMPTY_MATRIX", H5P_DEFAULT) > 0;
  return H5Dopen2 (file, path, H5P_DEFAULT);
}

/* An empty array: its elements' place has its sizes, as Octave counts them.  False: it is none of ours.  */
static bool
look_at_empty (const opened *f, const told *t, hsize_t sizes, gpr_hdf5_about *about)
{
  char name[64];
  int k = 0;
  about->complex = strstr (t->type, "complex") != NULL;
  for (; k < CLASSES; k++)
    {
      snprintf (name, sizeof name, "%s%smatrix", classes[k].octave, about->complex ? "complex " : "");
      if (strcmp (t->type, name) == 0 || (! t->type[0] && strcmp (t->class, classes[k].class) == 0))
        break;
    }
  if (k == CLASSES || f->ndims != 1 || sizes > GPR_HDF5_DIMS || H5Dread (f->set, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, about->dims) < 0)
    return false;
  strcpy (about->class, classes[k].class);
  about->ndims = (int) sizes;
  about->chunk = 1;
  bool empty = false, sound = true;
  for (int d = 0; d < about->ndims; d++)
    {
      empty |= about->dims[d] == 0;
      sound &= about->dims[d] >= 0;
    }
  return empty && sound;
}

/* A range, as Octave saves it: where its elements come from, and how many they are.  */
static bool
look_at_range (opened *f, gpr_hdf5_about *about)
{
  const hid_t numbers = H5Tcreate (H5T_COMPOUND, sizeof f->row), stored = H5Dget_type (f->set);
  H5Tinsert (numbers, "base", offsetof (range, base), H5T_NATIVE_DOUBLE);
  H5Tinsert (numbers, "limit", offsetof (range, limit), H5T_NATIVE_DOUBLE);
  H5Tinsert (numbers, "increment", offsetof (range, increment), H5T_NATIVE_DOUBLE);
  bool good = H5Tget_class (stored) == H5T_COMPOUND && H5Tget_nmembers (stored) == 3 && H5Sget_simple_extent_npoints (f->space) == 1
              && H5Tget_member_index (stored, "base") >= 0 && H5Tget_member_index (stored, "limit") >= 0
              && H5Tget_member_index (stored, "increment") >= 0 && H5Aexists (f->set, "OCTAVE_RANGE_NELEM") > 0
              && H5Dread (f->set, numbers, H5S_ALL, H5S_ALL, H5P_DEFAULT, &f->row) >= 0;
  H5Tclose (stored);
  H5Tclose (numbers);
  if (good)
    {
      const hid_t a = H5Aopen (f->set, "OCTAVE_RANGE_NELEM", H5P_DEFAULT), space = H5Aget_space (a);
      good = H5Sget_simple_extent_npoints (space) == 1 && H5Aread (a, H5T_NATIVE_INT64, &f->row.count) >= 0 && f->row.count >= 0;
      H5Sclose (space);
      H5Aclose (a);
    }
  *about = (gpr_hdf5_about) { .class = "double", .ndims = 2, .dims = { 1, f->row.count }, .chunk = 1 };
  return good;
}

/* As Octave makes its elements: the first is the base, also -0, and the last one not beyond the limit.  */
static void
read_range (const range *r, int64_t first, int64_t count, double *to)
{
  for (int64_t k = 0; k < count; k++)
    {
      const int64_t i = first + k;
      const double step = (double) i * r->increment;    /* rounded before it is added */
      double v = i == 0 ? r->base : r->base + step;
      if (i == r->count - 1 && (r->increment > 0 ? v > r->limit : v < r->limit))
        v = r->limit;
      to[k] = v;
    }
}

static const char *
look (opened *f, const char *dataset, gpr_hdf5_about *about)
{
  static const char none[] = "the dataset is not of a class of numbers or logical, or sparse, a cell, a structure, text or a range without its length";
  hsize_t dims[GPR_HDF5_DIMS], chunk[GPR_HDF5_DIMS];
  told t;

  if ((f->set = open_dataset (f->file, dataset, &t)) < 0)
    return "it has no dataset of that name";
  f->space = H5Dget_space (f->set);
  f->ndims = H5Sget_simple_extent_ndims (f->space);
  if (f->ndims < 0 || f->ndims > GPR_HDF5_DIMS || H5Sget_simple_extent_dims (f->space, dims, NULL) != f->ndims)
    return "the dataset is no array of at most 32 dimensions";
  if (t.empty)
    return look_at_empty (f, &t, dims[0], about) ? NULL : none;
  if (strcmp (t.type, "range") == 0 || strcmp (t.type, "double_range") == 0)
    return look_at_range (f, about) ? NULL : none;
  const hid_t stored = H5Dget_type (f->set);
  f->type = memory_type (stored, t.class, about);
  H5Tclose (stored);
  if (f->type < 0)
    return none;
  about->ndims = f->ndims;
  for (int d = 0; d < f->ndims; d++)
    about->dims[d] = (int64_t) dims[f->ndims - 1 - d];
  const hid_t made = H5Dget_create_plist (f->set);
  about->chunk = H5Pget_layout (made) == H5D_CHUNKED && H5Pget_chunk (made, f->ndims, chunk) == f->ndims ? (int64_t) chunk[0] : 1;
  H5Pclose (made);
  return NULL;
}

static void *
open_file (const char *file, const char *dataset, gpr_hdf5_about *about, char *why, size_t bytes)
{
  opened *f = malloc (sizeof *f);
  const char *wrong = "out of memory";

  H5Eset_auto2 (H5E_DEFAULT, NULL, NULL);       /* errors are told by us */
  if (f)
    {
      *f = (opened) { .file = -1, .set = -1, .space = -1, .type = -1 };
      f->file = H5Fopen (file, H5F_ACC_RDONLY, H5P_DEFAULT);
      wrong = f->file < 0 ? "it is not a whole HDF5 file" : look (f, dataset, about);
      if (! wrong)
        return f;
      close_file (f);
    }
  snprintf (why, bytes, "%s", wrong);
  return NULL;
}

static bool
read_part (void *p, const int64_t *start, const int64_t *count, void *to)
{
  const opened *f = p;
  hsize_t from[GPR_HDF5_DIMS], n[GPR_HDF5_DIMS];
  if (f->type < 0)
    {
      read_range (&f->row, start[1], count[1], to);
      return true;
    }
  for (int d = 0; d < f->ndims; d++)
    {
      from[f->ndims - 1 - d] = (hsize_t) start[d];
      n[f->ndims - 1 - d] = (hsize_t) count[d];
    }
  if (f->ndims > 0 && H5Sselect_hyperslab (f->space, H5S_SELECT_SET, from, NULL, n, NULL) < 0)
    return false;
  const hid_t memory = f->ndims > 0 ? H5Screate_simple (f->ndims, n, NULL) : H5Screate (H5S_SCALAR);
  const bool good = H5Dread (f->set, f->type, memory, f->space, H5P_DEFAULT, to) >= 0;
  H5Sclose (memory);
  return good;
}

__attribute__ ((visibility ("default"))) const gpr_hdf5_api *
gpr_hdf5_module (void)
{
  static const gpr_hdf5_api api = { GPR_HDF5_ABI, GPR_VERSION, open_file, read_part, close_file };
  return &api;
}
