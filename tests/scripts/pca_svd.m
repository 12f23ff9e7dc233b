% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Principal components two ways.  % within 20000 ulp
function results = pca_svd(on)
k = (1:12)';
X = on([k, 2 * k + mod(k, 3), mod(k * 5, 7)]);
mu = mean(X);
Xc = X - repmat(mu, size(X, 1), 1);
[U, S, V] = svd(Xc, 'econ');
latent = diag(S) .^ 2 / (size(X, 1) - 1);
C = cov(X);
[W, D] = eig(C);
[d, order] = sort(diag(D), 'descend');
W = W(:, order);
explained = 100 * d / sum(d);
score = abs(Xc * V(:, 1));
results = {mu, latent, d, explained, score, abs(W(:, 1)), order, size(U)};
end
