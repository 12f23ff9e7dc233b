#!/bin/sh
# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# tools/setup.sh: says what is here, and on Debian or Ubuntu installs what is
# missing, when it may.  SETUP=no: does nothing.
[ "$SETUP" != no ] || exit 0
cd "$(dirname "$0")/.." || exit 1

have () { command -v "$1" > /dev/null 2>&1; }
say () { printf '  %-14s %s\n' "$1" "$2"; }

look () {
  missing= required=
  need octave-cli octave     octave-cli --version
  need mkoctfile  octave-dev mkoctfile --version
  need gcc        gcc        gcc --version
  need g++        g++        g++ --version
  need make       make       make --version
  wish gnuplot    gnuplot-nox gnuplot --version
  # Ranks: what joins them is compiled by mpicc.
  wish mpirun     openmpi-bin mpirun --version
  wish mpicc      libopenmpi-dev mpicc --version
  # HDF5 and MAT 7.3 files.
  if ls /usr/include/hdf5.h /usr/include/hdf5/serial/hdf5.h 2> /dev/null | grep -q .; then
    say hdf5 "libhdf5"
  else
    say hdf5 "missing"
    missing="$missing libhdf5-dev"
  fi
  # Octave prints no picture without Ghostscript, and draws no axes without its
  # font, which Debian has in a package of its own.
  wish gs         ghostscript gs --version
  if [ -e /usr/share/fonts/opentype/freefont/FreeSans.otf ] || ls /usr/share/octave/*/fonts/*.otf > /dev/null 2>&1; then
    say font "FreeSans"
  else
    say font "missing"
    missing="$missing fonts-freefont-otf"
  fi
  # The simulator's fibers; without it they are slower.
  if [ -e /usr/include/boost/context/detail/fcontext.hpp ]; then
    say boost "Boost.Context"
  else
    say boost "missing"
    missing="$missing libboost-context-dev"
  fi
  [ -z "$missing" ] || return 1
}

# need PROGRAM PACKAGE VERSION-COMMAND...; wish: the same, but we get by without.
need () {
  wish "$@"
  have "$1" || required="$required $1"
}
wish () {
  program=$1 package=$2
  shift 2
  if have "$program"; then
    say "$program" "$("$@" 2>&1 | head -n 1)"
  else
    say "$program" "missing"
    missing="$missing $package"
  fi
}

# take NVCC [WRONG]: the first that is there is the one; WRONG says what is wrong with the
# user's setting where it is not.
take () {
  if [ -n "$nvcc" ]; then
    return
  elif have "$1"; then
    nvcc=$(command -v "$1")
  elif [ -n "$2" ]; then
    say nvcc "passed over: $2"
  fi
}

# Nothing of CUDA is installed: it is large, and the driver is the owner's choice.  The places
# are those of src/configure.
look_for_gpu () {
  nvcc=
  if [ -n "$GPUREDUCE_NVCC" ]; then
    take "$GPUREDUCE_NVCC" "GPUREDUCE_NVCC=$GPUREDUCE_NVCC is no program"
  else
    [ -z "$CUDACXX" ] || take "$CUDACXX" "CUDACXX=$CUDACXX is no program"
    [ -z "$CUDA_HOME" ] || take "$CUDA_HOME/bin/nvcc" "CUDA_HOME=$CUDA_HOME has no bin/nvcc"
    [ -z "$CUDA_PATH" ] || take "$CUDA_PATH/bin/nvcc" "CUDA_PATH=$CUDA_PATH has no bin/nvcc"
    take nvcc
    take /usr/local/cuda/bin/nvcc
  fi
  if [ -n "$nvcc" ]; then
    say nvcc "$nvcc, $("$nvcc" --version 2> /dev/null | sed -n 's/.*\(release [0-9.]*\).*/\1/p')"
  else
    say nvcc "none: only the CPU backend will be built (the CUDA toolkit brings nvcc)"
  fi
  if [ -r /proc/driver/nvidia/version ]; then
    say driver "$(sed -n '1s/NVRM version: *//p' /proc/driver/nvidia/version)"
  else
    say driver "none"
  fi
  gpus=$(nvidia-smi -L 2> /dev/null | sed -n 's/ (UUID.*//p')
  say GPU "${gpus:-none: the functions will run on the CPU}"
}

echo "set-up: this machine has"
look
found_all=$?
look_for_gpu
[ $found_all != 0 ] || exit 0

if ! have apt-get; then
  echo "set-up: install with this system's package manager:$missing"
  [ -z "$required" ]
  exit
fi
as_root=
if [ "$(id -u)" != 0 ] && have sudo && sudo -n true 2> /dev/null; then
  as_root="sudo -n"
fi
mkdir -p build
if [ "$(id -u)" = 0 ] || [ -n "$as_root" ]; then
  $as_root apt-get update > build/setup.log 2>&1 || tail -n 3 build/setup.log
fi
# Older releases have the headers in another package.
if ! apt-cache show octave-dev > /dev/null 2>&1 && apt-cache show liboctave-dev > /dev/null 2>&1; then
  missing=$(echo "$missing" | sed 's/octave-dev/liboctave-dev/')
fi
command="apt-get install -y --no-install-recommends$missing"

if [ "$(id -u)" != 0 ] && [ -z "$as_root" ]; then
  echo "set-up: missing; as root: $command"
  [ -z "$required" ]
  exit
fi
echo "set-up: $command"
$as_root env DEBIAN_FRONTEND=noninteractive $command >> build/setup.log 2>&1 || tail -n 5 build/setup.log
echo "set-up: now"
look || echo "set-up: still missing:$missing (build/setup.log says why)"
[ -z "$required" ]
