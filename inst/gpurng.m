## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{s} =} gpurng ()
## @deftypefnx {} {} gpurng (@var{seed})
## @deftypefnx {} {} gpurng ("shuffle")
## @deftypefnx {} {} gpurng ("default")
## @deftypefnx {} {} gpurng (@dots{}, "Philox")
## @deftypefnx {} {} gpurng (@var{s})
## @deftypefnx {} {@var{old} =} gpurng (@dots{})
## Generator of the random numbers that are made as gpuArrays.
##
## @code{rand}, @code{randn}, @code{rande}, @code{randi} and @code{randperm} with "gpuArray" or "like" take their numbers from one
## stream, which @var{seed}, a whole number from 0 to @code{flintmax () - 1}, determines.  "shuffle" takes a seed that depends on the
## time; "default" is what every session begins with, the seed 0.  Each of these is followed by the beginning of
## the stream.
##
## The structure @var{s} has the fields @code{Type}, "Philox", @code{Seed}, and @code{State}, the place in the stream.  Given
## back, the stream goes on from there.  With an argument and an output the generator is set, and
## @var{old} is what it was.
##
## @example
## @group
## gpurng (42);
## x = gather (rand (1000, 1, "gpuArray"));
## s = gpurng ();
## y = gather (randn (3, "single", "gpuArray"));
## gpurng (s);
## isequal (gather (randn (3, "single", "gpuArray")), y)
##     @result{} 1
## gpurng (42);
## isequal (gather (rand (1000, 1, "gpuArray")), x)
##     @result{} 1
## @end group
## @end example
##
## Numbers depend on the seed and on their place in the stream alone: they have the same bits on every GPU and on the CPU, with
## any number of threads.  The generator is Philox4x32-10 (Salmon, Moraes, Dror and Shaw: Parallel random numbers: as easy as 1, 2, 3,
## SC 2011), the only one there is.
##
## @itemize
## @item
## @code{rand} gives (k + 1/2) / 2^52, single (k + 1/2) / 2^23, all equally likely: never 0 or 1.
## @item
## @code{randn} is by inversion, to 3e-13 of each number, out to 9 standard deviations, of class single to 6.3.
## @item
## @code{randi} gives each integer with exactly the same probability.
## @item
## @code{randperm} sorts random numbers.  Of complex numbers ("like") both parts are drawn.
## @end itemize
##
## The numbers are not those of Octave's @code{rand}, which has a generator and a seed of its own; @code{randg} and @code{randp} are
## Octave's also as gpuArrays.
##
## Errors: @code{gpureduce:invalid-input} for other arguments, and for the names of other generators.
## @seealso{gpuArray, rand, randn, randi, gpu_config}
## @end deftypefn

function s = gpurng (seed, generator = "Philox")

  if (nargin > 2)
    print_usage ();
  endif
  if (nargin > 0)
    seed = gather (seed);
  endif
  if (! (ischar (generator) && isrow (generator) && any (strcmpi (generator, {"Philox", "Philox4x32-10", "Philox4x32_10"}))))
    error ("gpureduce:invalid-input", "gpurng: \"Philox\" is the only generator");
  elseif (nargin == 0)
    s = __gpureduce__ ("generator");
    return;
  elseif (isstruct (seed))
    [seed, state] = settings (seed);
    old = __gpureduce__ ("generator", seed, state);
  elseif (ischar (seed) && isrow (seed) && strcmpi (seed, "shuffle"))
    old = __gpureduce__ ("generator", "shuffle");
  elseif (ischar (seed) && isrow (seed) && strcmpi (seed, "default"))
    old = __gpureduce__ ("generator", 0, uint64 (0));
  elseif (is_whole (seed))
    old = __gpureduce__ ("generator", full (double (seed)), uint64 (0));
  else
    error ("gpureduce:invalid-input", "gpurng: SEED must be a whole number from 0 to flintmax () - 1, \"shuffle\", \"default\" or a structure that gpurng has returned");
  endif
  if (nargout > 0)
    s = old;
  endif

endfunction

function t = is_whole (x)
  t = isnumeric (x) && isscalar (x) && isreal (x) && x >= 0 && x < flintmax () && x == fix (x);
endfunction

function [seed, state] = settings (s)
  if (! (isscalar (s) && all (isfield (s, {"Type", "Seed", "State"})) && is_whole (s.Seed) && (is_whole (s.State) || (isa (s.State, "uint64") && isscalar (s.State)))))
    error ("gpureduce:invalid-input", "gpurng: S must be a structure that gpurng has returned, with the fields Type, Seed and State");
  elseif (! (ischar (s.Type) && isrow (s.Type) && strcmpi (s.Type, "Philox")))
    error ("gpureduce:invalid-input", "gpurng: \"Philox\" is the only generator");
  endif
  seed = full (double (s.Seed));
  state = uint64 (full (s.State));
endfunction

%!function x = numbers ()
%!  x = gather (rand (1, 5, "gpuArray"));
%!endfunction
%!test                                  # a_seed_is_a_stream
%! old = gpurng (7);
%! unwind_protect
%!   x = numbers ();
%!   assert (numbers () != x);
%!   gpurng (7);
%!   assert (numbers (), x);
%!   gpurng (uint8 (7), "philox");
%!   assert (numbers (), x);
%!   gpurng (gpuArray (7));
%!   assert (numbers (), x);
%!   gpurng (8);
%!   assert (numbers () != x);
%!   s = gpurng (flintmax () - 1);
%!   assert (s.Seed, 8);
%!   assert (gpurng ().Seed, flintmax () - 1);
%!   assert (numbers () != x);
%!   gpurng ("default");
%!   assert (gpurng (), struct ("Type", "Philox", "Seed", 0, "State", uint64 (0)));
%!   gpurng ("shuffle");
%!   assert (gpurng ().Seed != 0);
%!   assert (gpurng ().State, uint64 (0));
%! unwind_protect_cleanup
%!   gpurng (old);
%! end_unwind_protect
%!test                                  # a_state_goes_on_where_it_was
%! old = gpurng (1);
%! unwind_protect
%!   numbers ();
%!   s = gpurng ();
%!   assert (s.State, uint64 (3));      # blocks of two numbers
%!   x = numbers ();
%!   gpurng (s);
%!   assert (numbers (), x);
%!   s.State = intmax ("uint64");       # and then from the beginning
%!   gpurng (s);
%!   x = numbers ();
%!   gpurng (1);
%!   assert (numbers ()(1:3), x(3:5));
%! unwind_protect_cleanup
%!   gpurng (old);
%! end_unwind_protect
%!error id=gpureduce:invalid-input gpurng (-1)
%!error id=gpureduce:invalid-input gpurng (1.5)
%!error id=gpureduce:invalid-input gpurng (NaN)
%!error id=gpureduce:invalid-input gpurng (flintmax ())
%!error id=gpureduce:invalid-input gpurng ([1 2])
%!error id=gpureduce:invalid-input gpurng (1i)
%!error id=gpureduce:invalid-input gpurng (true)
%!error id=gpureduce:invalid-input gpurng ({1})
%!error id=gpureduce:invalid-input gpurng ("no")
%!error <only generator> gpurng (1, "Threefry")
%!error <only generator> gpurng (1, 2)
%!error <only generator> gpurng (struct ("Type", "Threefry", "Seed", 0, "State", 0))
%!error id=gpureduce:invalid-input gpurng (struct ("Type", "Philox", "Seed", 0))
%!error id=gpureduce:invalid-input gpurng (struct ("Type", "Philox", "Seed", -1, "State", 0))
%!error id=gpureduce:invalid-input gpurng (struct ("Type", "Philox", "Seed", 1, "State", -1))
%!error id=gpureduce:invalid-input gpurng (struct ("Type", "Philox", "Seed", {1, 2}, "State", 0))
%!error gpurng (1, "Philox", 3)
