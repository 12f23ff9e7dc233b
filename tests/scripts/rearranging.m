% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% circshift, flip, rot90, kron, repmat, permute, reshape, cat.  % within 0 ulp
function results = rearranging(on)
A = on(reshape(1:12, 3, 4));
results = {circshift(A, 1), circshift(A, [0 -1]), flip(A), fliplr(A), flipud(A), rot90(A), rot90(A, 2), rot90(A, 3), kron(A(1:2, 1:2), [1 0; 0 1]), repmat(A(1, :), 2, 2), ...
    permute(A, [3 1 2]), squeeze(permute(A, [3 1 2])), reshape(A, 2, []), reshape(A, [2 3 2]), cat(3, A, A), [A; A(1, :)], [A, A(:, 1)], A(:)', A(:, end:-1:1), triu(A), tril(A), vec(A)', ...
    horzcat(A, A), vertcat(A, on(zeros(1, 4))), diag(A(:, 1:3))', diag(on([1 2 3])), blkdiag(on(1), on([2 3; 4 5])), toeplitz(on([1 2 3])), hankel(on(1:3)), circshift(A(1, :), 2), ...
    num2cell(A(1, :)), mat2cell(A, [1 2], [2 2]), sortrows(A, -1), idx(A), nthargout(1:2, @size, A)};
end
function i = idx(A)
[r, c] = ind2sub(size(A), find(mod(A, 5) == 0));
i = [r, c, sub2ind(size(A), r, c)];
end
