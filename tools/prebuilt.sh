#!/bin/sh
# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# tools/prebuilt.sh SUITE...: packages for machines without a compiler, one for the
# Octave of each Debian SUITE (bookworm trixie forky), in build/prebuilt/.  A name such as
# gpureduce-0.1.0-octave9-glibc2.38-x86_64.tar.gz says for which Octave it is, and the
# oldest C library that it runs with.
#
# Each is built in a root with compilers and tried in one that has only Octave.  ROOTS:
# the folder of the roots (build/roots), which tools/root.sh makes where they are missing.
set -e
cd "$(dirname "$0")/.."
[ $# != 0 ] || { echo "usage: tools/prebuilt.sh SUITE...   (bookworm, trixie, forky)" >&2; exit 1; }
roots=${ROOTS:-$(pwd)/build/roots}
out=build/prebuilt
tarball=$(tools/dist.sh)
version=$(sed -n 's/^Version: *//p' DESCRIPTION)
mkdir -p "$out" "$roots"

# build ROOT: the package as a tar on standard output, and what its file is to be called.
build () {
  # shellcheck disable=SC2016
  tar -cf - "$tarball" tools/dist-binary.sh | tools/root.sh fresh "$1" sh -c '
    set -e
    cd && rm -rf gpureduce && mkdir gpureduce && cd gpureduce && tar -xf -
    binary=$(tools/dist-binary.sh "$1" 2> log) || { tail -n 20 log >&2; exit 1; }
    mkdir inside && tar -xzf "$binary" -C inside
    octave=$(octave-cli --norc --no-history --eval "disp (strtok (version (), \".\"))")
    glibc=$(find inside -type f -perm -u+x -o -name "*.mex" -o -name "*.so" | xargs objdump -T 2> /dev/null |
      sed -n "s/.*GLIBC_\([0-9.]*\).*/\1/p" | sort -V | tail -n 1)
    name=gpureduce-$2-octave$octave-glibc$glibc-$(uname -m).tar.gz
    mv "$binary" "$name"
    tar -cf - "$name"' sh "$tarball" "$version"
}

# try ROOT FILE: installed and used where there is no compiler.
try () {
  # shellcheck disable=SC2016
  tools/root.sh fresh "$1" sh -c '
    cd && cat > package.tar.gz
    for program in gcc cc make mkoctfile; do
      ! command -v $program || { echo "this root has a compiler, and so shows nothing"; exit 1; }
    done
    octave-cli --norc --no-history --eval "pkg install package.tar.gz; pkg load gpureduce; gpu_selftest quick"' < "$2"
}

# What is not yet tried, or failed, stays apart.
mkdir -p "$out/untried"
status=0
for suite; do
  tools/root.sh make "$suite" "$roots/$suite" octave-dev gcc g++ make libboost-context-dev
  tools/root.sh make "$suite" "$roots/$suite-user" octave
  rm -rf "$out/untried"/*
  build "$roots/$suite" > "$out/untried/tar"
  name=$(tar -tf "$out/untried/tar")
  tar -xf "$out/untried/tar" -C "$out/untried"
  if try "$roots/$suite-user" "$out/untried/$name" > "$out/$suite.log" 2>&1; then
    mv "$out/untried/$name" "$out/"
    echo "$out/$name: installed and tried where there is no compiler"
    echo "1 passed, 0 failed"
  else
    tail -n 20 "$out/$suite.log"
    echo "prebuilt: $suite: the package does not work there; all of it: $out/$suite.log"
    echo "0 passed, 1 failed"
    status=1
  fi
done
rm -rf "$out/untried"
exit $status
