## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{y} =} __gpr_random__ ("pick", @var{list})
## @deftypefnx {} {@var{t} =} __gpr_random__ ("chance", @var{p})
## @deftypefnx {} {@var{sz} =} __gpr_random__ ("size", @var{most})
## @deftypefnx {} {@var{list} =} __gpr_random__ ("classes")
## @deftypefnx {} {@var{x} =} __gpr_random__ ("numbers", @var{class}, @var{sz})
## @deftypefnx {} {@var{x} =} __gpr_random__ ("complex", @var{class}, @var{sz})
## @deftypefnx {} {@var{x} =} __gpr_random__ ("stored")
## Undocumented internal function: the random arguments by which @code{gpu_selftest} and the
## tests compare this package with the built-ins.
##
## "pick": an element of a cell or an array.  "chance": true with probability @var{p}.
## "size": of two to four dimensions, also of length 0, and at most @var{most} elements
## (default 30000).  "classes": names of all classes, the
## frequent ones more than once.  "numbers": whole ones, whose sums are exact, or others; floating
## point ones with NaN, NA, Inf, -Inf, -0 and 0 among them; integers also at the limits of
## their class.  "complex": the same in both parts.  "stored": ranges, diagonal, permutation
## and sparse matrices, which Octave stores in a way of their own.
## @end deftypefn

function x = __gpr_random__ (what, varargin)
  switch (what)
    case "pick"
      x = pick (varargin{1});
    case "chance"
      x = rand () < varargin{1};
    case "size"
      x = random_size (varargin{:});
    case "classes"
      x = {"double", "double", "double", "single", "single", "int8", "uint8", "int16", "uint16", ...
           "int32", "uint32", "int64", "uint64", "logical", "char"};
    case "numbers"
      x = numbers (varargin{:});
    case "complex"
      x = complex (numbers (varargin{:}), numbers (varargin{:}));
      ## For the built-in some of these are Inf, some NaN.
      x((isnan (real (x)) & isinf (imag (x))) | (isinf (real (x)) & isnan (imag (x)))) = 1;
    case "stored"
      x = stored ();
  endswitch
endfunction

function y = pick (list)
  y = list(ceil (rand () * numel (list)));
  if (iscell (y))
    y = y{1};
  endif
endfunction

function s = random_size (most = 30000)
  lengths = [0 1 1 2 3 4 5 7 8 9 10 16 17 40 65 130 300 2500];
  do
    s = lengths(ceil (rand (1, pick (2:4)) * numel (lengths)));
    if (rand () < 0.3)
      s(pick ([1 2])) = 1;
    endif
  until (prod (max (s, 1)) <= most)     # a dimension of length 0 may be reduced to 1
endfunction

function x = numbers (class_name, s)
  switch (class_name)
    case {"double", "single"}
      x = floats (s);
    case "logical"
      x = rand (s) < pick ([0 0.001 0.5 0.999 1]);
    case "char"
      x = char (floor (128 * rand (s)));
    otherwise
      top = double (intmax (class_name));
      switch (pick (1:3))
        case 1
          x = floor (10 * rand (s)) - 4;
        case 2
          x = (rand (s) * 2.4 - 1.2) * top;
        case 3
          x = pick ([1 0.5]) * top * (floor (3 * rand (s)) - 1);
      endswitch
  endswitch
  if (strcmp (class_name, "single"))
    na = isna (x);
    x = single (x);
    x(na) = single (NA);
  elseif (! strcmp (class (x), class_name))
    x = feval (class_name, x);
  endif
endfunction

function x = floats (s)
  switch (pick (1:4))
    case 1
      x = floor (7 * rand (s)) - 3;
    case 2
      x = randn (s);
    case 3
      x = randn (s) .* 10 .^ (floor (9 * rand (s)) - 4);
    case 4
      x = rand (s) + 1;
  endswitch
  if (rand () < 0.4 && ! isempty (x))
    special = [NaN, NA, Inf, -Inf, -0, 0](randperm (6, randi (6)));
    k = randi (numel (x), 1, randi (max (1, ceil (numel (x) * pick ([0.01 0.3 2])))));
    x(k) = special(randi (numel (special), 1, numel (k)));
  endif
endfunction

function x = stored ()
  n = randi ([0 12]);
  switch (randi (5))
    case 1
      x = pick ([0 1 -3.5]):pick ([1 -1 0.25 0.1]):pick ([0 7 -9]);
    case 2
      x = diag (randn (1, n))(1:min (n, 3), :)(:, randperm (n));
    case 3
      x = eye (n)(randperm (n), :);
    case 4
      x = diag (randi ([-2 2], 1, n), n, n + randi ([0 3]));
    case 5
      x = sparse (round (randn (randi ([0 9]), randi ([0 9]))));
      if (rand () < 0.3)
        x = logical (x);
      endif
  endswitch
endfunction

%!test # the same state makes the same numbers, of the class and size asked for
%! states = {rand("twister"), randn("twister")};
%! unwind_protect
%!   for name = __gpr_random__ ("classes")
%!     rand ("twister", 1);
%!     randn ("twister", 1);
%!     x = __gpr_random__ ("numbers", name{1}, [3 0 2 5]);
%!     y = __gpr_random__ ("numbers", name{1}, [30 20]);
%!     assert (size (x), [3 0 2 5]);
%!     assert (class (y), name{1});
%!     rand ("twister", 1);
%!     randn ("twister", 1);
%!     __gpr_random__ ("numbers", name{1}, [3 0 2 5]);
%!     assert (isequaln (__gpr_random__ ("numbers", name{1}, [30 20]), y));
%!   endfor
%! unwind_protect_cleanup
%!   rand ("twister", states{1});
%!   randn ("twister", states{2});
%! end_unwind_protect
%!assert (prod (__gpr_random__ ("size")) <= 30000)
