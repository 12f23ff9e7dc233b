## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{r} =} gpu_grade (@var{file}, @var{exercise})
## @deftypefnx {} {@var{r} =} gpu_grade (@var{folder}, @var{exercise})
## @deftypefnx {} {@var{r} =} gpu_grade (@dots{}, @var{name}, @var{value}, @dots{})
## @deftypefnx {} {@var{names} =} gpu_grade ("exercises")
## @deftypefnx {} {@var{file} =} gpu_grade ("start", @var{exercise}, @var{folder})
## Grade a kernel that somebody has written for an exercise, or all those in a folder.
##
## @code{gpu_grade ("exercises")} lists the exercises that come with the package, and
## @code{gpu_grade ("start", @var{exercise}, @var{folder})} begins one: it writes the file
## to work on, and the text beside it, into @var{folder} (by default the current
## one).  Files that are there stay as they are.  @code{gpu_variant_add} and @code{gpu_trace} help to work on it.
##
## @var{exercise} is the name of one of these, or the folder of one's own, with a file
## @file{exercise.json}, or that file.
##
## The kernel runs in the simulator over many lengths (1, 31 to 33, 255 to 257, 1000,
## 4097 and random ones), all blocks and classes of the exercise, with random elements
## and random orders of the threads.  Each variant gives its share of the points if all
## of its results are right and no run has a fault; then the rules of the exercise count,
## on what the simulator counts: bank conflicts, barriers, sectors and others.  Of a
## fault, or of a rule that is not met, one sentence says what and where, and one hint
## what to look for.
##
## Of a folder each file is somebody's, named after them, or each folder in it is, with the file named after the exercise.
##
## @var{r} is a struct, of a folder a row of structs, with the fields
##
## @table @code
## @item student, file, exercise
## whose, which file, and the exercise's name
## @item points, possible
## what it has earned, of how many
## @item right
## true for each variant of the exercise whose results are right, of predictions for each question
## @item rules
## a row of structs: count, variant, value, wanted, points and possible
## @item messages
## sentences, a cell array
## @item printed
## what the kernel printed in its last runs
## @item seed
## with which the same marks come out again
## @end table
##
## @noindent
## Without an output argument they are printed.
##
## Options, their names in upper or lower case:
##
## @table @asis
## @item "csv", @var{file}
## Write a table: a line for each student.
## @item "html", @var{file}
## Write a page with the marks and all sentences, complete in this one file.
## @item "seed", @var{seed}
## A whole number from 1 to 2^31 - 1, from which elements, random lengths and orders of
## threads follow.  The default is random.
## @item "seconds", @var{s}
## What all runs of one submission may take (default 60).
## @item "unconfined", @var{tf}
## Grade also where the system cannot confine submissions.
## @end table
##
## A submission is not trusted.  It is compiled and run without network, without any
## file but its own and what the compiler is made of, within bounds of time, memory
## and output, by what Linux brings: Landlock, seccomp, namespaces and limits of resources.  Where files or network
## cannot be closed off, nothing is graded, unless "unconfined" says so.  Its code can call only what CUDA has for kernels;
## inline assembly, calls by pointer and the like are refused in a sentence.  What is right is computed
## outside of its process.
##
## An exercise is an object in @file{exercise.json} with the fields name, title, kind
## ("kernel" or "predictions"), and for a kernel variants, op, classes, blocks, finish,
## bins, lengths, points (for right results), hints
## (@code{@{"fault": "race", "hint": "@dots{}"@}}: in place of the simulator's likely
## cause) and rules: @code{@{"count": "bank_conflicts", "at_most": 0, "n": 4096,
## "block": 256, "points": 3, "hint": "@dots{}"@}}.  A rule asks for at_most, at_least or
## exactly of a count of @code{gpu_trace}'s totals, of global_loads or global_atomics
## (accesses of the first launch's blocks that are reported, up to 4096 elements),
## sector_percent, issued_percent, or with card of predicted_ms; launch (from 1) and step
## (from 0, of block 0) choose a part; variant, n, block, class and finish say of which
## run.  Of predictions, questions have name, points, within, hint and from, the run,
## launch, step and count that the answer comes from; what is handed in is a text with
## lines @samp{question = number}.
##
## @example
## @group
## r = gpu_grade ("jim/banks.cu", "banks", "seed", 1)
## @c doctest: +SKIP
## gpu_grade ("submissions", "banks", "csv", "marks.csv", "html", "marks.html");
## @c doctest: +SKIP
## any (strcmp (gpu_grade ("exercises"), "no such exercise"))
##     @result{} 0
## @end group
## @end example
##
## Errors: @code{gpureduce:invalid-input} for a file or folder that is missing, an
## exercise that is none or is not sound (with what is wrong), an option or value; @code{gpureduce:unsupported} without
## the simulator or where submissions cannot be confined; @code{gpureduce:cannot-write} without a temporary
## folder.  What is wrong with a submission is no error: it is in its messages.
##
## What the layers close off: the manual pages landlock(7), seccomp(2), namespaces(7) and getrlimit(2) of Linux.
## @seealso{gpu_variant_add, gpu_trace, gpu_variants}
## @end deftypefn

function r = gpu_grade (what, varargin)

  if (nargin < 1)
    print_usage ();
  elseif (! (ischar (what) && isrow (what)))
    invalid ("FILE must be the name of a file or folder");
  endif
  if (strcmp (what, "exercises") && nargin == 1)
    names = grade_exercise ();
    if (nargout > 0)
      r = names;
    else
      for name = names
        printf ("%-16s %s\n", name{1}, grade_exercise (name{1}).title);
      endfor
    endif
    return;
  elseif (strcmp (what, "start"))
    file = start (varargin{:});
    if (nargout > 0)
      r = file;
    else
      printf ("%s\n", file);
    endif
    return;
  elseif (nargin < 2)
    print_usage ();
  endif

  e = grade_exercise (varargin{1});
  o = named_options ("gpu_grade", varargin(2:end), ...
                     struct ("csv", "", "html", "", "seed", [], "seconds", 60, "unconfined", false), @checked);
  if (isempty (o.seed))
    o.seed = random_seed ();
  endif
  [students, files] = submissions (what, e);
  if (strcmp (e.kind, "kernel"))
    grade_simulator (o.unconfined);
  endif

  results = result_of ("", "", e, o)([]);
  old = rand ("twister");
  unwind_protect
    for k = 1:numel (files)
      rand ("twister", o.seed);
      results(k) = graded (result_of (students{k}, files{k}, e, o), e, o);
      if (nargout == 0)
        printf ("%s\n", text_of (results(k)));
      endif
    endfor
  unwind_protect_cleanup
    rand ("twister", old);
  end_unwind_protect
  if (! isempty (o.csv))
    grade_csv (results, o.csv);
  endif
  if (! isempty (o.html))
    grade_page (results, e, o.html);
  endif
  if (nargout > 0)
    r = results;
  endif

endfunction

function value = checked (name, value)

  switch (name)
    case {"csv", "html"}
      if (! (ischar (value) && isrow (value)))
        invalid ("%s must be the name of a file", name);
      endif
      writable (value, ["gpu_grade: " name]);
    case "seed"
      if (! (isnumeric (value) && isreal (value) && isscalar (value) && value >= 1 && value < 2^31 && value == fix (value)))
        invalid ("seed must be a whole number from 1 to 2^31 - 1");
      endif
      value = double (value);
    case "seconds"
      if (! (isnumeric (value) && isreal (value) && isscalar (value) && value > 0 && value < Inf))
        invalid ("seconds must be a positive number");
      endif
      value = double (value);
    case "unconfined"
      if (! (isscalar (value) && (islogical (value) || isnumeric (value))))
        invalid ("unconfined must be true or false");
      endif
      value = logical (value);
  endswitch

endfunction

## What the submission cannot foresee.
function seed = random_seed ()
  seed = 1 + mod (floor (now () * 8.64e10) + 7919 * getpid (), 2^31 - 2);
  fid = fopen ("/dev/urandom", "r");
  if (fid >= 0)
    seed = 1 + mod (double (fread (fid, 1, "uint32")), 2^31 - 2);
    fclose (fid);
  endif
endfunction

## ---- who hands in what ------------------------------------------------------------------

function [students, files] = submissions (what, e)

  [info, err] = lstat (what);
  if (err)
    invalid ("there is no %s", what);
  elseif (! isfolder (what))
    [~, students] = fileparts (what);
    students = {students};
    files = {what};
    return;
  endif
  students = files = {};
  [~, ~, ending] = fileparts (e.file);
  for name = readdir (what)'    # no fullfile, which refuses names that are not UTF-8
    path = [what filesep name{1}];
    [info, err] = lstat (path);
    if (any (strcmp (name{1}, {".", ".."})) || err)
      continue;
    endif
    [~, stem, ext] = fileparts (name{1});
    if (S_ISDIR (info.mode))
      students{end+1} = name{1};
      files{end+1} = [path filesep e.file];
    elseif (strcmp (ext, ending))
      students{end+1} = stem;
      files{end+1} = path;
    endif
  endfor
  if (isempty (files))
    invalid ("in %s there is nothing to grade: files *%s, or folders with %s", what, ending, e.file);
  endif

endfunction

function r = result_of (student, file, e, o)
  none = struct ("count", {}, "variant", {}, "value", {}, "wanted", {}, "points", {}, "possible", {});
  r = struct ("student", student, "file", file, "exercise", e.name, "points", 0, "possible", e.points, "right", false, ...
              "rules", none, "messages", {{}}, "printed", "", "seed", o.seed);
endfunction

function r = graded (r, e, o)

  [text, why] = grade_take (r.file);
  if (! isempty (why))
    [~, name, ext] = fileparts (r.file);
    r.messages{end+1} = sprintf ("%s: %s.", [name ext], why);
  else
    fresh = r;
    try
      if (strcmp (e.kind, "kernel"))
        r = grade_kernel (r, text, e, o);
      else
        r = grade_predictions (r, text, e);
      endif
    catch err
      if (any (strcmp (err.identifier, {"gpureduce:unsupported", "gpureduce:interrupted", "gpureduce:cannot-write"})))
        rethrow (err);          # it would be so for all of them
      endif
      r = fresh;
      r.messages{end+1} = ["It cannot be graded: " err.message];
    end_try_catch
  endif
  r.messages = cellfun (@grade_plain, r.messages, "UniformOutput", false);
  r.printed = grade_plain (r.printed);
  r.points = round (1e6 * r.points) / 1e6;

endfunction

function text = text_of (r)
  text = sprintf ("%s: %g of %g points.", grade_plain (r.student), r.points, r.possible);
  for k = 1:numel (r.messages)
    text = [text "\n  " strrep(r.messages{k}, "\n", "\n  ")];
  endfor
  if (! isempty (r.printed))
    lines = strsplit (strtrim (r.printed), "\n");
    text = [text "\n  It printed: " strjoin(lines(1:min (end, 3)), "\n  ")];
  endif
endfunction

## ---- to begin ----------------------------------------------------------------------------------

function file = start (which, folder = ".")

  if (nargin < 1)
    invalid ("to start give the name of an exercise; there are %s", strjoin (grade_exercise (), ", "));
  elseif (! (ischar (folder) && isrow (folder) && isfolder (folder)))
    invalid ("FOLDER must be a folder that exists");
  endif
  e = grade_exercise (which);
  file = fullfile (folder, e.file);
  pairs = {fullfile(e.folder, e.file), file; fullfile(e.folder, "README.md"), fullfile(folder, [e.name ".md"])};
  for k = 1:2
    if (! isempty (lstat (pairs{k,2})))
      if (k == 1)
        invalid ("%s is there already", pairs{k,2});
      endif
    elseif (exist (pairs{k,1}, "file") == 2)
      fid = writable (pairs{k,2}, "gpu_grade");
      fputs (fid, fileread (pairs{k,1}));
      fclose (fid);
    endif
  endfor

endfunction

function invalid (varargin)
  error ("gpureduce:invalid-input", ["gpu_grade: " varargin{1}], varargin{2:end});
endfunction

%!error <Invalid call> gpu_grade ()
%!error <Invalid call> gpu_grade ("file")
%!error <gpu_grade: FILE must be the name> gpu_grade (1, "banks")
%!error <gpu_grade: there is no exercise nowhere; there are> gpu_grade ("file", "nowhere")
%!error <gpu_grade: FOLDER must be a folder that exists> gpu_grade ("start", "banks", "/no/such/folder")
%!function said = refusal (file, json)
%!  fid = fopen (file, "w");
%!  fputs (fid, json);
%!  fclose (fid);
%!  said = "";
%!  try
%!    gpu_grade (file, file);
%!  catch err
%!    assert (err.identifier, "gpureduce:invalid-input");
%!    said = err.message;
%!  end_try_catch
%!endfunction
%!test # an exercise that is not sound says what is wrong
%! folder = tempname ();
%! mkdir (folder);
%! file = fullfile (folder, "exercise.json");
%! says = @(json, part) assert (! isempty (strfind (refusal (file, json), part)), "%s", refusal (file, json));
%! unwind_protect
%!   says ("[1]", "it must be one object");
%!   says ('{"name": "a", "colour": 1}', "it has no field \"colour\"; its fields are name, title");
%!   says ('{"name": "a b", "variants": ["a"]}', "\"name\" must be letters");
%!   says ('{"name": "a"}', "\"variants\" must name");
%!   says ('{"name": "a", "variants": ["a"], "op": "mean"}', "\"op\" must be sum");
%!   says ('{"name": "a", "variants": ["a"], "blocks": [48]}', "\"blocks\" must be of 32");
%!   says ('{"name": "a", "variants": ["a"], "rules": [{"count": "wonders", "at_most": 1, "hint": "x"}]}', "there is no count \"wonders\"");
%!   says ('{"name": "a", "variants": ["a"], "rules": [{"count": "barriers", "hint": "x"}]}', "must say at_most, at_least or exactly");
%!   says ('{"name": "a", "variants": ["a"], "rules": [{"count": "barriers", "at_most": 1}]}', "has no hint");
%!   says ('{"name": "a", "kind": "predictions"}', "\"questions\" must not be empty");
%! unwind_protect_cleanup
%!   confirm_recursive_rmdir (false, "local");
%!   rmdir (folder, "s");
%! end_unwind_protect
