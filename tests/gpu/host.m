## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Data of the host gives the CPU's bits by every way to the GPU, with any number of
## threads: staged through pinned memory or page-locked in place, on the GPU alone or
## on both at once; 1,000 random arrays.  HOST_SEED and HOST_ARRAYS change the run.

addpath (fullfile (fileparts (mfilename ("fullpath")), ".."));

function y = pick (list)
  y = list{randi (numel (list))};
endfunction

## So many threads, and rates that make the GPU's data go one way and "auto" take both.
function force (threads, in_place)
  for t = [1, threads]          # of so few on, pinned memory is preferred
    gpu_config ("threads", t);
    r = gpu_config ("rates");
    r.measured = true;
    r.cpu = r.staged = r.in_place = 1;
    r.both = 1e6;
    r.({"staged", "in_place"}{1 + in_place}) = 2;
    gpu_config ("rates", r);
  endfor
endfunction

function x = random_array (k)
  n = ceil (10 ^ (3 + 3.5 * rand ()));
  if (mod (k, 100) == 0)
    n = 2e7 + randi (1e6);
  endif
  m = randi (40);
  size = pick ({[n, 1], [1, n], [m, ceil(n / m)], [ceil(n / m), m], [3, ceil(n / 3 / m), m]});
  kind = pick ({"double", "double", "single", "int32", "uint8", "complex"});
  switch (kind)
    case {"double", "single"}
      x = randn (size, kind);
      if (rand () < 0.2)
        x(randi (numel (x), 1, 5)) = pick ({NaN, NA, Inf, -0, 1e30});
      endif
    case "complex"
      x = complex (randn (size), randn (size));
    otherwise
      x = randi ([0, 200], size, kind);
  endswitch
endfunction

function arrays (count)
  shared = 0;
  for k = 1:count
    x = random_array (k);
    name = pick ({"sum", "sum", "max", "min", "mean", "sumsq", "prod", "var"});
    args = {{pick({"all", 1, 2})}, {[], pick({"all", 1, 2})}}{1 + any(strcmp (name, {"max", "min", "var"}))};
    f = str2func (["gpu_" name]);
    threads = pick ({1, 2, 3, 4, 8, 16});
    gpu_config ("threads", pick ({1, 4}));
    want = f (x, args{:}, "device", "cpu");
    for in_place = [false, true]
      force (threads, in_place);
      for device = {"gpu", "auto"}
        got = f (x, args{:}, "device", device{1});
        shared += strcmp (gpu_config ("last").backend, "cuda+cpu");
        tally (same_bits (got, want), "array %d: %s of %s %s, %s, %d threads, in place %d", k, name, class (x),
               mat2str (size (x)), device{1}, threads, in_place);
      endfor
    endfor
  endfor
  printf ("%d calls shared\n", shared);
  tally (shared > count / 4, "few calls were shared");
endfunction

seed_from ("HOST_SEED");
arrays (setting ("HOST_ARRAYS", 1000));
tally ();
