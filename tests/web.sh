#!/bin/sh
# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# tests/web.sh: the pages that gpu_trace and gpu_compare write, driven in a headless Chromium.
# Pages and screenshots: build/web/.  Skipped where there is no Chromium.
cd "$(dirname "$0")/.." || exit 1

for browser in "$CHROMIUM" chromium chromium-browser google-chrome; do
  [ -n "$browser" ] && command -v "$browser" > /dev/null 2>&1 && break
  browser=
done
if [ -z "$browser" ] || ! python3 -c '' 2> /dev/null; then
  echo "The page of gpu_trace was not driven: no Chromium or no python3."
  echo "0 passed, 0 failed, 1 skipped"
  exit
fi
rm -rf build/web
mkdir -p build/web
# The files of this folder, over an installed package if there is one.
octave-cli --quiet --norc --no-history --eval "
  built = {'build/octave', 'build/dev/octave'};
  built = built(cellfun (@(p) exist (fullfile (p, 'packages'), 'file') == 2, built));
  if (! isempty (built))
    setenv ('GPUREDUCE_PREFIX', fullfile (pwd (), built{1}));
    try, source ('tools/use_build.m'); pkg load gpureduce; end_try_catch
  endif
  addpath (fullfile (pwd (), 'inst'), fullfile (pwd (), 'tests', 'web'));
  sample_pages (fullfile (pwd (), 'build', 'web'));" || { echo "0 passed, 1 failed, 0 skipped"; exit 1; }
exec python3 tests/web/drive.py "$browser" build/web
