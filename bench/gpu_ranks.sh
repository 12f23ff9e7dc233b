#!/bin/sh
# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# bench/gpu_ranks.sh [DEVICES...]: arrays divided over ranks of MPI, a GPU each, on so many GPUs of one host (all of them), beside PyTorch with
# NCCL; octave-cli, mpirun and python3 are on the PATH, and the package in build/octave (GPUREDUCE_PREFIX: elsewhere).  BENCH_BYTES: of each rank's
# array (8 GiB).  Prints a line for each time, also to build/gpu_ranks.csv, and then a table.
cd "$(dirname "$0")/.." || exit 1
prefix=${GPUREDUCE_PREFIX:-$(pwd)/build/octave}
lines=build/gpu_ranks.csv
mkdir -p build
: "${OMP_NUM_THREADS:=4}"
# NVLink multicast stays off, whoever asks for it.
NCCL_NVLS_ENABLE=0 TORCH_SYMM_MEM_DISABLE_MULTICAST=1 NVSHMEM_DISABLE_NVLS=1 OCTAVE_HISTFILE=/dev/null
export OMP_NUM_THREADS NCCL_NVLS_ENABLE TORCH_SYMM_MEM_DISABLE_MULTICAST NVSHMEM_DISABLE_NVLS OCTAVE_HISTFILE

# The NCCL that PyTorch brings, where the system has none.
: "${GPUREDUCE_NCCL=$(python3 -c 'import nvidia.nccl; print (list (nvidia.nccl.__path__)[0] + "/lib/libnccl.so.2")' 2> /dev/null)}"
export GPUREDUCE_NCCL

fail () { echo "gpu_ranks: $*" >&2; exit 1; }
command -v mpirun > /dev/null || fail "mpirun is missing (tools/mpi-bundle.sh)"
[ $# -gt 0 ] || set -- "$(nvidia-smi -L 2> /dev/null | grep -c '^GPU')"
[ "$1" -gt 0 ] || fail "there is no GPU: give a number of ranks to try without"

ours () {
  set -- "$1"
  if mpirun --version | grep -q 'Open MPI'; then
    set -- "$@" --bind-to none
    [ "$(nproc)" -ge "$1" ] || set -- "$@" --oversubscribe
    [ "$(id -u)" != 0 ] || set -- "$@" --allow-run-as-root
  fi
  n=$1
  shift
  mpirun "$@" -n "$n" tools/octave bench/gpu_ranks.m "$prefix"
}

# The first one alone: in a prefix that was moved it makes the lists of packages.
BENCH_BYTES=8000000 ours 1 > /dev/null || fail "a job of one rank does not run"
{
  echo "# $(date -u '+%Y-%m-%d %H:%M UTC'), commit ${GPUREDUCE_COMMIT:-$(git rev-parse --short HEAD 2> /dev/null || echo unknown)}"
  nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2> /dev/null | sort | uniq -c | sed 's/^/# /'
  echo "who,class,operation,devices,bytes,one_us,all_us"
  for n; do
    ours "$n" || echo "# gpureduce on $n: failed"
    if python3 -c 'import torch' 2> /dev/null; then
      python3 bench/gpu_ranks.py "$n" || echo "# PyTorch on $n: failed"
    fi
  done
} | tee $lines

# Shares: of as many times one device's rate.  Of PyTorch's ways the one that is faster on all.
awk -F, '
  function cell(k) {
    if (! (k in all)) return " | | |"
    if (short[k]) return sprintf (" %.1f us | %.1f us | |", one[k], all[k])
    return sprintf (" %.0f | %.0f%s | %.3f |", bytes[k] / one[k] / 1e3, devices[k] * bytes[k] / all[k] / 1e3, how[k], one[k] / all[k])
  }
  /^(gpureduce|PyTorch),/ {
    op = $3; way = ""
    if (at = index (op, " by ")) { way = " (" substr (op, at + 1) ")"; op = substr (op, 1, at - 1) }
    key = $2 " | " op " | " $4
    if (! (key in seen)) { seen[key]; order[++rows] = key }
    k = key SUBSEP $1
    if (! (k in all) || $7 + 0 < all[k]) { devices[k] = $4; bytes[k] = $5; one[k] = $6 + 0; all[k] = $7 + 0; how[k] = way; short[k] = op ~ /short/ }
  }
  END {
    print "\n| class | operation | GPUs | gpureduce: one, GB/s | all, GB/s | share | PyTorch: one, GB/s | all, GB/s | share |"
    print "|---|---|---|---|---|---|---|---|---|"
    for (r = 1; r <= rows; r++)
      print "| " order[r] " |" cell(order[r] SUBSEP "gpureduce") cell(order[r] SUBSEP "PyTorch")
  }' $lines
if grep -q '^# .*: failed' $lines; then
  exit 1
fi
