% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Growth and deletion of elements.  % within 0 ulp
function results = growth(on)
x = on([]);
for k = 1:5
    x(end+1) = k ^ 2;
end
y = on(zeros(0, 2));
for k = 1:3
    y = [y; k, on(-k)];
end
y(2, :) = [];
x([1 end]) = [];
z = on(1:3);
z(6) = 9;
w = on(eye(2));
w(:, :, 2) = [1 2; 3 4];
w(:, end+1, :) = 7;
a = [];
a(2, 3) = on(5);
b = on('ab');
b(end+1:end+3) = 'cde';
b(2) = [];
c = on(int8(5));
c(3) = 7;
q = on(1:5);
q(q == 3) = [];
q = [0 q(1:2) 99 q(3:end)];
l = on(true);
l(4) = true;
results = {x, y, z, w, a, b, c, q, l, class(gather(c)), class(gather(l)), size(w), isempty(on([]))};
end
