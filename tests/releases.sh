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
top=$(pwd)
logs=build/check/releases
mkdir -p "$ROOTS" "$logs"
packages="octave octave-dev gcc g++ make gnuplot-nox ghostscript fonts-freefont-otf libboost-context-dev"
all_stages="install load pkg selftest functions rules fuzz own installations doctests"

# What is run in the root, in a copy of this tree, where build/octave has the package.
commands () {
  case $1 in
    install) echo "tools/install.sh \$(tools/dist.sh)" ;;
    load) echo "tools/octave tests/pkg_load.m" ;;
    pkg) echo "tools/octave tests/pkg_test.m" ;;
    selftest) echo "tools/octave tests/selftest.m" ;;
    functions) echo "tools/octave tests/installed.m" ;;
    rules) echo "tools/octave tests/rules.m" ;;
    fuzz) echo "tools/octave tests/fuzz.m" ;;
    own) echo "tools/octave tests/octave_own.m" ;;
  esac
}

counts () {
  awk 'sub (/^[a-z ]*: /, "") + 1 && /^[0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?$/ { p += $1; f += $3; s += $5 }
       END { print p + 0, f + 0, s + 0 }' "$1"
}

# run_stage NAME ROOT SUITE: a cell of the table, and the sums.
run_stage () {
  name=$1 log=$logs/$3-$1.log
  case $name in
    installations | doctests) "tests/$name.sh" "$2" > "$log" 2>&1 ;;
    # shellcheck disable=SC2016
    *) tools/root.sh in "$2" env SETUP=no GPUREDUCE_CUDA=no FUZZ_ROUNDS="${FUZZ_ROUNDS:-1500}" \
         sh -c 'cd /root/gpureduce && eval "$1"' sh "$(commands "$name")" > "$log" 2>&1 < /dev/null ;;
  esac
  status=$?
  [ "$name" != install ] || [ $status != 0 ] || echo "1 passed, 0 failed" >> "$log"
  # shellcheck disable=SC2046
  set -- $(counts "$log") "$3"
  f=$2
  [ $status = 0 ] || [ "$f" != 0 ] || f=1
  [ "$(($1 + f + $3))" != 0 ] || f=1
  cell="$1 / $f$([ "$3" = 0 ] || echo " / $3")"
  printf '%s %s: %d passed, %d failed, %d skipped\n' "$4" "$name" "$1" "$f" "$3"
  [ "$f" = 0 ] || { grep -v -E '^[0-9]+ passed, 0 failed' "$log" | tail -n 30 | cut -c 1-300 | sed 's/^/  /'; echo "  all of it: $log"; }
  passed=$((passed + $1)) failed=$((failed + f)) skipped=$((skipped + $3))
}

passed=0 failed=0 skipped=0
table=$logs/table.md
{
  echo "| Octave | compiler, C library |$(for s in $all_stages; do printf ' %s |' "$s"; done)"
  echo "|---|---|$(for s in $all_stages; do printf '%s' '---|'; done)"
} > "$table"
for suite in $SUITES; do
  case $suite in
    */*) root=$suite suite=$(basename "$suite") ;;
    *)
      root=$ROOTS/$suite
      # shellcheck disable=SC2086
      tools/root.sh make "$suite" "$root" $packages || exit 1 ;;
  esac
  rm -rf "$root/root/gpureduce.before"
  [ ! -d "$root/root/gpureduce/build/cache" ] || mv "$root/root/gpureduce" "$root/root/gpureduce.before"
  tools/root.sh copy "$root" /root/gpureduce || exit 1
  # What was compiled from the same sources is not compiled again.
  if [ -d "$root/root/gpureduce.before" ]; then
    mkdir -p "$root/root/gpureduce/build"
    mv "$root/root/gpureduce.before/build/cache" "$root/root/gpureduce/build/"
    rm -rf "$root/root/gpureduce.before"
  fi
  about=$(tools/root.sh in "$root" sh -c 'octave-cli --norc --version | sed -n "1s/.*version //p"; gcc --version | sed -n "1s/.* //p"; getconf GNU_LIBC_VERSION' | tr '\n' ';')
  version=${about%%;*} rest=${about#*;}
  row="| $version | gcc ${rest%%;*}, $(echo "${rest#*;}" | tr -d ';') |"
  for name in $all_stages; do
    case " install ${STAGES:-$name} " in
      *" $name "*)
        run_stage "$name" "$root" "$suite"
        row="$row $cell |" ;;
      *) row="$row |" ;;
    esac
  done
  echo "$row" >> "$table"
done
cat "$table"
if [ "$RECORD" = yes ]; then
  {
    echo "# Releases of Octave"
    echo
    echo "\`make check-releases RECORD=yes\`, $(date +%F), commit $(git rev-parse --short HEAD), $(nproc) cores, without CUDA."
    echo "A cell says: tests passed / failed / skipped. What each stage is: \`tests/releases.sh\`."
    echo
    cat "$table"
  } > "$top/bench/results/releases.md"
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ] && [ $passed != 0 ]
