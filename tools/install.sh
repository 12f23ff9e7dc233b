#!/bin/sh
# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# tools/install.sh TARBALL [PREFIX]: installs the package into PREFIX (build/octave)
# only.  Nothing is done when the same tarball is there, built the same way.  One that fails or
# is interrupted leaves what was there before.
#   ASK=yes                installs nothing: is it there?
set -e
top=$(cd "$(dirname "$0")/.." && pwd)
tarball=$1
prefix=${2:-$top/build/octave}
: "${GPUREDUCE_BUILD_CACHE:=$top/build/cache}"
export GPUREDUCE_BUILD_CACHE

stamp=$prefix/installed
wanted="$(gzip -dc < "$tarball" | sha256sum) $(octave-cli --norc --version | head -n 1) $(env | grep -E '^(GPUREDUCE_(OPENMP|ISAS|CUDA|LADDER|NVCC|NVCC_FLAGS|CUDA_ARCHS)|CC|CFLAGS)=' | sort | tr '\n' ' ')"
same_build () { [ -f "$stamp" ] && ls "$prefix"/gpureduce-* > /dev/null 2>&1 && [ "$(head -n 1 "$stamp")" = "$wanted" ]; }
same_place () { [ "$(tail -n 1 "$stamp")" = "$prefix" ]; }

# run_octave FOLDER CODE: with FOLDER as the place of the packages.
run_octave () { GPUREDUCE_PREFIX=$1 octave-cli --quiet --norc --no-history --eval "source ('$top/tools/use_build.m'); $2"; }

# What an installation that did not end has put aside goes back.  What is to be deleted gets another
# name first: what stands under these two is whole.
put_back () {
  rm -rf "$prefix.new" "$prefix.gone"
  if [ -d "$prefix.old" ]; then
    [ ! -e "$prefix" ] || mv "$prefix" "$prefix.gone"
    mv "$prefix.old" "$prefix"
    rm -rf "$prefix.gone"
  fi
}

if [ "$ASK" = yes ]; then
  same_build
  exit
fi
put_back
trap put_back EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
if ! same_build; then
  mkdir -p "$prefix.new"
  run_octave "$prefix.new" "warning ('off', 'Octave:shadowed-function'); addpath ('$top/tools/first'); pkg ('install', '$tarball')"
  printf '%s\n' "$wanted" > "$prefix.new/installed"
  [ ! -e "$prefix" ] || mv "$prefix" "$prefix.old"
  mv "$prefix.new" "$prefix"
fi
if ! same_place; then
  # It has just come here, was moved, or build/ was copied from elsewhere.
  run_octave "$prefix" "assert (! isempty (pkg ('list', 'gpureduce')))"
  printf '%s\n%s\n' "$wanted" "$prefix" > "$stamp"
fi
[ ! -d "$prefix.old" ] || mv "$prefix.old" "$prefix.gone"
rm -rf "$prefix.gone"
