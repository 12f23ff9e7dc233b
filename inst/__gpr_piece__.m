## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## [PIECE, ID, MESSAGE] = __gpr_piece__ (F, FIRST, LAST): what F returns for gpu_reduce, or its error.

function [piece, id, message] = __gpr_piece__ (f, first, last)
  piece = [];
  id = message = "";
  try
    piece = f (first, last);
  catch e
    id = e.identifier;
    message = e.message;
    if (isempty (message))
      message = "an error without a message";
    endif
  end_try_catch
endfunction
