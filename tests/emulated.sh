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
  $host -c -o $work/"$(echo $file | tr / _)".o src/$file.c || exit 1
done
# The reductions' host side, on a fake CUDA runtime.
fake=tests/unit/fake_cuda
$host -I$fake -c -o $work/fake_cuda.o $fake/fake_cuda.c || exit 1
cuda=
for file in error probe device memory ring stream reduce modules session; do
  $host -I$fake -c -o $work/cuda_$file.o src/cuda/$file.c || exit 1
  cuda="$cuda $work/cuda_$file.o"
done
# shellcheck disable=SC2086
emulate () { ${CXX:-g++} -std=gnu++20 $flags -o $work/"$1" tests/emulated/"$1".cpp $2 && $work/"$1"; }
status=0
emulate scan $work/cpu_scan.o || status=1
emulate histogram "$work/cpu_count.o $work/cuda_histogram.o" || status=1
emulate reduce "$cuda $work/fake_cuda.o" || status=1
exit $status
