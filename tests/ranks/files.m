## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Run by all ranks of a job (tests/ranks.sh): gpu_reduce of a file, and of a function, by all of them gives what one process makes of the array
## in memory; what is wrong on one rank is the same error on all, and the next call works.  RANKS_FILE: its name.

1;
addpath (fileparts (fileparts (mfilename ("fullpath"))));

function [said, out] = result (outputs, varargin)
  out = cell (1, outputs);
  said = "";
  try
    [out{:}] = gpu_reduce (varargin{:});
  catch err
    said = [err.identifier " " err.message];
  end_try_catch
endfunction

function b = bits (x)
  b = {class(x), size(x), x};
  if (isfloat (x))
    x = [real(x(:)); imag(x(:))];
    x(isnan (x) & ! isna (x)) = NaN;
    b = {b{1:2}, typecast(x, "uint8")};
  endif
endfunction

## This rank's part of a result that is divided as x is.
function y = own (y, whole, c)
  dim = max ([1, find(size (whole) != 1, 1, "last")]);
  n = size (whole, dim);
  if (size (y, dim) != n)
    return;
  endif
  at = repmat ({":"}, 1, max (ndims (y), dim));
  at{dim} = floor (n * c.rank / c.size) + 1 : floor (n * (c.rank + 1) / c.size);
  y = y(at{:});
endfunction

function wait_for_all (c)
  gpu_any (true, 2, "comm", c);
endfunction

function raises (c, text, varargin)
  said = result (1, varargin{:}, "comm", c);
  tally_ranks (c, ! isempty (strfind (said, text)), "%s: %s", text, said);
endfunction

c = gpu_comm ();
name = getenv ("RANKS_FILE");
first = str2double (getenv ("RANKS_SEED"));
for k = 1:str2double (getenv ("RANKS_ROUNDS"))
  rand ("twister", first + k);
  randn ("twister", first + k);
  p = streamed_problem ();
  if (isempty (p.x) || ischar (p.x))
    continue;
  endif
  gpu_config ("memory_limit", {2^16, 2^19, 2^29}{randi(3)});
  if (c.rank == 0)
    write_raw (name, p.x);
  endif
  wait_for_all (c);
  [said, whole] = result (p.outputs, p.x, p.op, p.options{:}, "device", "cpu");
  builtin = strcmp (gpu_config ("last").backend, "built-in");
  sources = {{"file", name}, {@(i, j) last_dimension(p.x, i, j)}};
  for s = 1:2
    [said2, out] = result (p.outputs, sources{s}{:}, p.op, p.options{:}, p.describes{:}, "comm", c);
    what = sprintf ("round %d, source %d: %s of %s %s %s: %s; %s", k, s, p.op, class (p.x), mat2str (size (p.x)), disp (p.options), said, said2);
    if (! isempty (said2))
      tally_ranks (c, builtin || ! isempty (said) || ! isempty (strfind (said2, "side by side")), "%s", what);
      continue;
    endif
    same = cellfun (@(a, b) isequal (bits (a), bits (b)), whole, out);
    parts = cellfun (@(a, b) isequal (bits (own (a, p.x, c)), bits (b)), whole, out);
    tally_ranks (c, all (same | parts) && isempty (said), "%s", what);
  endfor
endfor

## ---- "result": as of arrays
x = reshape (1:60, 4, 15);
if (c.rank == 0)
  write_raw (name, x);
endif
wait_for_all (c);
o = {"class", "double", "dims", [4 15]};
for rank = {0, c.size - 1, "all"}
  wanted = ischar (rank{1}) || rank{1} == c.rank;
  for source = {{"file", name}, {@(i, j) x(:,i:j)}}
    want = merge (wanted, {{max(x(:)), 60}, std(x, 0, 2)}, {{[], []}, []});
    [~, out] = result (2, source{1}{:}, "max", o{:}, "dim", "all", "comm", c, "result", rank{1});
    tally_ranks (c, isequal (out, want{1}), "max and its index for rank %s: %s", disp (rank{1}), disp (out));
    [~, out] = result (1, source{1}{:}, o{:}, "result", rank{1}, "comm", c, "std", "dim", 2);
    tally_ranks (c, isequal (out, want(2)), "std for rank %s: %s", disp (rank{1}), disp (out));
    [~, out] = result (1, source{1}{:}, "sum", o{:}, "dim", 1, "comm", c, "result", rank{1});
    tally_ranks (c, isequal (out{1}, own (sum (x), x, c)), "each rank has its share: %s", disp (out));
    [said, out] = result (1, source{1}{:}, "sum", "class", "double", "dims", [3 0], "comm", c, "result", rank{1});
    tally_ranks (c, isequal (out{1}, merge (wanted, zeros (1, 0), [])), "of no elements: %s %s", said, disp (out));
  endfor
endfor
raises (c, sprintf ("result must be \"all\" or a rank from 0 to %d", c.size - 1), "file", name, "sum", o{:}, "result", c.size);
if (c.size > 1)
  raises (c, "rank 1 gives other options", "file", name, "sum", o{:}, "dim", 2, "result", double (c.rank == 1));
endif

## ---- errors, with three ranks
gpu_config ("memory_limit", 2^16);
x = reshape (1:60000, 20, 3000);
o = {"sum", "class", "double", "dims", [20 3000], "dim", 2};
if (c.size == 3)
  if (c.rank == 0)
    write_raw (name, x);
  endif
  wait_for_all (c);
  mine = name;
  if (c.rank == 1)
    mine = [name "none"];
  endif
  raises (c, "rank 1: the file", "file", mine, o{:});
  raises (c, "rank 1 gives other options", "file", name, o{:}, "nanflag", {"omitnan", "includenan"}{1 + (c.rank == 1)});
  raises (c, "rank 2: the function failed for the indices", @(i, j) x(:,i:j) + 0 * numel (x(:,1:merge (c.rank == 2 && i > 2500, 1e9, 1))), o{:}, "pieces", 100);
  raises (c, "is it cut off", "file", name, o{1:3}, "dims", [20 3001]);
  raises (c, "rank 1: the function failed", @(i, j) x(:,i:merge (c.rank == 1, -1e9, j)) + ones (20, j - i + 1), "sum", "class", "double", "dims", [20 3000], "dim", 1);
  tally_ranks (c, isequal (gpu_reduce ("file", name, o{:}, "comm", c), sum (x, 2)), "the next call works");

  ## what cannot be written on one rank is known to all before anything is read
  if (c.rank == 1)
    mkdir ([name ".check.1.new"]);
  endif
  wait_for_all (c);
  raises (c, "rank 1: the checkpoint ", "file", name, o{:}, "checkpoint", [name ".check"]);
  raises (c, ".check.1 cannot be written", @(i, j) error ("it is read"), o{:}, "checkpoint", [name ".check"]);
  tally_ranks (c, ! exist (sprintf ("%s.check.%d", name, c.rank), "file"), "no checkpoint is left");
  if (c.rank == 1)
    rmdir ([name ".check.1.new"]);
  endif
  wait_for_all (c);

  ## each rank has a checkpoint of its own
  call = @(good) {@(i, j) x(:,i:j) + 0 * numel (x(:,1:merge (c.rank == 1 && i > 1800 && ! exist ([name ".good"], "file"), 1e9, 1))), o{:}, ...
                  "pieces", 100, "checkpoint", [name ".check"], "every", 0};
  raises (c, "rank 1: the function failed", call (false){:});
  tally_ranks (c, exist (sprintf ("%s.check.%d", name, c.rank), "file") == 2, "a checkpoint is left");
  if (c.rank == 0)
    fclose (fopen ([name ".good"], "w"));
  endif
  wait_for_all (c);
  tally_ranks (c, isequal (gpu_reduce (call (true){:}, "comm", c), sum (x, 2)), "the call goes on");
  tally_ranks (c, ! exist (sprintf ("%s.check.%d", name, c.rank), "file"), "no checkpoint is left");
endif
tally_ranks (c);
