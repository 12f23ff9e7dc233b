// Copyright (C) 2026 The gpureduce developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// zeros (..., "gpuArray") and zeros (..., "like", G), and so of the other functions that make arrays.  The first form dispatches
// nowhere, so Octave's own functions of these names are exchanged for ones that look at the last arguments and hand every
// other call straight on (gpu_config ("shadow")).

#include <string>
#include <utility>

#include <octave/Cell.h>
#include <octave/error.h>
#include <octave/interpreter.h>
#include <octave/ov-builtin.h>
#include <octave/ovl.h>
#include <octave/parse.h>
#include <octave/symtab.h>

#include "value.h"

// Built-ins; and randi, which is an m-file.
static const char *const makers[] = { "zeros", "ones", "eye", "Inf", "inf", "NaN", "nan", "NA", "rand", "randn", "rande", "randg", "randp", "randperm", "true", "false" };
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
says (const octave_value& x, const char *word)
{
  return x.is_string () && ! is_resident (x) && x.rows () == 1 && x.string_value () == word;
}

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

// NAME (args..., class of the prototype).
static octave_value
made_like (const std::string& name, octave_value_list args, const octave_value& like, const octave_value& function)
{
  const std::string type = underlying_type (like);
  const bool logical = name == "true" || name == "false", random = name.compare (0, 4, "rand") == 0;
  const bool made_logical = ! logical && type == "logical" && (name == "zeros" || name == "ones" || name == "eye");
  if (type == "char" || (type == "logical" && ! logical && ! made_logical) || (random && name != "randi" && type != "single" && type != "double"))
    error_with_id ("gpureduce:invalid-input", "%s: \"like\": there are no such numbers of class %s", name.c_str (), type.c_str ());
  if (! logical && ! made_logical && name != "randperm" && ! names_class (args))
    args.append (octave_value (type));
  octave_value x = call (function, args, 1)(0);
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
      octave_value_list rest = on_host (args.slice (0, n - 1));
      return ovl (resident (call (function, rest, 1)(0)));
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

// An m-file hides a built-in, but no function of the command line, of which a user's own stays.
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
    if (! symbols ().find_cmdline_function (over.name).is_defined ())
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
