## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## sample_pages (folder): pages of gpu_trace for tests/web/drive.py, of reports made
## here and, where the package runs the simulator, of its own.
function sample_pages (folder)

  for c = {"strided",    "shared_strided",  64,   64
           "sequential", "sequential",      64,   32
           "shuffle",    "full_shuffle",    128,  128
           "large",      "sequential",      1024, 256
           "largest",    "shared_strided",  1000, 1024
           "serial",     "single_thread",   24,   32
           "fault",      "bug_no_syncwarp", 64,   64}'
    [name, variant, n, block] = c{:};
    [report, x] = sample_report (variant, n, block);
    t = gpu_trace (variant, n, block, "data", int32 (x), "report", report, ...
                   "html", fullfile (folder, [name ".html"]));
  endfor
  ## Two kernels in step, of different lengths.
  [a, x] = sample_report ("shared_strided", 64, 64);
  b = sample_report ("full_shuffle", 64, 64);
  c = gpu_compare ("shared_strided", "full_shuffle", 64, 64, "data", int32 (x), "report", {a, b}, "html", fullfile (folder, "compare.html"));
  ## A predicted time.
  t = gpu_trace ("shared_strided", 64, 64, "data", int32 (x), "report", a, "html", fullfile (folder, "model.html"));
  ## Values of 8 bytes: two banks each.
  [report, x] = sample_report ("shared_strided", 64, 64);
  report = strrep (report, '"class":"int32"', '"class":"double"');
  t = gpu_trace ("shared_strided", 64, 64, "data", x / 8, "report", strrep (report, '"result":282', '"result":35.25'), ...
                 "html", fullfile (folder, "double.html"));
  t = gpu_trace ("sequential", 64, 64, "data", int32 (x), "report", strip (sample_report ("sequential", 64, 64)), ...
                 "steps", 3, "html", fullfile (folder, "noframes.html"));
  report = regexprep (sample_report ("bug_no_syncwarp", 64, 64), '"steps":\[.*\]\}\],"totals"', ...
                       '"steps":[]}],"totals"');
  t = gpu_trace ("bug_no_syncwarp", 64, 64, "data", int32 (x), "report", report, "html", fullfile (folder, "nosteps.html"));
  if (exist ("__gpureduce__") == 3)
    try
      for c = {"real", "shared_strided", 64; "real_shuffle", "warp_shuffle", 128; "real_bounds", "bug_off_by_one", 100}'
        t = gpu_trace (c{2:3}, 64, "html", fullfile (folder, [c{1} ".html"]));
      endfor
      c = gpu_compare ("shared_strided", "sequential", 64, 64, "html", fullfile (folder, "real_compare.html"));
    catch err
      printf ("No page of the simulator's own: %s\n", err.message);
    end_try_catch
  endif

endfunction

## The report as it is where no frames were asked for.
function json = strip (json)
  json = regexprep (json, '"shared":\[[^\]]*\],"accesses":\[[^\]]*\]', '"contention":0');
endfunction
