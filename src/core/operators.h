/* What every function that reduces is (the operators' arithmetic is in kernels/ops): one row of
   a table says it all; fields that a row leaves out are 0, the first name of each list below.  From the rows come the
   arguments that the gateway takes, the names that gpu_reduce knows, the instances
   and the classes of results, and what is done with a reduction's values afterwards.  */

#ifndef GPR_OPERATORS_H
#define GPR_OPERATORS_H

#include "array.h"
#include "rules.h"

/* In the order in which gpu_reduce lists them.  Those from GPR_OP_FUNCTIONS on are kinds of
   the others, or behind functions that finish in m-code (gpu_stats).  */
typedef enum {
  GPR_OP_SUM, GPR_OP_PROD, GPR_OP_SUMSQ, GPR_OP_MEAN, GPR_OP_MAX, GPR_OP_MIN, GPR_OP_ANY, GPR_OP_ALL,
  GPR_OP_ARGMAX, GPR_OP_ARGMIN, GPR_OP_VAR, GPR_OP_STD, GPR_OP_RMS, GPR_OP_MEDIAN, GPR_OP_MODE, GPR_OP_RANGE,
  GPR_OP_BOUNDS, GPR_OP_CUMSUM, GPR_OP_CUMPROD, GPR_OP_CUMMAX, GPR_OP_CUMMIN, GPR_OP_NNZ, GPR_OP_NORM,
  GPR_OP_FUNCTIONS,
  GPR_OP_STATS = GPR_OP_FUNCTIONS, GPR_OP_GEOMETRIC_MEAN, GPR_OP_HARMONIC_MEAN,
  GPR_OP_NORM1, GPR_OP_NORM2, GPR_OP_NORMMAX, GPR_OP_NORM0, GPR_OP_COUNT
} gpr_op;

/* What computes it.  */
typedef enum {
  GPR_ENGINE_REDUCE,            /* one reduction, then the row's finish */
  GPR_ENGINE_VARIANCE,          /* the same, with W or weights */
  GPR_ENGINE_ORDER,             /* sorts: median, mode */
  GPR_ENGINE_SCAN,              /* cumulative */
  GPR_ENGINE_MAX_AND_MIN,       /* both operators, then the row's finish */
  GPR_ENGINE_NORM               /* one of the norms, by P */
} gpr_engine;

/* How the arguments follow each other; nanflag, "all" and "device" may stand anywhere.  */
typedef enum {
  GPR_ARGS_DIM,                 /* x, dim, outtype */
  GPR_ARGS_PAIR,                /* x, [], dim, as max */
  GPR_ARGS_MEAN,                /* x, dim and kind in either order, outtype */
  GPR_ARGS_WEIGHT,              /* x, w, dim, as var */
  GPR_ARGS_CUMULATIVE,          /* x, one dim, outtype */
  GPR_ARGS_ALL,                 /* x: all elements, as nnz */
  GPR_ARGS_BOUNDS,              /* x, dim, as bounds checks it */
  GPR_ARGS_NORM                 /* x, p, option */
} gpr_arguments;

enum {                          /* options that it takes */
  GPR_TAKES_NATIVE = 1,         /* outtype "native" */
  GPR_TAKES_DOUBLE = 2,         /* outtype "double" */
  GPR_TAKES_EXTRA = 4,          /* outtype "extra" */
  GPR_TAKES_NANFLAG = 8,        /* "omitnan", "includenan" */
  GPR_TAKES_MEANTYPE = 16,
  GPR_TAKES_VECDIM = 32,        /* several dimensions, "all" */
  GPR_TAKES_VARIANT = 64        /* the kernel ladder has variants of it */
};

/* The class of the result.  Of sums: single for singles, else double, or as outtype says.  */
typedef enum {
  GPR_RESULT_SUM,
  GPR_RESULT_MEAN,              /* of a sum's values; "native" rounds to integers */
  GPR_RESULT_SAME,              /* as x; of chars double */
  GPR_RESULT_LOGICAL,
  GPR_RESULT_DOUBLE,
  GPR_RESULT_FLOAT              /* values in double, then single for singles */
} gpr_class_rule;

/* Which elements it takes.  */
typedef enum {
  GPR_OPERANDS_ANY,
  GPR_OPERANDS_NUMBERS,         /* and logical, not chars */
  GPR_OPERANDS_FLOATS,          /* double and single */
  GPR_OPERANDS_CONVERTED        /* numbers; integers and logical are converted to double first */
} gpr_operands;

/* Where nothing is reduced.  */
typedef enum {
  GPR_EMPTY_IDENTITY,           /* the operator's identity: 0 of sums */
  GPR_EMPTY_STAYS,              /* a reduced dimension of length 0 stays 0: max */
  GPR_EMPTY_NAN,                /* 0/0 */
  GPR_EMPTY_BUILTIN             /* the built-in answers */
} gpr_empty_rule;

/* By what the values are divided.  */
typedef enum {
  GPR_DIVISOR_NONE,
  GPR_DIVISOR_LENGTH,           /* their number, by the engine; in the finish where NaN are left out */
  GPR_DIVISOR_ROOT_MEAN,        /* the same, and the root is taken */
  GPR_DIVISOR_VARIANCE,         /* by their number or one less, by the engine */
  GPR_DIVISOR_DEVIATION         /* the same, and the root */
} gpr_divisor;

/* What is done with the values of a reduction, on the host (finish.h) or where they lie (src/gateway/finish_there.c).  */
typedef enum {
  GPR_FINISH_NONE, GPR_FINISH_EXP, GPR_FINISH_RECIPROCAL, GPR_FINISH_SQRT, GPR_FINISH_SUMMARY,
  GPR_FINISH_DIFFERENCE         /* max - min */
} gpr_finish;

/* An operator has an instance for each element type in up to so many forms.  */
typedef enum {
  GPR_FORM_PLAIN, GPR_FORM_OMIT, GPR_FORM_DOUBLE, GPR_FORM_DOUBLE_OMIT, GPR_FORM_EXTRA, GPR_FORM_EXTRA_OMIT,
  GPR_FORM_NATIVE, GPR_FORM_LOGICAL,    /* "native" of integers, of logicals */
  GPR_FORM_LONG,                        /* of 2^32 elements and more */
  GPR_FORM_INDEX,                       /* with the index; complex extremes have only this form */
  GPR_FORMS
} gpr_form;
typedef short gpr_instance_row[GPR_ELEM_COUNT];        /* enum gpr_instance */

typedef struct {
  const char *name;             /* "sum"; the public function is gpu_NAME */
  const char *builtin;          /* whose rules and errors it has, or NULL */
  bool listed;                  /* gpu_reduce knows it */
  gpr_engine engine;
  gpr_arguments arguments;
  int options;                  /* GPR_TAKES_… */
  gpr_operands operands;
  gpr_class_rule result;
  bool real;                    /* the result is real even where the elements are complex */
  bool index_first;             /* the index is the first output */
  int max_outputs;
  bool long_dim;                /* the default dimension is the first longer than 1, else the first that is not 1 */
  gpr_empty_rule empty;
  gpr_divisor divisor;
  gpr_finish finish;
  int engine_op;                /* of engines order and scan: gpr_order_op, gpr_scan_op */
  struct { gpr_rule options, integers, logicals, chars; } builtin_takes;        /* under which rule the built-in does */
  const gpr_instance_row *instances[GPR_FORMS];
} gpr_operator;
extern const gpr_operator gpr_operators[GPR_OP_COUNT];

bool gpr_operator_find (const char *name, gpr_op *op);
static inline bool gpr_has_index (const gpr_operator *o) { return o->instances[GPR_FORM_INDEX] != NULL; }

typedef enum { GPR_OUT_DEFAULT, GPR_OUT_NATIVE, GPR_OUT_DOUBLE, GPR_OUT_EXTRA } gpr_outtype;

typedef struct {
  gpr_op op;
  gpr_class class;
  bool complex;
  gpr_outtype outtype;
  bool omit_nan;
  bool wide;                    /* means of singles: summed in double */
  bool want_index;
  int64_t n;
} gpr_question;

typedef struct {
  enum gpr_instance instance;
  gpr_class raw_class;          /* of the reduction's values */
  gpr_class out_class;          /* of the result: raw values are cast */
  bool complex;                 /* of both */
  int numbers;                  /* of each value of the reduction: 9 of stats, else 1 */
} gpr_plan;

/* False: not an operator of that class; the built-in says why.  */
bool gpr_plan_make (const gpr_question *q, gpr_plan *plan);

/* The largest or smallest: its value alone, or with its index; NONE where there
   is no such reduction (values alone of complex numbers).  */
enum gpr_instance gpr_extreme_instance (bool maximum, bool index, enum gpr_elem e);

/* The reductions that count NaNs and find the first, or NONE for integers.  */
enum gpr_instance gpr_nancount_instance (enum gpr_elem e);
enum gpr_instance gpr_nanindex_instance (enum gpr_elem e);

#endif
