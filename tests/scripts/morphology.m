% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Dilation, erosion, labels, and an integral image.  % within 0 ulp
function results = morphology(on)
B = on(logical([0 0 0 0 0 0 0; 0 1 1 0 0 0 0; 0 1 1 0 0 1 0; 0 0 0 0 1 1 0; 0 0 0 0 0 1 0; 1 0 0 0 0 0 0]));
D = B; E = B;
for s = [1 0; -1 0; 0 1; 0 -1]'
    D = D | circshift(B, s');
    E = E & circshift(B, s');
end
L = on(reshape(1:numel(B), size(B))) .* B;
changed = true;
while changed
    M = L;
    for s = [1 0; -1 0; 0 1; 0 -1]'
        M = max(M, circshift(M, s'));
    end
    M = M .* B;
    changed = ~isequal(M, L);
    L = M;
end
labels = unique(L(L > 0));
areas = arrayfun(@(k) sum(L(:) == k), labels);
[r, c] = find(L == labels(1));
box = [min(r) max(r) min(c) max(c)];
outline = B & ~E;
results = {D, E, L, labels, areas, box, outline, cumsum(cumsum(double(B)), 2), any(B), all(~B, 2), bitxor(uint8(B), uint8(D))};
end
