## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Every allocation and every call of a library fails once, in each operation of linear algebra and each Fourier transform: what comes is the
## right answer, then by the host, or an error with an identifier; nothing is left behind, and the next call works.  On a GPU too.

1;
function y = several (n, f, varargin)
  y = cell (1, n);
  [y{:}] = f (varargin{:});
  y = cellfun (@(x) double (gather (x))(:), y, "UniformOutput", false);
  y = vertcat (y{:});
endfunction

function faults (name, run)
  want = run ();
  run ();
  __gpureduce__ ("fault", 0);
  run ();
  places = __gpureduce__ ("fault", 0);
  before = __gpureduce__ ("diagnose");
  for kind = {"memory", "other"}
    for n = 1:places
      err = got = [];
      __gpureduce__ ("fault", n, kind{1});
      try
        got = run ();
      catch err
      end_try_catch
      __gpureduce__ ("fault", 0);
      if (isempty (err))
        assert (got, want, 1e-4 * max (abs (want)));
      elseif (! (strncmp (err.identifier, "gpureduce:", 10) || strcmp (err.identifier, "Octave:bad-alloc") || ! isempty (strfind (err.message, "out of memory"))))
        error ("%s, fault %d: %s: %s", name, n, err.identifier, err.message);
      endif
      assert (run (), want, 1e-10 * max (abs (want)));
    endfor
  endfor
  after = __gpureduce__ ("diagnose");
  assert (after.handles, before.handles);
  if (after.memory.in_use != before.memory.in_use)
    error ("%s: %d bytes left behind", name, after.memory.in_use - before.memory.in_use);
  endif
  printf ("%s %d; ", name, places);
endfunction

warning ("off", "all");
few = __gpr_octave__ ("few", 0);        # which else are the host's
a = gpuArray (magic (5) + 9 * eye (5)); b = gpuArray (magic (5)(:,1:2)); c = gpuArray (complex (magic (5), 1)); s = gpuArray (single (magic (5))); h = a * a';
faults ("A * B", @() gather (a * b));
faults ("A * x", @() gather (a * b(:,1)));
faults ("x' * x", @() gather (b(:,1)' * b(:,1)));
faults ("A' * A", @() gather (c' * c)(:));
faults ("real * complex", @() several (1, @mtimes, a, c));
faults ("complex * real", @() several (1, @mtimes, c, a));
faults ("single * double", @() several (1, @mtimes, s, a));
faults ("A \\ B", @() gather (a \ b));
faults ("A \\ C", @() gather (a \ c));
faults ("B / A", @() gather (b' / a));
faults ("inv", @() several (2, @inv, a));
faults ("det", @() several (2, @det, a));
faults ("chol", @() several (2, @chol, h));
faults ("lu", @() several (3, @lu, a));
faults ("lu 1", @() several (1, @lu, a));
faults ("qr", @() abs (several (2, @qr, b)));
faults ("svd", @() abs (several (3, @svd, b')));
faults ("svd 1", @() several (1, @svd, b));
faults ("eig", @() abs (several (2, @eig, h)));
faults ("eig 1", @() several (1, @eig, h));
faults ("fft", @() gather (fft (a, 9, 2)));
faults ("ifft", @() gather (ifft (c)));
faults ("fftn", @() gather (fftn (c)));
faults ("fft2", @() gather (fft2 (a, 3, 7)));
printf ("\n1 passed, 0 failed\n");
