## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Clearing, unloading and leaving while arrays are resident: Octave lives on.

%!function check (code, pattern)
%!  [status, said] = in_octave (["warning ('off', 'gpureduce:cpu-fallback'); g = gpuArray (1:5); " code]);
%!  assert (status == 0, "%s", said);
%!  if (isempty (regexp (said, pattern, "once")))
%!    error ("said '%s', expected '%s'", said, pattern);
%!  endif
%!  if (! isempty (regexp (said, 'error|panic|signal', "once")))
%!    error ("said '%s'", said);
%!  endif
%!endfunction

%!test check ("clear all; g = gpuArray (1:5); disp (sum (g))", '^15\n')                     # clear_all
%!test check ("clear all; disp (__gpureduce__ ('diagnose').handles)", '^0\n')              # clear_all_frees
%!test check ("clear functions; disp (gpu_sum (g)); disp (gather (g))", '^15\n')               # clear_functions
%!test check ("clear functions; gather (g); disp (sum (g)); disp (numel (g)); disp (size (g))", '^15\n5\n +1 +5\n')  # clear_functions_then_methods
%!test check ("clear functions; disp (size (gpu_histc (g, 1:3)))", '^ +1 +3\n')           # clear_functions_then_shapes
%!test check ("clear functions; disp ([existsOnGPU(g), gpu_sum(g)])", '^ +1 +15\n')       # clear_functions_then_queries
%!test check ("clear functions; disp (underlyingType (g))", '^double\n')                   # clear_functions_then_class
%!test check ("clear functions; disp (g(2))", '^2\n')  # clear_functions_then_indexing
%!test check ("clear functions; clear g; disp (__gpureduce__ ('diagnose').handles)", '^0\n')  # clear_functions_frees
%!test check ("pkg unload gpureduce; clear functions; clear g; disp (9)", '^9\n')          # unload_clear_functions
%!test check ("clear -f; clear -classes; g = gpuArray (1:6); disp (gpu_sum (g))", '^21\n') # clear_classes
%!test check ("clear __gpureduce__; disp (gpu_sum (g))", '^15\n')                          # clear_the_module
%!test check ("pkg unload gpureduce; clear g; disp (5)", '5\n')                            # unload
%!test check ("pkg unload gpureduce; clear all; pkg load gpureduce; disp (gpu_sum (gpuArray (1:6)))", '21\n')  # unload_load
%!test check ("pkg unload gpureduce; pkg load gpureduce; disp (gpu_sum (g))", '15\n')      # survives_reloading
%!test check ("h = gpu_max (gpuArray (magic (4))); disp (7)", '^7\n')                      # leave_with_live_arrays
%!test check ("h = {g, gpuArray(2)}; disp (8); exit (0)", '^8\n$')                        # exit_with_live_arrays
