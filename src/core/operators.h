/* Which reduction an operator is on a class, and what class its result has: the
   built-ins' rules of result classes in one place.  */

#ifndef GPR_OPERATORS_H
#define GPR_OPERATORS_H

#include "array.h"

typedef enum {
  GPR_OP_SUM, GPR_OP_PROD, GPR_OP_SUMSQ, GPR_OP_MEAN, GPR_OP_MAX, GPR_OP_MIN, GPR_OP_ANY, GPR_OP_ALL,
  GPR_OP_ARGMAX, GPR_OP_ARGMIN, GPR_OP_NNZ, GPR_OP_NORM1, GPR_OP_NORM2, GPR_OP_NORMMAX, GPR_OP_MOMENTS, GPR_OP_STATS, GPR_OP_COUNT
} gpr_op;

typedef struct {
  const char *name;             /* "sum"; the public function is gpu_NAME */
  const char *builtin;          /* whose rules and errors it has */
  bool outtypes;                /* takes "native" and "double" */
  bool nan_option;              /* takes "omitnan" and "includenan" */
  bool keeps_empty;             /* a reduced dimension of length 0 stays 0 */
  int max_outputs;
} gpr_operator;
extern const gpr_operator gpr_operators[GPR_OP_COUNT];
bool gpr_operator_find (const char *name, gpr_op *op);

typedef enum { GPR_OUT_DEFAULT, GPR_OUT_NATIVE, GPR_OUT_DOUBLE, GPR_OUT_EXTRA } gpr_outtype;
typedef enum { GPR_MEAN_ARITHMETIC, GPR_MEAN_GEOMETRIC, GPR_MEAN_HARMONIC } gpr_mean_kind;

typedef struct {
  gpr_op op;
  gpr_class class;
  bool complex;
  gpr_outtype outtype;
  gpr_mean_kind mean;
  bool omit_nan;
  bool want_index;
  int64_t n;
} gpr_question;

typedef struct {
  enum gpr_instance instance;
  gpr_class raw_class;          /* of the reduction's values */
  gpr_class out_class;          /* of the result: raw values are cast */
  bool complex;                 /* of both */
  int numbers;                  /* of one result: the result is numbers x outputs */
} gpr_plan;

/* False: not an operator of that class; the built-in says why.  */
bool gpr_plan_make (const gpr_question *q, gpr_plan *plan);

/* The largest or smallest: its value alone, or with its place; NONE where there
   is no such reduction (values alone of complex numbers).  */
enum gpr_instance gpr_extreme_instance (bool maximum, bool place, enum gpr_elem e);

/* The reductions that count NaNs and find the first, or NONE for integers.  */
enum gpr_instance gpr_nancount_instance (enum gpr_elem e);
enum gpr_instance gpr_nanindex_instance (enum gpr_elem e);

#endif
