## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {} grade_csv (@var{r}, @var{file})
## Write the results as a table of comma-separated values, a line for each student.
## @end deftypefn

function grade_csv (r, file)

  fid = writable (file, "gpu_grade: csv");
  fputs (fid, "student,exercise,points,possible,right,messages,file,seed\r\n");
  for k = 1:numel (r)
    fprintf (fid, "%s,%s,%g,%g,%d,%s,%s,%d\r\n", quoted (r(k).student), quoted (r(k).exercise), r(k).points, r(k).possible, all (r(k).right), ...
             quoted (strjoin (r(k).messages, " ")), quoted (r(k).file), r(k).seed);
  endfor
  fclose (fid);

endfunction

## A cell of text, whatever is in it: a spreadsheet takes one that begins so for a formula.
function cell = quoted (text)
  text = strrep (grade_plain (text), "\n", " ");
  if (! isempty (text) && any (text(1) == "=+-@\t\r|%"))
    text = ["'" text];
  endif
  cell = ["\"" strrep(text, "\"", "\"\"") "\""];
endfunction
