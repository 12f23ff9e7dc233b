## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {[@dots{}] =} __gpr_builtin__ (@var{caller}, @var{name}, @dots{})
## Undocumented internal function: calls the built-in function @var{name} and
## raises its errors again as those of @var{caller}.
## @end deftypefn

function varargout = __gpr_builtin__ (caller, name, varargin)

  resident = false;
  for i = 1:numel (varargin)
    if (isa (varargin{i}, "gpuArray"))
      varargin{i} = gather (varargin{i});
      resident = true;
    endif
  endfor
  nout = max (nargout, 1);
  ## Octave has no argmax: that is the second output of max.
  swapped = strncmp (name, "arg", 3);
  if (swapped)
    name = name(4:end);
  endif
  try
    if (swapped)
      [value, index] = feval (name, varargin{:});
      out = {index, value};
    else
      [out{1:nout}] = feval (name, varargin{:});
    endif
  catch err
    if (of_internals (err.message))
      error ("gpureduce:invalid-input", "%s: %s", caller, odd_one (varargin));
    elseif (strncmp (err.message, "Invalid call to ", 16))        # also that of var, by std
      err.message = sprintf ("Invalid call to %s.  See 'help %s'.", caller, caller);
    elseif (strncmp (err.message, [name ":"], numel (name) + 1))
      err.message = [caller err.message(numel (name)+1:end)];
    else
      err.message = [caller ": " err.message];
    endif
    error (struct ("message", err.message, "identifier", err.identifier, "stack", err.stack));
  end_try_catch
  varargout = out(1:nout);
  for i = 1:nout
    if (resident && numel (out{i}) != 1 && (isnumeric (out{i}) || islogical (out{i})))
      varargout{i} = gpuArray (out{i});
    endif
  endfor

endfunction

## Whether a message speaks of what is inside of Octave: of a class of C++, of this file.
function yes = of_internals (message)
  yes = ! isempty (regexp (message, "charNDArray|^strcmpi: |in return list", "once"));
endfunction

## Which argument is most likely the one that the built-in does not take.
function text = odd_one (args)

  plain = @(a) isnumeric (a) || islogical (a) || is_function_handle (a) || (ischar (a) && isrow (a));
  odd = find (cellfun (@(a) ischar (a) && ndims (a) > 2, args), 1);
  if (isempty (odd))
    odd = find (! cellfun (plain, args), 1);
  endif
  if (isempty (odd))
    text = "these arguments do not go together";
  else
    text = sprintf ("argument %d, %s of class %s, cannot be used", odd, sprintf ("%dx", size (args{odd}))(1:end-1), class (args{odd}));
  endif

endfunction

%!error <gpu_sum: wrong type argument 'cell'> __gpr_builtin__ ("gpu_sum", "sum", {1})
%!error id=Octave:invalid-fun-call __gpr_builtin__ ("gpu_sum", "sum")
%!error <^Invalid call to gpu_sum\.> __gpr_builtin__ ("gpu_sum", "sum")
%!test
%! [i, v] = __gpr_builtin__ ("gpu_argmax", "argmax", [1 3 2]);
%! assert ([i, v], [2, 3]);
