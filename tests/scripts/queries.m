% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Queries of every kind of value.  % within 0 ulp
function results = queries(on)
values = {1, [1 2; 3 4], [], single(2), int8([1 2]), uint64(7), true, 'text', '', 1i, ones(2, 3, 2), NaN, zeros(0, 3)};
tests = {@isempty, @isscalar, @isvector, @isrow, @iscolumn, @ismatrix, @issquare, @isnumeric, @isreal, @iscomplex, @isfloat, @isinteger, @islogical, @ischar, @iscellstr, @isstruct, @iscell, @isfield_, @is_function_handle, ...
    @size, @numel, @ndims, @length, @rows, @columns, @isnan_, @(x) isa(x, 'numeric'), @(x) isa(x, 'float'), @(x) isa(x, 'integer'), @(x) size(x, 3), @isindex, @isbool, @isdiag_, @nnz_};
results = cell(numel(values), numel(tests));
for i = 1:numel(values)
    for j = 1:numel(tests)
        results{i, j} = tests{j}(on(values{i}));
    end
end
end
function r = isfield_(x), r = isfield(x, 'a'); end
function r = isnan_(x), r = isnan(x); end
function r = isdiag_(x), if ndims(x) == 2 && ~ischar(x), r = isdiag(x); else, r = 0; end, end
function r = nnz_(x), if ischar(x), r = 0; else, r = nnz(x); end, end
