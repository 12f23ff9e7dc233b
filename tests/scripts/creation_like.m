% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% zeros, ones and others like a value.  % within 0 ulp
function results = creation_like(on)
g = on(single([1 2]));
k = on(int8(3));
l = on(true);
z = on(1+2i);
a = zeros(2, 3, 'like', g);
b = ones(2, 'like', k);
c = zeros(3, 1, 'like', on(5));
d = ones(size(g), 'like', g);
e = cast([1.5 2.5], 'like', k);
f = cast(7, 'like', g);
h = zeros(1, 2, 'like', z);
same = isequal(on, @gpuArray) == [isgpuarray(a), isgpuarray(b), isgpuarray(c), isgpuarray(d)];
types = {class(gather(a)), class(gather(b)), class(gather(c)), class(gather(e)), class(gather(f))};
results = {a, b, c, d, e, f, h, same, types, a + 1};
end
