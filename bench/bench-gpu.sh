#!/bin/sh
# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# bench/bench-gpu.sh: the engine of the package installed in build/octave beside
# CUB, Thrust, cuBLAS, CuPy, PyTorch and the built-in, on the first GPU.  Writes
# build/bench-gpu.csv and .png.  BENCH_QUICK=1: fewer sizes, to try.
# BENCH_ONLY=reduce,dims,...: some groups.  BENCH_SHAPES=RxC,RxCxP,...: other
# shapes of dims.  BENCH_INSTANCES=NAME:LxNxU,...: any instance of kernels/ops/instances.h, by
# itself.  BENCH_ARCH=sm_90: of peers.cu, where not the GPU's own.
# BENCH_ONLY=called: every function as called from Octave (called.m) alone; without BENCH_ONLY it is the last group.
cd "$(dirname "$0")/.." || exit 1
work=build/bench-gpu
mkdir -p $work

fail () { echo "bench-gpu: $*" >&2; exit 1; }

module=$(find build/octave -name gpureduce_cuda.so 2> /dev/null | head -n 1)
[ -n "$module" ] || fail "the package in build/octave has no CUDA backend: it was installed without nvcc"
for nvcc in "$GPUREDUCE_NVCC" "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" nvcc; do
  [ -n "$nvcc" ] && command -v "$nvcc" > /dev/null && break
done
command -v "$nvcc" > /dev/null || fail "nvcc is missing: set GPUREDUCE_NVCC or CUDA_HOME"

called () {
  tools/octave bench/called.m && python3 bench/called.py $work/called.csv > $work/called-peers.csv && tools/octave bench/called_report.m
}
if [ "$BENCH_ONLY" = called ]; then
  called
  exit
fi

# Where cuBLAS and CUPTI may be: the toolkit's, less the driver's stand-ins; Python's.
libraries=$("$nvcc" --dryrun -c -x cu /dev/null -o /dev/null 2>&1 | sed -n 's/^#\$ LIBRARIES=//p' | tr -d '"' | tr ' ' '\n' \
  | sed -n 's/^-L//p' | grep -v stubs | tr '\n' ':')
libraries=$libraries$(dirname "$(dirname "$(command -v "$nvcc")")")/extras/CUPTI/lib64
libraries=$libraries$(python3 -c 'import glob, site; print("".join(":" + f for s in site.getsitepackages() for f in glob.glob(s + "/nvidia/*/lib")))')

# Compiled anew where something has changed.
arch=${BENCH_ARCH:-native}
sources="bench/peers.cu bench/device_time.h src/cuda/cuda.h src/core/*.h src/ladder/*.h kernels/common/*.h kernels/ops/*.h kernels/ladder/variant.h"
# shellcheck disable=SC2086
stamp="$arch $(cat $sources | sha256sum)"
if [ ! -x $work/peers ] || [ "$(cat $work/stamp 2> /dev/null)" != "$stamp" ]; then
  "$nvcc" -std=c++17 -O3 -arch="$arch" -Xcompiler -fopenmp -cudart static -o $work/peers bench/peers.cu -ldl \
    || fail "nvcc does not compile bench/peers.cu"
  echo "$stamp" > $work/stamp
fi

# Of 2 GiB of doubles.
shapes=67108864x4,32x8388608,1000x268435
[ -n "$BENCH_QUICK" ] || shapes=67108864x4,16384x16384,1024x262144,32x8388608,4x67108864,3000x89478,1000x268435,1001x268167,333x806111
options="${BENCH_QUICK:+--quick} ${BENCH_ONLY:+--only=$BENCH_ONLY} --shapes=${BENCH_SHAPES:-$shapes}"
status=0
# shellcheck disable=SC2086
peers () { LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} $work/peers "$module" $options ${BENCH_INSTANCES:+--instances=$BENCH_INSTANCES} "$@"; }
peers > $work/peers.csv || status=1
peers --short > $work/short.csv || status=1
[ -s $work/peers.csv ] || exit 1
grep -v '^#\|^group,' $work/short.csv >> $work/peers.csv
# shellcheck disable=SC2086
python3 bench/peers.py $options > $work/python.csv || status=1
tools/octave bench/bench_gpu.m || status=1
[ -n "$BENCH_ONLY" ] || called || status=1
exit $status
