## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{c} =} gpu_comm ()
## Join the processes (ranks) of a job, so that calls with "comm" reduce one array of which each has a piece.
##
## @verbatim
##   mpirun -n 4 octave-cli script.m         # or srun --mpi=pmix -n 4 octave-cli script.m
## @end verbatim
##
## @noindent
## with this @file{script.m}:
##
## @verbatim
##   pkg load gpureduce
##   c = gpu_comm ();
##   x = rand (3, 1e6);                      # this rank's columns of a matrix of 3 rows
##   m = gpu_mean (x, 2, "comm", c);         # of all columns, on each rank
## @end verbatim
##
## @var{c} is a structure with the fields @code{rank}, the number of this process from 0, @code{size}, how many there are, and
## @code{local_rank}, its number among those of its node.  All ranks of the job must call @code{gpu_comm}.  In a process that
## no launcher has started @code{size} is 1.
##
## @example
## @group
## c = gpu_comm ();
## gpu_sum ([1 2 3; 4 5 6], 2, "comm", c)'
##     @result{}    6   15
## @end group
## @end example
##
## @strong{Functions.}  These take "comm", @var{c} as their last arguments: @code{gpu_sum}, @code{gpu_prod}, @code{gpu_sumsq},
## @code{gpu_mean}, @code{gpu_max}, @code{gpu_min}, @code{gpu_argmax}, @code{gpu_argmin}, @code{gpu_any}, @code{gpu_all}, @code{gpu_var},
## @code{gpu_std}, @code{gpu_rms}, @code{gpu_range}, @code{gpu_bounds}, @code{gpu_nnz}, @code{gpu_norm}, @code{gpu_dot},
## @code{gpu_stats}; @code{gpu_histc}, @code{gpu_hist}, @code{gpu_histcounts}, @code{gpu_histcounts2}; @code{gpu_cumsum},
## @code{gpu_cumprod}, @code{gpu_cummax}, @code{gpu_cummin}; @code{gpu_median}, @code{gpu_mode}, @code{gpu_quantile}, @code{gpu_prctile},
## @code{gpu_iqr}, @code{gpu_mad}, @code{gpu_maxk}, @code{gpu_mink}; @code{gpu_accumarray}; @code{gpu_logsumexp}, @code{gpu_softmax}, @code{gpu_normalize},
## @code{gpu_cov}, @code{gpu_corr}, @code{gpu_mapreduce}; and @code{gpu_reduce} with the operators among these and "histogram".  Others, and variants,
## are the error @code{gpureduce:unsupported} yet.
##
## @strong{GPUs.}  A piece may be a gpuArray: reductions, histograms, cumulative functions, medians and quantiles then read it where it lies, on as many GPUs
## as there are ranks, and send what few numbers they make of it; what makes up results of half a million columns or more goes from GPU to GPU by NCCL, where that is installed.  For modes and @code{gpu_accumarray}, medians and quantiles of fewer than 131072
## elements, exact sums of many columns of fewer than 2048, products that leave the range, weights with "omitnan", and covariances of matrices divided along their columns it is copied to the host.  Results that are arrays are gpuArrays again.
## @code{gpu_config ("device", "local")} gives each rank of a machine a GPU of its own.  Pieces in the host's memory are reduced by its CPUs.
##
## @verbatim
##   c = gpu_comm ();
##   gpu_config ("device", "local");         # or GPUREDUCE_DEVICE=local
##   x = rand (1, 1e9, "gpuArray");          # this rank's elements, on its GPU
##   s = gpu_sum (x, "comm", c);             # of those of all ranks
## @end verbatim
##
## Some calls of these are that error, too: over the divided dimension @code{gpu_mode} of more than 2^24 elements, or with the list of all
## modes; @code{gpu_accumarray} of products, of sums and means that are not exact in any order (@var{vals} must be whole numbers whose sizes add up to at
## most 2^52, of singles 2^23), of a cell of subscripts, and with what goes to the built-in; weights that differ between ranks, of an array without elements; and @code{gpu_cov} of
## two matrices that are no vectors since Octave 9.  @code{gpu_hist} draws nothing with "comm".
##
## @strong{Pieces.}  @var{x} is this rank's piece of one array that is divided along its last dimension: the last of the rank with the most
## dimensions, or along any dimension @var{dim} with "divided", @var{dim}.  Column vectors that follow one another, and matrices that lie below each other, take "divided", 1,
## and matrices of which each rank has one as a page "divided", 3.  Of @code{gpu_accumarray} each rank has rows of @var{subs} and their
## @var{vals}, or one of these for all.
## A piece may have any length along it, also 0, or be @code{[]}, which has the class of the others' pieces; class and other sizes are the same on all ranks.
## A piece may be real where others are complex.
##
## Weights of @code{gpu_var} and @code{gpu_std} along the divided dimension are divided, too: @var{w} has the weights of this rank's piece, which may
## be none, or one.  A single number that is the same on all ranks is @var{w} as ever, and weights along another dimension are the same on all.  @code{gpu_mapreduce} calls @var{f} with this
## rank's arrays, and what it returns is the piece, so also of no elements @var{f} has to return an array.  Where it fails on some rank, its message is that of all,
## with the identifier @code{gpureduce:invalid-input}.
##
## Of @code{gpu_cov} and @code{gpu_corr} rows are observations: @var{x}, or @var{x} and @var{y}, divided along their rows take "divided", 1.  Divided along their columns, each
## element is first sent to the rank that has its row from then on.  A row vector that counts as a column is divided as it is.  A second array that is 0 on all ranks, or 1, is @var{opt}.
##
## With an earlier dimension than the last mostly no more is sent.  A reduction over that one and a later one (as over "all") first sends each element to another rank, once,
## and cumulative functions over it take the indices of later dimensions one after the other.  Three calls are the error @code{gpureduce:unsupported}: @code{gpu_cumsum} and @code{gpu_cumprod} along a later dimension
## of more than 256 elements, and @code{gpu_hist} of pages that are divided along their columns.  There, permute @var{x} so that the divided dimension is
## the last.  Pieces on GPUs are copied to the host for reductions along a later dimension.
##
## @strong{Results} have the bits of one process that reduces the whole array on its CPU, however it is divided, also indices, which count in
## the whole array.  Those of @code{gpu_cov} and @code{gpu_corr} have the same bits on any number of ranks, also one, but others than without "comm", by rounding: there
## one matrix product multiplies the columns, here each is multiplied with all others by @code{gpu_dot}, and so read as often.  Over the divided dimension each rank has the results, or with "result", @var{rank} that one alone,
## and the others @code{[]}.  Over other dimensions no element is sent, and each rank has the results of its piece, so that they are divided as @var{x} is.  So are the results of cumulative functions, @code{gpu_softmax} and @code{gpu_normalize} (its first), and the bins of elements (the
## second result of @code{gpu_histc}) along any dimension.  Of an array without
## any elements this is so, too, but @code{gpu_hist}, @code{gpu_quantile}, @code{gpu_prctile}, @code{gpu_maxk}, @code{gpu_mink} and the counts of
## @code{gpu_histc} are the whole result on each rank; and so is the built-in's answer of an array with a single index along the divided dimension.
##
## A file, or what a function brings (@code{gpu_reduce}), is a whole array that the ranks divide among themselves; "result" means the same there.
##
## What is left to the built-in (@code{gpu_options}), and a result that only elements in order can settle, such as a sum that overflows on its way,
## brings the array, or that column, together on each rank; an array of more than 1 GiB that would be the built-in's is
## an error.
##
## @strong{Errors} are the same on all ranks, and say which rank differs in what: another function, class, size or option
## (@code{gpureduce:invalid-input}).  The next call works.  Where a rank ends, is interrupted or runs out of memory within a call, or
## does not come for as long as @code{gpu_config ("comm_timeout")} says, all others get the error @code{gpureduce:comm-failed}, and so does
## each later call: the job is to be ended.  Several processes of which gpureduce knows by the launcher's variables, but which
## it cannot join since it was built without MPI's compiler @command{mpicc}, are the error @code{gpureduce:unsupported}.
##
## MPI that another package has begun, such as Octave's package mpi, is used, and left to that one to end.  Where @code{gpu_comm} comes first, do not call
## its @code{MPI_Init} again (@code{MPI_Initialized ()} is true).  The other package must be of the same MPI: two in one process are an error.  Each rank computes with as many threads as it may use: where several are
## on one node, @env{OMP_NUM_THREADS} should be set.
##
## Sources: the launchers' variables are those that the manuals of Open MPI, MPICH and Slurm name.
## @seealso{gpu_config, gpu_options, gpu_sum, gpu_reduce}
## @end deftypefn

function c = gpu_comm ()
  c = __gpureduce__ ("comm");
endfunction

%!test                                  # without a launcher it is a world of one
%! if (isempty (getenv ("OMPI_COMM_WORLD_SIZE")) && isempty (getenv ("SLURM_STEP_ID")))
%!   assert (gpu_comm (), struct ("rank", 0, "size", 1, "local_rank", 0));
%! endif
%!test                                  # comm_of_one_rank_changes_no_bit
%! c = gpu_comm ();
%! x = randn (7, 4000);
%! for f = {@gpu_sum, @gpu_prod, @gpu_mean, @gpu_sumsq, @gpu_rms, @gpu_any, @gpu_all, @gpu_range, @gpu_stats}
%!   for dim = {1, 2}
%!     assert (f{1} (x, dim{1}, "comm", c), f{1} (x, dim{1}, "device", "cpu"));
%!   endfor
%! endfor
%! for f = {@gpu_var, @gpu_std, @gpu_max, @gpu_argmin}
%!   assert (f{1} (x, [], 2, "comm", c), f{1} (x, [], 2, "device", "cpu"));
%! endfor
%! assert (gpu_sum (x, 1, "comm", c, "divided", 1), gpu_sum (x, 1, "device", "cpu"));
%! assert (gpu_std (x, [], 2, "comm", c, "divided", 1), gpu_std (x, [], 2, "device", "cpu"));
%! assert (gpu_norm (x, "fro", "comm", c, "divided", 1), gpu_norm (x, "fro", "device", "cpu"));
%! assert (gpu_dot (x, x, 2, "comm", c), gpu_dot (x, x, 2, "device", "cpu"));
%! assert (gpu_norm (x, 1, "comm", c), gpu_norm (x, 1, "device", "cpu"));
%! assert (gpu_reduce (x, "sum", "dim", "all", "comm", c), gpu_reduce (x, "sum", "dim", "all", "device", "cpu"));
%!error <comm must be what gpu_comm \(\) returned> gpu_comm (); gpu_sum (1:3, "comm", 1)
%!test                                  # comm_of_one_rank_changes_no_bit_elsewhere
%! c = gpu_comm ();
%! x = randn (7, 4000);
%! for f = {@gpu_cumsum, @gpu_cumprod, @gpu_cummax, @gpu_median, @gpu_mode, @gpu_iqr}
%!   for dim = {1, 2}
%!     assert (f{1} (x, dim{1}, "comm", c), f{1} (x, dim{1}, "device", "cpu"));
%!   endfor
%! endfor
%! assert (gpu_quantile (x, [0.1 0.9], 2, "comm", c), gpu_quantile (x, [0.1 0.9], 2, "device", "cpu"));
%! assert (gpu_maxk (x, 3, 2, "comm", c), gpu_maxk (x, 3, 2, "device", "cpu"));
%! assert (gpu_histcounts (x, "comm", c), gpu_histcounts (x, "device", "cpu"));
%! assert (gpu_sum (x, 2, "exact", "comm", c), gpu_sum (x, 2, "exact", "device", "cpu"));
%! assert (gpu_accumarray ([1 2; 2 1; 1 2], [5; 6; 7], "comm", c), [0 12; 6 0]);
%!test                                  # functions that m-code makes of several, weights
%! c = gpu_comm ();
%! x = rand (6, 50);
%! for dim = {1, 2, "all"}
%!   assert (gpu_logsumexp (x, dim{1}, "comm", c), gpu_logsumexp (x, dim{1}, "device", "cpu"));
%!   assert (gpu_softmax (x, dim{1}, "comm", c), gpu_softmax (x, dim{1}, "device", "cpu"));
%! endfor
%! assert (gpu_normalize (x, 2, "zscore", "robust", "comm", c), gpu_normalize (x, 2, "zscore", "robust", "device", "cpu"));
%! assert (gpu_var (x, 1:50, 2, "comm", c), gpu_var (x, 1:50, 2, "device", "cpu"));
%! assert (gpu_std (x, 1:6, 1, "comm", c, "divided", 1), gpu_std (x, 1:6, 1, "device", "cpu"));
%! assert (gpu_reduce (x, "histogram", 7, "comm", c), gpu_reduce (x, "histogram", 7, "device", "cpu"));
%! assert (gpu_mapreduce (@(y) 2 * y, "sum", x, "dim", 2, "comm", c), gpu_mapreduce (@(y) 2 * y, "sum", x, "dim", 2, "device", "cpu"));
%!test                                  # covariances_of_ranks_are_dot_products_of_columns
%! c = gpu_comm ();
%! x = rand (40, 3);
%! from = x - gpu_mean (x, 1, "device", "cpu");
%! want = cell2mat (arrayfun (@(k) gpu_dot (from(:,[k k k]), from, 1, "device", "cpu"), (1:3)', "UniformOutput", false));
%! for divided = {{}, {"divided", 1}}
%!   assert (gpu_cov (x, "comm", c, divided{1}{:}), want / 39);
%!   assert (gpu_corr (x, "comm", c, divided{1}{:}), want ./ sqrt (diag (want)) ./ sqrt (diag (want))', 4 * eps);
%!   assert (gpu_cov (x, 1, "comm", c, divided{1}{:}), cov (x, 1), 1e-14);
%! endfor
%! x(3,1) = NaN;
%! for flag = {"includenan", "omitrows", "partialrows"}
%!   assert (gpu_cov (x, flag{1}, "comm", c), gpu_cov (x, flag{1}, "device", "cpu"), 1e-14);
%! endfor
%! assert (gpu_corr (x(:,2), x(:,3), "comm", c), corr (x(:,2), x(:,3)), 1e-14);
%!error id=gpureduce:unsupported gpu_map (@sqrt, 1:3, "comm", gpu_comm ())
%!error <result must be "all" or a rank from 0 to 0> gpu_sum (1:3, "comm", gpu_comm (), "result", 1)
%!error <called with too many inputs> gpu_comm (1)
