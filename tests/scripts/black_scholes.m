% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Prices of European options, elementwise.
function results = black_scholes(on)
S = on(80:5:120);
K = 100; r = 0.03; sigma = 0.25; T = on(0.5 + (0:8) / 4);
d1 = (log(S / K) + (r + sigma ^ 2 / 2) .* T) ./ (sigma * sqrt(T));
d2 = d1 - sigma * sqrt(T);
% The same arguments as a table of four digits, so that no rounding before is amplified.
d1 = round(d1 * 1024) / 1024;
d2 = round(d2 * 1024) / 1024;
nd1 = 0.5 * erfc(-d1 / sqrt(2));
nd2 = 0.5 * erfc(-d2 / sqrt(2));
disc = exp(-r * 0.5);
results = {d1, d2, nd1, nd2, nd1 > nd2, disc * K, min(nd1), max(nd2)};
end
