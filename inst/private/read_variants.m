## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {[@var{v}, @var{why}] =} read_variants (@var{module}, @var{options})
## What the simulator's program lists of the file of a user's module, or with "" of
## the package's own, as gpu_variants returns it.  @var{why}: the reason where it
## cannot, else empty.  A user's descriptors run for that, in a process of its own; those of a
## submission confined, with these options of @code{gpureduce_sim --confined}.
## @end deftypefn

function [v, why] = read_variants (module, options = "")

  v = [];
  seconds = 10;
  [program, why] = simulator_program ();
  if (! isempty (why))
    return;
  endif
  limit = "";
  if (! isempty (module))
    limit = sprintf ("timeout -k 1 %d ", seconds);
  endif
  command = sprintf ("%s --list", shell_quoted (program));
  if (! isempty (options))
    command = sprintf ("%s --confined --alone %s -- %s --describe", shell_quoted (program), options, shell_quoted (program));
  endif
  [status, text] = system (sprintf ("exec 2>&1; %s%s %s", limit, command, shell_quoted (module)));
  text = strtrim (text);
  if (status == 0 && ! isempty (text))
    try
      list = jsondecode (text);
      if (! isempty (list))
        v = structs_of (list);
      endif
    catch
      why = ["the list of its variants is not readable: " text];
    end_try_catch
  elseif (status == 1 && ! isempty (text))
    why = text;
  elseif (any (status == [124, 137]))
    why = sprintf ("its descriptors did not end within %d seconds", seconds);
  else
    why = strtrim (sprintf ("its descriptors ended the process (exit status %d) %s", status, text));
  endif

endfunction

function v = structs_of (list)
  if (iscell (list))
    list = [list{:}](:);
  endif
  v = struct ("name", {list.name}, "aliases", [], "family", {list.family}, "idea", {list.idea}, "lesson", {list.lesson}, ...
              "wrong", {list.wrong}, "source", {list.source}, "fault", {list.fault}, "operators", {list.ops}, "classes", [], ...
              "finishes", {list.finishes}, "blocks", {list.blocks}, "finish", {list.default_finish}, ...
              "block", {list.default_block}, "n", {list.default_n}, "scale", {list.scale}, "bias", {list.bias}, "per_thread", {list.per_thread}, ...
              "grid_stride", {list.grid_stride}, "file", {list.file})(:);
  for k = 1:numel (v)
    for name = {"idea", "lesson", "wrong", "source", "fault"}
      if (isempty (v(k).(name{1})))
        v(k).(name{1}) = "";    # null in the list
      endif
    endfor
    if (list(k).one_thread)
      v(k).per_thread = 0;
    endif
    v(k).file = kernel_file (v(k).file);
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
