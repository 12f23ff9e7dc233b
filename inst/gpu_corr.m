## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{r} =} gpu_corr (@var{x})
## @deftypefnx {} {@var{r} =} gpu_corr (@var{x}, @var{y})
## @deftypefnx {} {@var{r} =} gpu_corr (@dots{}, "device", @var{d})
## Correlation coefficients of the columns of @var{x} with each other or with those of @var{y}, as the built-in @code{corr}.
##
## @var{x} and @var{y} are numeric or logical matrices with as many rows, real or complex, or gpuArrays of them: a row is an observation, a column a variable.
## @code{@var{r}(i,j)} belongs to column @var{i} of @var{x} and column @var{j} of @var{y} (of @var{x}); it is the covariance divided by both
## standard deviations, and single if @var{x} or @var{y} is, else double.
##
## The means are subtracted first, and what is left is multiplied by a matrix product, which on the GPU is cuBLAS's and on the CPU Octave's own.  A column
## with a NaN, an infinity or without variance has coefficients NaN; here that is every column whose real elements are all equal, where the built-in may leave rounding.  Integers
## are computed as double, which the built-in refuses since Octave 9.  With "comm" the products are those of @code{gpu_dot} (@code{gpu_comm}).  A single row, sparse and empty @var{x} and @var{y} go to the built-in.
##
## @example
## @group
## gpu_corr ([1 2; 2 4; 3 9])
##     @result{} 1.0000   0.9707
##        0.9707   1.0000
## gpu_corr ([1; 2; 3], [2 -1; 4 -2; 9 -3])
##     @result{} 0.9707  -1.0000
## @end group
## @end example
##
## Errors are those of the built-in, under this function's name.  @code{gpu_options} has
## more on "device", gpuArrays and errors.
##
## Source: as that of @code{gpu_cov}.
## @seealso{gpu_cov, gpu_std, gpu_norm, gpu_options, corr}
## @end deftypefn

function r = gpu_corr (varargin)

  if (nargin == 0)
    print_usage ();
  endif
  if (are_plain_matrices (varargin))
    r = of_columns (varargin, {}, struct ("dim", 0));
    if (isscalar (r))
      r = gather (r);
    endif
    return;
  endif
  [args, named] = without_comm (varargin);
  if (isempty (named))
    [args, device] = take_device (args);
    [~, ranks] = own_piece ("gpu_corr", nargout, args);
    full = cellfun (@(x) (isnumeric (x) || islogical (x)) && ! issparse (x) && ! isempty (x) && ndims (x) == 2, args);
    own = numel (args) < 3 && all (full) && rows (args{1}) == rows (args{end}) && rows (args{1}) != 1;
  else
    device = "";
    turns = isscalar (__gpr_builtin__ ("gpu_corr", "corr", [1 2 4]));       # does it take a row for a column?
    [args, ~, ranks] = own_rows ("gpu_corr", nargout, args, named, turns);
    own = all (ranks.sizes) && ranks.sizes(1) != 1 && columns (args{end}) > 0;
    if (! own)                  # NaN, whatever the elements are
      args = cellfun (@(x) zeros ([ranks.sizes(1), columns(x)], class (x)), args, "UniformOutput", false);
    endif
  endif
  if (! own)
    r = result_of_ranks (ranks, "all", __gpr_builtin__ ("gpu_corr", "corr", args{:}));
    return;
  endif
  whole = ! cellfun (@isfloat, args);
  args(whole) = cellfun (@double, args(whole), "UniformOutput", false);
  [args, options, gathers] = where_computed ("gpu_corr", args, device, ranks);
  r = of_columns (args, options, ranks);
  if (gathers || isscalar (r))
    r = gather (r);
  endif
  r = result_of_ranks (ranks, "all", r);

endfunction

function r = of_columns (args, options, ranks)
  for k = 1:numel (args)
    args{k} = args{k} - mean_of ("gpu_corr", args{k}, 1, "includenan", options);
  endfor
  r = products_of ("gpu_corr", args{1}, args{end}, ranks);
  if (isscalar (args))
    lengths = {sqrt(real (r(1:columns (r)+1:end)))};
  else
    lengths = cellfun (@(x) __gpureduce__ ("norm:gpu_corr", x, "columns", options{:}), args, "UniformOutput", false);
  endif
  r = r ./ (lengths{1}(:) .* lengths{end});
endfunction

%!function same (varargin)
%!  r = gather (gpu_corr (varargin{:}));
%!  r0 = corr (cellfun (@gather, varargin, "UniformOutput", false){:});
%!  assert (class (r), class (r0));
%!  assert (iscomplex (r), iscomplex (r0));
%!  assert (r, r0, 40 * eps (class (r0)));
%!endfunction

%!assert (gpu_corr ([1; 2; 3], [2 -1; 4 -2; 9 -3]), [3.5/sqrt(13) -1], 4 * eps)
%!test                                   # corr_as_the_built-in: classes and shapes
%! for x = {randn(20, 4), randn(3, 7), randn(9, 1), single(randn (20, 4)), rand(20, 3) > 0.5, complex(randn (9, 3), randn (9, 3)), randn(1e4, 3) + 1e3, ...
%!          [1 NaN; 2 3; 5 4], [1 Inf; 2 3; 5 4], [1 2; 1 3; 1 5], 1:4, 5, single(5)}
%!   same (x{1});
%!   same (gpuArray (x{1}));
%! endfor
%! __gpr_same__ ("corr", sparse ([1 2; 3 5; 0 0]));        # an error since Octave 9
%! for x = {randn(20, 3), single(randn (20, 3)), complex(randn (20, 3), randn (20, 3))}
%!   for y = {randn(20, 3), single(randn (20, 2)), complex(randn (20, 4), randn (20, 4)), [1:19 NaN]'}
%!     same (x{1}, y{1});
%!     same (gpuArray (x{1}), y{1});
%!     same (x{1}, gpuArray (y{1}));
%!   endfor
%! endfor
%!test                                   # integers and logical arrays are computed as double
%! k = randi ([-99 99], 20, 3);
%! assert (gpu_corr (int8 (k)), gpu_corr (k));
%! assert (gpu_corr (int8 (k), single (k)), gpu_corr (k, single (k)));
%! assert (gpu_corr (k > 0, k), gpu_corr (double (k > 0), k));
%!test                                   # corr_of_equal_elements is NaN
%! for n = [3 7 10 1001]
%!   assert (gpu_corr (rand (1, 20) .* ones (n, 1)), NaN (20));
%! endfor
%! x = [0.1 * ones(1000, 1), randn(1000, 2), 1e9 / 3 * ones(1000, 1)];
%! for r = {gpu_corr(x), gpu_corr(x, x), gather(gpu_corr (gpuArray (x)))}
%!   assert (isnan (r{1}), logical ([1 1 1 1; 1 0 0 1; 1 0 0 1; 1 1 1 1]));
%!   assert (r{1}(2:3,2:3), corr (x(:,2:3)), 1e-14);
%! endfor
%!test                                   # gpuArrays: nothing but the product leaves a CPU's gpuArrays
%! x = randn (50, 4);
%! g = gpuArray (x);
%! before = gpu_config ("through_host", "count");
%! g' * g;
%! product = gpu_config ("through_host", "count") - before;
%! for r = {@() gpu_corr(g), @() corr(g, x)}
%!   before = gpu_config ("through_host", "count");
%!   y = r{1} ();
%!   assert (gpu_config ("through_host", "count") - before <= product);
%!   assert (isgpuarray (y));
%!   assert (gather (y), corr (x), 1e-14);
%! endfor
%! assert (corr (g(:,1), g(:,2)), corr (x(:,1), x(:,2)), 1e-14);
%!assert (gpu_corr ([1 2; 2 4], "device", "cpu"), ones (2), 4 * eps)
%!error <Invalid call to gpu_corr> gpu_corr ()
%!error <gpu_corr: > gpu_corr ("abc")
%!error <gpu_corr: > gpu_corr ({1, 2})
%!error <gpu_corr: > gpu_corr (ones (2, 2, 2))
%!error <gpu_corr: > gpu_corr ((1:3)', (1:4)')
%!error <gpu_corr: > gpu_corr ((1:3)', (1:3)', 1)
%!error id=gpureduce:invalid-input gpu_corr ((1:3)', "device", "toaster")
%!test                                   # diagonal_matrices_are_full_ones
%! for x = {eye(4), eye(4)(:,[2 1 3 4]), diag([1 2 3])}
%!   assert (gpu_corr (x{1}), gpu_corr (full (x{1})));
%!   assert (gpu_corr (x{1}, "device", "cpu"), gpu_corr (full (x{1})));
%! endfor
