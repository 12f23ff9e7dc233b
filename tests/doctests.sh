#!/bin/sh
# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# tests/doctests.sh ROOT: the examples of all help texts give what they say, by Octave's
# package doctest, in a copy of the Debian in the folder ROOT.
cd "$(dirname "$0")/.." || exit 1
exec tests/in_root.sh "${1:?a folder that tools/root.sh has made}" "octave-dev gcc g++ make libboost-context-dev texinfo octave-doctest" \
  sh -c 'tools/compile.sh dev && tools/octave tests/doctests.m "$(pwd)/build/dev/octave"'
