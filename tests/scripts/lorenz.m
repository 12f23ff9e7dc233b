% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% The Lorenz equations by Runge and Kutta.  % within 256 ulp
function results = lorenz(on)
f = @(u) [10 * (u(2) - u(1)); u(1) * (28 - u(3)) - u(2); u(1) * u(2) - 8 / 3 * u(3)];
u = on([1; 1; 1]);
h = 1 / 128;
path = u;
for k = 1:15
    k1 = f(u);
    k2 = f(u + h / 2 * k1);
    k3 = f(u + h / 2 * k2);
    k4 = f(u + h * k3);
    u = u + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    path = [path, u];
end
results = {path, size(path), all(path(:) > 0), max(path, [], 2), u'};
end
