% Copyright (C) 2026 The gpureduce developers
% SPDX-License-Identifier: GPL-3.0-or-later

% Primes by a sieve.  % within 0 ulp
function results = sieve(on)
n = 120;
isPrime = on(true(1, n));
isPrime(1) = false;
for k = 2:floor(sqrt(n))
    if isPrime(k)
        isPrime(k^2:k:n) = false;
    end
end
p = find(isPrime);
gaps = diff(p);
twins = p([gaps == 2, false]);
results = {p, numel(p), isequal(p, primes(n)), gaps, twins, sum(p), isPrime(97), class(gather(isPrime)), max(gaps)};
end
