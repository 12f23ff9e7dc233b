## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Large results on the host are arrays of Octave's own, made by the oct-file where it could be built.

%!function x = numbers (type, n)
%!  x = mod ((1:n)' * 7919, 251) - 100;
%!  switch (type)
%!    case {"logical", "char"}
%!      x = feval (type, mod (x + 200, 3));
%!    case {"complex double", "complex single"}
%!      x = feval (type(9:end), complex (x, flipud (x)));
%!    otherwise
%!      x = cast (x, type);
%!  endswitch
%!endfunction

%!test                                   # every_class_comes_back_as_it_went
%! for type = {"double", "single", "complex double", "complex single", "int8", "uint8", "int16", "uint16", ...
%!             "int32", "uint32", "int64", "uint64", "logical", "char"}
%!   for size = {[300000 1], [3 500 200], [1 300001]}
%!     x = reshape (numbers (type{1}, prod (size{1})), size{1});
%!     y = gather (gpuArray (x));
%!     assert (class (y), class (x));
%!     assert (iscomplex (y), iscomplex (x));
%!     assert (isequal (y, x));
%!   endfor
%! endfor
%!test                                   # imaginary_parts_that_are_all_zero_go
%! x = complex (ones (1e5, 1), 0);
%! y = gpu_cumsum (x);
%! assert (isreal (y), isreal (cumsum (x)));
%! assert (y, (1:1e5)');
%! x(end) = 1 + 2i;
%! y = gpu_cumsum (x);
%! assert (iscomplex (y));
%! assert (y, cumsum (x));
%!test                                   # what_is_so_large_that_it_has_large_pages
%! x = mod (1:3e6, 17);
%! assert (gpu_cumsum (x), cumsum (x));
%! [m, i] = gpu_cummax (x);
%! [m0, i0] = cummax (x);
%! assert ({m, i}, {m0, i0});
%!test                                   # a_result_is_the_callers_own
%! x = mod (1:1e5, 17);
%! a = gpu_cumsum (x);
%! b = a;
%! b(1) = 100;
%! assert (a(1), 1);
%! assert (gpu_cumsum (x), a);
%!test                                   # the_same_without_the_oct_file
%! place = tempname ();
%! mkdir (place);
%! core = which ("__gpureduce__");
%! unwind_protect
%!   [~, name, ext] = fileparts (core);
%!   copyfile (canonicalize_file_name (core), fullfile (place, [name ext]));
%!   [status, said] = in_octave (sprintf (["addpath ('%s'); rmpath ('%s'); warning ('off', 'gpureduce:cpu-fallback'); " ...
%!     "disp (exist ('__gpr_octave__') == 3); x = mod (1:1e5, 17); z = complex (x, 1); " ...
%!     "disp ([isequal(gpu_cumsum (x), cumsum (x)), isequal(gpu_cumsum (z), cumsum (z))])"], ...
%!     place, fileparts (core)), "GPUREDUCE_DEVICE=cpu");
%!   assert (status == 0, "%s", said);
%!   assert (regexprep (strtrim (said), '\s+', " "), "0 1 1");
%! unwind_protect_cleanup
%!   confirm_recursive_rmdir (false, "local");
%!   rmdir (place, "s");
%! end_unwind_protect
