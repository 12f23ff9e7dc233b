% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Logical masks and assignment by them.  % within 0 ulp
function results = masks(on)
A = on(magic(5));
m = A > 12;
B = A;
B(m) = 0;
C = A;
C(~m) = -C(~m);
D = A .* m;
A(m & mod(A, 2) == 0) = NaN;
valid = ~isnan(A);
A(~valid) = mean(A(valid));
E = on(1:10);
E(logical([1 0 1])) = [];
F = on('a b c');
F(F == ' ') = '_';
G = on(magic(4));
G(G(:, 1) > 5, :) = [];
H = on([3 NaN 1 NaN]);
H(isnan(H)) = 0;
K = magic(4);
K(on(K) > 10) = on(0);
results = {m, B, C, D, valid, E, F, G, H, K, nnz(m), any(m, 2), all(m(:)), find(m, 3)', B(m)'};
end
