% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Sorting and unique in a row.  % within 0 ulp
function results = sort_unique(on)
x = on(mod((1:40) * 13, 17));
[s, i] = sort(x, 'descend');
[u, first, back] = unique(x);
counts = accumarray(back(:), 1)';
[~, byCount] = sort(counts, 'descend');
top = u(byCount(1:3));
ranks(i) = 1:numel(x);
M = on([3 1; 2 2; 3 0; 1 9; 2 1]);
[R, order] = sortrows(M, [1 -2]);
results = {s, i, u, first, back, counts, top, ranks, R, order, unique(M(:, 1)), issorted(u), isequal(x(i), s)};
end
