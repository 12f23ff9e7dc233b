## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{path} =} kernel_file (@var{name})
## The file that can be opened for what a kernel's module calls its source @var{name}:
## of the package's own, whose names are those of the folder they were compiled in, the
## one in the source tree or beside the m-files; of a user's, itself.  @var{name} where
## there is none.
## @end deftypefn

function path = kernel_file (name)

  path = name;
  if (! ischar (name) || isempty (strfind (name, "../")))
    return;                     # none, or a user's: gpu_variant_add has its whole name
  endif
  do
    before = name;
    name = regexprep (name, '[^/]+(?<!\.\.)/\.\./', "", "once");
  until (strcmp (name, before))
  tail = regexp (name, '(?:^|/)kernels/(.*)$', "tokens", "once");
  if (! isempty (tail))
    folder = fileparts (fileparts (canonicalize_file_name ([mfilename("fullpath") ".m"])));
    for place = {@() fileparts(folder), @() folder, @ladder_kit}
      try
        file = fullfile (place{1} (), "kernels", tail{1});
      catch
        continue;               # no folder for temporary files
      end_try_catch
      if (exist (file, "file") == 2)
        path = file;
        return;
      endif
    endfor
  endif
  if (! isempty (canonicalize_file_name (name)))
    path = canonicalize_file_name (name);
  endif

endfunction
