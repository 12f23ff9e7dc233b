% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% The largest eigenvalue, and Rayleigh's quotient.  % within 256 ulp
function results = power_iteration(on)
A = on([6 2 1; 2 5 2; 1 2 4]);
v = on([1; 1; 1]);
lambda = 0;
for k = 1:60
    w = A * v;
    v = w / norm(w);
    previous = lambda;
    lambda = v' * A * v;
    if abs(lambda - previous) < 1e-13
        break
    end
end
[V, D] = eig(A);
results = {lambda, v, diag(D), abs(V(:, end)), k > 5, trace(A)};
end
