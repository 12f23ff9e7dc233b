#include <string.h>

#include "operators.h"

const gpr_operator gpr_operators[GPR_OP_COUNT] = {
  [GPR_OP_SUM]    = { "sum",    "sum",   true,  true,  false, 1 },
  [GPR_OP_PROD]   = { "prod",   "prod",  true,  true,  false, 1 },
  [GPR_OP_SUMSQ]  = { "sumsq",  "sumsq", false, true,  false, 1 },
  [GPR_OP_MEAN]   = { "mean",   "mean",  true,  true,  false, 1 },
  [GPR_OP_MAX]    = { "max",    "max",   false, true,  true,  2 },
  [GPR_OP_MIN]    = { "min",    "min",   false, true,  true,  2 },
  [GPR_OP_ANY]    = { "any",    "any",   false, false, false, 1 },
  [GPR_OP_ALL]    = { "all",    "all",   false, false, false, 1 },
  [GPR_OP_ARGMAX] = { "argmax", "argmax", false, true,  true,  2 },
  [GPR_OP_ARGMIN] = { "argmin", "argmin", false, true,  true,  2 },
  /* What gpu_nnz, gpu_norm, gpu_var, gpu_std and gpu_stats ask for.  */
  [GPR_OP_NNZ]     = { "nnz",     NULL, false, false, false, 1 },
  [GPR_OP_NORM1]   = { "norm1",   NULL, false, false, false, 1 },
  [GPR_OP_NORM2]   = { "norm2",   NULL, false, false, false, 1 },
  [GPR_OP_NORMMAX] = { "normmax", NULL, false, false, false, 1 },
  [GPR_OP_MOMENTS] = { "moments", NULL, false, true,  false, 1 },
  [GPR_OP_STATS]   = { "stats",   NULL, false, true,  false, 1 }
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

/* A row of reductions, one an element type in the order of GPR_ELEMS.  */
typedef short row[GPR_ELEM_COUNT];
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

static const row
  sum = ALL_OF (sum), sum_omit = FLOATS_OF (sumomit), sum_double = DOUBLE_OF (sum), sum_double_omit = DOUBLE_OF (sumomit),
  sum_native = { NONE, NONE, INTEGERS (satsum), NONE, NONE },
  sum_log = FLOATS_OF (sumlog), sum_reciprocal = FLOATS_OF (sumrecip),
  prod = ALL_OF (prod), prod_omit = FLOATS_OF (prodomit), prod_double = DOUBLE_OF (prod), prod_double_omit = DOUBLE_OF (prodomit),
  prod_native = { NONE, NONE, INTEGERS (satprod), NONE, NONE },
  sumsq = ALL_OF (sumsq), sumsq_omit = FLOATS_OF (sumsqomit),
  max = REAL_OF (max), min = REAL_OF (min), arg_max = ALL_OF (argmax), arg_min = ALL_OF (argmin),
  any = ALL_OF (any), all = ALL_OF (all), nan_count = FLOATS_OF (nancount), nan_index = FLOATS_OF (nanindex),
  norm1 = FLOATS_OF (norm1), norm2 = FLOATS_OF (norm2), normmax = FLOATS_OF (normmax),
  moments_ = FLOATS_OF (moments), moments_omit = FLOATS_OF (momentsomit),
  stats_ = { GPR_stats_f64, GPR_stats_f32, NO_INTEGERS, NONE, NONE },
#define NONZERO(T) GPR_nonzero_##T
  nonzero = { FLOATS (nonzero), NONZERO (u8), NONZERO (u8), NONZERO (u16), NONZERO (u16), NONZERO (u32), NONZERO (u32),
              NONZERO (u64), NONZERO (u64), COMPLEX (nonzero) };
#undef NONZERO

enum gpr_instance
gpr_extreme_instance (bool maximum, bool place, enum gpr_elem e)
{
  return place ? (maximum ? arg_max : arg_min)[e] : (maximum ? max : min)[e];
}

enum gpr_instance gpr_nancount_instance (enum gpr_elem e) { return nan_count[e]; }
enum gpr_instance gpr_nanindex_instance (enum gpr_elem e) { return nan_index[e]; }

static enum gpr_instance
sum_instance (const gpr_question *q, enum gpr_elem e, bool floating)
{
  if (floating)
    {
      if (q->outtype == GPR_OUT_EXTRA && q->class == GPR_CLASS_double)
        return q->complex ? (q->omit_nan ? GPR_extraomit_c128 : GPR_extra_c128)
                          : (q->omit_nan ? GPR_extraomit_f64 : GPR_extra_f64);
      if (q->outtype == GPR_OUT_DOUBLE || q->outtype == GPR_OUT_EXTRA)
        return q->omit_nan ? sum_double_omit[e] : sum_double[e];
      return q->omit_nan ? sum_omit[e] : sum[e];
    }
  /* 64 bits hold the sum of fewer than 2^32 of these.  */
  if (q->n >= (int64_t) 1 << 32 && (e == GPR_i32 || e == GPR_u32))
    return e == GPR_i32 ? GPR_sumlong_i32 : GPR_sumlong_u32;
  return sum[e];
}

bool
gpr_plan_make (const gpr_question *q, gpr_plan *plan)
{
  gpr_array as = { .class = q->class, .complex = q->complex };
  enum gpr_elem e = gpr_array_elem (&as);
  bool floating = q->class == GPR_CLASS_double || q->class == GPR_CLASS_single;
  bool integer = gpr_class_is_integer (q->class);
  gpr_class number = q->class == GPR_CLASS_single ? GPR_CLASS_single : GPR_CLASS_double;   /* of sums */

  *plan = (gpr_plan) { GPR_INSTANCE_NONE, number, number, q->complex, 1 };
  switch (q->op)
    {
    case GPR_OP_SUM:
    case GPR_OP_PROD:
      if (q->outtype == GPR_OUT_NATIVE && q->class == GPR_CLASS_logical)
        {
          plan->instance = q->op == GPR_OP_SUM ? any[e] : all[e];
          plan->raw_class = plan->out_class = GPR_CLASS_logical;
        }
      else if (q->outtype == GPR_OUT_NATIVE && integer)
        {
          plan->instance = q->op == GPR_OP_SUM ? sum_native[e] : prod_native[e];
          plan->raw_class = plan->out_class = q->class;
        }
      else if (q->op == GPR_OP_SUM)
        plan->instance = sum_instance (q, e, floating);
      else if (q->outtype == GPR_OUT_DOUBLE && floating)
        plan->instance = q->omit_nan ? prod_double_omit[e] : prod_double[e];
      else
        plan->instance = floating && q->omit_nan ? prod_omit[e] : prod[e];
      if (q->outtype == GPR_OUT_DOUBLE || q->outtype == GPR_OUT_EXTRA)
        plan->raw_class = plan->out_class = GPR_CLASS_double;
      break;

    case GPR_OP_SUMSQ:
      if (q->class != GPR_CLASS_char)
        plan->instance = floating && q->omit_nan ? sumsq_omit[e] : sumsq[e];
      plan->complex = false;
      break;

    case GPR_OP_MEAN:
      {
        gpr_question s = *q;
        s.outtype = GPR_OUT_DEFAULT;
        if (q->class == GPR_CLASS_char || (! floating && q->mean != GPR_MEAN_ARITHMETIC))
          break;
        plan->instance = q->mean == GPR_MEAN_GEOMETRIC ? sum_log[e]
                     : q->mean == GPR_MEAN_HARMONIC ? sum_reciprocal[e] : sum_instance (&s, e, floating);
        if (q->outtype == GPR_OUT_DOUBLE)
          plan->out_class = GPR_CLASS_double;
        else if (q->outtype == GPR_OUT_NATIVE && integer)
          plan->out_class = q->class;
        break;
      }

    case GPR_OP_MAX:
    case GPR_OP_MIN:
    case GPR_OP_ARGMAX:
    case GPR_OP_ARGMIN:
      {
        bool biggest = q->op == GPR_OP_MAX || q->op == GPR_OP_ARGMAX;
        plan->instance = q->complex || q->want_index ? (biggest ? arg_max[e] : arg_min[e]) : (biggest ? max[e] : min[e]);
        plan->raw_class = q->class;
        plan->out_class = q->class == GPR_CLASS_char ? GPR_CLASS_double : q->class;
        break;
      }

    case GPR_OP_ANY:
    case GPR_OP_ALL:
      plan->instance = q->op == GPR_OP_ANY ? any[e] : all[e];
      plan->raw_class = plan->out_class = GPR_CLASS_logical;
      plan->complex = false;
      break;

    case GPR_OP_NNZ:
    case GPR_OP_NORM1:
    case GPR_OP_NORM2:
    case GPR_OP_NORMMAX:
    case GPR_OP_MOMENTS:
    case GPR_OP_STATS:
      plan->instance = (q->op == GPR_OP_NNZ ? nonzero : q->op == GPR_OP_NORM1 ? norm1 : q->op == GPR_OP_NORM2 ? norm2
                    : q->op == GPR_OP_NORMMAX ? normmax : q->op == GPR_OP_STATS ? stats_
                    : q->omit_nan ? moments_omit : moments_)[e];
      plan->raw_class = GPR_CLASS_double;
      if (q->op == GPR_OP_NNZ || q->op == GPR_OP_MOMENTS || q->op == GPR_OP_STATS)
        plan->out_class = GPR_CLASS_double;
      plan->complex = false;
      plan->numbers = (int) (plan->instance == GPR_INSTANCE_NONE ? 1 : gpr_instances[plan->instance].value_bytes / sizeof (double));
      break;

    default:
      break;
    }
  return plan->instance != GPR_INSTANCE_NONE;
}
