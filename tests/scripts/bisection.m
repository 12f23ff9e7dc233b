% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Bisection for many equations at once.  % within 0 ulp
function results = bisection(on)
target = on([2 3 5 7 11]);
lo = zeros(size(target));
hi = target;
count = 0;
while any(hi - lo > 1e-9)
    mid = (lo + hi) / 2;
    above = mid .* mid > target;
    hi(above) = mid(above);
    lo(~above) = mid(~above);
    count = count + 1;
end
f = @(x) x * x * x - 2;
a = on(1); b = on(2);
while b - a > 2 ^ -20
    c = (a + b) / 2;
    if f(c) > 0
        b = c;
    else
        a = c;
    end
end
results = {lo, hi, count, a, b, f(a) <= 0, abs(lo - sqrt(target)) < 1e-8};
end
