% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% inputParser, validateattributes, nargin checks.  % within 0 ulp
function results = validation(on)
x = on([1 2 3]);
p = inputParser;
p.FunctionName = 'validation';
p.addRequired('data', @isnumeric);
p.addOptional('scale', 1, @(v) isscalar(v) && v > 0);
p.addParameter('mode', 'fast', @ischar);
p.parse(x, on(2), 'mode', 'slow');
r = p.Results;
validateattributes(x, {'numeric'}, {'vector', 'positive', 'increasing', 'numel', 3});
validateattributes(on(uint8(3)), {'uint8'}, {'scalar', '<=', 5});
validateattributes(on(single([1 2; 3 4])), {'float'}, {'2d', 'square', 'nonnan', 'finite', 'integer'});
refused = false(1, 4);
tests = {{on(-1), {'numeric'}, {'positive'}}, {on('a'), {'numeric'}, {}}, {on([1.5 2]), {'numeric'}, {'integer'}}, {on(ones(2, 3)), {'numeric'}, {'size', [3 2]}}};
for k = 1:numel(tests)
    try
        validateattributes(tests{k}{:});
    catch
        refused(k) = true;
    end
end
try
    p.parse(x, on(-2));
    bad = 'taken';
catch e
    bad = 'refused';
end
results = {r.data, r.scale, r.mode, refused, bad, p.UsingDefaults, isa(x, 'numeric'), isa(x, 'float'), isnumeric(x) && isreal(x) && isvector(x)};
end
