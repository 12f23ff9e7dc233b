## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {} gpu_variants ()
## @deftypefnx {} {@var{v} =} gpu_variants ()
## @deftypefnx {} {@var{v} =} gpu_variants (@var{name})
## @deftypefnx {} {} gpu_variants (@var{name}, "source")
## @deftypefnx {} {@var{text} =} gpu_variants (@var{name}, "source")
## The variants of the kernel ladder: the road from one thread to the limit of the
## memory, each step a kernel that @code{gpu_reduce (@var{x}, @var{op}, "variant",
## @var{name})} runs on a GPU or in the simulator.
##
## @var{v} is a struct array, a column in the order of the ladder, with the fields
##
## @table @code
## @item name, aliases
## What to call it; the names that the sources use, a cell array.  Either is taken
## wherever a variant is named, an alias in upper or lower case.
## @item family
## "reduce", "argmax" or "histogram".
## @item idea, lesson, wrong, source
## What it does, the one thing it teaches, what is still wrong with it, and where it
## is from.
## @item fault
## For the bugs on show (@code{bug_@dots{}}), which run in the simulator only: the
## kind of fault it names; else empty.
## @item operators, classes
## What it takes: cell arrays of names.
## @item finishes, blocks, finish, block
## How it can end and with how many threads a block; what it does without a word.
## @item n
## How many elements @code{gpu_trace} takes where @var{n} is not given, as many as
## show the fault of a bug on show; 0: 64.
## @item per_thread, grid_stride
## Elements that a thread takes (0: a single thread takes all); true where the grid is as large as the GPU
## holds at once and goes over the elements in a loop.
## @item scale, bias
## In @code{gpu_trace} and @code{gpu_bench} it reduces scale * x + bias; 1 and 0 where it
## maps nothing.
## @item file
## Its source, for @code{edit}: the file of the source tree, the copy that is installed
## with the package, or one's own.  Editing the package's file has no effect:
## copy it, give the copy another name, remove @code{v.aliases}, and give it to
## @code{gpu_variant_add}.
## @end table
##
## With @var{name}, a name or alias, only that one, or those: a library has a row
## of its name in each family.  With "source" the kernel's source is printed, or is
## returned as @var{text}.  Without any argument a table is printed; where there
## is a GPU, also which kernels the guide advises for which sizes, beside the fastest
## ones measured here.
##
## @example
## @group
## gpu_variants ("K2").lesson
##     @result{} no divergence, no bank conflicts
## numel (gpu_variants ()) > 30
##     @result{} 1
## numel (strfind (gpu_variants ("sequential", "source"), "__global__"))
##     @result{} 1
## @end group
## @end example
##
## Errors: @code{gpureduce:invalid-input} for a name that is none, and for a source that
## is there no more, @code{gpureduce:unsupported} where the package was built without the
## simulator.
##
## The ladder follows M. Harris, @cite{Optimizing Parallel Reduction in CUDA} (NVIDIA,
## 2007), and the samples and guides that each entry's @code{source} names.
## @seealso{gpu_reduce, gpu_trace, gpu_compare, gpu_bench, gpu_variant_add}
## @end deftypefn

function v = gpu_variants (name, what)

  [v, users] = listed_variants ();
  if (nargin > 0)
    if (! (ischar (name) && isrow (name)))
      error ("gpureduce:invalid-input", "gpu_variants: NAME must be the name of a variant");
    endif
    if (nargin > 1 && ! (ischar (what) && strcmpi (what, "source")))
      error ("gpureduce:invalid-input", "gpu_variants: the second argument must be \"source\"");
    endif
    called = named_variants (v, name);
    if (isempty (called))
      error ("gpureduce:invalid-input", "gpu_variants: no variant %s; there are %s", name, ...
             strjoin (unique ({v.name}, "stable"), ", "));
    endif
    v = called;
    if (nargin > 1)
      v = sources (called);
      if (nargout == 0)
        printf ("%s", v);
        clear v
      endif
    endif
  elseif (nargout == 0)
    show (v, users);
    if (gpuDeviceCount () > 0)
      show_advice ();
    endif
    clear v
  endif

endfunction

## The files' contents, one after the other.
function text = sources (v)
  text = "";
  for file = unique ({v.file}, "stable")
    if (exist (file{1}, "file") != 2)
      error ("gpureduce:invalid-input", "gpu_variants: the source of %s is not there: %s", v(1).name, file{1});
    endif
    text = [text, fileread(file{1})];
  endfor
endfunction

## A table for each heading, whose variants stand in the order of the ladder.
function show (v, users)
  headings = {v.family};
  headings(cellfun (@isempty, {v.classes})) = {"not in the simulator: libraries, and the package's own kernels"};
  headings(! cellfun (@isempty, {v.fault})) = {"bugs on show, and what the simulator says"};
  headings(users) = {"added by gpu_variant_add"};
  width = max (cellfun (@numel, {v.name}));
  before = "";
  for heading = unique (headings, "stable")
    printf ("%s%s\n", before, heading{1});
    before = "\n";
    for k = find (strcmp (headings, heading{1}))
      teaches = v(k).lesson;
      if (! isempty (v(k).fault))
        teaches = ["(bug) " v(k).fault];
      endif
      if (! isempty (teaches))
        teaches = [": " teaches];
      endif
      printf ("  %-*s  %s%s\n", width, v(k).name, v(k).idea, teaches);
    endfor
  endfor
endfunction

## What the guide advises by size, and the fastest of the ladder here.
function show_advice ()
  advice = {2^18, "a kernel in shared memory (sequential)"
            2^22, "the last warp unrolled (unroll_last_warp)"
            2^25, "the complete system (full_shuffle, multi_level)"};
  names = {"sequential", "first_add", "unroll_last_warp", "full_shuffle", "grid_stride", "vectorized", "cub"};
  printf ("\nsum of singles here, kernel time:\n");
  for k = 1:rows (advice)
    x = gpuArray (rand (1, advice{k,1}, "single"));
    for i = 1:numel (names)
      ms(i) = median (__gpureduce__ ("time_variant", names{i}, "sum", x, "", 0, 20).kernel_ms);
    endfor
    [best, i] = min (ms);
    printf ("  %9d elements: fastest %s, %.4f ms; the guide: %s\n", advice{k,1}, names{i}, best, advice{k,2});
  endfor
endfunction

%!test # every name of the ladder answers
%! v = gpu_variants ();
%! assert (iscolumn (v));
%! for name = {"single_thread", "neighbored", "neighbored_less", "interleaved", "shared_modulo", "shared_bitmask", ...
%!             "shared_strided", "sequential", "first_add", "unroll_last_warp", "unrolled", "warp_shuffle", ...
%!             "full_shuffle", "cascade", "grid_stride", "vectorized", "warp_reduce_hw", "cooperative", "map_then_reduce", "map_reduce", ...
%!             "cub", "cub_block", "cub_warp", "thrust", "cublas", "engine", "shuffle_pairs", "packed_atomic", ...
%!             "global_atomic", "block_shared", "warp_private", "bug_boundary", "bug_off_by_one", "bug_early_return", ...
%!             "bug_no_syncwarp", "bug_shuffle_mask", "bug_inplace_levels", "bug_unchecked_pair", "bug_block_1024", ...
%!             "bug_shared_overrun", "bug_lost_half", "bug_argmax_tie"}
%!   is = strcmp ({v.name}, name{1});
%!   assert (sum (is) >= 1);
%!   for k = find (is)
%!     assert (! isempty (v(k).idea) && ! isempty (v(k).lesson) && ! isempty (v(k).source));
%!     assert (isempty (v(k).fault), ! strncmp (name{1}, "bug_", 4));
%!   endfor
%! endfor
%!test # what is reduced: scale * x + bias
%! v = gpu_variants ();
%! maps = ismember ({v.name}, {"map_reduce", "map_then_reduce"});
%! assert ([[v.scale]; [v.bias]], [1 + maps; 0 + maps]);
%!assert (gpu_variants ("K2").name, "sequential")
%!assert (gpu_variants ("sequential").family, "reduce")
%!test # of a library, a row a family
%! v = gpu_variants ("cub");
%! assert ({v.name}, {"cub", "cub", "cub"});
%! assert (sort ({v.family}), {"argmax", "histogram", "reduce"});
%! assert (gpu_variants ("devicehistogram").family, "histogram");
%!test # the help's example, as at the prompt; a table only without a name
%! assert (strtrim (evalc ('gpu_variants ("K2").lesson')), "ans = no divergence, no bank conflicts");
%! assert (isempty (strfind (evalc ('gpu_variants ("K2")'), "the stride halves in shared memory:")));
%!test # each name once
%! caught.message = "";
%! try
%!   gpu_variants ("quantum");
%! catch caught
%! end_try_catch
%! assert (numel (strfind (caught.message, "cub,")), 1);
%!test # every_file_is_there_to_edit: of the package's kernels, the bugs and the libraries
%! v = gpu_variants ();
%! v(! cellfun (@isempty, regexp ({v.file}, '[/\\]oct-\w{6}'))) = [];      # other tests' temporary files
%! assert (numel (v) > 30);
%! for k = 1:numel (v)
%!   assert (is_absolute_filename (v(k).file) && exist (v(k).file, "file") == 2, "%s", v(k).file);
%!   text = fileread (v(k).file);
%!   assert (! isempty (regexp (text, ['LADDER_VARIANT \(' v(k).name])), "%s", v(k).file);
%! endfor
%!test # source_is_the_text_of_the_file: printed, or returned; of a library all of them
%! v = gpu_variants ("block_shared");
%! assert (gpu_variants ("block_shared", "source"), fileread (v.file));
%! assert (evalc ('gpu_variants ("V per-block", "source")'), fileread (v.file));
%! v = gpu_variants ("cub");
%! assert (gpu_variants ("cub", "source"), [fileread(v(1).file), fileread(v(2).file), fileread(v(3).file)]);
%!test # the_table_warns_of_nothing: it is the first that a student sees
%! warning ("on", "Octave:num-to-str", "local");
%! said = evalc ("gpu_variants ()");
%! assert (isempty (strfind (said, "warning:")), "%s", said);
%! for v = gpu_variants ()'
%!   assert (numel (regexp (said, ['\n  ' v.name ' ']), sum (strcmp ({gpu_variants().name}, v.name))));
%!   assert (isempty (v.fault) || ! isempty (strfind (said, [v.idea ": (bug) " v.fault])));
%! endfor
%! assert (! isempty (regexp (said, '\n  warp_private +a table a warp in shared memory: less contention for more memory\n')));
%!error <the second argument must be "source"> gpu_variants ("sequential", "code")
%!error id=gpureduce:invalid-input gpu_variants ("quantum", "source")
%!error id=gpureduce:invalid-input gpu_variants ("quantum")
%!error <there are .*sequential> gpu_variants ("quantum")
%!error id=gpureduce:invalid-input gpu_variants (7)
