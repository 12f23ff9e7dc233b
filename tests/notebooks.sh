#!/bin/sh
# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# tests/notebooks.sh [PREFIX]: the notebooks of lab/notebooks are those of the scripts beside
# them, run in Jupyter to their ends, and show what they are to show: the first and another
# (NOTEBOOKS="02 05" are those), all with CHECK_LONG=yes, and then the scripts too.  Without
# Jupyter the scripts are run instead.  PREFIX: where the package is (build/octave).  What they
# left: build/notebooks.
# tests/notebooks.sh setup: installs Jupyter's kernel for Octave into build/jupyter, from PyPI.
cd "$(dirname "$0")/.." || exit 1
top=$(pwd)
if [ "$1" = setup ]; then
  python3 -m venv build/jupyter && exec build/jupyter/bin/pip install nbclient octave-kernel
fi
. tests/expect.sh
work=$top/build/notebooks
: "${NOTEBOOKS=01 0$(($(date +%s) % 4 + 2))}"
[ "$CHECK_LONG" != yes ] || NOTEBOOKS='0'
rm -rf "$work"
mkdir -p "$work/made" "$work/home"
cp lab/notebooks/* "$work/"
GPUREDUCE_PREFIX=${1:-$top/build/octave}
: "${GPUREDUCE_KERNELS=$top/build/kernels}"
export GPUREDUCE_PREFIX GPUREDUCE_KERNELS

same_as_scripts () {
  MADE_IN=$work/made octave-cli --quiet --norc --no-history tools/notebooks.m &&
    for made in "$work"/made/*; do cmp "$made" "lab/notebooks/${made##*/}" || return 1; done
}
expect "notebooks are made of the scripts (octave-cli tools/notebooks.m)" "" same_as_scripts

# The kernel reads this file, and no other of the user's.
echo "source ('$top/tools/use_build.m');" > "$work/home/.octaverc"
jupyter=
for python in "$top/build/jupyter/bin/python" python3 /usr/bin/python3; do
  if [ -z "$jupyter" ] && "$python" -c 'import nbclient, octave_kernel' 2> /dev/null; then
    jupyter=$python
  fi
done
# chosen KIND: the files of that kind.
chosen () { for one in $NOTEBOOKS; do (cd "$work" && ls "$one"*."$1"); done; }
echo "notebooks: $NOTEBOOKS"
if [ -n "$jupyter" ]; then
  # shellcheck disable=SC2046
  (cd "$work" && HOME=$work/home "$jupyter" "$top/tests/notebooks.py" $(chosen ipynb))
  result=$?
else
  skip "notebooks were not run: there is no Jupyter with a kernel for Octave; tests/notebooks.sh setup installs it into build/jupyter"
  result=0
fi
if [ -z "$jupyter" ] || [ "$CHECK_LONG" = yes ]; then
  for script in $(chosen m); do
    # As tools/octave, in the folder of the script.
    alone () { (cd "$work" && octave-cli --quiet --norc --no-history --eval "source ('$top/tools/use_build.m'); set (0, 'defaultfigurevisible', 'off'); source ('$script')"); }
    expect "$script runs as a script" "" alone
  done
fi
exit $result
