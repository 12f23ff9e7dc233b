#!/bin/sh
# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Kernels compiled for the CPU: tests/emulated.
cd "$(dirname "$0")/.." || exit 1
work=build/emulated
mkdir -p $work
flags="-O1 -ffp-contract=off -fopenmp -fpermissive -w"
host="${CC:-gcc} -std=gnu11 -O3 -fno-math-errno -fno-trapping-math -ffp-contract=off -fopenmp"
for file in cpu_scan cpu_count cuda_tally; do
  $host -c -o $work/$file.o src/$file.c || exit 1
done
# shellcheck disable=SC2086
emulate () { ${CXX:-g++} -std=gnu++20 $flags -o $work/"$1" tests/emulated/"$1".cpp $2 && $work/"$1"; }
status=0
emulate scan $work/cpu_scan.o || status=1
emulate tally "$work/cpu_count.o $work/cuda_tally.o" || status=1
exit $status
