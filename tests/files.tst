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
%!    id = [e.identifier ":"];              # of an error of the built-in perhaps without one
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
%!  n = numel (glob ("/proc/self/fd/*"));
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
%!      what = sprintf ("round %d: %s of %s %s%s, %s", k, p.op, mat2str (size (p.x)), merge (iscomplex (p.x), "complex ", ""), class (p.x), disp (p.options));
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

## The indices of the last dimension of x, noted in log, a map; beyond good indices, as log ("good") says, an error.
%!function y = noted (log, x, i, j)
%!  if (i > log("good"))
%!    error ("the disk is gone");
%!  endif
%!  if (! isKey (log, "first"))
%!    log("first") = i;
%!  endif
%!  log("asked") = [log("asked"); i, j];
%!  y = x(:,i:j);
%!endfunction

%!function log = new_log (good)
%!  log = containers.Map ({"good", "asked"}, {good, zeros(0, 2)}, "UniformValues", false);
%!endfunction

%!test # files_and_functions_give_the_bits_of_the_array_in_memory
%! seed_from ("FILES_SEED");
%! random_problems (setting ("FILES_ROUNDS", merge (strcmp (getenv ("CHECK_LONG"), "yes"), 3000, 25)));

%!shared name, x, o
%! name = [tempname() ".bin"];
%! x = reshape (mod ((1:60000) * 7919, 1000) - 300, 20, 3000);
%! write_raw (name, x);
%! o = {"class", "double", "dims", [20 3000]};

%!test # the_operator_follows_the_source_or_pairs_of_options
%! f = @(i, j) x(:,i:j);
%! for source = {{"file", name}, {f}}
%!   for args = {{"sum", o{:}, "dim", 2}, {o{:}, "sum", "dim", 2}, {o{1:2}, "sum", o{3:4}, "dim", 2}, {o{:}, "dim", 2, "sum"}}
%!     assert (gpu_reduce (source{1}{:}, args{1}{:}), sum (x, 2));
%!   endfor
%!   for args = {{"histogram", 7, "limits", [-100 400], o{:}}, {o{:}, "histogram", 7, "limits", [-100 400]}, {o{:}, "limits", [-100 400], "histogram", 7}}
%!     assert (gpu_reduce (source{1}{:}, args{1}{:}), gpu_reduce (x, "histogram", 7, "limits", [-100 400], "device", "cpu"));
%!   endfor
%!   [m, i] = gpu_reduce (source{1}{:}, o{:}, "max");
%!   [m2, i2] = max (x);
%!   assert ({m, i}, {m2, i2});
%!   for args = {{"summ", o{:}}, {o{:}, "summ"}, {o{:}}, {o{:}, 3}, {"class", "sum", "dims", "max"}}
%!     must_raise ("gpureduce:invalid-input", "\"histogram\", after the file's name or the function, or after pairs of options", source{1}{:}, args{1}{:});
%!   endfor
%!   must_raise ("gpureduce:invalid-input", "pairs of a name", source{1}{:}, o{:}, "sum", "dim");
%!   must_raise ("gpureduce:invalid-input", "NBINS must", source{1}{:}, o{:}, "histogram");
%! endfor
%! assert (gpu_reduce ("file", "sum", "dim", 2), sum (double ("file")));        # text, which is reduced as ever
%! named = fullfile (tempname (), "sum");
%! mkdir (fileparts (named));
%! write_raw (named, 1:3);
%! back = cd (fileparts (named));
%! unwind_protect
%!   assert (gpu_reduce ("file", "sum", "class", "double", "dims", [1 3], "max"), 3);
%! unwind_protect_cleanup
%!   cd (back);
%!   delete (named);
%!   rmdir (fileparts (named));
%! end_unwind_protect

%!test # sums_that_only_elements_in_order_settle_read_the_file_again
%! y = zeros (3, 400000);
%! y(:,[1 2 200000 300000]) = realmax * [1 1 -1 -1; 1 -1 1 -1; .5 .7 -.5 -.7];
%! big = [name "2"];
%! write_raw (big, y);
%! unwind_protect
%!   for op = {"sum", "prod"}
%!     for d = {{"dim", 2}, {"dim", "all"}, {"dim", 1}}
%!       want = gpu_reduce (y, op{1}, d{1}{:}, "device", "cpu");
%!       assert (gpu_reduce ("file", big, op{1}, "class", "double", "dims", size (y), d{1}{:}), want);
%!       calls = 0;
%!       assert (gpu_reduce (@(i, j) y(:,i:j), op{1}, "class", "double", "dims", size (y), d{1}{:}, "pieces", 7777), want);
%!     endfor
%!   endfor
%!   assert (gpu_reduce (y, "sum", "dim", 2, "device", "cpu"), sum (y, 2));
%! unwind_protect_cleanup
%!   delete (big);
%! end_unwind_protect

%!test # complex_numbers_are_pairs_and_bytes_of_logicals_are_true_unless_0
%! z = [name "3"];
%! v = complex (randn (30, 4), randn (30, 4));
%! write_raw (z, v, 5);                  # at an offset that is no multiple of an element
%! assert (gpu_reduce ("file", z, "sum", "class", "double", "complex", true, "dims", [30 4], "offset", 5), gpu_sum (v, "device", "cpu"));
%! write_raw (z, uint8 ([0 1 2 200 0]));
%! assert (gpu_reduce ("file", z, "sum", "class", "logical", "dims", [1 5]), 3);
%! delete (z);

%!test # a_file_larger_than_the_memory_is_reduced
%! code = ["name = '%s'; f = fopen (name, 'ab'); fwrite (f, 5, 'double'); fclose (f);\n" ...
%!         "[m, i] = gpu_reduce ('file', name, 'max', 'class', 'double', 'dims', [1 1.2e9/8]);\n" ...
%!         "s = gpu_reduce ('file', name, 'std', 'class', 'double', 'dims', [3000 50000], 'dim', 1);\n" ...
%!         "printf ('%%d %%d %%d %%d; peak %%d MB\\n', m, i == 1.2e9/8, nnz (s), numel (s), round (sscanf (fileread ('/proc/self/status')" ...
%!         "(strfind (fileread ('/proc/self/status'), 'VmHWM:') + 6:end), '%%d') / 1024));\n"];
%! big = [name "4"];
%! unwind_protect
%!   system (["truncate -s 1199999992 " big]);
%!   [status, said] = in_octave (sprintf (code, big), "sh -c 'ulimit -v 1000000; exec \"$@\"' sh", 120);
%! unwind_protect_cleanup
%!   delete (big);
%! end_unwind_protect
%! assert (status, 0, said);
%! assert (! isempty (strfind (said, "5 1 1 50000; ")), "%s", said);
%! peak = sscanf (said(strfind (said, "peak ") + 5:end), "%d");
%! assert (peak < 700, "%s", said);

%!test # dimensions_apart_are_an_error_that_says_what_to_do_and_what_it_says_is_right
%! y = reshape (x, 20, 30, 100);
%! for source = {{"file", name}, {@(i, j) y(:,:,i:j)}}
%!   call = @(op, dim) gpu_reduce (source{1}{:}, op, "class", "double", "dims", size (y), "dim", dim);
%!   must_raise ("gpureduce:unsupported", "reduce the last of them, and then the result, which is in memory, over the others", source{1}{:}, "sum", "class", "double", "dims", size (y), "dim", [1 3]);
%!   for op = {"sum", "sum"; "max", "max"; "min", "min"; "any", "any"; "all", "all"; "sumsq", "sum"; "nnz", "sum"}.'
%!     assert (gpu_reduce (call (op{1}, 3), op{2}, "dim", 1), gpu_reduce (y, op{1}, "dim", [1 3], "device", "cpu"));     # whole numbers: no rounding
%!   endfor
%!   assert (gpu_reduce (call ("mean", 3), "mean", "dim", 1), gpu_reduce (y, "mean", "dim", [1 3], "device", "cpu"), 1e-11);
%! endfor

%!test # what_is_wrong_with_a_file_is_a_clear_error_and_leaves_nothing_open
%! before = open_files ();
%! must_raise ("gpureduce:invalid-input", "has 480000 bytes, and class, dims and offset take 480160: is it cut off", "file", name, "sum", "class", "double", "dims", [20 3001]);
%! must_raise ("gpureduce:invalid-input", "take only 479840", "file", name, "sum", "class", "double", "dims", [20 2999]);
%! assert (gpu_reduce ("file", name, "sum", "class", "double", "dims", [20 2999], "longer", true), sum (x(:,1:end-1)));
%! assert (gpu_reduce ("file", name, "sum", "class", "double", "dims", [20 2998], "longer", true, "offset", 160), sum (x(:,2:end-1)));
%! must_raise ("gpureduce:cannot-read", "No such file", "file", [name "none"], "sum", o{:});
%! must_raise ("gpureduce:cannot-read", "is a folder", "file", tempdir (), "sum", o{:});
%! must_raise ("gpureduce:cannot-read", "is not a regular file", "file", "/dev/zero", "sum", o{:});
%! fifo = tempname ();
%! system (["mkfifo " fifo]);
%! must_raise ("gpureduce:cannot-read", "is not a regular file", "file", fifo, "sum", o{:});
%! delete (fifo);
%! must_raise ("gpureduce:invalid-input", "class and dims must say", "file", name, "sum", "class", "double");
%! must_raise ("gpureduce:invalid-input", "dims must be", "file", name, "sum", "class", "double", "dims", [20 -1]);
%! must_raise ("gpureduce:invalid-input", "dims must be", "file", name, "sum", "class", "double", "dims", [1e15 1e15]);
%! must_raise ("gpureduce:invalid-input", "class must be", "file", name, "sum", "class", "cell", "dims", [20 3000]);
%! must_raise ("gpureduce:invalid-input", "unknown option \"dimm\"", "file", name, "sum", o{:}, "dimm", 1);
%! must_raise ("gpureduce:invalid-input", "dataset, pieces, checkpoint, every, progress, comm, result, dim, ", "file", name, "sum", o{:}, "dimm", 1);
%! must_raise ("gpureduce:invalid-input", "unknown option \"checkpiont\"", "file", name, "std", "class", "double", "dims", [0 5], "checkpiont", "x");
%! must_raise ("gpureduce:invalid-input", "result goes with comm", "file", name, "sum", o{:}, "result", 0);
%! must_raise ("gpureduce:invalid-input", "result must be \"all\" or a rank from 0 to 0", "file", name, "sum", o{:}, "result", 1, "comm", gpu_comm ());
%! must_raise ("gpureduce:invalid-input", "pairs", "file", name, "sum", o{:}, "dim");
%! must_raise ("gpureduce:unsupported", "device must be", "file", name, "sum", o{:}, "device", "gpu");
%! must_raise ("gpureduce:unsupported", "a variant", "file", name, "sum", o{:}, "variant", "sequential");
%! must_raise ("gpureduce:unsupported", "median does not go", "file", name, "median", o{:});
%! must_raise ("gpureduce:unsupported", "cumsum does not go", "file", name, "cumsum", o{:});
%! must_raise ("gpureduce:unsupported", "\"exact\"", "file", name, "sum", o{:}, "outtype", "exact");
%! must_raise ("gpureduce:invalid-input", "limits", "file", name, "histogram", 3, o{:});
%! assert (open_files (), before);
%! assert (gpu_reduce ("file", name, "sum", o{:}), sum (x));
%! assert (gpu_reduce ("file", "sum"), sum (double ("file")));          # as ever
%! assert (gpu_reduce ("file", "sum", "dim", 1), double ("file"));

%!test # what_is_wrong_with_a_function_is_a_clear_error
%! f = @(p) {p, "sum", o{:}, "dim", 2};
%! must_raise ("gpureduce:cannot-read", "failed for the indices 1 to 3000: no tape", f (@(i, j) error ("no tape")){:});
%! must_raise ("gpureduce:cannot-read", "returned a single", f (@(i, j) single (x(:,i:j))){:});
%! must_raise ("gpureduce:cannot-read", "returned a complex double", f (@(i, j) x(:,i:j) + 1i){:});
%! must_raise ("gpureduce:cannot-read", "returned a sparse", f (@(i, j) sparse (x(:,i:j))){:});
%! must_raise ("gpureduce:cannot-read", "returned a cell", f (@(i, j) {1}){:});
%! must_raise ("gpureduce:cannot-read", "returned 20x2999 elements for the indices 1 to 3000, not 20x3000", f (@(i, j) x(:,i:j-1)){:});
%! must_raise ("gpureduce:cannot-read", "failed", f (@(i) x){:});
%! must_raise ("gpureduce:cannot-read", "cannot itself reduce a file", f (@(i, j) x(:,i:j) + gpu_reduce ("file", name, "sum", o{:}, "dim", "all")){:});
%! assert (gpu_reduce (@(i, j) x(:,i:j) + 0 * gpu_sum (x(:)), "sum", o{:}, "dim", 2), sum (x, 2));       # other functions may be called
%! must_raise ("gpureduce:invalid-input", "go with a file", @(i, j) x(:,i:j), "sum", o{:}, "offset", 8);
%! assert (gpu_reduce ("file", name, "sum", o{:}), sum (x));

%!test # a_function_is_asked_for_whole_indices_in_order
%! log = new_log (Inf);
%! assert (gpu_reduce (@(i, j) noted (log, x, i, j), "sum", o{:}, "dim", 2, "pieces", 700), sum (x, 2));
%! assert (log("asked"), [1 700; 701 1400; 1401 2100; 2101 2800; 2801 3000]);

%!test # a_call_that_failed_goes_on_from_its_checkpoint
%! limit = gpu_config ("memory_limit", 2^16);
%! check = [name ".check"];
%! unwind_protect
%!   for dim = {1, 2, "all"}
%!     for op = {"sum", "var", "max"}
%!       log = new_log (1500);
%!       call = {@(i, j) noted(log, x, i, j), op{1}, o{:}, "dim", dim{1}, "pieces", 100, "checkpoint", check, "every", 0};
%!       must_raise ("gpureduce:cannot-read", "the disk is gone", call{:});
%!       assert (exist (check, "file"), 2);
%!       log("good") = Inf;
%!       remove (log, "first");
%!       want = gpu_reduce (x, op{1}, "dim", dim{1}, "device", "cpu");
%!       assert (gpu_reduce (call{:}), want);
%!       assert (log("first") > 1);
%!       assert (exist (check, "file"), 0);
%!     endfor
%!   endfor
%! unwind_protect_cleanup
%!   gpu_config ("memory_limit", limit);
%! end_unwind_protect

%!test # a_process_that_was_killed_goes_on_from_its_checkpoint
%! limit = gpu_config ("memory_limit", 2^16);
%! check = [name ".check"];
%! big = [name "5"];
%! y = randn (40, 30000);
%! write_raw (big, y);
%! call = {"file", big, "sum", "class", "double", "dims", size(y), "dim", 2, "checkpoint", check, "every", 0};
%! unwind_protect
%!   for round = 1:3
%!     code = sprintf (["gpu_config ('memory_limit', 2^16); system (sprintf ('(while [ ! -e %s ]; do :; done; sleep 0.0%d; kill -9 %%d) &', getpid ()));" ...
%!                      "gpu_reduce ('file', '%s', 'sum', 'class', 'double', 'dims', [40 30000], 'dim', 2, 'checkpoint', '%s', 'every', 0);"], check, round, big, check);
%!     in_octave (code, "", 30);
%!     assert (gpu_reduce (call{:}), gpu_reduce (y, "sum", "dim", 2, "device", "cpu"));
%!     assert (exist (check, "file"), 0);
%!   endfor
%! unwind_protect_cleanup
%!   gpu_config ("memory_limit", limit);
%!   delete (big);
%! end_unwind_protect

%!test # a_checkpoint_of_another_call_or_file_or_a_damaged_one_is_an_error
%! check = [name ".check"];
%! log = new_log (2000);
%! f = @(i, j) noted (log, x, i, j);
%! limit = gpu_config ("memory_limit", 2^16);
%! unwind_protect
%!   more = {"pieces", 100, "every", 0, "checkpoint", check};
%!   must_raise ("gpureduce:cannot-read", "the disk is gone", f, "sum", o{:}, "dim", 2, more{:});
%!   must_raise ("gpureduce:invalid-input", "is of another call", f, "max", o{:}, "dim", 2, more{:});
%!   must_raise ("gpureduce:invalid-input", "is of another call", f, "sum", o{:}, "dim", 1, more{:});
%!   must_raise ("gpureduce:invalid-input", "the function has another text than when the checkpoint", @(i, j) x(:,i:j), "sum", o{:}, "dim", 2, more{:});
%!   long = @(last) str2func (["@(i, j) ones (20, j - i + 1)(:,1:end + (i > 2000))" repmat(" + 0", 1, 400) " + " last]);
%!   other = [name ".long"];
%!   must_raise ("gpureduce:cannot-read", "failed", long ("0"), "sum", o{:}, "dim", 2, more{1:end-1}, other);
%!   must_raise ("gpureduce:invalid-input", "the function has another text than when the checkpoint", long ("1"), "sum", o{:}, "dim", 2, more{1:end-1}, other);
%!   delete (other);
%!   bytes = fileread (check);
%!   bytes(60) = char (bitxor (double (bytes(60)), 1));
%!   h = fopen (check, "wb"); fwrite (h, bytes); fclose (h);
%!   must_raise ("gpureduce:invalid-input", "is damaged", f, "sum", o{:}, "dim", 2, more{:});
%!   h = fopen (check, "wb"); fwrite (h, "a letter to somebody, which is longer than what a checkpoint begins with"); fclose (h);
%!   must_raise ("gpureduce:invalid-input", "is no checkpoint", f, "sum", o{:}, "dim", 2, more{:});
%!   assert (fileread (check)(1:8), "a letter");
%!   must_raise ("gpureduce:cannot-write", "cannot be written", "file", name, "sum", o{:}, "checkpoint", "/nowhere/check", "every", 0);
%! unwind_protect_cleanup
%!   gpu_config ("memory_limit", limit);
%!   delete (check);
%! end_unwind_protect

%!test # a_checkpoint_that_cannot_be_written_is_an_error_before_anything_is_read
%! check = [name ".check"];
%! limit = gpu_config ("memory_limit", 2^16);
%! log = new_log (2000);
%! call = @(path, every) {@(i, j) noted(log, x, i, j), "sum", o{:}, "dim", 2, "pieces", 100, "checkpoint", path, "every", every};
%! unwind_protect
%!   for path = {"/nowhere/check", [name "/check"]}
%!     must_raise ("gpureduce:cannot-write", [path{1} " cannot be written: "], "file", name, "sum", o{:}, "checkpoint", path{1});
%!     must_raise ("gpureduce:cannot-write", [path{1} " cannot be written: "], call (path{1}, 30){:});
%!   endfor
%!   assert (log("asked"), zeros (0, 2));
%!   must_raise ("gpureduce:cannot-read", "the disk is gone", call (check, 0){:});
%!   older = fileread (check);
%!   mkdir ([check ".new"]);
%!   must_raise ("gpureduce:cannot-write", "cannot be written: ", call (check, 30){:});
%!   assert (fileread (check), older);
%!   rmdir ([check ".new"]);
%!   must_raise ("gpureduce:cannot-read", "the disk is gone", call (check, 30){:});
%!   assert (fileread (check), older);
%!   log("good") = Inf;
%!   remove (log, "first");
%!   assert (gpu_reduce (call (check, 30){:}), sum (x, 2));
%!   assert (log("first") > 1);
%!   assert (glob ([check "*"]), cell (0, 0));
%! unwind_protect_cleanup
%!   gpu_config ("memory_limit", limit);
%! end_unwind_protect

%!testif HAVE_HDF5 # datasets_of_hdf5_files_are_reduced_in_blocks
%! h = [name ".h5"];
%! xs = randn (50, 4000); z = complex (randn (30, 40), randn (30, 40)); i8 = int8 (randi (100, 7, 9, 11)); b = rand (5, 8) > .5;
%! v = randn (9e6, 1); w = single (randn (5e6, 2)); c = "abc"; s = sparse (1);
%! none = cell (0, 3);
%! save ("-hdf5", h, "xs", "z", "i8", "b", "v", "w", "none", "c", "s");
%! must = @(n, text) must_raise ("gpureduce:cannot-read", text, "file", h, "sum", "dataset", n);
%! unwind_protect
%!   try
%!     gpu_reduce ("file", h, "sum", "dataset", "xs");
%!   catch e
%!     assert (e.identifier, "gpureduce:unsupported", e.message);           # built without libhdf5
%!     assert (! isempty (strfind (e.message, "libhdf5-dev")));
%!     return;
%!   end_try_catch
%!   for a = {"xs", xs; "z", z; "i8", i8; "b", b; "v", v; "w", w}.'
%!     for d = {1, 2, "all"}
%!       for op = {"sum", "max"}
%!         assert (same (gpu_reduce ("file", h, op{1}, "dataset", a{1}, "dim", d{1}), gpu_reduce (a{2}, op{1}, "dim", d{1}, "device", "cpu")));
%!       endfor
%!     endfor
%!   endfor
%!   must ("none", "a cell, ");
%!   must ("c", "text");
%!   must ("s", "no dataset of that name");
%!   must ("nothing", "no dataset of that name");
%!   must_raise ("gpureduce:invalid-input", "dataset goes with", "file", h, "sum", "dataset", "xs", "class", "double");
%!   must_raise ("gpureduce:cannot-read", "not a whole HDF5", "file", name, "sum", "dataset", "xs");
%!   bytes = fileread (h);
%!   f = fopen ([h "cut"], "wb"); fwrite (f, bytes(1:end-1e6)); fclose (f);
%!   must_raise ("gpureduce:cannot-read", "not a whole HDF5", "file", [h "cut"], "sum", "dataset", "xs");
%!   delete ([h "cut"]);
%! unwind_protect_cleanup
%!   delete (h);
%! end_unwind_protect

%!function z = tried (varargin)
%!  try
%!    z = gpu_reduce (varargin{:});
%!  catch err
%!    z = err.message;
%!  end_try_catch
%!endfunction
%!testif HAVE_HDF5 # empty_arrays_and_ranges_of_hdf5_files_are_those_that_octave_saved
%! h = [name ".h5"];
%! r = @() round (10 * rand ()) / 10 * randi (30);
%! s = struct ("n", zeros (0, 3), "n3", zeros (3, 0, 2, "int8"), "nf", single (zeros (0, 4)), "ni", zeros (2, 0, "uint64"), "nb", true (0, 5), "nn", zeros (0, 0), ...
%!             "nz", complex (zeros (2, 0)), "nzf", complex (single (zeros (1, 0))), "nr", 1:0, "r", 1:1000, "back", 10:-3:-7, "up", 0:0.1:0.3, ...
%!             "minus", -0:3, "long", 0:0.1:3e5, "one", 0.1:0.7:0.5, "any", r():r():1000, "down", -r():-0.1-r():-1e4);
%! save ("-hdf5", h, "-struct", "s");
%! l = load (h);
%! unwind_protect
%!   try
%!     gpu_reduce ("file", h, "sum", "dataset", "r");
%!   catch e
%!     assert (e.identifier, "gpureduce:unsupported", e.message);           # built without libhdf5
%!     return;
%!   end_try_catch
%!   for f = fieldnames (s).'
%!     y = l.(f{1})(:,:,:);                # no range
%!     for op = {"sum", "max", "min", "mean", "std", "any"}
%!       for d = {{}, {"dim", 1}, {"dim", 2}, {"dim", "all"}}
%!         want = tried (y, op{1}, d{1}{:}, "device", "cpu");           # std of logical has an error in 9
%!         got = tried ("file", h, op{1}, "dataset", f{1}, d{1}{:});
%!         assert ((ischar (want) && ischar (got)) || same (got, want), [f{1} " " op{1}]);
%!       endfor
%!     endfor
%!     assert (gpu_reduce ("file", h, "sum", "dataset", f{1}, "dim", 3), sum (y, 3));     # its elements
%!   endfor
%!   assert (1 / gpu_reduce ("file", h, "min", "dataset", "minus", "dim", 1)(1), 1 / l.minus(1));
%! unwind_protect_cleanup
%!   delete (h);
%! end_unwind_protect

%!test # counts_of_a_file_are_those_of_the_array
%! [want, edges] = gpu_reduce (x, "histogram", 7, "limits", [-100 400], "device", "cpu");
%! [counts, e] = gpu_reduce ("file", name, "histogram", 7, "limits", [-100 400], o{:});
%! assert ({counts, e}, {want, edges});
%! assert (gpu_reduce (@(i, j) x(:,i:j), "histogram", 7, "limits", [-100 400], o{:}, "pieces", 10), want);

%!test # a_file_that_is_cut_off_or_changed_while_it_is_read_is_an_error
%! large = [tempname() ".bin"];
%! check = [large ".check"];
%! limit = gpu_config ("memory_limit", 2^16);           # many pieces, with a checkpoint after each
%! unwind_protect
%!   for c = {"truncate -s 4096 %s", "cut off while it was read"
%!            "printf x | dd of=%s bs=1 conv=notrunc 2> /dev/null", "has changed while it was read"}'
%!     system (["rm -f " check "; truncate -s 100000000 " large]);
%!     system (sprintf (["(while [ ! -e %s ]; do sleep 0.01; done; " c{1} ") > /dev/null 2>&1 &"], check, large));
%!     fail ("gpu_reduce (\"file\", large, \"std\", \"class\", \"double\", \"dims\", [1 1.25e7], \"checkpoint\", check, \"every\", 0)", c{2});
%!   endfor
%! unwind_protect_cleanup
%!   gpu_config ("memory_limit", limit);
%!   delete (large);
%!   delete (check);
%! end_unwind_protect

%!test # ctrl_c_ends_a_call_also_within_the_function
%! code = ["function x = piece (i, j)\n  pause (0.1);\n  x = ones (1000, j - i + 1);\nendfunction\n" ...
%!         "finished = 0;\nn = numel (glob ('/proc/self/fd/*'));\n" ...
%!         "system (sprintf ('(for i in 1 2 3; do sleep 0.35; kill -INT %d; done) > /dev/null 2>&1 &', getpid ()));\n" ...
%!         "unwind_protect\n gpu_reduce (@piece, 'sum', 'class', 'double', 'dims', [1000 1e6], 'dim', 2); finished = 1;\n" ...
%!         "unwind_protect_cleanup\n printf ('finished %d, %d left, next %g\\n', finished, numel (glob ('/proc/self/fd/*')) - n," ...
%!         " gpu_reduce (@(i, j) ones (1, j - i + 1), 'sum', 'class', 'double', 'dims', [1 10]));\nend_unwind_protect\n"];
%! [~, said] = in_octave (code, "", 30);
%! assert (! isempty (strfind (said, "finished 0, 0 left, next 10")), "%s", said);

%!test # progress_is_shown_where_it_is_wanted
%! code = "%s gpu_reduce (@(i, j) ones (1, j - i + 1) + 0 * system ('sleep 0.02'), 'sum', 'class', 'double', 'dims', [1 1e6], 'pieces', 1e5 %s);";
%! [~, said] = in_octave (sprintf (code, "gpu_config ('memory_limit', 2^20); ", ", 'progress', true"), "", 30);
%! assert (! isempty (strfind (said, "% read, about ")), "%s", said);
%! [~, said] = in_octave (sprintf (code, "", ""), "", 30);
%! assert (isempty (strfind (said, "% read")), "%s", said);

%!test
%! delete (name);
