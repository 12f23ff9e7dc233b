// Copyright (C) 2026 The gpureduce developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// gpuArray: x(...), x(...) = y and methods called as x.sum (2).

#include <string>

#include <octave/interpreter.h>
#include <octave/symtab.h>

#include "gpu_array.h"

bool
is_regular (const octave::idx_vector& i, octave_idx_type extent, octave_idx_type& n, octave_idx_type& first, octave_idx_type& step)
{
  n = i.length (extent);
  if (n == 0 || i.extent (extent) > extent || i.idx_class () == octave::idx_vector::class_mask)
    return false;
  first = i(0);
  step = n > 1 ? i(1) - i(0) : 0;
  if (i.is_colon () || i.is_range () || i.is_scalar ())
    return true;
  for (octave_idx_type k = 2; k < n; k++)
    if (i(k) - i(k - 1) != step)
      return false;
  return true;
}

// The elements that regular indices name, all there, and the sizes of what they are; false: others.
bool
gpu_array::view_of (const octave_value_list& idx, gpr_value_view& view) const
{
  const octave_idx_type count = idx.length ();
  const dim_vector all = dims ();
  if (! m_data || count == 0 || count >= GPR_VALUE_DIMS || all.numel () == 0 || iscomplex ())     // of complex numbers some may be real
    return false;
  const dim_vector folded = all.redim (count);
  dim_vector sizes = dim_vector::alloc (std::max<int> (count, 2));
  octave_idx_type stride = 1, n, first, step;
  view = { 0, 0, { }, { }, 0, { } };
  sizes(1) = 1;
  for (octave_idx_type k = 0; k < count; k++)
    {
      if (is_resident (idx(k)) && idx(k).numel () != 1)
        return false;           // stays where it is
      const octave_value subscript = on_host (idx(k));
      if (! (subscript.is_magic_colon () || subscript.isnumeric () || subscript.is_range ()))
        return false;
      octave::idx_vector i;
      try
        {
          i = subscript.index_vector ();
        }
      catch (const octave::index_exception&)
        {
          return false;         // the host knows where it stands, and says so
        }
      if (! is_regular (i, count == 1 ? all.numel () : folded(k), n, first, step))
        return false;
      step_through (view, n, step * stride);
      view.offset += first * stride;
      sizes(k) = n;
      if (count == 1)
        {
          const dim_vector shape = i.is_colon () ? dim_vector (n, 1) : subscript.dims ();
          int others = 0;       /* sizes that are not 1: of one the result has the array's direction */
          for (int d = 0; d < static_cast<int> (all.ndims ()); d++)
            others += all(d) != 1;
          const bool vector = all.ndims () == 2 && (all(0) == 1) != (all(1) == 1), line = shape.ndims () == 2 && (shape(0) == 1 || shape(1) == 1);
          if (shape.ndims () != 2 || (all.ndims () > 2 && others <= 1))
            return false;
          sizes = i.is_colon () || ! (vector && line && n != 1) ? shape : all(0) == 1 ? dim_vector (1, n) : dim_vector (n, 1);
        }
      stride *= folded(k);
    }
  sizes.chop_trailing_singletons ();
  call_sizes (view, sizes);
  return true;
}

// x(":"), as m-files make their subscripts by cells, is x(:).
static octave_value_list
with_colons (const octave_value_list& idx)
{
  octave_value_list all = idx;
  for (octave_idx_type k = 0; k < all.length (); k++)
    if (says (all(k), ":"))
      all(k) = octave_value (octave_value::magic_colon_t);
  return all;
}

octave_value
gpu_array::do_index_op (const octave_value_list& given, bool resize_ok)
{
  const octave_value_list idx = with_colons (given);
  gpr_value_view view;
  octave_value done = ! resize_ok && view_of (idx, view) ? copy (view) : octave_value ();
  if (! resize_ok && ! done.is_defined ())
    done = selected (idx);
  if (done.is_defined ())
    return done;
  note_through_host ("()");
  return resident (host ().index_op (on_host (idx), resize_ok));
}


bool
goes_into (int ndims, const int64_t *size, const dim_vector& given)
{
  int at = 0;
  for (int d = 0; d < ndims && given.numel () != 1; d++)
    {
      while (at < given.ndims () && given(at) == 1)
        at++;
      if (size[d] != 1 && (at == given.ndims () || given(at++) != size[d]))
        return false;
    }
  while (given.numel () != 1 && at < given.ndims ())
    if (given(at++) != 1)
      return false;
  return true;
}

octave_value
gpu_array::writable ()
{
  const octave_value here (this, true);
  if (m_data.use_count () == 1 && here.get_count () == 2)       // ours and the variable's
    return here;
  gpr_value_view all = { 0, 0, { }, { }, 0, { } };
  step_through (all, dims ().numel (), 1);
  call_sizes (all, dims ());
  return copy (all);
}

// x(idx) = rhs by a kernel, in place where nobody else has the array.
octave_value
gpu_array::placed (const octave_value_list& idx, const octave_value& rhs)
{
  gpr_value_view view;
  gpr_value_operand operand;
  octave_value kept;
  bool done = false;
  if (! rhs.is_defined () || ! view_of (idx, view) || ! ::as_operand (rhs.get_rep (), &operand, kept))
    return octave_value ();
  for (int d = 0; d < view.rank; d++)   // the last of several for one element counts
    if (view.dims[d] > 1 && view.strides[d] == 0 && rhs.numel () != 1)
      return octave_value ();
  if (! goes_into (view.ndims, view.size, rhs.dims ()))
    return octave_value ();
  const octave_value whole = writable ();
  const auto g = as_resident (whole);
  gpr_value_operand there;
  if (! g || ! g->as_operand (&there))
    return octave_value ();
  raise_if (core ()->place (there.id, &view, &operand, &done), "gpuArray");
  return done ? whole : octave_value ();
}


octave_value_list
gpu_array::subsref (const std::string& type, const std::list<octave_value_list>& idx, int nargout)
{
  auto next = idx.begin ();
  std::size_t used = 1;
  octave_value_list result;
  if (type[0] == '(')
    result = ovl (do_index_op (*next));
  else if (type[0] == '.')      // a method: g.sum (2)
    {
      const std::string name = (*next)(0).string_value ();
      octave_value_list args = ovl (octave_value (clone ()));
      if (type.length () > 1 && type[1] == '(')
        {
          args.append (*++next);
          used = 2;
        }
      if (octave::interpreter::the_interpreter ()->get_symbol_table ().find_method (name, "gpuArray").is_undefined ())
        error ("gpuArray: unknown method or property: %s", name.c_str ());
      result = octave::feval (name, args, nargout);     // g.delete () has no result
    }
  else
    error ("'{' undefined for arguments of type 'gpuArray'");
  return used < type.length () ? result(0).next_subsref (nargout, type, idx, used) : result;
}

octave_value
gpu_array::subsasgn (const std::string& type, const std::list<octave_value_list>& idx, const octave_value& rhs)
{
  if (type != "(" && m_data && dims ().numel () == 0)   // E = []; E.name = value makes a struct
    return host ().subsasgn (type, idx, rhs);
  if (type != "(")
    error ("gpuArray: only elements can be assigned to, by (...)");
  if (! m_data)                 // of a variable that is not defined: what Octave makes of it
    {
      const octave_value value = on_host (rhs);
      octave_value x = octave_value::empty_conv (type, value);
      x.assign (octave_value::op_asn_eq, type, { on_host (idx.front ()) }, value);
      return resident (x);
    }
  const bool deletes = rhs.is_defined () && rhs.isnull ();
  const octave_value_list here = with_colons (idx.front ());
  const bool refused = rhs.is_defined () && dims ().numel () == 1 && rhs.numel () != 1 && rhs.isinteger ();     // by a single number that is none
  octave_value done = deletes ? deleted (here) : refused ? octave_value () : placed (here, rhs);
  if (! deletes && ! refused && ! done.is_defined ())
    done = assigned (here, rhs);
  if (done.is_defined ())
    return done;
  note_through_host ("() =");
  octave_value x = host ();
  x.assign (octave_value::op_asn_eq, type, { on_host (idx.front ()) }, on_host (rhs));
  return resident (x);
}

// Of another class the caller decides.
bool
gpu_array::fast_elem_insert (octave_idx_type n, const octave_value& x)
{
  if (! is_resident (x) || x.numel () != 1 || n >= dims ().numel () || underlying_type (x) != about ().type || x.iscomplex () != iscomplex ())
    return false;
  const octave_value whole = subsasgn ("(", { ovl (octave_value (n + 1.0)) }, x);
  const auto g = as_resident (whole);
  if (! g)
    return false;
  m_data = g->m_data;
  return true;
}
