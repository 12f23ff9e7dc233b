% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% A Kalman filter with constant velocity.  % within 4000 ulp
function results = kalman(on)
F = on([1 1; 0 1]);
H = on([1 0]);
Q = 0.01 * eye(2);
R = 1;
x = on([0; 1]);
P = on(eye(2));
z = [1.1 1.9 3.2 3.9 5.3 5.8 7.1 8.2];
track = zeros(2, 0);
for k = 1:numel(z)
    x = F * x;
    P = F * P * F' + Q;
    K = P * H' / (H * P * H' + R);
    x = x + K * (z(k) - H * x);
    P = (eye(2) - K * H) * P;
    track(:, end+1) = gather(x);
end
results = {x, P, K, track, issymmetric(P, 1e-12), det(P) > 0};
end
