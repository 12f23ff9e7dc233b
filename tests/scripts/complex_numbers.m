% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Complex numbers in many uses.
function results = complex_numbers(on)
z = on([3+4i, -1i, 2, 1-1i]);
r = abs(z);
t = angle(z);
w = r .* exp(1i * t);
c = conj(z);
p = z .* c;
q = real(p);
s = sum(z);
u = z.';
v = z';
x = complex(on([1 2]), on([3 4]));
x(1) = 5;
y = z;
y(imag(y) ~= 0) = 0;
[sorted, order] = sort(z);
results = {r, t, max(abs(w - z)) < 1e-14, c, p, q, isreal(q), iscomplex(p), s, u, v, x, y, iscomplex(y), sorted, order, z == conj(c), z * v, real(z), imag(z), -z, z + 1i, z / 2i, prod(z), cumsum(z), ...
    isreal(complex(on(1), 0)), sqrt(on(-4)), on(-1) ^ 0.5, num2str(z(1)), round(z / 3), isnan(on(complex(NaN, 1))), mean(z), z(2:end)};
end
