## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{t} =} canUseGPU ()
## True if there is a GPU that this package can use.  Never an error: without a
## driver, a GPU or the CUDA module the answer is false.
##
## @example
## @group
## if (canUseGPU ())
##   x = gpuArray (x);
## endif
## y = gpu_sum (x);
## @end group
## @end example
## @seealso{gpuDevice, gpuDeviceCount, gpu_doctor}
## @end deftypefn

function t = canUseGPU ()
  t = false;
  try
    t = gpuDeviceCount ("available") > 0;
  catch
  end_try_catch
endfunction

%!assert (canUseGPU (), gpuDeviceCount ("available") > 0)
%!assert (class (canUseGPU ()), "logical")
%!error <called with too many inputs> canUseGPU (1)
