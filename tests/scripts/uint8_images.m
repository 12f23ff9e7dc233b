% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Integer images with saturation.  % within 0 ulp
function results = uint8_images(on)
I = on(uint8(reshape(mod((1:64) * 29, 256), 8, 8)));
brighter = I + 60;
darker = I - 60;
negative = 255 - I;
contrast = (I - 128) * 2 + 128;
blend = I / 2 + on(uint8(100)) / 2;
gray = uint8(0.3 * double(I) + 0.7 * double(I'));
threshold = I > 127;
bw = uint8(threshold) * 255;
diffs = abs(int16(I) - int16(I'));
down = I(1:2:end, 1:2:end);
up = kron(double(down), ones(2));
up = uint8(up);
rgb = cat(3, I, I', bw);
luma = mean(double(rgb), 3);
gamma2 = uint8(255 * (double(I) / 255) .^ 2);
results = {brighter, darker, negative, contrast, blend, gray, threshold, bw, diffs, up, rgb(:, :, 2), luma, class(gather(luma)), idivide(I, uint8(7)), bitshift(I, -1), bitand(I, 240), max(I(:)), sum(I(:)), mean(I(:)), gamma2};
end
