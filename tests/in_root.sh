#!/bin/sh
# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# tests/in_root.sh ROOT "PACKAGE..." COMMAND...: runs COMMAND in a copy, thrown away
# afterwards, of the Debian in the folder ROOT (tools/root.sh makes them), in this working
# tree without what was built, once PACKAGEs are installed there.
cd "$(dirname "$0")/.." || exit 1
root=$1 packages=$2
shift 2
# shellcheck disable=SC2016
git ls-files --cached --others --exclude-standard | while read -r file; do
  [ ! -f "$file" ] || echo "$file"
done | tar -cf - -T - | tools/root.sh fresh "$root" sh -c '
  cd && rm -rf gpureduce && mkdir gpureduce && cd gpureduce && tar -xf - || exit 1
  { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $1; } > ~/apt.log 2>&1 || {
    tail -n 5 ~/apt.log
    echo "packages that this test needs do not install: $1"
    exit 1
  }
  shift
  exec "$@" < /dev/null' sh "$packages" "$@"
