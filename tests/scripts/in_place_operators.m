% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% +=, ++, chained assignments and swaps; copies stay as they were.  % within 0 ulp
function results = in_place_operators(on)
a = on([1 2 3]);
b = a;
a += 1;
a *= 2;
a(2) -= 5;
a .^= 2;
a(end) += 3;
c = b;
c++;
c--;
c /= 4;
[a(1), a(2)] = deal(b(3), b(1));
[x, y] = deal(on(1), on(2));
[x, y] = deal(y, x);
m = on(true);
m &= false;
m |= true;
s.v = b;
s.v(2) = 0;
d = e = b;
e(1) = 7;
k = {b};
k{1}(3) = 9;
n = on(10);
n -= on(3);
n ^= 2;
results = {a, b, c, x, y, m, s.v, d, e, k, n, b == on([1 2 3])};
end
