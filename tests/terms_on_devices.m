## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## [count, failed, fused] = terms_on_devices (rounds, first, longer): random reductions, histograms and cumulative functions of random expressions of arrays on several GPUs, the first of seed first: of them must
## come what the CPU makes of the host's arrays, to the last bit.  fused: of how many the expression was not computed.  longer: by how much the last dimension of some is longer,
## which then have 2e5 elements times that at most.
function [count, failed, fused] = terms_on_devices (rounds, first, longer = 1)
  count = rounds;
  failed = fused = 0;
  for k = first:first + rounds - 1
    rand ("twister", k);
    randn ("twister", k);
    devices = some_devices ();
    [f, reduce, host, there] = problem (devices, longer);
    want = reduce (f (host{:}), {"device", "cpu"});
    gather (reduce (f (there{:}), {}));                 # has a kernel compiled, if there is none
    gpu_config ("compiled", "wait");
    e = f (there{:});
    found = gather (reduce (e, {}));
    fused += gpu_explain (e).waits > 0;
    if (! same_bits (want, found) || ! same_bits (want, gather (reduce (e, {}))))
      printf ("expression %d on GPUs %s: %s of %s of %s %s and %s\n", k, mat2str (devices), func2str (reduce), func2str (f), mat2str (size (host{1})), class (host{1}), mat2str (size (host{2})));
      failed++;
    endif
  endfor
endfunction

## An expression of x, y, which broadcasts or not, and of a single number c, all of the host and there.
function [f, reduce, host, there] = problem (devices, longer)
  shapes = {@() [1, randi(300000)], @() [randi(9), randi(90000)], @() [randi(300), randi(3000)], @() [randi(40), randi(9), randi(900)], ...
            @() [1, 1, randi(90000)], @() [2000 + randi(3000), 1 + randi(90)], @() [randi(5), randi(5), randi(5), randi(2000)], @() [randi(90000), 1], ...
            @() [3000 + randi(3000), 2, 1 + randi(40)], @() [200 + randi(900), 200 + randi(200)]};
  s = shapes{randi(numel (shapes))} ();
  if (rand () < 0.4)
    s(end) = min (longer * s(end), max (round (2e5 * longer / prod (s(1:end-1))), s(end)));
  endif
  class = {"double", "double", "single"}{randi(3)};
  sizes = s;
  if (rand () < 0.5)
    sizes(rand (1, numel (s)) < 0.5) = 1;
  endif
  host = {randn(s, class), randn(sizes, {class, "double"}{randi(2)}), randn()};
  elsewhere = {devices, devices, some_devices()}{randi(3)};
  there = {gpuArray(host{1}, "devices", devices), gpuArray(host{2}, "devices", elsewhere), gpuArray(host{3})};
  if (rand () < 0.2)
    there{2} = gpuArray (host{2});      # on one
  endif
  expressions = {@(x, y, c) 2 * x + 1, @(x, y, c) x .* y - 0.5, @(x, y, c) (x - c) .^ 2, @(x, y, c) abs (x - y) + c, @(x, y, c) x > y, @(x, y, c) y ./ (abs (x) + 1), ...
                 @(x, y, c) int16 (9 * x) - 3, @(x, y, c) reshape (x + 1, [], 1), @(x, y, c) max (x, y) .* x, @(x, y, c) -x};
  f = expressions{randi(numel (expressions))};
  dim = {num2str(numel (s)), num2str(randi (numel (s))), "\"all\"", sprintf("[%d %d]", numel (s) - 1, numel (s))}{randi(4)};
  forms = {"gpu_sum (e, DIM, d{:})", "gpu_sum (e, DIM, d{:})", "gpu_max (e, [], DIM, d{:})", "gpu_min (e, [], DIM, d{:})", "gpu_mean (e, DIM, d{:})", "gpu_std (double (e), 0, DIM, d{:})", ...
           "gpu_any (e > 3, DIM, d{:})", "gpu_sumsq (e, DIM, d{:})", "gpu_prod (1 + e / 999, DIM, d{:})", "gpu_sum (e, d{:})", ...
           "gpu_histcounts (e, -3:3, d{:})", "gpu_cumsum (double (e), 1, d{:})", "gpu_cummin (e, ndims (e), d{:})", "gpu_histc (e, -3:3, {1, ndims(e)}{1 + (numel (e) > 3e5)}, d{:})"};
  reduce = str2func (["@(e, d) " strrep(strrep (forms{randi(numel (forms))}, "DIM", dim), "ONE", num2str (randi (numel (s))))]);
  if (any (strcmp (func2str (f), {"@(x, y, c) int16 (9 * x) - 3", "@(x, y, c) x > y"})))
    reduce = str2func (["@(e, d) gpu_sum (e, " dim ", d{:})"]);
  endif
endfunction
