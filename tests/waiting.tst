## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Elementwise operations that wait until their values are wanted: what of that shows in Octave.  Random programs are in expressions.m.

%!test                                   # what_was_positive_may_leave_the_reals_after_an_assignment
%! g = abs (gpuArray ([1 -2 3]));
%! gather (g);
%! g(1) = -4;
%! assert (gather (sqrt (g) + 1), sqrt ([-4 2 3]) + 1);

%!test                                   # whole_exponents_of_negative_numbers_as_large_as_an_int
%! for x = {[1 -2 3], single([1 -2 3])}
%!   for n = [-2^31, -2^31 + 1, -2^30, 2^30 - 1, 2^30, 2^31 - 2, 2^31 - 1]
%!     assert (gather (gpuArray (x{1}) .^ n + 1), x{1} .^ n + 1);
%!   endfor
%! endfor

%!test                                   # an_error_of_what_waited_names_the_operation_and_its_sizes
%! x = gpuArray (true (2^24, 1));
%! y = x + x';                           # 2 PiB
%! err = [];
%! try
%!   median (y);
%! catch err
%! end_try_catch
%! assert (err.identifier, "gpureduce:out-of-memory");
%! assert (regexp (err.message, '^gpu_median: .*out of memory.*; computing plus of 16777216x16777216 double$', "once"), 1);

## Reductions of large arrays wait too.  Random programs of them, of what reads their results and of what changes their operands run on gpuArrays that
## wait, on gpuArrays whose operations are computed at once, and each operation on what the latter hold on the host.  (An integer over a deviation and pi is
## never half way between two integers, where the last bit of the deviation decides.)

%!function x = fresh_array (sizes, type)
%!  x = round (4 * randn (sizes)) / 4;
%!  x(rand (sizes) < 0.05) = 0;
%!  x(rand (sizes) < 0.02) = -0;
%!  for special = {NaN, Inf, -Inf, NA}     # here and there, or in whole columns
%!    if (rand () < 0.2)
%!      x(randi (numel (x), 3, 1)) = special{1};
%!    endif
%!    if (rand () < 0.15)
%!      x(:,randi (columns (x))) = special{1};
%!    endif
%!  endfor
%!  if (rand () < 0.3)
%!    x(:,randi (columns (x))) = {0, -0}{randi (2)};
%!  endif
%!  if (rand () < 0.2)
%!    x = abs (x);
%!  endif
%!  if (strcmp (type, "logical"))
%!    x(isnan (x)) = 0;
%!  endif
%!  x = feval (type, x);
%!endfunction
%!function [f, count, text] = random_operation (rank)
%!  reductions = {@(a, d) sum(a, d), @(a, d) mean(a, d), @(a, d) max(a, [], d), @(a, d) min(a, [], d), @(a, d) std(double(a), 0, d), ...
%!                @(a, d) var(double(a), 1, d), @(a, d) sumsq(a, d), @(a, d) any(a > 1, d), @(a, d) all(a != 0, d), @(a, d) sum(a != 0, d)};
%!  chains = {@(a, d) a - mean(a, d), @(a, d) (a - mean(a, d)) ./ (std(double(a), 0, d) + pi), @(a, d) exp(double(a - max(a, [], d))), ...
%!            @(a, d) a ./ sum(abs(a), d), @(a, d) max(a, [], d) - min(a, [], d), @(a, d) (a - mean(a, d)) .* any(a > 1, d), @(a, d) sqrt(sumsq(double(a), d)) + 1};
%!  unaries = {@(a) -a, @(a) abs(a), @(a) a .* 2 + 1, @(a) double(a) .^ 2, @(a) sqrt(abs(double(a))), @(a) a > 0, @(a) single(a), @(a) a, @(a) reshape(a(:), size (a))};
%!  binaries = {@(a, b) a + b, @(a, b) a - b, @(a, b) a .* b, @(a, b) a ./ b, @(a, b) max(a, b) + 0, @(a, b) min(a, b) + 0, @(a, b) a > b, @(a, b) a == b, ...
%!              @(a, b) (a - b) ./ (abs(a) + 1)};
%!  d = randi (rank);
%!  g = [];
%!  count = 1;
%!  switch (find (rand () < [0.3 0.5 0.75 1], 1))
%!    case 1
%!      g = reductions{randi (numel (reductions))};
%!      f = @(a) g (a, d);
%!    case 2
%!      g = chains{randi (numel (chains))};
%!      f = @(a) g (a, d);
%!    case 3
%!      f = unaries{randi (numel (unaries))};
%!    otherwise
%!      f = binaries{randi (numel (binaries))};
%!      count = 2;
%!  endswitch
%!  text = func2str (f);
%!  if (! isempty (g))
%!    text = sprintf ("%s, d = %d", func2str (g), d);
%!  endif
%!endfunction
%!function a = assigned (a, index, value)
%!  a(index{:}) = value;
%!endfunction
%!function a = incremented (a)
%!  a += 1;
%!endfunction
%!function g = at_once (f, inputs)
%!  gpu_config ("lazy", "off");
%!  unwind_protect
%!    g = f (inputs{:});
%!  unwind_protect_cleanup
%!    gpu_config ("lazy", "on");
%!  end_unwind_protect
%!endfunction
%!function run_waiting_program (sizes, type, steps)
%!  for k = 4:-1:1
%!    x = fresh_array (sizes, {type, "double"}{1 + (k > 2)});
%!    now{k} = gpuArray (x);
%!    waits{k} = gpuArray (x);
%!  endfor
%!  said = {};
%!  for step = 1:steps
%!    if (rand () < 0.25)                   # in place, where no other variable has it
%!      k = randi (numel (now));
%!      n = randi (numel (now{k}));
%!      index = {{n}, {":", 1}, {n:min(n + 100, numel (now{k}))}, {1, ":"}}{randi (4)};
%!      value = {3, 0, -1.5, true}{randi (4)};
%!      x = now{k};
%!      now{k} = [];
%!      x(index{:}) = value;
%!      now{k} = x;
%!      x = waits{k};
%!      waits{k} = [];
%!      x(index{:}) = value;
%!      waits{k} = x;
%!      x = [];
%!      said{end+1} = sprintf ("%d(%s) = %g", k, strjoin (cellfun (@(i) merge (ischar (i), i, sprintf ("%d:%d", i(1), i(end))), index, "UniformOutput", false), ", "), value);
%!    endif
%!    [f, count, text] = random_operation (numel (sizes));
%!    from = randi (numel (now), 1, count);
%!    to = randi (numel (now));
%!    said{end+1} = sprintf ("%d <- %s of %s", to, text, mat2str (from));
%!    a = cellfun (@gather, now(from), "UniformOutput", false);
%!    host = f (a{:});
%!    if (islogical (host) && ! isempty (strfind (text, "@(a, d) mean")) && __gpr_rule__ ("mean_of_nothing"))
%!      host = double (host);
%!    endif
%!    now{to} = at_once (f, now(from));
%!    waits{to} = f (waits{from});
%!    z = gather (now{to});
%!    if (! is_about (host, z, a{:}))
%!      error ("computed at once, another result than on the host:\n%s", strjoin (said, "\n"));
%!    endif
%!    big = double (z(isfinite (z)));
%!    if (isempty (big) || max (abs (big(:))) > 1e4 || ! any (big(:)))
%!      now{to} = gpuArray (fresh_array (sizes, type));
%!      waits{to} = gpuArray (gather (now{to}));
%!      said{end+1} = sprintf ("%d <- new %s", to, type);
%!    endif
%!    if (rand () < 0.15)
%!      k = randi (numel (now));
%!      look = {@(g) g, @(g) size(g), @(g) g(:,end), @(g) sum(g(:)), @(g) ! any(g(:) > 2), @(g) without_column(g), @(g) incremented(g), @(g) evalc ("disp (g(1:min (end, 3)))")}{randi (8)};
%!      [is, want] = deal (look (waits{k}), look (now{k}));
%!      if (! same_bits (gather (is), gather (want)))
%!        error ("%s of %d:\n%s", func2str (look), k, strjoin (said, "\n"));
%!      endif
%!    endif
%!  endfor
%!  for k = randperm (numel (now))
%!    if (! same_bits (gather (waits{k}), gather (now{k})))
%!      error ("%d at last:\n%s", k, strjoin (said, "\n"));
%!    endif
%!    waits{k} = [];
%!  endfor
%!endfunction
%!function g = without_column (g)
%!  g(:,1) = [];
%!endfunction
%!function yes = is_about (host, z, varargin)
%!  yes = strcmp (class (host), class (z)) && size_equal (host, z);
%!  if (yes && isfloat (host))
%!    odd = ! isfinite (host);
%!    sizes = cellfun (@(a) max ([1; abs(double (a(isfinite (a))(:)))]), varargin);
%!    bound = max (sizes) ^ 2 * 10 * max (cellfun (@numel, varargin)) * eps (class (host));       # of sums in any order
%!    yes = isequaln (host(odd), z(odd)) && all (abs (host(! odd) - z(! odd)) <= bound * (1 + abs (host(! odd))));
%!  elseif (yes)
%!    yes = isequal (host, z);
%!  endif
%!endfunction

%!test                                   # results_that_wait_are_those_computed_at_once
%! warning ("off", "all", "local");
%! before = __gpureduce__ ("diagnose").handles;
%! for sizes = {[400 260], [60 50 40], [2 60000], [60000 2], [13 8 4 250], [1100 100]}
%!   for type = {"double", "double", "single", "int16", "logical"}(randi (5, 1, merge (strcmp (getenv ("CHECK_LONG"), "yes"), 12, 1)))
%!     run_waiting_program (sizes{1}, type{1}, 80);
%!   endfor
%! endfor
%! assert (__gpureduce__ ("diagnose").handles, before);

%!test                                   # what_waits_has_the_operands_that_it_was_given
%! v = randn (400, 300);
%! m = mean (v);
%! z = (v - m) ./ std (v);
%! for change = {@(x) assigned(x, {1}, 99), @(x) assigned(x, {':', 2}, 0), @(x) without_column(x), @(x) incremented(x), @(x) []}
%!   x = gpuArray (v);
%!   g = mean (x);
%!   c = (x - g) ./ std (x);
%!   n = sum (c .^ 2);
%!   x = change{1} (x);
%!   if (isempty (x))
%!     clear x g;
%!   else
%!     assert (gather (mean (x)), mean (change{1} (v)), 1e-13);
%!     g(3) = 7;                           # a result may change too
%!     assert (gather (g(1:4)), [m(1:2), 7, m(4)], 1e-13);
%!   endif
%!   assert (gather (n), sum (z .^ 2), 1e-9);
%!   assert (gather (c), z, 1e-11);
%! endfor

%!test                                   # a_reduction_that_refuses_its_elements_does_so_at_once
%! x = gpuArray (rand (400, 300) - 0.5);
%! fail ("sum (x, 0)", "DIM");
%! fail ("mean (x, 1, 'median')");
%! if (__gpr_rule__ ("mean_kinds"))
%!   fail ("mean (x, 'g')", "negative");
%!   x = x(:,1:300) + x;
%!   assert (gather (mean (abs (x), "h")), mean (abs (gather (x)), "h"), 1e-9);
%! endif

%!test                                   # options_of_reductions_that_wait
%! v = single (randn (500, 300));
%! v(rand (size (v)) < 0.1) = NaN;
%! v(:,7) = NaN;
%! x = gpuArray (v);
%! w = v;
%! w(isnan (v)) = 0;
%! assert (gather (gpu_sum (x .* 2, "omitnan") ./ 2), sum (w), 1e-3);
%! assert (gather (gpu_sum (x, "double") + 0), gpu_sum (double (v)), 1e-9);
%! assert (class (gather (gpu_sum (x, "double") + 0)), "double");
%! assert (gather (x - gpu_max (x)), v - max (v));
