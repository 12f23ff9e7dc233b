% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Elimination with pivots, Gram-Schmidt and Cholesky, by hand.  % within 4096 ulp
function results = gauss_elimination(on)
A = on([2 1 -1 3; 4 -6 0 1; -2 7 2 5; 1 2 3 -4]);
b = on([8; -11; -3; 6]);
n = numel(b);
M = [A b];
for k = 1:n-1
    [~, p] = max(abs(M(k:n, k)));
    p = p + k - 1;
    M([k p], :) = M([p k], :);
    for i = k+1:n
        M(i, :) = M(i, :) - M(i, k) / M(k, k) * M(k, :);
    end
end
x = zeros(n, 1);
for i = n:-1:1
    x(i) = (M(i, end) - M(i, i+1:n) * x(i+1:n)) / M(i, i);
end
Q = A;
for j = 1:n
    for k = 1:j-1
        Q(:, j) = Q(:, j) - (Q(:, k)' * Q(:, j)) * Q(:, k);
    end
    Q(:, j) = Q(:, j) / norm(Q(:, j));
end
S = A' * A;
C = zeros(n);
for j = 1:n
    C(j, j) = sqrt(S(j, j) - sum(C(j, 1:j-1) .^ 2));
    for i = j+1:n
        C(i, j) = (S(i, j) - sum(C(i, 1:j-1) .* C(j, 1:j-1))) / C(j, j);
    end
end
results = {x, max(abs(A * x - b)) < 1e-12, Q, norm(Q' * Q - eye(n)) < 1e-12, C, norm(C - chol(S)') < 1e-10, abs(det(A))};
end
