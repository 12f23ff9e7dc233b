#!/bin/sh
# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# tools/compile.sh dev | package [host | cuda]: compiles what was edited since the last time.
#
#   dev       into build/dev, for `make test` and `make quick`: one instruction set at
#             -O1, quick to build and with the same bits; DEV_CUDA=yes: with the CUDA
#             modules.  build/dev/octave is a prefix like build/octave, whose package
#             is links to inst/, so that an edited m-file is in use at once.
#   package   into build/package, as pkg install does it.  The modules go to build/cache,
#             where tools/install.sh finds them; the unit tests link the objects.
#             host, cuda: the CPU or the CUDA backend alone.
#
# The sources there are links to those of this folder.
set -e
cd "$(dirname "$0")/.."
top=$(pwd)
flavour=$1 goal=${2:-all}
build=$top/build/$flavour

# link FOLDER FILE...: links to these files in the folder; those to files that are gone go.  They are
# relative, so that a copy of the tree has its own.
link () {
  folder=$1
  shift
  mkdir -p "$folder"
  find "$folder" -maxdepth 1 -type l \( -lname '/*' -o ! -exec test -e {} \; \) -exec rm {} +
  for file; do
    [ -L "$folder/${file##*/}" ] || ln -sr "$file" "$folder/"
  done
}

link "$build" "$top/kernels"
link "$build/src" $(for file in src/*; do
  case $file in
    */obj | *.o | *.d | *.mex | *.so | *.log | *.mk.new | */config.mk | */config-cuda.mk | */cuda-status.txt | */gpureduce_*) ;;
    *) echo "$top/$file" ;;
  esac
done)
cd "$build/src"

# ---- configured: again where configure or its choices changed -----------------

case $flavour in
  dev)
    GPUREDUCE_CUDA=no
    [ "$DEV_CUDA" != yes ] || unset GPUREDUCE_CUDA
    export GPUREDUCE_CUDA
    unset GPUREDUCE_BUILD_CACHE MKOCTFILE
    set -- ISAS=baseline CFLAGS=-O1 CPU_PARTS='development build'
    ;;
  package)
    : "${GPUREDUCE_BUILD_CACHE:=$top/build/cache}"
    export GPUREDUCE_BUILD_CACHE
    set --
    ;;
esac
choices=$(env | grep -E '^(GPUREDUCE_(OPENMP|MPI|MPICC|HDF5|ISAS|CUDA|NVCC|NVCC_FLAGS|CUDA_ARCHS)|CC|CXX|CFLAGS)=' | sort)
if [ ! -f config.mk ] || [ ! -f choices ] || [ configure -nt choices ] || [ "$(cat choices)" != "$choices" ]; then
  GPUREDUCE_QUIET=yes ./configure > configure.log
  echo "$choices" > choices
fi

# ---- compiled -------------------------------------------------------------------

make=${MAKE:-make}
unset MAKEFLAGS                 # a make of its own, with all cores
jobs="-j $(nproc) --no-print-directory"

ladder=gpureduce_ladder.so modules=gpureduce_sim
[ "$GPUREDUCE_LADDER" != no ] || ladder= modules=
! grep -q '^NVCC = .' config-cuda.mk || modules="gpureduce_cuda.so $ladder $modules"
objects=objects-$goal
case $goal in
  all) together="$modules __gpr_octave__.oct __gpureduce__.mex" ;;      # the slowest first
  host) together='__gpr_octave__.oct __gpureduce__.mex' ;;
  *) together= ;;
esac
export make jobs together goal
# In one go, so that all cores are busy to the end; what fails there is reported by the second.
# shellcheck disable=SC2016
./progress "$($make -s --no-print-directory "$@" $objects)" sh -c '
  { [ -z "$together" ] || $make $jobs -k "$@" $together
    $make $jobs "$@" "$goal"
  } > build.log 2>&1' sh "$@" || {
  grep -E -A 5 'error|undefined reference' build.log | head -n 40
  echo "the build failed; all of it: build/$flavour/src/build.log"
  exit 1
}
grep warning: build.log | sort -u || true
[ "$flavour" = dev ] || exit 0

# ---- the development build's package ---------------------------------------------

package=$build/octave/gpureduce-$(sed -n 's/^Version: *//p' "$top/DESCRIPTION")
set --
for file in "$top"/inst/*; do
  [ "${file##*/}" = @gpuArray ] || set -- "$@" "$file"
done
link "$package" "$@"
link "$package" "$build/src/gpureduce_build.txt"
[ ! -d "$top/lab/exercises" ] || ln -srfn "$top/lab/exercises" "$package/lab"        # as tools/dist.sh packs them
for file in "$top"/inst/gpu_*.m; do       # as post_install.m has them
  name=${file##*/gpu_} name=${name%.m}
  ! grep -qF "__gpureduce__ (\"$name\", varargin{:});" "$file" || ln -sfn "$build/src/__gpureduce__.mex" "$package/gpu_$name.mex"
done
[ ! -L "$package/@gpuArray" ] || rm "$package/@gpuArray"       # a folder of its own, for what the oct-file does in place of m-files
link "$package/@gpuArray" "$top"/inst/@gpuArray/*.m
rm -f "$package/@gpuArray"/*.oct
rm -f PKG_ADD
if [ -f "$build/src/__gpr_octave__.oct" ]; then
  echo '__gpr_octave__ ("loaded");' > PKG_ADD         # as post_install.m has them
  for file in "$top"/inst/@gpuArray/*.m; do
    name=${file##*/}
    ! grep -qF '(src/octave/methods.cc)' "$file" || ln -srfn "$build/src/__gpr_octave__.oct" "$package/@gpuArray/${name%.m}.oct"
  done
fi
mkdir -p "$package/packinfo"
cp "$top/DESCRIPTION" "$top/INDEX" "$top/COPYING" "$top/NEWS" "$package/packinfo/"
if [ "$(cat "$build/octave/place" 2> /dev/null)" != "$package" ] || ! ls -d "$package"/*-api-* > /dev/null 2>&1; then
  ln -srfn "$build/src" "$package/$(octave-cli --norc --no-history --eval "
    printf ('%s', [__octave_config_info__('canonical_host_type'), '-', __octave_config_info__('api_version')])")"
  GPUREDUCE_PREFIX=$build/octave octave-cli --quiet --norc --no-history --eval "source ('$top/tools/use_build.m'); pkg rebuild"
  echo "$package" > "$build/octave/place"
fi
