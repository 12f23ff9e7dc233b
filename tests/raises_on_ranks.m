## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## raises_on_ranks (C, F, ID, MESSAGE): F () is an error with this identifier and message on each rank.
function raises_on_ranks (c, f, id, message)

  said = "no error";
  try
    f ();
  catch err
    said = [err.identifier " " err.message];
  end_try_catch
  tally_ranks (c, strcmp (said, [id " " message]), "%s: %s", message, said);

endfunction
