% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Which class comes of two.  % within 0 ulp
function results = classes_mixed(on)
values = {1.5, single(1.5), int8(3), uint8(200), int32(-7), true, 'a', 2i};
results = cell(numel(values), numel(values), 4);
operators = {@plus, @times, @(x, y) [x, y], @gt};
for i = 1:numel(values)
    for j = 1:numel(values)
        for k = 1:numel(operators)
            try
                r = operators{k}(on(values{i}), on(values{j}));
            catch
                r = 'refused';
            end
            results{i, j, k} = r;
        end
    end
end
end
