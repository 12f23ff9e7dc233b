## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {[@var{piece}, @var{id}, @var{message}] =} __gpr_piece__ (@var{f}, @var{first}, @var{last})
## What the function @var{f} of @code{gpu_reduce} returns for the indices @var{first} to @var{last}, or the identifier and the message of
## its error: the gateway closes what it has opened before it raises one.  Internal.
## @end deftypefn

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

%!test
%! [piece, id, message] = __gpr_piece__ (@(i, j) i:j, 2, 4);
%! assert ({piece, id, message}, {2:4, "", ""});
%!test                                  # an error without a message has one
%! [piece, id, message] = __gpr_piece__ (@(i, j) error ("some:id", "indices %d to %d", i, j), 2, 4);
%! assert ({piece, id, message}, {[], "some:id", "indices 2 to 4"});
%! [~, ~, message] = __gpr_piece__ (@(i, j) rethrow (struct ("message", "", "identifier", "some:id")), 1, 2);
%! assert (! isempty (message));
