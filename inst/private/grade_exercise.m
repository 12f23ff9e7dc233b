## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{names} =} grade_exercise ()
## @deftypefnx {} {@var{e} =} grade_exercise (@var{which})
## The names of the exercises that are installed; one of them, or that of a folder or a file
## @file{exercise.json}, with every field in place: folder, name, title, kind, file (what is handed in), points (in all),
## variants, op, classes, blocks, finish, bins, lengths, hints and rules, or questions.
## @end deftypefn

function e = grade_exercise (which)

  installed = package_file ("lab");
  if (nargin == 0)
    e = {};
    for file = glob (fullfile (installed, "*", "exercise.json"))'
      e{end+1} = base_name (fileparts (file{1}));
    endfor
    return;
  endif

  if (! (ischar (which) && isrow (which)))
    invalid ("EXERCISE must be the name of an exercise, its folder, or its exercise.json");
  endif
  named = ! isempty (installed) && ! any (which == filesep) && isfolder (fullfile (installed, which));
  if (named)
    file = fullfile (installed, which, "exercise.json");
  elseif (isfolder (which))
    file = fullfile (which, "exercise.json");
  elseif (numel (which) > 5 && strcmp (which(end-4:end), ".json"))
    file = which;
  else
    invalid ("there is no exercise %s; there are %s", which, strjoin (grade_exercise (), ", "));
  endif
  if (exist (file, "file") != 2)
    invalid ("there is no %s", file);
  endif
  try
    given = jsondecode (fileread (file));
  catch err
    invalid ("%s: %s", file, err.message);
  end_try_catch
  e = checked (given, @(varargin) invalid ("%s: %s", file, sprintf (varargin{:})));
  e.folder = fileparts (canonicalize_file_name (file));

endfunction

function e = checked (given, refuse)

  e = struct ("folder", "", "name", "", "title", "", "kind", "kernel", "file", "", "points", 0, "variants", {{}}, "op", "sum", ...
              "classes", {{"int32"}}, "blocks", [32 64 128 256 512 1024], "finish", "", "bins", 10, "lengths", [], ...
              "hints", {{}}, "rules", {{}}, "questions", {{}});
  if (! isstruct (given) || ! isscalar (given))
    refuse ("it must be one object, {...}");
  endif
  for name = fieldnames (given)'
    fields = setdiff (fieldnames (e)', {"folder", "file"}, "stable");
    if (! any (strcmp (name{1}, fields)))
      refuse ("it has no field \"%s\"; its fields are %s", name{1}, strjoin (fields, ", "));
    endif
    e.(name{1}) = given.(name{1});
  endfor
  if (isempty (regexp (e.name, '^[A-Za-z_][A-Za-z_0-9]*$')))
    refuse ("\"name\" must be letters, digits and _");
  endif
  if (isempty (e.title))
    e.title = e.name;
  endif
  e.hints = list_of (e.hints);
  e.rules = list_of (e.rules);
  e.questions = list_of (e.questions);
  switch (e.kind)
    case "kernel"
      e.file = [e.name ".cu"];
      e.variants = reshape (cellstr (e.variants), 1, []);
      e.classes = reshape (cellstr (e.classes), 1, []);
      e.blocks = reshape (e.blocks, 1, []);
      e.lengths = reshape (e.lengths, 1, []);
      if (isempty (e.variants) || isempty (e.variants{1}))
        refuse ("\"variants\" must name the kernels that are graded");
      elseif (! any (strcmp (e.op, {"sum", "prod", "max", "min", "argmax", "argmin", "histogram"})))
        refuse ("\"op\" must be sum, prod, max, min, argmax, argmin or histogram");
      elseif (! all (ismember (e.classes, {"double", "single", "int32", "uint8"})))
        refuse ("\"classes\" must be of double, single, int32 and uint8");
      elseif (isempty (e.blocks) || ! all (ismember (e.blocks, 2 .^ (5:10))))
        refuse ("\"blocks\" must be of 32, 64, 128, 256, 512 and 1024");
      elseif (! isempty (e.lengths) && ! (isnumeric (e.lengths) && all (e.lengths >= 1 & e.lengths == fix (e.lengths) & e.lengths <= 2^20)))
        refuse ("\"lengths\" must be whole numbers from 1 to 2^20");
      endif
      for k = 1:numel (e.rules)
        e.rules{k} = rule_of (e.rules{k}, e, refuse);
      endfor
      e.points += sum (cellfun (@(r) r.points, e.rules));
    case "predictions"
      e.file = [e.name ".txt"];
      if (isempty (e.questions))
        refuse ("\"questions\" must not be empty");
      endif
      for k = 1:numel (e.questions)
        e.questions{k} = question_of (e.questions{k}, refuse);
      endfor
      e.points = sum (cellfun (@(q) q.points, e.questions));
    otherwise
      refuse ("\"kind\" must be kernel or predictions");
  endswitch

endfunction

## Its fields with their defaults, those of DEFAULTS.
function r = with_defaults (given, r, what, refuse)
  for name = fieldnames (given)'
    if (! isfield (r, name{1}))
      refuse ("%s has no field \"%s\"; its fields are %s", what, name{1}, strjoin (fieldnames (r)', ", "));
    endif
    r.(name{1}) = given.(name{1});
  endfor
endfunction

function r = rule_of (given, e, refuse)
  r = with_defaults (given, struct ("count", "", "at_most", Inf, "at_least", -Inf, "exactly", [], "variant", e.variants{1}, "n", 4096, ...
                                    "block", max (e.blocks), "class", e.classes{1}, "finish", e.finish, "launch", [], "step", [], ...
                                    "card", "h200", "points", 1, "hint", ""), "a rule", refuse);
  if (! any (strcmp (r.count, [grade_count(), {"predicted_ms"}])))
    refuse ("there is no count \"%s\"; there are %s and predicted_ms", r.count, strjoin (grade_count (), ", "));
  elseif (! any (strcmp (r.variant, e.variants)))
    refuse ("the variant %s of a rule is not among \"variants\"", r.variant);
  elseif (isinf (r.at_most) && isinf (r.at_least) && isempty (r.exactly))
    refuse ("a rule must say at_most, at_least or exactly");
  elseif (isempty (r.hint))
    refuse ("the rule on %s has no hint", r.count);
  endif
endfunction

function q = question_of (given, refuse)
  q = with_defaults (given, struct ("name", "", "from", [], "within", 0, "points", 1, "hint", ""), "a question", refuse);
  if (isempty (q.name) || any (q.name == "="))
    refuse ("a question must have a name, without =");
  elseif (! isstruct (q.from))
    refuse ("the question \"%s\" must say \"from\" which run its answer comes", q.name);
  endif
  q.from = with_defaults (q.from, struct ("variant", "", "n", 64, "block", 64, "class", "int32", "op", "", "finish", "", "launch", [], ...
                                          "step", [], "count", ""), "\"from\"", refuse);
  if (! any (strcmp (q.from.count, grade_count ())))
    refuse ("there is no count \"%s\"; there are %s", q.from.count, strjoin (grade_count (), ", "));
  endif
endfunction

## What jsondecode makes of a list of objects, as a cell.
function c = list_of (v)
  if (isstruct (v))
    v = num2cell (v);
  endif
  c = reshape (v, 1, []);
  if (isempty (c))
    c = {};
  endif
endfunction

function name = base_name (path)
  [~, name, ext] = fileparts (path);
  name = [name ext];
endfunction

function invalid (varargin)
  error ("gpureduce:invalid-input", ["gpu_grade: " varargin{1}], varargin{2:end});
endfunction
