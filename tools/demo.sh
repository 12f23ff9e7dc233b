#!/bin/sh
# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# tools/demo.sh [PREFIX]: shows the package at work as soon as the CPU backend is built, then
# as soon as the CUDA backend is, and then builds the rest, as `make build` does.  An
# interruption leaves what was shown last, installed.
#   WITH_CUDA=no   no GPU is here: the CUDA backend is left out
set -e
cd "$(dirname "$0")/.."
prefix=${1:-$(pwd)/build/octave}
tarball=$(tools/dist.sh)
compiled=build/package/src
export GPUREDUCE_QUIET=yes       # compile.sh shows how far it is

# Installed in seconds, but without the ladder.
install_part () { GPUREDUCE_LADDER=no tools/install.sh "$tarball" "$prefix"; }
show () { tools/octave bench/demo.m "$prefix"; }

echo "compiling the CPU backend"
tools/compile.sh package host

cuda=$(sed -n 's/^NVCC = \(.\).*/yes/p' $compiled/config-cuda.mk)
said=$(sed 's/; no ladder: .*//' $compiled/cuda-status.txt)
if [ -n "$cuda" ] && [ "$WITH_CUDA" = no ]; then
  cuda='' said="nvidia-smi finds no GPU; all the same, for GPUs of 9.0 say: make build GPUREDUCE_CUDA_ARCHS=90"
  export GPUREDUCE_CUDA=no
fi
if ASK=yes tools/install.sh "$tarball" "$prefix"; then
  show
  exit
fi

(export GPUREDUCE_CUDA=no; install_part)
show
cat <<EOF

That was the CPU backend.  It is installed: Ctrl-C now leaves it.  Not built yet:
  CUDA backend  ${cuda:+now comes that of }$said
  the ladder    its kernels and the simulator: gpu_variants, gpu_trace
EOF
if [ -n "$cuda" ]; then
  GPUREDUCE_LADDER=no tools/compile.sh package cuda
  if [ -f $compiled/gpureduce_cuda.so ]; then
    install_part
    show
    echo
    echo "That was the CUDA backend.  The ladder is still to come."
  fi
fi
tools/compile.sh package
tools/install.sh "$tarball" "$prefix"
echo "All is installed: $(cat "$prefix"/gpureduce-*/gpureduce_build.txt)"
