% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Softmax, layer normalisation and cross entropy.  % within 64 ulp
function results = softmax_layernorm(on)
X = on(reshape(mod(1:24, 7) - 3, 4, 6) / 2);
m = max(X, [], 1);
E = exp(X - m);
S = E ./ sum(E, 1);
labels = [1 4 2 3 1 2];
index = sub2ind(size(S), labels, 1:numel(labels));
loss = -mean(log(S(index)));
mu = mean(X, 2);
sigma = sqrt(mean((X - mu) .^ 2, 2) + 1e-5);
normal = (X - mu) ./ sigma;
relu = max(X, 0);
[~, predicted] = max(S);
results = {S, loss, normal, relu, predicted, all(abs(sum(S) - 1) < 1e-14), tanh(X(:, 1))};
end
