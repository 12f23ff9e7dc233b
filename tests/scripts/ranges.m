% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Ranges with values at their ends.  % within 0 ulp
function results = ranges(on)
n = on(5);
h = on(0.25);
a = 1:n;
b = 0:h:1;
c = n:-2:on(-1);
s = 0;
for k = a
    s = s + k;
end
for k = 1:n
    s(k) = k * h;
end
x = 10:10:100;
d = x(1:n);
e = x(n:end);
f = on(x)(end:-1:n);
g = linspace(0, n, n + 1);
i8 = on(int8(2)):on(int8(6));
y = (0:n-1)' / n;
results = {a, b, c, s, d, e, f, g, i8, y, numel(1:n), isempty(n:1), sum(1:n), (1:n) .^ 2, fliplr(1:n), class(gather(on(single(1)):3)), colon(1, n)};
end
