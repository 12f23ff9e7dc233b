# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Read by tests/ranks.sh: MPIs other than that of its own launcher, each with a module and a launcher of its own, and Octave's mpi package.

skip () { echo "skipped: $1"; echo "0 passed, 0 failed, 1 skipped"; }

# other NAME FOLDER SUFFIX INSTALL: the MPI whose mpicc and mpirun, with this suffix, are in the folder, or on the PATH.
other () {
  mpi=$1 folder=$2 suffix=$3 install=$4
  [ "$mpi" != "$launcher" ] || return 0
  own=$launcher own_path=$PATH own_mpirun=$RANKS_MPIRUN own_module=$GPUREDUCE_MPI_MODULE
  PATH=${folder:+$folder:}$PATH
  at=${folder:+$folder/}
  if command -v "${at}mpicc$suffix" > /dev/null && command -v "${at}mpirun$suffix" > /dev/null; then
    with_other
  else
    skip "ranks of $mpi: $install"
  fi
  PATH=$own_path RANKS_MPIRUN=$own_mpirun GPUREDUCE_MPI_MODULE=$own_module
  know_launcher
}
with_other () {
  module=$(pwd)/$work/other_mpi.so
  rm -f "$module"
  mpicc$suffix -std=gnu11 -O1 -fPIC -fvisibility=hidden -shared -o "$module" src/mpi/module.c -ldl
  # The launchers of MPICH and of its descendants know each other's processes, that of Open MPI knows its own.
  mixed=no
  case "$mpi, $own" in *"Open MPI"*) mixed=yes ;; esac
  if [ $mixed = yes ]; then
    GPUREDUCE_MPI_MODULE=$module job 3 world > $work/said
    wrong "$mpi's module, $own's launcher"
    begun "another_mpi_in_the_process_is_an_error: $mpi beside $own" "mpicc$suffix" 'gpu_comm: this process has another MPI'
  fi
  RANKS_MPIRUN=$(command -v "mpirun$suffix")
  know_launcher
  if [ $mixed = yes ]; then
    job 3 world > $work/said
    wrong "$own's module, $mpi's launcher"
  fi
  export GPUREDUCE_MPI_MODULE="$module"
  RANKS_ROUNDS=3 job 3 same_bits > $work/said
  rule "pieces_on_3_ranks_give_the_bits_of_the_whole_array: $mpi" '^[1-9][0-9]* passed, 0 failed'
  leave "a_rank_that_leaves_ends_the_others: $mpi" memory
  begun "mpi_that_another_package_began_is_used_and_not_ended: $mpi" "mpicc$suffix" 'rank 0 is right' 'rank 1 is right'
  if [ "$CHECK_LONG" = yes ]; then
    CHECK_LONG=no RANKS_ROUNDS=20 RANKS_MPICC=mpicc$suffix RANKS_ONLY_CASES="bits files refused left gpus linked others" sh tests/ranks.sh "$prefix" > $work/all 2>&1
    cp $work/all $work/said
    rule "all_rules_of_ranks_hold: $mpi" '^[1-9][0-9]* passed, 0 failed'
  fi
}
# wrong WHOSE: the last job, of three, is an error on each rank, not three worlds of one.
wrong () {
  echo "$(grep -c 'gpu_comm: .* has started 3 processes, but .* finds one' $work/said) of 3" >> $work/said
  rule "a_launcher_of_another_mpi_is_an_error_on_all_ranks: $1" '^3 of 3'
}

in_time=15
other "Open MPI" "" .openmpi "on Debian: apt-get install openmpi-bin libopenmpi-dev"
other MPICH "" .mpich "on Debian: apt-get install mpich libmpich-dev"
other "Intel MPI" "${I_MPI_ROOT:-/nowhere}/bin" "" "its setvars.sh sets I_MPI_ROOT; on PyPI: impi-rt, impi-devel"

if octave-cli --norc --no-history --eval 'pkg load mpi; MPI_Initialized ();' > /dev/null 2>&1; then
  # The first begins MPI, the last ends it.
  for how in mpi,gpureduce,mpi gpureduce,mpi,gpureduce gpureduce,mpi; do
    RANKS_CASE=$how GPUREDUCE_PREFIX=$prefix timeout -k 10 60 $RANKS_MPIRUN $flags -n 2 octave-cli --quiet --norc --no-history tests/ranks/package_mpi.m > $work/said 2>&1
    echo "exit code $?" >> $work/said
    rule "octaves_mpi_package_works_beside: $how" 'rank 0 is right' 'rank 1 is right' '^exit code 0'
  done
else
  skip "Octave's mpi package is not installed"
fi
