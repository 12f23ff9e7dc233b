## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Medians and modes on the GPU against the CPU's, bit for bit: classes, shapes, special
## values, host arrays and resident ones, in one chunk and in many; long columns; memory.
## ORDER_SEED changes the arrays.

addpath (fullfile (fileparts (mfilename ("fullpath")), ".."));

function b = bits (x)
  b = x(:);
  if (isfloat (x))
    b = typecast (b, merge (isa (x, "single"), "uint32", "uint64"));
  endif
endfunction

function alike (x, y, varargin)
  x = gather (x);
  tally (strcmp (class (x), class (y)) && size_equal (x, y) && isequal (bits (x), bits (y)), varargin{:});
endfunction

function x = numbers (kind, sizes)
  span = 10 ^ randi ([0 9]);
  x = round (span * randn (sizes));
  switch (kind)
    case "logical"
      x = x > 0;
    case {"double", "single"}
      x /= pick ({1, 8, 3});
      for v = {NaN, NA, Inf, -Inf, -0, -NaN}(rand (1, 6) < 0.3)
        x(rand (size (x)) < 0.2 * rand ()) = v{1};
      endfor
      x = cast (x, kind);
    otherwise
      x = cast (x, kind);
      x(rand (size (x)) < 0.05) = intmax (kind);
  endswitch
endfunction

function y = pick (list)
  y = list{randi (numel (list))};
endfunction

function check (x, arguments, what)
  what = sprintf ("%s of %s %s", what, class (x), mat2str (size (x)));
  m0 = gpu_median (x, arguments{:}, "device", "cpu");
  [o0, f0, c0] = gpu_mode (x, arguments{:}, "device", "cpu");
  for at = {x, gpuArray(x)}
    m = gpu_median (at{1}, arguments{:}, "device", "gpu");
    ran = strcmp (gpu_config ("last").backend, "cuda");
    tally (ran || (numel (m) == numel (x) && ! isempty (arguments)), "median %s ran elsewhere", what);
    alike (m, m0, "median %s, %s", what, class (at{1}));
    [o, f] = gpu_mode (at{1}, arguments{:}, "device", "gpu");
    alike (o, o0, "mode %s, %s", what, class (at{1}));
    alike (f, f0, "frequency %s, %s", what, class (at{1}));
    [o, f, c] = gpu_mode (at{1}, arguments{:}, "device", "gpu");
    alike (o, o0, "mode %s, %s, of three", what, class (at{1}));
    tally (size_equal (c, c0) && all (cellfun (@(a, b) isequal (bits (a), bits (b)), c(:), c0(:))),
           "modes %s, %s", what, class (at{1}));
  endfor
endfunction

seed_from ("ORDER_SEED");

kinds = {"double", "single", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "logical"};
before = [];
for kind = kinds
  for shape = {[1 1], [1 2], [33 1], [1 1000], [3 400], [400 3], [65 66], [5 6 7], [2 3 4 5]}
    x = numbers (kind{1}, shape{1});
    check (x, {}, "all defaults");
    check (x, {randi(ndims (x))}, "a dimension");
    check (x, {"all"}, "everything");
  endfor
  check (numbers (kind{1}, [6 5 4 3]), {[1 3]}, "dimensions apart");
  check (numbers (kind{1}, [6 5 4 3]), {[2 3]}, "dimensions together");
  if (isempty (before))
    before = __gpureduce__ ("diagnose").memory;         # slots and mail are there now
  endif
endfor
for kind = {"double", "single"}
  x = numbers (kind{1}, [70 90]);
  x(rand (size (x)) < 0.4) = NaN;
  x(:,7) = NaN;
  for dim = 1:2
    m0 = gpu_median (x, dim, "omitnan", "device", "cpu");
    alike (gpu_median (x, dim, "omitnan", "device", "gpu"), m0, "omitnan, %s", kind{1});
  endfor
endfor

## Medians, and modes without the list of all: columns that a thread, a warp or a block takes, and longer ones; of
## constants, of few values, of NaN; beside each other and one after the other.
function check_columns (x, dim)
  what = sprintf ("of %s %s along %d", class (x), mat2str (size (x)), dim);
  for option = {{}, {"omitnan"}}
    m0 = gpu_median (x, dim, option{1}{:}, "device", "cpu");
    alike (gpu_median (x, dim, option{1}{:}, "device", "gpu"), m0, "median %s", what);
    alike (gpu_median (gpuArray (x), dim, option{1}{:}), m0, "median %s, resident", what);
  endfor
  [m0, f0] = gpu_mode (x, dim, "device", "cpu");
  for at = {x, gpuArray(x)}
    [m, f] = gpu_mode (at{1}, dim, "device", "gpu");
    alike (m, m0, "mode %s, %s", what, class (at{1}));
    alike (f, f0, "frequency %s, %s", what, class (at{1}));
    alike (gpu_mode (at{1}, dim, "device", "gpu"), m0, "mode alone %s, %s", what, class (at{1}));
  endfor
endfunction
for kind = {"double", "single", "int16", "uint8", "int64"}
  for n = [3 8 9 16 31 33 40 48 49 64 65 100 333 1024 1025 2049 4097 12345 14000 20000 70000]
    columns = max (1, min (3000, floor (4e5 / n)));
    x = numbers (kind{1}, [n columns]);
    x(:,1) = x(1);
    x(:,end) = mod (1:n, 3)';
    check_columns (x, 1);
    check_columns (x', 2);
    check_columns (reshape (x(:,1:3*floor (columns/3)), n, [], 3), 1);
  endfor
endfor

## long columns of numbers that a sample of them misses, and the sign of a zero that comes late
n = 2e6;
for kind = {"double", "single", "int16", "uint16", "int32", "uint64", "int8"}
  x = cast (randi ([0 5], n, 1), kind{1});
  x(n-7) = 9999;
  check_columns (x, 1);
  check_columns (reshape (x, 2, []), 2);
  if (isfloat (x))
    for v = [0.5 NaN Inf -Inf]
      x(3) = v;
      check_columns (x, 1);
    endfor
    x = cast ((1:n)', kind{1});
    x([n-1 n]) = [-0 0];
    check_columns (x, 1);
    check_columns (flipud (x), 1);
  endif
endfor

## chunks of few columns, of one outer and of several
old = gpu_config ("memory_limit", 1e5);
unwind_protect
  for shape = {[40 300 3], [300 4 30], [7 2000], [2000 7], [2 2 3000]}
    for kind = {"double", "uint8", "single", "int64"}
      check (numbers (kind{1}, shape{1}), {randi(3)}, "in chunks");
      check (numbers (kind{1}, shape{1}), {2}, "in chunks");
    endfor
  endfor
unwind_protect_cleanup
  gpu_config ("memory_limit", old);
end_unwind_protect

## long columns
n = 3000017;
z = randn (n, 1);
wide = reshape (9 * z(1:3e6), 3, 1e6);
for x = {z, round(100 * z), zeros(n, 1), [-zeros(n, 1); 1], single(z), int16(1e4 * z), z > 0, [NaN; z], ...
         round(wide), int64(1e14 * wide')}
  x = x{1};
  g = gpuArray (x);
  for dim = 1:2
    if (size (x, dim) > 1)
      alike (gpu_median (x, dim, "device", "gpu"), gpu_median (x, dim, "device", "cpu"), "median of a long %s", class (x));
      alike (gpu_median (g, dim), gpu_median (x, dim, "device", "cpu"), "median of a long resident %s", class (x));
      [m, f] = gpu_mode (g, dim);
      [m0, f0] = gpu_mode (x, dim, "device", "cpu");
      alike (m, m0, "mode of a long %s", class (x));
      alike (f, f0, "frequency in a long %s", class (x));
    endif
  endfor
endfor
x = rand (1e7, 1);
g = gpuArray (x);
for at = {x, g}
  gpu_median (at{1});
  t = tic ();
  gpu_median (at{1}, "device", "gpu");
  printf ("median of 1e7 doubles, %-8s %.2f ms\n", class (at{1}), 1e3 * toc (t));
  t = tic ();
  gpu_mode (at{1}, "device", "gpu");
  printf ("mode of 1e7 doubles, %-8s   %.2f ms\n", class (at{1}), 1e3 * toc (t));
endfor
clear g at m f

after = __gpureduce__ ("diagnose").memory;
tally (after.in_use == before.in_use, "%d bytes in use", after.in_use - before.in_use);

tally ();
