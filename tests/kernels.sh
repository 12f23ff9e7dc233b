#!/bin/sh
# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The installed CUDA modules: at most 1710 kernels, so that they stay quick to build and
# small; and the rows of the ladder that call libraries.
cd "$(dirname "$0")/.." || exit 1
. tests/expect.sh

kernels=0
bytes=0
for module in $(find build/octave -name 'gpureduce_*.so' ! -name gpureduce_mpi.so ! -name gpureduce_hdf5.so); do
  # Each kernel is registered by its name, a string in the module; so are constants
  # of CUB's and Thrust's headers, which are none.
  objcopy -O binary --only-section=.rodata "$module" build/check/rodata || exit 1
  here=$(strings -a build/check/rodata | grep '^_Z' | grep -v '^_ZN[0-9]*_INTERNAL_' | sort -u | wc -l)
  expect "$(basename "$module") has kernels" "" test "$here" -gt 0
  kernels=$((kernels + here))
  bytes=$((bytes + $(wc -c < "$module")))
done
if [ "$bytes" = 0 ]; then
  skip "kernels not counted: no CUDA module"
  exit
fi
echo "$kernels kernels, $bytes bytes"
expect "at most 1710 kernels" "" test "$kernels" -le 1710

# An elementwise kernel that keeps anything in local memory writes it there for each element (doc/experiments.md).
cat > build/check/expression.cu <<'EOF'
#include "compiled/prelude.cuh"
#include "compiled/map.cuh"
struct expression
{
  typedef f32 Z;
  typedef f32 A;
  static constexpr bool fours = true, narrow = true, placed = false, z_vectors = true;
  static constexpr int rank = 1, made = GPR_MADE_NUMBER;
  template <int N> struct terms
  {
    map_terms_of<expression, f32, 0, GPR_MAP_VECTORS, N> x0;
    __device__ __forceinline__ void read (const gpr_terms_args &a, const map_place &p) { x0.read (a, p); }
    __device__ __forceinline__ void read_at (const gpr_terms_args &a, i64 i) { x0.read_at (a, i); }
    template <class W> __device__ __forceinline__ A at (const gpr_terms_args &a, int j, W &w) const { return w.plus_ (x0.at (j), (f32) a.numbers[1]); }
  };
};
extern "C" __global__ void __launch_bounds__ (GPR_MAP_THREADS, 8) compiled (const __grid_constant__ gpr_compiled_map_args a) { map_compiled<expression, 4> (a); }
EOF
for nvcc in "$GPUREDUCE_NVCC" "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" nvcc; do
  [ -n "$nvcc" ] && command -v "$nvcc" > /dev/null && break
done
frames () {
  said=$("$nvcc" -cubin -arch=sm_90 -std=c++17 -fmad=false -w -Xptxas -v -Ikernels/engine -o build/check/expression.cubin build/check/expression.cu 2>&1) || return 1
  frames=$(echo "$said" | grep 'bytes stack frame')
  [ -n "$frames" ] && echo "$(echo "$frames" | grep -vc '^ *0 bytes') functions with a frame"
}
expect "a compiled expression keeps nothing in local memory" "^0 functions with a frame" frames

ladder=$(find build/octave -name gpureduce_ladder.so)
if [ -n "$ladder" ]; then
  ${CC:-cc} -std=gnu11 -o build/check/library_rows tests/library_rows.c -ldl && build/check/library_rows "$ladder"
fi
