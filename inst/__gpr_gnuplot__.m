## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{why} =} __gpr_gnuplot__ (@var{png}, @var{width}, @var{height}, @var{terminal}, @var{script})
## @deftypefnx {} {@var{why} =} __gpr_gnuplot__ ()
## Undocumented internal function: draws the file @var{png} by a script of gnuplot, the
## program that @code{gnuplot_binary} names; no display is needed.  @var{terminal} has options
## of its terminal.  @var{why} says what went wrong, else it is empty.  Without arguments it
## only looks whether there is a gnuplot.
## @end deftypefn

function why = __gpr_gnuplot__ (png, width, height, terminal, script)

  why = "";
  program = shell_quoted (gnuplot_binary ());
  if (system ([program " --version > /dev/null 2>&1"]) != 0)
    why = "gnuplot is not installed";
  endif
  if (! isempty (why) || nargin == 0)
    return;
  endif
  file = tempname ();
  unwind_protect
    fid = fopen (file, "w");
    fprintf (fid, "if (strstrt (GPVAL_TERMINALS, 'pngcairo')) {\n");
    fprintf (fid, "  set terminal pngcairo size %d,%d background 'white' %s\n", width, height, terminal);
    fprintf (fid, "} else { set terminal png size %d,%d }\n", width, height);
    fprintf (fid, "set encoding utf8\nset output '%s'\n%s\n", strrep (png, "'", "''"), script);
    fclose (fid);
    [status, said] = system ([program " " shell_quoted(file) " 2>&1"]);
  unwind_protect_cleanup
    unlink (file);
  end_unwind_protect
  if (status != 0 || ! exist (png, "file"))
    why = sprintf ("gnuplot could not write %s: %s", png, strtrim (said));
  endif

endfunction

%!test # gnuplot_is_the_program_that_octave_calls_so
%! program = gnuplot_binary ();
%! unwind_protect
%!   gnuplot_binary ("no-such-gnuplot");
%!   assert (__gpr_gnuplot__ (), "gnuplot is not installed");
%!   assert (__gpr_gnuplot__ ([tempname() ".png"], 300, 200, "", "plot x"), "gnuplot is not installed");
%! unwind_protect_cleanup
%!   gnuplot_binary (program);
%! end_unwind_protect
%!testif ; system ("gnuplot --version > /dev/null 2>&1") == 0
%! png = [tempname() ".png"];
%! unwind_protect
%!   assert (__gpr_gnuplot__ (png, 300, 200, "", "plot x"), "");
%!   assert (imread (png)(1), uint8 (255));
%!   assert (! isempty (__gpr_gnuplot__ ("/no/such/folder/a.png", 300, 200, "", "plot x")));
%!   assert (! isempty (__gpr_gnuplot__ (png, 300, 200, "", "this is no gnuplot")));
%! unwind_protect_cleanup
%!   if (exist (png, "file"))
%!     unlink (png);
%!   endif
%! end_unwind_protect
