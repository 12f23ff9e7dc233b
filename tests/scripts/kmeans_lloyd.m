% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Lloyd's algorithm on points of a lattice.  % within 64 ulp
function results = kmeans_lloyd(on)
k = (0:59)';
X = on([mod(k * 7, 13) + 20 * (mod(k, 3) == 1), mod(k * 5, 11) + 30 * (mod(k, 3) == 2)]);
centres = X([1 2 3], :);
for it = 1:10
    D = bsxfun(@plus, sum(X .^ 2, 2), sum(centres .^ 2, 2)') - 2 * X * centres';
    [~, label] = min(D, [], 2);
    old = centres;
    for c = 1:size(centres, 1)
        members = X(label == c, :);
        if ~isempty(members)
            centres(c, :) = mean(members, 1);
        end
    end
    if max(max(abs(centres - old))) < 1e-12
        break;
    end
end
counts = accumarray(label, 1);
results = {centres, label, counts, it, size(D)};
end
