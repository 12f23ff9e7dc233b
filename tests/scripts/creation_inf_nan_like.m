% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Inf, NaN, pi and others like a value.  % within 0 ulp
function results = creation_inf_nan_like(on)
g = on(single([1 2]));
a = Inf(2, 'like', g);
b = NaN(1, 3, 'like', g);
c = NaN(2, 2, 'like', on(1));
same = isequal(on, @gpuArray) == [isgpuarray(a), isgpuarray(b), isgpuarray(c)];
results = {a, b, c, class(gather(a)), class(gather(c)), same};
end
