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

function varargout = gpu_mapreduce (f, op, varargin)

  if (nargin < 3)
    print_usage ();
  endif
  names = {"dim", "outtype", "nanflag", "meantype", "device", "variant", "finish", "block", "force", "limits", "comm", "result", "divided"};
  first = find (cellfun (@(a) ischar (a) && isrow (a) && any (strcmpi (a, names)), varargin), 1);
  if (isempty (first))
    first = numel (varargin) + 1;
  endif
  options = varargin(first:end);
  [y, gathers] = mapped (f, varargin(1:first-1), options);
  varargout = as_own (nargout, @gpu_reduce, y, op, options{:});
  if (gathers)
    varargout = cellfun (@gather, varargout, "UniformOutput", false);
  endif

endfunction

## What F makes of the arrays.  Its error is that of all ranks, which wait for word of this one.
function [y, gathers] = mapped (f, arrays, options)
  try
    [y, gathers] = of_gpuarrays ("gpu_mapreduce", f, arrays);
  catch err
    [~, named] = without_comm ([{f}, options]);
    if (! isempty (named))
      said = strrep (err.message, "\n", " ");
      as_own (0, @__gpureduce__, "fail:gpu_reduce", said(1:min (end, 190)), named{:});
    endif
    rethrow (err);
  end_try_catch
endfunction

## The outputs of a call in a cell, or its error as one of this function.
function out = as_own (outputs, f, varargin)
  try
    [out{1:max(outputs, 1)}] = f (varargin{:});
  catch err
    error (err.identifier, "%s", regexprep (err.message, '^gpu_reduce: ', "gpu_mapreduce: ", "once"));
  end_try_catch
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
%!assert (gpu_mapreduce (@(a) a, "sum", int8 ([100 100])), 200)
%!assert (gpu_mapreduce (@(a) a, "sum", zeros (0, 3)), [0 0 0])
%!error <Invalid call> gpu_mapreduce (@(x) x, "sum")
%!error <gpu_mapreduce: F must be a function handle> gpu_mapreduce (1, "sum", 1:3)
%!error <gpu_mapreduce: .*"median"|gpu_mapreduce: .*nosuch> gpu_mapreduce (@(x) x, "nosuch", 1:3)
%!error <nonconformant> gpu_mapreduce (@(x, y) x + y, "sum", 1:3, 1:4)
