/* gpu_histcounts (x, nbins or edges, options), and gpu_histcounts2 of pairs.  */

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "divided.h"
#include "fields.h"
#include "histcounts.h"

/* ---- arguments -------------------------------------------------------------------------- */

static bool
is_number (const gpr_call *c, const mxArray *m, gpr_array *x)
{
  if (! gpr_mx_is_real (c, m) || mxIsChar (m))
    return false;
  gpr_mx_full (c, m, x);
  return x->class != GPR_CLASS_char;
}

/* Which of the names, which end with NULL, the text is.  */
static const char *
find_option (const gpr_call *c, const mxArray *m, const char *const *names)
{
  char list[200] = "";

  for (int i = 0; names[i]; i++)
    {
      const size_t used = strlen (list);
      if (gpr_mx_option (m, names[i]))
        return names[i];
      snprintf (list + used, sizeof list - used, "%s, ", names[i]);
    }
  gpr_mx_invalid (c, "unknown option; options are %sdevice (the last)", list);
}

/* What histcounts is called with, from argument 1 on.  */
static gpr_normalization
take_options (const gpr_call *c, gpr_bin_choice *r)
{
  static const char *const names[] = { "BinEdges", "BinLimits", "BinWidth", "NumBins", "BinMethod", "Normalization", NULL };
  gpr_normalization kind = GPR_NORM_COUNT;
  int at = 1;

  if (at < c->nrhs && ! mxIsChar (c->rhs[at]))
    {
      const mxArray *bins = c->rhs[at++];
      if (! (mxIsNumeric (bins) || mxIsLogical (bins)) || mxIsEmpty (bins))
        gpr_mx_invalid (c, "the second argument must be a number of bins, a vector of edges or an option's name");
      gpr_bin_option (c, r, mxGetNumberOfElements (bins) == 1 ? "NumBins" : "BinEdges", bins, GPR_METHODS);
    }
  if ((c->nrhs - at) % 2 != 0)
    gpr_mx_invalid (c, "options must come as pairs of a name and a value");
  for (; at < c->nrhs; at += 2)
    {
      const char *name = find_option (c, c->rhs[at], names);
      if (strcmp (name, "Normalization") == 0)
        kind = gpr_take_normalization (c, c->rhs[at + 1]);
      else
        gpr_bin_option (c, r, name, c->rhs[at + 1], GPR_METHODS);
    }
  return kind;
}

enum { PAIR_METHODS = GPR_METHOD_INTEGERS + 1 };

/* An option of both dimensions: a word or a number for both, or two numbers.  */
static void
set_both (const gpr_call *c, gpr_bin_choice *r, const char *name, const mxArray *value)
{
  const bool two = mxGetNumberOfElements (value) == 2 && (mxIsNumeric (value) || mxIsLogical (value)) && ! mxIsComplex (value);
  const double *v = two ? mxGetData (gpr_mx_reals (c, value, GPR_CLASS_double)) : NULL;

  for (int d = 0; d < 2; d++)
    gpr_bin_option (c, &r[d], name, two ? mxCreateDoubleScalar (v[d]) : value, PAIR_METHODS);
}

/* What histcounts2 is called with, from argument 2 on.  */
static gpr_normalization
take_options_of_pairs (const gpr_call *c, gpr_bin_choice *r)
{
  static const char *const names[] = { "XBinEdges", "YBinEdges", "XBinLimits", "YBinLimits", "BinWidth", "NumBins", "BinMethod",
                                       "Normalization", NULL };
  gpr_normalization kind = GPR_NORM_COUNT;
  int at = 2;

  if (at + 1 < c->nrhs && ! mxIsChar (c->rhs[at]) && ! mxIsChar (c->rhs[at + 1]))
    for (int d = 0; d < 2; d++)
      gpr_bin_option (c, &r[d], names[d], c->rhs[at++], PAIR_METHODS);
  else if (at < c->nrhs && ! mxIsChar (c->rhs[at]))
    set_both (c, r, "NumBins", c->rhs[at++]);
  if ((c->nrhs - at) % 2 != 0)
    gpr_mx_invalid (c, "options must come as pairs of a name and a value");
  for (; at < c->nrhs; at += 2)
    {
      const char *name = find_option (c, c->rhs[at], names);
      if (strcmp (name, "Normalization") == 0)
        kind = gpr_take_normalization (c, c->rhs[at + 1]);
      else if (name[0] == 'X' || name[0] == 'Y')
        gpr_bin_option (c, &r[name[0] == 'Y'], name, c->rhs[at + 1], PAIR_METHODS);
      else
        set_both (c, r, name, c->rhs[at + 1]);
    }
  return kind;
}

/* ---- results ----------------------------------------------------------------------------- */

static mxArray *
edges_row (const gpr_edges *e)
{
  const gpr_array a = { .class = e->single ? GPR_CLASS_single : GPR_CLASS_double, .ndims = 2, .dims = { 1, e->count } };
  void *to;
  mxArray *m = gpr_mx_create (&a, &to);
  for (int64_t i = 0; i < e->count; i++)
    if (e->single)
      ((float *) to)[i] = (float) e->at[i];
    else
      ((double *) to)[i] = e->at[i];
  return m;
}

static double
width_of (const gpr_edges *e, int64_t k)
{
  return e->at[k + 1] - e->at[k];
}

/* The counts, bins of x by bins of y (NULL: one row), as the kind has them; total: of all elements.  */
static void
normalize (double *n, gpr_normalization kind, double total, const gpr_edges *x, const gpr_edges *y)
{
  const int64_t rows = x->count - 1, columns = y ? y->count - 1 : 1;

  for (int64_t j = 0; j < columns; j++)
    for (int64_t i = 0; i < rows; i++)
      {
        double *v = &n[i + rows * j];
        const double area = y ? width_of (x, i) * width_of (y, j) : width_of (x, i);
        if (kind >= GPR_NORM_CUMCOUNT)          /* the corners' sums */
          *v += (i ? v[-1] : 0) + (j ? v[-rows] : 0) - (i && j ? v[-rows - 1] : 0);
        else if (kind == GPR_NORM_PERCENTAGE)
          *v = 100 * *v / total;
        else if (kind == GPR_NORM_COUNTDENSITY)
          *v /= area;
        else if (kind != GPR_NORM_COUNT)
          *v = kind == GPR_NORM_PDF ? *v / total / area : *v / total;
      }
  if (kind == GPR_NORM_CDF)
    for (int64_t i = 0; i < rows * columns; i++)
      n[i] /= total;
}

static mxArray *
kept (bool resident, mxArray *m)
{
  return resident && mxGetNumberOfElements (m) != 1 && ! gpr_mx_is_gpuarray (m) ? gpr_mx_call ("gpuArray", 1, m, NULL) : m;
}

static gpr_binning
binning_of (const mxArray *m, const gpr_array *x, const gpr_edges *e, const mxArray *row)
{
  return (gpr_binning) { .m = m, .x = *x, .row = true, .k = { .rule = GPR_BIN_CLOSED, .single_precision = e->single, .bins = e->count - 1,
                                                     .edges = mxGetData (row) } };
}

void
gpr_mx_histcounts (gpr_call *c)
{
  gpr_bin_choice choice = { 0 };
  gpr_array x;
  mxArray *counts, *places = NULL;

  gpr_mx_take_device (c);
  if (c->nlhs > 3)
    gpr_mx_too_many_outputs (c);
  if (c->nrhs < 1)
    gpr_mx_usage (c);
  gpr_mx_no_char_pages (c, 1);
  gpr_mx_gather_from (c, 1);
  if (! is_number (c, c->rhs[0], &x))
    gpr_mx_invalid (c, "X must be a real numeric or logical array");
  const mxArray *m = gpr_mx_full (c, c->rhs[0], &x);
  const gpr_normalization kind = take_options (c, &choice);

  const gpr_edges e = gpr_choose_edges (c, m, &x, &choice, 0x1p16, 3);
  mxArray *edges = edges_row (&e);
  gpr_binning b = binning_of (m, &x, &e, edges);
  b.to_host = kind != GPR_NORM_COUNT;
  b.want_places = c->nlhs > 2;
  gpr_mx_run_binning (c, &b, &counts, &places);
  if (b.to_host)
    normalize (mxGetData (counts), kind, (double) gpr_array_numel (&x), &e, NULL);
  c->plhs[0] = kept (x.home && ! gpr_is_divided (&x), counts);
  if (c->nlhs > 1)
    c->plhs[1] = edges;
  if (c->nlhs > 2)
    c->plhs[2] = places;
  if (c->divided)
    c->divided->stays = 1 << 2;
}

/* ---- pairs ------------------------------------------------------------------------------- */

/* Counts of the pairs whose elements both are in a bin, from these.  */
static mxArray *
count_pairs (const mxArray *const *places, const gpr_edges *e)
{
  const gpr_array sizes = { .class = GPR_CLASS_double, .ndims = 2, .dims = { e[0].count - 1, e[1].count - 1 } };
  const size_t pairs = mxGetNumberOfElements (places[0]);
  const double *x = mxGetData (places[0]), *y = mxGetData (places[1]);
  void *data;
  mxArray *counts = gpr_mx_create (&sizes, &data);
  double *n = data;

  memset (n, 0, gpr_array_numel (&sizes) * sizeof *n);
  for (size_t i = 0; i < pairs; i++)
    if (x[i] > 0 && y[i] > 0)
      n[(int64_t) x[i] - 1 + sizes.dims[0] * ((int64_t) y[i] - 1)]++;
  return counts;
}

void
gpr_mx_histcounts2 (gpr_call *c)
{
  gpr_bin_choice choices[2] = { 0 };
  gpr_edges e[2];
  gpr_array x[2];
  mxArray *rows[2], *places[2], *counts;
  const mxArray *m[2], *on_host[2];

  gpr_mx_take_device (c);
  if (c->nlhs > 5)
    gpr_mx_too_many_outputs (c);
  if (c->nrhs < 2)
    gpr_mx_usage (c);
  gpr_mx_no_char_pages (c, 2);
  gpr_mx_gather_from (c, 2);
  if (! is_number (c, c->rhs[0], &x[0]) || ! is_number (c, c->rhs[1], &x[1]))
    gpr_mx_invalid (c, "X and Y must be real numeric or logical arrays");
  if (x[0].ndims != x[1].ndims || memcmp (x[0].dims, x[1].dims, x[0].ndims * sizeof *x[0].dims) != 0)
    gpr_mx_invalid (c, "X and Y must have the same size");
  const gpr_normalization kind = take_options_of_pairs (c, choices);
  const bool resident = (x[0].home || x[1].home) && ! c->divided;

  for (int d = 0; d < 2; d++)
    {
      m[d] = gpr_mx_full (c, c->rhs[d], &x[d]);
      e[d] = gpr_choose_edges (c, m[d], &x[d], &choices[d], 0x1p10, 4);
      rows[d] = edges_row (&e[d]);
    }
  for (int d = 0; d < 2; d++)
    {
      gpr_binning b = binning_of (m[d], &x[d], &e[d], rows[d]);
      b.want_places = true;
      gpr_mx_run_binning (c, &b, &counts, &places[d]);
      on_host[d] = gpr_mx_is_gpuarray (places[d]) ? gpr_mx_call ("gather", 1, places[d], NULL) : places[d];
    }
  counts = count_pairs (on_host, e);
  if (c->divided)
    {
      gpr_raise_if (c, gpr_world_combine (mxGetData (counts), (int64_t) mxGetNumberOfElements (counts), sizeof (double), gpr_add_doubles));
      c->divided->stays = 1 << 3 | 1 << 4;
    }
  normalize (mxGetData (counts), kind, (double) gpr_array_numel (&x[0]), &e[0], &e[1]);

  mxArray *const results[] = { kept (resident, counts), rows[0], rows[1], kept (resident, places[0]), kept (resident, places[1]) };
  for (int i = 0; i < c->nlhs || i == 0; i++)
    c->plhs[i] = results[i];
}
