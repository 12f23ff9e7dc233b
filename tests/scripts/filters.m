% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% FIR and IIR filters, autocorrelation.  % within 64 ulp
function results = filters(on)
x = on([1 0 0 0 2 0 0 -1 0 0]);
b = [1 2 3] / 4;
a = [1 -0.5];
y1 = filter(b, 1, x);
y2 = filter(1, a, x);
[y3, state] = filter(b, a, x(1:5));
y4 = filter(b, a, x(6:10), state);
whole = filter(b, a, x);
both = max(abs([y3 y4] - whole)) < 1e-12;
n = numel(x);
lags = zeros(1, n);
for k = 0:n-1
    lags(k+1) = sum(x(1:end-k) .* x(1+k:end));
end
edge = filter2([1 -1], x);
c = conv2(x', x(1:3));
results = {y1, y2, y3, y4, both, lags, edge, c, conv(x, b), state, filter(b, 1, x'), filter(on(b), 1, gather(x))};
end
