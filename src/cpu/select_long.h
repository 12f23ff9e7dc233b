/* Inside the CPU's medians and quantiles: of long columns, also of those whose rows several processes have.  */

#ifndef GPR_CPU_SELECT_LONG_H
#define GPR_CPU_SELECT_LONG_H

#include "keys.h"

static inline bool
gpr_is_float (enum gpr_elem elem)
{
  return elem == GPR_f64 || elem == GPR_f32;
}

static inline gpr_columns
gpr_columns_of (const gpr_selection *s)
{
  return (gpr_columns) { .elem = s->elem, .inner = s->inner, .length = s->length, .outer = s->outer, .x = s->x, .center = s->center };
}

/* Result k of a column with so many numbers: true, and which of them it is made of; or false, and it is there.  */
bool gpr_cpu_select_place (const gpr_selection *s, int64_t j, int k, int64_t numbers, gpr_select_place *at);
void gpr_cpu_select_put (const gpr_selection *s, int64_t j, int k, const gpr_select_place *at, u64 low, u64 high);
u64 gpr_cpu_least_key (const u64 *v, int64_t n);

gpr_status gpr_cpu_select_long (const void *problem, int64_t j, int threads);

/* What processes that have a column's rows together do.  */
typedef struct {
  /* Adds up the tables of all, and takes the least and the greatest key of all.  */
  gpr_status (*add) (int64_t *table, int64_t digits, u64 *least, u64 *greatest);
  /* kept, unless NULL: this process's keys become those of all, inside of them; the least of what lies above.  */
  gpr_status (*gather) (u64 *kept, int64_t own, int64_t inside, u64 *above);
} gpr_select_together;

enum { GPR_SELECT_FEW = 1 << 16 };      /* keys that are selected from without counting further */

/* For columns of so many rows, by digits of so many bits: of the CPU, not begun.  */
gpr_key_reading gpr_cpu_key_reading (const gpr_selection *s, int64_t rows, int digit);
/* Of columns of s->length rows in all, those of which that are here k reads, which has begun.  */
gpr_status gpr_cpu_select_together (const gpr_selection *s, gpr_key_reading *k, const gpr_select_together *others);

#endif
