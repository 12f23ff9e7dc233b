/* A reduction of a stream on its way: units.c reduces its units, reduce.c merges them.  */

#ifndef GPR_STREAM_RUNNING_H
#define GPR_STREAM_RUNNING_H

#include "../cpu/part.h"
#include "../ranks/parts.h"
#include "../ranks/world.h"
#include "stream.h"

enum {
  GPR_STREAM_SHORT = 1 << 19,   /* bytes of a slab, all rows of one outer index, of which several are one unit */
  GPR_STREAM_OWN = 1 << 22,     /* of a unit that a thread reads for itself */
  GPR_STREAM_WINDOW = 1 << 27   /* of a window, at most: less where gpu_config ("memory_limit") says so */
};

typedef struct {
  gpr_reduction *r;
  gpr_stream *s;
  gpr_cpu_job job;
  gpr_world world;              /* size 1: nobody else */
  int64_t *starts;              /* rows of each rank; or NULL */
  int64_t row_bytes, slab_bytes, unit_bytes;
  int64_t outers;               /* of a unit; 0: it is a part */
  int64_t next, end, window;    /* units: to be reduced yet; in a window */
  int threads;
  bool direct;                  /* threads read units */
  size_t level_bytes, lane_bytes;
  char *buffer, *scratch;       /* of the window, or of each thread; lanes of each thread */
  char *accumulators;           /* of a window's parts */
  char *lanes;                  /* of each tile, of a part that comes in pieces; or NULL */
  gpr_forest forest;
  char *level[GPR_MOST_SUBTREES];
  uint64_t key;
} gpr_stream_running;

/* Bytes of a window, at most.  */
size_t gpr_stream_most (void);
/* The first element of a unit; elements of units from first on.  */
int64_t gpr_stream_element (const gpr_stream_running *w, int64_t unit);
int64_t gpr_stream_elements (const gpr_stream_running *w, int64_t first, int64_t units);
/* Reads and reduces so many units from w->next on: results, or accumulators of parts.  */
gpr_status gpr_stream_units (gpr_stream_running *w, int64_t units);

#endif
