#!/bin/sh
# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# tests/quick.sh: the tests that find most for their time, on the development build,
# in less than a minute once that is built (make quick).
cd "$(dirname "$0")/.." || exit 1
. tests/stages.sh
unset MAKEFLAGS
prefix=$(pwd)/build/dev/octave
tools/compile.sh dev || exit 1

functions="gpu_sum gpu_max gpu_mean gpu_var gpu_histc gpu_accumarray gpu_cumsum gpu_median gpu_reduce gpuArray"
units="tree_test fixup_test split_test count_test rates_test paces_test reduce_test"

beside unit     make --no-print-directory -C tests/unit runs="$(for test in $units; do printf '%s.dev ' "$test"; done)"
stage functions env TEST_NAMES="$functions" tools/octave tests/installed.m "$prefix"
stage fuzz      env FUZZ_ROUNDS="${FUZZ_ROUNDS:-500}" tools/octave tests/fuzz.m "$prefix"
stage simulator env TEST_NAMES="gpu_trace gpu_compare gpu_variants" tools/octave tests/installed.m "$prefix"
join
total
