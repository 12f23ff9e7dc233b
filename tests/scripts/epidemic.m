% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% An SIR model and predators and prey, by Euler.  % within 256 ulp
function results = epidemic(on)
S = on(990); I = on(10); R = on(0);
beta = 0.3; gamma = 0.1; N = S + I + R;
history = zeros(0, 3);
for day = 1:30
    infected = beta * S * I / N;
    recovered = gamma * I;
    S = S - infected;
    I = I + infected - recovered;
    R = R + recovered;
    history(end+1, :) = [S I R];
end
[peak, when] = max(history(:, 2));
x = on([10 5]);
for t = 1:20
    x = x + 0.05 * [x(1) * (1 - x(2) / 8), x(2) * (x(1) / 12 - 1)];
end
results = {history, peak, when, abs(S + I + R - 1000) < 1e-9, x, all(diff(history(:, 1)) < 0)};
end
