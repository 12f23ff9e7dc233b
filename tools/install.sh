#!/bin/sh
# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# tools/install.sh TARBALL [PREFIX]: installs the package into PREFIX (build/octave)
# only.  Nothing is done when the same tarball is there, built the same way.
set -e
top=$(cd "$(dirname "$0")/.." && pwd)
tarball=$1
GPUREDUCE_PREFIX=${2:-$top/build/octave}
: "${GPUREDUCE_BUILD_CACHE:=$top/build/cache}"
export GPUREDUCE_PREFIX GPUREDUCE_BUILD_CACHE

stamp=$GPUREDUCE_PREFIX/installed
wanted="$(gzip -dc < "$tarball" | sha256sum) $(octave-cli --norc --version | head -n 1) $(env | grep -E '^(GPUREDUCE_(OPENMP|ISAS|CUDA|NVCC|NVCC_FLAGS|CUDA_ARCHS)|CC|CFLAGS)=' | sort | tr '\n' ' ')"
same_build () { [ -f "$stamp" ] && ls "$GPUREDUCE_PREFIX"/gpureduce-* > /dev/null 2>&1 && [ "$(head -n 1 "$stamp")" = "$wanted" ]; }
same_place () { [ "$(tail -n 1 "$stamp")" = "$GPUREDUCE_PREFIX" ]; }

if ! same_build; then
  rm -rf "$GPUREDUCE_PREFIX"
  mkdir -p "$GPUREDUCE_PREFIX"
  action="pkg ('install', '$tarball')"
  echo "compiling $(basename "$tarball"): minutes, where there is an nvcc for the kernels"
elif ! same_place; then
  # build/ was copied from elsewhere: pkg's list has the old paths.
  rm -f "$GPUREDUCE_PREFIX"/*packages
  action="pkg rebuild"
else
  exit 0
fi
octave-cli --quiet --norc --no-history --eval "source ('$top/tools/use_build.m'); $action"
printf '%s\n%s\n' "$wanted" "$GPUREDUCE_PREFIX" > "$stamp"
