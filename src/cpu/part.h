/* Inside the CPU backend: which loops run, and one part of the tree.  */

#ifndef GPR_CPU_PART_H
#define GPR_CPU_PART_H

#ifdef _OPENMP
#include <omp.h>
#endif

#include <stdatomic.h>

#include "isa/loops.h"

/* The best instruction set that is compiled here and that this processor has; the variable
   GPUREDUCE_ISA ("baseline", "avx2") lowers it, for tests.  */
const gpr_cpu_loops *gpr_cpu_loops_of (enum gpr_instance instance);
const gpr_cpu_vector *gpr_cpu_vectors (void);
const gpr_cpu_map_loops *gpr_cpu_map_loops_here (void);
const gpr_cpu_vector *gpr_cpu_vectors_for_products (enum gpr_elem elem);
const gpr_cpu_scans *gpr_cpu_scans_of (enum gpr_elem elem);

static inline int
gpr_cpu_thread_number (void)            /* of this thread, within its parallel region */
{
#ifdef _OPENMP
  return omp_get_thread_num ();
#else
  return 0;
#endif
}

/* n elements, of so many bytes, from element `first' of m's on, from x to z, each by its strides.  */
void gpr_cpu_copy_some (const struct gpr_mapping *m, int bytes, int64_t first, int64_t n, const char *x, const int64_t *xs, char *z, const int64_t *zs);
void gpr_cpu_copy_strides (const struct gpr_mapping *m, int64_t *strides);      /* of neighbours */
/* False: m is more than a copy.  */
bool gpr_cpu_copy (const struct gpr_mapping *m);

/* An expression whose elements are wanted some at a time (map.c); left: some element left the real numbers.  */
typedef struct gpr_cpu_terms gpr_cpu_terms;
gpr_cpu_terms *gpr_cpu_terms_make (const struct gpr_mapping *m);        /* for free; NULL: no memory */
bool gpr_cpu_terms_take (const gpr_cpu_terms *t, int64_t first, int64_t count, char *to);       /* left */
/* Rows of so many elements, apart elements from one to the next.  */
bool gpr_cpu_terms_take_rows (const gpr_cpu_terms *t, int64_t first, int64_t rows, int64_t columns, int64_t apart, char *to);

/* A reduction as it is carried out.  */
typedef struct {
  const gpr_reduction *r;
  const gpr_cpu_terms *terms;   /* of r->terms; r->x is then where their elements would lie, and is not read */
  atomic_bool *left;            /* an element of them left the real numbers */
  const gpr_instance_info *info;
  const gpr_cpu_loops *loops;
  const gpr_cpu_loops *values;  /* of the instance without an index that finds the same value, or NULL */
  const gpr_cpu_index *index;   /* where there is one */
  gpr_tree tree;
} gpr_cpu_job;
gpr_cpu_job gpr_cpu_job_of (const gpr_reduction *r);

static inline int64_t
gpr_cpu_columns (const gpr_cpu_job *g, int64_t tile)
{
  const gpr_tree *t = &g->tree;
  int64_t left = t->inner - tile * t->columns;
  return left < t->columns ? left : t->columns;
}

/* Reduces part p of the columns of one tile of one outer index into acc[0 … columns-1].  acc
   has room for the lanes: gpr_tree_width accumulators.  */
void gpr_cpu_reduce_part (const gpr_cpu_job *g, int64_t outer, int64_t tile, int64_t p, void *acc);

/* The same of a part that comes in pieces, of instances with any lanes: rows of a piece from x on, the first of them row number first, and a
   multiple of the lanes unless it ends.  acc stays from one to the next.  */
void gpr_cpu_reduce_piece (const gpr_cpu_job *g, int64_t tile, const void *x, int64_t first, int64_t rows, bool begins, bool ends, void *acc);

/* All parts of the columns of a tile, and their results, on this thread; scratch: gpr_cpu_tile_bytes.  Nonzero: some may not be final.  */
enum { GPR_CPU_LEVELS = 16 };   /* of the tree over parts, 2^14 at most */
static inline size_t
gpr_cpu_tile_bytes (const gpr_cpu_job *g)
{
  return (GPR_CPU_LEVELS + 1) * (size_t) gpr_tree_width (g->info->acc_bytes) * g->info->acc_bytes;
}
int gpr_cpu_reduce_tile (const gpr_cpu_job *g, int64_t outer, int64_t tile, char *scratch);

/* The results of these columns.  Nonzero: some may not be final.  */
int gpr_cpu_finish (const gpr_cpu_job *g, int64_t outer, int64_t tile, const void *acc);

/* Contiguous outputs of one part and few lanes, in one loop: from outer index o on.  */
bool gpr_cpu_has_short_rows (const gpr_cpu_job *g);
int gpr_cpu_short_rows (const gpr_cpu_job *g, int64_t o, int64_t count);

#endif
