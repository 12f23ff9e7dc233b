## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## gpu_grade: right kernels earn their points, wrong ones a sentence and a hint; what strangers hand in earns nothing,
## changes nothing and stops nothing (tests/hostile).  Where this system cannot confine submissions, the refusal is what is tested.

%!function yes = confines ()
%!  persistent known = [];
%!  if (isempty (known))
%!    folder = tempname ();
%!    mkdir (folder);
%!    put (fullfile (folder, "exercise.json"), '{"name": "none", "variants": ["none"]}');
%!    put (fullfile (folder, "none.cu"), "");
%!    known = true;
%!    try
%!      r = gpu_grade (fullfile (folder, "none.cu"), folder);
%!    catch err
%!      assert (err.identifier, "gpureduce:unsupported");
%!      known = false;
%!    end_try_catch
%!    away (folder);
%!  endif
%!  yes = known;
%!endfunction
%!function put (file, text)
%!  fid = fopen (file, "w");
%!  fputs (fid, text);
%!  fclose (fid);
%!endfunction
%!function away (folder)
%!  system (["rm -rf '" folder "'"]);
%!endfunction
## a sum with the line that loads, the step's index, and what stands between two steps
%!function code = kernel (load, index, between)
%!  code = ["__global__ void my_sum (const int *in, int *out, unsigned n)\n{\n  extern __shared__ int s[];\n" ...
%!          "  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;\n  s[t] = " load ";\n  __syncthreads ();\n" ...
%!          "  for (unsigned step = 1; step < blockDim.x; step *= 2)\n    {\n      " index "\n      " between ";\n    }\n" ...
%!          "  if (t == 0)\n    out[blockIdx.x] = s[0];\n}\nPLAIN_REDUCE (my_sum, int)\n"];
%!endfunction
%!function exercise (folder)
%!  put (fullfile (folder, "exercise.json"), ...
%!       ['{"name": "small", "title": "A <small> sum", "variants": ["my_sum"], "blocks": [64, 256], "points": 10, ' ...
%!        '"hints": [{"fault": "race", "hint": "wait for the others"}], "rules": [' ...
%!        '{"count": "bank_conflicts", "at_most": 0, "n": 1000, "block": 256, "points": 3, "hint": "neighbours"},' ...
%!        '{"count": "active_lanes", "launch": 1, "step": 1, "exactly": 128, "n": 256, "block": 256, "points": 2, "hint": "half of them"}]}']);
%!  put (fullfile (folder, "small.cu"), "// TODO\n");
%!  put (fullfile (folder, "README.md"), "# Small\n");
%!endfunction
%!function has (text, part)
%!  assert (! isempty (strfind (text, part)), "%s\nlacks: %s", text, part);
%!endfunction

%!test                                   # a_predicted_time_is_the_model's_of_the_kernel_and_its_limit_holds
%! folder = tempname ();
%! mkdir (folder);
%! file = fullfile (folder, "timed.cu");
%! json = ['{"name": "timed", "variants": ["my_timed"], "blocks": [256], "lengths": [1000], "points": 10, "rules": [{"count": "predicted_ms", ' ...
%!         '"card": "A100", "n": 16777216, "at_most": %.17g, "points": 2, "hint": "too slow"}]}'];
%! unwind_protect
%!   put (file, strrep (kernel ("i < n ? in[i] : 0", "if (t % (2 * step) == 0) s[t] += s[t + step];", "__syncthreads ();"), "my_sum", "my_timed"));
%!   gpu_variant_add (file);
%!   m = __gpr_predict__ (struct ("variant", "my_timed", "op", "sum", "class", "int32", "block", 256, "finish", ""), 2^24, "A100");
%!   if (confines ())
%!     for by = [1.05, 0.95]              # what is graded is compiled a little otherwise
%!       put (fullfile (folder, "exercise.json"), sprintf (json, by * m.ms));
%!       r = gpu_grade (file, folder);
%!       assert (r.rules.value, m.ms, -0.02);
%!       assert (r.rules.points, 2 * (by > 1));
%!     endfor
%!     has (r.messages{1}, "Hint: too slow.");
%!   endif
%! unwind_protect_cleanup
%!   away (folder);
%! end_unwind_protect

%!test                                   # a_folder_becomes_marks_a_table_and_a_page
%! folder = tempname ();
%! mkdir (folder);
%! mkdir (fullfile (folder, "handed in"));
%! mkdir (fullfile (folder, "handed in", "jo"));
%! in = @(name) fullfile (folder, "handed in", name);
%! unwind_protect
%!   exercise (folder);
%!   bounded = "i < n ? in[i] : 0";
%!   halves = "unsigned half = blockDim.x / 2 / step; if (t < half) s[t] += s[t + half];";
%!   put (in ("ann.cu"), kernel (bounded, halves, "__syncthreads ()"));
%!   put (in ("=bob,\"<b>.cu"), kernel (bounded, "unsigned k = 2 * step * t; if (k < blockDim.x) s[k] += s[k + step];", "__syncthreads ()"));
%!   put (in ("jo/small.cu"), kernel ("in[i]", halves, "__syncthreads ()"));
%!   put (in ("kim.cu"), kernel (bounded, halves, "if (t == 0) printf (\"<i>%d</i>\\n\", s[0])"));
%!   put (in ("lou.cu"), "for (;;) ;\n");
%!   put (in ("not a kernel.txt"), "");
%!   if (! confines ())
%!     fail ("gpu_grade (in (\"\"), folder)", "gpu_grade: submissions cannot be confined");
%!     return;
%!   endif
%!   state = rand ("twister");
%!   r = gpu_grade (in (""), folder, "seed", 3, "CSV", fullfile (folder, "m.csv"), "html", fullfile (folder, "m.html"));
%!   assert (rand ("twister"), state);
%!   assert ({r.student}, {"=bob,\"<b>", "ann", "jo", "kim", "lou"});
%!   assert ([r.points], [12, 15, 0, 0, 0]);
%!   assert ([r.possible], 15 * ones (1, 5));
%!   assert ([r.right], logical ([1 1 0 0 0]));
%!   assert (isempty (r(2).messages));
%!   assert ([r(2).rules.value], [0, 128]);
%!   has (r(1).messages{1}, "bank_conflicts of my_sum: ");
%!   has (r(1).messages{1}, ", wanted: at most 0.  Hint: neighbours.");
%!   has (r(3).messages{1}, "my_sum, 1 int32 element in blocks of 64: out of bounds in line 5 of small.cu: thread ");
%!   has (r(4).messages{1}, ": race in line ");
%!   has (r(4).messages{1}, "  Hint: wait for the others.");
%!   has (r(5).messages{1}, "It does not compile: small.cu:1:1: error: ");
%!   assert (all (cellfun (@numel, {r.messages}) <= 1));          # one hint a fault
%!   csv = strsplit (fileread (fullfile (folder, "m.csv")), "\r\n");
%!   assert (numel (csv), 7);
%!   has (csv{2}, "\"'=bob,\"\"<b>\",\"small\",12,15,1,\"bank_conflicts");
%!   assert (csv{3}(1:19), "\"ann\",\"small\",15,15");
%!   page = fileread (fullfile (folder, "m.html"));
%!   has (page, "<h1>A &lt;small&gt; sum</h1>");
%!   has (page, "<td>=bob,&quot;&lt;b&gt;</td><td class=\"points some\">12 of 15</td>");
%!   has (page, "All is right.");
%!   assert (isempty (strfind (page, "<b>")) && isempty (strfind (page, "<i>")));
%!   ## Alone with that seed: the same; whatever else was drawn before.
%!   rand (1, 7);
%!   assert (gpu_grade (in ("kim.cu"), folder, "seed", 3).messages, r(4).messages);
%! unwind_protect_cleanup
%!   away (folder);
%! end_unwind_protect

%!test                                   # where_files_or_network_cannot_be_closed_off_nothing_is_graded
%! folder = tempname ();
%! mkdir (folder);
%! lacks = getenv ("GPUREDUCE_LACKS");
%! unwind_protect
%!   exercise (folder);
%!   file = fullfile (folder, "small.cu");
%!   for what = {"landlock", "seccomp"}
%!     setenv ("GPUREDUCE_LACKS", what{1});
%!     err.identifier = err.message = "";
%!     try
%!       gpu_grade (file, folder);
%!     catch err
%!     end_try_catch
%!     assert (err.identifier, "gpureduce:unsupported");
%!     has (err.message, "gpu_grade: submissions cannot be confined: ");
%!     has (err.message, "\"unconfined\", true runs them nevertheless");
%!   endfor
%!   put (file, kernel ("i < n ? in[i] : 1", "unsigned k = 2 * step * t; if (k < blockDim.x) s[k] += s[k + step];", "__syncthreads ()"));
%!   setenv ("GPUREDUCE_LACKS", "landlock seccomp namespaces");
%!   text = evalc ("gpu_grade (file, folder, \"unconfined\", true)");
%!   has (text, "small: 0 of 15 points.\n  my_sum, ");
%!   has (text, "wrong result: the sum is");
%!   setenv ("GPUREDUCE_LACKS", "namespaces");            # these are not needed: in containers there may be none
%!   if (confines ())
%!     r = gpu_grade (file, folder);
%!     has (r.messages{1}, "wrong result: the sum is");
%!   endif
%! unwind_protect_cleanup
%!   setenv ("GPUREDUCE_LACKS", lacks);
%!   away (folder);
%! end_unwind_protect

%!test                                   # predictions_are_held_against_what_the_simulator_counts
%! folder = tempname ();
%! mkdir (folder);
%! unwind_protect
%!   put (fullfile (folder, "exercise.json"), ...
%!        ['{"name": "guess", "kind": "predictions", "questions": [' ...
%!         '{"name": "lanes", "from": {"variant": "sequential", "n": 64, "block": 64, "launch": 1, "step": 2, "count": "active_lanes"}, "hint": "halves"},' ...
%!         '{"name": "barriers", "from": {"variant": "sequential", "n": 64, "block": 64, "count": "barriers"}, "points": 2, "within": 1}]}']);
%!   t = gpu_trace ("sequential", 64, 64);
%!   file = fullfile (folder, "guess.txt");
%!   put (file, sprintf ("# my guesses\n\n lanes = %d\nBARRIERS=%d\n", t.launches(1).steps(3).active_lanes, t.totals.barriers + 1));
%!   r = gpu_grade (file, folder);
%!   assert ([r.points, r.possible, r.right], [3, 3, 1, 1]);
%!   put (file, "lanes = 63\r\nbarriers = \n");
%!   r = gpu_grade (file, folder);
%!   assert ([r.points, r.right], [0, 0, 0]);
%!   assert (r.messages, {"lanes: 63 is not right.  Hint: halves.", "barriers: not answered."});
%!   put (file, "lanes = 16 + 0 * system (\"touch PWNED\")\nbarriers = 1e99999\n");
%!   r = gpu_grade (file, folder);
%!   assert (r.messages, {"lanes: the answer must be a number.", "barriers: the answer must be a number."});
%! unwind_protect_cleanup
%!   away (folder);
%! end_unwind_protect

%!test                                   # an_exercise_is_begun_with_its_file_and_its_text, and what is there stays
%! folder = tempname ();
%! mkdir (folder);
%! mkdir (fullfile (folder, "mine"));
%! unwind_protect
%!   exercise (folder);
%!   file = gpu_grade ("start", folder, fullfile (folder, "mine"));
%!   assert (file, fullfile (folder, "mine", "small.cu"));
%!   assert (fileread (file), "// TODO\n");
%!   assert (fileread (fullfile (folder, "mine", "small.md")), "# Small\n");
%!   fail ("gpu_grade (\"start\", folder, fullfile (folder, \"mine\"))", "small.cu is there already");
%! unwind_protect_cleanup
%!   away (folder);
%! end_unwind_protect

## Processes that were started with this in their environment.
%!function found = left_behind (mark)
%!  found = {};
%!  for folder = glob ("/proc/[0-9]*")'
%!    fid = fopen ([folder{1} "/environ"]);
%!    if (fid >= 0)
%!      text = fread (fid, Inf, "uint8=>char")';
%!      fclose (fid);
%!      if (! isempty (strfind (text, mark)))
%!        found{end+1} = folder{1};
%!      endif
%!    endif
%!  endfor
%!endfunction
%!test                                   # nothing_hostile_gets_through: a sample; all of it with CHECK_LONG=yes
%! if (! confines ())
%!   return;
%! endif
%! folder = tempname ();
%! in = @(name) [folder filesep name];
%! tmpdir = getenv ("TMPDIR");
%! here = pwd ();
%! unwind_protect
%!   mkdir (folder);
%!   for name = {"all", "some", "outside", "tmp"}
%!     mkdir (in (name{1}));
%!   endfor
%!   secret = sprintf ("SECRET%d", randi (1e9));
%!   put (in ("key.cu"), ["// " secret "\n"]);
%!   put (in ("outside/marks.csv"), "jim,3\n");
%!   hostile_folder = fullfile (fileparts (which ("in_octave")), "hostile");
%!   addpath (hostile_folder);
%!   students = hostile (in ("all"), in ("key.cu"), in ("outside"));
%!   rmpath (hostile_folder);
%!   assert (numel (students) >= 100);
%!   graded = in ("all");
%!   if (! strcmp (getenv ("CHECK_LONG"), "yes"))
%!     graded = in ("some");
%!     names = readdir (in ("all"));
%!     names(ismember (names, {".", "..", "sparse.cu"})) = [];
%!     state = rand ("twister");
%!     seed_from ("GRADE_SEED");
%!     names = names(randperm (numel (names), 3));
%!     rand ("twister", state);
%!     for name = names'
%!       rename (in (["all/" name{1}]), in (["some/" name{1}]));
%!     endfor
%!   endif
%!   setenv ("TMPDIR", in ("tmp"));
%!   cd (in ("tmp"));
%!   r = gpu_grade (graded, hostile_folder, "seconds", 3, "csv", in ("m.csv"), "html", in ("m.html"));
%!   cd (here);
%!   setenv ("TMPDIR", tmpdir);
%!   expected = numel (readdir (graded)) - 2;
%!   assert (numel (r), expected);                                # none stops the batch,
%!   for one = r
%!     assert (one.points == 0, "%s earns %g", one.student, one.points);
%!     assert (! isempty (one.messages), "%s: nothing is said", one.student);
%!     assert (isempty (strfind ([strjoin(one.messages) one.printed], secret)), "%s reads the key", one.student);
%!   endfor
%!   assert (numel (strfind (fileread (in ("m.csv")), "\r\n")), expected + 1);
%!   assert (isempty (strfind (fileread (in ("m.html")), "<script")));
%!   assert (fileread (in ("outside/marks.csv")), "jim,3\n");     # changes what is outside,
%!   assert (readdir (in ("outside")), {"."; ".."; "marks.csv"});
%!   assert (isempty (glob (in ("tmp/PWNED"))) && ! exist ("PWNED", "file"));
%!   pause (0.2);
%!   assert (left_behind (in ("tmp/gpureduce")), {});             # or is left
%! unwind_protect_cleanup
%!   cd (here);
%!   setenv ("TMPDIR", tmpdir);
%!   away (folder);
%! end_unwind_protect
