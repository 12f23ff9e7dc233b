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

# The table of all functions' help is made by one run of makeinfo, not by two a function; Octave's own makes that of the slim package, below.
install_binary () {
  PATH=$work/bin
  run_octave "warning ('off', 'Octave:shadowed-function'); addpath ('$top/tools/first'); pkg ('install', '$binary'); pkg load gpureduce; assert (gpu_sum (1:10), 55)"
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

# ---- the folder it is installed in -----------------------------------------------

# installed_here FOLDER: the folder whose package an Octave loads that is started for it.
installed_here () {
  GPUREDUCE_PREFIX=$1 run_octave "pkg load gpureduce; assert (gpu_sum (1:10), 55); disp (fileparts (pkg ('list', 'gpureduce'){1}.dir))"
}
mkdir "$work/first"
expect "installed where nothing was" "" tools/install.sh "$work/slim.tar.gz" "$work/first/octave"
cp -R "$work/first" "$work/copied"
expect "a copy has its own package" "^$work/copied/octave\$" installed_here "$work/copied/octave"
expect "and the first its own" "^$work/first/octave\$" installed_here "$work/first/octave"

# An octave-cli that does something else where it is told CODE.  $PPID is the installation.
mkdir "$work/fails"
printf '#!/bin/sh\ncase "$*" in *"$AT"*) eval "$DO"; exit 1 ;; esac\nexec "%s" "$@"\n' "$(command -v octave-cli)" > "$work/fails/octave-cli"
chmod +x "$work/fails/octave-cli"
other_build () { ! AT=$1 DO=$2 GPUREDUCE_NVCC_FLAGS=other PATH="$work/fails:$PATH" tools/install.sh "$work/slim.tar.gz" "$work/first/octave"; }
left () { [ "$(ls "$work/first") $(cat "$work/first/octave/installed")" = "octave $before" ]; }
before=$(cat "$work/first/octave/installed")
# Of the signals one, another at each of the two places.
hows=': TERM HUP'
[ "$CHECK_LONG" = yes ] || hows=': TERM'
for at in "pkg ('install'" "pkg ('list'"; do
  for how in $hows; do
    does=$how
    [ "$how" = : ] || does="kill -s $how \$PPID"
    expect "an installation that ends in $at by $how" "" other_build "$at" "$does"
    expect "leaves the one before" "" left
    expect "that works" "^$work/first/octave\$" installed_here "$work/first/octave"
  done
  [ "$CHECK_LONG" = yes ] || hows=': HUP'
  expect "one that is killed in $at" "" other_build "$at" 'kill -s KILL $PPID'
  expect "leaves one that works" "^$work/first/octave\$" installed_here "$work/first/octave"
  built=
  [ "$at" = "pkg ('install'" ] || built=GPUREDUCE_NVCC_FLAGS=other
  # shellcheck disable=SC2086
  expect "and is known" "" env ASK=yes $built tools/install.sh "$work/slim.tar.gz" "$work/first/octave"
done
missing () { ! tools/install.sh "$work/no_such.tar.gz" "$work/first/octave"; }
expect "the next fails" "" missing
expect "the one before is there again" "" left
mv "$work/first/octave" "$work/first/octave.old"
expect "one was killed while the two changed places, and the next fails" "" missing
expect "and again" "" left
expect "and works" "^$work/first/octave\$" installed_here "$work/first/octave"
expect "one that ends well" "" env GPUREDUCE_NVCC_FLAGS=other tools/install.sh "$work/slim.tar.gz" "$work/first/octave"
expect "works" "^$work/first/octave\$" installed_here "$work/first/octave"
alone () { [ "$(ls "$work/first")" = octave ]; }
expect "and nothing else is left" "" alone

# The links of the development build are those of its own tree.
linked_tree () {
  mkdir -p "$work/tree/tools" "$work/tree/src" "$work/tree/inst" "$work/tree/kernels" "$work/elsewhere"
  echo first > "$work/tree/inst/a.m"
  sed -n '/^link () {/,/^}/p' tools/compile.sh > "$work/tree/link.sh"
  (cd "$work/tree" && . ./link.sh && link build/dev/octave "$(pwd)/inst/a.m")
  cp -RP "$work/tree" "$work/elsewhere/"
  echo second > "$work/elsewhere/tree/inst/a.m"
  cat "$work/elsewhere/tree/build/dev/octave/a.m"
  rm "$work/elsewhere/tree/build/dev/octave/a.m"
  ln -s "$work/tree/inst/a.m" "$work/elsewhere/tree/build/dev/octave/a.m"
  (cd "$work/elsewhere/tree" && . ./link.sh && link build/dev/octave "$(pwd)/inst/a.m")
  cat "$work/elsewhere/tree/build/dev/octave/a.m"
}
twice () { [ "$(linked_tree | tr '\n' ' ')" = 'second second ' ]; }
expect "a copied development build has links to its own files" "" twice

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
