// Copyright (C) 2026 The gpureduce developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// gpuArray: functions that other kernels' steps make: circshift, diff, diag, tril, triu, kron, isequal, and orders of rows.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include "gpu_array.h"

// A whole number from an argument.
static bool
take_whole (const octave_value& given, octave_idx_type least, octave_idx_type most, octave_idx_type& n)
{
  const octave_value x = on_host (given);
  if (! x.is_real_scalar () || x.islogical ())
    return false;
  const double v = x.double_value ();
  n = v >= least && v <= most ? static_cast<octave_idx_type> (v) : 0;
  return v >= least && v <= most && v == std::floor (v);
}

// n elements along a dimension, from first on.
static octave_value
slice (const octave_value& x, int dim, octave_idx_type first, octave_idx_type n)
{
  dim_vector sizes = x.dims ();
  gpr_value_view view = { 0, 0, { }, { }, 0, { } };
  octave_idx_type stride = 1;
  for (int d = 0; d < static_cast<int> (sizes.ndims ()); d++)
    {
      step_through (view, d == dim ? n : sizes(d), stride, d == dim ? first : 0);
      stride *= sizes(d);
    }
  sizes(dim) = n;
  sizes.chop_trailing_singletons ();
  call_sizes (view, sizes);
  return as_resident (x)->copy (view);
}

static octave_value
shifted (const octave_value_list& args)
{
  const octave_value x = args(0);
  const dim_vector all = x.dims ();
  octave_idx_type n, dim = all.first_non_singleton () + 1;
  if (args.length () < 2 || args.length () > 3 || ! take_whole (args(1), -(1LL << 52), 1LL << 52, n)
      || (args.length () == 3 && ! take_whole (args(2), 1, all.ndims (), dim)))
    return octave_value ();
  const octave_idx_type length = all(dim - 1), first = ((-n) % length + length) % length;
  if (first == 0)
    return x;
  return joined (dim - 1, ovl (slice (x, dim - 1, first, length - first), slice (x, dim - 1, 0, first)));
}

static octave_value
differences (const octave_value_list& args)
{
  octave_value x = args(0);
  const dim_vector all = x.dims ();
  octave_idx_type order = 1, dim = all.first_non_singleton () + 1;
  if (args.length () > 3 || ! x.isnumeric () || (args.length () > 1 && ! take_whole (args(1), 1, all.numel (), order))
      || (args.length () > 2 && ! take_whole (args(2), 1, all.ndims (), dim)) || all(dim - 1) <= order)
    return octave_value ();
  for (octave_idx_type k = 0; k < order; k++)
    {
      const octave_idx_type n = x.dims ()(dim - 1) - 1;
      x = octave::binary_op (octave_value::op_sub, slice (x, dim - 1, 1, n), slice (x, dim - 1, 0, n));
    }
  return x;
}

// 0 below (tril: above) a diagonal.
static octave_value
triangle (bool lower, const octave_value_list& args)
{
  const octave_value x = args(0);
  const dim_vector all = x.dims ();
  octave_idx_type k = 0;
  if (args.length () > 2 || all.ndims () != 2 || x.is_string () || (args.length () > 1 && ! take_whole (args(1), -(1LL << 31), 1LL << 31, k)))
    return octave_value ();
  NDArray rows (dim_vector (all(0), 1)), columns (dim_vector (1, all(1)));
  for (octave_idx_type i = 0; i < all(0); i++)
    rows(i) = i + k;
  for (octave_idx_type j = 0; j < all(1); j++)
    columns(j) = j;
  const octave_value mask = octave::binary_op (lower ? octave_value::op_lt : octave_value::op_gt, resident (rows), resident (columns));
  if (mask.numel () == 1)
    return octave_value ();
  octave_value zero = 0.0;
  if (x.islogical ())
    zero = false;
  gpu_array z = *as_resident (x);
  const octave_value whole (z.clone ());        // of its own by the assignment
  return const_cast<gpu_array *> (as_resident (whole))->assigned (ovl (mask), zero);
}

// Of a matrix a diagonal; of a vector the matrix that has it as its diagonal.
static octave_value
diagonal (const octave_value_list& args)
{
  const octave_value x = args(0);
  const octave_idx_type rows = x.rows (), columns = x.columns (), most = 1LL << 28;     /* of whose squares the bytes can be counted */
  octave_idx_type k = 0;
  if (args.length () > 2 || x.ndims () != 2 || x.numel () < 2 || x.is_string () || x.iscomplex () || (args.length () > 1 && ! take_whole (args(1), -(1LL << 31), 1LL << 31, k)))
    return octave_value ();
  const bool vector = rows == 1 || columns == 1;
  const octave_idx_type n = vector ? x.numel () : k >= 0 ? std::min (rows, columns - k) : std::min (rows + k, columns);
  const octave_idx_type stride = vector ? n + std::abs (k) : rows;
  if (n < 1 || (vector && stride > most))
    return octave_value ();
  gpr_value_view view = { k >= 0 ? k * stride : -k, 0, { }, { }, 0, { } };
  step_through (view, n, stride + 1);
  call_sizes (view, dim_vector (n, 1));
  if (! vector)
    return as_resident (x)->copy (view);
  const octave_value z = filled ("diag", underlying_type (x), dim_vector (stride, stride), 0);
  gpr_value_operand operand;
  bool done = false;
  if (z.is_defined () && as_resident (x)->as_operand (&operand))
    raise_if (core ()->place (resident_id (z), &view, &operand, &done), "diag");
  return done ? z : octave_value ();
}

static octave_value
kronecker (const octave_value_list& args)
{
  octave_value z = args(0);
  for (octave_idx_type k = 1; k < args.length (); k++)
    {
      const octave_value a = z, b = resident (args(k));
      if (! is_resident (b) || underlying_type (a) != underlying_type (b) || ! a.isfloat () || a.iscomplex () || b.iscomplex ()
          || a.ndims () != 2 || b.ndims () != 2 || b.numel () == 0)
        return octave_value ();
      const octave_value wide = a.reshape (dim_vector (1, a.rows (), 1, a.columns ()));
      const octave_value tall = b.reshape (dim_vector (b.rows (), 1, b.columns (), 1));
      z = octave::binary_op (octave_value::op_el_mul, wide, tall).reshape (dim_vector (a.rows () * b.rows (), a.columns () * b.columns ()));
    }
  return args.length () > 1 ? z : octave_value ();
}

// isequal, of numbers and characters.
octave_value
equal_arrays (const octave_value_list& args)
{
  const auto is_plain = [] (const octave_value& x) { return is_resident (x) || ((x.isnumeric () || x.islogical () || x.is_string ()) && ! x.issparse ()); };
  for (octave_idx_type k = 0; k < args.length (); k++)
    if (! is_plain (args(k)) || args(k).iscomplex () != args(0).iscomplex ())
      return octave_value ();
  for (octave_idx_type k = 1; k < args.length (); k++)
    if (args(k).dims () != args(0).dims ())
      return false;
  const dim_vector column (args(0).numel (), 1);
  for (octave_idx_type k = 1; k < args.length () && column(0) > 0; k++)
    if (! octave::feval ("all", ovl (octave::binary_op (octave_value::op_eq, args(0).reshape (column), args(k).reshape (column))), 1)(0).is_true ())
      return false;
  return args.length () > 1 ? octave_value (true) : octave_value ();
}

// By columns from the last to the first, each keeping the order of the next where its own elements are equal.
Array<octave_idx_type>
gpu_array::sort_rows_idx (sortmode mode) const
{
  const octave_value x (clone ());
  const octave_value_list all = ovl (octave_value (octave_value::magic_colon_t));
  octave_value order;
  for (octave_idx_type j = columns (); j > 0; j--)
    {
      octave_value column = slice (x, 1, j - 1, 1);
      if (order.is_defined () && column.is_defined ())
        column = as_resident (column)->selected (ovl (order));
      if (! column.is_defined ())
        return host ().sort_rows_idx (mode);
      const octave_value_list by = listed ("sort", ovl (column, 1.0, mode == DESCENDING ? "descend" : "ascend"), 2);
      if (by.length () < 2)
        return host ().sort_rows_idx (mode);
      order = order.is_defined () ? as_resident (order)->selected (ovl (by(1))) : by(1);
    }
  if (! order.is_defined ())
    return host ().sort_rows_idx (mode);
  const NDArray from1 = order.array_value ();
  Array<octave_idx_type> from0 (dim_vector (from1.numel (), 1));
  for (octave_idx_type i = 0; i < from1.numel (); i++)
    from0(i) = static_cast<octave_idx_type> (from1(i)) - 1;
  return from0;
}

octave_value
made_of_steps (const std::string& name, const octave_value_list& args)
{
  if (args(0).iscomplex () || args(0).numel () == 0)
    return octave_value ();
  return name == "circshift" ? shifted (args) : name == "diff" ? differences (args) : name == "kron" ? kronecker (args) : name == "diag" ? diagonal (args)
         : name == "tril" || name == "triu" ? triangle (name == "tril", args) : octave_value ();
}
