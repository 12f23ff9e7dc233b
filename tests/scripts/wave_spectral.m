% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Second derivatives by FFT.  % within 64 ulp
function results = wave_spectral(on)
n = 32;
x = 2 * pi * (0:n-1) / n;
f = on(exp(sin(x)));
k = [0:n/2-1, 0, -n/2+1:-1];
F = fft(f);
df = real(ifft(1i * k .* F));
d2f = real(ifft(-(k .^ 2) .* F));
mid = df(1:4:end);
results = {F, real(ifft(F)), isreal(df), size(d2f), class(gather(d2f)), numel(mid)};
end
