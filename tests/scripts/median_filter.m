% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% A 3 x 3 median filter, by pages of shifted images.  % within 0 ulp
function results = median_filter(on)
I = on(uint8(mod((1:10)' * (3:14) * 19, 256)));
I(4, 5) = 255;
stack = zeros([size(I), 9], 'uint8');
k = 0;
for dx = -1:1
    for dy = -1:1
        k = k + 1;
        stack(:, :, k) = circshift(I, [dx dy]);
    end
end
M = median(double(stack), 3);
sorted = sort(on(stack), 3);
results = {M, sorted(:, :, 5), isequal(M, double(sorted(:, :, 5))), class(gather(sorted)), size(sorted)};
end
