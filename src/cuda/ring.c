/* Staging: Octave's arrays are pageable memory, which the driver copies slowly.  So
   threads copy them, piece by piece, to or from a ring buffer of pinned memory, and
   the copy engine does the rest while kernels run.  */

#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "ring.h"
#include "../core/share.h"

enum {
  COPY_LEAST = 128 << 10        /* bytes of a piece: less is not worth a thread */
};

/* Copies so many bytes of a view, beginning with byte from, to or from one run of memory.  */
static void
move_run (const gpr_cuda_view *v, size_t from, size_t bytes, char *run, bool to_run)
{
  size_t at = from % v->segment;
  char *host = v->host + from / v->segment * v->stride;

  while (bytes > 0)
    {
      size_t n = bytes < v->segment - at ? bytes : v->segment - at;
      if (to_run)
        memcpy (run, host + at, n);
      else
        memcpy (host + at, run, n);
      run += n;
      bytes -= n;
      host += v->stride;
      at = 0;
    }
}

/* One transfer, by several threads.  Only the calling thread, the lead, calls the
   driver: it queues the copies of the pieces in order and sees when they end.  All
   threads, the lead too, copy pieces between the view and the ring.  */
typedef struct {
  gpr_cuda_state *s;
  const gpr_cuda_view *v;
  size_t from, bytes, piece;    /* of the view; of a full piece */
  char *device;
  bool up;                      /* to the device */
  int64_t pieces, issued;       /* how many there are; how many copies the lead has queued */
  gpr_status status;            /* of the lead */
  _Atomic int64_t next, open;   /* the piece to move next; only those before open have a free buffer, or data */
  _Atomic int64_t moved;        /* how many threads have moved */
  _Atomic int64_t last[GPR_CUDA_BUFFERS];       /* for each buffer, the piece last moved, counted from 1 */
  atomic_bool stop;
} transfer;

static int
buffer_of (const transfer *t, int64_t i)
{
  const gpr_cuda_ring *r = &t->s->ring;
  return (int) ((r->next + i) % r->count);
}

static char *
memory_of (const gpr_cuda_ring *r, int buffer)
{
  const int each = (int) (GPR_CUDA_BLOCK / r->bytes);
  return r->block[buffer / each] + buffer % each * r->bytes;
}

static size_t
bytes_of (const transfer *t, int64_t i)
{
  return i < t->pieces - 1 ? t->piece : t->bytes - (t->pieces - 1) * t->piece;
}

/* Buffers of so many bytes, so many of them.  */
static gpr_status
divide (gpr_cuda_ring *r, size_t bytes, int count)
{
  if (r->bytes == bytes && r->count == count)
    return GPR_OK;
  for (int i = 0; i < r->count; i++)
    if (r->of[i].copying)
      {
        GPR_TRY (gpr_cuda_wait (r->of[i].done));
        r->of[i].copying = false;
      }
  r->bytes = bytes;
  r->count = count;
  r->next = 0;
  return GPR_OK;
}

static size_t
buffer_bytes (const gpr_cuda_state *s)
{
  return s->copy_bytes > 0 ? GPR_CUDA_BUFFER : GPR_CUDA_BLOCK;
}

/* Whether the buffers from the next one on, as many as the transfer takes, are there.  */
static bool
is_equipped (const transfer *t)
{
  const gpr_cuda_ring *r = &t->s->ring;
  bool all = true;
  for (int64_t i = 0; i < gpr_min64 (t->pieces, r->count) && all; i++)
    all = r->block[buffer_of (t, i) * r->bytes / GPR_CUDA_BLOCK];
  return all;
}

/* Page-locking takes milliseconds: the first buffers are used again where no copy uses them any more.  */
static gpr_status
begin_anew (const transfer *t)
{
  gpr_cuda_ring *r = &t->s->ring;
  for (int i = 0; i < gpr_min64 (t->pieces, r->count); i++)
    {
      const cudaError_t state = r->of[i].copying ? cudaEventQuery (r->of[i].done) : cudaSuccess;
      if (state == cudaErrorNotReady)
        return GPR_OK;
      GPR_CUDA_TRY (state, "copying");
      r->of[i].copying = false;
    }
  r->next = 0;
  return GPR_OK;
}

/* Pinned memory is allocated on first need and kept.  */
static gpr_status
equip (transfer *t)
{
  gpr_cuda_ring *r = &t->s->ring;
  const size_t bytes = buffer_bytes (t->s), most = (size_t) GPR_CUDA_BLOCK * GPR_CUDA_BLOCKS;
  const size_t all = t->s->copy_bytes > 0 && t->s->copy_bytes < most ? t->s->copy_bytes : most;

  GPR_TRY (divide (r, bytes, (int) gpr_max64 (1, all / bytes)));
  if (! is_equipped (t))
    GPR_TRY (begin_anew (t));
  for (int64_t i = 0; i < gpr_min64 (t->pieces, r->count); i++)
    {
      const int buffer = buffer_of (t, i);
      char **block = &r->block[buffer * r->bytes / GPR_CUDA_BLOCK];
      if (! r->of[buffer].done)
        GPR_CUDA_TRY (cudaEventCreateWithFlags (&r->of[buffer].done, cudaEventDisableTiming), "making an event");
      if (! *block)
        GPR_CUDA_TRY (cudaHostAlloc ((void **) block, GPR_CUDA_BLOCK, cudaHostAllocPortable), "page-locking host memory");
    }
  return GPR_OK;
}

void
gpr_cuda_free_ring (gpr_cuda_state *s)
{
  gpr_cuda_ring *r = &s->ring;
  for (int i = 0; i < GPR_CUDA_BLOCKS; i++)
    if (r->block[i])
      (void) cudaFreeHost (r->block[i]);
  for (int i = 0; i < GPR_CUDA_BUFFERS; i++)
    if (r->of[i].done)
      (void) cudaEventDestroy (r->of[i].done);
  *r = (gpr_cuda_ring) { .count = 0 };
}

static gpr_status
issue (transfer *t)
{
  gpr_cuda_ring *r = &t->s->ring;
  const int buffer = buffer_of (t, t->issued);
  char *device = t->device + t->issued * t->piece, *host = memory_of (r, buffer);
  size_t bytes = bytes_of (t, t->issued);

  if (t->up)
    GPR_CUDA_TRY (cudaMemcpyAsync (device, host, bytes, cudaMemcpyHostToDevice, t->s->copy), "copying to the GPU");
  else
    GPR_CUDA_TRY (cudaMemcpyAsync (host, device, bytes, cudaMemcpyDeviceToHost, t->s->work), "copying from the GPU");
  GPR_CUDA_TRY (cudaEventRecord (r->of[buffer].done, t->up ? t->s->copy : t->s->work), "timing a copy");
  r->of[buffer].copying = true;
  t->issued++;
  return GPR_OK;
}

/* Opens pieces up to end whose buffers no copy uses any more.  */
static gpr_status
open_until (transfer *t, int64_t end)
{
  gpr_cuda_ring *r = &t->s->ring;
  for (; t->open < end; t->open++)
    {
      const int buffer = buffer_of (t, t->open);
      cudaError_t state = r->of[buffer].copying ? cudaEventQuery (r->of[buffer].done) : cudaSuccess;
      if (state == cudaErrorNotReady)
        break;
      if (state != cudaSuccess)
        return gpr_cuda_error (state, "copying");
      r->of[buffer].copying = false;
    }
  return GPR_OK;
}

/* Queues and opens whatever can be now.  On the way up a piece is queued once it has been
   moved into its buffer; on the way down once its buffer's last piece has been moved out.  */
static gpr_status
advance (transfer *t)
{
  if (gpr_cuda_interrupted ())
    return gpr_cuda_fail (GPR_INTERRUPTED, "interrupted");
  if (t->up)
    {
      while (t->issued < t->pieces && t->last[buffer_of (t, t->issued)] == t->issued + 1)
        GPR_TRY (issue (t));
      return open_until (t, gpr_min64 (t->pieces, t->issued + t->s->ring.count));
    }
  while (t->issued < t->pieces && t->last[buffer_of (t, t->issued)] == gpr_max64 (0, t->issued + 1 - t->s->ring.count))
    GPR_TRY (issue (t));
  return open_until (t, t->issued);
}

static bool
take (transfer *t, int64_t *i)
{
  *i = t->next;
  while (*i < t->open)
    if (atomic_compare_exchange_weak (&t->next, i, *i + 1))
      return true;
  return false;
}

static void
move_piece (transfer *t, int64_t i, bool lead)
{
  const size_t step = 32 << 10, bytes = bytes_of (t, i);        /* the lead looks after the others in between */
  const int buffer = buffer_of (t, i);
  char *host = memory_of (&t->s->ring, buffer);

  for (size_t at = 0; at < bytes; at += step)
    {
      move_run (t->v, t->from + i * t->piece + at, bytes - at < step ? bytes - at : step, host + at, t->up);
      if (lead && t->status == GPR_OK)
        t->status = advance (t);
    }
  t->last[buffer] = i + 1;
  t->moved++;
}

static void
relax (int waited)
{
  const struct timespec nap = { 0, 50000 };
  if (waited > 5000)
    nanosleep (&nap, NULL);
  else if (waited > 50)
    sched_yield ();
}

static void
lead (transfer *t)
{
  int64_t i;
  for (int waited = 0; t->status == GPR_OK; waited++)
    {
      t->status = advance (t);
      if (t->status != GPR_OK || (t->up ? t->issued : t->moved) == t->pieces)
        break;
      if (take (t, &i))
        {
          move_piece (t, i, true);
          waited = 0;
        }
      else
        relax (waited);
    }
  t->stop = true;
}

#ifdef _OPENMP
static void
follow (transfer *t)
{
  int64_t i;
  for (int waited = 0; ! t->stop && t->next < t->pieces; waited++)
    if (take (t, &i))
      {
        move_piece (t, i, false);
        waited = 0;
      }
    else
      relax (waited);
}
#endif

int
gpr_cuda_copy_threads (const gpr_cuda_state *s, size_t bytes)
{
#ifdef _OPENMP
  int64_t allowed = gpr_host.settings->threads > 0 ? gpr_host.settings->threads : omp_get_max_threads ();
  if (omp_in_parallel ())
    return 1;
  allowed = gpr_min64 (allowed, s->copy_threads > 0 ? s->copy_threads : GPR_COPY_THREADS);
  allowed = gpr_min64 (allowed, omp_get_num_procs ());
  return (int) gpr_max64 (1, gpr_min64 (allowed, bytes / (2 * COPY_LEAST)));
#else
  (void) s;
  (void) bytes;
  return 1;
#endif
}

gpr_status
gpr_cuda_stage (gpr_cuda_state *s, const gpr_cuda_view *v, size_t from, size_t bytes, void *device, bool up)
{
  const int threads = gpr_cuda_copy_threads (s, bytes);
  const size_t share = (bytes / (2 * threads) + 4095) / 4096 * 4096;
  transfer t = { .s = s, .v = v, .from = from, .bytes = bytes, .device = device, .up = up };

  t.piece = gpr_min64 (buffer_bytes (s), gpr_max64 (COPY_LEAST, share));
  t.pieces = gpr_over (bytes, t.piece);
  GPR_TRY (equip (&t));
#ifdef _OPENMP
  if (threads > 1)
    {
      #pragma omp parallel num_threads (threads)
      if (omp_get_thread_num () == 0)
        lead (&t);
      else
        follow (&t);
    }
  else
#endif
    lead (&t);
  s->ring.next = buffer_of (&t, t.pieces);
  return t.status;
}
