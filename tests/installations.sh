#!/bin/sh
# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# tests/installations.sh FOLDER: the package installed, in every way and with everything in
# the way, in the root in FOLDER (tools/root.sh), which stays as it is.  Takes root.
cd "$(dirname "$0")/.." || exit 1

locale=build/check/locale
if [ "$INSIDE" != yes ]; then
  folder=${1:?usage: tests/installations.sh FOLDER}
  tarball=$(tools/dist.sh) || exit 1
  # A language with a decimal comma, which a small root has not.
  mkdir -p $locale
  localedef -i de_DE -f UTF-8 $locale/de_DE.UTF-8 > /dev/null 2>&1
  # What was compiled is kept for the next time.
  cache=build/check/installations-$(basename "$folder").tar
  tar -tf "$cache" > /dev/null 2>&1 || tar -cf "$cache" -T /dev/null
  tar -cf - "$tarball" "$cache" tests/expect.sh tests/installations.sh tests/reload.m tools/dist-binary.sh tools/use_build.m $locale |
    tools/root.sh fresh "$folder" sh -c "cd && rm -rf gpureduce && mkdir gpureduce && cd gpureduce && tar -xf - && tar -C .. -xf $cache &&
      exec env INSIDE=yes TARBALL=\$HOME/gpureduce/$tarball sh tests/installations.sh" 3> "$cache.new"
  status=$?
  mv "$cache.new" "$cache"
  exit $status
fi

# ---- in the root -----------------------------------------------------------------

. tests/expect.sh
top=$(pwd)
export GPUREDUCE_CUDA=no GPUREDUCE_BUILD_CACHE=$HOME/cache MAKEFLAGS='ISAS=baseline CFLAGS=-O1'
version=$(basename "$TARBALL" .tar.gz)

# Few functions, since most of an installation's time goes into the table of their help.
tar -xzf "$TARBALL"
keep='gpu_sum gpu_reduce gpu_histc gpu_doctor gpu_variants gpu_variant_add gpu_config gpu_options gpu_trace'
mkdir kept
for name in $keep; do mv "$version/inst/$name.m" kept/; done
rm -f "$version"/inst/gpu_*.m
mv kept/* "$version/inst/"
source=$top/source/$version.tar.gz
mkdir source
tar -czf "$source" "$version"

# octave CODE; in_prefix FOLDER FOLDER CODE: with the packages there.
octave () { $run octave-cli --quiet --norc --no-history --eval "warning ('off', 'gpureduce:cpu-fallback'); $1"; }
run=
in_prefix () {
  mkdir -p "$1"
  octave "pkg ('prefix', '$1', '$2'); pkg ('local_list', '$1/packages'); pkg ('global_list', '$1/global_packages'); $3"
}
# refused COMMAND...: it ends with an error.
refused () { ! "$@"; }

# What must work wherever the package lies: the module, the simulator called by m-files and
# by C, and the kit that users' kernels are compiled with.
works="pkg load gpureduce;
  assert (gpu_sum (1:10), 55);
  assert (any (strcmp ({gpu_variants().name}, 'sequential')));
  assert (gpu_reduce (1:100, 'sum', 'variant', 'sequential', 'device', 'sim'), 5050);
  cd (fullfile (pkg ('list', 'gpureduce'){1}.dir, 'private'));
  assert (exist (fullfile (ladder_kit (), 'kernels', 'ladder', 'sequential.cu'), 'file') > 0);
  disp ('all of it works');"
fine="all of it works"

# ---- places ----------------------------------------------------------------------

expect "root's default: m-files in one tree, binaries in another" "$fine" octave "pkg install $source; $works"
tar -C $HOME -cf - cache >&3
exec 3>&-
expect "the simulator is in the tree of binaries" '/lib/.*-api-.*/gpureduce_sim' find /usr -name gpureduce_sim
expect "gpu_doctor tells why there is no CUDA" 'not built: not wanted (GPUREDUCE_CUDA=no)' octave "pkg load gpureduce; gpu_doctor"
expect "pkg load is quick and silent" '^quick$' octave "for i = 1:5, t(i) = cputime (); pkg load gpureduce; t(i) = cputime () - t(i); pkg unload gpureduce; end; if (min (t) < 0.05) disp ('quick'), else disp (t), end"

binary=$top/$(tools/dist-binary.sh "$source" 2> binary.log | tail -n 1)
expect "a binary package is made" "$version-" ls "$binary" || cat binary.log
expect "two folders" "$fine" in_prefix $HOME/m $HOME/bin "pkg install $binary; $works"
expect "a second installation beside it" "$fine" in_prefix $HOME/second $HOME/second "pkg install $binary; $works"
expect "and the first still works" "$fine" in_prefix $HOME/m $HOME/bin "$works"
mkdir "$HOME/t m p"
TMPDIR="$HOME/t m p" expect "blanks in the paths, of the build too" "$fine" in_prefix "$HOME/a b/c" "$HOME/a b/c" "pkg install $source; $works"
TARBALL=$binary BINARY_PACKAGE=$binary expect "installed anew while it is loaded" "" \
  in_prefix $HOME/second $HOME/second "pkg load gpureduce; source ('tests/reload.m')"

# ---- people ----------------------------------------------------------------------

useradd -m ann
chmod a+rx $HOME
chmod -R a+rX "$top"
as_ann () { setpriv --reuid=ann --regid=ann --clear-groups env HOME="${ann_home:-/home/ann}" TMPDIR="${ann_tmp:-/tmp}" "$@"; }
as_ann_octave () { as_ann octave-cli --quiet --norc --no-history --eval "warning ('off', 'gpureduce:cpu-fallback'); $1"; }
expect "not root: uses root's installation" "$fine" as_ann_octave "$works"
octave "pkg uninstall gpureduce"
expect "nothing is left of it" '^0$' sh -c "find /usr -path '*octave/packages/gpureduce*' ! -type d | wc -l"
expect "not root: an installation of one's own" "$fine" as_ann_octave "pkg install $binary; $works"
expect "not root: -global says which folder is not writable" 'gpureduce: nothing can be written to /usr.*pkg prefix\|pkg install.*denied\|installation directory' \
  refused as_ann_octave "pkg install -global $binary"
mkdir -p /home/fixed/tmp
chmod 555 /home/fixed
ann_home=/home/fixed
expect "HOME cannot be written: pkg says so" '[Pp]ermission denied' refused as_ann_octave "pkg install $binary"
as_ann mkdir /tmp/ann
expect "and another folder does" "$fine" as_ann_octave \
  "pkg ('local_list', '/tmp/ann/list'); pkg ('prefix', '/tmp/ann', '/tmp/ann'); pkg install $binary; $works"
mkdir -p /home/fixed/packages
expect "a folder of packages that cannot be written" 'nothing can be written to /home/fixed/packages (Permission denied): choose another folder' \
  refused as_ann_octave "pkg ('prefix', '/home/fixed/packages', '/home/fixed/packages'); pkg install $binary"
ann_home= ann_tmp=/home/fixed
no_tmpdir () { as_ann_octave "$works" || true; }
expect "TMPDIR cannot be written: another is taken (Octave 7), or it is said what to do" "gpureduce: .*denied.*set TMPDIR\|$fine" no_tmpdir
expect "and pkg that it cannot" 'temporary directory.*denied\|Permission denied' refused as_ann_octave "pkg install $binary"
ann_tmp=

# ---- another language --------------------------------------------------------------

if [ -d $locale/de_DE.UTF-8 ]; then
  comma () { LOCPATH=$top/$locale LC_ALL=de_DE.UTF-8 "$@"; }
  expect "the language has a decimal comma" '^1,5$' comma bash -c 'printf "%.1f\n" 1,5'
  comma expect "in a language with a decimal comma" "$fine" in_prefix $HOME/komma $HOME/komma \
    "pkg install $source; $works; assert (gpu_sum ([0.5 1]), 1.5); assert (strfind (gpu_doctor ()(1).found, 'gpureduce') > 0)"
else
  skip "no localedef here, which makes a language with a decimal comma"
fi

# ---- another system ------------------------------------------------------------------

# changed SCRIPT: the binary package after the shell SCRIPT in its folder inst/.
changed () {
  rm -rf changed
  mkdir changed
  tar -C changed -xzf "$binary"
  (cd changed/*/inst && eval "$1")
  tar -C changed -czf changed.tar.gz "$version"
}
changed 'for arch in *-api-*; do mv "$arch" "${arch%-api-*}-api-v1"; done'
expect "a binary package for another Octave" 'is for another Octave (.*-api-v1), and this one is .*: install the source package' \
  refused in_prefix $HOME/second $HOME/second "pkg install $top/changed.tar.gz"
changed 'libc=$(grep -a -o "GLIBC_2\.[0-9][0-9]" *-api-*/__gpureduce__.mex | sort | tail -n 1); sed -i "s/$libc/GLIBC_9.99/g" *-api-*/__gpureduce__.mex'
expect "a binary package for a newer C library" 'does not run here (.*GLIBC_9.99.*): install the source package' \
  refused in_prefix $HOME/second $HOME/second "pkg install $top/changed.tar.gz"
expect "both leave what is installed" "$fine" in_prefix $HOME/second $HOME/second "$works"
for arch in $HOME/second/*/*-api-*; do mv "$arch" "${arch%-api-*}-api-v1"; done
expect "an Octave that was upgraded" 'gpureduce:other-octave gpureduce was built for another Octave (.*-api-v1), and this one is .*: reinstall it: pkg install' \
  in_prefix $HOME/second $HOME/second "pkg load gpureduce; try, gpu_sum (1), catch e, printf ('%s %s\n', e.identifier, e.message), end"
for arch in $HOME/second/*/*-api-v1; do
  sed -i "s/api-v[0-9][0-9]/api-v01/g" "$arch/__gpureduce__.mex"
  for link in $HOME/second/*/gpu_*.mex; do ln -sfn "$arch/__gpureduce__.mex" "$link"; done
done
expect "the same where links still find the module" 'gpureduce:other-octave gpureduce was built for another Octave (.*-api-v1), and this one is' \
  in_prefix $HOME/second $HOME/second "pkg load gpureduce; try, gpu_sum (1), catch e, printf ('%s %s\n', e.identifier, e.message), end"
for arch in $HOME/bin/*/*-api-*; do mv "$arch" "${arch%-api-*}-api-v1"; done
expect "the same in two folders" 'built for another Octave (.*-api-v1)' \
  refused in_prefix $HOME/m $HOME/bin "pkg load gpureduce; gpuArray (1)"
expect "reinstalled" "$fine" in_prefix $HOME/second $HOME/second "pkg install $binary; $works"

# ---- in the way ----------------------------------------------------------------------

mkdir $HOME/small
mount -t tmpfs -o size=12m none $HOME/small
expect "the disk of the packages is full" 'only 1[0-9] MB are free in .*/small.*pkg prefix' \
  refused in_prefix $HOME/small $HOME/small "pkg install $binary"
TMPDIR=$HOME/small expect "the disk of the build is full" 'only [0-9]* MB are free in .*/small.*TMPDIR' \
  refused in_prefix $HOME/other $HOME/other "pkg install $source"
head -c 11900k /dev/zero > $HOME/small/full
TMPDIR=$HOME/small expect "no room even to unpack" 'No space\|left on device\|could\|error' refused in_prefix $HOME/other $HOME/other "pkg install $source"
umount $HOME/small

# In a fresh build that takes long enough.
interrupt () {
  run="timeout -s INT -k 20 5" GPUREDUCE_BUILD_CACHE=
  ! in_prefix $HOME/second $HOME/second "pkg install $source"
}
expect "interrupted" "" interrupt
expect "what was installed still works" "$fine" in_prefix $HOME/second $HOME/second "$works"
expect "and it can be installed" "$fine" in_prefix $HOME/second $HOME/second "pkg install $source; $works"

# ---- no compilers ----------------------------------------------------------------------

# without PROGRAM...: takes them away, for a source package that is not in the cache.
export GPUREDUCE_BUILD_CACHE=$HOME/none
without () { for program; do for file in /usr/bin/"$program" /usr/bin/*-linux-gnu-"$program"; do [ ! -e "$file" ] || mv "$file" "$file.away"; done; done; }
with () { for file in /usr/bin/*.away; do mv "$file" "${file%.away}"; done; }
from_source () { refused in_prefix $HOME/other $HOME/other "pkg install $source"; }
without make
expect "no make" 'make is missing: .*apt-get install' from_source
with
without gcc cc
expect "no gcc" "the C compiler '.*gcc' does not work.*" from_source
expect "and what to do" "apt-get install" from_source
with
without g++ c++
expect "no g++" "the C++ compiler '.*g++' does not work" from_source
with
without mkoctfile
expect "no mkoctfile" 'mkoctfile' from_source
without gcc g++ cc c++ make
expect "a binary package takes none of them" "$fine" in_prefix $HOME/none $HOME/none "pkg install $binary; ${works}"
