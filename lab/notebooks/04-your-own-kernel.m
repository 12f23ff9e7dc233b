%% A kernel of your own
%
% `gpu_variant_add` compiles a file with a kernel, and from then on its name stands beside the package's. This notebook finds the mistake in one,
% mends it, makes it faster, and shows at each step what the simulator says.

pkg load gpureduce

%% As a book prints it
%
% The kernel takes a pointer to the elements, one to the blocks' results and the length. The line after it,
% `PLAIN_REDUCE (name, type)`, is all that the package needs.

type sum_of_block.cu

%%
%
% **Before you run it:** read the kernel. What is missing?

gpu_variant_add ("sum_of_block.cu");
try
  gpu_reduce (single (1:1000), "sum", "variant", "sum_of_block", "device", "sim")
catch err
  disp (err.message)
end_try_catch

%% Mended
%
% The message names two threads, two lines and the likely cause. You would now edit the file and add it again; a notebook does it by `strrep`.

function add_text (text)
  file = fullfile (tempdir (), sprintf ("sum_of_block-%d.cu", getpid ()));
  fid = fopen (file, "w");
  fputs (fid, text);
  fclose (fid);
  gpu_variant_add (file);
  unlink (file);
endfunction

mended = strrep (fileread ("sum_of_block.cu"), "in[i] : 0;", "in[i] : 0;\n  __syncthreads ();");
add_text (mended)
gpu_reduce (single (1:1000), "sum", "variant", "sum_of_block", "device", "sim")

%% Is it right for every length?
%
% One length proves little. Blocks that are not full, one element, one more than a block: these are where kernels go wrong.

for n = [1, 31, 32, 33, 255, 256, 257, 1000, 4097]
  x = single (mod (7 * (1:n), 13));
  y = gpu_reduce (x, "sum", "variant", "sum_of_block", "device", "sim");
  printf ("%5d elements: %6g, %s\n", n, y, {"wrong", "right"}{1 + (y == sum (x))});
endfor

%% What it costs
%
% **Predict:** which of these two of the package's kernels has the same counts? (All but *issued*: its threads all come to its end, where
% here only thread 0 has something to do.)

gpu_bench ("variants", {"sum_of_block", "sequential", "first_add"}, "n", 4096, "class", "single")

%% Faster
%
% Let each thread load two elements, one block's length apart. Then a block covers twice as many, which the descriptor has to say.

faster = strrep (mended, "blockIdx.x * blockDim.x + t;", "blockIdx.x * 2 * blockDim.x + t;");
faster = strrep (faster, "s[t] = i < n ? in[i] : 0;", "s[t] = (i < n ? in[i] : 0) + (i + blockDim.x < n ? in[i + blockDim.x] : 0);");
faster = strrep (faster, "PLAIN_REDUCE (sum_of_block, float)", "PLAIN_REDUCE (sum_of_block, float, v.name = \"two_each\", v.per_thread = 2)");
add_text (faster)
gpu_reduce (single (1:1000), "sum", "variant", "two_each", "device", "sim")
gpu_bench ("variants", {"sum_of_block", "two_each"}, "n", 4096, "class", "single")

%%
%
% **Your turn.** `gpu_variant_add ("template", pwd ())` writes a file to start from, for sums, maxima and products of all classes.
