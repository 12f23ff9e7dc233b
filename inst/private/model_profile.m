## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{p} =} model_profile (@var{run})
## What a ladder kernel costs, for @code{model_time}: the counts of two or three small runs in the
## simulator, taken apart into what grows with blocks and with tiles of elements.
##
## @var{run} has the fields variant, op, class, block, finish ("": the kernel's own) and, of
## histograms, bins.  What is in no list has also described, its descriptor as @code{read_variants}
## has it, and simulate, a function of x, finish and edges ([]: none) that returns the simulator's
## report: a submission runs confined only.  A tile is what a block takes at once.  @var{p}.launches is an element for each
## launch over the elements; its counts have three columns: of a launch, of a block, of a tile.
## @end deftypefn

function p = model_profile (run)

  if (isfield (run, "described"))
    v = run.described;
  else
    v = named_variants (listed_variants (), run.variant);
  endif
  v = v(cellfun (@(ops) any (strcmp (ops, run.op)), {v.operators}));
  if (isempty (v))
    error ("gpureduce:invalid-input", "gpu_trace: there is no variant \"%s\" of \"%s\"", run.variant, run.op);
  endif
  v = v(1);
  p = struct ("variant", v.name, "op", run.op, "class", run.class, "block", double (run.block), "finish", run.finish, ...
              "bins", 256, "tile", 256, "one_thread", v.per_thread == 0, "grid_stride", v.grid_stride, "launches", []);
  if (isfield (run, "bins"))
    p.bins = run.bins;
  endif
  if (! p.one_thread)
    p.tile = p.block * v.per_thread;
  endif
  if (strcmp (p.op, "histogram"))
    p.finish = "";
  elseif (isempty (p.finish))
    p.finish = v.finish;
  endif
  ## The finish is modelled apart where the kernel can do without.
  finish = p.finish;
  if (any (strcmp (v.finishes, "two_pass")) && ! isempty (finish))
    finish = "two_pass";
  endif

  ## counts = launch + grid * block + tiles * tile; a block of a kernel without a loop over the grid has one tile.
  ## The simulator's grid of the others is a quarter of the tiles.
  tiles = merge (p.grid_stride, [1 4 16], [1 4]);
  if (p.one_thread)
    tiles = [4 16];
  elseif (strcmp (p.op, "histogram"))
    tiles = merge (p.grid_stride, [128 256], [1 4]);    # so many that no bin stays empty
  endif
  for k = 1:numel (tiles)
    t = simulate (run, p, tiles(k) * p.tile, finish);
    launches = t.launches(! strcmp ({t.launches.kernel}, "second_pass"));
    if (strcmp (finish, "multi_level"))
      launches = launches(1:1 + ! strcmp (launches(1).kernel, p.variant));
    endif
    for l = 1:numel (launches)
      counts(:,k,l) = column_of (launches(l).totals);
      grid(k) = launches(l).grid;
    endfor
  endfor
  known = [ones(numel (tiles), 1), grid(:), tiles(:)];
  if (p.one_thread)
    known(:,2) = 0;
  elseif (! p.grid_stride)
    known(:,3) = 0;
    known(:,1) = ! strcmp (finish, "two_pass");
  elseif (strcmp (p.op, "histogram"))
    known(:,1) = 0;
  endif
  p.launches = struct ("kernel", {launches.kernel}, "threads", {launches.block}, "shared", {launches.shared_bytes}, "counts", []);
  for l = 1:numel (launches)
    p.launches(l).counts = max ((pinv (known) * counts(:,:,l)')', 0);
    p.launches(l).counts(p.launches(l).counts < 1e-9) = 0;
  endfor

endfunction

## The report of a small run, totals alone.
function t = simulate (run, p, n, finish)

  edges = [];
  if (strcmp (p.op, "histogram"))
    edges = linspace (0, 256, p.bins + 1);
  endif
  if (isfield (run, "simulate"))
    report = run.simulate (numbers (p, n), finish, edges);
  else
    report = __gpureduce__ ("trace", p.variant, p.op, numbers (p, n), finish, p.block, {edges}(! isempty (edges)){:}, false, 10, "totals");
  endif
  t = jsondecode (report);
  if (! isempty (t.fault))
    error ("gpureduce:invalid-input", "gpu_trace: %s", t.fault.message);
  endif

endfunction

## Numbers in no order, the same in every run: lanes find different bins.
function x = numbers (p, n)

  state = rand ("state");
  unwind_protect
    rand ("state", 42);
    x = randi ([0 255], 1, n);
  unwind_protect_cleanup
    rand ("state", state);
  end_unwind_protect
  if (strcmp (p.op, "prod"))
    x = 1 - 2 * mod (x, 2);
  elseif (! strcmp (p.op, "histogram"))
    x -= 128;
  endif
  x = cast (x, p.class);

endfunction

function c = column_of (t)
  c = [cellfun(@(name) t.(name), model_counts ("totals")), cellfun(@(name) t.issued.(name), model_counts ("work")), ...
       cellfun(@(name) t.path.(name), model_counts ("work"))](:);
endfunction
