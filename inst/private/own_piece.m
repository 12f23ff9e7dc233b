## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {[@var{args}, @var{ranks}] =} own_piece (@var{caller}, @var{outputs}, @var{args})
## The arguments in a cell of the function @var{caller}, whose first is an array, without "comm" and what goes with it; with "comm" all ranks must call it
## with the same others and as many outputs, and the first is this rank's piece, with class and sizes.  @var{ranks} is a structure: @code{options} of
## reductions of the piece, or of what has its sizes, @code{sizes} of the whole array, @code{dim} that is divided (0: none is), @code{from}, how
## many of its indices come before, @code{wanted}, whether
## this rank gets what all could have.
## @end deftypefn

function [args, ranks] = own_piece (caller, outputs, args)

  at = [];
  if (numel (args) > 2)         # others cannot have the option, and to look for it takes longer than many a call
    at = find (cellfun (@(a) ischar (a) && strcmpi (a, "comm"), args(2:end-1)), 1) + 1;
  endif
  if (isempty (at))
    ranks = struct ("options", {{}}, "sizes", size (args{1}), "dim", 0, "from", 0, "wanted", true);
    return;
  endif
  comm = args{at+1};
  objects = cellfun (@(a) isa (a, "gpuArray"), args);
  objects(1) = false;
  args(objects) = cellfun (@gather, args(objects), "UniformOutput", false);
  [x, ranks] = __gpureduce__ (["piece:" caller], args{1}, outputs, args{2:end});
  args = [{x}, ranks.args(2:end)];
  ranks.options = {"comm", comm, "divided", ranks.dim};

endfunction
