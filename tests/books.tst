## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Kernels as books print them, in tests/sim/books: they compile, run in the simulator, give the
## right sum, and cost what their structure costs; wrong ones are named with their fault.

%!function folder = books ()
%!  folder = fullfile (fileparts (mfilename ("fullpath")), "sim", "books");
%!endfunction
%!function names = added (file)
%!  wanted = getenv ("GPUREDUCE_CUDA");
%!  setenv ("GPUREDUCE_CUDA", "no");                   # the simulator's matter alone
%!  unwind_protect
%!    names = gpu_variant_add (file);
%!  unwind_protect_cleanup
%!    setenv ("GPUREDUCE_CUDA", wanted);
%!  end_unwind_protect
%!endfunction
## the right result for each length, with the class's kernel
%!function right (name, class, lengths, varargin)
%!  for n = lengths
%!    x = feval (class, mod (7 * (1:n), 13));
%!    y = gpu_reduce (x, "sum", "variant", name, "device", "sim", varargin{:});
%!    assert (double (y), sum (double (x)), "%s of %d %s", name, n, class);
%!  endfor
%!endfunction
