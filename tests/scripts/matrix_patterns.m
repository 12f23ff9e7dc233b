% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Pascal, Fibonacci, magic squares, spirals, rule 30.  % within 0 ulp
function results = matrix_patterns(on)
P = on(ones(6));
for i = 2:6
    for j = 2:6
        P(i, j) = P(i-1, j) + P(i, j-1);
    end
end
Q = on([1 1; 1 0]) ^ 10;
M = on(magic(4));
sums = [sum(M), sum(M, 2)', trace(M), trace(fliplr(M))];
row = on(zeros(1, 15)); row(8) = 1;
picture = row;
for k = 1:6
    left = [0 row(1:end-1)]; right = [row(2:end) 0];
    row = double(xor(left, row | right));
    picture(end+1, :) = row;
end
S = on(zeros(4));
r = 1; c = 1; d = [0 1];
for k = 1:16
    S(r, c) = k;
    q = [r c] + d;
    if any(q < 1) || any(q > 4) || S(q(1), q(2)) ~= 0
        d = [d(2), -d(1)];
        q = [r c] + d;
    end
    r = q(1); c = q(2);
end
checker = mod((1:4)' + on(1:4), 2) == 0;
results = {P, Q, all(sums == 34), picture, S, checker, diag(P)', P(logical(eye(6)))', vander(on([1 2 3])), hilb(3) == hilb(on(3))};
end
