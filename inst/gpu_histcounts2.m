## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {[@var{n}, @var{xedges}, @var{yedges}] =} gpu_histcounts2 (@var{x}, @var{y})
## @deftypefnx {} {[@var{n}, @var{xedges}, @var{yedges}] =} gpu_histcounts2 (@var{x}, @var{y}, @var{nbins})
## @deftypefnx {} {[@var{n}, @var{xedges}, @var{yedges}] =} gpu_histcounts2 (@var{x}, @var{y}, @var{xedges}, @var{yedges})
## @deftypefnx {} {[@var{n}, @var{xedges}, @var{yedges}, @var{binx}, @var{biny}] =} gpu_histcounts2 (@dots{})
## @deftypefnx {} {[@dots{}] =} gpu_histcounts2 (@dots{}, @var{name}, @var{value}, @dots{})
## @deftypefnx {} {[@dots{}] =} gpu_histcounts2 (@dots{}, "device", @var{d})
## Count pairs in the bins of two dimensions, by the rules of MATLAB's
## @code{histcounts2} (Octave 7 has none), computed on the GPU.
##
## @var{x} and @var{y} are real numeric or logical arrays of one size; sparse ones are
## taken as full.  @code{@var{n}(i,j)} is the number of indices @code{k} with
## @code{@var{xedges}(i) <= x(k) < @var{xedges}(i+1)} and
## @code{@var{yedges}(j) <= y(k) < @var{yedges}(j+1)}; the last bins have their
## outer edges too.  @var{binx} and @var{biny} have the size of @var{x} and hold the
## bins, each by itself: 0 for NaN and what lies outside the edges.
##
## The bins are chosen by @var{nbins}, a number for both dimensions or two,
## by vectors of edges, or by options, their names and words in upper or lower
## case.  Of edges, "BinWidth", "NumBins" and "BinMethod" the last one given holds.
##
## @table @asis
## @item "XBinEdges", @var{xedges}
## @itemx "YBinEdges", @var{yedges}
## Edges of one dimension.
##
## @item "NumBins", @var{nbins}
## As the third argument.
##
## @item "BinWidth", [@var{wx}, @var{wy}]
## Bins of these widths, or of one width for both; at most 1,024 a dimension.
##
## @item "XBinLimits", [@var{lo}, @var{hi}]
## @itemx "YBinLimits", [@var{lo}, @var{hi}]
## First and last edge of one dimension; a method makes at most 1,024 bins between them.
##
## @item "BinMethod", @var{method}
## "auto" (default), "scott", "fd" or "integers", for each dimension by itself.  With
## @code{m} elements the widths are about @code{3.5 * std (x) / m ^ (1/4)} for
## "scott" and @code{2 * iqr (x) / m ^ (1/4)} for "fd"; "integers" makes wider bins for
## a range of more than 1,024.
##
## @item "Normalization", @var{kind}
## "count", "probability", "percentage", "countdensity", "pdf", "cumcount" or "cdf",
## as in @code{gpu_histcounts}, with the area of a bin in place of its width, and sums over
## all bins up to this one in both dimensions.
## @end table
##
## @example
## @group
## x = [1 1 2 3 2 2 1 1 2 3];
## y = [5 6 3 8 9 1 2 7 5 1];
## [n, xedges, yedges] = gpu_histcounts2 (x, y, [3 4])
##     @result{} n = 1   0   2   1
##         1   1   1   1
##         1   0   0   1
##     @result{} xedges = 0.6000   1.4000   2.2000   3.0000
##     @result{} yedges = 0   2.3000   4.6000   6.9000   9.2000
## @end group
## @end example
##
## How edges are chosen, how much of that MATLAB documents, and in which class elements
## are compared is in the help of @code{gpu_histcounts}.  Each dimension looks at its own
## elements only, whatever the other one has at the same indices.  Counts are exact.
##
## The edges are ordinary arrays, also for gpuArrays.  A gpuArray stays on the device as in
## @code{gpu_histcounts}; but the bins of @var{x} and @var{y} come to the host, where those
## of each pair are made one.
##
## Errors: @code{gpureduce:invalid-input} for a wrong option or value, saying
## what it may be, @code{Octave:invalid-fun-call} for less than two arguments,
## @code{gpureduce:unsupported} where edges would have to be chosen for a range near
## @code{realmax}, and those of @code{gpu_options}, which has more on "device" and gpuArrays.
##
## Source: The MathWorks, @cite{histcounts2}, MATLAB documentation.
## @seealso{gpu_histcounts, gpu_histc, gpu_hist, gpu_options}
## @end deftypefn

function [n, xedges, yedges, binx, biny] = gpu_histcounts2 (varargin)
  if (nargin == 0)
    print_usage ();
  endif
  if (nargout > 3)
    [n, xedges, yedges, binx, biny] = __gpureduce__ ("histcounts2", varargin{:});
  else
    [n, xedges, yedges] = __gpureduce__ ("histcounts2", varargin{:});
  endif
endfunction

## The bins by their definition, and pair by pair.
%!function bin = plain (x, edges)
%!  bin = zeros (size (x));
%!  for k = 1:numel (edges) - 1
%!    bin(x >= edges(k) & (x < edges(k+1) | (k == numel (edges) - 1 & x == edges(end)))) = k;
%!  endfor
%!endfunction

%!function check (x, y, varargin)
%!  [n, xedges, yedges, binx, biny] = gpu_histcounts2 (x, y, varargin{:});
%!  bx = plain (x, xedges);
%!  by = plain (y, yedges);
%!  n0 = zeros (numel (xedges) - 1, numel (yedges) - 1);
%!  for k = find (bx(:) & by(:)).'
%!    n0(bx(k),by(k))++;
%!  endfor
%!  assert (n, n0);
%!  assert (binx, bx);
%!  assert (biny, by);
%!  assert (isrow (xedges) && isrow (yedges));
%!endfunction

## MATLAB's documented example
%!test
%! x = [1 1 2 3 2 2 1 1 2 3];
%! y = [5 6 3 8 9 1 2 7 5 1];
%! [n, xedges, yedges] = gpu_histcounts2 (x, y, [3 4]);
%! assert (n, [1 0 2 1; 1 1 1 1; 1 0 0 1]);
%! assert (xedges, [0.6 1.4 2.2 3], 4 * eps);
%! assert (yedges, 0:2.3:9.2, 8 * eps);

%!test
%! x = 3 * cos ((1:400) .^ 2);
%! y = (1:400) .* sin (1:400) / 50;
%! x([5 77]) = NaN;
%! y([5 99]) = [Inf NaN];
%! for args = {{}, {5}, {[3 7]}, {-2:0.5:1, [0 1 1 3 Inf]}, {"BinMethod", "FD"}, {"BinMethod", "scott"}, ...
%!             {"BinMethod", "integers"}, {"BinWidth", [0.5 2]}, {"binwidth", 0.7}, {"XBinLimits", [-1 1]}, ...
%!             {"YBinLimits", [0 2], "NumBins", [2 3]}, {"XBinEdges", [0 1 2]}, {"XBinEdges", [0 1 2], "YBinEdges", [1 2]}}
%!   check (x, y, args{1}{:});
%!   check (single (x.'), single (y.'), args{1}{:});
%!   check (reshape (int8 (20 * x), 20, 4, 5), reshape (y, 20, 4, 5), args{1}{:});
%!   check (x > 1, uint16 (y), args{1}{:});
%! endfor

## widths go with the fourth root, the methods stop at 1,024 bins
%!test
%! x = sin (1:5000) .* (1:5000);
%! y = cos (1:5000) * 1e-3;
%! [~, xedges, yedges] = gpu_histcounts2 (x, y);
%! assert ((3.5 * std (x) / 5000 ^ 0.25), 1000, 200);
%! assert (xedges, -5000:1000:5000);
%! assert ((3.5 * std (y) / 5000 ^ 0.25), 3e-4, 0.4e-4);
%! assert (yedges, -0.0012:0.0003:0.0012, 1e-15);
%! [~, xedges, yedges] = gpu_histcounts2 ([0 1024], [0 1025], "BinMethod", "integers");
%! assert (xedges, -0.5:1024.5);
%! assert (yedges, -5:10:1035);
%! [~, xedges, yedges] = gpu_histcounts2 ([0 1], [0 1024], "BinWidth", [1e-4 1]);
%! assert (xedges, linspace (0, 1, 1025));
%! assert (yedges, 0:1024);

## each dimension by itself; the last option holds
%!test
%! [~, xedges, yedges] = gpu_histcounts2 ([0 2 NaN 5], [0.5 NaN 1 2.5]);
%! assert (xedges, -0.5:5.5);
%! assert (yedges, [0 3]);
%! [~, xedges, yedges] = gpu_histcounts2 (1:4, 1:4, 2, "XBinEdges", [1 2 5]);
%! assert (xedges, [1 2 5]);
%! assert (yedges, nthargout (2, @gpu_histcounts, 1:4, 2));
%! [~, xedges, yedges] = gpu_histcounts2 (1:4, 1:4, [1 2], [3 4], "BinMethod", "integers");
%! assert ({xedges, yedges}, {0.5:4.5, 0.5:4.5});

## empties, one element, one bin
%!test
%! [n, xedges, yedges, binx, biny] = gpu_histcounts2 (zeros (0, 3), zeros (0, 3), [2 3]);
%! assert (n, zeros (2, 3));
%! assert ({xedges, yedges}, {0:2, 0:3});
%! assert ({binx, biny}, {zeros(0, 3), zeros(0, 3)});
%! assert (gpu_histcounts2 (4, 7.5), 1);
%! assert (gpu_histcounts2 (NaN, 7.5), 0);

## normalization
%!test
%! x = [1 1 2 3 NaN 9 2 2];
%! y = [1 1 1 5 5 5 5 NaN];
%! n = [2 0; 1 2];
%! area = [1 1.5].' * [3 2];
%! of = @(kind) gpu_histcounts2 (x, y, [1 2 3.5], [1 4 6], "Normalization", kind);
%! assert (of ("count"), n);
%! assert (of ("probability"), n / 8);
%! assert (of ("Percentage"), 100 * n / 8);
%! assert (of ("countdensity"), n ./ area);
%! assert (of ("pdf"), n / 8 ./ area);
%! assert (of ("cumcount"), [2 2; 3 5]);
%! assert (of ("cdf"), [2 2; 3 5] / 8);

## gpuArray, sparse, device
%!test
%! x = sin ((1:500) .^ 2);
%! y = int16 (1:500);
%! [n, xedges, yedges, binx, biny] = gpu_histcounts2 (x, y);
%! for pair = {{gpuArray(x), y}, {x, gpuArray(y)}, {gpuArray(x), gpuArray(y)}}
%!   [m, xe, ye, bx, by] = gpu_histcounts2 (pair{1}{:});
%!   assert (isgpuarray (m) && isgpuarray (bx) && isgpuarray (by));
%!   assert (gather (m), n);
%!   assert ({gather(bx), gather(by)}, {binx, biny});
%!   assert ({xe, ye}, {xedges, yedges});
%! endfor
%! assert (isgpuarray (gpu_histcounts2 (gpuArray (1), 1)), false);
%! assert (gpu_histcounts2 (x, y, "device", "cpu"), n);
%! assert (gpu_histcounts2 (x, y, 3, "Device", "auto"), gpu_histcounts2 (x, y, 3));
%!assert (gpu_histcounts2 (sparse ([1 0 2]), [1 0 2], 0:2, sparse (0:2)), [1 0; 0 2])

%!error <Invalid call to gpu_histcounts2> gpu_histcounts2 ()
%!error id=Octave:invalid-fun-call gpu_histcounts2 (1)
%!error <gpu_histcounts2: X and Y must be real numeric or logical arrays> gpu_histcounts2 (1, "a")
%!error id=gpureduce:invalid-input gpu_histcounts2 (1i, 1)
%!error <gpu_histcounts2: X and Y must have the same size> gpu_histcounts2 (1:3, (1:3)')
%!error <gpu_histcounts2: NumBins must be a positive integer> gpu_histcounts2 (1:3, 1:3, [2 0])
%!error <gpu_histcounts2: NumBins must be> gpu_histcounts2 (1:3, 1:3, [2 2 2])
%!error <gpu_histcounts2: NumBins must be> gpu_histcounts2 (1:3, 1:3, {2, 3})
%!error <gpu_histcounts2: YBinEdges must be a vector> gpu_histcounts2 (1:3, 1:3, [1 2], 3)
%!error <gpu_histcounts2: XBinEdges must be a vector> gpu_histcounts2 (1:3, 1:3, "XBinEdges", [2 1])
%!error <gpu_histcounts2: BinWidth must be> gpu_histcounts2 (1:3, 1:3, "BinWidth", [1 -1])
%!error <gpu_histcounts2: XBinLimits must be two finite numbers> gpu_histcounts2 (1:3, 1:3, "XBinLimits", [1 NaN])
%!error <gpu_histcounts2: BinMethod must be "auto", "scott", "fd", "integers"$>
%! gpu_histcounts2 (1:3, 1:3, "BinMethod", "sqrt")
%!error <gpu_histcounts2: Normalization must be> gpu_histcounts2 (1:3, 1:3, "Normalization", "sum")
%!error <gpu_histcounts2: bin limits do not go with bin edges>
%! gpu_histcounts2 (1:3, 1:3, "YBinLimits", [1 2], "YBinEdges", [1 2])
%!error <gpu_histcounts2: unknown option; options are XBinEdges, .*> gpu_histcounts2 (1:3, 1:3, "BinEdges", [1 2])
%!error <gpu_histcounts2: options must come as pairs> gpu_histcounts2 (1:3, 1:3, "NumBins")
%!error id=gpureduce:unsupported gpu_histcounts2 ([-realmax realmax], 1:2)
%!error id=gpureduce:invalid-input gpu_histcounts2 (1:3, 1:3, "device", "toaster")
%!error id=gpureduce:no-device gpu_histcounts2 (1:3, 1:3, "device", 1000)
