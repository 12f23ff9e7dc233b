% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Errors, caught and named.  % within 0 ulp
function results = errors_caught(on)
A = on(ones(2, 3));
B = on(ones(4, 5));
calls = {@() A + B, @() A * A, @() A(3, 1), @() A(0), @() A(1.5), @() A(:, 7), @() reshape(A, 4, 2), ...
    @() undefined_here(A), @() inv(A), @() chol(-on(eye(2))), @() error('a:b', 'n = %d', on(5)), @() A{1}, @() str2func(A), @() ones(2, 3) + B, @() A(7)};
identifiers = cell(1, numel(calls));
failed = false(1, numel(calls));
for k = 1:numel(calls)
    try
        calls{k}();
    catch e
        failed(k) = true;
        identifiers{k} = e.identifier;
    end
end
try
    error('my:id', 'value %g of %s', on(2.5), on('text'));
catch e
    message = e.message;
end
cleaned = false;
unwind_protect
    x = A(:, end);
unwind_protect_cleanup
    cleaned = true;
end_unwind_protect
try
    A(:, 1) = on([1 2 3]);
catch e
    last = lasterr();
end
results = {failed, identifiers([1:7 8 11]), message, cleaned, x, ~isempty(last), A};
end
