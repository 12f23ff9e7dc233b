% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Moving averages three ways.  % within 64 ulp
function results = moving_average(on)
x = on([4 8 6 -1 -2 -3 -1 3 4 5 0 7]);
w = 3;
a = filter(ones(1, w) / w, 1, x);
b = conv(x, ones(1, w), 'valid') / w;
c = cumsum([0 x]);
d = (c(w+1:end) - c(1:end-w)) / w;
e = zeros(1, numel(x) - w + 1);
for k = 1:numel(e)
    e(k) = mean(x(k:k+w-1));
end
alpha = 0.5;
s = x(1);
for k = 2:numel(x)
    s(k) = alpha * x(k) + (1 - alpha) * s(k-1);
end
results = {a, b, d, e, s, isequal(d, e), numel(s)};
end
