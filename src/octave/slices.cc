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
// faster by a number that the host tells them than by one that they read.  So it is of a longer vector's variance, for whose lanes' accumulators no block has room.
static const octave_idx_type many = 1 << 20, many_of_variances = 1 << 13;

// Of an undefined operand the result is undefined, too: then the m-file does all of it.
static octave_value
reduced (const std::string& who, const octave_value& x, const char *op, const octave_value& dim, octave_idx_type most = many)
{
  return x.is_defined () ? reduced_by_name (who, ovl (x, op, "dim", dim), x.numel () < most ? GPR_AS_NAMED_KEPT : GPR_AS_NAMED) : octave_value ();
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

// Most arrays have no NaN, and then sums need not look for it: that kernel is the quicker one.  Undefined where a mean is not finite then; what computed
// them together with z knows it.
static octave_value
z_scores (const octave_value& x, const octave_value& dim)
{
  const octave_value c = reduced ("gpu_normalize", x, "mean", dim, many_of_variances), s = reduced ("gpu_normalize", x, "std", dim, many_of_variances);
  if (c.is_defined () && ! is_resident (c) && ! std::isfinite (c.double_value ()))
    return octave_value ();
  const octave_value spread = called ("rdivide", ovl (s, called ("gt", ovl (s, 0.0))));         // equal elements: NaN
  const octave_value z = called ("rdivide", ovl (called ("minus", ovl (x, c)), spread));
  if (z.is_undefined ())
    return z;
  compute (z);
  if (is_resident (c) && as_resident (c)->about ().finite)
    return z;
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
