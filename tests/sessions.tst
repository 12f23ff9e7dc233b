## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## The sessions of pages: after ">> " what is typed, then what Octave prints.  White space does not count.

%!function check (page, most = Inf)
%!  text = fileread (fullfile (fileparts (fileparts (which ("in_octave"))), page));
%!  [~, ends] = regexp (text, "```\n(>> .*?)```", "tokens", "end");
%!  assert (! isempty (ends));
%!  old = gpu_config ("device", "cpu");
%!  unwind_protect
%!    page_sessions (text(1:ends(min (end, most))));
%!  unwind_protect_cleanup
%!    gpu_config ("device", old);
%!  end_unwind_protect
%!endfunction

%!test check ("doc/coming-from-matlab.md")      # coming_from_matlab
%!test check ("README.md", 1)                   # readme, but for the simulator, which may be missing
