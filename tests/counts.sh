# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# counts FILE: the sums of the lines "N passed, N failed, N skipped" in a file; words with a
# colon may stand before, and a line of progress that ends with a carriage return.
counts () {
  sed 's/.*\r//' "$1" | awk 'sub (/^[a-z ]*: /, "") + 1 && /^[0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?$/ { p += $1; f += $3; s += $5 }
       END { print p + 0, f + 0, s + 0 }'
}
