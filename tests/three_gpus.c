/* Stands in for gpureduce_cuda.so: three GPUs in host memory, for tests of which
   one a call takes.  An array knows its GPU; a result on another one is an error.
   It sums doubles.  free_memory is -1 until a GPU is opened, as of a real one.  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../src/cuda/cuda.h"
#include "../src/core/generate.h"

enum { GPUS = 3 };

typedef struct { int64_t bytes; int device; } header;   /* in front of an array */

static gpr_cuda_host host;
static bool opened[GPUS + 1];
static int current;             /* from 1; 0: none */
static gpr_cuda_memory now;

static header *
header_of (const void *p)
{
  return (header *) ((char *) p - 64);
}

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
  current = device;
  return GPR_OK;
}

static int
selected (void)
{
  return current;
}

static gpr_status
allocate (void **p, size_t bytes)
{
  char *block = calloc (1, bytes + 64);
  if (current == 0)
    choose (1);
  *(header *) block = (header) { (int64_t) bytes, current };
  *p = block + 64;
  now.in_use += (int64_t) bytes;
  now.allocations++;
  return GPR_OK;
}

static void
release (void *p)
{
  if (! p)
    return;
  now.in_use -= header_of (p)->bytes;
  now.idle += header_of (p)->bytes;
  now.allocations--;
  free (header_of (p));
}

static gpr_status
upload (void *resident, const void *from, size_t bytes)
{
  memcpy (resident, from, bytes);
  return GPR_OK;
}

static gpr_status
download (void *to, const void *resident, size_t bytes)
{
  memcpy (to, resident, bytes);
  return GPR_OK;
}

static gpr_status
reduce (gpr_reduction *r)
{
  int device = r->x_resident ? header_of (r->x)->device : current;
  if (r->instance != GPR_sum_f64)
    return host.fail (GPR_UNSUPPORTED, "the stand-in sums doubles");
  if (! opened[device] || (r->out_resident && header_of (r->value)->device != device))
    return host.fail (GPR_BAD_INPUT, "arrays lie on two GPUs");
  for (int64_t o = 0; o < r->outer; o++)
    for (int64_t c = 0; c < r->inner; c++)
      {
        double sum = 0;
        for (int64_t k = 0; k < r->length; k++)
          sum += ((const double *) r->x)[c + r->inner * (k + r->length * o)];
        ((double *) r->value)[c + r->inner * o] = sum;
      }
  r->needs_fixup = false;
  return GPR_OK;
}

/* Leaves all to the others.  */
static gpr_status
share (struct gpr_share *s)
{
  (void) s;
  return GPR_OK;
}

static gpr_status
pair (gpr_pairing *p)
{
  if ((p->x_resident && header_of (p->x)->device != current) || (p->y_resident && header_of (p->y)->device != current))
    return host.fail (GPR_BAD_INPUT, "arrays lie on two GPUs");
  for (int64_t i = 0; i < p->dims[0] && p->rank == 1; i++)
    {
      double x = ((const double *) p->x)[i * p->xs[0]], y = ((const double *) p->y)[i * p->ys[0]];
      ((double *) p->z)[i] = x > y ? x : y;
    }
  return GPR_OK;
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
  opened[current ? current : 1] = false;
  current = 0;
  return GPR_OK;
}

static gpr_status
self_check (char *report, size_t bytes)
{
  snprintf (report, bytes, "GPU %d", current);
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
    .backend = { .name = "cuda", .on_device = true, .reduce = reduce, .share = share, .pair = pair, .generate = generate, .allocate = allocate, .release = release,
                 .upload = upload, .download = download, .times = times },
    .probe = probe, .describe = describe, .select = choose, .selected = selected, .memory = memory, .trim = trim,
    .synchronize = synchronize, .reset = reset, .self_check = self_check, .architectures = architectures,
    .compile_report = compile_report, .compile_end = compile_end, .compile_wait = compile_wait, .compile_clear = compile_end
  };
  host = *given;
  return &api;
}
