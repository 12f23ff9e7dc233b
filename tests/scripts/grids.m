% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% meshgrid and ndgrid, broadcasting, surfaces.
function results = grids(on)
x = on(-2:2);
y = on((0:3) / 2);
[X, Y] = meshgrid(x, y);
[I, J] = ndgrid(x, y);
Z = X .* Y - Y .^ 2;
W = x .* y' - y' .^ 2;
[A, B, C] = meshgrid(on(1:2), on(1:3), on(1:2));
R = sqrt(X .^ 2 + Y .^ 2);
disc = R <= 1;
S = sin(R) ./ (R + (R == 0));
[m, k] = max(Z(:));
[r, c] = ind2sub(size(Z), k);
results = {X, Y, I, J, Z, isequal(Z, W), A, B, C, R, disc, S, m, r, c, mean(disc(:)), meshgrid(x)};
end
