/* Order statistics by selection: the kernels' arguments.  A column is an outer and an index below inner;
   a query is a column and one of the results wanted.  */

#ifndef GPR_ENGINE_SELECT_H
#define GPR_ENGINE_SELECT_H

#include <stdbool.h>

#include "../common/scalars.h"
#include "../ops/select.h"

enum {
  GPR_SELECT_RESULTS = 7,       /* of one launch: so many that what a block keeps of them fits 64 KiB */
  GPR_SELECT_NETWORK = 64,      /* elements of a column that one thread sorts */
  GPR_SELECT_PART = 32, GPR_SELECT_PARTS_OF_COLUMN = 4,      /* and that so many threads do, a part each of so many at most */
  GPR_SELECT_COUNTED = 64,      /* and of which each is compared with all others */
  GPR_SELECT_SHORT_THREADS = 128, GPR_SELECT_WARPS_THREADS = 256, GPR_SELECT_THREADS = 512, GPR_SELECT_PART_THREADS = 256,
  GPR_SELECT_WARP_BYTES = 1344, GPR_SELECT_BLOCK_BYTES = 2048,  /* of shared memory, beside its keys, that one takes which selects */
  GPR_SELECT_WIDTH = 64,        /* columns that a block divides at once */
  GPR_SELECT_EACH = 16,         /* elements of a thread in one of its turns */
  GPR_SELECT_KEPT = 64,         /* room for keys between a query's bounds, of each warp, which writes them once there are more than half as many */
  GPR_SELECT_STATIC = 2 << 10,  /* bytes of shared memory that a kernel has at most beside what its launch asks for, if that is much */
  GPR_SELECT_DIGITS = 1 << GPR_KEY_DIGIT
};

/* Keys of shared memory that a block asks for which divides a column by the bounds of so many results: of a turn of each thread, and what each warp keeps (select/divide.cuh).  */
#define GPR_SELECT_DIVIDE_KEYS(results) (GPR_SELECT_PART_THREADS * GPR_SELECT_EACH + GPR_SELECT_PART_THREADS / 32 * GPR_SELECT_KEPT * (results))

/* i / d of 0 <= i < 2^31 is i * by >> shift.  */
typedef struct { uint32_t by, shift; } gpr_select_divider;

/* How the elements wanted of some data were bounded, and what was found there.  */
typedef struct {
  uint64_t low, high;           /* keys; those between go to a list */
  unsigned long long below, at_low, at_high, inside;    /* how many keys are: zero at first */
  int64_t count, want[2];       /* keys of the data, and places wanted, from 0 */
  uint64_t key[2];              /* of those places, where found */
  int found[2], list;           /* list: of which level the data are */
  int passes, missed;           /* passes: not divided, goes on as it is; missed: the bounds were wrong */
} gpr_select_bracket;

/* What a reading of a column of several devices finds: keys, in the highest bits, the greatest as its complement, all ones at first; and how
   many keys went to a list, and have each digit: zeros.  center: to be read.  */
typedef struct {
  unsigned long long least, least_not, above;
  unsigned long long kept, count[GPR_SELECT_DIGITS];
  uint64_t center;
} gpr_select_found;

typedef struct {
  enum gpr_elem elem;
  int bytes;                    /* of an element */
  uint64_t flip, infinite;      /* from bits to keys: select/keys.cuh */
  bool floating;
  uint32_t signs;               /* as prmt takes it: four times the sign of a word's last byte, or a byte of zero */
  const void *x, *center;       /* center may be NULL */
  int64_t row_stride, outer_stride, inner, outers, length, center_stride;
  /* Result k: value[c + value_stride*(first + k + all*o)].  */
  void *value;
  int64_t value_stride, all;
  int first, results, method;   /* method 0: medians */
  bool omit_nan, logical, round_up;
  double p[GPR_SELECT_RESULTS];

  /* Columns that shared memory holds: a block's at once, pitch keys apart; slab: they lie together.  */
  int group, pitch;
  int part;                     /* PARTS: elements of one */
  bool slab;
  gpr_select_divider by_slab, by_inner, by_group, by_length, by_pitch;

  /* Longer ones.  */
  int level, sample, fit;       /* sample: a power of two; fit: keys that shared memory holds */
  int width;                    /* columns that a block takes side by side */
  int64_t pieces;               /* of a column, or a list */
  double sigmas;
  uint64_t seed;
  unsigned long long *nans;     /* of each column */
  gpr_select_bracket *brackets; /* [level][query] */
  void *lists[2];               /* of even and odd levels: room keys a query */
  int64_t queries, room[2];
  unsigned char *done;          /* of each query, since the first try */
  int *failed;

  /* The first `taken' of each column, sorted.  What there is of it, `data' elements, goes chunk by chunk: each leaves
     its first ones to the next level, [column][…], or is the only one.  */
  int64_t taken, data, chunk, chunks;
  int padded;                   /* taken: the next power of two */
  uint64_t minus_zero, turned;  /* of which the key is 0's; bits of a number's key that are turned */
  bool nan_first;               /* NaN's, too */
  double *index;                /* rows, from 1, or NULL; value and index: value_stride apart */
  const void *keys;             /* of the level before */
  const uint32_t *rows;
  void *next_keys;
  uint32_t *next_rows;
  int64_t next_data;

  /* The keys of the one column, or of a list in its place, of which the bits from `over' on are the prefix; of no bits known all.  Counted is
     the digit from bit `down' on; next_keys, of next_data keys, gets them, or NULL.  align: bits above a key of those that are found.  */
  bool of_list;
  int known, over, down, digits, align;
  uint64_t prefix;
  gpr_select_found *found;
} gpr_select_args;

typedef enum { GPR_SELECT_NETWORKS, GPR_SELECT_PARTS, GPR_SELECT_WARPS, GPR_SELECT_BLOCKS, GPR_SELECT_SAMPLE, GPR_SELECT_DIVIDE, GPR_SELECT_FINISH,
               GPR_SELECT_RANK_COUNTED, GPR_SELECT_RANK_COLUMNS, GPR_SELECT_RANK_CHUNKS,
               GPR_SELECT_DIGIT, GPR_SELECT_KEEP } gpr_select_kernel;

/* The kernel for columns of so many elements, which lie one after the other and have as many bytes as a key; NULL: there is none, of 128 elements and fewer, of 8 bytes of 64, or of more
   than 16384.  A team takes a column: a warp, or a block of so many threads.  median: of medians, without quantiles.  */
typedef struct { const void *kernel; int team; } gpr_select_held;

#ifdef __cplusplus
extern "C" {
#endif
const void *gpr_engine_select (gpr_select_kernel kernel, const gpr_select_args *a);
gpr_select_held gpr_engine_select_held (int bytes, int64_t length, bool median);
#ifdef __cplusplus
}
#endif

#endif
