#!/bin/sh
# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The kernels of the installed CUDA module: at most 1200, so that it stays quick
# to build and small.
cd "$(dirname "$0")/.." || exit 1
. tests/expect.sh

module=$(find build/octave -name gpureduce_cuda.so)
if [ -z "$module" ]; then
  skip "kernels not counted: no CUDA module"
  exit
fi
# Each kernel is registered by its name, a string in the module.
objcopy -O binary --only-section=.rodata "$module" build/check/rodata || exit 1
kernels=$(strings -a build/check/rodata | grep '^_Z' | sort -u | wc -l)
echo "$kernels kernels, $(wc -c < "$module") bytes"
expect "the module has kernels" "" test "$kernels" -gt 0
expect "at most 1200 kernels" "" test "$kernels" -le 1200
