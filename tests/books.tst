## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Kernels as books print them, in tests/sim/books: they compile, run in the simulator, give the
## right sum, and cost what their structure costs; wrong ones are named with their fault.

%!function folder = books ()
%!  folder = fullfile (fileparts (which ("in_octave")), "sim", "books");
%!endfunction
%!function names = added (file)
%!  wanted = getenv ("GPUREDUCE_CUDA");
%!  setenv ("GPUREDUCE_CUDA", "no");                   # the simulator's matter alone
%!  unwind_protect
%!    names = gpu_variant_add (file);
%!  unwind_protect_cleanup
%!    setenv ("GPUREDUCE_CUDA", wanted);
%!  end_unwind_protect
%!endfunction
## the right result for each length, with the class's kernel
%!function right (name, class, lengths, varargin)
%!  for n = lengths
%!    x = feval (class, mod (7 * (1:n), 13));
%!    y = gpu_reduce (x, "sum", "variant", name, "device", "sim", varargin{:});
%!    assert (double (y) == sum (double (x)), "%s of %d %s: %g", name, n, class, y);
%!  endfor
%!endfunction

%!test                                   # every_kernel_of_a_book_gives_the_right_sum
%! added (fullfile (books (), "all.cu"));
%! for k = 0:9
%!   name = sprintf ("book_reduce%d", k);
%!   classes = {"int32", "single", "double"}(1:merge (k == 7, 1, 3));
%!   if (! strcmp (getenv ("CHECK_LONG"), "yes"))
%!     classes = classes(randi (numel (classes)));
%!   endif
%!   for class = classes
%!     right (name, class{1}, {1000, [1, 31, 1000, 4099]}{1 + strcmp(class{1}, "int32")});
%!   endfor
%!   right (name, "int32", [100, 3000], "block", 32);
%!   right (name, "int32", 3000, "block", 1024);
%! endfor
%! right ("book_reduce6_pow2", "double", [1, 64, 4096]);
%! right ("book_reduce2", "single", 5000, "finish", "multi_level", "block", 64);
%! for k = 1:7
%!   right (sprintf ("harris%d", k), "int32", [512, 4096]);
%!   right (sprintf ("harris%d", k), "int32", 1024, "block", 64);
%! endfor
%! right ("harris7", "int32", [1, 1000, 4099]);
%! right ("book_in_place", "single", 512);
%! for name = {"coarsened", "by_four", "odds_and_ends"}
%!   right (name{1}, "single", [1, 100, 5001]);
%! endfor
%! right ("two_dimensions", "double", [1, 100, 5000]);
%! for name = {"three_dimensions", "two_arrays", "coalesced"}
%!   right (name{1}, "int32", [1, 100, 5001], "block", 64);
%! endfor
%! assert (gpu_reduce (int32 (-5:3), "max", "variant", "greatest", "device", "sim"), int32 (3));

## counts of block 0, of 256 threads, in 1024 elements
%!function c = counted (name, field)
%!  steps = gpu_trace (name, 1024, 256, "steps", 0).launches(1).steps;
%!  c = [steps([steps.block] == 0).(field)];
%!endfunction
%!test                                   # each_kernel_of_a_book_costs_what_its_structure_costs
%! if (! any (strcmp ({gpu_variants().name}, "harris1")))
%!   added (fullfile (books (), "all.cu"));
%! endif
%! for name = {"book_reduce0", "harris1"}               # a modulo: every warp diverges, no bank conflicts
%!   assert (counted (name{1}, "divergent_warps"), [0 8 8 8 8 8 4 2 1 1]);
%!   assert (counted (name{1}, "worst_way"), ones (1, 10));
%! endfor
%! for name = {"book_reduce1", "harris2"}               # a strided index: banks conflict, whole warps rest
%!   assert (counted (name{1}, "worst_way"), [1 2 4 8 8 8 4 2 1 1]);
%!   assert (counted (name{1}, "bank_conflicts"), [0 12 18 21 21 21 9 3 0 0]);
%!   assert (counted (name{1}, "divergent_warps"), [0 0 0 0 1 1 1 1 1 1]);
%! endfor
%! for name = {"book_reduce2", "harris3", "book_reduce3", "harris4"}
%!   assert (counted (name{1}, "bank_conflicts"), zeros (1, 10));
%!   assert (counted (name{1}, "divergent_warps"), [0 0 0 0 1 1 1 1 1 1]);
%!   assert (counted (name{1}, "barriers"), [ones(1, 9), 0]);
%! endfor
%! for name = {"book_reduce2", "book_reduce3"; "harris3", "harris4"}.'     # two elements a thread: half of the blocks
%!   t = {gpu_trace(name{1}, 1024, 256, "steps", 0), gpu_trace(name{2}, 1024, 256, "steps", 0)};
%!   assert ([t{1}.grid, t{2}.grid], [4, 2]);
%! endfor
%! for name = {"book_reduce4", "harris5", "harris6", "harris7"}       # the last warp has no barriers
%!   assert (counted (name{1}, "barriers"), [1 1 1 0]);
%!   assert (counted (name{1}, "bank_conflicts"), [0 0 0 0]);
%! endfor
%! assert (counted ("book_reduce4", "shuffles"), [0 0 0 160]);
%! assert (counted ("harris5", "shuffles"), [0 0 0 0]);
%! for name = {"book_reduce5", "book_reduce6"}
%!   assert (counted (name{1}, "barriers"), [1 1 1 1 1 0]);
%!   assert (counted (name{1}, "shuffles"), [0 0 0 0 0 160]);
%! endfor
%! for name = {"book_reduce6", "book_reduce7", "book_reduce8", "harris7"}      # a loop over the grid
%!   assert (gpu_trace (name{1}, 4096, 64, "steps", 0).grid, merge (strcmp (name{1}, "harris7"), 8, 16));
%! endfor
%! assert (counted ("book_reduce7", "shuffles"), [256, 256 + 8]);      # an instruction a warp; a vote, an instruction
%! assert (counted ("book_reduce7", "barriers"), [1, 0]);
%! assert (counted ("book_reduce8", "shuffles"), [0, 256 * 5, 0]);
%! assert (sum (counted ("book_reduce9", "shuffles")), 256 * 5);
%! assert (gpu_trace ("book_reduce9", 1024, 256, "steps", 0).totals.atomics, 4);

%!test                                   # kernels_in_common_styles_give_the_right_result
%! for name = added (fullfile (books (), "common.cu"))
%!   v = gpu_variants (name{1});
%!   lengths = {[1, 1000], 128}{1 + strcmp(name{1}, "computes_long")};
%!   if (strcmp (v.operators{1}, "max"))
%!     assert (gpu_reduce (single ([3, -1, 7.5, 2](mod (1:300, 4) + 1)), "max", "variant", name{1}, "device", "sim"), single (7.5));
%!   else
%!     right (name{1}, v.classes{1}, lengths);
%!   endif
%! endfor
%!test                                   # a_length_that_a_kernel_does_not_take_is_refused
%! if (! any (strcmp ({gpu_variants().name}, "harris1")))
%!   added (fullfile (books (), "all.cu"));
%! endif
%! fail ('gpu_reduce (int32 (1:1000), "sum", "variant", "harris1", "device", "sim")', "harris1 takes no length: 1000 elements are no multiple of the 256 of a block");

%!test                                   # each_wrong_plain_kernel_is_named_with_its_fault_and_line
%! file = fullfile (books (), "faults.cu");
%! lines = strsplit (fileread (file), "\n", "collapsedelimiters", false);
%! for name = added (file)
%!   kind = gpu_variants (name{1}).fault;
%!   line = find (! cellfun (@isempty, strfind (lines, ["/* HERE " name{1} " */"])));
%!   n = merge (strcmp (name{1}, "volatile_warp"), 1024, 1000);
%!   said = "";
%!   try
%!     gpu_reduce (int32 (ones (1, n)), "sum", "variant", name{1}, "device", "sim");
%!   catch err
%!     said = err.message;
%!   end_try_catch
%!   wanted = sprintf ("%s in %s", kind, name{1});
%!   if (! isempty (line))
%!     wanted = sprintf ("%s at faults.cu:%d: thread (", wanted, line);
%!   endif
%!   assert (! isempty (strfind (said, wanted)), "%s: %s, not %s", name{1}, said, wanted);
%!   if (strcmp (name{1}, "two_dimensional"))
%!     assert (! isempty (strfind (said, "thread (3,2,0) of block (")), "%s", said);
%!   endif
%! endfor

## what is refused, and what is said
%!function said = refused (code)
%!  file = [tempname() ".cu"];
%!  fid = fopen (file, "w");
%!  fputs (fid, code);
%!  fclose (fid);
%!  unwind_protect
%!    said = "";
%!    try
%!      added (file);
%!    catch err
%!      said = strrep (err.message, file, "FILE");
%!    end_try_catch
%!  unwind_protect_cleanup
%!    unlink (file);
%!  end_unwind_protect
%!endfunction
%!function says (code, varargin)
%!  said = refused (code);
%!  for part = varargin
%!    assert (! isempty (strfind (said, part{1})), "%s", said);
%!  endfor
%!endfunction
%!function code = kernel (body, parameters = "int *in, int *out, int n", after = "PLAIN_REDUCE (k, int)")
%!  code = sprintf ("__global__ void k (%s)\n{\n  %s\n}\n%s\n", parameters, body, after);
%!endfunction
%!test                                   # what_is_not_there_is_said_with_its_line
%! says (kernel ("out[0] = __shfl_down (in[0], 1);"), "FILE:3:", "__shfl_down was removed from CUDA: use __shfl_down_sync (mask, value, lanes)");
%! says (kernel ("out[0] = __shfl (in[0], 1) + __shfl_xor (in[0], 1) + __shfl_up (in[0], 1);"), "__shfl was removed", "__shfl_xor was removed", "__shfl_up was removed");
%! says (kernel ("out[0] = __ballot (in[0]) + __any (in[0]) + __all (in[0]);"), "use __ballot_sync", "use __any_sync", "use __all_sync");
%! says (["texture<int, 1, cudaReadModeElementType> words;\n" kernel("out[0] = in[0];")], "FILE:1:", "texture references were removed");
%! says (kernel ("cudaTextureObject_t t = 0; out[0] = tex1Dfetch<int> (t, 0);"), "FILE:3:", "textures and surfaces are not in the simulator");
%! says (kernel ("asm volatile (\"mov.u32 %0, %laneid;\" : \"=r\" (out[0]));"), "FILE:3:", "inline PTX (asm) is not in the simulator");
%! says ([kernel("out[0] = in[0];") "int main () { k<<<1, 32>>> (0, 0, 0); }\n"], "FILE:6:", "is a whole program: gpu_program runs it");
%! says (["#include <cub/cub.cuh>\n" kernel("out[0] = in[0];")], "CUB, Thrust and other libraries are not in the simulator");
%! says (kernel ("int *d; cudaMalloc (&d, 4);"), "is a whole program: gpu_program runs it");
%! says (kernel ("out[0] = __unheard_of (in[0]);"), "README.md says what the simulator has of CUDA");
%!test                                   # a_line_that_does_not_fit_its_kernel_says_what_would
%! says (kernel ("", "int *in, int *out, int *more"), "a plain kernel takes two pointers");
%! says (kernel ("", "int *in, int *out, int n, int m"), "one whole number at most, the length");
%! says (kernel ("", "int *in, int *out, float n"), "one whole number at most, the length");
%! says (kernel ("", "const int *in, const int *out, int n"), "not both can be const");
%! says (kernel ("", "float *in, float *out, int n"), "pointers are to another type than the one that the line names");
%! says (kernel ("", "int *in, int *out, int n", ""), "describes no variant", "PLAIN_REDUCE");
%! says (kernel ("", "int *in, int *out, int n", "PLAIN_REDUCE (k, int, v.block_y = 3)"), "v.block_y = 3 and v.block_z = 1 must be powers of two");
%! says (strrep (kernel (""), "k", "reduce2"), "reduce2 is the package's own (sequential); choose another name, as with v.name = \"my_reduce2\"");
%! assert (refused (kernel ("", "int *in, int *out, int n", "PLAIN_REDUCE (k, int, v.name = \"my_reduce2\")")), "");
%! says (kernel ("", "unsigned *in, unsigned *out, int n", "PLAIN_REDUCE (k, unsigned)"), "plain kernels are of double, float or int");
%! template = ["template <class T> " kernel("extern __shared__ T s[]; s[0] = 1; out[0] = s[0];", "T *in, T *out, int n", "")];
%! says ([template "PLAIN_REDUCE (k, int)\n"], "PLAIN_REDUCE is for a kernel that is no template");
%! says ([template "PLAIN_REDUCE_BY_TYPE (k)\n"], "A name of extern __shared__ arrays has one type in a file");
%! assert (refused ([template "PLAIN_REDUCE_OF_TYPE (one_type, int, (k<int>))\n"]), "");
