/* Modes: the kernels' arguments.  Columns are those of a selection (select.h); keys are as in a ranking, zeros being
   one.  */

#ifndef GPR_ENGINE_MODE_H
#define GPR_ENGINE_MODE_H

#include "select.h"

enum {
  GPR_MODE_THREADS = 256, GPR_MODE_TABLE_THREADS = 512, GPR_MODE_HALVES_THREADS = 1024,
  GPR_MODE_COUNT_THREADS = 512, GPR_MODE_COUNT_BLOCKS = 3,      /* of a multiprocessor */
  GPR_MODE_HEAD = 512,          /* bytes of shared memory of a table, beside its slots */
  GPR_MODE_TILE = 2048,         /* elements that a block lays anew at once */
  GPR_MODE_SAMPLE = 1 << 13,
  GPR_MODE_EACH = 4,            /* loads that a thread has on their way */
  GPR_MODE_HALVES = 1 << 16     /* bins of 16 bits */
};

/* Numbers in order, all of them 0 or more: keys of integers; of floating-point ones, that are whole, themselves
   and this.  Found in a sample that has any.  */
#define GPR_MODE_ZERO ((uint64_t) 1 << 60)
typedef struct { uint64_t least, most; int whole, any; } gpr_mode_range;

/* Of a column: zero at first.  */
typedef struct {
  unsigned long long best;      /* of the sorted column: length of the longest run, ~place of the least such */
  unsigned long long zero;      /* ~row of the first zero, where that is the mode */
  uint64_t key;
  uint32_t count;
  uint32_t missed;              /* an element that has no bin */
} gpr_mode_found;

typedef struct {
  gpr_select_args x;            /* x, where columns lie and how keys are made of them; value */
  uint64_t least, span;         /* keys from least to least + span are of finite elements: only these make runs */
  double *frequency;            /* or NULL */
  const void *columns;          /* one after the other */
  void *laid;                   /* where they are to lie so */
  unsigned slots;               /* of a table in shared memory */

  /* Long columns.  */
  gpr_mode_found *found;
  gpr_mode_range *range;        /* memory of the host */
  int *failed;                  /* likewise */
  int64_t from, pieces;         /* the first column of a launch; blocks a column */
  uint64_t base;                /* number of bin 0 */
  double low;                   /* the same of floating-point ones */
  unsigned bins, copies;        /* with halves: of those only the window from base on */
  unsigned window;
  unsigned *counts;             /* of each column of the launch, bins */
  const void *sorted;           /* the columns, or NULL */
} gpr_mode_args;

typedef enum { GPR_MODE_NETWORKS, GPR_MODE_TABLES, GPR_MODE_LAY, GPR_MODE_LOOK, GPR_MODE_COUNT, GPR_MODE_COUNT_HALVES, GPR_MODE_BEST,
               GPR_MODE_RUNS, GPR_MODE_ZEROS, GPR_MODE_SETTLE, GPR_MODE_KERNELS } gpr_mode_kernel;

#ifdef __cplusplus
extern "C" {
#endif

const void *gpr_engine_mode (gpr_mode_kernel kernel, const gpr_mode_args *a);

#ifdef __cplusplus
}
#endif
#endif
