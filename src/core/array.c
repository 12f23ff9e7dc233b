#include <math.h>
#include <string.h>

#include "array.h"

const char *const gpr_class_names[GPR_CLASS_COUNT] = {
  "double", "single", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "logical", "char"
};

int64_t
gpr_array_numel (const gpr_array *a)
{
  int64_t n = 1;
  for (int d = 0; d < a->ndims; d++)
    n *= a->dims[d];
  return n;
}

double
gpr_array_element (const gpr_array *a, int64_t k)
{
  switch (gpr_array_elem (a))
    {
#define ELEMENT(T) case GPR_##T: return (double) ((const T *) a->data)[k];
    ELEMENT (f64) ELEMENT (f32) ELEMENT (i8) ELEMENT (u8) ELEMENT (i16) ELEMENT (u16)
    ELEMENT (i32) ELEMENT (u32) ELEMENT (i64) ELEMENT (u64)
#undef ELEMENT
    default: return NAN;
    }
}

void
gpr_array_trim (gpr_array *a)
{
  while (a->ndims > 2 && a->dims[a->ndims - 1] == 1)
    a->ndims--;
}

bool
gpr_array_same_sizes (const gpr_array *a, const gpr_array *b)
{
  return a->ndims == b->ndims && memcmp (a->dims, b->dims, a->ndims * sizeof *a->dims) == 0;
}

bool
gpr_broadcast (gpr_array *z, const gpr_array *a)
{
  while (z->ndims < a->ndims)
    z->dims[z->ndims++] = 1;
  for (int d = 0; d < a->ndims; d++)
    if (z->dims[d] == 1)
      z->dims[d] = a->dims[d];
    else if (a->dims[d] != 1 && a->dims[d] != z->dims[d])
      return false;
  return true;
}

void
gpr_broadcast_strides (const gpr_array *a, int rank, int64_t *strides)
{
  int64_t stride = 1;
  for (int d = 0; d < rank; d++)
    {
      const int64_t n = d < a->ndims ? a->dims[d] : 1;
      strides[d] = n == 1 ? 0 : stride;
      stride *= n;
    }
}

int
gpr_broadcast_join (int rank, int64_t *dims, int64_t *xs, int64_t *ys)
{
  int left = 0;
  for (int d = 0; d < rank; d++)
    {
      if (dims[d] == 1)
        continue;
      if (left > 0 && xs[d] == xs[left - 1] * dims[left - 1] && ys[d] == ys[left - 1] * dims[left - 1])
        {
          dims[left - 1] *= dims[d];
          continue;
        }
      dims[left] = dims[d];
      xs[left] = xs[d];
      ys[left++] = ys[d];
    }
  if (left == 0)
    {
      dims[left] = 1;
      xs[left] = ys[left] = 0;
      left++;
    }
  return left;
}
