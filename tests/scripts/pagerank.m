% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% PageRank, and a Markov chain.  % within 256 ulp
function results = pagerank(on)
G = on([0 1 1 0; 1 0 0 0; 0 1 0 1; 1 0 1 0]);
n = size(G, 1);
out = sum(G, 1);
M = G ./ out;
r = ones(n, 1) / n;
for k = 1:40
    r = 0.85 * M * r + 0.15 / n;
end
[~, order] = sort(r, 'descend');
P = on([0.5 0.25 0.25; 0.2 0.6 0.2; 0 0.5 0.5]);
steady = P ^ 16;
state = 1;
visits = zeros(1, 3);
for k = 1:12
    c = cumsum(P(state, :));
    state = find(c > mod(k * 0.618, 1), 1);
    visits(state) = visits(state) + 1;
end
results = {r, order, abs(sum(r) - 1) < 1e-12, steady(1, :), visits, M, out};
end
