% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Gradient descent on a separable set.  % within 2000 ulp
function results = logistic_regression(on)
x = on([0.5 0.75 1 1.25 1.5 1.75 2 2.5 3 3.5 4 4.5]');
y = on(logical([0 0 0 0 1 0 1 0 1 1 1 1]'));
X = [ones(numel(x), 1), x];
theta = zeros(2, 1);
for k = 1:50
    h = 1 ./ (1 + exp(-X * theta));
    grad = X' * (h - y) / numel(y);
    theta = theta - 0.5 * grad;
end
predicted = h > 0.5;
accuracy = mean(double(predicted == y));
J = -mean(y .* log(h) + (1 - y) .* log(1 - h));
results = {theta, accuracy, J, predicted, size(X)};
end
