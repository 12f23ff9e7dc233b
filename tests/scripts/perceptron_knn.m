% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% A perceptron and nearest neighbours.  % within 0 ulp
function results = perceptron_knn(on)
X = on([1 2; 2 1; 2 3; 6 5; 7 7; 5 6]);
y = on([-1 -1 -1 1 1 1]');
w = zeros(1, 2); b = 0; rounds = 0;
mistakes = 1;
while mistakes > 0 && rounds < 100
    mistakes = 0;
    for k = 1:size(X, 1)
        if y(k) * (w * X(k, :)' + b) <= 0
            w = w + y(k) * X(k, :);
            b = b + y(k);
            mistakes = mistakes + 1;
        end
    end
    rounds = rounds + 1;
end
query = on([3 3; 6 6]);
label = zeros(2, 1);
for q = 1:2
    d = sum((X - query(q, :)) .^ 2, 2);
    [~, order] = sort(d);
    label(q) = mode(y(order(1:3)));
end
confusion = accumarray([(y > 0) + 1, (X * w' + b > 0) + 1], 1, [2 2]);
oneHot = (y == unique(y)');
results = {w, b, rounds, label, confusion, oneHot, sign(X * w' + b)'};
end
