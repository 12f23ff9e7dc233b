#!/bin/sh
# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# tests/install.sh TARBALL: the tarball installs into build/octave, with all
# kernels where nvcc is, and is the same when it is made again; and the manual is made of it
# without a word of makeinfo's.
cd "$(dirname "$0")/.." || exit 1
. tests/expect.sh

cp "$1" build/check/first.tar.gz
expect "the package installs" "" tools/install.sh "$1" || exit 1
expect "the same sources make the same tarball" "" sh -c 'tools/dist.sh && cmp "$1" build/check/first.tar.gz' sh "$1"

report=$(cat build/octave/gpureduce-*/gpureduce_build.txt)
echo "gpureduce $(sed -n 's/^Version: *//p' DESCRIPTION): $report"
case $report in
  *"no nvcc found"* | *"not wanted"*) skip "kernels not compiled: no nvcc, or GPUREDUCE_CUDA=no" ;;
  *) expect "the CUDA backend is built" '; CUDA backend: nvcc' echo "$report" ;;
esac

# src/FILES says what pkg copies.
installed () { ls build/octave/gpureduce-*/*/"$1"; }
case $report in
  *"HDF5 files"*) expect "what reads HDF5 files is installed" hdf5 installed gpureduce_hdf5.so ;;
  *) skip "HDF5 files: libhdf5 is missing" ;;
esac
case $report in
  *"ranks by MPI"*) expect "what ranks talk by is installed" mpi installed gpureduce_mpi.so ;;
  *) skip "ranks: mpicc is missing" ;;
esac

# Its lists of packages name the folder it was in: each of several processes that begin at once finds what is here.
# Each writes a file of its own: Octave writes a line's end by itself, and two lines of one pipe could become one.
moved () {
  rm -rf build/check/moved && cp -Rp build/octave build/check/moved
  echo 'disp (which ("gpu_sum"))' > build/check/where.m
  for process in 1 2 3 4 5 6; do tools/octave build/check/where.m "$PWD/build/check/moved" > build/check/where.$process 2>&1 & done
  wait
  grep -l "^$PWD/build/check/moved/.*gpu_sum" build/check/where.[1-6] | grep -c .
  rm -rf build/check/moved build/check/where.m build/check/where.[1-6]
}
expect "a prefix that was copied" '^6$' moved

if command -v makeinfo > /dev/null; then
  expect "the manual is made" 'gpureduce.info' env PDF=no doc/build.sh build/check/doc
else
  skip "the manual, without makeinfo"
fi
