% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Gravitation between bodies, leapfrog.  % within 1000 ulp
function results = n_body(on)
n = 5;
k = (1:n)';
pos = on([mod(k * 3, 7), mod(k * 5, 11), mod(k * 2, 5)]);
vel = on(zeros(n, 3));
m = on(1 + mod(k, 2));
dt = 1 / 64;
for step = 1:8
    acc = zeros(n, 3);
    for i = 1:n
        d = bsxfun(@minus, pos, pos(i, :));
        r2 = sum(d .^ 2, 2) + 0.25;
        w = m ./ (r2 .* sqrt(r2));
        acc(i, :) = sum(bsxfun(@times, d, w), 1);
    end
    vel = vel + dt * acc;
    pos = pos + dt * vel;
end
momentum = sum(bsxfun(@times, vel, m));
energy = 0.5 * sum(m .* sum(vel .^ 2, 2));
results = {pos, vel, energy, all(abs(momentum) < 1e-12), size(d)};
end
