#!/bin/sh
# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# tests/one.sh NAME: one test, on the development build (make test T=NAME).  NAME is
#
#   a function         gpu_sum: the %! tests of inst/gpu_sum.m
#   a file of rules    memory: tests/memory.tst
#   a rule             errors, or some words of one: the blocks with that in the comment of
#                      their first line; or the unit test that says rule ("...")
#   a unit test        fixup_test, quick; or as make check runs it: fixup_test.checked,
#                      reduce_test.serial, reduce_test.fast.avx2; threads_test.raced
#   emulated kernels   emulated_scan, emulated_histogram, emulated_reduce, emulated_products, emulated_exact, emulated_scatter, emulated_selection, emulated_modes, emulated_map, emulated_slices, emulated_counts, emulated_complex, emulated_lists, emulated_generate, emulated_convert
#   a stage            scripts, fuzz, own, injected, libraries, notebooks, ranks, selftest, sim, layers and the others of
#                      tests/check.sh
cd "$(dirname "$0")/.." || exit 1
name=$1
if [ -z "$name" ]; then
  sed -n '5,/^cd/{/^cd/d;s/^# \{0,1\}//;p}' "$0"
  exit 2
fi
base=${name##*/}
base=${base%.*}
GPUREDUCE_PREFIX=$(pwd)/build/dev/octave
export GPUREDUCE_PREFIX
unset MAKEFLAGS                 # a make of its own, with all cores

octave () { TEST_FILE=$1 TEST_RULE=$2 exec tools/octave tests/one.m "$GPUREDUCE_PREFIX"; }
compile () { tools/compile.sh dev || exit 1; }
unit () { exec make -j "$(nproc)" --no-print-directory -C tests/unit runs="$1"; }

# ---- files ----------------------------------------------------------------------

for file in "inst/$base.m" "tests/$base.tst"; do
  if [ -f "$file" ]; then
    compile
    octave "$file" ""
  fi
done
for unit in "${name%%.*}" "${name%%.*}_test"; do
  [ -f "tests/unit/$unit.c" ] || continue
  case $name in
    *.*) unit "$unit.${name#*.}" ;;
    *) unit "$unit.dev" ;;
  esac
done
case $name in emulated_*) exec tests/emulated.sh "${name#emulated_}" ;; esac

# ---- stages ---------------------------------------------------------------------

case $name in
  own) compile && exec tools/octave tests/octave_own.m "$GPUREDUCE_PREFIX" ;;
  fuzz | injected | selftest | scripts) compile && exec tools/octave "tests/$name.m" "$GPUREDUCE_PREFIX" ;;
  ranks) compile && exec tests/ranks.sh "$GPUREDUCE_PREFIX" ;;
    sim) compile && SIM_BUILD=$(pwd)/build/dev/src exec tests/sim/run.sh ;;
  emulated) exec tests/emulated.sh ;;
  notebooks) compile && exec tests/notebooks.sh "$GPUREDUCE_PREFIX" ;;
  libraries) compile && exec tests/libraries.sh dev ;;
  unit) exec make -j "$(nproc)" --no-print-directory -C tests/unit ;;
  rules) STAGES='rules-to-l rules-from-m' exec tests/check.sh ;;
  install | build | functions | rules-to-l | rules-from-m | kernels | package | nvcc | layers | demo) STAGES=$name exec tests/check.sh ;;
esac

# ---- a rule -----------------------------------------------------------------------

found=$(grep -l -e "^%![a-z].*#.*$name" inst/*.m tests/*.tst)
for file in $found; do
  compile
  (octave "$file" "$name") || failed=1
done
for file in $(grep -l -e "rule (\"[^\"]*$name" tests/unit/*_test.c); do
  file=${file##*/}
  (unit "${file%.c}.dev") || failed=1
  found=yes
done
if [ -z "$found" ]; then
  echo "no test is called '$name': a function, a file of rules, a rule, a unit test, or a stage"
  exit 2
fi
exit ${failed:-0}
