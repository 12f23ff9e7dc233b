#!/bin/sh
# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The kernels of the installed CUDA module: at most 1200, so that it stays quick
# to build and small.
cd "$(dirname "$0")/.." || exit 1
. tests/expect.sh

module=$(find build/octave -name 'gpureduce_cuda.so')
tool=$(PATH="$PATH:${CUDA_HOME:-/usr/local/cuda}/bin" command -v cuobjdump)
if [ -z "$module" ] || [ -z "$tool" ]; then
  skip "kernels not counted: no CUDA module or no cuobjdump"
  exit
fi
kernels=$("$tool" --dump-elf-symbols "$module" | awk '/STO_ENTRY/ { print $NF }' | sort -u | wc -l)
echo "$kernels kernels, $(wc -c < "$module") bytes"
expect "the module has kernels" "" test "$kernels" -gt 0
expect "at most 1200 kernels" "" test "$kernels" -le 1200
