% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Haar wavelets and a cosine transform by a matrix.  % within 256 ulp
function results = wavelet_dct(on)
x = on([9 7 3 5 6 10 2 6]);
n = numel(x);
h = x;
m = n;
while m > 1
    a = (h(1:2:m) + h(2:2:m)) / 2;
    d = (h(1:2:m) - h(2:2:m)) / 2;
    h(1:m) = [a d];
    m = m / 2;
end
y = h;
m = 1;
while m < n
    a = y(1:m); d = y(m+1:2*m);
    y(1:2:2*m) = a + d;
    y(2:2:2*m) = a - d;
    m = 2 * m;
end
k = (0:n-1)';
C = sqrt(2 / n) * cos(pi * k * (2 * k' + 1) / (2 * n));
C(1, :) = sqrt(1 / n);
X = on(C) * x';
X(abs(X) < 1) = 0;
back = on(C)' * X;
hadamard4 = kron([1 1; 1 -1], on([1 1; 1 -1]));
results = {h, isequal(x, y), X, back, hadamard4 * x(1:4)', nnz(X)};
end
