## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {} gpu_explain (@var{g})
## @deftypefnx {} {@var{s} =} gpu_explain (@var{g})
## Show what the gpuArray @var{g} waits for, and how it would be computed.
##
## Elementwise operations on gpuArrays wait until their values are wanted, and reductions of large ones do too.  Then they
## are computed together, in as few passes over memory as can be.  @code{gpu_explain} computes nothing and changes nothing:
## it looks at what waits, and prints for each pass
##
## @itemize
## @item
## what it computes, in Octave's notation.  @code{y} is @var{g}; @code{a}, @code{b} and so on are arrays that are there,
## @code{r1}, @code{r2} results of reductions, @code{t1}, @code{t2} other arrays that are made on the way.  Reductions above another line of the same pass
## come from the same reading: their slices (columns, for instance) go through all lines while they stay in fast memory.
## What makes other sizes of the same elements (@code{reshape}) costs nothing, and shows in the sizes alone;
## @item
## which arrays it reads and writes, and how many bytes these are, each array counted once;
## @item
## by which kernel;
## @item
## on a GPU, how long this traffic takes at least: the bytes, divided by the rate that the clock and the bus of the GPU's memory allow.  On a CPU this is not known.
## @end itemize
##
## Some expressions turn out to need another look at their operands (a sum that overflows, a NaN): what is done about that, after the passes, is not told.
##
## @var{s} is a structure with the fields
##
## @table @code
## @item class
## @itemx size
## of @var{g}
## @item device
## the number of the GPU, 0: the CPU; of an array over several GPUs their numbers
## @item memory_gbs
## rate of its memory, in 10^9 bytes a second, of several all together; NaN: not known
## @item waits
## false: @var{g} is computed
## @item passes
## a structure array, 1 x number of passes (none: @var{g} is computed), with the fields @code{computes}, @code{reads} and @code{writes} (cell columns of texts),
## @code{operations} and @code{reductions} (how many it does), @code{bytes_read}, @code{bytes_written}, @code{least_ms} (milliseconds; NaN: not known) and @code{kernel}:
## "by blocks" (on the CPU: some hundred elements at a time go through all operations), "of the package" (a reduction of an array),
## "interpreting" (the package's kernel on the GPU, which goes by a list of the operations), "to be compiled" (a kernel of its own, which the first use has compiled; until it is ready, the package's kernels give the same bits
## in more passes or more time), "being compiled" or "compiled".
## @end table
##
## Class and sizes of @var{g} are any.
##
## @example
## @group
## old = gpu_config ("device", "cpu");
## x = gpuArray (rand (1000, 400));
## gpu_explain ((x - mean (x)) ./ std (x))
##     @print{} y, double 1000x400, waits on the CPU for 1 pass over memory.
##     @print{} Pass 1: 2 reductions and 2 elementwise operations in one reading, slice by slice.
##     @print{}   r1 = mean (a, 1)
##     @print{}   r2 = std (a, 0, 1)
##     @print{}   y = (a - r1) ./ r2
##     @print{}   reads 3200000 bytes: a double 1000x400
##     @print{}   writes 3206400 bytes: r1 double 1x400, r2 double 1x400, y double 1000x400
##     @print{}   kernel: the CPU's, by blocks of elements
## gpu_config ("device", old);
## @end group
## @end example
##
## Errors: @code{gpureduce:invalid-input} where @var{g} is not a gpuArray, or one that was deleted or whose device was reset.
##
## The method is this package's own: a copy of the waiting operations is computed by a backend that notes what it is asked to do.
## @seealso{gpuArray, gpu_config, gpu_mapreduce}
## @end deftypefn

function s = gpu_explain (varargin)

  if (nargin != 1)
    print_usage ();
  endif
  told = __gpureduce__ ("explain", varargin{1});
  if (nargout > 0)
    s = told;
    return;
  endif

  what = [told.class " " strjoin(arrayfun (@(n) sprintf ("%d", n), told.size, "UniformOutput", false), "x")];
  where = "the CPU";
  if (told.device > 0)
    where = ["GPU " strjoin(arrayfun (@num2str, told.device, "UniformOutput", false), ", ")];
  endif
  if (! told.waits)
    printf ("%s on %s is computed: nothing waits.\n", what, where);
  else
    printf ("y, %s, waits on %s for %s over memory.\n", what, where, counted (numel (told.passes), "pass", "passes"));
  endif
  for k = 1:numel (told.passes)
    print_pass (k, told.passes(k), told.device > 0, told.memory_gbs);
  endfor
  if (numel (told.passes) > 1)
    printf ("Together: reads %d bytes, writes %d bytes%s\n", sum ([told.passes.bytes_read]), sum ([told.passes.bytes_written]),
            least (sum ([told.passes.least_ms]), told.memory_gbs));
  endif

endfunction

function print_pass (k, p, on_gpu, gbs)

  does = {};
  if (p.reductions > 0)
    does{end+1} = counted (p.reductions, "reduction", "reductions");
  endif
  if (p.operations > 0)
    does{end+1} = counted (p.operations, "elementwise operation", "elementwise operations");
  endif
  if (isempty (does))
    does = {"a copy"};
  endif
  how = "";
  if (numel (p.computes) > 1)
    how = " in one reading, slice by slice";
  elseif (p.reductions + p.operations > 1)
    how = " in one reading";
  endif
  printf ("Pass %d: %s%s.\n", k, strjoin (does, " and "), how);
  printf ("  %s\n", p.computes{:});
  printf ("  reads %d bytes: %s\n", p.bytes_read, strjoin (p.reads, ", "));
  printf ("  writes %d bytes: %s\n", p.bytes_written, strjoin (p.writes, ", "));
  kernels = {"by blocks", "the CPU's, by blocks of elements"
             "of the package", "the package's"
             "interpreting", "the package's, which interprets the operations"
             "to be compiled", "one of its own, which the first use has compiled; until then the package's, with the same bits"
             "being compiled", "one of its own, which is being compiled; until then the package's, with the same bits"
             "compiled", "one of its own, compiled"};
  printf ("  kernel: %s\n", kernels{strcmp (p.kernel, kernels(:,1)), 2});
  if (on_gpu && ! isnan (gbs))
    printf ("  time%s\n", least (p.least_ms, gbs)(2:end));
  endif

endfunction

function text = counted (n, one, more)
  if (n == 1)
    more = one;
  endif
  text = sprintf ("%d %s", n, more);
endfunction

function text = least (ms, gbs)
  text = "";
  if (! isnan (ms))
    text = sprintf (", at least %.3g ms by the %.0f GB/s of the GPU's memory", ms, gbs);
  endif
endfunction

%!function s = on_cpu (f, varargin)     # what the same expression of gpuArrays on the CPU waits for
%!  old = gpu_config ("device", "cpu");
%!  unwind_protect
%!    g = cellfun (@gpuArray, varargin, "UniformOutput", false);
%!    s = gpu_explain (f (g{:}));
%!  unwind_protect_cleanup
%!    gpu_config ("device", old);
%!  end_unwind_protect
%!endfunction
%!test                                   # a_chain_of_operations_is_one_pass
%! s = on_cpu (@(x) 2 * x .^ 2 + 1, rand (300, 40));
%! assert (fieldnames (s), {"class"; "size"; "device"; "memory_gbs"; "waits"; "passes"});
%! assert ({s.class, s.size, s.device, s.memory_gbs, s.waits}, {"double", [300 40], 0, NaN, true});
%! assert (fieldnames (s.passes), {"computes"; "reads"; "writes"; "operations"; "reductions"; "bytes_read"; "bytes_written"; "least_ms"; "kernel"});
%! assert (struct2cell (s.passes), {{"y = 2 .* a .^ 2 + 1"}; {"a double 300x40"}; {"y double 300x40"}; 3; 0; 300*40*8; 300*40*8; NaN; "by blocks"});
%!test                                   # reductions_of_one_array_come_from_one_reading
%! p = on_cpu (@(x) (x - mean (x)) ./ std (x), rand (1000, 400)).passes;
%! assert (struct2cell (p), {{"r1 = mean (a, 1)"; "r2 = std (a, 0, 1)"; "y = (a - r1) ./ r2"}; {"a double 1000x400"};
%!         {"r1 double 1x400"; "r2 double 1x400"; "y double 1000x400"}; 2; 2; 1000*400*8; (1000 + 2)*400*8; NaN; "by blocks"});
%! p = on_cpu (@(x) gpu_softmax (x), rand (1000, 400, "single")).passes;
%! assert (p.computes, {"r1 = max (a, [], 1)"; "r2 = sum (exp (a - r1), 1)"; "y = exp (a - r1) ./ r2"});
%! assert ([p.bytes_read, p.bytes_written, p.reductions, p.operations], [1000*400*4, (1000 + 2)*400*4, 2, 5]);
%!test                                   # operands_that_broadcast_are_read_once
%! p = on_cpu (@(x, w, b) (x - mean (x)) ./ sqrt (var (x) + 0.5) .* w + b, rand (1000, 400), rand (1000, 1), single (rand (1, 400))).passes;
%! assert (p.computes, {"r1 = mean (a, 1)"; "r2 = var (a, 0, 1)"; "t1 = sqrt (r2 + 0.5)"; "y = (a - r1) ./ t1 .* b + c"});
%! assert ([p.bytes_read, p.bytes_written], [1000*400*8 + 1000*8 + 400*4, 3*400*8 + 1000*400*4]);
%! p = on_cpu (@(x, w) x - w > 0.5, rand (30, 20), single (rand (1, 20))).passes;
%! assert ([p.bytes_read, p.bytes_written], [30*20*8 + 20*4, 30*20]);
%!test                                   # a_reduction_alone_waits_too
%! p = on_cpu (@(x) sum (x .^ 2), rand (1000, 400)).passes;
%! assert (struct2cell (p), {{"y = sum (a .^ 2, 1)"}; {"a double 1000x400"}; {"y double 1x400"}; 1; 1; 1000*400*8; 400*8; NaN; "by blocks"});
%! assert (on_cpu (@(x) min (x), rand (1000, 400)).passes.kernel, "of the package");
%!test                                   # reductions_over_other_slices_are_other_passes
%! p = on_cpu (@(x) (x - mean (x)) ./ (1 + std (x, 1, 2)), rand (200, 600)).passes;
%! assert ({p.computes}, {{"r1 = mean (a, 1)"}, {"r2 = std (a, 1, 2)"; "t1 = 1 + r2"}, {"y = (a - r1) ./ t1"}});
%! assert ([p.bytes_read], [200*600*8, 200*600*8, (200*600 + 600 + 200)*8]);
%! assert ([p.bytes_written], [600*8, 2*200*8, 200*600*8]);
%!test                                   # slices_that_are_too_long_do_not_wait
%! s = on_cpu (@(x) x - mean (x), rand (300000, 2));
%! assert (s.passes.computes, {"y = a - b"});
%! assert (s.passes.reads, {"a double 300000x2"; "b double 1x2"});
%!test                                   # what_was_read_once_as_an_expression_is_computed_the_second_time
%! old = gpu_config ("device", "cpu");
%! unwind_protect
%!   e = exp (gpuArray (rand (200, 600)) - gpuArray (rand (200, 1)));
%!   means = {mean(e), mean(e, 2)};
%!   first = gpu_explain (means{1}).passes;
%!   gather (means{2});
%!   second = gpu_explain (means{1}).passes;
%! unwind_protect_cleanup
%!   gpu_config ("device", old);
%! end_unwind_protect
%! assert ({first.computes}, {{"y = mean (exp (a - b), 1)"}});
%! assert ({second.computes}, {{"t1 = exp (a - b)"}, {"y = mean (t1, 1)"}});
%! assert ([second.bytes_read; second.bytes_written], 8 * [200*600 + 200, 200*600; 200*600, 600]);
%!test                                   # what_is_computed_waits_for_nothing
%! for g = {gpuArray(rand (3)), gpuArray(5), gpuArray(complex (1, 2)), gpuArray(int64 (7))}
%!   s = gpu_explain (g{1});
%!   assert ({s.waits, isempty(s.passes), s.class}, {false, true, underlyingType(g{1})});
%! endfor
%! g = gpuArray (rand (3)) + 1;
%! gather (g);
%! assert (gpu_explain (g).waits, false);
%! assert (gpu_explain (gpuArray (zeros (0, 3)) + 1).waits, false);
%!test                                   # asking_computes_nothing
%! old = gpu_config ("device", "cpu");
%! unwind_protect
%!   x = gpuArray (rand (1000, 400));
%! unwind_protect_cleanup
%!   gpu_config ("device", old);
%! end_unwind_protect
%! e = exp (x - max (x));
%! y = e ./ sum (e);
%! s = gpu_explain (y);
%! t = gpu_explain (e);
%! kernels = gpu_config ("compiled");
%! assert (gpu_explain (y), s);
%! assert (gpu_explain (e), t);
%! assert (gpu_config ("compiled"), kernels);
%! assert (s.waits && t.waits);
%! h = exp (gather (x) - max (gather (x)));
%! assert (gather (y), h ./ sum (h), 1e-12);
%! assert (gather (e), h, 1e-12);
%!function evaluate (f, varargin)         # the lines, as Octave's code, give what the array is; operands differ in class or sizes
%!  names = cellfun (@(x) [class(x) " " strjoin(arrayfun (@num2str, size (x), "UniformOutput", false), "x")], varargin, "UniformOutput", false);
%!  old = gpu_config ("device", "cpu");
%!  unwind_protect
%!    g = cellfun (@gpuArray, varargin, "UniformOutput", false);
%!    z = f (g{:});
%!    s = gpu_explain (z);
%!  unwind_protect_cleanup
%!    gpu_config ("device", old);
%!  end_unwind_protect
%!  assert (s.waits);
%!  v = struct ();
%!  for p = s.passes
%!    for text = p.reads.'
%!      part = regexp (text{1}, '^(\w+) (.*)$', "tokens"){1};
%!      if (! isfield (v, part{1}))
%!        v.(part{1}) = varargin{strcmp (part{2}, names)};
%!      endif
%!    endfor
%!    for k = 1:numel (p.computes)
%!      part = regexp (p.computes{k}, '^(\w+) = (.*)$', "tokens"){1};
%!      v.(part{1}) = eval (regexprep (part{2}, '\<([a-p]|[rt]\d+)\>(?! *\()', 'v.$1'));
%!      size_of = strjoin (arrayfun (@num2str, size (v.(part{1})), "UniformOutput", false), "x");
%!      assert (p.writes{k}, [part{1} " " class(v.(part{1})) " " size_of]);
%!    endfor
%!  endfor
%!  want = gather (z);
%!  assert (class (v.y), class (want));
%!  assert (double (v.y), double (want), 1e-5 * (1 + max (abs (double (want(:))))));
%!endfunction
%!test                                   # the_lines_are_octaves_code
%! x = randn (40, 30);
%! evaluate (@(x) -(x + 1) .* (x - 1) > 0.5 & ! (x < 1) | x == 2, x);
%! evaluate (@(x) (x - (1 - x)) ./ (2 ./ (x ./ 3)), x);
%! evaluate (@(x) (-x) .^ 2 - -x .^ 2 + 2 .^ -x, x);
%! evaluate (@(x) (abs (x) .^ 2) .^ (x .^ 3), x);
%! evaluate (@(x, b) mod (x, 3) + atan2 (b, x) - max (x, b), x, randn (1, 30));
%! evaluate (@(x) min (x .* 2, -1) .* Inf, 1 + abs (x));
%! evaluate (@(i) (i + 100) .* 2 - 7, int8 (randi (50, 9, 8)));
%! evaluate (@(i, x) i .* x + 1 - x, int16 (randi (50, 9, 8)), rand (9, 8));
%! evaluate (@(x) (x + 1) .* (x + 1), x);
%! e = @(x) exp (x ./ 2);
%! evaluate (@(x) e (x) .* e (x) + e (x), x);
%! evaluate (@(x) hypot (x, sign (x)) ./ (1 + expm1 (x)) - 1e-300 .* x + 123456789.125, x);
%!test                                   # lines_with_reductions_too
%! x = randn (500, 300);
%! for f = {@(x) x - mean (x), @(x) x ./ sum (abs (x)), @(x) (x - min (x)) ./ (max (x) - min (x)), @(x) x + any (x > 2), ...
%!          @(x) x .* all (x > -3), @(x) x - var (x, 1), @(x) x ./ sqrt (sumsq (x)), @(x) x ./ prod (1 + x ./ 1000), @(x) x - log (sum (exp (x)))}
%!   evaluate (f{1}, x);
%!   if (! __gpr_rule__ ("mean_wide") || isempty (strfind (func2str (f{1}), "mean")))     # a mean by wider sums does not wait
%!     evaluate (f{1}, single (x));
%!   endif
%! endfor
%! evaluate (@(x) x ./ norm (x, "columns"), x);
%! evaluate (@(x) x ./ norm (x, Inf, "columns"), x);
%! x = randn (30, 40, 100);
%! for f = {@(x) x - sum (x, 3), @(x) x - sum (x, 2), @(x) x - max (x, [], 2), @(x) (x - mean (x, 2)) .* 2}
%!   evaluate (f{1}, x);
%! endfor
%! evaluate (@(x) (x - mean (x)) ./ (1 + std (x, 0, 2)), randn (200, 600));
%!test                                   # the_text_says_the_same
%! old = gpu_config ("device", "cpu");
%! unwind_protect
%!   x = gpuArray (rand (1000, 400));
%!   y = (x - mean (x)) ./ std (x);
%!   text = strsplit (strtrim (evalc ("gpu_explain (y)")), "\n");
%!   more = evalc ("gpu_explain (gpuArray (rand (200, 600)) - mean (x(1:200,1)) + 0)");
%!   done = evalc ("gpu_explain (x)");
%! unwind_protect_cleanup
%!   gpu_config ("device", old);
%! end_unwind_protect
%! assert (text, {"y, double 1000x400, waits on the CPU for 1 pass over memory.", "Pass 1: 2 reductions and 2 elementwise operations in one reading, slice by slice.", ...
%!   "  r1 = mean (a, 1)", "  r2 = std (a, 0, 1)", "  y = (a - r1) ./ r2", "  reads 3200000 bytes: a double 1000x400", ...
%!   "  writes 3206400 bytes: r1 double 1x400, r2 double 1x400, y double 1000x400", "  kernel: the CPU's, by blocks of elements"});
%! assert (! isempty (strfind (more, "2 elementwise operations in one reading.")));
%! assert (done, "double 1000x400 on the CPU is computed: nothing waits.\n");
%!test                                   # a_long_expression_is_cut_in_the_text_alone
%! y = gpuArray (rand (20, 3)) + 1;
%! for k = 1:9
%!   y = sin (y) .* cos (y) + y ./ 3;
%! endfor
%! s = gpu_explain (y);
%! assert (s.passes(end).bytes_written, 20*3*8);
%! assert (all (cellfun (@numel, s.passes(end).computes) < 1000));
%!error <Invalid call> gpu_explain ()
%!error <Invalid call> gpu_explain (1, 2)
%!error <gpu_explain: G must be a gpuArray> gpu_explain (3)
%!error id=gpureduce:invalid-input gpu_explain ("x")
%!error id=gpureduce:invalid-input gpu_explain ({})
%!error id=gpureduce:invalid-input g = gpuArray (1:3); delete (g); gpu_explain (g)
