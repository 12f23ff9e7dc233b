% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Norms, determinants, inverses, solutions.  % within 4096 ulp
function results = linear_algebra(on)
A = on([4 1 2; 1 5 3; 2 3 6]);
b = on([1; 2; 3]);
x = A \ b;
[L, U, P] = lu(A);
R = chol(A);
[Q, T] = qr(A);
e = eig(A);
s = svd(A);
k = rank(A);
results = {x, det(A), inv(A), norm(A), norm(A, 1), norm(A, 'fro'), norm(b), cond(A), trace(A), L * U - P * A < 1e-12, R, abs(diag(T)), e, s, k, b' / A, A ^ 2, A ^ -1, expm(A / 8), kron(A, b'), cross(b, on([1; 0; 0])), ...
    dot(b, b), isequal(A, A'), issymmetric(A), pinv(A), null(on([1 1; 2 2])), norm(A - Q * T) < 1e-12, mldivide(A, b), mpower(A, 2), A(1:2, :) \ b(1:2), rcond(A) > 0.1};
end
