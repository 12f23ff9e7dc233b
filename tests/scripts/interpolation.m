% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% One and two dimensions, and look-up.  % within 64 ulp
function results = interpolation(on)
x = on(0:4);
y = on([0 1 4 9 16]);
xi = on([0.5 1.25 3.75 5]);
a = interp1(x, y, xi);
b = interp1(x, y, xi, 'linear', 'extrap');
c = interp1(x, y, xi, 'nearest');
d = interp1(x, y, xi, 'cubic');
k = lookup(x, xi);
k = min(k, numel(x) - 1);
t = (xi - x(k)) ./ (x(k+1) - x(k));
e = y(k) .* (1 - t) + y(k+1) .* t;
[X, Y] = meshgrid(0:3, 0:2);
Z = on(X + 10 * Y);
f = interp2(X, Y, Z, on([0.5 1.5]), on([0.5 1]));
g = interp1(x, y, 2);
results = {a, b, c, d, k, e, f, g, isnan(a)};
end
