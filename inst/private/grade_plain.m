## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{text} =} grade_plain (@var{text})
## Text of a submission for a terminal, a table or a page: lines of printing characters, at most 4000 bytes.
## @end deftypefn

function text = grade_plain (text)

  text = reshape (text(1:min (end, 4000)), 1, []);
  text((text < " " & text != "\n" & text != "\t") | text == 127) = "?";
  ## Only whole characters of UTF-8, or Octave's functions for text refuse it.
  if (any (text > 127))
    try
      regexprep (text, "x", "x");
    catch
      text(text > 127) = "?";
    end_try_catch
  endif

endfunction
