## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{z} =} gpu_normalize (@var{x})
## @deftypefnx {} {@var{z} =} gpu_normalize (@var{x}, @var{dim})
## @deftypefnx {} {@var{z} =} gpu_normalize (@dots{}, @var{method})
## @deftypefnx {} {@var{z} =} gpu_normalize (@dots{}, @var{method}, @var{option})
## @deftypefnx {} {@var{z} =} gpu_normalize (@dots{}, "center", @var{option}, "scale", @var{option})
## @deftypefnx {} {[@var{z}, @var{c}, @var{s}] =} gpu_normalize (@dots{})
## @deftypefnx {} {[@dots{}] =} gpu_normalize (@dots{}, "device", @var{d})
## Shift and scale @var{x} along dimension @var{dim}, as the built-in @code{normalize} that Octave has since release 8:
## @code{@var{z} = (@var{x} - @var{c}) ./ @var{s}}.
##
## @var{x} is a double or single array of any size, or a gpuArray of one; the default dimension is the first that is longer than 1.  @var{z}
## has the class and the size of @var{x}; @var{c} and @var{s} have 1 in dimension @var{dim}, or are single numbers.  Elements that are NaN stay so
## and are left out of @var{c} and @var{s}.
##
## @table @asis
## @item "zscore", "std" or "robust"
## "std", the default: @var{c} is the mean, @var{s} the standard deviation.  "robust": @var{c} is the median, @var{s} the median of
## @code{abs (@var{x} - @var{c})}.
##
## @item "norm", @var{p}
## @var{s} is the @var{p}-norm, @code{sum (abs (@var{x}) .^ @var{p}) .^ (1 / @var{p})}, of a positive @var{p}, also Inf (2).
##
## @item "range", [@var{a}, @var{b}]
## The least element becomes @var{a}, the greatest @var{b} ([0, 1]); where all are equal they become @var{a}.
##
## @item "center", "mean", "median" or a number
## @var{c} ("mean").
##
## @item "scale", "std", "mad", "iqr", "first" or a number
## @var{s} ("std"): the standard deviation, the median absolute deviation as with "robust", the interquartile range, the first element, the number.
##
## @item "medianiqr"
## @var{c} is the median and @var{s} the interquartile range.
## @end table
##
## Only "center" and "scale" go together.  Words may be written in upper or lower case.
##
## The results differ from the built-in's, but for rounding, where it does not do what its help says: here the norm and "mad" leave NaN out in every release (the
## built-in does so for @var{p} 1 and Inf, and for "mad" since release 9); equal elements, whose standard deviation is 0, become NaN by "zscore" (the built-in's mean may
## round to a neighbour, and then z is made of rounding); along a dimension that @var{x} does not have the first element is the element itself, and the interquartile range is 0 of the class of @var{x}.  Integers are an error in every release; a word ("mean") of no elements is NaN.
##
## @example
## @group
## gpu_normalize ([1 2 3])
##     @result{} -1   0   1
## gpu_normalize ([1 2; 3 6], 2, "range")
##     @result{} 0   1
##        0   1
## [z, c, s] = gpu_normalize ([1 2 6], "center", 2, "scale", "first")
##     @result{} z = -1   0   4
##     @result{} c = 2
##     @result{} s = 1
## @end group
## @end example
##
## Errors: @code{gpureduce:invalid-input} for another @var{x}, @var{dim}, @var{method} or @var{option}.  @code{gpu_options} has
## more on "device", gpuArrays and errors.
##
## Sources are those of @code{gpu_mean}, @code{gpu_std}, @code{gpu_median} and @code{gpu_quantile}, which compute @var{c} and @var{s}.
## @seealso{gpu_softmax, gpu_std, gpu_median, gpu_iqr, gpu_range, gpu_options, normalize}
## @end deftypefn

function [z, c, s] = gpu_normalize (x, varargin)

  if (nargin == 0)
    print_usage ();
  endif
  device = "";
  [args, ranks] = own_piece ("gpu_normalize", nargout, [{x}, varargin]);
  if (numel (args) > 2)
    [args, device] = take_device (args);
  endif
  x = args{1};
  args = args(2:end);
  if (any (cellfun ("isclass", args, "gpuArray")))
    args = cellfun (@gather, args, "UniformOutput", false);
  endif
  if (! isfloat (x))
    error ("gpureduce:invalid-input", "gpu_normalize: X must be a double or single array");
  endif
  if (! isempty (args) && isnumeric (args{1}))
    dim = args{1};
    args(1) = [];
    if (! (isscalar (dim) && isreal (dim) && dim >= 1 && dim < 2 ^ 31 && dim == fix (dim)))
      error ("gpureduce:invalid-input", "gpu_normalize: DIM must be a dimension");
    endif
  else
    (dim = find (ranks.sizes > 1, 1)) || (dim = 1);
  endif
  [center, scale] = what_to_do (args);
  [arrays, options, gathers] = where_computed ("gpu_normalize", {x}, device, ranks);
  x = arrays{1};
  waits = nargout < 2 && ranks.dim == 0 && isa (x, "gpuArray") && strcmp (center.name, "mean") && strcmp (scale.name, "std") && ! isempty (x);
  if (waits)
    [z, c, s] = z_scores (x, dim, options);
  elseif (strcmp (scale.name, "range"))
    [c, s] = to_range (x, dim, scale.number, options);
  else
    c = statistic (center, x, dim, options, ranks);
    s = statistic (scale, x, dim, options, ranks);
  endif
  if (! waits)
    z = (x - c) ./ s;
  endif
  if (gathers)
    [z, c, s] = gather (z, c, s);
  endif
  c = result_of_ranks (ranks, dim, c);
  s = result_of_ranks (ranks, dim, s);

endfunction

## In one reading, where C and S wait until Z is computed.  The mean of equal elements may be off by its rounding, so it is not shown.
function [z, c, s] = z_scores (x, dim, options)
  if (__gpr_rule__ ("mean_wide"))               # means of singles are of sums in double, which do not wait
    c = __gpureduce__ ("mean:gpu_normalize", x, dim, "omitnan", options{:});
  else
    c = __gpureduce__ ("sum:gpu_normalize", x, dim, "omitnan", options{:}) ./ __gpureduce__ ("sum:gpu_normalize", ! isnan (x), dim, options{:});
  endif
  s = __gpureduce__ ("std:gpu_normalize", x, 0, dim, "omitnan", options{:});
  z = (x - c) ./ (s ./ (s > 0));                # equal elements: NaN, whatever their mean was rounded to
endfunction
function [center, scale] = what_to_do (args)

  center = struct ("name", "number", "number", 0);
  scale = struct ("name", "number", "number", 1);
  if (isempty (args))
    center.name = "mean";
    scale.name = "std";
    return;
  endif
  methods = {};
  while (! isempty (args))
    [methods{end+1}, option, args] = take_method (args);
    switch (methods{end})
      case "center"
        center = option;
      case {"norm", "range", "scale"}
        scale = option;
      otherwise
        [center.name, scale.name] = {"mean", "std"; "median", "mad"; "median", "iqr"}(strcmp (option.name, {"std"; "robust"; "iqr"}),:){:};
    endswitch
  endwhile
  if (numel (methods) > 1 && ! isequal (sort (methods), {"center", "scale"}))
    error ("gpureduce:invalid-input", "gpu_normalize: only \"center\" and \"scale\" may be combined, once each");
  endif

endfunction

## The first method, its option or the default of it, and the arguments after them.
function [method, option, args] = take_method (args)

  words = struct ("zscore", {{"std", "robust"}}, "norm", {{"norm"}}, "range", {{"range"}}, "center", {{"mean", "median"}}, ...
                  "scale", {{"std", "mad", "iqr", "first"}}, "medianiqr", {{"iqr"}});
  numbers = struct ("norm", 2, "range", [0 1], "center", 0, "scale", 1);
  method = args{1};
  if (! (ischar (method) && isrow (method) && isfield (words, lower (method))))
    error ("gpureduce:invalid-input", "gpu_normalize: METHOD must be %s", quoted (fieldnames (words)));
  endif
  method = lower (method);
  words = words.(method);
  option = struct ("name", words{1}, "number", []);
  takes_numbers = isfield (numbers, method);
  if (takes_numbers)
    option.number = numbers.(method);
  endif
  args(1) = [];
  if (isempty (args))
    return;
  endif
  next = args{1};
  if (isnumeric (next) || islogical (next))
    if (! (takes_numbers && isreal (next) && size_equal (next, option.number) && (! strcmp (method, "norm") || next > 0)))
      error ("gpureduce:invalid-input", "gpu_normalize: after \"%s\" must come %s", method, allowed (method, words));
    endif
    option.number = double (full (next));
    if (any (strcmp (method, {"center", "scale"})))
      option.name = "number";
    endif
  elseif (ischar (next) && isrow (next) && numel (words) > 1 && any (strcmpi (next, words)))
    option.name = lower (next);
  else
    return;
  endif
  args(1) = [];

endfunction

function text = allowed (method, words)
  switch (method)
    case "norm"
      text = "a positive number or Inf";
    case "range"
      text = "two numbers, [A, B]";
    case "medianiqr"
      text = "nothing";
    case "zscore"
      text = quoted (words);
    otherwise
      text = ["a number, " quoted(words)];
  endswitch
endfunction

function text = quoted (words)
  words = cellfun (@(w) ["\"" w "\""], words(:)', "UniformOutput", false);
  text = [strjoin(words(1:end-1), ", ") " or " words{end}];
endfunction

## A statistic of the elements that are not NaN; of no elements it is NaN.
function v = statistic (what, x, dim, options, ranks)

  if (strcmp (what.name, "number"))
    v = what.number;
    return;
  elseif (! all (ranks.sizes))
    v = __gpureduce__ ("mean:gpu_normalize", x, dim, ranks.options{:});
    return;
  endif
  switch (what.name)
    case "mean"
      v = mean_of ("gpu_normalize", x, dim, "omitnan", options);
    case "std"
      v = __gpureduce__ ("std:gpu_normalize", x, 0, dim, "omitnan", options{:});
    case "median"
      v = __gpureduce__ ("median:gpu_normalize", x, dim, "omitnan", options{:});
    case "mad"
      from = __gpureduce__ ("median:gpu_normalize", x, dim, "omitnan", options{:});
      v = __gpureduce__ ("median:gpu_normalize", abs (x - from), dim, "omitnan", options{:});
    case "iqr"
      upper = __gpureduce__ ("quantile:gpu_normalize", x, 0.75, dim, options{:});
      v = upper - __gpureduce__ ("quantile:gpu_normalize", x, 0.25, dim, options{:});
    case "first"
      v = first_of (x, dim, options, ranks);
    case "norm"
      v = p_norm (x, dim, what.number, options);
  endswitch

endfunction

## The first element along DIM, which one rank has.
function v = first_of (x, dim, options, ranks)
  at = arrayfun (@(d) 1:size (x, d), 1:max (ndims (x), dim), "UniformOutput", false);
  at{dim} = 1:double (dim != ranks.dim || (ranks.from == 0 && size (x, dim) > 0));
  v = x(at{:});
  if (dim == ranks.dim)
    v = __gpureduce__ ("max:gpu_normalize", v, [], dim, options{:});
  endif
endfunction

function v = p_norm (x, dim, p, options)
  switch (p)
    case 1
      v = __gpureduce__ ("sum:gpu_normalize", abs (x), dim, "omitnan", options{:});
    case 2
      v = sqrt (__gpureduce__ ("sumsq:gpu_normalize", x, dim, "omitnan", options{:}));
    case Inf
      v = __gpureduce__ ("max:gpu_normalize", abs (x), [], dim, options{:});
    otherwise
      v = __gpureduce__ ("sum:gpu_normalize", abs (x) .^ p, dim, "omitnan", options{:}) .^ (1 / p);
  endswitch
endfunction

## The least element is to become ENDS(1), the greatest ENDS(2).
function [c, s] = to_range (x, dim, ends, options)
  [least, greatest] = __gpureduce__ ("bounds:gpu_normalize", x, dim, options{:});
  width = greatest - least;
  s = (width + (width == 0)) ./ (ends(2) - ends(1));
  c = least - ends(1) .* s;
endfunction

## what C and S are of a column
%!function text = as_text (a)
%!  text = a;
%!  if (isnumeric (a))
%!    text = mat2str (a);
%!  endif
%!endfunction
%!function [c, s] = by_definition (v, args)
%!  c = 0;
%!  s = 1;
%!  first = v(1);
%!  v = v(! isnan (v));
%!  middle = median (v);
%!  switch (strjoin (cellfun (@as_text, args, "UniformOutput", false), " "))
%!    case {"", "zscore", "zscore std"}
%!      c = mean (v);
%!      s = std (v);
%!    case "zscore robust"
%!      c = middle;
%!      s = median (abs (v - middle));
%!    case {"norm", "norm 2"}
%!      s = norm (v);
%!    case {"norm 1", "norm Inf", "norm 3", "norm 0.5"}
%!      s = norm (v, args{2});
%!    case "range"
%!      s = max (v) - min (v);
%!      c = min (v);
%!    case "range [-2 5]"
%!      s = (max (v) - min (v)) / 7;
%!      c = min (v) + 2 * s;
%!    case {"center", "center mean"}
%!      c = mean (v);
%!    case "center median"
%!      c = middle;
%!    case "center 3"
%!      c = 3;
%!    case {"scale", "scale std"}
%!      s = std (v);
%!    case "scale mad"
%!      s = median (abs (v - middle));
%!    case "scale iqr"
%!      s = diff (quantile (v, [0.25; 0.75]));
%!    case "scale first"
%!      s = first;
%!    case "scale 4"
%!      s = 4;
%!    case "medianiqr"
%!      c = middle;
%!      s = diff (quantile (v, [0.25; 0.75]));
%!    case {"center scale", "scale std center mean"}
%!      c = mean (v);
%!      s = std (v);
%!    case "scale iqr center 3"
%!      c = 3;
%!      s = diff (quantile (v, [0.25; 0.75]));
%!    otherwise
%!      error ("no method %s", disp (args));
%!  endswitch
%!endfunction
%!function list = all_methods ()
%!  list = {{}, {"zscore"}, {"zscore", "std"}, {"zscore", "robust"}, {"norm"}, {"norm", 1}, {"norm", 2}, {"norm", Inf}, {"norm", 3}, {"norm", 0.5}, ...
%!          {"range"}, {"range", [-2 5]}, {"center"}, {"center", "mean"}, {"center", "median"}, {"center", 3}, {"scale"}, {"scale", "std"}, ...
%!          {"scale", "mad"}, {"scale", "iqr"}, {"scale", "first"}, {"scale", 4}, {"medianiqr"}, {"center", "scale"}, ...
%!          {"scale", "std", "center", "mean"}, {"scale", "iqr", "center", 3}};
%!endfunction
%!function near (y, y0, scale)
%!  assert (size (y), size (y0));
%!  assert (double (y), double (y0), scale * max ([1; abs(y0(isfinite (y0))(:))]));
%!endfunction

%!assert (gpu_normalize ([1 2 3]), [-1 0 1])
%!assert (gpu_normalize ([1 2; 3 6], 2, "range"), [0 1; 0 1])
%!test                                   # normalize_by_definition: each method, dimension and class, with NaN
%! for type = {"double", "single"}
%!   x = cast (randn (40, 6) + (1:6), type{1});
%!   x(rand (size (x)) < 0.1) = NaN;
%!   x(1,:) = 2:7;
%!   tolerance = 200 * eps (type{1});
%!   for args = all_methods ()
%!     for k = 1:6
%!       [c0(1,k), s0(1,k)] = by_definition (double (x(:,k)), args{1});
%!     endfor
%!     for dim = 1:3
%!       y = permute (x, circshift ([1 2 3], dim - 1));      # the columns of x along DIM
%!       along = @(v) permute (v, circshift ([1 2 3], dim - 1));
%!       [z, c, s] = gpu_normalize (y, dim, args{1}{:});
%!       assert (class (z), type{1});
%!       near (z, along ((x - c0) ./ s0), tolerance * 100);
%!       near (c + zeros (size (along (c0))), along (c0), tolerance * 10);
%!       near (s + zeros (size (along (s0))), along (s0), tolerance * 100);
%!       assert (isscalar (s), ! any (strcmp (args{1}, "scale")) && any (strcmp (args{1}, "center")) || isequal (args{1}, {"scale", 4}));
%!     endfor
%!   endfor
%!   assert (gpu_normalize (x'), gpu_normalize (x', 1));
%!   assert (gpu_normalize (x(:,1)'), gpu_normalize (x(:,1)', 2));
%! endfor
%!test                                   # normalize_as_the_built-in, where there is one
%! if (exist ("normalize"))
%!   for x = {randn(30, 5), randn(1, 9), single(randn (4, 3, 5)), randn(2, 2, 2), 5, [1 Inf 3; 4 5 6]}
%!     for args = all_methods ()
%!       for dim = {{}, {1}, {2}, {3}}
%!         [z, c, s] = gpu_normalize (x{1}, dim{1}{:}, args{1}{:});
%!         [z0, c0, s0] = normalize (x{1}, dim{1}{:}, args{1}{:});
%!         assert ({class(z), class(c), class(s), size(z), size(c), size(s)}, {class(z0), class(c0), class(s0), size(z0), size(c0), size(s0)});
%!         tolerance = 1e4 * eps (class (z));
%!         assert (z, z0, tolerance);
%!         assert (c, c0, tolerance);
%!         assert (s, s0, tolerance);
%!       endfor
%!     endfor
%!   endfor
%! endif
%!test                                   # normalize_of_equal_elements: 0 / 0, not what rounding leaves; in a range they are its beginning
%! for n = [1 2 3 7 10 100 4099]
%!   x = rand (1, 20) .* ones (n, 1) .* 10 .^ randi ([-9 9], 1, 20);
%!   [z, c, s] = gpu_normalize (x, 1);
%!   assert (z, NaN (n, 20));
%!   assert (c, x(1,:));
%!   assert (s, zeros (1, 20));
%!   assert (gpu_normalize (single (x), 1), NaN (n, 20, "single"));
%!   assert (gpu_normalize (x, 1, "center"), zeros (n, 20));
%!   assert (gpu_normalize (x, 1, "range", [3 5]), 3 * ones (n, 20), 1e-12);
%! endfor
%!test                                   # without elements
%! for sizes = {[0 0], [0 3], [3 0], [2 0 3]}
%!   for args = all_methods ()
%!     if (! any (strcmp (args{1}, "range")))
%!       assert (gpu_normalize (zeros (sizes{1}, "single"), args{1}{:}), zeros (sizes{1}, "single"));
%!     endif
%!   endfor
%! endfor
%! [z, c, s] = gpu_normalize (zeros (0, 3), 1);
%! assert ({z, c, s}, {zeros(0, 3), NaN(1, 3), NaN(1, 3)});
%!test                                   # a gpuArray that is a vector: its mean and deviation are one number each
%! for x = {randn(1, 40), single(randn (3000, 1)), [1 NaN 3], [Inf 1 2], [2 2 2], 5}
%!   z = gpu_normalize (gpuArray (x{1}));
%!   assert (isgpuarray (z));
%!   assert (gather (z), gpu_normalize (x{1}), 32 * eps (class (x{1})));
%! endfor
%!test                                   # gpuArrays stay where they are
%! old = gpu_config ("through_host", "error");
%! unwind_protect
%!   for x = {randn(30, 5), single(randn (4, 3, 5)), [1 NaN 4; 2 6 8; 3 5 1], 7}
%!     for args = all_methods ()
%!       for dim = {1, 2}
%!         [z, c, s] = gpu_normalize (gpuArray (x{1}), dim{1}, args{1}{:});
%!         [z0, c0, s0] = gpu_normalize (x{1}, dim{1}, args{1}{:});
%!         tolerance = 100 * eps (class (z0)) * max ([1; abs(z0(! isnan (z0)))]);
%!         assert (isgpuarray (z));
%!         assert (gather (z), z0, tolerance);
%!         assert (gather (c), c0, tolerance);
%!         assert (gather (s), s0, tolerance);
%!       endfor
%!     endfor
%!   endfor
%!   assert (gather (normalize (gpuArray ([1 2 3]), gpuArray (2))), [-1 0 1]);
%! unwind_protect_cleanup
%!   gpu_config ("through_host", old);
%! end_unwind_protect
%!test                                   # complex numbers: what mean, std, sums and max make of them
%! x = complex (randn (9, 3), randn (9, 3));
%! assert (gpu_normalize (x), (x - mean (x)) ./ std (x), 1e-13);
%! assert (gpu_normalize (x, "norm"), x ./ sqrt (sumsq (x)), 1e-13);
%!assert (gpu_normalize (sparse ([1 2 3])), [-1 0 1])
%!assert (gpu_normalize ([1 2 3], "CENTER", "Median", "device", "cpu"), [-1 0 1])
%!error <Invalid call to gpu_normalize> gpu_normalize ()
%!error <gpu_normalize: X must be a double or single> gpu_normalize (int8 (1:3))
%!error <gpu_normalize: X must be a double or single> gpu_normalize ("abc")
%!error <gpu_normalize: DIM must be> gpu_normalize (1:3, 0)
%!error <gpu_normalize: DIM must be> gpu_normalize (1:3, [1 2])
%!error <gpu_normalize: METHOD must be "zscore", "norm"> gpu_normalize (1:3, "foo")
%!error <gpu_normalize: METHOD must be> gpu_normalize (1:3, {1})
%!error <gpu_normalize: METHOD must be> gpu_normalize (1:3, 1, 2)
%!error <gpu_normalize: METHOD must be> gpu_normalize (1:3, "zscore", "mad")
%!error <gpu_normalize: after "zscore" must come "std" or "robust"> gpu_normalize (1:3, "zscore", 2)
%!error <gpu_normalize: after "norm" must come a positive number> gpu_normalize (1:3, "norm", 0)
%!error <gpu_normalize: after "range" must come two numbers> gpu_normalize (1:3, "range", 1)
%!error <gpu_normalize: after "scale" must come a number, "std", "mad", "iqr" or "first"> gpu_normalize (1:3, "scale", [1 2])
%!error <gpu_normalize: after "medianiqr" must come nothing> gpu_normalize (1:3, "medianiqr", 1)
%!error <gpu_normalize: only "center" and "scale" may be combined> gpu_normalize (1:3, "center", "range")
%!error <gpu_normalize: only "center" and "scale" may be combined> gpu_normalize (1:3, "scale", "scale")
%!error id=gpureduce:invalid-input gpu_normalize (1:3, "center", 1, "device", "toaster")
%!test                                   # diagonal matrices and ranges are arrays
%! assert (gpu_normalize (eye (4)), gpu_normalize ([1 0 0 0; 0 1 0 0; 0 0 1 0; 0 0 0 1]));
%! assert (gpu_normalize (1:5), gpu_normalize ([1 2 3 4 5]));
%! assert (gpu_softmax (eye (3)), gpu_softmax ([1 0 0; 0 1 0; 0 0 1]));
%!test                                   # large_gpuarrays_with_and_without_nan_are_as_the_hosts
%! x = randn (1001, 1000);
%! y = x;
%! y(5,7) = NaN;
%! y(:,9) = 3;
%! y(2,2) = Inf;
%! for a = {x, y, single(y), complex(y, x)}
%!   for dim = 1:2
%!     assert (gather (gpu_normalize (gpuArray (a{1}), dim)), gpu_normalize (a{1}, dim), 20 * eps (class (a{1})));   # singles' means differ since Octave 9
%!   endfor
%! endfor
