/* The table of operators, and the plan of one reduction by it.  */

#include <string.h>

#include "operators.h"
#include "order.h"
#include "scan.h"

/* ---- instances: one for each element type, in the order of GPR_ELEMS ------------- */

#define NONE GPR_INSTANCE_NONE
#define INTEGERS(op) GPR_##op##_i8, GPR_##op##_u8, GPR_##op##_i16, GPR_##op##_u16, \
                     GPR_##op##_i32, GPR_##op##_u32, GPR_##op##_i64, GPR_##op##_u64
#define FLOATS(op) GPR_##op##_f64, GPR_##op##_f32
#define COMPLEX(op) GPR_##op##_c128, GPR_##op##_c64
#define NO_INTEGERS NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE
#define ALL_OF(op) { FLOATS (op), INTEGERS (op), COMPLEX (op) }
#define REAL_OF(op) { FLOATS (op), INTEGERS (op), NONE, NONE }
#define FLOATS_OF(op) { FLOATS (op), NO_INTEGERS, COMPLEX (op) }
/* Singles summed in double.  */
#define DOUBLE_OF(op) { GPR_##op##_f64, GPR_##op##_f32_f64, NO_INTEGERS, \
                        GPR_##op##_c128, GPR_##op##_c64_c128 }

static const gpr_instance_row
  sum = ALL_OF (sum), sum_omit = FLOATS_OF (sumomit), sum_double = DOUBLE_OF (sum), sum_double_omit = DOUBLE_OF (sumomit),
  sum_long = { NONE, NONE, NONE, NONE, NONE, NONE, GPR_sumlong_i32, GPR_sumlong_u32, NONE, NONE, NONE, NONE },
  /* Compensated: of doubles only, so that singles are summed in double.  */
  sum_extra = { GPR_extra_f64, GPR_sum_f32_f64, NO_INTEGERS, GPR_extra_c128, GPR_sum_c64_c128 },
  sum_extra_omit = { GPR_extraomit_f64, GPR_sumomit_f32_f64, NO_INTEGERS, GPR_extraomit_c128, GPR_sumomit_c64_c128 },
  sum_native = { NONE, NONE, INTEGERS (satsum), NONE, NONE },
  sum_log = FLOATS_OF (sumlog), sum_reciprocal = FLOATS_OF (sumrecip),
  prod = ALL_OF (prod), prod_omit = FLOATS_OF (prodomit), prod_double = DOUBLE_OF (prod), prod_double_omit = DOUBLE_OF (prodomit),
  prod_native = { NONE, NONE, INTEGERS (satprod), NONE, NONE },
  sumsq = ALL_OF (sumsq), sumsq_long = { NONE, NONE, NONE, NONE, GPR_sumsqlong_i16, GPR_sumsqlong_u16, NONE, NONE, NONE, NONE, NONE, NONE }, sumsq_omit = FLOATS_OF (sumsqomit),
  max = REAL_OF (max), min = REAL_OF (min), arg_max = ALL_OF (argmax), arg_min = ALL_OF (argmin),
  bounds = REAL_OF (bounds), any = ALL_OF (any), all = ALL_OF (all), nan_count = FLOATS_OF (nancount), nan_index = FLOATS_OF (nanindex),
  norm1 = FLOATS_OF (norm1), norm2 = FLOATS_OF (norm2), normmax = FLOATS_OF (normmax),
  moments_plain = FLOATS_OF (moments), moments_omit = FLOATS_OF (momentsomit),
  stats_plain = { GPR_stats_f64, GPR_stats_f32, NO_INTEGERS, NONE, NONE },
#define NONZERO(T) GPR_nonzero_##T
  nonzero = { FLOATS (nonzero), NONZERO (u8), NONZERO (u8), NONZERO (u16), NONZERO (u16), NONZERO (u32), NONZERO (u32),
              NONZERO (u64), NONZERO (u64), COMPLEX (nonzero) };
#undef NONZERO

/* ---- the table -------------------------------------------------------------------- */

#define OUTTYPES GPR_TAKES_NATIVE | GPR_TAKES_DOUBLE
#define SUM_FORMS [GPR_FORM_PLAIN] = &sum, [GPR_FORM_OMIT] = &sum_omit, [GPR_FORM_LONG] = &sum_long
#define SUMSQ_FORMS [GPR_FORM_PLAIN] = &sumsq, [GPR_FORM_OMIT] = &sumsq_omit, [GPR_FORM_LONG] = &sumsq_long
#define EXTREME(NAME, VALUES, INDICES, FIRST) \
  { .name = NAME, .builtin = NAME, .listed = true, .arguments = GPR_ARGS_PAIR, .result = GPR_RESULT_SAME, \
    .options = GPR_TAKES_NANFLAG | GPR_TAKES_VECDIM | GPR_TAKES_VARIANT, .index_first = FIRST, .max_outputs = 2, \
    .empty = GPR_EMPTY_STAYS, .builtin_takes = { GPR_RULE_sum_options }, .instances = { [GPR_FORM_PLAIN] = VALUES, [GPR_FORM_INDEX] = INDICES } }
#define TRUTH(NAME, INSTANCES) \
  { .name = NAME, .builtin = NAME, .listed = true, .options = GPR_TAKES_VECDIM, .result = GPR_RESULT_LOGICAL, .real = true, \
    .max_outputs = 1, .builtin_takes = { GPR_RULE_sum_options }, .instances = { INSTANCES } }
#define SPREAD(NAME, DIVISOR) \
  { .name = NAME, .builtin = NAME, .listed = true, .engine = GPR_ENGINE_VARIANCE, .arguments = GPR_ARGS_WEIGHT, \
    .options = GPR_TAKES_NANFLAG | GPR_TAKES_VECDIM, \
    .operands = GPR_OPERANDS_CONVERTED, .result = GPR_RESULT_SUM, .real = true, .max_outputs = 2, .empty = GPR_EMPTY_BUILTIN, \
    .builtin_takes = { GPR_RULE_var_options, GPR_RULE_var_integers, GPR_RULE_var_logical }, \
    .divisor = DIVISOR, .instances = { [GPR_FORM_PLAIN] = &moments_plain, [GPR_FORM_OMIT] = &moments_omit } }
#define CUMULATIVE(NAME, OP, OPTIONS, OUTPUTS) \
  { .name = NAME, .builtin = NAME, .listed = true, .engine = GPR_ENGINE_SCAN, .arguments = GPR_ARGS_CUMULATIVE, \
    .options = OPTIONS, .result = OUTPUTS > 1 ? GPR_RESULT_SAME : GPR_RESULT_SUM, .max_outputs = OUTPUTS, \
    .empty = GPR_EMPTY_BUILTIN, .engine_op = OP, .builtin_takes = { GPR_RULE_sum_options } }
#define NORM(NAME, INSTANCES) \
  { .name = NAME, .options = GPR_TAKES_VECDIM, .operands = GPR_OPERANDS_FLOATS, .result = GPR_RESULT_FLOAT, .real = true, \
    .max_outputs = 1, .instances = { INSTANCES } }
#define OTHER_MEAN(INSTANCES, DIVISOR, FINISH) \
  { .name = "mean", .builtin = "mean", .arguments = GPR_ARGS_MEAN, .operands = GPR_OPERANDS_FLOATS, .result = GPR_RESULT_MEAN, \
    .options = OUTTYPES | GPR_TAKES_NANFLAG | GPR_TAKES_MEANTYPE | GPR_TAKES_VECDIM, .max_outputs = 1, .long_dim = true, \
    .empty = GPR_EMPTY_NAN, .divisor = DIVISOR, .builtin_takes = { GPR_RULE_mean_options }, .finish = FINISH, .instances = { INSTANCES } }

const gpr_operator gpr_operators[GPR_OP_COUNT] = {
  [GPR_OP_SUM] = {
    .name = "sum", .builtin = "sum", .listed = true, .result = GPR_RESULT_SUM, .max_outputs = 1,
    .options = OUTTYPES | GPR_TAKES_EXTRA | GPR_TAKES_NANFLAG | GPR_TAKES_VECDIM | GPR_TAKES_VARIANT,
    .builtin_takes = { GPR_RULE_sum_options }, .instances = { SUM_FORMS, [GPR_FORM_DOUBLE] = &sum_double, [GPR_FORM_DOUBLE_OMIT] = &sum_double_omit,
                   [GPR_FORM_EXTRA] = &sum_extra, [GPR_FORM_EXTRA_OMIT] = &sum_extra_omit,
                   [GPR_FORM_NATIVE] = &sum_native, [GPR_FORM_LOGICAL] = &any } },
  [GPR_OP_PROD] = {
    .name = "prod", .builtin = "prod", .listed = true, .result = GPR_RESULT_SUM, .max_outputs = 1,
    .options = OUTTYPES | GPR_TAKES_NANFLAG | GPR_TAKES_VECDIM | GPR_TAKES_VARIANT, .builtin_takes = { GPR_RULE_sum_options },
    .instances = { &prod, &prod_omit, [GPR_FORM_DOUBLE] = &prod_double, [GPR_FORM_DOUBLE_OMIT] = &prod_double_omit,
                   [GPR_FORM_NATIVE] = &prod_native, [GPR_FORM_LOGICAL] = &all } },
  [GPR_OP_SUMSQ] = {
    .name = "sumsq", .builtin = "sumsq", .listed = true, .operands = GPR_OPERANDS_NUMBERS, .result = GPR_RESULT_SUM, .real = true,
    .options = GPR_TAKES_NANFLAG | GPR_TAKES_VECDIM, .max_outputs = 1, .builtin_takes = { GPR_RULE_sum_options },
    .instances = { SUMSQ_FORMS } },
  [GPR_OP_MEAN] = {
    .name = "mean", .builtin = "mean", .listed = true, .arguments = GPR_ARGS_MEAN, .operands = GPR_OPERANDS_NUMBERS,
    .options = OUTTYPES | GPR_TAKES_NANFLAG | GPR_TAKES_MEANTYPE | GPR_TAKES_VECDIM, .result = GPR_RESULT_MEAN, .max_outputs = 1,
    .long_dim = true, .empty = GPR_EMPTY_NAN, .divisor = GPR_DIVISOR_LENGTH, .builtin_takes = { GPR_RULE_mean_options },
    .instances = { SUM_FORMS, [GPR_FORM_DOUBLE] = &sum_double, [GPR_FORM_DOUBLE_OMIT] = &sum_double_omit } },
  [GPR_OP_MAX] = EXTREME ("max", &max, &arg_max, false),
  [GPR_OP_MIN] = EXTREME ("min", &min, &arg_min, false),
  [GPR_OP_ANY] = TRUTH ("any", &any),
  [GPR_OP_ALL] = TRUTH ("all", &all),
  [GPR_OP_ARGMAX] = EXTREME ("argmax", &max, &arg_max, true),
  [GPR_OP_ARGMIN] = EXTREME ("argmin", &min, &arg_min, true),
  [GPR_OP_VAR] = SPREAD ("var", GPR_DIVISOR_VARIANCE),
  [GPR_OP_STD] = SPREAD ("std", GPR_DIVISOR_DEVIATION),
  [GPR_OP_RMS] = {
    .name = "rms", .listed = true, .operands = GPR_OPERANDS_NUMBERS, .result = GPR_RESULT_SUM, .real = true, .max_outputs = 1,
    .options = GPR_TAKES_NANFLAG | GPR_TAKES_VECDIM, .empty = GPR_EMPTY_NAN, .divisor = GPR_DIVISOR_ROOT_MEAN,
    .finish = GPR_FINISH_SQRT, .instances = { SUMSQ_FORMS } },
  [GPR_OP_MEDIAN] = {
    .name = "median", .builtin = "median", .listed = true, .engine = GPR_ENGINE_ORDER, .operands = GPR_OPERANDS_NUMBERS,
    .options = GPR_TAKES_NANFLAG | GPR_TAKES_VECDIM, .result = GPR_RESULT_SAME, .max_outputs = 1, .empty = GPR_EMPTY_BUILTIN,
    .builtin_takes = { GPR_RULE_mean_options } },
  [GPR_OP_MODE] = {
    .name = "mode", .builtin = "mode", .listed = true, .engine = GPR_ENGINE_ORDER, .operands = GPR_OPERANDS_NUMBERS,
    .options = GPR_TAKES_VECDIM, .result = GPR_RESULT_SAME, .max_outputs = 3, .empty = GPR_EMPTY_BUILTIN,
    .builtin_takes = { GPR_RULE_mode_options, .logicals = GPR_RULE_mode_logical } },
  [GPR_OP_RANGE] = {
    .name = "range", .builtin = "range", .listed = true, .engine = GPR_ENGINE_MAX_AND_MIN,
    .options = GPR_TAKES_NANFLAG | GPR_TAKES_VECDIM, .result = GPR_RESULT_SAME, .max_outputs = 1, .empty = GPR_EMPTY_STAYS,
    .finish = GPR_FINISH_DIFFERENCE, .builtin_takes = { GPR_RULE_bounds_options, .chars = GPR_RULE_range_char }, .instances = { &bounds } },
  [GPR_OP_BOUNDS] = {
    .name = "bounds", .builtin = "bounds", .listed = true, .engine = GPR_ENGINE_MAX_AND_MIN, .arguments = GPR_ARGS_BOUNDS,
    .options = GPR_TAKES_NANFLAG | GPR_TAKES_VECDIM, .result = GPR_RESULT_SAME, .max_outputs = 2, .long_dim = true,
    .empty = GPR_EMPTY_STAYS, .builtin_takes = { GPR_RULE_bounds_options, .logicals = GPR_RULE_bounds_logical }, .instances = { &bounds } },
  [GPR_OP_CUMSUM] = CUMULATIVE ("cumsum", GPR_SCAN_cumsum, OUTTYPES | GPR_TAKES_NANFLAG, 1),
  [GPR_OP_CUMPROD] = CUMULATIVE ("cumprod", GPR_SCAN_cumprod, GPR_TAKES_NANFLAG, 1),
  [GPR_OP_CUMMAX] = CUMULATIVE ("cummax", GPR_SCAN_cummax, GPR_TAKES_NANFLAG, 2),
  [GPR_OP_CUMMIN] = CUMULATIVE ("cummin", GPR_SCAN_cummin, GPR_TAKES_NANFLAG, 2),
  [GPR_OP_NNZ] = {
    .name = "nnz", .builtin = "nnz", .listed = true, .arguments = GPR_ARGS_ALL, .result = GPR_RESULT_DOUBLE, .real = true, .max_outputs = 1,
    .instances = { &nonzero } },
  [GPR_OP_NORM] = {
    .name = "norm", .builtin = "norm", .engine = GPR_ENGINE_NORM, .arguments = GPR_ARGS_NORM, .operands = GPR_OPERANDS_FLOATS,
    .result = GPR_RESULT_FLOAT, .real = true, .max_outputs = 1, .empty = GPR_EMPTY_BUILTIN },

  /* Behind gpu_stats and the bins of gpu_histcounts; the kinds of mean and norm.  */
  [GPR_OP_STATS] = {
    .name = "stats", .options = GPR_TAKES_NANFLAG | GPR_TAKES_VECDIM, .operands = GPR_OPERANDS_FLOATS, .result = GPR_RESULT_DOUBLE,
    .real = true, .max_outputs = 1, .finish = GPR_FINISH_SUMMARY, .instances = { &stats_plain, &stats_plain } },
  [GPR_OP_GEOMETRIC_MEAN] = OTHER_MEAN (&sum_log, GPR_DIVISOR_LENGTH, GPR_FINISH_EXP),
  [GPR_OP_HARMONIC_MEAN] = OTHER_MEAN (&sum_reciprocal, GPR_DIVISOR_NONE, GPR_FINISH_RECIPROCAL),
  [GPR_OP_NORM1] = NORM ("norm1", &norm1),
  [GPR_OP_NORM2] = NORM ("norm2", &norm2),
  [GPR_OP_NORMMAX] = NORM ("normmax", &normmax),
  [GPR_OP_NORM0] = NORM ("norm0", &nonzero)
};

bool
gpr_operator_find (const char *name, gpr_op *op)
{
  for (int i = 0; i < GPR_OP_COUNT; i++)
    if (strcmp (name, gpr_operators[i].name) == 0)
      {
        *op = i;
        return true;
      }
  return false;
}

/* ---- the plan of one reduction ----------------------------------------------------- */

enum gpr_instance
gpr_extreme_instance (bool maximum, bool index, enum gpr_elem e)
{
  return index ? (maximum ? arg_max : arg_min)[e] : (maximum ? max : min)[e];
}

enum gpr_instance gpr_nancount_instance (enum gpr_elem e) { return nan_count[e]; }
enum gpr_instance gpr_nanindex_instance (enum gpr_elem e) { return nan_index[e]; }

static bool
is_floating (gpr_class class)
{
  return class == GPR_CLASS_double || class == GPR_CLASS_single;
}

/* The form that these options ask for.  A mean's outtype is only the class of its result.  */
static gpr_form
form_of (const gpr_operator *o, const gpr_question *q, enum gpr_elem e)
{
  const bool sum = o->result == GPR_RESULT_SUM, omit = q->omit_nan;

  if (gpr_has_index (o))
    return q->complex || q->want_index ? GPR_FORM_INDEX : GPR_FORM_PLAIN;
  if (sum && q->outtype == GPR_OUT_NATIVE && gpr_class_is_integer (q->class))
    return GPR_FORM_NATIVE;
  if (sum && q->outtype == GPR_OUT_NATIVE && q->class == GPR_CLASS_logical)
    return GPR_FORM_LOGICAL;
  if (! is_floating (q->class))
    return q->n >= (int64_t) 1 << 32 && o->instances[GPR_FORM_LONG] && (*o->instances[GPR_FORM_LONG])[e] != NONE
           ? GPR_FORM_LONG : GPR_FORM_PLAIN;        /* 64 bits hold the sum of fewer than 2^32 of these */
  if (sum && q->outtype == GPR_OUT_EXTRA)
    return omit ? GPR_FORM_EXTRA_OMIT : GPR_FORM_EXTRA;
  if ((sum && q->outtype == GPR_OUT_DOUBLE) || q->wide)
    return omit ? GPR_FORM_DOUBLE_OMIT : GPR_FORM_DOUBLE;
  return omit ? GPR_FORM_OMIT : GPR_FORM_PLAIN;
}

static void
set_classes (const gpr_operator *o, const gpr_question *q, gpr_form form, gpr_plan *plan)
{
  const gpr_class number = q->class == GPR_CLASS_single ? GPR_CLASS_single : GPR_CLASS_double;

  plan->raw_class = plan->out_class = number;
  switch (o->result)
    {
    case GPR_RESULT_SUM:
      if (form == GPR_FORM_NATIVE || form == GPR_FORM_LOGICAL)
        plan->raw_class = plan->out_class = q->class;
      else if (q->outtype == GPR_OUT_DOUBLE || q->outtype == GPR_OUT_EXTRA)
        plan->raw_class = plan->out_class = GPR_CLASS_double;
      break;
    case GPR_RESULT_MEAN:
      if (q->wide)
        plan->raw_class = GPR_CLASS_double;
      if (q->outtype == GPR_OUT_DOUBLE)
        plan->out_class = GPR_CLASS_double;
      else if (q->outtype == GPR_OUT_NATIVE && gpr_class_is_integer (q->class))
        plan->out_class = q->class;
      break;
    case GPR_RESULT_SAME:
      plan->raw_class = q->class;
      plan->out_class = q->class == GPR_CLASS_char || (q->class == GPR_CLASS_logical && o->finish == GPR_FINISH_DIFFERENCE)
                        ? GPR_CLASS_double : q->class;
      break;
    case GPR_RESULT_LOGICAL:
      plan->raw_class = plan->out_class = GPR_CLASS_logical;
      break;
    case GPR_RESULT_DOUBLE:
      plan->raw_class = plan->out_class = GPR_CLASS_double;
      break;
    case GPR_RESULT_FLOAT:
      plan->raw_class = GPR_CLASS_double;
      break;
    }
}

/* Of logical elements these are any and all, which stop early.  */
static gpr_op
of_logicals (const gpr_question *q, gpr_form form)
{
  if (q->class != GPR_CLASS_logical || form != GPR_FORM_PLAIN || q->n == 0)
    return q->op;
  return q->op == GPR_OP_MAX ? GPR_OP_ANY : q->op == GPR_OP_MIN || q->op == GPR_OP_PROD ? GPR_OP_ALL : q->op;
}

bool
gpr_plan_make (const gpr_question *q, gpr_plan *plan)
{
  const gpr_operator *o = &gpr_operators[q->op];
  const gpr_array as = { .class = q->class, .complex = q->complex };
  const enum gpr_elem e = gpr_array_elem (&as);
  const gpr_form form = form_of (o, q, e);
  const gpr_op op = of_logicals (q, form);
  const gpr_instance_row *row = gpr_operators[op].instances[form];

  *plan = (gpr_plan) { .instance = GPR_INSTANCE_NONE, .complex = q->complex && ! o->real, .numbers = 1 };
  if (! row || (o->operands == GPR_OPERANDS_NUMBERS && q->class == GPR_CLASS_char)
      || (o->operands == GPR_OPERANDS_FLOATS && ! is_floating (q->class)))
    return false;
  plan->instance = (*row)[e];
  set_classes (o, q, form, plan);
  if (op != q->op)
    plan->raw_class = GPR_CLASS_logical;
  if (plan->instance == GPR_INSTANCE_NONE)
    return false;
  if (plan->raw_class == GPR_CLASS_double && o->real && o->result != GPR_RESULT_SUM)
    plan->numbers = (int) (gpr_instances[plan->instance].value_bytes / sizeof (double));
  return true;
}
