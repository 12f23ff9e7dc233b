## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {[@var{data}, @var{rest}, @var{ranks}] =} own_rows (@var{caller}, @var{outputs}, @var{arrays}, @var{rest}, @var{turns})
## With "comm" among the arguments @var{rest}: this rank's rows of the matrices in a cell, of which it has pieces; these arguments without it, and what
## @code{own_piece} says of the first matrix.  Of matrices divided along their columns each element is sent to the rank that has its row from then on; of one without elements
## each rank has the whole.
## @var{turns}: a row vector counts as a column.
## @end deftypefn

function [data, rest, ranks] = own_rows (caller, outputs, arrays, rest, turns)

  data = cell (size (arrays));
  for k = 1:numel (arrays)
    [args, of] = own_piece (caller, [outputs, numel(arrays)], [arrays(k), rest]);
    if (numel (arrays) > 2)
      error ("Octave:invalid-fun-call", "Invalid call to %s.  See 'help %s'.", caller, caller);
    endif
    [data{k}, each(k)] = rows_of (caller, args{1}, of, turns);
  endfor
  rest = args(2:end);
  ranks = each(1);
  if (ranks.sizes(1) != each(end).sizes(1))
    error ("gpureduce:invalid-input", "%s: X and Y must have as many rows", caller);
  elseif (ranks.dim != each(end).dim)
    error ("gpureduce:invalid-input", "%s: X and Y must be divided along their rows, or along their columns", caller);
  elseif (__gpureduce__ (["any:" caller], rows (data{1}) != rows (data{end}), 2, ranks.options{1:2}))
    error ("gpureduce:invalid-input", "%s: X and Y must have as many rows on each rank", caller);
  endif

endfunction

function [x, of] = rows_of (caller, x, of, turns)
  if (! (isnumeric (x) || islogical (x)) || numel (of.sizes) != 2 || of.dim > 2)
    error ("gpureduce:invalid-input", "%s: X and Y must be numeric or logical matrices divided along a dimension that they have", caller);
  elseif (! isfloat (x))
    x = double (x);
  endif
  if (! all (of.sizes))
    x = zeros (of.sizes, class (x));
    return;
  endif
  if (turns && of.sizes(1) == 1)
    x = x.';
    of.sizes = fliplr (of.sizes);
    of.dim = 3 - of.dim;
  endif
  if (of.dim == 2)
    x = __gpureduce__ (["redivide:" caller], x.', 2, of.options{1:2}, "divided", 1).';
  endif
  of.options{4} = 1;            # from here on
endfunction
