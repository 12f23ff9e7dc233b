% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Conway's game, by shifts.  % within 0 ulp
function results = game_of_life(on)
world = zeros(16);
world(2, 3) = 1; world(3, 4) = 1; world(4, 2:4) = 1;
world(9:11, 9) = 1;
world = on(logical(world));
history = {};
for generation = 1:8
    n = zeros(size(world));
    for dx = -1:1
        for dy = -1:1
            if dx ~= 0 || dy ~= 0
                n = n + circshift(world, [dx dy]);
            end
        end
    end
    world = (n == 3) | (world & n == 2);
    history{end+1} = sum(world(:));
end
results = {world, history, class(gather(world)), n};
end
