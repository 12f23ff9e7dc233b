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
  flags = cellfun (@(a) ischar (a) && any (strcmpi (a, {"omitnan", "includenan"})), args);
  if (isempty (args))
    flags = false;
  else
    flags(1) = false;
  endif
  if (sum (flags) > 1)
    error ("gpureduce:invalid-input", "%s: one nanflag at most", caller);
  endif
  omit = any (flags) && strcmpi (args{flags}, "omitnan");
  include = any (flags) && ! omit;
  args(flags) = [];
  nout = max (1, nargout);

  plain = args;
  type = "";
  if (strcmp (op, "cumsum") && numel (plain) > 1 && ischar (plain{end}) && any (strcmp (plain{end}, {"native", "double"})))
    type = plain{end};
    plain(end) = [];
  endif
  if (! ours (plain, extreme) || (strcmp (type, "native") && ! isfloat (plain{1})))
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
  resident = isgpuarray (x);
  nans = [];
  if (((omit && ! extreme) || (include && extreme)) && isfloat (x))
    host = gather (x);
    nans = isnan (host);
    if (! extreme)
      host(nans) = strcmp (op, "cumprod");
      x = merge (resident, {gpuArray(host)}, {host}){1};
    endif
  endif
  options = {};
  if (! isempty (device))
    options = {"device", device};
  endif
  [varargout{1:nout}] = __gpureduce__ (["scan:" caller], op, x, dim, options{:});
  if (extreme && any (nans(:)))
    varargout = with_nan (varargout, nans, dim, resident);
  endif

endfunction

## Arguments that we compute: an array and a dimension.
function yes = ours (args, extreme)
  yes = numel (args) >= 1 && numel (args) <= 2 && (isnumeric (args{1}) || islogical (args{1})) ...
        && ! issparse (args{1}) && ! isempty (args{1});
  if (yes && numel (args) == 2)
    dim = gather (args{2});
    yes = isnumeric (dim) && isscalar (dim) && isreal (dim) && dim >= 1 && dim == fix (dim) && dim < 2 ^ 31;
  endif
endfunction

## "includenan" of extremes: from the first NaN of a column on.
function out = with_nan (out, nans, dim, resident)
  after = cumsum (nans, dim) > 0;
  [~, first] = max (nans, [], dim);
  for k = 1:numel (out)
    y = gather (out{k});
    where = first .* ones (size (after));
    y(after) = merge (k == 1, NaN, 0);
    if (k == 2)
      y(after) = where(after);
    endif
    out{k} = merge (resident && numel (y) != 1, {y}, {y}){1};
    if (resident && numel (y) != 1)
      out{k} = gpuArray (y);
    endif
  endfor
endfunction
