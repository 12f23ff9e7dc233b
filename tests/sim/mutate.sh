#!/bin/sh
# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# tests/sim/mutate.sh [VARIANT...]: takes out each barrier, __syncwarp and fence
# of the rungs, one at a time; the simulator must object to each.  After run.sh.
cd "$(dirname "$0")/../.." || exit 1
top=$(pwd)
work=$top/build/sim
GPUREDUCE_SIM=$work/gpureduce_sim
export GPUREDUCE_SIM
command=$(make -s -C kernels/sim sim-module-command)
rm -rf "$work/mutants"
mkdir -p "$work/mutants/ladder" "$work/mutants/sim"
cp -r kernels/common kernels/ops "$work/mutants"
cp kernels/sim/*.h kernels/sim/module.cpp "$work/mutants/sim"
cp kernels/ladder/*.h "$work/mutants/ladder"
passed=0 failed=0

# try NAME WHAT: the mutant in the folder.
try () {
  m=$work/mutants/ladder/$1.cu
  # One operator and class, or two, are enough.
  sed -i "s/^  REDUCE_KERNELS (v, \(.*\));/  LADDER_SET (v, LADDER_SUM, LADDER_SINGLE, \1<Sum<float>>)/
          s/^  REDUCE_KERNELS_BY_BLOCK (v, \(.*\));/  LADDER_SET_BLOCKS (v, LADDER_SUM, LADDER_SINGLE, \1, Sum<float>)/" "$m"
  $(echo "$command" | sed "s|OUT|$work/mutant.so|; s|FILE|$m|; s|$top/kernels|$work/mutants|g; s|/mutants/sim/../ladder|/mutants/ladder|g") || exit 1
  op=sum type=single finishes="two_pass last_block"
  case $1 in
    warp_reduce_hw) type=int32 ;;
    shuffle_pairs) op=argmax ;;
    packed_atomic) op=argmax finishes=atomic ;;
    cooperative) finishes=grid_sync ;;
    block_shared | warp_private) op=histogram type=uint8 ;;
  esac
  [ -z "$3" ] || finishes=$3
  for finish in $finishes; do
    for block in 256 1024 64; do
      for n in 1000 4000; do
        got=$("$work/run_one" "$1" $op $type $n $block $finish module="$work/mutant.so" fill=random seconds=20)
        case $got in
          "status 1: "*) passed=$((passed + 1)); echo "$2: ${got#status 1: }" | cut -c1-160; return ;;
        esac
      done
    done
  done
  failed=$((failed + 1))
  echo "FAILED: $2 is not missed: $got"
}

pattern='__syncthreads *()\|__syncwarp *()\|__threadfence *()\|sync *();\|warp\.sync ()'
for f in ${*:-$(ls kernels/ladder/*.cu | xargs -n1 basename | sed 's/\.cu$//')}; do
  case $f in module | engine | cub* | thrust | cublas | bug_*) continue ;; esac
  count=$(grep -c "$pattern" "kernels/ladder/$f.cu")
  for line in $(grep -n "$pattern" "kernels/ladder/$f.cu" | cut -d: -f1); do
    times=$(sed -n "${line}p" "kernels/ladder/$f.cu" | grep -o "$pattern" | wc -l)
    for k in $(seq "$times"); do
      sed "${line}s/[a-z_.:() ]*\(__syncthreads\|__syncwarp\|__threadfence\|sync\) *();*/;/$k" "kernels/ladder/$f.cu" >"$work/mutants/ladder/$f.cu"
      try "$f" "$f.cu:$line"
    done
  done
done
if [ $# = 0 ]; then
  cp kernels/ladder/sequential.cu "$work/mutants/ladder"
  # Not the fence after the atomic: the simulator asks for the writer's only.
  for line in $(awk '/__syncthreads \(\);|__threadfence \(\);|sync \(\);/ && last !~ /atomic/ { print NR } { last = $0 }' kernels/ladder/ladder.h); do
    sed "${line}s/[a-z_.:() ]*\(__syncthreads\|__threadfence\|sync\) *();/;/" kernels/ladder/ladder.h >"$work/mutants/ladder/ladder.h"
    try sequential "ladder.h:$line" "two_pass last_block grid_sync"
  done
fi
echo "$passed passed, $failed failed"
[ $failed = 0 ]
