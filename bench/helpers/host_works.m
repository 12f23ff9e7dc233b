## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## table = host_works (): what is timed of host arrays: name, call of FUNCTION (its name in f), of what kind
## ("dim": along each dimension).  BENCH_FUNCTIONS=sum,std,...: some.

function table = host_works ()

  table = {
    "sum", @(f, x, d) f (x, d), "dim"
    "prod", @(f, x, d) f (x, d), "dim"
    "sumsq", @(f, x, d) f (x, d), "dim"
    "mean", @(f, x, d) f (x, d), "dim"
    "max", @(f, x, d) f (x, [], d), "dim"
    "max2", @(f, x, d) second (f, x, [], d), "dim"
    "min", @(f, x, d) f (x, [], d), "dim"
    "any", @(f, x, d) f (x, d), "dim"
    "all", @(f, x, d) f (x, d), "dim"
    "nnz", @(f, x, d) f (x), "vector"
    "var", @(f, x, d) f (x, 0, d), "dim"
    "std", @(f, x, d) f (x, 0, d), "dim"
    "range", @(f, x, d) f (x, d), "dim"
    "bounds", @(f, x, d) second (f, x, d), "dim"
    "norm", @(f, x, d) f (x), "vector"
    "dot", @(f, x, d) f (x, x, d), "dim"
    "median", @(f, x, d) f (x, d), "dim"
    "quantile", @(f, x, d) f (x, [0.1, 0.5, 0.9], d), "dim"
    "mode", @(f, x, d) f (x, d), "dim"
    "mad", @(f, x, d) f (x, 1, d), "dim"
    "cumsum", @(f, x, d) f (x, d), "dim"
    "cumprod", @(f, x, d) f (x, d), "dim"
    "cummax", @(f, x, d) f (x, d), "dim"
    "cummax2", @(f, x, d) second (f, x, d), "dim"
    "histc", @(f, x, d) f (x, linspace (-4, 4, 101)), "vector"
    "hist", @(f, x, d) f (x, 100), "vector"
    "accumarray", @(f, x, d) f (evalin ("base", "subs") + 0, x, [1000, 1]), "vector"
  };
  table = table(ismember (table(:,1), chosen ("BENCH_FUNCTIONS", table(:,1))),:);

endfunction

function varargout = second (f, varargin)
  [~, varargout{1}] = f (varargin{:});
endfunction
