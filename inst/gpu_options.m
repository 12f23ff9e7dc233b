## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {} gpu_options ()
## Show this text: what the functions of this package have in common.
##
## @strong{Device.}  Every function that computes takes "device", @var{d} as its last two
## arguments: where to compute.
##
## @table @asis
## @item "gpu"
## The selected GPU (@code{gpuDevice}), or the error @code{gpureduce:no-device}.
##
## @item "cpu"
## The CPU.
##
## @item "auto"
## Wherever this call is fastest, with the transfer of the data counted.
##
## @item a number
## The GPU of this number, from 1, or the error @code{gpureduce:no-device}.
##
## @item "all" or a vector of numbers, none twice
## Reductions and histograms of arrays on the host, from 16 MiB on, are divided over all GPUs or these, each of which reads over a bus of
## its own; the CPU takes some too where one GPU with it was the faster (@code{gpu_config ("rates")}).  The result has the
## same bits on any number of GPUs.  An error of one GPU ends the call, and names it.  What is not divided runs on one of them, the first:
## smaller arrays, wide slabs of columns, exact sums, any and all, histograms with a second output or along rows, and what is neither
## (cumulative functions, medians, sorting).  A gpuArray is reduced where it lies.
## @end table
##
## Without it the GPU is used when there is one, else the CPU, with one warning
## (@code{gpureduce:cpu-fallback}) a session; @code{gpu_config} sets another default.
##
## @strong{Several processes.}  Most functions take "comm", @var{c}: then @var{x} is this process's piece of an array
## (@code{gpu_comm}).
##
## @strong{Dimensions.}  Where a function takes @var{dim} and says so, a vector of dimensions
## reduces over them together, as in @code{gpu_sum (x, [1 3])}, and "all" reduces over all
## elements, to one.  The result has the size of @var{x} with 1 in the reduced dimensions.
## Options that are words may be written in upper or lower case, except those that the
## built-in has too, such as "native".
##
## @strong{Results.}  They are the same bits on every GPU and on the CPU, with any number of
## threads.  They have the class, the size and, but for rounding, the value that the built-in
## gives.  A function whose results differ says how: sums and products of more than 8 elements are
## added or multiplied in pairs, in a fixed tree, and so differ in their last bits.
##
## @strong{gpuArrays.}  A gpuArray is reduced on the device where it is stored.  A result with one element
## comes back as a number; a larger one stays on the GPU as a gpuArray.
##
## @strong{What goes to the built-in.}  Sparse arrays and, where a function says so, other
## arguments are passed on to the built-in, which computes on the CPU.
##
## @strong{Errors} are those of the built-in with the name of this package's function in front, and
## have the built-in's identifiers (@code{Octave:invalid-fun-call} for a wrong number of
## arguments).  The package has these of its own:
##
## @table @code
## @item gpureduce:invalid-input
## An argument or option that only this package knows is wrong.
##
## @item gpureduce:no-device
## A GPU was asked for, and there is none with this number.
##
## @item gpureduce:out-of-memory
## The data does not fit into the memory of the GPU.
##
## @item gpureduce:device-lost
## The GPU stopped answering, and what was on it is gone; the message says how to go on.
##
## @item gpureduce:cuda-error
## CUDA refused a copy or a kernel; the message has its reason, and the next call works.
##
## @item gpureduce:unsupported
## This installation or this GPU cannot run the call: the simulator was not built, a variant
## was not compiled for the GPU or needs a newer one, or there are more bins than can be counted.
##
## @item gpureduce:interrupted
## Ctrl-C ended the call.
##
## @item gpureduce:comm-failed
## Another process of a call with "comm" has ended, failed or not come.
## @end table
##
## @example
## @group
## gpu_sum ([1 2 3], "device", "cpu")
##     @result{} 6
## gpu_sum (gpuArray (ones (2, 3)), "all")
##     @result{} 6
## @end group
## @end example
##
## The reductions in parallel follow M. Harris, @cite{Optimizing Parallel Reduction in CUDA}
## (NVIDIA, 2007).
## @seealso{gpu_config, gpu_reduce, gpuArray, gpuDevice}
## @end deftypefn

function gpu_options ()
  help ("gpu_options");
endfunction

%!assert (! isempty (strfind (get_help_text ("gpu_options"), "gpureduce:no-device")))
%!assert (gpu_sum ([1 2 3], "device", "cpu"), 6)
%!assert (gpu_sum (gpuArray (ones (2, 3)), "all"), 6)
