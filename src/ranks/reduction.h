/* A reduction over the divided dimension at work (reduce.c, linked.c, linked_rows.c, rows.c, carried.c, device.c).  */

#ifndef GPR_RANKS_REDUCTION_H
#define GPR_RANKS_REDUCTION_H

#include "../core/partial.h"
#include "../cpu/cpu.h"
#include "../cpu/part.h"
#include "link.h"
#include "ranks.h"

typedef struct {
  gpr_reduction *r;
  gpr_cpu_job job;              /* of the whole array: its tree */
  gpr_world world;
  int64_t *starts;              /* rows of each rank */
  gpr_span rows, parts;         /* of this rank; that it owns */
  int64_t row_bytes;            /* of one output's slab: inner elements */
  bool link_asked;              /* linked.c has asked for the link */
  gpr_piece piece[2];           /* of x and y, this rank's rows; the second has no data where there is no y */
  char *last[2];                /* of x and y, all rows of the last part that it owns, where some are others' */
  gpr_span last_rows;
  char *accumulators;           /* [subtree][output], with room for one more than there are */
  size_t level_bytes;           /* of a subtree's */
  gpr_forest forest;
  int64_t slot[GPR_MOST_SUBTREES];      /* where each subtree's accumulators are */
} gpr_over_ranks;

/* ---- rows of parts that lie on several ranks: rows.c ---- */
typedef struct { gpr_post post; char **packed; int count; } gpr_parcels;
/* Those at the beginning, that belong to a part of a rank before, are sent.  */
gpr_status gpr_give_rows (const gpr_over_ranks *w, gpr_parcels *p);
/* Room for the last part, where it does not end here, and what others have of it on its way.  */
gpr_status gpr_ask_for_rows (gpr_over_ranks *w, gpr_parcels *p);
/* What came packed goes to its place.  */
void gpr_unpack_rows (const gpr_over_ranks *w, const gpr_parcels *p);

/* ---- or their accumulators: carried.c ---- */
typedef struct {
  gpr_span head;                /* rows of a part that begins on a rank before */
  bool shared;                  /* the last part that begins here does not end here */
  char *before, *begun, *whole; /* accumulators: of the head and what lies before it; of the shared part's rows here, and of all its rows */
  gpr_post first, rest;
} gpr_carry;
/* Whether they are carried: the same on all ranks.  */
bool gpr_carries (const gpr_over_ranks *w);
gpr_status gpr_carry_begin (gpr_over_ranks *w, gpr_carry *c);
/* to: gets the shared part's.  In any case after gpr_carry_begin, also after a failure.  Returns status, or its own.  */
gpr_status gpr_carry_end (gpr_over_ranks *w, gpr_carry *c, gpr_status status, char *to);

/* ---- on a device: device.c ---- */
typedef struct {
  gpr_span parts;
  int64_t count, *end;          /* subtrees, as gpr_partial has them: a slot each of the accumulators */
  bool begun;                   /* it does them */
  gpr_partial p;
} gpr_device_work;
/* Begins to reduce these parts, all of whose rows are here, on the device of the pieces; begun <- false: it does not do it, and the pieces are in host memory
   from here on.  */
gpr_status gpr_device_begin (gpr_over_ranks *w, gpr_device_work *d, gpr_span parts);
/* The subtrees to the accumulators, and with add to the forest; in any case after gpr_device_begin, also after a failure.  Returns status, or its own.  */
gpr_status gpr_device_end (gpr_over_ranks *w, gpr_device_work *d, gpr_status status, void (*add) (gpr_over_ranks *w, gpr_subtree s, int64_t slot));

/* ---- from device to device, by the link (link.h): linked_rows.c ---- */
typedef struct {
  const gpr_backend *home;      /* of x and y */
  const char *own[2];           /* x and y here */
  bool shared;                  /* the last part that begins here does not end here: */
  gpr_span rows;                /* all of it, ... */
  void *memory[2];              /* ... in memory of the device, x and y */
  gpr_move *moves;              /* of the next gpr_linked_move */
  int count;
} gpr_linking;
/* Bytes of rows that go to other ranks, about; 0: no part is shared.  The same on all ranks.  */
int64_t gpr_linked_row_bytes (const gpr_over_ranks *w);
void gpr_linked_plan (const gpr_over_ranks *w, gpr_linking *l);
/* Whether the pieces lie on one device and there is memory, for so many bytes more; in any case before gpr_linked_release.  */
bool gpr_linked_allocate (const gpr_over_ranks *w, gpr_linking *l, size_t more);
void gpr_linked_release (gpr_linking *l);
/* The rows that this rank gives, and those that it gets; its own beside them.  */
gpr_status gpr_linked_add_rows (const gpr_over_ranks *w, gpr_linking *l);
void gpr_linked_add (gpr_linking *l, int rank, bool sends, void *memory, size_t bytes);
gpr_status gpr_linked_move (gpr_linking *l);
/* The shared part's reduction, once its rows are there; where its accumulators go is still to be said.  */
gpr_partial gpr_linked_shared (const gpr_over_ranks *w, const gpr_linking *l);

/* Where they are many bytes and the devices are linked, memory for them: *linked.  Then, in any case, they are sent and reduced: to gets the shared part's
   accumulators.  Returns status, or its own.  */
gpr_status gpr_linked_rows_prepare (const gpr_over_ranks *w, gpr_linking *l, bool *linked);
gpr_status gpr_linked_rows_reduce (const gpr_over_ranks *w, gpr_linking *l, gpr_status status, char *to);

/* ---- many outputs: linked.c ---- */
/* Does it all, where it has many outputs and the devices are linked; *done: it did.  */
gpr_status gpr_linked_reduce (gpr_over_ranks *w, bool *done);

#endif
