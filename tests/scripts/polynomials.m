% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% polyfit, polyval, roots, conv, deconv.  % within 20000 ulp
function results = polynomials(on)
x = on(-2:2);
p = on([2 -3 1 5]);
y = polyval(p, x);
q = polyfit(x, y, 3);
r = roots(on([1 -6 11 -6]));
c = conv(p, on([1 -1]));
[d, rest] = deconv(c, on([1 -1]));
dp = polyder(p);
ip = polyint(dp);
s = polyval(p, on(0.5));
horner = zeros(size(x));
for k = 1:numel(p)
    horner = horner .* x + p(k);
end
line = polyfit(on(1:5), on([2.1 3.9 6.2 7.8 10.1]), 1);
results = {y, q, sort(r), c, d, max(abs(rest)) < 1e-12, dp, ip, s, isequal(horner, y), line, poly(on([1 2])), polyout_degree(p)};
end
function n = polyout_degree(p)
n = find(p ~= 0, 1);
n = numel(p) - n;
end
