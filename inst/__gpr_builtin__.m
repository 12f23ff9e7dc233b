## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {[@dots{}] =} __gpr_builtin__ (@var{caller}, @var{name}, @dots{})
## Undocumented internal function: calls the built-in function @var{name} and
## raises its errors again as those of @var{caller}.
## @end deftypefn

function varargout = __gpr_builtin__ (caller, name, varargin)

  resident = cellfun ("isclass", varargin, "gpuArray");
  if (any (resident))
    varargin(resident) = cellfun (@gather, varargin(resident), "UniformOutput", false);
  endif
  ## Octave has no argmax: that is the second output of max.
  swapped = strncmp (name, "arg", 3);
  if (swapped)
    name = name(4:end);
  endif
  try
    if (swapped)
      [value, index] = feval (name, varargin{:});
      varargout = {index, value};
    else
      [varargout{1:max (nargout, 1)}] = feval (name, varargin{:});
    endif
  catch err
    if (of_internals (err.message, name))
      error ("gpureduce:invalid-input", "%s: %s", caller, what_cannot_be_used (varargin, err.message));
    elseif (strncmp (err.message, "Invalid call to ", 16))        # also that of var, by std
      err.message = sprintf ("Invalid call to %s.  See 'help %s'.", caller, caller);
    elseif (strncmp (err.message, [name ":"], numel (name) + 1))
      err.message = [caller err.message(numel (name)+1:end)];
    else
      err.message = [caller ": " err.message];
    endif
    error (struct ("message", err.message, "identifier", err.identifier, "stack", err.stack));
  end_try_catch
  for i = 1:numel (varargout) * any (resident)
    v = varargout{i};
    if (numel (v) != 1 && (isnumeric (v) || islogical (v)) && ! issparse (v))
      varargout{i} = gpuArray (v);
    endif
  endfor

endfunction

## Whether a message speaks of what is inside of Octave: of a class of C++, of this file, of a
## function that the built-in calls.
function yes = of_internals (message, name)
  yes = ! isempty (regexp (message, "charNDArray|^strcmpi: |in return list", "once")) ...
        || (! isempty (regexp (message, '^\w+: not defined for ', "once")) && ! strncmp (message, [name ":"], numel (name) + 1));
endfunction

## The argument that the message is about, where only one can be meant.
function text = what_cannot_be_used (args, message)

  odd = [];
  why = regexp (message, ' not defined for .*', "match", "once");
  if (any (strfind (message, "charNDArray")))
    odd = find (cellfun (@(a) ischar (a) && ndims (a) > 2, args));
  elseif (strcmp (why, " not defined for function handle"))
    odd = find (cellfun (@is_function_handle, args));
  endif
  if (isscalar (odd))
    sizes = sprintf ("%dx", size (args{odd}))(1:end-1);
    text = sprintf ("argument %d, %s of class %s, cannot be used", odd, sizes, class (args{odd}));
  elseif (isempty (why))
    text = "these arguments cannot be used";
  else
    text = ["these arguments cannot be used:" why];
  endif

endfunction

%!error <gpu_sum: wrong type argument 'cell'> __gpr_builtin__ ("gpu_sum", "sum", {1})
%!error id=Octave:invalid-fun-call __gpr_builtin__ ("gpu_sum", "sum")
%!error <^Invalid call to gpu_sum\.> __gpr_builtin__ ("gpu_sum", "sum")
%!test
%! [i, v] = __gpr_builtin__ ("gpu_argmax", "argmax", [1 3 2]);
%! assert ([i, v], [2, 3]);
## what Octave calls by names of its own is named by its place, where only one can be meant
%!error <^gpu_sum: argument 2, 2x2x2 of class char, cannot be used$> __gpr_builtin__ ("gpu_sum", "sum", 1:3, repmat ("a", [2 2 2]))
%!error <^gpu_sum: these arguments cannot be used$> __gpr_builtin__ ("gpu_sum", "sum", 1:3, repmat ("a", [2 2 2]), repmat ("b", [1 2 2]))
%!test                                  # var calls others, whose names say nothing to who called gpu_var
%! for odd = {@sin, 1+2i}
%!   try
%!     __gpr_builtin__ ("gpu_var", "var", 1:3, 0, odd{1});
%!   catch e
%!     assert (! isempty (regexp (e.message, '^(gpu_var: (?!\w+: )|Invalid call to gpu_var\.)', "once")), "%s", e.message);
%!   end_try_catch
%! endfor
