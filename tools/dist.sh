#!/bin/sh
# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# tools/dist.sh: writes build/gpureduce-VERSION.tar.gz and prints its name.  The
# same sources give the same bytes.
set -e
cd "$(dirname "$0")/.."
version=$(sed -n 's/^Version: *//p' DESCRIPTION)
name=gpureduce-$version

if ! grep -q "^#define GPR_VERSION \"$version\"" src/core/gpr.h; then
  echo "dist: DESCRIPTION says $version, src/core/gpr.h: $(grep 'define GPR_VERSION' src/core/gpr.h)" >&2
  exit 1
fi

# What git knows or would take, where this folder is a repository of its own;
# else everything but build products.
content="DESCRIPTION INDEX NEWS COPYING pre_install.m post_install.m inst src kernels doc"
# The exercises alone of what is there for teaching: the package's own folder lab; no solutions.
[ ! -d lab/exercises ] || content="$content lab/exercises"
mkdir -p build
work=$(mktemp -d build/dist.XXXXXX)     # its own: several may run at once
trap 'rm -rf "$work"' EXIT
if [ "$(git rev-parse --show-toplevel 2> /dev/null)" = "$(pwd -P)" ]; then
  git ls-files --cached --others --exclude-standard -- $content > "$work/found"
else
  find $content -type f > "$work/found"
fi
while read -r file; do
  case $file in
    *.o | *.mex | *.so | *.log | *~ | */.* | */octave-workspace) ;;
    src/config.mk | src/config-cuda.mk | src/cuda-status.txt | src/gpureduce_build.txt) ;;
    *) [ ! -f "$file" ] || echo "$file" ;;
  esac
done < "$work/found" | LC_ALL=C sort -u > "$work/files"
if [ ! -s "$work/files" ]; then
  echo "dist: no files to pack" >&2
  exit 1
fi

tar --format=ustar --owner=0 --group=0 --numeric-owner --mode=u+rw,go+r,go-w \
    --mtime="$(sed -n 's/^Date: *//p' DESCRIPTION) 00:00:00 UTC" \
    --transform "s,^lab/exercises/,inst/lab/," --transform "s,^,$name/," -cf "$work/$name.tar" -T "$work/files"
gzip -9n < "$work/$name.tar" > "$work/$name.tar.gz"
mv "$work/$name.tar.gz" "build/$name.tar.gz"
echo "build/$name.tar.gz"
