/* accumarray below the gateway.  */

#ifndef GPR_SCATTER_H
#define GPR_SCATTER_H

#include "gpr.h"
#include "../../kernels/ops/scatter.h"

/* out[k] = op (… op (start, v1) …, vm) over the values whose subscripts lead to
   k, in the order of kernels/ops/scatter.h.  Where out is NULL, only the largest subscript of column[0] is
   looked for: its size says on entry what is allowed, and is then the largest; the
   column must be in memory of the backend that is asked.  */
typedef struct gpr_scattering {
  int64_t n;                    /* elements */
  int columns;
  gpr_scatter_column column[GPR_SCATTER_COLUMNS];
  bool column_resident[GPR_SCATTER_COLUMNS];
  const void *resident;         /* one of the allocations these and values lie in, or NULL */
  const void *values;           /* n of them, or 1 for all */
  bool values_resident, repeated;
  enum gpr_elem in, to;         /* a pair of kernels/ops/scatter.h */
  gpr_scatter_op op;            /* COUNT: of the values only their number counts, in and to are f64 */
  bool builtin_order;           /* sums: of the elements, uncut */
  bool mean;                    /* sums, divided by the number of elements */
  double scale;                 /* COUNT: of each element */
  union gpr_scatter_cell { char bytes[16]; f64 f64; f32 f32; i8 i8; u8 u8; i16 i16; u16 u16; i32 i32; u32 u32; i64 i64;
                           u64 u64; c128 c128; c64 c64; } start, gap;
  bool gaps;                    /* outputs without elements become gap instead of start */
  /* For max and min of floats with fill value 0: where no value is beyond 0 (for max: below
     it), all outputs begin with 0 instead of NaN.  */
  bool from_zero;
  void *out;                    /* as many as the product of the columns' sizes */
  bool out_resident;
  bool bad;                     /* out: some subscript is not allowed, the rest of the answer void */
} gpr_scattering;

static inline int64_t
gpr_scatter_outputs (const gpr_scattering *p)
{
  int64_t n = 1;
  for (int i = 0; i < p->columns; i++)
    n *= p->column[i].size;
  return n;
}

/* What must take the elements of an output one after the other.  */
static inline bool
gpr_scatter_in_order (const gpr_scattering *p)
{
  return p->op == GPR_SCATTER_PROD || (p->op == GPR_SCATTER_SUM && p->builtin_order);
}

/* Sums that are cut.  */
static inline bool
gpr_scatter_is_cut (const gpr_scattering *p)
{
  return p->op == GPR_SCATTER_SUM && ! p->builtin_order;
}

#endif
