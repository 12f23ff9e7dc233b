#!/bin/sh
# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# tests/container.sh ROOT: the steps of lab/classroom/Containerfile, each as an engine for
# containers would do it, in a copy of the Debian in the folder ROOT (tools/root.sh make
# bookworm ROOT); then its command is started, and notebooks run in it.  No engine is needed,
# and none is tried.
cd "$(dirname "$0")/.." || exit 1
if [ "$1" != inside ]; then
  exec tests/in_root.sh "${1:?a folder that tools/root.sh has made}" "" tests/container.sh inside
fi

. tests/expect.sh
tree=$(pwd)
file=lab/classroom/Containerfile
tools/dist.sh > /dev/null || exit 1

# What is set by the steps so far; the package is compiled for any processor, and not optimised, which
# takes minutes less.
user=root folder=/ settings=
MAKEFLAGS='ISAS=baseline CFLAGS=-O0'
export MAKEFLAGS

# as COMMAND: by the user, in the folder, with the settings.
as () {
  # shellcheck disable=SC2086
  (cd "$folder" && exec setpriv --reuid "$user" --regid "$(id -g "$user")" --clear-groups \
    env HOME="$(getent passwd "$user" | cut -d : -f 6)" $settings sh -c "$1")
}
copy () {               # SOURCE... PLACE
  for place; do :; done
  while [ $# -gt 1 ]; do
    # shellcheck disable=SC2086
    for source in $tree/$1; do
      [ -e "$source" ] || return 1
      case $place in
        */) mkdir -p "$place" && cp -R "$source" "$place" || return ;;
        *) mkdir -p "$(dirname "$place")" && cp -R "$source" "$place" || return ;;
      esac
    done
    shift
  done
}

# Lines that end with \ go on in the next.
sed -e '/^#/d' -e '/^ *$/d' "$file" | sed -e ':a' -e '/\\$/{N;s/\\\n */ /;ba' -e '}' > steps
while IFS= read -r step <&9; do
  word=${step%% *} rest=${step#* }
  case $word in
    FROM) expect "the test is in the Debian of its FROM" "" sh -c 'case $1 in *debian:"$(. /etc/os-release && echo "$VERSION_CODENAME")"*) ;; *) exit 1 ;; esac' sh "$rest" || exit 1 ;;
    RUN) expect "RUN $rest" "" as "$rest" || exit 1 ;;
    # shellcheck disable=SC2086
    COPY) set -f; set -- $rest; set +f; expect "$step" "" copy "$@" || exit 1 ;;
    ENV) settings="$settings $rest" ;;
    USER) user=$rest ;;
    WORKDIR) folder=$rest; mkdir -p "$folder" ;;
    EXPOSE) ;;
    CMD) command=$(echo "$rest" | tr -d '[]",') ;;
    *) echo "a step that this test does not know: $step"; echo "0 passed, 1 failed"; exit 1 ;;
  esac
done 9< steps

serves () {
  as "exec $command" > served 2>&1 &
  server=$!
  for _ in $(seq 100); do
    address=$(sed -n 's,.*\(http://127[^ ]*token=[0-9a-f]*\).*,\1,p' served | head -n 1)
    [ -z "$address" ] || break
    sleep 0.3
  done
  as "python3 -c \"import sys, urllib.request; sys.stdout.write (urllib.request.urlopen ('${address%%\?*}/../api/contents?${address#*\?}').read ().decode ())\""
  status=$?
  [ $status = 0 ] || cat served
  kill $server
  wait $server
  return $status
}
expect "its command serves the notebooks" 01-first-steps.ipynb serves
for notebook in 01-first-steps 04-your-own-kernel; do
  expect "$notebook runs there" "" as "jupyter execute --inplace $notebook.ipynb"
done
expect "and shows what it is to" "all that is needed is there" as "cat 01-first-steps.ipynb"
