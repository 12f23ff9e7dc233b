/* Stands in for gpureduce_cuda.so: a GPU in host memory on which nothing but linear algebra, Fourier transforms and elementwise operations run, so that
   src/cuda/libraries.c, blas.c, linear.c and fourier.c can be tested without one (tests/libraries.sh).  Memory is as long as was asked
   for, with a guard behind it, and holds NaN at first.  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../src/core/system.h"
#include "../../src/core/map.h"
#include "../../src/core/solve.h"
#include "../../src/cpu/cpu.h"
#include "../../src/cuda/libraries.h"
#include "../../src/cuda/memory.h"
#include "../../src/cuda/problems.h"
#include "../../src/cuda/session.h"
#include "../../src/cuda/stream.h"

gpr_cuda_host gpr_host;
static gpr_cuda_state state;
static bool opened;

/* ---- memory --------------------------------------------------------------------------- */

enum { HEAD = 64, GUARD = 64 };
static gpr_cuda_memory now;

static void
check (bool holds, const char *what)
{
  if (holds)
    return;
  fprintf (stderr, "stand-in: %s\n", what);
  abort ();
}

gpr_status
gpr_cuda_take (const gpr_cuda_state *s, void **p, size_t bytes)
{
  (void) s;
  *p = NULL;
  if (gpr_cuda_fault () != cudaSuccess)
    return gpr_host.fail (GPR_OUT_OF_MEMORY, "out of GPU memory");
  char *memory = aligned_alloc (64, (HEAD + bytes + GUARD + 63) / 64 * 64);
  if (! memory)
    return gpr_host.fail (GPR_OUT_OF_MEMORY, "out of GPU memory");
  memcpy (memory, &bytes, sizeof bytes);
  memset (memory + HEAD, 0xff, bytes);
  memset (memory + HEAD + bytes, 0x5a, GUARD);
  now.in_use += (int64_t) bytes;
  now.allocations++;
  *p = memory + HEAD;
  return GPR_OK;
}

void
gpr_cuda_give (void *p)
{
  size_t bytes;
  if (! p)
    return;
  char *memory = (char *) p - HEAD;
  memcpy (&bytes, memory, sizeof bytes);
  for (int i = 0; i < GUARD; i++)
    check (memory[HEAD + bytes + i] == 0x5a, "written beyond the end of memory");
  now.in_use -= (int64_t) bytes;
  now.allocations--;
  free (memory);
}

void gpr_cuda_trim_cache (void) { }
static void memory_now (gpr_cuda_memory *m) { *m = now; }

static gpr_status
allocate (void **p, size_t bytes)
{
  return gpr_cuda_take (&state, p, bytes);
}

static gpr_status
copy (void *to, const void *from, size_t bytes)
{
  memcpy (to, from, bytes);
  return GPR_OK;
}

/* ---- the runtime and the module's lower files ------------------------------------------ */

cudaError_t
cudaMemcpyAsync (void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t s)
{
  (void) kind;
  (void) s;
  memcpy (to, from, bytes);
  return cudaSuccess;
}

cudaError_t
cudaMemsetAsync (void *p, int value, size_t bytes, cudaStream_t s)
{
  (void) s;
  memset (p, value, bytes);
  return cudaSuccess;
}

cudaError_t
cudaMemcpy2DAsync (void *to, size_t to_pitch, const void *from, size_t pitch, size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t s)
{
  (void) kind;
  (void) s;
  check (width <= to_pitch && width <= pitch, "cudaMemcpy2DAsync: rows longer than their distance");
  for (size_t i = 0; i < height; i++)
    memcpy ((char *) to + i * to_pitch, (const char *) from + i * pitch, width);
  return cudaSuccess;
}

cudaError_t cudaStreamQuery (cudaStream_t s) { (void) s; return cudaSuccess; }
cudaError_t cudaGetLastError (void) { return cudaSuccess; }

gpr_status
gpr_cuda_error (cudaError_t e, const char *what)
{
  return gpr_host.fail (e == cudaErrorMemoryAllocation ? GPR_OUT_OF_MEMORY : GPR_UNSUPPORTED, "%s", what);
}

double
gpr_cuda_now_ms (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}

gpr_status gpr_cuda_next_slot (gpr_cuda_state *s, gpr_cuda_slot **slot) { *slot = s->slots; return GPR_OK; }
gpr_status gpr_cuda_begin_work (gpr_cuda_state *s, gpr_cuda_slot *slot) { (void) s; (void) slot; return GPR_OK; }
gpr_status gpr_cuda_end_work (gpr_cuda_state *s, gpr_cuda_slot *slot) { (void) s; (void) slot; return GPR_OK; }
gpr_status gpr_cuda_drain (gpr_cuda_state *s) { s->idle = true; return GPR_OK; }
void gpr_cuda_finish (gpr_cuda_state *s) { s->idle = true; }

gpr_status
gpr_cuda_upload (gpr_cuda_state *s, void *device, const gpr_cuda_view *v)
{
  (void) s;
  return copy (device, v->host, v->segment * v->count);
}

gpr_status
gpr_cuda_download (gpr_cuda_state *s, const gpr_cuda_view *v, const void *device)
{
  (void) s;
  return copy (v->host, device, v->segment * v->count);
}

gpr_status gpr_cuda_map (gpr_cuda_state *s, gpr_mapping *m) { (void) s; return gpr_cpu_map (m); }
gpr_status gpr_cuda_reduce (gpr_cuda_state *s, gpr_reduction *r) { (void) s; return gpr_cpu_reduce (r); }

/* ---- the table -------------------------------------------------------------------------- */

static gpr_status linear (gpr_linear *p) { return gpr_cuda_linear (&state, p); }
static gpr_status fourier (gpr_fourier *p) { return gpr_cuda_fourier (&state, p); }

static void
probe (gpr_cuda_probe *p)
{
  *p = (gpr_cuda_probe) { .devices = 1, .driver_version = 13000, .runtime_version = 13000 };
}

static gpr_status
describe (int device, gpr_device *d)
{
  *d = (gpr_device) { .index = device, .major = 9, .multiprocessors = 1, .total_memory = 1 << 30, .free_memory = 1 << 29,
                      .driver_version = 13000, .runtime_version = 13000 };
  snprintf (d->name, sizeof d->name, "stand-in");
  return GPR_OK;
}

static gpr_status select_device (int device) { (void) device; opened = true; return GPR_OK; }
static int selected (void) { return opened; }
static gpr_status nothing (void) { return GPR_OK; }
static gpr_status reset (void) { gpr_cuda_close_libraries (0, false); opened = false; return GPR_OK; }
static void times (double *transfer_ms, double *kernel_ms) { *transfer_ms = *kernel_ms = 0; }
static void compile_end (void) {}
static const char *architectures (void) { return "stand-in"; }

__attribute__ ((visibility ("default"))) const gpr_cuda_api *
gpr_cuda_module (const gpr_cuda_host *host)
{
  static const gpr_cuda_api api = {
    .abi = GPR_CUDA_ABI, .version = GPR_VERSION,
    .backend = {
      .name = "cuda", .on_device = true, .reduce = gpr_cpu_reduce, .map = gpr_cpu_map, .complex = gpr_cpu_complex, .convert = gpr_cpu_convert, .pair = gpr_cpu_pair, .generate = gpr_cpu_generate, .gather = gpr_cpu_gather, .find = gpr_cpu_find, .rank = gpr_cpu_rank, .room = gpr_system_free_memory, .linear = linear, .fourier = fourier,
      .allocate = allocate, .release = gpr_cuda_give, .upload = copy, .download = copy, .times = times
    },
    .probe = probe, .describe = describe, .select = select_device, .selected = selected, .memory = memory_now, .trim = nothing, .synchronize = nothing,
    .reset = reset, .architectures = architectures, .compile_end = compile_end
  };
  gpr_host = *host;
  return &api;
}
