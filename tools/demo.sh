#!/bin/sh
# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# tools/demo.sh [PREFIX]: the package at work as soon as the CPU backend is built, and then
# the rest, as `make build` makes it.  Whoever interrupts it after the first table has a
# package that works.
#   WITH_CUDA=no   no GPU is here: the CUDA backend is left out
set -e
cd "$(dirname "$0")/.."
prefix=${1:-$(pwd)/build/octave}
tarball=$(tools/dist.sh)

show () { tools/octave bench/demo.m "$prefix"; }
report () { sed 's/^/  /' "$prefix"/gpureduce-*/gpureduce_build.txt; }

echo "compiling the CPU backend"
tools/compile.sh package host

has_nvcc=$(sed -n 's/^NVCC = \(.\).*/yes/p' build/package/src/config-cuda.mk)
cuda="no CUDA backend: $(cat build/package/src/cuda-status.txt)"
if [ -n "$has_nvcc" ] && [ "$WITH_CUDA" = no ]; then
  cuda="no CUDA backend: nvidia-smi finds no GPU.  To build it all the same, for a GPU of
                capability 9.0, say: make build GPUREDUCE_CUDA_ARCHS=90"
  export GPUREDUCE_CUDA=no
elif [ -n "$has_nvcc" ]; then
  cuda="the CUDA backend and the ladder's kernels ($(cat build/package/src/cuda-status.txt))"
fi

if ! ASK=yes tools/install.sh "$tarball" "$prefix"; then
  GPUREDUCE_CUDA=no GPUREDUCE_SIM=no GPUREDUCE_LOOKFOR=no tools/install.sh "$tarball" "$prefix"
  show
  printf '\n%s\n' "This was the CPU backend.  It is installed; Ctrl-C leaves it as it is.  Not built yet:
  simulator     of the ladder: gpu_trace, gpu_variants
  help          the table for lookfor
  CUDA          $cuda"
  echo
  tools/compile.sh package
  tools/install.sh "$tarball" "$prefix"
  echo "All is built and installed:"
  report
  [ -n "$has_nvcc" ] && [ "$GPUREDUCE_CUDA" != no ] || exit 0
fi
show
