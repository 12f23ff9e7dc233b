## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Indexing, assignment, concatenation and other orders of elements by kernels give what they give on the host.

%!function n = rounds (n)                # all of them in check-long
%!  if (! strcmp (getenv ("CHECK_LONG"), "yes"))
%!    n = ceil (n / 3);
%!  endif
%!endfunction
%!function fail_alike (f, x, g)
%!  [said, of_g] = deal ("none");
%!  try
%!    f (x);
%!  catch e
%!    said = strrep (e.message, "index (", "x(");
%!  end_try_catch
%!  try
%!    f (g);
%!  catch e
%!    of_g = strrep (e.message, "index (", "x(");
%!  end_try_catch
%!  assert (of_g, said);
%!  assert (! strcmp (said, "none"));
%!endfunction
%!function r = pick (list)
%!  r = list{randi (numel (list))};
%!endfunction
%!function x = array (type, s)
%!  x = floor (10 * rand (s));
%!  switch (type)
%!    case "logical"
%!      x = x > 4;
%!    case "char"
%!      x = char (x + 65);
%!    case "complex"
%!      x = complex (x, floor (3 * rand (s)));
%!    otherwise
%!      x = cast (x, type);
%!  endswitch
%!endfunction
%!function same (g, x, what)
%!  y = gather (g);
%!  if (! (strcmp (class (y), class (x)) && iscomplex (y) == iscomplex (x) && isequal (size (y), size (x)) && isequal (y, x)))
%!    error ("%s: %s, not %s", what, disp (y), disp (x));
%!  endif
%!endfunction
%!function k = subscripts (s)
%!  n = randi (numel (s));
%!  k = cell (1, n);
%!  for d = 1:n
%!    m = merge (d == n, prod (s(d:end)), s(d));
%!    ends = sort (randi (m, 1, 2));
%!    k{d} = pick ({":", randi(m), ends(1):ends(2), ends(2):-1:ends(1), randi(m, 1, randi (3)), 1:2:m, rand(1, m) > 0.5, false(1, m), randi(m, 3, 1)});
%!  endfor
%!endfunction
%!test                                   # any_indices_and_assignments
%! warning ("off", "all", "local");
%! types = {"double", "single", "int8", "uint16", "int32", "int64", "logical", "char", "complex"};
%! for t = 1:rounds (600)
%!   type = pick (types);
%!   s = randi (5, 1, randi ([2 3]));
%!   x = array (type, s);
%!   k = subscripts (size (x));
%!   what = sprintf ("%s %s, indices %s", type, mat2str (s), strtrim (disp (k)));
%!   g = gpuArray (x);
%!   same (g(k{:}), x(k{:}), what);
%!   v = x(k{:});
%!   v = pick ({v, reshape(v(end:-1:1), size (v)), 7.5, array(pick (types), [1 1]), true, ones(2, 3), array(pick (types), size (v)), 50.3 * array("single", size (v)), 99 * array(pick ({"int16", "int64"}), size (v))});
%!   if (isempty (x(k{:})) && ! isempty (v))
%!     v = 1;            # Octave 7 is not consistent in what it takes for no elements
%!   endif
%!   h = x;
%!   b = g;
%!   host = ours = "";
%!   try
%!     h(k{:}) = v;
%!   catch e
%!     host = e.message;
%!   end_try_catch
%!   try
%!     g(k{:}) = pick ({v, gpuArray(v)});
%!   catch e
%!     ours = e.message;
%!   end_try_catch
%!   assert (isempty (ours) == isempty (host), "%s: %s%s", what, host, ours);
%!   same (g, h, [what " <- " class(v)]);
%!   same (b, x, [what ": its copy"]);
%! endfor
%!test                                   # so_do_longer_arrays_in_other_orders_and_places
%! for t = 1:rounds (150)
%!   type = pick ({"double", "single", "int8", "uint16", "int32", "int64", "logical", "char", "complex"});
%!   x = array (type, pick ({randi(40, 1, randi([2 4])), randi(600, 1, 2), [randi(4), randi(3000), randi(9)]}));
%!   g = gpuArray (x);
%!   what = sprintf ("%s %s", type, mat2str (size (x)));
%!   order = randperm (ndims (x) + randi ([0 1]));
%!   same (permute (g, order), permute (x, order), [what ", permuted: " mat2str(order)]);
%!   same (g(:,:)', x(:,:)', [what ", transposed"]);
%!   k = cell (1, ndims (x));
%!   for d = 1:ndims (x)
%!     n = size (x, d);
%!     k{d} = pick ({":", randi(n):randi(3):n, n:-1:1});
%!   endfor
%!   same (g(k{:}), x(k{:}), [what ", a view"]);
%!   x(k{:}) = flip (x(k{:}), 1);
%!   g(k{:}) = flip (g(k{:}), 1);
%!   same (g, x, [what ", a view assigned to"]);
%!   along = randi (3);
%!   same (cat (along, g, g, g), cat (along, x, x, x), sprintf ("%s, three along %d", what, along));
%! endfor
%!test                                   # colons_by_name_empty_masks_and_other_classes_stay_where_the_array_lies
%! before = gpu_config ("through_host", "count");
%! for type = {"double", "single", "int16"}
%!   x = array (type{1}, [4 6 3]);
%!   g = gpuArray (x);
%!   k = {":", 2:3, ":"};
%!   same (g(k{:}), x(k{:}), "colons by name");
%!   same (g(":"), x(:), "one colon by name");
%!   same (g(g > 99), x(x > 99), "an empty mask");
%!   same (g(:, any (g(:,:,1) > 99), 2), zeros (4, 0, type{1}), "one of columns");
%!   for value = {single(2.5), int8(3), uint32(7), int64(9), true, 4.5}
%!     x(k{:}) = g(k{:}) = value{1};
%!     x(x > 99) = g(g > 99) = value{1};
%!     x([3 1 17]) = g([3 1 17]) = value{1};
%!     same (g, x, class (value{1}));
%!   endfor
%! endfor
%! assert (gpu_config ("through_host", "count"), before);
%!test                                   # expressions_go_where_they_are_assigned_to
%! warning ("off", "all", "local");
%! for t = 1:rounds (300)
%!   type = pick ({"double", "single", "int16", "logical"});
%!   s = randi (6, 1, randi ([2 3]));
%!   host = array (type, s);
%!   ours = gpuArray (host);
%!   k = cell (1, numel (s));
%!   for d = 1:numel (s)
%!     ends = sort (randi (s(d), 1, 2));
%!     k{d} = pick ({":", randi(s(d)), ends(1):ends(2), ends(2):-1:ends(1), 1:2:s(d)});
%!   endfor
%!   v = host(k{:});
%!   a = array (pick ({type, type, type, "double"}), size (v));
%!   b = array (type, pick ({[1 1], [size(v, 1) 1], [1 size(v, 2)], size(v)}));
%!   f = pick ({@(a, b) a .* b + 1, @(a, b) max (a, b), @(a, b) a - mean (double (b), 1), @(a, b) a > b, @(a, b) abs (a) + b(end)});
%!   what = sprintf ("%s %s of %s and %s, indices %s", type, mat2str (s), class (a), func2str (f), strtrim (disp (k)));
%!   value = f (gpuArray (a), gpuArray (b));
%!   self = rand () < 0.2 && isequal (size (value), size (v));
%!   if (self)             # its elements are read before they are written
%!     value = value + ours(k{:});
%!   endif
%!   held = pick ({[], value});
%!   copy = pick ({[], ours});
%!   want = f (a, b);
%!   if (self)
%!     want = want + host(k{:});
%!   endif
%!   before = host;
%!   host(k{:}) = want;
%!   ours(k{:}) = value;
%!   clear value
%!   same (ours, host, what);
%!   if (! isempty (held))
%!     same (held, want, [what ": the value"]);
%!   endif
%!   if (! isempty (copy))
%!     same (copy, before, [what ": its copy"]);
%!   endif
%! endfor
%! g = gpuArray (reshape (1:12, 3, 4));
%! h = gather (g);
%! g(:) = 2 * g(end:-1:1) + g(:)';
%! h(:) = 2 * h(end:-1:1) + h(:)';
%! same (g, h, "of itself");
%! g(:,2:3) = g(:,[1 2]) - g(:,2:3);
%! h(:,2:3) = h(:,[1 2]) - h(:,2:3);
%! same (g, h, "of columns of itself");
%!test                                   # arrays_side_by_side
%! warning ("off", "all", "local");
%! for t = 1:rounds (200)
%!   type = pick ({"double", "single", "int8", "int64", "logical", "char", "complex"});
%!   s = randi (4, 1, randi ([2 3]));
%!   dim = randi (3);
%!   parts = cell (1, randi (3));
%!   for k = 1:numel (parts)
%!     s(dim) = randi ([0 3]);
%!     parts{k} = array (type, s);
%!   endfor
%!   on = cellfun (@(x) pick ({x, gpuArray(x)}), parts, "uniformoutput", false);
%!   on{1} = gpuArray (parts{1});
%!   same (cat (dim, on{:}), cat (dim, parts{:}), sprintf ("cat along %d of %s", dim, type));
%! endfor
%! g = gpuArray ([1 2; 3 4]);
%! same ([g, g(:,1); 5 6 7], [1 2 1; 3 4 3; 5 6 7], "rows");
%!error <nonconformant|mismatch|gpuArray> [gpuArray([1 2]); gpuArray([1 2 3])]
%!test                                   # other_orders
%! for t = 1:rounds (200)
%!   type = pick ({"double", "single", "uint8", "uint64", "logical", "char", "complex"});
%!   x = array (type, randi (4, 1, randi ([2 4])));
%!   g = gpuArray (x);
%!   p = randperm (ndims (x) + randi ([0 1]));
%!   same (permute (g, p), permute (x, p), ["permute " mat2str(p)]);
%!   same (ipermute (g, p), ipermute (x, p), ["ipermute " mat2str(p)]);
%!   same (reshape (g, [], size (x, 1)), reshape (x, [], size (x, 1)), "reshape");
%!   same (squeeze (g), squeeze (x), ["squeeze " mat2str(size (x))]);
%!   same (flip (g), flip (x), "flip");
%!   d = randi (4);
%!   same (flip (g, d), flip (x, d), sprintf ("flip along %d", d));
%!   same (fliplr (g), fliplr (x), "fliplr");
%!   same (flipud (g), flipud (x), "flipud");
%!   n = num2cell (randi (3, 1, randi ([2 4])) - (rand () < 0.1));
%!   same (repmat (g, n{:}), repmat (x, n{:}), ["repmat " mat2str([n{:}])]);
%!   same (repmat (g, [n{:}]), repmat (x, [n{:}]), ["repmat " mat2str([n{:}])]);
%!   same (repmat (g, n{1}), repmat (x, n{1}), "repmat by one number");
%!   if (ismatrix (x))
%!     same (g.', x.', "transpose");
%!     same (g', x', "ctranspose");
%!   endif
%! endfor
%!test                                   # an_element_in_place_leaves_other_values
%! a = gpuArray (1:5);
%! c = {a, a};
%! s.a = a;
%! f = @() a;
%! b = a;
%! for k = 1:5
%!   a(k) = -k;
%! endfor
%! same (a, -(1:5), "a");
%! same (b, 1:5, "b");
%! same (c{2}, 1:5, "c");
%! same (s.a, 1:5, "s");
%! same (f (), 1:5, "f");
%! c{1}(2) = 9;
%! s.a(3) = 8;
%! same (c{1}, [1 9 3 4 5], "c{1}");
%! same (s.a, [1 2 8 4 5], "s.a");
%! same (c{2}, 1:5, "c{2}");
%! same (b, 1:5, "b");
%! a(2:4) = a(4:-1:2);
%! same (a, [-1 -4 -3 -2 -5], "reversed");
%! a(end:-1:1) = a;
%! same (a, [-5 -2 -3 -4 -1], "reversed again");
%!test                                   # of_several_values_for_one_element_the_last_stays
%! g = gpuArray (zeros (1, 5));
%! g([2 2 2]) = [1 2 3];
%! same (g, [0 3 0 0 0], "three");
%! g(ones (1, 20000)) = 1:20000;
%! same (g, [20000 3 0 0 0], "many");
%! h = gpuArray (zeros (2, 3));
%! h([1 1], :) = [1 2 3; 4 5 6];
%! same (h, [4 5 6; 0 0 0], "rows");
%!test                                   # a_wrong_position_is_said_as_of_a_host_array
%! x = magic (4);
%! g = gpuArray (x);
%! calls = {@(x) x(1,0), @(x) x(1.5), @(x) x(-1), @(x) x(3,5), @(x) x(17), @(x) x(:,:,2), @(x) x(0,1), @(x) x(1,2,3)};
%! for k = 1:numel (calls)
%!   fail_alike (calls{k}, x, g);
%! endfor
## A flip along no dimension, a size that cannot be.
%!error flip (gpuArray (1:3), [])
%!error repmat (gpuArray (1), 2^30, 2^31)
%!error repmat (gpuArray (int8 (1)), 2^32, 2^32)
