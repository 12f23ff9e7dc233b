## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## targets = gpu_targets (): what `make bench-gpu' aims at, a row each:
##
##   text, measure, group, line and class as regular expressions, least and most
##   elements, whose time, beside whose, aim
##
## The measures, of every line that matches, the worst of them counting:
##   "device"  the others' time on the GPU by ours, the best of the others: aim or more
##   "call"    the same of whole calls
##   "us"      microseconds of a whole call: aim or less
## The others may be "ceiling": then it is the fraction of what can be read and
## written.  0.98 for "not slower": 2 % are noise.

function targets = gpu_targets ()

  all = Inf;
  floats = "^(double|single)$";
  libraries = {"PyTorch", "CuPy"};
  targets = {
    "1 GiB and more, double",          "device", "reduce", ".", "^double$", 2^27, all, "engine", {"ceiling"}, 0.97
    "1 GiB and more, single, int32",   "device", "reduce", ".", "^(single|int32)$", 2^28, all, "engine", {"ceiling"}, 0.97
    "1 GiB and more, uint8",           "device", "reduce", ".", "^uint8$", 2^30, all, "engine", {"ceiling"}, 0.95
    "8Ki to 256Ki elements, by CUB",   "device", "short", ".", ".", 2^13, 2^18, "engine", {"CUB"}, 1.25
    "512Ki to 2Mi elements, by CUB",   "device", "short", ".", ".", 2^19, 2^21, "engine", {"CUB"}, 1.15
    "4Mi elements, by CUB",            "device", "short", ".", ".", 2^22, 2^22, "engine", {"CUB"}, 1.25
    "8Ki to 4Mi by CUB, whole calls",   "call", "short", ".", ".", 2^13, 2^22, "engine", {"CUB"}, 1.25
    "nowhere slower than CUB, 16Mi up", "device", "reduce", ".", ".", 2^23, all, "engine", {"CUB"}, 0.98
    "the same, whole calls, any size",  "call", "(reduce|short)", ".", ".", 0, all, "engine", {"CUB"}, 0.98
    "argmax, uint8, 256Mi, by CUB",    "device", "reduce", "^argmax$", "^uint8$", 2^28, 2^28, "engine", {"CUB"}, 2.3
    "sum and max over dims",           "device", "dims", ".", ".", 0, all, "engine", {"ceiling"}, 0.85
    "dims, by PyTorch and CuPy",       "device", "dims", ".", ".", 0, all, "engine", libraries, 0.98
    "var, std, stats, 1 GiB",          "device", "stats", ".", ".", 0, all, "engine", {"ceiling"}, 0.9
    "256 bins, random, by CUB",        "device", "histogram", "random", "^uint8$", 0, all, "engine", {"CUB"}, 2.2
    "256 bins, constant, by CUB",      "device", "histogram", "constant", "^uint8$", 0, all, "engine", {"CUB"}, 1.2
    "10 to 32768 bins",                "device", "histogram", "^(10|256|4096|32768) bins$", floats, 0, all, "engine", {"ceiling"}, 0.9
    "65536 bins, by CUB",              "device", "histogram", "^65536 bins$", floats, 0, all, "engine", {"CUB"}, 10
    "257 arbitrary edges",             "device", "histogram", "^257 edges$", floats, 0, all, "engine", {"ceiling"}, 0.6
    "sum of 1Ki resident, us, C",      "us", "latency", "^sum$", ".", 1024, 1024, "engine", {}, 9
    "sum of 1Ki resident, us, Octave", "us", "latency", "^sum$", ".", 1024, 1024, "Octave gpuArray", {}, 30
    "host, \"gpu\", by the pinned copy",   "call", "host", "^sum$", ".", 0, all, "Octave gpu", {"pinned copy"}, 0.9
    "host, \"auto\", by cores and bus",    "call", "host", "^sum$", ".", 0, all, "Octave auto", {"Octave cpu", "pinned copy"}, 0.9
    "host, \"auto\", by the built-in",     "call", "host", "^sum$", ".", 0, all, "Octave auto", {"built-in"}, 15
    "host, 4 threads, by either alone", "call", "host", "^sum$", ".", 0, all, "Octave auto 4 threads", ...
                                        {"Octave cpu 4 threads", "Octave gpu 4 threads"}, 1.2
  };

endfunction
