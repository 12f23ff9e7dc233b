#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "../core/system.h"
#include "../cpu/cpu.h"
#include "rates.h"
#include "split.h"

/* ---- what is kept ---------------------------------------------------------------- */

enum { KEPT = 64 };
static struct { enum gpr_instance instance; gpr_rates rates; } kept[KEPT];       /* GPR_INSTANCE_NONE: of all */
static int kept_next;           /* the oldest, once all are in use */

static gpr_rates *
find (enum gpr_instance instance, int threads, int device, bool any_instance)
{
  for (int i = 0; i < KEPT; i++)
    if (kept[i].rates.measured && (any_instance || kept[i].instance == instance || kept[i].instance == GPR_INSTANCE_NONE)
        && kept[i].rates.threads == threads && kept[i].rates.device == device)
      return &kept[i].rates;
  return NULL;
}

static void
keep (enum gpr_instance instance, const gpr_rates *r)
{
  kept[kept_next].instance = instance;
  kept[kept_next].rates = *r;
  kept_next = (kept_next + 1) % KEPT;
}

/* Data goes to the GPU the faster way from now on, also without "auto".  */
static void
prefer (const gpr_rates *r)
{
  int *upto = &gpr_config.in_place_threads;
  if (r->in_place > r->staged && *upto < r->threads)
    *upto = r->threads;
  else if (r->in_place < r->staged && *upto >= r->threads)
    *upto = r->threads - 1;
}

void
gpr_rates_forget (void)
{
  memset (kept, 0, sizeof kept);
  kept_next = 0;
}

void
gpr_rates_set (const gpr_rates *r)
{
  gpr_rates_forget ();
  if (r->measured)
    {
      keep (GPR_INSTANCE_NONE, r);
      prefer (r);
    }
}

/* Typical of a server: 15 GB/s a thread, 11 through pinned memory, a bus of 50.  What CPU
   and GPU at once reach cannot be guessed: so both is 0, and not chosen unmeasured.  */
gpr_rates
gpr_rates_of (enum gpr_instance instance, int device)
{
  const int threads = gpr_cpu_allowed_threads ();
  const gpr_rates *found = find (instance, threads, device, false);
  if (found)
    return *found;
  gpr_rates r = { .threads = threads, .device = device, .cpu = threads * 15 };
  if (r.cpu > 190)
    r.cpu = 190;
  if (device > 0)
    {
      r.staged = threads * 11 < 50 ? threads * 11 : 50;
      r.in_place = 30;
    }
  return r;
}

/* ---- measuring -------------------------------------------------------------------- */

/* Data that is read window after window, so that none is in a cache.  */
typedef struct {
  const char *data;
  size_t bytes, window, at;
  enum gpr_instance instance;
  const gpr_backend *gpu;
} windows;

typedef gpr_status way (const gpr_backend *gpu, gpr_reduction *r);

static gpr_status
on_cpu (const gpr_backend *gpu, gpr_reduction *r)
{
  (void) gpu;
  return gpr_cpu_backend.reduce (r);
}

static gpr_status
on_gpu (const gpr_backend *gpu, gpr_reduction *r)
{
  return gpu->reduce (r);
}

static gpr_status
one_run (windows *w, way *run, size_t bytes, double *rate)
{
  char value[GPR_ACC_BYTES] __attribute__ ((aligned (16)));
  int64_t index;
  const gpr_instance_info *f = &gpr_instances[w->instance];
  gpr_reduction r = { .instance = w->instance, .inner = 1, .length = bytes / f->elem_bytes, .outer = 1, .value = value,
                      .index = f->has_index ? &index : NULL };

  if (w->at + bytes > w->bytes)
    w->at = 0;
  r.x = w->data + w->at;
  w->at += bytes;
  double start = gpr_now_ms ();
  gpr_status status = run (w->gpu, &r);
  double ms = gpr_now_ms () - start;
  if (status == GPR_OK && ms > 0 && bytes * 1e-6 / ms > *rate)
    *rate = bytes * 1e-6 / ms;
  return status;
}

/* The better of two runs, after a short one that starts threads and touches memory.  */
static gpr_status
measure (windows *w, way *run, double *rate)
{
  double ignored = 0;
  gpr_status status = one_run (w, run, w->window / 8, &ignored);
  for (int i = 0; i < 2 && status == GPR_OK; i++)
    status = one_run (w, run, w->window, rate);
  return status;
}

static gpr_status
measure_all (windows *w, gpr_rates *r)
{
  const gpr_rates *known = find (w->instance, r->threads, r->device, true);
  const int in_place_threads = gpr_config.in_place_threads;
  gpr_status status = measure (w, on_cpu, &r->cpu);

  if (! w->gpu || status != GPR_OK)
    return status;
  if (known)
    {
      r->staged = known->staged;
      r->in_place = known->in_place;
    }
  else
    {
      gpr_config.in_place_threads = 0;
      status = measure (w, on_gpu, &r->staged);
      gpr_config.in_place_threads = INT_MAX;
      if (status == GPR_OK)
        status = measure (w, on_gpu, &r->in_place);
      gpr_config.in_place_threads = in_place_threads;
      if (status == GPR_OK)
        prefer (r);
    }
  if (status == GPR_OK && r->threads > 1 && w->gpu->share)
    status = measure (w, gpr_split_reduce, &r->both);
  return status;
}

/* Of ordinary memory, as arrays are, and touched by the threads that will read it.  */
static char *
own_data (size_t bytes)
{
  const int64_t block = 1 << 20;
  char *data = malloc (bytes);
  if (! data)
    return NULL;
  #pragma omp parallel for num_threads (gpr_cpu_allowed_threads ())
  for (int64_t at = 0; at < (int64_t) bytes; at += block)
    memset (data + at, 0, bytes - at < (size_t) block ? bytes - at : (size_t) block);
  return data;
}

gpr_status
gpr_rates_measure (enum gpr_instance instance, const gpr_backend *gpu, int device, const void *data, size_t bytes)
{
  const size_t most = (size_t) 64 << 20, own_bytes = (size_t) 256 << 20, align = 64;
  gpr_rates r = { .measured = true, .threads = gpr_cpu_allowed_threads (), .device = gpu ? device : 0 };
  windows w = { .instance = instance, .gpu = gpu };
  char *own = NULL;

  if (r.threads > 1)
    gpr_cpu_note_pool ();
  if (! data)
    {
      if (! (own = own_data (own_bytes)))
        return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", own_bytes);
      data = own;
      bytes = own_bytes;
    }
  w.data = (const char *) (((uintptr_t) data + align - 1) / align * align);
  w.bytes = bytes - (w.data - (const char *) data);
  w.window = bytes / 4 < most ? bytes / 4 / 4096 * 4096 : most;
  gpr_status status = measure_all (&w, &r);
  free (own);
  if (status == GPR_OK)
    keep (instance, &r);
  return status;
}
