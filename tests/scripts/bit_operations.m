% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Bits of integers: masks, parity, Gray code, packing.  % within 0 ulp
function results = bit_operations(on)
x = on(uint16(0:300:6000));
low = bitand(x, 255);
high = bitshift(x, -8);
again = bitor(bitshift(high, 8), low);
gray = bitxor(x, bitshift(x, -1));
parity = zeros(size(x));
for k = 1:16
    parity = xor(parity, bitget(x, k));
end
ones16 = sum(dec2bin(gather(x), 16) - '0', 2)';
setTop = bitset(x, 16);
n = on(12);
h = uint32(5381);
for c = on(uint32('hash me'))
    h = bitand(bitxor(bitshift(h, 5), c), uint32(65535));
end
results = {low, high, isequal(again, x), gray, parity, isequal(mod(ones16, 2), double(gather(parity))), setTop, bitand(n, 10), bitor(n, 3), bitcmp(on(uint8(5))), h, bitshift(n, on(2)), bitand(x, on(uint16(1))), class(gather(h)), mod(idivide(x, uint16(4)), 8)};
end
