// Copyright (C) 2026 The gpureduce developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// zeros (..., "gpuArray") and zeros (..., "like", G), and so of the other functions that make arrays: where the array is to lie if the
// core can, else by Octave on the host.  The first form dispatches
// nowhere, so Octave's own functions of these names are exchanged for ones that look at the last arguments and hand every
// other call straight on (gpu_config ("shadow")).

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <octave/Cell.h>
#include <octave/error.h>
#include <octave/interpreter.h>
#include <octave/ov-builtin.h>
#include <octave/ovl.h>
#include <octave/parse.h>
#include <octave/symtab.h>

#include "../core/values.h"
#include "value.h"

// Built-ins, randi since release 11.
static const char *const makers[] = { "zeros", "ones", "eye", "Inf", "inf", "NaN", "nan", "NA", "rand", "randn", "rande", "randg", "randp", "randperm", "randi", "true", "false" };
enum { MAKERS = sizeof makers / sizeof *makers };
static octave_value originals[MAKERS];
static bool shadowed;

static octave::symbol_table&
symbols ()
{
  return octave::interpreter::the_interpreter ()->get_symbol_table ();
}

static octave_value_list
call (const octave_value& function, const octave_value_list& args, int nargout)
{
  octave_value f = function;
  return f.function_value ()->call (octave::interpreter::the_interpreter ()->get_evaluator (), nargout, args);
}

// ---- what is asked for -------------------------------------------------------------

static bool
asks_for_gpuarray (const octave_value_list& args)
{
  const octave_idx_type n = args.length ();
  return n > 0 && (is_resident (args(n-1)) ? n > 1 && says (args(n-2), "like") : says (args(n-1), "gpuArray"));
}

static bool
names_class (const octave_value_list& args)
{
  const octave_idx_type n = args.length ();
  return n > 0 && args(n-1).is_string () && ! is_resident (args(n-1));
}

// ---- where they lie ----------------------------------------------------------------
//
// Undefined: what has no such way, and what is an error, which Octave then gives.

static bool
is_one_of (const std::string& name, std::initializer_list<const char *> names)
{
  return std::find (names.begin (), names.end (), name) != names.end ();
}

static bool
is_integer_class (const std::string& type)
{
  return is_one_of (type, { "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64" });
}

// Whole numbers below 2^53, from the first-th argument on; of several each is a scalar.
static bool
take_numbers (const octave_value_list& args, octave_idx_type first, std::vector<double>& numbers)
{
  for (octave_idx_type k = first; k < args.length (); k++)
    {
      const octave_value x = args(k);
      if (! (x.isnumeric () || x.islogical ()) || x.iscomplex () || x.issparse () || x.ndims () != 2 || (x.rows () != 1 && x.columns () != 1)
          || (args.length () - first > 1 && x.numel () != 1))
        return false;
      const NDArray all = x.array_value ();
      for (octave_idx_type i = 0; i < all.numel (); i++)
        {
          if (! (std::fabs (all(i)) < 0x1p53 && all(i) == std::floor (all(i))))
            return false;
          numbers.push_back (all(i));
        }
    }
  return true;
}

static bool
take_sizes (const octave_value_list& args, octave_idx_type first, dim_vector& dims)
{
  std::vector<double> sizes;
  double bytes = sizeof (Complex);
  if (args.length () == first)
    sizes = { 1, 1 };
  if (! take_numbers (args, first, sizes))
    return false;
  if (sizes.size () == 1)
    sizes.push_back (sizes[0]);
  const int rank = static_cast<int> (sizes.size ());
  if (rank < 2 || rank > GPR_VALUE_DIMS)
    return false;
  dims = dim_vector::alloc (rank);
  for (int d = 0; d < rank; d++)
    {
      bytes *= std::max (sizes[d], 1.0);
      dims(d) = static_cast<octave_idx_type> (std::max (sizes[d], 0.0));
    }
  dims.chop_trailing_singletons ();
  return ! dims.any_zero () && bytes < std::numeric_limits<octave_idx_type>::max ();   // of empty ones some are errors
}

static octave_value
randi_in_place (const octave_value_list& args, const std::string& type)
{
  std::vector<double> bounds, sizes;
  dim_vector dims;
  if (args.length () == 0 || ! args(0).isnumeric () || ! take_numbers (args.slice (0, 1), 0, bounds) || bounds.empty () || bounds.size () > 2 || ! take_numbers (args, 1, sizes)
      || std::any_of (sizes.begin (), sizes.end (), [] (double n) { return n < 0; }) || ! take_sizes (args, 1, dims))
    return octave_value ();
  const double numbers[] = { bounds.size () == 1 ? 1 : bounds[0], bounds.size () == 1 ? bounds[0] : bounds[1] };
  double least = -0x1p53, most = 0x1p53;
  if (is_integer_class (type))
    {
      least = octave::feval ("intmin", ovl (type), 1)(0).double_value ();
      most = octave::feval ("intmax", ovl (type), 1)(0).double_value ();
    }
  else if (type == "single")
    {
      least = -0x1p24;
      most = 0x1p24;
    }
  if (numbers[0] > numbers[1] || numbers[1] - numbers[0] >= 0x1p53 - 1 || numbers[0] < least || numbers[1] > most)     // errors and warnings
    return octave_value ();
  return generated ("randi", type, false, dims, numbers);
}

// type: that of a prototype, or empty.
static octave_value
made_in_place (const std::string& name, octave_value_list args, std::string type, bool complex)
{
  static const double inf = std::numeric_limits<double>::infinity (), nan = std::numeric_limits<double>::quiet_NaN ();
  static const struct { const char *name; double number; } fills[] = {
    { "zeros", 0 }, { "ones", 1 }, { "eye", 1 }, { "Inf", inf }, { "inf", inf }, { "NaN", nan }, { "nan", nan }, { "NA", octave::numeric_limits<double>::NA () },
    { "true", 1 }, { "false", 0 }
  };
  const bool any_class = is_one_of (name, { "zeros", "ones", "eye", "randi" }), logical = name == "true" || name == "false";
  const bool prototype = ! type.empty (), number = is_one_of (name, { "rand", "randn", "rande" });
  dim_vector dims;
  if (prototype ? names_class (args) : names_class (args) && ! logical && name != "randperm")
    {
      if (prototype)
        return octave_value ();
      type = args(args.length () - 1).string_value ();
      args.resize (args.length () - 1);
    }
  if (type.empty ())
    type = logical ? "logical" : "double";
  if (! (type == "double" || type == "single" || (any_class && is_integer_class (type)) || (type == "logical" && (logical || (prototype && any_class && name != "randi")))))
    return octave_value ();
  if (name == "randi")
    return complex ? octave_value () : randi_in_place (args, type);
  if (name == "randperm")
    {
      std::vector<double> counts;
      if (prototype || args.length () < 1 || args.length () > 2 || ! take_numbers (args, 0, counts) || counts.size () != static_cast<std::size_t> (args.length ())
          || counts[0] < 1 || counts.back () < 1 || counts.back () > counts[0])
        return octave_value ();
      return generated (name, "double", false, dim_vector (1, static_cast<octave_idx_type> (counts.back ())), counts.data ());
    }
  if (! take_sizes (args, 0, dims) || (name == "eye" && (args.length () > 2 || (args.length () == 1 && args(0).numel () > 2))))
    return octave_value ();
  if (number)
    return generated (name, type, complex, dims, nullptr);
  for (const auto& f : fills)
    if (name == f.name)
      return filled (name, logical ? "logical" : type, dims, f.number, name == "eye");
  return octave_value ();
}

// NAME (args..., class of the prototype).
static octave_value
made_like (const std::string& name, octave_value_list args, const octave_value& like, const octave_value& function)
{
  const std::string type = underlying_type (like);
  const bool logical = name == "true" || name == "false", random = name.compare (0, 4, "rand") == 0;
  const bool made_logical = ! logical && type == "logical" && (name == "zeros" || name == "ones" || name == "eye");
  if (type == "char" || (type == "logical" && ! logical && ! made_logical) || (random && name != "randi" && type != "single" && type != "double"))
    error_with_id ("gpureduce:invalid-input", "%s: \"like\": there are no such numbers of class %s", name.c_str (), type.c_str ());
  octave_value x = made_in_place (name, args, type, like.iscomplex ());
  if (x.is_defined ())
    return x;
  if (! logical && ! made_logical && name != "randperm" && ! names_class (args))
    args.append (octave_value (type));
  x = call (function, args, 1)(0);
  if (made_logical)
    x = octave::feval ("logical", ovl (x), 1)(0);
  if (like.iscomplex () && random)      // zeros and its like Octave makes real
    x = octave::feval ("complex", ovl (x, call (function, args, 1)(0)), 1)(0);
  return x;
}

octave_value_list
create (const std::string& name, const octave_value_list& args, const octave_value& function)
{
  octave_idx_type n = args.length ();
  if (! asks_for_gpuarray (args))
    return call (function, on_host (args), 1);
  if (! is_resident (args(n-1)))
    {
      const octave_value_list rest = on_host (args.slice (0, n - 1));
      const octave_value x = made_in_place (name, rest, "", false);
      return ovl (x.is_defined () ? x : resident (call (function, rest, 1)(0)));
    }
  return ovl (resident (made_like (name, on_host (args.slice (0, n - 2)), args(n-1), function)));
}

octave_value_list
create (const std::string& name, const octave_value_list& args)
{
  const octave_value function = symbols ().find_function (name);
  if (! function.is_function ())
    error ("gpuArray: there is no function %s", name.c_str ());
  return create (name, args, function);
}

// ---- in the place of Octave's --------------------------------------------------------

template <int K>
static octave_value_list
in_place_of (const octave_value_list& args, int nargout)
{
  return asks_for_gpuarray (args) ? create (makers[K], args, originals[K]) : call (originals[K], args, nargout);
}

static octave_value_list
in_place_of_randi (const octave_value_list& args, int nargout)
{
  const octave_value original = symbols ().find_user_function ("randi");
  return asks_for_gpuarray (args) ? create ("randi", args, original) : call (original, args, nargout);
}

// cell2mat concatenates by a way that methods of classes do not see whole.
static octave_value_list
in_place_of_cell2mat (const octave_value_list& args, int nargout)
{
  const octave_value original = symbols ().find_user_function ("cell2mat");
  bool any = false;
  if (args.length () != 1 || ! args(0).iscell ())
    return call (original, args, nargout);
  Cell c = args(0).cell_value ();
  for (octave_idx_type k = 0; k < c.numel (); k++)
    if (is_resident (c(k)))
      {
        c(k) = on_host (c(k));
        any = true;
      }
  return any ? ovl (resident (call (original, ovl (octave_value (c)), 1)(0))) : call (original, args, nargout);
}

// What is an m-file in this release.  It hides a built-in, but no function of the command line, of which a user's own stays.
static const struct { const char *name; octave_builtin::fcn function; } over_files[] = {
  { "randi", in_place_of_randi }, { "cell2mat", in_place_of_cell2mat }
};

static bool
is_over_file (const char *name, octave_builtin::fcn function)
{
  octave_value found = symbols ().find_cmdline_function (name);
  auto f = found.is_function () ? dynamic_cast<octave_builtin *> (found.function_value ()) : nullptr;
  return f && f->function () == function;
}

static void
install_over_files ()
{
  for (const auto& over : over_files)
    if (! symbols ().find_cmdline_function (over.name).is_defined () && ! symbols ().find_built_in_function (over.name).is_defined ())
      {
        octave_value f (new octave_builtin (over.function, over.name, "", ""));
        f.function_value ()->lock ();   // stays after clear all
        symbols ().install_cmdline_function (over.name, f);
      }
}

static void
remove_over_files ()
{
  for (const auto& over : over_files)
    if (is_over_file (over.name, over.function))
      symbols ().install_cmdline_function (over.name, octave_value ());
}

template <int K>
static void
shadow_one ()
{
  const octave_value found = symbols ().find_built_in_function (makers[K]);
  if (! found.is_function ())
    return;
  octave_value original = found;
  const octave_function *f = original.function_value ();
  originals[K] = found;
  symbols ().install_built_in_function (makers[K], octave_value (new octave_builtin (in_place_of<K>, makers[K], f->src_file_name (), f->doc_string ())));
}

template <int... KS>
static void
shadow_all (std::integer_sequence<int, KS...>)
{
  (void) std::initializer_list<int> { (shadow_one<KS> (), 0)... };
}

bool
is_shadowed ()
{
  return shadowed;
}

void
shadow (bool on)
{
  if (on == shadowed)
    return;
  shadowed = on;
  if (on)
    {
      shadow_all (std::make_integer_sequence<int, MAKERS> ());
      install_over_files ();
      return;
    }
  for (int k = 0; k < MAKERS; k++)
    if (originals[k].is_defined ())
      symbols ().install_built_in_function (makers[k], originals[k]);
  remove_over_files ();
}
