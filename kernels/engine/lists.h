/* Gathers, scatters and lists of elements that are not 0 (ops/lists.h) on the GPU: arguments of the kernels.  */

#ifndef GPR_ENGINE_LISTS_H
#define GPR_ENGINE_LISTS_H

#include <stdbool.h>

#include "../ops/lists.h"

enum {
  GPR_LIST_THREADS = 256,
  GPR_LIST_EACH = 4,            /* elements of a thread at a time */
  GPR_LIST_RANK = 32,
  GPR_FIND_SUM_THREADS = 1024
};
/* Marks, a byte each.  */
enum { GPR_LIST_BAD, GPR_LIST_UNORDERED };

typedef struct {
  int64_t count;
  const void *x;
  void *z;
  unsigned char *marks;         /* gather, check: BAD <- 1 where a position is wrong; check: UNORDERED where they do not rise */
  bool one;                     /* scatter: the one element of x to all */
  bool narrow;                  /* 32 bits count the elements */
  int rank;
  gpr_list lists[GPR_LIST_RANK];
} gpr_gather_args;

typedef struct {
  gpr_list list;
  unsigned *last;               /* of each position, zero at first: 1 + the greatest k that names it */
  int64_t *kept;                /* the position from 1, or 0 where a later k names it, too */
} gpr_last_args;

typedef struct {
  const void *x;
  int64_t count, tiles;
  uint64_t mask, last_mask;
  int64_t *before;              /* count: of each tile; sum: of those before it, and of all */
  int64_t skip, take;
  enum gpr_elem z_elem;
  void *z;
} gpr_find_args;

#ifdef __cplusplus
extern "C" {
#endif

/* Of elements of so many bytes: 1, 2, 4, 8, 16.  */
const void *gpr_engine_gather (int bytes, bool scatters);
const void *gpr_engine_find (int bytes, bool counts);
const void *gpr_engine_check_list (void);       /* gpr_gather_args: of lists[0] */
const void *gpr_engine_last (bool keeps);       /* gpr_last_args: last, then kept */
const void *gpr_engine_find_sum (void);         /* one block */

#ifdef __cplusplus
}
#endif
#endif
