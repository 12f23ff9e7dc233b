## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## gpu_accumarray on the GPU against the CPU, bit for bit: classes, operators, shapes of
## subscripts, runs of all lengths, several chunks and windows of outputs; errors;
## memory.  SCATTER_SEED changes the sample.

addpath (fullfile (fileparts (mfilename ("fullpath")), ".."));

function y = pick (list)
  y = list{randi (numel (list))};
endfunction

function yes = same_bits (a, b)
  bits = @(x) typecast (x(:), "uint8");
  yes = strcmp (class (a), class (b)) && size_equal (a, b) && iscomplex (a) == iscomplex (b);
  if (yes && isfloat (a))
    yes = isequal (bits (real (a)), bits (real (b))) && isequal (bits (imag (a)), bits (imag (b)));
  elseif (yes)
    yes = isequal (a, b);
  endif
endfunction

function v = values (kind, n)
  switch (kind)
    case {"double", "single"}
      v = randn (n, 1) .* 10 .^ randi ([-5 5], n, 1);
      switch (randi (4))
        case 1
          v = 1 + randn (n, 1) / 1e5;           # products that stay in range
        case 2
          v = pick ({1, -1}) * abs (v);
        case 3
          v(randi (n, 1, ceil (n / 20))) = pick ({NaN, NA, Inf, -Inf, -0});
          v(randi (n, 1, ceil (n / 20))) = pick ({NaN, NA, Inf, -Inf, -0});
      endswitch
      v = cast (v, kind);
    case {"complex double", "complex single"}
      v = complex (values (kind(9:end), n), values (kind(9:end), n));
    case "logical"
      v = rand (n, 1) < 0.5;
    otherwise
      v = cast ((2 * rand (n, 1) - 1) * double (intmax (kind)), kind);
  endswitch
endfunction

## So many subscripts from 1 to m: spread, mostly one, ascending, in short runs.
function s = subscripts (n, m)
  switch (randi (4))
    case 1
      s = randi (m, n, 1);
    case 2
      s = randi (m, n, 1);
      s(rand (n, 1) < 0.9) = randi (m);
    case 3
      s = ceil ((1:n)' * m / n);
    case 4
      s = mod (floor ((0:n-1)' / randi (100)), m) + 1;
  endswitch
endfunction

function where = as_columns (s)
  where = s;
  if (columns (s) > 1 && rand () < 0.5)
    where = num2cell (s, 1);
  endif
endfunction

## The call from the host, resident and in part resident.
function compare (what, subs, vals, varargin)
  want = gpu_accumarray (subs, vals, varargin{:}, "device", "cpu");
  got = gpu_accumarray (subs, vals, varargin{:}, "device", "gpu");
  tally (same_bits (got, want), "%s, from the host", what);
  tally (strcmp (gpu_config ("last").backend, "cuda"), "%s ran on %s", what, gpu_config ("last").backend);
  there = @(x) gpuArray (x);
  if (iscell (subs))
    g = cellfun (there, subs, "uniformoutput", false);
  else
    g = gpuArray (subs);
  endif
  tally (same_bits (gather (gpu_accumarray (g, gpuArray (vals), varargin{:})), want), "%s, resident", what);
  tally (same_bits (gather (gpu_accumarray (g, vals, varargin{:})), want), "%s, subscripts resident", what);
  tally (same_bits (gather (gpu_accumarray (subs, gpuArray (vals), varargin{:})), want), "%s, values resident", what);
endfunction

seed_from ("SCATTER_SEED");

kinds = {"double", "single", "complex double", "complex single", "int8", "uint8", "int16", "uint16", "int32", "uint32", ...
         "int64", "uint64", "logical"};
operators = {@sum, @prod, @max, @min, @mean, @numel};
gpu_accumarray ([1; 2], 1, "device", "gpu");            # slots and mail are there now
before = __gpureduce__ ("diagnose").memory;

## all classes and operators; lengths about a warp, a window, a block
for kind = kinds
  for f = operators
    if (! isempty (strfind (kind{1}, "complex")) && ! any (strcmp (func2str (f{1}), {"sum", "mean", "numel"})))
      continue;                 # the built-in's
    endif
    for n = [1 2 31 32 33 64 65 257 1000 randi(20000)]
      m = pick ({1, 2, 5, 100, 3000});
      s = cast (subscripts (n, min (m, 100)), pick ({"double", "single", "int8", "uint8", "int16", "uint32", "int64", "uint64"}));
      fill = pick ({0, 1, -2.5, NaN});
      if (! isempty (strfind (kind{1}, "single")) && any (strcmp (func2str (f{1}), {"prod", "mean"})))
        fill = 0;               # else the built-in's
      endif
      if (! isempty (strfind (kind{1}, "int64")) && strcmp (func2str (f{1}), "mean"))
        continue;
      endif
      what = sprintf ("%s %s of %d to %d, fill %g", func2str (f{1}), kind{1}, n, m, fill);
      order = pick ({{}, {}, {"order", "builtin"}});
      compare (what, s, values (kind{1}, n), pick ({[], [m + 100, 3], [m + 9000, 2]}), f{1}, fill, order{:});
    endfor
  endfor
endfor

## several columns, scalars, long inputs, all elements to one output
for k = 1:30
  n = pick ({50, 3000, 200000});
  d = randi (4);
  s = zeros (n, d);
  for i = 1:d
    s(:,i) = subscripts (n, pick ({1, 3, 20}));
  endfor
  kind = pick (kinds([1 2 5 9 11]));
  compare (sprintf ("%d columns of %d, %s", d, n, kind), as_columns (s), values (kind, n), [], pick (operators(1:4)));
  compare (sprintf ("%d columns of %d, scalar", d, n), as_columns (s), pick ({1, single(0.1), int16(3), -0}), [], pick (operators(1:4)));
endfor
for m = [1 1000 8192 8193 3e6]
  s = randi (m, 1e6, 1);
  skewed = s;
  skewed(rand (1e6, 1) < 0.9) = ceil (m / 3);
  for s = {s, skewed, m * ones(1e6, 1)}
    x = randn (1e6, 1);
    compare (sprintf ("1e6 doubles to %d", m), s{1}, x);
    compare (sprintf ("means of 1e6 doubles to %d", m), s{1}, x, [], @mean, NaN);
    compare (sprintf ("1e6 to %d", m), s{1}, 1);
    compare (sprintf ("largest of 1e6 int16 to %d", m), s{1}, values ("int16", 1e6), [], @max);
    compare (sprintf ("least of 1e6 doubles to %d", m), s{1}, x, [], @min);
    x([7 5000 700000]) = [Inf NA -Inf];
    x(s{1} == s{1}(9)) *= 1e307;
    compare (sprintf ("1e6 doubles to %d, not all finite", m), s{1}, x);
    compare (sprintf ("means of 1e6 doubles to %d, not all finite", m), s{1}, x, [], @mean);
  endfor
endfor

## many chunks, and windows of the outputs
old = gpu_config ("memory_limit", 1e6);
unwind_protect
  for f = operators
    s = randi (120000, 60000, 1);
    compare (sprintf ("%s, in windows", func2str (f{1})), s, values ("double", 60000), [120000 1], f{1}, pick ({0, 3}));
    compare (sprintf ("%s, in chunks", func2str (f{1})), mod (s, 9) + 1, values ("int32", 60000), [], f{1}, 7);
    compare (sprintf ("%s, in chunks and pieces", func2str (f{1})), mod (s, 9) + 1, values ("double", 60000), [9000 1], f{1}, 7);
  endfor
unwind_protect_cleanup
  gpu_config ("memory_limit", old);
end_unwind_protect

## what is not allowed, wherever it lies
for bad = {0, -1, 1.5, NaN, Inf, 2^40}
  for s = {[ones(999, 1); bad{1}], gpuArray([ones(999, 1); bad{1}])}
    try
      gpu_accumarray (s{1}, 1, [5 1], "device", "gpu");
      tally (false, "subscript %g", bad{1});
    catch err
      tally (any (strcmp (err.message, {"gpu_accumarray: indices must be positive integers", ...
                                        "gpu_accumarray: index out of range"})), "%g: %s", bad{1}, err.message);
    end_try_catch
  endfor
endfor

clear s
after = __gpureduce__ ("diagnose").memory;
tally (after.in_use == before.in_use, "%d bytes in use", after.in_use - before.in_use);

## one long run, and times
n = 1e7;
v = randn (n, 1);
for m = [1 1000 1e6]
  s = randi (m, n, 1);
  want = gpu_accumarray (s, v, "device", "cpu");
  start = tic ();
  got = gpu_accumarray (s, v, "device", "gpu");
  host = toc (start);
  gs = gpuArray (s);
  gv = gpuArray (v);
  start = tic ();
  there = gpu_accumarray (gs, gv);
  resident = toc (start);
  kernels = gpu_config ("last").kernel_ms;
  tally (same_bits (got, want) && same_bits (gather (there), want), "1e7 doubles to %d", m);
  printf ("1e7 doubles to %-8d from the host %7.1f ms, resident %7.1f ms, its kernels %7.1f ms\n",
          m, 1e3 * host, 1e3 * resident, kernels);
endfor

tally ();
