%% First steps: a sum by a thousand threads
%
% A *reduction* makes one number of many: a sum, a maximum, a mean. On a GPU thousands of threads share the work, and
% what they cost is decided by how they share it. This notebook needs no GPU: kernels run in a simulator, which takes
% the same source as NVIDIA's compiler, watches every access to memory and counts what it costs.
%
% Run the cells one after the other, and say what you expect before each.

pkg load gpureduce
warning ("off", "Octave:gnuplot-graphics");       # what draws where there is no display
gpu_doctor ("lab")

%% The ladder
%
% The package has a kernel for each step on the road from one thread to the limit of the memory.

v = gpu_variants ();
for k = 1:12
  printf ("%-18s %s\n", v(k).name, v(k).idea);
endfor

%%
%
% Each is a file that one reads in a page. This is one of them, less the comment at its head.

source = gpu_variants ("sequential", "source");
disp (source(index (source, "template"):end))

%% One run
%
% It gives the same sum as the built-in function, of any length.

x = 1:1000;
gpu_reduce (x, "sum", "variant", "sequential", "device", "sim")
sum (x)

%% Step by step
%
% A *step* lies between two barriers, `__syncthreads ()`. One row is a step; one character is a thread, and a line
% is a *warp*, 32 threads that go through the code together: `#` works, `.` runs along without working, blank is idle.
%
% **Before you run it:** 64 threads load 64 numbers. How many of them work in each of the steps after that?

gpu_trace ("sequential", 64, 64)

%%
%
% The same as numbers: half of the threads, then a quarter, an eighth ...

t = gpu_trace ("sequential", 64, 64);
[t.launches(1).steps.active_percent]

%% As a picture
%
% Threads from left to right, steps from top to bottom. (Without gnuplot there is none.)

if (system ("gnuplot --version > /dev/null 2>&1") == 0)
  t = gpu_trace ("sequential", 64, 64, "png", "sequential.png");
  picture = imread ("sequential.png");
  figure ("position", [1, 1, columns(picture), rows(picture)]);
  imshow (picture)
endif

%% As a page
%
% A page animates how the values move: the space key plays, the arrow keys step.

t = gpu_trace ("sequential", 64, 64, "html", "sequential.html");
disp ("The page is sequential.html, in this folder.")

%%

%html <iframe src="sequential.html" width="100%" height="700"></iframe>

%% What a mistake looks like
%
% Some kernels of the package are wrong on purpose. The simulator stops at the first fault and says where it is.

try
  gpu_reduce (x, "sum", "variant", "bug_off_by_one", "device", "sim")
catch err
  disp (err.message)
end_try_catch

%%
%
% **Your turn.** `gpu_variants ("bug_off_by_one", "source")` prints that kernel. What is to be changed in its line 23?
