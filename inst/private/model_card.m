## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{card} =} model_card (@var{name}, @var{caller})
## What the model knows of a card: "H200", "H100", "A100", "RTX 3080", or "here", the GPU of this machine.
## A struct is what it is.  Without an argument the names.  Errors are @var{caller}'s.
## @end deftypefn

function card = model_card (name, caller = "gpu_trace")

  ## Multiprocessors, GHz (boost), GB/s that can be read, and of a multiprocessor threads, blocks and KiB of shared
  ## memory.  GB/s of H200 and H100 are what bench/results/ladder-*.csv say, of the others 0.93 of NVIDIA's data sheet (1,935
  ## and 760), as the H100's is of 3,350; the rest is of NVIDIA's white papers (Hopper, Ampere GA100 and GA102).
  known = {
    "H200",     132, 1.98, 4635, 2048, 32, 228, true
    "H100",     132, 1.98, 3181, 2048, 32, 228, true
    "A100",     108, 1.41, 1840, 2048, 32, 164, false
    "RTX 3080",  68, 1.71,  707, 1536, 16, 100, false};

  if (nargin == 0)
    card = [known(:,1)', {"here"}];
    return;
  endif
  if (isstruct (name))
    card = name;
    return;
  elseif (! ischar (name))
    name = "";
  endif
  plain = @(s) lower (strrep (s, " ", ""));
  row = find (strcmp (plain (name), cellfun (plain, known(:,1), "UniformOutput", false)));
  if (strcmp (plain (name), "here"))
    card = here (known, caller);
    return;
  elseif (isempty (row))
    error ("gpureduce:invalid-input", "%s: card must be one of %s", caller, strjoin (model_card (), ", "));
  endif
  card = described (known(row,:));

endfunction

function card = described (row)
  card = model_fitted ();
  fields = {"name", "multiprocessors", "ghz", "gbs", "threads", "blocks", "shared_bytes", "tested"};
  for k = 1:numel (fields)
    card.(fields{k}) = row{k};
  endfor
  card.shared_bytes *= 1024;
  card.schedulers = 4;
endfunction

## The GPU that is there: a known one by its name, else by its properties.
function card = here (known, caller)

  [devices, why] = __gpureduce__ ("device_count");
  if (devices == 0)
    error ("gpureduce:no-device", "%s: card \"here\": there is no GPU (%s)", caller, why);
  endif
  d = __gpureduce__ ("device", 0);
  row = find (cellfun (@(name) ! isempty (strfind (d.name, name)), known(:,1)), 1);
  if (! isempty (row))
    card = described (known(row,:));
  else
    capability = d.major + d.minor / 10;
    threads = 2048;
    blocks = 32;
    if (capability == 7.5)
      threads = 1024;
      blocks = 16;
    elseif (any (capability == [8.6 8.7 8.9 12.0 12.1]))
      threads = 1536;
      blocks = 16 + 8 * (capability > 8.7);
    endif
    card = described ({d.name, d.multiprocessors, d.clock_khz / 1e6, NaN, threads, blocks, d.shared_per_block / 1024, false});
  endif
  card.name = d.name;
  card.gbs = __gpureduce__ ("read_ceiling");

endfunction
