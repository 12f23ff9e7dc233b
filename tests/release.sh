#!/bin/sh
# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# tests/release.sh ROOT: `make release` in a copy of the Debian in the folder ROOT: the
# entry for the package index is what the index takes, and what forges, catalogues and
# citations read is valid.
cd "$(dirname "$0")/.." || exit 1
if [ "$1" != inside ]; then
  exec tests/in_root.sh "${1:?a folder that tools/root.sh has made}" \
    "make texinfo python3-yaml yamllint appstream" tests/release.sh inside
fi

. tests/expect.sh
out=build/release
version=$(sed -n 's/^Version: *//p' DESCRIPTION)
entry=$out/packages/gpureduce.yaml

expect "make release" "$entry" make --no-print-directory release || exit 1
expect "the entry has the keys of the index, in its order" "" python3 tests/index_entry.py "$entry" "$version"
expect "its lines have at most 80 characters" "^0$" sh -c 'grep -c ".\{81\}" "$1"; true' sh "$entry"
expect "its checksum is that of the file" "$(sha256sum < "$out/gpureduce-$version.tar.gz" | cut -d ' ' -f 1)" cat "$entry"
expect "SHA256SUMS holds" "gpureduce-$version.tar.gz: OK" sh -c "cd $out && sha256sum -c SHA256SUMS"
expect "the package has neither debian/ nor forges' files" "^0$" sh -c \
  'tar -tzf "$1" | grep -c -E "^[^/]*/(debian|tests|tools|\\.)"; true' sh "$out/gpureduce-$version.tar.gz"
expect "every function of INDEX has its page" "" sh -c \
  'for name in $(sed -n "s/^ //p" INDEX); do [ -s "build/release/manual/$(echo "$name" | sed s/_/_005f/g).html" ] || exit 1; done'
expect "the definitions for forges are clean YAML" "" yamllint --strict \
  -d '{extends: default, rules: {line-length: {max: 100}}}' .github/workflows/check.yml .gitlab-ci.yml
expect "both forges try the same releases" "" sh -c \
  '[ "$(grep -o "\"7.3.0\".*\"11.3.0\"" .gitlab-ci.yml)" = "$(grep -o "\"7.3.0\".*\"11.3.0\"" .github/workflows/check.yml)" ]'
expect "the AppStream metainfo is valid" "" appstreamcli validate --no-net doc/org.octave.Octave.gpureduce.metainfo.xml

# The release is one: what speaks of another is found.
speaks_of_another () {
  cp "$1" kept
  sed 's/2026\|0\.1\.0/1999/g' kept > "$1"
  said=$(tools/release.sh 2>&1) && said="no error"
  cp kept "$1"
  echo "$said"
}
for file in NEWS CITATION.cff doc/org.octave.Octave.gpureduce.metainfo.xml debian/changelog; do
  expect "a version in $file that is not that of DESCRIPTION is refused" "but $file has no" speaks_of_another "$file"
done
