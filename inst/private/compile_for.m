## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{status} =} compile_for (@var{caller}, @var{what}, @var{file}, @var{module}, @var{more}@dots{})
## Has @code{build-variant @var{what}} compile a user's file into a module.  The exit
## status; what does not compile is an error with what the compiler says, but where
## there is no compiler for the GPU, 3.
## @end deftypefn

function status = compile_for (caller, what, file, module, varargin)

  words = cellfun (@shell_quoted, [{fullfile(ladder_kit (), "build-variant"), what, file, module}, varargin], ...
                   "UniformOutput", false);
  [status, said] = system (sprintf ("timeout -k 1 300 sh %s 2>&1", strjoin (words)));
  if (status != 0 && ! (strcmp (what, "cuda") && status == 3))
    where = {"simulator", "GPU"}{1 + strcmp(what, "cuda")};
    [~, name, ext] = fileparts (module);
    if (any (status == [124, 137]))
      said = "the compiler did not end within 5 minutes";
    endif
    error ("gpureduce:invalid-input", "%s: %s does not compile for the %s:\n%s", caller, file, where, ...
           strtrim (strrep (said, [name ext ".cu"], file)));
  endif

endfunction
