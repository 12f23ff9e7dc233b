## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{m} =} __gpr_predict__ (@var{run}, @var{n}, @var{card})
## @deftypefnx {} {@var{y} =} __gpr_predict__ (@var{part}, @dots{})
## A model's time of a ladder kernel, from the simulator's counts: see doc/model.md.
##
## @var{run} is a struct with the fields variant, op, class, block, finish and, of histograms, bins (256), as
## @code{gpu_trace} returns them; @var{n} the numbers of elements; @var{card} "H200" (default), "H100",
## "A100", "RTX 3080" or "here", in any case.
##
## @var{m} has an element for each of @var{n}, with the fields variant, n, card, ms, terms (ms, each alone), bound, the name
## of the greatest, why, the same in words with its figures, tested (whether the card's own measurements have been held against
## it) and text, a sentence.  It is [] where the kernel does not run in the simulator or has a fault there.
##
## For bench/model.m and tests, @var{part} names one of the private functions @code{model_@var{part}}.
## @end deftypefn

function m = __gpr_predict__ (run, varargin)

  if (ischar (run))
    m = feval (["model_" run], varargin{:});
    return;
  endif
  [n, card] = deal (varargin{:}, {"H200"}{nargin == 2});
  card = model_card (card);
  p = profile_of (run);
  m = [];
  if (isempty (p))
    return;
  endif
  for k = 1:numel (n)
    t = model_time (p, double (n(k)), card);
    s = struct ("variant", p.variant, "n", double (n(k)), "card", card.name, "ms", t.ms, "terms", t.terms, ...
                "bound", "", "why", "", "tested", card.tested, "text", "");
    [s.bound, s.why] = bound_of (p, t);
    s.text = sprintf ("On %s a model says %.3g ms for %s elements, bound by: %s.", ...
                      with_article (card.name), s.ms, size_text (s.n), s.why);
    if (! s.tested)
      s.text = [s.text "  It is untested on this card."];
    endif
    m = [m, s];
  endfor

endfunction

## Profiles are kept: a file that is edited and added again has another time.
function p = profile_of (run)

  persistent kept = struct ("key", {}, "profile", {});
  if (! isfield (run, "bins") || isempty (run.bins))
    run.bins = 256;
  endif
  p = [];
  try
    if (isfield (run, "described"))
      p = model_profile (run);
      return;
    endif
    v = named_variants (listed_variants (), run.variant);
    v = v(cellfun (@(ops) any (strcmp (ops, run.op)), {v.operators}));
    if (isempty (v) || ! isempty (v(1).fault))
      return;
    endif
    if (isempty (run.finish))
      run.finish = v(1).finish;
    endif
    [s, err] = stat (v(1).file);
    changed = 0;
    if (err == 0)
      changed = s.mtime;
    endif
    key = sprintf ("%s %s %s %d %s %d %.0f %s", v(1).name, run.op, run.class, run.block, run.finish, run.bins, changed, ...
                   v(1).file);
    at = find (strcmp ({kept.key}, key), 1);
    if (isempty (at))
      kept(end+1) = struct ("key", key, "profile", {model_profile(run)});
      at = numel (kept);
    endif
    p = kept(at).profile;
  catch err
    if (! any (strcmp (err.identifier, {"gpureduce:invalid-input", "gpureduce:unsupported", "gpureduce:no-device"})))
      rethrow (err);
    endif
  end_try_catch

endfunction

## What takes longest, in a word and in words.
function [bound, why] = bound_of (p, t)

  names = fieldnames (t.terms);
  [~, k] = max (cellfun (@(name) t.terms.(name), names));
  bound = why = names{k};
  c = t.counts;
  switch (bound)
    case "memory"
      why = "what memory can bring";
    case "latency"
      why = sprintf ("latency, with %d blocks a multiprocessor to hide it", t.at_once);
      if (t.grid == 1)
        why = "latency, in one block";
      endif
    case "instructions"
      if (c.issued_divisions * 33 > c.issued_blocks * 3)
        why = sprintf ("instructions, divisions above all: %s a warp", short (c.issued_divisions / max (1, p.block / 32)));
      endif
    case "shared"
      why = "passes of shared memory";
      passes = c.issued_shared + c.bank_conflicts;
      if (c.shared_atomic_passes > passes)
        why = "atomics in shared memory";
      elseif (2 * c.bank_conflicts > passes)
        [a, b] = fraction (c.bank_conflicts / passes);
        bound = "bank conflicts";
        why = sprintf ("bank conflicts, %d of %d passes", a, b);
      endif
    case "atomics"
      why = sprintf ("atomics in global memory, %s turns a block", short (c.global_atomic_passes));
    case "launches"
      why = "launching the kernels";
    case "finish"
      why = sprintf ("the finish, %s, of %d blocks' values", strrep (p.finish, "_", " "), t.grid);
  endswitch

endfunction

## The nearest of fractions with denominators to 10.
function [a, b] = fraction (x)
  b = 2:10;
  [~, k] = min (abs (round (x * b) ./ b - x));
  b = b(k);
  a = round (x * b);
endfunction

function text = short (x)
  text = sprintf ("%.3g", x);
endfunction

function text = with_article (name)
  text = ["a " name];
  if (any (name(1) == "AEFHILMNORSX"))
    text = ["an " name];
  endif
endfunction

## "4M", "64K", "1000"
function text = size_text (n)
  text = sprintf ("%d", n);
  if (n >= 2^20 && mod (n, 2^20) == 0)
    text = sprintf ("%dM", n / 2^20);
  elseif (n >= 1024 && mod (n, 1024) == 0)
    text = sprintf ("%dK", n / 1024);
  endif
endfunction

%!error <gpu_trace: card must be one of H200, H100, A100, RTX 3080, here> __gpr_predict__ (struct (), 1, "G80")
%!error id=gpureduce:invalid-input __gpr_predict__ (struct (), 1, 5)
%!assert (isempty (__gpr_predict__ (struct ("variant", "no such kernel", "op", "sum"), 1)))
%!assert (__gpr_predict__ ("card", "rtx3080").name, "RTX 3080")
