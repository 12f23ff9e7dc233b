% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% A call option by host-made random numbers.  % within 2000 ulp
function results = monte_carlo_option(on)
state = uint32(12345);
u = zeros(1, 400);
seed = 12345;
for k = 1:numel(u)
    seed = mod(1103515245 * mod(seed, 4096) + 12345, 2147483648);
    u(k) = (seed + 0.5) / 2147483648;
end
z = on(sqrt(2) * erfinv(2 * u - 1));
strike = 95; spot = 100; rate = 0.05; sigma = 0.2; T = 1;
final = spot * exp((rate - sigma ^ 2 / 2) * T + sigma * sqrt(T) * z);
payoff = max(final - strike, 0);
price = exp(-rate * T) * mean(payoff);
spread = std(payoff) / sqrt(numel(payoff));
results = {price, spread, any(payoff > 0), sum(payoff == 0), class(gather(state))};
end
