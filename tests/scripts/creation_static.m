% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% gpuArray.zeros and the other static functions.  % within 0 ulp
function results = creation_static(on)
if isequal(on, @gpuArray)
    a = gpuArray.zeros(2, 3);
    b = gpuArray.ones(3, 'single');
    c = gpuArray.eye(3);
    d = gpuArray.true(1, 3);
    e = gpuArray.false(2);
    f = gpuArray.nan(1, 2);
    g = gpuArray.inf(2, 1);
    h = gpuArray.zeros(2, 'int16');
    onGPU = [isgpuarray(a), isgpuarray(b), isgpuarray(c), isgpuarray(d), isgpuarray(e), isgpuarray(f), isgpuarray(g), isgpuarray(h)];
else
    a = zeros(2, 3);
    b = ones(3, 'single');
    c = full(eye(3));
    d = true(1, 3);
    e = false(2);
    f = nan(1, 2);
    g = inf(2, 1);
    h = zeros(2, 'int16');
    onGPU = true(1, 8);
end
results = {a, b, c, d, e, f, g, h, onGPU, a + 1, b .* 2, d & true};
end
