% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% gpuArrays in cells and structs.  % within 0 ulp
function results = cells_and_structs(on)
c = cell(1, 3);
for k = 1:3
    c{k} = on(1:k) * k;
end
c{2}(1) = -1;
c(end+1) = {on('end')};
s.data = on(magic(3));
s.name = 'magic';
s.data(2, :) = [];
s.list{3} = on(7);
t = struct('a', {on(1), on(2), on(3)});
total = 0;
for e = t
    total = total + e.a;
end
u = [t.a];
names = fieldnames(s);
s = setfield(s, 'extra', on([1 2]));
s.inner.deep.value = on(5);
s.inner.deep.value(3) = 6;
r = rmfield(s, 'extra');
results = {c, s.data, s.list, total, u, names, getfield(s, 'extra'), s.inner.deep.value, isfield(r, 'extra'), numel(c), size(s.data), orderfields(struct('b', on(1), 'a', on(2)))};
end
