# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
"""PyTorch and NCCL at the works of bench/gpu_ranks.m, a process for each GPU.

    python3 bench/gpu_ranks.py DEVICES

Each work ends with the numbers on every rank's host.  Sums and counts (torch.histc) are all-reduced.  A deviation is made in two ways, a line each:
of torch.var_mean on each rank, gathered and merged; and of sums and norms, all-reduced.  BENCH_BYTES: of an array, in place of 8 GiB.
"""

import math
import os
import statistics
import sys
import tempfile
import time

for off in ("NCCL_NVLS_ENABLE=0", "TORCH_SYMM_MEM_DISABLE_MULTICAST=1", "NVSHMEM_DISABLE_NVLS=1"):      # NVLink multicast
    os.environ.update([off.split("=")])

import torch
import torch.distributed as dist


class Rank:
    def __init__(self, rank, size):
        self.rank, self.size = rank, size
        self.gpu = torch.cuda.is_available()
        self.device = torch.device("cuda", rank) if self.gpu else torch.device("cpu")
        if self.gpu:
            torch.cuda.set_device(rank)

    def barrier(self):
        if self.gpu:
            dist.barrier(device_ids=[self.rank])
            torch.cuda.synchronize()
        else:
            dist.barrier()

    def seconds(self, alone, repeats, call):
        """Of the last rank, each time; the median."""
        times = []
        for _ in range(repeats + 2):
            self.barrier()
            start = time.perf_counter()
            if not alone or self.rank == 0:
                call()
            times.append(time.perf_counter() - start if not alone or self.rank == 0 else 0)
        last = torch.tensor(times[2:], dtype=torch.float64, device=self.device)
        dist.all_reduce(last, op=dist.ReduceOp.MAX)
        return statistics.median(last.tolist())

    def print(self, text):
        if self.rank == 0:
            print(text, flush=True)

    def line(self, kind, operation, size, one, everyone):
        self.print(f"PyTorch,{kind},{operation},{self.size},{size},{1e6 * one:.5g},{1e6 * everyone:.5g}")


def total(v):
    dist.all_reduce(v)
    return v


def merged(r, x):
    variance, mean = torch.var_mean(x)
    own = torch.stack([mean.double(), variance.double() * (len(x) - 1)])
    every = [torch.empty_like(own) for _ in range(r.size)]
    dist.all_gather(every, own)
    means, squares = torch.stack(every).cpu().unbind(1)
    return math.sqrt((squares.sum() + len(x) * ((means - means.mean()) ** 2).sum()).item() / (r.size * len(x) - 1))


def by_sums(x, count, combine):
    a, b = combine(torch.stack([x.sum().double(), torch.linalg.vector_norm(x).double() ** 2])).tolist()
    return math.sqrt((b - a * a / count) / (count - 1))


def counts(x):
    return torch.histc(x, 256, 0, 1).double()    # whose sum over ranks a single would round


def works(r, kind, x):
    """Names, of the rank alone, of all ranks, and what that must be, about."""
    whole = r.size * len(x)
    near = 5 / math.sqrt(whole) + (0 if kind == "double" else 1e-3)
    yield "sum", lambda: x.sum().item(), lambda: total(x.sum()).item(), whole / 2, whole * near
    yield "std by var_mean", lambda: x.std().item(), lambda: merged(r, x), math.sqrt(1 / 12), near
    yield "std by sums", lambda: by_sums(x, len(x), lambda v: v), lambda: by_sums(x, whole, total), math.sqrt(1 / 12), near
    if kind == "single":
        yield "histogram", lambda: counts(x).cpu(), lambda: total(counts(x)).cpu(), whole, 1e-6 * whole


def one_rank(rank, size, meeting):
    r = Rank(rank, size)
    dist.init_process_group("nccl" if r.gpu else "gloo", init_method="file://" + meeting, rank=rank, world_size=size)
    r.print(f"# PyTorch {torch.__version__}, " + ("NCCL %d.%d.%d" % torch.cuda.nccl.version() if r.gpu else "gloo, on the CPU"))
    torch.manual_seed(rank + 1)
    size_in_bytes = int(os.environ.get("BENCH_BYTES") or 2**33)
    for kind, dtype in (("double", torch.float64), ("single", torch.float32)):
        x = torch.rand(size_in_bytes // (8 if kind == "double" else 4), dtype=dtype, device=r.device)
        for name, alone, everyone, wanted, most in works(r, kind, x):
            try:
                found = everyone()
            except RuntimeError as e:        # what it has no kernel for, on any rank
                r.print(f"# {name} of {kind}: {str(e).splitlines()[0]}")
                continue
            found = found.sum().item() if name == "histogram" else found
            if not abs(found - wanted) <= most:
                sys.exit(f"gpu_ranks.py: {name} of {kind} is {found}, not {wanted}")
            r.line(kind, name, size_in_bytes, r.seconds(True, 11, alone), r.seconds(False, 11, everyone))
        del x, alone, everyone

    x = torch.rand(1000, dtype=torch.float64, device=r.device)

    def sums(combine):
        for _ in range(500):
            combine(x.sum()).item()
    r.line("double", "short sum", 8000, r.seconds(True, 15, lambda: sums(lambda v: v)) / 500, r.seconds(False, 15, lambda: sums(total)) / 500)
    dist.destroy_process_group()


if __name__ == "__main__":
    devices = int(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        torch.multiprocessing.spawn(one_rank, (devices, os.path.join(folder, "meeting")), devices)
