#!/bin/sh
# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# doc/build.sh [FOLDER]: the manual as Info and HTML (whole, and in manual/ a page a
# function), as PDF where TeX is (Debian: apt-get install texlive-base), in FOLDER
# (build/doc).  The page of a function is its help text, in the order of INDEX.  PDF=no
# leaves the PDF out.
set -e
cd "$(dirname "$0")/.."
out=${1:-build/doc}

if ! command -v makeinfo > /dev/null; then
  echo "doc: makeinfo is missing (Debian: apt-get install texinfo)" >&2
  exit 1
fi
mkdir -p "$out"
sed -n 's/^Version: */@set VERSION /p; s/^Date: */@set UPDATED /p' DESCRIPTION > "$out/version.texi"

# What the manual says where a function is there: @ifset has-NAME.
sed -n 's/^ \(gpu_[a-z]*\)$/@set has-\1/p' INDEX >> "$out/version.texi"

# Functions are the indented names of INDEX, sections the other lines; a name in
# @seealso becomes a reference when it has a page.  No name of a node has a comma.
names=$(sed 1d INDEX | sed -n 's/^ //p')

menu () {
  echo '@menu'
  sed 's/,//g; s/.*/* &::/'
  echo '@end menu'
}

# The first comment block that is marked as Texinfo.
help_of () {
  awk -v names="$(echo $names)" '
    BEGIN { split (names, list, " "); for (i in list) page[list[i]] = 1 }
    found && ! /^[ \t]*##/ { exit }
    found {
      sub (/^[ \t]*## ?/, "")
      if (/^@seealso\{/) {
        gsub (/^@seealso\{|\}.*/, "")
        n = split ($0, see, / *, */)
        printf "\n@noindent\n@strong{See also:} "
        for (i = 1; i <= n; i++)
          printf "%s%s", (see[i] in page ? "@ref{" : "@code{") see[i] "}", (i < n ? ", " : ".\n")
      }
      else
        {
          sub (/^@example$/, "@smallexample")   # lines as long as a terminal fit a page
          sub (/^@end example$/, "@end smallexample")
          print
        }
    }
    /-\*- texinfo -\*-/ { found = 1 }
    END { exit ! found }' "inst/$1.m"
}

{
  sed 1d INDEX | grep '^[^ ]' | menu
  sed 1d INDEX | while IFS= read -r line; do
    case $line in
      '') ;;
      ' '*)
        name=${line# }
        printf '@node %s\n@subsection @code{%s}\n' "$name" "$name"
        help_of "$name" || { echo "doc: no help text in inst/$name.m" >&2; exit 1; }
        ;;
      *)
        printf '@node %s\n@section %s\n' "$(echo "$line" | tr -d ,)" "$line"
        sed 1d INDEX | awk -v title="$line" '/^[^ ]/ { on = $0 == title; next } on { print $1 }' | menu
        ;;
    esac
  done
} > "$out/functions.texi"

# The table of operators is the gateway's own.  It is in the manual where the package is
# built (make build).
: > "$out/operators.texi"
if [ -d build/octave ] && tools/octave tools/operator_table.m > "$out/operators.new" 2> /dev/null; then
  {
    echo '@heading Operators at a glance'
    echo
    cat "$out/operators.new"
  } > "$out/operators.texi"
fi
rm -f "$out/operators.new"
# And so is that of the rules.
: > "$out/rules.texi"
if [ -d build/octave ] && tools/octave tools/rule_table.m > "$out/rules.new" 2> /dev/null; then
  mv "$out/rules.new" "$out/rules.texi"
fi
rm -f "$out/rules.new"

# section TITLE: that part of the simulator's page: text, a table of two columns, a list.
section () {
  awk -v title="## $1" '
    function close_all () { if (open) print "@end " open; open = "" }
    /^## / { if (on) exit; on = $0 == title; next }
    ! on || /^\|--/ { next }
    {
      gsub (/[@{}]/, "@&")
      while (match ($0, /`[^`]*`/))
        $0 = substr ($0, 1, RSTART - 1) "@code{" substr ($0, RSTART + 1, RLENGTH - 2) "}" substr ($0, RSTART + RLENGTH)
    }
    /^\|/ {
      head = "@item"
      if (open != "multitable") { close_all (); open = "multitable"; print "@multitable @columnfractions .35 .65"; head = "@headitem" }
      sub (/^\| */, ""); sub (/ *\|$/, ""); sub (/ \| /, " @tab ")
      print head, $0
      next
    }
    sub (/^- /, "@item\n") && open != "itemize" { close_all (); open = "itemize"; print "@itemize" }
    /^$/ { close_all () }
    { print }
    END { close_all () }' kernels/sim/README.md
}
section Counts > "$out/sim-counts.texi"
section "What it has of CUDA" > "$out/sim-cuda.texi"

# What tests/unit/accuracy_test.c said on the CPU, and on a GPU where that is recorded.
{
  echo '@multitable @columnfractions .2 .2 .15 .15 .15 .15'
  echo '@headitem function @tab promised @tab CPU, double @tab single @tab GPU, double @tab single'
  awk '
    FILENAME ~ /gpu/ { if ($2 ~ /^[0-9]+$/) gpu[$1] = sprintf ("%.2f @tab %.2f", $3, $4); next }
    $2 ~ /^[0-9]+$/ { printf "@item @code{%s} @tab %s @tab %.2f @tab %.2f @tab %s\n", $1, $2, $3, $4, ($1 in gpu ? gpu[$1] : "not measured @tab not measured") }' \
    $(ls bench/results/accuracy-gpu.txt 2> /dev/null) bench/results/accuracy-cpu.txt
  echo '@end multitable'
} > "$out/accuracy.texi"

# A warning is an error here.
make_quietly () {
  makeinfo -I "$out" -I doc "$@" doc/gpureduce.texi > "$out/makeinfo.log" 2>&1 && [ ! -s "$out/makeinfo.log" ] || {
    head -n 20 "$out/makeinfo.log" >&2
    exit 1
  }
}
make_quietly -o "$out/gpureduce.info"
make_quietly --html --no-split -o "$out/gpureduce.html"
rm -rf "$out/manual"
make_quietly --html -o "$out/manual"
rm "$out/makeinfo.log"
echo "$out/gpureduce.info $out/gpureduce.html $out/manual/index.html"
if [ "$PDF" != no ] && command -v texi2pdf > /dev/null && command -v pdftex > /dev/null; then
  texi2pdf --batch --quiet --clean -I "$out" -I doc -o "$out/gpureduce.pdf" doc/gpureduce.texi > /dev/null
  echo "$out/gpureduce.pdf"
fi
