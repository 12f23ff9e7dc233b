% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Single precision, and what becomes of it with others.
function results = single_precision(on)
x = on(single([0.1 0.2 0.3 1e10]));
y = on([1 2 3 4]);
a = x + y;
b = x * 2;
c = single(y) / 3;
d = [x, y];
e = x .^ 2;
f = double(x) - on([0.1 0.2 0.3 1e10]);
g = x;
g(2) = pi;
h = y;
h(1) = single(0.1);
k = sum(x(1:3));
l = zeros(2, 2, 'single') + on(1);
m = x == on([0.1 0.2 0.3 1e10]);
types = cellfun(@(v) class(gather(v)), {a, b, c, d, e, f, g, h, k, l, m, sqrt(x), x > 1, floor(x), mean(x), x'}, 'UniformOutput', false);
results = {a, b, c, d, e, f, g, h, k, l, m, types, eps(x), realmax('single') * on(single(2)), exp(x(1:3)), int32(x)};
end
