## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{v} =} gpu_var (@var{x})
## @deftypefnx {} {@var{v} =} gpu_var (@var{x}, @var{w})
## @deftypefnx {} {@var{v} =} gpu_var (@var{x}, @var{w}, @var{dim})
## @deftypefnx {} {@var{v} =} gpu_var (@dots{}, @var{nanflag})
## @deftypefnx {} {[@var{v}, @var{m}] =} gpu_var (@dots{})
## @deftypefnx {} {@var{v} =} gpu_var (@dots{}, "device", @var{d})
## Variance of the elements of @var{x} along dimension @var{dim}, as the
## built-in @code{var}, computed on the GPU in one reading of @var{x}.
##
## The variance is the sum of the squares of the distances to the mean, divided by
## n - 1; of complex @var{x}, of the squares of their absolute values.
##
## @var{x} is a numeric or logical array of any size, real or complex.  The default
## dimension is the first that is not 1, and the result has the size of @var{x} with
## 1 in that dimension; it is single for single @var{x}, double for every other class,
## and real.  One element alone has var 0; without elements it is NaN.  @var{m} is the mean, where
## the built-in has this output (Octave 9 and later); there integer or logical @var{x} may be an
## error, as it is of the built-in.
##
## @table @asis
## @item @var{w}
## 0 or []: divide by n - 1 (default); 1: by n.  A vector of weights at least 0, one an element
## along @var{dim}: the sums for the mean and the variance are of weighted terms, divided by the sum of
## the weights.  This takes several readings, in single where @var{x} or @var{w} is.  With weights
## @var{dim} is one dimension (with "comm" see @code{gpu_comm}), and integer or complex @var{x} goes to the built-in; with "omitnan"
## too @var{x} must be real, and passes through the host.
##
## @item @var{dim}
## A dimension, a vector of dimensions to reduce together, or "all".
##
## @item @var{nanflag}
## "includenan" (default): a NaN (or an infinity) makes the result NaN; "omitnan": NaN
## elements are left out, and n counts the others.
## @end table
##
## Singles are computed in double and rounded once.  The built-in goes over the data
## twice; here each lane of the reduction takes the distances to its own first element,
## and lanes merge by the rule of Chan, Golub and LeVeque, in a fixed tree, the same
## on every GPU and on the CPU.  The relative error stays within a few hundred roundings
## even where the mean is large beside the deviation.
##
## Sparse @var{x} goes to the built-in @code{var}.
##
## @example
## @group
## gpu_var ([2 4 4 4 5 5 7 9])
##     @result{} 4.5714
## gpu_var ([2 4 4 4 5 5 7 9], 1)
##     @result{} 4
## gpu_var ([1 2; 3 5; 5 NaN], 0, 1, "omitnan")
##     @result{} 4.0000   4.5000
## @end group
## @end example
##
## Errors are those of the built-in, under this function's name.  @code{gpu_options} has
## more on "device", gpuArrays and errors.
##
## Source: T. F. Chan, G. H. Golub, R. J. LeVeque, ``Updating formulae and a pairwise
## algorithm for computing sample variances'' (1979).
## @seealso{gpu_std, gpu_mean, gpu_stats, gpu_options, var}
## @end deftypefn

function [v, m] = gpu_var (varargin)
  if (nargin == 0)
    print_usage ();
  endif
  if (nargout > 1)
    [v, m] = __gpureduce__ ("var", varargin{:});
  else
    v = __gpureduce__ ("var", varargin{:});
  endif
endfunction

%!assert (gpu_var ([2 4 4 4 5 5 7 9], 1), 4, 4 * eps)
%!assert (gpu_var ([1 2; 3 5; 5 NaN], 0, 1, "omitnan"), [4 4.5], 8 * eps)
## More: tests/variances.tst, tests/weighted_variances.tst
