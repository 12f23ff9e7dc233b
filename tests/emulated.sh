#!/bin/sh
# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Kernels that need neither barriers nor shared memory, on the CPU: tests/emulated.
cd "$(dirname "$0")/.." || exit 1
work=build/emulated
mkdir -p $work
flags="-O1 -ffp-contract=off -fopenmp -fpermissive -w"
${CC:-gcc} -std=gnu11 -O3 -fno-math-errno -fno-trapping-math -ffp-contract=off -fopenmp -c -o $work/cpu_scan.o src/cpu_scan.c || exit 1
# shellcheck disable=SC2086
${CXX:-g++} -std=gnu++20 $flags -o $work/scan tests/emulated/scan.cpp $work/cpu_scan.o || exit 1
$work/scan
