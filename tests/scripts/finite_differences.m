% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Differences of several orders, and Richardson.  % within 64 ulp
function results = finite_differences(on)
x = on((0:8) / 8);
f = x .^ 4;
h = 1 / 8;
forward = diff(f) / h;
central = (f(3:end) - f(1:end-2)) / (2 * h);
second = diff(f, 2) / h ^ 2;
g = gradient(f, h);
D = (diag(ones(8, 1), 1) - diag(ones(8, 1), -1)) / (2 * h);
byMatrix = D * f';
[gx, gy] = gradient(on(magic(4)));
results = {forward, central, second, g, byMatrix(2:end-1), gx, gy, max(abs(central - g(2:end-1)))};
end
