% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Random numbers made on the device: sizes, classes and bounds.  % within 0 ulp
function results = creation_random(on)
if isequal(on, @gpuArray)
    a = rand(3, 4, 'gpuArray');
    b = gpuArray.rand(2, 'single');
    c = randn(100, 1, 'gpuArray');
    d = randi(6, 1, 50, 'gpuArray');
    e = gpuArray.randn(2, 3);
    f = gpuArray.randi([3 5], 2, 2);
else
    a = rand(3, 4);
    b = rand(2, 'single');
    c = randn(100, 1);
    d = randi(6, 1, 50);
    e = randn(2, 3);
    f = randi([3 5], 2, 2);
end
results = {size(a), all(a(:) > 0 & a(:) < 1), class(gather(b)), size(b), abs(mean(c)) < 1, size(c), all(d >= 1 & d <= 6), all(d == round(d)), size(e), all(f(:) >= 3 & f(:) <= 5)};
end
