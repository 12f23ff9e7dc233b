## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Every public function with values that no one means where an option, a dimension or the data
## stand: it answers, or it says so in its own name, never in words of Octave's internals.

## print_usage asks makeinfo, which takes a second.
%!function [text, status] = __makeinfo__ (varargin)
%!  text = "";
%!  status = 0;
%!endfunction

%!function err = attempt (name, args)
%!  err = struct ("message", "", "identifier", "");
%!  try
%!    evalc ("feval (name, args{:});");
%!  catch err
%!  end_try_catch
%!endfunction

## What is wrong with the error of a call, or "".
%!function wrong = complaint (name, args)
%!  wrong = "";
%!  err = attempt (name, args);
%!  if (isempty (err.message))
%!    return;
%!  endif
%!  named = strncmp (err.message, [name ": "], numel (name) + 2);
%!  if (! isempty (regexp (err.message, 'charNDArray|strcmpi: |return list|^(\w+: )+not defined for', "once"))
%!      && isempty (regexp (err.message, ['^' name ': not defined for'], "once")))
%!    wrong = "internals";
%!  elseif (strcmp (err.identifier, "Octave:invalid-fun-call"))
%!    if (! (named || strncmp (err.message, ["Invalid call to " name], 16 + numel (name))))
%!      wrong = "usage";
%!    endif
%!  elseif (! named)
%!    wrong = "not in its name";
%!  elseif (! strncmp (err.identifier, "gpureduce:", 10))
%!    theirs = regexprep (regexprep (name, '^gpu_', ""), '^arg', "");
%!    args(cellfun (@(a) ischar (a) && strcmp (a(:)', "exact"), args)) = [];
%!    if (strcmp (theirs, "reduce"))
%!      theirs = "sum";
%!      args(2:end) = [];
%!    endif
%!    text = regexprep (attempt (theirs, args).message, '^(\w+: )*', "");
%!    own = {"gpu_histc: DIM must be", "gpu_histc: EDGES must be", "gpu_histc: X argument must be", "gpu_median: X ", "gpu_hist: ", "gpu_mode: X ", ...
%!           "gpu_range: wrong type argument ", "gpu_argmax: two output arguments ", "gpu_argmin: two output arguments "};
%!    if (! any (cellfun (@(t) strncmp (err.message, t, numel (t)), own))
%!        && (isempty (text) || isempty (strfind (err.message, text))))
%!      wrong = "neither ours nor the built-in's";
%!    endif
%!  endif
%!  if (! isempty (wrong))
%!    wrong = sprintf ("%s: [%s] %s", wrong, err.identifier, err.message);
%!  endif
%!endfunction

%!test
%! x = magic (3);
%! calls = struct ( ...
%!   "gpu_sum", {{x, 1, "exact"}}, "gpu_prod", {{x, 1, "native"}}, "gpu_mean", {{x, 1, "native"}}, "gpu_cumsum", {{x, 1, "native"}}, ...
%!   "gpu_max", {{x, [], 1}}, "gpu_min", {{x, [], 1}}, "gpu_argmax", {{x, [], 1}}, "gpu_argmin", {{x, [], 1}}, ...
%!   "gpu_var", {{x, 0, 1}}, "gpu_std", {{x, 0, 1}}, "gpu_median", {{x, 1, "omitnan"}}, "gpu_bounds", {{x, 1, "omitnan"}}, ...
%!   "gpu_quantile", {{x, 0.5, 1, 5}}, "gpu_prctile", {{x, 50, 1}}, "gpu_iqr", {{x, 1}}, "gpu_mad", {{x, 1, 1}}, "gpu_maxk", {{x, 2, 1}}, ...
%!   "gpu_mink", {{x, 2, 1}}, "gpu_norm", {{x, 2, "rows"}}, "gpu_dot", {{x, x, 1, "exact"}}, "gpu_histc", {{x, [1 3 5], 1}}, "gpu_hist", {{x, 3, 2}}, ...
%!   "gpu_histcounts", {{x, 3, "Normalization", "pdf"}}, "gpu_histcounts2", {{x, x, 3, 3, "Normalization", "pdf"}}, ...
%!   "gpu_accumarray", {{[1;2;1], [1;2;3], [2 1], @sum, 0, false}}, "gpu_reduce", {{x, "sum", "dim", 1, "nanflag", "omitnan"}}, ...
%!   "gpu_softmax", {{x, 1}}, "gpu_logsumexp", {{x, 1}}, "gpu_normalize", {{x, 1, "center", "mean", "scale", "std"}}, "gpu_cov", {{x, x, 1, "omitrows"}}, ...
%!   "gpu_corr", {{x, x}}, "gpu_stats", {{x, 1}}, "gpu_nnz", {{x}}, "gpu_variants", {{"sequential"}}, "gpu_trace", {{"sequential", 64, 32, "html"}}, ...
%!   "gpu_compare", {{"sequential", "shared_strided", 64, 32, "html"}}, ...
%!   "gpu_variant_add", {{"template", "/no/such"}}, "gpuArray", {{1}}, "gather", {{1}}, "isgpuarray", {{1}}, "existsOnGPU", {{1}}, ...
%!   "underlyingType", {{1}}, "gpuDevice", {{1}}, "gpuDeviceCount", {{"all"}}, "gpuDeviceTable", {{}}, "canUseGPU", {{}}, ...
%!   "gputimeit", {{5, 1}}, "gpu_config", {{"device", "cpu"}}, "gpurng", {{5, "Philox"}}, "gpu_doctor", {{}});
%! run_only = {"gpu_bench", "gpu_selftest", "gpu_options"};        # what they take is a word, and then minutes
%! odd = {repmat("a", [2 2 2]), ["all"; "sum"], "", "foo", sparse(2), sparse([1 1]), 1+2i, complex(2, 0), @rand, {1}, {"all"}, cell(0), ...
%!        struct("a", 1), containers.Map(), [true false], int8(2), -1, 0, 1.5, NaN, Inf, 1e3, 1:3, ones(2, 2, 2), [], zeros(0, 3), ...
%!        zeros(2, 0, 3), 1:0};
%! folder = pkg ("list", "gpureduce"){1}.dir;
%! index = regexp (fileread (fullfile (folder, "packinfo", "INDEX")), '^ (\w+)$', "tokens", "lineanchors");
%! warning ("off", "all", "local");
%! set = gpu_config ("device");
%! wrong = {};
%! here = pwd ();
%! scratch = tempname ();         # gpu_trace writes to the file of any name
%! mkdir (scratch);
%! unwind_protect
%!   cd (scratch);
%!   for name = setdiff ([index{:}], run_only)
%!     gpu_config ("device", set);        # that gpu_config may have been given another
%!     base = {x, 1};
%!     if (isfield (calls, name{1}))
%!       base = calls.(name{1});
%!     endif
%!     for at = 1:numel (base) + 1
%!       for count = unique ([at, numel(base)])
%!         tried = 1:numel (odd);
%!         if (! strcmp (getenv ("CHECK_LONG"), "yes"))
%!           ## Each that the first two take runs kernels.
%!           tried = tried(randperm (end, merge (any (strcmp (name{1}, {"gpu_trace", "gpu_compare"})), 4, 10)));
%!         endif
%!         for k = tried
%!           args = base(1:min (count, numel (base)));
%!           args{at} = odd{k};
%!           said = complaint (name{1}, args);
%!           if (! isempty (said))
%!             wrong{end+1} = sprintf ("%s, argument %d of %d, odd value %d: %s", name{1}, at, numel (args), k, said);
%!           endif
%!         endfor
%!       endfor
%!     endfor
%!   endfor
%! unwind_protect_cleanup
%!   gpu_config ("device", set);
%!   cd (here);
%!   confirm_recursive_rmdir (false, "local");
%!   rmdir (scratch, "s");
%! end_unwind_protect
%! assert (isempty (wrong), "%s", strjoin (wrong, "\n"));

## The wrong argument is not blamed, and no result is made of what the built-in refuses.
%!test
%! for w = {1+2i, complex(0, 1), @sin, {1}, repmat("a", [2 2 2])}
%!   __gpr_same__ ("var", 1:3, w{1});
%!   __gpr_same__ ("std", 1:3, w{1});
%! endfor
%!test
%! for args = {{}, {1}, {2}}
%!   assert (gpu_stats ([], args{1}{:}).sum, sum ([], args{1}{:}));
%! endfor
%! assert (size (gpu_stats (zeros (0, 3)).sum), [1 3]);
