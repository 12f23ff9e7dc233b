% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Empty arrays everywhere.  % within 0 ulp
function results = empties(on)
e = on([]);
z = on(zeros(0, 3));
c = on('');
results = {sum(e), prod(e), max(e), mean(z), sum(z), sum(z, 2), size([z; 1 2 3]), [e, 1], isempty(e), isempty(z), numel(z), e + 1, z + 1, z', any(e), all(e), find(e), sort(e), unique(e), e(:), z(:, 2), [c 'a'], isequal(e, []), cumsum(z), ...
    repmat(on(1), 0, 2), ones(0, 2) * on(ones(2, 0)), on(ones(2, 0)) * ones(0, 2), on(1:3)([]), zeros(1, 0) == e, e == 1, z > 0, norm(e), det(e), reshape(z, 3, 0), cat(1, z, z), num2str(e), mat2str(e), sprintf('%d', e), ...
    setdiff(on([1 2]), e), ismember(1, e), numel(on(1:0)), on(int8([])) + 1, class(gather(on(single([])) + 1)), isempty(on(5)(on([]))), max(z), min(z, [], 2), diff(on(5)), fft(z)};
end
