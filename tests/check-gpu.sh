#!/bin/sh
# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# tests/check-gpu.sh: the tests of the package installed in build/octave that need
# a GPU.  build/check-gpu.txt gets what is printed.
cd "$(dirname "$0")/.." || exit 1
. tests/stages.sh
ALONE='make check-gpu STAGES='
GPUREDUCE_DEVICE=gpu
export GPUREDUCE_DEVICE

# sanitize TOOL CODE
sanitize () {
  sanitizer=$(PATH="$PATH:${CUDA_HOME:-/usr/local/cuda}/bin" command -v compute-sanitizer)
  if [ -z "$sanitizer" ]; then
    echo "compute-sanitizer is missing: it comes with the CUDA toolkit"
    return 1
  fi
  "$sanitizer" --tool "$1" --target-processes all --error-exitcode 99 \
    octave-cli --quiet --norc --no-history --eval "source ('tools/use_build.m'); pkg load gpureduce; $2" \
    && echo "1 passed, 0 failed"
}

# The counters that METRICS name and those of every instruction, as two tables.
METRICS=l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum,l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum
METRICS=$METRICS,smsp__sass_inst_executed_op_shared_ld.sum,smsp__sass_inst_executed_op_shared_st.sum
counters () {
  ncu=$(PATH="$PATH:${CUDA_HOME:-/usr/local/cuda}/bin" command -v ncu)
  if [ -z "$ncu" ]; then
    echo "ncu is missing: it comes with the CUDA toolkit"
    return 1
  fi
  report=build/check/counters.ncu-rep
  COUNTERS=1 "$ncu" -f --clock-control none --target-processes all --section SourceCounters --metrics $METRICS -o $report \
    tools/octave tests/counters.m || return 1
  "$ncu" -i $report --page raw --csv > build/check/counters-kernels.csv
  "$ncu" -i $report --page source --print-source sass --csv > build/check/counters-instructions.csv
  tools/octave tests/counters.m
}

# under TOOL SCRIPT: the script of tests/gpu, thinned, since every launch takes long.
under () (
  SANITIZED=1
  export SANITIZED
  sanitize "$1" "source ('tests/gpu/$2.m')"
)

# Below the gateway: every instance against a plain reading of kernels/common/tree.h.
engine () {
  cc -std=gnu11 -O2 -fopenmp -ffp-contract=off -o build/check/engine_check tests/gpu/engine_check.c -ldl -lm \
    && build/check/engine_check "$(find build/octave -name gpureduce_cuda.so)" "$@"
}
# Medians, quantiles and the k greatest against sorted columns.
selection () {
  cc -std=gnu11 -O2 -ffp-contract=off -o build/check/select_check tests/gpu/select_check.c -ldl -lm \
    && build/check/select_check "$(find build/octave -name gpureduce_cuda.so)" 2000
}

run_all () {
  nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader || return 1
  date -u '+%Y-%m-%d %H:%M UTC'
  echo "commit ${GPUREDUCE_COMMIT:-$(git rev-parse --short HEAD 2> /dev/null || echo unknown)}"
  octave-cli --version | head -n 1
  cat build/octave/gpureduce-*/gpureduce_build.txt

  stage functions tools/octave tests/installed.m
  stage rules     tools/octave tests/rules.m
  stage scripts   tools/octave tests/scripts.m
  for script in tests/gpu/*.m; do
    stage "$(basename "$script" .m)" tools/octave "$script"
  done
  stage gpus-of-ranks env RANKS_ONLY_CASES=gpus RANKS_ROUNDS=500 tests/ranks.sh
  stage fuzz      env FUZZ_ROUNDS=300 tools/octave tests/fuzz.m
  stage engine    engine
  stage selection selection
  stage counters  counters
  for tool in memcheck initcheck synccheck; do
    stage $tool sanitize $tool "gpu_selftest ('quick')"
  done
  # Of sums, extremes and tables: of what else goes from warp to warp (gpr_units_with_merge_warp, block_best) it knows barriers only.
  stage racecheck sanitize racecheck "y = randn (3000, 3001); gpu_sum (y, 'device', 'gpu'); gpu_sum (y', 'device', 'gpu');
    gpu_sum (y, 2, 'device', 'gpu'); gpu_max (single (y), [], 2, 'device', 'gpu'); gpu_sum (randn (100, 20000), 2, 'device', 'gpu');
    gpu_sum (randn (20, 5000), 'device', 'gpu'); gpu_max (uint8 (y), 'device', 'gpu'); gpu_sum (randn (10, 20000), 'device', 'gpu');
    for n = [10, 1000], accumarray (gpuArray (randi (n, 1e5, 1)), gpuArray (randn (1e5, 1)), [n, 1]); endfor;
    for s = {[40 90000], [333 500 9], [7 200000], [1540 120], [9 33 700]}, gather (var (gpuArray (randn (s{1})), 0, 2)); endfor;"
  for tool in memcheck initcheck synccheck racecheck; do
    for script in ladder products scan elementwise fused slices counted_expressions scanned_expressions; do
      stage $script-$tool under $tool $script
    done
  done
  total
}

{ run_all; echo $? > build/check/status; } 2>&1 | tee build/check-gpu.txt
exit "$(cat build/check/status)"
