## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## bench/called_report.m: the last step of the group "called" of bench-gpu.sh: joins
## build/bench-gpu/called.csv and called-peers.csv into build/called.csv, prints where the package is
## behind the better of CuPy and PyTorch, and, where there is gnuplot, draws all in build/called.png.

1;

function rows_of = read_table (path, columns)
  text = strsplit (strtrim (fileread (path)), "\n")(2:end);
  text = text(! strncmp (text, "#", 1));
  rows_of = cell (numel (text), columns);
  for i = 1:numel (text)
    rows_of(i,:) = strsplit (text{i}, ",");
  endfor
endfunction

top = fileparts (fileparts (mfilename ("fullpath")));
work = fullfile (top, "build", "bench-gpu");
ours = read_table (fullfile (work, "called.csv"), 9);
keys = cellfun (@(varargin) strjoin (varargin, ","), ours(:,1), ours(:,2), ours(:,3), ours(:,4), ours(:,5), "uniformoutput", false);
best = Inf (rows (ours), 1);
who = repmat ({""}, rows (ours), 1);
peers = read_table (fullfile (work, "called-peers.csv"), 7);
[known, at] = ismember (cellfun (@(varargin) strjoin (varargin, ","), peers(:,1), peers(:,2), peers(:,3), peers(:,4), peers(:,5), "uniformoutput", false), keys);
for i = find (known).'
  ms = str2double (peers{i,7});
  if (ms < best(at(i)))
    best(at(i)) = ms;
    who{at(i)} = peers{i,6};
  endif
endfor
ms = str2double (ours(:,8));
behind = ms > best;

file = fopen (fullfile (top, "build", "called.csv"), "w");
fprintf (file, "function,class,shape,dim,outputs,ms,single_ms,best_ms,best,behind\n");
for i = 1:rows (ours)
  fprintf (file, "%s,%s,%s,%.4g,%s,%d\n", keys{i}, ours{i,8}, ours{i,9}, best(i), who{i}, behind(i));
endfor
fclose (file);

compared = isfinite (best);
printf ("as called: %d works, %d with a peer, %d of them slower than the better one, %d by more than 25 us\n", ...
        rows (ours), nnz (compared), nnz (behind), nnz (ms > best + 0.025));
elements = cellfun (@(shape) prod (sscanf (shape, "%dx")), ours(:,3));
net = ms - str2double (ours(:,9));      # without what a call of one element takes
still = behind & ! (net <= 1.05 * best);
printf ("%d works are faster than the better one, %d of them more than twice\n", nnz (compared & ms < best), nnz (compared & ms < best / 2));
limits = [0, 1e5, 1e7, Inf];
for k = 1:3
  here = elements > limits(k) & elements <= limits(k + 1);
  printf ("behind, of up to %g elements: %d; %d without what a call of one element takes\n", limits(k + 1), nnz (behind & here), nnz (still & here));
endfor
printf ("%-12s %-7s %-16s %3s %3s %10s %10s %-8s %6s\n", "function", "class", "shape", "dim", "out", "ms", "best", "", "times");
[~, order] = sort (ms ./ best, "descend");
for i = order(behind(order)).'
  printf ("%-12s %-7s %-16s %3s %3s %10.4f %10.4f %-8s %6.2f\n", ours{i,1:5}, ms(i), best(i), who{i}, ms(i) / best(i));
endfor
if (isempty (file_in_path (getenv ("PATH"), "gnuplot")))
  return;
endif
figure ("visible", "off", "position", [0 0 1000 700]);
loglog (best(compared & ! behind), ms(compared & ! behind), "b.", best(behind), ms(behind), "ro", [5e-3 1e3], [5e-3 1e3], "k-");
xlabel ("better of CuPy and PyTorch, ms");
ylabel ("as called, ms");
legend ({"level or ahead", "behind", "equal"}, "location", "northwest");
title ("Every function as called, on one GPU");
print (fullfile (top, "build", "called.png"), "-dpng");
