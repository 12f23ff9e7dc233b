% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Means, variances, quantiles, correlations.  % within 256 ulp
function results = statistics_summary(on)
X = on([mod((1:20)' * 7, 11), mod((1:20)' * 3, 8), (1:20)']);
m = mean(X);
s = std(X);
Z = (X - m) ./ s;
q = quantile(X, [0.25 0.5 0.75]);
h = median(X);
outliers = abs(Z) > 1.5;
C = cov(X);
R = corr(X);
w = on((1:20)');
weighted = sum(w .* X) / sum(w);
geo = exp(mean(log(X(:, 3))));
results = {m, s, var(X), var(X, 1), Z, q, h, mode(X), range(X), sum(outliers), C, R, weighted, geo, mad(X), iqr(X), skewness(X), kurtosis(X), prctile(X, 90), cumsum(X(:, 1))', mean(X(:)), mean(X, 2), median(X, 2), std(X(:)), meansq(X)};
end
