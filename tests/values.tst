## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## gpuArrays are values as other arrays are.

## A session of its own, which must say what the pattern has, and nothing of errors.
%!function check (code, pattern)
%!  [status, said] = in_octave (["warning ('off', 'gpureduce:cpu-fallback'); g = gpuArray (1:5); " code]);
%!  assert (status == 0, "%s", said);
%!  if (isempty (regexp (said, pattern, "once")) || ! isempty (regexp (said, 'error|panic|signal', "once")))
%!    error ("said '%s', expected '%s'", said, pattern);
%!  endif
%!endfunction

## A gpuArray of these values.
%!function same (g, x)
%!  assert (class (g), "gpuArray");
%!  y = gather (g);
%!  assert (class (y), class (x));
%!  assert (is_same (y, x));
%!endfunction
## Zero, but of what a device's library of linear algebra gives.
%!function tolerance = rounding (x)
%!  type = merge (isa (x, "single"), "single", "double");
%!  tolerance = (__gpureduce__ ("diagnose").devices > 0) * 16 * eps (type) * max ([1; abs(double (x(isfinite (x))(:)))]);
%!endfunction
%!function t = is_same (y, x)
%!  t = isequal (size (y), size (x)) && iscomplex (y) == iscomplex (x) && isequal (y(! isnan (y)), x(! isnan (x))) ...
%!      && isequal (isnan (y), isnan (x));
%!endfunction

%!function t = is_taken (x)
%!  t = false;
%!  if (x)
%!    t = true;
%!  endif
%!endfunction
%!test                                   # if_(g)_is_its_value
%! for x = {0, 1, [1 1], [1 0], [], zeros(0, 3), int8(5), false, single(2)}
%!   assert (is_taken (gpuArray (x{1})), is_taken (x{1}));
%! endfor
%! assert (gpuArray (1) && true);
%! assert (! (gpuArray (0) || false));
%!error is_taken (gpuArray (NaN))
%!test                                   # while_(g)_is_its_value
%! g = gpuArray (3);
%! n = 0;
%! while (g)
%!   g--;
%!   n++;
%! endwhile
%! assert (n, 3);
%!test                                   # b_=_a_then_a(1)=5_leaves_b
%! a = gpuArray (1:3);
%! b = a;
%! a(1) = 5;
%! same (b, 1:3);
%! same (a, [5 2 3]);
%! c = a;
%! c++;
%! c += 1;
%! same (a, [5 2 3]);
%! same (c, [7 4 5]);
%!function a = changed (a)
%!  a(1) = 9;
%!endfunction
%!test                                   # a_function_changes_its_own_copy
%! a = gpuArray (1:3);
%! same (changed (a), [9 2 3]);
%! same (a, 1:3);
%!test                                   # for_over_columns
%! for x = {magic(3), 1:3, (1:3)', 5, ones(2, 2, 3), int8([1 2; 3 4])}
%!   columns = {};
%!   for c = x{1}
%!     columns{end+1} = c;
%!   endfor
%!   k = 0;
%!   for g = gpuArray (x{1})
%!     same (g, columns{++k});
%!   endfor
%!   assert (k, numel (columns));
%! endfor
%!test                                   # h(g)
%! h = 10:10:100;
%! assert (h(gpuArray ([2 3])), [20 30]);
%! assert (h(gpuArray (h > 85)), [90 100]);
%! h(gpuArray (1)) = 7;
%! h(2) = gpuArray (8);
%! assert (h(1:3), [7 8 30]);
%! same (gpuArray (h)(gpuArray ([2 3])), [8 30]);
%!error <index \(0\)|out of bound> (1:3)(gpuArray (0))
%!error <out of bound> (1:3)(gpuArray (7))
%!test                                   # 1:g
%! same (1:gpuArray (4), 1:4);
%! same (gpuArray (4):-1:1, 4:-1:1);
%! same (1:gpuArray (int8 (3)), 1:int8 (3));
%! n = 0;
%! for k = 1:gpuArray (3)
%!   n += k;
%! endfor
%! same (n, 6);
%!test                                   # [g; 9 9]
%! g = gpuArray ([1 2]);
%! same ([g; 9 9], [1 2; 9 9]);
%! same ([9 9; g], [9 9; 1 2]);
%! same ([9 9; 3, gpuArray(4); g], [9 9; 3 4; 1 2]);
%! same ([g g 3], [1 2 1 2 3]);
%! same ([[], g], [1 2]);
%! same ([g; int8([3 4])], [1 2; int8([3 4])]);
%! same ([g; true false], [1 2; true false]);
%! same ([single(g), 1i], [single([1 2]), 1i]);
%! same (cat (3, g, g), cat (3, [1 2], [1 2]));
%! assert ([1 2; 3 4], reshape ([1 3 2 4], 2, 2));
%!error [gpuArray([1 2]); 1 2 3]
%!test                                   # a_cell_and_a_struct_of_gpuArrays
%! c = {gpuArray(1), gpuArray(1:3); 4, "a"};
%! c{1,1}(2) = 7;
%! same (c{1,1}, [1 7]);
%! s.a.b = gpuArray (1:3);
%! t = s;
%! s.a.b(2) = 5;
%! same (s.a.b, [1 5 3]);
%! same (t.a.b, 1:3);
%!function r = switched (x, label)
%!  switch (x)
%!    case label
%!      r = true;
%!    otherwise
%!      r = false;
%!  endswitch
%!endfunction
%!test                                   # switch_(g)_is_its_value
%! for x = {2, [1 2], "ab", [], int8(3)}
%!   assert (switched (gpuArray (x{1}), x{1}));
%!   assert (switched (x{1}, gpuArray (x{1})));
%!   assert (switched (gpuArray (x{1}), {7, x{1}}));
%!   assert (! switched (gpuArray (x{1}), 9));
%! endfor
%!test                                   # h(2)_=_g_has_the_class_it_has_on_the_host
%! warning ("off", "all", "local");
%! for h = {true(1, 3), false, single(1:3), int8(1:3), 1:3, [1i 2 3], {}}
%!   for v = {true, 1, single(7), int8(3), 2i, 0}
%!     want = have = h{1};
%!     failed = false;
%!     try
%!       want(2) = v{1};
%!     catch
%!       failed = true;
%!     end_try_catch
%!     if (! failed)
%!       have(2) = gpuArray (v{1});
%!       have = gather (have);
%!       if (iscell (have))
%!         have{2} = gather (have{2});
%!       endif
%!       assert (class (have), class (want));
%!       assert (have, want);
%!     endif
%!   endfor
%! endfor
%!test                                   # gather_gives_complex_zeros_back
%! for x = {complex([1 2], 0), complex(1, 0), single(complex (1, 0)), complex(single ([1 2]), 0), complex(zeros (0, 3), 0)}
%!   z = x{1};
%!   same (gpuArray (z), z);
%! endfor
%! same (complex (gpuArray ([1 2])), complex ([1 2], 0));
%! assert (isreal (gather (sum (gpuArray ([1i 1; -1i 2])))));
%!test                                   # text_on_the_GPU_is_text
%! g = gpuArray ("abc");
%! assert (strcmp (g, "abc") && strcmp ("abc", g) && strcmpi (g, "ABC") && strncmp (g, "abx", 2));
%! assert (strrep (g, "b", "x"), "axc");
%! assert (regexprep (g, "b", "x"), "axc");
%! assert (strsplit (gpuArray ("a b"), " "), {"a", "b"});
%! assert (str2double (gpuArray ("3")), 3);
%! assert (func2str (str2func (gpuArray ("sin"))), "sin");
%! assert (validatestring (gpuArray ("app"), {"apple"}), "apple");
%! fail (@() error (gpuArray ("text")));
%! fail (@() str2func (gpuArray (1:3)));
%!test                                   # a_gpuArray_of_one_number_is_a_scalar_to_built-ins
%! two = gpuArray (2);
%! assert (gather (linspace (0, 1, gpuArray (3))), linspace (0, 1, 3));
%! assert (eye (two), eye (2));
%! assert (quadcc (@(x) x, 0, two), 2, 1e-9);
%! assert (colloc (two), colloc (2));
%! assert (jsonencode (two), "2");
%! assert (gather (besselj (0, gpuArray (single ([1 2])))), besselj (0, single ([1 2])));
%!test                                   # built-ins_that_look_at_the_class_see_the_data's
%! x = single ([1.5 2]);
%! g = gpuArray (x);
%! for f = {@(v) typecast(v, "uint32"), @(v) airy(v), @(v) convn(v, 2), @eps, @base64_encode, @(v) psi(v), @(v) linspace(v', 3, 4), @(v) givens(v(1), 2), @intmax, ...
%!          @swapbytes, @(v) gcd(v, 2), @realmax, @num2hex, @(v) nth_element(v, 1), @rescale, @(v) bitget(v, 2)}
%!   for v = {{g, x}, {gpuArray(uint8 ([4 8 0 0])), uint8([4 8 0 0])}}
%!     try
%!       want = f{1} (v{1}{2});
%!     catch
%!       fail (@() f{1} (v{1}{1}));
%!       continue;
%!     end_try_catch
%!     have = gather (f{1} (v{1}{1}));
%!     assert (class (have), class (want));
%!     assert (have, want);
%!   endfor
%! endfor
%! assert (isprime (gpuArray (7)) && isequaln (gpuArray (NaN), NaN));
%! assert (gather (factor (gpuArray (12))), [2 2 3]);
%!test                                   # cell2mat_is_a_gpuArray
%! g = gpuArray ([1 2]);
%! same (cell2mat ({g; gpuArray([3 4])}), [1 2; 3 4]);
%! same (cell2mat ({1, g}), [1 1 2]);
%! same (cell2mat ({g, 1; g, 7}), [1 2 1; 1 2 7]);
%! assert (cell2mat ({1, 2; 3, 4}), [1 2; 3 4]);
%!error <gather> cat (gpuArray (1), 2)
%!test                                   # g.delete_()
%! g = gpuArray (1:3);
%! g.delete ();
%! assert (existsOnGPU (g), false);
%! assert (evalc ("g"), "g =\n\n  deleted gpuArray\n");
%!error <^8 of it$> error ("%d of it", gpuArray (8))    # error_and_warning_take_gpuArrays
%!warning <^8$> warning ("%d", gpuArray (8))
%!test                                   # cellfun_over_them
%! c = {gpuArray(1:2), gpuArray(1:3), gpuArray([])};
%! assert (cellfun (@numel, c), [2 3 0]);
%! assert (cellfun ("isempty", c), [false false true]);
%! d = cellfun (@(g) g + 1, c(1:2), "UniformOutput", false);
%! same (d{2}, 2:4);
%!test                                   # indexing_and_end
%! x = magic (4);
%! g = gpuArray (x);
%! same (g(end), x(end));
%! same (g(2:end, 1), x(2:end, 1));
%! same (g(:), x(:));
%! same (g(x > 5), x(x > 5));
%! same (g(gpuArray (x) > 5), x(x > 5));
%! same (g(:, :, 1), x);
%! g(:, 2) = [];
%! x(:, 2) = [];
%! same (g, x);
%! g(6, 6) = 1;
%! x(6, 6) = 1;
%! same (g, x);
%! g(g > 5) = 0;
%! x(x > 5) = 0;
%! same (g, x);
%! y(3) = gpuArray (2);
%! same (y, [0 0 2]);
%!error <out of bound> gpuArray (1:3)(4)
%!error gpuArray (1:3){1}
%!test                                   # operators_are_the_built-ins
%! operators = {@plus, @minus, @times, @rdivide, @ldivide, @power, @mtimes, @mrdivide, @mldivide, ...
%!              @eq, @ne, @lt, @le, @gt, @ge, @and, @or};
%! by_sign = {@(a, b) a + b, @(a, b) a - b, @(a, b) a .* b, @(a, b) a ./ b, @(a, b) a .\ b, @(a, b) a .^ b, @(a, b) a * b, @(a, b) a / b, ...
%!            @(a, b) a \ b, @(a, b) a == b, @(a, b) a != b, @(a, b) a < b, @(a, b) a <= b, @(a, b) a > b, @(a, b) a >= b, @(a, b) a & b, @(a, b) a | b};
%! for pair = {{[1 2; 3 4], 2}, {[1 2; 3 4], [5 6; 7 8]}, {single([1 2; 3 5]), [1 0; 0 1]}, {int8([100 2; 3 4]), 2}, {1:2, [1; 2]}, ...
%!             {true, 2}, {[1+2i 3; 1 1], [1 2; 2 1]}, {"a", 1}, {eye(2), [1 2; 3 4]}, {1:2, 3}}
%!   [x, y] = pair{1}{:};
%!   for f = [operators, by_sign]
%!     try
%!       want = f{1} (x, y);
%!       refused = false;
%!     catch
%!       refused = true;
%!     end_try_catch
%!     for on = {{@gpuArray, @gpuArray}, {@gpuArray, @(v) v}, {@(v) v, @gpuArray}}
%!       if (refused)
%!         fail (@() f{1} (on{1}{1} (x), on{1}{2} (y)));
%!       else
%!         g = f{1} (on{1}{1} (x), on{1}{2} (y));
%!         assert (gather (g), full (want), rounding (want));
%!         assert (class (gather (g)), class (want));
%!         assert (isgpuarray (g) || numel (want) == 1);
%!       endif
%!     endfor
%!   endfor
%!   same (-gpuArray (x), full (-x));
%!   same (! gpuArray (x), full (! x));
%!   same (gpuArray (x)', full (x'));
%!   same (gpuArray (x).', full (x.'));
%! endfor
%!function fail (f)
%!  try
%!    f ();
%!  catch
%!    return;
%!  end_try_catch
%!  error ("no error");
%!endfunction
%!test                                   # functions_without_a_method_give_what_they_give_on_the_host
%! x = [1 -4; 9 2.5];
%! g = gpuArray (x);
%! for f = {@exp, @(v) atan2(1, v), @(v) 2 .^ v, @sin}     # a GPU's own, within 2 ulp
%!   assert (gather (f{1} (g)), f{1} (x), -2 * eps);
%! endfor
%! for f = {@sqrt, @abs, @floor, @isnan, @(v) reshape(v, 1, []), @(v) permute(v, [2 1]), @(v) diff(v), @(v) sort(v, 2), ...
%!          @(v) repmat(v, 2, 2), @(v) find(v), @(v) mod(v, 2), @(v) circshift(v, 1), @(v) unique(v), @(v) interp1([0 10], [0 5], v)}
%!   same (f{1} (g), f{1} (x));
%! endfor
%! for f = {@inv, @fft}
%!   assert (gather (f{1} (g)), f{1} (x), rounding (f{1} (x)));
%! endfor
%! assert (isequal (g, x) && isequal (x, g) && ! isequal (g, 1));
%! assert (num2str (gpuArray (pi)), "3.1416");
%! assert (sprintf ("%d,", gpuArray (1:3)), "1,2,3,");
%!test                                   # complex_with_zeros_is_complex
%! assert (iscomplex (gpuArray (complex ([1 2], 0))));
%! assert (iscomplex (gpuArray (complex (1, 0))));
%! assert (gather (gpu_cumprod (gpuArray (complex ([Inf 2; 1 1], 0)))), cumprod (complex ([Inf 2; 1 1], 0)));
%!test                                   # isa_as_the_data_is
%! assert (isa (gpuArray (1), "float") && isa (gpuArray (1), "numeric") && isa (gpuArray (1), "gpuArray"));
%! assert (! isa (gpuArray (int8 (1)), "float"));
%! assert (! isa (gpuArray (true), "numeric"));
%!test                                   # validateattributes_takes_the_class_of_the_data_and_gpuArray
%! g = gpuArray (uint8 (3));
%! validateattributes (g, {"uint8"}, {"scalar"});
%! validateattributes (g, {"gpuArray"}, {"positive"});
%! fail (@() validateattributes (g, {"double"}, {}));
%! fail (@() validateattributes (g, {"gpuArray"}, {"vector", "numel", 2}));
%!test                                   # cast_has_the_built-in's_types_and_errors
%! x = [1.5 -2];
%! g = gpuArray (x);
%! wrong = {{"system"}, {"cell"}, {"disp"}, {"like"}, {}, {5}, {{"single"}}, {"single", 1}, {"LIKE", 1}, {"like", {}}, {"like", 1, 2}};
%! for w = wrong
%!   try
%!     cast (x, w{1}{:});
%!   catch theirs
%!   end_try_catch
%!   try
%!     cast (g, w{1}{:});
%!     ours.message = "none";
%!   catch ours
%!   end_try_catch
%!   assert (ours.message, theirs.message);
%!   assert (ours.identifier, theirs.identifier);
%! endfor
%! for type = {"double", "single", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "logical", "char"}
%!   y = cast (abs (g), type{1});
%!   assert (isgpuarray (y) || strcmp (type{1}, "char"));         # text is the host's
%!   assert (gather (y), cast (abs (x), type{1}));
%!   assert (underlyingType (y), type{1});
%!   same (cast (abs (x), "like", gpuArray (feval (type{1}, 1))), cast (abs (x), type{1}));
%!   assert (cast (g, "like", feval (type{1}, 1)), cast (x, "like", feval (type{1}, 1)));
%! endfor
%! same (cast (g, "like", gpuArray (1i)), complex (x, 0));
%! same (cast (g, gpuArray ("int8")), int8 ([2 -2]));
%! assert (issparse (cast (g, "like", sparse (1))));
%!error <from 'cell' is not supported> cast ({}, "like", gpuArray (1))
%!test                                   # save_and_load
%! file = tempname ();
%! unwind_protect
%!   for format = {"-text", "-binary"}
%!     for x = {magic(3), single(1+2i), int8([1 2; 3 4]), true, "text", zeros(0, 3), NaN}
%!       g = gpuArray (x{1});
%!       save (format{1}, file, "g");
%!       clear g
%!       load (file);
%!       same (g, x{1});
%!     endfor
%!   endfor
%! unwind_protect_cleanup
%!   unlink (file);
%! end_unwind_protect
%!test                                   # MATLAB's_formats_keep_the_host's_array
%! file = tempname ();
%! unwind_protect
%!   for format = {"-v6", "-v7"}
%!     for x = {magic(3), 5, single([1 2]), single(1+2i), [1i 2], true, [true false], "text", [], ones(2, 2, 2)}
%!       g = gpuArray (x{1});
%!       save (format{1}, file, "g");
%!       y = load (file).g;
%!       assert (class (y), class (x{1}));
%!       assert (y, x{1});
%!     endfor
%!   endfor
%! unwind_protect_cleanup
%!   unlink (file);
%! end_unwind_protect
%!error <gather>
%! g = gpuArray (1);
%! save ("-hdf5", tempname (), "g");
%!error <gather>                         # MATLAB's_formats_refuse_integers,_which_they_would_make_double
%! g = gpuArray (int8 (1));
%! save ("-v7", tempname (), "g");
%!test                                   # no_number_names_an_array
%! fail (@() __gpr_octave__ ("adopt"));
%! fail (@() __gpr_octave__ ("adopt", 1));
%! assert (existsOnGPU (1), false);
%! g = gpuArray (1:3);
%! delete (g);
%! fail (@() gpu_sum (g));
%! fail (@() size (g));
%! fail (@() g + 1);
%!test                                   # a_host_array_and_its_gpuArray_change_apart
%! for type = {"double", "single", "int8", "uint64", "logical", "char", "complex"}
%!   for n = [3, 5000]
%!     x = randi (50, n, 2);
%!     if (strcmp (type{1}, "complex"))
%!       x = complex (x, 1);
%!     elseif (strcmp (type{1}, "char"))
%!       x = char (x + 40);
%!     else
%!       x = cast (x, type{1});
%!     endif
%!     old = x;
%!     old(1) = old(1);                    # elements of its own
%!     other = x(end:-1:1,:);
%!     g = gpuArray (x);
%!     h = g;
%!     k = gpuArray (x);
%!     waits = g == g(2);
%!     m = gpuArray (x);
%!     m(3) = other(4);
%!     assert (x, old);
%!     assert (gather (m)(3), other(4));
%!     m([4 5]) = other(1:2);
%!     assert (x, old);
%!     x(2) = other(2);
%!     assert (gather (g), old);
%!     g(3) = other(4);
%!     new = old;
%!     new(3) = other(4);
%!     assert (gather (g), new);
%!     assert (gather (h), old);
%!     assert (gather (waits), old == old(2));
%!     h(end+1,:) = old(1,:);
%!     waits = k == k(1);
%!     clear x k
%!     assert (gather (h), [old; old(1,:)]);
%!     assert (gather (waits), old == old(1));
%!   endfor
%! endfor
%!test                                   # results_of_methods_become_values_without_a_call_of_Octave's
%! x = randn (40, 30);
%! g = gpuArray (x);
%! calls = {@max, 2; @min, 2; @median, 1; @(g) quantile (g, [0.1 0.5]), 1; @mode, 2; @(g) dot (g, g), 1; @(g) histc (g, -3:3), 2; ...
%!          @(g) cummax (g, 2), 2; @(g) maxk (g, 2), 2};
%! before = __gpureduce__ ("diagnose").handles;
%! for k = 1:rows (calls)
%!   got = want = cell (1, calls{k,2});
%!   f = calls{k,1};
%!   profile ("clear");
%!   profile ("on");
%!   unwind_protect
%!     [got{:}] = f (g);
%!   unwind_protect_cleanup
%!     profile ("off");
%!   end_unwind_protect
%!   called = {profile("info").FunctionTable.FunctionName};
%!   profile ("clear");
%!   [want{:}] = merge (k == rows (calls), @(x) gpu_maxk (x, 2), f) (x);
%!   assert (all (cellfun (@(y) isa (y, "gpuArray"), got)));
%!   assert (cellfun (@gather, got, "UniformOutput", false), want, 1e-12);
%!   assert (! any (strcmp (called, "__gpr_octave__")), func2str (f));
%! endfor
%! clear got
%! assert (__gpureduce__ ("diagnose").handles, before);

%!test                                   # many_creations_and_errors_leave_nothing
%! before = __gpureduce__ ("diagnose").handles;
%! for k = 1:merge (strcmp (getenv ("CHECK_LONG"), "yes"), 10000, 1500)
%!   g = gpuArray (k);
%!   h = g + 1;
%!   g(3) = h;
%!   if (mod (k, 4) == 0)
%!     c = {g, {h}};
%!     try
%!       g(:, 7) + h(9);
%!     catch
%!     end_try_catch
%!     try
%!       g * gpuArray (ones (2)) ;
%!     catch
%!     end_try_catch
%!     try
%!       gpu_sum (h, -1);
%!     catch
%!     end_try_catch
%!   endif
%! endfor
%! clear g h c e
%! assert (__gpureduce__ ("diagnose").handles, before);
%!test check ("s = sum (g); h = g; clear functions; disp (g + 1); disp (sum (h)); clear g; disp (h(2)); clear h; disp (__gpureduce__ ('diagnose').handles)", '^ +2 +3 +4 +5 +6\n15\n2\n0\n')   # clear_functions
%!test check ("c = {g, g + 1}; clear all; disp (__gpureduce__ ('diagnose').handles); g = gpuArray (1:6); disp (sum (g (2:3) + 1))", '^0\n7\n')   # clear_all
%!test check ("clear -classes; disp (exist ('g')); g = gpuArray (2); if (g) disp (3); end", '3\n')   # clear_classes
%!test check ("pkg unload gpureduce; disp (g + 1); h = g; h(1) = 7; disp (h(1)); clear g h; disp (9)", '^ +2 +3 +4 +5 +6\n7\n9\n')   # unload
%!test check ("pkg unload gpureduce; pkg load gpureduce; disp (sum (g + 1)); h = [g gpuArray(1)]; disp (numel (h))", '20\n6\n')   # unload_load
%!testif ; __gpureduce__ ("diagnose").devices > 0         # reset
%! check ("k = [g g]; reset (gpuDevice ()); disp (existsOnGPU (g) == existsOnGPU (k)); clear g k; disp (__gpureduce__ ('diagnose').handles)", '1\n0\n');
%!test check ("global h; h = {g, @() g}; x = containers.Map (); x('a') = g; disp (5); exit (0)", '^5\n$')   # leave_with_living_values
%!test                                   # another_core_says_so
%! place = tempname ();
%! mkdir (place);
%! unwind_protect
%!   copyfile (canonicalize_file_name (which ("__gpureduce__")), fullfile (place, "gpu_max.mex"));
%!   check (sprintf ("addpath ('%s'); try, gpu_max (g), catch e, disp (e.identifier), disp (e.message), end; disp (sum (g))", place), ...
%!          '^gpureduce:invalid-input\ngpu_max: .*start Octave again\n15\n');
%! unwind_protect_cleanup
%!   confirm_recursive_rmdir (false, "local");
%!   rmdir (place, "s");
%! end_unwind_protect
%!test                                   # without_the_oct_file_it_says_so
%! place = tempname ();
%! mkdir (place);
%! core = which ("__gpureduce__");
%! unwind_protect
%!   [~, name, ext] = fileparts (core);
%!   copyfile (canonicalize_file_name (core), fullfile (place, [name ext]));
%!   [status, said] = in_octave (sprintf (["addpath ('%s'); rmpath ('%s'); disp (gpu_sum (1:10)); disp (gpu_reduce (1:10, 'max')); disp (gpu_mapreduce (@(x) x + 1, 'max', 1:10)); " ...
%!     "try, gpuArray (1), catch e, disp (e.identifier), disp (e.message), end"], place, fileparts (core)), "GPUREDUCE_DEVICE=cpu");
%!   assert (status == 0, "%s", said);
%!   assert (! isempty (regexp (said, '^55\n10\n11\ngpureduce:no-value-type\ngpuArray: .*octave-dev')), "%s", said);
%! unwind_protect_cleanup
%!   confirm_recursive_rmdir (false, "local");
%!   rmdir (place, "s");
%! end_unwind_protect

## Methods that the oct-file has (src/octave/methods.cc): links beside their m-files, which do the same.
%!function names = native ()
%!  folder = fullfile (fileparts (which ("gpu_sum")), "@gpuArray");
%!  names = {};
%!  for file = dir (fullfile (folder, "*.m")).'
%!    if (! isempty (strfind (fileread (fullfile (folder, file.name)), "(src/octave/methods.cc)")))
%!      names{end+1} = file.name(1:end-2);
%!    endif
%!  endfor
%!endfunction
%!test                                   # native_methods_have_a_link_each_and_no_other_has
%! folder = fullfile (fileparts (which ("gpu_sum")), "@gpuArray");
%! links = dir (fullfile (folder, "*.oct"));
%! assert (sort (regexprep ({links.name}, '\.oct$', "")), sort (native ()));
%! assert (numel (links) > 40);
%!test                                   # native_methods_run_without_their_m-files
%! g = gpuArray ([3 1 2]);
%! profile ("clear");
%! profile ("on");
%! y = sum (g);
%! [m, i] = max (g);
%! c = cumsum (g);
%! s = single (g);
%! h = gather (g);
%! profile ("off");
%! ran = {profile("info").FunctionTable.FunctionName};
%! assert ({y, m, i, h}, {6, 3, 1, [3 1 2]});
%! same (c, [3 4 6]);
%! same (s, single ([3 1 2]));
%! assert (! any (cellfun (@(name) any (strfind (name, "@gpuArray/")), ran)), strjoin (ran, ", "));
%!test                                   # native_methods_give_what_their_m-files_do
%! g = gpuArray ([3 1 2; 5 0 4]);
%! for name = setdiff (native (), {"arrayfun", "hist", "histcounts2", "accumarray", "gather", "quantile", "prctile", "histc", "histcounts", "maxk", "mink", "dot"})
%!   y = feval (name{1}, g);
%!   if (exist (["gpu_" name{1}]))
%!     z = feval (["gpu_" name{1}], g);
%!   else
%!     z = feval (name{1}, gather (g));
%!   endif
%!   assert (is_same (gather (y), gather (z)), name{1});
%! endfor
## What a method does without Octave's C interface is what gpu_NAME does with it: values, class, sizes, and errors.
%!function o = outcome (f, args)
%!  try
%!    y = f (args{:});
%!    o = {isgpuarray(y), class(gather (y)), gather(y)};
%!  catch err
%!    o = {err.identifier, regexprep(err.message, "^\\w+: ", "")};
%!  end_try_catch
%!endfunction
%!test                                   # reductions_of_methods_are_those_of_the_functions
%! classes = {"double", "single", "int8", "uint16", "int32", "int64", "uint64", "logical", "char"};
%! sizes = {[1 1], [1 9], [8 1], [7 5], [3 4 5], [1 1 6], [0 0], [0 3], [3 0], [2 0 3], [300 200], [20 6000], [2 60000]};
%! for name = {"sum", "prod", "sumsq", "mean", "max", "min", "any", "all", "var", "std", "nnz", "rms", "range"}
%!   between = {};
%!   if (any (strcmp (name{1}, {"max", "min"})))
%!     between = {[]};
%!   elseif (any (strcmp (name{1}, {"var", "std"})))
%!     between = {{[], 0, 1, 2}{randi (4)}};
%!   endif
%!   for k = 1:40
%!     x = 4 * randn (sizes{randi (end)});
%!     if (! isempty (x) && rand () < 0.3)
%!       x(randi (numel (x), 1, 4)) = {NaN, Inf, -Inf, -0, realmax}{randi (5)};
%!     endif
%!     if (rand () < 0.1)
%!       x = complex (x, 1);
%!     endif
%!     type = classes{randi (end)};
%!     if (strcmp (type, "logical"))
%!       x = x != 0;
%!     elseif (strcmp (type, "char"))
%!       x = char (64 + (x > 0));
%!     else
%!       x = cast (x, merge (isreal (x), type, "single"));
%!     endif
%!     g = gpuArray (x);
%!     dim = {1, 2, 3, 4, 40, single(2), gpuArray(2), 1.5, 0, -1, NaN, "a", [1 2], "all"}{randi (14)};
%!     calls = {{g}, [{g}, between, {dim}], [{g}, between], {g, dim}};
%!     for args = calls(1:end - any (strcmp (name{1}, {"max", "min"})))         # of two arrays there is an elementwise one
%!       have = outcome (str2func (name{1}), args{1});
%!       want = outcome (str2func (["gpu_" name{1}]), args{1});
%!       assert (isequaln (have, want), "%s of %s %s, %s", name{1}, type, mat2str (size (x)), disp (args{1}(2:end)));
%!       if (! ischar (want{1}))
%!         assert (is_same (have{3}, want{3}));
%!       endif
%!     endfor
%!   endfor
%! endfor
%!test                                   # isequal_and_diag_are_those_of_the_host_where_the_arrays_lie
%! before = gpu_config ("through_host", "count");
%! x = {[1 2 3 4 5], single([1 2 3 4 5]), int8([1 2 3 4 5]), [1; 2; 3; 4; 5], [1 2 3 4 6], true(1, 5), "abcde", zeros(0, 3), zeros(3, 0), NaN(1, 5), rand(3, 4, 2), randn(300)};
%! for a = x
%!   for b = x
%!     want = isequal (a{1}, b{1});
%!     assert (isequal (gpuArray (a{1}), b{1}), want);
%!     assert (isequal (a{1}, gpuArray (b{1})), want);
%!     assert (isequal (gpuArray (a{1}), gpuArray (b{1}), a{1}), want && isequal (a{1}, a{1}));
%!   endfor
%!   for k = {{}, {0}, {2}, {-1}}
%!     if (ndims (a{1}) == 2 && ! ischar (a{1}) && ! isempty (a{1}))
%!       same (diag (gpuArray (a{1}), k{1}{:}), full (diag (a{1}, k{1}{:})));
%!     endif
%!   endfor
%! endfor
%! assert (gpu_config ("through_host", "count"), before);
%! assert (isequal (gpuArray ([1 2]), {1, 2}), false);
%! assert (isequal (struct ("a", 1), gpuArray ([1 2])), false);
%! assert (isequal (gpuArray (complex ([1 2], [0 1])), complex ([1 2], [0 1])));
%!function x = with_edges (type, s)
%!  few = [0 -0 1 -1 2.5 -2.5 0.5 127 128 255 256 -128 -129 65535 65536 2^31 -2^31 2^32-1 2^32 2^53-1 2^53+2 2^60 2^63 2^64 1e300 -1e300 Inf -Inf NaN NA 0.49999999999999994 4503599627370497.5];
%!  x = few(randi (numel (few), s));
%!  long = rand (s) < 0.5;
%!  x(long) = floor (2 .^ (64 * rand (nnz (long), 1)));
%!  if (strcmp (type, "logical"))
%!    x = x > 1;
%!  elseif (strcmp (type, "char"))
%!    x = char (65 + isnan (x));
%!  else
%!    x = cast (x, type);
%!  endif
%!endfunction
## f of args, some of them as gpuArrays, gives what it gives on the host, and does not go there unless it may or is an error.
%!function same_without_host (f, args, on_gpu, may)
%!  what = @() sprintf ("%s of %s", func2str (f), strjoin (cellfun (@(x) [class(x) " " mat2str(size (x))], args, "UniformOutput", false), ", "));
%!  before = gpu_config ("through_host", "count");
%!  given = args;
%!  given(on_gpu) = cellfun (@gpuArray, args(on_gpu), "UniformOutput", false);
%!  have = outcome (f, given);
%!  trips = gpu_config ("through_host", "count") - before;
%!  want = outcome (f, args);
%!  if (numel (want) == 2)
%!    assert (have, want, what ());
%!    return;
%!  endif
%!  assert (trips == 0 || may, what ());
%!  assert (strcmp (have{2}, want{2}) && size_equal (have{3}, want{3}) && isequaln (have{3}, want{3}), what ());
%!  assert (! (isfloat (want{3}) && isreal (want{3})) || isequal (signbit (have{3}), signbit (want{3})), what ());
%!endfunction
%!test                                   # bits_of_gpuArrays_are_those_of_the_host_where_the_arrays_lie
%! types = {"double", "single", "logical", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "char"};
%! sizes = {[1 1], [3 4], [1 4], [0 3], [3 1], [2 2 2], [90 5]};
%! for k = 1:1500
%!   type = types(randi (numel (types), 1, 2));
%!   s = sizes(randi (numel (sizes), 1, 2));
%!   s{2} = s{randi (2)};
%!   x = {with_edges(type{1}, s{1}), with_edges(type{2}, s{2})};
%!   floats = strcmp (type, "double") + 2 * strcmp (type, "single");
%!   same_without_host ({@bitand, @bitor, @bitxor}{randi (3)}, x, {[true true], [true false], [false true]}{randi (3)}, any (strcmp (type, "int64")) || sum (floats) == 3 && all (floats));
%! endfor
%! for y = {3, 0.1, -5, NaN, 1e300, 16777216, int8(-3)}                   # beside singles too
%!   same_without_host (@bitor, {with_edges("single", [20 3]), y{1}}, [true false], false);
%! endfor
%! g = gpuArray (uint8 (0:255));                                         # one expression with what is before and behind
%! assert (gather (sum (bitxor (bitand (g + 3, 15), bitor (g, 4)) .* 2)), sum (bitxor (bitand (uint8 (0:255) + 3, 15), bitor (uint8 (0:255), 4)) .* 2));
%!error <size of X and Y must match> bitand (gpuArray ([1 2 3]), [1; 2])
%!error <matching operand types> bitor (gpuArray (int8 (3)), uint8 (3))
%!error <invalid operand type> bitxor (gpuArray ("abc"), 3)
%!error <Invalid call> bitand (gpuArray (3))
%!error <Invalid call> bitand (gpuArray (3), 1, 2)
%!test                                   # parts_of_real_gpuArrays_are_those_of_the_host_where_the_arrays_lie
%! nan = [NaN, NaN];
%! nan(2) = -nan(1);
%! for type = {"double", "single", "logical", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "char"}
%!   for s = {[1 1], [1 4], [0 3], [3 4], [2 3 2]}
%!     x = with_edges (type{1}, s{1});
%!     for f = {@real, @imag, @conj, @arg, @angle}
%!       same_without_host (f{1}, {x}, true, any (strcmp (type{1}, {"int64", "uint64"})) && any (strcmp (func2str (f{1}), {"arg", "angle"})));
%!     endfor
%!     same_without_host (@vec, {x}, true, false);
%!     for dim = {1, 2, 3, 5, single(2), int8(4), 0, -1, [1 2], "a"}
%!       same_without_host (@vec, {x, dim{1}}, [true false], ! isreal (dim{1}) || ! isscalar (dim{1}) || ischar (dim{1}) || dim{1} > 30);
%!     endfor
%!   endfor
%! endfor
%! same_without_host (@arg, {nan}, true, false);
%! same_without_host (@arg, {single(nan)}, true, false);
%! for s = {[2 3], [90 80]}
%!   same_without_host (@vec, {complex(rand (s{1}), rand (s{1}))}, true, prod (s{1}) < 4097);
%! endfor
%!error <Invalid call> vec (gpuArray (3), 1, 2)
%!error <DIM must be greater than zero> vec (gpuArray ([1 2]), 0)
%!error <argument must be numeric> arg (gpuArray ("a"))
%!error <Invalid call> isequal (gpuArray ([1 2]))
%!error <called with too many outputs> [a, b] = sum (gpuArray (1))
%!error <as many gpuArrays> [a, b] = gather (gpuArray (1))
%!test check ("s = sum (g); clear all; g = gpuArray (1:3); disp (sum (g)); clear functions; disp (max (g)); pkg unload gpureduce; clear all; pkg load gpureduce; disp (sum (gpuArray (1:4)))", '^6\n3\n10\n')   # native_methods_after_clear_and_reloading
## An operator by name wants its operands.
%!error <Invalid call> plus (gpuArray (3))
%!error <Invalid call> times (gpuArray (3))
%!error <Invalid call> power (gpuArray (3))
%!error <Invalid call> mod (gpuArray (3))
%!error <Invalid call> rem (gpuArray (3))
%!error <Invalid call> atan2 (gpuArray (3))
%!error <Invalid call> hypot (gpuArray (3))
%!error <Invalid call> xor (gpuArray (3))
%!error <Invalid call> lt (gpuArray (3))
%!error <Invalid call> minus (gpuArray (3))
%!error <Invalid call> abs (gpuArray (3), 1)
%!error <Invalid call> not (gpuArray (3), 1)
%!test                                   # unary_plus_makes_numbers
%! same = @(f, x) assert (class (gather (f (gpuArray (x)))), class (f (x)));
%! same (@(x) +x, true);
%! same (@(x) +x, "abc");
%! same (@(x) +x, int8 (3));
%! assert (gather (+gpuArray ("abc")), +"abc");
%!test                                   # concatenation_of_empty_ones_is_a_gpuArray
%! g = gpuArray (zeros (0, 3));
%! assert (isgpuarray ([g; g]));
%! assert (isgpuarray ([gpuArray([]), 1]));
%! assert (size ([g; g]), [0 3]);
%!test                                   # brackets_pad_text_and_leave_out_what_is_empty
%! empty = complex (zeros (0, 1));
%! same = @(f, x) assert ({class(gather (f (gpuArray (x)))), gather(f (gpuArray (x)))}, {class(f (x)), f(x)});
%! same (@(x) [x; int8(2)], empty);
%! same (@(x) [int8(2); x], single (empty));
%! same (@(x) [complex(zeros (0)), complex(zeros (1, 0)); x], int8 (3));
%! old = string_fill_char ("_");
%! unwind_protect
%!   same (@(x) [x; "a"], "abc");
%!   same (@(x) ["a"; x], "abc");
%! unwind_protect_cleanup
%!   string_fill_char (old);
%! end_unwind_protect
%!test                                   # an_empty_array_becomes_what_is_put_into_it
%! E = gpuArray ([]);
%! E.x = 1;
%! assert (E, struct ("x", 1));
%! E = gpuArray ([]);
%! E{2} = gpuArray (3);
%! assert (class (E{2}), "gpuArray");
%! g = gpuArray (1);
%! raises ("only elements can be assigned to", @() subsasgn (g, substruct (".", "x"), 1));
%! raises ("only elements can be assigned to", @() subsasgn (g, substruct ("{}", {2}), 1));
%!test                                   # larger_letters_are_Octave's
%! x = char ([252 63 47]);
%! y = char ([63 252 200]);
%! assert (gather (max (gpuArray (x), y)), max (x, y));
%! assert (gather (min (x, gpuArray (y))), min (x, y));
%!test                                   # powers_of_two_sizes_are_complex_where_Octave's_are
%! for pair = {{[-2.5 3], [-35; 0.5]}, {[2.5 3], [-35; 0.5]}, {[-2.5 3], [2; 3]}, {[-2.5; 3], [2 0.5 -1]}, {single([-2 3]), [3; 0.5]}, {[-2 3], [3 0.5]}, {[-2 3], NaN(2, 1)}}
%!   [x, y] = pair{1}{:};
%!   want = x .^ y;
%!   for got = {gpuArray(x) .^ y, x .^ gpuArray(y), power(gpuArray (x), gpuArray (y))}
%!     z = gather (got{1});
%!     assert (isreal (z), isreal (want));
%!     assert (z, want, -4 * eps (class (want)));
%!   endfor
%! endfor
%!test                                   # arrayfun_may_have_no_result
%! g = gpuArray ([3 1 4]);
%! arrayfun (@(k) assert (k > 0), g);
%! assert (evalc ("arrayfun (@(k) printf (\"%d;\", k), g);"), "3;1;4;");
%! [a, b] = arrayfun (@(x) max ([2 x]), g);
%! assert ({gather(a), gather(b), class(a)}, {[3 2 4], [2 1 2], "gpuArray"});
%!test                                   # a_seed_may_be_a_gpuArray
%! for name = {"rand", "randn", "rande", "randp", "randg"}
%!   old = feval (name{1}, "state");
%!   unwind_protect
%!     feval (name{1}, "state", gpuArray (3));
%!     mine = feval (name{1}, "state");
%!     feval (name{1}, "state", 3);
%!     assert (mine, feval (name{1}, "state"));
%!   unwind_protect_cleanup
%!     feval (name{1}, "state", old);
%!   end_unwind_protect
%! endfor
%!test                                   # a_variable_that_is_not_defined_takes_the_class
%! for value = {int8(2), true, single(2), 2, "a", 2+1i, uint64(7)}
%!   clear x y
%!   x(2) = gpuArray (value{1});
%!   y(2) = value{1};
%!   assert (class (gather (x)), class (y));
%!   assert (gather (x), y);
%! endfor
%! clear x
%! x(1,:) = gpuArray ("abc");
%! assert (gather (x), "abc");
