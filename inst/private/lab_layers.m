## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{report} =} lab_layers ()
## What gpu_doctor ("lab") reports.
## @end deftypefn

function report = lab_layers ()

  report = simulator_line ();
  report = [report, template_lines()];
  report(end+1) = faults_line ();
  report(end+1) = gnuplot_line ();
  report(end+1) = browser_line ();
  report(end+1) = notebooks_line ();
  report(end+1) = gpu_line ();
  report(end+1) = kept_line ();
  missing = {report(strcmp ({report.state}, "FAILED")).layer};
  if (isempty (missing))
    report(end+1) = doctor_line ("lab", true, "all that is needed is there");
  else
    report(end+1) = doctor_line ("lab", false, ["not ready: " strjoin(missing, ", ")], "see these lines above");
  endif

endfunction

function r = simulator_line ()
  [good, said] = tried (@() gpu_reduce (1:1000, "sum", "variant", "sequential", "device", "sim") == 500500);
  r = doctor_line ("simulator", good, ["runs the package's kernels; results are " said],
                   "install a C++ compiler (Debian, Ubuntu, WSL: apt install g++ libboost-context-dev) and then this package again");
endfunction

## The template under a name of its own, compiled and run; then it is forgotten.
function report = template_lines ()
  name = "my_reduce_of_the_doctor";
  folder = tempname ();
  kept = gpu_config ("kernel_folder", "");              # compiled indeed
  compiled = right = false;
  said = made = "not tried";
  seconds = tic ();
  unwind_protect
    mkdir (folder);
    file = gpu_variant_add ("template", folder);
    text = strrep (fileread (file), "my_reduce", name);
    fid = fopen (file, "w");
    fputs (fid, text);
    fclose (fid);
    seconds = tic ();
    [compiled, made] = tried (@() iscellstr (gpu_variant_add (file)));
    seconds = toc (seconds);
    if (compiled)
      [right, said] = tried (@() gpu_reduce (1:1000, "sum", "variant", name, "device", "sim") == 500500);
    endif
  unwind_protect_cleanup
    gpu_config ("kernel_folder", kept);
    listed_variants ([], name);
    confirm_recursive_rmdir (false, "local");
    rmdir (folder, "s");
  end_unwind_protect
  if (compiled)
    made = sprintf ("makes a kernel of the template in %.1f seconds", seconds);
  endif
  report = doctor_line ("compiler", compiled, made,
                        "install what is missing by that message; Debian, Ubuntu, WSL: apt install g++ binutils; Fedora: dnf install gcc-c++");
  report(2) = doctor_line ("template", right, ["its results are " said], "see the compiler");
endfunction

## The line comes from addr2line.
function r = faults_line ()
  said = "";
  try
    gpu_reduce (1:1000, "sum", "variant", "bug_off_by_one", "device", "sim");
  catch err
    said = err.message;
  end_try_catch
  place = regexp (said, 'out of bounds in bug_off_by_one at bug_off_by_one\.cu:(\d+)', "tokens", "once");
  if (isempty (place))
    r = doctor_line ("faults", false, ["a read beyond the end is not named with its line: " first_line(said)],
                     "apt install binutils, which has addr2line");
  else
    r = doctor_line ("faults", true, sprintf ("a read beyond the end is named, in line %s of its kernel", place{1}));
  endif
endfunction

function r = gnuplot_line ()
  why = __gpr_gnuplot__ ();
  if (isempty (why))
    r = doctor_line ("gnuplot", true, "draws the pictures of gpu_trace and gpu_bench");
  else
    r = doctor_line ("gnuplot", "--", [why ": no pictures, all tables"], "apt install gnuplot-nox");
  endif
endfunction

function r = browser_line ()
  names = {"xdg-open", "firefox", "chromium", "google-chrome", "wslview", "open"};
  if (ispc ())
    r = doctor_line ("browser", true, "Windows has one for the pages of gpu_trace");
    return;
  endif
  names = [{getenv("BROWSER")}, names];
  found = names(cellfun (@is_program, names));
  if (isempty (found))
    r = doctor_line ("browser", "--", "there is none here: pages of gpu_trace (..., \"html\", FILE) are files to take to one",
                     "apt install firefox-esr, or open the files on another machine");
  else
    r = doctor_line ("browser", true, [found{1} " shows the pages of gpu_trace"]);
  endif
endfunction

function r = notebooks_line ()
  if (! is_program ("jupyter"))
    r = doctor_line ("notebooks", "--", "there is no Jupyter: the scripts beside the notebooks do the same",
                     "pip install notebook octave-kernel");
    return;
  endif
  [~, kernels] = system ("jupyter kernelspec list 2> /dev/null");
  if (isempty (regexp (kernels, '^\s*octave\s', "lineanchors", "once")))
    r = doctor_line ("notebooks", "--", "Jupyter has no kernel for Octave: the scripts beside the notebooks do the same",
                     "pip install octave-kernel, where Jupyter is installed");
  else
    r = doctor_line ("notebooks", true, "Jupyter has a kernel for Octave");
  endif
endfunction

function r = gpu_line ()
  count = gpuDeviceCount ();
  if (count > 0)
    r = doctor_line ("GPU", true, sprintf ("%d: kernels run there too", count));
  else
    r = doctor_line ("GPU", "--", "none: kernels run in the simulator, which is all that the lab needs", "gpu_doctor () says more");
  endif
endfunction

function r = kept_line ()
  folder = gpu_config ("kernel_folder");
  shared = getenv ("GPUREDUCE_SHARED_KERNELS");
  if (! isempty (shared))
    shared = [", and looked for in " shared];
  endif
  if (isempty (folder))
    r = doctor_line ("kept", "--", ["compiled kernels are not kept for later sessions" shared], "gpu_config (\"kernel_folder\", FOLDER)");
  else
    r = doctor_line ("kept", true, ["compiled kernels are kept in " folder shared]);
  endif
endfunction

## Whether check () is true, as it should be, and in a word, or by its error, what it was.
function [good, said] = tried (check)
  good = false;
  try
    good = check ();
    said = {"wrong", "right"}{1 + good};
  catch err
    said = first_line (err.message);
  end_try_catch
endfunction

function text = first_line (text)
  lines = strsplit (strtrim (text), "\n");
  text = strjoin (lines(1:min (2, end)), " ");
endfunction

function yes = is_program (name)
  yes = ! isempty (name) && system (["command -v " shell_quoted(name) " > /dev/null 2>&1"]) == 0;
endfunction
