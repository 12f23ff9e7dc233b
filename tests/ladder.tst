## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## What a student does with the ladder, in an Octave of its own where that matters, and the chapter about it.

%!function said = session (varargin)
%!  [status, said] = in_octave (strjoin ([{"warning ('off', 'gpureduce:cpu-fallback');"}, varargin], "\n"), "GPUREDUCE_CUDA=no", 240);
%!  assert (status == 0, "%s", said);
%!endfunction
%!function yes = simulates ()
%!  yes = true;
%!  try
%!    t = gpu_trace ("sequential", 32, 32);
%!  catch
%!    yes = false;
%!  end_try_catch
%!endfunction

## Edit, add, run: other tests have added others before, which hid that the only one could not be replaced.
%!testif ; simulates ()                 # the_only_added_variant_can_be_replaced
%! folder = tempname ();
%! assert (mkdir (folder));
%! unwind_protect
%!   said = session (sprintf ("cd ('%s');", folder), ...
%!                   "file = gpu_variant_add ('template', '.');", ...
%!                   "code = fileread (file);", ...
%!                   "for turn = 1:3", ...
%!                   "  fid = fopen (file, 'w');", ...
%!                   "  fputs (fid, strrep (code, 'what it does, in a clause', sprintf ('turn %d', turn)));", ...
%!                   "  fclose (fid);", ...
%!                   "  names = gpu_variant_add (file);", ...
%!                   "  v = gpu_variants ('my_reduce');", ...
%!                   "  printf ('<%s, %s, %d>', v.idea, names{1}, gpu_reduce (1:100, 'sum', 'variant', 'my_reduce', 'device', 'sim'));", ...
%!                   "endfor", ...
%!                   "printf ('<%d %d>', strcmp (v.file, canonicalize_file_name (file)), strcmp (gpu_variants ('my_reduce', 'source'), fileread (file)));", ...
%!                   "gpu_variants");
%! unwind_protect_cleanup
%!   confirm_recursive_rmdir (false, "local");
%!   rmdir (folder, "s");
%! end_unwind_protect
%! assert (! isempty (strfind (said, "<turn 1, my_reduce, 5050><turn 2, my_reduce, 5050><turn 3, my_reduce, 5050><1 1>")), "%s", said);
%! assert (! isempty (regexp (said, '\nadded by gpu_variant_add\n  my_reduce +turn 3(\n|$)')), "%s", said);
%! assert (isempty (strfind (said, "implicit conversion")), "%s", said);

## doc/ladder.md, where the tests lie beside the sources.
%!function text = chapter ()
%!  text = "";
%!  file = fullfile (fileparts (fileparts (which ("in_octave"))), "doc", "ladder.md");
%!  if (exist (file, "file"))
%!    text = fileread (file);
%!  endif
%!endfunction
%!testif ; ! isempty (chapter ())       # the_chapter_keeps_names_as_they_are
%! heads = regexp (chapter (), '\n### `[^\n]*\n\n\*\*([^\n]*)\n\n([^\n]*)', "tokens");
%! assert (numel (heads) >= 40);
%! names = [{gpu_variants().name}, {"idx", "scale", "g", "thrust", "cuBLAS"}];
%! for head = [heads{:}]
%!   for name = names
%!     upper_case = [toupper(name{1}(1)) name{1}(2:end)];
%!     assert (isempty (regexp (head{1}, ['(^|\. |\*\* )' upper_case '(\>(?! )| [>*(])'])), "%s", head{1});
%!   endfor
%! endfor
%!testif ; ! isempty (chapter ())       # the_chapter_has_no_empty_field
%! text = chapter ();
%! assert (isempty (regexp (text, ':[ .]*\. |: \.|\*\*\.?\*\*|\|[ ]*\|(?!---)')), "%s", ...
%!         strjoin (regexp (text, '[^\n]*(:[ .]*\. |: \.|\*\*\.?\*\*|\| *\|(?!---))[^\n]*', "match"), "\n"));
%! titles = regexp (text, '\n## ([^\n]*)', "tokens");
%! assert (unique ([titles{:}], "stable"), [titles{:}]);
%!testif ; ! isempty (chapter ()) && simulates ()       # the_chapter_is_what_its_script_writes
%! file = tempname ();
%! unwind_protect
%!   [status, said] = in_octave (sprintf ("source ('%s');", fullfile (fileparts (fileparts (which ("in_octave"))), "tools", "ladder_chapter.m")), ...
%!                               ["GPUREDUCE_CHAPTER=" file]);
%!   assert (status == 0, "%s", said);
%!   assert (fileread (file), chapter ());
%! unwind_protect_cleanup
%!   [~, ~] = unlink (file);
%! end_unwind_protect
