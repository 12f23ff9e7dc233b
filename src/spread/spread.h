/* A backend whose arrays are divided over several GPUs of this process along their last dimension.

   What is done over the divided dimension is done as ranks do it (ranks/ranks.h), a thread for each GPU; along others each GPU does its own.
   The memory is a list of pieces that follow one another, so it knows no sizes: a problem says them.  */

#ifndef GPR_SPREAD_H
#define GPR_SPREAD_H

#include "../core/array.h"
#include "../dispatch/setting.h"

extern const gpr_backend gpr_spread_backend;

/* The memory of such an array, as gpr_array.data and the problems have it; gpr_array.device is the first of its devices.  */
typedef struct {
  int count;                    /* of pieces; 0: nothing has been put there yet */
  int first;                    /* device where what is not divided goes */
  int64_t bytes;                /* of all */
  int device[GPR_MOST_DEVICES];
  void *at[GPR_MOST_DEVICES];   /* memory of that device, or NULL: of no bytes */
  int64_t starts[GPR_MOST_DEVICES + 1];         /* bytes before each piece, and the end */
  struct gpr_terms *terms;      /* of an expression whose elements are made where they are read: there is no memory (terms.h); or NULL */
} gpr_pieces;

static inline bool
gpr_is_spread (const gpr_array *a)
{
  return a->home == &gpr_spread_backend;
}

/* As gpr_among_report, of the last problem with an array of this backend.  */
int gpr_spread_report (const gpr_backend *b, double devices[GPR_MOST_DEVICES + 1], double bytes[GPR_MOST_DEVICES + 1]);

/* ---- memory.c ---- */

/* An array of a's class and sizes over these devices, whose elements are not set; a->data is the memory.  Of one element along the last
   dimension, or none, or of one device it is an ordinary array of the first.  */
gpr_status gpr_spread_create (gpr_array *a, const int *devices, int count);
/* Memory without pieces gets such as x's, with elements of so many bytes in place of x's.  */
gpr_status gpr_spread_as (gpr_pieces *z, const gpr_pieces *x, int64_t z_bytes, int64_t x_bytes);
/* One piece of these bytes of the host.  */
gpr_status gpr_spread_put (gpr_pieces *z, const void *host, size_t bytes);
/* Bytes that lie from there on, to the host.  */
gpr_status gpr_spread_read (const gpr_pieces *x, int64_t from, int64_t bytes, void *host);
/* The other way.  */
gpr_status gpr_spread_write (const gpr_pieces *z, int64_t from, int64_t bytes, const void *host);
/* a, of one piece or without elements, becomes an ordinary array of its device.  */
gpr_status gpr_spread_settle (gpr_array *a);
/* Whether a piece is that device's; and that its memory is gone, by a reset.  */
bool gpr_spread_is_on (const gpr_pieces *s, int device);
void gpr_spread_lose (gpr_pieces *s, int device);
/* *plain: an ordinary array of that device (0: the first), to be released, with so many of a's elements from the first-th on: a column,
   or all in a's sizes.  */
gpr_status gpr_spread_collect (const gpr_array *a, int64_t first, int64_t count, int device, gpr_array *plain);
/* Its elements back to where they were.  */
gpr_status gpr_spread_put_back (const gpr_array *a, int64_t first, const gpr_array *plain);
/* *spread: a, wherever it lies, on like's devices: divided alike if it has as many elements.  */
gpr_status gpr_spread_bring (const gpr_array *a, const gpr_array *like, gpr_array *spread);

#endif
