## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{y} =} gpu_reduce (@var{x}, @var{op})
## @deftypefnx {} {[@var{y}, @var{i}] =} gpu_reduce (@var{x}, @var{op}, @var{name}, @var{value}, @dots{})
## @deftypefnx {} {[@var{counts}, @var{edges}] =} gpu_reduce (@var{x}, "histogram", @var{nbins}, @var{name}, @var{value}, @dots{})
## @deftypefnx {} {@dots{} =} gpu_reduce ("file", @var{name}, @var{op}, "class", @var{class}, "dims", @var{dims}, @dots{})
## @deftypefnx {} {@dots{} =} gpu_reduce ("file", @var{name}, @var{op}, "dataset", @var{dataset}, @dots{})
## @deftypefnx {} {@dots{} =} gpu_reduce (@var{fcn}, @var{op}, "class", @var{class}, "dims", @var{dims}, @dots{})
## Reduce the array @var{x} by the operator @var{op}, with options by name.
##
## @var{op} is "sum", "prod", "sumsq", "mean", "max", "min", "any", "all",
## "argmax", "argmin", "rms", "nnz" or "histogram"; or "var", "std", "median", "mode", "range",
## "bounds", "cumsum", "cumprod", "cummax" or "cummin", whose options are "dim", "nanflag" (not
## of "mode") and "device".  The results, their classes and shapes and
## what happens with NaN, ties and empty arrays are those of @code{gpu_sum},
## @code{gpu_prod} and so on, whose help says more; "max", "min", "argmax" and
## "argmin" have a second output, as have "bounds", "mode", "cummax" and "cummin".  Sparse @var{x} goes to the built-in.
##
## Options may stand in any order, their names in upper or lower case:
##
## @table @asis
## @item "dim", @var{dim}
## A dimension, a vector of dimensions to reduce together, or "all".  Without it
## the built-in's default dimension is reduced.
##
## @item "outtype", @var{type}
## "default", "native" or "double" for "sum", "prod" and "mean"; also "extra" and "exact"
## for "sum".
##
## @item "nanflag", @var{nanflag}
## "omitnan" or "includenan", not for "any", "all" and "nnz".
##
## @item "meantype", @var{kind}
## "a", "g" or "h": the arithmetic, geometric or harmonic mean, for "mean".
##
## @item "device", @var{d}
## As in @code{gpu_options}; for a variant "gpu", "sim" (the simulator), "auto" or a number.
##
## @item "variant", @var{name}
## A kernel of the ladder that @code{gpu_variants} lists, or of one's own
## (@code{gpu_variant_add}), instead of the package's engine: for "sum", "prod",
## "max", "min", "argmax", "argmin" of double, single and int32, and for "histogram"
## also uint8.  It runs on the GPU; where there is none, or with "device", "sim", in
## the simulator, which checks every access and takes up to 2^22 elements, 2^24
## when asked for by name.  Results are right, but not the same bits everywhere: each
## variant adds in its own order.  Those that map, such as @code{map_reduce}, reduce
## @var{x} itself here.  Of an empty @var{x}, for which no kernel runs, the
## result is that without a variant.  "engine", the package's own kernels, takes every
## operator and class, on a GPU or the CPU, not in the simulator.
##
## @item "finish", @var{f}
## How the results of a variant's blocks become one: "two_pass", "multi_level",
## "atomic", "last_block" or "grid_sync".
##
## @item "block", @var{b}
## Threads in a block of a variant: 32, 64, 128, 256, 512 or 1024.
##
## @item "seconds", @var{s}
## In the simulator a run of a variant, of which each column is one, takes @var{s} seconds
## at most; Inf: as long as it likes.  The default is 30, and 20 more for each million
## of elements.  A kernel that does not end is an error that names the line it was at.
##
## @item "force", @var{tf}
## With true the simulator takes more than 2^24 elements of a variant.
## @end table
##
## "histogram" counts the elements of @var{x} in @var{nbins} bins of equal width.
## @var{edges} is a row of @code{@var{nbins} + 1} numbers,
## @code{lo + (0:nbins) * (hi - lo) / nbins}, and an element @var{v} is counted in
## bin @var{k} where @code{edges(k) <= v < edges(k+1)}; the last bin has its upper
## edge too.  What is outside, and NaN, is not counted.  Elements are compared in
## double precision.  @var{counts} is a row over all elements, unless "dim" names
## one dimension: then it has the size of @var{x} with @var{nbins} in that dimension.
## @var{lo} and @var{hi} are the least and the greatest finite element; where they
## are equal, 0.5 less and 0.5 more; 0 and 1 where there is none.
## Its options are "dim" (a number or "all"), "device", "variant", "block", "seconds", "force" and
##
## @table @asis
## @item "limits", [@var{lo}, @var{hi}]
## The ends of the bins, finite, with @code{lo < hi}.
## @end table
##
## @strong{Larger than memory.}  The array may be in a file, or what the function @var{fcn} brings in pieces: its elements are read some at
## a time, and the results have the bits of the same call with the whole array in memory, on the CPU, which does the work.  A file is raw
## (elements as memory has them, column after column, as @code{fwrite} writes them, complex ones in pairs), or with "dataset" an
## HDF5 file, as MAT files of version 7.3 and @code{save -hdf5} are.  @code{@var{fcn} (@var{first}, @var{last})} returns the indices
## @var{first} to @var{last} of the last dimension that is longer than 1.  It is called for them in order, and where a result needs a second look
## at the elements (several outputs, "includenan", a sum that overflows on its way) from the first again, and must return the same.  It may call
## other functions of the package.  @var{op} is one of the first list above, or "var", "std", "range", "bounds"; "histogram" needs "limits" and
## counts all elements.  @var{op} (and @var{nbins} after "histogram") may also follow the options, or stand between them:
## @code{gpu_reduce ("file", @var{name}, "class", @var{class}, "dims", @var{dims}, @var{op})}.
##
## Kept in memory are at most 128 MiB of elements (less with @code{gpu_config ("memory_limit")}), of a function one piece more, the results, and for each level of the
## tree, 15 at most, accumulators of one index of the dimensions above those reduced.  Options are "dim", "outtype", "nanflag" and "meantype", and
##
## @table @asis
## @item "class", @var{class}, "dims", @var{dims}
## What the raw file holds, or @var{fcn} returns in all: class and row of sizes.  "complex", true: complex numbers.
##
## @item "offset", @var{bytes}
## Where in the raw file the elements begin.  A file that is longer than they are is an error unless "longer", true is said.
##
## @item "dataset", @var{dataset}
## The variable of an HDF5 file, which says itself what class and sizes are: a full array of numbers or logicals, also an empty one, or a range.
##
## @item "pieces", @var{n}
## So many indices at once are asked of @var{fcn}; without it about 32 MiB.
##
## @item "checkpoint", @var{file}
## How far the call is goes to this file every 30 seconds (or "every", @var{seconds}).  The same call goes on from there, and removes it when it is done.  One of
## another call, or of a file that has changed since, is an error, and so is, before anything is read, one that cannot be written.  Of @var{fcn} only
## its text is compared.
##
## @item "progress", @var{tf}
## How much is read, on standard error: by default on a terminal, where a call takes longer than 3 seconds.
##
## @item "comm", @var{c}
## All ranks of @code{gpu_comm} make the call, and each reads its share of the parts: all have the results; over other dimensions than the
## last each has those of its share, indices @code{floor (n*rank/size) + 1} to @code{floor (n*(rank+1)/size)} of it.  With "result", @var{rank} that rank
## alone has what else all have, and the others @code{[]}, as of arrays (@code{gpu_comm}).  Checkpoints get the rank's number as @file{.0}.
## @end table
##
## Dimensions that do not lie side by side, as 1 and 3 of a file of three, are not reduced together, since their elements in order would be read from all
## over the file, again for each index between.  Reduce the last of them, and then the result, which is in memory, over the others, by the same operator where
## it is "sum", "prod", "max", "min", "any", "all", or a "mean" that omits nothing; after "sumsq" or "nnz" by "sum".  Sums, products and means may then differ in the last bits:
## @code{gpu_reduce (gpu_reduce ("file", @var{name}, "sum", @dots{}, "dim", 3), "sum", "dim", 1)}.
##
## What Octave itself would compute (chars' mean, "native" means of 64 bits, a mean whose sum overflows), dimensions that do not lie side by side, "exact", variants and the device
## "gpu" are the error @code{gpureduce:unsupported}.  A file that cannot be read, is a folder or a pipe, is cut off or changes while it
## is read, and a function that fails or returns another class or size, are @code{gpureduce:cannot-read}; a size that does not fit is
## @code{gpureduce:invalid-input}; a checkpoint that cannot be written is @code{gpureduce:cannot-write}.
##
## @example
## @group
## name = tempname ();
## f = fopen (name, "wb");
## fwrite (f, [1 2; 3 4; 5 6], "double");
## fclose (f);
## gpu_reduce ("file", name, "sum", "class", "double", "dims", [3 2])
##     @result{}    9   12
## delete (name);
## gpu_reduce (@@(first, last) (first:last) .^ 2, "max", "class", "double", "dims", [1 1000])
##     @result{} 1000000
## @end group
## @end example
##
## @example
## @group
## gpu_reduce ([1 2; 3 4], "sum", "dim", "all")
##     @result{} 10
## [m, i] = gpu_reduce ([3 9 2], "max")
##     @result{} m = 9
##     @result{} i = 2
## gpu_reduce ([1 NaN 3], "mean", "nanflag", "omitnan")
##     @result{} 2
## [counts, edges] = gpu_reduce ([1 2 2 4 5], "histogram", 4)
##     @result{} counts = 1   2   0   2
##     @result{} edges = 1   2   3   4   5
## gpu_reduce (1:1000, "sum", "variant", "sequential", "block", 128, "device", "sim")
##     @result{} 500500
## @end group
## @end example
##
## What a kernel prints with @code{printf} in the simulator is shown after the run, each
## line with its thread: the first 100 lines, and how many more there were.
##
## Errors: @code{gpureduce:invalid-input} for an unknown operator, option or
## value, naming those that are allowed, and for a fault that the simulator finds in
## a kernel: kind, kernel, file, line, thread, address and, where it can be told, the
## likely cause.  A variant adds and
## multiplies int32 in 32 bits: @code{gpureduce:unsupported} where the result does
## not fit.  Otherwise as the function of the operator.
##
## Reductions in parallel follow M. Harris, @cite{Optimizing Parallel Reduction in
## CUDA} (NVIDIA, 2007); histograms V. Podlozhnyuk, @cite{Histogram calculation in
## CUDA} (NVIDIA, 2007).
## @seealso{gpu_variants, gpu_trace, gpu_bench, gpu_sum, gpu_max, gpu_mean, gpu_hist, gpu_options}
## @end deftypefn

function [y, z] = gpu_reduce (x, op, varargin)
  if (nargin < 2)
    print_usage ();
  elseif (nargout < 2)
    y = __gpr_octave__ ("reduce", x, op, varargin{:});          # the usual call, for which what follows takes longer than all else
    if (! isempty (y))
      return;
    endif
  endif
  if (is_function_handle (x))
    [y, z] = reduce_streamed (nargout, x, {op, varargin{:}});
    return;
  elseif (ischar (x) && strcmp (x, "file") && (operator_at (varargin) > 0 || operator_at ({op}) == 0))
    [y, z] = reduce_streamed (nargout, op, varargin);
    return;
  endif
  counts = ischar (op) && strcmp (op, "histogram");
  check_variant (x, varargin(1+counts:end));
  if (counts)
    [y, z] = histogram (nargout, x, varargin{:});
  elseif (nargout > 1)
    [y, z] = __gpureduce__ ("reduce", x, op, varargin{:});
  else
    y = __gpureduce__ ("reduce", x, op, varargin{:});
  endif
endfunction

## What the gateway does not see to: which devices there are for a variant, and that
## there is one of that name though no kernel runs.
function check_variant (x, options)

  variant = "";
  device = "default";
  for k = 1:2:numel (options) - 1
    if (ischar (options{k}))
      switch (lower (options{k}))
        case "variant"
          variant = options{k+1};
        case "device"
          device = options{k+1};
        case "comm"
          return;               # no variant runs, which all ranks are to say alike
      endswitch
    endif
  endfor
  if (! (ischar (variant) && isrow (variant)) || strcmp (variant, "engine"))
    return;
  elseif (ischar (device))
    known = any (strcmpi (device, {"gpu", "sim", "auto", "default", "cpu"})) || ! isempty (regexp (device, '^[1-9][0-9]{0,3}$'));
  else
    known = isnumeric (device) && isreal (device) && isscalar (device) && device >= 1 && device <= 1024 && device == fix (device);
  endif
  if (! known)
    invalid ("device of a variant must be \"gpu\", \"sim\", \"auto\" or a device number from 1");
  endif
  if (isempty (x))
    try
      v = listed_variants ();
    catch
      return;                   # without a simulator there is no list
    end_try_catch
    if (isempty (named_variants (v, variant)))
      invalid ("there is no variant %s; there are %s", variant, strjoin (unique ({v.name}, "stable"), ", "));
    endif
  endif

endfunction

function [counts, edges] = histogram (outputs, x, varargin)
  [args, ranks] = own_piece ("gpu_reduce", outputs, {x, varargin{:}});
  x = args{1};
  nbins = [args(2:end), {[]}]{1};
  varargin = args(3:end);
  if (! (isreal (nbins) && isnumeric (nbins) && isscalar (nbins) && nbins >= 1 && nbins < Inf && nbins == fix (nbins)))
    invalid ("NBINS must be a positive integer");
  elseif (! ((isnumeric (x) || islogical (x) || ischar (x)) && isreal (x)))
    invalid ("X must be a real numeric, logical or char array");
  elseif (mod (numel (varargin), 2) != 0)
    invalid ("options must come as pairs of a name and a value");
  endif
  if (issparse (x))
    x = full (x);
  endif
  nbins = double (nbins);
  limits = [];
  dim = 0;          # all elements, a row
  device = variant = "";
  block = 0;        # the variant's own
  seconds = 0;      # the simulator's own
  force = false;
  geometry = false; # block, seconds or force is given
  for k = 1:2:numel (varargin)
    [name, value] = varargin{k:k+1};
    if (! ischar (name))
      name = "?";
    endif
    switch (lower (name))
      case "limits"
        limits = value;
        if (! (isnumeric (limits) && isreal (limits) && numel (limits) == 2
               && all (isfinite (limits(:))) && limits(1) < limits(2)))
          invalid ("limits must be two finite numbers [LO HI], LO below HI");
        endif
      case "dim"
        dim = value;
        if (ischar (dim) && strcmpi (dim, "all"))
          dim = 0;
        elseif (! (isnumeric (dim) && isscalar (dim) && dim >= 1 && dim <= numel (ranks.sizes) && dim == fix (dim)))
          invalid ("dim must be a dimension of X or \"all\" for histogram");
        endif
      case "device"
        device = value;
      case "variant"
        variant = value;
        if (! (ischar (variant) && isrow (variant)))
          invalid ("variant must be a name; gpu_variants lists them");
        endif
      case "block"
        block = value;
        geometry = true;
        if (! (isnumeric (block) && isreal (block) && isscalar (block) && any (block == 2 .^ (5:10))))
          invalid ("block must be 32, 64, 128, 256, 512 or 1024 threads");
        endif
        block = double (block);
      case "seconds"
        seconds = value;
        geometry = true;
        if (! (isnumeric (seconds) && isreal (seconds) && isscalar (seconds) && seconds > 0))
          invalid ("seconds must be a positive number; Inf: no limit");
        endif
        seconds = double (seconds);
      case "force"
        force = value;
        geometry = true;
        if (! (islogical (force) && isscalar (force)))
          invalid ("force must be true or false");
        endif
      otherwise
        invalid ("unknown option \"%s\"; options of histogram are limits, dim, variant, block, seconds, force, device", name);
    endswitch
  endfor
  if (isempty (variant) && geometry)
    invalid ("block, seconds and force go with variant");
  elseif (strcmp (variant, "engine") && geometry)
    invalid ("the variant engine takes neither block nor seconds nor force");
  elseif (strcmp (variant, "engine") && ischar (device) && strcmpi (device, "sim"))
    invalid ("the variant engine runs on a GPU or the CPU, not in the simulator");
  endif

  on = ranks.options;
  if (! isempty (device))
    on = {"device", device};
  endif
  if (isempty (variant) || strcmp (variant, "engine"))
    edges = bin_edges (x, nbins, limits, on);
  elseif (ranks.dim > 0)
    error ("gpureduce:unsupported", "gpu_reduce: variants do not take \"comm\" yet");
  else
    edges = bin_edges (x, nbins, limits, {"device", "cpu"});
    counts = count_by_variant (x, dim, edges, variant, block, device, force, seconds);
    return;
  endif
  if (ranks.dim > 0 && ! all (ranks.sizes))
    on = {};                    # each rank has its part of nothing
  endif
  counts = __gpureduce__ ("count:gpu_reduce", x, dim, edges, on{:});
  over = {dim, "all"}{1 + (dim == 0)};
  counts = result_of_ranks (ranks, over, counts);
  edges = result_of_ranks (ranks, over, edges);
endfunction

## Along a dimension: a column after the other.
function counts = count_by_variant (x, dim, edges, variant, block, device, force, seconds)
  count = @(y) __gpureduce__ ("count_variant", variant, "histogram", y, "", block, edges, device, force, seconds);
  if (dim == 0)
    counts = count (x).';
    return;
  endif
  order = [dim, 1:dim-1, dim+1:ndims(x)];
  x = permute (gather (x), order);
  s = size (x);
  counts = zeros ([numel(edges) - 1, s(2:end)]);
  for k = 1:prod (s(2:end))
    counts(:,k) = count (x(:,k));
  endfor
  counts = ipermute (counts, order);
endfunction

function edges = bin_edges (x, nbins, limits, on)
  if (! isempty (limits))
    lo = double (limits(1));
    hi = double (limits(2));
  else
    [lo, hi] = range_of (x, on);
    if (isfloat (x) && ! (isfinite (lo) && isfinite (hi)))
      x = gather (x);
      x(! isfinite (x)) = NaN;
      [lo, hi] = range_of (x, on);
    endif
    if (isempty (lo) || isnan (lo))
      lo = 0;
      hi = 1;
    elseif (lo == hi)
      lo -= 0.5;
      hi += 0.5;
    endif
  endif
  edges = lo + (0:nbins) * (hi - lo) / nbins;
  if (! isfinite (hi - lo))
    edges = 2 * (lo / 2 + (0:nbins) * (hi / 2 - lo / 2) / nbins);
  endif
  edges = min (edges, hi);
  edges(end) = hi;
endfunction

function [lo, hi] = range_of (x, on)
  lo = double (gather (__gpureduce__ ("reduce", x, "min", "dim", "all", on{:})));
  hi = double (gather (__gpureduce__ ("reduce", x, "max", "dim", "all", on{:})));
endfunction

function names = operator_names ()
  operators = __gpureduce__ ("operators");
  names = [{operators([operators.reduce]).name}, {"histogram"}];
endfunction

## Where the operator is: the first argument that stands where an option's name may, and is an operator's.  0: there is none.
function k = operator_at (args)
  names = operator_names ();
  k = find (cellfun (@(a) ischar (a) && any (strcmp (a, names)), args(1:2:end)), 1);
  k = [2 * k - 1, 0](1);
endfunction

## From a file of that name, or as a function brings it; the arguments are the operator, and options before and after it.
function [y, z] = reduce_streamed (outputs, source, args)
  k = operator_at (args);
  if (k == 0)
    invalid ("OP must be \"%s\", after the file's name or the function, or after pairs of options", strjoin (operator_names (), '", "'));
  endif
  op = args{k};
  if (strcmp (op, "histogram"))
    [y, z] = count_streamed (source, args{k+1:end}, args{1:k-1});
  else
    [y, z] = call_streamed (outputs, source, op, args{[1:k-1, k+1:end]});
  endif
endfunction

function [y, z] = call_streamed (outputs, source, varargin)
  y = z = [];
  unwind_protect
    if (outputs > 1)
      [y, z] = __gpureduce__ ("streamed:gpu_reduce", source, varargin{:});
    else
      y = __gpureduce__ ("streamed:gpu_reduce", source, varargin{:});
    endif
  unwind_protect_cleanup
    __gpureduce__ ("streamed_end");
  end_unwind_protect
endfunction

function [counts, edges] = count_streamed (source, nbins, varargin)
  if (nargin < 2 || ! (isreal (nbins) && isnumeric (nbins) && isscalar (nbins) && nbins >= 1 && nbins < Inf && nbins == fix (nbins)))
    invalid ("NBINS must be a positive integer");
  endif
  limits = [];
  options = {};
  for k = 1:2:numel (varargin) - 1
    if (strcmpi (varargin{k}, "limits"))
      limits = varargin{k+1};
    else
      options(end+1:end+2) = varargin(k:k+1);
    endif
  endfor
  if (! (isnumeric (limits) && isreal (limits) && numel (limits) == 2 && all (isfinite (limits(:))) && limits(1) < limits(2)))
    invalid ("a histogram of a file or function needs limits, two finite numbers [LO HI], LO below HI");
  endif
  edges = bin_edges ([], double (nbins), limits, {});
  counts = call_streamed (1, source, "count", "edges", edges, options{:});
endfunction

function invalid (varargin)
  error ("gpureduce:invalid-input", ["gpu_reduce: " varargin{1}], varargin{2:end});
endfunction

## every operator is the function of its name
%!test
%! x = [3 1 4; 1 5 9; 2 6 5; 3 5 8];
%! for op = {"sum", "prod", "sumsq", "mean", "max", "min", "any", "all"}
%!   f = str2func (op{1});
%!   assert (gpu_reduce (x, op{1}), f (x));
%!   assert (gpu_reduce (single (x), op{1}), f (single (x)));
%!   assert (class (gpu_reduce (single (x), op{1})), class (f (single (x))));
%!   assert (gpu_reduce (x, op{1}, "dim", "all"), f (x(:)));
%!   assert (gpu_reduce (x, op{1}, "dim", [1 2]), f (x(:)));
%!   assert (gpu_reduce (x, op{1}, "DIM", 2, "Device", "cpu"), gpu_reduce (x, op{1}, "dim", 2));
%! endfor
%!assert (gpu_reduce ([1 2; 3 4], "sum", "dim", 2), [3; 7])
%!assert (gpu_reduce ([1 2; 3 4], "sum", "dim", 3), [1 2; 3 4])
%!assert (gpu_reduce ([1 2; 3 4], "sum", "dim", []), [4 6])
%!assert (gpu_reduce ([1 2; 3 4], "max", "dim", 2), [2; 4])
%!assert (gpu_reduce ([3 9 2; 7 1 8], "argmax"), [2 1 2])
%!assert (gpu_reduce ([3 9 2; 7 1 8], "argmin", "dim", 2), [3; 2])
%!test
%! [m, i] = gpu_reduce ([3 9 2; 7 1 8], "max", "dim", 2);
%! assert ([m i], [9 2; 8 3]);
%! [i, m] = gpu_reduce ([3 9 2; 7 1 8], "argmin", "dim", "all");
%! assert ([i m], [4 1]);

## options
%!assert (gpu_reduce (int8 ([100 100]), "sum", "outtype", "native"), int8 (127))
%!assert (gpu_reduce (int8 ([100 100]), "sum", "outtype", "default"), 200)
%!assert (class (gpu_reduce (single ([1 2]), "sum", "outtype", "double")), "double")
%!assert (gpu_reduce ([1 1e100 1 -1e100], "sum", "outtype", "extra"), 2)
%!assert (gpu_reduce (int8 ([-1 -2]), "mean", "outtype", "native"), int8 (-2))
%!assert (gpu_reduce ([1 NaN 3], "sum", "nanflag", "omitnan"), 4)
%!assert (gpu_reduce ([1 NaN 3], "prod", "nanflag", "OmitNaN"), 3)
%!assert (gpu_reduce ([1 NaN 3], "mean", "nanflag", "omitnan"), 2)
%!assert (gpu_reduce ([1 NaN 3], "max", "nanflag", "includenan"), NaN)
%!assert (gpu_reduce ([1 4 16], "mean", "meantype", "g"), 4, 8 * eps)
%!assert (gpu_reduce ([1 2 4], "mean", "meantype", "h"), 12 / 7, 4 * eps)
%!assert (gpu_reduce ([1 2 4], "mean", "meantype", "a"), 7 / 3)
%!assert (gpu_reduce (int8 ([1 2; 3 4]), "mean", "meantype", "g", "dim", "all"), 24 ^ (1/4), 8 * eps)
%!assert (gpu_reduce ([1 2; 3 4], "sum", "dim", gpuArray (2)), [3; 7])
%!error <OP must be> gpu_reduce (1:3, reshape ("max", 1, 1, 3))
%!error <OP must be> gpu_reduce (gpuArray (1:3), reshape ("max", 1, 1, 3))
%!error <unknown option> gpu_reduce (1:3, "max", reshape ("dim", 1, 1, 3), 1)
%!error <more than 32 dimensions> gpu_reduce (ones ([1 1 2 ones(1, 31) 2]), "sum", "dim", "all")
%!assert (gpu_reduce ([1 NaN; 2 5], "sum", "nanflag", "omitnan", "device", "cpu", "dim", 2), [1; 7])
%!assert (gpu_reduce ([], "sum"), 0)
%!assert (gpu_reduce (zeros (0, 3), "prod"), [1 1 1])

## histogram
%!test
%! [counts, edges] = gpu_reduce ([1 2 2 4 5], "histogram", 4);
%! assert (counts, [1 2 0 2]);
%! assert (edges, 1:5);
%!test
%! [counts, edges] = gpu_reduce ([0 0.5 1 NaN Inf -Inf -1], "histogram", 2, "limits", [0 1]);
%! assert (counts, [1 2]);
%! assert (edges, [0 0.5 1]);
%!test
%! [counts, edges] = gpu_reduce ([0 1 2 NaN Inf -Inf], "histogram", 2);
%! assert (counts, [1 2]);
%! assert (edges, [0 1 2]);
%!test
%! [counts, edges] = gpu_reduce ([7 7 7], "histogram", 2);
%! assert (counts, [0 3]);
%! assert (edges, [6.5 7 7.5]);
%!test
%! [counts, edges] = gpu_reduce ([], "histogram", 3);
%! assert (counts, [0 0 0]);
%! assert (edges, (0:3) / 3);
%! [counts, edges] = gpu_reduce ([NaN Inf], "histogram", 1);
%! assert (counts, 0);
%! assert (edges, [0 1]);
%!test
%! x = [1 2 3; 4 5 6; 1 1 6];
%! [counts, edges] = gpu_reduce (x, "histogram", 5, "dim", 1);
%! assert (edges, 1:6);
%! assert (counts, [2 1 0; 0 1 0; 0 0 1; 1 0 0; 0 1 2]);
%! counts = gpu_reduce (x, "histogram", 5, "dim", 2);
%! assert (counts, [1 1 1 0 0; 0 0 0 1 2; 2 0 0 0 1]);
%! counts = gpu_reduce (x, "histogram", 5, "Dim", "all");
%! assert (counts, [3 1 1 1 3]);
%!test
%! x = reshape (mod ((1:120) * 7, 13), 4, 5, 6);
%! counts = gpu_reduce (x, "histogram", 3, "dim", 3);
%! assert (size (counts), [4 5 3]);
%! assert (sum (counts, 3), 6 * ones (4, 5));
%!test
%! for type = {"double", "single", "int8", "uint8", "int16", "uint16", ...
%!             "int32", "uint32", "int64", "uint64", "char"}
%!   x = feval (type{1}, mod ((1:1000) * 7919, 101));
%!   [counts, edges] = gpu_reduce (x, "histogram", 7);
%!   n = histc (double (x), edges);
%!   n(7) += n(8);
%!   assert (counts, n(1:7));
%!   assert (class (counts), "double");
%!   assert (class (edges), "double");
%! endfor
%!assert (gpu_reduce ([true false true], "histogram", 2), [1 2])
%!test
%! x = sin (1:20000);
%! [counts, edges] = gpu_reduce (x, "histogram", 1000);
%! assert (numel (edges), 1001);
%! assert ([edges(1) edges(end)], [min(x) max(x)]);
%! assert (sum (counts), 20000);
%! n = histc (x, edges);
%! n(end-1) += n(end);
%! assert (counts, n(1:end-1));
%! assert (gpu_reduce (x, "histogram", 1000, "device", "cpu"), counts);
%!test
%! [counts, edges] = gpu_reduce ([-1.5e308 0 1.5e308], "histogram", 2);
%! assert (edges, [-1.5e308 0 1.5e308]);
%! assert (counts, [1 2]);
%!assert (gpu_reduce (sparse ([1 0 2]), "histogram", 2), [1 2])
%!test
%! counts = gpu_reduce (gpuArray ([1 2 2 4 5]), "histogram", 4);
%! assert (isgpuarray (counts));
%! assert (gather (counts), [1 2 0 2]);
%! assert (gather (gpu_reduce (gpuArray ([1 NaN -Inf 3]), "histogram", 2)), [1 1]);
%! assert (gather (gpu_reduce (gpuArray ([]), "histogram", 2)), [0 0]);
%!assert (gather (gpu_reduce (gpuArray ([1 2; 3 4]), "sum")), [4 6])
%!assert (gpu_reduce (gpuArray ([1 2; 3 4]), "sum", "dim", "all"), 10)
%!test
%! s = gpu_reduce (sparse ([1 0; 2 3]), "sum");
%! assert (full (s), [3 3]);
%! x = sparse ([1 0 -2; 2 3 0]);
%! assert (full (gpu_reduce (x, "sum", "dim", 2)), [-1; 5]);
%! assert (full (gpu_reduce (x, "max", "dim", 2)), [1; 3]);
%! assert (gpu_reduce (x, "argmin", "dim", 2), [3; 3]);

## errors
%!error <Invalid call to gpu_reduce> gpu_reduce ()
%!error <Invalid call to gpu_reduce> gpu_reduce (1:3)
%!error <gpu_reduce: OP must be "sum".*"histogram"> gpu_reduce (1:3, "kurtosis")
%!error id=gpureduce:invalid-input gpu_reduce (1:3, "kurtosis")
%!error id=gpureduce:invalid-input gpu_reduce (1:3, 5)
%!error <unknown option "colour"; options are dim> gpu_reduce (1:3, "sum", "colour", "red")
%!error id=gpureduce:invalid-input gpu_reduce (1:3, "sum", "finish", "atomic")
%!error <gpu_reduce: options must come as pairs> gpu_reduce (1:3, "sum", "dim")
%!error <gpu_reduce: dim must be> gpu_reduce (1:3, "sum", "dim", 0)
%!error <gpu_reduce: dim must be> gpu_reduce (1:3, "sum", "dim", "some")
%!error <gpu_reduce: nanflag must be> gpu_reduce (1:3, "sum", "nanflag", "no")
%!error <any takes no nanflag> gpu_reduce (1:3, "any", "nanflag", "omitnan")
%!error <outtype "wide"> gpu_reduce (1:3, "sum", "outtype", "wide")
%!error id=gpureduce:invalid-input gpu_reduce (1:3, "max", "outtype", "native")
%!error <meantype must be> gpu_reduce (1:3, "mean", "meantype", "q")
%!error id=gpureduce:invalid-input gpu_reduce (1:3, "sum", "device", "toaster")
%!error id=gpureduce:no-device gpu_reduce (1:3, "sum", "device", 1000)
%!error id=gpureduce:invalid-input [a, b] = gpu_reduce (1:3, "sum")
%!error <wrong type argument 'cell'> gpu_reduce ({1}, "sum")
%!error <gpu_reduce: NBINS must be> gpu_reduce (1:3, "histogram")
%!error <gpu_reduce: NBINS must be> gpu_reduce (1:3, "histogram", 0)
%!error <gpu_reduce: NBINS must be> gpu_reduce (1:3, "histogram", 2.5)
%!error <gpu_reduce: NBINS must be> gpu_reduce (1:3, "histogram", "ten")
%!error <gpu_reduce: X must be a real> gpu_reduce ({1}, "histogram", 3)
%!error <gpu_reduce: X must be a real> gpu_reduce ([1i 2], "histogram", 3)
%!error <limits must be> gpu_reduce (1:3, "histogram", 3, "limits", [2 1])
%!error <limits must be> gpu_reduce (1:3, "histogram", 3, "limits", [0 Inf])
%!error <dim must be a dimension> gpu_reduce (1:3, "histogram", 3, "dim", 3)
%!error <unknown option "nanflag"; options of histogram> gpu_reduce (1:3, "histogram", 3, "nanflag", "omitnan")
%!error <options must come as pairs> gpu_reduce (1:3, "histogram", 3, "limits")
%!error id=gpureduce:invalid-input gpu_reduce (1:3, "histogram", 3, "device", "toaster")

## variants, in the simulator
%!function varargout = on_sim (x, op, varargin)
%!  [varargout{1:max (nargout, 1)}] = gpu_reduce (x, op, "device", "sim", varargin{:});
%!endfunction
%!test # along a dimension, as any call
%! x = reshape (mod (7 * (1:60), 13), 3, 4, 5);
%! for d = {1, 2, 3, "all", [1 3]}
%!   assert (on_sim (x, "sum", "variant", "full_shuffle", "dim", d{1}, "block", 32), gpu_reduce (x, "sum", "dim", d{1}));
%!   assert (on_sim (single (x), "max", "variant", "K2", "dim", d{1}, "block", 32), gpu_reduce (single (x), "max", "dim", d{1}));
%! endfor
%!test # places, ties, NaN
%! x = single ([3 NaN 9; 9 2 9; 1 NaN 9]);
%! for v = {"shuffle_pairs", "packed_atomic"}
%!   [i, m] = on_sim (x, "argmax", "variant", v{1}, "dim", 2);
%!   assert (i, [3; 1; 3]);
%!   assert (m, single ([9; 9; 9]));
%!   [i, m] = on_sim (x, "argmin", "variant", v{1}, "dim", 1);
%!   assert (i, [3 2 1]);
%! endfor
%! assert (on_sim ([NaN NaN], "max", "variant", "sequential"), NaN);
%! assert (1 / on_sim ([-0 0], "max", "variant", "sequential"), -Inf);
%! assert (isna (on_sim ([1 NA], "sum", "variant", "sequential")));
%! assert (on_sim ([], "sum", "variant", "sequential"), 0);
%!test # histograms
%! x = mod (7 * (1:500), 23);
%! for v = {"global_atomic", "block_shared", "warp_private"}
%!   [n, e] = gpu_reduce (x, "histogram", 6, "variant", v{1}, "device", "sim");
%!   [n1, e1] = gpu_reduce (x, "histogram", 6);
%!   assert (n, n1);
%!   assert (e, e1);
%!   n = gpu_reduce (uint8 (reshape (x, 50, 10)), "histogram", 4, "dim", 2, "variant", v{1}, "device", "sim", "block", 64);
%!   assert (n, gpu_reduce (uint8 (reshape (x, 50, 10)), "histogram", 4, "dim", 2));
%! endfor
%!test                                   # variants that map reduce x itself here
%! for v = {"map_reduce", "map_then_reduce"}
%!   for n = [0 1 31 32 33 500]
%!     x = randi ([-1000 1000], 1, n);
%!     for finish = {"two_pass", "multi_level", "atomic", "last_block", "grid_sync"}
%!       assert (on_sim (x, "sum", "variant", v{1}, "block", 32, "finish", finish{1}), sum (x));
%!     endfor
%!     assert (on_sim (int32 (x), "sum", "variant", v{1}), sum (x));
%!     assert (on_sim (single (x), "sum", "variant", v{1}), single (sum (x)));
%!   endfor
%! endfor
%!error <has no operator max; it has sum> on_sim (1:3, "max", "variant", "map_reduce")
%!assert (on_sim (int32 (1:100), "sum", "variant", "grid_stride"), 5050)
%!assert (gpu_reduce (1:5, "sum", "variant", "engine"), 15)
%!error <beyond the 32 bits> on_sim (int32 ([2 2]) * 1e9, "sum", "variant", "sequential")
%!error id=gpureduce:invalid-input on_sim (1:3, "sum", "variant", "quantum")
%!error id=gpureduce:invalid-input on_sim (1:3, "sum")
%!error <finish must be .*grid_sync> on_sim (1:3, "sum", "variant", "sequential", "finish", "magic")
%!error <block must be 32> on_sim (1:3, "sum", "variant", "sequential", "block", 0)
%!error <block must be 32> on_sim (1:3, "sum", "variant", "sequential", "block", 31)
%!error <block must be 32> on_sim (1:3, "sum", "variant", "sequential", "block", 96)
%!error <block must be 32> on_sim (1:3, "sum", "variant", "sequential", "block", 2048)
%!error <cannot finish with atomic; it can with grid_sync> on_sim (1:3, "sum", "variant", "cooperative", "finish", "atomic")
%!test # what has a function of its own
%! x = [3 1 4; 1 5 9];
%! assert (gpu_reduce (x, "var"), var (x), 8 * eps);
%! assert (gpu_reduce (x, "std", "dim", 2), std (x, 0, 2), 8 * eps);
%! assert (gpu_reduce ([x; NaN 1 2], "var", "nanflag", "omitnan", "dim", 1), [var([3 1]), var([1 5 1]), var([4 9 2])], 8 * eps);
%! assert (gpu_reduce (x, "range", "dim", "all"), 8);
%! assert (gpu_reduce (x, "median", "dim", 2), median (x, 2));
%! assert (gpu_reduce (x, "cumsum", "dim", 2, "device", "cpu"), cumsum (x, 2));
%! [s, l] = gpu_reduce (x, "bounds");
%! assert ([s; l], [1 1 4; 3 5 9]);
%! [w, iw] = gpu_reduce (x, "cummax", "dim", 2);
%! assert (iw, [1 1 3; 1 2 3]);
%!error <options of var are> gpu_reduce (1:3, "var", "block", 32)
%!error <nanflag must be> gpu_reduce (1:3, "mode", "nanflag", "omitnan")
%!error id=gpureduce:invalid-input gpu_reduce (1:3, "var", "dim")
%!error <double, single and int32> on_sim (uint8 (1:3), "sum", "variant", "sequential")
%!error <variants take> on_sim (1:3, "sumsq", "variant", "sequential")
%!error <has no operator argmax> on_sim (1:3, "argmax", "variant", "sequential")
%!error <argmax, which a second output of max needs .shuffle_pairs> [m, i] = on_sim ([1 5 2], "max", "variant", "sequential")
%!error <it takes int32> on_sim (1:3, "sum", "variant", "warp_reduce_hw")
%!error <variants take .* histogram, not mean> on_sim (1:3, "mean", "variant", "sequential")
%!error id=gpureduce:invalid-input on_sim (single (1:3), "mean", "variant", "sequential", "meantype", "a")
%!error id=gpureduce:invalid-input on_sim (int32 (1:3), "mean", "variant", "K2")
%!error <variants take .* histogram, not any> on_sim (1:3, "any", "variant", "sequential")
%!error <finish, block, seconds and force go with variant> gpu_reduce (1:3, "sum", "block", 32)
%!error <finish, block, seconds and force go with variant> gpu_reduce (1:3, "sum", "finish", "atomic")
%!error <finish, block, seconds and force go with variant> gpu_reduce (1:3, "sum", "force", true)
%!error <force must be true or false> on_sim (1:3, "sum", "variant", "sequential", "force", 1)
%!error <engine takes neither finish nor block nor seconds nor force> gpu_reduce (1:3, "sum", "variant", "engine", "finish", "atomic")
%!error <engine takes neither finish nor block nor seconds nor force> gpu_reduce (1:3, "sum", "block", 32, "variant", "engine")
%!error <engine runs on a GPU or the CPU, not in the simulator> on_sim (1:3, "sum", "variant", "engine")
%!error <engine runs on a GPU or the CPU, not in the simulator> gpu_reduce (1:3, "histogram", 2, "variant", "engine", "device", "sim")
%!error <engine takes neither block nor seconds nor force> gpu_reduce (1:3, "histogram", 2, "variant", "engine", "block", 32)
%!error <block, seconds and force go with variant> gpu_reduce (1:3, "histogram", 3, "block", 32)
%!error <block, seconds and force go with variant> gpu_reduce (1:3, "histogram", 3, "force", true)
%!error <block, seconds and force go with variant> gpu_reduce (1:3, "histogram", 3, "seconds", 5)
%!error <gpu_reduce: block must be 32> gpu_reduce (1:3, "histogram", 3, "block", {32})
%!error <gpu_reduce: block must be 32> gpu_reduce (1:3, "histogram", 3, "variant", "global_atomic", "block", {32})
%!error <gpu_reduce: block must be 32> gpu_reduce (1:3, "histogram", 3, "variant", "global_atomic", "block", 0)
%!error <gpu_reduce: block must be 32> gpu_reduce (1:3, "histogram", 3, "variant", "global_atomic", "block", 96)
%!error <gpu_reduce: force must be true or false> gpu_reduce (1:3, "histogram", 3, "variant", "global_atomic", "force", 1)
%!error <variant must be a name> gpu_reduce (1:3, "histogram", 3, "variant", 5)
%!error <device of a variant must be "gpu", "sim", "auto" or> gpu_reduce (1:3, "sum", "variant", "sequential", "device", "toaster")
%!error <device of a variant must be "gpu", "sim", "auto" or> gpu_reduce (1:3, "histogram", 3, "device", {1}, "variant", "global_atomic")
%!error <device must be "gpu", "cpu", "auto", "all"> gpu_reduce (1:3, "sum", "variant", "engine", "device", "toaster")
%!test # of an empty array the built-in's answer, whatever the variant; but it must be one
%! assert (on_sim ([], "sum", "variant", "sequential"), 0);
%! assert (on_sim (zeros (0, 3), "prod", "variant", "k2"), [1 1 1]);
%! assert (on_sim (zeros (3, 0), "max", "variant", "sequential", "dim", 1), zeros (1, 0));
%! assert (gpu_reduce ([], "histogram", 3, "variant", "global_atomic", "device", "sim"), [0 0 0]);
%! assert (gpu_reduce (zeros (0, 2), "histogram", 3, "dim", 1, "variant", "global_atomic", "device", "sim"), zeros (3, 2));
%! assert (gpu_reduce (zeros (2, 0), "histogram", 3, "dim", 1, "variant", "global_atomic", "device", "sim"), zeros (3, 0));
%!error <there is no variant quantum; there are single_thread> gpu_reduce ([], "sum", "variant", "quantum")
%!error <there is no variant quantum; there are single_thread> gpu_reduce (zeros (2, 0), "histogram", 3, "dim", 1, "variant", "quantum")
%!error <no variant quantum> gpu_reduce (sparse ([1 2]), "sum", "variant", "quantum")
%!assert (on_sim (sparse ([1 0 2]), "sum", "variant", "sequential"), 3)
%!test # more than the simulator takes at once
%! x = zeros (1, 2^24 + 1, "uint8");
%! count = 'gpu_reduce (x, "histogram", 65536, "limits", [0 1], "variant", "block_shared", "device", "sim"';
%! fail ([count ")"], 'takes up to 16777216, with "force", true more');
%! fail ([count ', "force", true)'], "block_shared needs .* bytes of shared memory");
%!error <GPU or in the simulator> gpu_reduce (1:3, "sum", "variant", "sequential", "device", "cpu")
%!error <out of bounds in bug_off_by_one at bug_off_by_one.cu:[0-9]+: thread> on_sim (1:1000, "sum", "variant", "bug_off_by_one")
