## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {[@var{text}, @var{why}] =} grade_take (@var{file})
## What somebody hands in: the contents of a file that is a file, no link, no pipe, not
## too long; else @var{why} says what it is.
## @end deftypefn

function [text, why] = grade_take (file)

  most = 2^18;
  text = why = "";
  [info, err] = lstat (file);
  if (err)
    why = "it is not there";
  elseif (S_ISLNK (info.mode))
    why = "it is a link: hand in the file itself";
  elseif (S_ISDIR (info.mode))
    why = "it is a folder";
  elseif (! S_ISREG (info.mode))
    why = "it is no file";
  elseif (info.size > most)
    why = sprintf ("it is longer than %d KiB", most / 1024);
  elseif (info.size == 0)
    why = "it is empty";
  else
    fid = fopen (file, "r");
    if (fid < 0)
      why = "it cannot be read";
    else
      text = fread (fid, most, "uint8=>char")';
      fclose (fid);
      if (any (text == "\0"))
        why = "it is no text";
      endif
    endif
  endif

endfunction
