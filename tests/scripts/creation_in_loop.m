% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% A program that prepares its arrays like its input.  % within 0 ulp
function results = creation_in_loop(on)
x = on(1:6);
if isequal(on, @gpuArray)
    fib = gpuArray.zeros(1, 10);
else
    fib = zeros(1, 10);
end
fib(1:2) = 1;
for k = 3:10
    fib(k) = fib(k-1) + fib(k-2);
end
acc = zeros(size(x), 'like', x);
for k = 1:3
    acc = acc + x * k;
end
mask = false(size(x));
mask(x > 3) = true;
A = ones(3, 'like', x);
A(2, :) = x(1:3);
results = {fib, acc, mask, A, cumsum(ones(1, 4, 'like', x))};
end
