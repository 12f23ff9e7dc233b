#!/bin/sh
# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# tests/releases.sh: the package in other releases of Octave, each in a Debian of its own
# that tools/root.sh makes in build/roots.  Takes root, debootstrap and a network (or roots
# that are made already); without them it ends with an error.
#
#   SUITES="trixie forky"      these alone (default: bookworm, Octave 7.3; trixie, 9.4; forky,
#                              11.3); or folders of roots made otherwise, with Octave in them
#   STAGES="pkg rules"         these alone; an installation comes before them
#   RECORD=yes                 writes the table to bench/results/releases.md
cd "$(dirname "$0")/.." || exit 1
: "${SUITES:=bookworm trixie forky}"
: "${ROOTS:=build/roots}"
logs=build/check/releases
place=/srv/gpureduce              # in a root
mkdir -p "$ROOTS" "$logs"
packages="octave octave-dev gcc g++ make gnuplot-nox ghostscript fonts-freefont-otf libboost-context-dev"
all_stages="install load pkg selftest functions rules scripts expressions fuzz own installations doctests"
# Quick to compile, and the same bits.
settings="SETUP=no GPUREDUCE_CUDA=no GPUREDUCE_ISAS=native CFLAGS=-O1 FUZZ_ROUNDS=${FUZZ_ROUNDS:-1500}"

# What is run in the root, in a copy of this tree, where build/octave has the package.
commands () {
  case $1 in
    install) echo "tools/install.sh \$(tools/dist.sh)" ;;
    load) echo "tools/octave tests/pkg_load.m" ;;
    pkg) echo "tools/octave tests/pkg_test.m" ;;
    selftest) echo "tools/octave tests/selftest.m" ;;
    functions) echo "tools/octave tests/installed.m" ;;
    rules) echo "tools/octave tests/rules.m" ;;
    scripts) echo "tools/octave tests/scripts.m" ;;
    expressions) echo "tools/octave tests/expressions.m" ;;
    fuzz) echo "tools/octave tests/fuzz.m" ;;
    own) echo "tools/octave tests/octave_own.m" ;;
  esac
}

. tests/counts.sh

# run_stage NAME: what it counted, said and added to the sums; cell is for the table.
run_stage () {
  log=$logs/$suite-$1.log
  case $1 in
    installations | doctests) "tests/$1.sh" "$root" > "$log" 2>&1 ;;
    # shellcheck disable=SC2016,SC2086
    *) tools/root.sh in "$root" env $settings sh -c 'cd "$1" && eval "$2"' sh $place "$(commands "$1")" > "$log" 2>&1 < /dev/null ;;
  esac
  status=$?
  [ "$1" != install ] || [ $status != 0 ] || echo "1 passed, 0 failed" >> "$log"
  name=$1
  # shellcheck disable=SC2046
  set -- $(counts "$log")
  f=$2 note=
  [ $status = 0 ] || [ "$f" != 0 ] || { f=1 note=", exit status $status"; }
  [ "$(($1 + f + $3))" != 0 ] || { f=1 note=", no test counted"; }
  cell="$1 / $f$([ "$3" = 0 ] || echo " / $3")"
  printf '%s %s: %d passed, %d failed, %d skipped%s\n' "$suite" "$name" "$1" "$f" "$3" "$note"
  [ "$f" = 0 ] || { grep -v -E '^[0-9]+ passed, 0 failed' "$log" | tail -n 30 | cut -c 1-300 | sed 's/^/  /'; echo "  all of it: $log"; }
  passed=$((passed + $1)) failed=$((failed + f)) skipped=$((skipped + $3))
}

# try_suite SUITE: a row of the table and the sums, in files.
try_suite () {
  passed=0 failed=0 skipped=0
  case $1 in
    */*) root=$1 suite=$(basename "$1") ;;
    *)
      suite=$1 root=$ROOTS/$1
      # shellcheck disable=SC2086
      tools/root.sh make "$suite" "$root" $packages || return 1 ;;
  esac
  # What was compiled from the same sources is not compiled again.
  rm -rf "$root/srv/cache"
  [ ! -d "$root$place/build/cache" ] || mv "$root$place/build/cache" "$root/srv/cache"
  tools/root.sh copy "$root" $place || return 1
  mkdir -p "$root$place/build"
  [ ! -d "$root/srv/cache" ] || mv "$root/srv/cache" "$root$place/build/"
  about=$(tools/root.sh in "$root" sh -c 'octave-cli --norc --version | sed -n "1s/.*version //p"; gcc --version | sed -n "1s/.* //p"; getconf GNU_LIBC_VERSION' | tr '\n' ';')
  version=${about%%;*} rest=${about#*;}
  row="| $version | gcc ${rest%%;*}, $(echo "${rest#*;}" | tr -d ';') |"
  for stage in $all_stages; do
    case " install ${STAGES:-$stage} " in
      *" $stage "*)
        run_stage "$stage"
        row="$row $cell |" ;;
      *) row="$row |" ;;
    esac
  done
  echo "$row" > "$logs/$suite.row"
  echo "$passed $failed $skipped" > "$logs/$suite.counts"
}

# All at once: most of a stage is one thread.
for suite in $SUITES; do
  base=$(basename "$suite")
  rm -f "$logs/$base.row" "$logs/$base.counts"
  try_suite "$suite" > "$logs/$base.said" 2>&1 &
done
wait
passed=0 failed=0 skipped=0
table=$logs/table.md
{
  echo "| Octave | compiler, C library |$(for s in $all_stages; do printf ' %s |' "$s"; done)"
  echo "|---|---|$(for s in $all_stages; do printf '%s' '---|'; done)"
} > "$table"
for suite in $SUITES; do
  base=$(basename "$suite")
  cat "$logs/$base.said"
  read -r p f s < "$logs/$base.counts" || { p=0 f=1 s=0; echo "$base: not tried"; }
  [ ! -f "$logs/$base.row" ] || cat "$logs/$base.row" >> "$table"
  passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
done 2> /dev/null
cat "$table"
if [ "$RECORD" = yes ]; then
  {
    echo "# Releases of Octave"
    echo
    echo "\`make check-releases RECORD=yes${STAGES:+ STAGES=\"$STAGES\"}\`, $(date +%F), commit $(git rev-parse --short HEAD), without CUDA."
    echo "A cell says: tests passed / failed / skipped. What each stage is: \`tests/releases.sh\`."
    echo
    cat "$table"
  } > bench/results/releases.md
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ] && [ $passed != 0 ]
