## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## bench/ladder.m: every variant of the ladder on the GPU, at four lengths and three blocks (tools/octave bench/ladder.m, with a
## GPU).  Writes build/ladder-FAMILY.csv: what the model of their times is fitted to, and tested on.

1;

function t = rows_of (v, n, blocks)
  op = "sum";
  if (! any (strcmp (v.operators, op)))
    op = v.operators{1};
  endif
  classes = {"int32", "uint8", "single", "double"};
  class = classes{find (ismember (classes, v.classes), 1)};
  if (strcmp (v.name, "single_thread"))
    n = n(n <= 2^24);           # seconds
  endif
  t = gpu_bench ("variants", {v.name}, "op", op, "class", class, "n", n, "block", intersect (blocks, v.blocks), "repeats", 15);
endfunction

variants = gpu_variants ();
variants = variants(cellfun (@isempty, {variants.fault}) & ! strncmp ({variants.name}, "bug_", 4));
for family = unique ({variants.family})
  all = [];
  for v = variants(strcmp ({variants.family}, family{1}))(:)'
    try
      all = [all, rows_of(v, 2 .^ [20 22 24 26], [128 256 512])];
    catch err
      printf ("%s: %s\n", v.name, err.message);
    end_try_catch
  endfor
  about = gpuDevice ();
  fid = fopen (sprintf ("build/ladder-%s.csv", family{1}), "w");
  fprintf (fid, "# date: %s UTC\n# gpureduce: %s\n# where: %s\n", strftime ("%Y-%m-%d %H:%M", gmtime (time ())), ver ("gpureduce").Version, about.Name);
  fprintf (fid, "# read ceiling: %.6g GB/s\nvariant,op,class,n,finish,block,bins,kernel_ms,spread,gbs\n", __gpureduce__ ("read_ceiling"));
  for r = all
    fprintf (fid, "%s,%s,%s,%d,%s,%d,%d,%.6g,%.6g,%.6g\n", r.variant, r.op, r.class, r.n, r.finish, r.block, r.bins, r.kernel_ms, r.spread, r.gbs);
  endfor
  fclose (fid);
endfor
