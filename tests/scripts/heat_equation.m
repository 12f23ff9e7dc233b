% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Explicit steps of the heat equation.  % within 0 ulp
function results = heat_equation(on)
n = 41;
u = on(zeros(n, 1));
u(1) = 100;
u(end) = 50;
r = 0.25;
steps = 0;
while steps < 60
    next = u;
    next(2:end-1) = u(2:end-1) + r * (u(3:end) - 2 * u(2:end-1) + u(1:end-2));
    change = max(abs(next - u));
    u = next;
    steps = steps + 1;
    if change < 0.2
        break
    end
end
results = {u, steps, change, all(diff(u(1:5)) < 0), u(1), u(end)};
end
