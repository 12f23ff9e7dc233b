// Copyright (C) 2026 The gpureduce developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// gpuArray: elements as they lie in other sizes and orders: reshape, permute, repmat, flips, concatenation.

#include <cmath>
#include <string>
#include <vector>

#include "gpu_array.h"

octave_value
gpu_array::copy (const gpr_value_view& view) const
{
  double id = 0;
  raise_if (core ()->copy (m_data->handle.id, &view, &id), "gpuArray");
  return id == 0 ? octave_value () : of_id (id, m_data->m_computed);
}

void
call_sizes (gpr_value_view& view, const dim_vector& dims)
{
  view.ndims = dims.ndims ();
  for (int d = 0; d < view.ndims; d++)
    view.size[d] = dims(d);
}

void
step_through (gpr_value_view& view, octave_idx_type n, octave_idx_type stride, octave_idx_type first)
{
  view.offset += first * stride;
  view.dims[view.rank] = n;
  view.strides[view.rank++] = stride;
}

// Octave makes a result real where all imaginary parts are 0, which takes a look at all: of long arrays none is taken.
bool
gpu_array::may_become_real () const
{
  return iscomplex () && dims ().numel () <= 4096;
}

octave_value
gpu_array::reshape (const dim_vector& sizes) const
{
  const octave_idx_type n = dims ().numel ();
  if (! m_data || may_become_real () || n == 0 || sizes.numel () != n || sizes.ndims () > GPR_VALUE_DIMS)
    return resident (host ().reshape (sizes));
  gpr_value_view view = { 0, 0, { }, { }, 0, { } };
  step_through (view, n, 1);
  call_sizes (view, sizes);
  const octave_value done = copy (view);
  return done.is_defined () ? done : resident (host ().reshape (sizes));
}

octave_value
gpu_array::squeeze () const
{
  const dim_vector all = dims ();
  dim_vector sizes = dim_vector::alloc (std::max<int> (2, all.ndims ()));
  int count = 0;
  for (int d = 0; d < static_cast<int> (all.ndims ()); d++)
    if (all(d) != 1 || all.ndims () == 2)
      sizes(count++) = all(d);
  for (; count < 2; count++)
    sizes(count) = 1;
  sizes.resize (count);
  return reshape (sizes);
}

// Rows and columns exchanged, whatever the elements are; undefined where that is Octave's.
octave_value
gpu_array::transposed () const
{
  const octave_idx_type r = rows (), c = columns ();
  if (! m_data || r * c == 0 || dims ().ndims () != 2)
    return octave_value ();
  gpr_value_view view = { 0, 0, { }, { }, 0, { } };
  step_through (view, c, r);
  step_through (view, r, 1);
  call_sizes (view, dim_vector (c, r));
  return copy (view);
}

octave_value
gpu_array::permute (const Array<int>& order, bool inverse) const
{
  const dim_vector all = dims ();
  const int count = order.numel ();
  bool known = m_data && ! may_become_real () && all.numel () > 0 && count >= all.ndims () && count < GPR_VALUE_DIMS;
  if (known)
    {
      Array<int> from (dim_vector (count, 1), 0), seen (dim_vector (count, 1), 0);
      for (int d = 0; d < count && known; d++)
        {
          const int to = order(d);
          known = to >= 0 && to < count && seen(to) == 0;
          if (known)
            {
              seen(to) = 1;
              from(inverse ? to : d) = inverse ? d : to;
            }
        }
      gpr_value_view view = { 0, 0, { }, { }, 0, { } };
      const dim_vector wide = all.redim (count);
      dim_vector sizes = dim_vector::alloc (count);
      for (int d = 0; d < count && known; d++)
        {
          octave_idx_type stride = 1;
          for (int k = 0; k < from(d); k++)
            stride *= wide(k);
          step_through (view, wide(from(d)), stride);
          sizes(d) = wide(from(d));
        }
      sizes.chop_trailing_singletons ();
      call_sizes (view, sizes);
      const octave_value done = known ? copy (view) : octave_value ();
      if (done.is_defined ())
        return done;
    }
  return resident (host ().permute (order, inverse));
}

// Whole numbers that are not negative, from an argument.
static bool
take_counts (const octave_value& given, std::vector<octave_idx_type>& counts)
{
  const octave_value x = on_host (given);
  if (! x.isnumeric () || x.iscomplex () || x.issparse ())
    return false;
  const NDArray all = x.array_value ();
  for (octave_idx_type k = 0; k < all.numel (); k++)
    {
      if (! (all(k) >= 0 && all(k) < 1e15 && all(k) == std::floor (all(k))))
        return false;
      counts.push_back (static_cast<octave_idx_type> (all(k)));
    }
  return true;
}

// A column, or along another dimension.
static octave_value
as_vector (const gpu_array& g, const std::vector<octave_idx_type>& dim, octave_idx_type args)
{
  if (g.may_become_real () || args > 2 || dim.size () != static_cast<std::size_t> (args - 1) || (args == 2 && (dim[0] < 1 || dim[0] > GPR_VALUE_DIMS)))
    return octave_value ();
  const int along = args == 2 ? static_cast<int> (dim[0]) : 1;
  dim_vector sizes = dim_vector (1, 1).redim (std::max (2, along));
  sizes(along - 1) = g.dims ().numel ();
  return g.reshape (sizes);
}

// vec, repmat, flip, fliplr and flipud of arrays that Octave leaves complex; undefined: not by a kernel.
octave_value
rearranged (const std::string& name, const octave_value_list& args)
{
  const gpu_array *g = args.length () > 0 ? as_resident (args(0)) : nullptr;
  gpr_value_operand known;
  std::vector<octave_idx_type> counts;
  if (! g || ! g->as_operand (&known) || (name != "vec" && (g->iscomplex () || g->dims ().numel () == 0)))
    return octave_value ();
  for (octave_idx_type k = 1; k < args.length (); k++)
    if (! take_counts (args(k), counts))
      return octave_value ();
  if (name == "vec")
    return as_vector (*g, counts, args.length ());
  dim_vector sizes = g->dims ();
  gpr_value_view view = { 0, 0, { }, { }, 0, { } };
  octave_idx_type stride = 1, total = sizes.numel ();
  if (name == "repmat")
    {
      if (counts.empty () || (args.length () > 2 && counts.size () != static_cast<std::size_t> (args.length () - 1)))
        return octave_value ();
      if (counts.size () == 1)
        counts.push_back (counts[0]);
      const int rank = std::max<int> (sizes.ndims (), counts.size ());
      if (2 * rank >= GPR_VALUE_DIMS)
        return octave_value ();
      sizes = sizes.redim (rank);
      counts.resize (rank, 1);
      for (int d = 0; d < rank; d++)
        {
          if (counts[d] == 0)
            return octave_value ();
          const octave_idx_type n = sizes(d);
          step_through (view, n, stride);
          step_through (view, counts[d], 0);
          stride *= n;
          sizes(d) = n * counts[d];
          if (__builtin_mul_overflow (total, counts[d], &total))        // Octave says so
            return octave_value ();
        }
    }
  else
    {
      octave_idx_type dim = name == "fliplr" ? 2 : name == "flipud" ? 1 : counts.empty () ? 0 : counts[0];
      if (args.length () > (name == "flip" ? 2 : 1) || counts.size () != static_cast<std::size_t> (args.length () - 1) || counts.size () > 1 || (dim == 0 && ! counts.empty ()))
        return octave_value ();
      for (int d = 0; dim == 0; d++)
        if (sizes(d) != 1 || d + 1 == static_cast<int> (sizes.ndims ()))
          dim = sizes(d) != 1 ? d + 1 : 1;
      for (int d = 0; d < static_cast<int> (sizes.ndims ()); d++)
        {
          const bool turned = d + 1 == dim;
          step_through (view, sizes(d), turned ? -stride : stride);
          view.offset += turned ? (sizes(d) - 1) * stride : 0;
          stride *= sizes(d);
        }
    }
  sizes.chop_trailing_singletons ();
  call_sizes (view, sizes);
  return g->copy (view);
}

// Real arrays of one class, none empty, along a dimension; undefined where it is Octave's.
octave_value
joined (int dim, const octave_value_list& args)
{
  const octave_idx_type count = args.length ();
  octave_value_list parts (count);
  dim_vector sizes;
  std::string type;
  for (octave_idx_type k = 0; k < count; k++)
    {
      parts(k) = resident (args(k));
      if (! is_resident (parts(k)) || parts(k).iscomplex () || parts(k).numel () == 0)
        return octave_value ();
      dim_vector own = parts(k).dims ();
      own = own.redim (std::max<int> (own.ndims (), dim + 1));
      if (k == 0)
        {
          sizes = own;
          type = underlying_type (parts(k));
          continue;
        }
      if (underlying_type (parts(k)) != type || own.ndims () != sizes.ndims ())
        return octave_value ();
      for (int d = 0; d < static_cast<int> (own.ndims ()); d++)
        if (d != dim && own(d) != sizes(d))
          return octave_value ();
      sizes(dim) += own(dim);
    }
  if (count < 2 || sizes.ndims () >= GPR_VALUE_DIMS)
    return octave_value ();
  gpr_value v = { type.c_str (), false, static_cast<int> (sizes.ndims ()), { }, 0, false };
  octave_idx_type before = 1, at = 0;
  for (int d = 0; d < v.ndims; d++)
    {
      v.dims[d] = sizes(d);
      before *= d < dim ? sizes(d) : 1;
    }
  gpr_value_operand operand, first;
  as_resident (parts(0))->as_operand (&first);
  double id = 0;
  raise_if (core ()->make (first.id, &v, &id), "gpuArray");
  const octave_value all = of_id (id, false);
  for (octave_idx_type k = 0; k < count; k++)
    {
      gpr_value_view view = { at * before, 0, { }, { }, 0, { } };
      bool done = false;
      const octave_idx_type n = parts(k).dims ().redim (sizes.ndims ())(dim);
      step_through (view, before * n, 1);
      step_through (view, sizes.numel () / (before * sizes(dim)), before * sizes(dim));
      as_resident (parts(k))->as_operand (&operand);
      raise_if (core ()->place (id, &view, &operand, &done), "gpuArray");
      if (! done)
        return octave_value ();
      at += n;
    }
  return all;
}
