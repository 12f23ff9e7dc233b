% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Two dimensions, single precision, del2 by shifts.  % within 0 ulp
function results = heat_2d_single(on)
n = 18;
T = on(single(zeros(n)));
T(1, :) = 1;
T(:, end) = single(0.5);
for k = 1:30
    T(2:n-1, 2:n-1) = 0.25 * (T(1:n-2, 2:n-1) + T(3:n, 2:n-1) + T(2:n-1, 1:n-2) + T(2:n-1, 3:n));
end
profile = T(:, 9);
results = {T, profile, class(gather(T)), max(T(:)), T(2:3, 2:3)};
end
