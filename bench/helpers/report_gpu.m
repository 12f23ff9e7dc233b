## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## report_gpu (csv): what became of the targets (gpu_targets.m), printed, and a plot
## of the whole table beside it.

function report_gpu (csv)

  [t, notes] = read_gpu_bench (csv);
  print_targets (t);
  plot_gpu_bench (regexprep (csv, '\.csv$', '.png'), t, notes);

endfunction

function print_targets (t)

  printf ("\n%-34s %8s %8s  %-8s %s\n", "target", "aim", "worst", "", "where");
  for row = gpu_targets ().'
    [text, measure, group, line, class, least, most, who, others, aim] = row{:};
    ours = find (matches (t.group, ["^" group "$"]) & strcmp (t.who, who) & matches (t.line, line) & matches (t.class, class)
                 & t.elements >= least & t.elements <= most);
    value = NaN (size (ours));
    for i = 1:numel (ours)
      value(i) = measured (t, ours(i), measure, others);
    endfor
    less = strcmp (measure, "us");
    if (all (isnan (value)))
      printf ("%-34s %8g %8s  %-8s\n", text, aim, "", "no times");
      continue;
    endif
    if (less)
      [worst, i] = max (value);
      met = worst <= aim;
    else
      [worst, i] = min (value);
      met = worst >= aim;
    endif
    k = ours(i);
    printf ("%-34s %8g %8.3g  %-8s %s, %s, 2^%g\n", text, aim, worst, merge (met, "met", "NOT MET"),
            t.line{k}, t.class{k}, log2 (t.elements(k)));
  endfor

endfunction

function yes = matches (texts, pattern)
  yes = ! cellfun ("isempty", regexp (texts, pattern, "once"));
endfunction

function value = measured (t, k, measure, others)
  if (strcmp (measure, "us"))
    value = t.call(k);
    return;
  endif
  us = t.(measure);
  beside = strcmp (t.group, t.group{k}) & strcmp (t.line, t.line{k}) & strcmp (t.class, t.class{k}) ...
           & t.elements == t.elements(k) & ismember (t.who, others);
  value = min ([us(beside); NaN]) / us(k);
endfunction
