% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Least squares three ways.  % within 20000 ulp
function results = normal_equations(on)
t = (0:9)';
A = on([ones(10, 1), t, t .^ 2]);
b = on([1 3 8 14 23 34 48 62 79 99]');
x1 = (A' * A) \ (A' * b);
x2 = A \ b;
[Q, R] = qr(A, 0);
x3 = R \ (Q' * b);
residual = b - A * x2;
results = {x1, x2, x3, A' * A, A' * b, norm(residual) < 3, size(Q), max(abs(x1 - x2)) < 1e-8};
end
