## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## all = chosen_divided_problems (): those that random ones (divided_problem.m) are too seldom: several tiles a rank, overflow in one of them, elements that
## are left out, long columns, equal elements, parts of many columns.
function all = chosen_divided_problems ()
  overflows = randn (1, 30000);
  overflows([100, 25000]) = realmax;
  late = randn (2, 5000);
  late(:,1:2000) = NaN;
  odd = [randn(1, 500), Inf, -Inf, NaN, 3];
  long = randn (1, 200000);
  long(randi (200000, 1, 50)) = NaN;
  ## function, array, arguments, outputs, which of them are divided
  table = {
    "cumsum", randn(1, 60000), {}, 1, true
    "cumsum", randn(3, 20000), {2}, 1, true
    "cumsum", randn(1, 100000, "single"), {2}, 1, true
    "cumsum", complex(randn(40, 3000), randn(40, 3000)), {2}, 1, true
    "cumsum", randn(5, 200), {2}, 1, true
    "cumsum", overflows, {}, 1, true
    "cumsum", odd, {2, "omitnan"}, 1, true
    "cumprod", 1+0.01*randn(2, 40000), {2}, 1, true
    "cumprod", uint64(randi(1000, 4678, 428)), {2}, 1, true
    "cummax", late, {2}, 2, [true, true]
    "argmax", reshape(mod(7919*(1:1500), 101), [1, 5, 4, 75]), {[], [1, 2, 3]}, 1, true
    "cummin", round(3*randn(3, 9000)), {2}, 2, [true, true]
    "cummin", late, {2, "includenan"}, 2, [true, true]
    "cummax", odd, {2, "includenan"}, 2, [true, true]
    "cumsum", randn(1, 150000), {2}, 1, true
    "cumsum", single(randn(40, 3000)), {2}, 1, true
    "cumsum", complex(randn(3, 9000), randn(3, 9000)), {2}, 1, true
    "cumprod", 1+1e-4*randn(5, 20000), {2}, 1, true
    "cumsum", [randn(1, 60000), Inf, NaN, -Inf, randn(1, 60000)], {2}, 1, true
    "cumsum", randn(70000, 9), {2}, 1, true
    "cumprod", single(randn(3000, 200)), {2}, 1, true
    "cummax", single(randn(3, 90000)), {2}, 2, [true, true]
    "cummin", [NaN(2, 30000), -abs(randn(2, 30000))], {2}, 2, [true, true]
    "cummax", uint8(3*rand(1, 200000)), {2}, 2, [true, true]
    "cummin", complex(randn(40, 2000), randn(40, 2000)), {2}, 2, [true, true]
    "hist", odd, {20}, 2, [false, false]
    "hist", randn(40, 30), {15}, 2, [true, false]
    "histcounts", odd, {"BinMethod", "fd"}, 3, [false, false, true]
    "histcounts", odd, {"BinMethod", "scott"}, 3, [false, false, true]
    "hist", uint64(2^63*rand(1, 3000)), {20}, 2, [false, false]
    "hist", uint64(2^63*rand(40, 30)), {}, 1, true
    "hist", repmat("a", [1, 29, 1, 2]), {5}, 1, false
    "histcounts", 1e200*randn(1, 3000), {"BinMethod", "scott"}, 3, [false, false, true]
    "histc", randn(4, 3000), {-3:0.1:3, 2}, 2, [false, true]
    "median", long, {"omitnan"}, 1, false
    "quantile", long, {[0.1, 0.5, 0.99], 2, 8}, 1, false
    "quantile", round(long), {[0.1, 0.5, 0.99], 2}, 1, false
    "quantile", 1+2^-20*((1:200000)>100000), {[0.1, 0.9], 2}, 1, false
    "quantile", rand(1, 40, 5) > 0.5, {0:0.25:1, 3}, 1, false
    "median", [zeros(1, 100000), 1+rand(1, 100000)], {}, 1, false
    "mad", single(long), {1}, 1, false
    "mad", long, {1}, 1, false
    "median", randn(3, 150000), {2}, 1, false
    "median", int32(1e6*randn(1, 300000)), {}, 1, false
    "quantile", uint8(255*rand(2, 140000)), {[0, 0.3, 1], 2}, 1, false
    "quantile", [Inf*sign(randn(1, 150000)), -0, 0, NaN], {[0.001, 0.5, 0.999], 2}, 1, false
    "median", randn(30, 2000), {2}, 1, false
    "quantile", complex(rand(1, 3), 0.5), {[0.1, 0.5, 0.9], 2}, 1, false
    "prctile", complex(rand(2, 5), 0.5), {[10, 20, 50, 70, 90], 2}, 1, false
    "quantile", complex(rand(4, 5), 0.5), {[0.1, 0.5, 0.9], 1}, 1, true
    "mode", round(10*randn(20, 400)), {2}, 2, [false, false]
    "maxk", round(randn(3, 3000)), {50, 2}, 2, [false, false]
    "mink", odd, {600}, 2, [false, false]
    "maxk", long, {700}, 2, [false, false]
    "mink", round(99*randn(3, 70000)), {40, 2}, 2, [false, false]
    "maxk", int16(999*randn(2, 90000)), {5000, 2}, 2, [false, false]
    "sum", randn(1, 5000).*10.^(30*randn(1, 5000)), {2, "exact"}, 1, false
    "sum", randn(1, 300000).*10.^(30*randn(1, 300000)), {2, "exact"}, 1, false
    "sum", complex(randn(3, 40000), 1e9*randn(3, 40000)), {2, "exact"}, 1, false
    "sum", long, {"exact", "omitnan"}, 1, false
    "sum", randn(50, 300).*10.^(30*randn(50, 300)), {2, "exact"}, 1, false
    "sum", randn(5000, 40), {2}, 1, false
    "prod", 1+0.1*randn(9000, 30), {2}, 1, false
    "var", single(randn(3000, 60)), {0, 2}, 1, false
    "max", round(9*randn(5000, 40)), {[], 2}, 2, [false, false]
    "mean", randn(2500, 2, 50), {3}, 1, false
    "sum", randn(2500, 4, 50), {[2, 3]}, 1, false
  };
  all = cell (1, rows (table));
  for k = 1:rows (table)
    [name, x, args, outputs, stays] = table{k,:};
    all{k} = struct ("name", name, "dims", size (x), "dim", ndims (x), "x", x, "class", class (x), "args", {args}, "outputs", outputs, ...
                     "divided", {{}}, "stays", stays);
  endfor
  ## subscripts of neighbours, which only some ranks have; function and value of those that none has
  subs = ceil ((1:400).' / 40);
  for f = {{@max, 7}, {@min, 0}, {@sum, -1}, {@mean, 2}}
    all{end+1} = struct ("name", "accumarray", "dims", [400, 1], "dim", 1, "x", subs, "y", int32 (subs - 50), "class", "double", ...
                         "args", {{[12, 1], f{1}{:}}}, "outputs", 1, "divided", {{"divided", 1}}, "stays", false);
  endfor
  all{end+1} = setfield (setfield (all{end}, "y", [-1; rand(399, 1)]), "args", {[12, 1], @max, 0});
  all{end+1} = setfield (all{end}, "y", rand (400, 1));
  ## divided along another dimension than the last: function, array, that dimension, arguments, outputs, which of them are divided
  table = {
    "sum", randn(3000, 5), 1, {}, 1, false
    "sum", randn(300, 900), 1, {2}, 1, true
    "sum", single(randn(40, 3000)), 1, {"all"}, 1, false
    "mean", randn(6, 300, 40), 2, {[1, 3]}, 1, true
    "var", randn(9, 500, 7), 2, {0, [2, 3]}, 1, false
    "max", round(9*randn(4, 60, 50)), 2, {[], [1, 3]}, 2, [true, true]
    "min", round(9*randn(30, 8, 50)), 1, {[], [2, 3]}, 2, [true, true]
    "max", round(9*randn(30, 8, 50)), 2, {[], [1, 2]}, 2, [false, false]
    "norm", randn(500, 40), 1, {"fro"}, 1, false
    "norm", randn(500, 40), 1, {2}, 1, false
    "sum", randn(90, 3, 40).*10.^(30*randn(90, 3, 40)), 1, {[1, 3], "exact"}, 1, false
    "sum", [1e308; 1e308; -1e308; randn(500, 1)].*[1, 2, 0], 1, {1}, 1, false
    "cumsum", randn(5, 9000, 3), 2, {2}, 1, true
    "cumsum", overflows.'.*[1, 0], 1, {1}, 1, true
    "cummax", late.', 1, {1, "includenan"}, 2, [true, true]
    "cummin", randn(300, 400), 1, {2}, 2, [true, true]
    "median", randn(150000, 3), 1, {}, 1, false
    "median", randn(30, 40, 7), 2, {[1, 2]}, 1, false
    "quantile", randn(5, 200, 6), 2, {[0.1, 0.9], 2}, 1, false
    "quantile", complex(rand(5, 3, 2), 0.5), 1, {[0.1, 0.9], 2}, 1, true
    "mode", round(3*randn(4, 90, 3)), 2, {2}, 2, [false, false]
    "maxk", round(9*randn(5, 300, 4)), 2, {70, 2}, 2, [false, false]
    "histc", randn(300, 4, 3), 1, {-3:0.5:3, 1}, 2, [false, true]
    "histcounts", randn(40, 300), 1, {"BinMethod", "scott"}, 3, [false, false, true]
  };
  for k = 1:rows (table)
    [name, x, dim, args, outputs, stays] = table{k,:};
    all{end+1} = struct ("name", name, "dims", size (x), "dim", dim, "x", x, "class", class (x), "args", {args}, "outputs", outputs, ...
                         "divided", {{"divided", dim}}, "stays", stays);
  endfor
  ## one index along a dimension beyond the array's
  all{end+1} = struct ("name", "histc", "dims", [6, 3, 4, 1, 1], "dim", 5, "x", round (3 * rand (6, 3, 4)), "class", "double", "args", {{0:3}}, ...
                       "outputs", 2, "divided", {{"divided", 5}}, "stays", [true, true]);
endfunction
