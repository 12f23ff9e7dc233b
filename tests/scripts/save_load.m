% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% A round trip through files.  % within 0 ulp
function results = save_load(on)
file = [tempname() '.mat'];
a = on(magic(4));
b = on(single([1.5 -2]));
c = on(int8([100 -100]));
s.x = on(1:3);
s.t = 'text';
k = {on(1+2i), on('abc')};
results = {};
for format = {'-text', '-binary'}
    save(format{1}, file, 'a', 'b', 'c', 's', 'k');
    l = load(file);
    results = [results, {l.a, l.b, l.c, l.s.x, l.s.t, l.k}];
end
save('-v7', file, 'a', 'b');
l = load(file);
delete(file);
results = [results, {l.a, l.b, l.a + 1, fieldnames(l)}];
end
