// Copyright (C) 2026 The gpureduce developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// gpuArray: elements that lists and masks name, arrays that grow and shrink, find and sort.

#include <cmath>
#include <limits>
#include <string>

#include "gpu_array.h"

static const octave_idx_type all_of_them = std::numeric_limits<octave_idx_type>::max ();

// Positions, from 1, of the elements of a gpuArray that are not 0.
static octave_value
positions (const octave_value& x, const char *type, octave_idx_type most = all_of_them, bool last = false)
{
  double id = 0;
  if (resident_id (x) == 0)
    return octave_value ();
  raise_if (core ()->find (resident_id (x), type, most, last, &id), "find");
  return of_id (id, false);
}

// ---- subscripts ----------------------------------------------------------------------

// shape: what sizes the subscript has by itself; kept: the list, which it needs; false: it is the host's.
static bool
take_subscript (const octave_value& given, octave_idx_type extent, gpr_value_subscript& s, dim_vector& shape, octave_value& kept)
{
  s = { 0, extent, extent, 0, 1 };
  shape = dim_vector (extent, 1);
  if (given.is_magic_colon ())
    return true;
  const bool mask = given.islogical (), there = is_resident (given);
  shape = given.dims ();
  if (given.iscomplex () || given.issparse () || ! (mask || given.isnumeric () || given.is_range ()) || (mask && given.numel () == 1))
    return false;
  if (mask)
    {
      kept = positions (resident (given), "uint32");
      if (kept.is_defined ())
        shape = shape.make_nd_vector (kept.numel ());
    }
  else if (there)
    kept = given;
  else
    {
      octave::idx_vector i;
      octave_idx_type n, first, step;
      try
        {
          i = given.index_vector ();
        }
      catch (const octave::index_exception&)
        {
          return false;         // the host knows where it stands, and says so
        }
      if (i.extent (extent) > extent)
        return false;
      const bool regular = is_regular (i, extent, n, first, step) && (step != 0 || n == 1);
      if (regular || n == 0)
        {
          s.count = n;
          s.first = regular ? first : 0;
          s.step = regular ? step : 0;
          return true;
        }
      kept = resident (given);
    }
  s.list = resident_id (kept);
  s.count = kept.is_defined () ? kept.numel () : 0;
  return s.list != 0 || (mask && kept.is_defined () && s.count == 0);
}

static bool
call_sizes (gpr_value_selection& s, dim_vector sizes)
{
  sizes.chop_trailing_singletons ();
  s.ndims = sizes.ndims ();
  for (int d = 0; d < s.ndims && d < GPR_VALUE_DIMS; d++)
    s.size[d] = sizes(d);
  return s.ndims < GPR_VALUE_DIMS;
}

// The sizes of x(list): of a vector by a vector the result has the array's direction.
static dim_vector
listed_sizes (const dim_vector& all, const dim_vector& shape)
{
  const octave_idx_type n = shape.numel ();
  return all.numel () != 1 && n != 1 && all.is_nd_vector () && shape.is_nd_vector () ? dim_vector (all).make_nd_vector (n) : shape;
}

// What subscripts name of an array of these sizes, and the sizes of what they name.
static bool
selection_of (const dim_vector& all, const octave_value_list& idx, gpr_value_selection& s, octave_value_list& kept)
{
  const octave_idx_type count = idx.length ();
  if (count == 0 || count >= GPR_VALUE_DIMS || all.numel () == 0)
    return false;
  const dim_vector folded = all.redim (count);
  dim_vector sizes = dim_vector::alloc (std::max<int> (count, 2)), shape;
  bool none = false, unknown = false;
  s.rank = count;
  sizes(1) = 1;
  for (octave_idx_type k = 0; k < count; k++)
    {
      octave_value list;
      if (! take_subscript (idx(k), count == 1 ? all.numel () : folded(k), s.subscripts[k], shape, list))
        return false;
      kept.append (list);
      sizes(k) = s.subscripts[k].count;
      none = none || sizes(k) == 0;
      unknown = unknown || (list.is_defined () && ! (idx(k).islogical () && sizes(k) == 0));     // of a mask nothing is left to be wrong
    }
  if (none && unknown)          // nothing is looked at, wrong positions neither
    return false;
  if (count == 1)
    sizes = idx(0).is_magic_colon () ? shape : listed_sizes (all, shape);
  return call_sizes (s, sizes);
}

static octave_value
gathered (double from, const gpr_value_selection& s)
{
  double id = 0;
  raise_if (core ()->gather (from, &s, &id), "gpuArray");
  return id == 0 ? octave_value () : of_id (id, false);
}

octave_value
gpu_array::selected (const octave_value_list& idx) const
{
  gpr_value_operand own;
  gpr_value_selection s;
  octave_value_list kept;
  return as_operand (&own) && selection_of (dims (), idx, s, kept) ? gathered (own.id, s) : octave_value ();
}

// ---- assignments ----------------------------------------------------------------------

// All elements of an array get a number of its class.
static bool
fill (double id, octave_idx_type n, const char *type, double number)
{
  const gpr_value_selection every = { 1, { { 0, n, n, 0, 1 } }, 0, { } };
  const gpr_value_operand operand = { 0, number, type };
  bool done = false;
  raise_if (core ()->scatter (id, &every, &operand, &done), "gpuArray");
  return done;
}

octave_value
gpu_array::filled_beside (const char *type, double number) const
{
  gpr_value v = about ();
  gpr_value_operand own;
  double id = 0;
  if (! as_operand (&own))
    return octave_value ();
  v.type = type;
  raise_if (core ()->make (own.id, &v, &id), "gpuArray");
  const octave_value z = of_id (id, false);
  return fill (id, dims ().numel (), type, number) ? z : octave_value ();
}

// The sizes after an assignment to these subscripts; resident ones make nothing grow.
static dim_vector
sizes_after (const dim_vector& all, const octave_value_list& idx)
{
  const octave_idx_type count = idx.length ();
  dim_vector sizes = count == 1 ? all : all.redim (count);
  if (count == 0 || (count > 1 && count < all.ndims ()) || (count == 1 && (all.ndims () != 2 || (all(0) != 1 && all(1) != 1))))
    return all;                 // they do not grow
  for (octave_idx_type k = 0; k < count; k++)
    if (! idx(k).is_magic_colon () && ! is_resident (idx(k)) && (idx(k).isnumeric () || idx(k).is_range ()))
      try
        {
          octave_idx_type& n = count > 1 ? sizes(k) : all(0) == 1 ? sizes(1) : sizes(0);
          n = idx(k).index_vector ().extent (n);
        }
      catch (const octave::index_exception&)
        {
          return all;
        }
  sizes.chop_trailing_singletons ();
  return sizes;
}

// With zeros beyond its own elements.
octave_value
gpu_array::grown (const dim_vector& sizes) const
{
  const dim_vector all = dims ().redim (sizes.ndims ());
  gpr_value v = about ();
  gpr_value_operand own;
  gpr_value_view view = { 0, 0, { }, { }, 0, { } };
  octave_idx_type stride = 1;
  double id = 0;
  bool done = false;
  if (sizes.ndims () >= GPR_VALUE_DIMS || ! as_operand (&own))
    return octave_value ();
  v.ndims = sizes.ndims ();
  for (int d = 0; d < v.ndims; d++)
    {
      v.dims[d] = sizes(d);
      step_through (view, all(d), stride);
      stride *= sizes(d);
    }
  raise_if (core ()->make (own.id, &v, &id), "gpuArray");
  const octave_value z = of_id (id, false);
  if (fill (id, sizes.numel (), v.type, 0))
    raise_if (core ()->place (id, &view, &own, &done), "gpuArray");
  return done ? z : octave_value ();
}

octave_value
gpu_array::assigned (const octave_value_list& idx, const octave_value& rhs)
{
  gpr_value_operand operand;
  gpr_value_selection s;
  octave_value_list kept;
  octave_value value;
  bool done = false;
  if (! rhs.is_defined () || ! m_data || iscomplex ())
    return octave_value ();
  const dim_vector all = dims (), sizes = sizes_after (all, idx);
  if (! selection_of (sizes, idx, s, kept))
    return octave_value ();
  const bool fits = idx.length () == 1 ? rhs.numel () == 1 || rhs.numel () == s.subscripts[0].count : goes_into (s.ndims, s.size, rhs.dims ());
  if (! fits || all.numel () == 0)
    return octave_value ();
  if (! ::as_operand (rhs.get_rep (), &operand, value))
    {
      value = resident (rhs);   // a 64-bit integer, which no number holds
      if (resident_id (value) == 0)
        return octave_value ();
      operand = { resident_id (value), 0, nullptr };
    }
  const octave_value whole = sizes == all ? writable () : grown (sizes);
  if (! whole.is_defined ())
    return octave_value ();
  raise_if (core ()->scatter (resident_id (whole), &s, &operand, &done), "gpuArray");
  return done ? whole : octave_value ();
}

// x(idx) = [] of one dimension, or of a vector.
octave_value
gpu_array::deleted (const octave_value_list& idx) const
{
  const dim_vector all = dims ();
  const octave_idx_type count = idx.length ();
  gpr_value_operand own;
  int dim = count == 1 && all.ndims () == 2 && all.is_nd_vector () && ! idx(0).is_magic_colon () ? all(0) == 1 : -1;
  if (! as_operand (&own) || all.numel () <= 1 || (count > 1 && count != all.ndims ()))
    return octave_value ();
  for (octave_idx_type k = 0; k < count && count > 1; k++)
    if (! idx(k).is_magic_colon ())
      {
        if (dim >= 0)
          return octave_value ();
        dim = k;
      }
  gpr_value_selection gone = { 1, { }, 0, { } }, s = { static_cast<int> (all.ndims ()), { }, static_cast<int> (all.ndims ()), { } };
  dim_vector shape;
  octave_value list;
  if (dim < 0 || ! take_subscript (idx(count == 1 ? 0 : dim), all(dim), gone.subscripts[0], shape, list))
    return octave_value ();
  if (gone.subscripts[0].count == 0)    // Octave makes a complex array real where it can
    return iscomplex () ? octave_value () : octave_value (clone ());
  const gpr_value v = { "logical", false, 2, { all(dim), 1 }, 0, false };
  const gpr_value_operand no = { 0, 0, "logical" };
  double id = 0;
  bool done = false;
  raise_if (core ()->make (own.id, &v, &id), "gpuArray");
  const octave_value stays = of_id (id, false);
  if (fill (id, all(dim), "logical", 1))
    raise_if (core ()->scatter (id, &gone, &no, &done), "gpuArray");
  if (! done)
    return octave_value ();
  const octave_value left = positions (stays, "uint32");
  for (int d = 0; d < s.rank; d++)
    {
      s.subscripts[d] = { d == dim ? resident_id (left) : 0, all(d), d == dim ? left.numel () : all(d), 0, 1 };
      s.size[d] = s.subscripts[d].count;
    }
  return gathered (own.id, s);
}

// ---- find and sort -----------------------------------------------------------------------

static octave_value
of_sizes (const octave_value& column, const dim_vector& sizes)
{
  return column.numel () > 0 ? column.reshape (sizes) : resident (NDArray (sizes));
}

static octave_value_list
found (const octave_value_list& args, int nargout)
{
  const octave_value x = args(0);
  const dim_vector all = x.dims ();
  octave_idx_type most = all_of_them;
  bool last = false;
  if (args.length () > 3 || nargout > 3 || all.numel () == 0)
    return octave_value_list ();
  if (args.length () > 1)
    {
      const octave_value n = on_host (args(1));
      if (! n.is_real_scalar () || ! (n.double_value () >= 1 && n.double_value () < 0x1p53 && n.double_value () == std::floor (n.double_value ())))
        return octave_value_list ();
      most = static_cast<octave_idx_type> (n.double_value ());
    }
  if (args.length () > 2)
    {
      const std::string way = args(2).is_string () ? args(2).string_value () : "";
      last = way == "last";
      if (! last && way != "first")
        return octave_value_list ();
    }
  const octave_value column = positions (x, "double", most, last);
  if (! column.is_defined ())
    return octave_value_list ();
  const octave_idx_type n = column.numel ();
  const dim_vector sizes = all.numel () == 1 && n == 0 ? dim_vector (0, 0) : all.ndims () == 2 && all(0) == 1 ? dim_vector (1, n) : dim_vector (n, 1);
  const octave_value at = of_sizes (column, sizes);
  if (nargout < 2)
    return ovl (at);
  const double rows = all(0);
  const octave_value before = octave::feval ("floor", ovl (octave::binary_op (octave_value::op_div, octave::binary_op (octave_value::op_sub, at, 1.0), rows)))(0);
  octave_value_list results = ovl (octave::binary_op (octave_value::op_sub, at, octave::binary_op (octave_value::op_mul, before, rows)),
                                   octave::binary_op (octave_value::op_add, before, 1.0));
  if (nargout > 2)
    {
      gpr_value_selection s = { 1, { { resident_id (column), all.numel (), n, 0, 0 } }, 0, { } };
      const octave_value v = call_sizes (s, listed_sizes (all, sizes)) ? gathered (resident_id (x), s) : octave_value ();
      if (! v.is_defined ())
        return octave_value_list ();
      results.append (v);
    }
  return results;
}

static octave_value_list
sorted (const octave_value_list& args, int nargout)
{
  const octave_value x = args(0);
  const dim_vector all = x.dims ();
  octave_idx_type k = 1;
  int dim = all.first_non_singleton ();
  bool down = false;
  if (k < args.length () && ! args(k).is_string ())
    {
      const octave_value d = on_host (args(k++));
      if (! d.is_real_scalar () || ! (d.double_value () >= 1 && d.double_value () <= all.ndims () && d.double_value () == std::floor (d.double_value ())))
        return octave_value_list ();
      dim = static_cast<int> (d.double_value ()) - 1;
    }
  if (k < args.length () && args(k).is_string ())
    {
      const std::string mode = args(k++).string_value ();
      down = mode == "descend";
      if (! down && mode != "ascend")
        return octave_value_list ();
    }
  double id = 0, index = 0;
  if (k < args.length () || nargout > 2 || resident_id (x) == 0)
    return octave_value_list ();
  raise_if (core ()->sort (resident_id (x), dim, down, &id, nargout > 1 ? &index : nullptr), "sort");
  if (id == 0)
    return octave_value_list ();
  octave_value_list results = ovl (of_id (id, false));
  if (nargout > 1)
    results.append (of_id (index, false));
  return results;
}

octave_value_list
listed (const std::string& name, const octave_value_list& args, int nargout)
{
  if (name == "isequal")
    {
      const octave_value same = equal_arrays (args);
      return same.is_defined () ? octave_value_list (same) : octave_value_list ();
    }
  if (args.length () == 0 || ! is_resident (args(0)))
    return octave_value_list ();
  if (name == "find")
    return found (args, nargout);
  if (name == "sort")
    return sorted (args, nargout);
  const octave_value result = nargout < 2 ? made_of_steps (name, args) : octave_value ();
  return result.is_defined () ? octave_value_list (result) : octave_value_list ();
}
