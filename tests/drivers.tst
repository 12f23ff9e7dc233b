## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Drivers that cannot be used, played by small libraries in libcuda's place.

%!function [status, said] = with_driver (version, init, code)
%!  folder = tempname ();
%!  mkdir (folder);
%!  unwind_protect
%!    f = fopen (fullfile (folder, "fake.c"), "w");
%!    fprintf (f, "int cuDriverGetVersion (int *v) { *v = %d; return 0; }\n", version);
%!    fprintf (f, "int cuInit (unsigned flags) { (void) flags; return %d; }\n", init);
%!    fprintf (f, "int cuGetExportTable (const void **t, const void *id) { (void) id; *t = 0; return 500; }\n");
%!    fclose (f);
%!    assert (system (sprintf ("cc -shared -fPIC -o %s/libcuda.so.1 %s/fake.c", folder, folder)), 0);
%!    ## The module's folder comes first: beside the m-files is one of its name that says there is none.
%!    places = unique ({fileparts(which ("__gpureduce__")), fileparts(which ("gpu_sum"))}, "stable");
%!    [status, said] = system (sprintf ("GPUREDUCE_DEVICE= LD_LIBRARY_PATH=%s:$LD_LIBRARY_PATH timeout 60 octave-cli --norc --quiet --no-history --eval '%s %s' 2>&1",
%!                                      folder, sprintf ("addpath (\"%s\"); ", places{end:-1:1}), code));
%!  unwind_protect_cleanup
%!    confirm_recursive_rmdir (false, "local");
%!    rmdir (folder, "s");
%!  end_unwind_protect
%!endfunction

%!testif ; __gpureduce__("diagnose").cuda_module   # a_driver_older_than_the_runtime_falls_back_and_says_what_to_do
%! [status, said] = with_driver (11000, 0, "disp (gpu_sum (1:10))");
%! assert (status, 0);
%! assert (! isempty (strfind (said, "55")), true);
%! assert (! isempty (regexp (said, "driver.*CUDA 11\\.0", "once")), true);
%!testif ; __gpureduce__("diagnose").cuda_module   # a_gpu_asked_for_with_an_old_driver_is_an_error
%! [status, said] = with_driver (11000, 0, "try, gpu_sum (1:10, \"device\", \"gpu\"), catch e, disp (e.identifier), end");
%! assert (strfind (said, "gpureduce:no-device") > 0, true);
%!testif ; __gpureduce__("diagnose").cuda_module   # a_driver_without_a_device_is_no_gpu
%! [status, said] = with_driver (13000, 100, "disp (gpuDeviceCount ()), disp (canUseGPU ()), disp (gpu_max ([3 9 4]))");
%! assert (status, 0);
%! assert (regexp (said, "0\\s+0\\s") > 0, true);
%! assert (! isempty (strfind (said, "9")), true);
