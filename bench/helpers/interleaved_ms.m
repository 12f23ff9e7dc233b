## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## ms = interleaved_ms (f, g, ...): milliseconds of one call of each function, the
## median of repeated calls.  {f, make} times f (make ()) without the making.  They
## take turns, so that what else the machine does falls on all of them; the first
## round warms up and is not counted.  Short calls are timed many at a time, long
## ones after one that is not timed: threads and cores sleep while others have their
## turn.  Every call returns with its work done.

function ms = interleaved_ms (varargin)

  one = zeros (1, nargin);
  for k = 1:nargin
    seconds_of (varargin{k}, 1);
    one(k) = seconds_of (varargin{k}, 1);
  endfor
  calls = min (1000, max (1, ceil (0.005 ./ one)));
  repeats = max (3, min (25, 2 * floor (1 / sum (one)) + 1));

  taken = zeros (repeats, nargin);
  for r = 1:repeats
    for k = 1:nargin
      if (calls(k) == 1)
        seconds_of (varargin{k}, 1);
      endif
      taken(r,k) = seconds_of (varargin{k}, calls(k));
    endfor
  endfor
  ms = 1e3 * median (taken, 1);

endfunction

function s = seconds_of (f, calls)
  args = {};
  if (iscell (f))
    for i = 1:calls
      args{i} = f{2}();
    endfor
    f = f{1};
  endif
  id = tic ();
  if (isempty (args))
    for i = 1:calls
      result = f ();      # without an output hist would plot
    endfor
  else
    for i = 1:calls
      result = f (args{i});
    endfor
  endif
  s = toc (id) / calls;
endfunction
