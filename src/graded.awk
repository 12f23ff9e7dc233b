# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The assembler text of a submission that is graded, for build-variant.  Its initialisers get a section
# of their own (module.cpp).  Where it could leave its functions or its stack unseen: a sentence, and 1.
BEGIN { FS = "\t" }
function refuse(why) { said = 1; print why > "/dev/stderr"; exit 1 }
$2 ~ /^(call|jmp)$/ && $3 ~ /^\*/       { refuse("calls by pointer, virtual functions and computed gotos are not for kernels that are graded") }
$2 ~ /^sub/ && $3 ~ /^%.*, %rsp$/       { refuse("arrays of a size that only the run tells, and alloca, are not for kernels that are graded") }
$2 ~ /^sub/ && $3 ~ /^\$[0-9]+, %rsp$/ && substr($3, 2) + 0 > 16384     { refuse("local variables of more than 16 KiB are not for kernels that are graded") }
$2 ~ /^and/ && $3 ~ /^\$-[0-9]+, %rsp$/ && substr($3, 3) + 0 > 64       { refuse("local variables at multiples of more than 64 bytes are not for kernels that are graded") }
# Fixed places in the frame: its own, and what the caller has put there for it.
$1 ~ /^[A-Za-z_.].*:$/ && $1 !~ /^\.L/ { frame = 64 }
$2 ~ /^sub/ && $3 ~ /^\$[0-9]+, %rsp$/ { frame = 64 + substr($3, 2) }
$3 ~ /, -?[0-9]*\(%r[bs]p\)$/ && $2 !~ /^(cmp|test|ucomi|comi|bt)/ {
  at = $3
  sub(/^.*, /, "", at)
  by = at ~ /%rbp/
  sub(/\(.*$/, "", at)
  if (by ? at + 0 < - frame || (at + 0 >= 0 && at + 0 < 16) || at + 0 > 16 + 88 : at + 0 < 0 || at + 0 > frame)
    refuse("a store beyond a local variable is not for kernels that are graded")
}
$2 == ".section" && $3 ~ /^\.(init_array|ctors|fini_array|dtors)/ {
  if ($3 !~ /^\.init_array(\.00099)?,"aw"$/)       # 99: the instrumentation's own
    refuse("code that runs before or after the kernel is not for kernels that are graded")
  print "\t.section\tgpr_init,\"aw\""
  next
}
{ print }
