#!/bin/sh
# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# tests/emulated.sh [scan | histogram | reduce | products | exact | scatter | selection | modes | map | slices | counts | complex | lists | generate | convert]: kernels compiled for the CPU and
# run there
# (tests/emulated).  EMULATED_FLAGS=-fsanitize=address finds reads and writes outside of
# arrays, in a few minutes.
cd "$(dirname "$0")/.." || exit 1
work=build/emulated
fake=tests/unit/fake_cuda
mkdir -p $work
touch $work/begun
flags="-rdynamic -ffp-contract=off -fopenmp -fpermissive -w -I$fake $EMULATED_FLAGS"
# Samples of select.c mislead now and then here, and launches have few blocks.
host="${CC:-gcc} -std=gnu11 -O1 -fno-math-errno -fno-trapping-math -ffp-contract=off -fopenmp -DGPR_SELECT_SIGMAS=2 -DGPR_CUDA_BLOCKS_EACH=2 -DGPR_CUDA_ELEMENT_BLOCKS_EACH=2 -DGPR_SCAN_HOST_TILES=3 -DGPR_SCAN_MANY=60 -DGPR_COUNT_LONG=2000 -DGPR_COUNT_LONG_OF_MANY=3000 -DGPR_CUDA_FOLDER=\"\""

# The threads of a CPU backend that waits for a core would wait for each other.
OMP_NUM_THREADS=1
export OMP_NUM_THREADS
# How many random arrays are compared with the rules of bins, how many launches, and how many elements relieve packed counters.
histogram_rounds='400 24 100000'
reduce_problems="5 2" scatter_rounds=70 selection_rounds=50 mode_rounds=120 product_rounds=12 map_rounds='150 2' scan_rounds='150 2' complex_rounds=200 list_rounds=200 generate_rounds=200 convert_rounds=800 slices_rounds=36 counts_rounds=6
[ "$CHECK_LONG" != yes ] || histogram_rounds='4000 200 300000' reduce_problems="84 24" scatter_rounds=1500 selection_rounds=600 mode_rounds=4000 product_rounds=200 map_rounds='4000 200' scan_rounds='600 100' complex_rounds=6000 list_rounds=6000 generate_rounds=4000 convert_rounds=20000 slices_rounds=200 counts_rounds=120

# emulate NAME ROUNDS SOURCE...: the program, with the C files whose kernels or results it checks.
# Those of reductions and cumulative functions run on a fake CUDA runtime.
emulate () {
  name=$1 rounds=$2 objects=
  shift 2
  for source; do
    object=$work/$(echo "$source" | tr / _).o
    # Several programs have it: once a run.
    [ "$object" -nt $work/begun ] || $host -I$fake -c -o "$object" "$source" || return 1
    objects="$objects $object"
  done
  # -O1 saves more than it costs for these alone; the reductions take minutes to compile with it.
  case $name in histogram | products | modes) level=-O1 ;; *) level=-O0 ;; esac
  # shellcheck disable=SC2086
  ${CXX:-g++} -std=gnu++20 $level $flags -o $work/"$name" tests/emulated/"$name".cpp $objects && $work/"$name" $rounds
}
backend='error probe device memory ring stream modules session'
# compiled NAME ROUNDS SOURCE...: as emulate, with a fake NVRTC.  Most of the time of its texts would go into the C++ library's
# headers: they are compiled beforehand.
text="g++ -std=gnu++20 -O0 -fPIC -fvisibility=hidden -ffp-contract=off -fpermissive -w -I$work -Itests/emulated"
compiled () {
  mkdir -p $work/libraries
  if [ ! $work/libraries/libcuda.so.1 -nt $work/begun ]; then           # once a run
    { for packed in map reduce histogram scan slices; do src/pack-kernels $packed kernels/engine/compiled/prelude.cuh kernels/engine/compiled/$packed.cuh || return 1; done; } > $work/packed.c &&
    $text -x c++-header -o $work/prelude.h.gch tests/emulated/prelude.h &&
    ${CXX:-g++} -std=gnu++20 -O0 -fPIC -shared -I$fake -DCOMPILE="\"$text\"" -o $work/libraries/libnvrtc.so.13 tests/emulated/nvrtc.cpp &&
    cp $work/libraries/libnvrtc.so.13 $work/libraries/libcuda.so.1 || return 1
  fi
  (
    export LD_LIBRARY_PATH=$work/libraries
    [ "$CHECK_LONG" != yes ] || REAL_NVRTC=$(ls "${CUDA_HOME:-/usr/local/cuda}"/lib64/libnvrtc.so 2> /dev/null)        # where there is one
    export REAL_NVRTC
    emulate "$@" $(for file in $backend map slices compile source kernel_files; do echo src/cuda/$file.c; done) $work/packed.c $fake/fake_cuda.c \
      src/cpu/map.c src/cpu/copy.c src/cpu/isa/map.c src/core/instances.c
  )
}
map () { compiled map "$map_rounds" src/cpu/isa/random.c; }
slices () { compiled slices $slices_rounds; }
counts () { compiled counts $counts_rounds $(for file in count histogram; do echo src/cuda/$file.c; done) src/cpu/count.c src/cpu/isa/slots.c tests/emulated/slots.c; }
scan () { compiled scan "$scan_rounds" src/cpu/scan.c src/cpu/isa/scan.c src/cuda/scan.c src/cuda/scan_piece.c; }
histogram () { emulate histogram "$histogram_rounds" src/cpu/count.c src/cpu/isa/slots.c tests/emulated/slots.c src/cuda/histogram.c src/core/instances.c; }
reduce () { compiled reduce "$reduce_problems" $(for file in reduce reduce_partial reduce_plan reduce_share; do echo src/cuda/$file.c; done) src/ranks/parts.c; }
products () { emulate products $product_rounds $(for file in $backend settle; do echo src/cuda/$file.c; done) $fake/fake_cuda.c; }
# Host sides and the CPU's sums, with which the kernels' are compared.
exact () {
  emulate exact "" $(for file in $backend exact; do echo src/cuda/$file.c; done) $fake/fake_cuda.c \
    src/cpu/exact.c src/cpu/exact_rows.c src/cpu/isa/exact.c src/core/instances.c
}
scatter () {
  emulate scatter $scatter_rounds src/cpu/scatter.c src/cpu/scatter_few.c src/cpu/scatter_steps.c src/cpu/isa/vector.c src/cpu/isa/random.c src/cpu/isa/exact.c src/cpu/isa/index.c src/cpu/isa/slots.c \
    $(for file in $backend scatter scatter_chunk scatter_memory; do echo src/cuda/$file.c; done) $fake/fake_cuda.c
}
selection () { emulate selection $selection_rounds $(for file in $backend select rank read_keys; do echo src/cuda/$file.c; done) $fake/fake_cuda.c; }
modes () { emulate modes $mode_rounds $(for file in $backend mode; do echo src/cuda/$file.c; done) $fake/fake_cuda.c; }
complex () { emulate complex $complex_rounds $(for file in $backend complex; do echo src/cuda/$file.c; done) $fake/fake_cuda.c src/cpu/complex.c src/core/instances.c; }
generate () {
  emulate generate $generate_rounds $(for file in $backend generate; do echo src/cuda/$file.c; done) $fake/fake_cuda.c \
    src/cpu/generate.c src/cpu/isa/random.c src/core/instances.c
}

convert () { emulate convert $convert_rounds $(for file in $backend convert; do echo src/cuda/$file.c; done) $fake/fake_cuda.c src/cpu/convert.c src/core/instances.c; }
lists () { emulate lists $list_rounds $(for file in $backend lists; do echo src/cuda/$file.c; done) $fake/fake_cuda.c src/cpu/lists.c src/core/instances.c; }

status=0
for name in ${*:-scan histogram reduce products exact scatter selection modes map slices counts complex lists generate convert}; do
  $name || { status=1; echo "  alone: make test T=emulated_$name"; }
done
exit $status
