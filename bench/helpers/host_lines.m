## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## host_lines (FILE, WAYS, SHAPES, MEASURE, WHOSE, LIMIT): every work of host_works on host arrays, a line each in build/FILE and, where the
## last way takes more than LIMIT (its elements, the least time of the others) ms, on the screen.  WAYS: heads of the times, which MEASURE (name, call,
## x, dim) gives, or [] where there is no such call; SHAPES (n): sizes; WHOSE: the others.  BENCH_ELEMENTS, BENCH_CLASSES: some.

function host_lines (file, ways, shapes, measure, whose, limit)

  file = fopen (fullfile (fileparts (fileparts (fileparts (mfilename ("fullpath")))), "build", file), "w");
  fprintf (file, "function,class,shape,dim,elements,%s\n", strjoin (ways, ","));
  randn ("twister", 42);
  ratios = [];
  slow = 0;
  for class = chosen ("BENCH_CLASSES", {"double", "single", "int32", "uint8", "logical"})
    for n = cellfun (@str2double, chosen ("BENCH_ELEMENTS", {"1e4", "1e6", "3e7"}))
      for shape = shapes (n)
        sz = shape{1};
        x = host_array (class{1}, sz);
        assignin ("base", "subs", randi (1000, sz(1), 1));              # accumarray's
        for work = host_works ().'
          [name, call, kind] = work{:};
          if (strcmp (kind, "vector") && sz(2) > 1)
            continue;
          endif
          for dim = 1:merge (sz(2) == 1, 1, numel (sz))
            ms = measure (name, call, x, dim);
            if (isempty (ms))
              continue;
            endif
            fprintf (file, "%s,%s,%s,%d,%d,%s\n", name, class{1}, sprintf ("%dx", sz)(1:end-1), dim, prod (sz), sprintf ("%.6g,", ms)(1:end-1));
            others = min (ms(1:end-1));
            ratios(end+1) = ms(end) / others;
            if (ms(end) > limit (prod (sz), others))
              slow++;
              printf ("%.2f of the %s time: %s (%s %s, %d), %s ms\n", ratios(end), whose, name, class{1}, sprintf ("%dx", sz)(1:end-1), dim, ...
                      strjoin (cellfun (@(w, t) sprintf ("%s %.4g", strrep (w, "_ms", ""), t), ways, num2cell (ms), "UniformOutput", false), ", "));
            endif
          endfor
        endfor
      endfor
    endfor
  endfor
  fclose (file);
  printf ("%d calls, %d slower; of the %s time: median %.2f, the slowest tenth from %.2f on\n", numel (ratios), slow, whose, median (ratios), ...
          quantile (ratios, 0.9));

endfunction
