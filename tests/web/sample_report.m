## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## [json, x] = sample_report (variant, n, block[, x]): a report as the simulator
## writes it, of a kernel acted out here: "shared_modulo", "shared_strided",
## "sequential", "full_shuffle", "single_thread", or "bug_no_syncwarp", which stops
## with a fault.  It sums int32 values; x are 0 to 9 if not given.  For tests of what shows a
## report, where the simulator itself is not wanted.
function [json, x] = sample_report (variant, n, block, x)

  if (nargin < 4)
    x = mod ((1:n) * 7 + floor ((1:n) / 3), 10);
  endif
  grid = max (1, ceil (n / block));
  if (strcmp (variant, "single_thread"))
    grid = 1;
  endif
  fault = [];
  [launches{1}, partial, fault] = one_launch (variant, variant, "x", x, grid, block);
  result = partial(1);
  if (grid > 1)
    [launches{2}, result] = one_launch ("sequential", "second_pass", "partial", partial, 1, block);
  endif

  totals = struct ();
  for name = {"active_lanes", "warps_issued", "warps_skipped", "divergent_warps", "shared_reads", "shared_writes", ...
              "bank_conflicts", "worst_way", "sectors", "sectors_needed", "barriers", "shuffles", "atomics", "contention"}
    totals.(name{1}) = 0;
    for l = 1:numel (launches)
      for s = launches{l}.steps
        if (any (strcmp (name{1}, {"worst_way", "contention"})))
          totals.(name{1}) = max (totals.(name{1}), s{1}.(name{1}));
        else
          totals.(name{1}) += s{1}.(name{1});
        endif
      endfor
    endfor
  endfor
  if (! isempty (fault))
    result = [];
  endif
  report = struct ("variant", variant, "op", "sum", "class", "int32", "n", n, "block", block, "grid", grid, ...
                   "finish", "two_pass", "sampled", false, "launches", {launches}, "totals", totals, ...
                   "result", {result}, "fault", {fault});
  json = strrep (jsonencode (report), '"fault":[]', '"fault":null');
  json = strrep (json, '"result":[]', '"result":null');
  json = regexprep (json, '"from":-1', '"from":null');

endfunction

## The launch, a value a block, and the fault that ended it.
function [launch, partial, fault] = one_launch (variant, kernel, array, x, grid, block)

  fault = [];
  file = ["../kernels/ladder/" variant ".cu"];
  n = numel (x);
  steps = {};
  partial = zeros (1, grid);
  for b = 0:grid-1
    s = NaN (1, block);
    t = (0:block-1)';
    i = b * block + t;
    inside = i < n;
    k = 0;
    if (strcmp (variant, "single_thread"))
      s = [];
      a = access (zeros (n, 1), 1, 2, (0:n-1)', x(:), 18);
      a = [a; access(0, 2, 4, b, sum (x), 19)];
      partial = sum (x);
      steps{end+1} = one_step (b, k, file, 18, block, a, s, array, 0, t == 0);
      continue;
    endif
    v = zeros (block, 1);
    v(inside) = x(i(inside) + 1);
    a = access (t(inside), 1, 2, i(inside), v(inside), 20);

    if (strcmp (variant, "full_shuffle"))
      warps = block / 32;
      for d = [16 8 4 2 1]
        from = t + d;
        from(mod (t, 32) + d > 31) = t(mod (t, 32) + d > 31);
        moved = v(from + 1);
        a = [a; access(t, 4, 3, mod (t, 32), moved, 24, mod (from, 32))];
        v += moved;
      endfor
      heads = (0:32:block-1)';
      s = NaN (1, 32);
      s(1:warps) = v(heads + 1);
      a = [a; access(heads, 2, 1, heads / 32, v(heads + 1), 26)];
      steps{end+1} = one_step (b, k++, file, 20, block, a, s, array, 1, true (block, 1));
      w = (0:31)';
      v = zeros (32, 1);
      v(1:warps) = s(1:warps);
      a = access ((0:warps-1)', 1, 1, (0:warps-1)', v(1:warps), 29);
      for d = [16 8 4 2 1]
        from = min (w + d, 31);
        from(w + d > 31) = w(w + d > 31);
        moved = v(from + 1);
        a = [a; access(w, 4, 3, w, moved, 24, mod (from, 32))];
        v += moved;
      endfor
      a = [a; access(0, 2, 4, b, v(1), 33)];
      partial(b+1) = v(1);
      steps{end+1} = one_step (b, k++, file, 29, block, a, s, array, 0, t < 32);
      continue;
    endif

    s(:) = v;
    a = [a; access(t, 2, 1, t, v, 20)];
    steps{end+1} = one_step (b, k++, file, 20, block, a, s, array, 1, true (block, 1));
    strides = 2 .^ (0:log2 (block) - 1);
    if (any (strcmp (variant, {"sequential", "bug_no_syncwarp"})))
      strides = fliplr (strides);
    endif
    for stride = strides
      switch (variant)
        case "shared_modulo"
          who = t(mod (t, 2 * stride) == 0);
          at = who;
        case "shared_strided"
          who = t(2 * stride * t < block);
          at = 2 * stride * who;
        otherwise
          who = t(t < stride);
          at = who;
      endswitch
      mine = s(at + 1)(:);
      other = s(at + stride + 1)(:);
      a = [access(who, 1, 1, at, mine, 25); access(who, 1, 1, at + stride, other, 25); ...
           access(who, 2, 1, at, mine + other, 25)];
      s(at + 1) = mine + other;
      steps{end+1} = one_step (b, k++, file, 25, block, a, s, array, 1, true (block, 1));
      if (strcmp (variant, "bug_no_syncwarp") && stride == 16)
        fault = struct ("kind", "race", "kernel", kernel, "file", file, "line", 25, "thread", [8 0 0], "block", [b 0 0], ...
                        "what", "reads dynamic shared memory + 64 bytes (index 16 of 64), which another thread writes with no barrier between </script><b>&amp;", ...
                        "other", struct ("kind", "race", "kernel", kernel, "file", file, "line", 27, "thread", [16 0 0], ...
                                         "block", [b 0 0], "what", "wrote it before"));
        break;
      endif
    endfor
    if (isempty (fault))
      a = [access(t, 1, 1, 0 * t, s(1) * ones(block, 1), 28); access(0, 2, 4, b, s(1), 28)];
      steps{end+1} = one_step (b, k, file, 28, block, a, s, array, 0, true (block, 1));
      partial(b+1) = s(1);
    endif
  endfor
  launch = struct ("kernel", kernel, "grid", grid, "block", block, "steps", {steps});

endfunction

## Columns: thread, kind (read, write, atomic, shuffle), space (shared, the input,
## register, the output), index, value, line, from.
function a = access (thread, kind, space, index, value, line, from)
  if (nargin < 7)
    from = -1;
  endif
  a = zeros (numel (thread), 7);
  a(:,1) = thread(:);
  a(:,2) = kind;
  a(:,3) = space;
  a(:,4) = index(:);
  a(:,5) = value(:);
  a(:,6) = line;
  a(:,7) = from(:);
endfunction

function s = one_step (b, k, file, line, block, a, values, array, barrier, ran)

  active = repmat (" ", 1, block);
  active(ran) = ".";
  active(unique (a(:,1)) + 1) = "#";
  busy = reshape (active == "#", 32, []);
  conflicts = 0;
  worst = 1;
  sectors = needed = 0;
  ## Accesses of a line come in the order of lanes: a new one begins where the lane falls.
  start = [1; find(diff (a(:,1)) <= 0 | diff (a(:,2)) != 0 | diff (a(:,3)) != 0) + 1; rows(a) + 1];
  slot = zeros (rows (a), 1);
  passes = ones (rows (a), 1);
  for i = 1:numel (start) - 1
    g = a(start(i):start(i+1)-1,:);
    slot(start(i):start(i+1)-1) = i - 1;
    for warp = unique (floor (g(:,1) / 32))'
      mine = start(i) - 1 + find (floor (g(:,1) / 32) == warp);
      w = a(mine,:);
      if (w(1,3) == 1)
        words = unique (w(:,4));
        way = max (accumarray (mod (words, 32) + 1, 1));
        conflicts += way - 1;
        worst = max (worst, way);
        passes(mine) = way;
      elseif (w(1,3) != 3)
        passes(mine) = numel (unique (floor (w(:,4) / 8)));
        sectors += passes(mine(1));
        needed += ceil (rows (w) / 8);
      endif
    endfor
  endfor
  kinds = {"read", "write", "atomic", "shuffle"};
  spaces = {"shared", "global", "register", "global"};
  names = {"dynamic shared memory", array, "", "partial"};
  if (strcmp (array, "partial"))
    names{4} = "result";
  endif
  accesses = struct ("thread", num2cell (a(:,1)), "kind", kinds(a(:,2))', "space", spaces(a(:,3))', ...
                     "array", names(a(:,3))', "index", num2cell (a(:,4)), "bytes", 4, "value", num2cell (a(:,5)), ...
                     "line", num2cell (a(:,6)), "from", num2cell (a(:,7)), "slot", num2cell (slot), "passes", num2cell (passes));
  some = any (busy, 1);
  s = struct ("block", b, "step", k, "file", file, "line", line, "active", active, "active_lanes", sum (busy(:)), ...
              "warps_issued", sum (some), "warps_skipped", sum (! some), "divergent_warps", sum (some & ! all (busy, 1)), ...
              "shared_reads", sum (a(:,2) == 1 & a(:,3) == 1), "shared_writes", sum (a(:,2) == 2 & a(:,3) == 1), ...
              "bank_conflicts", conflicts, "worst_way", worst, "sectors", sectors, "sectors_needed", needed, ...
              "barriers", barrier, "shuffles", sum (a(:,2) == 4), "atomics", 0, "contention", 0, ...
              "shared", {num2cell(values)}, "accesses", {num2cell(accesses(:)')});

endfunction
