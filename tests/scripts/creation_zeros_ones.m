% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% zeros, ones, eye in MATLAB's forms for gpuArrays.  % within 0 ulp
function results = creation_zeros_ones(on)
if isequal(on, @gpuArray)
    a = zeros(2, 3, 'gpuArray');
    b = ones(3, 'gpuArray');
    c = eye(3, 'gpuArray');
    d = zeros(2, 'single', 'gpuArray');
    e = ones(1, 4, 'int32', 'gpuArray');
    f = zeros([2 2 2], 'gpuArray');
    g = eye(2, 3, 'uint8', 'gpuArray');
    onGPU = [isgpuarray(a), isgpuarray(b), isgpuarray(c), isgpuarray(d), isgpuarray(e), isgpuarray(f), isgpuarray(g)];
else
    a = zeros(2, 3);
    b = ones(3);
    c = full(eye(3));
    d = zeros(2, 'single');
    e = ones(1, 4, 'int32');
    f = zeros([2 2 2]);
    g = full(eye(2, 3, 'uint8'));
    onGPU = true(1, 7);
end
a(1, 2) = 5;
b = b + 1;
results = {a, b, c, d, e, f, g, onGPU, c * 3, sum(f(:))};
end
