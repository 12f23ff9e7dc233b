## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

classdef gpuArray < handle

  ## -*- texinfo -*-
  ## @deftypefn {} {@var{g} =} gpuArray (@var{x})
  ## Copy the array @var{x} to the GPU and return a handle to the copy.
  ##
  ## @var{x} is a numeric, logical or character array of any size, real or
  ## complex, but not sparse; ranges and diagonal and permutation matrices are
  ## copied as full arrays.  If @var{x} is a gpuArray already, it is returned
  ## as it is.  Where there is no GPU the copy lives in the memory of the CPU,
  ## so that the same program runs.
  ##
  ## All functions of this package take a gpuArray wherever they take an array.
  ## So do, for a gpuArray, the names of the built-ins @code{sum}, @code{prod},
  ## @code{sumsq}, @code{mean}, @code{max}, @code{min}, @code{any}, @code{all}, @code{var},
  ## @code{std}, @code{median}, @code{quantile}, @code{prctile}, @code{mad}, @code{iqr}, @code{mode}, @code{range}, @code{bounds}, @code{norm}, @code{dot},
  ## @code{nnz}, @code{cumsum}, @code{cumprod}, @code{cummax}, @code{cummin}, @code{histc},
  ## @code{hist} and @code{accumarray}, and MATLAB's @code{histcounts}, @code{histcounts2}, @code{maxk} and @code{mink}.  Results with one element come back as
  ## ordinary numbers; results that are arrays stay on the GPU until
  ## @code{gather} fetches them.
  ##
  ## @example
  ## @group
  ## g = gpuArray ([1 2 3; 4 5 6]);
  ## gather (sum (g, 2))
  ##     @result{}  6
  ##        15
  ## max (g, [], "all")
  ##     @result{} 6
  ## size (g)
  ##     @result{} 2   3
  ## underlyingType (g)
  ##     @result{} double
  ## @end group
  ## @end example
  ##
  ## A gpuArray is a handle: @code{h = g} makes a second name for the same
  ## data, which never changes.  The memory is given back when the last handle
  ## is cleared, or at once by @code{delete (g)}; every later use of a deleted
  ## handle is an error.  A gpuArray cannot be saved to a file; save what
  ## @code{gather} returns.
  ##
  ## These queries answer without copying data: @code{size}, @code{numel},
  ## @code{ndims}, @code{rows}, @code{columns}, @code{length}, @code{isempty},
  ## @code{isscalar}, @code{isvector}, @code{isrow}, @code{iscolumn},
  ## @code{ismatrix}, @code{issquare}, @code{isreal}, @code{iscomplex},
  ## @code{isnumeric}, @code{isfloat}, @code{isinteger}, @code{islogical},
  ## @code{ischar}, @code{underlyingType}, @code{classUnderlying},
  ## @code{isUnderlyingType}, @code{existsOnGPU}.  @code{isequal} compares
  ## values with those of other gpuArrays or arrays.  The conversions
  ## @code{double}, @code{single}, @code{int8} to @code{uint64} and
  ## @code{logical} return a new gpuArray.  Arithmetic and indexing are not
  ## defined: they are errors that name @code{gather}.
  ##
  ## The package ocl has a gpuArray of its own; where both are loaded, the one
  ## loaded last is found first, and @code{gpu_doctor} says so.
  ##
  ## Errors: @code{gpureduce:invalid-input} for what cannot be copied and for a
  ## handle that is no longer alive, @code{gpureduce:out-of-memory} when the
  ## copy does not fit, @code{gpureduce:unsupported} for arithmetic and
  ## indexing.
  ## @seealso{gather, isgpuarray, existsOnGPU, underlyingType, gpuDevice, gpu_sum, gpu_config}
  ## @end deftypefn

  ## Octave 7 loads a class a second time when a handle to its constructor is
  ## made (cellfun (@gpuArray, ...)), and then refuses private access to objects
  ## of either kind.  So nothing here is private; an id that was made up is
  ## caught by the gateway.
  properties (Hidden)
    id = 0;     # the gateway's name of the data, checked at every use; 0: none
    gateway = @__gpureduce__;   # still found when the package is unloaded first
  endproperties

  methods

    ## gpuArray ("__adopt__", ID) wraps data the gateway has made.
    function this = gpuArray (x, id)
      persistent looked = false;
      if (nargin == 2 && ischar (x) && strcmp (x, "__adopt__"))
        this.id = id;
      elseif (nargin != 1)
        ## print_usage would load the class once more and break it.
        error ("Octave:invalid-fun-call", "Invalid call to gpuArray.  Correct usage is:\n\n -- G = gpuArray (X)");
      elseif (isa (x, "gpuArray"))
        this = x;
      else
        if (! looked)
          looked = true;
          other = other_gpuarray ();
          if (! isempty (other))
            warning ("gpureduce:shadowed", "gpuArray: the one of %s is hidden by that of gpureduce", other);
          endif
        endif
        this.id = __gpureduce__ ("upload", x);
      endif
    endfunction

    function delete (this)
      try
        __gpureduce__ ("free", this);
      catch                     # the package is unloaded; the class too, after "clear functions"
        try
          feval (this.gateway, "free", this);
        end_try_catch
      end_try_catch
    endfunction

    function varargout = gather (varargin)
      if (nargout > nargin)
        error ("Octave:invalid-fun-call", "gather: more outputs than inputs");
      endif
      varargout = varargin(1:max (1, nargout));
      for i = 1:numel (varargout)
        if (isa (varargout{i}, "gpuArray"))
          varargout{i} = __gpureduce__ ("gather", varargout{i});
        endif
      endfor
    endfunction

    ## What the gateway knows of the data.

    function varargout = size (this, varargin)
      s = describe (this).size;
      if (nargin == 1)
        n = max (1, nargout);
        if (n == 1)
          varargout = {s};
        else
          s(end+1:n) = 1;
          varargout = num2cell ([s(1:n-1), prod(s(n:end))]);
        endif
        return;
      endif
      for k = 1:numel (varargin)
        d = varargin{k};
        if (! isnumeric (d) || isempty (d) || (numel (varargin) > 1 && ! isscalar (d)))
          error ("gpuArray: size: DIM must be a positive integer");
        elseif (any (d < 1) || any (d != fix (d)))
          error ("gpuArray: size: requested dimension DIM (= %g) out of range", d(find (d < 1 | d != fix (d), 1)));
        endif
      endfor
      dims = double ([cellfun(@(d) d(:).', varargin, "uniformoutput", false){:}]);
      s(end+1:max (dims)) = 1;
      s = s(dims);
      if (nargout > 1)
        varargout = num2cell (s(1:nargout));
      else
        varargout = {s};
      endif
    endfunction

    function n = numel (this, varargin)
      if (nargin > 1)
        not_defined ("indexing", "(...)");
      endif
      n = __gpureduce__ ("numel", this);
    endfunction

    function n = ndims (this)        n = numel (describe (this).size);         endfunction
    function n = rows (this)         n = describe (this).size(1);              endfunction
    function n = columns (this)      n = describe (this).size(2);              endfunction
    function n = length (this)
      s = describe (this).size;
      n = max (s) * all (s);
    endfunction

    function t = isempty (this)      t = any (describe (this).size == 0);      endfunction
    function t = isscalar (this)     t = all (describe (this).size == 1);      endfunction
    function t = isvector (this)
      s = describe (this).size;
      t = numel (s) == 2 && any (s == 1);
    endfunction
    function t = isrow (this)
      s = describe (this).size;
      t = numel (s) == 2 && s(1) == 1;
    endfunction
    function t = iscolumn (this)
      s = describe (this).size;
      t = numel (s) == 2 && s(2) == 1;
    endfunction
    function t = ismatrix (this)     t = numel (describe (this).size) == 2;    endfunction
    function t = issquare (this)
      s = describe (this).size;
      t = numel (s) == 2 && s(1) == s(2);
    endfunction

    function t = isreal (this)       t = ! describe (this).complex;            endfunction
    function t = iscomplex (this)    t = logical (describe (this).complex);    endfunction
    function t = islogical (this)    t = isUnderlyingType (this, "logical");   endfunction
    function t = ischar (this)       t = isUnderlyingType (this, "char");      endfunction
    function t = isfloat (this)      t = any (strcmp (underlyingType (this), {"double", "single"}));   endfunction
    function t = isnumeric (this)    t = ! any (strcmp (underlyingType (this), {"logical", "char"}));  endfunction
    function t = isinteger (this)    t = isnumeric (this) && ! isfloat (this); endfunction

    function type = underlyingType (this)   type = describe (this).class;      endfunction
    function type = classUnderlying (this)  type = describe (this).class;      endfunction
    function t = isUnderlyingType (this, type)
      t = strcmp (underlyingType (this), type);
    endfunction

    function t = existsOnGPU (this)
      t = true;
      try
        describe (this);
      catch
        t = false;
      end_try_catch
    endfunction

    ## How it looks.

    function disp (this)
      try
        about = __gpureduce__ ("describe", this);
      catch
        printf ("  deleted gpuArray\n");
        return;
      end_try_catch
      kinds = {"", "complex "};
      places = {"the CPU", sprintf("GPU %d", about.device)};
      printf ("  %s%s%s gpuArray on %s\n", sprintf ("%dx", about.size)(1:end-1),
              [" " kinds{1 + about.complex}], about.class, places{1 + (about.device > 0)});
      if (prod (about.size) <= 100)
        printf ("\n");
        disp (__gpureduce__ ("gather", this));
      endif
    endfunction

    function display (this)
      printf ("%s =\n\n", inputname (1));
      disp (this);
      printf ("\n");
    endfunction

    ## Values.

    function t = isequal (varargin)
      for i = 1:nargin
        varargin{i} = gather (varargin{i});
      endfor
      t = isequal (varargin{:});
    endfunction

    function y = double (this)     y = convert (this, @double);   endfunction
    function y = single (this)     y = convert (this, @single);   endfunction
    function y = int8 (this)       y = convert (this, @int8);     endfunction
    function y = int16 (this)      y = convert (this, @int16);    endfunction
    function y = int32 (this)      y = convert (this, @int32);    endfunction
    function y = int64 (this)      y = convert (this, @int64);    endfunction
    function y = uint8 (this)      y = convert (this, @uint8);    endfunction
    function y = uint16 (this)     y = convert (this, @uint16);   endfunction
    function y = uint32 (this)     y = convert (this, @uint32);   endfunction
    function y = uint64 (this)     y = convert (this, @uint64);   endfunction
    function y = logical (this)    y = convert (this, @logical);  endfunction

    ## Reductions under the built-ins' names.

    function y = sum (varargin)    y = gpu_sum (varargin{:});    endfunction
    function y = prod (varargin)   y = gpu_prod (varargin{:});   endfunction
    function y = sumsq (varargin)  y = gpu_sumsq (varargin{:});  endfunction
    function y = mean (varargin)   y = gpu_mean (varargin{:});   endfunction
    function y = any (varargin)    y = gpu_any (varargin{:});    endfunction
    function y = all (varargin)    y = gpu_all (varargin{:});    endfunction
    function varargout = var (varargin)     [varargout{1:max (1, nargout)}] = gpu_var (varargin{:});     endfunction
    function varargout = std (varargin)     [varargout{1:max (1, nargout)}] = gpu_std (varargin{:});     endfunction
    function y = rms (varargin)    y = gpu_rms (varargin{:});    endfunction
    function y = median (varargin) y = gpu_median (varargin{:}); endfunction
    function y = quantile (varargin) y = gpu_quantile (varargin{:}); endfunction
    function y = prctile (varargin) y = gpu_prctile (varargin{:}); endfunction
    function y = mad (varargin)    y = gpu_mad (varargin{:});    endfunction
    function varargout = iqr (varargin)     [varargout{1:max (1, nargout)}] = gpu_iqr (varargin{:});     endfunction
    function varargout = maxk (varargin)    [varargout{1:max (1, nargout)}] = gpu_maxk (varargin{:});    endfunction
    function varargout = mink (varargin)    [varargout{1:max (1, nargout)}] = gpu_mink (varargin{:});    endfunction
    function y = range (varargin)  y = gpu_range (varargin{:});  endfunction
    function y = norm (varargin)   y = gpu_norm (varargin{:});   endfunction
    function y = dot (varargin)    y = gpu_dot (varargin{:});    endfunction
    function y = nnz (varargin)    y = gpu_nnz (varargin{:});    endfunction
    function y = cumsum (varargin)   y = gpu_cumsum (varargin{:});    endfunction
    function y = cumprod (varargin)  y = gpu_cumprod (varargin{:});   endfunction
    function y = accumarray (varargin)  y = gpu_accumarray (varargin{:});  endfunction
    function varargout = cummax (varargin)  [varargout{1:max (1, nargout)}] = gpu_cummax (varargin{:});  endfunction
    function varargout = cummin (varargin)  [varargout{1:max (1, nargout)}] = gpu_cummin (varargin{:});  endfunction
    function varargout = bounds (varargin)  [varargout{1:max (1, nargout)}] = gpu_bounds (varargin{:});  endfunction
    function varargout = mode (varargin)    [varargout{1:max (1, nargout)}] = gpu_mode (varargin{:});    endfunction
    function varargout = histcounts (varargin)   [varargout{1:max (1, nargout)}] = gpu_histcounts (varargin{:});   endfunction
    function varargout = histcounts2 (varargin)  [varargout{1:max (1, nargout)}] = gpu_histcounts2 (varargin{:});  endfunction
    function varargout = max (varargin)    [varargout{1:max (1, nargout)}] = gpu_max (varargin{:});    endfunction
    function varargout = min (varargin)    [varargout{1:max (1, nargout)}] = gpu_min (varargin{:});    endfunction
    function varargout = histc (varargin)  [varargout{1:max (1, nargout)}] = gpu_histc (varargin{:});  endfunction
    function varargout = hist (varargin)   [varargout{1:max (1, nargout)}] = gpu_hist (varargin{:});   endfunction

    ## What is not defined says what to do.

    function varargout = subsref (this, s)
      if (s(1).type(1) != ".")
        not_defined ("indexing", "(...)");
      endif
      ## The built-in subsref takes an array from before "clear functions" for one of another
      ## class, and calls this one again.
      callers = dbstack ();
      if (numel (callers) > 1 && strcmp (callers(1).name, callers(2).name))
        error ("gpureduce:unsupported", "gpuArray: .%s of an array from before \"clear functions\"; use %s (X)", s(1).subs, s(1).subs);
      endif
      try
        [varargout{1:nargout}] = builtin ("subsref", this, s);
      catch err
        ## Octave 9 wants numel (this) outputs of g.sum () where it is an argument.
        if (nargout < 2 || isempty (strfind (err.message, "too many outputs")))
          rethrow (err);
        endif
        varargout{1} = builtin ("subsref", this, s);
      end_try_catch
    endfunction
    function this = subsasgn (this, s, value)
      if (s(1).type(1) != ".")
        not_defined ("indexing", "(...)");
      endif
      this = builtin ("subsasgn", this, s, value);
    endfunction
    function n = end (this, k, n)
      s = describe (this).size;
      s(end+1:n) = 1;
      if (k < n)
        n = s(k);
      else
        n = prod (s(k:end));
      endif
    endfunction
    function y = horzcat (varargin)      not_defined ("concatenation");      endfunction
    function y = vertcat (varargin)      not_defined ("concatenation");      endfunction
    function y = plus (varargin)       not_defined ("+");                  endfunction
    function y = minus (varargin)      not_defined ("-");                  endfunction
    function y = uminus (varargin)     not_defined ("-");                  endfunction
    function y = uplus (varargin)      not_defined ("+");                  endfunction
    function y = times (varargin)      not_defined (".*");                 endfunction
    function y = mtimes (varargin)     not_defined ("*");                  endfunction
    function y = rdivide (varargin)    not_defined ("./");                 endfunction
    function y = mrdivide (varargin)   not_defined ("/");                  endfunction
    function y = ldivide (varargin)    not_defined (".\\");                endfunction
    function y = mldivide (varargin)   not_defined ("\\");                 endfunction
    function y = power (varargin)      not_defined (".^");                 endfunction
    function y = mpower (varargin)     not_defined ("^");                  endfunction
    function y = eq (varargin)         not_defined ("==");                 endfunction
    function y = ne (varargin)         not_defined ("!=");                 endfunction
    function y = lt (varargin)         not_defined ("<");                  endfunction
    function y = le (varargin)         not_defined ("<=");                 endfunction
    function y = gt (varargin)         not_defined (">");                  endfunction
    function y = ge (varargin)         not_defined (">=");                 endfunction
    function y = and (varargin)        not_defined ("&");                  endfunction
    function y = or (varargin)         not_defined ("|");                  endfunction
    function y = not (varargin)        not_defined ("!");                  endfunction
    function y = transpose (varargin)  not_defined (".'");                 endfunction
    function y = ctranspose (varargin) not_defined ("'");                  endfunction
  endmethods

  methods (Hidden)
    function about = describe (this)
      about = __gpureduce__ ("describe", this);
    endfunction

    function y = convert (this, to)
      y = __gpureduce__ ("convert", this, func2str (to));
    endfunction
  endmethods
endclassdef

## queries answer as the built-ins do for the same data
%!test
%! queries = {@size, @numel, @ndims, @rows, @columns, @length, @isempty, ...
%!            @isscalar, @isvector, @isrow, @iscolumn, @ismatrix, @issquare, ...
%!            @isreal, @iscomplex, @isnumeric, @isfloat, @isinteger, ...
%!            @islogical, @ischar};
%! arrays = {5, [], 1:3, (1:3)', magic(3), zeros(0, 3), zeros(3, 0), ...
%!           zeros(1, 0), zeros(0, 1), ones(2, 3, 4), ones(1, 1, 3), ...
%!           zeros(2, 0, 3), single(1:3), int8([1 2; 3 4]), uint64(7), ...
%!           true, "text", "", [1+2i 3], single(1i), eye(3), 1:0};
%! for x = arrays
%!   g = gpuArray (x{1});
%!   for q = queries
%!     answer = q{1} (x{1});
%!     assert (q{1} (g), answer);
%!     assert (class (q{1} (g)), class (answer));
%!   endfor
%! endfor

## size has the built-in's call forms
%!test
%! x = ones (2, 3, 4);
%! g = gpuArray (x);
%! for d = {1, 2, 3, 4, 7, [1 2], [3 1], [2 5 1], int8(2)}
%!   assert (size (g, d{1}), size (x, d{1}));
%! endfor
%! assert (size (g, 1, 3), size (x, 1, 3));
%! [r, c] = size (g);
%! assert ([r c], [2 12]);
%! [r, c, p] = size (g);
%! assert ([r c p], [2 3 4]);
%! [r, c, p, q] = size (g);
%! assert ([r c p q], [2 3 4 1]);
%! [r, c] = size (g, [3 1]);
%! assert ([r c], [4 2]);
%! [r, c] = size (g, 2, 3);
%! assert ([r c], [3 4]);
%!error <out of range> size (gpuArray (1), 0)
%!error <out of range> size (gpuArray (1), 1.5)
%!error <DIM must be> size (gpuArray (1), {})

## class functions give the built-in's numbers, and NA
%!test
%! odd = [-0.5 0.5 1.5 2.5 -2.5 127.5 -128.5 255.5 0.49999999999999994 NaN NA Inf -Inf 2^31-0.5 2^53 2^63 2^64 -2^63 1e300];
%! classes = {@double, @single, @int8, @uint8, @int16, @uint16, @int32, @uint32, @int64, @uint64};
%! for from = classes
%!   x = from{1} ([odd, 1e3*randn(1, 3000)]);
%!   if (isinteger (x))
%!     x = [x, intmin(class (x)), intmax(class (x))];
%!   endif
%!   for to = classes
%!     want = to{1} (x);
%!     y = to{1} (gpuArray (x));
%!     assert (class (y), "gpuArray");
%!     assert (gather (y), want);
%!     assert (isna (gather (y)), isna (want));
%!   endfor
%!   assert (gather (from{1} (gpuArray ([true false]))), from{1} ([true false]));
%! endfor
%! assert (gather (double (gpuArray (single ([1+2i NaN NA])))), double (single ([1+2i NaN NA])));
%! assert (size (int8 (gpuArray (zeros (0, 3)))), [0 3]);
%! assert (gather (logical (gpuArray ([2 0]))), [true false]);
%!error <logical> logical (gpuArray (NaN))

## classes
%!assert (class (gpuArray (1)), "gpuArray")
%!assert (classUnderlying (gpuArray (single (1))), "single")
%!assert (isUnderlyingType (gpuArray (int8 (1)), "int8"))
%!assert (! isUnderlyingType (gpuArray (int8 (1)), "double"))
%!test
%! for to = {@double, @single, @int8, @uint8, @int16, @uint16, @int32, ...
%!           @uint32, @int64, @uint64, @logical}
%!   x = [0 1.6 200; 2 3 0];
%!   y = to{1} (gpuArray (x));
%!   assert (isgpuarray (y));
%!   assert (gather (y), to{1} (x));
%!   assert (underlyingType (y), func2str (to{1}));
%! endfor

## handles
%!test
%! g = gpuArray (1:3);
%! h = g;
%! k = gpuArray (g);
%! clear g
%! assert (gather (h), 1:3);
%! clear h
%! assert (gather (k), 1:3);
%! delete (k);
%! assert (existsOnGPU (k), false);
%! delete (k);
%!test
%! before = __gpureduce__ ("diagnose").handles;
%! for i = 1:2000
%!   g = gpuArray (i);
%!   h = max (gpuArray ([i i; 0 1]));
%!   try
%!     gpuArray ({i});
%!   catch
%!   end_try_catch
%!   try
%!     gpu_sum (h, -1);
%!   catch
%!   end_try_catch
%! endfor
%! assert (gather (g), 2000);
%! clear g h
%! assert (__gpureduce__ ("diagnose").handles, before);
%!test
%! before = __gpureduce__ ("diagnose").handles;
%! c = cellfun (@gpuArray, {1, 2:3, "a"}, "uniformoutput", false);
%! s.x = c;
%! assert (cellfun (@gather, c, "uniformoutput", false), {1, 2:3, "a"});
%! assert (cellfun (@numel, c), [1 2 1]);
%! clear c
%! assert (__gpureduce__ ("diagnose").handles, before + 3);
%! clear s
%! assert (__gpureduce__ ("diagnose").handles, before);
## Octave loads the class again where a handle to the constructor is made
%!test
%! g = gpuArray (1:3);
%! c = cellfun (@gpuArray, {5, [1 2; 3 4]}, "uniformoutput", false);
%! f = @gpuArray;
%! h = f ("ab");
%! k = gpuArray (7);
%! assert (gather (g), 1:3);
%! assert (size (c{2}), [2 2]);
%! assert (gather (c{2}), [1 2; 3 4]);
%! assert (gather (h), "ab");
%! assert (gather (k), 7);
%! assert (gather (f (g)), 1:3);
%! clear g c f h k
%!function y = fails (x)
%!  g = gpuArray (x);
%!  error ("test:left", "g is left behind");
%!endfunction
%!test
%! before = __gpureduce__ ("diagnose").handles;
%! try
%!   fails (1:5);
%! catch e
%!   assert (e.identifier, "test:left");
%! end_try_catch
%! clear e
%! assert (__gpureduce__ ("diagnose").handles, before);

## a name that was made up is refused, whatever it is
%!test
%! for id = {1, 2, 63, 2^20, -1, 1e15, 0.5, NaN, Inf, [], [1 2], "x", {}, 1i, uint8(200), true}
%!   g = gpuArray (1);
%!   __gpureduce__ ("free", g);
%!   g = gpuArray ("__adopt__", id{1});
%!   caught = "";
%!   try
%!     gather (g);
%!   catch e
%!     caught = e.identifier;
%!   end_try_catch
%!   assert (caught, "gpureduce:invalid-input");
%!   assert (existsOnGPU (g), false);
%!   caught = "";
%!   try
%!     gpu_sum (g);
%!   catch e
%!     caught = e.message;
%!   end_try_catch
%!   assert (! isempty (caught));
%!   clear g
%! endfor

## isequal
%!assert (isequal (gpuArray (1:3), 1:3))
%!assert (isequal (1:3, gpuArray (1:3)))
%!assert (isequal (gpuArray (1:3), gpuArray (1:3), [1 2 3]))
%!assert (! isequal (gpuArray (1:3), gpuArray (1:4)))
%!assert (! isequal (gpuArray (NaN), NaN))

## the built-ins' names
%!test
%! x = [3 1 4; 1 5 9];
%! g = gpuArray (x);
%! for f = {@sum, @prod, @sumsq, @mean, @max, @min, @any, @all}
%!   y = f{1} (g);
%!   assert (isgpuarray (y));
%!   assert (gather (y), f{1} (x));
%!   assert (f{1} (gpuArray (5)), f{1} (5));
%! endfor
%! assert (gather (sum (g, 2)), sum (x, 2));
%! assert (sum (g, "all"), 23);
%! [m, i] = max (g, [], 2);
%! assert (gather (m), [4; 9]);
%! assert (gather (i), [3; 3]);
%! assert (gather (max (g, 3)), max (x, 3));
%! assert (gather (min (3, g)), min (3, x));
%! assert (gather (g.sum (2)), [8; 15]);
%! assert (class (sum (g, "all")), "double");
%!test
%! x = [3 1 4; 1 5 9];
%! g = gpuArray (x);
%! for f = {@var, @std, @median, @mode, @range, @cumsum, @cumprod, @cummax, @cummin}
%!   assert (gather (f{1} (g)), f{1} (x), 8 * eps);
%!   assert (isgpuarray (f{1} (g)));
%! endfor
%! assert (norm (g, "fro"), norm (x, "fro"), 8 * eps);
%! assert (gather (dot (g, g)), dot (x, x));
%! assert (nnz (g), 6);
%! [s, l] = bounds (g, 2);
%! assert ([gather(s), gather(l)], [1 4; 1 9]);
%! [w, iw] = cummax (g, 2);
%! assert (gather (iw), [1 1 3; 1 2 3]);
%! assert (gather (accumarray (gpuArray ([1; 2; 1]), [10; 20; 30])), [40; 20]);
%! assert (gather (histcounts (g, [0 3 10])), [2 4]);
%!assert (gather (histc (gpuArray ([1 2 2 5]), 1:5)), [1 2 0 0 1])
%!assert (gather (hist (gpuArray ([1 2 2 5]), 4)), hist ([1 2 2 5], 4))
%!test
%! g = gpuArray (int8 ([100 100; 1 2]));
%! assert (gather (sum (g, 2, "native")), int8 ([127; 3]));
%! assert (underlyingType (sum (g, 2, "native")), "int8");
%! assert (gather (max (sum (g))), 102);

## how it looks
%!test
%! g = gpuArray (int8 ([1 2; 3 4]));
%! text = evalc ("g");
%! assert (! isempty (regexp (text, '^g =\s+2x2 int8 gpuArray on [^\n]+\n\n\s+1\s+2\n\s+3\s+4')));
%! assert (strtrim (evalc ("disp (g)")), strtrim (text(strfind (text, "2x2"):end)));
%! g = gpuArray (complex (single (ones (50, 3, 2)), 1));
%! text = evalc ("disp (g)");
%! assert (! isempty (regexp (text, '^\s*50x3x2 complex single gpuArray on [^\n]+\n$')));
%! delete (g);
%! assert (strtrim (evalc ("disp (g)")), "deleted gpuArray");

## what is not defined
%!error <use gather> gpuArray (1:3)(1)
%!error <use gather> gpuArray (1:3){1}
%!error <use gather>
%! g = gpuArray (1:3);
%! g(end)
%!error <use gather>
%! g = gpuArray (1:3);
%! g(2) = 5;
%!error <unknown method or property: foo>
%! g = gpuArray (1);
%! g.foo
%!error <use gather> gpuArray (1) + 1
%!error <use gather> 1 - gpuArray (1)
%!error <use gather> gpuArray (1) .* gpuArray (1)
%!error <use gather> -gpuArray (1)
%!error <use gather> gpuArray (1)'
%!error <use gather> ! gpuArray (1)
%!error id=gpureduce:unsupported gpuArray (1) == 1
%!error <horzcat> [gpuArray(1), 2]

## bad input
%!error <Invalid call to gpuArray> gpuArray ()
%!error <Invalid call to gpuArray> gpuArray (1, 2)
%!error <gpuArray: X must be> gpuArray ({})
%!error id=gpureduce:invalid-input gpuArray (struct ())
%!error id=gpureduce:invalid-input gpuArray (@sin)
%!error id=gpureduce:invalid-input gpuArray (sparse (1))
%!error id=gpureduce:invalid-input gpuArray (containers.Map ())
%!error id=gpureduce:invalid-input
%! g = gpuArray (1:3);
%! delete (g);
%! size (g);
%!error id=gpureduce:invalid-input
%! g = gpuArray (1:3);
%! delete (g);
%! gpu_sum (g);
