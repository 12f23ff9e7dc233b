## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## The GPU and the CPU give the same bits: sums, products and sums of squares of
## 1,000 random arrays along every dimension, from the host, resident and, of the
## large ones, each third streamed;
## and every other operator.  BITS_SEED and BITS_ARRAYS change the run.

addpath (fullfile (fileparts (mfilename ("fullpath")), ".."));

function y = pick (list)
  y = list{randi (numel (list))};
endfunction

## Lengths from 0 to 10 million, short ones as likely as long ones.
function s = random_size (k)
  n = floor (10 ^ (rand () * 6.2));
  if (k <= 3)
    n = 1e7 - k;
  elseif (rand () < 0.03)
    n = 0;
  endif
  switch (randi (4))
    case 1
      s = [n, 1];
    case 2
      s = [1, n];
    case 3
      rows = max (1, floor (n ^ rand ()));
      s = [rows, ceil(n / rows)];
    case 4
      rows = max (1, floor (n ^ (rand () / 2)));
      columns = max (1, floor (n ^ (rand () / 2)));
      s = [rows, columns, ceil(n / rows / columns)];
  endswitch
endfunction

function x = random_array (kind, s)
  switch (kind)
    case {"double", "single"}
      x = feval (kind, sprinkled (randn (s)));
    case {"complex double", "complex single"}
      type = kind(9:end);
      x = complex (feval (type, sprinkled (randn (s))), feval (type, sprinkled (randn (s))));
    case "logical"
      x = rand (s) < pick ({0, 0.5, 1});
    case "char"
      x = char (randi ([0 127], s));
    otherwise
      x = cast ((2 * rand (s) - 1) * double (intmax (kind)) * pick ({1, 1.3, 1e-3}), kind);
  endswitch
endfunction

function x = sprinkled (x)
  switch (randi (4))
    case 1
      x = 1 + x / 1e4;              # products that stay in range
    case 2
      if (! isempty (x))
        k = randi (numel (x), 1, randi (20));
        x(k) = pick ({NaN, NA, Inf, -Inf, -0, 1e300});
      endif
    case 3
      x = x .* 10 .^ randi ([-30 30], size (x));
  endswitch
endfunction

## f on the GPU, from the host, resident and streamed, against the CPU
function compare (k, name, x, args, nout)
  f = str2func (["gpu_" name]);
  what = @(how) sprintf ("array %d, %s %s %s, %s, %s", k, class (x), mat2str (size (x)), name, how, ...
                         strjoin (cellfun (@(a) disp (a)(1:end-1), args, "uniformoutput", false), ","));
  want = cell (1, nout);
  [want{:}] = f (x, args{:}, "device", "cpu");
  got = cell (1, nout);
  [got{:}] = f (x, args{:}, "device", "gpu");
  tally (all (cellfun (@same_bits, got, want)), "%s", what ("from the host"));
  g = gpuArray (x);
  [got{:}] = f (g, args{:});
  tally (all (cellfun (@(a, b) same_bits (gather (a), b), got, want)), "%s", what ("resident"));
  if (numel (x) > 1e5 && mod (k, 3) == 0)
    old = gpu_config ("memory_limit", 1e6);
    unwind_protect
      [got{:}] = f (x, args{:}, "device", "gpu");
      tally (all (cellfun (@same_bits, got, want)), "%s", what ("streamed"));
    unwind_protect_cleanup
      gpu_config ("memory_limit", old);
    end_unwind_protect
  endif
endfunction

function random_arrays (arrays)
  kinds = {"double", "single", "complex double", "complex single", "int32"};
  for k = 1:arrays
    x = random_array (pick (kinds), random_size (k));
    for name = {"sum", "prod", "sumsq"}
      for d = 1:ndims (x)
        compare (k, name{1}, x, {d}, 1);
      endfor
    endfor
  endfor
endfunction

function other_operators (arrays)
  kinds = {"double", "single", "complex double", "complex single", "int8", "uint8", "int16", "uint16", "int32", ...
           "uint32", "int64", "uint64", "logical", "char"};
  for k = 4:arrays+3
    x = random_array (pick (kinds), random_size (k));
    d = randi (ndims (x));
    compare (k, "any", x, {d}, 1);
    compare (k, "all", x, {d}, 1);
    if (! ischar (x))     # the built-in refuses it
      compare (k, "mean", x, {d}, 1);
    endif
    compare (k, pick ({"max", "min"}), x, {[], d}, 2);
    compare (k, pick ({"max", "min"}), x, {[], "all"}, 2);
    compare (k, pick ({"sum", "prod"}), x, {d, pick({"native", "double"})}, 1);
    compare (k, "sum", x, {d, "extra"}, 1);
    if (isfloat (x))
      compare (k, pick ({"sum", "prod", "sumsq", "mean"}), x, {d, "omitnan"}, 1);
      compare (k, pick ({"max", "min"}), x, {[], d, "includenan"}, 1);
    endif
    if (isreal (x) && ! ischar (x) && ! islogical (x) && ! isempty (x))
      top = double (max (abs (x(isfinite (x))(:))));
      if (! isempty (top) && top > 0)
        most = min (5000, max (4, floor (1e7 / (numel (x) / size (x, d)))));    # edges: results of 80 MB
        compare (k, "histc", x, {linspace(-top, top, randi ([4 max(4, min (300, most))])), d}, 2);
        compare (k, "histc", x, {sort(top * randn (1, randi ([4 most]))), d}, 1);
      endif
    endif
  endfor
endfunction

## Variances, norms and counts; cumulative ones, medians and the others have scripts of
## their own.
function variances_and_norms (arrays)
  kinds = {"double", "single", "complex double", "complex single", "int8", "uint16", "int32", "uint64", "logical"};
  for k = 4:arrays+3
    x = random_array (pick (kinds), random_size (k));
    d = randi (ndims (x));
    for name = {"var", "std"}
      compare (k, name{1}, x, {randi([0 1]), d}, 1);
      compare (k, name{1}, x, {0, "all"}, 1);
    endfor
    compare (k, "nnz", x, {}, 1);
    if (isfloat (x))
      compare (k, "var", x, {0, d, "omitnan"}, 1);
      y = x(:,:);
      for p = {1, 2, Inf}
        compare (k, "norm", y(:), p, 1);
        compare (k, "norm", y, {p{1}, pick({"rows", "cols"})}, 1);
      endfor
    endif
    if (isreal (x))
      compare (k, "range", x, {d}, 1);
      compare (k, "bounds", x, {d}, 2);
      want = gpu_stats (x, d, "device", "cpu");
      for y = {x, gpuArray(x)}
        got = gpu_stats (y{1}, d, "device", "gpu");
        for field = fieldnames (want)'
          tally (same_bits (gather (got.(field{1})), want.(field{1})), "array %d, stats %s", k, field{1});
        endfor
      endfor
    endif
    if (isnumeric (x))
      y = x(end:-1:1);
      want = gpu_dot (x(:), y(:), "device", "cpu");
      tally (same_bits (gpu_dot (x(:), y(:), "device", "gpu"), want), "array %d, dot", k);
      tally (same_bits (gpu_dot (gpuArray (x(:)), gpuArray (y(:))), want), "array %d, dot, resident", k);
    endif
  endfor
endfunction

function compare_places (rounds)
  for k = 1:rounds
    x = random_array (pick ({"double", "single", "complex double", "int8", "int64"}), [randi(300), randi(300)]);
    y = random_array (pick ({class(x), "double"}), pick ({size(x), [1, columns(x)], [rows(x), 1], [1, 1]}));
    name = pick ({"max", "min"});
    want = feval (["gpu_" name], x, y, "device", "cpu");
    tally (same_bits (feval (["gpu_" name], x, y, "device", "gpu"), want), "two arrays %d", k);
    tally (same_bits (gather (feval (["gpu_" name], gpuArray (x), y)), want), "two arrays %d, one resident", k);
  endfor
endfunction

seed_from ("BITS_SEED");
random_arrays (setting ("BITS_ARRAYS", 1000));
other_operators (setting ("BITS_OTHERS", 30));
variances_and_norms (setting ("BITS_STATISTICS", 60));
compare_places (100);
tally ();
