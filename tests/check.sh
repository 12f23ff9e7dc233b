#!/bin/sh
# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# tests/check.sh: every test that needs no GPU.  A stage is a command whose lines
# "N passed, N failed[, N skipped]" are counted; one that ends badly without a
# failure counted, or counts nothing, is a failure itself.  Logs: build/check/.
cd "$(dirname "$0")/.." || exit 1
. tests/stages.sh
tarball=$(tools/dist.sh) || exit 1

stage install   tests/install.sh "$tarball"
beside emulated tests/emulated.sh
stage functions tools/octave tests/installed.m
join
stage rules     tools/octave tests/rules.m
stage unit      make -j 2 --no-print-directory -C tests/unit
stage sim       tests/sim/run.sh
stage injected  tools/octave tests/injected.m
stage own       tools/octave tests/octave_own.m
stage fuzz      tools/octave tests/fuzz.m
stage kernels   tests/kernels.sh
beside nvcc     tests/nvcc.sh "$tarball"
stage package   tests/package.sh "$tarball"
join
total
