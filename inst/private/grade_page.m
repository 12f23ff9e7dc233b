## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {} grade_page (@var{r}, @var{e}, @var{file})
## Write the results as a page of HTML that needs nothing else and runs nothing.
## @end deftypefn

function grade_page (r, e, file)

  fid = writable (file, "gpu_grade: html");
  points = [r.points];
  fprintf (fid, ["<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n" ...
                 "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n" ...
                 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>%s</title>\n<style>\n" ...
                 "body { font: 16px/1.5 sans-serif; max-width: 70em; margin: 1em auto; padding: 0 1em; color: #222; background: #fff; }\n" ...
                 "table { border-collapse: collapse; width: 100%%; }\n" ...
                 "th, td { text-align: left; vertical-align: top; padding: .4em .6em; border-bottom: 1px solid #ccc; overflow-wrap: anywhere; }\n" ...
                 "td:first-child { min-width: 8em; }\ntd.points { white-space: nowrap; font-weight: bold; }\n.full { color: #05603a; }\n.some { color: #7a4b00; }\n.none { color: #a1160f; }\n" ...
                 "p { margin: 0 0 .3em; white-space: pre-wrap; }\npre { overflow: auto; max-height: 12em; background: #f4f4f4; padding: .5em; }\n" ...
                 "@media (max-width: 40em) { th { display: none; } td { display: block; } }\n" ...
                 "</style>\n</head>\n<body>\n<h1>%s</h1>\n"], escaped (e.title), escaped (e.title));
  fprintf (fid, "<p>%d handed in, %d with all of %g points, %.3g on average; seed %d.</p>\n", ...
           numel (r), sum (points >= e.points), e.points, mean (points), r(1).seed);
  fprintf (fid, "<table>\n<thead><tr>%s</tr></thead>\n<tbody>\n", ...
           sprintf ("<th scope=\"col\">%s</th>", "Student", "Points", "What was found"));
  for k = 1:numel (r)
    class = {"none", "some", "full"}{1 + (points(k) > 0) + (points(k) >= e.points)};
    fprintf (fid, "<tr><td>%s</td><td class=\"points %s\">%g of %g</td><td>", escaped (r(k).student), class, points(k), r(k).possible);
    if (isempty (r(k).messages))
      fprintf (fid, "<p>All is right.</p>");
    endif
    for i = 1:numel (r(k).messages)
      fprintf (fid, "<p>%s</p>", escaped (r(k).messages{i}));
    endfor
    if (! isempty (r(k).printed))
      fprintf (fid, "<details><summary>What it printed</summary><pre>%s</pre></details>", escaped (r(k).printed));
    endif
    fprintf (fid, "</td></tr>\n");
  endfor
  fprintf (fid, "</tbody>\n</table>\n</body>\n</html>\n");
  fclose (fid);

endfunction

function text = escaped (text)
  text = grade_plain (text);
  from = {"&", "<", ">", "\"", "'"};
  to = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
  for k = 1:numel (from)
    text = strrep (text, from{k}, to{k});
  endfor
endfunction
