## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## In place of Octave's: makes no table for lookfor, which takes longer than all else
## of an installation.  lookfor reads the files instead.
function doc_cache_create (varargin)
endfunction
