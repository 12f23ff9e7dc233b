% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% cellfun, arrayfun, cell2mat's like over values.  % within 0 ulp
function results = cellfun_arrayfun(on)
c = {on(1:3), on([4 5]), on([])};
n = cellfun(@numel, c);
sums = cellfun(@(x) gather(sum(x)), c);
doubled = cellfun(@(x) 2 * x, c, 'UniformOutput', false);
emptyOnes = cellfun('isempty', c);
[lo, hi] = cellfun(@(x) deal(min([x 99]), max([x 0])), c, 'UniformOutput', false);
a = on([1 4; 9 16]);
r = arrayfun(@(x) sqrt(x) + 1, a);
[p, q] = arrayfun(@(x, y) deal(x + y, x * y), a, a');
k = arrayfun(@(x) {1:x}, on(1:3));
safe = cellfun(@(x) x(5), c, 'ErrorHandler', @(e, varargin) -1);
s = struct('a', on(1), 'b', on(2));
f = structfun(@(x) x * 10, s);
g = structfun(@(x) x * 10, s, 'UniformOutput', false);
all3 = [c{:}];
results = {n, sums, doubled, emptyOnes, lo, hi, r, p, q, k, safe, f, g, all3, vertcat(c{[1 1]}), cellfun(@isreal, c)};
end
