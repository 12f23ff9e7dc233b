/* A communicator of NCCL that never blocks: what it is told takes its course, and its state is asked for.  What of its interface is needed is
   declared here, as its documentation has it, so that its header need not be installed.  */

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "memory.h"
#include "nccl.h"
#include "problems.h"
#include "session.h"
#include "../../kernels/common/library.h"

enum { SUCCESS = 0, IN_PROGRESS = 7, BYTES = 1, LEAST_VERSION = 21800 };        /* ncclResult_t, ncclUint8; blocking = 0 works from 2.18 on */

typedef struct ncclComm *communicator;

/* ncclConfig_t of that version: a later library takes what it does not find here as not said.  */
typedef struct {
  size_t size;
  unsigned magic, version;
  int blocking, cga_cluster_size, min_ctas, max_ctas;
  const char *net_name;
  int split_share;
} configuration;

static struct {
  int (*ncclGetVersion) (int *version);
  int (*ncclGetUniqueId) (gpr_link_name *name);
  int (*ncclCommInitRankConfig) (communicator *c, int size, gpr_link_name name, int rank, configuration *config);
  int (*ncclCommGetAsyncError) (communicator c, int *result);
  int (*ncclCommFinalize) (communicator c);
  int (*ncclCommDestroy) (communicator c);
  int (*ncclCommAbort) (communicator c);
  int (*ncclGroupStart) (void);
  int (*ncclGroupEnd) (void);
  int (*ncclSend) (const void *from, size_t count, int type, int to, communicator c, cudaStream_t s);
  int (*ncclRecv) (void *to, size_t count, int type, int from, communicator c, cudaStream_t s);
  const char *(*ncclGetErrorString) (int result);
} nccl;

static const char *const names[] = {
  "ncclGetVersion", "ncclGetUniqueId", "ncclCommInitRankConfig", "ncclCommGetAsyncError", "ncclCommFinalize", "ncclCommDestroy", "ncclCommAbort",
  "ncclGroupStart", "ncclGroupEnd", "ncclSend", "ncclRecv", "ncclGetErrorString" };
enum { NAMES = sizeof names / sizeof *names };
_Static_assert (sizeof nccl == NAMES * sizeof (void *), "a name for each function, in their order");

/* ---- the library --------------------------------------------------------------------- */

static bool tried, there;
static char said[500];

/* GPUREDUCE_NCCL: "no", or the library's file.  NCCL_COMM_BLOCKING, of the environment or of NCCL's own files, would override blocking = 0.  */
static void
find (void)
{
  const char *wanted = getenv ("GPUREDUCE_NCCL");
  gpr_library_symbol symbols[NAMES];
  int version = 0;

  tried = true;
  if (wanted && strcmp (wanted, "no") == 0)
    {
      snprintf (said, sizeof said, "GPUREDUCE_NCCL=no");
      return;
    }
  for (int i = 0; i < NAMES; i++)
    symbols[i] = (gpr_library_symbol) { names[i], i * sizeof (void *) };
  (void) setenv ("NCCL_COMM_BLOCKING", "0", 1);
  void *library = wanted && *wanted ? dlopen (wanted, RTLD_NOW | RTLD_LOCAL) : gpr_library_open ("libnccl.so.2");
  const char *wrong = library ? NULL : dlerror ();      /* with the file's name */
  there = library && gpr_library_find (library, symbols, NAMES, &nccl) && nccl.ncclGetVersion (&version) == SUCCESS && version >= LEAST_VERSION;
  if (there)
    snprintf (said, sizeof said, "NCCL %d.%d.%d", version / 10000, version / 100 % 100, version % 100);
  else if (library)
    snprintf (said, sizeof said, "%.400s is not NCCL, or older than 2.18", wanted && *wanted ? wanted : "libnccl.so.2");
  else if (wanted && *wanted && wrong)
    snprintf (said, sizeof said, "GPUREDUCE_NCCL: %.400s", wrong);
  else
    snprintf (said, sizeof said, "libnccl.so.2 is not found");
}

static bool
found (void)
{
  if (! tried)
    find ();
  return there;
}

static const char *
library (void)
{
  found ();
  return said;
}

/* ---- links ------------------------------------------------------------------------------- */

typedef struct nccl_link {
  struct nccl_link *next;
  communicator c;               /* NULL: it was aborted */
  cudaEvent_t moved;
  int device;                   /* from 0 */
  enum { STARTS, QUEUES, MOVES, RESTS, FAILED } state;
  char why[300];
} nccl_link;
static nccl_link *all;

static int
fail (nccl_link *l, int result, const char *what)
{
  snprintf (l->why, sizeof l->why, "NCCL refused %s: %s", what, nccl.ncclGetErrorString (result));
  l->state = FAILED;
  gpr_cuda_fail (GPR_COMM_FAILED, "%s", l->why);
  return -1;
}

static bool
fine (int result)
{
  return result == SUCCESS || result == IN_PROGRESS;
}

/* A lost device takes no calls.  */
static void
stop (void *of)
{
  nccl_link *l = of;
  if (l->c && ! gpr_cuda_is_lost (l->device))
    (void) nccl.ncclCommAbort (l->c);
  l->c = NULL;
  if (l->state != FAILED)
    snprintf (l->why, sizeof l->why, "what joins the GPUs was stopped");
  l->state = FAILED;
}

static bool
can (const void *memory, char place[GPR_LINK_PLACE])
{
  gpr_cuda_state *s;
  char host[HOST_NAME_MAX + 1] = "", bus[32];

  if (! found () || gpr_cuda_enter (&s, memory, NULL, NULL) != GPR_OK)
    return false;
  /* MIG devices of one GPU have one place: NCCL does not take two of them.  */
  if (cudaDeviceGetPCIBusId (bus, sizeof bus, s->number) != cudaSuccess || gethostname (host, sizeof host) != 0)
    {
      (void) cudaGetLastError ();
      return false;
    }
  snprintf (place, GPR_LINK_PLACE, "%s %s", host, bus);
  return true;
}

static bool
fits (enum gpr_instance instance, int acc_bytes)
{
  return gpr_cuda_acc_bytes (instance) == acc_bytes;
}

static gpr_status
name_new (gpr_link_name *name)
{
  const int result = nccl.ncclGetUniqueId (name);
  return result == SUCCESS ? GPR_OK : gpr_cuda_fail (GPR_COMM_FAILED, "NCCL refused a name: %s", nccl.ncclGetErrorString (result));
}

static gpr_status
open_link (const gpr_link_name *name, int rank, int size, const void *memory, void **of)
{
  configuration config = { sizeof config, 0xcafebeef, LEAST_VERSION, .blocking = 0, .cga_cluster_size = INT_MIN, .min_ctas = INT_MIN,
                           .max_ctas = INT_MIN, .split_share = INT_MIN };
  gpr_cuda_state *s;

  *of = NULL;
  GPR_TRY (gpr_cuda_enter (&s, memory, NULL, NULL));
  nccl_link *l = calloc (1, sizeof *l);
  if (! l)
    return gpr_cuda_fail (GPR_OUT_OF_MEMORY, "out of host memory");
  l->device = s->number;
  const cudaError_t e = cudaEventCreateWithFlags (&l->moved, cudaEventDisableTiming);
  if (e != cudaSuccess)
    {
      free (l);
      return gpr_cuda_error (e, "joining GPUs");
    }
  l->next = all;
  *of = all = l;
  const int result = nccl.ncclCommInitRankConfig (&l->c, size, *name, rank, &config);
  if (! fine (result))
    fail (l, result, "joining the GPUs");
  return fine (result) ? GPR_OK : GPR_COMM_FAILED;
}

/* The state of the device that it joins, which is made current.  */
static gpr_status
enter (const nccl_link *l, gpr_cuda_state **s)
{
  if (l->state == FAILED)
    return gpr_cuda_fail (GPR_COMM_FAILED, "%s", l->why);
  return gpr_cuda_enter_device (s, l->device + 1);
}

static gpr_status
take (size_t bytes, const void *memory, void **p)
{
  gpr_cuda_state *s;
  *p = NULL;
  GPR_TRY (gpr_cuda_enter (&s, memory, NULL, NULL));
  return gpr_cuda_take (s, p, bytes);
}

static size_t
room (const void *memory)
{
  gpr_cuda_state *s;
  return gpr_cuda_enter (&s, memory, NULL, NULL) == GPR_OK ? gpr_cuda_left () : 0;
}

static gpr_status
copy (void *of, void *to, const void *from, size_t bytes)
{
  gpr_cuda_state *s;
  GPR_TRY (enter (of, &s));
  s->idle = false;
  if (bytes > 0)
    GPR_CUDA_TRY (cudaMemcpyAsync (to, from, bytes, cudaMemcpyDeviceToDevice, s->work), "copying on a GPU");
  return GPR_OK;
}

static gpr_status
move (void *of, const gpr_move *moves, int count)
{
  nccl_link *l = of;
  gpr_cuda_state *s;

  GPR_TRY (enter (l, &s));
  s->idle = false;
  int result = nccl.ncclGroupStart ();
  for (int i = 0; i < count && fine (result); i++)
    if (moves[i].bytes > 0)
      result = moves[i].sends ? nccl.ncclSend (moves[i].memory, moves[i].bytes, BYTES, moves[i].rank, l->c, s->work)
               : nccl.ncclRecv (moves[i].memory, moves[i].bytes, BYTES, moves[i].rank, l->c, s->work);
  const int ended = nccl.ncclGroupEnd ();
  if (fine (result))
    result = ended;
  l->state = QUEUES;
  if (! fine (result))
    fail (l, result, "bytes from GPU to GPU");
  return fine (result) ? GPR_OK : GPR_COMM_FAILED;
}

/* What was queued has its event behind it.  */
static int
queued (nccl_link *l)
{
  gpr_cuda_state *s;
  if (enter (l, &s) != GPR_OK)
    return -1;
  const cudaError_t e = cudaEventRecord (l->moved, s->work);
  l->state = MOVES;
  if (e != cudaSuccess)
    {
      gpr_cuda_error (e, "sending from GPU to GPU");
      l->state = FAILED;
      return -1;
    }
  return 0;
}

static int
done (void *of)
{
  nccl_link *l = of;
  int result = SUCCESS;

  if (l->state == FAILED)
    gpr_cuda_fail (GPR_COMM_FAILED, "%s", l->why);
  if (l->state == FAILED || l->state == RESTS)
    return l->state == RESTS ? 1 : -1;
  const int asked = nccl.ncclCommGetAsyncError (l->c, &result);
  if (asked != SUCCESS || ! fine (result))
    return fail (l, asked != SUCCESS ? asked : result, l->state == STARTS ? "joining the GPUs" : "bytes from GPU to GPU");
  if (result == IN_PROGRESS)
    return 0;
  if (l->state == QUEUES && queued (l) < 0)
    return -1;
  const cudaError_t e = l->state == STARTS ? cudaSuccess : cudaEventQuery (l->moved);
  if (e == cudaErrorNotReady)
    {
      (void) cudaGetLastError ();
      return 0;
    }
  if (e != cudaSuccess)
    {
      gpr_cuda_error (e, "sending from GPU to GPU");
      snprintf (l->why, sizeof l->why, "a GPU failed while sending to another");
    }
  l->state = e == cudaSuccess ? RESTS : FAILED;
  return e == cudaSuccess ? 1 : -1;
}

/* Whether it came to its end while one may wait for it.  */
static bool
finalized (nccl_link *l)
{
  int result = nccl.ncclCommFinalize (l->c);
  const double start = gpr_cuda_now_ms ();
  while (result == IN_PROGRESS && gpr_cuda_now_ms () < start + 3000 && ! gpr_cuda_interrupted ())
    {
      usleep (100);
      if (nccl.ncclCommGetAsyncError (l->c, &result) != SUCCESS)
        return false;
    }
  return result == SUCCESS;
}

static void
close_link (void *of, bool in_order)
{
  nccl_link *l = of, **at = &all;

  const bool lost = gpr_cuda_is_lost (l->device);
  if (in_order && l->state == RESTS && ! lost && finalized (l))
    {
      (void) nccl.ncclCommDestroy (l->c);
      l->c = NULL;
    }
  stop (l);
  if (l->moved && ! lost)
    (void) cudaEventDestroy (l->moved);
  (void) cudaGetLastError ();
  while (*at != l)
    at = &(*at)->next;
  *at = l->next;
  free (l);
}

/* Their owners close them.  */
void
gpr_cuda_stop_links (int device, bool lost)
{
  for (nccl_link *l = all; l; l = l->next)
    if (l->device == device)
      {
        if (lost)
          l->c = NULL;
        stop (l);
        if (l->moved && ! lost)
          (void) cudaEventDestroy (l->moved);
        l->moved = NULL;
      }
}

const struct gpr_links gpr_cuda_links = {
  .library = library, .found = found, .can = can, .fits = fits, .name = name_new, .open = open_link, .take = take, .room = room,
  .release = gpr_cuda_give, .copy = copy, .move = move, .done = done, .stop = stop, .close = close_link
};
