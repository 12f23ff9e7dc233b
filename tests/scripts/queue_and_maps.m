% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Stacks, queues, maps and sorting by hand.  % within 0 ulp
function results = queue_and_maps(on)
stack = on([]);
for k = 1:4, stack(end+1) = k * k; end
top = stack(end);
stack(end) = [];
queue = {on(1), on('two')};
queue{end+1} = on([3 3 3]);
first = queue{1};
queue(1) = [];
map = containers.Map();
map('a') = on(1:3);
map('b') = on(5);
map('a') = map('a') + 1;
total = 0;
for key = map.keys()
    total = total + sum(map(key{1}));
end
numbers = containers.Map('KeyType', 'double', 'ValueType', 'any');
numbers(3) = on([1 2]);
x = on([5 2 9 1 7]);
for i = 1:numel(x)-1
    for j = 1:numel(x)-i
        if x(j) > x(j+1)
            x([j j+1]) = x([j+1 j]);
        end
    end
end
results = {top, stack, first, queue, map('a'), total, map.isKey('b'), map.Count, numbers(3), x, issorted(x), quick(on([3 6 1 8 2 9 2]))};
end
function s = quick(x)
if numel(x) <= 1
    s = x;
    return
end
p = x(1);
rest = x(2:end);
s = [quick(rest(rest < p)), p, quick(rest(rest >= p))];
end
