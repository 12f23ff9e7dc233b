## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## The table of operators (src/core/operators.c), which the gateway returns, says what the
## functions do.

## f (row) for every row, or those of which where (row) holds.
%!function holds (f, where = @(o) true)
%!  for o = __gpureduce__ ("operators")
%!    if (! where (o))
%!      continue;
%!    endif
%!    try
%!      f (o);
%!    catch err
%!      error ("%s: %s", o.name, err.message);
%!    end_try_catch
%!  endfor
%!endfunction

%!function t = fails (f)
%!  t = false;
%!  try
%!    f ();
%!  catch
%!    t = true;
%!  end_try_catch
%!endfunction

## x, or x and DIM in the place that the row gives it.
%!function args = with_dim (o, x, dim)
%!  args = {x, dim};
%!  if (any (strcmp (o.arguments, {"x, [], dim", "x, w, dim"})))
%!    args = {x, [], dim};
%!  endif
%!endfunction

%!function y = first_output (o, args)
%!  y = feval (["gpu_" o.name], args{:});
%!endfunction

%!test                                   # what_the_built-in_computes_is_ans_too
%! ans = 7;
%! gpu_norm ([1 2; 3 4]);
%! assert (ans, norm ([1 2; 3 4]));
%! gpu_sum (sparse ([1 2; 3 4]));
%! assert (ans, sum (sparse ([1 2; 3 4])));
%!test                                   # every_row_has_a_function
%! holds (@(o) assert (any (exist (["gpu_" o.name]) == [2, 3])));
%!test                                   # the_built_ins_are_there
%! holds (@(o) assert (isempty (o.builtin) || any (exist (regexprep (o.builtin, "^arg", "")) == [2 5])));
%!test                                   # gpu_reduce_knows_the_listed_ones_and_names_them
%! said = "";
%! try
%!   gpu_reduce (1, "no such operator");
%! catch err
%!   said = err.message;
%! end_try_catch
%! holds (@(o) assert (! isempty (strfind (said, ["\"" o.name "\""])), o.reduce));
%! holds (@(o) assert (fails (@() gpu_reduce (magic (4), o.name)), ! o.reduce));
%!test                                   # gpu_reduce_gives_what_the_function_gives
%! x = magic (4);
%! reduced = @(o) o.reduce && ! strcmp (o.arguments, "x");
%! holds (@(o) assert (gpu_reduce (x, o.name), first_output (o, {x})), reduced);
%! holds (@(o) assert (gpu_reduce (x, o.name, "dim", 2), first_output (o, with_dim (o, x, 2))), reduced);
%!function same_of_gpuArray (x, name, options)
%!  g = as_said (@() gpu_reduce (gpuArray (x), name, options{:}));
%!  y = gather (as_said (@() gpu_reduce (x, name, options{:})));
%!  assert (gather (g), y);
%!  assert (class (gather (g)), class (y));
%!  assert (isa (g, "gpuArray"), ! ischar (y) && numel (y) != 1);
%!endfunction
%!function y = as_said (f)
%!  try
%!    y = f ();
%!  catch err
%!    y = [err.identifier ": " err.message];
%!  end_try_catch
%!endfunction
%!test                                   # gpu_reduce_gives_of_a_gpuArray_what_it_gives_of_the_host
%! args = {{}, {"dim", 1}, {"dim", 2}, {"dim", 5}, {"dim", 0}, {"DIM", 2}, {"dim", gpuArray(2)}, {"dim", single(2)}, {"dim", [1 2]}, {"dim", []}, {"dim"}, {5, 1}};
%! for x = {magic(4) / 2, single(magic (4)(2,:)), int8(magic (4)), magic(4) > 5, complex(magic (4), 1), 7, zeros(0, 3), 'text'}
%!   holds (@(o) cellfun (@(a) same_of_gpuArray (x{1}, o.name, a), args), @(o) o.reduce);
%!   cellfun (@(name) same_of_gpuArray (x{1}, name, {}), {"norm", "norm1", "normmax", "stats", "MAX", ["max"; "min"], 5, {"max"}}, "UniformOutput", false);
%! endfor
%!test                                   # gpu_config_says_who_called_an_operator_by_its_name
%! for x = {magic(4), gpuArray(magic (4))}
%!   gpu_reduce (x{1}, "max", "dim", 1);
%!   assert (gpu_config ("last").function, "gpu_reduce");
%!   gpu_reduce (x{1}, "var", "dim", 1);
%!   assert (gpu_config ("last").function, "gpu_var");
%! endfor
%!test                                   # nanflags_are_taken_where_the_row_says_so
%! x = [1 NaN 3; 4 5 6];
%! holds (@(o) assert (fails (@() first_output (o, {x, "omitnan"})), ! o.nanflag));
%!test                                   # several_dimensions_are_taken_where_the_row_says_so
%! x = reshape (1:24, 2, 3, 4);
%! holds (@(o) assert (size (first_output (o, with_dim (o, x, [1 2]))), [1 1 4]), @(o) o.vecdim);
%! holds (@(o) assert (size (first_output (o, with_dim (o, x, "all"))), [1 1]), @(o) o.vecdim);
%!test                                   # empties_become_what_the_row_says
%! x = zeros (0, 3);
%! is = struct ("identity", @(y) size_equal (y, [1 1 1]) && ! any (isnan (y)), ...
%!              "nan", @(y) all (isnan (y)) && size_equal (y, [1 1 1]), ...
%!              "stays", @(y) isempty (y));
%! holds (@(o) assert (is.(o.empty) (first_output (o, with_dim (o, x, 1)))), ...
%!        @(o) ! strcmp (o.empty, "builtin") && ! strcmp (o.arguments, "x"));

%!function out = answers (f, name, args)
%!  try
%!    out = cell (1, 1 + ! any (strcmp (name, {"sum", "dot", "std"})));
%!    [out{:}] = f (args{:});
%!  catch err
%!    out = {err.identifier, strrep(err.message, "m_gpu", "gpu")(1:min (end, 22))};
%!  end_try_catch
%!endfunction
%!test                                   # links_to_the_core_do_what_the_m_files_do
%! x = magic (5) - 7;
%! calls = {{x}, {x, [], 2}, {x, x}, {x, 0, 2}, {x, 2}, {}, {{}}, {x, "device", "toaster"}};
%! folder = tempname ();
%! mkdir (folder);
%! addpath (folder);
%! unwind_protect
%!   for name = {"max", "sum", "dot", "std", "mode", "bounds", "cummax"}
%!     f = ["gpu_" name{1}];
%!     text = fileread (fullfile (fileparts (which ("gpuArray")), [f ".m"]));
%!     file = fopen (fullfile (folder, ["m_" f ".m"]), "w");
%!     fputs (file, strrep (text, [f " ("], ["m_" f " ("]));
%!     fclose (file);
%!     for call = calls
%!       assert (answers (str2func (["m_" f]), name{1}, call{1}), answers (str2func (f), name{1}, call{1}));
%!     endfor
%!   endfor
%! unwind_protect_cleanup
%!   rmpath (folder);
%!   confirm_recursive_rmdir (false, "local");
%!   rmdir (folder, "s");
%! end_unwind_protect

%!test                                  # prod_max_and_min_of_logicals_are_the_built_ins
%! rand ("twister", 1);
%! for k = 1:40
%!   sz = {[randi(40), randi(40)], [0, 3], [3, 0], [1, 1], [5, 0, 2], [randi(3000), 3], [2, randi(3000)], [7, 5, 6], [0, 0]}{1 + mod (k, 9)};
%!   x = rand (sz) < [0, 0.01, rand(), 0.99, 1](randi (5));
%!   for arguments = {{x}, {x, randi(3)}}
%!     assert (gpu_prod (arguments{1}{:}), prod (arguments{1}{:}));
%!     extremes = [arguments{1}(1), repmat({[]}, 1, numel (arguments{1}) - 1), arguments{1}(2:end)];
%!     assert (gpu_max (extremes{:}), max (extremes{:}));
%!     assert (gpu_min (extremes{:}), min (extremes{:}));
%!     assert (class (gpu_max (extremes{:})), class (max (extremes{:})));
%!   endfor
%! endfor

%!test                                  # products_of_short_columns_that_leave_the_range_in_a_lane_are_the_built_ins
%! rand ("twister", 2);
%! for n = 2:31
%!   for class = {"double", "single"}
%!     far = 0.6 * log2 (realmax (class{1}));
%!     x = ones (n, 70, class{1}) .* 2 .^ randi ([-1, 1], n, 70);        # exact in any order, unless it leaves the range
%!     for c = 1:2:70                    # in order up and down in turn, and lanes have several ups, or downs
%!       at = find (rand (n, 1) < 0.7);
%!       x(at,c) = 2 .^ round (far * (-1) .^ (1:numel (at)));
%!     endfor
%!     x(1,3:9:end) = [0, -0, Inf, NaN, -Inf, 0, NaN, 0](1:numel (3:9:70));
%!     assert (gpu_prod (x), prod (x));
%!     assert (1 ./ gpu_prod (x), 1 ./ prod (x));
%!   endfor
%! endfor
