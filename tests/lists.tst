## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Elements that lists and masks name, growth, deletion, find and sort: what they give on the host, errors' messages
## included, and without the host.

%!function n = rounds (n)                # all of them in check-long
%!  if (! strcmp (getenv ("CHECK_LONG"), "yes"))
%!    n = ceil (n / 3);
%!  endif
%!endfunction
%!function r = pick (list)
%!  r = list{randi (numel (list))};
%!endfunction
%!function x = array (type, s)
%!  x = floor (10 * rand (s)) - 3;
%!  switch (type)
%!    case "logical"
%!      x = x > 2;
%!    case "char"
%!      x = char (x + 65);
%!    case "complex"
%!      x = complex (x, floor (3 * rand (s)));
%!    otherwise
%!      x = cast (x, type);
%!      x(rand (s) < 0.1) = pick ({0, NaN, NA, -0, Inf, -Inf});
%!  endswitch
%!endfunction
%!function same (g, x, what)
%!  y = gather (g);
%!  if (! (strcmp (class (y), class (x)) && iscomplex (y) == iscomplex (x) && isequal (size (y), size (x)) && isequaln (y, x)))
%!    error ("%s: %s of size %s, not %s of size %s", what, disp (y), mat2str (size (y)), disp (x), mat2str (size (x)));
%!  endif
%!endfunction
%!function raises_alike (ours, host, what)
%!  if (! strcmp (ours, host))
%!    error ("%s: raises '%s', not '%s'", what, ours, host);
%!  endif
%!endfunction
%!function x = elements (x)              # with signs of zeros
%!  if (isfloat (x) && isreal (x))
%!    x = [x(:), 1 ./ x(:)];
%!  endif
%!endfunction
%!function k = list_or_mask (m, beyond)
%!  top = m + (rand () < beyond) * randi (2);
%!  k = pick ({randi(top, 1, randi (6)), randi(top, randi (4), 1), randi(top, 2, 3), randperm(top), rand(1, m) > 0.5, rand(m, 1) > 0.5, ...
%!             int32(randi (top, 1, 3)), single(randi (top, 1, 4)), uint8(randi (top, 1, 2)), int64(randi (top, 2, 2)), zeros(1, 0), [], false(1, m), ...
%!             ":", 1:top, randi(top), true(1, m)});
%!  if (rand () < beyond / 4)
%!    k = pick ({0, -1, 1.5, [1 0], [2 1.5], [1 NaN], Inf, 2i, [true, false, true(1, m)]});
%!  endif
%!endfunction
%!function k = subscripts (s, beyond)
%!  n = randi (numel (s));
%!  k = cell (1, n);
%!  for d = 1:n
%!    k{d} = list_or_mask (merge (d == n, prod (s(d:end)), s(d)), beyond);
%!  endfor
%!endfunction
%!function k = some_there (k)            # some on the device
%!  for d = 1:numel (k)
%!    if (! ischar (k{d}) && rand () < 0.5)
%!      k{d} = gpuArray (k{d});
%!    endif
%!  endfor
%!endfunction
%!test                                   # elements_of_lists_and_masks
%! warning ("off", "all", "local");
%! types = {"double", "single", "int8", "uint16", "int32", "int64", "uint64", "logical", "char", "complex"};
%! for t = 1:rounds (250)
%!   type = pick (types);
%!   x = array (type, pick ({randi(5, 1, 2), randi(4, 1, 3), [1 randi(9)], [randi(9) 1], [1 1 4]}));
%!   k = subscripts (size (x), 0.3);
%!   what = sprintf ("%s %s, indices %s", type, mat2str (size (x)), strtrim (disp (k)));
%!   v = gpuArray (x);
%!   host = ours = "";
%!   try
%!     want = x(k{:});
%!   catch e
%!     host = e.message;
%!   end_try_catch
%!   x = v;              # of the same name, which messages have
%!   k = some_there (k);
%!   try
%!     got = x(k{:});
%!   catch e
%!     ours = e.message;
%!   end_try_catch
%!   raises_alike (ours, host, what);
%!   if (isempty (host))
%!     same (got, want, what);
%!   endif
%! endfor
%!test                                   # assignments_to_lists_and_masks
%! warning ("off", "all", "local");
%! types = {"double", "single", "int8", "uint16", "int32", "int64", "uint64", "logical", "char", "complex"};
%! for t = 1:rounds (350)
%!   type = pick (types);
%!   s = pick ({randi(5, 1, 2), randi(4, 1, 3), [1 randi(9)], [randi(9) 1]});
%!   h = x = array (type, s);
%!   k = subscripts (size (x), 0.3);
%!   what = sprintf ("%s %s, indices %s", type, mat2str (s), strtrim (disp (k)));
%!   v = 7;
%!   try
%!     v = x(k{:});
%!   end_try_catch
%!   v = pick ({v, array(type, size (v)), array(pick (types), size (v)), array(pick (types), [1 1]), true, int64(5), ones(2, 3)});
%!   none = any (cellfun (@(i) ! ischar (i) && (isempty (i) || (islogical (i) && ! any (i))), k));
%!   try
%!     none = none || isempty (x(k{:}));
%!   end_try_catch
%!   if (none && ! isempty (v))
%!     v = 1;              # for no elements Octave takes arrays or not, by memory beyond their sizes
%!   endif
%!   g = gpuArray (x);
%!   b = g;
%!   host = ours = "";
%!   try
%!     x(k{:}) = v;
%!   catch e
%!     host = e.message;
%!   end_try_catch
%!   want = x;
%!   x = g;
%!   clear g;
%!   k = some_there (k);
%!   v = pick ({v, gpuArray(v)});
%!   if (rand () < 0.5)
%!     clear b;          # in place
%!     b = gpuArray (h);
%!   endif
%!   try
%!     x(k{:}) = v;
%!   catch e
%!     ours = e.message;
%!   end_try_catch
%!   raises_alike (ours, host, what);
%!   same (x, want, [what " <- " underlyingType(v) " " mat2str(size (v))]);
%!   same (b, h, [what ": its copy"]);
%! endfor
%!test                                   # the_last_of_repeated_positions_counts
%! warning ("off", "all", "local");
%! for n = [100, 30000]
%!   x = zeros (1, n);
%!   k = randi (n, 1, 2 * n);
%!   g = gpuArray (x);
%!   c = gpu_config ("through_host", "count");
%!   g(k) = gpuArray (1:2*n);
%!   x(k) = 1:2*n;
%!   same (g, x, "a vector");
%!   x = zeros (40, 50);
%!   g = gpuArray (x);
%!   r = randi (40, 1, 90);
%!   q = randi (50, 1, 70);
%!   v = rand (90, 70);
%!   g(r,q) = v;
%!   assert (gpu_config ("through_host", "count"), c);
%!   x(r,q) = v;
%!   same (g, x, "a matrix");
%! endfor
%!test                                   # deletion
%! warning ("off", "all", "local");
%! types = {"double", "int8", "int64", "logical", "char", "complex"};
%! for t = 1:rounds (300)
%!   type = pick (types);
%!   s = pick ({randi(5, 1, 2), randi(4, 1, 3), [1 randi(9)], [randi(9) 1]});
%!   x = array (type, s);
%!   k = repmat ({":"}, 1, pick ({1, numel(s)}));
%!   d = randi (numel (k));
%!   k{d} = list_or_mask (merge (numel (k) == 1, prod (s), s(d)), 0.2);
%!   if (! ischar (k{d}))
%!     k{d} = full (k{d});       # a range on the device is a list, of which the built-in makes another empty one
%!   endif
%!   what = sprintf ("%s %s, without %s", type, mat2str (s), strtrim (disp (k)));
%!   g = gpuArray (x);
%!   host = ours = "";
%!   try
%!     x(k{:}) = [];
%!   catch e
%!     host = e.message;
%!   end_try_catch
%!   want = x;
%!   x = g;
%!   k = some_there (k);
%!   try
%!     x(k{:}) = [];
%!   catch e
%!     ours = e.message;
%!   end_try_catch
%!   raises_alike (ours, host, what);
%!   same (x, want, what);
%! endfor
%!test                                   # deletion_of_nothing_makes_real_what_can_be
%! x = complex ([5; 3], [0; 0]);
%! g = gpuArray (x);
%! g(logical ([0 0])) = [];
%! x(logical ([0 0])) = [];
%! same (g, x, "nothing");
%!test                                   # what_find_finds
%! warning ("off", "all", "local");
%! for t = 1:rounds (120)
%!   type = pick ({"double", "single", "int8", "uint64", "logical", "char", "complex"});
%!   x = array (type, pick ({randi(6, 1, 2), randi(4, 1, 3), [1 randi(9)], [randi(9) 1], [1 1], [1 1 5], [0 0], [0 3], [1 0], [70 70]}));
%!   if (! ischar (x))
%!     x(rand (size (x)) < 0.5) = 0;
%!   endif
%!   more = pick ({{}, {}, {randi(4)}, {randi(4), "last"}, {gpuArray(2), "first"}});
%!   what = sprintf ("%s %s, %s", type, mat2str (size (x)), strtrim (disp (more)));
%!   g = gpuArray (x);
%!   h = cellfun (@gather, more, "uniformoutput", false);
%!   same (find (g, more{:}), find (x, h{:}), what);
%!   [i, j] = find (g, more{:});
%!   [p, q] = find (x, h{:});
%!   same (i, p, [what ": rows"]);
%!   same (j, q, [what ": columns"]);
%!   [i, j, v] = find (g, more{:});
%!   [p, q, w] = find (x, h{:});
%!   same (i, p, [what ": rows of three"]);
%!   same (v, w, [what ": values"]);
%! endfor
%!test                                   # sorted_as_by_the_builtin
%! warning ("off", "all", "local");
%! for t = 1:rounds (150)
%!   type = pick ({"double", "double", "single", "int8", "uint16", "int64", "logical", "char", "complex"});
%!   x = array (type, pick ({randi(6, 1, 2), randi(4, 1, 3), [1 randi(40)], [randi(40) 1], [1 1], [0 3], [200 3], [3 200], [1 20000]}));
%!   more = pick ({{}, {randi(2)}, {"descend"}, {"ascend"}, {randi(2), "descend"}, {gpuArray(1), "ascend"}});
%!   what = sprintf ("%s %s, %s", type, mat2str (size (x)), strtrim (disp (more)));
%!   h = cellfun (@gather, more, "uniformoutput", false);
%!   g = gpuArray (x);
%!   y = sort (x, h{:});
%!   same (elements (gather (sort (g, more{:}))), elements (y), what);
%!   [a, b] = sort (g, more{:});
%!   [y, i] = sort (x, h{:});
%!   same (a, y, what);
%!   same (elements (gather (a)), elements (y), what);
%!   same (b, i, [what ": indices"]);
%! endfor
%!error <find: N must be an integer|find: N must be a non-negative integer> find (gpuArray ([1 0 1]), 1.5)
%!error <must be either "ascend" or "descend"|MODE> sort (gpuArray ([1 0 1]), "up")
%!error <DIM must be a (valid dimension|positive scalar integer)> sort (gpuArray ([1 0 1]), 0)
%!test                                   # none_of_it_goes_through_the_host
%! warning ("off", "all", "local");
%! c = gpu_config ("through_host", "count");
%! x = rand (200, 300);
%! g = gpuArray (x);
%! k = gpuArray (randperm (numel (x)));
%! same (g(k), x(gather (k)), "a list");
%! same (g(gather (k)), x(gather (k)), "a list of the host");
%! same (g(g > 0.5), x(x > 0.5), "a mask");
%! same (g(gpuArray (int32 ([7 3 3])), :), x([7 3 3], :), "rows");
%! same (g(:, x(1,:) > 0.5), x(:, x(1,:) > 0.5), "columns of a mask");
%! same (g(end, [end 1]), x(end, [end 1]), "end");
%! g(g > 0.9) = 0;  x(x > 0.9) = 0;  same (g, x, "a mask gets a number");
%! g(x < 0.1) = -x(x < 0.1);  x(x < 0.1) = -x(x < 0.1);  same (g, x, "a mask gets values");
%! g(k(1:9)) = int8 (3);  x(gather (k(1:9))) = int8 (3);  same (g, x, "another class");
%! g = gpuArray (x = rand (200, 300));
%! g(k(1:9)) = 1:9;  x(gather (k(1:9))) = 1:9;  same (g, x, "a list gets values");
%! g(end + 1, end + 2) = 5;  x(end + 1, end + 2) = 5;  same (g, x, "growth");
%! g(:, [1 3 end]) = [];  x(:, [1 3 end]) = [];  same (g, x, "columns go");
%! v = gpuArray (1:9);  v(end + 1) = 10;  v([1 2]) = [];  v(gpuArray (v > 8)) = [];  same (v, 3:8, "a vector");
%! same (find (g > 0.5), find (x > 0.5), "find");
%! [i, j, w] = find (g);
%! [a, b] = sort (g, 2, "descend");
%! [y, p] = sort (x, 2, "descend");
%! same (a, y, "sort");
%! same (b, p, "indices of sort");
%! z = gpuArray (complex (x, x > 0.5));
%! same (z(g > 0.7), complex (x, x > 0.5)(x > 0.7), "complex ones");
%! same (z(g < 0.5), x(x < 0.5), "complex ones that become real");
%! assert (gpu_config ("through_host", "count"), c);
%!test                                   # made_of_other_kernels
%! warning ("off", "all", "local");
%! calls = {"circshift", {{3}, {-1}, {2, 1}, {5, 2}, {[1 2]}}; "diff", {{}, {1}, {2}, {1, 2}, {1, 1}}; "tril", {{}, {1}, {-2}, {9}}; "triu", {{}, {1}, {-2}, {9}}; ...
%!          "rot90", {{}, {2}, {-1}}; "unique", {{}, {"rows"}, {"stable"}}; "sortrows", {{}, {-1}, {[1 -1]}}; "fftshift", {{}, {1}}; ...
%!          "kron", {{[1 2; 3 4]}, {[1 NaN], [2; 3]}, {2}}};
%! for t = 1:rounds (300)
%!   type = pick ({"double", "double", "single", "int8", "uint16", "int64", "logical", "char", "complex"});
%!   x = array (type, pick ({randi(6, 1, 2), [1 randi(9)], [randi(9) 1], [1 1], [0 3], [200 3]}));
%!   if (isfloat (x))
%!     x(isna (x)) = NaN;
%!   endif
%!   c = randi (rows (calls));
%!   name = calls{c,1};
%!   more = pick (calls{c,2});
%!   what = sprintf ("%s of %s %s, %s", name, type, mat2str (size (x)), strtrim (disp (more)));
%!   host = ours = "";
%!   try
%!     want = feval (name, x, more{:});
%!   catch e
%!     host = e.message;
%!   end_try_catch
%!   try
%!     got = feval (name, gpuArray (x), more{:});
%!   catch e
%!     ours = e.message;
%!   end_try_catch
%!   raises_alike (ours, host, what);
%!   if (isempty (host))
%!     same (got, want, what);
%!   endif
%! endfor
%! for k = 1:20                           # rows with NaN and zeros of both signs, in the built-in's order
%!   x = pick ({1, -1}) * floor (3 * rand (50, 4));
%!   x(rand (50, 4) < 0.1) = NaN;
%!   c = pick ({1, -1, [1 2 3 4], [-1 2]});
%!   [s, i] = sortrows (x, c);
%!   [a, b] = sortrows (gpuArray (x), c);
%!   same (a, s, "sortrows");
%!   same (b, i, "sortrows: indices");
%!   [u, i, j] = unique (x(:));
%!   [a, b, c] = unique (gpuArray (x)(:));
%!   same (a, u, "unique");
%!   same (b, i, "unique: i");
%!   same (c, j, "unique: j");
%! endfor
%! c = gpu_config ("through_host", "count");
%! x = floor (9 * rand (100, 90));
%! g = gpuArray (x);
%! same (circshift (g, 7, 2), circshift (x, 7, 2), "circshift");
%! same (diff (g, 2), diff (x, 2), "diff");
%! same (tril (g, -1), tril (x, -1), "tril");
%! same (kron (g(1:9,1:8), g(1:5,:)), kron (x(1:9,1:8), x(1:5,:)), "kron");
%! same (rot90 (g), rot90 (x), "rot90");
%! same (unique (g), unique (x), "unique");
%! same (sortrows (g), sortrows (x), "sortrows");
%! assert (gpu_config ("through_host", "count"), c);
%!test                                   # what_changes_in_place_may_become_negative
%! x = abs (gpuArray ([4 9 16]));
%! x(1) = -4;
%! same (sqrt (x), [2i 3 4], "by a range");
%! x = abs (gpuArray ([4 9 16]));
%! x([3 1 3]) = [-1 -4 -9];
%! same (sqrt (x), [2i 3 3i], "by a list");
%!test                                   # what_waits_has_the_elements_from_before
%! x = gpuArray (1:5);
%! y = x + 1;
%! k = x + 0;
%! x(k([2 4])) = y([1 3]);
%! x([5 1 5]) = [7 8 9];
%! same (y, 2:6, "y");
%! same (x, [8 2 3 4 9], "x");
