% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Cumulative sums and products, compound interest, drawdown.  % within 64 ulp
function results = cumulative(on)
r = on([2 -1 3 -4 2 5 -2] / 64);
wealth = cumprod(1 + r);
peak = cummax(wealth);
drawdown = (peak - wealth) ./ peak;
[worst, when] = max(drawdown);
total = cumsum(r);
reverse = fliplr(cumsum(fliplr(r)));
share = total / total(end);
A = on(magic(4));
parts = diff([0 cumsum([4 2 3])]);
k = cumsum(on(int8([100 20 20])));
b = cumsum(on([true true false true]));
results = {wealth, peak, drawdown, worst, when, total, reverse, share, cumsum(A), cumsum(A, 2), cumprod(A(1:2, :)), cummin(A, 2), parts, k, class(gather(k)), b, cumsum(on([1 NaN 2])), cumsum(on([])), cumprod(on([1i 1i])), any(wealth < 1)};
end
