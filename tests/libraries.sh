#!/bin/sh
# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# tests/libraries.sh dev | package [RULE]: tests/linear.tst on a GPU and libraries that are not there: src/cuda's files for
# linear algebra and Fourier transforms, over BLAS and LAPACK in host memory (tests/libraries).  Wants the CUDA toolkit's
# headers; on what tools/compile.sh has built so, and of the package tools/install.sh installed.
cd "$(dirname "$0")/.." || exit 1
nvcc=$(sed -n 's/^NVCC = //p' build/package/src/config-cuda.mk 2> /dev/null)
headers=$(${nvcc:-nvcc} --dryrun -c -x cu /dev/null -o /dev/null 2>&1 | sed -n 's/^#\$ INCLUDES=//p' | tr -d '"')
work=build/libraries
case $1 in
  dev) isas=baseline prefix=$(pwd)/build/dev/octave ;;
  package) isas=$(sed -n 's/^ISAS = //p' build/package/src/config.mk) prefix=$(pwd)/build/octave ;;
esac
objects=$(for source in src/core/*.c src/cpu/*.c src/cpu/isa/*.c; do
  object=build/$1/src/obj/${source#src/} object=${object%.c}
  case $source in
    */isa/*) for isa in $isas; do echo "${object}_$isa.o"; done ;;
    *) echo "$object.o" ;;
  esac
done)
# shellcheck disable=SC2086
echo '#include <cusolverDn.h>' | ${CC:-gcc} $headers -E -x c - > /dev/null 2>&1 || { echo "0 passed, 0 failed, 1 skipped: no headers of cuBLAS and cuSOLVER"; exit 0; }
mkdir -p $work
flags="-std=gnu11 -O1 -g -Wall -fPIC -fvisibility=hidden -fopenmp $headers"
version () { sed -n "s/^.*define $1 *//p" "$(for i in $headers; do ls "${i#-I}/$2" 2> /dev/null; done | head -n 1)" | head -n 1; }
# shellcheck disable=SC2086
${CC:-gcc} $flags -shared -o $work/libcublas.so."$(version CUBLAS_VER_MAJOR cublas_api.h)" tests/libraries/libraries.c -l:liblapack.so.3 -l:libblas.so.3 -lm || exit 1
ln -sf libcublas.so."$(version CUBLAS_VER_MAJOR cublas_api.h)" $work/libcusolver.so."$(version CUSOLVER_VER_MAJOR cusolver_common.h)"
ln -sf libcublas.so."$(version CUBLAS_VER_MAJOR cublas_api.h)" $work/libcufft.so."$(version CUFFT_VER_MAJOR cufft.h)"
# shellcheck disable=SC2086
${CC:-gcc} $flags -DGPR_CUDA_FOLDER='"/nowhere"' -shared -o $work/gpureduce_cuda.so tests/libraries/module.c src/cuda/libraries.c src/cuda/blas.c \
  src/cuda/linear.c src/cuda/fourier.c $objects -lm -ldl -Wl,-z,defs || exit 1
GPUREDUCE_PREFIX=$prefix GPUREDUCE_CUDA_MODULE=$(pwd)/$work/gpureduce_cuda.so LD_LIBRARY_PATH=$(pwd)/$work TEST_FILE=tests/linear.tst TEST_RULE=$2
export GPUREDUCE_PREFIX GPUREDUCE_CUDA_MODULE LD_LIBRARY_PATH TEST_FILE TEST_RULE
tools/octave tests/one.m "$GPUREDUCE_PREFIX" && { [ -n "$2" ] || exec tools/octave tests/libraries/faults.m "$GPUREDUCE_PREFIX"; }
