/* The module's table of functions: everything that gpureduce_cuda.so exports.  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile.h"
#include "libraries.h"
#include "memory.h"
#include "nccl.h"
#include "near.h"
#include "probe.h"
#include "problems.h"
#include "peer.h"
#include "session.h"
#include "stream.h"
#include "../core/complex.h"
#include "../core/generate.h"
#include "../core/lists.h"
#include "../core/map.h"
#include "../core/slices.h"
#include "../core/order.h"
#include "../core/partial.h"
#include "../core/scan.h"
#include "../core/scatter.h"
#include "../core/share.h"
#include "../core/select.h"
#include "../core/solve.h"

/* ---- memory and copies, for gpuArray ----------------------------------------------- */

static gpr_status
allocate (void **p, size_t bytes)
{
  gpr_cuda_state *s;
  *p = NULL;
  GPR_TRY (gpr_cuda_enter (&s, NULL, NULL, NULL));
  return gpr_cuda_take (s, p, bytes);
}

static gpr_status
upload (void *resident, const void *host, size_t bytes)
{
  gpr_cuda_state *s;
  gpr_cuda_view v = gpr_cuda_bytes (host, bytes);
  GPR_TRY (gpr_cuda_enter (&s, resident, NULL, NULL));
  gpr_status status = bytes > 0 ? gpr_cuda_upload (s, resident, &v) : GPR_OK;
  gpr_cuda_finish (s);
  return status;
}

static gpr_status
download (void *host, const void *resident, size_t bytes)
{
  gpr_cuda_state *s;
  gpr_cuda_view v = gpr_cuda_bytes (host, bytes);
  GPR_TRY (gpr_cuda_enter (&s, resident, NULL, NULL));
  gpr_status status = bytes > 0 ? gpr_cuda_download (s, &v, resident) : GPR_OK;
  gpr_cuda_finish (s);
  return status;
}

/* ---- the problems: each on the device of its resident arrays ----------------------- */

/* An array on the device that is read; NULL: none is.  */
static const void *
operand_of (const gpr_mapping *terms, const void *x, bool resident)
{
  return terms && terms->leaves > 0 ? terms->x[0] : resident ? x : NULL;
}

static gpr_status
reduce (gpr_reduction *r)
{
  gpr_cuda_state *s;
  const void *x = operand_of (r->terms, r->x, r->x_resident);
  GPR_TRY (gpr_cuda_enter (&s, x, r->x_resident ? r->y : NULL, r->out_resident ? r->value : NULL));
  bool done;
  gpr_status status = gpr_cuda_prod_columns (s, r, &done);
  if (status == GPR_OK && ! done)
    status = gpr_cuda_reduce (s, r);
  if (status == GPR_OK && r->needs_fixup && ! r->terms)
    status = gpr_cuda_settle (s, r);
  return gpr_cuda_leave (s, status);
}

static gpr_status
exact (gpr_reduction *r)
{
  gpr_cuda_state *s;
  GPR_TRY (gpr_cuda_enter (&s, r->x_resident ? r->x : NULL, r->x_resident ? r->y : NULL, r->out_resident ? r->value : NULL));
  return gpr_cuda_leave (s, gpr_cuda_exact (s, r));
}

static gpr_status
exact_totals (const gpr_reduction *r, void *totals)
{
  gpr_cuda_state *s;
  GPR_TRY (gpr_cuda_enter (&s, r->x, r->y, NULL));
  return gpr_cuda_leave (s, gpr_cuda_exact_totals (s, r, totals));
}

static gpr_status
share (struct gpr_share *p)
{
  gpr_cuda_state *s;
  int64_t units;
  GPR_TRY (gpr_cuda_enter (&s, NULL, NULL, NULL));
  return gpr_cuda_leave (s, gpr_cuda_share (s, p, &units));
}

static gpr_status
partial_begin (gpr_partial *p)
{
  gpr_cuda_state *s;
  GPR_TRY (gpr_cuda_enter (&s, operand_of (p->r.terms, p->r.x, true), p->r.y, NULL));
  return gpr_cuda_leave (s, gpr_cuda_partial_begin (s, p));
}

static gpr_status
partial_end (gpr_partial *p, bool wanted)
{
  gpr_cuda_state *s;
  GPR_TRY (gpr_cuda_enter (&s, operand_of (p->r.terms, p->r.x, true), p->r.y, NULL));
  return gpr_cuda_leave (s, gpr_cuda_partial_end (s, p, wanted));
}

static gpr_status
partial_results (gpr_partial *p)
{
  gpr_cuda_state *s;
  GPR_TRY (gpr_cuda_enter (&s, p->partials, NULL, NULL));
  return gpr_cuda_leave (s, gpr_cuda_partial_results (s, p));
}

/* The thread is the device's for this call: it stays near it, and so do those that copy for it.  */
static gpr_status
enter_taker (gpr_cuda_state **s, const gpr_taker *t)
{
  gpr_cuda_stay_near (t->device - 1, t->threads);
  GPR_TRY (gpr_cuda_enter_device (s, t->device));
  (*s)->copy_threads = t->threads;
  (*s)->copy_bytes = t->bytes;
  return GPR_OK;
}

static gpr_status
leave_taker (gpr_cuda_state *s, gpr_taker *t, gpr_status status)
{
  s->copy_threads = 0;
  s->copy_bytes = 0;
  t->transfer_ms = s->transfer_ms;
  t->kernel_ms = s->kernel_ms;
  return status;
}

static gpr_status
begin_thread (const gpr_taker *t)
{
  gpr_cuda_state *s;
  gpr_cuda_stay (t->device);
  return enter_taker (&s, t);
}

static void
end_thread (const gpr_taker *t)
{
  gpr_cuda_state *s;
  if (gpr_cuda_enter_device (&s, t->device) == GPR_OK)
    {
      s->copy_threads = 0;
      s->copy_bytes = 0;
    }
  gpr_cuda_stay (0);
}

static gpr_status
share_on (gpr_taker *t, struct gpr_share *p)
{
  gpr_cuda_state *s;
  GPR_TRY (enter_taker (&s, t));
  return leave_taker (s, t, gpr_cuda_share (s, p, &t->units));
}

static gpr_status
count_on (gpr_taker *t, gpr_counting *c)
{
  gpr_cuda_state *s;
  GPR_TRY (enter_taker (&s, t));
  return leave_taker (s, t, gpr_cuda_count (s, c));
}

static gpr_status
count (gpr_counting *c)
{
  gpr_cuda_state *s;
  const void *x = operand_of (c->terms, c->x, c->x_resident);
  GPR_TRY (gpr_cuda_enter (&s, x, c->out_resident ? c->counts : NULL, c->out_resident ? c->bin_of : NULL));
  return gpr_cuda_leave (s, gpr_cuda_count (s, c));
}

static gpr_status
pair (gpr_pairing *p)
{
  gpr_cuda_state *s;
  GPR_TRY (gpr_cuda_enter (&s, p->x_resident ? p->x : NULL, p->y_resident ? p->y : NULL, p->out_resident ? p->z : NULL));
  return gpr_cuda_leave (s, gpr_cuda_pair (s, p));
}

static gpr_status
map (gpr_mapping *m)
{
  gpr_cuda_state *s;
  for (int l = 0; l < m->leaves || l == 0; l += 2)
    GPR_TRY (gpr_cuda_enter (&s, m->z, l < m->leaves ? m->x[l] : NULL, l + 1 < m->leaves ? m->x[l + 1] : NULL));
  return gpr_cuda_leave (s, gpr_cuda_map (s, m));
}

static gpr_status
slices (gpr_slices *p)
{
  gpr_cuda_state *s;
  for (int l = 0; l < p->m.leaves; l += 2)
    GPR_TRY (gpr_cuda_enter (&s, p->m.z, p->m.x[l], l + 1 < p->m.leaves ? p->m.x[l + 1] : NULL));
  return gpr_cuda_leave (s, gpr_cuda_slices (s, p));
}

static bool
slices_fit (int64_t inner, int64_t length, int64_t outer)
{
  gpr_cuda_state *s;
  return gpr_cuda_enter (&s, NULL, NULL, NULL) == GPR_OK && gpr_cuda_slices_fit (s, inner, length, outer);
}

static gpr_status
complex (gpr_complex_mapping *m)
{
  gpr_cuda_state *s;
  GPR_TRY (gpr_cuda_enter (&s, m->z, m->x[0], m->x[1]));
  return gpr_cuda_leave (s, gpr_cuda_complex (s, m));
}

static gpr_status
convert (gpr_conversion *p)
{
  gpr_cuda_state *s;
  GPR_TRY (gpr_cuda_enter (&s, p->x, p->y, NULL));
  return gpr_cuda_leave (s, gpr_cuda_convert (s, p));
}

static gpr_status
generate (gpr_generation *g)
{
  gpr_cuda_state *s;
  GPR_TRY (gpr_cuda_enter (&s, g->z, NULL, NULL));
  return gpr_cuda_leave (s, gpr_cuda_generate (s, g));
}

static gpr_status
scan (gpr_scanning *p)
{
  gpr_cuda_state *s;
  GPR_TRY (gpr_cuda_enter (&s, p->x_resident ? p->x : NULL, p->out_resident ? p->y : NULL, NULL));
  return gpr_cuda_leave (s, gpr_cuda_scan (s, p));
}

static gpr_status
scan_piece (gpr_scan_piece *p)
{
  gpr_cuda_state *s;
  p->begun = false;
  GPR_TRY (gpr_cuda_enter (&s, p->s.x, p->s.y, NULL));
  return gpr_cuda_leave (s, gpr_cuda_scan_piece (s, p));
}

static gpr_status
scatter (gpr_scattering *p)
{
  gpr_cuda_state *s;
  GPR_TRY (gpr_cuda_enter (&s, p->resident, NULL, NULL));
  return gpr_cuda_leave (s, gpr_cuda_scatter (s, p));
}

static gpr_status
order (gpr_ordering *o)
{
  gpr_cuda_state *s;
  GPR_TRY (gpr_cuda_enter (&s, o->x_resident ? o->x : NULL, o->out_resident ? o->value : NULL, NULL));
  return gpr_cuda_leave (s, gpr_cuda_order (s, o));
}

static gpr_status
selection (gpr_selection *p)
{
  gpr_cuda_state *s;
  GPR_TRY (gpr_cuda_enter (&s, p->x_resident ? p->x : NULL, p->x_resident ? p->center : NULL, p->out_resident ? p->value : NULL));
  return gpr_cuda_leave (s, gpr_cuda_selection (s, p));
}

static gpr_status
ranking (gpr_ranking *p)
{
  gpr_cuda_state *s;
  GPR_TRY (gpr_cuda_enter (&s, p->x_resident ? p->x : NULL, p->out_resident ? p->value : NULL, p->out_resident ? p->index : NULL));
  return gpr_cuda_leave (s, gpr_cuda_ranking (s, p));
}

static gpr_status
keys_begin (gpr_key_reading *k)
{
  gpr_cuda_state *s;
  GPR_TRY (gpr_cuda_enter (&s, k->x, NULL, NULL));
  return gpr_cuda_leave (s, gpr_cuda_keys_begin (s, k));
}

/* A column may begin within an array.  */
static gpr_status
keys_count (gpr_key_reading *k, int digit, int64_t *table, uint64_t *least, uint64_t *greatest)
{
  gpr_cuda_state *s;
  GPR_TRY (gpr_cuda_enter (&s, gpr_cuda_keys_memory (k), NULL, NULL));
  return gpr_cuda_leave (s, gpr_cuda_keys_count (s, k, digit, table, least, greatest));
}

static gpr_status
keys_keep (gpr_key_reading *k, uint64_t *kept, uint64_t *above)
{
  gpr_cuda_state *s;
  GPR_TRY (gpr_cuda_enter (&s, gpr_cuda_keys_memory (k), NULL, NULL));
  return gpr_cuda_leave (s, gpr_cuda_keys_keep (s, k, kept, above));
}

static gpr_status
gather (gpr_gathering *g)
{
  gpr_cuda_state *s;
  GPR_TRY (gpr_cuda_enter (&s, g->x, g->z, NULL));
  for (int d = 0; d < g->rank; d++)
    GPR_TRY (gpr_cuda_enter (&s, g->z, g->lists[d].at, NULL));
  return gpr_cuda_leave (s, gpr_cuda_gather (s, g));
}

static gpr_status
find (gpr_finding *f)
{
  gpr_cuda_state *s;
  GPR_TRY (gpr_cuda_enter (&s, f->x, f->before, f->z));
  return gpr_cuda_leave (s, gpr_cuda_find (s, f));
}

static gpr_status
linear (gpr_linear *p)
{
  gpr_cuda_state *s;
  GPR_TRY (gpr_cuda_enter (&s, p->given[0]->data, p->given[1] ? p->given[1]->data : NULL, NULL));
  return gpr_cuda_leave (s, gpr_cuda_linear (s, p));
}

static gpr_status
fourier (gpr_fourier *p)
{
  gpr_cuda_state *s;
  GPR_TRY (gpr_cuda_enter (&s, p->x->data, p->z->data, NULL));
  return gpr_cuda_leave (s, gpr_cuda_fourier (s, p));
}

static gpr_status
variant (gpr_variant_run *r, const gpr_ladder_module *m)
{
  gpr_cuda_state *s;
  GPR_TRY (gpr_cuda_enter (&s, r->x_resident ? r->x : NULL, NULL, NULL));
  return gpr_cuda_leave (s, gpr_cuda_variant (s, r, m));
}

static gpr_status
read_ceiling (const gpr_ladder_module *m, int64_t bytes, double *gbs)
{
  gpr_cuda_state *s;
  *gbs = 0;
  GPR_TRY (gpr_cuda_enter (&s, NULL, NULL, NULL));
  return gpr_cuda_read_ceiling (s, m, bytes, gbs);
}

/* ---- self-check --------------------------------------------------------------------- */

static gpr_status
check_sum (char *report, size_t bytes)
{
  enum { COUNT = 1000 };
  double x[COUNT], sum = 0;
  gpr_reduction r = { .instance = GPR_sum_f64, .inner = 1, .length = COUNT, .outer = 1, .x = x, .value = &sum };

  for (int i = 0; i < COUNT; i++)
    x[i] = i + 1;
  GPR_TRY (reduce (&r));
  snprintf (report, bytes, "sum of 1..%d = %.0f", COUNT, sum);
  return sum == COUNT * (COUNT + 1) / 2 ? GPR_OK
         : gpr_cuda_fail (GPR_DEVICE_LOST, "the GPU computes wrongly: %s", report);
}

static gpr_status
check_copy (char *report, size_t bytes)
{
  const size_t size = 1 << 20;
  unsigned char *out = malloc (size), *back = calloc (1, size);
  void *resident = NULL;
  gpr_status status = out && back ? allocate (&resident, size) : gpr_cuda_fail (GPR_OUT_OF_MEMORY, "out of host memory");

  if (status == GPR_OK)
    {
      for (size_t i = 0; i < size; i++)
        out[i] = (unsigned char) (i * 31 + i / 256 + 1);
      status = upload (resident, out, size);
    }
  if (status == GPR_OK)
    status = download (back, resident, size);
  if (status == GPR_OK && memcmp (out, back, size) != 0)
    status = gpr_cuda_fail (GPR_DEVICE_LOST, "1 MiB copied to the GPU and back is not the same");
  if (status == GPR_OK)
    {
      size_t used = strlen (report);
      snprintf (report + used, bytes - used, "; copy 1 MiB ok");
    }
  gpr_cuda_give (resident);
  free (out);
  free (back);
  return status;
}

static gpr_status
self_check (char *report, size_t bytes)
{
  report[0] = '\0';
  GPR_TRY (check_sum (report, bytes));
  return check_copy (report, bytes);
}

static const char *
architectures (void)
{
  return GPR_CUDA_ARCHITECTURES;
}

static void
before_reset (int device, bool lost)
{
  gpr_cuda_close_libraries (device, lost);
  gpr_cuda_close_compiled (device, lost);
  gpr_cuda_forget_peers (device);
  gpr_cuda_stop_links (device, lost);
}

/* ---- the table ------------------------------------------------------------------------ */

__attribute__ ((visibility ("default"))) const gpr_cuda_api *
gpr_cuda_module (const gpr_cuda_host *host)
{
  static const gpr_cuda_api api = {
    .abi = GPR_CUDA_ABI,
    .version = GPR_VERSION,
    .backend = {
      .name = "cuda",
      .on_device = true,
      .reduce = reduce,
      .exact = exact,
      .exact_totals = exact_totals,
      .share = share,
      .partial_begin = partial_begin,
      .partial_end = partial_end,
      .partial_results = partial_results,
      .links = &gpr_cuda_links,
      .count = count,
      .pair = pair,
      .map = map,
      .slices = slices,
      .slices_fit = slices_fit,
      .complex = complex,
      .convert = convert,
      .generate = generate,
      .scan = scan,
      .scan_piece = scan_piece,
      .scatter = scatter,
      .order = order,
      .select = selection,
      .rank = ranking,
      .keys_begin = keys_begin,
      .keys_count = keys_count,
      .keys_keep = keys_keep,
      .keys_end = gpr_cuda_keys_end,
      .gather = gather,
      .find = find,
      .linear = linear,
      .fourier = fourier,
      .allocate = allocate,
      .release = gpr_cuda_give,
      .room = gpr_cuda_left,
      .upload = upload,
      .download = download,
      .times = gpr_cuda_times
    },
    .probe = gpr_cuda_probe_driver,
    .describe = gpr_cuda_describe,
    .select = gpr_cuda_select,
    .selected = gpr_cuda_selected,
    .share_on = share_on,
    .count_on = count_on,
    .copy = gpr_cuda_copy,
    .rest = gpr_cuda_rest,
    .reaches = gpr_cuda_reaches,
    .begin_thread = begin_thread,
    .end_thread = end_thread,
    .memory = gpr_cuda_memory_now,
    .trim = gpr_cuda_trim,
    .synchronize = gpr_cuda_synchronize,
    .reset = gpr_cuda_reset,
    .self_check = self_check,
    .compile_report = gpr_cuda_compile_report,
    .compile_end = gpr_cuda_compile_end,
    .compile_wait = gpr_cuda_compile_wait,
    .compile_clear = gpr_cuda_compile_clear,
    .architectures = architectures,
    .variant = variant,
    .read_ceiling = read_ceiling
  };
  gpr_host = *host;
  gpr_cuda_before_reset = before_reset;
  return &api;
}
