% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% if, while, for, switch, do with values.  % within 0 ulp
function results = control_flow(on)
results = {};
x = on(5);
if x > 3
    results{end+1} = 'large';
elseif x
    results{end+1} = 'small';
end
while x > 0
    x = x - 2;
    if x == 1, continue, end
    if x < -10, break, end
end
results{end+1} = x;
for k = on([1 2; 3 4])
    results{end+1} = k;
end
for k = on(3):-1:1
    switch k
        case {1, 7}
            results{end+1} = 'one';
        case on(2)
            results{end+1} = 'two';
        otherwise
            results{end+1} = k;
    end
end
switch on('red')
    case 'red'
        results{end+1} = 1;
end
n = 0;
do
    n++;
until n >= on(4)
if on([]), results{end+1} = 'never'; end
if on([1 1 0]), results{end+1} = 'never'; else, results{end+1} = 'mixed'; end
flag = on(true) && ~on(false) || error('never');
results = [results, {n, flag, ifelse(on(1)), xor(on(true), false)}];
end
function r = ifelse(t)
r = 'no';
if t, r = 'yes'; return, end
end
