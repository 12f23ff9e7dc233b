## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{rule} =} bin_rule ()
## @deftypefnx {} {@var{rule} =} bin_rule (@var{caller}, @var{rule}, @var{name}, @var{value}, @var{methods})
## How @code{gpu_histcounts} and @code{gpu_histcounts2} shall choose the bins of
## one dimension: a struct with fields @code{kind} ("method", "number", "width" or
## "edges"), @code{value} and @code{limits}.
##
## With arguments, @var{rule} changed by the option @var{name}, whose @var{value} is
## checked; a later option takes the place of an earlier one.
## @end deftypefn

function rule = bin_rule (caller, rule, name, value, methods)

  if (nargin == 0)
    rule = struct ("kind", "method", "value", "auto", "limits", []);
    return;
  endif

  number = (isnumeric (value) || islogical (value)) && isreal (value);
  if (number)
    value = full (value(:).');
    if (! isfloat (value))
      value = double (value);
    endif
  endif
  switch (lower (regexprep (name, '^[XY]', "")))
    case "binedges"
      if (! (number && numel (value) > 1 && all (diff (value) >= 0 | value(1:end-1) == value(2:end))))
        invalid (caller, "%s must be a vector of two or more numbers that do not decrease", name);
      endif
      rule.kind = "edges";
      rule.value = value;
    case "binlimits"
      if (! (number && numel (value) == 2 && all (isfinite (value)) && value(1) <= value(2)))
        invalid (caller, "%s must be two finite numbers [LO HI], LO not above HI", name);
      endif
      rule.limits = double (value);
    case "binwidth"
      if (! (number && isscalar (value) && value > 0 && isfinite (value)))
        invalid (caller, "%s must be a positive finite number", name);
      endif
      rule.kind = "width";
      rule.value = double (value);
    case "numbins"
      if (! (number && isscalar (value) && value >= 1 && value == fix (value) && isfinite (value)))
        invalid (caller, "%s must be a positive integer", name);
      endif
      rule.kind = "number";
      rule.value = double (value);
    case "binmethod"
      if (! (ischar (value) && any (strcmpi (value, methods))))
        invalid (caller, "%s must be %s", name, strjoin (strcat ("\"", methods, "\""), ", "));
      endif
      rule.kind = "method";
      rule.value = lower (value);
  endswitch
  if (strcmp (rule.kind, "edges") && ! isempty (rule.limits))
    invalid (caller, "bin limits do not go with bin edges");
  endif

endfunction

function invalid (caller, varargin)
  error ("gpureduce:invalid-input", ["%s: " varargin{1}], caller, varargin{2:end});
endfunction
