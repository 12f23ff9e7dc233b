/* "scatter": the gateway of gpu_accumarray.  */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../cpu/cpu.h"
#include "divided.h"
#include "scatter.h"

static bool
is_number (const gpr_array *a)
{
  return ! a->complex && (gpr_class_is_integer (a->class) || a->class == GPR_CLASS_double || a->class == GPR_CLASS_single);
}

static bool
read_subscripts (const gpr_call *c, gpr_scatter_request *r)
{
  const mxArray *m = c->rhs[0];
  if (mxIsCell (m))
    {
      size_t count = mxGetNumberOfElements (m);
      if (count < 2 || count > GPR_SCATTER_COLUMNS || mxGetNumberOfDimensions (m) > 2
          || (mxGetM (m) != 1 && mxGetN (m) != 1))
        return false;
      r->columns = (int) count;
      for (int i = 0; i < r->columns; i++)
        {
          const mxArray *column = mxGetCell (m, i);
          if (! column || ! gpr_mx_array (c, column, &r->subs[i]) || ! is_number (&r->subs[i])
              || gpr_array_numel (&r->subs[i]) != gpr_array_numel (&r->subs[0]))
            return false;
        }
      r->n = gpr_array_numel (&r->subs[0]);
    }
  else
    {
      gpr_array *a = &r->subs[0];
      if (! gpr_mx_array (c, m, a) || ! is_number (a) || a->ndims != 2 || (a->dims[1] > GPR_SCATTER_COLUMNS && ! c->divided))
        return false;
      r->one_array = true;
      r->n = a->dims[0];
      r->columns = (int) a->dims[1];
    }
  if (c->divided)               /* a rank may have no rows */
    r->columns = c->divided->columns <= GPR_SCATTER_COLUMNS ? (int) c->divided->columns : 0;
  return (r->n > 0 || c->divided) && r->columns > 0;
}

static bool
read_values (const gpr_call *c, gpr_scatter_request *r)
{
  gpr_array *v = &r->values;
  if (! gpr_mx_array (c, c->rhs[1], v) || v->class == GPR_CLASS_char)
    return false;
  int64_t n = gpr_array_numel (v);
  bool vector = n == 1;
  for (int d = 0; d < v->ndims; d++)
    vector |= v->dims[d] == n;
  return vector && (n == 1 || n == r->n);
}

static bool
given (const gpr_call *c, int i)
{
  return c->nrhs > i && ! (gpr_mx_is_gpuarray (c->rhs[i]) ? false : mxIsEmpty (c->rhs[i]));
}

static bool
read_sizes (const gpr_call *c, gpr_scatter_request *r)
{
  gpr_array a;
  if (! given (c, 2))
    return true;
  if (! gpr_mx_array (c, c->rhs[2], &a) || a.home || ! is_number (&a) || a.ndims != 2 || (a.dims[0] != 1 && a.dims[1] != 1))
    return false;
  int64_t count = gpr_array_numel (&a);
  if (count < 2 || count > GPR_MAX_DIMS || (r->columns > 1 && count != r->columns))
    return false;
  r->sizes = (int) count;
  for (int d = 0; d < r->sizes; d++)
    {
      double s = gpr_array_element (&a, d);
      if (! (s >= 1 && s < 0x1p53 && s == floor (s)))
        return false;
      r->size[d] = (int64_t) s;
    }
  return true;
}

static bool
read_operator (const gpr_call *c, gpr_scattering *p)
{
  static const struct { const char *name; gpr_scatter_op op; } functions[] = {
    { "sum", GPR_SCATTER_SUM }, { "prod", GPR_SCATTER_PROD }, { "max", GPR_SCATTER_MAX }, { "min", GPR_SCATTER_MIN },
    { "mean", GPR_SCATTER_SUM }, { "numel", GPR_SCATTER_COUNT }
  };
  mxArray *in[1], *out[1];
  p->op = GPR_SCATTER_SUM;
  if (! given (c, 3))
    return true;
  if (mxGetClassID (c->rhs[3]) != mxFUNCTION_CLASS)
    return false;
  in[0] = (mxArray *) c->rhs[3];
  mexCallMATLAB (1, out, 1, in, "func2str");
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (gpr_mx_option (out[0], functions[i].name))
      {
        p->op = functions[i].op;
        p->mean = strcmp (functions[i].name, "mean") == 0;
        return true;
      }
  return false;
}

/* Takes trailing "order", "builtin" or "tree" off the call, and "device" around it.  */
static void
take_options (gpr_call *c, gpr_scattering *p)
{
  bool taken = false;           /* the last one counts */

  gpr_mx_take_device (c);
  for (; c->nrhs >= 3 && gpr_mx_option (c->rhs[c->nrhs - 2], "order"); c->nrhs -= 2, gpr_mx_take_device (c))
    {
      const mxArray *value = c->rhs[c->nrhs - 1];
      const bool builtin = gpr_mx_option (value, "builtin");
      if (! builtin && ! gpr_mx_option (value, "tree"))
        gpr_mx_invalid (c, "order must be \"tree\" or \"builtin\"");
      p->builtin_order = taken ? p->builtin_order : builtin;
      taken = true;
    }
}

static bool
read_rest (const gpr_call *c, gpr_scatter_request *r)
{
  gpr_array a;
  r->fill = 0;
  if (given (c, 4))
    {
      if (! gpr_mx_array (c, c->rhs[4], &a) || a.home || a.complex || a.class != GPR_CLASS_double || gpr_array_numel (&a) != 1)
        return false;
      r->fill = gpr_array_element (&a, 0);
    }
  if (given (c, 5))                             /* ISSPARSE */
    return gpr_mx_array (c, c->rhs[5], &a) && ! a.home && (is_number (&a) || a.class == GPR_CLASS_logical)
           && gpr_array_numel (&a) == 1 && gpr_array_element (&a, 0) == 0;
  return true;
}

/* ---- classes, beginnings and gaps -------------------------------------------------- */

/* x as Octave converts it: rounded half away from 0, held to the range, NaN 0.  */
static union gpr_scatter_cell
cell_of (enum gpr_elem elem, double x)
{
  union gpr_scatter_cell v = { { 0 } };
  switch (elem)
    {
#define INTEGER(T, LOW, HIGH) \
    case GPR_##T: \
      { \
        double y = round (x); \
        v.T = y != y ? 0 : y <= (double) (LOW) ? (LOW) : y >= (double) (HIGH) ? (HIGH) : (T) y; \
      } \
      break;
    INTEGER (i8, INT8_MIN, INT8_MAX) INTEGER (u8, 0, UINT8_MAX) INTEGER (i16, INT16_MIN, INT16_MAX)
    INTEGER (u16, 0, UINT16_MAX) INTEGER (i32, INT32_MIN, INT32_MAX) INTEGER (u32, 0, UINT32_MAX)
    INTEGER (i64, INT64_MIN, INT64_MAX) INTEGER (u64, 0, UINT64_MAX)
#undef INTEGER
    case GPR_f64: v.f64 = x; break;
    case GPR_f32: v.f32 = (float) x; break;
    case GPR_c128: v.c128.re = x; break;
    case GPR_c64: v.c64.re = (float) x; break;
    default: break;
    }
  return v;
}

/* The sum of one whole number again and again is its product with a count, in any order, as long as
   all sums are exact.  */
static void
count_instead (const gpr_array *v, bool over_ranks, gpr_scattering *p)
{
  if (p->op == GPR_SCATTER_COUNT)
    p->scale = 1;
  else if (! over_ranks && p->op == GPR_SCATTER_SUM && ! p->mean && gpr_array_numel (v) == 1 && ! v->home && ! v->complex
           && v->class != GPR_CLASS_single)
    {
      const double x = gpr_array_element (v, 0);
      if (x != 0 && x == floor (x) && fabs (x) * (double) p->n <= 0x1p53)
        {
          p->op = GPR_SCATTER_COUNT;
          p->scale = x;
        }
    }
}

/* The class of the result, and what the outputs begin with and become without
   elements; false: the built-in's own way.  */
static bool
make_rules (const gpr_scatter_request *r, bool over_ranks, gpr_scattering *p, gpr_class *class)
{
  const gpr_array *v = &r->values;
  const bool max = p->op == GPR_SCATTER_MAX, adds = p->op == GPR_SCATTER_SUM || p->op == GPR_SCATTER_PROD;
  bool start_is_gap;

  count_instead (v, over_ranks, p);
  if (p->op == GPR_SCATTER_COUNT)
    {
      *class = GPR_CLASS_double;
      p->in = p->to = GPR_f64;
      p->gap = cell_of (p->to, r->fill == 0 ? 0 : r->fill);
      p->gaps = r->fill != 0;
      return true;
    }
  if ((v->complex && p->op != GPR_SCATTER_SUM) || (p->mean && (v->class == GPR_CLASS_int64 || v->class == GPR_CLASS_uint64)))
    return false;
  *class = v->class == GPR_CLASS_single || (gpr_class_is_integer (v->class) && ! adds) ? v->class : GPR_CLASS_double;
  gpr_array a = { .class = *class, .complex = v->complex };
  p->in = gpr_array_elem (v);
  p->to = gpr_array_elem (&a);
  p->gap = cell_of (p->to, r->fill);
  if ((p->op == GPR_SCATTER_PROD || p->mean) && *class == GPR_CLASS_single && r->fill != 0)
    return false;                               /* the built-in makes it double */
  if (p->op == GPR_SCATTER_PROD)
    {
      p->start = cell_of (p->to, 1);
      start_is_gap = r->fill == 1;
      if (r->fill == 0)
        p->gap = cell_of (p->to, 0);            /* -0 too */
    }
  else if (adds)
    start_is_gap = r->fill == 0;
  else if (gpr_class_is_integer (v->class))
    {
      p->start = cell_of (p->to, max ? -INFINITY : INFINITY);
      start_is_gap = isnan (r->fill) || memcmp (&p->start, &p->gap, sizeof p->gap) == 0;
    }
  else if (v->class == GPR_CLASS_logical)
    {
      p->start = cell_of (p->to, ! max);
      start_is_gap = isnan (r->fill) || r->fill == ! max;
    }
  else
    {
      p->start = cell_of (p->to, gpr_make_nan ());
      start_is_gap = true;
      p->from_zero = r->fill == 0;
    }
  p->gaps = ! start_is_gap;
  return true;
}

/* ---- the call ------------------------------------------------------------------------ */

/* Where column i is for the backend; *copy as gpr_reach has it, one for all
   columns of one array.  */
static gpr_status
reach_column (const gpr_scatter_request *r, int i, const gpr_choice *choice, gpr_scattering *p, void **copy)
{
  const gpr_array *a = &r->subs[r->one_array ? 0 : i];
  gpr_scatter_column *column = &p->column[i];

  column->elem = gpr_array_elem (a);
  if (r->one_array && i > 0)
    {
      column->at = (const char *) p->column[0].at + i * r->n * gpr_elem_bytes[column->elem];
      p->column_resident[i] = p->column_resident[0];
      return GPR_OK;
    }
  gpr_status status = gpr_reach (a, choice, &column->at, &p->column_resident[i], copy);
  if (p->column_resident[i])
    p->resident = column->at;
  return status;
}

gpr_status
gpr_scatter_find_sizes (gpr_scatter_request *r, const gpr_choice *choice, bool *bad)
{
  void *copies[GPR_SCATTER_COLUMNS] = { NULL };
  gpr_scattering all = { 0 };
  gpr_status status = GPR_OK;

  for (int i = 0; i < r->columns && status == GPR_OK; i++)
    status = reach_column (r, i, choice, &all, &copies[i]);
  for (int i = 0; i < r->columns && status == GPR_OK && ! *bad; i++)
    {
      gpr_scattering p = { .n = r->n, .columns = 1, .column = { all.column[i] }, .column_resident = { all.column_resident[i] },
                           .resident = all.resident };
      p.column[0].size = ((int64_t) 1 << 53) - 1;
      status = (all.column_resident[i] ? choice->backend : &gpr_cpu_backend)->scatter (&p);
      *bad |= p.bad;
      r->size[i] = p.column[0].size;
    }
  for (int i = 0; i < r->columns; i++)
    free (copies[i]);
  return status;
}

gpr_status
gpr_scatter_run (const gpr_scatter_request *r, const gpr_choice *choice, gpr_scattering *p)
{
  void *copies[GPR_SCATTER_COLUMNS + 1] = { NULL };
  gpr_status status = GPR_OK;

  for (int i = 0; i < r->columns && status == GPR_OK; i++)
    status = reach_column (r, i, choice, p, &copies[i]);
  if (p->op == GPR_SCATTER_COUNT)
    p->values = &p->scale;
  else if (status == GPR_OK)
    status = gpr_reach (&r->values, choice, &p->values, &p->values_resident, &copies[r->columns]);
  if (p->values_resident)
    p->resident = p->values;
  if (status == GPR_OK)
    status = choice->backend->scatter (p);
  for (int i = 0; i <= r->columns; i++)
    free (copies[i]);
  return status;
}

bool
gpr_scatter_make_sizes (gpr_scatter_request *r, gpr_scattering *p, gpr_array *z)
{
  const int64_t most = (int64_t) 1 << 48;
  int64_t total = 1;

  z->ndims = r->sizes ? r->sizes : r->columns;
  memcpy (z->dims, r->size, sizeof r->size);
  if (z->ndims == 1)
    z->dims[z->ndims++] = 1;
  for (int d = 0; d < z->ndims; d++)
    {
      if (z->dims[d] > most / total)
        return false;
      total *= z->dims[d];
    }
  p->columns = r->columns;
  for (int i = 0; i < r->columns; i++)
    p->column[i].size = r->columns == 1 ? total : r->size[i];
  gpr_array_trim (z);
  return true;
}

/* Also gpuArrays within a cell, which __gpr_builtin__ does not look into.  */
static void
ask_builtin (gpr_call *c)
{
  if (c->divided)
    gpr_mx_not_yet (c, "a call that is left to the built-in does");
  if (c->nrhs > 0 && mxIsCell (c->rhs[0]))
    {
      mxArray *cell = mxDuplicateArray (c->rhs[0]);
      for (size_t i = 0; i < mxGetNumberOfElements (cell); i++)
        {
          mxArray *in[1] = { mxGetCell (c->rhs[0], i) }, *out[1];
          if (in[0] && gpr_mx_is_gpuarray (in[0]))
            {
              mexCallMATLAB (1, out, 1, in, "gather");
              mxSetCell (cell, i, out[0]);
            }
        }
      c->rhs[0] = cell;
    }
  gpr_mx_ask_builtin (c);
}

void
gpr_mx_scatter (gpr_call *c)
{
  double start = gpr_now_ms ();
  gpr_scatter_request r = { 0 };
  gpr_scattering p = { 0 };
  gpr_array z = { 0 };
  bool bad = false;

  strcpy (c->caller, "gpu_accumarray");
  c->builtin = "accumarray";
  for (int i = 0; i < c->nrhs; i++)
    c->rhs[i] = gpr_mx_collected (c, c->rhs[i]);
  take_options (c, &p);
  if (c->nrhs < 2 || c->nrhs > 6 || ! read_subscripts (c, &r) || ! read_values (c, &r) || ! read_sizes (c, &r)
      || ! read_operator (c, &p) || ! read_rest (c, &r) || ! (p.n = r.n, make_rules (&r, c->divided != NULL, &p, &z.class)))
    {
      ask_builtin (c);
      return;
    }

  if (c->divided)
    {
      gpr_scatter_rows (c, &r, &p, &z);
      return;
    }
  const gpr_array *resident = &r.subs[0];
  for (int i = 1; i < r.columns && ! r.one_array && ! resident->home; i++)
    resident = r.subs[i].home ? &r.subs[i] : resident;
  bool keep = resident->home || r.values.home;
  gpr_choice choice = gpr_mx_choose (c, resident, &r.values, GPR_WORK_SCATTER, 1);
  if (r.sizes == 0)
    {
      gpr_status found = gpr_scatter_find_sizes (&r, &choice, &bad);
      if (found != GPR_OK)
        gpr_mx_raise (c, found);
    }
  if (bad || ! gpr_scatter_make_sizes (&r, &p, &z))
    {
      ask_builtin (c);          /* its error */
      return;
    }
  gpr_output out;
  z.complex = r.values.complex && p.op != GPR_SCATTER_COUNT;
  gpr_mx_output (&out, &z, keep && gpr_array_numel (&z) != 1, ! z.complex);

  /* ------------------------------------------------------------------------ */
  p.repeated = gpr_array_numel (&r.values) == 1 || p.op == GPR_SCATTER_COUNT;
  gpr_status status = gpr_outputs_allocate (&out, 1, &choice);
  p.out = out.data;
  p.out_resident = out.resident;
  if (status == GPR_OK)
    status = gpr_scatter_run (&r, &choice, &p);
  if (p.bad && out.resident)
    choice.backend->release (out.data);
  else
    status = gpr_outputs_finish (&out, 1, &choice, status);
  gpr_note_call (c, &choice, start, NULL);
  /* ------------------------------------------------------------------------ */

  if (status != GPR_OK)
    gpr_mx_raise (c, status);
  if (p.bad)
    {
      if (! out.resident)
        mxDestroyArray (out.host);
      ask_builtin (c);          /* its error */
      return;
    }
  gpr_mx_deliver (c, &c->plhs[0], &choice, &out);
}
