## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{names} =} gpu_variant_add (@var{file})
## @deftypefnx {} {@var{file} =} gpu_variant_add ("template", @var{folder})
## Compile a ladder file of one's own, a CUDA kernel and its descriptor, for the
## simulator and, where there are a GPU and nvcc, for the GPU.
##
## @var{file}, whatever its name ends in, holds a kernel as books print it and after
## it a line that says what it is, or is written as the package's own ladder files
## are, with @code{LADDER_VARIANT}.
## @code{gpu_variant_add ("template", @var{folder})} writes one to start from,
## @file{my_reduce.cu}, into @var{folder} and returns its name.  @var{names} is a
## cell array with the names that the file's descriptors give.  From now on, and
## until Octave ends, these names and their aliases work in @code{gpu_reduce},
## @code{gpu_trace}, @code{gpu_bench} and @code{gpu_variants}; adding the file once
## more replaces them.  Where there is an error, nothing is added.
##
## The simulator needs the C++ compiler that built the package.  It runs the kernel
## in a process of its own, so that one that crashes or hangs ends in an error;
## faults name the file and the line.
##
## A plain kernel takes a pointer to the elements, one to the results and the length
## (@code{int}, @code{unsigned}, @code{size_t}, or none: then whole blocks only), adds
## up the elements of its block and leaves the sum in @code{out[blockIdx.x]}; a second
## kernel adds these up.  The pointer to @code{const}, or else the first one, is that
## to the elements; where nothing is @code{const} the kernel may write to them, and
## has a copy.  This is a whole file:
##
## @verbatim
## __global__ void k (int *in, int *out, unsigned n)
## {
##   extern __shared__ int s[];
##   unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
##   s[t] = i < n ? in[i] : 0;
##   for (unsigned step = blockDim.x / 2; step > 0; step /= 2)
##     {
##       __syncthreads ();
##       if (t < step)
##         s[t] += s[t + step];
##     }
##   if (t == 0)
##     out[blockIdx.x] = s[0];
## }
## PLAIN_REDUCE (k, int)
## @end verbatim
##
## @noindent
## The line is one of these; T is double, float and int, B the block's size.
##
## @table @code
## @item PLAIN_REDUCE (k, float)
## for a kernel that is no template, of double, float or int
## @item PLAIN_REDUCE_BY_BLOCK (k, float)
## for @code{template <unsigned B>}
## @item PLAIN_REDUCE_BY_TYPE (k)
## for @code{template <class T>}
## @item PLAIN_REDUCE_BY_TYPE_AND_BLOCK (k)
## for @code{template <class T, unsigned B>}
## @item PLAIN_REDUCE_OF (name, (k<T, B, true>))
## for any other template; of one type: @code{PLAIN_REDUCE_OF_TYPE (name, int, (k<B, true>))}
## @end table
##
## @noindent
## More may follow in it, separated by commas: @code{v.name = "mine"}, another name
## than the kernel's; @code{v.per_thread = 2}, the elements of a block for each of its
## threads; @code{v.grid_stride = true}, the kernel loops over the grid;
## @code{v.shared_per_thread = 2} and @code{v.shared_fixed = 32}, elements of dynamic
## shared memory (one a thread if nothing is said); @code{v.default_block = 128};
## @code{v.block_y = 16}, so many of a block's threads lie in y (@code{v.block_z});
## @code{atomic_out (v)}, the blocks add to the one value @code{*out};
## @code{reduces (v, LADDER_MAX)}, it is no sum.
##
## What was compiled is kept for later sessions, in the folder that
## @code{gpu_config ("kernel_folder")} names: the same file, with the same headers,
## compiler and package, is not compiled again.  @env{GPUREDUCE_SHARED_KERNELS} names
## a second one, of which only its owner may change anything: a teacher fills it for
## all users of a server, with @env{GPUREDUCE_KERNELS} set to it.  Folders and files
## that anyone but root and the user could have written are not used.
##
## Launches with @code{<<<>>>} and other code of the host are left out; a whole
## program with them runs by @code{gpu_program}.  What the
## simulator has of CUDA is in @file{kernels/sim/README.md} of the package's sources;
## what it has not is an error that says so.
##
## @example
## @group
## file = gpu_variant_add ("template", tempdir ());
## names = gpu_variant_add (file);
## names@{1@}
##     @result{} my_reduce
## gpu_reduce (1:100, "sum", "variant", "my_reduce", "device", "sim")
##     @result{} 5050
## @end group
## @end example
##
## Errors: @code{gpureduce:invalid-input} where the file is missing, does not
## compile (with what the compiler says), describes no variant, or one that cannot be
## run (with what is wrong), takes a name or alias of the package's or of another
## variant, or where its descriptors do not come to an end within 10 seconds;
## @code{gpureduce:unsupported} without a compiler.
##
## How kernels are written is in the @cite{CUDA C++ Programming Guide} (NVIDIA).
## @seealso{gpu_program, gpu_variants, gpu_reduce, gpu_trace, gpu_bench}
## @end deftypefn

function names = gpu_variant_add (file, folder)

  if (nargin < 1 || nargin > 2)
    print_usage ();
  elseif (! (ischar (file) && isrow (file)))
    invalid ("FILE must be the name of a file");
  endif
  if (nargin == 2)
    if (! (strcmp (file, "template") && ischar (folder) && isrow (folder) && isfolder (folder)))
      invalid ("to get the template give \"template\" and a folder that exists");
    endif
    names = fullfile (folder, "my_reduce.cu");
    fid = writable (names, "gpu_variant_add");
    fputs (fid, fileread (fullfile (kit (), "kernels", "ladder", "template", "my_reduce.cu")));
    fclose (fid);
    return;
  endif

  path = users_file ("gpu_variant_add", file);
  [known, users] = listed_variants ();
  ## A module stays open, so each gets a name of its own.
  persistent count = 0;
  simulated = fullfile (kit (), sprintf ("user%d-sim.so", ++count));
  compile ("sim", path, simulated);
  [new, why] = read_variants (simulated);
  if (! isempty (why))
    invalid ("%s: %s", file, why);
  elseif (isempty (new))
    invalid ("%s describes no variant: LADDER_VARIANT (name) { ... }, or after a plain kernel PLAIN_REDUCE (name, type), is missing", file);
  endif
  names = {new.name};
  replaced = users & ismember ({known.name}(:), names);
  check_names (new, known(! replaced), users(! replaced));
  compiled = fullfile (kit (), sprintf ("user%d-cuda.so", count));
  if (! compile ("cuda", path, compiled))
    compiled = "";
  endif
  for k = 1:numel (new)
    __gpureduce__ ("add_variant", names{k}, strjoin (new(k).aliases, ", "), simulated, compiled);
  endfor
  listed_variants (new);

endfunction

function folder = kit ()
  folder = ladder_kit ();
  if (isempty (folder))
    error ("gpureduce:unsupported", "gpu_variant_add: the package was installed without gpureduce_variant.tar");
  endif
endfunction

## The names and aliases of the new ones are those of nothing else, in any case.
function check_names (new, taken, users)

  seen = {};
  for k = 1:numel (new)
    mine = [{new(k).name}, new(k).aliases];
    for name = mine
      kind = merge (strcmp (name{1}, new(k).name), "name", "alias (v.aliases)");
      owner = find (arrayfun (@(t) any (strcmpi (name, [{t.name}, t.aliases])), taken), 1);
      if (! isempty (owner) && ! users(owner))
        also = "";
        if (! strcmpi (name, taken(owner).name))
          also = [" (" taken(owner).name ")"];
        endif
        as = "";
        if (strcmp (name{1}, new(k).name))      # books' names are taken: reduce2
          as = [", as with v.name = \"my_" name{1} "\" in its PLAIN_REDUCE or LADDER_VARIANT"];
        endif
        invalid ("%s is the package's own%s; choose another %s%s", name{1}, also, kind, as);
      elseif (! isempty (owner))
        invalid ("%s is taken by %s, which has been added before; choose another %s", name{1}, taken(owner).name, kind);
      elseif (any (strcmpi (name, seen)))
        invalid ("%s names two variants of the file", name{1});
      endif
    endfor
    seen = [seen, mine];
  endfor

endfunction

## False: there is no nvcc, or no GPU that could run what takes it many seconds.
function done = compile (what, file, module)
  if (strcmp (what, "cuda") && gpuDeviceCount () == 0 && isempty (getenv ("GPUREDUCE_VARIANT_ARCH")))
    done = false;
    return;
  endif
  done = compile_for ("gpu_variant_add", what, file, module, gpu_config ("kernel_folder")) == 0;
endfunction

function invalid (varargin)
  error ("gpureduce:invalid-input", ["gpu_variant_add: " varargin{1}], varargin{2:end});
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

%!test # the template works as it is, whatever its file is called; an alias is a name too
%! folder = tempname ();
%! mkdir (folder);
%! here = pwd ();
%! file = fullfile (folder, "a b'c\"d$(touch PWNED)`touch PWNED`.txt");
%! unwind_protect
%!   cd (folder);
%!   fid = fopen (file, "w");
%!   fputs (fid, template_with ("v.idea =", "v.aliases = \"Mine, my very own\";\n  v.idea ="));
%!   fclose (fid);
%!   assert (gpu_variant_add (file), {"my_reduce"});
%!   assert (numel (dir (folder)), 3);                  # with . and ..
%!   for n = [1, 31, 100, 1000]
%!     x = mod (7 * (1:n), 13);
%!     assert (gpu_reduce (x, "sum", "variant", "my_reduce", "device", "sim"), sum (x));
%!     assert (gpu_reduce (single (x), "max", "variant", "my_reduce", "device", "sim", "block", 64), single (max (x)));
%!   endfor
%!   assert (gpu_reduce (x, "sum", "variant", "mine", "device", "sim"), sum (x));
%!   assert (gpu_trace ("My Very Own", 100, 32).variant, "my_reduce");
%!   assert (gpu_variants ("my_reduce").family, "reduce");
%!   assert (gpu_variants ("mine").name, "my_reduce");
%! unwind_protect_cleanup
%!   cd (here);
%!   confirm_recursive_rmdir (false, "local");
%!   rmdir (folder, "s");
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
## the refusal of a file with these lines in its descriptor
%!function said = refusal (name, more)
%!  file = written (["#include <stdlib.h>\n#include <stdio.h>\n#include <unistd.h>\n#include \"ladder.h\"\n" ...
%!                   "template <class Op> __global__ void k (reduce_args<Op> a) { finish (a, Op::identity ()); }\n" ...
%!                   "LADDER_VARIANT (" name ") { LADDER_SET (v, LADDER_SUM, LADDER_DOUBLE, k<Sum<double>>) " more "; }\n"]);
%!  err.message = err.identifier = "";
%!  try
%!    gpu_variant_add (file);
%!  catch err
%!  end_try_catch
%!  unlink (file);
%!  assert (err.identifier, "gpureduce:invalid-input");
%!  said = err.message;
%!  assert (strncmp (said, "gpu_variant_add: ", 17));
%!endfunction
%!function has (text, part)
%!  assert (! isempty (strfind (text, part)), "%s", text);
%!endfunction
%!test # the package's names and aliases are taken, in any case
%! has (refusal ("sequential", ""), ": sequential is the package's own; choose another name, as with v.name = \"my_sequential\" in its");
%! has (refusal ("k2", ""), ": k2 is the package's own (sequential); choose");
%! has (refusal ("fresh", "v.aliases = \"all mine, v naive\""), ": v naive is the package's own (global_atomic); choose another alias (v.aliases)");
%! assert (gpu_variants ("K2").name, "sequential");
%!test # descriptors that no run could use, or that do not come to an end
%! has (refusal ("fresh", "v.default_block = 96"), "fresh: v.default_block = 96 must be 32, 64");
%! has (refusal ("fresh", "v.finishes = 0"), "fresh: v.finishes = 0");
%! has (refusal ("fresh", "v.kernel[0][0][3] = NULL; v.default_block = 256"), "fresh: no kernel for v.default_block = 256");
%! has (refusal ("fresh", "exit (0)"), "its descriptors ended the process (exit status 0)");
%! has (refusal ("fresh", "abort ()"), "its descriptors ended the process");
%! has (refusal ("fresh", "puts (\"hello\")"), "the list of its variants is not readable: hello");
%! has (refusal ("fresh", "for (;;) pause ()"), "its descriptors did not end within 10 seconds");
%! fail ('gpu_variants ("fresh")', "no variant fresh");
%!test # no descriptor
%! file = written ("#include \"ladder.h\"\n");
%! unwind_protect
%!   fail ("gpu_variant_add (file)", "describes no variant: LADDER_VARIANT");
%! unwind_protect_cleanup
%!   unlink (file);
%! end_unwind_protect
%!test # what nvcc refuses is not there either; its message names the file
%! file = written (template_with ("(my_reduce)", "(for_no_gpu)\n#ifndef LADDER_SIM\n#error not for nvcc\n#endif\n"));
%! arch = getenv ("GPUREDUCE_VARIANT_ARCH");
%! unwind_protect
%!   if (gpuDeviceCount () == 0)
%!     setenv ("GPUREDUCE_VARIANT_ARCH", "sm_80");
%!   endif
%!   caught = [];
%!   try
%!     gpu_variant_add (file);
%!   catch caught
%!   end_try_catch
%!   if (! isempty (caught))      # where there is nvcc
%!     has (caught.message, "does not compile for the GPU");
%!     has (caught.message, [":\n" file ":"]);
%!     fail ('gpu_variants ("for_no_gpu")', "no variant for_no_gpu");
%!     fail ('gpu_reduce (1:3, "sum", "variant", "for_no_gpu", "device", "sim")', "no variant for_no_gpu");
%!   endif
%! unwind_protect_cleanup
%!   setenv ("GPUREDUCE_VARIANT_ARCH", arch);
%!   unlink (file);
%! end_unwind_protect
%!testif ; gpuDeviceCount () == 0 # without_a_gpu_nvcc_is_not_called: it takes many seconds for nothing
%! folder = tempname ();
%! mkdir (folder);
%! file = written (template_with ("my_reduce", "for_no_gpu_here"));
%! path = getenv ("PATH");
%! arch = getenv ("GPUREDUCE_VARIANT_ARCH");
%! nvcc = fullfile (folder, "nvcc");
%! unwind_protect
%!   fid = fopen (nvcc, "w");
%!   fprintf (fid, "#!/bin/sh\necho called > '%s/called'\nexit 1\n", folder);
%!   fclose (fid);
%!   system (sprintf ("chmod +x '%s'", nvcc));
%!   setenv ("PATH", [folder ":" path]);
%!   setenv ("GPUREDUCE_VARIANT_ARCH", "");
%!   assert (gpu_variant_add (file), {"for_no_gpu_here"});
%!   assert (exist (fullfile (folder, "called"), "file"), 0);
%!   assert (gpu_reduce (1:9, "sum", "variant", "for_no_gpu_here", "device", "sim"), 45);
%! unwind_protect_cleanup
%!   setenv ("PATH", path);
%!   setenv ("GPUREDUCE_VARIANT_ARCH", arch);
%!   unlink (file);
%!   confirm_recursive_rmdir (false, "local");
%!   rmdir (folder, "s");
%! end_unwind_protect
%!test # a wrong kernel is caught, with the user's file and line; the right one then works
%! code = template_with ("my_reduce", "mended_later");
%! broken = strrep (code, "i < a.n", "i <= a.n");
%! assert (! strcmp (broken, code));
%! file = written (broken);
%! wanted = getenv ("GPUREDUCE_CUDA");
%! unwind_protect
%!   setenv ("GPUREDUCE_CUDA", "no");                   # the simulator's matter alone
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
%!   setenv ("GPUREDUCE_CUDA", wanted);
%!   unlink (file);
%! end_unwind_protect
%!function save_text (file, text)
%!  fid = fopen (file, "w");
%!  fputs (fid, text);
%!  fclose (fid);
%!endfunction
## how many more modules are kept in the folder after it
%!function kept = kept_after (own, shared, act)
%!  names = {"GPUREDUCE_SHARED_KERNELS", "GPUREDUCE_CUDA"};
%!  old = cellfun (@getenv, names, "UniformOutput", false);
%!  folder = gpu_config ("kernel_folder", own);
%!  unwind_protect
%!    setenv (names{1}, shared);
%!    setenv (names{2}, "no");
%!    before = numel (glob (fullfile (own, "*.module")));
%!    act ();
%!    kept = numel (glob (fullfile (own, "*.module"))) - before;
%!  unwind_protect_cleanup
%!    gpu_config ("kernel_folder", folder);
%!    cellfun (@setenv, names, old);
%!  end_unwind_protect
%!endfunction
%!testif ; isunix () && system ("command -v sha256sum gzip > /dev/null") == 0 # compiled_modules_are_kept: for later sessions, of the same text alone
%! folder = tempname ();
%! own = fullfile (folder, "mine", "kept");
%! shared = fullfile (folder, "shared");
%! mkdir (folder);
%! mkdir (shared);
%! code = template_with ("my_reduce", "kept_reduce");
%! file = fullfile (folder, "kept.cu");
%! add = @() gpu_variant_add (file);
%! sum_of = @() gpu_reduce (1:200, "sum", "variant", "kept_reduce", "device", "sim");
%! unwind_protect
%!   save_text (file, code);
%!   assert (kept_after (own, "", add), 1);
%!   assert (stat (own).modestr(1:10), "drwx------");
%!   assert (sum_of (), 20100);
%!   module = glob (fullfile (own, "*.module")){1};
%!   ## what is taken is what is kept: another's kernel under that name would run
%!   assert (kept_after (own, "", add), 0);
%!   assert (sum_of (), 20100);
%!   save_text (file, strrep (code, "i < a.n", "i <= a.n"));
%!   assert (kept_after (own, "", add), 1);             # edited: another
%!   fail ('gpu_reduce (1:200, "sum", "variant", "kept_reduce", "device", "sim")', "out of bounds in kept_reduce at kept.cu:");
%!   other = setdiff (glob (fullfile (own, "*.module")), module){1};
%!   save_text (file, code);
%!   copyfile (other, module);
%!   assert (kept_after (own, "", add), 0);             # it is used indeed
%!   fail ('gpu_reduce (1:200, "sum", "variant", "kept_reduce", "device", "sim")', "out of bounds in kept_reduce");
%!   ## not where others could have put it there
%!   for access = {["chmod o+w '" module "'"], ["chmod o-w '" module "' && chmod g+w '" own "'"], ...
%!                 ["chmod g-w '" own "'" merge(geteuid () == 0, ["; chown 12345 '" module "'"], "")]}(1:merge (geteuid () == 0, 3, 2))
%!     assert (system (access{1}), 0);
%!     kept_after (own, "", add);
%!     assert (sum_of (), 20100);
%!     copyfile (other, module);
%!   endfor
%!   ## nor a damaged one; then it is made anew
%!   assert (system (["chmod g-w,o-w '" own "'; head -c 1000 '" other "' > '" module "'"]), 0);
%!   kept_after (own, "", add);
%!   assert (sum_of (), 20100);
%!   ## of a folder that others have filled, nothing is put into it
%!   assert (system (["chmod go-w '" shared "'; mv '" own "'/* '" shared "'"]), 0);
%!   assert (kept_after (own, shared, add), 0);
%!   assert (sum_of (), 20100);
%!   assert (system (["rm '" shared "'/*"]), 0);
%!   assert (kept_after ("", shared, add), 0);
%!   assert (numel (dir (shared)), 2);
%! unwind_protect_cleanup
%!   confirm_recursive_rmdir (false, "local");
%!   rmdir (folder, "s");
%! end_unwind_protect
%!error id=gpureduce:invalid-input gpu_variant_add ("no_such_file.cu")
%!error id=gpureduce:invalid-input gpu_variant_add (3)
%!error id=gpureduce:invalid-input gpu_variant_add ("template", "no/such/folder")
%!error <FILE must be a file; .* is a folder> gpu_variant_add (tempdir ())
%!testif ; isfolder ("/proc/self")
%! fail ('gpu_variant_add ("template", "/proc")', "gpu_variant_add: cannot write /proc/my_reduce.cu: [A-Z]");
%!error <Invalid call> gpu_variant_add ()
