% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Edges of an image.
function results = sobel(on)
I = on([zeros(6, 5), 200 * ones(6, 5)]);
I(3:4, 3:8) = 120;
gx = conv2(I, [1 0 -1; 2 0 -2; 1 0 -1], 'same');
gy = conv2(I, [1 0 -1; 2 0 -2; 1 0 -1]', 'same');
magnitude = sqrt(gx .^ 2 + gy .^ 2);
edges = magnitude > 0.5 * max(magnitude(:));
angle = atan2(gy, gx);
[r, c] = find(edges);
results = {gx, gy, magnitude, edges, angle, [r, c], uint8(magnitude)};
end
