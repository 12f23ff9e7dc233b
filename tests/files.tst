## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## gpu_reduce of files and of functions that bring pieces: the bits of the array in memory, bounded memory, checkpoints, and what is wrong
## with a file or function.  FILES_ROUNDS, FILES_SEED: random problems.

## Results of both, or the error of either; the built-in's own answers do not go with a file.
%!function [values, id, builtin] = results (outputs, varargin)
%!  values = cell (1, outputs);
%!  id = "";
%!  builtin = false;
%!  try
%!    [values{:}] = gpu_reduce (varargin{:});
%!    builtin = strcmp (gpu_config ("last").backend, "built-in");
%!  catch e
%!    id = e.identifier;
%!    message = e.message;
%!    assert (strncmp (message, "gpu_", 4) || strncmp (message, "__gpr", 5), message);
%!  end_try_catch
%!endfunction

%!function tf = same (a, b)
%!  tf = isequal (size (a), size (b)) && strcmp (class (a), class (b)) && iscomplex (a) == iscomplex (b);
%!  tf = tf && isequal (num_bits (a), num_bits (b));
%!endfunction

%!function b = num_bits (x)
%!  x = [real(x(:)); imag(x(:))];
%!  if (islogical (x) || ischar (x))
%!    x = uint8 (x);
%!  endif
%!  x(isnan (x) & ! isna (x)) = NaN;
%!  b = typecast (x, "uint8");
%!endfunction

%!function must_raise (id, text, varargin)
%!  try
%!    gpu_reduce (varargin{:});
%!  catch e
%!    assert (e.identifier, id);
%!    assert (! isempty (strfind (e.message, text)), "%s", e.message);
%!    return;
%!  end_try_catch
%!  error ("no error: %s", text);
%!endfunction

%!function n = open_files ()
%!  n = numel (dir ("/proc/self/fd"));
%!endfunction

%!function random_problems (rounds)
%!  name = [tempname() ".bin"];
%!  limit = gpu_config ("memory_limit");
%!  threads = gpu_config ("threads");
%!  unwind_protect
%!    done = 0;
%!    for k = 1:rounds
%!      p = streamed_problem ();
%!      offset = randi (3) * 8 - 8;
%!      write_raw (name, p.x, offset);
%!      gpu_config ("memory_limit", {2^16, 2^18, 2^21, 2^29}{randi(4)});
%!      gpu_config ("threads", randi (3));
%!      [whole, id, builtin] = results (p.outputs, p.x, p.op, p.options{:}, "device", "cpu");
%!      [file, id2] = results (p.outputs, "file", name, p.op, p.options{:}, p.describes{:}, "offset", offset);
%!      [fun, id3] = results (p.outputs, @(i, j) last_dimension (p.x, i, j), p.op, p.options{:}, p.describes{:});
%!      what = sprintf ("round %d: %s of %s %s%s, %s", k, p.op, mat2str (size (p.x)), ifelse (iscomplex (p.x), "complex ", ""), class (p.x), disp (p.options));
%!      assert (id2, id3, what);
%!      if (! isempty (id2))
%!        assert (builtin || ! isempty (id), what);
%!        continue;
%!      endif
%!      assert (isempty (id), what);
%!      done++;
%!      assert (all (cellfun (@same, whole, file)), what);
%!      assert (all (cellfun (@same, whole, fun)), what);
%!    endfor
%!    assert (done > rounds / 2);
%!  unwind_protect_cleanup
%!    gpu_config ("memory_limit", limit);
%!    gpu_config ("threads", threads);
%!    delete (name);
%!  end_unwind_protect
%!endfunction

%!function y = ifelse (tf, a, b)
%!  y = {b, a}{1 + tf};
%!endfunction

%!test <*files_and_functions_give_the_bits_of_the_array_in_memory>
%! seed_from ("FILES_SEED");
%! random_problems (setting ("FILES_ROUNDS", ifelse (strcmp (getenv ("CHECK_LONG"), "yes"), 3000, 60)));
