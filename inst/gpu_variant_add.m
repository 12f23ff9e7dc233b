## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{names} =} gpu_variant_add (@var{file})
## @deftypefnx {} {@var{file} =} gpu_variant_add ("template", @var{folder})
## Compile a ladder file of one's own, a CUDA kernel and its descriptor, for the
## simulator and, where there is nvcc, for the GPU.
##
## @var{file} is written as the package's own ladder files are: it includes
## @file{ladder.h}, holds a kernel and describes it with @code{LADDER_VARIANT}.
## @code{gpu_variant_add ("template", @var{folder})} writes one to start from,
## @file{my_reduce.cu}, into @var{folder} and returns its name.  @var{names} is a
## cell array with the names that the file's descriptors give.  From now on, and
## until Octave ends, these names work in @code{gpu_reduce}, @code{gpu_trace},
## @code{gpu_bench} and @code{gpu_variants}; adding the file once more replaces
## them.
##
## The simulator needs the C++ compiler that built the package.  It runs the kernel
## in a process of its own, so that one that crashes or hangs ends in an error;
## faults name the file and the line.
##
## @example
## @group
## file = gpu_variant_add ("template", tempdir ());
## gpu_variant_add (file)
##     @result{} @{ my_reduce @}
## gpu_reduce (1:100, "sum", "variant", "my_reduce", "device", "sim")
##     @result{} 5050
## @end group
## @end example
##
## Errors: @code{gpureduce:invalid-input} where the file is missing, does not
## compile (with what the compiler says), describes no variant, or takes the name of
## one of the package's; @code{gpureduce:unsupported} without a compiler.
##
## How kernels are written is in the @cite{CUDA C++ Programming Guide} (NVIDIA).
## @seealso{gpu_variants, gpu_reduce, gpu_trace, gpu_bench}
## @end deftypefn

function names = gpu_variant_add (file, folder)

  if (nargin < 1 || nargin > 2)
    print_usage ();
  elseif (! (ischar (file) && isrow (file)))
    error ("gpureduce:invalid-input", "gpu_variant_add: FILE must be the name of a file");
  endif
  if (nargin == 2)
    if (! (strcmp (file, "template") && ischar (folder) && isfolder (folder)))
      error ("gpureduce:invalid-input", "gpu_variant_add: to get the template give \"template\" and a folder that exists");
    endif
    names = fullfile (folder, "my_reduce.cu");
    [ok, why] = copyfile (fullfile (kit (), "kernels", "ladder", "template", "my_reduce.cu"), names);
    if (! ok)
      error ("gpureduce:invalid-input", "gpu_variant_add: %s", why);
    endif
    return;
  endif

  path = canonicalize_file_name (file);
  if (isempty (path))
    error ("gpureduce:invalid-input", "gpu_variant_add: there is no file %s", file);
  endif
  ## A module stays open, so each gets a name of its own.
  persistent count = 0;
  module = fullfile (kit (), sprintf ("user%d-%s.so", ++count, "sim"));
  compile ("sim", path, module);
  names = listed_variants (module);
  if (isempty (names))
    error ("gpureduce:invalid-input", "gpu_variant_add: %s describes no variant: LADDER_VARIANT (name) { ... } is missing", file);
  endif
  compiled = fullfile (kit (), sprintf ("user%d-%s.so", count, "cuda"));
  if (! compile ("cuda", path, compiled))
    compiled = "";
  endif
  for k = 1:numel (names)
    __gpureduce__ ("add_variant", names{k}, module, compiled);
  endfor

endfunction

function folder = kit ()
  folder = ladder_kit ();
  if (isempty (folder))
    error ("gpureduce:unsupported", "gpu_variant_add: the package was installed without gpureduce_variant.tar");
  endif
endfunction

## False: there is no nvcc.
function done = compile (what, file, module)
  arch = "";
  if (strcmp (what, "cuda") && gpuDeviceCount () == 0)
    arch = "GPUREDUCE_VARIANT_ARCH=sm_80 ";
  endif
  [status, said] = system (sprintf ("%stimeout 300 sh \"%s\" %s \"%s\" \"%s\" 2>&1", arch, fullfile (kit (), "build-variant"), ...
                                    what, file, module));
  done = status == 0;
  if (status != 0 && ! (strcmp (what, "cuda") && status == 3))
    where = {"simulator", "GPU"}{1 + strcmp(what, "cuda")};
    if (status == 124)
      said = "the compiler did not end within 5 minutes";
    endif
    error ("gpureduce:invalid-input", "gpu_variant_add: %s does not compile for the %s:\n%s", file, where, strtrim (said));
  endif
endfunction

%!function file = written (code)
%!  file = [tempname() ".cu"];
%!  fid = fopen (file, "w");
%!  fputs (fid, code);
%!  fclose (fid);
%!endfunction
%!function code = template_with (from, to)
%!  file = gpu_variant_add ("template", tempdir ());
%!  code = strrep (fileread (file), from, to);
%!  unlink (file);
%!endfunction

%!test # the template works as it is
%! file = gpu_variant_add ("template", tempdir ());
%! unwind_protect
%!   assert (gpu_variant_add (file), {"my_reduce"});
%!   for n = [1, 31, 100, 1000]
%!     x = mod (7 * (1:n), 13);
%!     assert (gpu_reduce (x, "sum", "variant", "my_reduce", "device", "sim"), sum (x));
%!     assert (gpu_reduce (single (x), "max", "variant", "my_reduce", "device", "sim", "block", 64), single (max (x)));
%!   endfor
%!   assert (gpu_variants ("my_reduce").family, "reduce");
%! unwind_protect_cleanup
%!   unlink (file);
%! end_unwind_protect
%!test # what does not compile is an error that names file and line
%! file = written ("#include \"ladder.h\"\n\nthis is no CUDA;\n");
%! unwind_protect
%!   caught.message = caught.identifier = "";
%!   try
%!     gpu_variant_add (file);
%!   catch caught
%!   end_try_catch
%!   assert (caught.identifier, "gpureduce:invalid-input");
%!   assert (! isempty (strfind (caught.message, [file ":3:"])));
%! unwind_protect_cleanup
%!   unlink (file);
%! end_unwind_protect
%!test # the package's names are taken
%! file = written (template_with ("(my_reduce)", "(sequential)"));
%! unwind_protect
%!   fail ("gpu_variant_add (file)", "sequential is the package's own");
%! unwind_protect_cleanup
%!   unlink (file);
%! end_unwind_protect
%!test # a wrong kernel is caught, with the user's file and line; the right one then works
%! code = template_with ("my_reduce", "mended_later");
%! broken = strrep (code, "i < a.n", "i <= a.n");
%! assert (! strcmp (broken, code));
%! file = written (broken);
%! unwind_protect
%!   gpu_variant_add (file);
%!   caught.message = "";
%!   try
%!     gpu_reduce (1:200, "sum", "variant", "mended_later", "device", "sim");
%!   catch caught
%!   end_try_catch
%!   [~, name] = fileparts (file);
%!   assert (! isempty (regexp (caught.message, ["out of bounds in mended_later at " name '\.cu:[0-9]+: .*x\[200\] of 200'])));
%!   fid = fopen (file, "w");
%!   fputs (fid, code);
%!   fclose (fid);
%!   gpu_variant_add (file);
%!   assert (gpu_reduce (1:200, "sum", "variant", "mended_later", "device", "sim"), 20100);
%! unwind_protect_cleanup
%!   unlink (file);
%! end_unwind_protect
%!error id=gpureduce:invalid-input gpu_variant_add ("no_such_file.cu")
%!error id=gpureduce:invalid-input gpu_variant_add (3)
%!error id=gpureduce:invalid-input gpu_variant_add ("template", "no/such/folder")
%!error <Invalid call> gpu_variant_add ()
