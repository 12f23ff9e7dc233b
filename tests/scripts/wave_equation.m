% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% The wave equation on a square, finite differences.  % within 0 ulp
function results = wave_equation(on)
n = 20;
[X, Y] = meshgrid(1:n, 1:n);
u = on(double(abs(X - 10) + abs(Y - 8) < 4));
v = u;
c = 0.25;
for t = 1:15
    lap = -4 * u(2:end-1, 2:end-1);
    lap = lap + u(1:end-2, 2:end-1);
    lap = lap + u(3:end, 2:end-1);
    lap = lap + u(2:end-1, 1:end-2);
    lap = lap + u(2:end-1, 3:end);
    w = u;
    w(2:end-1, 2:end-1) = 2 * u(2:end-1, 2:end-1) - v(2:end-1, 2:end-1) + c * lap;
    w([1 end], :) = 0;
    w(:, [1 end]) = 0;
    v = u;
    u = w;
end
results = {u, v, max(u(:)), min(u(:)), u(end/2, :)};
end
