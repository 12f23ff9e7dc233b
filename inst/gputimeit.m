## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{t} =} gputimeit (@var{f})
## @deftypefnx {} {@var{t} =} gputimeit (@var{f}, @var{nout})
## Seconds that the function @var{f}, a handle without arguments, takes, the work
## it starts on the GPU included, and elementwise operations of its results, which else wait until they are wanted.
##
## @var{f} is called with @var{nout} outputs; the default is one, or none if
## @var{f} has none.  It runs once to warm up.  A measurement is the mean of as many
## runs as fill a millisecond, with the GPU idle before and waited for after; the
## result is the median of measurements, at least 5 and at most 15, taken for about
## a second (a long @var{f} is measured 5 times).  Without a GPU only the CPU's time
## is measured.
##
## @example
## @group
## x = gpuArray (rand (1e7, 1));
## gputimeit (@@() gpu_sum (x))     # seconds, without copying x
## @end group
## @end example
##
## Errors: @code{gpureduce:invalid-input} unless @var{f} is a handle and @var{nout}
## a count; errors of @var{f} are passed on.
## @seealso{gpuArray, gpuDevice, gpu_config, tic, toc}
## @end deftypefn

function t = gputimeit (f, nout)
  if (nargin == 0)
    print_usage ();
  elseif (! is_function_handle (f))
    error ("gpureduce:invalid-input", "gputimeit: F must be a function handle");
  elseif (nargin < 2)
    nout = 1;
    try
      measure (f, 1, 1);
    catch
      nout = 0;     # it has no output, or the error comes again
    end_try_catch
  elseif (! (isnumeric (nout) && isreal (nout) && isscalar (nout) && nout >= 0 && nout < Inf && nout == fix (nout)))
    error ("gpureduce:invalid-input", "gputimeit: NOUT must be a number of outputs, 0 or more");
  endif

  measure (f, nout, 1);
  once = measure (f, nout, 1);
  runs = max (1, min (1000, ceil (1e-3 / max (once, 1e-6))));
  times = zeros (1, 0);
  start = tic ();
  while (numel (times) < 5 || (numel (times) < 15 && toc (start) < 1))
    times(end+1) = measure (f, nout, runs);
  endwhile
  t = median (times);
endfunction

function t = measure (f, nout, runs)
  waits = exist ("__gpr_octave__") == 3;        # else there are no gpuArrays
  __gpureduce__ ("synchronize");
  start = tic ();
  for k = 1:runs
    if (nout == 0)
      f ();
    else
      [out{1:nout}] = f ();
    endif
    if (waits)
      __gpr_octave__ ("wait");
    endif
  endfor
  __gpureduce__ ("synchronize");
  t = toc (start) / runs;
endfunction

%!function count_calls (reset)
%!  global gputimeit_calls
%!  gputimeit_calls += 1;
%!endfunction
%!test
%! t = gputimeit (@() pause (0.01));
%! assert (isscalar (t) && t >= 0.01);
%!test
%! g = gpuArray (1:10);
%! t = gputimeit (@() gpu_sum (g));
%! assert (isscalar (t) && t > 0 && isfinite (t));
%!test
%! t = gputimeit (@() gpu_max ([3 1 2]), 2);
%! assert (t > 0);
%!test
%! global gputimeit_calls
%! gputimeit_calls = 0;
%! gputimeit (@count_calls);
%! assert (gputimeit_calls > 5);
%! clear -global gputimeit_calls
%!error <Invalid call to gputimeit> gputimeit ()
%!error id=gpureduce:invalid-input gputimeit (5)
%!error id=gpureduce:invalid-input gputimeit ("sin")
%!error id=gpureduce:invalid-input gputimeit (@() 1, -1)
%!error id=gpureduce:invalid-input gputimeit (@() 1, "two")
%!error <test message> gputimeit (@() error ("test message"))
%!error gputimeit (@() gpu_sum (1:3), 2)
%!testif ; exist ("__gpr_octave__") == 3        # what_waits_is_computed_in_every_run
%! g = gpuArray (ones (3e6, 1));
%! t = gputimeit (@() exp (sin (g) + g));
%! s = gputimeit (@() g);
%! assert (t > 5 * s);
