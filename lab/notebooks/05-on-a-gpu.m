%% On a GPU
%
% The same files run on a GPU where there is one, with NVIDIA's `nvcc` to compile them. Without a GPU this notebook runs too, and shows what the
% simulator counts instead of times.

pkg load gpureduce
warning ("off", "Octave:gnuplot-graphics");       # what draws where there is no display
gpu = gpuDeviceCount () > 0;
if (gpu)
  printf ("This is measured on: %s\n", gpuDevice ().Name);
else
  disp ("There is no GPU here: counts are shown instead of times.")
endif

%% The ladder, timed
%
% The variants of NVIDIA's slides (Harris, *Optimizing Parallel Reduction in CUDA*), each checked before it is timed. **Predict:** between which two
% is the greatest step?

gpu_bench ("harris")

%% Do the counts explain the times?
%
% A reduction reads every element once and computes next to nothing: once no warp waits for another, the memory's rate decides.

if (gpu)
  r = gpu_bench ("variants", {"shared_modulo", "sequential", "grid_stride", "vectorized"}, "n", 2^26, "class", "single");
  bar ([r.percent]);
  set (gca (), "xticklabel", {r.variant});
  ylabel ("% of the rate at which memory can be read");
else
  r = gpu_bench ("variants", {"shared_modulo", "sequential", "grid_stride", "vectorized"}, "n", 2^16, "class", "single");
  bar ([r.issued]);
  set (gca (), "xticklabel", {r.variant});
  ylabel ("warps that took time for a step");
endif

%% What the package does
%
% `gpu_sum` and the other functions run a kernel of their own, with the same tree on CPU and GPU, so that results are the same to the last bit.

x = rand (1, 1e6);
y = gpu_sum (x);
printf ("%.17g on the %s\n", y, merge (gpu, "GPU", "CPU"));
y == gpu_sum (x, "device", "cpu")
