/* Stands in for gpureduce_cuda.so of a rank: the GPUs in host memory of tests/three_gpus.c, which do parts of some reductions too, read plainly
   (tests/oracle/tree_oracle.h), and are linked by src/cuda/nccl.c, compiled beside this on as much of CUDA as it calls.

   Of each rank they are others; LINKED_GPUS=same: the ranks have the same.  LINKED_GPUS="RANK memory": there the link gets none; "RANK lost": there
   CUDA says that the device is lost, once the link has moved some bytes.  */

#include <limits.h>
#define gpr_cuda_module three_module
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

/* Of double, three_gpus.c has defined some.  */
#define SOME_INSTANCES(F) F (sum_f32, SUM, f32, f32, f32) F (sum_i8, ISUM, i8, i64, f64) F (moments_f64, MOMENTS, f64, moments, f64)
#define OTHER_INSTANCES(F) F (sum_f64, SUM, f64, f64, f64) F (argmax_f64, ARGMAX, f64, f64, f64)
SOME_INSTANCES (GPR_DEFINE_INSTANCE)
SOME_INSTANCES (GPR_DEFINE_TREE_ORACLE)

#define DEFINE_PARTS(id, FAMILY, X, A, Y) \
static void \
fold_##id (id##_a *part, int64_t left) \
{ \
  for (; left > 1; left = (left + 1) / 2) \
    for (int64_t k = 0; k < left; k += 2) \
      { \
        part[k / 2] = part[k]; \
        if (k + 1 < left) \
          id##_merge (&part[k / 2], part[k + 1]); \
      } \
} \
static void \
own_parts_##id (const gpr_partial *p) \
{ \
  gpr_reduction r = p->r; \
  const uintptr_t x_back = (uintptr_t) (p->first_row * r.inner) * sizeof (id##_x); \
  r.x = (const void *) ((uintptr_t) r.x - x_back); \
  r.y = r.y ? (const void *) ((uintptr_t) r.y - x_back) : NULL; \
  for (int64_t part = p->first; part < p->end[p->count - 1]; part++) \
    for (int64_t c = 0; c < r.inner; c++) \
      ((id##_a *) p->partials)[part * r.inner + c] = oracle_part_##id (&p->tree, &r, c, part); \
} \
/* Of subtrees: parts that follow one another from a multiple of the least power of 2 above their number on.  */ \
static void \
merge_##id (const gpr_partial *p, const id##_a *from) \
{ \
  id##_a *part = malloc (p->tree.parts * sizeof *part); \
  for (int64_t k = 0, first = p->first; k < p->count; first = p->end[k++]) \
    for (int64_t c = 0; c < p->r.inner; c++) \
      { \
        for (int64_t i = first; i < p->end[k]; i++) \
          part[i - first] = from[i * p->r.inner + c]; \
        fold_##id (part, p->end[k] - first); \
        ((id##_a *) (p->accumulators + k * p->apart))[c] = part[0]; \
      } \
  free (part); \
} \
static void \
subtrees_##id (const gpr_partial *p) \
{ \
  id##_a *all = malloc (p->tree.parts * p->r.inner * sizeof *all); \
  gpr_partial q = *p; \
  q.partials = all; \
  own_parts_##id (&q); \
  merge_##id (p, all); \
  free (all); \
} \
static void \
own_results_##id (gpr_partial *p) \
{ \
  const gpr_reduction *r = &p->r; \
  id##_a *part = malloc (p->tree.parts * sizeof *part); \
  for (int64_t c = 0; c < r->inner; c++) \
    { \
      int64_t index = 0; \
      for (int64_t k = 0; k < p->tree.parts; k++) \
        part[k] = ((id##_a *) p->partials)[k * r->inner + c]; \
      fold_##id (part, p->tree.parts); \
      p->r.needs_fixup |= id##_finish (part[0], r->divisor, (id##_y *) r->value + c, &index) != 0; \
      if (r->index) \
        r->index[c] = index; \
    } \
  free (part); \
}
SOME_INSTANCES (DEFINE_PARTS)
OTHER_INSTANCES (DEFINE_PARTS)

static const struct {
  enum gpr_instance instance;
  int acc_bytes;
  void (*parts) (const gpr_partial *p), (*subtrees) (const gpr_partial *p);
  void (*results) (gpr_partial *p);
} known[] = {
#define KNOWN(id, FAMILY, X, A, Y) { GPR_##id, sizeof (id##_a), own_parts_##id, subtrees_##id, own_results_##id },
  SOME_INSTANCES (KNOWN) OTHER_INSTANCES (KNOWN)
};
enum { KNOWN_ONES = sizeof known / sizeof *known };

static int
place_of (enum gpr_instance instance)
{
  int k = 0;
  while (k < KNOWN_ONES && known[k].instance != instance)
    k++;
  return k;
}

int
gpr_cuda_acc_bytes (enum gpr_instance instance)
{
  const int k = place_of (instance);
  return k < KNOWN_ONES ? known[k].acc_bytes : 0;
}

/* Ranks bring others to the host.  */
static gpr_status
own_begin (gpr_partial *p)
{
  const int k = place_of (p->r.instance);
  if (k == KNOWN_ONES)
    return host.fail (GPR_UNSUPPORTED, "the stand-in does not reduce such parts");
  p->running = p;
  if (p->partials)
    known[k].parts (p);
  else
    known[k].subtrees (p);
  return misfortune (device_of (p->r.x));
}

static gpr_status
own_end (gpr_partial *p, bool wanted)
{
  (void) wanted;
  p->running = NULL;
  return GPR_OK;
}

static gpr_status
own_results (gpr_partial *p)
{
  known[place_of (p->r.instance)].results (p);
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
  api.backend.partial_results = own_results;
  api.backend.links = &gpr_cuda_links;
  return &api;
}
