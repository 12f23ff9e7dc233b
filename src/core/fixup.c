/* A reduction from start to end: the backend's reduction, and then a fix-up of results that the
   tree may have got otherwise than the built-in.

   A sum, product or mean that is not finite: the inputs say whether it is NaN or NA (a GPU does not
   keep the bits of a NaN, so any NA gives NA); an infinity stands where an input explains it;
   and what overflowed or underflowed inside the tree is computed again in the built-in's
   order; a variance of finite inputs overflowed.  A norm whose squares left the range is taken again by scaled ones.  A maximum or minimum that is zero, or perhaps of NaNs alone, is taken again with its index,
   which finds the first zero's sign.  */

#include <stdlib.h>

#include "gpr.h"

static int
kind_of (enum gpr_instance instance)
{
  return gpr_instances[instance].traits & GPR_FIXUP_MASK;
}

static bool
omits_nan (enum gpr_instance instance)
{
  return gpr_instances[instance].traits & GPR_OMITS_NAN;
}

static bool
is_complex_elem (enum gpr_elem e)
{
  return e == GPR_c128 || e == GPR_c64;
}

/* Sets a real result that is not finite (or, of a product, small) to what the special values among
   its inputs make it.  False: they do not explain it.  */
static bool
explained (int kind, unsigned seen, double *y)
{
  bool up = seen & GPR_SEEN_POSINF, down = seen & GPR_SEEN_NEGINF;

  /* The absolute value of a complex number is infinite beside a NaN too.  */
  if (kind == GPR_FIXUP_SQUARES && seen & GPR_SEEN_NAN && *y == HUGE_VAL)
    return true;
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
    case GPR_FIXUP_SPREAD:              /* else of squares beyond all numbers, or of no element */
      if (up || down)
        *y = gpr_make_nan ();
      return true;
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

/* Whether a result is not finite, or a product below the normal numbers.  */
static bool
needs_look (int kind, double y, bool single)
{
  return ! (fabs (y) <= (single ? FLT_MAX : DBL_MAX)) || (kind == GPR_FIXUP_PRODUCT && fabs (y) < (single ? FLT_MIN : DBL_MIN));
}

/* The instance that finds special values in the input; NONE for integers, which have
   none.  */
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

/* Where the elements of single outputs are read on the host: in place, or from a copy of resident
   memory, of the slab of their outer index and of some after it, or of one output's elements.  */
typedef struct { const gpr_backend *b; const gpr_reduction *r; void *copy; int64_t first, outers; } column_source;

static gpr_status
column (column_source *s, int64_t at, const char **x, int64_t *stride)
{
  const gpr_reduction *r = s->r;
  int bytes = gpr_instances[r->instance].elem_bytes;
  int64_t o = at / r->inner, c = at % r->inner;
  size_t slab = (size_t) r->inner * r->length * bytes;
  *stride = r->inner;
  if (r->x_resident && s->b->column)
    {
      const size_t elements = (size_t) r->length * bytes;
      if (! s->copy && ! (s->copy = malloc (elements)))
        return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", elements);
      *stride = 1;
      *x = s->copy;
      return s->b->column (r, at, s->copy);
    }
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

/* seen[i] gets the special values among the inputs of output i.  */
static gpr_status
look_at_inputs (const gpr_backend *b, const gpr_reduction *r, uint32_t *seen)
{
  gpr_reduction look = *r;
  look.instance = seen_instance (r->instance);
  look.value = seen;
  look.index = NULL;
  look.out_resident = false;
  return look.instance != GPR_INSTANCE_NONE && r->length > 0 ? b->reduce (&look) : GPR_OK;
}

/* Fixes up the real numbers, one or two, that are a result whose inputs have these special values.
   True: it must be computed again.  */
static bool
fix_up_result (const gpr_reduction *r, int kind, unsigned seen, bool complex_value, bool single, void *values, int64_t i)
{
  const int parts = complex_value ? 2 : 1;
  bool again = false;
  if (kind == GPR_FIXUP_PRODUCT && seen_instance (r->instance) == GPR_INSTANCE_NONE)
    seen = GPR_SEEN_ZERO;       /* nothing else makes a product of integers 0 */
  for (int part = 0; part < parts; part++)
    {
      int64_t at = parts * i + part;
      double y = get_real (values, at, single);
      unsigned bits = complex_value ? seen >> (part ? GPR_SEEN_IMAG : 0) & 255 : (seen | seen >> GPR_SEEN_IMAG) & 255;
      if (omits_nan (r->instance))
        bits &= ~(unsigned) (GPR_SEEN_NAN | GPR_SEEN_NA);
      if (! needs_look (kind, y, single))
        continue;
      if (complex_value && (kind == GPR_FIXUP_PRODUCT || kind == GPR_FIXUP_TERMS))
        again = true;
      else if (explained (kind, bits, &y))
        put_real (values, at, single, y);
      else
        again = true;
    }
  return again;
}

/* In the built-in's order, the elements of some rows after the other where they come so.  A NaN that no input explains is the one that
   the device makes: processors set its sign.  */
static gpr_status
compute_again (column_source *source, void *values, int64_t i, bool complex_value, bool single)
{
  const gpr_reduction *r = source->r;
  const int bytes = gpr_instances[r->instance].elem_bytes;
  const bool some = r->x_resident && source->b->rows;
  const int64_t most = some ? ((int64_t) 1 << 20) / bytes : r->length, at_once = most < r->length ? most : r->length;
  char acc[GPR_ACC_BYTES] __attribute__ ((aligned (16)));
  gpr_status status = GPR_OK;

  if (some && ! source->copy && ! (source->copy = malloc (at_once * bytes)))
    return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", (size_t) (at_once * bytes));
  gpr_plain_begin (r->instance, acc);
  for (int64_t row = 0; row < r->length && status == GPR_OK && ! gpr_interrupted (); row += at_once)
    {
      const int64_t rows = r->length - row < at_once ? r->length - row : at_once;
      const char *x = source->copy;
      int64_t stride = 1;
      status = some ? source->b->rows (r, i, row, rows, source->copy) : column (source, i, &x, &stride);
      if (status == GPR_OK)
        gpr_plain_take (r->instance, acc, x, stride, rows);
    }
  if (status != GPR_OK)
    return status;
  gpr_plain_finish (r->instance, acc, r->divisor, (char *) values + i * gpr_instances[r->instance].value_bytes);
  if (! complex_value && isnan (get_real (values, i, single)))
    put_real (values, i, single, gpr_make_nan ());
  return GPR_OK;
}

static gpr_status
fix_up_values (const gpr_backend *b, const gpr_reduction *r, int kind, void *values)
{
  const gpr_instance_info *info = &gpr_instances[r->instance];
  const int64_t outputs = r->inner * r->outer;
  const bool complex_value = is_complex_elem (info->elem) && kind != GPR_FIXUP_SQUARES && kind != GPR_FIXUP_SPREAD;
  const bool single = info->value_bytes == (complex_value ? (int) sizeof (c64) : (int) sizeof (float));
  column_source source = { b, r, NULL, 0, 0 };
  uint32_t *seen = calloc (outputs, sizeof *seen + sizeof (bool));

  if (! seen)
    return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", (size_t) outputs * sizeof *seen);
  bool *open = (bool *) (seen + outputs);
  const bool left = gpr_settle_products (r, values, open);
  gpr_status status = left ? look_at_inputs (b, r, seen) : GPR_OK;
  if (gpr_interrupted ())
    status = gpr_fail (GPR_INTERRUPTED, "interrupted");
  for (int64_t i = 0; left && i < outputs && status == GPR_OK; i++)
    if (open[i] && fix_up_result (r, kind, seen[i], complex_value, single, values, i) && r->length > 0)
      {
        status = compute_again (&source, values, i, complex_value, single);
        if (gpr_interrupted ())
          status = gpr_fail (GPR_INTERRUPTED, "interrupted");
      }
  free (source.copy);
  free (seen);
  return status;
}

/* A reduction of products of two arrays, again: of an array of the products, from which results are
   then fixed up.  */
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

/* Norms whose squares left the range, by the scaled instance.  The others stay as they are: what is in another column changes no bit.  */
static gpr_status
scale_norms (const gpr_backend *b, const gpr_reduction *r, double *values)
{
  const int64_t outputs = r->inner * r->outer;
  gpr_reduction again = *r;
  double *scaled = malloc (outputs * sizeof *scaled);

  again.instance = gpr_instance_scaled (r->instance);
  again.value = scaled;
  again.out_resident = false;
  gpr_status status = scaled ? gpr_reduce (b, &again) : gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", (size_t) outputs * sizeof *scaled);
  for (int64_t i = 0; i < outputs && status == GPR_OK; i++)
    if (! GPR_NORM_IS_SURE (values[i]))
      values[i] = scaled[i];
  free (scaled);
  return status;
}

gpr_status
gpr_reduce (const gpr_backend *b, gpr_reduction *r)
{
  gpr_status status = r->exact ? b->exact (r) : b->reduce (r);
  int kind = kind_of (r->instance);

  if (status != GPR_OK || r->exact || ! r->needs_fixup || kind == GPR_FIXUP_NONE)
    return status;
  if (r->y)
    return reduce_products (b, r);
  if (gpr_instances[r->instance].traits & GPR_BOTH_EXTREMES)
    return gpr_fix_up_bounds (b, r);
  if (kind == GPR_FIXUP_BY_INDEX)
    {
      gpr_reduction again = *r;
      again.instance = gpr_instance_with_index (r->instance);
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
    status = gpr_instances[r->instance].traits & GPR_UNSCALED ? scale_norms (b, r, values) : fix_up_values (b, r, kind, values);
  if (r->out_resident)
    {
      if (status == GPR_OK)
        status = b->upload (r->value, values, bytes);
      free (values);
    }
  return status;
}
