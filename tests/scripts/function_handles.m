% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Closures, handles, varargin, nargin, recursion, persistent state.  % within 0 ulp
function results = function_handles(on)
a = on(3);
f = @(x) a * x + 1;
g = @(h, x) h(h(x));
compose = @(varargin) numel(varargin) + sum([varargin{:}]);
h = @plus;
fs = {@sin, @(x) x .^ 2, @max};
[m, n] = several(on([4 9 2]));
results = {f(2), f(on([1 2])), g(f, on(1)), compose(on(1), 2, on(3)), h(a, 4), fs{2}(on(1:3)), fs{3}(on([1 5 2])), feval(@minus, a, on(1)), m, n, several(on(1:4)), fact(on(6)), fact(6), count(on(2)), count(on(3)), ...
    cellfun(@(c) c(on(2)), {@(x) x + 1, @(x) x * 5}), defaults(on(1)), defaults(on(1), on(7)), func2str(h), is_function_handle(f), inner(on(2)), fold(@(x, y) x * y, on(1:5))};
end
function [lo, hi, varargout] = several(x)
lo = min(x);
hi = max(x);
if nargout < 2
    lo = nargout;
end
end
function r = fact(n)
if n <= 1
    r = 1;
else
    r = n * fact(n - 1);
end
end
function c = count(by)
persistent total
if isempty(total) || by == 2, total = 0; end
total = total + by;
c = total;
end
function r = defaults(x, y)
if nargin < 2 || isempty(y), y = 10; end
r = x + y;
end
function r = inner(x)
add = @(y) x + y;
x = 100;
r = add(1);
end
function r = fold(f, x)
r = x(1);
for k = 2:numel(x), r = f(r, x(k)); end
end
