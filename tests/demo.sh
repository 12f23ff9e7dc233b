#!/bin/sh
# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# make demo: the first table before the rest, and what an interruption after it leaves.
# CHECK_LONG=yes: to its end, too.
cd "$(dirname "$0")/.." || exit 1
. tests/expect.sh
work=$(pwd)/build/check/demo
rm -rf "$work"
mkdir -p "$work"
prefix=$work/octave
export GPUREDUCE_CUDA=no BENCH_SCALE=0.01

# Its own group, and an interrupt that it heeds, which what a shell runs aside does not.
interrupted_after_first_table () {
  setsid env --default-signal=INT tools/demo.sh "$prefix" > "$work/log" 2>&1 &
  demo=$!
  for _ in $(seq 3000); do
    grep -q "Not built yet:" "$work/log" && break
    kill -0 $demo 2> /dev/null || break
    sleep 0.1
  done
  sleep "$1"
  kill -s INT -- -$demo
  wait $demo
  cat "$work/log"
}
works () { tools/octave "$work/sum.m" "$prefix"; }
echo 'disp (gpu_sum (1:10)); x = rande (1e5, 1); assert (gpu_max (x), max (x));' > "$work/sum.m"
lines_in_order () { grep -n -o -e 'array: histogram' -e 'Not built yet:' -e 'All is installed' "$work/log" | cut -d : -f 2- | tr '\n' ' '; }

expect "the first table comes, and then what is not built yet" "Not built yet:" interrupted_after_first_table 0
expect "the table comes before it, and nothing after it when interrupted" "^array: histogram Not built yet: $" lines_in_order
expect "what an interruption leaves works" 55 works
expect "it says what it lacks" "no simulator of the ladder" cat "$prefix"/gpureduce-*/gpureduce_build.txt
part_is_not_whole () { ! ASK=yes tools/install.sh build/gpureduce-*.[0-9].tar.gz "$prefix"; }
expect "and is not taken for the whole" "" part_is_not_whole
# The rest is being installed by then.
expect "again" "Not built yet:" interrupted_after_first_table 5
expect "an interrupted installation leaves what was there" 55 works

if [ "$CHECK_LONG" = yes ]; then
  expect "the demo ends" "All is installed: CPU backend (.*); no CUDA" sh -c 'tools/demo.sh "$1" > "$2/log" && cat "$2/log"' sh "$prefix" "$work"
  expect "with the rest after the first table" "^array: histogram Not built yet: All is installed $" lines_in_order
  expect "and what it left is the whole" "" env ASK=yes tools/install.sh build/gpureduce-*.[0-9].tar.gz "$prefix"
fi
