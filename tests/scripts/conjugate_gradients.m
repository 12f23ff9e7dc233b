% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Conjugate gradients for a tridiagonal matrix.  % within 20000 ulp
function results = conjugate_gradients(on)
n = 10;
A = on(diag(4 * ones(n, 1)) - diag(ones(n-1, 1), 1) - diag(ones(n-1, 1), -1));
b = on(ones(n, 1));
x = zeros(n, 1);
r = b - A * x;
p = r;
rsold = r' * r;
for i = 1:n
    Ap = A * p;
    alpha = rsold / (p' * Ap);
    x = x + alpha * p;
    r = r - alpha * Ap;
    rsnew = r' * r;
    if sqrt(rsnew) < 1e-8
        break;
    end
    p = r + (rsnew / rsold) * p;
    rsold = rsnew;
end
results = {x, i, norm(A * x - b) < 1e-7, x(1) == x(end)};
end
