% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Floyd and Warshall, Dijkstra, connected components.  % within 0 ulp
function results = shortest_paths(on)
D = Inf(6);
edges = [1 2 7; 1 3 9; 1 6 14; 2 3 10; 2 4 15; 3 4 11; 3 6 2; 4 5 6; 5 6 9];
for k = 1:size(edges, 1)
    D(edges(k, 1), edges(k, 2)) = edges(k, 3);
    D(edges(k, 2), edges(k, 1)) = edges(k, 3);
end
D = on(D);
n = size(D, 1);
D(1:n+1:end) = 0;
F = D;
for k = 1:n
    F = min(F, F(:, k) + F(k, :));
end
dist = on(Inf(1, n));
dist(1) = 0;
open = true(1, n);
while any(open)
    left = dist;
    left(~open) = Inf;
    [d, u] = min(left);
    open(u) = false;
    dist = min(dist, d + D(u, :));
end
reach = D < 10;
for k = 1:3
    reach = reach * reach > 0;
end
results = {F, dist, isequal(F(1, :), dist), reach, max(F(:)), nnz(isfinite(D))};
end
