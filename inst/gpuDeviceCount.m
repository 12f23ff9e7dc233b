## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{n} =} gpuDeviceCount ()
## @deftypefnx {} {@var{n} =} gpuDeviceCount (@var{which})
## @deftypefnx {} {[@var{n}, @var{indices}] =} gpuDeviceCount (@dots{})
## Number of GPUs, and their numbers for @code{gpuDevice}.
##
## @var{which} is "all" (default), "supported" (those this package can run on) or
## "available" (those of them that are not closed to computing).  Where there is no
## GPU, no driver or no CUDA module, @var{n} is 0 and @var{indices} is empty;
## @code{gpu_doctor} says why.
##
## @example
## @group
## gpuDeviceCount ()
## @c doctest: +SKIP
##     @result{} 1
## @end group
## @end example
##
## Error: @code{gpureduce:invalid-input} for another @var{which}.
## @seealso{gpuDevice, gpuDeviceTable, canUseGPU, gpu_doctor}
## @end deftypefn

function [n, indices] = gpuDeviceCount (which = "all")
  n = __gpureduce__ ("device_count");
  indices = 1:n;
  if (! (ischar (which) && isrow (which)) || ! any (strcmpi (which, {"all", "supported", "available"})))
    error ("gpureduce:invalid-input", "gpuDeviceCount: WHICH must be \"all\", \"supported\" or \"available\"");
  elseif (strcmpi (which, "available"))
    indices(arrayfun (@(k) __gpureduce__ ("device", k).compute_mode == 2, indices)) = [];
    n = numel (indices);
  endif
endfunction

%!test
%! [n, indices] = gpuDeviceCount ();
%! assert (isscalar (n) && n >= 0 && n == fix (n));
%! assert (indices, 1:n);
%!assert (gpuDeviceCount ("all"), gpuDeviceCount ())
%!assert (gpuDeviceCount ("supported") <= gpuDeviceCount ())
%!test
%! [n, indices] = gpuDeviceCount ("available");
%! assert (n <= gpuDeviceCount ());
%! assert (numel (indices), n);
%! assert (all (ismember (indices, 1:gpuDeviceCount ())));
%!error id=gpureduce:invalid-input gpuDeviceCount ("some")
%!error id=gpureduce:invalid-input gpuDeviceCount (1)
%!error <called with too many inputs> gpuDeviceCount ("all", 1)
