/* Stands in for gpureduce_cuda.so: three GPUs in host memory, for tests of which
   one a call takes.  An array knows its GPU; a result on another one is an error.
   The CPU backend computes on its memory; sums that GPUs share it does itself.  free_memory is -1 until a GPU is opened, as of a real one.

   THREE_GPUS in the environment says what a GPU does when it takes units of a reduction that all
   share: "2 memory", "2 lost", "2 interrupt" (the user presses Ctrl-C), each after its second taking, for which the others wait, "2 slow",
   "2 leaves" (takes none), "2 declines" (parts of cumulative functions); "memory" also when it is to give any, "lost" and "interrupt" at any copy from it.
   THREE_DOWNLOADS says how many bytes may come to the host at once; of more it is an error.  THREE_LARGEST says how many a GPU gives at once.  */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../src/cuda/cuda.h"
#include "../src/core/generate.h"
#include "../src/core/map.h"
#include "../src/core/partial.h"
#include "../src/core/scan.h"
#include "../src/core/select.h"
#include "../src/core/share.h"
#include "oracle/tree_oracle.h"

enum { GPUS = 3 };

static gpr_cuda_host host;
static bool opened[GPUS + 1];
static int selected_one;        /* from 1; 0: none */
static _Thread_local int of_thread;     /* that this thread works for; 0: none */
static gpr_cuda_memory now;

static int
current (void)
{
  return of_thread > 0 ? of_thread : selected_one;
}

#include "three_memory.h"

static void
probe (gpr_cuda_probe *p)
{
  *p = (gpr_cuda_probe) { .devices = GPUS, .driver_version = 13000, .runtime_version = 13000 };
}

static gpr_status
describe (int device, gpr_device *d)
{
  if (device < 1 || device > GPUS)
    return host.fail (GPR_NO_DEVICE, "there is no GPU %d", device);
  *d = (gpr_device) { .index = device, .major = 9, .multiprocessors = 1, .total_memory = 1 << 30,
                      .free_memory = opened[device] ? 1 << 29 : -1, .driver_version = 13000, .runtime_version = 13000 };
  snprintf (d->name, sizeof d->name, "stand-in %d", device);
  return GPR_OK;
}

static gpr_status
choose (int device)
{
  if (device < 1 || device > GPUS)
    return host.fail (GPR_NO_DEVICE, "there is no GPU %d", device);
  opened[device] = true;
  selected_one = device;
  return GPR_OK;
}

static int
selected (void)
{
  return selected_one;
}

static bool
is_told (int device, const char *what)
{
  const char *told = getenv ("THREE_GPUS");
  char own[32];
  snprintf (own, sizeof own, "%d %s", device, what);
  return told && strcmp (told, own) == 0;
}

static gpr_status
allocate (void **p, size_t bytes)
{
  if (current () == 0)
    choose (1);
  const char *largest = getenv ("THREE_LARGEST");
  *p = is_told (current (), "memory") || (largest && atof (largest) < (double) bytes) ? NULL : take_memory (current (), (int64_t) bytes);
  return *p ? GPR_OK : host.fail (GPR_OUT_OF_MEMORY, "out of GPU memory: %.1f MiB needed", bytes / 1048576.0);
}

static gpr_status misfortune (int device);

static gpr_status
upload (void *resident, const void *from, size_t bytes)
{
  memcpy (resident, from, bytes);
  return GPR_OK;
}

static gpr_status
download (void *to, const void *resident, size_t bytes)
{
  const char *most = getenv ("THREE_DOWNLOADS");
  if (most && atof (most) < (double) bytes)
    return host.fail (GPR_BAD_INPUT, "%zu bytes come to the host", bytes);
  memcpy (to, resident, bytes);
  return bytes > 0 && ! is_told (device_of (resident), "memory") ? misfortune (device_of (resident)) : GPR_OK;
}

static gpr_status
reduce (gpr_reduction *r)
{
  int device = r->x_resident ? device_of (r->x) : current ();
  if (! opened[device] || (r->out_resident && device_of (r->value) != device))
    return host.fail (GPR_BAD_INPUT, "arrays lie on two GPUs");
  if (r->apart)                 /* the CPU does not */
    return host.fail (GPR_UNSUPPORTED, "the stand-in puts no bounds apart");
  return host.cpu->reduce (r);
}

/* Leaves all to the others.  */
static gpr_status
share (struct gpr_share *s)
{
  (void) s;
  return GPR_OK;
}

/* ---- units of a sum that all share ---- */

GPR_DEFINE_INSTANCE (sum_f64, SUM, f64, f64, f64)
GPR_DEFINE_TREE_ORACLE (sum_f64, SUM, f64, f64, f64)


/* Until the GPU that something is to happen to has met it; otherwise the others might have taken all.  */
static atomic_bool met;

static void
wait_for_misfortune (int device)
{
  bool others = false;
  for (int k = 1; k <= GPUS; k++)
    others |= k != device && (is_told (k, "memory") || is_told (k, "lost") || is_told (k, "interrupt"));
  for (int ms = 0; others && ! met && ms < 10000; ms++)
    nanosleep (&(struct timespec) { 0, 1000000 }, NULL);
}

static gpr_status
misfortune (int device)
{
  met |= is_told (device, "memory") || is_told (device, "lost") || is_told (device, "interrupt");
  if (is_told (device, "memory"))
    return host.fail (GPR_OUT_OF_MEMORY, "out of GPU memory: 1.0 MiB needed");
  if (is_told (device, "lost"))
    {
      opened[device] = false;
      return host.fail (GPR_DEVICE_LOST, "GPU %d was lost while computing", device);
    }
  if (is_told (device, "interrupt"))
    **host.interrupt_flag = 1;
  return **host.interrupt_flag > 0 ? host.fail (GPR_INTERRUPTED, "interrupted") : GPR_OK;
}

/* Its memory is that of the chunk, given back at every end.  */
static gpr_status
share_on (gpr_taker *t, struct gpr_share *s)
{
  const gpr_reduction *r = s->r;
  const int64_t at_once = 1 + s->left / 16;
  const bool takes = r->instance == GPR_sum_f64 && ! is_told (t->device, "leaves");
  char *memory = takes ? take_memory (t->device, at_once * s->unit_bytes) : NULL;
  gpr_status status = takes && ! memory ? host.fail (GPR_OUT_OF_MEMORY, "no memory for a chunk") : GPR_OK;
  int64_t first, count, index;

  opened[t->device] = true;
  wait_for_misfortune (t->device);
  for (int takings = 0; memory && status == GPR_OK && (count = s->take (s, true, at_once, &first)) > 0; takings++)
    {
      if (is_told (t->device, "slow"))
        nanosleep (&(struct timespec) { 0, 300000000 }, NULL);
      if (takings == 1)
        status = misfortune (t->device);
      for (int64_t unit = first; unit < first + count && status == GPR_OK; unit++)
        for (int64_t c = 0, o = unit / s->tree.parts, p = unit % s->tree.parts; c < r->inner; c++)
          {
            const double part = oracle_part_sum_f64 (&s->tree, r, c + r->inner * r->length * o, p);
            if (s->partials)
              ((double *) s->partials)[(o * r->inner + c) * s->tree.parts + p] = part;
            else if (sum_f64_finish (part, r->divisor, (double *) r->value + o * r->inner + c, &index))
              s->needs_fixup = true;
          }
      t->units += count;
    }
  release (memory);
  return status;
}

/* Into evenly spaced edges by their list; misfortunes as above.  */
static gpr_status
count_on (gpr_taker *t, gpr_counting *c)
{
  if (c->elem != GPR_f64 || c->rule != GPR_BIN_EDGES)
    return host.fail (GPR_UNSUPPORTED, "the stand-in counts doubles between edges");
  const float *single_edges = c->single_precision ? (const float *) c->edges : NULL;
  opened[t->device] = true;
  wait_for_misfortune (t->device);
  gpr_status status = misfortune (t->device);
  memset (c->counts, 0, (size_t) (c->bins * c->outer) * sizeof *c->counts);
  for (int64_t i = 0; i < c->length * c->outer && status == GPR_OK; i++)
    for (int64_t b = c->bins - 1; b >= 0; b--)
      {
        const double x = single_edges ? (float) ((const double *) c->x)[i] : ((const double *) c->x)[i];
        const double edge = single_edges ? single_edges[b] : ((const double *) c->edges)[b];
        if (x >= edge)
          {
            c->counts[b + i / c->length * c->bins] += b < c->bins - 1 || x == edge;
            break;
          }
      }
  return status;
}

static gpr_status
pair (gpr_pairing *p)
{
  const int device = p->x_resident ? device_of (p->x) : p->y_resident ? device_of (p->y) : current ();
  if ((p->y_resident && device_of (p->y) != device) || (p->out_resident && device_of (p->z) != device))
    return host.fail (GPR_BAD_INPUT, "arrays lie on two GPUs");
  return host.cpu->pair (p);
}

/* A range of doubles: gpuArray (1:3).  */
static gpr_status
generate (gpr_generation *g)
{
  if (g->kind != GPR_RANGE || g->elem != GPR_f64)
    return host.fail (GPR_UNSUPPORTED, "only ranges of doubles");
  for (int64_t i = 0; i < g->count; i++)
    ((double *) g->z)[i] = g->first + (double) i * g->step;
  return GPR_OK;
}

#include "three_problems.h"
#include "three_scan.h"
#include "three_partial.h"

static size_t
room (void)
{
  return 1 << 29;
}

static gpr_status
copy (const gpr_cuda_transfer *t, int count, int *failed)
{
  gpr_status status = GPR_OK;
  for (*failed = 0; *failed < count && status == GPR_OK; *failed += status == GPR_OK)
    {
      const gpr_cuda_transfer *one = &t[*failed];
      if (! gpr_cuda_moves (one))
        continue;
      const size_t rows = one->by_rows ? one->rows : 1;
      const size_t to_bytes = (rows - 1) * one->to_pitch + one->bytes, from_bytes = (rows - 1) * one->from_pitch + one->bytes;
      if (device_within (one->to, to_bytes) != one->to_device || device_within (one->from, from_bytes) != one->from_device)
        return lies_elsewhere ();
      for (size_t r = 0; r < rows; r++)
        memcpy ((char *) one->to + r * one->to_pitch, (const char *) one->from + r * one->from_pitch, one->bytes);
      status = ! is_told (one->from_device, "memory") ? misfortune (one->from_device) : GPR_OK;
    }
  return status;
}

static gpr_status
rest (void)
{
  return GPR_OK;
}

/* So all work as ranks do, unless THREE_NEAR is set: then columns are dealt out, and parts of reductions put together.  */
static bool
reaches (int device, int other)
{
  return device == other || getenv ("THREE_NEAR");
}

static gpr_status
begin_thread (const gpr_taker *t)
{
  of_thread = t->device;
  return GPR_OK;
}

static void
end_thread (const gpr_taker *t)
{
  (void) t;
  of_thread = 0;
}

static void
times (double *transfer_ms, double *kernel_ms)
{
  *transfer_ms = *kernel_ms = 0;
}

static void
memory (gpr_cuda_memory *m)
{
  *m = now;
}

/* Nothing is compiled.  */
static void compile_report (gpr_cuda_compiling *report) { memset (report, 0, sizeof *report); }
static void compile_end (void) {}
static bool compile_wait (void) { return true; }

static gpr_status
trim (void)
{
  now.idle = 0;
  return GPR_OK;
}

static gpr_status
synchronize (void)
{
  return GPR_OK;
}

static gpr_status
reset (void)
{
  for (header *h = given, *next; h; h = next)
    {
      next = h->next;
      if (h->device == (selected_one ? selected_one : 1))
        release ((char *) h + 64);
    }
  opened[selected_one ? selected_one : 1] = false;
  selected_one = 0;
  return GPR_OK;
}

static gpr_status
self_check (char *report, size_t bytes)
{
  snprintf (report, bytes, "GPU %d", current ());
  return GPR_OK;
}

static const char *
architectures (void)
{
  return "sm_90 compute_90";
}

const gpr_cuda_api *
gpr_cuda_module (const gpr_cuda_host *given)
{
  static const gpr_cuda_api api = {
    .abi = GPR_CUDA_ABI, .version = GPR_VERSION,
    .backend = { .name = "cuda", .on_device = true, .reduce = reduce, .share = share, .pair = pair, .map = map, .convert = convert,
                 .partial_begin = partial_begin, .partial_end = partial_end, .partial_results = partial_results,
                 .exact = cpu_exact, .exact_totals = exact_totals, .count = cpu_count, .complex = cpu_complex, .scan = cpu_scan, .scan_piece = scan_piece, .scatter = cpu_scatter, .order = cpu_order, .select = cpu_select, .rank = cpu_rank,
                 .keys_begin = keys_begin, .keys_count = keys_count, .keys_keep = keys_keep, .keys_end = keys_end,
                 .gather = cpu_gather, .find = cpu_find, .generate = generate, .room = room, .allocate = allocate, .release = release,
                 .upload = upload, .download = download, .times = times },
    .probe = probe, .describe = describe, .select = choose, .selected = selected, .share_on = share_on, .count_on = count_on, .copy = copy, .rest = rest, .reaches = reaches, .begin_thread = begin_thread, .end_thread = end_thread, .memory = memory, .trim = trim,
    .synchronize = synchronize, .reset = reset, .self_check = self_check, .architectures = architectures,
    .compile_report = compile_report, .compile_end = compile_end, .compile_wait = compile_wait, .compile_clear = compile_end
  };
  host = *given;
  return &api;
}
