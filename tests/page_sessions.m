## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## page_sessions (text): the sessions of a page, a cell array.  A session is a fenced block that
## begins with the prompt ">> "; it has the fields before, the last comment <!-- ... --> since the
## session before it (""), and steps, a cell array of {command, what Octave prints}.
##
## page_sessions (text, prepare): runs them, one after the other in the caller's folder, and raises
## an error where something else is printed.  White space does not count, and "..." stands for
## anything; what begins with "edit " is left out.  prepare (comment) is called before each session.
function sessions = page_sessions (text, prepare = @(comment) [])

  sessions = {};
  [blocks, at] = regexp (text, "```\n(>> .*?)```", "tokens", "start");
  from = 1;
  for k = 1:numel (blocks)
    comments = regexp (text(from:at(k)), '<!-- (.*?) -->', "tokens");
    one.before = "";
    if (! isempty (comments))
      one.before = comments{end}{1};
    endif
    one.steps = regexp (["\n" blocks{k}{1}], "\n>> ([^\n]*)((?:\n(?!>> )[^\n]*)*)", "tokens");
    sessions{end+1} = one;
    from = at(k);
  endfor
  if (nargout == 0)
    run (sessions, prepare);
  endif

endfunction

## All in one workspace, as who reads the page has it, so that its own variables have names that no page has.
function run (sessions__, prepare__)
  for session__ = sessions__
    prepare__ (session__{1}.before);
    steps__ = session__{1}.steps;
    for step__ = steps__(! strncmp (cellfun (@(step) step{1}, steps__, "UniformOutput", false), "edit ", 5))
      said__ = printed (evalc (step__{1}{1}, "disp ([\"error: \" lasterr()])"));
      if (! matches (plain (said__), plain (step__{1}{2})))
        error ("%s\nprints\n%s\nnot\n%s", step__{1}{1}, said__, step__{1}{2});
      endif
    endfor
  endfor
endfunction

function text = printed (text)
  text = regexprep (text, '[^\n]*\r *\r?', "");         # what gpu_bench says meanwhile, and wipes out
  text = regexprep (text, 'error: error: ', "error: ");
endfunction

function text = plain (text)
  text = strtrim (regexprep (text, '\s+', " "));
endfunction

## The pieces between "..." stand in said, one after the other; the first begins it, the last ends it.
function yes = matches (said, expected)
  pieces = cellfun (@strtrim, strsplit (expected, "..."), "UniformOutput", false);
  if (numel (pieces) == 1)
    yes = strcmp (said, expected);
    return;
  endif
  begins = @(whole, part) isempty (part) || strncmp (whole, part, numel (part));
  yes = begins (said, pieces{1}) && begins (fliplr (said), fliplr (pieces{end}));
  at = 1;
  for piece = pieces
    found = strfind (said(at:end), piece{1});
    if (yes && ! isempty (piece{1}))
      yes = ! isempty (found);
      at += [found, 0](1) + numel (piece{1}) - 1;
    endif
  endfor
endfunction
