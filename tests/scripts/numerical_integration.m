% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Trapezoid, Simpson and cumulative integrals.  % within 64 ulp
function results = numerical_integration(on)
n = 16;
x = on((0:n) / n);
f = x .^ 3 + 1;
h = x(2) - x(1);
trapezoid = h * (sum(f) - (f(1) + f(end)) / 2);
simpson = h / 3 * (f(1) + f(end) + 4 * sum(f(2:2:end-1)) + 2 * sum(f(3:2:end-2)));
midpoint = sum((x(1:end-1) + h / 2) .^ 3 + 1) * h;
c = cumtrapz(x, f);
q = quadgk(@(t) t .^ 3 + 1, 0, 1);
results = {trapezoid, simpson, midpoint, trapz(x, f), c, abs(q - simpson) < 1e-10, trapz(f), integral(@(t) 2 * t, 0, gather(x(end)))};
end
