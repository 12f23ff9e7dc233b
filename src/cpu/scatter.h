/* Inside the CPU's accumarray: steps that its ways have in common.  */

#ifndef GPR_CPU_SCATTER_H
#define GPR_CPU_SCATTER_H

#include "cpu.h"
#include "part.h"
#include "../core/scatter.h"

enum { GPR_SCATTER_BATCH = 1024 };      /* elements whose subscripts are put together: in L1 */

/* Outputs less first of a batch, from element from on; outputs that are not one of count get the key count.
   False: a subscript is not allowed.  */
bool gpr_scatter_keys (const gpr_scattering *p, int64_t first, int64_t count, int64_t from, int length, uint32_t *keys);

/* Whether none of so many values is beyond 0.  */
bool gpr_scatter_one_side (const gpr_scattering *p, int64_t from, int64_t count);

/* Of the batch that begins with element from, those in the list (NULL: all of length) are added to
   out, one after the other.  */
void gpr_scatter_add (const gpr_scattering *p, void *out, int64_t from, const uint32_t *keys, const uint16_t *list, int length);
/* The same in pieces: out has the sums of the pieces at hand, ranks their elements so far, and totals takes the
   sums of those that are complete.  */
void gpr_scatter_add_pieces (const gpr_scattering *p, void *out, uint16_t *ranks, int64_t piece, void *totals, int64_t from,
                             const uint32_t *keys, const uint16_t *list, int length);

/* out[i] = c, where counts is not NULL only for outputs without elements.  */
void gpr_scatter_fill (enum gpr_elem to, void *out, union gpr_scatter_cell c, const int64_t *counts, int64_t count);
/* sums[i] = op (sums[i], more[i]), the latter of later elements.  */
void gpr_scatter_merge (const gpr_scattering *p, void *sums, const void *more, int64_t count);
/* After the last piece: out[i] = totals[i] + out[i].  */
void gpr_scatter_close (enum gpr_elem to, void *out, const void *totals, int64_t count);
/* Results that began with NaN become what they would be, had they begun with 0.  */
void gpr_scatter_from_zero (enum gpr_elem to, void *out, int64_t count);
void gpr_scatter_divide (enum gpr_elem to, void *out, const int64_t *counts, int64_t count);
bool gpr_scatter_is_finite (enum gpr_elem to, const void *out, int64_t i);

/* Few outputs: a table of them for each chunk (scatter_few.c).  counts: elements of each, or NULL.  */
gpr_status gpr_scatter_few (gpr_scattering *p, int64_t *counts, int threads);

#endif
