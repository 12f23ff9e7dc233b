/* accumarray of rows that are divided over ranks: each rank has a table of its rows, and the tables are put together, in the ranks' order.
   So sums must be exact in any order: of whole numbers whose sizes add up to no more than what their class counts to.  */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../cpu/cpu.h"
#include "../cpu/scatter.h"
#include "ranks.h"

static _Thread_local const gpr_scattering *merging;   /* the call in hand */

static void
merge (void *to, const void *from, int64_t count)
{
  gpr_scatter_merge (merging, to, from, count);
}

static gpr_status
no_memory (size_t bytes)
{
  return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", bytes);
}

/* ---- exact sums ------------------------------------------------------------------------------ */

/* What numbers add up to without their signs; NaN: they are not whole.  */
static double
sizes_of (const gpr_scattering *p)
{
  const int64_t parts = p->in == GPR_c128 || p->in == GPR_c64 ? 2 : 1, numbers = parts * (p->repeated ? 1 : p->n);
  double sum = 0;

  if (p->n == 0)
    return 0;
  switch (p->in)
    {
#define ADD(T, FROM) \
    case GPR_##T: \
      for (int64_t i = 0; i < numbers; i++) \
        { \
          const double v = (double) ((const FROM *) p->values)[i]; \
          sum += v == floor (v) ? fabs (v) : NAN; \
        } \
      break;
    ADD (f64, f64) ADD (f32, f32) ADD (c128, f64) ADD (c64, f32) ADD (i8, i8) ADD (u8, u8) ADD (i16, i16) ADD (u16, u16)
    ADD (i32, i32) ADD (u32, u32) ADD (i64, i64) ADD (u64, u64)
#undef ADD
    default: return NAN;
    }
  return p->repeated ? sum * (double) p->n : sum;
}

/* The same on all ranks.  */
static gpr_status
check_sums (const gpr_scattering *p)
{
  /* Half of what is exact, since these sums are rounded.  */
  const double most = p->to == GPR_f32 || p->to == GPR_c64 ? 0x1p23 : 0x1p52;
  double sum = p->op == GPR_SCATTER_SUM ? sizes_of (p) : 0;
  const gpr_status status = gpr_world_combine (&sum, 1, sizeof sum, gpr_add_doubles);
  if (status == GPR_OK && ! (sum <= most))
    return gpr_fail (GPR_UNSUPPORTED, "sums that are not exact in any order do not take \"comm\" yet: VALS must be whole numbers, and the sum of "
                     "their sizes at most %g", most);
  return status;
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* This rank's rows alone, without what depends on all.  */
static gpr_status
scatter_own (gpr_scattering *own)
{
  own->bad = own->gaps = own->mean = own->from_zero = false;
  if (own->n > 0)
    return gpr_cpu_scatter (own);
  gpr_scatter_fill (own->to, own->out, own->start, NULL, gpr_scatter_outputs (own));
  return GPR_OK;
}

static gpr_status
count_elements (const gpr_scattering *p, int64_t *counts)
{
  const int64_t outputs = gpr_scatter_outputs (p);
  gpr_scattering own = *p;

  own.op = GPR_SCATTER_COUNT;
  own.in = own.to = GPR_f64;
  own.scale = 1;
  own.values = &own.scale;
  own.repeated = true;
  own.start = (union gpr_scatter_cell) { { 0 } };
  own.out = counts;             /* as doubles first, which are as wide */
  gpr_status status = scatter_own (&own);
  for (int64_t i = 0; i < outputs && status == GPR_OK; i++)
    {
      double n;
      memcpy (&n, &counts[i], sizeof n);
      counts[i] = (int64_t) n;
    }
  return status == GPR_OK ? gpr_world_combine (counts, outputs, sizeof *counts, gpr_add_integers) : status;
}

/* What hangs on the elements of all ranks.  */
static gpr_status
finish (gpr_scattering *p)
{
  const int64_t outputs = gpr_scatter_outputs (p);
  int64_t beyond = p->from_zero && p->n > 0 && ! gpr_scatter_one_side (p, 0, p->n);
  gpr_status status = gpr_world_combine (&beyond, 1, sizeof beyond, gpr_add_integers);

  if (status == GPR_OK && p->from_zero && ! beyond)
    gpr_scatter_from_zero (p->to, p->out, outputs);
  if (status != GPR_OK || ! (p->gaps || p->mean))
    return status;
  int64_t *counts = malloc (outputs * sizeof *counts + 1);
  status = counts ? count_elements (p, counts) : no_memory (outputs * sizeof *counts);
  if (status == GPR_OK && p->mean)
    gpr_scatter_divide (p->to, p->out, counts, outputs);
  if (status == GPR_OK && p->gaps)
    gpr_scatter_fill (p->to, p->out, p->gap, counts, outputs);
  free (counts);
  return status;
}

static gpr_status
scatter (gpr_scattering *p)
{
  gpr_scattering own = *p;
  gpr_status status = scatter_own (&own);
  int64_t bad = own.bad;

  if (status == GPR_OK)
    status = gpr_world_combine (&bad, 1, sizeof bad, gpr_add_integers);
  p->bad = bad != 0;
  if (status != GPR_OK || p->bad)
    return status;
  merging = p;
  status = gpr_world_combine (p->out, gpr_scatter_outputs (p), gpr_elem_bytes[p->to], merge);
  return status == GPR_OK ? finish (p) : status;
}

gpr_status
gpr_ranks_scatter (gpr_scattering *p)
{
  gpr_status status = check_sums (p);

  if (status == GPR_UNSUPPORTED)        /* on all ranks */
    return status;
  if (status == GPR_OK)
    status = scatter (p);
  if (status != GPR_OK)
    gpr_world_leave (status);
  return status;
}
