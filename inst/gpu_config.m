## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {} gpu_config ()
## @deftypefnx {} {@var{s} =} gpu_config ()
## @deftypefnx {} {@var{value} =} gpu_config (@var{name})
## @deftypefnx {} {@var{old} =} gpu_config (@var{name}, @var{new})
## @deftypefnx {} {} gpu_config ("trim")
## Settings of this package for the session.
##
## Without arguments, print all settings or return them as a structure.  With a
## name, return its value; with a new value too, set it and return the old one, as
## Octave's own settings do.
##
## @table @asis
## @item "device"
## Where functions compute that are not told by an option "device": "gpu", "cpu",
## "auto" (wherever the call is fastest), the number of a GPU from 1, or "default":
## the GPU when there is one, else the CPU with one warning a session
## (@code{gpureduce:cpu-fallback}).  With "gpu" or a number, a missing GPU is the
## error @code{gpureduce:no-device}.
##
## @item "threads"
## Threads of computations on the CPU; 0 (default): as many as OMP_NUM_THREADS
## says, or all that this process may run on.
##
## @item "memory_limit"
## Bytes of GPU memory one call may take for data that is not a gpuArray; longer
## arrays are streamed in pieces.  0 (default): up to 512 MiB.
##
## @item "cache_limit"
## Bytes of GPU memory kept for the next call; default 256 MiB.
##
## @item "last"
## Only to read: a structure about the last call with the fields @code{function},
## @code{backend} ("cuda", "cpu" or "built-in"), @code{device} (0: the CPU),
## @code{reason} (why there), @code{transfer_ms}, @code{kernel_ms},
## @code{total_ms}, and the shape of its tree of summation: @code{parts},
## @code{lanes}.
##
## @item "trim"
## No setting but an act: give the cached GPU memory back to the driver.
## @end table
##
## @example
## @group
## old = gpu_config ("device", "cpu");
## gpu_sum (1:10)
##     @result{} 55
## gpu_config ("last").backend
##     @result{} cpu
## gpu_config ("device", old);
## @end group
## @end example
##
## Environment variables, read when the package is first used:
##
## @table @env
## @item GPUREDUCE_DEVICE
## The setting "device" to begin with: gpu, cpu, auto or a number.
## @item OMP_NUM_THREADS
## Threads on the CPU where the setting "threads" is 0.
## @item CUDA_VISIBLE_DEVICES
## Which GPUs there are, and their order; numbers count from 1 within it.
## @item GPUREDUCE_CUDA_MODULE
## The file of the CUDA module, instead of the installed one.
## @end table
##
## When the package is built, by @code{pkg install}:
##
## @table @env
## @item GPUREDUCE_NVCC
## The CUDA compiler nvcc, looked for here first.
## @item GPUREDUCE_CUDA_ARCHS
## GPU architectures to make code for: "native", "all", or a list such as "80 90".
## @item GPUREDUCE_CUDA
## "no": without the CUDA module.
## @item NVCC_CCBIN
## The C++ compiler that nvcc uses.
## @item GPUREDUCE_OPENMP
## "no": one thread on the CPU.
## @end table
##
## Errors: @code{gpureduce:invalid-input} for a name or value that is not allowed,
## naming those that are.
## @seealso{gpu_doctor, gpuDevice, gpu_sum}
## @end deftypefn

function old = gpu_config (name, new)
  if (nargin == 0)
    for key = {"device", "threads", "memory_limit", "cache_limit"}
      old.(key{1}) = __gpureduce__ ("config", key{1});
    endfor
    if (nargout == 0)
      printf ("  device        %s\n", num2str (old.device));
      printf ("  threads       %d%s\n", old.threads, note (old.threads == 0, "as many as allowed"));
      printf ("  memory_limit  %.0f%s\n", old.memory_limit, note (old.memory_limit == 0, "512 MiB"));
      printf ("  cache_limit   %.0f bytes\n", old.cache_limit);
      clear old
    endif
  elseif (nargin == 1 && ischar (name) && strcmpi (name, "trim"))
    __gpureduce__ ("trim");
  elseif (nargin == 1)
    old = __gpureduce__ ("config", name);
  else
    old = __gpureduce__ ("config", name, new);
    if (nargout == 0)
      clear old
    endif
  endif
endfunction

function text = note (applies, meaning)
  text = "";
  if (applies)
    text = [" (" meaning ")"];
  endif
endfunction

%!test
%! s = gpu_config ();
%! assert (fieldnames (s), {"device"; "threads"; "memory_limit"; "cache_limit"});
%! text = evalc ("gpu_config ()");
%! for name = fieldnames (s)'
%!   assert (! isempty (strfind (text, name{1})));
%!   assert (gpu_config (name{1}), s.(name{1}));
%!   assert (gpu_config (upper (name{1})), s.(name{1}));
%! endfor
%!test
%! for new = {"cpu", "auto", "default"}
%!   old = gpu_config ("device", new{1});
%!   unwind_protect
%!     assert (gpu_config ("device"), new{1});
%!     assert (gpu_config ().device, new{1});
%!     assert (gpu_sum (1:10), 55);
%!   unwind_protect_cleanup
%!     gpu_config ("device", old);
%!   end_unwind_protect
%!   assert (gpu_config ("device"), old);
%! endfor
%!test
%! old = gpu_config ("device", 2);
%! unwind_protect
%!   assert (gpu_config ("device"), 2);
%! unwind_protect_cleanup
%!   assert (gpu_config ("device", old), 2);
%! end_unwind_protect
%!test
%! y = 1 ./ (1:100000);
%! expected = gpu_sum (y, "device", "cpu");
%! for name = {"threads", "memory_limit", "cache_limit"}
%!   old = gpu_config (name{1}, 1);
%!   unwind_protect
%!     assert (gpu_config (name{1}), 1);
%!     assert (gpu_sum (y, "device", "cpu"), expected);
%!   unwind_protect_cleanup
%!     gpu_config (name{1}, old);
%!   end_unwind_protect
%!   assert (gpu_config (name{1}), old);
%! endfor
%!test
%! gpu_max ([3 1 2], "device", "cpu");
%! last = gpu_config ("last");
%! assert (last.function, "gpu_max");
%! assert (last.backend, "cpu");
%! assert (last.device, 0);
%! assert (! isempty (last.reason));
%! assert (last.total_ms >= 0 && last.transfer_ms >= 0 && last.kernel_ms >= 0);
%! assert (last.parts, 1);
%! assert (last.lanes, 1);
%! gpu_sum (zeros (1, 1e6), "device", "cpu");
%! last = gpu_config ("last");
%! assert (last.function, "gpu_sum");
%! assert (last.parts > 1);
%! assert (last.lanes > 1);
%! gpu_sum (sparse (1));
%! assert (gpu_config ("last").backend, "built-in");
%!test gpu_config ("trim")
%!test
%! gpu_config ("threads", gpu_config ("threads"));
%! ans = 5;
%! gpu_config ("threads", gpu_config ("threads"));
%! assert (ans, 5);
%!error <unknown setting "speed"; settings are device> gpu_config ("speed")
%!error id=gpureduce:invalid-input gpu_config ("speed", 1)
%!error id=gpureduce:invalid-input gpu_config (5)
%!error id=gpureduce:invalid-input gpu_config ("device", "toaster")
%!error id=gpureduce:invalid-input gpu_config ("device", 0)
%!error id=gpureduce:invalid-input gpu_config ("threads", -1)
%!error id=gpureduce:invalid-input gpu_config ("threads", 1.5)
%!error id=gpureduce:invalid-input gpu_config ("threads", "many")
%!error id=gpureduce:invalid-input gpu_config ("memory_limit", NaN)
%!error id=gpureduce:invalid-input gpu_config ("cache_limit", {})
%!error <can only be read> gpu_config ("last", 1)
%!error <called with too many inputs> gpu_config ("threads", 1, 2)
