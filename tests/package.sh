#!/bin/sh
# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# tests/package.sh TARBALL: the binary package, and what a running Octave does with
# the package.
cd "$(dirname "$0")/.." || exit 1
. tests/expect.sh
top=$(pwd)
work=$top/build/check/package
rm -rf "$work"
mkdir -p "$work/bin" "$work/octave"

# run_octave CODE: with the packages in GPUREDUCE_PREFIX.
export GPUREDUCE_PREFIX="$work/octave"
run_octave () {
  octave-cli --quiet --norc --no-history --eval "source ('$top/tools/use_build.m'); $1"
}

# ---- the binary package ------------------------------------------------------

expect "the binary package is made" '^build/.*-api-' tools/dist-binary.sh "$1" || exit 1
binary=$(ls "$top"/build/gpureduce-*-api-*.tar.gz)
for program in octave-cli octave sh tar gzip gunzip cp mv rm mkdir; do
  ln -s "$(command -v $program)" "$work/bin/$program"
done

install_binary () {
  PATH=$work/bin
  run_octave "pkg ('install', '$binary'); pkg load gpureduce; assert (gpu_sum (1:10), 55)"
}
if [ -n "$(find build/octave -name gpureduce_cuda.so)" ]; then
  cuda="; CUDA backend: "
else
  cuda="; no CUDA backend: "
fi
expect "the binary package installs and works without a compiler" "CPU backend .*$cuda" install_binary

# ---- in a running Octave -----------------------------------------------------

load_says_nothing () {
  said=$(tools/octave /dev/null "$GPUREDUCE_PREFIX" 2>&1)
  printf '%s' "$said"
  [ -z "$said" ]
}
expect "pkg load is silent" "" load_says_nothing
expect "gpu_selftest ends well" "" run_octave "pkg load gpureduce; gpu_selftest quick"
mkdir "$work/wrong"
printf 'function s = gpu_sum (varargin)\n  s = sum (varargin{:}) + 1;\nendfunction\n' > "$work/wrong/gpu_sum.m"
wrong_selftest () {
  ! run_octave "pkg load gpureduce; addpath ('$work/wrong'); gpu_selftest quick"
}
expect "gpu_selftest sees a wrong sum" gpu_sum wrong_selftest

tar -C "$work" -xzf "$binary"
slim=$(basename "$(echo "$work"/gpureduce-*)")
one_function "$work/$slim"
tar -C "$work" -czf "$work/slim.tar.gz" "$slim"
expect "clear all, unload, install while loaded" "" env BINARY_PACKAGE="$work/slim.tar.gz" tools/octave tests/reload.m "$GPUREDUCE_PREFIX"

# ---- another Octave, another tree ----------------------------------------------

in_two_trees () {
  run_octave "pkg ('prefix', '$work/m', '$work/bin'); pkg ('install', '$work/slim.tar.gz'); pkg load gpureduce; assert (gpu_sum (1:10), 55)" &&
    ls "$work"/bin/gpureduce-*/*-api-*/gpureduce_sim "$work"/m/gpureduce-*/gpureduce_variant.tar
}
expect "in two trees the simulator lies beside the module" 'bin/.*gpureduce_sim' in_two_trees
for arch in "$work"/bin/gpureduce-*/*-api-*; do mv "$arch" "${arch%-api-*}-api-v1"; done
expect "a module for another Octave is named" 'gpureduce:other-octave gpureduce was built for another Octave (.*-api-v1), and this one is .*: reinstall it: pkg install' \
  run_octave "pkg load gpureduce; try, gpu_sum (1), catch e, printf ('%s %s\n', e.identifier, e.message), end"
for arch in "$work/$slim"/inst/*-api-*; do mv "$arch" "${arch%-api-*}-api-v1"; done
tar -C "$work" -czf "$work/other.tar.gz" "$slim"
refused () { ! run_octave "pkg ('install', '$work/other.tar.gz')"; }
expect "a binary package for another Octave is refused" 'is for another Octave (.*-api-v1), and this one is .*: install the source package' refused
