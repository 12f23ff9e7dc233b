// Copyright (C) 2026 The gpureduce developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// gpuArray: operators and elementwise functions, by a kernel or on the host.

#include <cmath>
#include <cstring>
#include <set>
#include <string>
#include <utility>

#include <octave/interpreter.h>

#include "gpu_array.h"

static const char *const ways[] = { "quiet", "warn", "error" };
static int way;
static double times;

void
note_through_host (const std::string& what)
{
  times++;
  if (way == 1)
    warning_with_id ("gpureduce:through-host", "%s: gpuArrays have no kernel for this: Octave does it on the host", what.c_str ());
  else if (way == 2)
    error_with_id ("gpureduce:through-host", "%s: gpuArrays have no kernel for this, and gpu_config (\"through_host\") is \"error\"", what.c_str ());
}

octave_value
through_host_setting (const octave_value& wanted)
{
  const std::string old = ways[way];
  if (wanted.is_string () && wanted.string_value () == "count")
    return octave_value (times);
  if (wanted.is_defined ())
    {
      int next = 0;
      while (next < 3 && ! (wanted.is_string () && wanted.string_value () == ways[next]))
        next++;
      if (next == 3)
        error_with_id ("gpureduce:invalid-input", "gpu_config: \"through_host\" is \"quiet\", \"warn\" or \"error\"");
      way = next;
    }
  return octave_value (old);
}

octave_value
host_of (const octave_base_value& v)
{
  auto g = dynamic_cast<const gpu_array *> (&v);
  return g ? g->host () : octave_value (const_cast<octave_base_value *> (&v), true);
}

bool
as_operand (const octave_base_value& v, gpr_value_operand *operand, octave_value& kept)
{
  auto g = dynamic_cast<const gpu_array *> (&v);
  if (! g)
    {
      const octave_value x (const_cast<octave_base_value *> (&v), true);
      const std::string type = x.class_name ();
      if (x.issparse () || ! (x.isnumeric () || x.islogical () || x.is_string ()) || type == "int64" || type == "uint64")
        return false;
      if (x.numel () == 1 && ! x.iscomplex ())
        {
          static const char *const types[] = { "double", "single", "int8", "int16", "int32", "uint8", "uint16", "uint32", "logical", "char" };
          *operand = { 0, x.is_string () ? static_cast<unsigned char> (x.char_array_value ()(0)) : x.double_value (), nullptr };
          for (const char *known : types)
            if (type == known)
              operand->type = known;
          return operand->type != nullptr;
        }
      kept = resident (x);
      g = dynamic_cast<const gpu_array *> (&kept.get_rep ());
    }
  return g && g->as_operand (operand);
}

// Octave's powers of arrays of two sizes are complex numbers, if only in their last digits, where some exponent, of whichever element, is no
// whole number and some element is negative.
static bool
may_be_complex_powers (const octave_base_value& a, const octave_base_value& b)
{
  if (a.numel () == 1 || b.numel () == 1 || a.dims () == b.dims ())
    return false;
  const octave_value exponents = host_of (b);
  return exponents.isfloat () && ! (exponents.isreal () && exponents.array_value ().all_integers ());
}

// By a kernel; undefined where it is Octave's.
static octave_value
mapped (const char *operation, const octave_base_value& a, const octave_base_value *b)
{
  gpr_value_operand operands[2];
  octave_value kept[2];
  double id = 0;
  if (! operation || (b && ! std::strcmp (operation, "power") && may_be_complex_powers (a, *b)))
    return octave_value ();
  if (! as_operand (a, &operands[0], kept[0]) || (b && ! as_operand (*b, &operands[1], kept[1])))
    return octave_value ();
  raise_if (core ()->map (operation, operands, b ? 2 : 1, &id), operation);
  return id == 0 ? octave_value () : of_id (id, false);
}

static bool
is_number (const octave_base_value& v)
{
  return v.dims ().numel () == 1;
}

// The one place where operators are done.
static octave_value
binary (octave_value::binary_op op, const octave_base_value& a, const octave_base_value& b)
{
  const char *operation = nullptr;
  bool turned = false;
  switch (op)
    {
    case octave_value::op_add: operation = "plus"; break;
    case octave_value::op_sub: operation = "minus"; break;
    case octave_value::op_mul: operation = is_number (a) || is_number (b) ? "times" : nullptr; break;
    case octave_value::op_div: operation = is_number (b) ? "rdivide" : nullptr; break;
    case octave_value::op_pow: operation = is_number (a) && is_number (b) ? "power" : nullptr; break;
    case octave_value::op_ldiv: operation = is_number (a) ? "rdivide" : nullptr; turned = true; break;
    case octave_value::op_el_mul: operation = "times"; break;
    case octave_value::op_el_div: operation = "rdivide"; break;
    case octave_value::op_el_pow: operation = "power"; break;
    case octave_value::op_el_ldiv: operation = "rdivide"; turned = true; break;
    case octave_value::op_lt: operation = "lt"; break;
    case octave_value::op_le: operation = "le"; break;
    case octave_value::op_eq: operation = "eq"; break;
    case octave_value::op_ge: operation = "ge"; break;
    case octave_value::op_gt: operation = "gt"; break;
    case octave_value::op_ne: operation = "ne"; break;
    case octave_value::op_el_and: operation = "and"; break;
    case octave_value::op_el_or: operation = "or"; break;
    default: break;
    }
  octave_value done = turned ? mapped (operation, b, &a) : mapped (operation, a, &b);
  if (! done.is_defined ())
    done = linear_operation (op, octave_value (const_cast<octave_base_value *> (&a), true), octave_value (const_cast<octave_base_value *> (&b), true));
  if (done.is_defined ())
    return done;
  note_through_host (octave_value::binary_op_as_string (op));
  return resident (octave::binary_op (op, host_of (a), host_of (b)));
}

static octave_value
unary (octave_value::unary_op op, const octave_base_value& a)
{
  const char *operation = op == octave_value::op_not ? "not" : op == octave_value::op_uminus ? "uminus" : op == octave_value::op_uplus ? "uplus" : nullptr;
  auto g = dynamic_cast<const gpu_array *> (&a);
  if (op == octave_value::op_uplus && a.isnumeric () && ! a.iscomplex ())
    return octave_value (a.clone ());
  const bool turns = op == octave_value::op_transpose || op == octave_value::op_hermitian;
  Array<int> order (dim_vector (2, 1), 0);
  order(0) = 1;
  octave_value done;
  if (g && turns && a.dims ().ndims () == 2)
    {
      // cuBLAS' adjoint would lose the sign of an imaginary 0.
      const octave_value conjugate = op == octave_value::op_hermitian && a.iscomplex () ? mapped ("conj", a, nullptr) : octave_value ();
      auto c = conjugate.is_defined () ? dynamic_cast<const gpu_array *> (&conjugate.get_rep ()) : nullptr;
      if (op == octave_value::op_transpose || a.isreal ())
        done = g->permute (order);
      else if (c)
        done = c->transposed ();
    }
  else
    done = mapped (operation, a, nullptr);
  if (done.is_defined ())
    return done;
  note_through_host (octave_value::unary_op_as_string (op));
  return resident (octave::unary_op (op, host_of (a)));
}

// Of bsxfun's function: its name.
static std::string
function_of (const octave_value& f)
{
  if (f.is_function_handle ())
    return f.fcn_handle_value ()->is_simple () ? f.fcn_handle_value ()->fcn_name () : "";     // no function of a file's own
  return f.is_string () ? f.string_value () : "";
}

static bool
broadcasts (const std::string& function)
{
  static const std::set<std::string> functions = { "plus", "minus", "times", "rdivide", "ldivide", "lt", "le", "eq", "ge", "gt", "ne", "and", "or", "xor",
                                                   "mod", "rem", "atan2", "hypot", "max", "min" };
  return functions.count (function) > 0;
}

// x in another class, by an operation of kernels/ops/map.h where it is an array.
static octave_value
in_class (const octave_value& x, const std::string& type)
{
  return is_resident (x) || x.numel () != 1 ? mapped (("to_" + type).c_str (), x.get_rep (), nullptr) : octave::feval (type, ovl (x), 1)(0);
}

// Without what lies below 0, and NaN, of which uint64 makes 0.
static octave_value
not_negative (const octave_value& x)
{
  static const octave_value zero (0.0);
  if (x.islogical ())
    return x;
  if (is_resident (x) || x.numel () != 1)
    return mapped ("max", x.get_rep (), &zero.get_rep ());
  const double rounded = std::round (x.double_value ()), kept = rounded > 0 ? std::min (rounded, 0x1p64) : 0;
  return x.is_single_type () ? octave_value (static_cast<float> (kept)) : octave_value (kept);
}

// bitand, bitor and bitxor: of sizes that go together as Octave has it, and without broadcasting else.  What stands beside an integer becomes one of
// its class; doubles and singles go through uint64, and beside singles doubles would have to be rounded twice: undefined, as errors are.
static octave_value
bitwise (const std::string& name, const octave_value& a, const octave_value& b)
{
  octave_value x[2] = { a, b };
  std::string type[2];
  if (a.numel () != 1 && b.numel () != 1 && a.dims () != b.dims ())
    return octave_value ();
  for (int k = 0; k < 2; k++)
    {
      if (! (x[k].isnumeric () || x[k].islogical ()) || x[k].iscomplex () || x[k].issparse ())
        return octave_value ();
      type[k] = underlying_type (x[k]);
    }
  for (int k = 0; k < 2; k++)
    if (x[k].isinteger () && ! x[1 - k].isinteger ())
      x[1 - k] = in_class (x[1 - k], type[k]);
  for (int k = 0; k < 2 && ! x[0].isinteger (); k++)
    {
      x[k] = not_negative (x[k]);
      if (! is_resident (x[k]) && type[k] == "double" && type[1 - k] == "single" && x[k].numel () == 1
          && static_cast<float> (x[k].double_value ()) == x[k].double_value ())
        x[k] = octave_value (x[k].float_value ());
    }
  return x[0].is_defined () && x[1].is_defined () ? mapped (name.c_str (), x[0].get_rep (), &x[1].get_rep ()) : octave_value ();
}

// plus (g, 1, ...) and its like; undefined where Octave has to do it, also its errors.
octave_value
called_by_name (const std::string& name, const octave_value_list& args)
{
  static const struct { const char *name; octave_value::binary_op op; bool several; } operators[] = {
    { "plus", octave_value::op_add, true }, { "minus", octave_value::op_sub, false }, { "mtimes", octave_value::op_mul, true },
    { "mrdivide", octave_value::op_div, false }, { "mpower", octave_value::op_pow, false }, { "mldivide", octave_value::op_ldiv, false },
    { "times", octave_value::op_el_mul, true }, { "rdivide", octave_value::op_el_div, false }, { "power", octave_value::op_el_pow, false },
    { "ldivide", octave_value::op_el_ldiv, false }, { "lt", octave_value::op_lt, false }, { "le", octave_value::op_le, false },
    { "eq", octave_value::op_eq, false }, { "ge", octave_value::op_ge, false }, { "gt", octave_value::op_gt, false },
    { "ne", octave_value::op_ne, false }, { "and", octave_value::op_el_and, true }, { "or", octave_value::op_el_or, true }
  };
  static const struct { const char *name; octave_value::unary_op op; } unaries[] = {
    { "not", octave_value::op_not }, { "uminus", octave_value::op_uminus }, { "uplus", octave_value::op_uplus },
    { "transpose", octave_value::op_transpose }, { "ctranspose", octave_value::op_hermitian }
  };
  const octave_idx_type n = args.length ();
  if (name == "bsxfun")
    {
      const std::string function = n == 3 ? function_of (args(0)) : "";
      return broadcasts (function) ? called_by_name (function, args.slice (1, 2)) : octave_value ();
    }
  for (const auto& o : operators)
    if (name == o.name && n >= 2 && (n == 2 || o.several))
      {
        octave_value result = octave::binary_op (o.op, args(0), args(1));
        for (octave_idx_type k = 2; k < n; k++)
          result = octave::binary_op (o.op, result, args(k));
        return result;
      }
  for (const auto& o : unaries)
    if (name == o.name && n == 1)
      return octave::unary_op (o.op, args(0));
  if (n == 2 && (name == "bitand" || name == "bitor" || name == "bitxor"))
    return bitwise (name, args(0), args(1));
  return n == 1 || n == 2 ? mapped (name.c_str (), args(0).get_rep (), n == 2 ? &args(1).get_rep () : nullptr) : octave_value ();
}

// Of real arrays real, imag, conj and arg are numbers as they are, 0, or 0 and pi by the sign, also of NaN; undefined where it is Octave's.
octave_value
gpu_array::part_of_reals (unary_mapper_t f) const
{
  const bool is_char = has_type ("char");
  const octave_value pi = has_type ("single") ? octave_value (static_cast<float> (M_PI)) : octave_value (M_PI);
  octave_value negative;
  if (f == umap_imag)
    return filled_beside (isnumeric () ? about ().type : "double", 0);
  if (f == umap_real || (f == umap_conj && ! is_char))
    return isnumeric () ? octave_value (clone ()) : mapped ("plus", *this, &octave_value (0.0).get_rep ());
  if (f == umap_arg && ! is_char)
    negative = mapped ("signbit", *this, nullptr);
  return negative.is_defined () ? mapped ("times", negative.get_rep (), &pi.get_rep ()) : octave_value ();
}

octave_value
gpu_array::map (unary_mapper_t f) const
{
  static const struct { unary_mapper_t mapper; const char *operation; } kernels[] = {
    { umap_abs, "abs" }, { umap_signum, "sign" }, { umap_floor, "floor" }, { umap_ceil, "ceil" }, { umap_round, "round" }, { umap_fix, "fix" },
    { umap_sqrt, "sqrt" }, { umap_exp, "exp" }, { umap_expm1, "expm1" }, { umap_log, "log" }, { umap_log2, "log2" }, { umap_log10, "log10" },
    { umap_log1p, "log1p" }, { umap_sin, "sin" }, { umap_cos, "cos" }, { umap_tan, "tan" }, { umap_asin, "asin" }, { umap_acos, "acos" },
    { umap_atan, "atan" }, { umap_sinh, "sinh" }, { umap_cosh, "cosh" }, { umap_tanh, "tanh" }, { umap_asinh, "asinh" }, { umap_acosh, "acosh" },
    { umap_atanh, "atanh" }, { umap_gamma, "gamma" }, { umap_lgamma, "lgamma" }, { umap_erf, "erf" }, { umap_erfc, "erfc" }, { umap_cbrt, "cbrt" },
    { umap_isnan, "isnan" }, { umap_isinf, "isinf" }, { umap_isfinite, "isfinite" }, { umap_isna, "isna" }, { umap_xsignbit, "signbit" },
    { umap_real, "real" }, { umap_imag, "imag" }, { umap_conj, "conj" }, { umap_arg, "arg" }
  };
  const char *operation = nullptr;
  for (const auto& k : kernels)
    if (k.mapper == f)
      operation = k.operation;
  if ((f == umap_floor || f == umap_ceil || f == umap_round || f == umap_fix) && isinteger ())
    return octave_value (clone ());
  const bool part = f == umap_real || f == umap_imag || f == umap_conj || f == umap_arg;
  const octave_value done = part && ! iscomplex () ? part_of_reals (f) : mapped (operation, *this, nullptr);
  if (done.is_defined ())
    return done;
  note_through_host (get_umap_name (f));
  return resident (host ().get_rep ().map (f));
}

// Octave wants a function for each.
template <int OP>
static octave_value
binary_of (const octave_base_value& a, const octave_base_value& b)
{
  return binary (static_cast<octave_value::binary_op> (OP), a, b);
}

template <int OP>
static octave_value
unary_of (const octave_base_value& a)
{
  return unary (static_cast<octave_value::unary_op> (OP), a);
}

template <int... OPS>
static void
install_binary (octave::type_info& types, int a, int b, std::integer_sequence<int, OPS...>)
{
  (void) std::initializer_list<bool> { types.install_binary_op (static_cast<octave_value::binary_op> (OPS), a, b, binary_of<OPS>)... };
}

template <int... OPS>
static void
install_unary (octave::type_info& types, int a, std::integer_sequence<int, OPS...>)
{
  (void) std::initializer_list<bool> { types.install_unary_op (static_cast<octave_value::unary_op> (OPS), a, unary_of<OPS>)... };
}

template <octave_value::binary_op OP>
static void
step (octave_base_value& a)
{
  auto& g = dynamic_cast<gpu_array&> (a);
  const octave_value next = binary (OP, g, octave_value (1.0).get_rep ());
  g.take (next);
}

void
install_operators (octave::type_info& types, int g)
{
  const int count = types.installed_type_names ().numel ();
  for (int t = 0; t < count; t++)
    {
      const auto all = std::make_integer_sequence<int, octave_value::num_binary_ops> ();
      install_binary (types, g, t, all);
      install_compound (types, g, t);
      if (t != g)
        {
          install_binary (types, t, g, all);
          install_compound (types, t, g);
        }
    }
  install_unary (types, g, std::make_integer_sequence<int, octave_value::op_incr> ());
  types.install_non_const_unary_op (octave_value::op_incr, g, step<octave_value::op_add>);
  types.install_non_const_unary_op (octave_value::op_decr, g, step<octave_value::op_sub>);
}
