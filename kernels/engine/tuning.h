/* What the algorithms of a reduction are tuned by: plain numbers, each with what it gained on one
   H200 (GB/s of double sums unless it says otherwise), for kernels and launches alike.
   Those in us are of one reduction, timed by programs that are not kept; `make bench-gpu' has such
   lines.  None of the numbers changes a bit of a result.  */

#ifndef GPR_TUNING_H
#define GPR_TUNING_H

enum {
  /* Bytes a thread has on their way in each of its two batches (BLOCK).  64: 4374 at
     1 GiB, 3920 for 16384 rows of 16384; 128: 4068, 3757.  Without the second batch 3959, 3316.  */
  GPR_BATCH_BYTES = 64,

  /* Steps of a batch at most: 8 of the variances 4143, 4 of them 3848; of gpu_stats 3632, 3228.  */
  GPR_BATCH_STEPS = 8,

  /* Blocks of a multiprocessor that registers are left for.  2: 4374 at 1 GiB; 3: 3646,
     since accumulators spill (gpu_stats with 4 steps: 3228, 2571).  Of elements
     of 1 and 2 bytes, and of places, 3: 4239 (max of uint8); 2: 3862.  */
  GPR_DENSE_BLOCKS = 2, GPR_DENSE_BLOCKS_STREAM = 3,

  /* Accumulators above so many bytes merge by a call: what is not a merge keeps its
     registers.  8388608 columns of 4, dimension 2: 4333; merged in place: 3808.  In BLOCK
     a warp of its own merges, not the block together: variances 4237, 3900.  */
  GPR_MERGE_CALL_BYTES = 16,

  /* Packs of a tile that go to one thread (STREAM): 2 4442, 8 4529 of 4513 by bare reads.
     Of elements of 1 and 2 bytes: sum of uint8 8 4358, 4 4280, 2 3703; maxima 4308, 4223, 3655.  */
  GPR_TILE_PACKS = 4, GPR_TILE_PACKS_SMALL = 8,

  /* Bytes of a row that warps take, at most (WARPS); of elements of 1 and 2 bytes.  66666 rows
     of 3000 singles 182 us, by a block each 454; 12000 of 8193 doubles 180, 198; 10000 of 12000 218, 220; 5000
     of 20000 singles 99.5, 107; but 4000 of 32768 130, 124.  200000 rows of 3000 uint8, max, 316, by STREAM 745;
     8000 of 65536 200, 122.  */
  GPR_WARP_BYTES = 3 << 15, GPR_WARP_BYTES_SMALL = 1 << 15,

  /* Rows a multiprocessor, at least (WARPS): of two warps each, as many threads as it has for
     these kernels.  1056 rows of 2050 doubles 12.7 us, by BLOCK 15.1; 132 of 8192 13.8, 10.7.  */
  GPR_WARP_ROWS = 8,

  /* Bytes of a row that a thread has on their way at once (WARPS): of 3000 singles 182 us,
     64 of them 207.  */
  GPR_ROWS_BYTES = 128,

  /* Tiles of a row, of elements of 4 bytes and more, from which on STREAM has it (of several): of
     10000 doubles 227 us, by BLOCK 202; of 100000 both 189.  Fewer where there are less rows than
     so many times the blocks that run at once, of which BLOCK leaves some idle at the end: max of 528
     rows of 10000 singles 15.6 us, by BLOCK 24.4; of 528 of 30000 23, 31; but of 1584 of 20000 44.4, 40.0.  */
  GPR_STREAM_TILES = 16, GPR_STREAM_TILES_FEW = 2, GPR_STREAM_ROWS = 4,

  /* Rows on their way at once (ROWS): 2 for 32 rows by 8388608 4029; 1, with the general algorithm of a
     group, 3714.  With so many blocks a multiprocessor and more, each has them at once: 12000 rows of
     1000 doubles 30.7 us, one at a time 36.3; of 300 16.7, 20.2; with 8 blocks 6000 of 300 14.3, 2 11.9.  */
  GPR_ROWS_AT_ONCE = 2, GPR_ROWS_BLOCKS = 2,

  /* Bytes that a thread has on their way, and outputs at most, those of less than 32 bytes
     (THREAD).  67108864 rows of 4 doubles 625 us, with half of it 657, one row at a time 672, twice 923 (spilled); of 4 singles, 8 outputs 343, 4 387, 2 482.
     50000000 rows of 3 doubles, element by element, 416; by the algorithm LANES 584.  */
  GPR_THREAD_BYTES = 256, GPR_THREAD_OUTPUTS = 8, GPR_THREAD_FEW = 4,

  /* Neighbouring parts that a block merges itself, as they come, of tiles that need no other
     merging (BLOCK): at most so many.  Dimension 2 of 16384 x 16384 482 us, of 1024 x 262144
     477; each part by itself 510 and 519 (`make bench-gpu').  8 of them 500 where 16 have 490.  Of single
     columns the memory likes parts in turn better: 1 GiB 246, in runs 251.  */
  GPR_RUN_LEVELS = 4, GPR_RUN_PARTS = 1 << GPR_RUN_LEVELS,

  /* Accumulators of neighbouring parts that a block's merging warp merges at once: at most, and where
     there are few enough.  gpu_stats of 1Mi doubles 29.5 us, of 16Mi 60.7; 64 at once 30.4 and 62.6, 128
     32.4 and 68.0; of 1 GiB all the same.  Columns that a ticket is for, at most.  */
  GPR_TICKET_PARTS = 128, GPR_TICKET_FEW = 32, GPR_TICKET_COLUMNS = 4,

  /* Accumulators of one tile's parts that its last block merges; beyond, a launch of its
     own, which costs about 4 us and has more blocks.  */
  GPR_TICKETED_PARTS = 1 << 15
};

#endif
