## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Makes GPUREDUCE_PREFIX, or build/octave, the place of this Octave's packages,
## for root's as for others'.

if (isempty (getenv ("GPUREDUCE_PREFIX")))
  setenv ("GPUREDUCE_PREFIX", fullfile (fileparts (fileparts (mfilename ("fullpath"))),
                                        "build", "octave"));
endif
pkg ("prefix", getenv ("GPUREDUCE_PREFIX"), getenv ("GPUREDUCE_PREFIX"));
pkg ("local_list", fullfile (getenv ("GPUREDUCE_PREFIX"), "packages"));
pkg ("global_list", fullfile (getenv ("GPUREDUCE_PREFIX"), "global_packages"));

## A prefix that was moved or copied has lists that name the folder it was in, and pkg would load
## what lies there: they are made anew, beside them and then renamed, as several processes may begin at once.
function list_what_is_here (prefix)
  if (! isfolder (prefix))
    return;
  endif
  lists = glob (fullfile (canonicalize_file_name (prefix), "*packages"));     # root's and others', named as pkg names them
  stale = lists(cellfun (@(list) names_another (list, prefix), lists));
  if (numel (stale) < numel (lists) || isempty (glob (fullfile (prefix, "*", "packinfo", "DESCRIPTION"))))
    return;
  endif
  kinds = {"local_list", "global_list"};
  for k = 1:2
    places{k} = pkg (kinds{k});
    made{k} = tempname (prefix, "list-");
    pkg (kinds{k}, made{k});
  endfor
  pkg ("rebuild");
  [~, ~] = cellfun (@unlink, setdiff (stale, places), "UniformOutput", false);
  cellfun (@rename, made, places);
  cellfun (@(kind, place) pkg (kind, place), kinds, places, "UniformOutput", false);
endfunction

## A list that another process has removed meanwhile names no other folder.
function tf = names_another (list, prefix)
  id = fopen (list);
  tf = id >= 0;
  if (tf)
    text = fread (id, [1 Inf], "*char");
    fclose (id);
    here = {make_absolute_filename(prefix), canonicalize_file_name(prefix)};
    tf = ! any (cellfun (@(folder) any (strfind (text, ["\n" folder filesep])), here));
  endif
endfunction

list_what_is_here (getenv ("GPUREDUCE_PREFIX"));
