# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What the compiler makes of a submission that is graded, as -fdump-tree-optimized-raw-asmname-uid has it, for
# build-variant.  The instrumentation asks the simulator before nearly every store: not of what a call stores where a
# pointer says, of constants, and of a function's own variables.  Here each store is one of an own variable, by
# its name, or comes right after it was asked for.  Else: a sentence, and 1.
function refuse(why) { print "in " name ": " why " is not for kernels that are graded"; exit 1 }
function keep(word) { if (match(word, /[A-Za-z0-9_$]*(\.[0-9]+)?D\.[0-9]+$/)) own[substr(word, RSTART, RLENGTH)] = 1 }
# The variable, with its number, that a place begins with.
function first(place) { return match(place, /^[A-Za-z0-9_$]*(\.[0-9]+)?D\.[0-9]+/) ? substr(place, 1, RLENGTH) : "" }

# Of a variable itself: x, x.y, x[i]; or of a part of it at a fixed distance, which graded.awk holds against its size.
function is_own(place,  v, rest) {
  if (place ~ /^<retval>[.,\[]/)        # a variable of who calls: calls are below
    return 1
  v = first(place)
  if (v != "")
    return v in own
  if (place ~ /^MEM[^&]*&[A-Za-z0-9_$]*(\.[0-9]+)?D\.[0-9]+( [+-] [0-9]+B?)?\][.,]/ && place !~ /^MEM[^,]*\]\[/) {
    rest = place
    sub(/^MEM[^&]*&/, "", rest)
    if (rest ~ /^&/)                    # of a cast to a reference
      sub(/^&/, "", rest)
    return first(rest) in own
  }
  return 0
}
function is_value(place) { return place ~ /^[A-Za-z0-9_.$]*_[0-9]+(\(D\))?[,>]/ && first(place) == "" }

/^;; Function/ { name = $3; split("", own); head = 1; asked = 0; next }
head && / \(.*\)$/ && /D\.[0-9]+ \(/ {
  line = $0
  sub(/^[^(]*\(/, "", line)
  n = split(line, words, /[,)]/)
  for (i = 1; i <= n; i++)
    keep(words[i])
  next
}
head && /^  .*;$/ && ! /^  (static|extern) / {
  line = $0
  sub(/[\[;].*$/, "", line)
  keep(line)
  next
}
/<bb [0-9]+>/ { head = asked = 0; next }
/^  gimple_debug/ || /^ *#/ { next }
/^  gimple_call </ {
  called = place = $0
  sub(/^  gimple_call </, "", called)
  sub(/, .*$/, "", called)
  sub(/D\.[0-9]+>?$/, "", called)
  sub(/>$/, "", called)
  sub(/^  gimple_call <[^,]*, /, "", place)
  if (called ~ /^__tsan_(unaligned_|volatile_|unaligned_volatile_)?write([0-9]+|_range)$/) { asked = 1; next }
  if (called ~ /^__tsan_(unaligned_|volatile_|unaligned_volatile_)?read/)
    next
  if (called ~ /^_[0-9]+$|^[a-z].*_[0-9]+$/ && called !~ /^sim_/ && $0 !~ /^  gimple_call <[^,]*D\.[0-9]+/)
    refuse("a call by pointer")
  if (called ~ /^(__builtin_)?(mem|str|stp|wmem|wcs|bcopy|bzero|va_|v?s?n?printf_chk)/ && called !~ /^strcmp$/)
    refuse(called)
  if (called ~ /^__builtin_/ && called !~ /^__builtin_(return_address|unreachable|trap|popcount|clz|ctz|ffs|bswap|parity|is|f|sqrt|ceil|trunc|round|rint|copysign|exp|log|pow|huge_val|nan|inf|signbit|expect|constant_p|object_size|abort|puts|putchar|printf)/)
    refuse(called)
  if (place !~ /^NULL[,>]/ && ! is_value(place) && (place ~ /^MEM/ || ! is_own(place)) && $0 !~ /^  gimple_call <[^,]*>$/)
    refuse("a call whose result goes where a pointer says: give it a variable first, which")
  asked = 0
  next
}
/^  gimple_assign </ {
  place = $0
  sub(/^  gimple_assign <[a-z_0-9]*, /, "", place)
  if (is_value(place) || /CLOBBER/)
    next
  if (! is_own(place) && ! asked)
    refuse("a store that the simulator would not see (to a constant, or past the instrumentation)")
  asked = 0
  next
}
/^  gimple_asm/ || /^  gimple_goto/ { refuse("assembly or a computed goto") }
