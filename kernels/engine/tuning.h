/* What the algorithms of a reduction are tuned by: plain numbers, each with what it gained on one
   H200 (sm_90), in GB/s of double sums unless it says otherwise.  Times in us are of one
   reduction, by programs that are not kept; `make bench-gpu' has such lines.  None of the numbers
   changes a bit of a result.  Three kinds:

     an enum       what kernels and their launches must agree on, the same everywhere
     gpr_tuned     what kernels are compiled with, a struct for each architecture
     gpr_tuning    what launches are planned by, a row for each compute capability

   A device takes the row of its capability, or of the next lower one there is (sm_75: sm_80's).
   The rows of sm_80 are not measured.  They repeat those of sm_90, since no number depends on
   what differs: registers and threads of a multiprocessor are as many, 164 KiB of shared memory
   hold all that the kernels ask for at once (96 KiB), and the number of multiprocessors is asked
   of the device; half the memory bandwidth of a multiprocessor needs fewer bytes on their way,
   not more.  */

#ifndef GPR_TUNING_H
#define GPR_TUNING_H

#include <stdint.h>

enum {
  /* Accumulators above so many bytes merge by a call: in place they would cost the steps
     registers.  8388608 columns of 4, dimension 2: 4333; in place 3808.  In BLOCK a warp of its
     own merges them, not the whole block: variances 4237; 3900.  */
  GPR_MERGE_CALL_BYTES = 16,

  /* Vectors of a tile that are one thread's (STREAM): 8 4529, 2 4442, of 4513 by bare reads.  Of
     elements of 1 and 2 bytes: sum of uint8 8 4358, 4 4280, 2 3703; maxima 4308, 4223, 3655.  */
  GPR_TILE_VECTORS = 4, GPR_TILE_VECTORS_SMALL = 8,

  /* Rows a thread has on their way at once (ROWS), where there are blocks enough (rows_blocks).  2 for
     32 rows by 8388608 4029; 1, by GROUP, 3714.  12000 rows of 1000 doubles 30.7 us, one at a time
     36.3; of 300 16.7, 20.2.  */
  GPR_ROWS_AT_ONCE = 2,

  /* Outputs a thread has on their way at most (THREAD).  67108864 rows of 4 singles: 8 343 us, 4 387,
     2 482.  */
  GPR_THREAD_OUTPUTS = 8,

  /* Neighbouring parts that a block merges itself, at most, of tiles whose columns are threads'
     own (BLOCK).  Dimension 2 of 16384 x 16384 482 us, of 1024 x 262144 477; each part by itself
     510 and 519 (`make bench-gpu').  8 of them 500 where 16 have 490.  */
  GPR_RUN_LEVELS = 4, GPR_RUN_PARTS = 1 << GPR_RUN_LEVELS,

  /* Accumulators of neighbouring parts that a merge warp merges at once, at most.  */
  GPR_TICKET_PARTS = 128,

  /* EXACT_ROWS and EXACT_COLUMNS; none was tried beside others.  [m, i] = max of 1e8 doubles 333 x 1001 x 300 along 1 0.20 ms,
     by LANES 0.41; 40 x N 0.21, 0.50; any of int16 40 x N 0.06, 0.16.  Loads of single elements, or of rows of a slab, on
     their way; of a slab's single elements of 1 and 2 bytes twice as many.  Elements of a vector at most; of
     any, all and extremes of slabs of bytes twice as many.  Elements of a row that a thread has on their way; of 1 and 2
     bytes, vectors.  Rows a thread has at once; of elements of 8 bytes, single ones of 4, and where a row has a
     warp.  Threads of a block of EXACT_COLUMNS at most, for two of which there are registers.  */
  GPR_EXACT_LOADS = 8,
  GPR_EXACT_ROW = 2048,         /* a longer one is STREAM's, which the tree says (gpr_tree.lanes) */
  GPR_EXACT_ROWS_VECTOR_MOST = 8, GPR_EXACT_COLUMNS_VECTOR_MOST = 4,
  GPR_EXACT_ROWS_ELEMENTS = 8, GPR_EXACT_ROWS_VECTORS_SMALL = 2,
  GPR_EXACT_ROWS_AT_ONCE = 4, GPR_EXACT_ROWS_AT_ONCE_WIDE = 2,
  GPR_EXACT_COLUMNS_THREADS = 512, GPR_EXACT_BLOCKS = 2,
  /* Accumulators of a tile's parts that its last block merges.  Singles 100000 rows of 1000 columns, 264 parts: 0.43 ms,
     of which the sum takes 0.11.  */
  GPR_EXACT_TICKETED = 1 << 13
};

/* ---- kernels ------------------------------------------------------------------------ */

#ifdef __cplusplus
struct gpr_tuned_sm_90
{
  /* Bytes a thread has on their way in each of its two batches (BLOCK).  64: 4374 at 1 GiB, 3920
     for 16384 rows of 16384; 128: 4068, 3757.  Without the second batch 3959, 3316.  */
  static constexpr int batch_bytes = 64;

  /* Steps of a batch at most: 8 of the variances 4143, 4 of them 3848; of gpu_stats 3632, 3228.  Of variances of singles twice as many (steps.cuh),
     so that as many bytes are on their way; the registers of gpu_stats do not allow it.  */
  static constexpr int batch_steps = 8;

  /* Blocks of a multiprocessor that registers are left for (dense).  2: 4374 at 1 GiB; 3: 3646, since
     accumulators spill.  Of elements of 1 and 2 bytes, and of indices, 3: 4239 (max of
     uint8); 2: 3862.  */
  static constexpr int dense_blocks = 2, dense_blocks_small = 3;

  /* Bytes of a row that a thread has on their way at once (WARPS): of 3000 singles 182 us, with 64
     of them 207.  */
  static constexpr int rows_bytes = 128;

  /* Bytes that a thread has on their way (THREAD), and outputs at most where one has less than 32
     bytes.  67108864 rows of 4 doubles 625 us; with half of it 657, one row at a time 672, twice 923
     (spilled).  50000000 rows of 3 doubles, element by element, 416; by LANES 584.  */
  static constexpr int thread_bytes = 256, thread_few = 4;

  /* The same where something is read for each row before its elements, as means are.  sum ((g - means) .^ 2, 1) of 7 x 14285714 doubles, as called: 0.29 ms; with 128
     bytes 0.29, with 256 0.40.  sum (exp (g - means), 1): 0.35; 0.43, 0.54.  */
  static constexpr int thread_bytes_fixed = 64;

  /* Blocks of a multiprocessor that a compiled expression's registers are left for (THREAD): of such rows; of columns side by side: 14285714 x 7 doubles along 2 0.36 ms; 2
     blocks: 0.41, 3: 0.40, 5: 0.53.  */
  static constexpr int thread_blocks_fixed = 3, thread_blocks_columns = 4;
};

struct gpr_tuned_sm_80 : gpr_tuned_sm_90 {};

#if defined __CUDA_ARCH__ && __CUDA_ARCH__ < 900
typedef gpr_tuned_sm_80 gpr_tuned;
#else
typedef gpr_tuned_sm_90 gpr_tuned;
#endif
#endif

/* ---- launches ------------------------------------------------------------------------ */

typedef struct {
  int capability;               /* 90: sm_90 */

  /* Bytes of a row that warps take, at most (WARPS); of elements of 1 and 2 bytes.  66666 rows of
     3000 singles 182 us, by a block each 454; 12000 of 8193 doubles 180, 198; 10000 of 12000 218,
     220; 5000 of 20000 singles 99.5, 107; but 4000 of 32768 130, 124.  200000 rows of 3000 uint8,
     max, 316, by STREAM 745; 8000 of 65536 200, 122.  */
  int warp_bytes, warp_bytes_small;

  /* Rows a multiprocessor, at least (WARPS): of two warps each, as many threads as it has for these
     kernels.  1056 rows of 2050 doubles 12.7 us, by BLOCK 15.1; 132 of 8192 13.8, 10.7.  */
  int warp_rows;

  /* Tiles of a row from which on STREAM takes several rows of elements of 4 bytes and more: of 10000
     doubles 227 us, by BLOCK 202; of 100000 both 189.  Fewer (_few) where there are less rows than
     stream_rows times the blocks that run at once, of which BLOCK leaves some idle at the end:
     max of 528 rows of 10000 singles 15.6 us, by BLOCK 24.4; of 528 of 30000 23, 31; but of 1584 of
     20000 44.4, 40.0.  */
  int stream_tiles, stream_tiles_few, stream_rows;

  /* Blocks a multiprocessor from which on a thread has several rows at once (ROWS).  With 8 instead
     6000 rows of 300 doubles take 14.3 us, with 2 11.9.  */
  int rows_blocks;

  /* Accumulators of neighbouring parts that a merge warp merges at once, where there are few; up to
     GPR_TICKET_PARTS.  gpu_stats of 1Mi doubles 29.5 us, of 16Mi 60.7; with 64 30.4 and 62.6, 128
     32.4 and 68.0; of 1 GiB all the same.  Columns that a ticket is for, at most.  */
  int ticket_few, ticket_columns;

  /* Accumulators of one tile's parts that its last block merges; beyond, a launch of its own, which
     costs about 4 us and has more blocks.  */
  int ticketed_parts;

  /* Blocks a multiprocessor, at least, where there are outputs enough: of THREAD; of that launch.  */
  int thread_blocks, merge_blocks;

  /* Launched for each block that runs at once, where BLOCK reads columns by single elements.  Doubles
     333 x 1001 x 300, ms along dimensions 2 and 3: 4 0.223, 0.207; 1 0.241, 0.213; as many as units 0.213, 0.212.  */
  int odd_blocks;

  /* EXACT_COLUMNS, none was tried beside others: rows a lane has at least, where a column has several lanes; where
     rows are cut into parts; times that the blocks of a multiprocessor run, from which on none are cut.  */
  int exact_lane_rows, exact_part_rows, exact_waves;
} gpr_tuning;

static inline const gpr_tuning *gpr_tuning_of (int capability)
{
  static const gpr_tuning rows[] = {
    /* warps                   stream    rows  ticket           blocks     exact */
    { 80, 3 << 15, 1 << 15, 8, 16, 2, 4, 2,    32, 4, 1 << 15,  2, 4, 8,   8, 32, 8 },
    { 90, 3 << 15, 1 << 15, 8, 16, 2, 4, 2,    32, 4, 1 << 15,  2, 4, 8,   8, 32, 8 }
  };
  int i = sizeof rows / sizeof *rows - 1;
  while (i > 0 && rows[i].capability > capability)
    i--;
  return &rows[i];
}

#endif
