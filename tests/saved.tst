## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## gpuArrays in files: those of earlier versions, and of other machines.

## What saved.txt has, which gpureduce 0.1.0 wrote.
%!function x = in_saved ()
%!  x = struct ("matrix", [1.5 NaN; -0 Inf], "numbers", single ([1+2i, -3i]), "bytes", int8 ([-128 127]), ...
%!              "pages", reshape (uint16 (1:8), 2, 2, 2), "flags", [true false], "text", "abc", "nothing", zeros (0, 3), "missing", [NA 1]);
%!endfunction
%!function text = as_saved (g)
%!  file = tempname ();
%!  unwind_protect
%!    save ("-text", file, "g");
%!    text = strsplit (fileread (file), "\n", "collapsedelimiters", false);
%!  unwind_protect_cleanup
%!    unlink (file);
%!  end_unwind_protect
%!  text = strtrim (strjoin (text(2:end), "\n"));         # the first line has the time
%!endfunction

%!test                                   # files_of_an_earlier_version_load
%! s = load (fullfile (fileparts (which ("in_octave")), "saved.txt"));
%! x = in_saved ();
%! for name = fieldnames (x)'
%!   g = s.(name{1});
%!   assert (class (g), "gpuArray");
%!   y = gather (g);
%!   assert (class (y), class (x.(name{1})));
%!   assert (y, x.(name{1}));
%! endfor
%! assert (isna (gather (s.missing)), [true false]);
%! assert (signbit (gather (s.matrix))(2,1) != 0);
%! assert (class (s.both.cell{1}), "gpuArray");
%! assert (gather (s.both.cell{1} + s.both.cell{2}), 15);
## The classdef of the versions before had no saved form: Octave refused to save it, and left a header.
%!error
%! file = tempname ();
%! unwind_protect
%!   fid = fopen (file, "w");
%!   fputs (fid, "# Created by Octave 7.3.0\n# name: g\n# type: object\n");
%!   fclose (fid);
%!   load (file);
%! unwind_protect_cleanup
%!   unlink (file);
%! end_unwind_protect
%!test                                   # a_file_has_the_values_and_names_no_device
%! x = in_saved ();
%! for name = fieldnames (x)'
%!   g = gpuArray (x.(name{1}));
%!   h = gpuArray (x.(name{1}));          # another array
%!   assert (as_saved (g), as_saved (h));
%!   ## Which quotes a text had, no gpuArray knows.
%!   assert (strrep (as_saved (g), "# type: gpuArray\n# name: value\n", ""), strrep (as_saved (x.(name{1})), "# type: string", "# type: sq_string"));
%! endfor
%!test                                   # what_was_saved_with_a_gpu_loads_without_one
%! file = tempname ();
%! unwind_protect
%!   for format = {"-text", "-binary", "-zip"}
%!     g = gpuArray ([1.5 NaN 3]);
%!     save (format{1}, file, "g");
%!     [status, said] = in_octave (sprintf ("load ('%s'); disp (class (g)); disp (gather (g)); x = sum (gpuArray (1:3)); disp (gpu_config ('last').backend)", file), ...
%!                                 "CUDA_VISIBLE_DEVICES='' GPUREDUCE_DEVICE=cpu");
%!     assert (status == 0 && ! isempty (regexp (said, '^gpuArray\n +1.5\d* +NaN +3\S*\ncpu\n$')), "%s", said);
%!   endfor
%! unwind_protect_cleanup
%!   unlink (file);
%! end_unwind_protect
