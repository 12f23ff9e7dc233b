## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## demo: the package at work on a picture that Octave brings and on a large array,
## beside the built-in functions.  Ends with an error when a result is not what
## the built-in's says it must be.

1;

## A picture with its brightness, and where it is from.  Octave without an image
## library computes one.
function [rgb, name] = picture ()
  for name = {"octave-sombrero.png", "default.img"}
    name = name{1};
    try
      rgb = imread (fullfile (__octave_config_info__ ("imagedir"), name));
      if (size (rgb, 3) == 1)
        rgb = repmat (rgb, [1 1 3]);
      endif
      return;
    end_try_catch
  endfor
  [~, ~, z] = sombrero (601);
  rgb = repmat (uint8 (255 * (z - min (z(:))) / (max (z(:)) - min (z(:)))), [1 1 3]);
  name = "sombrero (601), computed since imread reads no picture here";
endfunction

## How far a float sum by the tree may be from the exact one, relative to the sum of
## the absolute values: (depth + 1) u.
function bound = sum_bound (n, last)
  steps = 2 ^ ceil (log2 (n / last.parts / last.lanes));
  depth = steps + log2 (last.lanes) + ceil (log2 (last.parts));
  bound = (depth + 1) * eps / 2;
endfunction

## Both outputs of max or of gpu_max as one result, the index first.
function both = index_and_value (f, x)
  [value, index] = f (x);
  both = [index, value];
endfunction

## One line of the table.  OURS gets the array X, or the gpuArray of it; SHOW puts a
## result into words.  The result must be the built-in's, or within BOUND of EXACT.
function failed = compare (operation, x, ours, builtin, show, exact, bound)
  g = gpuArray (x);
  result = gather (ours (x));
  last = gpu_config ("last");
  expected = builtin (x);
  [right, difference] = agrees (result, expected);
  if (nargin > 5)
    right = agrees (result, exact, bound (last));
  endif
  right = right && agrees (gather (ours (g)), result);
  ms = interleaved_ms (@() builtin (x), @() ours (x), @() ours (g));
  where = merge (last.device > 0, sprintf ("GPU %d", last.device), "CPU");
  printf ("%-22s %20s %20s %10.2g %11.4g %11.4g %11.4g  %s\n", operation, show (result), show (expected),
          difference, ms, [where merge(right, "", "  WRONG")]);
  failed = ! right;
endfunction

addpath (fullfile (fileparts (mfilename ("fullpath")), "helpers"));
build = fullfile (fileparts (fileparts (mfilename ("fullpath"))), "build");
warning ("off", "gpureduce:cpu-fallback");    # the lines below say it

m = machine ();
printf ("\ngpureduce %s; Octave %s\nGPU: %s\nCPU: %s\n", m.gpureduce, m.octave, m.gpu, m.cpu);

[rgb, name] = picture ();
grey = rgb2gray (rgb);
paper = all (rgb == 255, 3);
ink = double (grey);
ink(paper) = NaN;                # skipped by max
[height, width] = size (grey);
n = merge (gpuDeviceCount () > 0, 5e7, 5e5);
if (! isempty (getenv ("BENCH_SCALE")))
  n *= str2double (getenv ("BENCH_SCALE"));
endif
n = floor (min (n, free_bytes () / 8 / 12));      # the built-in histc makes several copies
rande ("twister", 42);
waits = rande (n, 1);

printf ("\nA picture: %s, %d x %d pixels.  A large array: %g random waiting times (rande), %.0f MB.\n",
        name, width, height, n, n * 8 / 1e6);
printf ("Times are medians.  End-to-end: from and to Octave's memory; resident: the data is a gpuArray.\n\n");
printf ("%-22s %20s %20s %10s %11s %11s %11s  %s\n",
        "operation", "result", "built-in's result", "difference", "built-in ms", "end-to-end", "resident ms", "ran on",
        repmat ("-", 1, 22), repmat ("-", 1, 20), repmat ("-", 1, 20), repmat ("-", 1, 10),
        repmat ("-", 1, 11), repmat ("-", 1, 11), repmat ("-", 1, 11), "------");

number = @(v) sprintf ("%.15g", v);
most = @(counts) sprintf ("%d in bin %d", max (counts), find (counts == max (counts), 1));
pixel = @(r) sprintf ("%g at (%d, %d)", r(2), mod (r(1) - 1, height) + 1, ceil (r(1) / height));
at_index = @(r) sprintf ("%.8g at %d", r(2), r(1));
darkest = @(means) sprintf ("least %.5g, at %d", min (means), find (means == min (means), 1));

failed = 0;
counts = gpu_histc (grey(:), 0:255);
failed += compare ("picture: histogram", grey(:), @(x) gpu_histc (x, 0:255), @(x) histc (x, 0:255), most);
failed += compare ("picture: brightest", ink(:), @(x) index_and_value (@gpu_max, x), @(x) index_and_value (@max, x), pixel);
failed += compare ("picture: column means", grey, @gpu_mean, @mean, darkest);

exact = sum (waits, "extra");
failed += compare ("array: sum", waits, @gpu_sum, @sum, number, exact, @(last) exact * sum_bound (n, last));
failed += compare ("array: mean", waits, @gpu_mean, @mean, number, exact / n, @(last) exact / n * (sum_bound (n, last) + eps));
failed += compare ("array: max and index", waits, @(x) index_and_value (@gpu_max, x), @(x) index_and_value (@max, x), at_index);
failed += compare ("array: histogram", waits, @(x) gpu_histc (x, 0:0.1:10), @(x) histc (x, 0:0.1:10), most);

printf ("\nSums and means differ from the built-in's in their last digits, since they are added in another order;\n");
printf ("they are checked against the sum with compensation, sum (x, \"extra\").  All else must be equal.\n");

points = sprintf ("%d %d\n", [0:255; counts.']);
run_gnuplot (fullfile (build, "demo.png"), 1000, 560, strjoin ({
  sprintf("set title 'Brightness of %s, %d x %d pixels' noenhanced font ',16'", name, width, height)
  "set xlabel 'brightness (0: black, 255: white)'"
  "set ylabel 'pixels (logarithmic)'"
  "set xrange [-2:257]; set xtics (0, 32, 64, 96, 128, 160, 192, 224, 255) nomirror out"
  "set logscale y; set format y '%.0f'; set ytics nomirror out"
  sprintf("set yrange [0.7:%g]", 3 * max (counts))
  "set border 3 linecolor rgb '#505050'; set grid y linecolor rgb '#dddddd' linetype 1; set key off"
  "set style fill solid noborder; set boxwidth 1"
  "$counts << END"
  [points "END"]
  "plot $counts using 1:($2 > 0 ? $2 : NaN) with boxes linecolor rgb '#2f6fb0'"
  }, "\n"));

if (failed > 0)
  error ("demo: %d results are not what they must be", failed);
endif
