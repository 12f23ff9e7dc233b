## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{edges} =} histcounts_edges (@var{caller}, @var{x}, @var{rule}, @var{most}, @var{root}, @var{device})
## The edges, a row, that @code{gpu_histcounts} and @code{gpu_histcounts2} choose for
## the elements of @var{x} by @var{rule} (see @code{bin_rule}).
##
## There are at most @var{most} bins of a given width, of "integers" and between
## limits, where the number was not given.  The widths of the methods "scott" and "fd"
## go with the @var{root}-th root of the number of elements.
## @end deftypefn

function edges = histcounts_edges (caller, x, rule, most, root, device)

  type = "double";
  if (strcmp (underlyingType (x), "single"))
    type = "single";
  endif
  if (strcmp (rule.kind, "edges"))
    edges = rule.value;
    if (isfloat (x) && isa (edges, "single"))
      type = "single";
    endif
    edges = cast (edges, type);
    return;
  endif

  fixed = ! isempty (rule.limits);
  if (! fixed || (strcmp (rule.kind, "method") && ! strcmp (rule.value, "integers")))
    data = look_at (caller, x, type, rule.limits, device);
  endif
  if (fixed)
    lo = rule.limits(1);
    hi = rule.limits(2);
  else
    lo = data.lo;
    hi = data.hi;
  endif
  if (! isempty (lo) && ! (hi - lo < realmax / 16))
    error ("gpureduce:unsupported", "%s: no bins are chosen for values so far apart; give the edges", caller);
  endif

  switch (rule.kind)
    case "number"
      edges = by_number (lo, hi, fixed, rule.value, type);
    case "width"
      edges = by_width (lo, hi, fixed, rule.value, most, type);
    case "method"
      method = rule.value;
      if (strcmp (method, "auto"))
        method = "scott";
        if (are_whole (data, lo, hi))
          method = "integers";
        endif
      endif
      if (strcmp (method, "integers"))
        edges = by_integers (lo, hi, fixed, most, type);
      else
        edges = by_raw_width (lo, hi, fixed, raw_width (data, method, root), most, data);
      endif
  endswitch

  ## Rounding leaves nothing outside, and no edge overflows.
  if (! fixed && ! isempty (lo))
    edges(1) = min (edges(1), lo);
    edges(end) = max (edges(end), hi);
  endif
  top = double (realmax (type));
  edges = cast (max (min (edges, top), -top), type);

endfunction

## X and its least and greatest elements, [] where there is none; of those that are
## finite and within the limits.  NaN may stay in x.
function data = look_at (caller, x, type, limits, device)

  data.caller = caller;
  data.type = type;
  data.device = device;
  data.on = {};
  if (! isempty (device))
    data.on = {"device", device};
  endif
  top = double (realmax (type));
  if (isempty (limits))
    limits = [-top, top];
  endif
  limits = double (cast (max (min (limits, top), -top), type));
  [lo, hi] = extremes (data, x);
  if (any ([lo < limits(1), hi > limits(2)]))
    x = gather (x)(:);
    x = x(x >= limits(1) & x <= limits(2));
    [lo, hi] = extremes (data, x);
  endif
  if (isnan (lo))
    lo = hi = [];
  endif
  data.x = x;
  data.lo = lo;
  data.hi = hi;

endfunction

function [lo, hi] = extremes (data, x)
  lo = hi = [];
  if (! isempty (x))
    lo = double (__gpureduce__ (["min:" data.caller], x, [], "all", data.on{:}));
    hi = double (__gpureduce__ (["max:" data.caller], x, [], "all", data.on{:}));
  endif
endfunction

## Whether there are whole numbers only and bins for each of them are few enough.
function whole = are_whole (data, lo, hi)

  whole = false;
  if (isempty (data.lo) || hi - lo > 50 || max (abs ([lo, hi])) > flintmax (data.type) / 2)
    return;
  endif
  whole = ! isfloat (data.x);
  if (! whole && data.lo == fix (data.lo) && data.hi == fix (data.hi))
    ## Bins of the whole numbers, which hold these only, and bins of what is between.
    at = cast (data.lo:data.hi, data.type);
    n = count_closed (data.caller, data.x, [at; next_above(at)](:), data.device);
    whole = ! any (gather (n)(2:2:end));
  endif

endfunction

function b = next_above (a)
  b = a + eps (a) / 2;          # right below a power of two, else perhaps rounded back
  back = (b == a);
  b(back) = a(back) + eps (a(back));
endfunction

## The width by a published rule, not rounded.
function w = raw_width (data, method, root)

  if (isempty (data.lo))
    w = 0;
    return;
  endif
  range = data.hi - data.lo;
  switch (method)
    case "scott"
      [n, deviation] = spread (data);
      w = 3.5 * deviation / n ^ (1 / root);
    case "fd"
      x = double (gather (data.x)(:));
      x = x(! isnan (x));
      ## Quartiles that are close together, beside the range, would make too many bins.
      between = max (diff (quantile (x, [0.25; 0.75], 1, 5)), range / 10);
      w = 2 * between / numel (x) ^ (1 / root);
    case "sturges"
      w = range / ceil (1 + log2 (count (data)));
    case "sqrt"
      w = range / ceil (sqrt (count (data)));
  endswitch

endfunction

## Number of elements that are not NaN.
function n = count (data)
  n = numel (data.x);
  if (isfloat (data.x))
    n = gather (count_closed (data.caller, data.x, cast ([-Inf, Inf], data.type), data.device));
  endif
endfunction

## Number of elements and their standard deviation.
function [n, deviation] = spread (data)

  x = data.x;
  scale = 1;
  if (! isfloat (x) && data.hi - data.lo < 2^16)
    ## From the counts of the values, without a copy of x in floating point.
    values = (data.lo:data.hi).';
    counts = gather (count_closed (data.caller, x, [values - 0.5; data.hi + 0.5], data.device));
    n = numel (x);
    mean = data.lo + sum (counts .* (values - data.lo)) / n;
    squares = sum (counts .* (values - mean) .^ 2);
  else
    [n, squares] = moments (data, x);
    if (! (squares > realmin / eps && squares < Inf) && data.hi > data.lo)
      [~, e] = log2 (max (abs ([data.lo, data.hi])));
      scale = 2 ^ (e - 1);
      [n, squares] = moments (data, double (gather (x)) / scale);
    endif
  endif
  deviation = sqrt (squares / max (n - 1, 1)) * scale;

endfunction

function [n, squares] = moments (data, x)
  if (! isfloat (x))
    x = double (x);
  endif
  m = __gpureduce__ (["stats:" data.caller], x, 1:ndims (x), "omitnan", data.on{:});
  n = m(1);
  squares = m(4) * max (n - 1, 1);
endfunction

## ---- edges ------------------------------------------------------------------------

function edges = by_raw_width (lo, hi, fixed, w, most, data)

  type = data.type;
  if (fixed)
    bins = 1;
    if (! isempty (data.lo) && ! constant (data.lo, data.hi, type))
      bins = max (1, min (most, ceil ((hi - lo) / w)));
    endif
    edges = linspace (lo, hi, bins + 1);
  elseif (isempty (lo))
    edges = [0, 1];
  elseif (constant (lo, hi, type))
    edges = around (lo, hi, 1, type);
  else
    w = max (w, step_of (lo, hi, type));
    p = 10 ^ floor (log10 (w));
    w = p * [1 2 3 5 10](1 + lookup ([1.5 2.5 4 7.5], w / p));
    edges = multiples (lo, hi, w);
  endif

endfunction

function edges = by_number (lo, hi, fixed, bins, type)

  if (fixed)
    edges = linspace (lo, hi, bins + 1);
  elseif (isempty (lo))
    edges = 0:bins;
  elseif (constant (lo, hi, type))
    edges = around (lo, hi, bins, type);
  else
    w = max ((hi - lo) / bins, step_of (lo, hi, type));
    p = 10 ^ floor (log10 (w));
    w = p * max (1, floor (w / p));
    left = min (w * floor (lo / w), lo);
    if (bins > 1)
      ## The width with the fewest digits with which hi is in the last bin.
      least = (hi - left) / bins;
      p = 10 ^ floor (log10 ((hi - left) / (bins - 1) - least));
      w = p * ceil (least / p);
    endif
    edges = left + (0:bins) * w;
  endif

endfunction

function edges = by_width (lo, hi, fixed, w, most, type)

  if (isempty (lo))
    edges = [0, w];
    return;
  endif
  w = max (w, step_of (lo, hi, type));
  bins = (hi - lo) / w;
  if (bins <= most && fixed)
    inner = lo + (1:ceil (bins)) * w;
    edges = [lo, inner(inner < hi - 4 * eps (max (abs ([lo, hi])))), hi];
  elseif (bins <= most)
    edges = multiples (lo, hi, w);
  endif
  if (bins > most || numel (edges) > most + 1)
    edges = linspace (lo, hi, most + 1);
  endif

endfunction

function edges = by_integers (lo, hi, fixed, most, type)

  if (isempty (lo))
    edges = [-0.5, 0.5];
    return;
  endif
  w = 1;
  if (hi - lo > most)
    w = 10 ^ ceil (log10 ((hi - lo) / most));
  elseif (step_of (lo, hi, type) > 1)
    w = 10 ^ ceil (log10 (step_of (lo, hi, type)));
  endif
  if (fixed)
    edges = [lo, (ceil (lo / w) + 0.5:floor (hi / w) - 0.5) * w, hi];
  else
    edges = (round (lo / w) - 0.5:round (hi / w) + 0.5) * w;
  endif

endfunction

## Edges at multiples of w that cover lo to hi.
function edges = multiples (lo, hi, w)
  left = min (w * floor (lo / w), lo);
  edges = left + (0:max (1, ceil ((hi - left) / w))) * w;
endfunction

## Of values too near to each other for a nice width: about 1 wide, to multiples of
## one half.
function edges = around (lo, hi, bins, type)
  reach = max (1 / 4, bins * step_of (lo, hi, type));
  edges = linspace (floor (2 * (lo - reach)) / 2, ceil (2 * (hi + reach)) / 2, bins + 1);
endfunction

## Values so near to each other that they count as equal.
function yes = constant (lo, hi, type)
  top = max (abs ([lo, hi]));
  near = min (sqrt (step_of (lo, hi, type)), sqrt (double (eps (type))) * top);
  yes = hi - lo <= max (near, double (realmin (type)));
endfunction

## The distance of numbers of that class.
function d = step_of (lo, hi, type)
  d = double (eps (cast (max (abs ([lo, hi])), type)));
endfunction
