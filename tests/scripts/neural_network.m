% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% A forward and a backward pass of two layers, single precision.  % within 256 ulp
function results = neural_network(on)
X = on(single(reshape(mod(1:30, 9), 3, 10) / 8));
Y = on(single(mod(1:10, 2)));
W1 = on(single(reshape(mod((1:12) * 5, 7) - 3, 4, 3) / 4));
b1 = on(zeros(4, 1, 'single'));
W2 = on(single([1 -1 0.5 -0.5] / 2));
b2 = on(single(0));
for epoch = 1:5
    Z1 = W1 * X + b1;
    A1 = max(Z1, 0);
    A2 = 1 ./ (1 + exp(-(W2 * A1 + b2)));
    dZ2 = A2 - Y;
    dW2 = dZ2 * A1' / 10;
    dZ1 = (W2' * dZ2) .* (Z1 > 0);
    W1 = W1 - 0.5 * dZ1 * X' / 10;
    b1 = b1 - 0.5 * sum(dZ1, 2) / 10;
    W2 = W2 - 0.5 * dW2;
    b2 = b2 - 0.5 * sum(dZ2) / 10;
end
results = {W1, b1, W2, b2, A2, class(gather(W1)), class(gather(b2)), A2 > 0.5};
end
