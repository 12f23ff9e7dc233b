## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {} gpu_config ()
## @deftypefnx {} {@var{s} =} gpu_config ()
## @deftypefnx {} {@var{value} =} gpu_config (@var{name})
## @deftypefnx {} {@var{old} =} gpu_config (@var{name}, @var{new})
## @deftypefnx {} {@var{rates} =} gpu_config ("rates", "measure")
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
## "auto" (wherever the call is fastest, or on CPU and GPU at once), the number of a GPU from 1, "all" or a vector of
## numbers (host arrays are divided over these GPUs, see @code{gpu_options}), "default":
## the GPU when there is one, else the CPU with one warning a session
## (@code{gpureduce:cpu-fallback}), "local", or "sim": as "default", but kernels of the
## ladder run in the simulator.  With "gpu", "all" or numbers, a missing
## GPU is the error @code{gpureduce:no-device}.
##
## "local" is for several processes on a node with several GPUs: as "default", but
## instead of the first GPU the one that goes with the process's rank among those
## of the node, from 0: number 1 + mod (@var{rank}, gpuDeviceCount ()).  Without a
## GPU it is the CPU, with the one warning.  The rank is read from the first of
## SLURM_LOCALID, OMPI_COMM_WORLD_LOCAL_RANK, MPI_LOCALRANKID and PMI_LOCAL_RANK
## that is above 0 (a launcher inside another's job leaves the outer one's 0
## behind); where none of them is set, or one is no rank, a computation is the error
## @code{gpureduce:invalid-input}.
##
## @item "threads"
## Threads of computations on the CPU; 0 (default): as many as OMP_NUM_THREADS
## says, or all that this process may run on; and for about a second at a time one alone, where Octave
## often has to wait for a processor: threads that wait for each other may take a hundred times as long there.
##
## @item "memory_limit"
## Bytes of GPU memory one call may take for data that is not a gpuArray; longer
## arrays are streamed in pieces.  0 (default): up to 512 MiB.  Of ranks whose GPUs
## send each other what is large, also for that; what takes more goes through the
## hosts' memory, and 0 is what the GPU has left.
##
## @item "cache_limit"
## Bytes of GPU memory kept for the next call, since the driver takes long to give any; Inf (default): a
## quarter of the GPU's memory.  @code{gpu_config ("trim")} gives it back.
##
## @item "comm_timeout"
## Seconds that a call with "comm" (@code{gpu_comm}) waits for another rank before it is the error @code{gpureduce:comm-failed}; 60 (default).
## It must be longer than any rank takes to come to the call and to compute its piece.  Inf: no limit.
##
## @item "through_host"
## What gpuArrays have no kernel for, Octave does on the host, and array results go back: "quiet" (default), "warn": with the
## warning @code{gpureduce:through-host} each time, or "error": not at all.
## @code{gpu_config ("through_host", "count")} returns how often it was done in this session.
##
## @item "shadow"
## "on" (default): @code{zeros (@dots{}, "gpuArray")} and the other functions that make arrays make gpuArrays (see
## @code{gpuArray}); Octave's own functions get every other call, a microsecond later.  "off": Octave's own functions are back.
##
## @item "lazy"
## "on" (default): elementwise operations on gpuArrays wait until their values are wanted, and are then computed together, so that
## @code{y = 2 * x.^2 + 1} reads x once and writes y once.  Reductions along a dimension of large gpuArrays wait too, so
## @code{(x - mean (x)) ./ std (x)} does the same.  @code{gpu_explain} shows what an array waits for; @code{wait (gpuDevice)} computes all
## that waits.  "off": each is computed at once.
##
## @item "compile"
## "on" (default): expressions of gpuArrays with some 500,000 elements and more, and reductions of shorter ones once they have come thirty
## times, are compiled by NVRTC, CUDA's run-time compiler, where it is installed: beside what goes on, and until a kernel is ready another
## one computes the same bits.  "off": none is compiled.
##
## @item "kernel_folder"
## Where compiled kernels are kept for later sessions, 64 MiB at most, and 300 modules of @code{gpu_variant_add}: an absolute path; "": nowhere.  It begins as @env{GPUREDUCE_KERNELS}, else
## @file{gpureduce} in @env{XDG_CACHE_HOME}, else in @file{~/.cache}.  A folder or a file that others may write is not used.
##
## @item "compiled"
## Only to read: a structure with the fields @code{compiler} ("NVRTC 13.0"; "" where it is not found, or nothing was compiled yet),
## @code{waiting}, @code{compiled}, @code{read} (of files) and @code{failed} (how many kernels), @code{failure} (why the last of these was),
## @code{last_ms} (what the last kernel took), @code{files} and @code{bytes} (in the folder).  @code{gpu_config ("compiled", "wait")} waits
## until no kernel is waited for; @code{gpu_config ("compiled", "clear")} forgets all kernels and removes their files.
##
## @item "last"
## Only to read: a structure about the last call with the fields @code{function},
## @code{backend} ("cuda", "cpu", "cuda+cpu": both at once, or "built-in"), @code{device} (0: the CPU),
## @code{reason} (why there), @code{transfer_ms}, @code{kernel_ms} (by the host's clock where nothing is
## copied beside the kernels: then their launch counts),
## @code{total_ms}, and the shape of its tree of summation: @code{parts},
## @code{lanes}.  Of a host array that was divided over several GPUs, @code{devices} are their numbers, with 0 for the CPU
## where it took some, @code{taken} the bytes of input that each read, and @code{device} the first; else both are empty.
##
## @item "rates"
## By what "auto" decides, in GB/s of input, as a structure: @code{cpu},
## the CPU alone with @code{threads} threads; @code{staged} and @code{in_place}, GPU
## number @code{device} alone, host data reaching it through pinned memory or
## page-locked where it is; @code{both}, CPU and GPU at once; NaN: not known.
## @code{measured} is false where they are typical ones: before the first reduction of
## 128 MiB or more with "auto", which measures them on its data (some 20 ms, and the
## time that the GPU takes to start), and again for another number of threads or another operation.
## @code{gpu_config ("rates", "measure")} measures them now and returns them.  They are
## kept until Octave ends; a structure of an earlier session, of the same machine, can be
## set, for all operations.  Results are the same whatever they are.
##
## For functions that are no reductions (medians, histograms, cumulative functions) the rates are only
## a first guess.  "auto" notes how long its calls take, for each kind of work, class and size (within a
## factor of eight), and goes by that from the third call on; a place that may be the faster one is tried twice.
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
## Environment variables.  Those of the device are read by the first call; a change
## within Octave, by @code{setenv}, may come too late.
##
## @table @env
## @item GPUREDUCE_DEVICE
## The setting "device" to begin with: gpu, cpu, auto, all, local, a number or several (1,2,4).  Anything
## else is the error @code{gpureduce:invalid-input} of every call that does not name
## a device itself.
## @item SLURM_LOCALID
## @itemx OMPI_COMM_WORLD_LOCAL_RANK
## @itemx MPI_LOCALRANKID
## @itemx PMI_LOCAL_RANK
## The rank for "local", by srun (Slurm) and by mpirun (Open MPI; Intel MPI and MPICH).
## @item GPUREDUCE_NCCL
## The file of libnccl.so.2, version 2.18 or later, by which calls with "comm" send from GPU to GPU what is large; else it is looked for where the system
## has its libraries.  no: through the hosts' memory.
## @item GPUREDUCE_NCCL_BYTES
## From how many bytes on (4194304), of the accumulators that results are made of, or of a whole part whose elements lie at the ends of pieces; the same on
## all ranks.  Where it is set, the first such call joins the GPUs; else the first 256 MiB of a session never go by NCCL.  What is no number of bytes is the
## error @code{gpureduce:invalid-input} of every call with "comm".
## @item NCCL_COMM_BLOCKING
## Set to 0 when NCCL is opened, so that a rank that fails does not hang the others.
## @item CUDA_VISIBLE_DEVICES
## Which GPUs there are, and their order; numbers count from 1 within it.  Read by
## the driver; empty, it hides them all.
## @item OMP_NUM_THREADS
## Threads on the CPU where the setting "threads" is 0, and of copies to the GPU (16
## at most); never more than CPUs that the process may run on (its affinity, as
## taskset and Slurm set it).
## @item OMP_WAIT_POLICY
## "passive": threads that wait for each other sleep, and all are used on a busy machine, too; calls take some microseconds longer.
## @item TMPDIR
## Where temporary files go: @file{/tmp} without it.  Computations make none.
## @item GPUREDUCE_KERNELS
## The setting "kernel_folder" to begin with.
## @item GPUREDUCE_SHARED_KERNELS
## A folder of modules that somebody else has compiled: @code{gpu_variant_add} looks there first.
## @item XDG_CACHE_HOME
## @itemx HOME
## Where that folder is without it: @file{gpureduce} in the first, else @file{.cache/gpureduce} in the second.
## @item GPUREDUCE_ISA
## "baseline": the CPU part uses no AVX2 and no AVX-512 (where it was built for all
## processors, as @code{pkg install} does); "avx2": no AVX-512.  The results are the same.
## @item GPUREDUCE_CUDA_MODULE
## @itemx GPUREDUCE_MPI_MODULE
## @itemx GPUREDUCE_LADDER_MODULE
## @itemx GPUREDUCE_SIM
## The file of the CUDA module, of what joins the ranks of MPI (@file{gpureduce_mpi.so}), of the ladder's kernels and of the ladder's
## simulator, instead of the installed ones.
## @item OMPI_COMM_WORLD_SIZE
## @itemx OMPI_COMM_WORLD_RANK
## @itemx PMI_SIZE
## @itemx PMI_RANK
## @itemx MV2_COMM_WORLD_SIZE
## @itemx MV2_COMM_WORLD_RANK
## @itemx PMIX_RANK
## @itemx PALS_RANKID
## @itemx SLURM_STEP_NUM_TASKS
## @itemx SLURM_NTASKS
## @itemx SLURM_STEP_ID
## @itemx SLURM_PROCID
## By these, which launchers set, @code{gpu_comm} knows whether there are several processes to join.
## @item GPUREDUCE_EXPLAIN
## Set to anything: each launch of a reduction on the GPU says on standard error which algorithm
## was chosen, with how many blocks, and why.
## @item GPUREDUCE_VARIANT_ARCH
## The architecture that @code{gpu_variant_add} compiles for, such as "sm_90",
## instead of that of the GPU here, and also where there is none.  It looks for nvcc on @env{PATH} and in @env{CUDA_HOME}.
## @end table
##
## When the package is built, by @code{pkg install}:
##
## @table @env
## @item GPUREDUCE_NVCC
## The CUDA compiler nvcc to use, and no other.
## @item CUDACXX
## @itemx CUDA_HOME
## @itemx CUDA_PATH
## Where nvcc is, or the toolkit that has it; then come @env{PATH} and
## @file{/usr/local/cuda}.
## @item GPUREDUCE_CUDA_ARCHS
## GPU architectures to make code for: "native" (the GPUs of this machine), "list" (one
## for each generation from 7.0 on that this nvcc knows, and PTX for later ones), "all",
## or some such as "80 90"; without it, "native" where there is a GPU, else "list".
## @item GPUREDUCE_NVCC_FLAGS
## Further flags for nvcc, such as "--Ofast-compile=max", which compiles the kernels in a
## quarter of the time; they are slower then.
## @item GPUREDUCE_CUDA
## "no": without the CUDA module.
## @item GPUREDUCE_BUILD_CACHE
## A folder in which what is compiled is kept, and taken from where sources, flags and
## compilers are the same.
## @item NVCC_CCBIN
## The C++ compiler that nvcc uses.
## @item CC
## @itemx CXX
## @itemx CFLAGS
## The compilers, where pkg names none, and further flags for the C compiler.
## @item GPUREDUCE_HDF5
## "no": without what reads HDF5 and MAT 7.3 files.
## @item GPUREDUCE_MPI
## "no": without what joins the processes of MPI (@code{gpu_comm}).
## @item GPUREDUCE_MPICC
## MPI's C compiler, instead of @command{mpicc} on @env{PATH}.
## @item GPUREDUCE_OPENMP
## "no": one thread on the CPU.
## @item GPUREDUCE_ISAS
## "native": loops for the best instruction set of this machine (AVX2, AVX-512), and slower ones for
## machines without it; without it, for all of them, as a package for other machines needs.
## @end table
##
## Errors: @code{gpureduce:invalid-input} for a name or value that is not allowed,
## naming those that are.
## @seealso{gpu_doctor, gpuDevice, gpu_sum}
## @end deftypefn

function old = gpu_config (name, varargin)
  if (nargin > 0 && ischar (name) && isrow (name) && any (strcmpi (name, {"through_host", "shadow", "lazy"})))
    old = __gpr_octave__ ("config", tolower (name), varargin{:});
    if (nargin > 1 && nargout == 0 && ! strcmpi (varargin{1}, "count"))
      clear old
    endif
    return;
  elseif (nargin > 2)
    print_usage ();
  elseif (nargin == 2)
    new = varargin{1};
  endif
  if (nargin == 0)
    for key = {"device", "threads", "memory_limit", "cache_limit", "compile", "kernel_folder", "comm_timeout"}
      old.(key{1}) = __gpureduce__ ("config", key{1});
    endfor
    if (exist ("__gpr_octave__") == 3)          # else there are no gpuArrays
      for key = {"through_host", "shadow", "lazy"}
        old.(key{1}) = __gpr_octave__ ("config", key{1});
      endfor
    endif
    if (nargout == 0)
      printf ("  device        %s\n", num2str (old.device));
      printf ("  threads       %d%s\n", old.threads, note (old.threads == 0, "as many as allowed"));
      printf ("  memory_limit  %.0f%s\n", old.memory_limit, note (old.memory_limit == 0, "512 MiB"));
      printf ("  cache_limit   %g%s\n", old.cache_limit, note (isinf (old.cache_limit), "a quarter of the GPU's memory"));
      printf ("  compile       %s\n  kernel_folder %s\n", old.compile, old.kernel_folder);
      printf ("  comm_timeout  %g\n", old.comm_timeout);
      if (isfield (old, "shadow"))
        printf ("  through_host  %s\n  shadow        %s\n  lazy          %s\n", old.through_host, old.shadow, old.lazy);
      endif
      clear old
    endif
  elseif (nargin == 1 && ischar (name) && strcmpi (name, "trim"))
    __gpureduce__ ("trim");
  elseif (nargin == 1)
    old = __gpureduce__ ("config", name);
  else
    old = __gpureduce__ ("config", name, new);
    if (nargout == 0 && ! (ischar (new) && any (strcmpi (new, {"measure", "wait", "clear"}))))
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
%! assert (fieldnames (s), {"device"; "threads"; "memory_limit"; "cache_limit"; "compile"; "kernel_folder"; "comm_timeout"; "through_host"; "shadow"; "lazy"});
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
%! rank = getenv ("SLURM_LOCALID");
%! unwind_protect
%!   setenv ("SLURM_LOCALID", "3");
%!   old = gpu_config ("device", "Local");
%!   assert (gpu_config ("device"), "local");
%!   assert (! isempty (strfind (evalc ("gpu_config ()"), "local")));
%!   assert (gpu_sum (1:10), 55);
%! unwind_protect_cleanup
%!   gpu_config ("device", old);
%!   setenv ("SLURM_LOCALID", rank);
%! end_unwind_protect
%! assert (gpu_config ("device"), old);
%!test
%! ## every value that can be set can be read and set again
%! old = gpu_config ("device", "sim");
%! unwind_protect
%!   assert (gpu_config ("device", "cpu"), "sim");
%! unwind_protect_cleanup
%!   gpu_config ("device", old);
%! end_unwind_protect
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
%! for name = {"threads", "memory_limit", "cache_limit", "comm_timeout"}
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
%!test
%! r = gpu_config ("rates");
%! assert (fieldnames (r), {"measured"; "threads"; "device"; "cpu"; "staged"; "in_place"; "both"});
%! assert (r.cpu > 0);
%! r = gpu_config ("rates", "measure");
%! assert (r.measured);
%! assert (r.cpu > 0 && r.threads > 0);
%! assert (isnan (r.staged), r.device == 0);
%! assert (gpu_config ("rates"), r);
%! threads = gpu_config ("threads", r.threads + 1);
%! unwind_protect
%!   if (gpu_config ("rates").threads != r.threads)      # as many as that are allowed
%!     assert (gpu_config ("rates").measured, false);
%!   endif
%! unwind_protect_cleanup
%!   gpu_config ("threads", threads);
%! end_unwind_protect
%! assert (gpu_config ("rates"), r);
%! ## of an earlier session
%! other = r;
%! other.cpu = 7;
%! assert (gpu_config ("rates", other), r);
%! unwind_protect
%!   assert (gpu_config ("rates"), other);
%!   assert (gpu_sum (1:10, "device", "auto"), 55);
%! unwind_protect_cleanup
%!   assert (gpu_config ("rates", r), other);
%! end_unwind_protect
%! assert (gpu_config ("rates"), r);
%!test # the folder of kernels may be none, an absolute one, and nothing else
%! old = gpu_config ("kernel_folder", "/nowhere/else");
%! unwind_protect
%!   assert (gpu_config ("kernel_folder", ""), "/nowhere/else");
%!   assert (isempty (gpu_config ("kernel_folder")));
%!   fail ('gpu_config ("kernel_folder", "here")', "kernel_folder must be an absolute path, or");
%! unwind_protect_cleanup
%!   gpu_config ("kernel_folder", old);
%! end_unwind_protect
%!error <rates must be "measure", or such a structure> gpu_config ("rates", 5)
%!error <rates must be "measure", or such a structure> gpu_config ("rates", struct ("cpu", 5))
%!error id=gpureduce:invalid-input gpu_config ("rates", "fast")
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
%!error id=gpureduce:invalid-input gpu_sum (1:3, "device", "local")
%!error id=gpureduce:invalid-input gpu_config ("threads", -1)
%!error id=gpureduce:invalid-input gpu_config ("threads", 1.5)
%!error id=gpureduce:invalid-input gpu_config ("threads", "many")
%!error id=gpureduce:invalid-input gpu_config ("memory_limit", NaN)
%!error id=gpureduce:invalid-input gpu_config ("cache_limit", {})
%!error id=gpureduce:invalid-input gpu_config ("memory_limit", Inf)
%!error <comm_timeout must be a number of seconds above 0> gpu_config ("comm_timeout", 0)
%!error id=gpureduce:invalid-input gpu_config ("comm_timeout", "long")
%!test assert (gpu_config ("cache_limit", Inf), Inf)
%!error <can only be read> gpu_config ("last", 1)
%!error <Invalid call to gpu_config> gpu_config ("threads", 1, 2)
