% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% mod, rem, idivide, gcd and digits.  % within 0 ulp
function results = divisions(on)
n = on(-7:2:9);
results = {mod(n, 3), rem(n, 3), mod(n, -3), rem(n, -3), mod(n, 0), mod(5.5, on(2)), mod(on(-1), 3), floor(n / 2), fix(n / 2), idivide(int32(n), int32(2)), idivide(int32(n), int32(2), 'floor'), ...
    int32(n) / 2, gcd(on([12 18 7]), 6), lcm(on([4 6]), 10), mod(on(uint8(250)) + 3, 7), digits_of(on(40592)), is_leap(on(1896:4:1912)), rem(on(single(5.5)), 2), collatz(on(27)), mod(on(10), on([3 4 6]))};
end
function d = digits_of(n)
d = [];
while n > 0
    d = [mod(n, 10) d];
    n = floor(n / 10);
end
end
function t = is_leap(y)
t = mod(y, 4) == 0 & (mod(y, 100) ~= 0 | mod(y, 400) == 0);
end
function k = collatz(n)
k = 0;
while n ~= 1
    if mod(n, 2) == 0
        n = n / 2;
    else
        n = 3 * n + 1;
    end
    k = k + 1;
end
end
