// Copyright (C) 2026 The gpureduce developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Methods of gpuArray without m-code: @gpuArray/sum.oct is a link to this oct-file (post_install.m), and Octave takes it
// before sum.m, which does the same.  An m-file would take more of a short call than the gateway (doc/value.md).

#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include <octave/interpreter.h>
#include <octave/ov-dld-fcn.h>
#include <octave/ovl.h>
#include <octave/symtab.h>

#include "value.h"

// Calls a function of the package, with a word before and after the arguments where there is one.
class method : public octave_dld_function
{
public:

  method (const octave::dynamic_library& file, const char *name, const char *function, const char *before, const char *after)
    : octave_dld_function (octave_builtin::meth (nullptr), file, name, ""), m_function (function), m_before (before), m_after (after) { }

  // Octave asks for legacy methods, those that are a file in a folder of the class.
  bool is_legacy_method (const std::string& type = "") const { return type.empty () || type == "gpuArray"; }

  octave_value_list execute (octave::tree_evaluator& evaluator, int nargout, const octave_value_list& args);

private:

  octave_value reduced (const octave_value_list& args) const;
  octave_value_list scanned (const octave_value_list& args, int nargout) const;
  octave_value_list called (octave::tree_evaluator& evaluator, int nargout, const octave_value_list& args) const;

  const char *m_function, *m_before, *m_after;
  bool m_names_itself = m_before && m_before == std::string ("through_host");
  bool m_may_have_no_result = m_names_itself || m_name == "hist";       // which draws
  bool m_is_extreme = m_name == "max" || m_name == "min";
  bool m_is_variance = m_name == "var" || m_name == "std";
  bool m_is_cumulative = m_name.compare (0, 3, "cum") == 0;
  bool m_converts = m_after && m_after == m_name;
  bool m_is_of_slices = is_of_slices (m_function);
  bool m_reduces = ! m_before && ! m_after && ! m_is_cumulative && ! m_is_of_slices;
  octave_value m_found;
};

static octave_value
number_of (const gpr_value_number& number)
{
  if (number.type == std::string ("double"))
    return octave_value (number.data);
  octave_value x = array_of (number.type, dim_vector (1, 1));
  std::memcpy (const_cast<void *> (x.mex_get_data ()), &number.data, x.byte_size ());
  x.maybe_mutate ();            // a number, not an array
  return x;
}

static bool
is_number (const octave_value& x)
{
  return x.is_real_scalar () && x.is_double_type () && ! is_resident (x);
}

// -1: it is none.
static int64_t
dimension_of (const octave_value& x)
{
  const double dim = is_number (x) ? x.double_value () : 0;
  return dim >= 1 && dim < 1 << 16 && dim == std::floor (dim) ? static_cast<int64_t> (dim) : -1;
}

// The dimension of f (x), f (x, dim), max (x, [], dim) and var (x, 0, dim), 0: the default one; -1: another call.
static int64_t
dimension_of (const octave_value_list& args, bool extreme, bool variance)
{
  const auto is_none = [] (const octave_value& x) { return x.is_zero_by_zero () && x.is_double_type () && ! is_resident (x); };
  const octave_idx_type n = args.length (), last = extreme || variance ? 2 : 1;
  if (n > 1 && last == 2 && ! is_none (args(1)) && ! (variance && is_number (args(1)) && args(1).double_value () == 0))
    return -1;
  if (n == 1 || (n == 2 && variance))
    return 0;
  return n == last + 1 ? dimension_of (args(last)) : -1;
}

// A usual reduction, without the C interface of Octave, which takes longer than all else, of a call of who.  dim -1, or undefined: another call.
static octave_value
usual_reduction (const std::string& name, gpr_usual how, const std::string& who, const octave_value& x, int64_t dim)
{
  const double of = dim >= 0 ? resident_id (x) : 0;
  double id;
  gpr_value_number number;
  if (of == 0)
    return octave_value ();
  raise_if (core ()->reduce (name.c_str (), how, of, dim, &id, &number), who.c_str ());
  if (id != 0)
    return of_id (id, true);
  return number.type ? number_of (number) : octave_value ();
}

octave_value
method::reduced (const octave_value_list& args) const
{
  const bool one = args.length () > 0 && is_resident (args(0));
  return one ? usual_reduction (m_name, GPR_AS_FUNCTION, "gpu_" + m_name, args(0), dimension_of (args, m_is_extreme, m_is_variance)) : octave_value ();
}

// The same of cumulative functions; empty: another call.
octave_value_list
method::scanned (const octave_value_list& args, int nargout) const
{
  octave_value_list results;
  double ids[2];
  const double of = args.length () > 0 ? resident_id (args(0)) : 0;
  const int64_t dim = dimension_of (args, false, false);
  if (of == 0 || dim < 0 || nargout > 2)
    return results;
  raise_if (core ()->scan (m_name.c_str (), nargout, of, dim, ids), ("gpu_" + m_name).c_str ());
  for (int i = 0; i < nargout && ids[0] != 0; i++)
    results.append (of_id (ids[i], true));
  return results;
}

octave_value
reduced_by_name (const std::string& who, const octave_value_list& args, gpr_usual how)
{
  const octave_idx_type n = args.length ();
  if (! (n == 2 || (n == 4 && says (args(2), "dim"))) || ! is_resident (args(0)) || ! is_word (args(1)))
    return octave_value ();
  const std::string name = args(1).string_value ();
  const bool function = name == "var" || name == "std";         // which gpu_reduce calls by their names
  return usual_reduction (name, how, function ? "gpu_" + name : who, args(0), n == 2 ? 0 : dimension_of (args(3)));
}

// The arrays that a call of the gateway leaves, which it then need not ask Octave to make values of.
class promise
{
public:

  promise () : m_given (core ()->promise (true)) { }
  promise (const promise&) = delete;
  promise& operator = (const promise&) = delete;
  ~promise ()
  {
    if (m_given)
      core ()->promise (false);
  }

  void keep (octave_value_list& results) const
  {
    for (octave_idx_type i = 0; m_given && i < results.length (); i++)
      {
        const double id = core ()->promised (static_cast<int> (i));
        if (id != 0)
          results(i) = of_id (id, true);
      }
  }

private:

  const bool m_given;
};

octave_value_list
method::called (octave::tree_evaluator& evaluator, int nargout, const octave_value_list& args) const
{
  octave_function *function = m_found.function_value ();
  if (function->type_name () != "mex function")
    return function->call (evaluator, nargout, args);
  const promise promised;
  octave_value_list results = function->call (evaluator, nargout, args);
  promised.keep (results);
  return results;
}

octave_value_list
method::execute (octave::tree_evaluator& evaluator, int nargout, const octave_value_list& args)
{
  if (! m_found.is_defined ())
    {
      m_found = octave::interpreter::the_interpreter ()->get_symbol_table ().find_function (m_function);
      if (! m_found.is_function ())
        error ("gpuArray: %s: function %s of gpureduce is missing: load the package again", m_name.c_str (), m_function);
    }
  if (! m_may_have_no_result)
    nargout = std::max (nargout, 1);
  // Of that class already; complex numbers may be real.
  if (m_converts && args.length () == 1 && nargout <= 1 && is_resident (args(0)) && args(0).isreal () && underlying_type (args(0)) == m_name)
    return args;
  if (m_is_extreme && args.length () == 2 && nargout <= 1)      // max (x, y)
    {
      const octave_value done = called_by_name (m_name, args);
      if (done.is_defined ())
        return ovl (done);
    }
  if (m_reduces && nargout <= 1)
    {
      const octave_value done = reduced (args);
      if (done.is_defined ())
        return ovl (done);
    }
  if (m_is_of_slices && nargout <= 1)
    {
      const octave_value done = of_slices (m_function, args);
      if (done.is_defined ())
        return ovl (done);
    }
  if (m_is_cumulative)
    {
      const octave_value_list done = scanned (args, nargout);
      if (done.length () > 0)
        return done;
    }
  if (! m_before && ! m_after)
    return called (evaluator, nargout, args);
  octave_value_list all;
  if (m_before)
    all.append (octave_value (m_before));
  if (m_names_itself)
    all.append (octave_value (m_name));
  all.append (args);
  if (m_after)
    all.append (octave_value (m_after));
  return called (evaluator, nargout, all);
}

// What Octave looks for in NAME.oct.  The file stays: its code runs while a method is deleted.
#define METHOD(name, function, before, after) \
  extern "C" __attribute__ ((visibility ("default"))) octave_function * \
  G ## name (const octave::dynamic_library& file, bool) \
  { \
    Dl_info here; \
    if (! dladdr (reinterpret_cast<void *> (&G ## name), &here) || ! dlopen (here.dli_fname, RTLD_NOW | RTLD_NODELETE)) \
      error ("gpuArray: %s", dlerror ()); \
    return new method (file, #name, function, before, after); \
  }
#define CALLS(name) METHOD (name, "gpu_" #name, nullptr, nullptr)
#define OVERLOADS(name) METHOD (name, #name, nullptr, nullptr)
#define CONVERTS(name) METHOD (name, "__gpureduce__", "convert", #name)
#define COMMANDS(name) METHOD (name, "__gpr_octave__", #name, nullptr)
#define THROUGH_HOST(name) METHOD (name, "__gpr_octave__", "through_host", nullptr)

#include "methods.h"
