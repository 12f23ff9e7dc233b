% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Walks from host-made random numbers.  % within 0 ulp
function results = random_walk(on)
seed = 7;
steps = zeros(50, 4);
for k = 1:numel(steps)
    seed = mod(seed * 16807, 2147483647);
    steps(k) = 2 * (seed > 1073741823) - 1;
end
walk = cumsum(on(steps), 1);
final = walk(end, :);
[highest, when] = max(walk);
crossings = sum(sign(walk(1:end-1, :)) ~= sign(walk(2:end, :)));
everZero = any(walk == 0);
msd = mean(walk .^ 2, 2);
results = {walk, final, highest, when, crossings, everZero, msd(1:8), range(walk)};
end
