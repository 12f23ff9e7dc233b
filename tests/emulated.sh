#!/bin/sh
# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Kernels compiled for the CPU: tests/emulated.  EMULATED_FLAGS=-fsanitize=address finds reads
# and writes outside of arrays, in a few minutes.
cd "$(dirname "$0")/.." || exit 1
work=build/emulated
mkdir -p $work
flags="-O1 -ffp-contract=off -fopenmp -fpermissive -w -Itests/unit/fake_cuda $EMULATED_FLAGS"
host="${CC:-gcc} -std=gnu11 -O3 -fno-math-errno -fno-trapping-math -ffp-contract=off -fopenmp"
for file in cpu/scan cpu/count cuda/histogram; do
  $host -c -o $work/$(echo $file | tr / _).o src/$file.c || exit 1
done
# The folds' host side, on a played CUDA runtime.
played=tests/unit/fake_cuda
$host -I$played -c -o $work/fake_cuda.o $played/fake_cuda.c || exit 1
for file in cuda_device cuda_memory cuda_stream cuda_instance; do
  $host -I$played -c -o $work/$file.o src/$file.c || exit 1
done
# shellcheck disable=SC2086
emulate () { ${CXX:-g++} -std=gnu++20 $flags -o $work/"$1" tests/emulated/"$1".cpp $2 && $work/"$1"; }
status=0
emulate scan $work/cpu_scan.o || status=1
emulate histogram "$work/cpu_count.o $work/cuda_histogram.o" || status=1
emulate reduce "$work/cuda_reduce.o $work/cuda_device.o $work/cuda_memory.o $work/cuda_stream.o $work/fake_cuda.o" || status=1
exit $status
