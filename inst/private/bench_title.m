## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{title} =} bench_title (@var{kind}, @var{r}, @var{figures})
## The title of the results @var{r} of @code{gpu_bench}: "times", "counts" (of the simulator)
## or "steps".  It says what was run, which without a GPU are other sizes than those asked for, and
## @var{figures}, where the source's figures are from, if they are in the table.
## @end deftypefn

function title = bench_title (kind, r, figures)

  ops = unique ({r.op}, "stable");
  title = sprintf ("%s of %s %s", strjoin (ops, ", "), sizes (r), strjoin (unique ({r.class}, "stable"), ", "));
  if (any (strcmp (ops, "histogram")))
    title = sprintf ("%s, %d bins", title, r(find (strcmp ({r.op}, "histogram"), 1)).bins);
  endif
  switch (kind)
    case "times"
      if (all (isnan ([r.source])))
        figures = "";
      endif
    case "counts"
      figures = "";             # the table has no column for them
    case "steps"
      title = sprintf ("%s, the first block of %d threads, from the simulator", title, r(1).block);
  endswitch
  if (! isempty (figures))
    title = [title "; " figures];
  endif

endfunction

## "2^24", or "1 to 2^25".
function text = sizes (r)
  text = size_text (min ([r.n]));
  if (any ([r.n] != r(1).n))
    text = [text " to " size_text(max ([r.n]))];
  endif
endfunction

function text = size_text (n)
  text = sprintf ("%d", n);
  if (n >= 1024 && n == 2 ^ round (log2 (n)))
    text = sprintf ("2^%d", round (log2 (n)));
  endif
endfunction
