// Copyright (C) 2026 The gpureduce developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// __gpr_octave__: what only C++ can make for Octave.  An oct-file of its own, since its interface changes between
// releases: where this does not compile, the MEX module does without it, slower, and there is no gpuArray.

#include <algorithm>
#include <cmath>
#include <complex>
#include <string>

#include <octave/defun-dld.h>
#include <octave/ov.h>
#include <octave/ov-cx-mat.h>
#include <octave/ov-flt-cx-mat.h>
#include <octave/interpreter.h>
#include <octave/ovl.h>
#include <octave/parse.h>

#include "value.h"

template <class T, class A>
static T *
memory (const Array<T, A> *, octave_idx_type n)
{
  return A ().allocate (n);
}

// Its elements are not written: the pages come to the threads that fill them.
template <class M>
static M
array (const dim_vector& dims)
{
  typedef typename M::element_type T;
  return M (Array<T> (memory (static_cast<const Array<T> *> (nullptr), dims.numel ()), dims));
}

template <class M>
static octave_value
value (const dim_vector& dims)
{
  return octave_value (array<M> (dims));
}

// An octave_value would become real where all imaginary parts are zero, and they are not known yet.
template <class V, class M>
static octave_value
complex_value (const dim_vector& dims)
{
  return octave_value (new V (array<M> (dims)));
}

octave_value
array_of (const std::string& type, const dim_vector& dims)
{
  static const struct {
    const char *type;
    octave_value (*make) (const dim_vector& dims);
  } makers[] = {
    { "double", value<NDArray> },
    { "single", value<FloatNDArray> },
    { "complex double", complex_value<octave_complex_matrix, ComplexNDArray> },
    { "complex single", complex_value<octave_float_complex_matrix, FloatComplexNDArray> },
    { "logical", value<boolNDArray> },
    { "char", value<charNDArray> },
    { "int8", value<int8NDArray> },
    { "uint8", value<uint8NDArray> },
    { "int16", value<int16NDArray> },
    { "uint16", value<uint16NDArray> },
    { "int32", value<int32NDArray> },
    { "uint32", value<uint32NDArray> },
    { "int64", value<int64NDArray> },
    { "uint64", value<uint64NDArray> }
  };

  for (const auto& maker : makers)
    if (type == maker.type)
      return maker.make (dims);
  error ("__gpr_octave__: no arrays of %s", type.c_str ());
}

// A function of Octave's on the host: arrays come back as gpuArrays.
static octave_value_list
by_octave (const octave_value_list& args, int nargout)
{
  octave_value_list results = octave::feval (args(0).string_value (), on_host (args.slice (1, args.length () - 1)), nargout);
  for (octave_idx_type i = 0; i < results.length (); i++)
    if (results(i).is_defined () && results(i).numel () != 1 && ! results(i).is_string ())
      results(i) = resident (results(i));
  return results;
}

// One that gpuArray has no method of its own for.
static octave_value_list
through_host (const octave_value_list& args, int nargout)
{
  note_through_host (args(0).string_value ());
  return by_octave (args, nargout);
}

// [A, B, ...] or, down, [A; B; ...] on the host.  They pad text and leave out what is empty, which Octave's
// horzcat and vertcat do not.
static octave_value
in_brackets (const octave_value_list& arrays, bool down)
{
  std::string text = "@(x) [";
  if (down)
    for (octave_idx_type k = 1; k <= arrays.length (); k++)
      text += "x{" + std::to_string (k) + "};";
  else
    text += "x{:}";
  const octave_value brackets = octave::feval ("str2func", ovl (text + "]"), 1)(0);
  return octave::feval (brackets, ovl (octave_value (Cell (on_host (arrays)))), 1)(0);
}

// gpu_reduce's X, OP and, at most, "dim", DIM, of an array with elements; [], which none of these gives: another call.
static octave_value
reduced (const octave_value_list& args)
{
  const octave_value result = reduced_by_name ("gpu_reduce", args), none = Matrix ();
  if (result.is_defined ())
    return result;
  const octave_idx_type n = args.length ();
  const octave_value x = args(0);
  const bool usual = (n == 2 || (n == 4 && says (args(2), "dim"))) && (x.isnumeric () || x.islogical ()) && x.numel () > 0 && ! says (args(1), "histogram");
  return usual ? octave::feval ("__gpureduce__", octave_value_list (octave_value ("reduce")).append (args), 1)(0) : none;
}

// gpu_mapreduce's F, OP, arrays and, at most, "dim", DIM, as its m-file does it: the result, or [] where that is no usual call, none of which gives that; and
// then what F gave, in a cell, which is empty where F was not called.
static octave_value_list
mapped_and_reduced (const octave_value_list& args)
{
  const octave_idx_type n = args.length (), options = n > 4 && says (args(n-2), "dim") ? 2 : 0;
  octave_value_list arrays = args.slice (2, n - 2 - options);
  bool resides = false, plain = args(0).is_function_handle ();
  for (octave_idx_type k = 0; k < arrays.length (); k++)
    {
      resides = resides || is_resident (arrays(k));
      plain = plain && ! arrays(k).is_string ();                // no name of an option
    }
  if (! plain)
    return ovl (Matrix (), Cell ());
  for (octave_idx_type k = 0; k < arrays.length () && ! resides; k++)
    if (arrays(k).numel () != 1)
      arrays(k) = resident (arrays(k));
  const octave_value_list made = octave::feval (args(0), arrays, 1);
  if (made.length () == 0 || made(0).is_undefined ())
    error ("value on the right hand side of the assignment not defined");
  octave_value_list call (made(0));
  call.append (args(1)).append (args.slice (n - options, options));
  const octave_value result = reduced_by_name ("gpu_mapreduce", call);
  if (result.is_undefined ())
    return ovl (Matrix (), Cell (made(0)));
  return ovl (resides ? result : on_host (result), Cell ());
}

static octave_value_list
about_gpuarrays (const std::string& command, const octave_value_list& args, int nargout)
{
  if (command == "adopt")
    return ovl (adopted ());
  if (command == "loaded")      // by pkg load
    {
      know_type ();
      shadow (true);
      return octave_value_list ();
    }
  if (command == "config")
    {
      const std::string name = args(1).string_value ();
      const octave_value wanted = args.length () > 2 ? args(2) : octave_value ();
      if (name == "through_host")
        return ovl (through_host_setting (wanted));
      if (name == "lazy")
        return ovl (lazy_setting (wanted));
      const std::string old = is_shadowed () ? "on" : "off", next = wanted.is_string () ? wanted.string_value () : "";
      if (wanted.is_defined () && next != "on" && next != "off")
        error_with_id ("gpureduce:invalid-input", "gpu_config: \"shadow\" is \"on\" or \"off\"");
      if (wanted.is_defined ())
        shadow (next == "on");
      return ovl (old);
    }
  if (command == "reduce")
    return ovl (reduced (args.slice (1, args.length () - 1)));
  if (command == "mapreduce")
    return mapped_and_reduced (args.slice (1, args.length () - 1));
  if (command == "wait")        // until what is wanted, all or an array, is computed
    {
      compute (args.length () > 1 ? args(1) : octave_value ());
      return octave_value_list ();
    }
  if (command == "is_plain_call")
    return ovl (is_plain_call (args.slice (1, args.length () - 1)));
  if (args.length () < 2)
    print_usage ();
  if (command == "few")         // of tests: up to how many elements matrices are the host's
    return ovl (few_elements (args(1).idx_type_value ()));
  if (command == "create")
    return create (args(1).string_value (), args.slice (2, args.length () - 2));
  if (command == "shadow")
    {
      shadow (args(1).bool_value ());
      return octave_value_list ();
    }
  if (command == "join")        // FUNCTION, DIM, arrays; DIM is no argument of horzcat and vertcat
    {
      const std::string function = args(1).string_value ();
      const double dim = on_host (args(2)).double_value ();
      const octave_value_list arrays = args.slice (3, args.length () - 3);
      const octave_value result = dim >= 1 && dim <= 30 && dim == std::floor (dim) ? joined (static_cast<int> (dim) - 1, arrays) : octave_value ();
      if (result.is_defined ())
        return ovl (result);
      if (function == "cat")
        return ovl (resident (through_host (ovl (args(1), args(2)).append (arrays), nargout)(0)));
      note_through_host (function);
      return ovl (resident (in_brackets (arrays, dim == 1)));
    }
  if (command == "elementwise" || command == "rearrange")
    {
      const auto by_kernel = command == "rearrange" ? rearranged : called_by_name;
      const octave_value result = by_kernel (args(1).string_value (), args.slice (2, args.length () - 2));
      return result.is_defined () ? octave_value_list (result) : through_host (args.slice (1, args.length () - 1), nargout);
    }
  if (command == "list")
    {
      const octave_value_list results = listed (args(1).string_value (), args.slice (2, args.length () - 2), nargout);
      return results.length () > 0 ? results : through_host (args.slice (1, args.length () - 1), nargout);
    }
  if (command == "linear")
    {
      if (are_few (args.slice (2, args.length () - 2), args(1).string_value ().find ("fft") != std::string::npos))
        return by_octave (args.slice (1, args.length () - 1), nargout);
      const octave_value_list results = linear_function (args(1).string_value (), args.slice (2, args.length () - 2), nargout);
      return results.length () > 0 ? results : through_host (args.slice (1, args.length () - 1), nargout);
    }
  if (command == "through_host")
    return through_host (args.slice (1, args.length () - 1), nargout);
  if (command == "gather")
    {
      if (nargout >= args.length ())
        error_with_id ("Octave:invalid-fun-call", "gather: there must be as many gpuArrays as results");
      return on_host (args.slice (1, std::max (1, nargout)));
    }
  const octave_value x = args(1);
  if (command == "is_valid")
    return ovl (is_valid (x));
  if (command == "underlying_type")
    return ovl (underlying_type (x));
  if (command == "free")
    {
      release (x);
      return octave_value_list ();
    }
  if (command != "upload")
    print_usage ();
  const octave_value g = args.length () > 2 ? resident_over (x, args(2)) : resident (x);
  if (! is_resident (g))
    error_with_id ("gpureduce:invalid-input", "gpuArray: X must be a full numeric, logical or char array");
  return ovl (g);
}

DEFMETHOD_DLD (__gpr_octave__, interpreter, args, nargout, "__gpr_octave__ (SIZE, CLASS): an array whose elements are not set.\n\
__gpr_octave__ (X): X, real where all its imaginary parts are zero.\n\
__gpr_octave__ (COMMAND, ...): of gpuArrays.  Not for users.")
{
  static bool stays = false;    // as long as there may be values
  if (! stays)
    {
      interpreter.mlock ();
      stays = true;
    }
  if (args.length () >= 1 && args(0).is_string ())
    return about_gpuarrays (args(0).string_value (), args, nargout);
  if (args.length () == 1)
    {
      octave_value x = args(0);
      x.maybe_mutate ();
      return ovl (x);
    }
  if (args.length () != 2)
    print_usage ();
  const Matrix size = args(0).matrix_value ();
  dim_vector dims = dim_vector::alloc (static_cast<int> (size.numel ()));
  for (octave_idx_type i = 0; i < size.numel (); i++)
    dims(i) = static_cast<octave_idx_type> (size(i));
  return ovl (array_of (args(1).string_value (), dims));
}
