## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{c} =} gpu_cov (@var{x})
## @deftypefnx {} {@var{c} =} gpu_cov (@var{x}, @var{y})
## @deftypefnx {} {@var{c} =} gpu_cov (@dots{}, @var{opt})
## @deftypefnx {} {@var{c} =} gpu_cov (@dots{}, @var{nanflag})
## @deftypefnx {} {@var{c} =} gpu_cov (@dots{}, "device", @var{d})
## Covariances of the columns of @var{x}, as the built-in @code{cov} of the running Octave.
##
## @var{x} and @var{y} are numeric or logical matrices or vectors, real or complex, or gpuArrays of them: a row is an observation, a column a variable; a row
## vector counts as a column.  @code{@var{c}(i,j)} belongs to columns @var{i} and @var{j} of @var{x}.  It is single if @var{x} or @var{y} is, else double.
##
## @table @asis
## @item @var{y}
## Since Octave 9 @var{x} and @var{y} are two variables with as many elements: @code{gpu_cov ([@var{x}(:), @var{y}(:)])}, as in MATLAB.  Before,
## @code{@var{c}(i,j)} belongs to column @var{i} of @var{x} and column @var{j} of @var{y}, which have as many rows.
##
## @item @var{opt}
## 0: divide by n - 1 (the default); 1: by the number of observations n.
##
## @item "includenan", "omitrows", "partialrows"
## What is done with NaN: covariances with it are NaN (the default); rows with a NaN are left out; of each two variables the rows are left out that have a NaN
## in one of them.
## @end table
##
## The means are subtracted first, and what is left is multiplied by a matrix product, which on the GPU is cuBLAS's and on the CPU Octave's own.  The variance of a
## column whose real elements are all equal is 0, where the built-in may leave rounding.  With "comm" the products are those of @code{gpu_dot} (@code{gpu_comm}).  Integers are computed as double, which the built-in
## refuses since Octave 9.  Sparse and empty @var{x} and @var{y} go to the built-in.
##
## @example
## @group
## gpu_cov ([1 2; 2 4; 3 9])
##     @result{} 1.0000    3.5000
##        3.5000   13.0000
## gpu_cov ([1 2; 2 4; NaN 9], "omitrows")
##     @result{} 0.5000   1.0000
##        1.0000   2.0000
## @end group
## @end example
##
## Errors are those of the built-in, under this function's name.  @code{gpu_options} has
## more on "device", gpuArrays and errors.
##
## Source: T. F. Chan, G. H. Golub, R. J. LeVeque, ``Algorithms for computing the sample variance: analysis and recommendations'',
## @cite{Am. Stat.} 37 (1983): two passes.
## @seealso{gpu_corr, gpu_var, gpu_mean, gpu_options, cov}
## @end deftypefn

function c = gpu_cov (varargin)

  if (nargin == 0)
    print_usage ();
  endif
  if (are_plain_matrices (varargin) && (nargin == 1 || ! __gpr_rule__ ("cov_pairs")))
    c = of_all_rows (varargin, 0, rows (varargin{1}), {}, struct ("dim", 0));
    if (isscalar (c))
      c = gather (c);
    endif
    return;
  endif
  [args, named] = without_comm (varargin);
  if (isempty (named))
    [args, device] = take_device (args);
    [~, ranks] = own_piece ("gpu_cov", nargout, args);
    [data, opt, nanflag] = variables (args);
  else
    device = "";
    [data, opt, nanflag, ranks] = own_variables (nargout, args, named);
    args(1:numel (data)) = data;
  endif
  if (isempty (data) || (ranks.dim > 0 && ! all (ranks.sizes)))
    c = result_of_ranks (ranks, "all", __gpr_builtin__ ("gpu_cov", "cov", args{:}));
    return;
  endif
  [data, options, gathers] = where_computed ("gpu_cov", data, device, ranks);
  missing = ! strcmp (nanflag, "includenan") && any_nan (data, options);
  if (missing && strcmp (nanflag, "omitrows"))
    known = ! any (isnan (data{1}), 2) & ! any (isnan (data{end}), 2);
    data = cellfun (@(x) x(known,:), data, "UniformOutput", false);
  endif
  if (missing && strcmp (nanflag, "partialrows"))
    c = of_rows_without_nan (data{1}, data{end}, opt, options, ranks);
  else
    n = rows (data{1});
    if (ranks.dim > 0)
      n = gpu_sum (n, 2, options{1:2});
    endif
    c = of_all_rows (data, opt, n, options, ranks);
  endif
  if (gathers || isscalar (c))
    c = gather (c);
  endif
  c = result_of_ranks (ranks, "all", c);

endfunction

function c = of_all_rows (data, opt, n, options, ranks)
  for k = 1:numel (data)
    data{k} = data{k} - mean_of ("gpu_cov", data{k}, 1, "includenan", options);
  endfor
  c = products_of ("gpu_cov", data{1}, data{end}, ranks) ./ (n - 1 + max (opt, n < 2));
endfunction

## Whether there is a NaN in the arrays, or in any rank's.
function yes = any_nan (data, options)
  yes = any (cellfun (@(x) nnz (isnan (x)) > 0, data));
  if (numel (options) == 4)
    yes = gpu_any (yes, 2, options{1:2});
  endif
endfunction

## With "comm": this rank's rows of X, or X and Y.  A second array of 0 or 1 on all ranks alike is OPT.
function [data, opt, nanflag, ranks] = own_variables (outputs, args, named)

  opts = {};
  nanflag = "includenan";
  if (numel (args) > 1 && ischar (args{end}) && isrow (args{end}))
    nanflag = lower (args{end});
    args(end) = [];
  endif
  if (numel (args) > 2 || (numel (args) == 2 && is_opt (args{2}, named)))
    opts = args(end);
    args(end) = [];
  endif
  [data, rest, ranks] = own_rows ("gpu_cov", outputs, args, [opts, {nanflag}, named], true);
  opt = [rest(1:end-1), {0}]{1};
  if (! (isscalar (opt) && any (opt == [0 1])) || ! any (strcmp (nanflag, {"includenan", "omitrows", "partialrows"})))
    error ("gpureduce:invalid-input", "gpu_cov: with \"comm\" OPT must be 0 or 1, NANFLAG \"includenan\", \"omitrows\" or \"partialrows\"");
  endif
  opt = double (opt);
  if (numel (data) == 2 && all (ranks.sizes) && __gpr_rule__ ("cov_pairs"))
    if (columns (data{1}) > 1 || columns (data{2}) > 1)
      error ("gpureduce:unsupported", "gpu_cov: two matrices as two variables do not take \"comm\" yet");
    endif
    data = {[data{:}]};
  endif

endfunction

function yes = is_opt (value, named)
  code = 2;
  if (isscalar (value) && (isnumeric (value) || islogical (value)) && any (value == [0 1]))
    code = double (gather (value));
  endif
  comm = named(find (cellfun (@(a) ischar (a) && strcmpi (a, "comm"), named), 1) + [0 1]);
  [least, greatest] = __gpureduce__ ("bounds:gpu_cov", code, 2, comm{:});
  yes = greatest < 2;
  if (yes && least < greatest)
    error ("gpureduce:invalid-input", "gpu_cov: OPT must be the same on all ranks");
  endif
endfunction

## X, or X and Y, with the variables in columns; none where the built-in is to answer.
function [data, opt, nanflag] = variables (args)

  opt = 0;
  nanflag = "includenan";
  if (numel (args) > 1 && ischar (args{end}) && isrow (args{end}))
    nanflag = lower (args{end});
    args(end) = [];
  endif
  if (numel (args) > 1 && isscalar (args{end}) && (isnumeric (args{end}) || islogical (args{end})) && any (args{end} == [0 1]))
    opt = double (gather (args{end}));
    args(end) = [];
  endif
  data = {};
  full = cellfun (@(x) (isnumeric (x) || islogical (x)) && ! issparse (x) && ! isempty (x), args);
  if (numel (args) > 2 || ! all (full) || ! any (strcmp (nanflag, {"includenan", "omitrows", "partialrows"})))
    return;
  endif
  args(! cellfun (@isfloat, args)) = cellfun (@double, args(! cellfun (@isfloat, args)), "UniformOutput", false);
  if (numel (args) == 2 && __gpr_rule__ ("cov_pairs"))
    if (numel (args{1}) == numel (args{2}))
      data = {[args{1}(:), args{2}(:)]};
    endif
    return;
  endif
  across = cellfun (@isrow, args);
  args(across) = cellfun (@(x) x.', args(across), "UniformOutput", false);
  if (! isscalar (args{1}) && all (cellfun (@ndims, args) == 2) && rows (args{1}) == rows (args{end}))
    data = args;
  endif

endfunction

## Of each two columns the rows that have no NaN in either.  Their sums correct for their means not being those of the whole columns.
function c = of_rows_without_nan (x, y, opt, options, ranks)
  [x, in_x] = centred (x, options);
  [y, in_y] = centred (y, options);
  product = @(a, b) products_of ("gpu_cov", a, b, ranks);
  n = product (in_x, in_y);
  c = (product (x, y) - product (x, in_y) .* product (in_x, y) ./ n) ./ (n - 1 + max (opt, n < 2));
endfunction

function [x, known] = centred (x, options)
  unknown = isnan (x);
  x = x - mean_of ("gpu_cov", x, 1, "omitnan", options);
  if (nnz (unknown) > 0)
    x(unknown) = 0;
  endif
  known = double (! unknown);
endfunction

%!function same (varargin)
%!  c = gather (gpu_cov (varargin{:}));
%!  c0 = cov (cellfun (@gather, varargin, "UniformOutput", false){:});
%!  assert (class (c), class (c0));
%!  assert (size (c), size (c0));
%!  assert (iscomplex (c), iscomplex (c0));
%!  assert (c, c0, 100 * eps (class (c0)) * max ([1; abs(c0(! isnan (c0)))]));
%!endfunction
%!function [c, n] = pair (x, y, opt)      # of two columns, the rows without NaN
%!  known = ! isnan (x) & ! isnan (y);
%!  n = sum (known);
%!  x = x(known) - mean (x(known));
%!  y = y(known) - mean (y(known));
%!  c = (x' * y) / (n - 1 + (opt || n < 2));
%!endfunction

%!assert (gpu_cov ([1 2; 2 4; 3 9]), [1 3.5; 3.5 13], 8 * eps)
%!assert (gpu_cov ([1 2; 2 4; NaN 9], "omitrows"), [0.5 1; 1 2], 4 * eps)
%!test                                   # cov_as_the_built-in: one array, of the classes and shapes that it takes
%! for x = {randn(20, 4), randn(3, 7), randn(1, 9), randn(9, 1), single(randn (20, 4)), rand(9, 3) > 0.5, complex(randn (9, 3), randn (9, 3)), 5, single(5), ...
%!          randn(1e4, 3) + 1e6, [1 NaN; 2 3; 5 4], [1 Inf; 2 3; 5 4], [], zeros(0, 3), zeros(3, 0)}
%!   same (x{1});
%!   same (x{1}, 0);
%!   same (x{1}, 1);
%!   same (gpuArray (x{1}));
%!   same (gpuArray (x{1}), 1);
%! endfor
%! __gpr_same__ ("cov", sparse ([1 2; 3 5; 0 0]));         # an error since Octave 9
%!test                                   # cov_as_the_built-in: two arrays, which since Octave 9 are two variables
%! for x = {randn(20, 3), single(randn (20, 3)), complex(randn (20, 3), randn (20, 3)), rand(20, 3) > 0.5}
%!   for y = {randn(20, 3), single(randn (20, 3)), complex(randn (20, 3), randn (20, 3))}
%!     same (x{1}, y{1});
%!     same (x{1}, y{1}, 1);
%!     same (gpuArray (x{1}), y{1}, 0);
%!     same (x{1}(:,1), y{1}(:,1).');
%!   endfor
%! endfor
%! if (__gpr_rule__ ("cov_pairs"))
%!   same (5, 3);
%!   same (randn (2, 3, 4), randn (6, 4));
%!   same ([1 2; NaN 4], [5 6; 7 1], "omitrows");
%! else
%!   same (randn (20, 3), randn (20, 2));
%! endif
%!test                                   # integers are computed as double
%! k = randi ([-99 99], 20, 3);
%! assert (gpu_cov (int8 (k)), gpu_cov (k));
%! assert (gpu_cov (int8 (k), single (k), 1), gpu_cov (k, single (k), 1));
%!test                                   # NaN left out, by rows and by pairs
%! for type = {"double", "single"}
%!   x = cast (randn (60, 5), type{1});
%!   x(rand (size (x)) < 0.15) = NaN;
%!   for opt = [0 1]
%!     whole = x(! any (isnan (x), 2),:);
%!     assert (gpu_cov (x, opt, "omitrows"), gpu_cov (whole, opt));
%!     c = gpu_cov (x, opt, "PartialRows");
%!     assert (class (c), type{1});
%!     for i = 1:5
%!       for j = 1:5
%!         assert (c(i,j), pair (x(:,i), x(:,j), opt), 50 * eps (type{1}));
%!       endfor
%!     endfor
%!   endfor
%! endfor
%! assert (gpu_cov ([1 2; 3 4], "partialrows"), gpu_cov ([1 2; 3 4]));
%! assert (gpu_cov ([NaN 2 1; 3 NaN 5], "partialrows"), [0 NaN 0; NaN 0 0; 0 0 8]);
%! assert (gpu_cov ([NaN 2; 3 NaN], "omitrows"), NaN (2));
%!test                                   # cov_of_a_built-in that takes nanflags
%! if (__gpr_rule__ ("cov_pairs"))
%!   x = randn (60, 5);
%!   x(rand (size (x)) < 0.15) = NaN;
%!   for flag = {"includenan", "omitrows", "partialrows"}
%!     same (x, flag{1});
%!     same (x, 1, flag{1});
%!     same (x(:,1), flag{1});
%!     same (x(:,1), x(:,2), flag{1});
%!     same (x(:,1), x(:,2), 1, flag{1});
%!   endfor
%!   same ([NaN 2; 3 NaN], "omitrows");
%!   same ([NaN 2 1; 3 NaN 5], "partialrows");
%! endif
%!test                                   # cov_of_equal_elements is 0; an offset costs no digits
%! x = [0.1 * ones(1000, 1), randn(1000, 1), 1e9 / 3 * ones(1000, 1)];
%! c = gpu_cov (x);
%! assert (c([1 3],:), zeros (2, 3));
%! assert (c(2,2), var (x(:,2)), 1e-12);
%! for n = [3 7 10 1001]
%!   assert (gpu_cov (rand (1, 20) .* ones (n, 1)), zeros (20));
%! endfor
%! k = randi (9, 1000, 3);
%! assert (gpu_cov (k + 2 ^ 30), gpu_cov (k), 1e-10);
%!test                                   # gpuArrays: nothing but the product leaves a CPU's gpuArrays
%! x = randn (50, 4);
%! x(3) = NaN;
%! for flag = {"includenan", "omitrows", "partialrows"}
%!   before = gpu_config ("through_host", "count");
%!   c = gpu_cov (gpuArray (x), flag{1});
%!   after = gpu_config ("through_host", "count");
%!   g = gpuArray (x);
%!   g' * g;
%!   product = gpu_config ("through_host", "count") - after;
%!   assert (after - before <= product * (1 + 3 * strcmp (flag{1}, "partialrows")));
%!   assert (isgpuarray (c));
%!   assert (gather (c), gpu_cov (x, flag{1}), 1e-13);
%! endfor
%! assert (cov (gpuArray (x(:,2))), var (x(:,2)), 1e-13);
%! assert (class (cov (gpuArray (x(:,2)))), "double");
%!assert (gpu_cov ([1 2; 2 4; 3 9], 1, "device", "cpu"), [1 3.5; 3.5 13] * 2 / 3, 8 * eps)
%!error <Invalid call to gpu_cov> gpu_cov ()
%!error <gpu_cov: > gpu_cov ("abc")
%!error <gpu_cov: > gpu_cov ({1})
%!error <gpu_cov: > gpu_cov (ones (2, 2, 2))
%!error <gpu_cov: > gpu_cov (1:3, 1:4)
%!error <gpu_cov: > gpu_cov (1:3, 1:3, 2)
%!error <gpu_cov: > gpu_cov (1:3, "foo")
%!error <gpu_cov: > gpu_cov (1:3, 0, "omitrows", 1)
%!error id=gpureduce:invalid-input gpu_cov (1:3, "device", "toaster")
%!test                                   # diagonal_matrices_are_full_ones
%! for x = {eye(4), eye(4)(:,[2 1 3 4]), diag([1 2 3])}
%!   assert (gpu_cov (x{1}), gpu_cov (full (x{1})));
%!   assert (gpu_cov (x{1}, "device", "cpu"), gpu_cov (full (x{1})));
%! endfor
