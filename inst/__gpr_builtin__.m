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
    if (strncmp (err.message, "Invalid call to ", 16))        # also that of var, by std
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

%!error <gpu_sum: wrong type argument 'cell'> __gpr_builtin__ ("gpu_sum", "sum", {1})
%!error id=Octave:invalid-fun-call __gpr_builtin__ ("gpu_sum", "sum")
%!error <^Invalid call to gpu_sum\.> __gpr_builtin__ ("gpu_sum", "sum")
%!test
%! [i, v] = __gpr_builtin__ ("gpu_argmax", "argmax", [1 3 2]);
%! assert ([i, v], [2, 3]);
