% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% A low-pass filter in the frequency domain.  % within 64 ulp
function results = fft_lowpass(on)
n = 64;
t = (0:n-1) / n;
signal = on(sin(2 * pi * 3 * t) + 0.5 * sin(2 * pi * 20 * t));
spectrum = fft(signal);
f = [0:n/2, -n/2+1:-1];
spectrum(abs(f) > 8) = 0;
smooth = real(ifft(spectrum));
[~, where] = max(abs(spectrum(1:n/2)));
P = abs(spectrum(1:n/2+1)) .^ 2 / n;
P(2:end-1) = 2 * P(2:end-1);
results = {smooth, where, P, isreal(smooth), nnz(abs(f) > 8), fftshift(f)};
end
