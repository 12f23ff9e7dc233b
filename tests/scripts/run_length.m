% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Run-length coding and its inverse.  % within 0 ulp
function results = run_length(on)
x = on([5 5 5 2 2 9 9 9 9 1 5 5]);
change = [true, diff(x) ~= 0];
values = x(change);
starts = find(change);
lengths = diff([starts, numel(x) + 1]);
decoded = repelems(values, [1:numel(values); gather(lengths)]);
index = cumsum(change);
again = values(index);
[longest, where] = max(lengths);
t = on('aaabccd');
tChange = [true, t(2:end) ~= t(1:end-1)];
results = {values, starts, lengths, decoded, isequal(again, x), longest, values(where), t(tChange), sum(lengths) == numel(x)};
end
