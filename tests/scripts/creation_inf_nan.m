% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Inf, NaN, true, false with "gpuArray".  % within 0 ulp
function results = creation_inf_nan(on)
if isequal(on, @gpuArray)
    a = Inf(2, 'gpuArray');
    b = NaN(1, 3, 'single', 'gpuArray');
    c = true(2, 'gpuArray');
    d = false(1, 3, 'gpuArray');
    onGPU = [isgpuarray(a), isgpuarray(b), isgpuarray(c), isgpuarray(d)];
else
    a = Inf(2);
    b = NaN(1, 3, 'single');
    c = true(2);
    d = false(1, 3);
    onGPU = true(1, 4);
end
results = {a, b, c, d, onGPU};
end
