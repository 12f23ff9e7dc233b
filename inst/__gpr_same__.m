## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {} __gpr_same__ (@var{name}, @dots{})
## Undocumented internal function of the tests: an error unless @code{gpu_@var{name} (@dots{})}
## does what the running built-in does: the same value, class and sizes, or the same error under
## this function's name.
## @end deftypefn

function __gpr_same__ (name, varargin)

  [theirs, their_error] = attempt (name, varargin);
  [ours, our_error] = attempt (["gpu_" name], varargin);
  if (isempty (their_error) && isempty (our_error))
    assert (ours, theirs);
    assert (class (ours), class (theirs));
    return;
  elseif (isempty (our_error))
    error ("no error, but wanted '%s'", their_error.message);
  elseif (isempty (their_error))
    error ("error '%s', but the built-in has an answer", our_error.message);
  endif
  assert (our_error.identifier, their_error.identifier);
  if (strncmp (their_error.message, "Invalid call to ", 16))
    wanted = ["^Invalid call to gpu_" name];
  else
    text = regexprep (their_error.message, '^(\w+: )*', "");      # max's, where range calls it
    wanted = ["^gpu_" name ": .*" regexptranslate("escape", text) "$"];
  endif
  if (isempty (regexp (our_error.message, wanted, "once")))
    error ("wanted '%s', not '%s'", wanted, our_error.message);
  endif

endfunction

function [y, err] = attempt (name, args)
  y = err = [];
  try
    y = feval (name, args{:});
  catch err
  end_try_catch
endfunction

%!test __gpr_same__ ("sum", [1 2 3])
%!test __gpr_same__ ("sum", {1})
%!test __gpr_same__ ("sum")
%!function y = gpu_numel (x)
%!  y = single (3);
%!endfunction
%!function y = gpu_rows (x)
%!  error ("gpu_rows: no");
%!endfunction
%!error __gpr_same__ ("numel", 1:3)
%!error <built-in has an answer> __gpr_same__ ("rows", 1)
