% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% The Mandelbrot set: iterations until escape.  % within 0 ulp
function results = mandelbrot(on)
maxIterations = 40;
gridSize = 24;
x = on(-2 + 3 * (0:gridSize-1) / 16);
y = on(-1.5 + 3 * (0:gridSize-1) / 16);
[xGrid, yGrid] = meshgrid(x, y);
c = complex(xGrid, yGrid);
z = c;
count = ones(size(z));
for n = 0:maxIterations
    zr = real(z) .* real(z) - imag(z) .* imag(z) + real(c);
    zi = 2 * real(z) .* imag(z) + imag(c);
    z = complex(zr, zi);
    inside = real(z) .* real(z) + imag(z) .* imag(z) <= 4;
    count = count + inside;
    z(~inside) = 3;
end
results = {count, max(count(:)), sum(count(:) > maxIterations), inside};
end
