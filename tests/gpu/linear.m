## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Linear algebra and Fourier transforms by cuBLAS, cuSOLVER and cuFFT: the rules of tests/linear.tst, on sizes that take more than a block too,
## none through the host; every call that can fail; memory given back by a reset.

here = fileparts (mfilename ("fullpath"));
addpath (fullfile (here, ".."));
warning ("off", "all");

function near (name, f, varargin)
  before = gpu_config ("through_host", "count");
  on = cellfun (@gpuArray, varargin, "UniformOutput", false);
  y = gather (f (on{:}));
  tally (gpu_config ("through_host", "count") == before, "%s went through the host", name);
  x = f (varargin{:});
  tally (strcmp (class (x), class (y)) && isequal (size (x), size (y)), "%s: another class or size", name);
  tally (max (abs (double (x(:) - y(:)))) <= 1e4 * eps (class (x)) * max (abs (double (x(:)))), "%s: other values", name);
endfunction

for type = {@double, @single, @(x) complex (x, flip (x) / 10), @(x) single (complex (x, flip (x) / 10))}
  t = type{1};
  a = t (randn (700, 300)); b = t (randn (300, 450)); s = t (randn (300) + 30 * eye (300)); h = s * s' + eye (300); h = (h + h') / 2;
  near ("A * B", @(a, b) a * b, a, b);
  near ("A' * A", @(a) a' * a, a);
  near ("A * x", @(a, b) a * b(:,1), a, b);
  near ("x * A", @(a, b) a(1,:) * b, b, t (randn (450, 20)));
  near ("x' * y", @(a, b) a(:,1)' * a(:,2), a, b);
  near ("A \\ B", @(a, b) a \ b, s, b);
  near ("B / A", @(a, b) b / a, s, a);
  near ("inv", @inv, s);
  near ("det", @det, s / 30);
  near ("chol", @chol, h);
  near ("lu", @lu, a);
  near ("svd", @svd, a);
  near ("eig", @eig, h);
  near ("fft", @fft, a);
  near ("fft of rows", @(a) fft (a, 1000, 2), a);
  near ("ifft of a prime length", @(a) ifft (a, 1009, 1), a);
  near ("fft2", @fft2, a);
  near ("fftn", @fftn, reshape (a, 70, 30, 100));
  near ("fft of the middle", @(a) fft (a, [], 2), reshape (a, 70, 30, 100));
  [~, r] = inv (gpuArray (s));
  tally (abs (r / rcond (s) - 1) < 0.5, "another condition");
endfor

reset (gpuDevice ());
g = gpuArray (magic (4));
tally (isequal (gather (g * g), magic (4) ^ 2), "a product after a reset");
log = evalc ("run_tests (fullfile (here, \"..\", \"linear.tst\"), \"\");");
tally (isempty (regexp (log, '[1-9]\d* failed', "once")), "%s", log);
clear g
source (fullfile (here, "..", "libraries", "faults.m"));
tally ();
