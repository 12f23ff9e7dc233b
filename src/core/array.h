/* Arrays as the gateway sees them: class, sizes, where the data is.  */

#ifndef GPR_ARRAY_H
#define GPR_ARRAY_H

#include "gpr.h"

typedef enum {
  GPR_CLASS_double, GPR_CLASS_single, GPR_CLASS_int8, GPR_CLASS_uint8, GPR_CLASS_int16, GPR_CLASS_uint16,
  GPR_CLASS_int32, GPR_CLASS_uint32, GPR_CLASS_int64, GPR_CLASS_uint64, GPR_CLASS_logical, GPR_CLASS_char,
  GPR_CLASS_COUNT
} gpr_class;

enum { GPR_MAX_DIMS = 32 };

typedef struct {
  gpr_class class;
  bool complex;
  int ndims;                        /* at least 2, trailing ones dropped */
  int64_t dims[GPR_MAX_DIMS];
  const void *data;                 /* host, or home's memory */
  const gpr_backend *home;          /* NULL: ordinary host array */
  int device;                       /* of home: 0 for the CPU */
} gpr_array;

static inline bool
gpr_class_is_integer (gpr_class class)
{
  return class >= GPR_CLASS_int8 && class <= GPR_CLASS_uint64;
}

extern const char *const gpr_class_names[GPR_CLASS_COUNT];

static inline enum gpr_elem
gpr_elem_of_class (gpr_class c)         /* real */
{
  static const enum gpr_elem elems[GPR_CLASS_COUNT] = {
    GPR_f64, GPR_f32, GPR_i8, GPR_u8, GPR_i16, GPR_u16, GPR_i32, GPR_u32, GPR_i64, GPR_u64, GPR_u8, GPR_u8
  };
  return elems[c];
}

static inline enum gpr_elem
gpr_array_elem (const gpr_array *a)
{
  return a->complex ? (a->class == GPR_CLASS_single ? GPR_c64 : GPR_c128) : gpr_elem_of_class (a->class);
}

int64_t gpr_array_numel (const gpr_array *a);
double gpr_array_element (const gpr_array *a, int64_t k);       /* of real numbers on the host */
void gpr_array_trim (gpr_array *a);    /* drops trailing ones */
bool gpr_array_same_sizes (const gpr_array *a, const gpr_array *b);

/* Sizes that broadcast.  z's, at first no dimensions, grow to those of a; false: they do not go together.  */
bool gpr_broadcast (gpr_array *z, const gpr_array *a);
/* The element strides at which a's elements are read for rank sizes of z; 0 repeats.  */
void gpr_broadcast_strides (const gpr_array *a, int rank, int64_t *strides);
/* Neighbouring dimensions become one where both operands step through them in one stride: equal sizes become one long row.  Returns how many are
   left, at least one.  */
int gpr_broadcast_join (int rank, int64_t *dims, int64_t *xs, int64_t *ys);

#endif
