/* Counting a long run of elements that lie together: what its kernels take.
   For the kernels (C++), the host side (C11) and their test; no CUDA in it.

   Every rule but "spaced" says: the bin of x is the number of cuts at or below
   x, less one, unless x is above top.  The cuts ascend: some -Inf, then finite
   ones, then some Inf.

   An estimate t (x), rounded as it comes, never decreases as x grows, where it
   is a difference times a positive scale.  So what t says of a cut's own t
   holds for x and the cut: nothing need be known of rounding.  */

#ifndef GPR_HISTOGRAM_H
#define GPR_HISTOGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "../common/bins.h"
#include "../common/scalars.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of a block: 768 are 8 % slower on an H200, 512 23 %, two blocks of 512 4 % with doubles or a
   search.  Elements a thread counts at once.  */
enum { GPR_HISTOGRAM_THREADS = 1024, GPR_HISTOGRAM_BATCH = 8 };

typedef enum {
  GPR_FIND_EVEN,        /* finite cut k has t within near of k: only there is x compared with it */
  GPR_FIND_NARROWED,    /* a bucket says between which cuts x lies: those are searched */
  GPR_FIND_SPACED       /* the rule "spaced", by its own words only within near of a whole t */
} gpr_find;

typedef enum {
  GPR_HISTOGRAM_WIDE,       /* 32-bit counters in shared memory */
  GPR_HISTOGRAM_PACKED,     /* 16-bit ones, each relieved when it is half full */
  GPR_HISTOGRAM_GLOBAL      /* the counts themselves */
} gpr_histogram_store;

typedef struct {
  const void *x;
  uint32_t n;                           /* at most 2^31: 32 bits count a block's elements */
  int32_t bins;
  unsigned long long *counts;

  gpr_find find;
  const void *cuts;                     /* of the type compared in; after reals a NaN */
  int32_t before, inside, cut_count;    /* cuts that are -Inf, finite; all */
  double top;
  double low, scale;                    /* t = (x - low) * scale */
  double near;                          /* a power of two, at most 1/8; negative: t decides alone */
  double step;                          /* of "spaced" */
  const uint32_t *buckets;              /* finite cuts in the buckets before it, and with its own << 16 */
  int32_t bucket_count;
  bool cuts_shared;

  gpr_histogram_store store;
  int32_t copies;                       /* of a WIDE table: a power of two; so many lanes have a counter each */
  int32_t groups, size;                 /* group g of the blocks counts bins g*size …; of a WIDE table: one group */
} gpr_histogram_args;

/* Elements of 8 bits: their 256 values are counted, then these are put into bins.  */
typedef struct {
  const void *x;
  uint32_t n;
  int32_t bin[256];                     /* of each value; -1: none */
  bool merge;                           /* four equal neighbours add at once */
  unsigned long long *counts;
} gpr_histogram_bytes_args;
enum { GPR_HISTOGRAM_BYTES_SHARED = 64 << 10 };     /* bytes */

/* NULL where there is none: a type of X and that it is compared in.  */
const void *gpr_engine_histogram (enum gpr_elem elem, enum gpr_elem compared);
const void *gpr_engine_histogram_bytes (void);

#ifdef __cplusplus
}
#endif
#endif
