/* A reduction from start to end: the backend's reduction, then a second look at
   results that the tree may have got otherwise than the built-in.

   A sum, product or mean that is not finite: NaN and NA are fixed up from the
   inputs (a GPU keeps no payloads: any NA gives NA), an infinity stands when
   an input explains it, and what overflowed or underflowed inside the tree is
   computed again in the built-in's order.  A maximum that is a zero or the
   identity is taken again with its place: the first zero's sign, all NaN.  */

#include <stdlib.h>

#include "operators.h"

static int
kind_of (enum gpr_instance instance)
{
  return gpr_instances[instance].traits & GPR_FIXUP_MASK;
}

static bool
omits_nan (enum gpr_instance instance)
{
  return gpr_instances[instance].traits & GPR_OMITS;
}

static bool
is_complex_elem (enum gpr_elem e)
{
  return e == GPR_c128 || e == GPR_c64;
}

/* What the inputs say about one real result that is not finite (or, of a
   product, small).  False: they do not explain it.  */
static bool
explained (int kind, unsigned seen, double *y)
{
  bool up = seen & GPR_SEEN_POSINF, down = seen & GPR_SEEN_NEGINF;

  if (seen & GPR_SEEN_NAN)
    {
      *y = seen & GPR_SEEN_NA ? gpr_make_na () : gpr_make_nan ();
      return true;
    }
  switch (kind)
    {
    case GPR_FIXUP_SUM:
      if (up && down)
        *y = gpr_make_nan ();
      else if (up || down)
        return *y == (up ? HUGE_VAL : -HUGE_VAL);
      return up && down;
    case GPR_FIXUP_EXTRA:
      if (up || down)
        *y = gpr_make_nan ();
      return up || down;
    case GPR_FIXUP_SQUARES:
      return (up || down) && *y == HUGE_VAL;
    case GPR_FIXUP_PRODUCT:
      if ((up || down) && seen & GPR_SEEN_ZERO)
        *y = gpr_make_nan ();
      else if (up || down)
        return fabs (*y) == HUGE_VAL;
      else
        return seen & GPR_SEEN_ZERO && *y == 0;
      return true;
    default:
      return false;
    }
}

static double
get_real (const void *values, int64_t i, bool single)
{
  return single ? ((const float *) values)[i] : ((const double *) values)[i];
}

static void
put_real (void *values, int64_t i, bool single, double y)
{
  if (! single)
    ((double *) values)[i] = y;
  else if (gpr_na_f64 (y))
    ((uint32_t *) values)[i] = 0x7FC207A2u;
  else
    ((float *) values)[i] = (float) y;
}

static bool
needs_look (int kind, double y, bool single)
{
  return ! (fabs (y) <= (single ? FLT_MAX : DBL_MAX)) || (kind == GPR_FIXUP_PRODUCT && fabs (y) < (single ? FLT_MIN : DBL_MIN));
}

/* The reduction that tells what is in the input, or NONE for integers, whose
   results are explained by nothing.  */
static enum gpr_instance
seen_instance (enum gpr_instance instance)
{
  switch (gpr_instances[instance].elem)
    {
    case GPR_f64: return GPR_seen_f64;
    case GPR_f32: return GPR_seen_f32;
    case GPR_c128: return omits_nan (instance) ? GPR_seenomit_c128 : GPR_seen_c128;
    case GPR_c64: return omits_nan (instance) ? GPR_seenomit_c64 : GPR_seen_c64;
    default: return GPR_INSTANCE_NONE;
    }
}

/* Rows of one output, on the host: in place, or copied down with those of its outer
   index and of some after it.  */
typedef struct { const gpr_backend *b; const gpr_reduction *r; void *copy; int64_t first, outers; } column_source;

static gpr_status
column (column_source *s, int64_t at, const char **x)
{
  const gpr_reduction *r = s->r;
  int bytes = gpr_instances[r->instance].elem_bytes;
  int64_t o = at / r->inner, c = at % r->inner;
  size_t slab = (size_t) r->inner * r->length * bytes;
  if (! r->x_resident)
    {
      *x = (const char *) r->x + o * slab + c * bytes;
      return GPR_OK;
    }
  const size_t at_once = (size_t) 16 << 20;
  int64_t most = slab < at_once ? (int64_t) (at_once / slab) : 1;
  most = most < r->outer ? most : r->outer;
  if (! s->copy && ! (s->copy = malloc (most * slab)))
    return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", most * slab);
  if (o < s->first || o >= s->first + s->outers)
    {
      int64_t outers = most < r->outer - o ? most : r->outer - o;
      gpr_status status = s->b->download (s->copy, (const char *) r->x + o * slab, outers * slab);
      if (status != GPR_OK)
        return status;
      s->first = o;
      s->outers = outers;
    }
  *x = (const char *) s->copy + (o - s->first) * slab + c * bytes;
  return GPR_OK;
}

static gpr_status
fix_up_values (const gpr_backend *b, const gpr_reduction *r, int kind, void *values)
{
  const gpr_instance_info *info = &gpr_instances[r->instance];
  int64_t outputs = r->inner * r->outer;
  bool complex_input = is_complex_elem (info->elem);
  bool complex_value = complex_input && kind != GPR_FIXUP_SQUARES;
  bool single = info->value_bytes == (complex_value ? (int) sizeof (c64) : (int) sizeof (float));
  column_source source = { b, r, NULL, 0, 0 };
  gpr_status status = GPR_OK;
  uint32_t *seen = calloc (outputs, sizeof *seen);

  if (! seen)
    return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", (size_t) outputs * sizeof *seen);
  if (seen_instance (r->instance) != GPR_INSTANCE_NONE && r->length > 0)
    {
      gpr_reduction look = *r;
      look.instance = seen_instance (r->instance);
      look.value = seen;
      look.index = NULL;
      look.out_resident = false;
      status = b->reduce (&look);
    }
  for (int64_t i = 0; i < outputs && status == GPR_OK; i++)
    {
      bool plain = false;
      int parts = complex_value ? 2 : 1;
      for (int part = 0; part < parts; part++)
        {
          int64_t at = parts * i + part;
          double y = get_real (values, at, single);
          unsigned bits = complex_value ? seen[i] >> (part ? GPR_SEEN_IMAG : 0) & 255
                                        : (seen[i] | seen[i] >> GPR_SEEN_IMAG) & 255;
          if (omits_nan (r->instance))
            bits &= ~(unsigned) (GPR_SEEN_NAN | GPR_SEEN_NA);
          if (! needs_look (kind, y, single))
            continue;
          if (complex_value && (kind == GPR_FIXUP_PRODUCT || kind == GPR_FIXUP_TERMS))
            plain = true;
          else if (explained (kind, bits, &y))
            put_real (values, at, single, y);
          else
            plain = true;
        }
      if (plain && r->length > 0)
        {
          const char *x = NULL;
          status = column (&source, i, &x);
          if (status == GPR_OK)
            gpr_cpu_plain (r->instance, x, r->inner, r->length, r->divisor, (char *) values + i * info->value_bytes);
          if (gpr_interrupted ())
            status = gpr_fail (GPR_INTERRUPTED, "interrupted");
        }
    }
  free (source.copy);
  free (seen);
  return status;
}

/* The same of an array of products: what is not finite is fixed up from them.  */
static gpr_status
reduce_products (const gpr_backend *b, gpr_reduction *r)
{
  const gpr_instance_info *info = &gpr_instances[r->instance];
  const int64_t count = r->inner * r->length * r->outer, one = 1;
  size_t bytes = (size_t) count * info->elem_bytes;
  void *products = NULL;
  gpr_status status = GPR_OK;

  if (r->x_resident)
    status = b->allocate (&products, bytes);
  else if (! (products = malloc (bytes)))
    status = gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", bytes);
  if (status == GPR_OK)
    {
      gpr_pairing p = { .elem = info->elem, .op = GPR_PAIR_TIMES, .rank = 1, .dims = &count, .xs = &one, .ys = &one,
                        .x = r->x, .y = r->y, .x_resident = r->x_resident, .y_resident = r->x_resident,
                        .z = products, .out_resident = r->x_resident };
      gpr_reduction again = *r;
      again.x = products;
      again.y = NULL;
      status = b->pair (&p);
      if (status == GPR_OK)
        status = gpr_reduce (b, &again);
    }
  if (r->x_resident)
    b->release (products);
  else
    free (products);
  return status;
}

gpr_status
gpr_reduce (const gpr_backend *b, gpr_reduction *r)
{
  gpr_status status = b->reduce (r);
  int kind = kind_of (r->instance);

  if (status != GPR_OK || ! r->needs_fixup || kind == GPR_FIXUP_NONE)
    return status;
  if (r->y)
    return reduce_products (b, r);
  if (kind == GPR_FIXUP_EXTREME)
    {
      gpr_reduction again = *r;
      again.instance = gpr_extreme_instance (gpr_instances[r->instance].traits & GPR_MAXIMUM, true, gpr_instances[r->instance].elem);
      return b->reduce (&again);
    }

  size_t bytes = (size_t) (r->inner * r->outer) * gpr_instances[r->instance].value_bytes;
  void *values = r->value;
  if (r->out_resident)
    {
      values = malloc (bytes);
      if (! values)
        return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", bytes);
      status = b->download (values, r->value, bytes);
    }
  if (status == GPR_OK)
    status = fix_up_values (b, r, kind, values);
  if (r->out_resident)
    {
      if (status == GPR_OK)
        status = b->upload (r->value, values, bytes);
      free (values);
    }
  return status;
}
