% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Gradient descent, Newton and line search.  % within 4096 ulp
function results = rosenbrock(on)
f = @(x) (1 - x(1)) ^ 2 + 4 * (x(2) - x(1) ^ 2) ^ 2;
g = @(x) [-2 * (1 - x(1)) - 16 * x(1) * (x(2) - x(1) ^ 2); 8 * (x(2) - x(1) ^ 2)];
x = on([-1; 1]);
for k = 1:20
    d = -g(x);
    t = 1;
    while f(x + t * d) > f(x) - 0.1 * t * (d' * d) && t > 1e-6
        t = t / 2;
    end
    x = x + t * d;
end
H = @(x) [2 - 16 * (x(2) - 3 * x(1) ^ 2), -16 * x(1); -16 * x(1), 8];
z = on([0; 0.5]);
for k = 1:8
    z = z - H(z) \ g(z);
end
results = {x, f(x) < 0.5, norm(z - [1; 1]) < 1e-6, H(on([1; 1])), g(on([0; 0]))};
end
