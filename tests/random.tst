## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Random numbers made where they lie.  What the generator makes of a seed, and the distributions, are in
## tests/unit/random_test.c; the errors in tests/creation.tst.

%!function check (name, args)
%!  f = str2func (["@(varargin) " name " (varargin{:})"]);          # @randi is the m-file
%!  x = f (args{:});
%!  g = f (args{:}, "gpuArray");
%!  assert (class (g), "gpuArray");
%!  y = gather (g);
%!  assert (class (y), class (x));
%!  assert (size (y), size (x));
%!  assert (isreal (y));
%!  assert (size (gpuArray.(name) (args{:})), size (x));
%!endfunction
%!test                                   # sizes_and_classes_are_those_of_the_functions
%! for name = {"rand", "randn", "rande"}
%!   for args = {{}, {3}, {2, 3}, {[3 2]}, {[3; 2]}, {2, 3, 4}, {2, 3, 1, 1}, {1, 1, 3}, {0}, {-1, 3}, {int8(3), single(2)}, {3, "single"}, {2, 5, "double"}, {"single"}}
%!     check (name{1}, args{1});
%!   endfor
%! endfor
%! has_64_bits = true;
%! try, randi (5, 1, "int64"); catch, has_64_bits = false; end_try_catch   # Octave 11 has not
%! for args = {{5}, {5, 3}, {5, 2, 3}, {[2 5], 2, 3, 4}, {5, [3 2]}, {5, [2 1 3]}, {[-3; 8], 4, "int8"}, {5, "single"}, {5, 0, 3}, {int32(9), 2}, {1}, ...
%!             {5, 2, "uint8"}, {5, 2, "int16"}, {5, 2, "uint16"}, {5, 2, "int32"}, {5, 2, "uint32"}, {5, 2, "int64"}, {5, 2, "uint64"}, {5, 2, "double"}}
%!   if (has_64_bits || ! any (strcmp (args{1}(end), {"int64", "uint64"})))
%!     check ("randi", args{1});
%!   endif
%! endfor
%! for args = {{1}, {7}, {7, 3}, {7, 7}, {7, 0}, {0}, {int8(5)}}
%!   check ("randperm", args{1});
%! endfor
%!function again (seed, f, x)
%!  gpurng (seed);
%!  assert (isequal (gather (f ()), x));
%!endfunction
%!test                                   # the_first_numbers_are_those_of_philox
%! old = gpurng (0);                      # its known answer for key and counter 0
%! unwind_protect
%!   words = uint64 ([0x6627e8d5 0xe169c58d 0xbc57ac4c 0x9b00dbd8]);
%!   long = words([1 3]) + bitshift (words([2 4]), 32);
%!   assert (gather (rand (1, 2, "gpuArray")), (double (bitshift (long, -12)) + 0.5) / 2^52);
%!   gpurng (0);
%!   assert (gather (rand (1, 4, "single", "gpuArray")), single ((double (bitshift (words, -9)) + 0.5) / 2^23));
%!   gpurng (0);
%!   u = (double (bitand (long, uint64 (2)^63 - 1)) + 0.5) / 2^63;
%!   assert (gather (rande (1, 2, "gpuArray")), -log (u), -4 * eps);
%!   gpurng (0);
%!   assert (gather (randn (1, 2, "gpuArray")), (-1) .^ (long >= uint64 (2)^63) .* sqrt (2) .* erfcinv (u), -1e-12);
%!   gpurng (0);
%!   assert (gather (randi (100, 1, 2, "gpuArray")), 1 + floor (double (long) / 2^64 * 100));
%! unwind_protect_cleanup
%!   gpurng (old);
%! end_unwind_protect
%!test                                   # numbers_do_not_depend_on_threads
%! old = gpurng (5);
%! threads = gpu_config ("threads");
%! unwind_protect
%!   for f = {@() rand(1e5, 1, "gpuArray"), @() randn(1e5, 1, "single", "gpuArray"), @() rande(7, 1e4, "gpuArray"), @() randi([-5 9], 1e5, 1, "int8", "gpuArray"), ...
%!            @() randperm(3e4, "gpuArray")}
%!     gpurng (5);
%!     x = gather (f{1} ());
%!     for n = [1 2 3]
%!       gpu_config ("threads", n);
%!       again (5, f{1}, x);
%!     endfor
%!   endfor
%! unwind_protect_cleanup
%!   gpu_config ("threads", threads);
%!   gpurng (old);
%! end_unwind_protect
%!test                                   # all_draw_from_one_stream,_and_not_from_Octave's
%! old = gpurng (5);
%! state = rand ("state");
%! unwind_protect
%!   x = gather (rand (20, 1, "gpuArray"));
%!   gpurng (5);
%!   randn (3, 2, "gpuArray");
%!   randi (9, 1, 2, "int8", "gpuArray");
%!   rande (5, 1, "single", "gpuArray");  # two blocks of four
%!   assert (gather (rand (8, 1, "gpuArray")), x(13:20));
%!   gpurng (5);
%!   randperm (6, 2, "gpuArray");
%!   assert (gather (rand (14, 1, "gpuArray")), x(7:20));
%!   fail ("rand (1e7, 1e7, 'gpuArray')");
%!   gpurng (5);
%!   fail ("rand (1e7, 1e7, 'gpuArray')"); # a failure draws none
%!   again_here = gather (rand (20, 1, "gpuArray"));
%!   assert (again_here, x);
%!   assert (rand ("state"), state);
%! unwind_protect_cleanup
%!   gpurng (old);
%! end_unwind_protect
%!test                                   # every_integer_between_the_limits
%! old = gpurng (11);
%! unwind_protect
%!   for class = {"double", "single", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"}
%!     assert (unique (gather (randi ([3 9], 1, 300, class{1}, "gpuArray"))), cast (3:9, class{1}));
%!     assert (gather (randi (1, 1, 3, class{1}, "gpuArray")), ones (1, 3, class{1}));
%!   endfor
%!   assert (unique (gather (randi ([-128 127], 1e4, 1, "int8", "gpuArray"))), int8 (-128:127).');
%!   for limits = {[-flintmax/2 + 2, flintmax/2 - 1], [0, flintmax - 2], [-flintmax + 1, -1], [2^40 2^40+1]}
%!     x = gather (randi (limits{1}, 1000, 1, "gpuArray"));
%!     assert (all (x >= limits{1}(1) & x <= limits{1}(2) & x == fix (x)));
%!     assert (max (x) - min (x) >= 0.95 * diff (limits{1}));
%!     gpurng (11);
%!     x = gather (randi (limits{1}, 1000, 1, "int64", "gpuArray"));
%!     assert (all (x >= limits{1}(1) & x <= limits{1}(2)));
%!   endfor
%! unwind_protect_cleanup
%!   gpurng (old);
%! end_unwind_protect
%!test                                   # beyond_the_class_is_saturated_as_the_function's
%! warning ("off", "all", "local");
%! assert (gather (randi ([200 300], 1, 5, "int8", "gpuArray")), 127 * ones (1, 5, "int8"));
%!test                                   # permutations
%! old = gpurng (3);
%! unwind_protect
%!   for n = [1 2 17 1000 50000]
%!     p = gather (randperm (n, "gpuArray"));
%!     assert (sort (p), 1:n);
%!     assert (n < 17 || ! issorted (p));
%!     p = gather (randperm (n, ceil (n / 3), "gpuArray"));
%!     assert (numel (unique (p)) == ceil (n / 3) && all (p >= 1 & p <= n & p == fix (p)));
%!   endfor
%!   found = zeros (6, 1);                # each of the six orders of three
%!   for k = 1:600
%!     p = gather (randperm (3, "gpuArray"));
%!     found(2 * p(1) - (p(2) < p(3)))++;
%!   endfor
%!   assert (all (found > 60 & found < 140));
%! unwind_protect_cleanup
%!   gpurng (old);
%! end_unwind_protect
%!test                                   # like_a_gpuArray_of_another_class_or_complex
%! old = gpurng (3);
%! unwind_protect
%!   assert (class (gather (rand (2, "like", gpuArray (single (1))))), "single");
%!   assert (class (gather (randi (9, 2, "like", gpuArray (uint64 (1))))), "uint64");
%!   for p = {1i, single(1i)}
%!     gpurng (3);
%!     x = gather (rand (40, "like", gpuArray (p{1})));
%!     assert (iscomplex (x) && strcmp (class (x), class (p{1})) && isequal (size (x), [40 40]));
%!     assert (all (real (x(:)) > 0 & real (x(:)) < 1 & imag (x(:)) > 0 & imag (x(:)) < 1));
%!     assert (abs (mean (x(:)) - (0.5 + 0.5i)) < 0.05);
%!     gpurng (3);
%!     y = gather (rand (2, 1600, class (p{1}), "gpuArray"));
%!     assert (x(:).', complex (y(1,:), y(2,:)));
%!   endfor
%! unwind_protect_cleanup
%!   gpurng (old);
%! end_unwind_protect
