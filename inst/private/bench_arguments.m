## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {[@var{p}, @var{o}] =} bench_arguments (@var{args})
## What @code{gpu_bench} shall time by its arguments: @var{p} as @code{bench_preset} returns it,
## with a row for each measurement, and the options @var{o}.
## @end deftypefn

function [p, o] = bench_arguments (args)

  presets = bench_preset ();
  p = [];
  if (mod (numel (args), 2) == 1)
    name = args{1};
    if (! (ischar (name) && isrow (name) && any (strcmpi (name, presets))))
      invalid ("PRESET must be %s; to time a kernel: gpu_bench (\"variants\", NAME)", strjoin (cellfun (@(s) ["\"" s "\""], presets, "uniformoutput", false), ", "));
    endif
    p = bench_preset (lower (name));
    args(1) = [];
  endif

  o = struct ("variants", {{}}, "n", [], "op", "", "class", "", "finish", {{}}, "block", [], "bins", 256, ...
              "repeats", 20, "csv", "", "png", "", "card", "");
  o = named_options ("gpu_bench", args, o, @checked);

  if (! isempty (p))
    if (! isempty (o.variants))
      invalid ("a preset has its own variants; leave PRESET or \"variants\" out");
    endif
    p = changed (p, o);
    return;
  elseif (isempty (o.variants))
    invalid ("a preset or \"variants\" must be given");
  endif
  p = struct ("name", "", "figures", "", "unit", "", "across", merge (numel (o.n) > 1, "n", "variant"));
  p.rows = combinations (o);

endfunction

function value = checked (name, value)

  switch (name)
    case "variants"
      value = names_of (value, name);
    case "finish"
      value = lower (names_of (value, name));
      finishes = {"two_pass", "multi_level", "atomic", "last_block", "grid_sync"};
      if (! all (ismember (value, finishes)))
        invalid ("finish must be %s", strjoin (finishes, ", "));
      endif
    case "op"
      ops = {"sum", "prod", "max", "min", "argmax", "argmin", "histogram"};
      if (! (ischar (value) && any (strcmp (value, ops))))
        invalid ("op must be %s", strjoin (ops, ", "));
      endif
    case "class"
      if (! (ischar (value) && any (strcmp (value, {"double", "single", "int32", "uint8"}))))
        invalid ("class must be double, single, int32 or uint8");
      endif
    case "block"
      value = counts_of (value, name);
      if (! all (ismember (value, 2 .^ (5:10))))
        invalid ("block must be 32, 64, 128, 256, 512 or 1024");
      endif
    case "n"
      value = counts_of (value, name);
    case {"repeats", "bins"}
      value = counts_of (value, name);
      if (! isscalar (value) || value > 65536)
        invalid ("%s must be one number, at most 65536", name);
      endif
    case "card"
      model_card (value, "gpu_bench");
    otherwise
      if (! (ischar (value) && isrow (value)))
        invalid ("%s must be the name of a file", name);
      endif
      writable (value, ["gpu_bench: " name]);
  endswitch

endfunction

function value = names_of (value, name)
  if (ischar (value))
    value = {value};
  endif
  if (! (iscellstr (value) && ! isempty (value)))
    invalid ("%s must be a name or a cell array of names", name);
  endif
  value = value(:)';
endfunction

function value = counts_of (value, name)
  if (! (isnumeric (value) && isreal (value) && ! isempty (value) && all (value(:) >= 1 & value(:) == fix (value(:)))
         && all (value(:) < 2^48)))
    invalid ("%s must be positive integers below 2^48", name);
  endif
  value = double (value(:)');
endfunction

## A preset with other values; the source's figures are then none of ours.
function p = changed (p, o)

  if (numel (o.n) > 1 || numel (o.finish) > 1 || numel (o.block) > 1)
    invalid ("with a preset, n, finish and block are one value each");
  endif
  if (! isempty (o.n) && strcmp (p.across, "n"))
    p.rows = p.rows([p.rows.n] == p.rows(1).n);
    p.across = "variant";
  endif
  if (! isempty (o.op) && ! strcmp (o.op, p.rows(1).op) && any (strcmp ("histogram", {o.op, p.rows(1).op})))
    invalid ("op \"%s\" does not go with this preset", o.op);
  endif
  for name = {"n", "op", "class", "block"}
    if (! isempty (o.(name{1})))
      p = with (p, name{1}, o.(name{1}));
    endif
  endfor
  if (! isempty (o.finish))
    p = with (p, "finish", o.finish{1});
  endif
  if (o.bins != p.rows(1).bins)
    p = with (p, "bins", o.bins);
  endif

endfunction

function p = with (p, name, value)
  [p.rows.(name)] = deal (value);
  [p.rows.source] = deal (NaN);
  p.figures = "";
endfunction

function rows = combinations (o)

  defaults = struct ("n", 2^22, "block", 256, "finish", {{""}});
  for name = fieldnames (defaults)'
    if (isempty (o.(name{1})))
      o.(name{1}) = defaults.(name{1});
    endif
  endfor
  rows = struct ("variant", {}, "op", {}, "class", {}, "n", {}, "finish", {}, "block", {}, "bins", {}, "source", {}, "note", {}, ...
                 "scale", {}, "bias", {});
  for n = o.n
    for called = o.variants
      [v, op] = variant_called (called{1});
      if (! isempty (o.op))
        op = o.op;
      endif
      class = o.class;
      if (isempty (class))
        class = taken_or_first ({"int32", "uint8"}{1 + strcmp(op, "histogram")}, v.classes);
      elseif (strcmp (class, "uint8") && ! strcmp (op, "histogram"))
        invalid ("class uint8 is for histograms");
      endif
      alone = any (strcmp (v.name, bench_own_kernels ()));
      for finish = merge (alone, {""}, o.finish)
        for block = o.block(1:merge (alone, 1, numel (o.block)))
          rows(end+1) = struct ("variant", v.name, "op", op, "class", class, "n", n, "finish", finish{1}, ...
                                "block", block, "bins", o.bins, "source", NaN, "note", "", "scale", v.scale, "bias", v.bias);
        endfor
      endfor
    endfor
  endfor

endfunction

## The variant, by name or alias, and what its family computes.
function [v, op] = variant_called (name)

  v = named_variants (listed_variants (), name);
  if (isempty (v))
    invalid ("there is no variant \"%s\"; gpu_variants lists them", name);
  endif
  v = v(1);
  op = v.family;
  if (strcmp (op, "reduce"))
    op = taken_or_first ("sum", v.operators);
  endif

endfunction

function invalid (varargin)
  error ("gpureduce:invalid-input", ["gpu_bench: " varargin{1}], varargin{2:end});
endfunction
