## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## The assert of these tests (tests/shadow) passes what Octave's own passes, and nothing else.

%!function yes = passes (f, args)
%!  yes = true;
%!  try
%!    f (args{:});
%!  catch
%!    yes = false;
%!  end_try_catch
%!endfunction
%!test                                   # it_passes_what_octaves_own_passes: each value beside each, with and without tolerances
%! values = {1, 0, -0, 2, NaN, NA, Inf, -Inf, true, false, "a", "b", "", [], zeros(0, 3), zeros(3, 0), 1:3, [1 2 3], [1 2 4], [1; 2; 3], [1 NaN], [NaN 1], single(1), single(1:3), ...
%!           int8(1), uint8(1), int64(2)^62, int64(2)^62 + 1, [true false], [true true], false(0, 3), "abc", 1i, complex(1, 0), [1 1i], sparse(1), sparse([1 0 2]), {}, {1}, {1, "a"}, {NaN}, struct("a", 1), @sin, eye(3), ...
%!           full(eye (3)), ones(2, 3, 2)};
%! more = {{}, {0}, {1e-3}, {-1e-3}, {[0 0]}, {"text"}, {single(1)}};
%! quick = @assert;
%! own = octaves_assert ();
%! wrong = passed = 0;
%! for k = 1:numel (values)
%!   wrong += passes (quick, values(k)) != passes (own, values(k));
%!   for l = 1:numel (values)
%!     for m = more(k == l | rand (size (more)) < 0.1 | [true false(1, 6)])
%!       args = [values([k l]), m{1}];
%!       should = passes (own, args);
%!       passed += should;
%!       if (passes (quick, args) != should)
%!         wrong++;
%!         disp (args);
%!       endif
%!     endfor
%!   endfor
%! endfor
%! own (wrong == 0 && passed > 100);
%!test                                   # it_says_what_was_asserted
%! x = [1 2];
%! said = "";
%! try
%!   assert (x, [1 3]);
%! catch err
%!   said = err.message;
%! end_try_catch
%! own = octaves_assert ();
%! own (! isempty (regexp (said, 'assert \(+x.*1,? 3', "once")));
