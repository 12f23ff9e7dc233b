/* Stands in for gpureduce_cuda.so of a rank: the GPUs in host memory of tests/three_gpus.c, which do parts of some reductions too, read plainly
   (tests/oracle/tree_oracle.h), and are linked by src/cuda/nccl.c, compiled beside this on as much of CUDA as it calls.

   Of each rank they are others; LINKED_GPUS=same: the ranks have the same.  LINKED_GPUS="RANK memory": there the link gets none; "RANK lost": there
   CUDA says that the device is lost, once the link has moved some bytes.  */

#include <limits.h>
#define gpr_cuda_module three_module
#define MORE_PARTIALS(F) F (sum_i8, ISUM, i8, i64, f64)
#include "../three_gpus.c"
#undef gpr_cuda_module
#include "../../src/core/partial.h"
#include "../../src/cuda/nccl.h"
#include "../../src/cuda/memory.h"
#include "../../src/cuda/problems.h"
#include "../../src/cuda/session.h"

gpr_cuda_host gpr_host;

static long
own_rank (void)
{
  const char *rank = getenv ("OMPI_COMM_WORLD_RANK");
  rank = rank ? rank : getenv ("PMI_RANK");
  return rank ? strtol (rank, NULL, 10) : 0;
}

/* ---- as much of the CUDA runtime and of the module ---------------------------------- */

static int queries;             /* an event takes some */
static int recorded;            /* events so far */

cudaError_t cudaEventCreateWithFlags (cudaEvent_t *e, unsigned flags) { (void) flags; *e = malloc (1); return cudaSuccess; }
cudaError_t cudaEventDestroy (cudaEvent_t e) { free (e); return cudaSuccess; }
cudaError_t cudaEventRecord (cudaEvent_t e, cudaStream_t s) { (void) e; (void) s; queries = 2; recorded++; return cudaSuccess; }
cudaError_t cudaEventQuery (cudaEvent_t e) { (void) e; return queries-- > 0 ? cudaErrorNotReady : cudaSuccess; }
cudaError_t cudaGetLastError (void) { return cudaSuccess; }

cudaError_t
cudaMemcpyAsync (void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t s)
{
  (void) kind; (void) s;
  memcpy (to, from, bytes);
  return cudaSuccess;
}

/* Of this rank.  */
static bool
is_own (const char *what)
{
  const char *told = getenv ("LINKED_GPUS");
  char own[32];
  snprintf (own, sizeof own, "%ld %s", own_rank (), what);
  return told && strcmp (told, own) == 0;
}

/* As long as one may be.  nccl.c calls it gethostname (tests/ranks.sh).  */
int
longest_host_name (char *name, size_t bytes)
{
  if (bytes <= HOST_NAME_MAX)
    return -1;
  memset (name, 'h', HOST_NAME_MAX);
  name[HOST_NAME_MAX] = '\0';
  return 0;
}

bool gpr_cuda_is_lost (int device) { (void) device; return recorded > 3 && is_own ("lost"); }

cudaError_t
cudaDeviceGetPCIBusId (char *id, int length, int device)
{
  const char *told = getenv ("LINKED_GPUS");
  const bool same = told && strcmp (told, "same") == 0;
  snprintf (id, length, "0000:%02lx:%02x.0", same ? 0 : own_rank (), same ? 0 : device);
  return cudaSuccess;
}

gpr_status gpr_cuda_error (cudaError_t e, const char *what) { return host.fail (GPR_DEVICE_LOST, "error %d while %s", (int) e, what); }

double
gpr_cuda_now_ms (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return 1e3 * t.tv_sec + 1e-6 * t.tv_nsec;
}

gpr_status
gpr_cuda_enter_device (gpr_cuda_state **s, int device)
{
  static gpr_cuda_state states[GPUS];
  opened[device] = true;
  *s = &states[device - 1];
  (*s)->number = device - 1;
  return GPR_OK;
}

gpr_status
gpr_cuda_enter (gpr_cuda_state **s, const void *a, const void *b, const void *c)
{
  (void) b; (void) c;
  return gpr_cuda_enter_device (s, a ? device_of (a) : selected_one ? selected_one : 1);
}

gpr_status
gpr_cuda_take (const gpr_cuda_state *s, void **p, size_t bytes)
{
  *p = is_own ("memory") ? NULL : take_memory (s->number + 1, (int64_t) bytes);
  return *p ? GPR_OK : host.fail (GPR_OUT_OF_MEMORY, "out of GPU memory");
}

size_t gpr_cuda_left (void) { return room (); }
void gpr_cuda_give (void *p) { release (p); }

/* ---- parts ----------------------------------------------------------------------------- */

int
gpr_cuda_acc_bytes (enum gpr_instance instance)
{
  const partial_kind *kind = kind_of (instance);
  return kind ? kind->acc_bytes : 0;
}

/* Ranks bring others to the host.  */
static gpr_status
own_begin (gpr_partial *p)
{
  const partial_kind *kind = kind_of (p->r.instance);
  if (! kind)
    return host.fail (GPR_UNSUPPORTED, "the stand-in does not reduce such parts");
  p->running = p;
  kind->parts (p, p->r.x);
  return misfortune (device_of (p->r.x));
}

static gpr_status
own_end (gpr_partial *p, bool wanted)
{
  (void) wanted;
  p->running = NULL;
  return GPR_OK;
}

const gpr_cuda_api *
gpr_cuda_module (const gpr_cuda_host *given_host)
{
  static gpr_cuda_api api;
  gpr_host = *given_host;
  api = *three_module (given_host);
  api.backend.partial_begin = own_begin;
  api.backend.partial_end = own_end;
  api.backend.links = &gpr_cuda_links;
  return &api;
}
