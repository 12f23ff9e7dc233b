/* The problems, each on the device that it is given, in a file of its name.  */

#ifndef GPR_CUDA_PROBLEMS_H
#define GPR_CUDA_PROBLEMS_H

#include "device.h"
#include "../core/variant_run.h"

gpr_status gpr_cuda_reduce (gpr_cuda_state *s, gpr_reduction *r);
/* A product of many columns, in one reading; *done <- false: it is none.  */
gpr_status gpr_cuda_prod_columns (gpr_cuda_state *s, gpr_reduction *r, bool *done);
/* A long product's first rows, if it is in doubt: behind its tree, whose results are value, before these are known.  */
bool gpr_cuda_settles_behind (const gpr_reduction *r);
gpr_status gpr_cuda_settle_behind (gpr_cuda_state *s, gpr_cuda_slot *slot, const gpr_reduction *r, void *value);
/* Afterwards, of a product that needs a fix-up: no more where its results are final now.  */
gpr_status gpr_cuda_settle (gpr_cuda_state *s, gpr_reduction *r);
gpr_status gpr_cuda_exact (gpr_cuda_state *s, gpr_reduction *r);
gpr_status gpr_cuda_exact_totals (gpr_cuda_state *s, const gpr_reduction *r, void *totals);
gpr_status gpr_cuda_share (gpr_cuda_state *s, struct gpr_share *share, int64_t *units);   /* units: that it took */
int gpr_cuda_acc_bytes (enum gpr_instance instance);      /* of its kernels; 0: it has none */
gpr_status gpr_cuda_partial_begin (gpr_cuda_state *s, struct gpr_partial *p);
gpr_status gpr_cuda_partial_end (gpr_cuda_state *s, struct gpr_partial *p, bool wanted);
gpr_status gpr_cuda_partial_results (gpr_cuda_state *s, struct gpr_partial *p);
gpr_status gpr_cuda_count (gpr_cuda_state *s, gpr_counting *c);
gpr_status gpr_cuda_pair (gpr_cuda_state *s, gpr_pairing *p);
gpr_status gpr_cuda_map (gpr_cuda_state *s, struct gpr_mapping *m);
gpr_status gpr_cuda_slices (gpr_cuda_state *s, struct gpr_slices *p);
bool gpr_cuda_slices_fit (const gpr_cuda_state *s, int64_t inner, int64_t length, int64_t outer);
gpr_status gpr_cuda_complex (gpr_cuda_state *s, struct gpr_complex_mapping *m);
gpr_status gpr_cuda_convert (gpr_cuda_state *s, const gpr_conversion *p);
gpr_status gpr_cuda_generate (gpr_cuda_state *s, const struct gpr_generation *g);
gpr_status gpr_cuda_scan (gpr_cuda_state *s, struct gpr_scanning *p);
gpr_status gpr_cuda_scan_piece (gpr_cuda_state *s, struct gpr_scan_piece *p);
gpr_status gpr_cuda_scatter (gpr_cuda_state *s, struct gpr_scattering *p);
gpr_status gpr_cuda_order (gpr_cuda_state *s, struct gpr_ordering *o);
gpr_status gpr_cuda_modes (gpr_cuda_state *s, struct gpr_ordering *o);  /* but not the sorted columns */
gpr_status gpr_cuda_selection (gpr_cuda_state *s, struct gpr_selection *p);
gpr_status gpr_cuda_ranking (gpr_cuda_state *s, struct gpr_ranking *p);
gpr_status gpr_cuda_keys_begin (gpr_cuda_state *s, struct gpr_key_reading *k);
gpr_status gpr_cuda_keys_count (gpr_cuda_state *s, struct gpr_key_reading *k, int digit, int64_t *table, uint64_t *least, uint64_t *greatest);
gpr_status gpr_cuda_keys_keep (gpr_cuda_state *s, struct gpr_key_reading *k, uint64_t *kept, uint64_t *above);
void gpr_cuda_keys_end (struct gpr_key_reading *k);
const void *gpr_cuda_keys_memory (const struct gpr_key_reading *k);     /* on the device of a reading that has begun */
gpr_status gpr_cuda_sort (gpr_cuda_state *s, struct gpr_ranking *p);    /* the same, whatever k is */
gpr_status gpr_cuda_gather (gpr_cuda_state *s, struct gpr_gathering *g);
gpr_status gpr_cuda_find (gpr_cuda_state *s, struct gpr_finding *f);
gpr_status gpr_cuda_linear (gpr_cuda_state *s, struct gpr_linear *p);
gpr_status gpr_cuda_fourier (gpr_cuda_state *s, struct gpr_fourier *p);
gpr_status gpr_cuda_variant (gpr_cuda_state *s, gpr_variant_run *r, const gpr_ladder_module *m);
/* GB/s of plain reading of so many bytes (0: 1 GiB) (ceiling.c).  */
gpr_status gpr_cuda_read_ceiling (gpr_cuda_state *s, const gpr_ladder_module *m, int64_t bytes, double *gbs);

#endif
