## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Rule: a_random_program_on_gpuArrays_is_the_same_program_on_host_arrays.
##
## Pairs of a host array and a gpuArray go through the same random operations: elementwise ones, which wait and are computed
## together, copies, assignments to elements that others still have to read, indices, concatenation, reductions, deletion, and operations
## that fail.  Of both the error, class, size and values are the same whenever they are looked at, and at last nothing is left behind.
## Now and then it is a chain of reductions of a large array, which wait too, and of what reads their results.
## EXPRESSION_STEPS operations, EXPRESSION_SEED chooses; with EXPRESSION_SEVERAL new gpuArrays lie on several GPUs, or on one.  Functions of the C library are left out on a GPU, where CUDA's differ in the last bits.

here = fileparts (mfilename ("fullpath"));
addpath (here);

function run_all ()
  seed_from ("EXPRESSION_SEED");
  steps = setting ("EXPRESSION_STEPS", merge (strcmp (getenv ("CHECK_LONG"), "yes"), 1e6, 6e3));
  before = __gpureduce__ ("diagnose").handles;
  exact = __gpureduce__ ("diagnose").devices > 0;
  [passed, failed] = run_program (steps, exact);
  if (__gpureduce__ ("diagnose").handles != before)
    printf ("%d gpuArrays are left of %d\n", __gpureduce__ ("diagnose").handles, before);
    failed++;
  endif
  printf ("%d passed, %d failed\n", passed, failed);
  exit (failed > 0);
endfunction

function [passed, failed] = run_program (steps, exact)
  passed = failed = 0;
  [unaries, binaries] = operations (exact);
  for k = 6:-1:1
    host{k} = fresh ();
    gpu{k} = there (host{k});
  endfor
  trail = {};
  for step = 1:steps
    i = randi (6);
    j = randi (6);
    to = randi (6);
    x = host{i};
    y = host{j};
    choice = rand ();
    if (rand () < 0.02)
      [host{to}, plan] = large ();
      gpu{to} = there (host{to});
      trail{end+1} = {to, "new", host{to}};
      f = eval (sprintf ("@(a) chain (a, %s)", mat2str (plan)));           # a report says which
      inputs = {to};
    elseif (choice < 0.3)
      f = unaries{randi (numel (unaries))};
      inputs = {i};
    elseif (choice < 0.7)
      f = binaries{randi (numel (binaries))};
      inputs = {i, j};
      n = number ();
      if (any (strcmp (func2str (f), {"mod", "rem"})) && (has_least (x) || has_least (y) || has_least (n)))
        continue;
      endif
      if (rand () < 0.3)                # a number of the host, on either side
        f = merge (rand () < 0.5, @(a, b) f (a, n), @(a, b) f (n, a));
      endif
    elseif (choice < 0.78)
      f = assignment (x);
      inputs = {i};
      to = i;
    elseif (choice < 0.84)
      f = subscript (x);
      inputs = {i};
    elseif (choice < 0.87 && ischar (x) == ischar (y))                 # numbers beyond 127 are no letters
      f = merge (rand () < 0.5, @(a, b) [a, b], @(a, b) [a; b]);
      inputs = {i, j};
    elseif (choice < 0.91)
      d = randi (2);
      f = merge (rand () < 0.5 || iscomplex (x), @(a) any (a, d), @(a) max (a, [], d));       # of complex ones with Inf and NaN see the manual
      inputs = {i};
    elseif (choice < 0.94)
      f = @(a) a;
      inputs = {i};
    else
      host{to} = fresh ();
      gpu{to} = there (host{to});
      trail{end+1} = {to, "new", host{to}};
      continue;
    endif
    [z, said] = outcome (f, host([inputs{:}]));
    [g, said_of_g] = outcome (f, gpu([inputs{:}]));
    trail{end+1} = {to, f, inputs};
    if (! strcmp (said, said_of_g))
      report (trail, sprintf ("error of the host: %s; of the gpuArray: %s", said, said_of_g));
      failed++;
      z = g = [];
      if (failed > 5)
        return;
      endif
    elseif (! isempty (said))
      passed++;
      continue;
    endif
    looked = rand () < 0.2;
    if (looked && ! same (z, g))
      report (trail, sprintf ("host: %s\ngpuArray: %s", disp_short (z), disp_short (gather (g))));
      failed++;
      if (failed > 5)
        return;
      endif
      g = there (z);
    elseif (! strcmp (class (z), underlyingType (g)) || ! size_equal (z, g))
      report (trail, sprintf ("host: %s %s, gpuArray: %s %s", class (z), mat2str (size (z)), underlyingType (g), mat2str (size (g))));
      failed++;
      if (failed > 5)
        return;
      endif
      g = there (z);
    endif
    passed++;
    if (numel (z) > 3000 || isempty (z) || (isfloat (z) && ! any (isfinite (z(:)))))
      z = fresh ();
      g = there (z);
      trail{end+1} = {to, "new", z};
    endif
    host{to} = z;
    gpu{to} = g;
    if (numel (trail) > 60)
      trail = trail(end-29:end);
    endif
  endfor
  for k = 1:6
    passed += same (host{k}, gpu{k});
    failed += ! same (host{k}, gpu{k});
  endfor
endfunction

function g = there (x)
  persistent several = ! isempty (getenv ("EXPRESSION_SEVERAL"));
  if (several && rand () < 0.7)
    g = gpuArray (x, "devices", some_devices ());
  else
    g = gpuArray (x);
  endif
endfunction

## Also the signs of zeros, which a quotient shows.
function yes = same (z, g)
  g = gather (g);
  yes = strcmp (class (z), class (g)) && isequaln (z, g) && iscomplex (z) == iscomplex (g);
  if (yes && isfloat (z))
    yes = isequaln (1 ./ real (z), 1 ./ real (g)) && isequaln (1 ./ imag (z), 1 ./ imag (g));
  endif
endfunction

## Octave 7.3 does not come back from mod (intmin ("int32"), int32 (-1)), which mod (-Inf, int32 (-1)) is too.
function least = has_least (x)
  least = any (real (double (x(:))) <= -2147483648);
endfunction

function [z, said] = outcome (f, inputs)
  z = [];
  said = "";
  try
    z = f (inputs{:});
  catch e
    said = regexprep (e.message, "gpuArray: |gpu_|^cat: ", "");
    if (! isempty (strfind (said, "dimensions mismatch")) || ! isempty (strfind (said, "wrong type argument")))     # Octave says no more of methods
      said = "gpuArray/vertcat method failed";
    endif
    said = strrep (said, "horzcat", "vertcat");
  end_try_catch
endfunction

function report (trail, what)
  for t = trail(max (1, end-14):end)
    if (ischar (t{1}{2}))
      printf ("%d <- new %s\n", t{1}{1}, disp_short (t{1}{3}));
    else
      printf ("%d <- %s of %s\n", t{1}{1}, func2str (t{1}{2}), mat2str (cell2mat (t{1}{3})));
    endif
  endfor
  printf ("failed: %s\n", what);
endfunction

function text = disp_short (x)
  text = sprintf ("%s %s%s %s", class (x), merge (iscomplex (x), "complex ", ""), mat2str (size (x)), mat2str (double (x(1:min (end, 12))(:).'), 17));
endfunction

function x = fresh ()
  sizes = {[1 1], [1 1], [3 4], [3 4], [3 4], [1 4], [3 1], [3 4 2], [1 4 2], [0 4], [40 30]};
  classes = {"double", "double", "double", "single", "single", "int8", "uint8", "int16", "int32", "uint32", "logical", "char"};
  dims = sizes{randi (numel (sizes))};
  type = classes{randi (numel (classes))};
  x = merge (rand () < 0.5, round (20 * randn (dims)), 20 * randn (dims));
  x(rand (dims) < 0.1) = 0;
  if (rand () < 0.2)
    x(rand (dims) < 0.1) = NaN;
    x(rand (dims) < 0.1) = -Inf;
  endif
  if (rand () < 0.3)
    x = abs (x);
  endif
  switch (type)
    case "logical"
      x = x > 0;
    case "char"
      x(! isfinite (x)) = 0;
      x = char (mod (floor (abs (x)), 90) + 32);
    otherwise
      x = cast (x, type);
  endswitch
endfunction

## Whole numbers, of which sums and means are the same in any order, in one of the shapes whose reductions wait, and what is done with them: rows
## [operation, its first operand, its second, a dimension].
function [x, plan] = large ()
  shapes = {[400 300], [60 50 40], [2 60000], [60000 2], [13 8 4 250], [1100 100], [130 1000]};
  dims = shapes{randi (numel (shapes))};
  x = randi (21, dims) - 11;
  if (rand () < 0.3)
    x(randi (numel (x), 5, 1)) = {NaN, Inf, -Inf}{randi (3)};
    x(:,randi (columns (x))) = {NaN, 0, -Inf}{randi (3)};
  endif
  type = {"double", "double", "single", "int32"}{randi (4)};
  if (strcmp (type, "int32"))
    x(isinf (x)) = -10;         # else a whole number whose square is larger than the others' sum is exact
  endif
  x = cast (x, type);
  n = 3 + randi (9);
  plan = [randi(14, n, 1), randi(100, n, 2), randi(numel (dims), n, 1)];
endfunction

## The results of operations so far are the operands of the next one; all stay whole numbers below 2^24, but for the last one.
function z = chain (z, plan)
  pool = {z};
  for row = plan'
    i = 1 + mod (row(2), numel (pool));
    d = row(4);
    a = pool{i};
    b = pool{1 + mod(row(3), numel (pool))};
    switch (row(1))
      case 1
        z = mod (sum (a, d), 13);
      case 2
        z = max (a, [], d) + 0;
      case 3
        z = min (a, [], d) + 0;
      case 4
        z = any (a > 9, d) + all (a == a, d);
      case 5
        z = mod (sumsq (a, d), 11);
      case {6, 7}
        z = mod (a - b, 17);
      case 8
        z = mod (a .* b, 23);
      case 9
        z = mod (a - max (b, [], d), 19);
      case 10
        z = mod (a, 5) + sum (b(:) == 3 & b(:) != 0) * 0;
      case 11
        z = abs (a);
      case 12                           # in place; the old elements are still to be read
        a = [];
        pool{end+1} = mod (b + mean (b, d) * 0, 7);
        b = pool{i};
        pool{i} = [];
        b(1 + mod (row(2), numel (b))) = 2;
        pool{i} = z = b;
      case 13                           # a name less
        pool(i) = {z};
        z = mod (z + b, 29);
      otherwise
        z = mod (size (a, d) + b, 9);
    endswitch
    pool{end+1} = z;
  endfor
  z = (z - mean (a, d)) ./ (1 + abs (z));
endfunction

function n = number ()
  n = {0, 1, 2, -1, 0.5, 3, NaN, -Inf, single(1.5), int8(3), true, "c"}{randi (12)};
endfunction

function f = assignment (x)
  if (isempty (x))
    f = @(a) a;
    return;
  endif
  n = randi (numel (x));
  m = randi (numel (x));
  v = number ();
  switch (randi (3))
    case 1
      f = @(a) put (a, n, v);
    case 2
      f = @(a) put (a, min (n, m):max (n, m), v);
    otherwise
      f = @(a) put (a, 1:numel (a), a(end:-1:1));
  endswitch
endfunction

function a = put (a, k, v)
  a(k) = v;
endfunction

function f = subscript (x)
  if (isempty (x))
    f = @(a) a;
    return;
  endif
  n = randi (numel (x));
  r = randi (rows (x));
  f = {@(a) a(n), @(a) a(:), @(a) a(r, :), @(a) a(:, end), @(a) a(end:-1:1), @(a) reshape(a, 1, []), @(a) a(:, :)', @(a) a([n 1])}{randi (8)};
endfunction

## Octave takes products for the squares, cubes and reciprocals of an array alone, as is done here of single numbers and for arrays of
## exponents, too.
function z = powers (a)
  if (numel (a) == 1)
    z = a;
  else
    z = a .^ 3 - a .^ 0.5 + 2 .^ a + a .^ int8 (2);
  endif
endfunction

## Of doubles, integers and both.
function z = bits (a)
  k = int32 (real (a));
  z = double (bitxor (bitand (k, 4095), bitor (double (k), k))) + bitor (abs (double (k)), 5);
endfunction

## What a GPU rounds otherwise of complex numbers, of their real parts.
function z = of_reals (f, varargin)
  which = cellfun (@iscomplex, varargin);
  varargin(which) = cellfun (@real, varargin(which), "UniformOutput", false);
  z = f (varargin{:});
endfunction

## Where 0 and -0 are the larger, which of them is another matter in each build of Octave: + 0.
function [unaries, binaries] = operations (exact)
  unaries = {@(a) -a, @(a) !a, @floor, @ceil, @round, @fix, @sign, @isnan, @isinf, @(a) a.^2, @(a) a.*a, @(a) a - a, ...
             @(a) a(1), @(a) (a > 1) & (a < 5), @double, @single, @(a) 2*a.*a + a, @bits};
  binaries = {@plus, @minus, @times, @(a, b) a > b, @(a, b) a <= b, @(a, b) a == b, @(a, b) a != b, ...
              @(a, b) a & b, @(a, b) a | b, @(a, b) max (a, b) + 0, @(a, b) min (a, b) + 0, @(a, b) (a + b) .* (a - b), @(a, b) a + 2*b - a./3, @mod, @rem, ...
              @(a, b) max (a, 0.5) + min (b, 1)};
  rounded = {@abs, @sqrt, @(a) a.^-1};
  rounded_of_two = {@rdivide, @(a, b) a .\ b, @(a, b) abs (a) ./ (1 + abs (b))};
  if (exact)
    on_reals = @(list) cellfun (@(f) @(varargin) of_reals (f, varargin{:}), list, "UniformOutput", false);
    rounded = on_reals (rounded);
    rounded_of_two = on_reals (rounded_of_two);
  endif
  unaries = [unaries, rounded];
  binaries = [binaries, rounded_of_two];
  if (! exact)
    unaries = [unaries, {@powers, @exp, @log, @sin, @cos, @tan, @atan, @asin, @log2, @log1p, @expm1, @tanh, @gamma, @erf, @cbrt}];
    binaries = [binaries, {@atan2, @hypot}];
  endif
endfunction

warning ("off", "all");
run_all ();
