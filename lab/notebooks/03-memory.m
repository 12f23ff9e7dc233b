%% Memory: banks and sectors
%
% Two things about memory decide most of the ladder. *Shared* memory has 32 banks of 4 bytes, side by side: lanes of a warp that want
% different words of one bank have to wait for each other. *Global* memory comes in sectors of 32 bytes: whoever wants 4 of them
% gets all.

pkg load gpureduce
warning ("off", "Octave:gnuplot-graphics");       # what draws where there is no display

%% Bank conflicts
%
% In `shared_strided` thread *t* works at place 2 *s t*. For s = 1 lanes 0 and 16 meet in one bank, since 2 x 16 = 32: each
% access takes two passes. **Predict** the passes for s = 2, 4, 8, in blocks of 256 threads.

t = gpu_trace ("shared_strided", 256, 256);
steps = t.launches(1).steps(2:7);
printf ("step %d: at most %d passes for an access, %d more than with none\n", [[steps.step]; [steps.worst_way]; [steps.bank_conflicts]]);

%%
%
% By hand, for s = 1: 128 threads work, in 4 warps. Each makes three accesses (two reads, one write), and each of them takes two passes
% instead of one: 4 x 3 x 1 = 12 more. Later fewer lanes work, and they meet in fewer banks.

s = 2 .^ (0:5);
lanes = min (32, 128 ./ s);                        # of a warp that works
banks = max (1, 32 ./ (2 * s));                    # that they use
passes = lanes ./ banks
isequal (passes, [steps.worst_way])

%%
%
% `sequential` puts working threads side by side. It has none.

[gpu_trace("sequential", 256, 256).launches(1).steps.bank_conflicts]

%% Sectors
%
% `stride.cu` is a kernel of our own, as a book would print it: its lanes read every element once, but neighbours are STRIDE elements
% apart.

type stride.cu

%%
%
% **Predict:** 1024 floats are 4096 bytes, or 128 sectors, if each comes once. How many do the warps ask for if neighbours are 2, 4, 8 or
% 16 apart?

strides = [1 2 4 8 16];
fetched = [];
for stride = strides
  text = strrep (fileread ("stride.cu"), "#define STRIDE 1", sprintf ("#define STRIDE %d", stride));
  file = fullfile (tempdir (), sprintf ("stride-%d-%d.cu", stride, getpid ()));
  fid = fopen (file, "w");
  fputs (fid, text);
  fclose (fid);
  gpu_variant_add (file);
  unlink (file);
  steps = gpu_trace ("with_stride", 1024, 256, "class", "single").launches(1).steps;
  first = steps([steps.step] == 0);
  fetched(end+1) = sum ([first.sectors]);
  printf ("stride %2d: %4d sectors, needed %d\n", stride, fetched(end), sum ([first.sectors_needed]));
endfor
semilogx (strides, fetched, "-o");
set (gca (), "xtick", strides, "xticklabel", strides);
xlabel ("elements from lane to lane");
ylabel ("sectors of 32 bytes");
ylim ([0, 1100]);

%%
%
% From 8 elements on each lane has a sector of its own, and uses 4 of its 32 bytes. A GPU that is limited by its memory then runs at an
% eighth of its rate.

%% Where the ladder meets sectors
%
% `neighbored` adds up in global memory: it reads and writes there in every step.

gpu_bench ("variants", {"neighbored", "interleaved", "sequential"}, "n", 4096)

%%
%
% **Your turn.** Add a word to each row of 32: at place `t + t / 32` of shared memory, which conflicts of `shared_strided` remain?
