## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {[@var{y}, @var{i}] =} cumulative (@var{caller}, @var{x}, @var{dim}, @dots{}, "device", @var{d})
## What @code{gpu_cumsum}, @code{gpu_cumprod}, @code{gpu_cummax} and @code{gpu_cummin} do with
## their arguments.
## @end deftypefn

function varargout = cumulative (caller, varargin)

  op = caller(5:end);
  extreme = any (strcmp (op, {"cummax", "cummin"}));
  [args, device] = take_device (varargin);
  if (isempty (args))
    __gpr_builtin__ (caller, op);       # its error
  endif
  flags = [false, cellfun(@(a) ischar (a) && any (strcmpi (a, {"omitnan", "includenan"})), args(2:end))];
  if (sum (flags) > 1)
    error ("gpureduce:invalid-input", "%s: one nanflag at most", caller);
  endif
  omit = any (flags) && strcmpi (args{flags}, "omitnan");
  include = any (flags) && ! omit;
  args = args(! flags);
  nout = max (1, nargout);

  plain = args;
  type = "";
  if (strcmp (op, "cumsum") && numel (plain) > 1 && ischar (plain{end}) && any (strcmp (plain{end}, {"native", "double"})))
    type = plain{end};
    plain(end) = [];
  endif
  if (! ours (plain) || (strcmp (type, "native") && ! isfloat (plain{1})))
    if (any (flags))
      error ("gpureduce:invalid-input", "%s: a nanflag goes with a full numeric X and a dimension", caller);
    endif
    [varargout{1:nout}] = __gpr_builtin__ (caller, op, args{:});
    return;
  endif

  x = plain{1};
  if (! extreme && (! isfloat (x) || strcmp (type, "double")))
    x = double (x);
  endif
  if (numel (plain) > 1)
    dim = double (gather (plain{2}));
  else
    (dim = find (size (x) != 1, 1)) || (dim = 1);
  endif
  nans = [];
  if (isfloat (x) && ((omit && ! extreme) || (include && extreme)))
    y = gather (x);
    nans = isnan (y);
    if (! extreme)
      y(nans) = strcmp (op, "cumprod");
      x = as_it_was (y, x);
    endif
  endif
  options = {};
  if (! isempty (device))
    options = {"device", device};
  endif
  [varargout{1:nout}] = __gpureduce__ (["scan:" caller], op, x, dim, options{:});
  if (extreme && any (nans(:)))
    ## From the first NaN of a column on.
    after = cumsum (nans, dim) > 0;
    [~, first] = max (nans, [], dim);
    first = first .* ones (size (nans));
    w = gather (varargout{1});
    w(after) = NaN;
    varargout{1} = as_it_was (w, x);
    if (nout > 1)
      iw = gather (varargout{2});
      iw(after) = first(after);
      varargout{2} = as_it_was (iw, x);
    endif
  endif

endfunction

## Arguments that we compute: an array and a dimension.
function yes = ours (args)
  yes = numel (args) >= 1 && numel (args) <= 2 && (isnumeric (args{1}) || islogical (args{1})) ...
        && ! issparse (args{1}) && ! isempty (args{1});
  if (yes && numel (args) == 2)
    dim = gather (args{2});
    yes = isnumeric (dim) && isscalar (dim) && isreal (dim) && dim >= 1 && dim == fix (dim) && dim < 2 ^ 31;
  endif
endfunction

## y on the device where x was one.
function y = as_it_was (y, x)
  if (isgpuarray (x) && numel (y) != 1)
    y = gpuArray (y);
  endif
endfunction
