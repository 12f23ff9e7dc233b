% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% The same with complex arithmetic, colours by log.
function results = mandelbrot_complex(on)
x = linspace(-0.75, -0.7, 16);
y = linspace(0.1, 0.15, 16);
[xg, yg] = meshgrid(on(x), on(y));
z0 = xg + 1i * yg;
count = ones(size(z0));
z = z0;
for n = 0:25
    z = z .* z + z0;
    inside = abs(z) <= 2;
    count = count + inside;
end
results = {count, log(count), size(z), iscomplex(z), class(gather(count))};
end
