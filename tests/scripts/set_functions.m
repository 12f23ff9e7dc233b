% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Sets of numbers and of rows.  % within 0 ulp
function results = set_functions(on)
a = on([5 1 3 3 9 7]);
b = on([3 4 5 6 9]);
[u, iu, ju] = union(a, b);
[c, ia, ib] = intersect(a, b);
[d, id] = setdiff(a, b);
x = setxor(a, b);
[t, where] = ismember(a, b);
A = on([1 2; 3 4; 1 2; 5 6]);
B = [3 4; 7 8];
r = ismember(A, B, 'rows');
[v, i, j] = unique(A, 'rows');
e = intersect(A, B, 'rows');
p = unique(on(int8([3 1 3])));
missing = setdiff(1:10, a);
results = {u, c, ia, ib, d, id, x, t, where, r, v, i, j, e, p, missing, any(t), all(ismember(c, a)), isempty(setdiff(a, a)), numel(iu) + numel(ju), unique(on('hello')), class(gather(p))};
end
