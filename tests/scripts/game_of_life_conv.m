% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Neighbours by conv2 and by index vectors.  % within 0 ulp
function results = game_of_life_conv(on)
n = 12;
grid = on(double(mod((1:n)' * (1:n), 5) < 2));
kernel = on([1 1 1; 1 0 1; 1 1 1]);
for step = 1:5
    around = conv2(grid, kernel, 'same');
    grid = double((grid & (around == 2)) | (around == 3));
end
p = [1 1:n-1];
q = [2:n n];
neighbours = grid(:, p) + grid(:, q) + grid(p, :) + grid(q, :);
results = {grid, around, neighbours, nnz(grid), any(grid), find(grid(1, :))};
end
