# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# expect WHAT PATTERN COMMAND...: one test; the command must end well and print
# the pattern.

expect () {
  what=$1 pattern=$2
  shift 2
  said=$("$@" 2>&1 < /dev/null)
  status=$?
  if [ $status = 0 ] && echo "$said" | grep -q -e "$pattern"; then
    echo "$what"
    echo "1 passed, 0 failed"
  else
    echo "$what: exit status $status, expected '$pattern', said"
    echo "$said" | tail -n 20
    echo "0 passed, 1 failed"
    return 1
  fi
}

# one_function PACKAGE: leaves it gpu_sum alone, since most of an installation's time goes
# into pkg's table of all functions' help.
one_function () {
  find "$1/inst" -name 'gpu*.m' ! -name gpu_sum.m -exec rm {} +
}

skip () {
  echo "skipped: $1"
  echo "0 passed, 0 failed, 1 skipped"
}
