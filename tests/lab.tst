## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## The laboratory: lab/ beside the sources.  Its pages print what Octave prints; its key earns full
## marks, its stubs none; wrong kernels earn less, with a hint that is right.  A sample; all of it
## in make check-long.

%!function folder = lab ()
%!  folder = fullfile (fileparts (fileparts (which ("in_octave"))), "lab");
%!endfunction
%!function yes = can_run ()
%!  yes = exist (lab (), "dir");
%!  try
%!    t = gpu_trace ("sequential", 32, 32);
%!  catch
%!    yes = false;
%!  end_try_catch
%!endfunction
%!function yes = long_run ()
%!  yes = can_run () && ! isempty (getenv ("CHECK_LONG"));
%!endfunction
%!function write (file, text)
%!  fid = fopen (file, "w");
%!  fputs (fid, text);
%!  fclose (fid);
%!endfunction
## in a folder of its own, in the simulator
%!function in_folder (f)
%!  here = pwd ();
%!  old = gpu_config ("device", "sim");
%!  folder = tempname ();
%!  assert (mkdir (folder));
%!  unwind_protect
%!    cd (folder);
%!    f ();
%!  unwind_protect_cleanup
%!    cd (here);
%!    gpu_config ("device", old);
%!    confirm_recursive_rmdir (false, "local");
%!    rmdir (folder, "s");
%!  end_unwind_protect
%!endfunction

## ---- pages ----------------------------------------------------------------------

## "solved: NAME" before a session: what the student has then, and his text may be named.
%!function prepare (comment)
%!  for name = strsplit (regexprep (comment, '^solved:? *', ""), " ")
%!    if (strncmp (comment, "solved", 6) && ! isempty (name{1}))
%!      copyfile (fullfile (lab (), "solutions", name{1}), ".");
%!    endif
%!  endfor
%!endfunction
%!function check_page (page)
%!  in_folder (@() page_sessions (fileread (fullfile (lab (), page)), @prepare));
%!endfunction
%!testif ; can_run ()                    # what_the_sheet_of_the_lab_prints
%! check_page ("sheet.md");
%!testif ; long_run ()                   # what_the_texts_of_the_lab_print
%! for page = {"survey.md", "key.md"}
%!   check_page (page{1});
%! endfor
%! for page = glob (fullfile (lab (), "exercises", "*", "README.md")).'
%!   check_page (strrep (page{1}, lab (), ""));
%! endfor

## Sheet and slides, where there is what makes them.
%!function yes = can_print ()
%!  yes = long_run () && all (cellfun (@(name) ! isempty (file_in_path (getenv ("PATH"), name)), ...
%!                                   {"pandoc", "chromium", "pdfinfo"}));
%!endfunction
%!function print_lab (script)
%!  prefix = fileparts (pkg ("list", "gpureduce"){1}.dir);
%!  [status, said] = system (sprintf ("GPUREDUCE_PREFIX='%s' '%s' '%s' 2>&1", prefix, script, pwd ()));
%!  assert (status == 0, "%s", said);
%!  [~, about] = system ("pdfinfo sheet.pdf; pdfinfo slides.pdf");
%!  pages = str2double ([regexp(about, 'Pages: *(\d+)', "tokens"){:}]);
%!  slides = numel (regexp (fileread (fullfile (lab (), "slides.md")), '^# ', "lineanchors"));
%!  assert (pages, [2, slides]);
%!endfunction
%!testif ; can_print ()                  # the_sheet_has_two_pages_and_a_slide_is_a_page
%! in_folder (@() print_lab (fullfile (lab (), "build.sh")));

## ---- marks ----------------------------------------------------------------------

%!function names = exercises ()
%!  names = {"lanes", "divergence", "banks", "last_warp", "loads", "argmax", "histogram", "repair"};
%!endfunction
%!function folder = exercise (name)
%!  folder = fullfile (lab (), "exercises", name);
%!endfunction
%!function file = handed_out (name)
%!  file = fullfile (exercise (name), [name merge(strcmp (name, "lanes"), ".txt", ".cu")]);
%!endfunction
%!function file = solution (name)
%!  file = fullfile (lab (), "solutions", [name merge(strcmp (name, "lanes"), ".txt", ".cu")]);
%!endfunction
%!function the_key_is_full (name)
%!  r = gpu_grade (solution (name), exercise (name));
%!  assert (isequal ([r.points, r.possible], [10, 10]), "%s: %s", name, strjoin (r.messages(:).', "\n"));
%!endfunction
%!function the_stub_is_empty (name)
%!  r = gpu_grade (handed_out (name), exercise (name));
%!  assert (isequal ([r.points, r.possible], [0, 10]), "%s: %d", name, r.points);
%!  assert (! isempty (r.messages), "%s", name);
%!endfunction
%!testif ; can_run ()                    # key_and_stub_of_an_exercise_of_the_lab
%! for name = {"lanes", "divergence"}(randi (2))
%!   the_key_is_full (name{1});
%!   the_stub_is_empty (name{1});
%! endfor
%!testif ; long_run ()                   # every_key_of_the_lab_earns_full_marks_and_every_stub_none
%! for name = exercises ()
%!   the_key_is_full (name{1});
%!   the_stub_is_empty (name{1});
%! endfor

## A wrong solution each: exercise, what is in the key, what in its place, and words of the hint.
%!function list = mutations ()
%!  list = {
%!    "divergence", "k < blockDim.x", "k <= blockDim.x", "must lie in the block"
%!    "divergence", "2 * stride * t", "stride * t", "2 \\* stride apart"
%!    "divergence", "stride *= 2", "stride *= 4", "k = 2 \\* stride \\* t"
%!    "divergence", "i < n ? in[i] : 0", "in[i]", "in\\[\\] has n elements"
%!    "divergence", "i < n ? in[i] : 0", "i < n ? in[i] : 1", "wrong result"
%!    "divergence", "in[i] : 0;\n  __syncthreads ();", "in[i] : 0;", "race.*__syncthreads"
%!    "divergence", "unsigned k = 2 * stride * t;", "unsigned k = t;", "2 \\* stride apart"
%!    "banks", "half = blockDim.x / 2", "half = blockDim.x", "must lie in the block"
%!    "banks", "t < half", "t <= half", "race|lie in the block"
%!    "banks", "s[t + half];\n      __syncthreads ();", "s[t + half];", "race.*__syncthreads"
%!    "banks", "half /= 2", "half /= 4", "halve what is left"
%!    "banks", "blockIdx.x] = s[0]", "blockIdx.x] = s[1]", "halve what is left"
%!    "last_warp", "s[t + 8];\n      __syncwarp ();", "s[t + 8];", "race.*__syncwarp"
%!    "last_warp", "t < 16", "t <= 16", "lanes from 16 on"
%!    "last_warp", "if (t < 8)\n        s[t]", "s[t]", "ask for blockDim.x, and for t"
%!    "last_warp", "if (blockDim.x >= 64)\n        s[t]", "s[t]", "block of 32 has no"
%!    "last_warp", "s[t + 32];\n      __syncwarp ();", "s[t + 32];\n      __syncthreads ();", ...
%!      "__syncthreads \\(\\) is out of place"
%!    "last_warp", "stride > 32", "stride > 64", "leaves 64 values"
%!    "loads", "i < n / 4", "i <= n / 4", "n / 4 packs are whole"
%!    "loads", "i += all", "i += blockDim.x", "whole grid"
%!    "loads", ...
%!      "  if (me < n % 4)               /* the elements after the last whole pack */\n    v += in[n / 4 * 4 + me];\n", "", "rest"
%!    "loads", "me < n % 4", "t < n % 4", "not of each block|n % 4"
%!    "loads", "__shfl_down_sync (0xffffffffu", "__shfl_down_sync (0x0000ffffu", "shuffle"
%!    "loads", "p.x + p.y + p.z + p.w", "p.x + p.y + p.z", "all four"
%!    "argmax", "|| (q.v == p.v && q.i < p.i)", "", "ties by the smaller index"
%!    "argmax", "q.v > p.v ||", "q.v >= p.v ||", "ties by the smaller index"
%!    "argmax", "  p.i = __shfl_down_sync (0xffffffffu, p.i, lanes);\n", "", "travel with its value"
%!    "argmax", "best.v = INT32_MIN", "best.v = 0", "win against none"
%!    "argmax", "p.i = i;", "p.i = t;", "own index"
%!    "argmax", "s[t / 32] = best;\n  __syncthreads ();", "s[t / 32] = best;", "race|uninitialised"
%!    "histogram", "    table[k] = 0;\n", "    ;\n", "zeros"
%!    "histogram", "  __syncthreads ();                                     /* nobody counts", "  /* nobody counts", ...
%!      "then a barrier"
%!    "histogram", "  __syncthreads ();                                     /* nobody adds", "  /* nobody adds", "barrier"
%!    "histogram", "atomicAdd (&table[k], 1u)", "table[k]++", "atomicAdd while counting"
%!    "histogram", "atomicAdd (&table[k], 1u)", "atomicAdd (&a.counts[k], 1ull)", "counted in global memory"
%!    "histogram", "int k = threadIdx.x; k < a.bins; k += blockDim.x)\n    table", ...
%!      "int k = threadIdx.x; k < a.bins && k < blockDim.x; k += blockDim.x)\n    table", "fewer threads"
%!    "repair", "  if (i + blockDim.x < n)\n    v += in[i + blockDim.x];", "  if (i < n)\n    v += in[i + blockDim.x];", ...
%!      "bound of its own"
%!    "repair", "    v = in[i];\n  if (i + blockDim.x < n)", "    v = in[i];\n  if (i + blockDim.x <= n)", "bound of its own"
%!    "repair", "s[t] = i < n ? in[i] : 0;     /*", "if (i >= n) return; s[t] = in[i]; /*", "come to its barriers"
%!    "repair", "  if (t < 32 && blockDim.x >= 64)\n    v += s[t + 32];\n", "", "leaves 64 values"
%!  };
%!endfunction
%!function check_mutation (which)
%!  [name, from, to, hint] = which{:};
%!  text = fileread (solution (name));
%!  assert (numel (strfind (text, from)) >= 1, "%s has no %s", name, from);
%!  at = strfind (text, from)(1);
%!  write ([name ".cu"], [text(1:at-1), to, text(at+numel(from):end)]);
%!  r = gpu_grade ([name ".cu"], exercise (name));
%!  said = strjoin (r.messages(:).', "\n");
%!  assert (r.points < r.possible, "%s with %s: %g of %g", name, to, r.points, r.possible);
%!  assert (! isempty (regexp (said, hint)), "%s with %s: %s", name, to, said);
%!endfunction
%!function check_mutations (these)
%!  list = mutations ();
%!  for k = these
%!    in_folder (@() check_mutation (list(k,:)));
%!  endfor
%!endfunction
%!testif ; can_run ()                    # some_wrong_solutions_of_the_lab_earn_less_with_the_right_hint
%! check_mutations ([1, 16](randi (2)));
%!testif ; long_run ()                   # wrong_solutions_of_the_lab_earn_less_with_the_right_hint
%! check_mutations (1:rows (mutations ()));

## Right in another way: what the key says is right too.
%!function check_other (which)
%!  [name, from, to] = which{:};
%!  text = fileread (solution (name));
%!  assert (numel (strfind (text, from)) == 1, "%s has no %s", name, from);
%!  write ([name ".cu"], strrep (text, from, to));
%!  r = gpu_grade ([name ".cu"], exercise (name));
%!  assert (r.points == r.possible, "%s with %s: %s", name, to, strjoin (r.messages(:).', "\n"));
%!endfunction
%!testif ; long_run ()                   # other_right_answers_of_the_lab_earn_full_marks
%! loop = regexp (fileread (solution ("banks")), '  unsigned half.*?\n    }\n', "match"){1};
%! padded = ["  /* s[k] lies at k + k / 32 */\n  for (unsigned stride = 1; stride < blockDim.x; stride *= 2)\n    {\n", ...
%!           "      unsigned k = 2 * stride * t, l = k + stride;\n", ...
%!           "      if (k < blockDim.x)\n        s[k + k / 32] += s[l + l / 32];\n", ...
%!           "      __syncthreads ();\n    }\n"];
%! text = strrep (fileread (solution ("banks")), loop, padded);
%! text = strrep (strrep (text, "s[t] = i", "s[t + t / 32] = i"), "(banks, int)", "(banks, int, v.shared_fixed = 32)");
%! in_folder (@() check_other ({"banks", fileread(solution ("banks")), text}));
%! steps = regexp (fileread (solution ("last_warp")), '      if \(blockDim.*?s\[t \+ 1\];\n', "match"){1};
%! apart = ["      int v = s[t];\n      if (blockDim.x >= 64)\n        v += s[t + 32];\n", ...
%!          "      for (int k = 16; k > 0; k /= 2)\n        {\n", ...
%!          "          __syncwarp ();\n          s[t] = v;\n          __syncwarp ();\n", ...
%!          "          if (t + k < blockDim.x)\n            v += s[t + k];\n", ...
%!          "        }\n      __syncwarp ();\n      s[t] = v;\n"];
%! shuffled = ["      int v = s[t];\n      if (blockDim.x >= 64)\n        v += s[t + 32];\n", ...
%!             "      for (int k = 16; k > 0; k /= 2)\n", ...
%!             "        v += __shfl_down_sync (0xffffffffu, v, k);\n      if (t == 0)\n        s[0] = v;\n"];
%! in_folder (@() check_other ({"last_warp", steps, apart}));
%! in_folder (@() check_other ({"last_warp", steps, shuffled}));
%! in_folder (@() check_other ({"divergence", "k < blockDim.x", "t < blockDim.x / (2 * stride)"}));
%! half = strrep (fileread (solution ("repair")), "  if (t < 32 && blockDim.x >= 64)\n    v += s[t + 32];\n", "");
%! in_folder (@() check_other ({"repair", fileread(solution ("repair")), strrep(half, "half > 32", "half > 16")}));

## The bugs on show, under other names, each as an exercise with its own operator and blocks.
%!function check_bug (name)
%!  v = gpu_variants (name);
%!  text = strrep (gpu_variants (name, "source"), "\n  v.rank", sprintf ("\n  v.name = \"my_%s\";\n  v.rank", name));
%!  write ("bug.cu", regexprep (text, '\n  v\.(fault|rank) = [^\n]*', ""));
%!  [~, ~] = mkdir ("exercise");
%!  list = @(numbers) strjoin (arrayfun (@num2str, numbers, "UniformOutput", false), ", ");
%!  write (fullfile ("exercise", "exercise.json"), ...
%!         sprintf (["{ \"name\": \"exercise\", \"title\": \"a bug\", \"kind\": \"kernel\", \"variants\": [\"my_%s\"], ", ...
%!                   "\"op\": \"%s\", \"classes\": [\"int32\"], ", ...
%!                   "\"blocks\": [%s], \"finish\": \"%s\", \"points\": 10, \"rules\": [] }"], ...
%!                  name, v.operators{1}, list (v.blocks), v.finish));
%!  r = gpu_grade ("bug.cu", fullfile ("exercise", "exercise.json"));
%!  assert (r.points < r.possible, "%s: %g", name, r.points);
%!  assert (! isempty (strfind (strjoin (r.messages(:).', "\n"), v.fault)), "%s: %s", name, strjoin (r.messages(:).', "\n"));
%!endfunction
%!testif ; long_run ()                   # each_bug_on_show_earns_less_and_is_named_with_its_fault
%! bugs = {gpu_variants().name};
%! bugs = bugs(strncmp (bugs, "bug_", 4));
%! assert (numel (bugs), 11);
%! for name = bugs
%!   in_folder (@() check_bug (name{1}));
%! endfor
