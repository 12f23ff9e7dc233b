% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Jacobi's iteration for a diagonally dominant system.  % within 64 ulp
function results = jacobi(on)
n = 12;
A = on(16 * eye(n) + mod((1:n)' * (1:n), 3));
b = on((1:n)');
x = zeros(size(b));
d = diag(A);
R = A - diag(d);
r = Inf;
k = 0;
while r > 1e-3 && k < 200
    x = (b - R * x) ./ d;
    r = norm(A * x - b, 1) ;
    k = k + 1;
end
results = {x, k, r < 1e-3, d, isequal(tril(R, -1) + triu(R, 1), R)};
end
