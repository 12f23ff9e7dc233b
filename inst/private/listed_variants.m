## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{v} =} listed_variants ()
## @deftypefnx {} {@var{names} =} listed_variants (@var{module})
## The variants as gpu_variants returns them; the simulator's program lists them.
## With the file of a user's module for the simulator, from now on that module's
## too; returns their names.
## @end deftypefn

function v = listed_variants (module)

  persistent own = [];
  persistent users = {};

  program = getenv ("GPUREDUCE_SIM");
  if (isempty (program))
    program = package_file ("gpureduce_sim");
  endif
  if (nargin > 0)
    new = decoded (program, module);
    known = listed_variants ();
    taken = intersect ({new.name}, {known.name});
    taken(cellfun (@(t) any (cellfun (@(u) strcmp (u.name, t), users)), taken)) = [];
    if (! isempty (taken))
      error ("gpureduce:invalid-input", "gpu_variant_add: %s is the package's own; choose another name", taken{1});
    endif
    for k = 1:numel (new)
      same = cellfun (@(u) strcmp (u.name, new(k).name), users);
      users(same) = [];
      users{end+1} = new(k);
    endfor
    v = {new.name};
    return;
  endif
  if (isempty (own))
    own = decoded (program, "");
  endif
  v = own;
  for k = 1:numel (users)
    v = v(! strcmp ({v.name}, users{k}.name));
    v(end+1,1) = users{k};
  endfor

endfunction

function v = decoded (program, module)
  if (! exist (program, "file"))
    error ("gpureduce:unsupported", "gpu_variants: the ladder's simulator was not built; gpureduce_sim.log in the package's folder says why");
  endif
  [status, text] = system (sprintf ("\"%s\" --list \"%s\" 2>&1", program, module));
  if (status != 0)
    error ("gpureduce:unsupported", "gpu_variants: %s", strtrim (text));
  endif
  list = jsondecode (text);
  if (iscell (list))
    list = [list{:}](:);
  endif
  v = struct ("name", {list.name}, "aliases", [], "family", {list.family}, "idea", {list.idea}, "lesson", {list.lesson}, ...
              "wrong", {list.wrong}, "source", {list.source}, "fault", {list.fault}, "operators", {list.ops}, "classes", [], ...
              "finishes", {list.finishes}, "blocks", {list.blocks}, "finish", {list.default_finish}, ...
              "block", {list.default_block}, "file", {list.file})(:);
  for k = 1:numel (v)
    v(k).aliases = cellfun (@strtrim, strsplit (list(k).aliases, ","), "UniformOutput", false);
    v(k).aliases(cellfun (@isempty, v(k).aliases)) = [];
    v(k).operators = as_row (v(k).operators);
    v(k).finishes = as_row (v(k).finishes);
    v(k).classes = unique ([{}, struct2cell(structfun (@as_row, list(k).kernels, "UniformOutput", false)){:}]);
    v(k).blocks = v(k).blocks(:).';
  endfor
endfunction

function c = as_row (c)
  if (ischar (c))
    c = {c};
  endif
  c = reshape (c, 1, []);
  if (isempty (c))
    c = {};
  endif
endfunction
