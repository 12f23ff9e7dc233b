#!/bin/sh
# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# tests/check.sh [long]: every test that needs no GPU.  A stage is a command whose lines
# "N passed, N failed[, N skipped]" are counted; one that ends badly without a
# failure counted, or counts nothing, is a failure itself.  Logs: build/check/.
#
# long: every random test at full length, users' builds at full optimisation, the
# emulated kernels under AddressSanitizer too.
cd "$(dirname "$0")/.." || exit 1
. tests/stages.sh
unset MAKEFLAGS
tarball=$(tools/dist.sh) || exit 1

if [ "$1" = long ]; then
  CHECK_LONG=yes SIM_SWEEP=full
  : "${FUZZ_ROUNDS:=30000}"
else
  : "${FUZZ_ROUNDS:=1000}"
fi
export CHECK_LONG SIM_SWEEP FUZZ_ROUNDS

# compile: the package's objects and modules, once, for the stages after it.
# An installation goes on without a CUDA backend that nvcc cannot build; here that is a failure.
compile () {
  compiled=build/package/src
  tools/compile.sh package || return 1
  if grep -q '^NVCC = .' $compiled/config-cuda.mk && [ ! -f $compiled/gpureduce_cuda.so ]; then
    tail -n 20 $compiled/gpureduce_cuda.log
    return 1
  fi
  echo "1 passed, 0 failed"
}

# After what is built with all cores the stages run in lanes beside each other, each with work for one
# core, so that none waits, and of about the same length; two lanes would leave one core to the longer of them,
# and with four a core was idle while some waited, for ranks or for an interrupt.
functions () {
  stage functions tools/octave tests/installed.m
  stage fuzz      tools/octave tests/fuzz.m
  stage scripts   tools/octave tests/scripts.m
  stage expressions tools/octave tests/expressions.m
  stage own       tools/octave tests/octave_own.m
  stage package   tests/package.sh "$tarball"
  stage demo      tests/demo.sh
}
others () {
  # Ranks that wait ask again and again; at the end they would leave the cores idle.
  stage ranks     nice -n 4 tests/ranks.sh
  stage sim       env SIM_BUILD="$(pwd)/build/package/src" tests/sim/run.sh
  stage nvcc      tests/nvcc.sh "$tarball"
  stage kernels   tests/kernels.sh
  stage layers    tools/layers
}
emulation () {
  stage emulated  tests/emulated.sh
  stage libraries tests/libraries.sh package
  stage notebooks tests/notebooks.sh
  stage injected  tools/octave tests/injected.m
}
# A thread that waits for another leaves it the core.
OMP_WAIT_POLICY=passive
export OMP_WAIT_POLICY

stage build     compile
stage install   tests/install.sh "$tarball"
stage unit      make -j 2 --no-print-directory -C tests/unit
beside emulation emulation
beside others   others
beside functions functions
beside rules    stage rules-from-m env RULES='[m-z]*' tools/octave tests/rules.m
stage rules-to-l env RULES='[!m-z]*' tools/octave tests/rules.m
join
if [ "$1" = long ]; then
  beside asan   stage asan env EMULATED_FLAGS='-O1 -fsanitize=address' tests/emulated.sh
  stage selftest tools/octave tests/selftest.m
  join
fi
total
