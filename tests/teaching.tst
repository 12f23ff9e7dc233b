## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## What doc/teaching.texi quotes of the simulator: each message is that of the kernel named above it,
## each kind of fault has one, and the sessions print what stands there.

%!function text = chapter ()
%!  text = fileread (fullfile (fileparts (fileparts (which ("in_octave"))), "doc", "teaching.texi"));
%!endfunction
%!function file = wrong ()
%!  file = fullfile (fileparts (which ("in_octave")), "sim", "wrong.cu");
%!endfunction
## The message of a kernel of tests/sim/wrong.cu, of 1000 ones.
%!function said = message_of (name)
%!  v = gpu_variants (name);
%!  finish = merge (any (strcmp (v.finishes, "atomic")), "atomic", v.finishes{1});
%!  said = "";
%!  try
%!    gpu_reduce (ones (1, merge (strcmp (name, "half"), 1024, 1000), "single")(1:1000), "sum", "variant", name, "device", "sim", ...
%!                "block", 128, "finish", finish, "seconds", merge (strcmp (v.fault, "time limit"), 0.2, 8));
%!  catch err
%!    said = strrep (err.message, "gpu_reduce: ", "");
%!  end_try_catch
%!endfunction
%!function add_wrong ()
%!  wanted = getenv ("GPUREDUCE_CUDA");
%!  setenv ("GPUREDUCE_CUDA", "no");
%!  unwind_protect
%!    gpu_variant_add (wrong ());
%!  unwind_protect_cleanup
%!    setenv ("GPUREDUCE_CUDA", wanted);
%!  end_unwind_protect
%!endfunction

%!test                                   # messages_of_the_manual_are_the_simulators: of each kind of fault one at least
%! add_wrong ();
%! rows = regexp (chapter (), '@c by: (\w+)\n@item @code\{(.*?)\}\n@tab', "tokens");
%! assert (numel (rows) > 20);
%! kinds = {};
%! for row = rows
%!   quoted = regexprep (strrep (strrep (row{1}{2}, "@dots{}", "\x01"), "\n", " "), '\s*\x01\s*', "\x01");
%!   pattern = ["^" strrep(regexptranslate ("escape", quoted), "\x01", ".*")];
%!   said = message_of (row{1}{1});
%!   assert (! isempty (regexp (said, pattern, "once")), "%s says\n%s\nand not\n%s", row{1}{1}, said, row{1}{2});
%!   kinds{end+1} = gpu_variants (row{1}{1}).fault;
%!   assert (strncmp (quoted, kinds{end}, numel (kinds{end})));
%! endfor
%! all = gpu_variants ();
%! assert (unique (kinds), unique ({all(strcmp ({all.file}, wrong ())).fault}));
%!test                                   # sessions_of_the_chapter_print_what_stands_there
%! for block = regexp (chapter (), '@smallexample\n(>> .*?)@end smallexample', "tokens")
%!   for step = regexp (["\n" block{1}{1}], "\n>> ([^\n]*)((?:\n(?!>> )[^\n]*)*)", "tokens")
%!     said = evalc (step{1}{1});
%!     assert (strtrim (regexprep (said, '\s+', " ")), strtrim (regexprep (step{1}{2}, '\s+', " ")));
%!   endfor
%! endfor
