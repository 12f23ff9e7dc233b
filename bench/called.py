# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
"""CuPy and PyTorch at the works of bench/called.m.

    python3 bench/called.py build/bench-gpu/called.csv [compiled] > build/bench-gpu/called-peers.csv

Times are the host's, from the call to the end of the work on the device, medians as there.
An array of Octave's size m x n x p lies in memory as one of shape (p, n, m) here.  What a
library has no function for is composed as its users would.  compiled: by torch.compile too (seconds each).  A library that is missing, or a
work that fails, is left out.
"""

import csv
import statistics
import sys
import time

DTYPES = {"double": "float64", "single": "float32", "int16": "int16"}


def slices(lib, most, mean, std):        # as a user writes them
    def softmax(x, a):
        e = lib.exp(x - most(x, a))
        return e / e.sum(a)[(slice(None),) * a + (None,)]

    def layer_norm(x, a):
        c = x - mean(x, a)
        return c / lib.sqrt(mean(c ** 2, a) + 1e-5)
    return {"softmax": softmax, "layer norm": layer_norm, "zscore": lambda x, a: (x - mean(x, a)) / std(x, a),
            "gpu_normalize": lambda x, a: (x - mean(x, a)) / std(x, a)}


def about(lib, mean, std):               # of arrays that were computed before
    def beside(x, a):
        key = (lib.__name__, id(x), a)
        if key not in BESIDE:
            BESIDE.clear()
            BESIDE[key] = mean(x, a), std(x, a), lib.ones_like(x[tuple(slice(None) if d == a else slice(0, 1) for d in range(x.ndim))])
        return BESIDE[key]

    def squares(x, a):
        return ((x - beside(x, a)[0]) ** 2).sum(a)

    def weighted(x, a):
        means, _, weights = beside(x, a)
        return ((x - means) * weights).sum(a)

    def divided(x, a):
        means, deviations, _ = beside(x, a)
        return (x - means) / deviations
    return {"squares about means": squares, "weighted sum of means": weighted, "divided by deviations": divided}


def received(lib, histogram):            # of expressions
    return {"cumsum of squares": lambda x, a: ((x - 0.5) ** 2).cumsum(a), "cumsum above": lambda x, a: (x > 0.5).cumsum(a),
            "cumprod of growth": lambda x, a: (1 + x / 1e9).cumprod(a), "histcounts of difference": lambda x, a: histogram(x - 0.25),
            "histcounts of exp": lambda x, a: histogram(lib.exp(x)), "any above": lambda x, a: (x > 10).any(a)}


def torch_compiled(torch):
    works = torch_works(torch)
    names = ("sum of squares", "max of abs", "sum of exp", "mean above", "softmax", "gpu_softmax", "logsumexp", "layer norm", "zscore", "gpu_normalize")
    return {name: torch.compile(works[name], dynamic=False) for name in names}


def cupy_works(xp):
    def bounds(x, axis):
        return x.min(axis=axis), x.max(axis=axis)

    def mean(x, axis):
        return xp.mean(x, axis=axis, keepdims=True)

    def std(x, axis):
        return xp.std(x, axis=axis, ddof=1, keepdims=True)

    def fused(out, term, merge, start, is_mean=False):   # what a user of CuPy spells in C
        kernel = xp.ReductionKernel("T v", f"{out} y", term, merge, "y = a", start, "bench")
        return lambda x, a: kernel(x, axis=a) / (x.shape[a] if is_mean else 1)
    return {
        "sum of squares": fused("T", "(v - (T) 0.5) * (v - (T) 0.5)", "a + b", "0"),
        "max of abs": fused("T", "abs (v - (T) 0.5)", "max (a, b)", "0"),
        "sum of exp": fused("T", "exp (v - (T) 2)", "a + b", "0"),
        "mean above": fused("double", "(double) (v > (T) 0.5)", "a + b", "0", True),
        "sum": lambda x, a: x.sum(axis=a), "prod": lambda x, a: x.prod(axis=a),
        "sumsq": lambda x, a: (x * x).sum(axis=a), "mean": lambda x, a: x.mean(axis=a),
        "max": lambda x, a: x.max(axis=a), "max2": lambda x, a: (x.max(axis=a), x.argmax(axis=a)),
        "min": lambda x, a: x.min(axis=a), "any": lambda x, a: x.any(axis=a), "all": lambda x, a: x.all(axis=a),
        "nnz": lambda x, a: xp.count_nonzero(x), "var": lambda x, a: x.var(axis=a, ddof=1),
        "std": lambda x, a: x.std(axis=a, ddof=1), "rms": lambda x, a: xp.sqrt((x * x).mean(axis=a)),
        "range": lambda x, a: xp.ptp(x, axis=a), "bounds2": bounds, "norm": lambda x, a: xp.linalg.norm(x),
        "dot": lambda x, a: xp.dot(x, x), "median": lambda x, a: xp.median(x, axis=a),
        "quantile": lambda x, a: xp.quantile(x, xp.asarray([0.1, 0.5, 0.9], x.dtype), axis=a),
        "cumsum": lambda x, a: x.cumsum(axis=a), "cumprod": lambda x, a: x.cumprod(axis=a),
        "hist": lambda x, a: xp.histogram(x, 100), "histcounts": lambda x, a: xp.histogram(x, 100, (-4, 4)),
        "plus": lambda x, a: x + 1, "product": lambda x, a: x * x, "exp": lambda x, a: xp.exp(x), "greater": lambda x, a: x > 0.5, "to int16": lambda x, a: x.astype(xp.int16),
        "element": lambda x, a: x[2],
        "mtimes": lambda x, a: square(x) @ square(x), "complex product": lambda x, a: pairs(x) * pairs(x),
        "complex square": lambda x, a: pairs(x) ** 2 + 1, "complex abs": lambda x, a: abs(pairs(x)),
        "chain": lambda x, a: xp.sqrt(xp.abs(x * 3 - 1) + x * x), **slices(xp, lambda x, a: xp.max(x, axis=a, keepdims=True), mean, std),
        **received(xp, lambda x: xp.histogram(x, 100, (-4, 4))), **about(xp, mean, std),
        "accumarray": lambda x, a: xp.bincount(subscripts(xp, x), weights=x, minlength=1000),
    }


def torch_works(t):
    def mean(x, axis):
        return t.mean(x, axis, keepdim=True)

    def std(x, axis):
        return t.std(x, axis, keepdim=True)
    return {
        "sum": lambda x, a: x.sum(a), "prod": lambda x, a: x.prod(a), "sumsq": lambda x, a: (x * x).sum(a),
        "mean": lambda x, a: x.mean(a), "max": lambda x, a: x.amax(a), "max2": lambda x, a: x.max(a),
        "min": lambda x, a: x.amin(a), "any": lambda x, a: x.any(a), "all": lambda x, a: x.all(a),
        "nnz": lambda x, a: t.count_nonzero(x), "var": lambda x, a: x.var(a), "std": lambda x, a: x.std(a),
        "rms": lambda x, a: (x * x).mean(a).sqrt(), "range": lambda x, a: x.amax(a) - x.amin(a),
        "bounds2": lambda x, a: t.aminmax(x, dim=a), "norm": lambda x, a: t.linalg.vector_norm(x),
        "dot": lambda x, a: t.dot(x, x), "median": lambda x, a: x.median(a),
        "quantile": lambda x, a: t.quantile(x, t.tensor([0.1, 0.5, 0.9], dtype=x.dtype, device=x.device), dim=a),
        "mode": lambda x, a: x.mode(a), "maxk2": lambda x, a: x.topk(10, dim=a),
        "cumsum": lambda x, a: x.cumsum(a), "cumprod": lambda x, a: x.cumprod(a),
        "cummax": lambda x, a: x.cummax(a), "cummax2": lambda x, a: x.cummax(a),
        "hist": lambda x, a: t.histc(x, 100), "histcounts": lambda x, a: t.histc(x, 100, -4, 4),
        "plus": lambda x, a: x + 1, "product": lambda x, a: x * x, "exp": lambda x, a: t.exp(x), "greater": lambda x, a: x > 0.5, "to int16": lambda x, a: x.to(t.int16),
        "element": lambda x, a: x[2],
        "mtimes": lambda x, a: square(x) @ square(x), "complex product": lambda x, a: pairs(x) * pairs(x),
        "complex square": lambda x, a: pairs(x) ** 2 + 1, "complex abs": lambda x, a: abs(pairs(x)),
        "sum of squares": lambda x, a: ((x - 0.5) ** 2).sum(a), "max of abs": lambda x, a: (x - 0.5).abs().amax(a),
        "sum of exp": lambda x, a: t.exp(x - 2).sum(a), "mean above": lambda x, a: (x > 0.5).to(x.dtype).mean(a),
        "chain": lambda x, a: t.sqrt(t.abs(x * 3 - 1) + x * x), **slices(t, lambda x, a: t.amax(x, a, keepdim=True), mean, std),
        **received(t, lambda x: t.histc(x, 100, -4, 4)), **about(t, mean, std), "cummax of abs": lambda x, a: (x - 0.5).abs().cummax(a),
        "gpu_softmax": lambda x, a: t.softmax(x, a), "logsumexp": lambda x, a: t.logsumexp(x, a),
        "accumarray": lambda x, a: t.bincount(subscripts(t, x), weights=x, minlength=1000),
    }


SUBS = {}
BESIDE = {}
SQUARE = {}
PAIRS = {}


def square(x):
    if id(x) not in SQUARE:
        SQUARE.clear()
        SQUARE[id(x)] = x[:64 * 64].reshape(64, 64)
    return SQUARE[id(x)]


def pairs(x):
    key = (id(x), x.dtype, tuple(x.shape))
    if key not in PAIRS:
        PAIRS.clear()
        PAIRS[key] = x + 1j * x
    return PAIRS[key]


def subscripts(lib, x):
    key = (lib.__name__, x.shape[0])
    if key not in SUBS:
        SUBS.clear()
        SUBS[key] = (lib.random.randint(0, 1000, x.shape[0]) if lib.__name__ == "cupy"
                     else lib.randint(0, 1000, (x.shape[0],), device="cuda"))
    return SUBS[key]


def call_ms(work, sync):
    taken = []
    work()
    sync()
    start = time.perf_counter()
    work()
    sync()
    first = 1e3 * (time.perf_counter() - start)
    if first > 1000:            # so slow that once is enough
        return first
    while len(taken) < 3 or (sum(taken) < 40 and len(taken) < 200):
        start = time.perf_counter()
        work()
        sync()
        taken.append(1e3 * (time.perf_counter() - start))
        if taken[-1] > 100:
            break
    return statistics.median(taken)


def libraries():
    try:
        import cupy
        yield "CuPy", cupy, cupy_works(cupy), lambda x: cupy.asarray(x), cupy.cuda.Device(0).synchronize
    except ImportError:
        pass
    try:
        import torch
        yield "PyTorch", torch, torch_works(torch), lambda x: torch.from_numpy(x).cuda(), torch.cuda.synchronize
        if "compiled" in sys.argv[2:]:
            yield "PyTorch compiled", torch, torch_compiled(torch), lambda x: torch.from_numpy(x).cuda(), torch.cuda.synchronize
    except ImportError:
        pass


def main():
    import numpy
    with open(sys.argv[1], newline="") as file:
        lines = list(csv.DictReader(file))
    print("function,class,shape,dim,outputs,who,ms")
    block = 1 + numpy.random.default_rng(42).standard_normal(1000000)
    for who, lib, works, put, sync in libraries():
        print(f"# {who}: {lib.__version__}")
        held = None
        for line in lines:
            shape = [int(d) for d in line["shape"].split("x")]
            key = (line["class"], line["shape"])
            if held is None or held[0] != key:
                held = None
                SQUARE.clear()
                BESIDE.clear()
                count = int(numpy.prod(shape))
                host = numpy.tile(block, count // 1000000 + 1)[:count]
                host = (1000 * host if line["class"] == "int16" else host).astype(DTYPES[line["class"]])
                held = (key, put(host.reshape(shape[:1] if shape[1:] == [1] else shape[::-1])))
            x = held[1]
            name = line["function"] + ("2" if line["outputs"] == "2" else "")
            if name not in works:
                continue
            axis = x.ndim - int(line["dim"])
            try:
                ms = call_ms(lambda: works[name](x, axis), sync)
            except Exception as error:                 # not of that class, or out of memory
                print(f"# {who} {name} {key}: {str(error).splitlines()[0][:100]}")
                continue
            print(",".join([line["function"], line["class"], line["shape"], line["dim"], line["outputs"], who, f"{ms:.6g}"]), flush=True)
        held = None
        SUBS.clear()
        SQUARE.clear()


main()
