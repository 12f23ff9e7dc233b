## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {} __gpr_draw_hist__ (@dots{})
## @deftypefnx {} {[@var{nn}, @var{xx}] =} __gpr_draw_hist__ (@dots{})
## Undocumented internal function: @code{gpu_hist} where it draws, or where an
## argument may name axes.
## @end deftypefn

function [nn, xx] = __gpr_draw_hist__ (varargin)

  [hax, args] = __plt_get_axis_arg__ ("gpu_hist", varargin{:});
  [nn, xx] = __gpureduce__ ("hist_counts:gpu_hist", args{:});
  if (nargout > 0)
    return;
  endif

  args = take_device (args);
  at = 2;                       # the first of the properties
  while (at <= min (numel (args), 3) && ! ischar (args{at}))
    at++;
  endwhile
  if (isempty (hax))
    hax = gca ();
  endif
  try
    bar (hax, xx, gather (nn), "hist", args{at:end});
  catch err
    error (err.identifier, "gpu_hist: %s", err.message);
  end_try_catch

endfunction

## with outputs it counts and draws nothing; what it draws is tested with gpu_hist
%!test
%! before = numel (get (0, "children"));
%! [nn, xx] = __gpr_draw_hist__ ([1 2 2 3 9], 3);
%! [n0, x0] = hist ([1 2 2 3 9], 3);
%! assert ({nn, xx}, {n0, x0});
%! assert (numel (get (0, "children")), before);
