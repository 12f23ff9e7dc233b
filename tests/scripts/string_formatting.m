% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Values in texts.
function results = string_formatting(on)
x = on([1.5 -2 1e6]);
k = on(int32(42));
z = on(3 - 4i);
t = true;
lines = {};
for v = x
    lines{end+1} = sprintf('%8.3f|', v);
end
results = {sprintf('%d', k), sprintf('%g,', x), num2str(x), num2str(k), num2str(z), num2str(on(t)), mat2str(x), mat2str(on([1 2; 3 4])), ...
    lines, ['x = ' num2str(on(pi), 10)], disp(x), disp(k), sprintf('%5.1f %d\n', [x; x]), num2str(on(magic(3))), int2str(x), ...
    sprintf('%s', on('text')), strjoin(arrayfun(@(v) sprintf('%d', v), on(1:3), 'UniformOutput', false), '-'), ...
    evalc('fprintf(''%d of %d\n'', k, x(1))'), evalc('disp(z)'), evalc('x'), sprintf('%c', on([72 105])), sprintf('%x', k)};
end
