#!/bin/sh
# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# bench/classroom.sh [USERS [PREFIX]]: as many Octaves at once (30) as a class has on one server,
# with one folder for temporary files.  Each adds its own copy of the template, runs it, adds a
# wrong one, has the fault named and writes a page of it; first where nothing is kept, then
# with the same files, kept by each user, then with all of one file that a teacher has kept.
# Says for each: seconds until the first, the middle and the last is done, seconds of CPU, the greatest
# memory of all together, and what they left.  PREFIX: where the package is (build/octave).
# A session of its own, by which its processes are told from others.
[ -n "$CLASSROOM" ] || exec env CLASSROOM=yes setsid -w "$0" "$@"
cd "$(dirname "$0")/.." || exit 1
users=${1:-30}
prefix=${2:-$(pwd)/build/octave}
work=$(mktemp -d "${TMPDIR:-/tmp}/classroom-XXXXXX") || exit 1
trap 'rm -rf "$work"' 0
trap 'exit 1' INT TERM
mkdir "$work/tmp" "$work/teacher"
cat > "$work/lab.m" << 'END'
folder = getenv ("LAB_FOLDER");
file = fullfile (folder, "mine.cu");
x = 1:1000;
gpu_variant_add (file);
assert (gpu_reduce (x, "sum", "variant", "my_reduce", "device", "sim"), 500500);
gpu_variant_add (fullfile (folder, "wrong.cu"));
try
  gpu_reduce (x, "sum", "variant", "my_wrong", "device", "sim");
catch err
  assert (! isempty (strfind (err.message, "out of bounds in my_wrong at wrong.cu:")));
  t = gpu_trace ("my_wrong", 1000, 64, "html", fullfile (getenv ("LAB_OWN"), "page.html"));
  assert (t.fault.kind, "out of bounds");
  puts ("all right\n");
end_try_catch
END

# files FOLDER: a student's two.
files () {
  mkdir -p "$1"
  cp kernels/ladder/template/my_reduce.cu "$1/mine.cu"
  sed 's/my_reduce/my_wrong/g; s/i < a\.n/i <= a.n/' "$1/mine.cu" > "$1/wrong.cu"
}

student () {            # NUMBER FOLDER
  own=$work/home$1
  mkdir -p "$own"
  LAB_FOLDER=$2 LAB_OWN=$own TMPDIR=$work/tmp GPUREDUCE_KERNELS=${kept:-$own/kept} OMP_NUM_THREADS=1 \
    tools/octave "$work/lab.m" "$prefix" > "$own/said" 2>&1
  echo $(($(date +%s%N) / 1000000 - begun)) > "$own/ms"
}

# Their memory, each page once (PSS), every quarter of a second; the greatest is what counts.
watch () {
  echo 0 > "$work/memory"
  while [ ! -e "$work/done" ]; do
    # shellcheck disable=SC2046
    cat $(pgrep -s 0 | sed 's,.*,/proc/&/smaps_rollup,') 2> /dev/null |
      awk -v most="$(cat "$work/memory")" '/^Pss:/ { s += $2 } END { print (s > most ? s : most) }' > "$work/memory.new"
    mv "$work/memory.new" "$work/memory"
    sleep 0.25
  done
}

class () {              # WHAT FOLDER: '' their own
  rm -f "$work/done"
  watch &
  begun=$(($(date +%s%N) / 1000000))
  times > "$work/before"
  students=
  for i in $(seq "$users"); do
    student "$i" "${2:-$work/home$i/lab}" &
    students="$students $!"
  done
  # shellcheck disable=SC2086
  wait $students
  times > "$work/after"
  touch "$work/done"
  wait
  right=$(cat "$work"/home*/said | grep -c '^all right$')
  cpu=$(awk 'FNR == 2 { gsub (/m/, " "); gsub (/s/, ""); s = 60 * ($1 + $3) + $2 + $4; t = s - t } END { printf "%.0f", t }' "$work/before" "$work/after")
  echo "| $1 | $right of $users | $(cat "$work"/home*/ms | sort -n | awk '{ s[NR] = $1 / 1000 } END { printf "%.1f, %.1f, %.1f", s[1], s[int ((NR + 1) / 2)], s[NR] }') | $cpu | $(awk '{ printf "%.0f", $1 / 1024 }' "$work/memory") | $(ls "$work/tmp" | wc -l) |"
  [ "$right" = "$users" ] || { failed=1; cat "$work"/home*/said | grep -v '^all right$' | sort | uniq -c | head -n 20; }
}

failed=0 kept=
for i in $(seq "$users"); do files "$work/home$i/lab"; done
files "$work/lab"
echo "$users Octaves at once on $(nproc) cores, $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1); load before: $(cut -d ' ' -f 1 /proc/loadavg)"
echo
echo '| | right | first, middle, last done (s) | CPU (s) | memory (MiB) | files left |'
echo '|---|---|---|---|---|---|'
class "each its own files, nothing kept" ''
class "the same files again, kept by each" ''
users_were=$users users=1
kept=$work/teacher
student 1 "$work/lab"
users=$users_were kept=/nowhere
GPUREDUCE_SHARED_KERNELS=$work/teacher
export GPUREDUCE_SHARED_KERNELS
class "one file for all, kept by a teacher" "$work/lab"
exit $failed
