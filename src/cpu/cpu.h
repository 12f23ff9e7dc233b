/* The CPU backend.  */

#ifndef GPR_CPU_H
#define GPR_CPU_H

#include "../core/gpr.h"

extern const gpr_backend gpr_cpu_backend;

bool gpr_cpu_can_run (void);            /* the processor has what this was compiled for */
const char *gpr_cpu_isa (void);         /* "avx512", "avx2" or "baseline" */
bool gpr_cpu_openmp (void);

/* Threads that a parallel region may use: settings, OMP_NUM_THREADS, affinity; 1 in
   a forked child whose parent had used the pool, since OpenMP's threads are not forked.  */
int gpr_cpu_allowed_threads (void);
/* The same now: 1 where other processes want the processors, and the setting "threads" is 0.  */
int gpr_cpu_threads (void);
extern __thread int gpr_cpu_most_threads;         /* __thread, since C++ reads this too: of this thread, where others work beside it; 0: all */
void gpr_cpu_note_pool (void);          /* before each parallel region, and when the module is locked */

/* One thread's share of a reduction; and, after all shares, the tree over parts.  */
gpr_status gpr_cpu_share (struct gpr_share *s);
void gpr_cpu_finish_shares (struct gpr_share *s);

/* The functions of the backend, not timed.  */
gpr_status gpr_cpu_reduce (gpr_reduction *r);
gpr_status gpr_cpu_exact (gpr_reduction *r);
/* Exact sums of several pieces: how many long sums there are, of so many bytes; those of a piece; of two pieces together; rounded, into
   r->value.  */
int64_t gpr_cpu_exact_sums (const gpr_reduction *r, size_t *bytes);
gpr_status gpr_cpu_exact_totals (const gpr_reduction *r, void *totals);
void gpr_cpu_exact_add (void *to, const void *from, int64_t count);
void gpr_cpu_exact_round (const gpr_reduction *r, void *totals);
gpr_status gpr_cpu_count (gpr_counting *c);
gpr_status gpr_cpu_pair (gpr_pairing *p);
gpr_status gpr_cpu_map (struct gpr_mapping *m);
gpr_status gpr_cpu_slices (struct gpr_slices *s);
bool gpr_cpu_slices_fit (int64_t inner, int64_t length, int64_t outer);
gpr_status gpr_cpu_complex (struct gpr_complex_mapping *m);
gpr_status gpr_cpu_convert (gpr_conversion *p);
gpr_status gpr_cpu_generate (struct gpr_generation *g);
gpr_status gpr_cpu_scan (struct gpr_scanning *s);
gpr_status gpr_cpu_scatter (struct gpr_scattering *s);
gpr_status gpr_cpu_order (struct gpr_ordering *o);
gpr_status gpr_cpu_select (struct gpr_selection *s);
gpr_status gpr_cpu_rank (struct gpr_ranking *r);
gpr_status gpr_cpu_keys_begin (struct gpr_key_reading *k);
gpr_status gpr_cpu_keys_count (struct gpr_key_reading *k, int digit, int64_t *table, uint64_t *least, uint64_t *greatest);
gpr_status gpr_cpu_keys_keep (struct gpr_key_reading *k, uint64_t *kept, uint64_t *above);
void gpr_cpu_keys_end (struct gpr_key_reading *k);
gpr_status gpr_cpu_gather (struct gpr_gathering *g);
gpr_status gpr_cpu_find (struct gpr_finding *f);

/* After a mode with sorted columns: leaves of each the values that occur frequency times, at its
   beginning; counts[j] is their number.  */
void gpr_order_modes (const struct gpr_ordering *o, int64_t *counts);

#endif
