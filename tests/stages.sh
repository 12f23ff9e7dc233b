# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# For check.sh and check-gpu.sh: stage NAME COMMAND..., and total at the end.  beside NAME COMMAND...
# runs what calls stages, or is one itself, while the next stages do, until join.
# STAGES="NAME ..." runs those alone.

# Where the package is, is not the user's choice here.
unset GPUREDUCE_PREFIX
logs=build/check
mkdir -p $logs
passed=0 failed=0 skipped=0 failing= aside=

. tests/counts.sh

# said_by_failed FILE: what stands before each count of failures, or the end where none is.  A suite may count others within it
# between a failure of its own and its count.
said_by_failed () {
  awk '/^passed / { next }
       { line[++n] = $0 }
       /^FAILED / { own = 1 }
       /[1-9][0-9]* failed/ { for (i = (n > 40 ? n - 40 : 1); i <= n; i++) print line[i]; n = own = 0; found = 1; next }
       /[0-9] passed, 0 failed/ && !own { n = 0 }
       END { if (!found) exit 1 }' "$1" ||
    tail -n 40 "$1"
}

# take_cpu: the seconds of CPU of the processes that this shell has waited for; times knows them in the shell itself alone.
take_cpu () {
  times > "$logs/$name.times"
  cpu=$(awk 'NR == 2 { gsub (/m/, " "); gsub (/s/, ""); printf "%d", 60 * ($1 + $3) + $2 + $4 }' "$logs/$name.times")
}

stage () {
  name=$1
  shift
  case " ${STAGES:-$name} " in *" $name "*) ;; *) return ;; esac
  start=$(date +%s)
  : > "$logs/$name.ended"
  # In a shell of its own, so that what ends beside it is not counted.
  ("$@" > "$logs/$name.log" 2>&1 < /dev/null
   status=$?
   take_cpu
   echo "$status $cpu" > "$logs/$name.ended")
  read -r status cpu < "$logs/$name.ended" || status=1 cpu=0
  set -- $(counts "$logs/$name.log")
  p=$1 f=$2 s=$3
  note=
  if [ $status != 0 ] && [ "$f" = 0 ]; then
    f=1 note=", exit status $status"
  elif [ "$((p + f + s))" = 0 ]; then
    f=1 note=", no test counted"
  fi
  printf '%s: %d passed, %d failed, %d skipped (%d s, %d s of CPU%s)\n' \
    "$name" "$p" "$f" "$s" "$(($(date +%s) - start))" "$cpu" "$note"
  grep -E '^(seed|gpureduce [0-9.]+:|[0-9]+ (kernels|faults)|skipped:)' "$logs/$name.log" | sed 's/^/  /'
  if [ "$f" != 0 ]; then
    echo "  all of it: $logs/$name.log; alone: ${ALONE:-make test T=}$name"
  fi
  count_stage "$name" "$p" "$f" "$s"
}

count_stage () {
  passed=$((passed + $2)) failed=$((failed + $3)) skipped=$((skipped + $4))
  [ "$3" = 0 ] || failing="$failing $1"
}

# They ignore an interrupt, as all that a shell runs aside.
trap 'kill 0' INT

beside () {
  side=$1
  shift
  aside="$aside $side"
  rm -f "$logs/$side.counts"
  (passed=0 failed=0 skipped=0 failing=
   "$@"
   echo "$passed $failed $skipped $failing" > "$logs/$side.counts") > "$logs/$side.said" &
}

join () {
  wait
  for name in $aside; do
    cat "$logs/$name.said"
    read -r p f s names < "$logs/$name.counts" || { p=0 f=1 s=0 names=$name; }
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s)) failing="$failing $names"
  done
  aside=
}

# At the end, since what prints a long run may keep its end alone.
total () {
  for name in $failing; do
    echo "$name failed:"
    said_by_failed "$logs/$name.log" | cut -c 1-300 | sed 's/^/  /'
  done
  echo "$passed passed, $failed failed, $skipped skipped"
  [ $failed = 0 ] && [ $passed != 0 ]
}
