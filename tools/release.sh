#!/bin/sh
# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# tools/release.sh: everything of a release, in build/release/; nothing is uploaded.
#
#   gpureduce-VERSION.tar.gz    for pkg install, and what tools/prebuilt.sh has made
#   SHA256SUMS                  of these files
#   packages/gpureduce.yaml     the entry for the index of Octave's packages
#   manual/                     the manual, a page a function
#   lab/                        the laboratory's sheet and slides, if make lab has made them
set -e
cd "$(dirname "$0")/.."

# TO BE SET to where these files will be; also in debian/watch and in
# doc/org.octave.Octave.gpureduce.metainfo.xml.
site=https://gpureduce.example.org

field () { sed -n "s/^$1: *//p" DESCRIPTION; }
version=$(field Version)
date=$(field Date)
out=build/release

# agrees FILE TEXT: the release is the one that the file speaks of.
agrees () {
  grep -q -F -e "$2" "$1" || {
    echo "release: DESCRIPTION says version $version of $date, but $1 has no '$2'" >&2
    exit 1
  }
}
agrees NEWS "Version $version"
agrees CITATION.cff "version: $version"
agrees CITATION.cff "date-released: $date"
agrees doc/org.octave.Octave.gpureduce.metainfo.xml "<release version=\"$version\" date=\"$date\"/>"
agrees doc/org.octave.Octave.gpureduce.metainfo.xml "$site/"
agrees debian/changelog "($version-"
agrees debian/watch "$site/"

rm -rf "$out"
mkdir -p "$out/packages"
cp "$(tools/dist.sh)" "$out/"
for file in build/prebuilt/gpureduce-"$version"-*.tar.gz; do
  [ ! -f "$file" ] || cp "$file" "$out/"
done
(cd "$out" && sha256sum ./*.tar.gz | sed 's, \./,  ,;s,   ,  ,' > SHA256SUMS)

doc/build.sh > /dev/null
cp -R build/doc/manual "$out/"
for page in build/lab/sheet build/lab/slides; do
  for file in $page.html $page.pdf; do
    [ ! -f "$file" ] || { mkdir -p "$out/lab" && cp "$file" "$out/lab/"; }
  done
done

cat > "$out/packages/gpureduce.yaml" <<END
---
layout: "package"
permalink: "gpureduce/"
description: >-
$(sed -n '/^Description: /,/^[^ ]*:/{s/^Description: //;/^[A-Z][A-Za-z]*: /!p;}' DESCRIPTION | tr -s ' \n' ' ' | fold -s -w 76 | sed 's/ *$//;s/^/  /')
icon:
links:
- icon: "far fa-copyright"
  label: "$(field License)"
  url: "$site/COPYING"
- icon: "fas fa-rss"
  label: "news"
  url: "$site/NEWS"
- icon: "fas fa-code-branch"
  label: "repository"
  url: "$site/repository"
- icon: "fas fa-book"
  label: "package documentation"
  url: "$site/manual/"
- icon: "fas fa-bug"
  label: "report a problem"
  url: "$site/issues"
maintainers:
- name: "$(field Maintainer)"
  contact:
versions:
- id: "$version"
  date: "$date"
  sha256: "$(sha256sum "$out/gpureduce-$version.tar.gz" | cut -d ' ' -f 1)"
  url: "$site/gpureduce-$version.tar.gz"
  depends:
  - "$(field Depends)"
  - "pkg"
---
END
find "$out" -maxdepth 2 ! -path "$out/manual/*" ! -type d | LC_ALL=C sort
echo "$out/manual/"
