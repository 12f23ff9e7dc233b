#!/bin/sh
# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# tests/debian.sh ROOT: the Debian package (debian/) builds in a copy of the Debian in the
# folder ROOT, lintian has nothing to say of it, and it works where it is installed.
cd "$(dirname "$0")/.." || exit 1
if [ "$1" != inside ]; then
  exec tests/in_root.sh "${1:?a folder that tools/root.sh has made}" \
    "build-essential dh-octave libboost-context-dev libhdf5-dev mpi-default-dev lintian" tests/debian.sh inside
fi

. tests/expect.sh
version=$(sed -n 's/^Version: *//p' DESCRIPTION)
expect "debian/changelog has the version of DESCRIPTION" "^$version-" dpkg-parsechangelog -S Version

# What dh-octave says of the files whose tests did not all pass, without warnings.
failed_tests () {
  awk '/^\[.*\.m\]$/ { said = "" } { said = said $0 "\n" } /^[0-9]+ tests?, / && $1 != $3 { print said }' "$1" \
    | grep -v -E '^(warning|\*\*\*\*\* error|    |$)' | tail -n 15
}

# The upstream tarball is that of `make dist`.
build () {
  tools/dist.sh
  cp "build/gpureduce-$version.tar.gz" "../octave-gpureduce_$version.orig.tar.gz"
  mkdir ../source && tar -C ../source --strip-components=1 -xzf "build/gpureduce-$version.tar.gz" && cp -R debian ../source/ || return
  (cd ../source && dpkg-buildpackage -us -uc > ../build.log 2>&1) || { failed_tests ../build.log; tail -n 12 ../build.log; return 1; }
}
expect "it builds" "" build || exit 1

lintian_says_nothing () {
  lintian --allow-root --tag-display-limit 0 ../octave-gpureduce_*.changes > ../lintian.log 2>&1
  cat ../lintian.log
  [ ! -s ../lintian.log ]
}
expect "lintian has nothing to say" "" lintian_says_nothing
expect "it installs" "" apt-get install -y --no-install-recommends ../octave-gpureduce_*.deb
expect "it works where it is installed" "" sh -c \
  'cd / && octave-cli --no-history --eval "pkg load gpureduce; gpu_selftest quick; assert (! isempty (gpu_trace (\"sequential\", 64, 64).launches))"'
expect "it reads HDF5 files" "" sh -c \
  'cd /tmp && octave-cli --no-history --eval "pkg load gpureduce; x = rand (3, 40); save -hdf5 x.h5 x; assert (gpu_reduce (\"file\", \"x.h5\", \"sum\", \"dataset\", \"x\", \"dim\", 2), gpu_sum (x, 2, \"device\", \"cpu\"))"'
expect "its module of MPI is there" "" sh -c 'dpkg -L octave-gpureduce | grep -q /gpureduce_mpi.so && dpkg -L octave-gpureduce | grep -q /gpureduce_hdf5.so'
