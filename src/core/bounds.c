/* Bounds and ranges that their values leave open: which NaN stands for a column of NaN, and the sign
   of a bound that is zero.  The least and the greatest with their indices, a reading each, decide.  */

#include <stdlib.h>
#include <string.h>

#include "gpr.h"
#include "operators.h"

static gpr_status
difference (const gpr_backend *b, const gpr_reduction *r, const void *most, const void *least, void *z)
{
  const int64_t count = r->inner * r->outer, one = 1;
  gpr_pairing p = { .elem = gpr_instances[r->instance].elem, .op = GPR_PAIR_MINUS, .rank = 1, .dims = &count, .xs = &one, .ys = &one,
                    .x = most, .y = least, .x_resident = r->apart, .y_resident = r->apart, .z = z, .out_resident = r->apart };
  return b->pair (&p);
}

gpr_status
gpr_fix_up_bounds (const gpr_backend *b, gpr_reduction *r)
{
  const gpr_instance_info *f = &gpr_instances[r->instance];
  const int64_t count = r->inner * r->outer;
  const size_t bytes = (size_t) count * f->elem_bytes;
  const bool direct = r->apart && r->divisor == 0;      /* else three arrays: least, greatest, difference */
  char *own = NULL, *least = r->value, *most = r->most;
  gpr_status status = GPR_OK;

  if (! direct && r->apart)
    status = b->allocate ((void **) &own, 2 * bytes);
  else if (! direct && ! (own = malloc (3 * bytes)))
    status = gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", 3 * bytes);
  if (status != GPR_OK)
    return status;
  if (! direct)
    {
      least = own;
      most = own + bytes;
    }

  gpr_reduction again = *r;
  again.divisor = 0;
  again.apart = false;
  again.most = NULL;
  again.instance = gpr_extreme_instance (false, true, f->elem);
  again.value = least;
  status = b->reduce (&again);
  again.instance = gpr_extreme_instance (true, true, f->elem);
  again.value = most;
  if (status == GPR_OK && most)
    status = b->reduce (&again);
  char *first = r->divisor == 0 ? least : r->apart ? r->value : own + 2 * bytes;
  if (status == GPR_OK && r->divisor != 0)
    status = difference (b, r, most, least, first);
  for (int64_t i = 0, e = f->elem_bytes; status == GPR_OK && ! r->apart && i < count; i++)
    {
      memcpy ((char *) r->value + 2 * i * e, first + i * e, e);
      memcpy ((char *) r->value + (2 * i + 1) * e, most + i * e, e);
    }
  if (r->apart)
    b->release (own);
  else
    free (own);
  return status;
}
