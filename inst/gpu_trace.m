## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {} gpu_trace (@var{variant})
## @deftypefnx {} {} gpu_trace (@var{variant}, @var{n}, @var{block})
## @deftypefnx {} {} gpu_trace (@dots{}, @var{name}, @var{value}, @dots{})
## @deftypefnx {} {} gpu_trace (@dots{}, "open")
## @deftypefnx {} {@var{t} =} gpu_trace (@dots{})
## Show step by step what the kernel @var{variant} does: which threads work, and
## what their accesses to memory cost.
##
## The kernel runs in the simulator, no GPU is needed.  It reduces @var{n} small
## whole numbers (at most 2^24), the same in every run, in blocks of @var{block}
## threads: 32, 64, 128, 256, 512 or 1024.  The default is 64 elements, of a bug on show as many
## as it takes to see it, in blocks of 64, or of the kernel's own size where it has no
## blocks of 64.  @code{gpu_variants} lists the kernels.  A step is what a block does from one barrier to the next.
##
## Without an output argument the trace is printed: a row a step, a character a
## thread, a line for each warp of 32 threads, at most four.  @samp{#} makes an
## access to memory or a shuffle, @samp{.} runs without one, a blank is idle or has
## left the kernel.  Then come
##
## @table @asis
## @item active lanes
## threads that make an access, in percent of the block
## @item warps run + skipped
## warps with such a thread, and without
## @item divergent
## warps whose threads took different ways
## @item bank conflicts
## times that an access to shared memory had to be repeated because threads of a
## warp wanted different words of one of its 32 banks of 4 bytes, and the most words
## that one bank was asked for (2-way, 4-way, @dots{})
## @item sectors (needed)
## pieces of 32 bytes read from or written to global memory, and how many would
## have held the same data; the sums say how many of them were written
## @item barriers, shuffles, atomics
## how many there were
## @item line
## of the source, where the step ends or most of it happens
## @end table
##
## @noindent
## and after each launch what its warps did in all: basic blocks that a warp went through (both sides of a branch where its
## threads part), divisions of whole numbers, which take dozens of instructions each, accesses by the warp, and how many of
## its lanes took part in one on average; and in the end the sums over all blocks and launches, the result beside the built-in's, and the
## fault, if the kernel has one: its kind, thread, block, file and line.  Threads,
## blocks, steps and addresses in memory count from 0, as in the kernel's source.
##
## @code{map_reduce} and @code{map_then_reduce} reduce 2 * x + 1 here, as the title says;
## in @code{gpu_reduce} they reduce @var{x} itself, as every kernel does.
##
## The result is the kernel's own: int32 is added and multiplied in 32 bits, a maximum
## of nothing but NaN is -Inf.  @code{gpu_reduce} corrects such results afterwards.
##
## Options, their names in upper or lower case:
##
## @table @asis
## @item "op", @var{op}
## "sum" (default), "prod", "max" or "min"; "argmax" (default of its kernels) or
## "argmin"; "histogram".
##
## @item "class", @var{class}
## Of the numbers: "int32" (default), "single", "double", or "uint8" for histograms.
##
## @item "finish", @var{finish}
## How the blocks' results become one: "two_pass", "multi_level", "atomic",
## "last_block" or "grid_sync", as far as the kernel has it.
##
## @item "bins", @var{bins}
## Of histograms, over the numbers from the least to the greatest (default 10).
##
## @item "data", @var{x}
## A real vector to reduce instead; @var{n} is then its length.
##
## @item "seconds", @var{s}
## The run takes @var{s} seconds at most, as in @code{gpu_reduce}.
##
## @item "png", @var{file}
## Draw threads against steps, and the counts as bars, into this file.  Needs gnuplot.
##
## @item "html", @var{file}
## Write a page, complete in this one file, that animates how the data moves through
## global memory, lanes and shared memory.  Each step says what it does in a sentence,
## and shows its instructions one by one, the tree of partial sums, the source and,
## where the kernel fails, the place and the threads.  @w{"Predict first"} asks what
## the next step costs before it shows it.  Any browser shows the page, a phone's too;
## printed it is a table of all steps.  The space key plays and pauses, arrow keys step,
## comma and full stop go by instructions, Home and End jump; @code{#step=5} after the
## page's address leads to step 5.
##
## @item "open"
## Open the page in the browser, that of "html" or a temporary one.  Where there is none, the
## file is named.  Takes no value.
##
## @item "steps", @var{k}
## Print, draw and write the first @var{k} steps only, and put only these into words (default 200).  With 0 no accesses are
## kept, which is quicker.
##
## @item "card", @var{name}
## Of which card a model tells the time: "H200" (default), "H100", "A100", "RTX 3080", or "here" for
## the GPU of this machine.
## @end table
##
## Where one warp alone does a step by fewer and fewer lanes, as the last steps of a reduction that are written out, rows 1.1, 1.2,
## @dots{} below its own show which lanes of the warp carry out its instructions.
##
## The last line is a model's: how long the kernel would take for 4M (2^22) elements on that card, and what bounds it.
## The model knows the simulator's counts and the card's sizes and rates; on an H100 and an H200 half of its times are within
## 7 % of those measured.  Of other cards it is untested, and says so.  Kernels that end in a fault have no such line.
##
## @var{t} is a struct with the fields variant, op, class, n, block, grid, finish,
## scale and bias (scale * x + bias is reduced: 1 and 0 where the kernel maps nothing),
## sampled (true where steps or blocks are left out), totals, result, builtin, agrees
## (whether these two do), data (the elements), about (the kernel's idea and lesson), title, verdict
## and fault_text (sentences), fault ([] where there is none, else a struct with kind, kernel, file, line, thread,
## block, what, cause, a sentence or "", other and waiting), and launches, a row of structs with kernel, grid,
## block, shared_bytes (of a block), totals and steps.  A step has block, step, file, line, active (the row of
## characters), the counts, active_percent, issued_percent (warps run of all),
## sector_percent (sectors needed of those fetched; NaN without any) and text, a
## sentence on what it does.  For @var{n} up
## to 4096 it has also shared, the values in shared memory at its end (NA: nothing
## written yet; of "argmax" and "argmin" a cell, of a value and its index each), and
## accesses, a row of structs with thread, kind, space, array, index, bytes, value,
## file, line, of a shuffle from, the lane it reads, slot (accesses of one slot are one
## instruction of their warp) and passes (how often memory was asked for the warp's: passes
## through the banks, sectors, or the most atomics on one address); and parts, what each
## instruction does, a row of structs with slot and text.  result and builtin of
## "argmax" and "argmin" are the value and its index.  A file is one that @code{edit}
## opens: of the package's kernels as @code{gpu_variants} names it.
##
## totals, of all launches and of each, have the counts and besides sectors_first (read by the first to touch them in the launch),
## shared_atomics and global_atomics with shared_atomic_passes and global_atomic_passes (turns that they took), issued and path.
## These two count what a whole warp does at once: issued that of all warps, path that of the warp which has most of it in each
## step: blocks (basic blocks; both sides of a branch count where lanes part), divisions (of whole numbers), reads, writes,
## lines (of 128 bytes) and waits of global memory (waits for memory, hits for a cache), shared, shuffles and atomics; accesses, all of these instructions, and lanes, that
## took part in them: lanes / (32 * accesses) is the share of the warp that works.
##
## model, [] where there is none, has the fields ms, card, n, bound (a word), why and text (a sentence), terms (milliseconds
## that memory, latency, instructions, shared memory and atomics would take, each alone, and those of launches and finish), and tested.
##
## @example
## @group
## t = gpu_trace ("sequential", 64, 64);
## [t.launches(1).steps(1:4).active_percent]
##     @result{} 100.000    50.000    25.000    12.500
## t = gpu_trace ("shared_strided", 256, 256);
## [t.launches(1).steps(2:4).worst_way]
##     @result{} 2   4   8
## t = gpu_trace ("map_then_reduce", 1024, 256, "finish", "atomic").totals;
## [t.sectors, t.sectors_written]
##     @result{} 384   128
## t = gpu_trace ("map_reduce", 1024, 256, "finish", "atomic").totals;
## [t.sectors, t.sectors_written]
##     @result{} 128     0
## t = gpu_trace ("single_thread", 24, 32);
## t.launches(1).steps.text
##     @result{} Thread 0 reads 24 elements of x, adds them and writes partial[0].
## t = gpu_trace ("shared_strided", 256, 256).model;
## [t.bound ", " num2str(t.n)]
##     @result{} bank conflicts, 4194304
## gpu_trace ("shared_strided", 256, 128, "html", "strided.html")
## @c doctest: +SKIP
## @end group
## @end example
##
## Errors: @code{gpureduce:invalid-input} for an unknown kernel, block, operator,
## class, option or value, naming those that are allowed, and for a file that cannot
## be written; @code{gpureduce:unsupported} where gnuplot is missing, or the compiler
## that the simulator needs.
##
## Banks and sectors are those of the @cite{CUDA C++ Programming Guide} (NVIDIA).
## @seealso{gpu_compare, gpu_variants, gpu_variant_add, gpu_reduce, gpu_bench}
## @end deftypefn

function t = gpu_trace (variant, varargin)

  if (nargin < 1)
    print_usage ();
  endif
  if (! (ischar (variant) && isrow (variant)))
    invalid ("VARIANT must be the name of a kernel; gpu_variants lists them");
  endif
  no_char_pages ("gpu_trace", varargin);
  [open, args] = open_flag (varargin);
  [x, block, o] = arguments_of (variant, args);
  if (open && isempty (o.html))
    o.html = [tempname() ".html"];
  endif
  if (! isempty (o.png))
    why = __gpr_gnuplot__ ();           # before minutes of simulation
    if (! isempty (why))
      error ("gpureduce:unsupported", "gpu_trace: png: %s", why);
    endif
  endif

  if (isempty (o.report))
    frames = ! isempty (o.html) || (o.steps > 0 && numel (x) <= 4096);
    edges = {};
    if (strcmp (o.op, "histogram"))
      edges{1} = edges_of (x, o.bins);
    endif
    o.report = __gpureduce__ ("trace", variant, o.op, x, o.finish, double (block), edges{:}, frames, o.seconds{:});
  endif
  t = trace_words (trace_report (o.report), o.steps);
  t.model = [];
  if (isempty (t.fault))
    t.model = __gpr_predict__ (t, 2^22, o.card);
  endif
  [t.title, t.verdict, t.fault_text, t.builtin, t.agrees] = sentences (t, x, o.bins);
  t.about = about (variant);
  t.data = x;
  if (! isempty (o.png))
    trace_plot (t, o.steps, o.png);
  endif
  if (! isempty (o.html))
    trace_page (t, o.steps, o.html);
  endif
  if (nargout == 0)
    printf ("%s\n", trace_text (t, o.steps));
    if (! isempty (o.png))
      printf ("Plot: %s\n", o.png);
    endif
    if (! isempty (o.html))
      printf ("Page: %s\n", o.html);
    endif
    clear t
  endif
  if (open)
    open_page (o.html);
  endif

endfunction

## The elements to reduce, the threads of a block, and the options.
function [x, block, o] = arguments_of (variant, args)

  sizes = default_sizes (variant);
  given = 0;
  while (given < 2 && ! isempty (args) && ! ischar (args{1}))
    if (! isempty (args{1}))
      sizes{given+1} = args{1};
    endif
    args(1) = [];
    given++;
  endwhile
  [n, block] = sizes{:};
  o = options_of (variant, args);
  most = 2^24;                  # the simulator's
  if (! isempty (o.data))
    n = numel (o.data);
  elseif (! is_count (n))
    invalid ("N must be a positive integer");
  endif
  if (n > most)
    invalid ("%.0f elements are more than a trace takes: %d", n, most);
  endif
  if (! (is_count (block) && any (block == 2 .^ (5:10))))
    invalid ("BLOCK must be 32, 64, 128, 256, 512 or 1024");
  endif
  if (isempty (o.op) && isempty (o.report))
    o.op = op_of (variant);
  endif
  if (isempty (o.bins))
    o.bins = 10;
  elseif (! strcmp (o.op, "histogram"))
    invalid ("bins goes with \"histogram\"");
  endif
  x = o.data;
  if (isempty (x))
    x = numbers (double (n), o.op, o.class);
  endif

endfunction

function o = options_of (variant, args)

  o = struct ("op", "", "class", "", "finish", "", "bins", [], "data", [], "seconds", [], "png", "", "html", "", "steps", 200, "card", "H200");
  ## For tests: a report instead of the simulator's.
  report = [];
  at = find (cellfun (@(a) ischar (a) && strcmp (a, "report"), args(1:2:end-1)), 1);
  if (! isempty (at))
    report = args{2*at};
    args(2*at-1:2*at) = [];
  endif
  o = named_options ("gpu_trace", args, o, @checked);
  o.report = report;
  o.seconds = num2cell (o.seconds);
  if (isempty (o.class))
    o.class = class_of (variant);
  elseif (! isempty (o.data))
    o.data = cast (o.data, o.class);
  endif

endfunction

function value = checked (name, value)

  switch (name)
    case {"op", "finish"}
      if (! (ischar (value) && isrow (value)))
        invalid ("%s must be a name", name);
      endif
    case "class"
      if (! (ischar (value) && any (strcmp (value, {"double", "single", "int32", "uint8"}))))
        invalid ("class must be \"double\", \"single\", \"int32\" or \"uint8\"");
      endif
    case "data"
      if (! (isnumeric (value) && isreal (value) && isvector (value)))
        invalid ("data must be a real numeric vector");
      endif
      value = full (gather (value));
    case {"png", "html"}
      if (! (ischar (value) && isrow (value)))
        invalid ("%s must be the name of a file", name);
      endif
      writable (value, ["gpu_trace: " name]);
    case "bins"
      if (! (is_count (value) && value <= 65536))
        invalid ("bins must be a positive integer, at most 65536");
      endif
      value = double (value);
    case "seconds"
      if (! (isnumeric (value) && isreal (value) && isscalar (value) && value > 0))
        invalid ("seconds must be a positive number; Inf: no limit");
      endif
      value = double (value);
    case "card"
      model_card (value);
    case "steps"
      if (! (is_count (value) || isequal (value, 0)))
        invalid ("steps must be a whole number, 0 or more");
      endif
      value = double (value);
  endswitch

endfunction

function yes = is_count (v)
  yes = isnumeric (v) && isreal (v) && isscalar (v) && v >= 1 && v == fix (v);
endfunction

## The variants of that name; none without a simulator, which "trace" will tell.
function v = called (variant)
  try
    v = named_variants (listed_variants (), variant);
  catch
    v = [];
  end_try_catch
endfunction

## N and BLOCK where they are not said, as the kernel's descriptor has them.
function sizes = default_sizes (variant)

  sizes = {64, 64};
  v = called (variant);
  if (isempty (v))
    return;
  endif
  if (v(1).n > 0)
    sizes{1} = v(1).n;
  endif
  if (! any (v(1).blocks == 64))
    sizes{2} = v(1).block;
  endif

endfunction

## The kernel's idea, its lesson, and what is still wrong with it, as its descriptor has them.
function text = about (variant)

  text = "";
  v = called (variant);
  if (isempty (v))
    return;
  endif
  for c = {"Idea", "idea"; "Lesson", "lesson"; "Still wrong", "wrong"}'
    if (! isempty (v(1).(c{2})))
      text = strtrim (sprintf ("%s  %s: %s.", text, c{1}, regexprep (v(1).(c{2}), '[.\s]+$', "")));
    endif
  endfor

endfunction

## What the kernel's family computes, where it is not said.
function op = op_of (variant)

  op = "sum";
  v = called (variant);
  if (! isempty (v) && ! strcmp (v(1).family, "reduce"))
    op = v(1).family;
  elseif (! isempty (v))
    op = taken_or_first (op, v(1).operators);
  endif

endfunction

## The class, where it is not said.
function class = class_of (variant)

  class = "int32";
  v = called (variant);
  if (! isempty (v))
    class = taken_or_first (class, v(1).classes);
  endif

endfunction

## Small whole numbers, the same in every run, whose reduction is small too.
function x = numbers (n, op, class)

  k = 0:n-1;
  x = mod (k * 7 + floor (k / 3) * 3 + floor (k / 32) * 5, 10);
  switch (op)
    case "prod"
      x = ones (1, n);
      x(1:max (1, ceil (n / 12)):n) = 2;
    case {"max", "min", "argmax", "argmin"}
      x = mod (k * 37 + floor (k / 5) * 11 + 17, 20);         # many of the greatest
  endswitch
  x = cast (x, class);

endfunction

## Bins of equal width over the values of X.
function edges = edges_of (x, bins)

  x = double (x(isfinite (x)));
  lo = min ([x(:); Inf]);
  hi = max ([x(:); -Inf]);
  if (isempty (x))
    lo = 0;
    hi = 1;
  elseif (lo == hi)
    lo -= 0.5;
    hi += 0.5;
  endif
  edges = lo + (0:bins) * (hi - lo) / bins;
  edges(end) = hi;

endfunction

## The trace's title, its outcome, its fault, and what the built-in says.
function [title, verdict, fault, builtin, agrees] = sentences (r, x, bins)

  values = "value";
  if (r.n != 1)
    values = "values";
  endif
  map = "";
  if (r.scale != 1 || r.bias != 0)
    map = sprintf ("%g * x + %g over ", r.scale, r.bias);
  endif
  title = sprintf ("%s: %s of %s%d %s %s, blocks of %d threads", r.variant, r.op, map, r.n, r.class, values, r.block);
  if (! isempty (r.finish))
    title = [title ", finish " r.finish];
  endif

  x = mapped (x(:), r.scale, r.bias);
  builtin = builtin_of (r.op, x, bins);
  fault = fault_text (r.fault);
  agrees = agree (r, x, builtin);
  if (isempty (r.result))
    verdict = sprintf ("No result; the built-in's is %s.", value_text (builtin, r.op));
  elseif (agrees)
    verdict = sprintf ("Result %s, the same as the built-in's.", value_text (r.result, r.op));
  else
    verdict = sprintf ("Result %s, but the built-in's is %s.", value_text (r.result, r.op), value_text (builtin, r.op));
    if (isempty (r.fault) && strcmp (r.class, "int32") && any (abs (builtin(:)) > double (intmax ("int32"))))
      verdict = [verdict "  It is the kernel's own, in 32 bits."];
    elseif (isempty (r.fault) && ! all (isfinite ([x; double(r.result(:))])))
      verdict = [verdict "  It is the kernel's own; gpu_reduce corrects what is NaN, NA or beyond the range."];
    endif
  endif

endfunction

## What a kernel of that scale and bias reduces, as doubles: of floats as they are in
## their own class, of integers exact.
function x = mapped (x, scale, bias)
  if (isinteger (x))
    x = double (x);
  endif
  x = double (scale * x + bias);
endfunction

## What the built-in computes; an index counts from 0, as in the kernel.
function y = builtin_of (op, x, bins)

  y = [];
  switch (op)
    case {"sum", "prod", "max", "min"}
      y = feval (op, x);
    case {"argmax", "argmin"}
      [value, index] = feval (op(4:6), x);
      y = [value; index - 1];
    case "histogram"
      y = histc (x, edges_of (x, bins));
      y(end-1) += y(end);
      y(end) = [];
  endswitch

endfunction

## Whether the kernel's result is the built-in's, sums and products but for rounding.
function yes = agree (r, x, builtin)

  yes = false;
  if (! isempty (r.result) && isnumeric (r.result) && numel (r.result) == numel (builtin))
    result = double (r.result(:));
    wanted = double (builtin(:));
    bound = 0;
    if (any (strcmp (r.class, {"double", "single"})) && any (strcmp (r.op, {"sum", "prod"})))
      bound = 64 * eps (r.class) * sum (abs (x));
      if (strcmp (r.op, "prod"))
        bound = r.n * eps (r.class) * abs (wanted);
      endif
    endif
    yes = all (abs (result - wanted) <= bound | result == wanted | (isnan (result) & isnan (wanted)));
  endif

endfunction

## "" where there is no fault.
function text = fault_text (fault)

  text = "";
  if (isempty (fault))
    return;
  endif
  text = sprintf ("Fault: %s.  %s", fault.kind, fault_sentence (fault));
  if (! isempty (fault.other))
    text = [text "  " fault_sentence(fault.other)];
  endif
  for w = fault.waiting
    others = "";
    if (w.threads > 1)
      others = sprintf ("and %d more ", w.threads - 1);
    endif
    w.kernel = "";
    w.what = [others "waiting: " w.what];
    text = [text "  " fault_sentence(w)];
  endfor
  if (! isempty (fault.cause))
    text = [text "  Likely cause: " fault.cause "."];
  endif

endfunction

## "Thread 3 of block 0 WHAT (kernel K, FILE line N)."
function text = fault_sentence (f)

  text = f.what;
  if (! isempty (f.thread) && ! isempty (f.file))
    who = ["Thread " thread_text(f.thread)];
    if (! isempty (f.block))
      who = [who " of block " thread_text(f.block)];
    endif
    text = [who " " text];
  elseif (! isempty (text))
    text(1) = toupper (text(1));
  endif
  where = {};
  if (! isempty (f.kernel))
    where{end+1} = ["kernel " f.kernel];
  endif
  if (! isempty (f.file))
    [~, name, ext] = fileparts (f.file);
    where{end+1} = sprintf ("%s%s line %d", name, ext, f.line);
  endif
  if (! isempty (where))
    text = sprintf ("%s (%s)", text, strjoin (where, ", "));
  endif
  text(end+1) = ".";

endfunction

## "3", or "(3,1,0)" where there is more than one dimension.
function text = thread_text (p)
  if (all (p(2:end) == 0))
    text = sprintf ("%d", p(1));
  else
    text = sprintf ("(%s)", strjoin (arrayfun (@(v) sprintf ("%d", v), p, "UniformOutput", false), ","));
  endif
endfunction

function text = value_text (v, op)
  if (numel (v) == 2 && any (strcmp (op, {"argmax", "argmin"})))
    text = sprintf ("%.10g at index %d", v);
  elseif (isnumeric (v) || islogical (v))
    text = strtrim (sprintf ("%.10g ", v(1:min (end, 16))));
    if (numel (v) > 16)
      text = sprintf ("%s ... (%d values)", text, numel (v));
    endif
  else
    text = strtrim (disp (v));
  endif
endfunction

function invalid (varargin)
  error ("gpureduce:invalid-input", ["gpu_trace: " varargin{1}], varargin{2:end});
endfunction

## A report as the simulator writes it: two steps of 32 threads, and a fault if asked.
%!function json = report (fault)
%!  counts = ['"warps_issued":1,"warps_skipped":1,"divergent_warps":%d,"shared_reads":%d,"shared_writes":32,' ...
%!            '"bank_conflicts":%d,"worst_way":%d,"sectors":%d,"sectors_needed":4,"barriers":1,"shuffles":0,' ...
%!            '"atomics":0,"contention":0'];
%!  access = @(t, kind, space, array, i, v) sprintf (['{"thread":%d,"kind":"%s","space":"%s","array":"%s",' ...
%!                                                    '"index":%d,"value":%g,"line":7,"from":null}'], t, kind, space, array, i, v);
%!  first = sprintf (['{"block":0,"step":0,"file":"k.cu","line":7,"active":"%s","active_lanes":32,' counts ...
%!                    ',"shared":[%snull],"accesses":[%s,%s]}'], repmat ("#", 1, 32), 0, 0, 0, 1, 8, repmat ("1,", 1, 31), ...
%!                   access (0, "read", "global", "x", 0, 1), access (0, "write", "shared", "shared", 0, 1));
%!  second = sprintf (['{"block":0,"step":1,"file":"k.cu","line":9,"active":"%s","active_lanes":8,' counts '}'], ...
%!                    [repmat("#", 1, 8) repmat(".", 1, 16) repmat(" ", 1, 8)], 1, 16, 6, 4, 0);
%!  if (nargin)
%!    outcome = ['"result":null,"fault":{"kind":"race","kernel":"k","file":"k.cu","line":9,"thread":[3,0,0],"block":[0,0,0],' ...
%!               '"what":"reads shared[5] </script>","other":{"kind":"race","kernel":"k","file":"k.cu","line":8,' ...
%!               '"thread":[5,0,0],"block":[0,0,0],"what":"wrote it before"}}'];
%!  else
%!    outcome = '"result":32,"fault":null';
%!  endif
%!  json = sprintf (['{"variant":"k","op":"sum","class":"int32","n":32,"block":32,"grid":1,"finish":"two_pass",' ...
%!                   '"sampled":false,"launches":[{"kernel":"k","grid":1,"block":32,"steps":[%s,%s]}],' ...
%!                   '"totals":{"active_lanes":40,' counts '},%s}'], first, second, 1, 16, 6, 4, 8, outcome);
%!endfunction

%!testif HAVE_RAPIDJSON
%! t = gpu_trace ("k", 32, 32, "data", ones (1, 32), "report", report ());
%! assert ({t.variant, t.op, t.class, t.finish}, {"k", "sum", "int32", "two_pass"});
%! assert ([t.n, t.block, t.grid, t.result, t.builtin], [32 32 1 32 32]);
%! assert (isempty (t.fault));
%! s = t.launches.steps;
%! assert (size (s), [1 2]);
%! assert ([s.active_percent], [100 25]);
%! assert ([s.issued_percent], [50 50]);
%! assert ([s.sector_percent], [50 NaN]);
%! assert (s(1).shared, [ones(1, 31) NA]);
%! assert ({s(1).accesses.kind}, {"read", "write"});
%! assert ([s(1).accesses.index], [0 0]);
%! assert (isempty (s(2).accesses) && isempty (s(2).shared));
%! assert (s(2).active, [repmat("#", 1, 8) repmat(".", 1, 16) repmat(" ", 1, 8)]);
%!testif HAVE_RAPIDJSON                  # a_null_among_accesses_is_one_of_which_nothing_is_known
%! t = gpu_trace ("k", 32, 32, "data", ones (1, 32), "report", strrep (report (), '"accesses":[', '"accesses":[null,'));
%! a = t.launches.steps(1).accesses;
%! assert ({a.kind}, {"", "read", "write"});
%! assert ([a.line], [7 7 7]);

%!testif HAVE_RAPIDJSON
%! text = evalc ('gpu_trace ("k", 32, 32, "data", ones (1, 32), "report", report ())');
%! rows = strsplit (text, "\n");
%! assert (rows{1}, "k: sum of 32 int32 values, blocks of 32 threads, finish two_pass.");
%! row = rows{find(strncmp (rows, "    0    1 |", 12))};
%! assert (row(12:45), ["|" repmat("#", 1, 8) repmat(".", 1, 16) repmat(" ", 1, 8) "|"]);
%! assert (strsplit (strtrim (row(46:end)), " "), {"25%", "1+1", "1", "6", "4-way", "0", "1", "0", "0", "9"});
%! assert (any (! cellfun (@isempty, strfind (rows, " 8 (4) "))));
%! assert (all (cellfun (@numel, rows) < 120));
%! assert (! isempty (strfind (text, "\nResult 32, the same as the built-in's.\n")));
%! text = evalc ('gpu_trace ("k", 32, 32, "data", 2 * ones (1, 32), "report", report ())');
%! assert (! isempty (strfind (text, "\nResult 32, but the built-in's is 64.\n")));
%! text = evalc ('gpu_trace ("k", 32, 32, "data", ones (1, 32), "report", report (), "steps", 1)');
%! assert (! isempty (strfind (text, '... and 1 more step ("steps", 2 shows all)')));
%! text = evalc ('gpu_trace ("k", 32, 32, "data", ones (1, 32), "report", report (true))');
%! assert (! isempty (strfind (text, ["Fault: race.  Thread 3 of block 0 reads shared[5] </script> (kernel k, k.cu line 9).  " ...
%!                                    "Thread 5 of block 0 wrote it before (kernel k, k.cu line 8).\nNo result"])));

%!testif HAVE_RAPIDJSON
%! file = [tempname() ".html"];
%! unwind_protect
%!   t = gpu_trace ("k", 32, 32, "data", ones (1, 32), "report", report (true), "html", file);
%!   page = fileread (file);
%! unwind_protect_cleanup
%!   unlink (file);
%! end_unwind_protect
%! assert (numel (strfind (page, "</script>")), 2);
%! assert (isempty (regexp (page, '@[A-Z]+@')));
%! assert (isempty (regexp (page, '(src|href)\s*=\s*"(?!data:|#)')));
%! data = jsondecode (regexp (page, '(?<=id="trace">)[^<]*', "match"){1});
%! data = data.traces;
%! assert (numel (data.steps), 2);
%! assert (data.fault_at.line, 9);
%! assert (numel (data.x), 32);
%! assert (data.steps(1).a.v, [1; 1]);

%!testif HAVE_RAPIDJSON; system ("gnuplot --version > /dev/null 2>&1") == 0
%! file = [tempname() ".png"];
%! unwind_protect
%!   t = gpu_trace ("k", 32, 32, "data", ones (1, 32), "report", report (), "PNG", file);
%!   head = fileread (file)(1:24);
%! unwind_protect_cleanup
%!   unlink (file);
%! end_unwind_protect
%! assert (head(2:4), "PNG");
%! assert (double (head(17:20)) * 256 .^ (3:-1:0)', 1280);

%!testif HAVE_RAPIDJSON # what gpu_reduce corrects
%! own = strrep (report (), '"result":32', '"result":-294967296');
%! text = evalc ('gpu_trace ("k", "data", int32 ([2e9 2e9]), "report", own)');
%! assert (! isempty (strfind (text, "\nResult -294967296, but the built-in's is 4000000000.  It is the kernel's own, in 32 bits.\n")));
%! own = strrep (strrep (report (), '"result":32', '"result":"-Inf"'), '"op":"sum"', '"op":"max"');
%! text = evalc ('gpu_trace ("k", "data", [NaN NaN], "report", own)');
%! assert (! isempty (strfind (text, "\nResult -Inf, but the built-in's is NaN.  It is the kernel's own; gpu_reduce corrects")));

## the simulator's own, where it is
%!function yes = simulates ()
%!  try
%!    t = gpu_trace ("sequential", 32, 32);
%!    yes = true;
%!  catch err
%!    yes = false;
%!  end_try_catch
%!endfunction
%!testif ; simulates ()
%! t = gpu_trace ("sequential", 64, 64);
%! s = t.launches(1).steps;
%! assert ([s(1:4).active_percent], [100 50 25 12.5]);
%! assert ([s.bank_conflicts], zeros (size (s)));
%! assert (t.result, t.builtin);
%!testif ; simulates ()
%! t = gpu_trace ("shared_strided", 256, 256);
%! s = t.launches(1).steps;
%! assert ([s(2:4).worst_way], [2 4 8]);
%! assert (t.result, t.builtin);
%!testif ; simulates ()                  # lanes_of_a_warp_without_loop_have_rows_and_are_counted
%! text = evalc ('t = gpu_trace ("unroll_last_warp", 128, 64); gpu_trace ("unroll_last_warp", 128, 64)');
%! found = regexp (text, '\n +1\.\d \|([#.]+)\| +([\d.]+)%  warp 0, (\d+) instruction', "tokens");
%! lanes = cellfun (@(c) sum (c{1} == "#"), found);
%! times = cellfun (@(c) str2double (c{3}), found);
%! assert ([lanes; times], [32 16 8 4 2 1; 3 3 3 3 3 5]); # two reads and a write; thread 0 then reads and writes the result
%! assert ([lanes * times', sum(times)], [191 20]);
%! w = t.launches(1).totals.issued;       # and before them two warps load twice and store
%! assert ([w.lanes, w.accesses], [191 20] + [6 * 32, 6]);
%! text = evalc ('gpu_trace ("sequential", 64, 64)');
%! assert (isempty (regexp (text, '\n +1\.\d \|')));
%!testif ; simulates ()                  # a fused map reads n elements and writes none; unfused, 2 n and n
%! for n = [255 257 1000]
%!   sectors = ceil (4 * n / 32);
%!   t = gpu_trace ("map_reduce", n, 256, "finish", "atomic", "class", "single");
%!   assert ({t.launches.kernel}, {"map_reduce"});
%!   assert ([t.totals.sectors - t.totals.sectors_written, t.totals.sectors_written], [sectors, 0]);
%!   t = gpu_trace ("map_then_reduce", n, 256, "finish", "atomic", "class", "single");
%!   assert ({t.launches.kernel}, {"scale_and_bias", "map_then_reduce"});
%!   assert ([t.totals.sectors - t.totals.sectors_written, t.totals.sectors_written], [2 * sectors, sectors]);
%! endfor
%!testif ; simulates ()                  # what maps gives the sum of 2 * x + 1, however it ends
%! finishes = {"two_pass", "multi_level", "atomic", "last_block", "grid_sync"};
%! pick = @(list) list{randi (numel (list))};
%! for k = 1:merge (strcmp (getenv ("CHECK_LONG"), "yes"), 20, 5)        # each finish
%!   class = pick ({"double", "single", "int32"});
%!   n = pick ({1, 63, 64, 65, 1000});
%!   x = cast (8 * randn (1, n), class);
%!   y = 2 * double (x) + 1;
%!   bound = 0;
%!   if (! strcmp (class, "int32"))
%!     bound = n * eps (class) * sum (abs (y));
%!   endif
%!   t = gpu_trace (pick ({"map_reduce", "map_then_reduce"}), [], 64, "data", x, "class", class, "finish", finishes{1 + mod(k, 5)});
%!   assert (isempty (t.fault));
%!   assert ([t.result, t.builtin], [1 1] * sum (y), bound);
%!   assert ([t.scale, t.bias], [2 1]);
%! endfor
%! text = evalc ('gpu_trace ("map_reduce", "data", int32 ([3 4]))');
%! assert (! isempty (strfind (text, "map_reduce: sum of 2 * x + 1 over 2 int32 values, blocks of 64 threads")));
%! assert (! isempty (strfind (text, "\nResult 16, the same as the built-in's.\n")));
%! assert (isempty (strfind (evalc ('gpu_trace ("sequential", 4)'), "* x")));
%!testif ; simulates ()
%! assert (numel (gpu_trace ("global_atomic", 500, 64).result), 10);
%! t = gpu_trace ("V naive", 500, 64, "bins", 7, "data", mod (1:500, 91));
%! assert (t.result(:), t.builtin(:));
%! assert (numel (t.result), 7);
%! assert (sum (t.result), 500);
%! fail ('gpu_trace ("block_shared", "bins", 65536)', "gpu_trace: block_shared needs .* bytes of shared memory a block for 65536 bins");
%! text = evalc ('gpu_trace ("sequential", "data", [NaN NaN], "op", "max", "class", "double")');
%! assert (! isempty (strfind (text, "Result -Inf, but the built-in's is NaN.  It is the kernel's own")));

%!testif HAVE_RAPIDJSON; simulates ()   # page_lights_the_line_that_the_trace_names: blank lines count
%! file = [tempname() ".html"];
%! unwind_protect
%!   t = gpu_trace ("sequential", 64, 64, "html", file);
%!   page = fileread (file);
%! unwind_protect_cleanup
%!   unlink (file);
%! end_unwind_protect
%! data = jsondecode (regexp (page, '(?<=id="trace">)[^<]*', "match"){1});
%! data = data.traces;
%! names = {"sequential.cu", "ladder.h"};
%! steps = [t.launches.steps];
%! assert (all (ismember (names, data.files)));
%! for k = 1:numel (names)
%!   path = unique ({steps.file, [steps.accesses].file});
%!   path = path{strcmp (regexprep (path, '.*/', ""), names{k})};
%!   text = ["\n" fileread(path)];
%!   ends = find (text == "\n");
%!   line = @(k) text(ends(k) + 1:ends(k+1) - 1);
%!   lit = data.sources.(strrep (names{k}, ".", "_"));
%!   used = unique ([steps(strcmp ({steps.file}, path)).line]);
%!   assert (any (diff (ends(1:max (used))) == 1));        # else this shows nothing
%!   assert (lit(used)(:), arrayfun (line, used, "UniformOutput", false)(:));
%! endfor
%!testif ; simulates ()                  # every_file_of_a_trace_is_there_to_edit: of faults, steps and accesses
%! for c = {"bug_off_by_one", 100; "bug_early_return", 100; "bug_no_syncwarp", 64; "sequential", 100; "block_shared", 100}'
%!   t = gpu_trace (c{1}, c{2}, 32 * (1 + strcmp (c{1}, "bug_no_syncwarp")));
%!   steps = [t.launches.steps];
%!   files = {steps.file, [steps.accesses].file};
%!   assert (isempty (t.fault), ! strncmp (c{1}, "bug_", 4));
%!   if (! isempty (t.fault))
%!     assert (t.fault.file, gpu_variants (c{1}).file);
%!     files = [files, {t.fault.waiting.file}];
%!     if (! isempty (t.fault.other))
%!       files{end+1} = t.fault.other.file;
%!     endif
%!   endif
%!   for file = unique (files)
%!     assert (is_absolute_filename (file{1}) && exist (file{1}, "file") == 2, "%s", file{1});
%!     assert (isempty (strfind (file{1}, "..")));
%!   endfor
%!   assert (any (strcmp (files, gpu_variants (c{1}).file)));
%! endfor
%!testif ; simulates ()                  # each_step_says_what_it_does: its threads, its words, its cost
%! s = gpu_trace ("shared_strided", 256, 256).launches(1).steps;
%! assert (s(1).text, ["All 256 threads read 256 elements of x and write 256 words of shared memory.  No bank conflicts.  " ...
%!                     "A barrier ends the step."]);
%! assert (s(4).text, ["The 32 lanes of warp 0 read 64 words of shared memory, add them and write 32 words of shared memory.  " ...
%!                     "32 lanes, stride 8: 8 words a bank, 8 passes (21 bank conflicts in all).  7 of 8 warps have nothing to do.  " ...
%!                     "A barrier ends the step."]);
%! assert ({s(5).parts.text}, {"Lanes 0 to 15 of warp 0 read shared[8, 24, ... 248]: stride 16: 8 words a bank, 8 passes.", ...
%!                             "Lanes 0 to 15 of warp 0 read shared[0, 16, ... 240]: stride 16: 8 words a bank, 8 passes.", ...
%!                             "Lanes 0 to 15 of warp 0 write shared[0, 16, ... 240]: stride 16: 8 words a bank, 8 passes."});
%! assert (s(2).text(end-62:end), "Half of the warps have nothing to do.  A barrier ends the step.");
%! s = gpu_trace ("warp_shuffle", 256, 64).launches(1).steps;
%! assert (s(2).parts(3).text, "The 32 lanes of warp 0 take a value by shuffle, from the lane 16 above.");
%! assert (! isempty (strfind (s(2).text, "shuffle 5 times (from the lane 16 above, 8 above, 4 above, 2 above, 1 above) and combine what")));
%! assert (strncmp (gpu_trace ("single_thread", 24, 32).launches(1).steps.text, "Thread 0 reads 24 elements of x, adds them and writes partial[0].", 65));
%! for op = {"prod", "multiply them"; "max", "take the greatest"; "min", "take the least"}'
%!   s = gpu_trace ("sequential", 64, 64, "op", op{1}).launches(1).steps;
%!   assert (! isempty (strfind (s(2).text, [", " op{2} " and write 32 words"])));
%! endfor
%! s = gpu_trace ("sequential", 8192, 64).launches(1).steps;           # without accesses: the counts
%! assert (s(2).text, "32 of 64 threads are at work: 64 reads of shared memory and 32 writes of shared memory.  1 of 2 warps has nothing to do.  A barrier ends the step.");
%! assert (isempty (s(2).parts));
%!testif ; simulates ()                  # passes_of_the_instructions_add_up_to_the_counts
%! for v = {"shared_strided", "shared_modulo", "neighbored", "warp_shuffle", "unroll_last_warp", "cascade", "global_atomic"}
%!   for s = [gpu_trace(v{1}, 200, 128).launches.steps]
%!     a = s.accesses;
%!     for space = {"shared", "global"}
%!       of = a(strcmp ({a.space}, space{1}) & ! strcmp ({a.kind}, "atomic"));
%!       groups = unique ([[of.slot](:), floor([of.thread](:) / 32), [of.passes](:)], "rows");
%!       if (strcmp (space{1}, "shared"))
%!         assert (sum (groups(:,3) - 1), s.bank_conflicts);
%!       else
%!         assert (sum (groups(:,3)), s.sectors);
%!       endif
%!     endfor
%!     for t = unique ([a.thread])(1:end * ! strcmp (v{1}, "global_atomic"))   # in each thread's order, but for loops of their own
%!       assert (all (diff ([a([a.thread] == t).slot]) > 0));
%!     endfor
%!   endfor
%! endfor
%!testif HAVE_RAPIDJSON; isunix () && ! ismac ()   # open_hands_the_page_to_the_browser, and names_the_file_where_there_is_none
%! folder = tempname ();
%! mkdir (folder);
%! fid = fopen (fullfile (folder, "xdg-open"), "w");
%! fprintf (fid, "#!/bin/sh\necho \"$1\" > %s/opened\n", folder);
%! fclose (fid);
%! system (["chmod +x " folder "/xdg-open"]);
%! was = {getenv("PATH"), getenv("DISPLAY"), getenv("WAYLAND_DISPLAY"), getenv("WSL_DISTRO_NAME")};
%! page = fullfile (folder, "a page.html");
%! unwind_protect
%!   setenv ("PATH", [folder ":" was{1}]);
%!   setenv ("WAYLAND_DISPLAY", "");
%!   setenv ("WSL_DISTRO_NAME", "");
%!   setenv ("DISPLAY", "");
%!   said = evalc ('t = gpu_trace ("k", "data", ones (1, 32), "report", report (), "OPEN", "html", page);');
%!   assert (said, ["No browser can be opened from here.  Open this file in one: " page "\n"]);
%!   assert (exist (fullfile (folder, "opened"), "file"), 0);
%!   setenv ("DISPLAY", ":0");
%!   said = evalc ('t = gpu_trace ("k", "data", ones (1, 32), "open", "html", page, "report", report ());');
%!   assert (said, "");
%!   for k = 1:100
%!     if (exist (fullfile (folder, "opened"), "file"))
%!       break;
%!     endif
%!     pause (0.05);
%!   endfor
%!   pause (0.1);
%!   assert (strtrim (fileread (fullfile (folder, "opened"))), page);
%!   assert (! isempty (strfind (fileread (page), "</html>")));
%!   said = evalc ('gpu_trace ("k", "data", ones (1, 32), "report", report (), "open");');
%!   made = regexp (said, '(?<=Page: )\S+', "match"){1};
%!   assert (strncmp (made, tempdir (), numel (tempdir ())) && exist (made, "file") == 2);
%!   unlink (made);
%! unwind_protect_cleanup
%!   cellfun (@setenv, {"PATH", "DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"}, was);
%!   confirm_recursive_rmdir (false, "local");
%!   rmdir (folder, "s");
%! end_unwind_protect
%!testif HAVE_RAPIDJSON                  # gnuplot_is_looked_for_first: before the trace is made
%! program = gnuplot_binary ();
%! unwind_protect
%!   gnuplot_binary ("no-such-gnuplot");
%!   fail ('gpu_trace ("k", "data", 1, "report", "no report", "png", [tempname() ".png"])', "gpu_trace: png: gnuplot is not installed");
%! unwind_protect_cleanup
%!   gnuplot_binary (program);
%! end_unwind_protect

%!error <Invalid call to gpu_trace> gpu_trace ()
%!error <gpu_trace: VARIANT must be the name> gpu_trace (5)
%!error id=gpureduce:invalid-input gpu_trace ({"sequential"})
%!error <gpu_trace: N must be> gpu_trace ("sequential", 0)
%!error <gpu_trace: N must be> gpu_trace ("sequential", 2.5)
%!error <gpu_trace: N must be> gpu_trace ("sequential", [1 2])
%!error <gpu_trace: 1152921504606846976 elements are more than a trace takes: 16777216> gpu_trace ("sequential", 2^60, 64)
%!error <gpu_trace: 16777217 elements are more than a trace takes> gpu_trace ("sequential", "data", zeros (1, 2^24 + 1, "int8"))
%!error <gpu_trace: bins must be a positive integer> gpu_trace ("global_atomic", "bins", 0)
%!error <gpu_trace: bins must be .* at most 65536> gpu_trace ("global_atomic", "bins", 65537)
%!error <gpu_trace: bins goes with "histogram"> gpu_trace ("sequential", "op", "sum", "bins", 5)
%!error <gpu_trace: html: cannot write .*: it is a folder> gpu_trace ("sequential", "html", tempdir ())
%!error id=gpureduce:invalid-input gpu_trace ("sequential", "png", "/nowhere/at/all.png")
%!error <gpu_trace: png: cannot write /nowhere/at/all.png: [A-Z]> gpu_trace ("sequential", "png", "/nowhere/at/all.png")
%!error <gpu_trace: BLOCK must be 32, 64,.* or 1024> gpu_trace ("sequential", 64, 31)
%!error <gpu_trace: BLOCK must be> gpu_trace ("sequential", 64, 2048)
%!error <gpu_trace: BLOCK must be> gpu_trace ("sequential", 64, 96)
%!error <gpu_trace: options must come as pairs> gpu_trace ("sequential", 64, 64, "html")
%!error <gpu_trace: unknown option "color"; options are op, class> gpu_trace ("sequential", 64, 64, "color", 1)
%!error <gpu_trace: class must be "double"> gpu_trace ("sequential", 64, 64, "class", "int7")
%!error <gpu_trace: data must be a real> gpu_trace ("sequential", 64, 64, "data", "abc")
%!error <gpu_trace: data must be a real> gpu_trace ("sequential", 64, 64, "data", 1i)
%!error <gpu_trace: data must be a real> gpu_trace ("sequential", "data", ones (2))
%!error <gpu_trace: op must be a name> gpu_trace ("sequential", "op", 1)
%!error <gpu_trace: png must be the name of a file> gpu_trace ("sequential", "png", 1)
%!error <gpu_trace: steps must be> gpu_trace ("sequential", "steps", -1)
%!testif HAVE_RAPIDJSON
%! fail ('gpu_trace ("k", "data", ones (1, 32), "report", report (), "html", "/nowhere/at/all.html")', "gpu_trace: html: cannot write /nowhere");
