/* Elementwise operations on complex resident arrays (src/core/complex.h).  */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../core/complex.h"
#include "../resident/resident.h"
#include "values.h"

static bool
find_operation (const char *name, gpr_complex_op *op)
{
#define NAME(name) [GPR_COMPLEX_##name] = #name,
  static const char *const names[GPR_COMPLEX_OP_COUNT] = { GPR_COMPLEX_BINARY (NAME) GPR_COMPLEX_UNARY (NAME) };
  for (int k = 0; k < GPR_COMPLEX_OP_COUNT; k++)
    if (strcmp (name, names[k]) == 0)
      {
        *op = (gpr_complex_op) k;
        return true;
      }
  return false;
}

/* Arrays of one precision beside each other, or one and a real number.  Real ones alone: some number leaves the reals.  */
static bool
takes (const gpr_array *const *x, int count, gpr_complex_mapping *m)
{
  const gpr_array *main = x[0]->home ? x[0] : x[1];
  const bool first = x[0]->complex, second = count == 2 ? x[1]->complex : first;

  m->single = main->class == GPR_CLASS_single;
  m->kind = first ? second ? GPR_COMPLEX_BOTH : GPR_COMPLEX_FIRST : second ? GPR_COMPLEX_SECOND : GPR_COMPLEX_NEITHER;
  for (int k = 0; k < count; k++)
    {
      const gpr_array *a = x[k];
      const bool number = ! a->home;
      if (a->class != main->class && ! (number && a->class == GPR_CLASS_double))
        return false;
      if (number ? a->class != GPR_CLASS_double && a->class != GPR_CLASS_single : a->home != main->home || a->device != main->device)
        return false;
      if (number)
        m->number[k] = *(const double *) a->data;
      else
        m->x[k] = a->data;
    }
  return (main->class == GPR_CLASS_double || main->class == GPR_CLASS_single) && gpr_complex_has (m->op, m->kind);
}

/* Whether all elements of a gpuArray are whole numbers; most that are not show it soon.  */
static gpr_status
are_whole (const gpr_array *x, bool *whole)
{
  enum { PIECE = 1 << 18 };     /* bytes */
  const int bytes = x->class == GPR_CLASS_single ? sizeof (float) : sizeof (double);
  const int64_t all = gpr_array_numel (x);
  int64_t count = PIECE / bytes;
  gpr_status status = GPR_OK;
  void *piece;

  *whole = true;
  if (x->class != GPR_CLASS_double && x->class != GPR_CLASS_single)
    return GPR_OK;
  if (! (piece = malloc (PIECE)))
    return gpr_fail (GPR_OUT_OF_MEMORY, "no host memory for some elements of an array");
  for (int64_t from = 0; from < all && *whole && status == GPR_OK; from += count)
    {
      count = count < all - from ? count : all - from;
      status = x->home->download (piece, (const char *) x->data + from * bytes, (size_t) (count * bytes));
      for (int64_t i = 0; i < count && *whole && status == GPR_OK; i++)
        {
          const double v = bytes == sizeof (float) ? ((const float *) piece)[i] : ((const double *) piece)[i];
          *whole = v == floor (v);
        }
    }
  free (piece);
  return status;
}

/* The operation of arrays of one precision.  */
static gpr_status
compute (gpr_complex_op op, const gpr_array *const *x, int count, gpr_array *z)
{
  gpr_complex_mapping m = { .op = op };
  const gpr_array *beside = x[0]->home ? x[0] : x[1];

  if (! takes (x, count, &m))
    return GPR_OK;
  for (int k = 0; k < count; k++)
    if (x[k]->home && ! gpr_broadcast (z, x[k]))
      return GPR_OK;
  if (gpr_array_numel (z) == 0)
    return GPR_OK;
  /* Whole exponents that no int holds make real numbers complex in some releases alone.  */
  if (m.op == GPR_COMPLEX_power && m.kind == GPR_COMPLEX_NEITHER && ! x[1]->home && m.number[1] == floor (m.number[1]))
    return GPR_OK;
  /* But powers of one negative number are real in all of them (tried: 7.3, 9.4, 11.3) where every exponent is whole: Octave's, too.  */
  if (m.op == GPR_COMPLEX_power && m.kind == GPR_COMPLEX_NEITHER && x[1]->home && (! x[0]->home || gpr_array_numel (x[0]) == 1))
    {
      bool whole;
      const gpr_status status = are_whole (x[1], &whole);
      if (status != GPR_OK || whole)
        return status;
    }
  if (m.op == GPR_COMPLEX_power)        /* of two sizes Octave takes logarithms for whole exponents, too */
    for (int k = 0; k < 2; k++)
      if (x[k]->home && gpr_array_numel (x[k]) != 1 && gpr_array_numel (x[k]) != gpr_array_numel (z))
        return GPR_OK;
  for (int k = 0; k < count; k++)
    if (x[k]->home)
      gpr_broadcast_strides (x[k], z->ndims, m.strides[k]);
  if (count == 1)
    {
      m.x[1] = m.x[0];
      memcpy (m.strides[1], m.strides[0], sizeof m.strides[0]);
    }
  memcpy (m.dims, z->dims, z->ndims * sizeof *z->dims);
  m.rank = gpr_broadcast_join (z->ndims, m.dims, m.strides[0], m.strides[1]);
  z->complex = gpr_complex_gives_complex (m.op);
  z->class = gpr_complex_gives_logical (m.op) ? GPR_CLASS_logical : beside->class;
  gpr_status status = gpr_resident_allocate (z, beside);
  if (status != GPR_OK)
    return status;
  m.z = (void *) (uintptr_t) z->data;
  status = beside->home->complex (&m);
  gpr_array_trim (z);
  if (status == GPR_OK && z->complex && ! m.is_complex)
    status = gpr_value_real (z);
  return status;
}

/* Of two precisions Octave rounds the double operand first, and computes in single.  */
gpr_status
gpr_value_complex (const char *operation, const gpr_array *const *x, int count, gpr_array *z)
{
  const gpr_array *beside = x[0]->home ? x[0] : x[1], *given[2] = { x[0], count == 2 ? x[1] : NULL };
  gpr_array copies[2] = { { .data = NULL }, { .data = NULL } };
  gpr_status status = GPR_OK;
  gpr_complex_op op;

  *z = (gpr_array) { .ndims = 0 };
  if (! find_operation (operation, &op) || gpr_complex_takes_two (op) != (count == 2) || ! beside->home->complex)
    return GPR_OK;
  for (int k = 0; k < count && count == 2 && status == GPR_OK; k++)
    if (x[k]->home && x[k]->class == GPR_CLASS_double && x[1 - k]->class == GPR_CLASS_single)
      {
        status = gpr_value_convert (x[k], GPR_CLASS_single, &copies[k]);
        given[k] = &copies[k];
      }
  if (status == GPR_OK)
    status = compute (op, given, count, z);
  for (int k = 0; k < 2; k++)
    if (copies[k].data)
      copies[k].home->release ((void *) (uintptr_t) copies[k].data);
  return status;
}
