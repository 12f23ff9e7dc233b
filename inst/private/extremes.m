## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {[@var{least}, @var{most}] =} extremes (@var{caller}, @var{x}, @var{dim}, @dots{})
## The smallest and largest elements for @code{gpu_range} and @code{gpu_bounds}: the
## arguments of @code{gpu_max} without its second.
## @end deftypefn

function [least, most] = extremes (caller, x, varargin)

  [args, device] = take_device (varargin);
  if (! isempty (args) && ! ischar (args{1}))
    args = [{[]}, args];        # max (x, [], dim)
  endif
  if (! isempty (device))
    args = [args, {"device", device}];
  endif
  most = __gpureduce__ (["max:" caller], x, args{:});
  least = __gpureduce__ (["min:" caller], x, args{:});

endfunction
