% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Pi by points of a low-discrepancy sequence.
function results = monte_carlo_pi(on)
n = 5000;
k = (1:n)';
x = on(mod(k * 0.7548776662466927, 1));
y = on(mod(k * 0.5698402909980532, 1));
hits = x .^ 2 + y .^ 2 <= 1;
inside = sum(hits);
estimate = 4 * inside / n;
running = 4 * cumsum(hits) ./ on(k);
results = {inside, estimate, abs(estimate - pi) < 0.05, running(end), running(1:10), nnz(hits) == inside};
end
