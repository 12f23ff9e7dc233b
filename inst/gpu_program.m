## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {} gpu_program (@var{file})
## @deftypefnx {} {} gpu_program (@var{file}, @var{name}, @var{value}, @dots{})
## @deftypefnx {} {@var{r} =} gpu_program (@dots{})
## Run a whole CUDA program in the simulator, and check its host code too.
##
## @var{file} is a program as CUDA's books and tutorials print them: kernels, and a
## @code{main} that calls @code{cudaMalloc}, @code{cudaMemcpy} and
## @code{kernel<<<grid, block>>> (...)}.  It is compiled by the C++ compiler and runs on
## the CPU in a process of its own, without a GPU.  What it prints is shown as it
## comes, and then the first fault as an error that names its line, or a sentence
## that says that there was none.
##
## A kernel's faults are those of @code{gpu_trace}: accesses out of bounds, races, missing
## barriers and so on.  Faults of the host's part are
##
## @table @asis
## @item device memory on the host
## The host reads or writes memory of @code{cudaMalloc}, or a @code{__device__} variable.
## @item host memory in a kernel
## A kernel reaches what is the host's.
## @item uninitialised read
## A kernel reads memory that nothing was copied to: a copy is missing, or too short.
## @item wrong copy
## The direction, the order of the pointers, or more bytes than there are.
## @item wrong free
## Freed twice, or by the wrong function.
## @item race
## The host reads managed memory before it has waited for the kernel that writes it.
## @item failed launch
## More threads, blocks or shared memory than a launch can have, where the program
## never asked for the error.
## @item crash, time limit
## As of kernels.
## @end table
##
## Options, pairs of a name and a value:
##
## @table @code
## @item "arguments"
## A string, or a cell of strings, that @code{main} gets as @code{argv}.
## @item "seconds"
## How long the program may run: 30 if nothing is said, @code{Inf} for as long as it takes.
## @end table
##
## With an output argument nothing is shown, a fault is no error, and @var{r} is a struct:
##
## @table @code
## @item exit_status
## What @code{main} returned or @code{exit} got; [] where a fault ended the program.
## @item output
## What was printed, by kernels too: at most 1000 lines, and how many more there were.
## @item fault
## [], or a struct @code{kind kernel file line thread block what cause message other waiting}
## as @code{gpu_trace} has it.  Of the host's part @code{kernel}, @code{thread} and
## @code{block} are empty.
## @item launches
## A struct array @code{kernel file line grid block shared error counts} with an entry for
## each launch (the first 1000): @code{grid} and @code{block} are rows of three
## numbers, @code{error} is "" or why it failed, and @code{counts} are the totals that
## @code{gpu_trace} has of a run.
## @item notes
## A cell of sentences on what is no fault: memory that was never freed, a copy of what
## nothing has written, an error that the program looked at itself.
## @end table
##
## Kernels run at once where they are launched, one after the other, whatever their
## streams; times of events are the simulator's.  The device has a made-up name, 8
## processors and 8 GiB.  CUB, Thrust, textures and launches by kernels are not
## there.  @file{kernels/sim/README.md} of the package's sources lists what is.
##
## @example
## @group
## file = [tempname() ".cu"];
## fid = fopen (file, "w");
## fputs (fid, ["#include <cstdio>\n" ...
##              "__global__ void fill (int *x) @{ x[threadIdx.x] = threadIdx.x; @}\n" ...
##              "int main ()\n@{\n  int *d, h[4];\n" ...
##              "  cudaMalloc (&d, sizeof h);\n  fill<<<1, 4>>> (d);\n" ...
##              "  cudaMemcpy (h, d, sizeof h, cudaMemcpyDeviceToHost);\n" ...
##              "  printf (\"%d %d\\n\", h[1], h[3]);\n  cudaFree (d);\n@}\n"]);
## fclose (fid);
## r = gpu_program (file);
## unlink (file);
## r.output
##     @result{} ans = 1 3
## isempty (r.fault)
##     @result{} ans = 1
## @end group
## @end example
##
## Errors: @code{gpureduce:invalid-input} where the file is missing or does not compile
## (with what the compiler says), and without an output argument for a fault;
## @code{gpureduce:unsupported} without a compiler or the simulator.
##
## The functions are those of NVIDIA's @cite{CUDA Runtime API}.
## @seealso{gpu_variant_add, gpu_trace, gpu_variants}
## @end deftypefn

function r = gpu_program (file, varargin)

  if (nargin < 1)
    print_usage ();
  endif
  o = named_options ("gpu_program", varargin, struct ("arguments", {{}}, "seconds", 30), @checked);
  path = users_file ("gpu_program", file);
  [simulator, why] = simulator_program ();
  if (isempty (why) && isempty (ladder_kit ()))
    why = "the package was installed without gpureduce_variant.tar";
  endif
  if (! isempty (why))
    error ("gpureduce:unsupported", "gpu_program: %s", why);
  endif
  ## A file that is as it was is not compiled again.
  module = fullfile (ladder_kit (), ["program-" hash("md5", path) ".so"]);
  compile_for ("gpu_program", "program", path, module, simulator);
  report = tempname ();
  unwind_protect
    printed = run (simulator, module, report, o, path, nargout == 0);
    told = fileread_or_empty (report);
  unwind_protect_cleanup
    if (exist (report, "file"))
      unlink (report);
    endif
  end_unwind_protect
  if (isempty (told))
    error ("gpureduce:unsupported", "gpu_program: the simulator failed: %s", strtrim (printed));
  endif
  r = result_of (jsondecode (told), printed);
  if (nargout == 0)
    conclude (r);
    clear r;
  endif

endfunction

function value = checked (name, value)
  if (strcmp (name, "seconds"))
    if (! (isnumeric (value) && isscalar (value) && isreal (value) && value > 0))
      invalid ("\"seconds\" must be a number above 0");
    endif
  else
    if (ischar (value))
      value = {value};
    endif
    if (! (iscellstr (value) && all (cellfun (@(v) isrow (v) || isempty (v), value(:)))))
      invalid ("\"arguments\" must be a string or a cell of strings");
    endif
  endif
endfunction

## What the program prints.
function printed = run (simulator, module, report, o, path, shown)

  [~, name] = fileparts (path);
  seconds = o.seconds;
  if (isinf (seconds))
    seconds = 0;
  endif
  words = cellfun (@shell_quoted, [{simulator, "--program", module, report, sprintf("%g", seconds), name}, o.arguments(:)'], ...
                   "UniformOutput", false);
  pipe = popen (sprintf ("exec < /dev/null 2>&1; exec %s", strjoin (words)), "r");
  if (pipe < 0)
    error ("gpureduce:unsupported", "gpu_program: the simulator cannot be started");
  endif
  lines = {};
  unwind_protect
    while (ischar (line = fgets (pipe)))
      lines{end+1} = line;
      if (shown)
        puts (line);
        fflush (stdout);
      endif
    endwhile
  unwind_protect_cleanup
    pclose (pipe);
  end_unwind_protect
  printed = [lines{:}];

endfunction

function text = fileread_or_empty (file)
  text = "";
  if (exist (file, "file"))
    text = fileread (file);
  endif
endfunction

function r = result_of (told, printed)

  launches = told.launches;
  if (iscell (launches))
    launches = [launches{:}];
  endif
  if (isempty (launches))
    launches = repmat (struct ("kernel", "", "file", "", "line", 0, "grid", [], "block", [], "shared", 0, ...
                               "error", "", "counts", []), 1, 0);
  endif
  launches = reshape (launches, 1, []);
  for k = 1:numel (launches)
    launches(k).grid = reshape (launches(k).grid, 1, []);
    launches(k).block = reshape (launches(k).block, 1, []);
    launches(k).error = char (launches(k).error);
  endfor
  fault = told.fault;
  if (! isempty (fault))
    fault.thread = reshape (fault.thread, 1, []);
    fault.block = reshape (fault.block, 1, []);
  endif
  notes = told.notes;
  if (! iscell (notes))
    notes = {};
  endif
  r = struct ("exit_status", told.exit, "output", char (printed), "fault", fault, "launches", launches, "notes", {notes(:)'});

endfunction

## The end of a run that is shown.
function conclude (r)

  for note = r.notes
    printf ("Note: %s.\n", note{1});
  endfor
  if (! isempty (r.fault))
    invalid ("%s", r.fault.message);
  endif
  n = numel (r.launches);
  names = unique ({r.launches.kernel}, "stable");
  each = cellfun (@(name) sprintf ("%d of %s", sum (strcmp (name, {r.launches.kernel})), name), names, "UniformOutput", false);
  if (n == 0)
    what = "no launch";
  else
    what = sprintf ("%d launch%s, %s", n, {"", "es"}{1 + (n > 1)}, strjoin (each(1:min (end, 5)), ", "));
  endif
  status = "";
  if (r.exit_status != 0)
    status = sprintf (" The program ended with exit status %d.", r.exit_status);
  endif
  printf ("No fault was found: %s.%s\n", what, status);

endfunction

function invalid (varargin)
  error ("gpureduce:invalid-input", ["gpu_program: " varargin{1}], varargin{2:end});
endfunction

%!error id=gpureduce:invalid-input gpu_program ("no_such_file.cu")
%!error id=gpureduce:invalid-input gpu_program (3)
%!error <FILE must be a file; .* is a folder> gpu_program (tempdir ())
%!error <unknown option "second"> gpu_program ("x.cu", "second", 3)
%!error <"seconds" must be a number above 0> gpu_program ("x.cu", "seconds", 0)
%!error <"arguments" must be a string or a cell of strings> gpu_program ("x.cu", "arguments", 3)
%!error <Invalid call> gpu_program ()
