% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% A box filter by cumulative sums and by conv2.  % within 0 ulp
function results = box_filter(on)
I = on(mod((1:12)' * (1:15), 17));
c = cumsum(cumsum(I, 1), 2);
c = [zeros(1, size(c, 2) + 1); zeros(size(c, 1), 1), c];
w = 4;
S = c(1+w:end, 1+w:end) - c(1:end-w, 1+w:end) - c(1+w:end, 1:end-w) + c(1:end-w, 1:end-w);
S2 = conv2(I, ones(w), 'valid');
box = S / w ^ 2;
results = {S, isequal(S, S2), box, size(box), mean(box(1, 1:4))};
end
