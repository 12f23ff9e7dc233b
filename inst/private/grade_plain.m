## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{text} =} grade_plain (@var{text})
## Text of a submission for a terminal, a table or a page: lines of printing characters, at most 4000 bytes.
## @end deftypefn

function text = grade_plain (text)

  text = reshape (text(1:min (end, 4000)), 1, []);
  text((text < " " & text != "\n" & text != "\t") | text == 127) = "?";
  ## Only whole characters of UTF-8: of others the first byte would begin what follows.
  if (any (text > 127))
    wrong = regexprep (text, '[\x00-\x7f]|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}', "");
    if (! isempty (wrong))
      text(text > 127) = "?";
    endif
  endif

endfunction
