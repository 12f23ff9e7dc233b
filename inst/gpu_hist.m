## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {} gpu_hist (@var{y})
## @deftypefnx {} {} gpu_hist (@var{y}, @var{nbins})
## @deftypefnx {} {} gpu_hist (@var{y}, @var{x})
## @deftypefnx {} {} gpu_hist (@var{y}, @var{x}, @var{norm})
## @deftypefnx {} {} gpu_hist (@dots{}, @var{prop}, @var{val}, @dots{})
## @deftypefnx {} {} gpu_hist (@var{hax}, @dots{})
## @deftypefnx {} {[@var{nn}, @var{xx}] =} gpu_hist (@dots{})
## @deftypefnx {} {[@dots{}] =} gpu_hist (@dots{}, "device", @var{d})
## Histogram of @var{y} by the centers of bins, as the built-in @code{hist},
## computed on the GPU.
##
## @var{y} is a real vector or matrix; the columns of a matrix are counted
## apart, over common bins.  The bins are @var{nbins} (default 10) of equal
## width between the smallest and the largest finite value, or have the centers
## @var{x}, a vector; those that are not sorted are sorted, with a warning.
## Cuts lie half way between centers, and a value on a cut goes into the lower
## bin.  The outer bins are open: they take infinite values too.  NaN is not
## counted.  With @var{norm}, a positive number or one for each column, counts
## are scaled to that sum.
##
## @var{nn} holds the counts and @var{xx} the centers: rows for a vector
## @var{y}, whatever its orientation, else columns.  Without output arguments
## the histogram is drawn by @code{bar}, into the axes @var{hax} if given, with
## properties and values of its patches.
##
## @var{xx} is an ordinary array, also where @var{y} is a gpuArray.
##
## @example
## @group
## [nn, xx] = gpu_hist ([1 2 2 4 4 4 9], 4)
##     @result{} nn = 3   3   0   1
##     @result{} xx = 2   4   6   8
## nn = gpu_hist ([1.5 2 NaN 7], [1 2 3])
##     @result{} nn = 1   1   1
## nn = gpu_hist ([1 2; 3 4; 5 6], 3, [1 100])
##     @result{} nn = 0.3333   33.3333
##          0.3333   33.3333
##          0.3333   33.3333
## @end group
## @end example
##
## Counts are exact and equal to the built-in's, also where rounding moves a
## value across a cut: evenly spaced centers, 11 or more, divide by their
## distance, others compare.  These cases excepted, which the built-in gets
## wrong or refuses:
##
## @itemize
## @item
## Logical and character @var{y} may have any bins.
## @item
## Without a finite value, bins are made as for @code{@var{y} = 0}.
## @item
## @var{nbins} that is NaN is an error.
## @item
## The pages of @var{y} of three or more dimensions are more columns, as in Octave
## 11, but a vector where its first size is 1.  Before Octave 11 such @var{y} is an
## error, in Octave 7 too.
## @item
## With NaN among the centers no count is negative: cuts beside a NaN are above
## every value.
## @item
## Integers are not rounded to single because @var{x} is single.
## @end itemize
##
## Errors and warnings are those of @code{hist} under this function's name;
## besides, those of @code{gpu_options}, which has more on "device" and gpuArrays.
## @seealso{gpu_histc, gpu_reduce, gpu_options, hist, bar}
## @end deftypefn

function [nn, xx] = gpu_hist (varargin)
  if (nargin == 0)
    print_usage ();
  endif
  if (nargout > 1)
    [nn, xx] = __gpureduce__ ("hist", varargin{:});
  elseif (nargout > 0)
    nn = __gpureduce__ ("hist", varargin{:});
  else
    __gpureduce__ ("hist", varargin{:});
  endif
endfunction

%!function same (varargin)
%!  [nn, xx] = gpu_hist (varargin{:});
%!  [nn0, xx0] = hist (varargin{:});
%!  assert (nn, nn0);
%!  assert (xx, xx0);
%!  assert (class (nn), class (nn0));
%!  assert (class (xx), class (xx0));
%!endfunction

%!test
%! [nn, xx] = gpu_hist ([1 2 2 4 4 4 9], 4);
%! assert (nn, [3 3 0 1]);
%! assert (xx, [2 4 6 8]);
%!assert (gpu_hist ([1.5 2 NaN 7], [1 2 3]), [1 1 1])

## vectors, matrices, numbers of bins on both sides of the rules' limits
%!test
%! for y = {(1:9) .^ 2, ((1:9) .^ 2)', magic(6), magic(6)(:,1:2), 7, [3 3 3 3], magic(4)(1,:), [-4 0 4; 1 2 3]}
%!   same (y{1});
%!   for bins = {1, 2, 3, 10, 11, 12, 21, 22, 30, 2.7, [1 5 20], 0:15, [1 2 4 8 16], (1:25).^2, 0:0.1:3, ...
%!               uint8(1:3:40), single(0:0.3:9), [1 1 1 2 2 3], [(1:22) (1:22)]}
%!     warning ("off", "all", "local");
%!     same (y{1}, bins{1});
%!   endfor
%! endfor

## every class
%!test
%! for type = {"double", "single", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", ...
%!             "logical", "char"}
%!   y = feval (type{1}, mod ((1:60) * 11, 17));
%!   for bins = {5, 10, 30, 2:12, [1 2 5 9], single([1 2 5 9])}
%!     same (y, bins{1});
%!   endfor
%!   if (isnumeric (y))
%!     same (y, cumsum (1:24));
%!     same (y, single (cumsum (1:24)));
%!   endif
%! endfor
%!assert (gpu_hist ([true false true], cumsum (0:24)), [1 2 zeros(1, 23)])

%!test                                   # centers_that_are_zero_have_the_built-in's_sign
%! for y = {0, -0, [-0 -0], [0 -0], [-0 0], single(-0)}
%!   for bins = 1:4
%!     [~, x] = gpu_hist (y{1}, bins);
%!     [~, x0] = hist (y{1}, bins);
%!     assert (1 ./ x, 1 ./ x0);
%!   endfor
%! endfor

## NaN, infinities, values on cuts
%!test
%! y = [-Inf NaN 10 Inf 0 2.5 5 7.5 NA];
%! for bins = {1, 4, 10, 12, 25, 0:5:10, [0 5 6 10], 0:0.5:10, [-5 sqrt(0:30)]}
%!   same (y, bins{1});
%!   same (single (y), bins{1});
%!   same ([y; fliplr(y)]', bins{1});
%! endfor
%! same ([NaN Inf], [1 2 3]);
%! same ([], [1 2 3]);
%! same (zeros (0, 3), [1 2]);

## cuts given more than once
%!test
%! x = sort ([1:20, 5 5 5 9 9 20 20 20]);
%! same (0:0.5:21, x);
%! same (single (0:0.5:21), x);
%! same (0:0.5:21, single (x));
%! same (-(0:0.5:21), -fliplr (x));
%! same (0:0.5:21, x(1:21));
%! same (0:0.5:21, x(1:22));

## norm
%!test
%! y = [1 2 2 3 7; 2 4 NaN 1 1; 9 9 9 9 1]';
%! for norm = {1, 6, [1 2 3], [1 2 3]', int8(30), single(2)}
%!   same (y, 4, norm{1});
%!   same (y, 12, norm{1});
%! endfor
%! same (1:5, 3, 2);

## what the built-in refuses or gets wrong
%!test
%! [nn, xx] = gpu_hist ([NaN Inf], 3);
%! assert (nn, [0 0 1]);
%! assert (xx, [-1 0 1]);
%! [nn, xx] = gpu_hist (zeros (0, 2), 4);
%! assert (nn, zeros (4, 2));
%! assert (xx, (-1:2)');
%! [nn, xx] = gpu_hist (single (NaN), 1);
%! assert (nn, 0);
%! assert (xx, single (0));
%!assert (gpu_hist (1:10, [1 2 NaN]), [1 9 0])

%!test
%! s = sparse ([1 0 2; 0 3 0]);
%! assert (gpu_hist (s, 4), hist (full (s), 4));
%!test
%! [nn, xx] = gpu_hist (gpuArray ([1 2; 2 9; 3 0]), 4);
%! [nn0, xx0] = hist ([1 2; 2 9; 3 0], 4);
%! assert (isgpuarray (nn) && ! isgpuarray (xx));
%! assert (gather (nn), nn0);
%! assert (xx, xx0);
%! [nn, xx] = gpu_hist (gpuArray (single ([1 NaN Inf 4])), gpuArray ([1 2 3]), 2);
%! assert (gather (nn), hist (single ([1 NaN Inf 4]), [1 2 3], 2));
%!assert (gpu_hist (1:3, 3, "Device", "cpu"), [1 1 1])
%!assert (gpu_hist (1:3, "device", "auto"), hist (1:3))
%!assert (gpu_hist (1:3, 3, 6, "DEVICE", "cpu"), [2 2 2])

## drawing
%!testif ; any (strcmp ("gnuplot", available_graphics_toolkits ()))
%! toolkit = graphics_toolkit ("gnuplot");
%! hf = figure ("visible", "off");
%! unwind_protect
%!   hax = axes ();
%!   gpu_hist (hax, [1 2 2 3 3 3], 3, "facecolor", "r", "device", "cpu");
%!   patches = findobj (hax, "type", "patch");
%!   assert (numel (patches), 1);
%!   assert (get (patches, "facecolor"), [1 0 0]);
%!   assert (max (get (patches, "ydata")), [1 2 3]);
%! unwind_protect_cleanup
%!   close (hf);
%!   graphics_toolkit (toolkit);
%! end_unwind_protect

%!error <gpu_hist: "parent" value must be an axes handle> gpu_hist (1:3, "parent", {})
%!warning <gpu_hist: bin values X not sorted on input> nn = gpu_hist (1:3, [3 1 2]);
%!error <Invalid call to gpu_hist> gpu_hist ()
%!error id=Octave:invalid-fun-call [nn, xx, more] = gpu_hist (1:3);
%!error <gpu_hist: Y must be real-valued> nn = gpu_hist (2+i)
%!error <gpu_hist: Y must be real-valued> nn = gpu_hist ({1})
## pages are columns where they are the built-in's, and no result is made of them elsewhere
%!test
%! y = reshape (magic (12), 12, 3, 4);
%! if (__gpr_rule__ ("hist_pages"))
%!   same (y);
%!   for bins = {5, 12, [1 2 5 90], cumsum(1:23)}
%!     same (y, bins{1}, 7);
%!     [nn, xx] = gpu_hist (gpuArray (y), bins{1});
%!     [nn0, xx0] = hist (y, bins{1});
%!     assert (gather (nn), nn0);
%!     assert (xx, xx0);
%!   endfor
%!   assert (gpu_hist (ones (1, 3, 2), 2), gpu_hist (ones (1, 6), 2));
%! else
%!   fail ("nn = gpu_hist (y)", "^gpu_hist: Y must be a 2-D array$");
%!   fail ("nn = gpu_hist (gpuArray (y), 5)", "^gpu_hist: Y must be a 2-D array$");
%! endif
## integers of 64 bits beyond 2^53 are compared with few cuts as they are
%!test
%! rand ("seed", 5);
%! for k = 1:200
%!   far = uint64 (floor (rand (1, 20) * 2 ^ (10 + 50 * rand ())));
%!   for y = {intmax("uint64") - far, uint64(2)^63 + far, intmin("int64") + int64(far), intmax("int64") - int64(far)}
%!     same (y{1}, ceil (30 * rand ()));
%!     same (y{1}, sort (double (y{1}(1:5)) + 1024 * (0:4)));
%!   endfor
%! endfor
%! same (gather (gpuArray (y{1})), 5);
%! assert (gather (gpu_hist (gpuArray (y{1}), 5)), hist (y{1}, 5));
%!test __gpr_same__ ("hist", [1, 1+eps, 1+15*eps])
%!test __gpr_same__ ("hist", [1, 1+eps, 1+15*eps], 5)
%!test __gpr_same__ ("hist", 10.5, [1:11, 12 - eps(12)])
%!error <gpu_hist: bin specification must be a numeric> nn = gpu_hist (1, {0,1,2})
%!error <gpu_hist: bin specification must be a scalar or vector> nn = gpu_hist (1, ones (2,2))
%!error <gpu_hist: bin specification must be a scalar or vector> nn = gpu_hist (1, [])
%!error <gpu_hist: number of bins NBINS must be positive> nn = gpu_hist (1, 0)
%!error <gpu_hist: number of bins NBINS must be positive> nn = gpu_hist (1, -3)
%!error <gpu_hist: number of bins NBINS must be positive> nn = gpu_hist (1, NaN)
%!error <gpu_hist: NORM must be a numeric constant> nn = gpu_hist (1, 1, {1})
%!error <gpu_hist: NORM must be a numeric constant> nn = gpu_hist (1, 1, true)
%!error <gpu_hist: NORM must be a numeric constant . 0> nn = gpu_hist (1, 1, -1)
%!error <gpu_hist: NORM must be scalar or vector> nn = gpu_hist (ones (2, 3), 3, cat (3, [-1 1; 1 1], ones (2)))
%!error <gpu_hist: NORM must be scalar or vector> nn = gpu_hist (1, 1, ones (4))
%!error <gpu_hist: NORM must be scalar or vector> nn = gpu_hist (1:3, 1, [1 2])
%!error <gpu_hist: device must be> nn = gpu_hist (1:3, "device", "toaster")
%!error id=gpureduce:no-device nn = gpu_hist (1:3, "device", 1000)
