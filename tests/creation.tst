## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Functions that make arrays, with "gpuArray", with "like", and as gpuArray.zeros.

## A gpuArray of these values.
%!function same (g, x)
%!  assert (class (g), "gpuArray");
%!  y = gather (g);
%!  assert (class (y), class (x));
%!  assert (iscomplex (y), iscomplex (x));
%!  assert (y, x);
%!endfunction

%!test                                   # "gpuArray"_makes_what_the_function_makes
%! for name = {"zeros", "ones", "eye", "Inf", "inf", "NaN", "nan", "NA", "true", "false"}
%!   f = str2func (name{1});
%!   for args = {{}, {3}, {2, 3}, {[3 2]}}
%!     same (f (args{1}{:}, "gpuArray"), f (args{1}{:}));
%!     same (gpuArray.(name{1}) (args{1}{:}), f (args{1}{:}));
%!   endfor
%! endfor
%! for class = {"single", "int8", "uint64"}
%!   same (zeros (2, 3, class{1}, "gpuArray"), zeros (2, 3, class{1}));
%!   same (gpuArray.ones (2, class{1}), ones (2, class{1}));
%! endfor
%! same (zeros (2, 0, 3, "gpuArray"), zeros (2, 0, 3));
%! same (zeros (gpuArray (2), gpuArray (3), "gpuArray"), zeros (2, 3));
%!function same_bits (g, x)
%!  same (g, x);
%!  if (isfloat (x) && ! isempty (x))
%!    assert (typecast (gather (g)(:), "uint32"), typecast (x(:), "uint32"));
%!  endif
%!endfunction
%!test                                   # every_class_and_every_way_to_say_sizes
%! classes = {"double", "single", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"};
%! for args = {{}, {0}, {1}, {5}, {-3}, {3, 4}, {4, 3}, {1, 700}, {-1, 3}, {[2 5]}, {[2; 5]}, {int8([3 2])}, {single(2), true}, {70, 80}}
%!   for class = classes
%!     same_bits (eye (args{1}{:}, class{1}, "gpuArray"), full (eye (args{1}{:}, class{1})));
%!     same_bits (eye (args{1}{:}, "like", gpuArray (ones (2, class{1}))), full (eye (args{1}{:}, class{1})));
%!   endfor
%! endfor
%! for args = {{}, {0}, {-3}, {3, 4}, {2, 3, 4}, {2, 3, 1, 1}, {2, 1, 3}, {[2 3 4 1]}, {[2; 5]}, {int8([3 2])}, {single(2), true, 2}, {-1, 3, 2}, {100, 110}}
%!   for class = classes
%!     for f = {@zeros, @ones}
%!       same_bits (f{1} (args{1}{:}, class{1}, "gpuArray"), f{1} (args{1}{:}, class{1}));
%!     endfor
%!   endfor
%!   for class = classes(1:2)
%!     for f = {@Inf, @NaN, @NA}
%!       same_bits (f{1} (args{1}{:}, class{1}, "gpuArray"), f{1} (args{1}{:}, class{1}));
%!       same_bits (f{1} (args{1}{:}, "like", gpuArray (ones (2, class{1}))), f{1} (args{1}{:}, class{1}));
%!     endfor
%!   endfor
%!   same_bits (true (args{1}{:}, "gpuArray"), true (args{1}{:}));
%!   same_bits (false (args{1}{:}, "gpuArray"), false (args{1}{:}));
%! endfor
%! same (zeros (2, "like", gpuArray (true)), false (2));
%! same (eye (2, 3, "like", gpuArray (true)), logical (eye (2, 3)));
%!function said = complaint (f, args)
%!  said = "none";
%!  try
%!    f (args{:});
%!  catch e
%!    said = [e.identifier "|" e.message];
%!  end_try_catch
%!endfunction
%!test                                   # an_error_is_the_built-in's
%! for name = {"zeros", "ones", "eye", "Inf", "NaN", "NA", "true", "false", "rand", "randn", "rande", "randi", "randperm"}
%!   f = str2func (["@(varargin) " name{1} " (varargin{:})"]);          # @randi is the m-file
%!   for args = {{2.5}, {NaN}, {Inf}, {2, NaN}, {2, "foo"}, {"int7"}, {2, "int8"}, {1i}, {{1}}, {1, [1 2]}, {[1 2], 1}, {struct()}, {1e10, 1e10}, {1e10, 1e10, 1e10}, ...
%!               {ones(2)}, {ones(2, 2, 2)}, {1e18}, {-5}, {"single", 2}, {3, 4}, {[1 2 3]}, {[1 0]}, {[1.5 3]}, {flintmax}, {[-flintmax + 1, flintmax - 2]}}
%!     if (any (strcmp (name{1}, {"randperm", "eye"})) && isequal (args{1}, {1e10, 1e10}))      # some machines have the memory: Octave's eye is no full matrix
%!       continue;
%!     endif
%!     want = complaint (f, args{1});
%!     have = complaint (f, [args{1}, {"gpuArray"}]);
%!     assert (strcmp (have, want), "%s: %s: %s, not %s", name{1}, disp (args{1}), have, want);
%!   endfor
%! endfor
%! for name = {"zeros", "NaN", "eye", "rand", "randn", "true"}
%!   fail ([name{1} " (1e7, 1e7, 'gpuArray')"], "out of memory or dimension too large for Octave's index type");
%! endfor
%!error id=gpureduce:out-of-memory zeros (1e7, 1e7, "gpuArray")
%!test                                   # ranges_are_made_by_their_formula
%! for r = {0:5, 1:1000, 0.1:0.1:0.9, 5:-0.3:-7, -(0:4), 0:1e-3:50, (1:9) * 0.1, 1e15 + (1:5), -0.0:3, 1:2, 1:1, 1:0, 0:0.1:0.35, 3 - (1:4)}
%!   x = r{1}(:).';
%!   same_bits (gpuArray (r{1}), x);
%! endfor
%! g = gpuArray (3);
%! same_bits (1:g, 1:3);
%! same_bits (gpuArray.colon (0.5, 0.25, 9), (0.5:0.25:9)(:).');
%!test                                   # "like"_takes_the_class_over
%! for p = {1, single(1), int8(1), uint64(1), 1i, single(1i), true}
%!   g = gpuArray (p{1});
%!   if (islogical (p{1}))
%!     x = true (2, 3);
%!   else
%!     x = ones (2, 3, class (p{1}));
%!   endif
%!   same (ones (2, 3, "like", g), x);
%! endfor
%! same (Inf (2, "like", gpuArray (single (1))), Inf (2, "single"));
%! same (eye (2, "like", gpuArray (int8 (1))), eye (2, "int8"));
%! same (true (2, "like", gpuArray (true)), true (2));
%! assert (class (zeros (2, "like", single (1))), "single");
%! assert (underlyingType (rand (2, "like", gpuArray (single (1)))), "single");
%!error <"like"> rand (2, "like", gpuArray (int8 (1)))
%!error <"like"> zeros (2, "like", gpuArray ("a"))
%!test                                   # what_has_no_generator_of_its_own_is_of_Octave's_seed
%! for f = {@(varargin) randg(2, varargin{:}), @(varargin) randp(3, varargin{:})}
%!   randg ("twister", 5);
%!   randp ("twister", 5);
%!   x = f{1} (3, 4);
%!   randg ("twister", 5);
%!   randp ("twister", 5);
%!   same (f{1} (3, 4, "gpuArray"), x);
%! endfor
%!test                                   # ranges_without_an_array_of_the_host
%! same (gpuArray.linspace (0, 1, 5), linspace (0, 1, 5));
%! same (gpuArray.logspace (0, 2, 4), logspace (0, 2, 4));
%! same (gpuArray.colon (1, 4), 1:4);
%! same (gpuArray.colon (1, 2, 6), 1:2:6);
%!test                                   # every_other_call_is_Octave's
%! assert (zeros (2, 3, "int8"), int8 ([0 0 0; 0 0 0]));
%! assert (class (ones (2)), "double");
%! assert (size (zeros ()), [1 1]);
%! rand ("twister", 1);
%! x = rand (3);
%! rand ("twister", 1);
%! assert (rand (3), x);
%! assert (numel (rand ("state")), 625);
%! assert (class (randi (5)), "double");
%!error <data type> zeros (2, "gpuarray")
%!error <Invalid call to randi> randi ()
%!error <Invalid call to eye> eye (1, 2, 3)
%!test                                   # "shadow"_off_brings_Octave's_own_back
%! assert (gpu_config ("shadow"), "on");
%! for k = 1:2
%!   old = gpu_config ("shadow", "off");
%!   unwind_protect
%!     assert (old, "on");
%!     fail ("zeros (2, 'gpuArray')");
%!     fail ("randi (2, 'gpuArray')");
%!     same (zeros (2, "like", gpuArray (int8 (1))), zeros (2, "int8"));
%!     same (gpuArray.randi (1, 2), [1 1; 1 1]);
%!     assert (class (randi (5)), "double");
%!   unwind_protect_cleanup
%!     gpu_config ("shadow", old);
%!   end_unwind_protect
%!   same (zeros (2, "gpuArray"), zeros (2));
%! endfor
%!error id=gpureduce:invalid-input gpu_config ("shadow", "maybe")
%!error id=gpureduce:invalid-input gpu_config ("shadow", 1)

## A session of its own.
%!function said = session (code)
%!  [status, said] = in_octave (["warning ('off', 'gpureduce:cpu-fallback'); " code]);
%!  assert (status == 0, "%s", said);
%!endfunction
%!test                                   # after_pkg_load_alone,_clear_all_and_reloading
%! said = session ("disp (class (zeros (2, 'gpuArray'))); clear all; disp (class (randi (3, 'gpuArray'))); pkg unload gpureduce; try, zeros (2, 'gpuArray'); catch, disp ('none'); end; try, randi (2, 'gpuArray'); catch, disp ('none'); end; pkg load gpureduce; disp (class (rand (2, 'gpuArray')));");
%! assert (regexprep (said, '\s+', " "), "gpuArray gpuArray none none gpuArray ");
%!test                                   # load_knows_gpuArrays_from_the_start
%! file = [tempname() ".txt"];
%! g = gpuArray ([1 2; 3 4]);
%! unwind_protect
%!   save ("-text", file, "g");
%!   said = session (sprintf ("load ('%s'); disp (class (g)); disp (gather (g));", file));
%!   assert (regexprep (said, '\s+', " "), "gpuArray 1 2 3 4 ");
%! unwind_protect_cleanup
%!   unlink (file);
%! end_unwind_protect

## Through the host.
%!test                                   # what_Octave_does_on_the_host_is_counted_said_or_refused
%! g = gpuArray (magic (4));
%! assert (gpu_config ("through_host"), "quiet");
%! before = gpu_config ("through_host", "count");
%! hess (g);
%! assert (gpu_config ("through_host", "count") - before, 1);
%! sum (g);
%! assert (gpu_config ("through_host", "count") - before, 1);
%! said = session ("gpu_config ('through_host', 'warn'); g = gpuArray (magic (4)); hess (g);");
%! assert (! isempty (strfind (said, "warning: hess: gpuArrays have no kernel")), said);
%! old = gpu_config ("through_host");
%! unwind_protect
%!   gpu_config ("through_host", "error");
%!   fail ("hess (g)", "hess: gpuArrays have no kernel");
%!   sum (g);
%! unwind_protect_cleanup
%!   gpu_config ("through_host", old);
%! end_unwind_protect
%!error id=gpureduce:invalid-input gpu_config ("through_host", "loud")
%!test                                   # a_users_own_function_of_the_command_line_stays
%! gpu_config ("shadow", "off");
%! unwind_protect
%!   evalin ("base", "function y = randi (varargin), y = -1; endfunction");
%!   gpu_config ("shadow", "on");
%!   assert (randi (5), -1);
%!   gpu_config ("shadow", "off");
%!   assert (randi (5), -1);
%! unwind_protect_cleanup
%!   clear -f randi
%!   gpu_config ("shadow", "on");
%! end_unwind_protect
%! assert (randi (5) > 0);
