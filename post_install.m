## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Puts the simulator beside the module that starts it, makes the functions whose m-code only
## calls the core links to it, unpacks the ladder's sources, and says what the installation
## built, in one line.
function post_install (desc)

  ## pkg goes by names: what is not .mex or .so goes to the tree of m-files.
  program = fullfile (desc.dir, "gpureduce_sim");
  modules = fullfile (desc.archprefix, [__octave_config_info__("canonical_host_type"), "-", __octave_config_info__("api_version")]);
  if (exist (program, "file"))
    [done, why] = movefile (program, modules);
    if (! done)
      error ("gpureduce: cannot move the ladder's simulator to %s: %s", modules, why);
    endif
  endif
  link_functions (desc.dir, modules);
  unpack_sources (desc.dir);
  if (exist (fullfile (modules, "__gpr_octave__.oct"), "file"))
    fid = fopen (fullfile (modules, "PKG_ADD"), "a");   # run by pkg load, once that folder is on the path
    fprintf (fid, "__gpr_octave__ (\"loaded\");\n");
    fclose (fid);
  endif
  printf ("gpureduce %s: %s\n", desc.version,
          strtrim (fileread (fullfile (desc.dir, "gpureduce_build.txt"))));

endfunction

## gpu_sum.mex beside gpu_sum.m, and @gpuArray/sum.oct beside @gpuArray/sum.m: Octave calls the first, and has the help
## of the second.  Where there are no links, the m-files do the same.
function link_functions (folder, modules)

  core = canonicalize_file_name (fullfile (modules, "__gpureduce__.mex"));
  files = dir (fullfile (folder, "gpu_*.m"));
  for name = regexprep ({files.name}, '\.m$', "")
    calls = ["__gpureduce__ (\"" name{1}(5:end) "\", varargin{:});"];
    if (! isempty (strfind (fileread (fullfile (folder, [name{1} ".m"])), calls)))
      make_link (folder, [name{1} ".mex"], core);
    endif
  endfor

  native = canonicalize_file_name (fullfile (modules, "__gpr_octave__.oct"));
  folder = fullfile (folder, "@gpuArray");
  for file = dir (fullfile (folder, "*.m")).'
    if (! isempty (strfind (fileread (fullfile (folder, file.name)), "(src/octave/methods.cc)")))
      make_link (folder, regexprep (file.name, '\.m$', ".oct"), native);
    endif
  endfor

endfunction

## The kernels' sources, for who reads them: gpu_variants names these files.  Where they cannot be unpacked it names
## the copies that gpu_variant_add makes for a session.
function unpack_sources (folder)

  packed = fullfile (folder, "gpureduce_variant.tar");
  if (exist (packed, "file"))
    quoted = @(name) ["'" strrep(name, "'", "'\\''") "'"];
    [~, ~] = system (sprintf ("tar -xf %s -C %s kernels 2>&1", quoted (packed), quoted (folder)));
  endif

endfunction

## FOLDER/NAME as a link to FILE: from one folder to the other, since both may be moved together.
function make_link (folder, name, file)

  folder = canonicalize_file_name (folder);
  if (isempty (folder) || isempty (file))
    return;
  endif
  from = strsplit (folder, filesep);
  to = strsplit (file, filesep);
  while (! isempty (from) && strcmp (from{1}, to{1}))
    from(1) = to(1) = [];
  endwhile
  [~, ~] = symlink (strjoin ([repmat({".."}, size (from)), to], filesep), fullfile (folder, name));     # a file system without links has none

endfunction
