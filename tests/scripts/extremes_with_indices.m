% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% min and max with indices, arg-sorts, clipping.  % within 0 ulp
function results = extremes_with_indices(on)
A = on([3 8 1; 9 2 8; 4 7 NaN]);
[m1, i1] = max(A);
[m2, i2] = min(A, [], 2);
[m3, i3] = max(A(:));
[r, c] = ind2sub(size(A), i3);
[~, order] = sort(A(:, 1));
[t, it] = max(on([5 5 5]));
clipped = min(max(A, 2), 7);
[lo, hi] = bounds(A(:, 1));
[cm, ci] = cummax(A(:, 2));
[e, ie] = max(on([]));
[z, iz] = max(on([1+1i, -2, 1]));
[k, ik] = min(on(int8([5 -5; -5 5])), [], 1);
results = {m1, i1, m2, i2, m3, i3, r, c, order, t, it, clipped, lo, hi, cm, ci, e, ie, z, iz, k, ik, max(A, [], 1), max(3, A), min(A(1, :), A(2, :)), A(sub2ind(size(A), 1:3, i1)), range(A(:, 1))};
end
