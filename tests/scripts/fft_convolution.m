% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Convolution by FFT, compared with conv.  % within 64 ulp
function results = fft_convolution(on)
a = on(mod((1:20) * 7, 5));
b = on([1 2 3 4]);
n = numel(a) + numel(b) - 1;
c1 = real(ifft(fft(a, n) .* fft(b, n)));
c2 = conv(a, b);
c3 = filter(b, 1, [a, zeros(1, numel(b) - 1)]);
same = max(abs(c1 - c2)) < 1e-10;
results = {c1, c2, c3, same, round(c1), conv(a, b, 'same'), isequal(c2, c3)};
end
