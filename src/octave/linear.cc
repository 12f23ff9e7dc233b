// Copyright (C) 2026 The gpureduce developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Linear algebra and Fourier transforms of gpuArrays by the libraries of their device (core/linear.h).  What these do not have or
// decline, Octave does on the host, also every error and warning: then nothing is returned here.

#include <cmath>
#include <string>
#include <utility>

#include <octave/CColVector.h>
#include <octave/dColVector.h>
#include <octave/fCColVector.h>
#include <octave/fColVector.h>
#include <octave/ov-typeinfo.h>
#include <octave/ov.h>

#include "value.h"

static bool
is_on_device (const octave_value& x)
{
  gpr_value v;
  const double id = resident_id (x);
  return id != 0 && core ()->describe (id, &v) && v.on_device;
}

// bench/linear.m compares.  These have Octave's own bits and signs, and are complex where its are.
static octave_idx_type few = 32 * 32;

octave_idx_type
few_elements (octave_idx_type n)
{
  std::swap (n, few);
  return n;
}

// A number may be a size.
bool
are_few (const octave_value_list& args, bool transform)
{
  const octave_idx_type most = transform ? few / 4 : few;
  bool on_device = false, yes = true;
  for (octave_idx_type k = 0; k < args.length () && yes; k++)
    {
      on_device = on_device || is_on_device (args(k));
      yes = args(k).numel () <= most && (k == 0 || ! args(k).is_real_scalar () || args(k).double_value () <= most);
    }
  return on_device && yes;
}

// A matrix that is on the device, or, full and of the host, is brought there: then kept holds it.  0: none.
static double
matrix_on_device (const octave_value& x, octave_value& kept)
{
  if (is_resident (x))
    return resident_id (x);
  if (! (x.isfloat () || x.islogical ()) || x.issparse () || x.is_diag_matrix () || x.is_perm_matrix () || x.ndims () != 2 || x.isempty ())
    return 0;
  kept = resident (x);
  return resident_id (kept);
}

// Undefined where it is Octave's.
static octave_value
by_library (gpr_linear_task& task, const octave_value& a, const octave_value& b)
{
  octave_value kept[2];
  double given[] = { matrix_on_device (a, kept[0]), matrix_on_device (b, kept[1]) }, ids[GPR_LINEAR_RESULTS];
  bool done = false;
  if (given[0] == 0 || given[1] == 0)
    return octave_value ();
  raise_if (core ()->linear (&task, given, 2, ids, &done), "gpuArray");
  return done ? of_id (ids[0], false) : octave_value ();
}

// ---- operators -------------------------------------------------------------------------

static octave_value
product (const octave_value& a, gpr_transposition ta, const octave_value& b, gpr_transposition tb)
{
  const dim_vector da = a.dims (), db = b.dims ();
  if (! (is_on_device (a) || is_on_device (b)) || da.ndims () != 2 || db.ndims () != 2 || da(ta == GPR_AS_IT_IS) != db(tb != GPR_AS_IT_IS))
    return octave_value ();
  gpr_linear_task task = { GPR_LINEAR_product, { ta, tb }, 1, false, false, 0, false };
  return by_library (task, a, b);
}

octave_value
linear_operation (octave_value::binary_op op, const octave_value& a, const octave_value& b)
{
  if (op == octave_value::op_mul)
    return product (a, GPR_AS_IT_IS, b, GPR_AS_IT_IS);
  if ((op != octave_value::op_ldiv && op != octave_value::op_div) || ! (is_on_device (a) || is_on_device (b)))
    return octave_value ();
  if (are_few (ovl (a, b), false))
    return resident (octave::binary_op (op, on_host (a), on_host (b)));
  const bool left = op == octave_value::op_ldiv;
  const dim_vector square = (left ? a : b).dims (), other = (left ? b : a).dims ();
  if (square.ndims () != 2 || other.ndims () != 2 || square(0) != square(1) || square(0) < 2 || square(0) != other(left ? 0 : 1))
    return octave_value ();
  gpr_linear_task task = { left ? GPR_LINEAR_left_divide : GPR_LINEAR_right_divide, { GPR_AS_IT_IS, GPR_AS_IT_IS }, 1, false, false, 0, false };
  return by_library (task, a, b);
}

// a' * b and its like, which Octave takes as one operation.
template <int OP>
static octave_value
compound (const octave_base_value& x, const octave_base_value& y)
{
  const octave_value a (const_cast<octave_base_value *> (&x), true), b (const_cast<octave_base_value *> (&y), true);
  const bool first = OP == octave_value::op_trans_mul || OP == octave_value::op_herm_mul;
  const bool adjoint = OP == octave_value::op_herm_mul || OP == octave_value::op_mul_herm;
  const gpr_transposition turn = adjoint ? GPR_ADJOINT : GPR_TRANSPOSED;
  const octave_value done = product (a, first ? turn : GPR_AS_IT_IS, b, first ? GPR_AS_IT_IS : turn);
  if (done.is_defined ())
    return done;
  const octave_value turned = octave::unary_op (adjoint ? octave_value::op_hermitian : octave_value::op_transpose, first ? a : b);
  return first ? octave::binary_op (octave_value::op_mul, turned, b) : octave::binary_op (octave_value::op_mul, a, turned);
}

void
install_compound (octave::type_info& types, int a, int b)
{
  types.install_binary_op (octave_value::op_trans_mul, a, b, compound<octave_value::op_trans_mul>);
  types.install_binary_op (octave_value::op_mul_trans, a, b, compound<octave_value::op_mul_trans>);
  types.install_binary_op (octave_value::op_herm_mul, a, b, compound<octave_value::op_herm_mul>);
  types.install_binary_op (octave_value::op_mul_herm, a, b, compound<octave_value::op_mul_herm>);
}

// ---- functions of a matrix -------------------------------------------------------------

// In the order of Octave's, with the exponent apart.
template <class C>
static octave_value
multiplied (const C& diagonal, bool odd)
{
  typedef typename C::element_type T;
  int exponent = 0, more;
  T d = octave::math::log2 (T (odd ? -1 : 1), exponent);
  for (octave_idx_type i = 0; i < diagonal.numel (); i++)
    {
      d = octave::math::log2 (d * diagonal.elem (i), more);
      exponent += more;
    }
  return octave_value (d * static_cast<T> (std::ldexp (1.0, exponent)));
}

static octave_value
determinant (const octave_value& diagonal, bool odd)
{
  if (diagonal.is_single_type ())
    return diagonal.iscomplex () ? multiplied (diagonal.float_complex_column_vector_value (), odd) : multiplied (diagonal.float_column_vector_value (), odd);
  return diagonal.iscomplex () ? multiplied (diagonal.complex_column_vector_value (), odd) : multiplied (diagonal.column_vector_value (), odd);
}

// The permutation that brings rows of A to those of L * U.
static octave_value
permutation (const octave_value& order)
{
  const ColumnVector rows = order.column_vector_value ();
  Matrix p (rows.numel (), rows.numel (), 0.0);
  for (octave_idx_type i = 0; i < rows.numel (); i++)
    p.elem (i, static_cast<octave_idx_type> (rows(i)) - 1) = 1;
  return resident (octave_value (p));
}

static bool
is_zero (const octave_value& x)
{
  return x.is_real_scalar () && x.isnumeric () && x.double_value () == 0;
}

// What is asked for; false: not by the library.
static bool
understood (const std::string& name, const octave_value_list& args, int nargout, gpr_linear_task& task)
{
  const octave_idx_type n = args.length ();
  const octave_value option = n > 1 ? on_host (args(1)) : octave_value ();
  const dim_vector dims = args(0).dims ();
  const bool square = dims(0) == dims(1);
  task.outputs = std::max (nargout, 1);
  if (name == "inv" || name == "inverse")
    {
      task.op = GPR_LINEAR_inv;
      return n == 1 && square && nargout <= 2;
    }
  if (name == "det")
    {
      task.op = GPR_LINEAR_det;
      return n == 1 && square && nargout <= 2;
    }
  if (name == "chol")
    {
      task.op = GPR_LINEAR_chol;
      task.lower = n == 2 && says (option, "lower");
      return (n == 1 || (n == 2 && (task.lower || says (option, "upper")))) && square && nargout <= 2;
    }
  if (name == "lu")
    {
      task.op = GPR_LINEAR_lu;
      return (nargout <= 1 && n == 1) || (nargout == 3 && (n == 1 || (n == 2 && says (option, "vector"))));
    }
  if (name == "qr")
    {
      task.op = GPR_LINEAR_qr;
      task.economy = n == 2;
      return nargout == 2 && (n == 1 || (n == 2 && is_zero (option)));
    }
  if (name == "svd")
    {
      task.op = GPR_LINEAR_svd;
      task.economy = n == 2;
      return (nargout <= 1 || nargout == 3) && (n == 1 || (n == 2 && ((is_zero (option) && dims(0) >= dims(1)) || says (option, "econ"))));        // of wide ones releases differ
    }
  task.op = GPR_LINEAR_eig;
  return name == "eig" && n == 1 && square && nargout <= 2;
}

static octave_value_list
of_matrix (const std::string& name, const octave_value_list& args, int nargout)
{
  gpr_linear_task task = { GPR_LINEAR_product, { GPR_AS_IT_IS, GPR_AS_IT_IS }, 1, false, false, 0, false };
  const std::string type = underlying_type (args(0));
  double ids[GPR_LINEAR_RESULTS];
  const double given = resident_id (args(0));
  bool done = false;
  if ((type != "double" && type != "single") || args(0).ndims () != 2 || args(0).numel () < 2 || ! understood (name, args, nargout, task))
    return octave_value_list ();
  raise_if (core ()->linear (&task, &given, 1, ids, &done), name.c_str ());
  if (! done)
    return octave_value_list ();
  octave_value_list results;
  for (double id : ids)
    if (id != 0)
      results.append (of_id (id, false));
  const octave_value rcond = type == "single" ? octave_value (static_cast<float> (task.rcond)) : octave_value (task.rcond);
  if (task.op == GPR_LINEAR_det)
    results(0) = determinant (on_host (results(0)), task.odd);
  if (task.op == GPR_LINEAR_lu && task.outputs == 3 && args.length () == 1)
    results(2) = permutation (on_host (results(2)));
  if ((task.op == GPR_LINEAR_inv || task.op == GPR_LINEAR_det) && nargout > 1)
    results(1) = rcond;
  if (task.op == GPR_LINEAR_chol && nargout > 1)
    results(1) = 0.0;
  return results;
}

// ---- Fourier transforms ----------------------------------------------------------------

// A size: a whole number from least on.
static bool
take_size (const octave_value& given, double least, int64_t& size)
{
  const octave_value x = on_host (given);
  if (! x.is_real_scalar () || ! x.isnumeric ())
    return false;
  const double n = x.double_value ();
  size = static_cast<int64_t> (n);
  return n >= least && n < 1e15 && n == std::floor (n);
}

static octave_value
transformed (const std::string& name, const octave_value_list& args)
{
  const bool inverse = name[0] == 'i';
  const std::string forward = inverse ? name.substr (1) : name;
  const octave_idx_type n = args.length ();
  const dim_vector dims = args(0).dims ();
  const std::string type = underlying_type (args(0));
  gpr_fourier_task task = { 0, static_cast<int> (dims.ndims ()), inverse, static_cast<int> (dims.ndims ()), { } };
  if ((type != "double" && type != "single" && type != "logical") || dims.numel () < 2 || dims.ndims () >= GPR_FOURIER_DIMS)
    return octave_value ();
  for (int d = 0; d < task.ndims; d++)
    task.dims[d] = dims(d);
  if (forward == "fft")
    {
      int64_t dim = dims.first_non_singleton () + 1, length = 0;
      const bool sized = n > 1 && ! args(1).isempty ();
      if (n > 3 || (n == 3 && (! take_size (args(2), 1, dim) || dim > task.ndims)) || (sized && ! take_size (args(1), 2, length)))
        return octave_value ();
      task.first = static_cast<int> (dim) - 1;
      task.end = task.first + 1;
      if (sized)
        task.dims[task.first] = length;
      if (task.dims[task.first] < 2)
        return octave_value ();
    }
  else if (forward == "fft2")
    {
      task.end = 2;
      if ((n != 1 && n != 3) || (n == 3 && ! (take_size (args(1), 1, task.dims[0]) && take_size (args(2), 1, task.dims[1]))))
        return octave_value ();
    }
  else
    {
      const octave_value sizes = n == 2 ? on_host (args(1)) : octave_value ();
      if (n > 2 || (n == 2 && (! sizes.is_real_matrix () || sizes.numel () != task.ndims)))
        return octave_value ();
      for (int d = 0; d < task.ndims && n == 2; d++)
        if (! take_size (octave_value (sizes.array_value ()(d)), 1, task.dims[d]))
          return octave_value ();
    }
  double id = 0;
  raise_if (core ()->fourier (&task, resident_id (args(0)), &id), name.c_str ());
  return id == 0 ? octave_value () : of_id (id, false);
}

octave_value_list
linear_function (const std::string& name, const octave_value_list& args, int nargout)
{
  if (args.length () == 0 || ! is_on_device (args(0)))
    return octave_value_list ();
  octave_value_list results;
  if (name.find ("fft") == std::string::npos)
    results = of_matrix (name, args, nargout);
  else if (nargout <= 1)
    {
      const octave_value y = transformed (name, args);
      if (y.is_defined ())
        results = ovl (y);
    }
  for (octave_idx_type k = 0; k < results.length (); k++)
    if (results(k).numel () == 1)
      results(k) = on_host (results(k));
  return results;
}
