/* Between the files of this folder.  */

#ifndef GPR_SPREAD_BACKEND_H
#define GPR_SPREAD_BACKEND_H

#include "../ranks/ranks.h"
#include "spread.h"

/* ---- run.c ---- */

/* work (of, k) in a thread for each device k of x, which is rank k there.  The error of the first that failed, with its device's number,
   ends the others.  */
gpr_status gpr_spread_run (const gpr_pieces *x, gpr_status (*work) (void *of, int k), void *of);
bool gpr_spread_in_thread (void);
/* The same of what each does by itself, one after the other where it is quick, since it has few bytes.  */
gpr_status gpr_spread_each (const gpr_pieces *x, int64_t bytes, gpr_status (*work) (void *of, int k), void *of);

/* ---- memory.c ---- */
/* Where pieces shall lie, without memory: even ones, as gpr_spread_divide has them; or x's, as gpr_spread_as.  */
void gpr_spread_lay (gpr_pieces *z, const int *devices, int count, int64_t length, int64_t slab);
void gpr_spread_lay_as (gpr_pieces *z, const gpr_pieces *x, int64_t z_bytes, int64_t x_bytes);
/* Memory for them; and its end.  */
gpr_status gpr_spread_take_pieces (gpr_pieces *s);
void gpr_spread_drop_pieces (gpr_pieces *s);
/* Memory without pieces gets them: even ones of so many slabs of bytes.  */
gpr_status gpr_spread_divide (gpr_pieces *z, const int *devices, int count, int64_t length, int64_t slab);
/* Bytes that lie from there on, to that device's memory.  */
gpr_status gpr_spread_fetch (const gpr_pieces *x, int64_t from, int64_t bytes, int device, void *memory);
/* The other way.  */
gpr_status gpr_spread_store (const gpr_pieces *z, int64_t from, int64_t bytes, int device, void *memory);
/* Memory of a device, NULL of no bytes; the calling thread is Octave's.  */
gpr_status gpr_spread_take (int device, int64_t bytes, void **p);
gpr_status gpr_spread_allocate (void **p, size_t bytes);
void gpr_spread_release (void *p);
size_t gpr_spread_room (void);
gpr_status gpr_spread_upload (void *resident, const void *host, size_t bytes);
gpr_status gpr_spread_download (void *host, const void *resident, size_t bytes);

/* ---- the problems ---- */
gpr_status gpr_spread_reduce (gpr_reduction *r);
gpr_status gpr_spread_exact (gpr_reduction *r);
gpr_status gpr_spread_column (const gpr_reduction *r, int64_t output, void *elements);
gpr_status gpr_spread_count (gpr_counting *c);
gpr_status gpr_spread_scan (struct gpr_scanning *s);
gpr_status gpr_spread_select (struct gpr_selection *s);
gpr_status gpr_spread_order (struct gpr_ordering *o);
gpr_status gpr_spread_rank (struct gpr_ranking *r);
gpr_status gpr_spread_pair (gpr_pairing *p);
gpr_status gpr_spread_map (struct gpr_mapping *m);
gpr_status gpr_spread_convert (gpr_conversion *c);

#endif
