% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Equalises the histogram of an integer image.
function results = histogram_equalisation(on)
img = on(uint8(40 + mod((1:16)' * (1:16), 60)));
counts = accumarray(double(img(:)) + 1, 1, [256 1]);
cdf = cumsum(counts);
cdfMin = min(cdf(cdf > 0));
map = round((cdf - cdfMin) / (numel(img) - cdfMin) * 255);
out = uint8(map(double(img) + 1));
h = histc(double(out(:)), 0:32:256);
results = {counts, cdf, map, out, h, class(gather(out)), [min(out(:)), max(out(:))]};
end
