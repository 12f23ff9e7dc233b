% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Loops over pages and bsxfun in place of pagefun.  % within 64 ulp
function results = page_operations(on)
A = on(reshape(mod(1:48, 11), 4, 4, 3));
B = on(reshape(mod((1:48) * 5, 7), 4, 4, 3));
C = zeros(size(A));
for p = 1:size(A, 3)
    C(:, :, p) = A(:, :, p) * B(:, :, p);
end
T = permute(A, [2 1 3]);
means = mean(mean(A, 1), 2);
centred = bsxfun(@minus, A, means);
D = A .* reshape([1 2 3], 1, 1, 3);
results = {C, T, means, centred, D, squeeze(sum(sum(C, 1), 2)), size(T), max(C, [], 3)};
end
