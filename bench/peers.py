# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
"""CuPy and PyTorch at the work of bench/peers.cu: the same lines, the same CSV.

    python3 bench/peers.py [--quick] [--only=reduce,dims,...] [--shapes=RxC,RxCxP,...]

device_us: by the library's own events around the call.  A delay is queued before
them, so that the host's time to queue the call is hidden where the library lets
it.  call_us: the host's clock, from the call to a number in Python; of dims, to the
result on the device.  Calls read other windows of a large array in turn, as in
peers.cu.  Results are checked against numpy; a wrong one is told, is not timed,
and ends the run with an error.  A library that is missing is left out.

Shapes: gpureduce's m x n matrix is column by column, so its dimension 1 is the
contiguous one.  The same memory in row-major order is an array of shape (n, m):
dimension 1 is axis 1 there, dimension 2 is axis 0; of three, dimension 1 is axis 2.
"""

import math
import sys
import time

DTYPES = {"double": "float64", "single": "float32", "int32": "int32", "uint8": "uint8"}
BLOCK = 1 << 24         # random elements; the pool repeats them
GIB = 1 << 30


class CuPy:
    name = "CuPy"

    def __init__(self):
        import cupy
        self.xp = cupy
        self.version = cupy.__version__
        cupy.cuda.Device(0).use()
        self.free = cupy.cuda.runtime.memGetInfo()[0]
        self.events = [cupy.cuda.Event(), cupy.cuda.Event()]
        self.spin = cupy.RawKernel("""extern "C" __global__ void spin (long long cycles)
            { long long start = clock64 (); while (clock64 () - start < cycles) ; }""", "spin")

    def put(self, x):
        return self.xp.asarray(x)

    def empty(self, n, dtype):
        return self.xp.empty(n, dtype)

    def get(self, x):
        return self.xp.asnumpy(x)

    def sync(self):
        self.xp.cuda.Device(0).synchronize()

    def clean(self):
        self.xp.get_default_memory_pool().free_all_blocks()

    def device_us(self, work):
        self.sync()
        self.spin((1,), (1,), (200000,))
        self.events[0].record()
        result = work()
        self.events[1].record()
        self.events[1].synchronize()
        del result
        return 1e3 * self.xp.cuda.get_elapsed_time(*self.events)

    def reduce(self, op, x):
        return getattr(x, op)()

    def along(self, op, x, axis):
        return getattr(x, op)(axis=axis)

    def var(self, x):
        return x.var(ddof=1)

    def dot(self, x, y):
        return self.xp.dot(x, y)

    def bincount(self, x):
        return self.xp.bincount(x, minlength=256)

    def even(self, x, bins):
        return self.xp.histogram(x, bins=bins, range=(0, 1))[0]

    def edges(self, x, edges):
        return self.xp.histogram(x, bins=edges)[0]


class PyTorch:
    name = "PyTorch"

    def __init__(self):
        import torch
        if not torch.cuda.is_available():
            raise RuntimeError("torch.cuda.is_available () is false")
        self.torch = torch
        self.version = torch.__version__
        self.free = torch.cuda.mem_get_info()[0]
        self.begin, self.end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)

    def put(self, x):
        return self.torch.from_numpy(x).cuda()

    def empty(self, n, dtype):
        return self.torch.empty(n, dtype=getattr(self.torch, dtype), device="cuda")

    def get(self, x):
        return x.cpu().numpy()

    def sync(self):
        self.torch.cuda.synchronize()

    def clean(self):
        self.torch.cuda.empty_cache()

    def device_us(self, work):
        self.sync()
        self.torch.cuda._sleep(200000)
        self.begin.record()
        result = work()
        self.end.record()
        self.end.synchronize()
        del result
        return 1e3 * self.begin.elapsed_time(self.end)

    def reduce(self, op, x):
        return getattr(x, op)()

    def along(self, op, x, axis):
        return x.sum(dim=axis) if op == "sum" else x.amax(dim=axis)

    def var(self, x):
        return self.torch.var(x)

    def dot(self, x, y):
        return self.torch.dot(x, y)

    def bincount(self, x):
        return self.torch.bincount(x, minlength=256)

    def even(self, x, bins):
        return self.torch.histc(x, bins=bins, min=0, max=1)

    def edges(self, x, edges):
        place = self.torch.bucketize(x, edges, right=True)
        return self.torch.bincount(place, minlength=len(edges) + 1)[1:len(edges)]


def median(times):
    return sorted(times)[len(times) // 2] if times else None


class Bench:
    """Times one library; lines go to stdout."""

    def __init__(self, library, quick, only, shapes):
        self.lib, self.quick, self.only, self.shapes = library, quick, only, shapes
        self.turn = 0
        self.wrong = 0
        self.pool = self.block = None

    def wanted(self, group):
        return not self.only or group in self.only

    def rounds(self, once, most):
        once()
        times, start = [], time.perf_counter()
        while len(times) < most and (len(times) < 3 or time.perf_counter() - start < (0.03 if self.quick else 0.1)):
            times.append(once())
        return median(times)

    def call_us(self, call):
        start = time.perf_counter()
        result = call()
        us = 1e6 * (time.perf_counter() - start)
        del result
        return us

    def line(self, group, name, kind, elements, size, work, finish, right, most=31, by_events=True):
        """work (turn) queues and returns what finish makes the user's; right looks at
        the finished result of turn 0."""
        where = "%s: %s %s of %d %s" % (self.lib.name, group, name, elements, kind)

        def next_turn():
            self.turn += 1
            return self.turn
        try:
            if not right(finish(work(0))):
                sys.stderr.write("peers: WRONG: %s\n" % where)
                self.wrong += 1
                return
            device = self.rounds(lambda: self.lib.device_us(lambda t=next_turn(): work(t)), most) if by_events else None
            call = self.rounds(lambda: self.call_us(lambda t=next_turn(): finish(work(t))), most)
        except Exception as e:          # not enough memory, a class that it does not take, ...
            sys.stderr.write("peers: %s: %s\n" % (where, str(e).splitlines()[0] if str(e) else type(e).__name__))
            return
        print("%s,%s,%s,%d,%d,%s,%s,%.4g" % (group, name, kind, elements, size, self.lib.name,
                                             "%.4g" % device if device else "", call), flush=True)

    # ---- data

    def fill(self, block):
        """The pool: block over and over."""
        self.pool = None
        self.lib.clean()
        size = min(8 * GIB, 1 << (self.lib.free // 3).bit_length() - 1)
        self.block = block
        self.pool = self.lib.empty(size // block.itemsize, block.dtype.name)
        on_device = self.lib.put(block)
        for i in range(0, len(self.pool), len(block)):
            self.pool[i:i + len(block)] = on_device
        self.lib.sync()

    def random_block(self, kind):
        rng = numpy.random.default_rng(42)
        if kind == "int32":
            return rng.integers(-2**31, 2**31, BLOCK, dtype=numpy.int32)
        if kind == "uint8":
            return rng.integers(0, 256, BLOCK, dtype=numpy.uint8)
        return rng.random(BLOCK, dtype=DTYPES[kind])

    def window(self, turn, n):
        """Elements of a turn, as peers.cu has them: a ring of several L2 caches."""
        most = min(len(self.pool), max(2 * n, 256 * 2**20 // self.block.itemsize))
        at = turn % max(1, most // n) * n
        return self.pool[at:at + n]

    # ---- the lines

    def reduce(self, kind, sizes):
        block = self.block
        wide = numpy.int64 if block.dtype.kind in "iu" else numpy.float64
        for log2 in sizes:
            n = 1 << log2
            if n > len(self.pool):
                break
            part = block[:min(n, BLOCK)]
            expected = {"sum": part.sum(dtype=wide) * (n // len(part)), "max": part.max(), "min": part.min()}
            tolerance = 0 if wide is numpy.int64 else (1e4 * 2.0**(-24 if kind == "single" else -53) * expected["sum"])

            def right(op, v):
                if op == "argmax":
                    return 0 <= v < n and block[int(v) % BLOCK] == expected["max"]
                return abs(v - expected[op].item()) <= (tolerance if op == "sum" else 0)
            for op in ("sum", "max", "min", "argmax"):
                self.line("reduce", op, kind, n, n * block.itemsize, lambda t: self.lib.reduce(op, self.window(t, n)),
                          lambda r: r.item(), lambda v: right(op, v))

    def latency(self):
        x = self.lib.put(self.block[:1024].copy())
        expected = self.block[:1024].sum()
        self.line("latency", "sum", "double", 1024, 8192, lambda t: x.sum(), lambda r: r.item(),
                  lambda v: abs(v - expected) <= 1e-12 * expected, most=200 if self.quick else 2000)

    def dims(self):
        for shape in self.shapes:
            n = math.prod(shape)
            for axis in range(len(shape)):
                l, rows = math.prod(shape[:axis]), shape[axis]
                outputs = n // rows
                for op in ("sum", "max"):
                    def right(y):
                        self.lib.sync()
                        x, y = self.window(0, n).reshape(outputs // l, rows, l), y.reshape(-1)
                        for i in (0, outputs - 1):
                            part = self.lib.get(x[i // l, :, i % l])
                            expected = getattr(part, op)()
                            if abs(y[i].item() - expected) > (1e-12 * expected if op == "sum" else 0):
                                return False
                        return len(y) == outputs

                    def finish(y):
                        self.lib.sync()
                        return y
                    self.line("dims", "%s %s dim %d" % (op, " x ".join(map(str, shape)), axis + 1), "double", n, 8 * (n + outputs),
                              lambda t: self.lib.along(op, self.window(t, n).reshape(shape[::-1]), len(shape) - 1 - axis),
                              finish, right, most=15)

    def stats(self):
        n = GIB // 8
        expected = self.block.var() * n / (n - 1)
        self.line("stats", "var", "double", n, GIB, lambda t: self.lib.var(self.window(t, n)), lambda r: r.item(),
                  lambda v: abs(v - expected) <= 1e-10 * expected)

    def dot(self):
        n = GIB // 8
        y = self.pool[len(self.pool) - n:]
        expected = numpy.dot(self.block, self.block) * (n // BLOCK)
        self.line("dot", "dot", "double", n, 2 * GIB, lambda t: self.lib.dot(self.pool[t % 2 * n:][:n], y), lambda r: r.item(),
                  lambda v: abs(v - expected) <= 1e-11 * expected)

    def counted(self, name, kind, n, work, expected):
        def right(v):
            return numpy.abs(v.astype(numpy.float64) - expected * (n // BLOCK)).sum() <= (0 if kind == "uint8" else 1e-3 * n)
        self.line("histogram", name, kind, n, n * self.block.itemsize, work, self.lib.get, right, most=15)

    def byte_histogram(self, name):
        n = 1 << 28
        self.counted(name, "uint8", n, lambda t: self.lib.bincount(self.window(t, n)), numpy.bincount(self.block, minlength=256))

    def float_histograms(self, kind, list_of_bins):
        n = GIB // self.block.itemsize
        for bins in list_of_bins:
            place = numpy.minimum((self.block.astype(numpy.float64) * bins).astype(numpy.int64), bins - 1)
            self.counted("%d bins" % bins, kind, n, lambda t: self.lib.even(self.window(t, n), bins),
                         numpy.bincount(place, minlength=bins))
        edges = ((numpy.arange(257) / 256) ** 2).astype(self.block.dtype)
        place = numpy.searchsorted(edges, self.block, side="right")
        on_device = self.lib.put(edges)
        self.counted("257 edges", kind, n, lambda t: self.lib.edges(self.window(t, n), on_device),
                     numpy.bincount(place, minlength=258)[1:257])

    def host(self):
        n = GIB // 8
        x = numpy.resize(self.block, n)
        expected = self.block.sum() * (n // BLOCK)
        self.line("host", "sum", "double", n, GIB, lambda t: self.lib.put(x).sum(), lambda r: r.item(),
                  lambda v: abs(v - expected) <= 1e-11 * expected, most=5, by_events=False)

    def all(self):
        sizes = [10, 14, 18, 20, 22, 27] if self.quick else range(10, 31, 2)
        for kind in DTYPES:
            self.fill(self.random_block(kind))
            if self.wanted("reduce"):
                self.reduce(kind, sizes)
            if kind == "double":
                for group in ("latency", "dims", "stats", "dot", "host"):
                    if self.wanted(group):
                        getattr(self, group)()
            if self.wanted("histogram"):
                if kind == "double":
                    self.float_histograms(kind, [256])
                elif kind == "single":
                    self.float_histograms(kind, [256, 32768] if self.quick else [10, 256, 4096, 32768, 65536, 1048576])
                elif kind == "uint8":
                    self.byte_histogram("256 bins random")
                    self.fill(numpy.full(BLOCK, 17, numpy.uint8))
                    self.byte_histogram("256 bins constant")
                    rng = numpy.random.default_rng(7)
                    a, b, c = (rng.integers(0, 256, BLOCK, dtype=numpy.uint8) for k in range(3))
                    self.fill(a & b & c)
                    self.byte_histogram("256 bins skewed")
        self.pool = None
        self.lib.clean()


def main():
    quick, only, shapes = False, [], []
    for argument in sys.argv[1:]:
        if argument == "--quick":
            quick = True
        elif argument.startswith("--only="):
            only = argument[7:].split(",")
        elif argument.startswith("--shapes="):
            shapes = [tuple(map(int, shape.split("x"))) for shape in argument[9:].split(",")]
        else:
            sys.exit("peers: unknown: %s" % argument)
    global numpy
    try:
        import numpy
    except ImportError as e:
        print("# cupy, pytorch: not timed: %s" % e)
        return
    wrong = 0
    for library in (CuPy, PyTorch):
        try:
            lib = library()
        except Exception as e:          # not installed, no GPU, no driver
            print("# %s: not timed: %s" % (library.name.lower(), str(e).splitlines()[0] if str(e) else type(e).__name__), flush=True)
            continue
        print("# %s: %s" % (library.name.lower(), lib.version), flush=True)
        b = Bench(lib, quick, only, shapes)
        b.all()
        wrong += b.wrong
    if wrong:
        sys.exit("peers: %d results are not what they must be" % wrong)


main()
