## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {} gpu_doctor ()
## @deftypefnx {} {} gpu_doctor ("lab")
## @deftypefnx {} {@var{report} =} gpu_doctor (@dots{})
## Look at everything between a call of this package and the GPU, layer by layer.
##
## Each line says "ok", "--" (absent, and not needed: computations run on the CPU)
## or "FAILED", what was found, and, where something can be done about it, what.
## The layers are the package, the computation on the CPU, the version of the tree
## of summation (equal versions give equal bits), how large results are made, other packages' gpuArray, the
## setting of the device, the rates that "auto" decides by, the CUDA module, the driver, the CUDA runtime against the
## driver, the architectures the module was built for against each GPU, the GPUs,
## their memory, and a kernel and a copy that are tried out.
##
## @code{gpu_doctor ("lab")} looks at what a lab with the ladder of kernels needs
## instead: that the simulator runs, the compiler makes a kernel of the template of
## @code{gpu_variant_add}, this gives the right sum, and a fault is named with its line.
## gnuplot, a browser, Jupyter with its kernel for Octave, a GPU and a folder for what
## is compiled may be missing.  The last line says whether all that is needed is there.
##
## @var{report} is a structure array with the fields @code{layer}, @code{state},
## @code{found} and @code{remedy} (empty where there is nothing to do); nothing is
## printed then.
##
## @example
## @group
## gpu_doctor ()
## @c doctest: +SKIP
##   @print{} ok      package        gpureduce 0.1.0 for Octave 7.3.0, in /home/ann/@dots{}
##   @print{} ok      cpu            avx512, OpenMP, 2 threads; results are right
##   @print{} ok      tree           version 2 of the order of summation
##     @dots{}
## gpu_doctor ("lab")
## @c doctest: +SKIP
##   @print{} ok      simulator      runs the package's kernels; results are right
##     @dots{}
##   @print{} --      notebooks      there is no Jupyter: the scripts beside the notebooks do the same
##   @print{}         notebooks      -> pip install notebook octave-kernel
##   @print{} ok      lab            all that is needed is there
## lab = gpu_doctor ("lab");
## lab(end).state
##     @result{} ok
## @end group
## @end example
##
## Errors: @code{gpureduce:invalid-input} for another argument.
## @seealso{gpu_selftest, gpu_config, gpuDevice, gpuDeviceTable, gpu_variant_add}
## @end deftypefn

function report = gpu_doctor (what = "")
  if (strcmpi (what, "lab"))
    report = lab_layers ();
  elseif (nargin > 0)
    error ("gpureduce:invalid-input", "gpu_doctor: the argument must be \"lab\", or there must be none");
  else
    report = layers ();
  endif

  if (nargout == 0)
    for r = report
      printf ("%-6s  %-13s  %s\n", r.state, r.layer, r.found);
      if (! isempty (r.remedy))
        printf ("%-6s  %-13s  -> %s\n", "", "", r.remedy);
      endif
    endfor
    clear report
  endif
endfunction

function report = layers ()
  about = __gpureduce__ ("diagnose", "deep");
  report = doctor_line ("package", true, sprintf ("gpureduce %s for Octave %s, in %s", about.version,
                                                   OCTAVE_VERSION, about.folder));
  report(end+1) = cpu_line (about);
  report(end+1) = doctor_line ("tree", true, sprintf ("version %d of the order of summation", about.tree));
  report(end+1) = results_line ();
  report(end+1) = shadow_line ();
  report(end+1) = setting_line (about);
  report(end+1) = rates_line ();
  report(end+1) = module_line (about);
  if (about.cuda_module)
    report = [report, gpu_lines(about)];
  endif
endfunction

function r = cpu_line (about)
  found = about.isa;
  if (about.openmp)
    found = sprintf ("%s, OpenMP, %d threads", found, about.threads);
  else
    found = [found ", one thread (built without OpenMP)"];
  endif
  good = false;
  try
    good = gpu_sum (1:1000, "device", "cpu") == 500500 && gpu_max (single ([2 7 1]), "device", "cpu") == 7;
    results = {"wrong", "right"}{1 + good};
  catch err
    results = err.message;
  end_try_catch
  r = doctor_line ("cpu", good, sprintf ("%s; results are %s", found, results),
             "reinstall the package on this machine: pkg install gpureduce-VERSION.tar.gz");
endfunction

function r = results_line ()
  if (exist ("__gpr_octave__") == 3)
    r = doctor_line ("results", true, "gpuArrays are values of Octave; large results on the host are its own arrays, and all threads fill them");
  else
    r = doctor_line ("results", "--", "no gpuArray, and large results are copied: the oct-file of this package did not compile",
              sprintf ("see %s; install octave-dev and the package again; the gpu_ functions are right without it", package_file ("gpureduce_octave.log")));
  endif
endfunction

function r = shadow_line ()
  other = other_gpuarray ();
  ours = fileparts (mfilename ("fullpath"));
  first = fileparts (file_in_loadpath ("gpuArray.m"));
  if (isempty (other))
    r = doctor_line ("gpuArray", true, "no other package has one");
  elseif (strcmp (first, ours))
    r = doctor_line ("gpuArray", "--", sprintf ("the one of %s is hidden by ours", other),
              "load only one of the two packages if that one is meant");
  else
    r = doctor_line ("gpuArray", false, sprintf ("ours is hidden by the one of %s", other),
              "pkg unload that package (ocl?), or pkg load gpureduce after it");
  endif
endfunction

function r = setting_line (about)
  try
    device = gpu_config ("device");
    needs_gpu = isnumeric (device) || strcmp (device, "gpu");
    found = sprintf ("computations are to run on: %s", num2str (device));
    if (strcmp (device, "local") && about.devices > 0)
      found = sprintf ("%s, which is GPU %d of %d", found, __gpureduce__ ("device", 0).index, about.devices);
    endif
    r = doctor_line ("setting", ! needs_gpu || about.devices >= max (1, str2double (num2str (device))), found,
              "gpu_config (\"device\", \"default\"), or unset GPUREDUCE_DEVICE");
  catch err
    r = doctor_line ("setting", false, err.message, "set GPUREDUCE_DEVICE to gpu, cpu, auto, all, local, a number or several (1,2), or unset it");
  end_try_catch
endfunction

function r = rates_line ()
  try
    rates = gpu_config ("rates");
    found = sprintf ("\"auto\" decides by GB/s %s: CPU %.0f (%d threads)", ...
                     {"typical of a server", "measured"}{1 + rates.measured}, rates.cpu, rates.threads);
    if (rates.device > 0)
      found = sprintf ("%s, GPU %d %.0f through pinned memory, %.0f locked in place", found, rates.device, rates.staged, rates.in_place);
    endif
    if (rates.both > 0)
      found = sprintf ("%s, both at once %.0f", found, rates.both);
    endif
    r = doctor_line ("rates", true, found);
  catch err
    r = doctor_line ("rates", false, err.message, "see the setting");
  end_try_catch
endfunction

function r = module_line (about)
  if (about.cuda_module)
    r = doctor_line ("cuda module", true, sprintf ("loaded; made for %s", about.architectures));
  else
    found = about.cuda_reason;
    remedy = ["to compute on an NVIDIA GPU, install nvcc (Debian: nvidia-cuda-toolkit) and then this package again, " ...
              "or a binary package of it"];
    file = package_file ("gpureduce_build.txt");
    if (! isempty (file))
      built = strtrim (fileread (file));
      why = regexp (built, '; no CUDA backend: (.*)', "tokens", "once");
      if (isempty (why) || ! isempty (getenv ("GPUREDUCE_CUDA_MODULE")))
        found = sprintf ("%s (built: %s)", found, built);
      else
        found = ["not built: " why{1}];
      endif
      if (! isempty (strfind (built, "GPUREDUCE_CUDA=no")))
        remedy = "to compute on an NVIDIA GPU, install this package again without GPUREDUCE_CUDA=no in the environment";
      endif
    endif
    r = doctor_line ("cuda module", "--", found, remedy);
  endif
endfunction

## Driver, runtime, architectures, devices, memory, kernel and copy.
function report = gpu_lines (about)
  driver = about.driver_version;
  runtime = about.runtime_version;
  if (driver == 0)
    report = doctor_line ("driver", "--", strtrim (["none: " about.device_reason]),
                    "install the NVIDIA driver of this machine's GPU (nvidia-smi must list it)");
    return;
  endif
  report = doctor_line ("driver", true, sprintf ("for CUDA %s", version_text (driver)));
  report(end+1) = doctor_line ("runtime", floor (driver / 1000) >= floor (runtime / 1000),
                        sprintf ("CUDA %s, driver for %s", version_text (runtime), version_text (driver)),
                        sprintf ("update the driver to one for CUDA %d or later", floor (runtime / 1000)));
  if (about.devices == 0)
    remedy = "nvidia-smi must list a GPU; an empty CUDA_VISIBLE_DEVICES hides them all";
    if (! isempty (getenv ("CUDA_VISIBLE_DEVICES")))
      remedy = sprintf ("CUDA_VISIBLE_DEVICES is \"%s\": unset it, or name GPUs that nvidia-smi lists",
                        getenv ("CUDA_VISIBLE_DEVICES"));
    endif
    report(end+1) = doctor_line ("device", "--", strtrim (["none: " about.device_reason]), remedy);
    return;
  endif
  for k = 1:about.devices
    d = __gpureduce__ ("device", k);
    [good, found] = covers (about.architectures, d.major * 10 + d.minor, driver >= runtime);
    report(end+1) = doctor_line ("architecture", good, sprintf ("GPU %d needs %d.%d: %s", k, d.major, d.minor, found),
                          sprintf ("reinstall with GPUREDUCE_CUDA_ARCHS=%d%d, or update the driver", d.major, d.minor));
    report(end+1) = doctor_line ("device", d.compute_mode != 2, sprintf ("GPU %d: %s", k, d.name),
                          "the device is closed to computing: nvidia-smi -c DEFAULT");
    if (d.free_memory < 0)
      report(end+1) = doctor_line ("memory", true, sprintf ("GPU %d: %.1f GiB", k, d.total_memory / 2^30));
    else
      report(end+1) = doctor_line ("memory", d.free_memory >= 2^26,
                            sprintf ("GPU %d: %.1f of %.1f GiB free", k, d.free_memory / 2^30, d.total_memory / 2^30),
                            "other processes fill the GPU (nvidia-smi lists them); gpu_config (\"trim\")");
    endif
  endfor
  report(end+1) = compiler_line ();
  report(end+1) = links_line (about);
  report(end+1) = doctor_line ("kernel, copy", about.self_check, strtrim (regexprep (about.self_report, '\s+', " ")),
                        "see the lines above; gpu_config (\"device\", \"cpu\") computes meanwhile");
endfunction

## What has become of expressions that were to be compiled.
function r = compiler_line ()
  now = gpu_config ("compiled");
  if (strcmp (gpu_config ("compile"), "off"))
    r = doctor_line ("compiler", "--", "gpu_config (\"compile\") is \"off\": expressions are interpreted", "gpu_config (\"compile\", \"on\")");
  elseif (now.failed > 0)
    r = doctor_line ("compiler", "--", ["expressions are interpreted: " now.failure],
               "install the NVRTC of a CUDA toolkit for this driver where the system looks for libraries");
  elseif (isempty (now.compiler))
    r = doctor_line ("compiler", true, sprintf ("no expression was compiled yet in this session; %d kernels are kept", now.files));
  else
    r = doctor_line ("compiler", true, sprintf ("%s, %d kernels are kept", now.compiler, now.files));
  endif
endfunction

## What is sent from GPU to GPU between ranks, and by what.
function r = links_line (about)
  if (about.linked > 0)
    r = doctor_line ("ranks", true, sprintf ("%s joins the GPUs of %d ranks", about.links, about.linked));
  elseif (strncmp (about.links, "NCCL", 4) && ! isempty (about.link_failure))
    r = doctor_line ("ranks", "--", sprintf ("what ranks send each other goes through the host's memory: %s does not join their GPUs: %s", about.links, ...
                                             about.link_failure), "each rank needs a GPU of its own; NCCL_DEBUG=INFO says more");
  elseif (strncmp (about.links, "NCCL", 4))
    r = doctor_line ("ranks", true, sprintf ("%s can join the GPUs of ranks (gpu_comm); it has not yet in this session", about.links));
  else
    r = doctor_line ("ranks", "--", ["what ranks send each other goes through the host's memory: " about.links],
                     "GPUREDUCE_NCCL names the file of libnccl.so.2, 2.18 or later");
  endif
endfunction

function text = version_text (v)
  text = sprintf ("%d.%d", floor (v / 1000), floor (mod (v, 1000) / 10));
endfunction

## Whether machine code or PTX of that list runs on a device of capability cc.
function [good, found] = covers (architectures, cc, ptx_allowed)
  code = cellfun (@(t) str2double (t{1}), regexp (architectures, 'sm_(\d+)', "tokens"));
  ptx = cellfun (@(t) str2double (t{1}), regexp (architectures, 'compute_(\d+)', "tokens"));
  code = max (code(floor (code / 10) == floor (cc / 10) & code <= cc));
  ptx = max (ptx(ptx <= cc));
  good = ! isempty (code) || (! isempty (ptx) && ptx_allowed);
  if (! isempty (code))
    found = sprintf ("has code for sm_%d", code);
  elseif (isempty (ptx))
    found = "neither code nor PTX fits";
  elseif (ptx_allowed)
    found = sprintf ("the driver makes code from PTX for %d", ptx);
  else
    found = "only PTX fits, and this driver is too old to make code from it";
  endif
endfunction

%!test
%! report = gpu_doctor ();
%! assert (fieldnames (report), {"layer"; "state"; "found"; "remedy"});
%! layers = {report.layer};
%! for name = {"package", "cpu", "tree", "gpuArray", "setting", "rates", "cuda module"}
%!   assert (any (strcmp (layers, name{1})));
%! endfor
%! assert (all (ismember ({report.state}, {"ok", "--", "FAILED"})));
%! for r = report
%!   assert (! isempty (r.found));
%!   assert (strcmp (r.state, "ok"), isempty (r.remedy));
%! endfor
%! for name = {"package", "cpu", "tree"}
%!   assert (report(strcmp (layers, name{1})).state, "ok");
%! endfor
%! assert (any (strcmp (layers, "kernel, copy")), gpuDeviceCount () > 0);
%! assert (any (strcmp (layers, "compiler")), gpuDeviceCount () > 0);
%! assert (any (strcmp (layers, "ranks")), gpuDeviceCount () > 0);
%!test
%! text = evalc ("gpu_doctor ()");
%! report = gpu_doctor ();
%! lines = strsplit (strtrim (text), "\n");
%! assert (numel (lines), numel (report) + sum (! cellfun (@isempty, {report.remedy})));
%! assert (! isempty (regexp (lines{1}, '^ok      package        gpureduce \d+\.\d+\.\d+ for Octave ')));
%!test
%! ## a gpuArray of another package, loaded after ours and before
%! folder = tempname ();
%! mkdir (folder);
%! unwind_protect
%!   fclose (fopen (fullfile (folder, "gpuArray.m"), "w"));
%!   addpath (folder, "-end");
%!   r = gpu_doctor ();
%!   r = r(strcmp ({r.layer}, "gpuArray"));
%!   assert (r.state, "--");
%!   assert (! isempty (strfind (r.found, folder)));
%!   assert (! isempty (r.remedy));
%! unwind_protect_cleanup
%!   rmpath (folder);
%!   unlink (fullfile (folder, "gpuArray.m"));
%!   rmdir (folder);
%! end_unwind_protect
%!test
%! old = gpu_config ("device", 1000);
%! unwind_protect
%!   r = gpu_doctor ();
%! unwind_protect_cleanup
%!   gpu_config ("device", old);
%! end_unwind_protect
%! r = r(strcmp ({r.layer}, "setting"));
%! assert (r.state, "FAILED");
%! assert (! isempty (strfind (r.remedy, "gpu_config")));
%!test # the_lab_is_tried: with its compiler, and nothing of it stays
%! before = {gpu_variants().name};
%! report = gpu_doctor ("lab");
%! assert ({report.layer}, {"simulator", "compiler", "template", "faults", "gnuplot", "browser", "notebooks", "GPU", "kept", "lab"});
%! assert ({report([1:4, 10]).state}, repmat ({"ok"}, 1, 5));
%! assert (all (ismember ({report(5:9).state}, {"ok", "--"})));
%! for r = report
%!   assert (! isempty (r.found));
%!   assert (strcmp (r.state, "ok"), isempty (r.remedy));
%! endfor
%! assert ({gpu_variants().name}, before);
%! text = strsplit (strtrim (evalc ("gpu_doctor (\"lab\")")), "\n");
%! assert (text{end}, "ok      lab            all that is needed is there");
%!test # what_the_lab_misses_is_said: nothing on PATH but the shell's own
%! folder = tempname ();
%! mkdir (folder);
%! path = getenv ("PATH");
%! program = gnuplot_binary ();
%! unwind_protect
%!   for name = {"sh", "mktemp", "tar", "gzip", "rm", "timeout", "dirname", "cat", "grep", "touch", "find", "id"}
%!     system (sprintf ("ln -s \"$(command -v %s)\" '%s'", name{1}, folder));
%!   endfor
%!   gnuplot_binary ("no-such-gnuplot");
%!   setenv ("PATH", folder);
%!   report = gpu_doctor ("lab");
%! unwind_protect_cleanup
%!   setenv ("PATH", path);
%!   gnuplot_binary (program);
%!   confirm_recursive_rmdir (false, "local");
%!   rmdir (folder, "s");
%! end_unwind_protect
%! state = cell2struct ({report.state}, {report.layer}, 2);
%! assert (state.simulator, "ok");
%! for name = {"compiler", "template", "faults", "lab"}
%!   assert (state.(name{1}), "FAILED");
%! endfor
%! for name = {"gnuplot", "browser", "notebooks"}
%!   assert (state.(name{1}), "--");
%! endfor
%! assert (report(end).found, "not ready: compiler, template, faults");
%! assert (! isempty (strfind (report(2).remedy, "g++")));
%!error id=gpureduce:invalid-input gpu_doctor (1)
%!error <called with too many inputs> gpu_doctor ("lab", 1)
