#!/bin/sh
# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# lab/build.sh [FOLDER]: the sheet and the slides as HTML and, where Chromium is, as PDF, in
# FOLDER (build/lab).  Needs pandoc (Debian: apt-get install pandoc chromium) and an
# installed package, in GPUREDUCE_PREFIX, build/octave or build/dev/octave, which draws the figures.
set -e
cd "$(dirname "$0")/.."
out=${1:-build/lab}

if ! command -v pandoc > /dev/null; then
  echo "lab: pandoc is missing (Debian: apt-get install pandoc)" >&2
  exit 1
fi
for prefix in "$GPUREDUCE_PREFIX" "$(pwd)/build/octave" "$(pwd)/build/dev/octave"; do
  [ -z "$prefix" ] || [ ! -e "$prefix/packages" ] || break
done
mkdir -p "$out"
LAB_FIGURES=$out/figures tools/octave lab/figures.m "$prefix"

for page in sheet slides; do
  sections=
  [ $page = sheet ] || sections=--section-divs
  pandoc --standalone --from markdown-smart --to html5 $sections --self-contained --resource-path "$out" --css lab/$page.css \
         --metadata lang=en "lab/$page.md" --output "$out/$page.html"
  echo "$out/$page.html"
done

for browser in "$CHROMIUM" chromium chromium-browser google-chrome; do
  [ -n "$browser" ] && command -v "$browser" > /dev/null 2>&1 && break
  browser=
done
if [ -z "$browser" ]; then
  echo "lab: without Chromium there are no PDF files: print the pages from a browser" >&2
  exit
fi
for page in sheet slides; do
  "$browser" --headless --no-sandbox --disable-gpu --no-pdf-header-footer --print-to-pdf-no-header \
             --print-to-pdf="$out/$page.pdf" "file://$(cd "$out" && pwd)/$page.html" > "$out/print.log" 2>&1 || {
    cat "$out/print.log" >&2
    exit 1
  }
  echo "$out/$page.pdf"
done
rm -f "$out/print.log"
