% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% gpuArray.linspace, logspace, colon.
function results = creation_static_ranges(on)
if isequal(on, @gpuArray)
    a = gpuArray.linspace(0, 1, 5);
    b = gpuArray.colon(1, 6);
    c = gpuArray.colon(1, 2, 9);
    d = gpuArray.logspace(0, 2, 3);
else
    a = linspace(0, 1, 5);
    b = colon(1, 6);
    c = colon(1, 2, 9);
    d = logspace(0, 2, 3);
end
results = {a, b, c, d, sum(b), a(end), c(2:3)};
end
