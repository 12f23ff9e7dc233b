## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{z} =} gpu_mapreduce (@var{f}, @var{op}, @var{x}, @dots{})
## @deftypefnx {} {[@var{z}, @var{i}] =} gpu_mapreduce (@dots{}, @var{name}, @var{value}, @dots{})
## Reduce @code{@var{f} (@var{x}, @dots{})} by the operator @var{op}, as far as it can be done without making that array.
##
## @var{f} is a function handle of as many arrays as follow @var{op}: numeric, logical or character arrays of any sizes that @var{f} takes, or
## gpuArrays.  @var{op}, the options by name after the arrays, and the results are those of @code{gpu_reduce}.  Without a gpuArray among the arrays
## the results are ordinary arrays, else gpuArrays where they are no single numbers.
##
## @var{f} is called once, with gpuArrays for the arrays.  Elementwise operations on these wait (@code{gpu_config ("lazy")}), so the reduction reads the
## arrays and computes each element where it is reduced: @code{gpu_mapreduce (@@(x, y) exp (x - y), "sum", x, y)} is one reading of @code{x} and @code{y}.  What
## in @var{f} asks for a value (@code{if}, an index, a function that is not elementwise) is computed then, and @var{f} goes on with it.
##
## With "comm", @var{c} the arrays are this rank's, and what @var{f} makes of them is its piece (@code{gpu_comm}).
##
## The results have the bits of @code{gpu_reduce (@var{f} (@var{x}, @dots{}), @var{op}, @dots{})} with gpuArrays.  For gpuArrays @code{sum (@var{f} (@var{x}))} does the same.
##
## @example
## @group
## gpu_mapreduce (@@(x, mu) (x - mu) .^ 2, "sum", [1 2 3 4], 2.5)
##     @result{} 5
## [m, i] = gpu_mapreduce (@@(a, b) abs (a - b), "max", [1 5 2], [4 4 4])
##     @result{} m = 3
##     @result{} i = 1
## gpu_mapreduce (@@(x) x > 1, "mean", [0 1; 2 3], "dim", 2)
##     @result{} 0
##        1
## @end group
## @end example
##
## Errors: @code{gpureduce:invalid-input} for what is no function handle, no operator or no option; what @var{f} raises is not changed, but with "comm".
## @seealso{gpu_map, gpu_reduce, gpuArray, gpu_config}
## @end deftypefn

function [z, i] = gpu_mapreduce (f, op, varargin)

  if (nargin < 3)
    print_usage ();
  endif
  y = {};
  if (nargout < 2)
    [z, y] = __gpr_octave__ ("mapreduce", f, op, varargin{:});          # the usual call, for which what follows takes longer than all else
    if (! isempty (z))
      return;
    endif
  endif
  [arrays, options] = apart (varargin);
  if (isempty (y))
    [y, gathers] = mapped (f, arrays, options);
  else                          # F was called, and its value is what is not usual
    y = y{1};
    gathers = ! any (cellfun ("isclass", arrays, "gpuArray"));
  endif
  out = cell (1, max (nargout, 1));
  try
    [out{:}] = gpu_reduce (y, op, options{:});
  catch err
    raise (err);
  end_try_catch
  if (gathers)
    [out{:}] = gather (out{:});
  endif
  z = out{1};
  i = out{end};

endfunction

## The arrays, and the options from the first name of one on.
function [arrays, options] = apart (args)
  names = {"dim", "outtype", "nanflag", "meantype", "device", "variant", "finish", "block", "force", "limits", "comm", "result", "divided"};
  n = 0;
  for a = args
    if (isrow (a{1}) && ! iscell (a{1}) && any (strcmpi (a{1}, names)))         # ischar of a gpuArray takes longer
      break;
    endif
    n++;
  endfor
  arrays = args(1:n);
  options = args(n+1:end);
endfunction

## What F makes of the arrays.  Its error is that of all ranks, which wait for word of this one.
function [y, gathers] = mapped (f, arrays, options)
  try
    [y, gathers] = of_gpuarrays ("gpu_mapreduce", f, arrays);
  catch err
    [~, named] = without_comm ([{f}, options]);
    if (! isempty (named))
      said = strrep (err.message, "\n", " ");
      try
        __gpureduce__ ("fail:gpu_reduce", said(1:min (end, 190)), named{:});
      catch err
        raise (err);
      end_try_catch
    endif
    rethrow (err);
  end_try_catch
endfunction

## An error of gpu_reduce as one of this function.
function raise (err)
  error (struct ("message", regexprep (err.message, '^gpu_reduce: ', "gpu_mapreduce: ", "once"), "identifier", err.identifier));
endfunction

%!test
%! x = randn (300, 40);
%! y = randn (300, 40);
%! for op = {"sum", "max", "mean", "sumsq", "any", "nnz"}
%!   want = gpu_reduce (exp (x - y) - 1, op{1});
%!   got = gpu_mapreduce (@(a, b) exp (a - b) - 1, op{1}, x, y);
%!   assert (class (got), class (want));
%!   assert (got, want, 1e-12 * (1 + max (abs (want(:)))));
%! endfor
%! assert (gpu_mapreduce (@(a) (a - mean (x)) .^ 2, "sum", x, "dim", 2), sum ((x - mean (x)) .^ 2, 2), 1e-10);
%! assert (gpu_mapreduce (@(a) a(:) .* 2, "max", single (x), "DIM", "all"), 2 * max (single (x)(:)));
%!test
%! g = gpuArray ([1 2; 3 4]);
%! s = gpu_mapreduce (@(a, b) a .* b, "sum", g, [1; 2]);
%! assert (isa (s, "gpuArray"));
%! assert (gather (s), [7 10]);
%!test                                   # second_outputs_are_gathered_as_the_first
%! for x = {[1 5 2; 7 0 4], gpuArray([1 5 2; 7 0 4])}
%!   [m, i] = gpu_mapreduce (@(a) abs (a - 4), "max", x{1}, "dim", 2);
%!   assert ({class(m), class(i)}, {class(x{1}), class(x{1})});
%!   assert (gather ([m i]), [3 1; 4 2]);
%! endfor
%!function y = doubled_if_positive (a)
%!  if (a(1) > 0)
%!    y = a * 2;
%!  else
%!    y = a;
%!  endif
%!endfunction
%!test                                   # a handle that asks for values
%! f = @(a) doubled_if_positive (a);
%! assert (gpu_mapreduce (f, "sum", [1 2 3]), 12);
%! assert (gpu_mapreduce (f, "sum", -[1 2 3]), -6);
%!function [y, n] = counted (x)
%!  persistent calls = 0;
%!  calls += 1;
%!  y = x;
%!  n = calls;
%!endfunction
%!test                                   # a_handle_is_called_once_whatever_it_gives
%! x = magic (4);
%! for make = {@(x) x, @(x) gpuArray (x)}
%!   x = make{1} (magic (4));
%!   for f = {@(x) counted (x), @(x) counted (gather (x)), @(x) counted (zeros (0, 3)), @(x) counted (5), @(x) counted ("text")}
%!     for args = {{"sum"}, {"sum", "dim", 1}, {"sum", "DIM", 1}, {"max", "dim", "all"}, {"histogram"}, {"no operator"}, {5}}
%!       [~, before] = counted (0);
%!       try
%!         gpu_mapreduce (f{1}, args{1}{1}, x, args{1}{2:end});
%!       end_try_catch
%!       [~, after] = counted (0);
%!       assert (after, before + 2);
%!     endfor
%!   endfor
%! endfor
%!test                                   # every_operator_gives_what_gpu_reduce_gives
%! x = [3 1 4; 1 5 9; 2 6 5; 3 5 8] / 4;
%! g = gpuArray (x);
%! for o = __gpureduce__ ("operators")
%!   for options = {{}, {"dim", 1}, {"dim", 2}, {"dim", 7}, {"Dim", 2}, {"dim", gpuArray(2)}, {"dim", "all"}, {"dim", []}, {"dim", 1, "device", "cpu"}}
%!     if (o.reduce)
%!       try
%!         want = gpu_reduce (g .* 2, o.name, options{1}{:});
%!       catch err
%!         want = strrep (err.message, "gpu_reduce: ", "gpu_mapreduce: ");
%!       end_try_catch
%!       for arrays = {{g, 2}, {x, 2}, {2, g}}
%!         try
%!           got = gpu_mapreduce (@(a, b) a .* b, o.name, arrays{1}{:}, options{1}{:});
%!         catch err
%!           got = err.message;
%!         end_try_catch
%!         on_host = ! any (cellfun ("isclass", arrays{1}, "gpuArray"));
%!         assert (class (got), class ({want, gather(want)}{1 + on_host}));
%!         assert (gather (got), gather (want));
%!       endfor
%!     endif
%!   endfor
%! endfor
%!test                                   # text_is_an_array_unless_it_names_an_option
%! assert (gpu_mapreduce (@(a, b) double (a) + b, "sum", "dims", 1), sum (double ("dims") + 1));
%! assert (gpu_mapreduce (@(a) double (a), "sum", ["dim"; "dim"]), sum (double (["dim"; "dim"])));
%! assert (gpu_mapreduce (@(a, b, c) size (b), "sum", 1, reshape ("dim", 1, 1, 3), 2), 5);
%! assert (gpu_mapreduce (@(a) a, "sum", gpuArray ([1 2; 3 4]), gpuArray ("dim"), 2), gpuArray ([3; 7]));
%! assert (gpu_mapreduce (@(varargin) numel (varargin), "sum", "dim", 1), 0);
%!error <gpu_mapreduce: dim must be> gpu_mapreduce (@(x) x, "max", gpuArray (1:3), "dim", 0)
%!error <gpu_mapreduce: wrong type argument 'cell'> gpu_mapreduce (@(x) {x}, "sum", 1:3)
%!error <^gpu_reduce: my own> gpu_mapreduce (@(x) error ("gpu_reduce: my own"), "sum", gpuArray (1:3))
%!error <no longer valid> g = gpuArray (1:3); delete (g); gpu_mapreduce (@(x) x, "sum", g)
%!function varargout = nothing (x)
%!endfunction
%!error <value on the right hand side of the assignment> gpu_mapreduce (@(x) nothing (x), "sum", gpuArray (1:3))
%!assert (gpu_mapreduce (@(a) a, "sum", int8 ([100 100])), 200)
%!assert (gpu_mapreduce (@(a) a, "sum", zeros (0, 3)), [0 0 0])
%!error <Invalid call> gpu_mapreduce (@(x) x, "sum")
%!error <gpu_mapreduce: F must be a function handle> gpu_mapreduce (1, "sum", 1:3)
%!error <gpu_mapreduce: .*"median"|gpu_mapreduce: .*nosuch> gpu_mapreduce (@(x) x, "nosuch", 1:3)
%!error <nonconformant> gpu_mapreduce (@(x, y) x + y, "sum", 1:3, 1:4)
