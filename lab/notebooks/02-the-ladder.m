%% The ladder: who works, and who waits
%
% Three kernels add up a block's numbers in shared memory by the same tree: pairs, then pairs of sums, and so on. They differ
% only in which thread takes which pair. This notebook looks at what that costs.

pkg load gpureduce
warning ("off", "Octave:gnuplot-graphics");       # what draws where there is no display

%% Which threads?
%
% `shared_modulo` lets thread *t* work where *t* is a multiple of the distance. **Before you run it:** half of the
% threads work in the first step. In how many of the four warps is there one?

gpu_trace ("shared_modulo", 128, 128, "steps", 8)

%%
%
% In all four, until the distance is greater than a warp. A warp takes its time for a step even if one of its lanes works: such a
% warp *diverges*. `sequential` lets the first threads work, so that whole warps have nothing to do, and leave the field to others.

gpu_trace ("sequential", 128, 128, "steps", 8)

%% The counts beside each other
%
% *issued* are warps that took time for a step, *skipped* those with nothing to do, *divergent* those in which some lanes went
% another way, *conflicts* accesses to shared memory that had to be repeated (the next notebook).

gpu_bench ("variants", {"shared_modulo", "shared_strided", "sequential"}, "n", 4096)

%% As a curve
%
% Active lanes are the same in all three. The share of warps that take time is not.

names = {"shared_modulo", "sequential"};
issued = [];
for k = 1:2
  steps = gpu_trace (names{k}, 256, 256).launches(1).steps;
  issued(:,k) = [steps(1:9).issued_percent];
endfor
plot (0:8, issued, "-o");
xlabel ("step");
ylabel ("warps that take time, %");
legend (names);

%% More work for each thread
%
% In the first step of `sequential` half of the threads already have nothing left to do. So let each thread add two numbers as it loads
% (`first_add`), or as many as it takes (`grid_stride`), and let the last 32 lanes pass values by shuffles, without
% shared memory and barriers (`warp_shuffle`, `full_shuffle`). **Predict:** which columns become smaller?

gpu_bench ("variants", {"sequential", "first_add", "unroll_last_warp", "warp_shuffle", "full_shuffle", "grid_stride"}, "n", 16384)

%%
%
% `gpu_bench ("divergence")` has the counts of every step, `gpu_variants (NAME)` what is better in a kernel, and what is still wrong.

v = gpu_variants ("first_add");
printf ("%s\nBetter: %s\nStill wrong: %s\n", v.idea, v.lesson, v.wrong);

%%
%
% **Your turn.** Take two kernels of the list in `gpu_variants ()` that stand beside each other. Predict which count
% changes, and look.
