## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## The sessions of pages: after ">> " what is typed, then what Octave prints.  White space does not count.

## Blocks that begin with a prompt; each command, and what it says.
%!function steps = steps_of (page)
%!  steps = {};
%!  text = fileread (fullfile (fileparts (fileparts (which ("in_octave"))), page));
%!  blocks = regexp (text, "```\n(>> .*?)```", "tokens");
%!  for block = [blocks{:}]
%!    steps{end+1} = regexp (["\n" block{1}], "\n>> ([^\n]*)((?:\n(?!>> )[^\n]*)*)", "tokens");
%!  endfor
%!endfunction
%!function text = plain (text)
%!  text = strtrim (regexprep (text, '\s+', " "));
%!endfunction
%!function check (page, most = Inf)
%!  old = gpu_config ("device", "cpu");
%!  unwind_protect
%!    sessions = steps_of (page);
%!    assert (! isempty (sessions));
%!    for session = sessions(1:min (end, most))
%!      run (session{1});
%!    endfor
%!  unwind_protect_cleanup
%!    gpu_config ("device", old);
%!  end_unwind_protect
%!endfunction
%!function run (steps__)
%!  for step__ = steps__
%!    said__ = evalc (step__{1}{1}, "disp ([\"error: \" lasterr()])");
%!    said__ = regexprep (said__, 'error: error: ', "error: ");
%!    if (! strcmp (plain (said__), plain (step__{1}{2})))
%!      error ("%s\nprints\n%s\nnot\n%s", step__{1}{1}, said__, step__{1}{2});
%!    endif
%!  endfor
%!endfunction

%!test check ("doc/coming-from-matlab.md")      # coming_from_matlab
%!test check ("README.md", 1)                   # readme, but for the simulator, which may be missing
