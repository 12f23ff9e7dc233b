#!/bin/sh
# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# tools/dist-binary.sh TARBALL: writes build/gpureduce-VERSION-ARCH.tar.gz, a
# package that installs where there is no compiler, and prints its name.
set -e
cd "$(dirname "$0")/.."
top=$(pwd)
: "${GPUREDUCE_BUILD_CACHE:=$top/build/cache}"
: "${GPUREDUCE_CUDA_ARCHS:=list}"        # not for the GPUs of this machine alone
export GPUREDUCE_BUILD_CACHE GPUREDUCE_CUDA_ARCHS
tarball=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
name=$(basename "$1" .tar.gz)
work=$top/build/binary
rm -rf "$work" build/"$name"-*.tar.gz
mkdir -p "$work"

octave-cli --quiet --norc --no-history --eval "pkg ('build', '$work', '$tarball')" >&2
built=$(ls "$work"/"$name"-*.tar.gz)
arch=$(basename "$built" .tar.gz)
arch=${arch#"$name"-}

# pkg leaves sources and objects in src/, and then asks for mkoctfile when it
# installs.  So the built files go where src/FILES would have put them.
tar -C "$work" -xzf "$built"
cd "$work/$name"
mkdir -p "inst/$arch"
mv src/*.mex "inst/$arch/"
for module in src/__gpr_octave__.oct src/gpureduce_*.so; do
  [ ! -f "$module" ] || mv "$module" "inst/$arch/"
done
for file in src/gpureduce_build.txt src/gpureduce_sim src/gpureduce_variant.tar; do
  [ ! -f "$file" ] || mv "$file" inst/
done
rm -rf src kernels
cd ..
tar --format=ustar --sort=name --owner=0 --group=0 --numeric-owner -czf "$top/build/$name-$arch.tar.gz" "$name"
rm -rf "$work"
echo "build/$name-$arch.tar.gz"
