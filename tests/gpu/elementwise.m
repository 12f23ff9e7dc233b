## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Elementwise expressions of arrays so large that the quick kernels take them and that they are compiled, and of some more elements than whole tiles:
## what rounds exactly has the bits of the host, NaN and -0 among them; calls of functions are within 4 units; compiled, all bits are as before.
## SANITIZED: few of them, for the sanitizers.

addpath (fullfile (fileparts (mfilename ("fullpath")), ".."));
warning ("off", "all");

exact = {@(g, h, r) sqrt (abs (g * 3 - 1) + g .* g), @(g, h, r) (g - 1) ./ (h + 2) - (g + h) .* (g - h), @(g, h, r) max (g, 0) - min (1, h), ...
         @(g, h, r) 1 ./ g .* 2 - 5 ./ (3 - h), @(g, h, r) floor (g * 10) / 10 + round (h) - fix (g) + ceil (h), @(g, h, r) (g > 0) .* h + (0.5 >= h) .* g, ...
         @(g, h, r) g - r, @(g, h, r) (g - r) ./ (h .* r + 1), @(g, h, r) sqrt (abs (r - h)), @(g, h, r) g .^ 2 + h .^ 2 - 2 * g .* h, ...
         @(g, h, r) int8 (g * 50), @(g, h, r) uint16 (abs (h) * 1000 - 3), @(g, h, r) (isnan (g) | h > 1) & ! isinf (h), @(g, h, r) sign (g) .* h - -g, ...
         @(g, h, r) ((g + 1) .* (h + 2)) ./ ((g - 1) .* (h - 2)) + ((g .* 3) - (h .* 4)) .* ((g ./ 5) + (h ./ 6)), @(g, h, r) single (g) .* single (h) + 1, ...
         @(g, h, r) double (g) - double (single (h)), ...
         @(g, h, r) bitxor (bitand (int32 (g * 100), 255), bitor (int32 (h * 9), 3)) + 1, @(g, h, r) bitor (abs (g) * 1e12, 5) - bitand (h * 1e3, 12345), ...
         @(g, h, r) bitxor (uint8 (g * 50 + 100), uint8 (h * 50)), @(g, h, r) arg (g) + imag (h)};
close = {@(g, h, r) exp (-g .^ 2 / 2) .* h, @(g, h, r) sin (g) + cos (h), @(g, h, r) tanh (g) .* 2 - 1, @(g, h, r) atan2 (g, h), ...
         @(g, h, r) (g + 2i * h) .* conj (h - 1i * r) ./ (3 + 1i * h), @(g, h, r) abs ((g + 1i * h) .^ 2) - real (exp (1i * h)), ...
         @(g, h, r) (g + 1i * h) - 1i * h};

rounds = 12;
if (! isempty (getenv ("SANITIZED")))
  rounds = 1;
  exact = exact([1 3 8 11 15]);
  close = close([1 5 6 7]);
endif
sizes = {[1200003, 1], [1000, 1201], [7, 180001], [33, 50, 800]};
for k = 1:rounds
  s = sizes{1 + mod(k, numel (sizes))};
  for kind = {"double", "single"}
    x = feval (kind{1}, randn (s));
    y = feval (kind{1}, randn (s));
    if (mod (k, 3) != 1)
      x(rand (s) < 10 ^ -randi ([1 5])) = {NaN, NA, Inf, -0}{randi (4)};
      y(randi (numel (y), 1, 5)) = NaN;
    endif
    r = feval (kind{1}, randn ([1, s(2:end)]));
    for f = [exact, close]
      want = f{1} (x, y, r);
      got = gather (f{1} (gpuArray (x), gpuArray (y), gpuArray (r)));
      what = sprintf ("%s of %s %s", func2str (f{1}), kind{1}, mat2str (s));
      gpu_config ("compiled", "wait");
      tally (same_bits (gather (f{1} (gpuArray (x), gpuArray (y), gpuArray (r))), got), "compiled, %s", what);
      if (any (cellfun (@(g) isequal (g, f{1}), exact)))
        tally (same_bits (got, want), "%s", what);
      else
        tally (strcmp (class (got), class (want)) && isequal (isnan (got), isnan (want)) ...
               && max (abs (double (got(:) - want(:)))) <= 32 * eps (class (want)) * max (abs (double (want(isfinite (want))))), "%s", what);
      endif
    endfor
  endfor
endfor
## Where one element is NaN, the others of its warp are in their places too: of operands that broadcast, in memory that held other numbers.
for s = {[333 101 30], [40 777 33], [1200 1 1000]}
  for kind = {"double", "single"}
    v = feval (kind{1}, randn (s{1}));
    v(randi (numel (v), 1, 300)) = NaN;
    t = feval (kind{1}, 1 + rand ([s{1}(1), 1, s{1}(3)]));
    c = feval (kind{1}, rand (1, s{1}(2)));
    for f = {@(v, t, c) v ./ t .* c + t, @(v, t, c) (v - t) .* c, @(v, t, c) v .* c ./ (t + c) - v, @(v, t, c) sqrt (abs (v)) ./ t, @(v, t, c) v ./ t}
      for time = 1:3
        clear g
        spoilt = gather (f{1} (gpuArray (2 - v), gpuArray (t), gpuArray (c)));
        g = f{1} (gpuArray (v), gpuArray (t), gpuArray (c));
        tally (same_bits (gather (g), f{1} (v, t, c)), "time %d, NaN in %s of %s %s", time, func2str (f{1}), kind{1}, mat2str (s{1}));
        gpu_config ("compiled", "wait");
      endfor
    endfor
  endfor
endfor
## Random numbers do not depend on what makes them.
for f = {@() rand (300, 201, "gpuArray"), @() randn (300, 201, "gpuArray"), @() randn (300, 201, "single", "gpuArray"), @() rande (300, 201, "gpuArray"), ...
         @() randi (1000, 300, 201, "gpuArray")}
  made = cell (1, 2);
  for k = 1:2
    gpu_config ("device", {"cpu", "gpu"}{k});
    gpurng (5);
    made{k} = gather (f{1} ());
  endfor
  tally (same_bits (made{:}), "%s: %d of CPU and GPU differ", func2str (f{1}), nnz (made{1} != made{2}));
endfor

## More than a launch has blocks for.
if (isempty (getenv ("SANITIZED")))
  x = complex (single (randn (2e7, 1)), single (randn (2e7, 1)));
  g = gpuArray (x);
  tally (same_bits (gather (g .* g - 1), x .* x - 1), "product of many complex numbers");
  tally (all (abs (gather (abs (g)) - abs (x)) <= 2 * eps (abs (x))), "modulus of many complex numbers");
  x = zeros (3e8, 1, "uint8");
  at = unique (randi (3e8, 1000, 1));
  x(at) = 1;
  x = gpuArray (x);
  tally (isequal (gather (find (x)), at), "find in 300 million");
  tally (isequal (gather (find (x, 3, "last")), at(end-2:end)), "the last of 300 million");
  x(x == 1) = 2;
  tally (double (gather (sum (x))) == 2 * numel (at), "a mask of 300 million");
endif
## What an array waits for is told, and no kernel is compiled by that.
x = gpuArray (rand (2000, 1500));
for f = {@() exp (x .* 1.0625 + 3) ./ (7 + abs (x)), @() (x - mean (x)) ./ (1.0625 + std (x))}
  before = gpu_config ("compiled");
  s = gpu_explain (f{1} ());
  tally (isequal (gpu_config ("compiled"), before), "explaining %s asks for no kernel", func2str (f{1}));
  tally (numel (s.passes) == 1 && any (strcmp (s.passes.kernel, {"to be compiled", "compiled"})), "%s: %s", func2str (f{1}), s.passes(1).kernel);
  y = f{1} ();
  gather (y(1));
  gpu_config ("compiled", "wait");
  s = gpu_explain (f{1} ());
  tally (strcmp (s.passes(1).kernel, "compiled"), "%s is compiled: %s", func2str (f{1}), s.passes(1).kernel);
  tally (s.memory_gbs > 10 && abs (s.passes(1).least_ms - (s.passes(1).bytes_read + s.passes(1).bytes_written) / s.memory_gbs / 1e6) < 1e-9, ...
         "least time of %s: %g ms, %g GB/s", func2str (f{1}), s.passes(1).least_ms, s.memory_gbs);
endfor
now = gpu_config ("compiled");
tally (now.failed == 0 && now.compiled + now.read > 10, "%d compiled, %d read, %d failed: %s", now.compiled, now.read, now.failed, now.failure);
tally ();
