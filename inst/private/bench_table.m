## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {} bench_table (@var{kind}, @var{r}, @var{about})
## Print the results of @code{gpu_bench}: "times", "counts" (of the simulator) or "steps".
## @end deftypefn

function bench_table (kind, r, about)

  printf ("%s\n%s\n\n", about.title, about.where);
  switch (kind)
    case "times"
      time_table (r, about);
    case "counts"
      count_table (r, about.card);
    case "steps"
      step_table (r);
  endswitch

endfunction

function time_table (r, about)

  wide = max ([7, cellfun(@numel, {r.variant})]);
  printf ("read ceiling %.0f GB/s\n\n", about.ceiling);
  printf ("%-*s %-11s %5s %10s %11s %7s %9s %11s %8s %6s %8s %9s  %s\n", wide, "variant", "finish", "block", "n", "kernel ms", ...
          "+- %", "model ms", "total ms", "GB/s", "%", "speed-up", merge (isempty (about.unit) || all (isnan ([r.source])), "", ["source, " about.unit]), "");
  for s = r
    printf ("%-*s %-11s %5d %10d %11.4g %7.1f %9s %11.4g %8.1f %6.1f %8.2f %9s  %s\n", wide, s.variant, s.finish, s.block, s.n, ...
            s.kernel_ms, s.spread, shown (s.model_ms), s.total_ms, s.gbs, s.percent, s.speedup, shown (s.source), s.tag);
  endfor
  printf ("\nkernel ms: the kernels alone, data on the GPU; total ms: from Octave's memory to the result;\n");
  printf ("model ms: what a model of %s says from the simulator's counts that kernel ms would be.\n", about.card);

endfunction

function text = shown (figure)
  text = merge (isnan (figure), "", sprintf ("%.4g", figure));
endfunction

function count_table (r, card)

  wide = max ([7, cellfun(@numel, {r.variant})]);
  printf ("%-*s %-11s %5s %7s %8s %8s %8s %9s %9s %8s %8s %8s %8s %8s %8s %9s %9s\n", wide, "variant", "finish", "block", "n", "launches", ...
          "issued", "skipped", "divergent", "conflicts", "sectors", "needed", "written", "barriers", "shuffles", "atomics", "model ms", "of");
  for s = r
    printf ("%-*s %-11s %5d %7d %8d %8d %8d %9d %9d %8d %8d %8d %8d %8d %8d %9s %9d\n", wide, s.variant, s.finish, s.block, s.n, s.launches, ...
            s.issued, s.skipped, s.divergent, s.conflicts, s.sectors, s.needed, s.written, s.barriers, s.shuffles, s.atomics, ...
            shown (s.model_ms), s.model_n);
  endfor
  printf ("\nissued, skipped, divergent: warps, of every step between barriers; sectors: of 32 bytes, read or written, needed, and written;\n");
  printf ("model ms: the time that a model of the %s says from these counts, of so many elements.\n", card);

endfunction

function step_table (r)

  last = "";
  for s = r
    if (! strcmp (s.variant, last))
      printf ("%s: %s\n%6s %13s %9s %8s %8s %10s %10s %5s\n", s.variant, s.tag, "step", "line", "active %", "issued", "skipped", ...
              "divergent", "conflicts", "ways");
      last = s.variant;
    endif
    printf ("%6d %13s %9.4g %8d %8d %10d %10d %5d\n", s.step, place_of (s), s.active_percent, s.warps_issued, s.warps_skipped, ...
            s.divergent_warps, s.bank_conflicts, s.worst_way);
  endfor
  printf ("\nactive %%: of the block's threads; issued, skipped, divergent: warps; ways: threads that wait for one bank, at most.\n");

endfunction

## The line; with the file's name where this is not the variant's own.
function text = place_of (s)
  [~, name, ext] = fileparts (s.file);
  text = sprintf ("%d", s.line);
  if (! strcmp (name, s.variant))
    text = sprintf ("%s%s:%d", name, ext, s.line);
  endif
endfunction
