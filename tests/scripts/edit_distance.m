% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Dynamic programming on texts and a knapsack.  % within 0 ulp
function results = edit_distance(on)
a = on('kitten');
b = on('sitting');
D = on(zeros(numel(a) + 1, numel(b) + 1));
D(:, 1) = 0:numel(a);
D(1, :) = 0:numel(b);
for i = 1:numel(a)
    for j = 1:numel(b)
        cost = a(i) ~= b(j);
        D(i+1, j+1) = min([D(i, j+1) + 1, D(i+1, j) + 1, D(i, j) + cost]);
    end
end
w = [3 4 5 9]; v = on([3 4 4 10]);
best = on(zeros(1, 12));
for k = 1:numel(w)
    for c = numel(best):-1:w(k)+1
        best(c) = max(best(c), best(c - w(k)) + v(k));
    end
end
results = {D, D(end, end), best, best(end)};
end
