#include <math.h>

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
