#!/bin/sh
# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# tests/ranks.sh [PREFIX]: calls with "comm" by ranks of MPI, in the installation under PREFIX (build/octave).  Without mpirun, or
# where no module was built for it, all is skipped.  RANKS_ROUNDS, RANKS_SEED: random problems; STAGES of this
# file by name: RANKS_ONLY_CASES="bits files refused left gpus linked others mpis".  RANKS_MPIRUN, RANKS_MPICC: not mpirun and mpicc; what
# was built for another MPI needs GPUREDUCE_MPI_MODULE, too.
cd "$(dirname "$0")/.." || exit 1
prefix=${1:-$(pwd)/build/octave}
work=build/ranks
mkdir -p $work
# Of pieces in the host's memory, on 1, 2, 4 and 7 ranks: 500 in all.
bits_rounds=${RANKS_ROUNDS:-$([ "$CHECK_LONG" = yes ] && echo 1000 || echo 40)}
: "${RANKS_ROUNDS:=$([ "$CHECK_LONG" = yes ] && echo 1000 || echo 8)}"
: "${RANKS_SEED:=$(date +%j%H%M)}"
OMP_NUM_THREADS=1 OCTAVE_HISTFILE=/dev/null
export RANKS_ROUNDS RANKS_SEED OMP_NUM_THREADS OCTAVE_HISTFILE

if ! command -v "${RANKS_MPIRUN:-mpirun}" > /dev/null || [ -z "$(find -L "$prefix" -name gpureduce_mpi.so)" ]; then
  echo "skipped: calls of ranks: there is no mpirun, or the package was built without mpicc"
  echo "0 passed, 0 failed, 1 skipped"
  exit 0
fi

# timeout -k: mpirun of Open MPI may wait for itself for ever when it ends, and takes no other signal then.
# Open MPI takes root and more ranks than cores only when told so; and each launcher ends a job of which a rank is gone, if not told otherwise.
RANKS_MPIRUN=$(command -v "${RANKS_MPIRUN:-mpirun}")
export RANKS_MPIRUN
know_launcher () {
  launcher=MPICH flags= stay=-disable-auto-cleanup
  case $($RANKS_MPIRUN --version 2>&1) in
    *Intel*)
      launcher="Intel MPI"
      export I_MPI_PIN=no ;;            # ranks that share a core wait for each other
    *"Open MPI"*)
      launcher="Open MPI" flags=--oversubscribe stay=--enable-recovery
      [ "$(id -u)" != 0 ] || flags="$flags --allow-run-as-root"
  esac
}
know_launcher
job () { ranks=$1 file=$2; shift 2; rm -f $work/ended*; timeout -k 10 600 $RANKS_MPIRUN $flags "$@" -n "$ranks" tools/octave "tests/ranks/$file.m" "$prefix" 2>&1; }

passed=0 failed=0
# rule NAME TEXT...: each TEXT must be in the last job's output.
rule () {
  name=$1
  shift
  for text; do
    if ! grep -q -e "$text" $work/said; then
      echo "FAILED $name: \"$text\" is not in:"
      grep -v '^$' $work/said | head -n 12
      failed=$((failed + 1))
      return
    fi
  done
  echo "passed $name"
  passed=$((passed + 1))
}
chosen () { case " ${RANKS_ONLY_CASES:-$1} " in *" $1 "*) ;; *) return 1 ;; esac }

if chosen bits; then
  echo "seed RANKS_SEED=$RANKS_SEED"
  for n in 1 2 4 7; do
    RANKS_ROUNDS=$bits_rounds job $n same_bits > $work/said
    rule "pieces_on_${n}_ranks_give_the_bits_of_the_whole_array" '^[1-9][0-9]* passed, 0 failed'
  done
fi

if chosen files; then
  for n in 1 2 4 7 3; do
    rm -f $work/elements*
    RANKS_FILE=$work/elements job $n files > $work/said
    rule "a_file_on_${n}_ranks_gives_the_bits_of_the_array" "^[1-9][0-9]* passed, 0 failed"
  done
  rm -f $work/elements*
fi

if chosen refused; then
  job 3 refused > $work/said
  rule "calls_that_differ_are_the_same_error_on_all_ranks" '^[1-9][0-9]* passed, 0 failed'
fi

RANKS_ENDED=$work/ended
export RANKS_ENDED
in_time=15                              # seconds, with Octave's start
# leave RULE HOW[:CALL[:FAULT]]...: ranks that others wait for.
leave () {
  rule=$1
  shift
  again='the ranks have not worked together since a call failed'
  for how; do
    call=${how#*:} fault=${how##*:} how=${how%%:*}
    call=${call%:*}
    [ "$call" != "$how" ] || call=gpu_sum fault=9
    start=$(date +%s)
    # MPICH ends the others of one that is killed, whatever it is told.
    case "$launcher, $how" in "MPICH, killed") stays= ;; *) stays=$stay ;; esac
    RANKS_CASE=$how RANKS_CALL=$call RANKS_FAULT=$fault job 3 left $stays > $work/said
    took=$(($(date +%s) - start))
    case $how in
      # Rank 2 waits for rank 0, which waits for rank 1: which of them says so first is chance.
      killed | late) why='\(no word from rank 1\|rank 2: no word from rank 0\) in 2 s' ;;
      hangs) why='\(rank [12]: \)\?no word from rank [012] in 2 s' ;;      # so does rank 1
      ends) why='rank 1 has ended without making this call' ;;
      memory) why='rank 1: .*out of memory: [0-9]* bytes' ;;
      interrupted) why='rank 1: interrupted' ;;
      async) why='rank 1: NCCL refused bytes from GPU to GPU: remote process exited' ;;
    esac
    sed -i "1i took $took s" $work/said
    [ $took -gt "$in_time" ] || echo "in time" >> $work/said
    if [ -z "$stays" ]; then
      rule "$rule: $how, $call" 'TERMINATED WITH THE EXIT STRING: Killed' 'in time'
      continue
    fi
    rule "$rule: $how, $call" "rank 0, call 1: gpureduce:comm-failed $call: $why" \
      "rank 2, call 1: gpureduce:comm-failed $call: " "rank 0, call 2: gpureduce:comm-failed $call: $again" 'in time'
  done
}

if chosen left; then
  more=$([ "$CHECK_LONG" != yes ] || echo memory:gpu_mode:12 memory:gpu_accumarray:9 memory:gpu_maxk:9 killed:gpu_histc killed:gpu_mode killed:gpu_normalize)
  leave a_rank_that_leaves_ends_the_others ${RANKS_HOW-killed ends late memory interrupted killed:gpu_cumsum memory:gpu_cumsum:7 interrupted:gpu_median killed:gpu_softmax $more}

  # Ctrl-C in a terminal comes to mpirun.
  rm -f $work/pids $work/ended*
  RANKS_CASE=job timeout -k 10 60 $RANKS_MPIRUN $flags -n 3 sh -c "echo \$\$ >> $work/pids; exec tools/octave tests/ranks/left.m '$prefix'" > $work/said 2>&1 &
  mpirun=$!
  for i in $(seq 100); do
    grep -q waits $work/said && break
    sleep 0.1
  done
  sleep 0.3
  # A launcher may be a script that calls another.
  last=$mpirun
  while next=$(pgrep -P "$last" '^mpi(run|exec)'); do last=$next; done
  kill -INT "$last"
  wait $mpirun
  for i in $(seq 100); do
    left=0
    while read -r pid; do
      ! kill -0 "$pid" 2> /dev/null || left=1
    done < $work/pids
    [ $left = 1 ] || break
    sleep 0.1
  done
  [ $left = 1 ] || echo "all $(wc -l < $work/pids) have ended, after $i waits" >> $work/said
  rule "ctrl_c_under_mpirun_ends_all_ranks" waits 'all 3 have ended'
fi

# Pieces that are gpuArrays, each on its rank's GPU; in the host's memory where there is none.
if chosen gpus; then
  gpus=$(nvidia-smi -L 2> /dev/null | grep -c '^GPU')
  for n in 2 $([ "$gpus" -le 2 ] && echo 3 || echo "$gpus"); do
    job "$n" ../gpu/ranks > $work/said
    rule "gpuarrays_on_${n}_ranks_give_the_bits_of_the_whole_array" '^[1-9][0-9][0-9]* passed, 0 failed' '^1[0-9] passed, 0 failed'
  done
  RANKS_ON_GPU=yes in_time=60
  export RANKS_ON_GPU
  leave a_rank_with_a_gpuarray_that_leaves_ends_the_others killed memory:gpu_sum:5 memory:gpu_histc:4
  if [ "$gpus" -ge 2 ]; then
    # What is left may be enough.
    RANKS_CASE=full job 3 left $stay > $work/said
    rule a_full_gpu_is_an_error_on_all_ranks_or_none 'rank 0: no error\|rank 0, call 1: gpureduce:comm-failed gpu_sum: rank 1: .*out of memory' \
      'rank 1: no error\|rank 1, call 1: gpureduce:out-of-memory gpu_sum: ' 'rank 2: no error\|rank 2, call 1: gpureduce:comm-failed gpu_sum: '
  fi
  unset RANKS_ON_GPU
fi

# GPUs in host memory, each rank's its own, which a stand-in for NCCL links.
if chosen linked; then
  linked=$(pwd)/$work/linked
  rm -rf "$linked"
  mkdir -p "$linked"
  compile="${CC:-cc} -std=gnu11 -O1 -ffp-contract=off -w -shared -fPIC"
  $compile -o "$linked/libnccl.so.2" tests/fake_nccl.c &&
    $compile -Itests/unit/fake_cuda -DGPR_CUDA_FOLDER='"/nowhere"' -Dgethostname=longest_host_name -o "$linked/gpus.so" tests/ranks/linked_gpus.c src/cuda/nccl.c -lm || exit 1
  export GPUREDUCE_CUDA_MODULE="$linked/gpus.so" GPUREDUCE_NCCL="$linked/libnccl.so.2" GPUREDUCE_NCCL_BYTES=4096 TMPDIR="$linked"
  # linked RULE RANKS PROBLEMS LINKED [ASKS]: so many ranks are in the end; messages of a call without a link that ask for it.
  linked () {
    RANKS_ROUNDS=$3 job "$2" linked > $work/said
    rule "$1" "^$3 passed, 0 failed; 0 bytes left; linked: $4; asks in vain: ${5:-0}\$"
  }
  # says CASE TEXT...: gpu_doctor of the last job's ranks.
  says () { case=$1; shift; rule "the_doctor_says_what_joins_the_ranks: $case" "$@"; }
  unjoined="doctor: .* does not join their GPUs:"
  [ "$CHECK_LONG" = yes ] && problems=200 || problems=10
  for n in 2 4 7; do
    linked "accumulators_and_rows_from_gpu_to_gpu_give_the_bits_of_the_whole_array: $n ranks" $n $problems $n
  done
  says joined 'rank 0, doctor: NCCL .* joins the GPUs of 7 ranks' 'rank 6, doctor: NCCL .* joins the GPUs of 7 ranks'
  GPUREDUCE_NCCL=no linked "without_a_link_the_bits_are_the_same: GPUREDUCE_NCCL=no" 2 3 0
  GPUREDUCE_NCCL=/nowhere/libnccl.so.2 linked "without_a_link_the_bits_are_the_same: no library" 2 3 0
  says 'no library' 'rank 1, doctor: .*memory: GPUREDUCE_NCCL: /nowhere/libnccl.so.2: cannot open'
  FAKE_NCCL="0 old" linked "without_a_link_the_bits_are_the_same: an old library" 2 3 0
  says 'an old library' 'rank 1, doctor: .*libnccl.so.2 is not NCCL, or older than 2.18'
  FAKE_NCCL="1 init" linked "a_link_that_one_rank_cannot_join_is_no_error" 3 3 0
  says refused "rank 1, $unjoined NCCL refused joining the GPUs: unhandled" "rank 0, $unjoined rank 1 could not join the others"
  RANKS_TIMEOUT=3 FAKE_NCCL="1 waits" linked "a_link_that_is_not_joined_in_half_of_comm_timeout_is_no_error" 3 3 0
  says late "$unjoined the GPUs were not joined in 1.5 s"
  FAKE_NCCL="1 async 1" linked "a_link_that_does_not_move_a_first_byte_is_no_error" 2 3 0
  NCCL_COMM_BLOCKING=1 linked "the_link_never_blocks: NCCL_COMM_BLOCKING=1" 2 3 2
  LINKED_GPUS=same linked "ranks_of_one_gpu_are_not_linked" 2 3 0
  says 'one GPU' "rank 0, $unjoined ranks 0 and 1 have one GPU" "rank 1, $unjoined ranks 0 and 1 have one GPU"
  LINKED_GPUS="1 memory" linked "a_rank_without_memory_for_it_brings_all_to_the_host" 2 3 0 "[0-9]*"
  RANKS_LIMIT=1000 linked "accumulators_beyond_memory_limit_go_through_the_host" 2 3 0 2
  RANKS_ON_GPU=yes RANKS_OUTPUTS=600
  export RANKS_ON_GPU RANKS_OUTPUTS
  FAKE_NCCL_LOG=$linked/log
  export FAKE_NCCL_LOG
  # ends RULE HOW: of three ranks.
  ends () {
    cp "$FAKE_NCCL_LOG" $work/said
    rule "$1" "rank 0 of 3 $2" "rank 1 of 3 $2" "rank 2 of 3 $2"
    rm -f "$FAKE_NCCL_LOG"
  }
  RANKS_CASE=none job 3 left > $work/said
  ends the_link_is_destroyed_in_order_at_the_end 'is destroyed'
  FAKE_NCCL="1 async 5" leave what_fails_from_gpu_to_gpu_ends_all_ranks async
  rule a_link_that_has_failed_joins_nobody 'rank 1, linked: 0: NCCL refused bytes' 'rank 0, linked: 0: what joins the GPUs was stopped'
  rm -f "$FAKE_NCCL_LOG"
  FAKE_NCCL="1 hangs 5" leave what_never_comes_from_gpu_to_gpu_ends_all_ranks hangs
  ends what_is_under_way_after_a_failure_is_aborted 'is aborted'
  LINKED_GPUS="1 lost" FAKE_NCCL="1 async 5" leave a_lost_gpu_ends_all_ranks async
  grep -q "rank 1 of 3 is" "$FAKE_NCCL_LOG" || echo 'rank 1 of 3 takes no calls' >> "$FAKE_NCCL_LOG"
  cp "$FAKE_NCCL_LOG" $work/said
  rule nothing_is_asked_of_a_lost_gpu 'rank 0 of 3 is aborted' 'rank 1 of 3 takes no calls' 'rank 2 of 3 is aborted'
  rm -f "$FAKE_NCCL_LOG"
  leave a_linked_rank_that_leaves_ends_the_others killed memory:gpu_sum:4
  unset FAKE_NCCL_LOG RANKS_ON_GPU RANKS_OUTPUTS GPUREDUCE_CUDA_MODULE GPUREDUCE_NCCL GPUREDUCE_NCCL_BYTES TMPDIR
fi

# begun RULE CC TEXT...: two ranks of a process in which another package, of the MPI of this compiler, has begun it.
begun () {
  rule=$1 cc=$2
  shift 2
  # shellcheck disable=SC2046
  $cc -shared -fPIC $(mkoctfile -p INCFLAGS) -o $work/begin_mpi.mex tests/ranks/begin_mpi.c > $work/said 2>&1 &&
    RANKS_FOLDER=$work job 2 begun > $work/said
  rule "$rule" "$@"
}

if chosen others; then
  # What a launcher says, without it.
  for said in "SLURM_STEP_NUM_TASKS=4 SLURM_PROCID=1" "SLURM_NTASKS=4 SLURM_STEP_ID=0 SLURM_PROCID=1" "PMI_SIZE=4 PMI_RANK=1" "MV2_COMM_WORLD_SIZE=4 MV2_COMM_WORLD_RANK=1" PALS_RANKID=3; do
    env $said timeout 60 tools/octave tests/ranks/refused.m "$prefix" > $work/said 2>&1
    rule "several_processes_that_do_not_find_each_other: $said" 'gpu_comm: .* has started 4 processes, but .* finds one'
  done
  for said in "a_batch_script_outside_of_srun: SLURM_NTASKS=4 SLURM_PROCID=0" \
    "an_interactive_step: SLURM_STEP_NUM_TASKS=1 SLURM_NTASKS=4 SLURM_STEP_ID=4294967290 SLURM_PROCID=0" "a_first_rank_without_a_count: PALS_RANKID=0" "a_rank_that_is_no_rank: PMIX_RANK=4294967294"; do
    env ${said#*: } timeout 60 tools/octave tests/ranks/world.m "$prefix" > $work/said 2>&1
    rule "${said%%: *}_is_a_world_of_one" 'rank 0 of 1: the sum is 1'
  done
  if [ "$launcher" = "Open MPI" ]; then
    timeout -k 10 60 $RANKS_MPIRUN $flags -n 2 env -u OMPI_COMM_WORLD_SIZE tools/octave tests/ranks/world.m "$prefix" > $work/said 2>&1
    rule "mpi_is_asked_where_a_launcher_says_no_count" 'rank 0 of 2: the sum is 3' 'rank 1 of 2: the sum is 3'
  fi

  # MPI that another package begins and ends.
  begun mpi_that_another_package_began_is_used_and_not_ended "${RANKS_MPICC:-mpicc}" 'rank 0 is right' 'rank 1 is right'
fi

if chosen mpis; then
  . tests/ranks/mpis.sh
fi
echo "$passed passed, $failed failed"
[ $failed = 0 ]
