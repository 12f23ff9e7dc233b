% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Bins by accumarray, histc and floor.  % within 0 ulp
function results = binning(on)
x = on(mod((1:50) * 37, 101) / 4);
edges = 0:5:25;
n = histc(x, edges);
bin = floor(x / 5) + 1;
total = accumarray(bin', x');
number = accumarray(bin', 1);
average = total ./ number;
largest = accumarray(bin', x', [], @max);
[counts, centres] = hist(x, 5);
two = accumarray([bin' mod(bin', 2) + 1], 1);
lists = accumarray(bin', x', [], @(v) {sort(v)});
results = {n, total, number, average, largest, counts, two, cellfun(@numel, lists), sum(counts) == numel(x), numel(centres)};
end
