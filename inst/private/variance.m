## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{v} =} variance (@var{caller}, @var{x}, @var{w}, @var{dim}, @var{nanflag}, @dots{}, "device", @var{d})
## The variance for @code{gpu_var} and @code{gpu_std}, whose arguments these are.
## @end deftypefn

function v = variance (caller, varargin)

  builtin = caller(5:end);
  [args, device] = take_device (varargin);
  words = cellfun (@(a) ischar (a) && any (strcmpi (a, {"omitnan", "includenan"})), args);
  omit = any (strcmpi (args(words), "omitnan"));
  if (sum (words) > 1)
    error ("gpureduce:invalid-input", "%s: one nanflag at most", caller);
  endif
  flags = args(words);
  args = args(! words);
  if (isempty (args) || numel (args) > 3)
    error ("Octave:invalid-fun-call", "Invalid call to %s.  See 'help %s'.", caller, caller);
  endif

  x = args{1};
  args(2:end) = cellfun (@gather, args(2:end), "uniformoutput", false);
  weighted = numel (args) > 1 && numel (args{2}) > 1;
  ## What is no array of numbers and what is empty the built-in answers.
  ours = (isnumeric (x) || islogical (x)) && ! issparse (x) && ! isempty (x) && (! weighted || can_weigh (x, args{2:end}));
  if (! ours)
    if (omit && isfloat (x) && ! isempty (x))
      error ("gpureduce:invalid-input", "%s: \"omitnan\" needs a full X, and with weights a real one and a weight of at least 0 for each element along one dimension", caller);
    endif
    v = __gpr_builtin__ (caller, builtin, x, args{2:end});
    return;
  endif

  where = {};
  if (! isempty (device))
    where = {"device", device};
  endif
  if (weighted)
    [v, dims] = weighted_variance (caller, where, omit, x, args{2:end});
  else
    [dims, normalized] = checked (caller, builtin, x, args{2:end});
    if (! any (strcmp (underlyingType (x), {"double", "single"})))
      x = double (x);
    endif
    m = __gpureduce__ (["moments:" caller], x, dims, flags{:}, where{:});
    v = sample_variance (m(1,:), m(3,:), normalized);
  endif
  if (strcmp (builtin, "std"))
    v = sqrt (v);
  endif
  sz = size (x);
  dims(dims > numel (sz)) = [];
  sz(dims) = 1;
  v = reshape (v, sz);
  if (strcmp (underlyingType (x), "single"))
    v = single (v);
  endif
  if (isgpuarray (x) && numel (v) != 1)
    v = gpuArray (v);
  endif

endfunction

## Whether w and dim are as they must be, and w .* x in floating point; the built-in has
## errors for others, and its own way with integers and complex numbers.
function yes = can_weigh (x, w, dim = [])
  if (isempty (dim))
    dim = find (size (x) != 1, 1);
  endif
  yes = isnumeric (dim) && isscalar (dim) && isreal (dim) && dim >= 1 && dim == fix (dim) ...
        && (isfloat (x) || islogical (x)) && isreal (x) && isfloat (w) && isreal (w) && ! issparse (w) ...
        && isvector (w) && all (w >= 0) && size (x, dim) == numel (w);
endfunction

## The mean first, then the squares of the distances to it, as the built-in.
function [v, dim] = weighted_variance (caller, where, omit, x, w, dim = [])
  call = @(name, varargin) __gpureduce__ ([name ":" caller], varargin{:}, where{:});
  if (isempty (dim))
    dim = find (size (x) != 1, 1);
  endif
  w = reshape (w, [ones(1, dim - 1), numel(w), 1]);
  if (omit)
    absent = isnan (gather (x));
    if (any (absent(:)))
      w = w .* ones (size (absent));
      w(absent) = 0;
      x = gather (x);
      x(absent) = 0;
    endif
  endif
  total = sum (w, dim);
  mean = gather (call ("sum", call ("times", w, x), dim)) ./ total;
  distance = call ("minus", x, mean);
  v = gather (call ("dot", call ("times", w, distance), distance, dim)) ./ total;
endfunction

## The dimensions to reduce and what w adds to n - 1, or the built-in's own errors.
function [dims, w] = checked (caller, builtin, x, w = 0, dim = [])
  sz = size (x);
  if (isempty (dim))
    (dims = find (sz != 1, 1)) || (dims = 1);
  elseif (ischar (dim) && strcmpi (dim, "all"))
    dims = 1:numel (sz);
  else
    dims = dim(:).';
    if (! (isnumeric (dim) && isvector (dim) && all (dims > 0) && all (dims == fix (dims))))
      error ("%s: DIM must be a positive integer scalar, vector, or 'all'", caller);
    elseif (numel (unique (dims)) != numel (dims))
      error ("%s: vector DIM must contain non-repeating positive integers", caller);
    endif
    dims = double (dims);
  endif
  n = prod (sz(dims(dims <= numel (sz))));
  if (isempty (w))
    w = 0;
  elseif (! isnumeric (w) || w < 0 || (w != 0 && w != 1 && n != 1))
    error ("%s: W must be 0, 1, or a vector of positive integers", caller);
  endif
  w = double (w);
endfunction
