## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Every variant of the ladder on the GPU against the built-in: all operators,
## classes, blocks and finishes at short lengths, a random sample of pairs of them at
## long ones; timing; what is refused; memory.  LADDER_SEED changes the sample.

addpath (fullfile (fileparts (mfilename ("fullpath")), ".."));

function y = pick (list)
  y = list{randi (numel (list))};
endfunction

## Numbers whose result is the same in whatever order, but for sums of floats;
## integers stay within their class.
function x = numbers (op, kind, n)
  float = ! strcmp (kind, "int32");
  switch (op)
    case "sum"
      x = randi ([-1000 1000], n, 1);
      if (float)
        x = randn (n, 1);
      endif
    case "prod"
      x = 2 * randi ([0 1], n, 1) - 1;
      x(randi (n, 1, 20)) = 2;
      if (float)
        x(randi (n, 1, 20)) = 0.5;
      endif
    otherwise                   # few different values: ties
      x = randi ([-1 1] * ceil (n / 2), n, 1);
      if (float && n > 2)
        x /= 8;
        x(randi (n, 1, ceil (n / 10))) = NaN;
      endif
  endswitch
  x = cast (x, kind);
endfunction

## The variant's answer, or nothing where it refuses this combination.
function [y, z, refused] = ask (x, op, options)
  y = z = [];
  refused = "";
  try
    if (any (strcmp (op, {"argmax", "argmin"})))
      [y, z] = gpu_reduce (x, op, options{:});
    else
      y = gpu_reduce (x, op, options{:});
    endif
  catch err
    if (! strcmp (err.identifier, "gpureduce:invalid-input"))
      tally (false, "%s: %s", sprintf ("%s ", options{2:2:end-2}), err.message);
    endif
    refused = err.message;
  end_try_catch
endfunction

## Returns whether the variant has this.
function there = check (name, op, kind, n, finish, block)

  x = numbers (op, kind, n);
  if (strcmp (name, "cublas"))
    x = abs (x);
  endif
  [y, place, refused] = ask (x, op, {"variant", name, "finish", finish, "block", block, "device", "gpu"});
  there = isempty (refused);
  if (! there)
    return;
  endif
  what = sprintf ("%s %s of %d %s, %s, block %d", name, op, n, kind, finish, block);
  switch (op)
    case {"argmax", "argmin"}
      [value, expected] = feval (op(4:end), x);
      tally (isequaln (y, expected) && isequaln (place, value), "%s: place %g, not %g", what, y, expected);
    case "sum"
      expected = sum (x);
      bound = 0;
      if (isfloat (x))
        serial = merge (strcmp (name, "cublas"), 1024, block);          # it has blocks of its own
        bound = (log2 (n) + serial) * eps (kind) * sum (abs (double (x)));
      endif
      tally (strcmp (class (y), class (expected)) && abs (double (y) - sum (double (x))) <= bound, "%s: %g, not %g", what, y, expected);
    otherwise
      expected = feval (op, x);
      tally (strcmp (class (y), class (expected)) && isequaln (y, expected), "%s: %g, not %g", what, y, expected);
  endswitch

endfunction

function there = check_histogram (name, kind, n, bins, block)

  x = cast (randi ([0 255], n, 1), kind);
  limits = [10 240];            # some outside
  if (any (strcmp (kind, {"double", "single"})))
    x += cast (rand (n, 1), kind);
    x(randi (n)) = NaN;
  endif
  options = {"variant", name, "block", block, "device", "gpu"};
  try
    counts = gpu_reduce (x, "histogram", bins, "limits", limits, options{:});
    there = true;
  catch err
    tally (strcmp (err.identifier, "gpureduce:invalid-input"), "%s: %s", name, err.message);
    there = false;
    return;
  end_try_catch
  expected = gpu_reduce (x, "histogram", bins, "limits", limits, "device", "cpu");
  tally (isequal (counts, expected), "%s histogram of %d %s, %d bins, block %d", name, n, kind, bins, block);

endfunction

seed_from ("LADDER_SEED");

variants = gpu_variants ();
variants = variants(! strcmp ({variants.name}, "engine"));
bugs = strncmp ({variants.name}, "bug_", 4);
## SANITIZED: for the sanitizers, under which every launch takes long.
quick = ! isempty (getenv ("SANITIZED"));
short = merge (quick, [1 33 1000], [1 31 32 33 255 256 257 1000]);
long = merge (quick, 65537, [65537 1000003]);
finishes = {"two_pass", "multi_level", "atomic", "last_block", "grid_sync"};
blocks = merge (quick, [32 256], 2 .^ (5:10));
kinds = merge (quick, {"single", "int32"}, {"double", "single", "int32"});
ops.reduce = {"sum", "prod", "max", "min"};
ops.argmax = {"argmax", "argmin"};
before = [];

tally (sum (! bugs) >= 25, "%d variants", sum (! bugs));
for v = variants(! bugs)(:)'
  start = tic ();
  done = 0;
  if (strcmp (v.family, "histogram"))
    for kind = [kinds, "uint8"]
      for block = blocks
        for n = short
          done += check_histogram (v.name, kind{1}, n, pick ({1, 2, 10, 256}), block);
        endfor
        done += check_histogram (v.name, kind{1}, pick (num2cell (long)), pick ({7, 256, 1000}), block);
      endfor
    endfor
  else
    for op = ops.(v.family)
      for kind = kinds
        for finish = finishes
          for block = blocks
            for n = short
              there = check (v.name, op{1}, kind{1}, n, finish{1}, block);
              if (! there)
                break;
              endif
              done += 1;
            endfor
          endfor
        endfor
      endfor
    endfor
    for n = long
      for k = 1:merge (quick, 6, 60)
        done += check (v.name, pick (ops.(v.family)), pick (kinds), n, pick (finishes), pick (num2cell (blocks)));
      endfor
    endfor
  endif
  tally (done > merge (quick, 5, 20), "%s has only %d combinations", v.name, done);
  printf ("%-18s %6d in %.1f s\n", v.name, done, toc (start));
  if (isempty (before))
    before = __gpureduce__ ("diagnose").memory;         # slots and mail are there now
  endif
endfor

## resident arrays stay as they are, also by variants that work in place
x = int32 (randi ([-1000 1000], 300000, 1));
g = gpuArray (x);
for name = {"neighbored", "interleaved", "sequential", "grid_stride", "map_then_reduce"}
  y = gather (gpu_reduce (g, "sum", "variant", name{1}));
  tally (y == sum (x) && isequal (gather (g), x), "%s of a gpuArray", name{1});
endfor

## timed: the result is right and the times are there
repeats = 7;
for name = {"single_thread", "neighbored", "sequential", "full_shuffle", "grid_stride", "vectorized", "cub"}
  for finish = {"two_pass", "multi_level", "last_block", "grid_sync"}
    for input = {x, g}
      t = __gpureduce__ ("time_variant", name{1}, "sum", input{1}, finish{1}, 256, repeats);
      tally (t.value == sum (x), "%s %s timed: %d", name{1}, finish{1}, t.value);
      tally (numel (t.kernel_ms) == repeats && all (t.kernel_ms > 0) && numel (t.total_ms) == repeats && all (t.total_ms > 0),
             "%s %s: times", name{1}, finish{1});
    endfor
  endfor
endfor
for name = {"map_then_reduce", "map_reduce"}
  for finish = finishes
    for input = {x, g}
      t = __gpureduce__ ("time_variant", name{1}, "sum", input{1}, finish{1}, 256, repeats);
      tally (t.value == 2 * sum (x) + numel (x), "%s %s of 2 * x + 1: %d", name{1}, finish{1}, t.value);
    endfor
  endfor
endfor
r = gpu_bench ("variants", {"grid_stride", "map_then_reduce", "map_reduce"}, "n", 2^26, "class", "single", "repeats", 5);
printf ("fused %.2f times as fast as unfused, %.2f times as fast as no map\n", r(2).kernel_ms / r(3).kernel_ms, r(1).kernel_ms / r(3).kernel_ms);
tally (r(3).kernel_ms < r(2).kernel_ms, "fusion saves no time: %g ms, %g ms", r(3).kernel_ms, r(2).kernel_ms);
tally (isequal (gather (g), x), "timing changed the gpuArray");
gbs = __gpureduce__ ("read_ceiling");
printf ("read ceiling %.0f GB/s\n", gbs);
tally (gbs > 10 && gbs < 1e5, "read ceiling %g", gbs);
clear g input

## a user's own kernel beside them: the template as it is, checked and timed
folder = tempname ();
mkdir (folder);
file = gpu_variant_add ("template", folder);
gpu_variant_add (file);
unlink (file);
rmdir (folder);
for n = [1 1000 300000]
  tally (gpu_reduce (x(1:n), "sum", "variant", "my_reduce", "device", "gpu") == sum (x(1:n)), "my_reduce of %d", n);
endfor
r = gpu_bench ("variants", {"my_reduce", "sequential"}, "n", 300000, "repeats", 5);
tally (strcmp ({r.variant}, "my_reduce") == [1 0] && r(1).kernel_ms > 0 && r(1).total_ms > r(1).kernel_ms, "my_reduce is not timed");
tally (gpu_variants ("my_reduce").name == "my_reduce", "my_reduce is not listed");

## kernels as books print them: those without a length take whole blocks, one has a single block
for name = gpu_variant_add (fullfile (fileparts (mfilename ("fullpath")), "..", "sim", "books", "all.cu"))
  v = gpu_variants (name{1});
  for n = {[1, 1000, 2^18, 300001], [512, 2^18], 512}{1 + strncmp(v.name, "harris", 6) + 2 * strcmp(v.name, "book_in_place")}
    if ((n == 300001 && strcmp (v.name, "odds_and_ends")) || (n != 2^18 && strcmp (v.name, "book_reduce6_pow2")))
      continue;                 # the heap is small; a length that is a power of two
    endif
    y = cast (mod (7 * (1:n), 13), v.classes{1});
    tally (gpu_reduce (y, v.operators{1}, "variant", v.name, "device", "gpu") == gpu_reduce (y, v.operators{1}), "%s of %d", v.name, n);
  endfor
endfor
try
  gpu_reduce (int32 (1:1000), "sum", "variant", "harris3", "device", "gpu");
  tally (false, "a length that harris3 does not take");
catch err
  tally (! isempty (strfind (err.message, "harris3 takes no length: 1000 elements are no multiple of the 256 of a block")), "%s", err.message);
end_try_catch

## what must be refused
for v = variants(bugs)(:)'
  try
    gpu_reduce (1:100, "sum", "variant", v.name, "device", "gpu");
    tally (false, "%s ran on the GPU", v.name);
  catch err
    tally (strcmp (err.identifier, "gpureduce:invalid-input"), "%s: %s", v.name, err.message);
  end_try_catch
endfor
try
  gpu_reduce (zeros (1, 1000, "uint8"), "histogram", 60000, "limits", [0 256], "variant", "warp_private", "block", 1024, "device", "gpu");
  tally (false, "a histogram that fits in no shared memory");
catch err
  tally (! isempty (strfind (err.message, "shared memory")), "%s", err.message);
end_try_catch

after = __gpureduce__ ("diagnose").memory;
tally (after.in_use == before.in_use, "%d bytes in use", after.in_use - before.in_use);

## more elements than 32 bits count, of bytes and of int32
if (! quick && gpuDevice ().AvailableMemory > 24e9)
  n = 2^31 + 33;
  x = ones (n, 1, "uint8");
  x([5, end]) = 7;
  for name = {"global_atomic", "block_shared", "warp_private", "cub"}
    counts = gpu_reduce (x, "histogram", 8, "limits", [0 8], "variant", name{1}, "device", "gpu");
    tally (isequal (counts, [0, n - 2, 0, 0, 0, 0, 0, 2]), "%s of %.0f", name{1}, n);
  endfor
  x = zeros (n, 1, "int32");
  x([5, end]) = 7;
  g = gpuArray (x);
  clear x
  for name = {"neighbored", "sequential", "unrolled", "full_shuffle", "grid_stride", "vectorized", "cub"}
    tally (gather (gpu_reduce (g, "sum", "variant", name{1}, "block", 32)) == 14, "%s of %.0f", name{1}, n);
    tally (gather (gpu_reduce (g, "sum", "variant", name{1}, "finish", "multi_level", "block", 1024)) == 14, "%s of %.0f, levels", name{1}, n);
  endfor
  tally (gather (gpu_reduce (g, "sum", "variant", "sequential", "finish", "grid_sync")) == 14, "slices of %.0f", n);
  tally (gather (gpu_reduce (g, "argmax", "variant", "shuffle_pairs")) == 5, "argmax of %.0f", n);
  clear g
endif

## after a reset the module's kernels run again
reset (gpuDevice ());
tally (gpu_reduce (1:1000, "sum", "variant", "grid_stride", "device", "gpu") == 500500, "after a reset");

tally ();
