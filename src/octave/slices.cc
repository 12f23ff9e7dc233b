// Copyright (C) 2026 The gpureduce developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// gpu_softmax, gpu_logsumexp and gpu_normalize of a gpuArray and a dimension, as their m-files do it: of a short call m-code would take most of the
// time.

#include <cfloat>
#include <cmath>
#include <string>

#include <octave/parse.h>

#include "gpu_array.h"

// The mean of few elements stays on the device, where one launch may then do all of the call.  Of many elements each reduction is a launch anyway, and kernels divide
// faster by a number that the host tells them than by one that they read.
static const octave_idx_type many = 1 << 20;

// Of an undefined operand the result is undefined, too: then the m-file does all of it.
static octave_value
reduced (const std::string& who, const octave_value& x, const char *op, const octave_value& dim)
{
  return x.is_defined () ? reduced_by_name (who, ovl (x, op, "dim", dim), x.numel () < many ? GPR_AS_NAMED_KEPT : GPR_AS_NAMED) : octave_value ();
}

static octave_value
called (const char *function, const octave_value_list& args)
{
  bool resides = false;
  for (octave_idx_type k = 0; k < args.length (); k++)
    {
      if (args(k).is_undefined ())
        return octave_value ();
      resides = resides || is_resident (args(k));
    }
  return resides ? called_by_name (function, args) : octave::feval (function, args, 1)(0);
}

static octave_value
softmax (const octave_value& x, const octave_value& dim)
{
  const octave_value e = called ("exp", ovl (called ("minus", ovl (x, reduced ("gpu_softmax", x, "max", dim)))));
  return called ("rdivide", ovl (e, reduced ("gpu_softmax", e, "sum", dim)));
}

static octave_value
logsumexp (const octave_value& x, const octave_value& dim)
{
  const double most = underlying_type (x) == "single" ? FLT_MAX : DBL_MAX;      // Inf - Inf would be NaN
  const octave_value m = called ("min", ovl (called ("max", ovl (reduced ("gpu_logsumexp", x, "max", dim), -most)), most));
  const octave_value e = called ("exp", ovl (called ("minus", ovl (x, m))));
  const octave_value y = called ("plus", ovl (m, called ("log", ovl (reduced ("gpu_logsumexp", e, "sum", dim)))));
  return is_resident (y) && y.numel () == 1 ? on_host (y) : y;
}

static octave_value
z_of (const octave_value& x, const octave_value& center, const octave_value& scale)
{
  const octave_value spread = called ("rdivide", ovl (scale, called ("gt", ovl (scale, 0.0))));         // equal elements: NaN
  return called ("rdivide", ovl (called ("minus", ovl (x, center)), spread));
}

// Means that Octave makes of wider sums do not wait.
static bool
has_wide_mean (const octave_value& x)
{
  static const bool wide = octave::feval ("__gpr_rule__", ovl ("mean_wide"), 1)(0).bool_value ();
  return wide && underlying_type (x) == "single";
}

// Of few elements NaN are left out at once.  Most arrays have none, and of many elements sums that need not look for it are quicker: undefined where a mean
// is not finite then.
static octave_value
z_scores (const octave_value& x, const octave_value& dim)
{
  if (x.numel () < many && ! has_wide_mean (x))
    {
      const auto with_numbers = [&dim] (const octave_value& y, const char *op) { return reduced_by_name ("gpu_normalize", ovl (y, op, "dim", dim), GPR_AS_NAMED_KEPT_OMITNAN); };
      const octave_value count = reduced ("gpu_normalize", called ("not", ovl (called ("isnan", ovl (x)))), "sum", dim);
      return z_of (x, called ("rdivide", ovl (with_numbers (x, "sum"), count)), with_numbers (x, "std"));
    }
  const octave_value c = reduced ("gpu_normalize", x, "mean", dim), z = z_of (x, c, reduced ("gpu_normalize", x, "std", dim));
  if (z.is_undefined ())
    return z;
  compute (z);
  const octave_value all = is_resident (c) && c.numel () > 1 ? reduced_by_name ("gpu_normalize", ovl (c.reshape (dim_vector (c.numel (), 1)), "sum", "dim", 1.0)) : c;
  return all.is_defined () && std::isfinite (on_host (all).double_value ()) ? z : octave_value ();
}

bool
is_of_slices (const std::string& function)
{
  return function == "gpu_softmax" || function == "gpu_logsumexp" || function == "gpu_normalize";
}

// X and DIM alone, as most calls are, which then go straight to their operations: looking at all that else may be there takes
// longer than these.
bool
is_plain_call (const octave_value_list& args)
{
  if (args.length () != 2 || ! is_resident (args(0)) || ! args(1).is_double_type () || ! args(1).is_real_scalar ())
    return false;
  const octave_value x = args(0);
  const double dim = args(1).double_value ();
  return x.isfloat () && x.isreal () && x.numel () > 0 && dim >= 1 && dim < 2147483648.0 && dim == std::floor (dim);
}

octave_value
of_slices (const std::string& function, const octave_value_list& args)
{
  octave_value_list call = args;
  if (call.length () == 1 && is_resident (call(0)))
    call.append (octave_value (static_cast<double> (call(0).dims ().first_non_singleton () + 1)));
  if (! is_plain_call (call))
    return octave_value ();
  return function == "gpu_softmax" ? softmax (call(0), call(1)) : function == "gpu_logsumexp" ? logsumexp (call(0), call(1)) : z_scores (call(0), call(1));
}
