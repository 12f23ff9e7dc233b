% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Pairwise distances, nearest neighbours.
function results = distance_matrix(on)
k = (1:15)';
P = on([mod(k * 4, 9), mod(k * 7, 13)]);
Q = P([2 5 8], :);
d2 = sum(P .^ 2, 2) + sum(Q .^ 2, 2)' - 2 * P * Q';
D = sqrt(max(d2, 0));
L1 = abs(P(:, 1) - Q(:, 1)') + abs(P(:, 2) - Q(:, 2)');
[nearest, which] = min(D, [], 2);
[sorted, order] = sort(d2(:, 1));
within = find(D(:, 1) < 5);
results = {D, L1, nearest, which, sorted(1:3), order(1:3), within, max(D(:)), any(D == 0)};
end
