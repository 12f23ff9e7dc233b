/* Products of many columns on the GPU, in the tree's order and the built-in's at once: arguments of the kernel.  */

#ifndef GPR_ENGINE_PROD_COLUMNS_H
#define GPR_ENGINE_PROD_COLUMNS_H

#include "../ops/instances.h"

enum {
  GPR_PROD_THREADS = 256,
  GPR_PROD_LANES = 8,           /* of a column, at most */
  GPR_PROD_MANY = 480           /* columns for a multiprocessor, that keep it busy */
};

/* value[i] is of the elements x[i % inner + inner*(r + length*(i / inner))], the lanes and rows of a part as gpr_tree's.  */
typedef struct {
  const void *x;
  void *value;
  int64_t inner, outputs;
  int32_t length, rows, parts, lanes;
  bool omit;                    /* NaN */
  int *left;                    /* <- 1 where an output is NaN, which may have to be NA */
} gpr_prod_columns_args;

typedef struct {
  const void *kernel;
  int value_bytes;
  bool omits;                   /* NaN */
} gpr_prod_columns;

#ifdef __cplusplus
extern "C"
#endif
/* Of real floating-point numbers; NULL: the instance is none.  */
const gpr_prod_columns *gpr_engine_prod_columns (enum gpr_instance instance);

#endif
