## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{kinds} =} __gpr_values__ ()
## @deftypefnx {} {@var{c} =} __gpr_values__ (@var{kind})
## Undocumented internal function: for @code{gpu_selftest}, the kinds of what is written with gpuArrays, and a random case
## of one, as a structure that says what it is (@code{text}), computes it on gpuArrays and on host arrays (@code{ours}, @code{theirs}),
## and says by how much these may differ (@code{bound}).
## @end deftypefn

function c = __gpr_values__ (kind)
  if (nargin == 0)
    c = {"operators", "functions", "indexing", "assignment", "copies", "conditions and loops", "concatenation", "files", "reductions"};
    return;
  endif
  x = random_array ();
  y = 0;
  bound = @(z) 0;
  name = k = "";
  placed = [true, rand() < 0.5];        # on the device: of two operands one at least
  switch (kind)
    case "operators"
      f = pick ({@plus, @minus, @times, @rdivide, @power, @eq, @ne, @lt, @le, @gt, @ge, @and, @or, @max, @min, @mod, @rem, @atan2, @hypot, @bitand, @bitor, @bitxor});
      y = partner (x);
      placed = pick ({[true true], [true false], [false true]});
      bound = @units;
    case "functions"
      name = pick ({"uminus", "not", "abs", "sign", "floor", "ceil", "round", "fix", "sqrt", "isnan", "isinf", "isfinite", "exp", "expm1", "log", ...
                    "log1p", "sin", "cos", "tan", "atan", "sinh", "tanh", "asinh", "erf", "cbrt", "double", "single", "int8", "uint16", "int32"});
      f = @(x, y) feval (name, x);
      bound = @units;
    case "indexing"
      y = pick ({1:2, [2 1 1], 3, int8(1), 1:2:3, 3:-1:1, 9, 1.5, 0, [true false]});
      f = pick ({@(x, k) x(k), @(x, k) x(:,k), @(x, k) x(k,:), @(x, k) x(k,end), @(x, k) x(end:-1:1), @(x, k) x(x > 1), @(x, k) x(any (x, 2),:), ...
                 @(x, k) x(:), @(x, k) x(:,:,1), @(x, k) x(find (x > 0)), @(x, k) reshape (x, [], 1), @(x, k) x.', @(x, k) permute (x, [2 1 3])});
    case "assignment"
      y = pick ({5, [], ifelse(ischar (x), 5, true), int8(3), 1:2, x(:).', NaN});       # "abc"(2) = true has a class of its own
      k = pick ({1, 2, 1:2, ":", [2 1], 7, 0});
      f = pick ({@(x, y) assigned (x, y, k), @(x, y) assigned (x, y, ":", k), @(x, y) assigned (x, y, k, 1), @(x, y) assigned (x, y, x > 1), ...
                 @(x, y) removed (x, k), @(x, y) removed (x, ":", k)});
    case "copies"
      f = pick ({@copied, @copied_in_a_cell, @copied_in_a_structure});
    case "conditions and loops"
      f = pick ({@truth, @columns_of, @switched, @counted});
    case "concatenation"
      y = partner (x);
      f = pick ({@(x, y) [x, y], @(x, y) [x; y], @(x, y) [x; 9 9], @(x, y) cat(3, x, y), @(x, y) [x, 1, x], @(x, y) [x(:).', y(:).']});
    case "files"
      y = pick ({"-text", "-binary"});
      f = @saved;
    case "reductions"
      name = pick ({"sum", "prod", "max", "min", "any", "all", "mean", "median", "cumsum", "std"});
      args = pick ({{}, {1}, {2}});
      if (any (strcmp (name, {"max", "min", "std"})) && ! isempty (args))
        args = [{[]}, args];
      endif
      f = @(x, y) reduced (x, name, args);
  endswitch
  c = struct ("x", x, "text", sprintf ("%s %s, y = %s, k = %s", func2str (f), name, shown (y), shown (k)), "ours", [], "theirs", @(x) only (f, x, y), "bound", 0, "tie", [], "instead", [], ...
              "other", [], "na_is_nan", true);
  c.ours = @(x, device) only (f, on_device (x, placed(1)), on_device (y, placed(2)));
  try
    c.bound = bound (f (x, y));
  end_try_catch
endfunction

function x = pick (list)
  x = __gpr_random__ ("pick", list);
endfunction

function text = shown (y)
  text = strtrim (regexprep (disp (y)(1:min (end, 60)), '\s+', " "));
endfunction

function x = ifelse (condition, x, y)
  if (! condition)
    x = y;
  endif
endfunction

## Of functions of libraries: 4 units in the last place there, and 4 here.
function b = units (z)
  b = 8 * double (eps (abs (ifelse (isfloat (z), z, double (z)))));
endfunction

function x = random_array ()
  x = __gpr_random__ ("numbers", pick (__gpr_random__ ("classes")), __gpr_random__ ("size", 200));
  if (isfloat (x) && rand () < 0.1)
    x = complex (x, 1);
  endif
endfunction

## Another operand, mostly of a size that goes with it.  The built-ins horzcat and cat lose complex arrays beside text.
function y = partner (x)
  y = pick ({x, flip(x), x(:,1:min (1, end)), x(1:min (1, end),:), 2, -1.5, single(3), int8(2), true, ifelse(isreal (x), "a", 3), [1 2 3]});
endfunction

function [a, b] = only (f, x, y)
  a = gather (f (x, y));
  b = [];
endfunction

function x = on_device (x, wanted)
  if (wanted && (isnumeric (x) || islogical (x)))
    x = gpuArray (x);
  endif
endfunction

## ---- what is written ----

function x = assigned (x, y, varargin)
  x(varargin{:}) = y;
endfunction

function x = removed (x, varargin)
  x(varargin{:}) = [];
endfunction

function z = copied (x, y)
  b = x;
  x(1) = 5;
  z = [b(:).', x(:).'];
endfunction

function z = copied_in_a_cell (x, y)
  c = d = {x, y};
  d{1}(1) = 5;
  z = [c{1}(:).', d{1}(:).'];
endfunction

function z = copied_in_a_structure (x, y)
  s.x = x;
  t = s;
  t.x(1) = 5;
  z = [s.x(:).', t.x(:).'];
endfunction

function z = truth (x, y)
  z = 0;
  if (x)
    z = 1;
  endif
endfunction

function z = columns_of (x, y)
  z = [];
  for c = x
    z = [z; c(:)];
  endfor
endfunction

function z = switched (x, y)
  switch (x(1))
    case {0, 2}
      z = 1;
    case 1
      z = 2;
    otherwise
      z = 3;
  endswitch
endfunction

function z = counted (x, y)
  z = x(1:0);
  for k = 1:min (x(1), 4)
    z = [z, k];
  endfor
endfunction

function z = saved (x, format)
  file = tempname ();
  unwind_protect
    save (format, file, "x");
    z = load (file).x;
  unwind_protect_cleanup
    unlink (file);
  end_unwind_protect
endfunction

## The methods, beside this package's functions of host arrays.
function z = reduced (x, name, args)
  if (isgpuarray (x))
    z = feval (name, x, args{:});
  else
    z = feval (["gpu_" name], x, args{:});
  endif
endfunction

%!test # the_cases_are_mostly_no_errors
%! states = {rand("twister"), randn("twister")};
%! unwind_protect
%!   rand ("twister", 1);
%!   randn ("twister", 1);
%!   for kind = __gpr_values__ ()
%!     works = 0;
%!     for k = 1:50
%!       c = __gpr_values__ (kind{1});
%!       try
%!         c.theirs (c.x);
%!         works += 1;
%!       end_try_catch
%!     endfor
%!     assert (works > 10, "%s: %d of 50", kind{1}, works);
%!   endfor
%! unwind_protect_cleanup
%!   rand ("twister", states{1});
%!   randn ("twister", states{2});
%! end_unwind_protect
%!test # a_method_that_is_wrong_is_seen
%! folder = tempname ();
%! mkdir (fullfile (folder, "@gpuArray"));
%! fid = fopen (fullfile (folder, "@gpuArray", "horzcat.m"), "w");
%! fputs (fid, "function g = horzcat (varargin)\n  g = gpuArray (5);\nendfunction\n");
%! fclose (fid);
%! [gpuArray(1), 2];     # the right method, which Octave keeps for the session, as other tests have called it
%! here = cd (folder);   # which comes before all of the path, as the package's own folder does for pkg test
%! rehash ();            # what is kept is looked for again
%! wrong = 0;
%! unwind_protect
%!   for k = 1:50
%!     c = __gpr_values__ ("concatenation");
%!     try
%!       wrong += ! isequaln (c.ours (c.x, {}), c.theirs (c.x));
%!     end_try_catch
%!   endfor
%! unwind_protect_cleanup
%!   cd (here);
%!   rehash ();
%!   confirm_recursive_rmdir (false, "local");
%!   rmdir (folder, "s");
%! end_unwind_protect
%! assert (wrong > 0);
%! assert (gather ([gpuArray(1), 2]), [1 2]);   # of which nothing stays
