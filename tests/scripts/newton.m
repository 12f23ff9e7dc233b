% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Newton's iteration, scalar and elementwise.
function results = newton(on)
a = on([1 4 9 16 25]);
x = a;
for k = 1:12
    x = 0.5 * (x + a ./ x);
end
s = on(2);
y = s;
n = 0;
while abs(y ^ 2 - s) > 1e-10
    y = y - (y ^ 2 - s) / (2 * y);
    n = n + 1;
end
z = on(complex(1, 1));
for k = 1:20
    z = z - (z ^ 3 - 1) / (3 * z ^ 2);
end
results = {x, abs(y - sqrt(2)) < 1e-9, n, abs(z ^ 3 - 1) < 1e-12, all(x == sqrt(a))};
end
