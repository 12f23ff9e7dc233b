#!/bin/sh
# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# tests/sim/run.sh: the simulator's own tests, in build/sim.  SIM_BUILD is the folder
# where it is built (tools/compile.sh); without, it is built in build/sim.  CXX, CC and
# BOOST_LIBS as for the build; SIM_SWEEP=full for every combination.
cd "$(dirname "$0")/../.." || exit 1
top=$(pwd)
work=$top/build/sim
: "${CC:=gcc}" "${CXX:=g++}"
mkdir -p "$work"
[ -z "$SIM_BUILD" ] || : "${BOOST_LIBS=$(sed -n 's/^BOOST_LIBS = *//p' "$SIM_BUILD/config.mk")}"
[ -e /usr/include/boost/context/detail/fcontext.hpp ] || : "${BOOST_LIBS=}"
: "${BOOST_LIBS=-lboost_context}"
export CC CXX BOOST_LIBS
[ -n "$SIM_BUILD" ] || make -s -C kernels/sim >"$top/build/sim-make.log" 2>&1 || { cat "$top/build/sim-make.log"; exit 1; }
built=${SIM_BUILD:-$work}
GPUREDUCE_SIM=$built/gpureduce_sim
export GPUREDUCE_SIM
passed=0 failed=0

# note GOOD WHAT [DETAIL]
note () {
  if [ "$1" = 0 ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $2${3:+: $3}"
  fi
}
# same WHAT GOT WANTED
same () { [ "$2" = "$3" ]; note $? "$1" "$2, not $3"; }
# says WHAT PATTERN TEXT
says () { case $3 in *"$2"*) note 0 "$1" ;; *) note 1 "$1" "$3" ;; esac; }
sim () { "$work/run_one" "$@"; }
names () { "$GPUREDUCE_SIM" --list "$1" | sed -n 's/.*"name":"\([a-z_]*\)".*/\1/p'; }

host="$top/src/ladder/simulator.c $top/src/core/status.c $top/src/core/system.c"
$CC -std=gnu11 -O2 -Wall -Wextra -o "$work/run_one" "$top/tests/sim/run_one.c" $host -lm -ldl || exit 1
$CC -std=gnu11 -O2 -Wall -Wextra -o "$work/host" "$top/tests/sim/host.c" $host -lm -ldl || exit 1
command=$(make -s -C kernels/sim sim-module-command)
for f in wrong right rude prints; do
  $(echo "$command" | sed "s|OUT|$work/$f.so|; s|FILE|$top/tests/sim/$f.cu|") || exit 1
done
objects=$(make -s -C kernels/sim sim-objects | tr ' ' '\n' | sed "s|^|$built/|")
# shellcheck disable=SC2086
$CXX -std=gnu++17 -O2 -fno-exceptions -rdynamic -o "$work/sweep" tests/sim/sweep.cpp $objects $BOOST_LIBS -ldl || exit 1

# ---- each kind of fault, with its line ----------------------------------------------
for v in $(names "$work/wrong.so"); do
  kind=$("$GPUREDUCE_SIM" --list "$work/wrong.so" | sed -n "s/.*\"name\":\"$v\".*\"fault\":\"\([a-z ]*\)\".*/\1/p")
  line=$(grep -n "HERE $v " tests/sim/wrong.cu | cut -d: -f1)
  finish=atomic seconds=60
  case $v in grid_exit) finish=grid_sync ;; no_result | half) finish=two_pass ;; esac
  [ "$kind" != "time limit" ] || seconds=0.3
  got=$(sim "$v" sum single 1000 128 $finish module="$work/wrong.so" seconds=$seconds report="$work/fault.json" frames)
  if [ -n "$line" ]; then
    says "$v" "status 1: $kind in $v at wrong.cu:$line: thread (" "$got"
    says "$v in the report" "\"kind\":\"$kind\",\"kernel\":\"$v\",\"file\":\"$top/tests/sim/wrong.cu\",\"line\":$line," "$(cat "$work/fault.json")"
  else
    says "$v" "status 1: $kind in $v: " "$got"
  fi
done
says "an address by its array" "reads x[1000] of 1000" "$(sim global_bounds sum single 1000 128 atomic module="$work/wrong.so")"
says "the other thread of a race" "; thread (0,0,0) of block (1,0,0) read it, with no barrier between (wrong.cu:" \
  "$(sim race_in_block sum single 1000 128 atomic module="$work/wrong.so")"
says "who waits in a deadlock" "and 127 more spins (wrong.cu:" "$(sim spin_plainly sum single 1000 128 atomic module="$work/wrong.so")"
says "what was lost" "999 where 1000 is right: 1 was lost" "$(sim loses_one sum double 1000 128 atomic module="$work/wrong.so")"

# ---- likely causes -------------------------------------------------------------------
# cause_of VARIANT WHAT RULE [ARGUMENT...]: the sentence in the message and in the report.
cause_of () {
  v=$1 what=$2 rule=$3
  shift 3
  got=$(sim "$v" sum single 1000 128 "${finish:-atomic}" module="$work/wrong.so" report="$work/fault.json" "$@")
  says "$rule" ". Likely cause: $what" "$got"
  says "$rule, in the report" "\"cause\":\"$what" "$(cat "$work/fault.json")"
}
at () { grep -n "$1 \*/" tests/sim/wrong.cu | cut -d: -f1; }
cause_of load_without_barrier "a __syncthreads () is missing between line $(at 'LOAD load_without_barrier') and line $(at 'HERE load_without_barrier')" \
  "a missing barrier after a load is named"
says "who writes too late" "of 128) before it is written; thread (64,0,0) of block (1,0,0) writes it afterwards, with no barrier between (wrong.cu:$(at 'LOAD load_without_barrier'))" "$got"
cause_of barrier_in_branch "the barrier is in a branch or a loop that not all threads take" "a barrier in a branch is no race"
cause_of no_barrier_in_loop "a __syncthreads () is missing at line $(at 'HERE no_barrier_in_loop')" "a missing barrier in a loop is named"
cause_of all_add_to_one "several threads change one element at line $(at 'HERE all_add_to_one'): it takes an atomic" "who all change one element need an atomic"
cause_of race_in_warp "a __syncthreads () is missing at line $(at 'HERE race_in_warp')" "lanes of a warp may use __syncwarp"
cause_of race_across_blocks "blocks run in any order" "a race of blocks is named"
cause_of dynamic_unwritten "shared memory holds nothing at first" "what no thread writes is no race"
cause_of no_end_with_barriers "a loop that does not end" "a loop without end is named" seconds=0.5
sim bug_no_syncwarp sum single 100 64 two_pass report="$work/r.json" frames >/dev/null
same "what its block does after a fault is not told" "$(sed -n 's/.*"step":1,.*"active":"\([^"]*\)".*/\1/p' "$work/r.json")" \
  "##.............................................................."
finish=two_pass
cause_of no_result "its thread 0 returns before it stores the block's result" "who left no result is named"
says "a block without a result is not the second pass's fault" "wrong result in no_result: block (2,0,0) leaves no result: it never writes partial[2] of 8" "$got"
says "of any level" "wrong result in no_result: block (2,0,0) leaves no result" "$(sim no_result sum single 1000 128 multi_level module="$work/wrong.so")"
got=$(sim half sum single 1024 128 two_pass module="$work/wrong.so" report="$work/fault.json")
says "a wrong result is the kernel's, not the second pass's" "wrong result in half: the sum is 512 where 1024 is right" "$got"
says "in the report too" '"kind":"wrong result","kernel":"half"' "$(cat "$work/fault.json")"
finish=

# ---- time limits, prints -----------------------------------------------------------------
says "a run has a time limit, and names the line" "time limit in no_end_with_barriers at wrong.cu:$(at 'HERE no_end_with_barriers'): thread (" \
  "$(sim no_end_with_barriers sum single 1000 128 atomic module="$work/wrong.so" seconds=0.5)"
says "and how long it was" " is still at work after 0.3 seconds" "$(sim no_end_in_a_warp sum single 1000 128 atomic module="$work/wrong.so" seconds=0.3)"
# A program that only tells what it is asked for: seconds of sim_request (request.h).
printf '#!/bin/sh\nod -A n -t f8 -j 48 -N 8 <&3 >&2\nexit 1\n' >"$work/asked"
chmod +x "$work/asked"
asked () { GPUREDUCE_SIM=$work/asked sim sequential sum single "$@" | sed 's/.*failed: *//'; }
same "a time limit of its own, by the number of elements" "$(asked 50000 256 two_pass) $(asked 1000000 256 two_pass)" "31 50"
same "seconds is another" "$(asked 50000 256 two_pass seconds=7)" 7
same "without end: no limit" "$(asked 50000 256 two_pass seconds=inf)" 0
sim no_end_with_barriers sum single 1000 128 atomic module="$work/wrong.so" seconds=2 report="$work/r.json" frames >/dev/null
same "steps of a loop without end are few" "$(awk 'END { print (NR < 4100) }' "$work/r.json")" 1
same "what a kernel prints names its thread" "$(sim prints sum single 100 128 atomic module="$work/prints.so")" \
"thread (33,0,0) of block (0,0,0): half of 7, 3.50
thread (33,0,0) of block (0,0,0): two
thread (33,0,0) of block (0,0,0): lines
thread (70,0,0) of block (0,0,0): no end
thread (71,0,0) of block (0,0,0): 100%
100"
got=$(sim prints_much sum single 1000 1024 atomic module="$work/prints.so")
same "100 lines are shown" "$(echo "$got" | wc -l) $(echo "$got" | tail -2 | tr '\n' ' ')" "102 ... and 901 more lines 1000 "
same "and of a line 499 characters" "$(echo "$got" | head -1 | wc -c)" 500
same "of all runs together" "$(sim prints_much sum single 90 64 atomic module="$work/prints.so" times=3 | tail -2 | tr '\n' ' ')" "... and 173 more lines 90 "
says "what was printed before the time limit" "thread (3,0,0) of block (0,0,0): before the end" \
  "$(sim prints_and_hangs sum single 1000 64 atomic module="$work/prints.so" seconds=0.3)"

# ---- what is right -------------------------------------------------------------------
for v in $(names "$work/right.so"); do
  finish=atomic
  [ "$v" != grid_rounds ] || finish=grid_sync
  for type in single double int32; do
    same "$v of $type" "$(sim "$v" sum $type 1001 256 $finish module="$work/right.so" seconds=20)" 1001
  done
done

# ---- counts by hand ------------------------------------------------------------------
# steps VARIANT FIELD [ARGUMENT...]: of block 0's steps of the first kernel, one line.
steps () {
  v=$1 field=$2
  shift 2
  sim "$v" sum single 1024 256 two_pass report="$work/r.json" "$@" >/dev/null
  awk "/\"kernel\":/ { if (seen++) exit } /^{\"block\":0,/ { print }" "$work/r.json" \
    | sed "s/.*\"$field\":\([0-9]*\).*/\1/" | tr '\n' ' ' | sed 's/ $//'
}
# 256 threads load; then half, a quarter, an eighth, … combine; the end is thread 0's.
same "active lanes of shared_modulo: 50, 25, 12.5 % of 256" "$(steps shared_modulo active_lanes | cut -d' ' -f1-9)" "256 128 64 32 16 8 4 2 1"
same "no bank conflicts in shared_modulo" "$(steps shared_modulo bank_conflicts)" "0 0 0 0 0 0 0 0 0 0"
same "every warp of shared_modulo diverges" "$(steps shared_modulo divergent_warps | cut -d' ' -f1-6)" "0 8 8 8 8 8"
same "and all are issued" "$(steps shared_modulo warps_issued | cut -d' ' -f1-6)" "8 8 8 8 8 8"
same "active lanes of shared_strided" "$(steps shared_strided active_lanes | cut -d' ' -f1-9)" "256 128 64 32 16 8 4 2 1"
same "2-, 4-, 8-, 16-way in shared_strided" "$(steps shared_strided worst_way)" "1 2 4 8 8 8 4 2 1 1"
# Stride 1: 4 warps, 3 accesses each, one pass more; stride 2: 2 warps, 3 more.
same "its conflicts" "$(steps shared_strided bank_conflicts | cut -d' ' -f1-4)" "0 12 18 21"
same "half of the warps are skipped, then more" "$(steps shared_strided warps_skipped | cut -d' ' -f1-5)" "0 4 6 7 7"
same "no conflicts in sequential" "$(steps sequential bank_conflicts)" "0 0 0 0 0 0 0 0 0 0"
same "divergence of sequential only below 32" "$(steps sequential divergent_warps | cut -d' ' -f1-9)" "0 0 0 0 1 1 1 1 1"
same "shared reads of sequential" "$(steps sequential shared_reads | cut -d' ' -f1-3)" "0 256 128"
same "sectors of a whole block's load" "$(steps sequential sectors | cut -d' ' -f1) $(steps sequential sectors_needed | cut -d' ' -f1)" "32 32"
same "barriers" "$(steps sequential barriers)" "1 1 1 1 1 1 1 1 1 0"
same "who is active" "$(sim sequential sum single 64 64 two_pass report="$work/r.json" >/dev/null; sed -n 's/.*"step":2,.*"active":"\([^"]*\)".*/\1/p' "$work/r.json" | head -1)" \
  "################................................................"
# traffic VARIANT CLASS N: launches, sectors, and how many of them are written.
traffic () {
  sim "$1" sum "$2" "$3" 256 atomic report="$work/r.json" >/dev/null
  sed -n 's/^"totals":{"launches":\([0-9]*\).*"sectors":\([0-9]*\).*"sectors_written":\([0-9]*\).*/\1 \2 \3/p' "$work/r.json"
}
# Each element is read once; or read, written and read again, by two kernels.
for n in 1 255 256 257 5000; do
  for type in single double; do
    case $type in single) bytes=4 ;; *) bytes=8 ;; esac
    k=$(((n * bytes + 31) / 32))
    same "traffic of map_reduce of $n $type" "$(traffic map_reduce $type $n)" "1 $k 0"
    same "traffic of map_then_reduce of $n $type" "$(traffic map_then_reduce $type $n)" "2 $((3 * k)) $k"
  done
done
# Elements are mapped, the partial results of a level are not mapped again.
same "scale and bias" "$(sim map_reduce sum int32 1000 256 two_pass fill=index; sim map_then_reduce sum double 1000 256 multi_level fill=index)" \
  "$(sim grid_stride sum int32 1000 256 two_pass fill=index | awk '{ print 2 * $1 + 1000; print 2 * $1 + 1000 }')"
says "the kernel before" '{"kernel":"scale_and_bias",' "$(cat "$work/r.json")"
# 32 lanes, 5 shuffles each.
sim full_shuffle sum single 32 32 atomic report="$work/r.json" >/dev/null
says "shuffles" '"shuffles":' "$(cat "$work/r.json")"
# 10 bins for values of 0 to 100: ones are one bin, a warp's 32 lanes on one address.
sim global_atomic histogram single 1024 256 atomic report="$work/r.json" >/dev/null
says "contention" '"atomics":1024,"contention":32}' "$(cat "$work/r.json")"
line=$(grep -n '/\* LOAD \*/' tests/sim/right.cu | cut -d: -f1)
sim wide sum single 1000 128 atomic module="$work/right.so" report="$work/r.json" frames >/dev/null
same "16 bytes are one access" "$(tr '{' '\n' <"$work/r.json" | grep "\"line\":$line,\"slot\"" | sed 's/"value":\[[0-9,]*\]/V/; s/"file":"[^"]*",//; s/,"slot".*//' | tr '\n' ' ')" \
  "$(for t in 0 1 2 3; do printf '"thread":%s,"kind":"read","space":"global","array":"x","index":%s,"bytes":16,V,"line":%s ' $t $((4 * t)) "$line"; done)"

# ---- requests, isolation ----------------------------------------------------------------
says "no such variant" "no variant sequentiel" "$(sim sequentiel sum single 10 256 two_pass)"
says "no such block" "no blocks of 96 threads; it has 32, 64" "$(sim sequential sum single 10 96 two_pass)"
says "no such class" "does not take class double" "$(sim warp_reduce_hw sum double 10 256 two_pass)"
says "what to give instead" "it takes int32: give int32 (x)" "$(sim warp_reduce_hw sum double 10 256 two_pass)"
says "no such finish" "cannot finish with atomic; it can with" "$(sim shuffle_pairs argmax double 10 256 atomic)"
says "many elements" 'takes up to 16777216, with "force", true more' "$(sim sequential sum single 16777217 256 two_pass)"
same "many elements of a trace" "$(sim sequential sum single 16777217 256 two_pass report="$work/r.json")" \
  "status 1: 16777217 elements are many for the simulator, which takes up to 16777216"
says "no places" "has no operator argmax, which a second output of max needs (shuffle_pairs and packed_atomic have it); it has sum" \
  "$(sim sequential argmax single 10 256 two_pass)"
says "engine is not for the simulator" "runs on a GPU or the CPU, not in the simulator" "$(sim engine sum single 10 256 two_pass)"
same "each name once" "$(sim sequentiel sum single 10 256 two_pass | tr ' ' '\n' | grep -c '^cub,$')" 1
says "no such module" "status 1: " "$(sim x sum single 10 256 two_pass module=/nowhere.so)"
says "no program" "the simulator was not built" "$(GPUREDUCE_SIM=/nowhere sim sequential sum single 10 256 two_pass)"
says "a program that is none" "status 5: the simulator" "$(GPUREDUCE_SIM=/bin/false sim sequential sum single 10 256 two_pass)"
says "a crash at load" "crash in rude: the simulator was ended by signal 6" "$(RUDE=crash sim rude sum single 10 256 two_pass module="$work/rude.so")"
says "a hang at load" "time limit: rude was not done" "$(RUDE=hang sim rude sum single 10 256 two_pass module="$work/rude.so" seconds=0.2)"
says "too much memory" "status 1: rude ended the process (exit status 1): it wants more memory than a run may have, 512 MiB" \
  "$(RUDE=memory sim rude sum single 10 256 two_pass module="$work/rude.so")"
says "an exit at load" "status 1: rude ended the process (exit status 0)" "$(RUDE=exit sim rude sum single 10 256 two_pass module="$work/rude.so")"
says "an exit in the kernel" "status 1: rude ended the process (exit status 0)" \
  "$(RUDE="exit in the kernel" sim rude sum single 10 256 atomic module="$work/rude.so")"
says "an _exit in the kernel" "status 1: rude ended the process (exit status 3)" \
  "$(RUDE="_exit in the kernel" sim rude sum single 10 256 atomic module="$work/rude.so")"
says "a signal in the kernel" "status 1: crash in rude: the simulator was ended by signal 9" \
  "$(RUDE="kill in the kernel" sim rude sum single 10 256 atomic module="$work/rude.so")"
# described HOW WHAT: --list refuses the descriptor.
described () { says "a descriptor with $1" "rude$2" "$(RUDE=$1 "$GPUREDUCE_SIM" --list "$work/rude.so" 2>&1 || true)"; }
says "a descriptor with no name" "its name must be 1 to 100 letters" "$(RUDE="no name" "$GPUREDUCE_SIM" --list "$work/rude.so" 2>&1)"
described "no text" ": a text is NULL"
described "no family" ": v.family = 7 is none"
described "another family" ": a kernel for sum, but v.family is that of argmax"
described "no elements" ": v.per_thread = 0 must be 1 or more"
described "less than no memory" ": v.shared_... must not be negative"
described "block of 96" ": v.default_block = 96 must be 32, 64, 128, 256, 512 or 1024"
described "another block" ": v.default_block = 256 is not among v.blocks"
described "less than no elements" ": v.default_n = -1 must be 0 to 2^24"
described "no finish" ": v.finishes = 0 leaves it no way to finish"
described "another finish" ": v.default_finish, grid_sync, is not among v.finishes"
described "no such finish" ": v.default_finish = 17 is none"
described "no kernel of the block" ": no kernel for v.default_block = 256"
described "half a scale" ": v.scale = 0.5 and v.bias = 0 must be whole numbers"
described "no scale" ": v.scale = 0 and v.bias = 0 must be whole numbers, at most 1e9 in size, v.scale not 0"
described "a map of places" ": v.scale, v.bias and v.first are for reductions"
described "no first kernel" ": v.first lacks a name or the kernel for sum of double"
described "no kernels" " has no kernels: REDUCE_KERNELS"
same "and a module that behaves" "$(sim rude sum single 10 256 atomic module="$work/rude.so")" 10
got=$("$work/host")
note $? "interrupts, descriptors and children" "$got"
same "a million" "$(sim sequential sum single 1000003 256 two_pass)" 1000003
same "a report of the same run twice is the same" \
  "$(sim grid_stride sum single 5000 128 last_block report="$work/r1.json" frames; cksum <"$work/r1.json")" \
  "$(sim grid_stride sum single 5000 128 last_block report="$work/r2.json" frames; cksum <"$work/r2.json")"

# ---- fibers without Boost -------------------------------------------------------------------
if [ -n "$BOOST_LIBS" ] && [ -z "$SIM_QUICK" ]; then
  mkdir -p "$work/plain"
  rm -f "$work"/plain/*.o
  # Nothing else knows of Boost.
  $CXX -std=gnu++17 -fno-exceptions -O0 -ffp-contract=off -DGPR_NO_BOOST -c -o "$work/plain/fibers.o" kernels/sim/fibers.cpp || exit 1
  # shellcheck disable=SC2046
  $CXX -rdynamic -o "$work/plain/gpureduce_sim" "$work/plain/fibers.o" "$built/sim_main.o" $(echo "$objects" | grep -v /sim_fibers.o) -ldl || exit 1
  same "without Boost" "$(GPUREDUCE_SIM=$work/plain/gpureduce_sim sim full_shuffle sum single 100000 256 last_block)" 100000
  says "and a fault" "race in bug_no_syncwarp at bug_no_syncwarp.cu:" \
    "$(GPUREDUCE_SIM=$work/plain/gpureduce_sim sim bug_no_syncwarp sum single 1000 256 two_pass)"
fi

# ---- the whole registry ---------------------------------------------------------------------
sweep=$("$work/sweep" $SIM_SWEEP)
echo "$sweep"
passed=$((passed + $(echo "$sweep" | sed -n 's/^sweep: \([0-9]*\) right.*/\1/p')))
failed=$((failed + $(echo "$sweep" | sed -n 's/.* \([0-9]*\) wrong$/\1/p')))
echo "$passed passed, $failed failed"
[ $failed = 0 ]
