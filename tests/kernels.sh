#!/bin/sh
# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The installed CUDA modules: at most 1590 kernels, so that they stay quick to build and
# small; and the rows of the ladder that call libraries.
cd "$(dirname "$0")/.." || exit 1
. tests/expect.sh

kernels=0
bytes=0
for module in $(find build/octave -name 'gpureduce_*.so' ! -name gpureduce_mpi.so ! -name gpureduce_hdf5.so); do
  # Each kernel is registered by its name, a string in the module; so are constants
  # of CUB's and Thrust's headers, which are none.
  objcopy -O binary --only-section=.rodata "$module" build/check/rodata || exit 1
  here=$(strings -a build/check/rodata | grep '^_Z' | grep -v '^_ZN[0-9]*_INTERNAL_' | sort -u | wc -l)
  expect "$(basename "$module") has kernels" "" test "$here" -gt 0
  kernels=$((kernels + here))
  bytes=$((bytes + $(wc -c < "$module")))
done
if [ "$bytes" = 0 ]; then
  skip "kernels not counted: no CUDA module"
  exit
fi
echo "$kernels kernels, $bytes bytes"
expect "at most 1590 kernels" "" test "$kernels" -le 1590

ladder=$(find build/octave -name gpureduce_ladder.so)
if [ -n "$ladder" ]; then
  ${CC:-cc} -std=gnu11 -o build/check/library_rows tests/library_rows.c -ldl && build/check/library_rows "$ladder"
fi
