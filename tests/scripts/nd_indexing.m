% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Arrays of more dimensions, and end in each.  % within 0 ulp
function results = nd_indexing(on)
A = on(reshape(1:120, 2, 3, 4, 5));
B = A(:, end, :, 2:end);
C = A(end, end, end, end);
D = A(:, :, 7);
A(1, 2, :, 3) = 0;
A(:, :, :, 4) = [];
E = permute(A, [4 3 2 1]);
F = squeeze(A(1, 2, :, :));
G = sum(A, 4);
H = max(A, [], 3);
I = reshape(A, [], 4);
[n1, n2, rest] = size(A);
J = A(:, [3 1], on([2 4]), 1);
K = A(A > 90);
L = cat(4, G, G);
v = on(1:4)(end);
M = mean(A(:, :));
results = {B, C, D, E, F, G, H, I, [n1 n2 rest], J, K, size(L), v, M, ndims(A), A(end), cumsum(A, 3)(1, 1, :), any(A == 0, 4), circshift(F, 1, 2)};
end
