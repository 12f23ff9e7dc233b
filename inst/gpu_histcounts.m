## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {[@var{n}, @var{edges}] =} gpu_histcounts (@var{x})
## @deftypefnx {} {[@var{n}, @var{edges}] =} gpu_histcounts (@var{x}, @var{nbins})
## @deftypefnx {} {[@var{n}, @var{edges}] =} gpu_histcounts (@var{x}, @var{edges})
## @deftypefnx {} {[@var{n}, @var{edges}, @var{bin}] =} gpu_histcounts (@dots{})
## @deftypefnx {} {[@dots{}] =} gpu_histcounts (@dots{}, @var{name}, @var{value}, @dots{})
## @deftypefnx {} {[@dots{}] =} gpu_histcounts (@dots{}, "device", @var{d})
## Count the elements of @var{x} in bins, by the rules of MATLAB's
## @code{histcounts} (Octave 7 has none), computed on the GPU.
##
## @var{x} is a real numeric or logical array of any size; a sparse one is taken as
## full.  @code{@var{n}(k)} is the number of all its elements with
## @code{@var{edges}(k) <= x < @var{edges}(k+1)}; the last bin has its right edge
## too.  @var{n} and @var{edges} are rows, @var{n} is double.  @var{bin} has the size
## of @var{x} and holds the bin of each element.  NaN and what lies outside the
## edges is in no bin: 0.
##
## The bins are chosen by @var{nbins}, a number, by @var{edges}, a vector whose
## elements do not decrease (they may be infinite), or by options, their names and
## words in upper or lower case.  Of "BinEdges", "BinWidth", "NumBins" and
## "BinMethod" the last one given holds.
##
## @table @asis
## @item "BinEdges", @var{edges}
## @itemx "NumBins", @var{nbins}
## As the second argument.
##
## @item "BinWidth", @var{w}
## Bins of width @var{w} whose edges are multiples of @var{w}; 65,536 equal ones
## where there would be more.
##
## @item "BinLimits", [@var{lo}, @var{hi}]
## The first and the last edge.  Only the elements between them count, for
## the choice of bins too.  Not with edges.
##
## @item "BinMethod", @var{method}
## "auto" (default): "integers" for whole numbers over a range of at most 50, else
## "scott".  With @var{m} the number of elements, the bins are about as wide, or as
## many, as follows:
##
## @multitable @columnfractions .2 .7
## @item "scott" @tab width @code{3.5 * std (x) / m ^ (1/3)}
## @item "fd" @tab width @code{2 * iqr (x) / m ^ (1/3)}, and the iqr taken as at least a
## tenth of the range
## @item "sturges" @tab @code{ceil (1 + log2 (m))} bins
## @item "sqrt" @tab @code{ceil (sqrt (m))} bins
## @item "integers" @tab width 1, edges half way between whole numbers; over a range of more
## than 65,536 the least power of ten as width that needs no more bins
## @end multitable
##
## @item "Normalization", @var{kind}
## What @var{n} holds, with @var{c} a bin's count, @var{w} its width and @var{N} the number
## of all elements, NaN and those outside included:
##
## @multitable @columnfractions .25 .65
## @item "count" @tab @var{c} (default)
## @item "probability" @tab @code{c / N}
## @item "percentage" @tab @code{100 * c / N}
## @item "countdensity" @tab @code{c / w}
## @item "pdf" @tab @code{c / (N * w)}
## @item "cumcount" @tab the sum of the counts up to this bin
## @item "cdf" @tab the same, divided by @code{N}
## @end multitable
## @end table
##
## @example
## @group
## [n, edges] = gpu_histcounts ([2 3 5 7 11 13 17 19 23 29], 6)
##     @result{} n = 2   2   2   2   1   1
##     @result{} edges = 0    4.9000    9.8000   14.7000   19.6000   24.5000   29.4000
## [n, edges, bin] = gpu_histcounts ([1 2 2 NaN 4])
##     @result{} n = 1   2   0   1
##     @result{} edges = 0.5000   1.5000   2.5000   3.5000   4.5000
##     @result{} bin = 1   2   2   0   4
## n = gpu_histcounts ([1 2 2 4], 1:5, "Normalization", "probability")
##     @result{} n = 0.2500   0.5000   0   0.2500
## @end group
## @end example
##
## How edges are chosen, by the elements that are finite and within the limits:
##
## @itemize
## @item
## The width that a method gives is rounded to 1, 2, 3, 5 or 10 times a power of ten
## (from 1.5, 2.5, 4 and 7.5 times on to the next), and the edges are its multiples from
## @code{left = w * floor (min (x) / w)} to the first that is not below @code{max (x)}.
## @item
## For @var{nbins} bins, @code{left} is the multiple not above @code{min (x)} of
## @code{(max (x) - min (x)) / nbins} cut to one digit, and their width the number of fewest
## digits with which @code{max (x)} is in the last bin.
## @item
## Between limits a method makes as few equal bins as are not wider than its width, at most
## 65,536; @var{nbins} bins are equal; of bins of width @var{w} the last may be smaller.
## @item
## Elements whose range is at most @code{sqrt (eps (m))} and @code{sqrt (eps) * m},
## m their greatest absolute value, count as equal.  Methods make one bin of them;
## without limits, the outer edges are multiples of one half.
## @item
## Without elements the edges are [0, 1], @code{0:nbins}, [0, @var{w}] or, for "integers",
## [-0.5, 0.5].
## @end itemize
##
## MATLAB's documentation gives the formulas of methods and normalizations and the limit of
## 65,536, and says that edges are moved to ``nice'' numbers; how widths are rounded was
## told on its users' forum (MATLAB Answers 396614).  What is above beyond that (the range
## of 50, the least iqr, the edges for @var{nbins}, of equal elements and of none)
## is not documented there and follows MATLAB's examples and known results; edges
## may differ from MATLAB's in their last bits and in such cases.
##
## @var{edges} is single, and elements are compared in single, if @var{x} is single, or if
## it is double and the edges given are single; otherwise double, also for 64-bit integers
## beyond 2^53.  Counts are exact.
##
## @var{edges} is an ordinary array, also for a gpuArray.  @var{x} is copied to the host only to
## choose edges: by "fd", by Scott's rule for integers that range over more than 65,535, or where
## infinite elements, or with a method those beyond the limits, have to be left out.
##
## Errors: @code{gpureduce:invalid-input} for a wrong option or value, saying
## what it may be, @code{Octave:invalid-fun-call} without arguments,
## @code{gpureduce:unsupported} where edges would have to be chosen for a range near
## @code{realmax}, and those of @code{gpu_options}.
##
## Sources: The MathWorks, @cite{histcounts}, MATLAB documentation;
## D. W. Scott, ``On optimal and data-based histograms'', @cite{Biometrika} 66 (1979);
## D. Freedman, P. Diaconis, ``On the histogram as a density estimator: L2 theory'',
## @cite{Z. Wahrscheinlichkeitstheorie verw. Gebiete} 57 (1981).
## @seealso{gpu_histcounts2, gpu_histc, gpu_hist, gpu_reduce, gpu_options}
## @end deftypefn

function [n, edges, bin] = gpu_histcounts (varargin)
  if (nargin == 0)
    print_usage ();
  endif
  if (nargout > 2)
    [n, edges, bin] = __gpureduce__ ("histcounts", varargin{:});
  else
    [n, edges] = __gpureduce__ ("histcounts", varargin{:});
  endif
endfunction

## The bins by their definition.
%!function [n, bin] = plain (x, edges)
%!  bin = zeros (size (x));
%!  n = zeros (1, numel (edges) - 1);
%!  for k = 1:numel (n)
%!    in = x >= edges(k) & (x < edges(k+1) | (k == numel (n) & x == edges(end)));
%!    bin(in) = k;
%!    n(k) = sum (in(:));
%!  endfor
%!endfunction

%!function edges = check (x, varargin)
%!  [n, edges, bin] = gpu_histcounts (x, varargin{:});
%!  x = gather (x);
%!  assert (size (bin), size (x));
%!  assert (size (edges), [1, numel(n) + 1]);
%!  assert (issorted (edges));
%!  y = x;
%!  if (isa (edges, "single"))
%!    y = single (x);
%!  endif
%!  [n0, bin0] = plain (y, edges);
%!  assert (gather (n), n0);
%!  assert (gather (bin), bin0);
%!  assert (class (gather (n)), "double");
%!endfunction

## A width rounded, and edges at its multiples, as in MATLAB Answers 396614.
%!function edges = nice (x, w)
%!  p = 10 ^ floor (log10 (w));
%!  r = w / p;
%!  if (r < 1.5)
%!    w = p;
%!  elseif (r < 2.5)
%!    w = 2 * p;
%!  elseif (r < 4)
%!    w = 3 * p;
%!  elseif (r < 7.5)
%!    w = 5 * p;
%!  else
%!    w = 10 * p;
%!  endif
%!  left = min (w * floor (min (x) / w), min (x));
%!  n = max (1, ceil ((max (x) - left) / w));
%!  edges = linspace (left, max (left + n * w, max (x)), n + 1);
%!endfunction

## MATLAB's documented examples; those of random numbers with their edges only
%!test
%! x = [2 3 5 7 11 13 17 19 23 29];
%! [n, edges] = gpu_histcounts (x, 6);
%! assert (n, [2 2 2 2 1 1]);
%! assert (edges, 0:4.9:29.4, 1e-14);
%! assert (gpu_histcounts (x, "NumBins", 6), n);
%!test
%! [n, edges] = gpu_histcounts (primes (100), "Normalization", "probability");
%! assert (n, [0.4 0.28 0.28 0.04], eps);
%! assert (edges, 0:30:120);
%!test
%! x = mod ((1:100) * 37, 11) - 5;
%! [n, edges, bin] = gpu_histcounts (x, "BinMethod", "integers");
%! assert (edges, -5.5:5.5);
%! assert (bin, x + 6);
%! assert (n, accumarray (x.' + 6, 1).');
%!test       # MATLAB Answers: centered bars, and a bin more
%! x = [3 5 1 5 4 1 2 5 3 4];
%! [n, edges] = gpu_histcounts (x);
%! assert (n, [2 1 2 2 3]);
%! assert (edges, 0.5:5.5);
%! [n, edges, bin] = gpu_histcounts ([x, 5+1e-6], "BinWidth", 1);
%! assert (n, [2 1 2 2 4]);
%! assert (edges, 1:6);
%! assert (bin, [x, 5]);
%! [n, edges, bin] = gpu_histcounts (x, "BinEdges", 1:5);
%! assert (n, [2 1 2 5]);
%! assert (bin, [3 4 1 4 4 1 2 4 3 4]);
%!assert (gpu_histcounts ([100 150 190 200 250 300 350 370 390 400 400], [100 200 300 400]), [3 2 6])

## given edges: every class, NaN, infinities, zeros, edges given more than once
%!test
%! x = reshape (mod ((1:60) * 11, 17) - 3, 3, 5, 4);
%! for type = {"double", "single", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "logical"}
%!   y = cast (x, type{1});
%!   for edges = {[2 9], 0:3:12, -1:0.5:8, [-Inf 0 4 Inf], [3 4 4 4 9], [2 5 5], int8([1 5 9]), (0:2)', [false true]}
%!     check (y, edges{1});
%!   endfor
%! endfor
%!test
%! x = [-Inf -1 -0 0 0.5 1 1 2 Inf NaN NA];
%! for edges = {[0 1 2], [-Inf Inf], [-Inf 0 1 Inf], [1 1], [1 1 1 1], [Inf Inf], [-0 1 2 2]}
%!   check (x, edges{1});
%!   check (single (x), edges{1});
%! endfor
%!test
%! x = sin (1:5000);
%! check (x, sort (cos ((1:300) .^ 2)));
%! check (single (x), sort (cos ((1:300) .^ 2)));
%!test
%! x = (0:20) / 10;
%! assert (class (check (x, single (x))), "single");
%! assert (class (check (single (x), x)), "single");
%! assert (class (check (int8 (1:9), single ([1 5]))), "double");
%! assert (gpu_histcounts (single (0.7), [0.6 0.7 0.8]), [0 1]);
%! assert (gpu_histcounts (int32 ([16777216 16777217]), single ([0 16777216])), 1);

## the methods, against their formulas
%!test
%! for n = [2 3 10 100 1001]
%!   for x = {tan((1:n) * 1.3) , cumsum(cos (1:n)) * 1e-7, exp(sin ((1:n) .^ 2)) + 1e3, -(1:n) .^ 1.5}
%!     y = x{1};
%!     range = max (y) - min (y);
%!     quartiles = sort (y);
%!     quartiles = interp1 (((1:n) - 0.5) / n, quartiles, [0.25 0.75]);
%!     widths = struct ("scott", 3.5 * std (y) / n ^ (1/3), "auto", 3.5 * std (y) / n ^ (1/3), ...
%!                      "fd", 2 * max (diff (quartiles), range / 10) / n ^ (1/3), ...
%!                      "sturges", range / ceil (1 + log2 (n)), "sqrt", range / ceil (sqrt (n)));
%!     for method = fieldnames (widths)'
%!       edges = check (y, "BinMethod", method{1});
%!       expected = nice (y, widths.(method{1}));
%!       assert (edges, expected, 4 * eps (max (abs (expected))));
%!       if (strcmp (method{1}, "auto"))
%!         assert (edges, check (y));
%!       endif
%!       assert (edges, check ([NaN, y(end:-1:1), Inf, -Inf], "binmethod", upper (method{1})), 1e-14 * max (abs (edges)));
%!       limits = [min(y), max(y)];
%!       edges = check (y, "BinLimits", limits, "BinMethod", method{1});
%!       expected = linspace (limits(1), limits(2), 1 + max (1, ceil (range / widths.(method{1}) * (1 - 1e-12))));
%!       assert (edges, expected, 4 * eps (max (abs (expected))));
%!     endfor
%!   endfor
%! endfor

## limits leave elements out of the choice, but not out of N
%!test
%! x = [-5 0 0 0 1 2 3 9 NaN];
%! inside = [0 0 0 1 2 3];
%! widths = struct ("scott", 3.5 * std (inside) / 6 ^ (1/3), "fd", 2 * 2 / 6 ^ (1/3), "sturges", 3 / 4, "sqrt", 1);
%! for method = fieldnames (widths)'
%!   for y = {x, single(x), int16([-5 inside 9 9]), gpuArray(x)}
%!     [n, edges] = gpu_histcounts (y{1}, "BinMethod", method{1}, "BinLimits", [0 3], "Normalization", "cdf");
%!     assert (double (edges), linspace (0, 3, 1 + ceil (3 / widths.(method{1}))), 1e-6);
%!     assert (gather (n)(end), 6/9, eps);
%!   endfor
%! endfor

%!assert (numel (nthargout (2, @gpu_histcounts, 1 + sin (1:9) / 1e3, "BinLimits", [0 1e6])), 65537)

## what "auto" takes for whole numbers
%!assert (nthargout (2, @gpu_histcounts, [0 50]), -0.5:50.5)
%!assert (nthargout (2, @gpu_histcounts, [NaN -3 -1 Inf]), -3.5:-0.5)
%!assert (nthargout (2, @gpu_histcounts, single ([-3 -1])), single (-3.5:-0.5))
%!assert (nthargout (2, @gpu_histcounts, uint8 ([7 9])), 6.5:9.5)
%!assert (nthargout (2, @gpu_histcounts, [true false]), [-0.5 0.5 1.5])
%!assert (nthargout (2, @gpu_histcounts, true), [0.5 1.5])
%!test
%! for x = {[0 51], [0 1+eps 4], [-4 -4*(1-eps/2) -1], [0 realmin 7], [0 2.5 5]}
%!   assert (gpu_histcounts (x{1}, "BinMethod", "scott"), gpu_histcounts (x{1}));
%!   assert (nthargout (2, @gpu_histcounts, x{1}), nice (x{1}, 3.5 * std (x{1}) / numel (x{1}) ^ (1/3)));
%! endfor
%! x = single ([0 1+eps("single") 4]);
%! assert (nthargout (2, @gpu_histcounts, x), single ([0 5]));

## integers have Scott's width by their counts or as doubles
%!test
%! x = round (1e3 * sin (1:3000));
%! for type = {"int16", "int32", "int64"}
%!   assert (check (cast (x, type{1})), nice (x, 3.5 * std (x) / 3000 ^ (1/3)));
%!   y = cast (1e6 * x, type{1});
%!   assert (check (y), nice (double (y), 3.5 * std (double (y)) / 3000 ^ (1/3)));
%! endfor
%! x = mod ((1:5000) .^ 2, 251);
%! assert (check (uint8 (x)), nice (x, 3.5 * std (x) / 5000 ^ (1/3)));
%! assert (check (uint8 (x), "BinMethod", "fd"), check (x, "BinMethod", "fd"));
%! assert (numel (check (intmin ("int64") + int64 (0:5))), 2);

## "integers"
%!test
%! x = [-2.5 1.4 2.5];
%! assert (check (x, "BinMethod", "integers"), -3.5:3.5);
%! assert (check (x, "BinMethod", "integers", "BinLimits", [-1 2]), [-1 -0.5 0.5 1.5 2]);
%! assert (check (x, "BinMethod", "integers", "BinLimits", [-1.3 2.2]), [-1.3 -0.5 0.5 1.5 2.2]);
%! assert (check (x, "BinMethod", "integers", "BinLimits", [0.3 0.6]), [0.3 0.6]);
%! assert (check (2, "BinMethod", "integers", "BinLimits", [2 2]), [2 2]);
%! assert (check (1:5, "BinLimits", [0 4]), [0 0.5:3.5 4]);
%! [n, edges] = gpu_histcounts ([0 65536], "BinMethod", "integers");
%! assert (edges, -0.5:65536.5);
%! [n, edges] = gpu_histcounts ([0 65537], "BinMethod", "integers");
%! assert (edges, -5:10:65545);
%! [n, edges] = gpu_histcounts ([1 2] * 1e17, "BinMethod", "integers");
%! assert (edges, (9999.5:20001) * 1e13);
%! assert (n([1 end]), [1 1]);
%! assert (check (1e18 + [0 1000], "BinMethod", "integers"), 1e18 + [-500 500 1500]);

## widths
%!test
%! assert (check ([0.5 7], "BinWidth", 2), 0:2:8);
%! assert (check ([-3 4 NaN Inf], "BinWidth", 2), -4:2:4);
%! assert (check ([5 5], "BinWidth", 2), [4 6]);
%! assert (check ([4 4], "BinWidth", 2), [4 6]);
%! assert (check (1:5, "BinWidth", 2, "BinLimits", [0 5]), [0 2 4 5]);
%! assert (check (1:5, "BinLimits", [0 4], "BinWidth", 2), [0 2 4]);
%! assert (check (1:5, "BinLimits", [0 1.1], "BinWidth", 0.1), 0.1 * (0:11), eps);
%! assert (check (1:5, "BinLimits", [0 0.9], "BinWidth", 0.3), 0:0.3:0.9, eps);
%! assert (check (1:5, "BinLimits", [3 3], "BinWidth", 0.1), [3 3]);
%! assert (check (1:5, "BinLimits", [1 2], "BinWidth", 9), [1 2]);
%! assert (nthargout (2, @gpu_histcounts, [1 2 9], "BinWidth", 1e-5), linspace (1, 9, 65537));
%! assert (nthargout (2, @gpu_histcounts, [1 2 9], "BinWidth", 1e-5, "BinLimits", [0 1]), linspace (0, 1, 65537));
%! assert (numel (nthargout (2, @gpu_histcounts, [1 2 9], "BinWidth", realmin)), 65537);
%! assert (gpu_histcounts (7, "BinWidth", 1e-300), 1);

## numbers of bins: as many, all covered, few digits
%!test
%! for n = [1 2 3 7 10 64 1000]
%!   for x = {[0.3 7.7], [-1e-9 3e-9], [1e6 1e6+7 1e6+900], -sqrt(1:50), single([0.1 0.7]), [0 1], int16([-500 700])}
%!     edges = check (x{1}, n);
%!     assert (numel (edges), n + 1);
%!     y = double (x{1});
%!     assert (edges(1) <= min (y) && edges(end) >= max (y) && (n == 1 || edges(end-1) <= max (y)));
%!     assert (all (abs (diff (diff (double (edges)))) <= 4 * eps (class (edges)) * max (abs (double (edges)))));
%!   endfor
%! endfor
%! assert (check ([-7 1:5 Inf], 4, "BinLimits", [0 2]), 0:0.5:2);
%! assert (check (1:5, 2, "BinLimits", [2 2]), [2 2 2]);
%! assert (gpu_histcounts (1:5, 3, "BinLimits", [2 2]), [0 0 1]);

## the last option holds
%!assert (nthargout (2, @gpu_histcounts, 1:5, 4, "BinEdges", [1 6]), [1 6])
%!assert (nthargout (2, @gpu_histcounts, 1:5, [1 6], "BinMethod", "integers"), 0.5:5.5)
%!assert (nthargout (2, @gpu_histcounts, 1:5, "BinWidth", 1, "numbins", 2, "BINLIMITS", [0 4]), [0 2 4])

## equal elements, or nearly; none
%!assert (nthargout (2, @gpu_histcounts, [5 5 5], 3), [4.5 5-1/6 5+1/6 5.5], 4 * eps)
%!assert (nthargout (2, @gpu_histcounts, [5.3 5.3]), [5 6])
%!assert (nthargout (2, @gpu_histcounts, 1 + [0 1e-9], "BinMethod", "sqrt"), [0.5 1.5])
%!assert (nthargout (2, @gpu_histcounts, [5.3 5.3], "BinLimits", [5 6]), [5 6])
%!test
%! for none = {[], zeros(0, 3), [NaN Inf -Inf NA], single(NaN), zeros(1, 0, "int8")}
%!   x = none{1};
%!   for method = {"auto", "scott", "fd", "sturges", "sqrt"}
%!     assert (double (check (x, "BinMethod", method{1})), [0 1]);
%!     assert (double (check (x, "BinMethod", method{1}, "BinLimits", [2 7])), [2 7]);
%!   endfor
%!   assert (double (check (x, "BinMethod", "integers")), [-0.5 0.5]);
%!   assert (double (check (x, 3)), 0:3);
%!   assert (double (check (x, "BinWidth", 2.5)), [0 2.5]);
%! endfor
%!assert (gpu_histcounts ([], 3, "Normalization", "probability"), NaN (1, 3))

## very large, very small
%!test
%! for scale = [1e-300 1e-200 1e200 1e300]
%!   x = scale * (1 + sin (1:300));
%!   [n, edges] = gpu_histcounts (x);
%!   assert (edges, scale * nthargout (2, @gpu_histcounts, x / scale), 1e-13 * scale);
%! endfor
%! check ([0 5e-324]);
%! check (realmax * [0.96 0.97 1]);
%! check (single ([3.3e38 3.4e38]));
%! check (1e17 + [0 16 32], 7);

## normalization
%!test
%! x = [1 1 2 5 7 NaN 99];
%! edges = [0 2 3 8];
%! n = gpu_histcounts (x, edges);
%! assert (n, [2 1 2]);
%! of = @(kind) gpu_histcounts (x, edges, "Normalization", kind);
%! assert (of ("Count"), n);
%! assert (of ("probability"), n / 7);
%! assert (of ("percentage"), 100 * n / 7);
%! assert (of ("countdensity"), n ./ [2 1 5]);
%! assert (of ("pdf"), n / 7 ./ [2 1 5]);
%! assert (of ("cumcount"), [2 3 5]);
%! assert (of ("CDF"), [2 3 5] / 7);
%! assert (class (gpu_histcounts (single (x), edges, "Normalization", "pdf")), "double");

## gpuArray, sparse, device
%!test
%! for x = {sin((1:999) .^ 2), single([1 2 Inf NaN -3.5]), uint8(magic (16)), [true false true]}
%!   for args = {{}, {5}, {[0 1 4]}, {"BinMethod", "fd"}, {"BinMethod", "sqrt"}, {"BinWidth", 0.3}, ...
%!               {"BinLimits", [0 0.5]}, {"Normalization", "cdf"}}
%!     [n, edges, bin] = gpu_histcounts (x{1}, args{1}{:});
%!     [m, edges_g, bin_g] = gpu_histcounts (gpuArray (x{1}), args{1}{:});
%!     assert (isgpuarray (m), numel (n) != 1);
%!     assert (isgpuarray (bin_g) && ! isgpuarray (edges_g));
%!     assert (gather (m), n);
%!     assert (edges_g, edges);
%!     assert (gather (bin_g), bin);
%!     assert (class (edges_g), class (edges));
%!     assert (gpu_histcounts (x{1}, args{1}{:}, "device", "cpu"), n);
%!   endfor
%! endfor
%! assert (gather (gpu_histcounts (gpuArray (1:3), gpuArray ([1 2 3]))), [1 2]);
%!assert (gpu_histcounts (sparse ([1 0 2]), 0:2), [1 2])
%!assert (gpu_histcounts (1:3, 1:3, "Device", "auto"), [1 2])

%!error <Invalid call to gpu_histcounts> gpu_histcounts ()
%!error id=Octave:invalid-fun-call gpu_histcounts ()
%!error <gpu_histcounts: X must be a real numeric or logical array> gpu_histcounts ("abc")
%!error <gpu_histcounts: X must be a real numeric or logical array> gpu_histcounts ({1})
%!error id=gpureduce:invalid-input gpu_histcounts (1i)
%!error <gpu_histcounts: NumBins must be a positive integer> gpu_histcounts (1:3, 0)
%!error <gpu_histcounts: NumBins must be a positive integer> gpu_histcounts (1:3, 2.5)
%!error <gpu_histcounts: NumBins must be a positive integer> gpu_histcounts (1:3, NaN)
%!error <gpu_histcounts: NumBins must be a positive integer> gpu_histcounts (1:3, "NumBins", [1 2])
%!error <gpu_histcounts: the second argument must be> gpu_histcounts (1:3, [])
%!error <gpu_histcounts: the second argument must be> gpu_histcounts (1:3, {})
%!error <gpu_histcounts: BinEdges must be a vector of two or more> gpu_histcounts (1:3, [3 1])
%!error <gpu_histcounts: BinEdges must be> gpu_histcounts (1:3, [1 NaN 3])
%!error <gpu_histcounts: BinEdges must be> gpu_histcounts (1:3, [1i 2])
%!error <gpu_histcounts: BinEdges must be> gpu_histcounts (1:3, "BinEdges", 1)
%!error <gpu_histcounts: BinLimits must be two finite numbers> gpu_histcounts (1:3, "BinLimits", [2 1])
%!error <gpu_histcounts: BinLimits must be> gpu_histcounts (1:3, "BinLimits", [0 Inf])
%!error <gpu_histcounts: BinLimits must be> gpu_histcounts (1:3, "BinLimits", 1)
%!error <gpu_histcounts: BinWidth must be a positive finite number> gpu_histcounts (1:3, "BinWidth", 0)
%!error <gpu_histcounts: BinWidth must be> gpu_histcounts (1:3, "BinWidth", "x")
%!error <gpu_histcounts: BinMethod must be "auto", "scott", "fd", "integers", "sturges", "sqrt">
%! gpu_histcounts (1:3, "BinMethod", "best")
%!error <gpu_histcounts: Normalization must be "count", "probability", "percentage"> gpu_histcounts (1:3, "Normalization", 2)
%!error <gpu_histcounts: bin limits do not go with bin edges> gpu_histcounts (1:3, [1 2], "BinLimits", [1 2])
%!error <gpu_histcounts: bin limits do not go with bin edges> gpu_histcounts (1:3, "BinLimits", [1 2], "BinEdges", [1 2])
%!error <gpu_histcounts: unknown option; options are BinEdges, .*Normalization> gpu_histcounts (1:3, "Bins", 2)
%!error id=gpureduce:invalid-input gpu_histcounts (1:3, 2, 3, 4)
%!error <gpu_histcounts: options must come as pairs> gpu_histcounts (1:3, 2, "BinWidth")
%!error id=gpureduce:unsupported gpu_histcounts ([-realmax realmax])
%!error <gpu_histcounts: device must be> gpu_histcounts (1:3, "device", "toaster")
%!error id=gpureduce:invalid-input gpu_histcounts ([], "device", "toaster")
%!error id=gpureduce:no-device gpu_histcounts (1:3, "device", 1000)
