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
  _Atomic int64_t last[GPR_CUDA_PIECES];        /* for each buffer, the piece last moved, counted from 1 */
  atomic_bool stop;
} transfer;

static int
buffer_of (const transfer *t, int64_t i)
{
  return (int) ((t->s->next_piece + i) % GPR_CUDA_PIECES);
}

static size_t
bytes_of (const transfer *t, int64_t i)
{
  return i < t->pieces - 1 ? t->piece : t->bytes - (t->pieces - 1) * t->piece;
}

/* Pinned memory is allocated on first need and kept.  */
static gpr_status
equip (transfer *t)
{
  for (int64_t i = 0; i < gpr_min64 (t->pieces, GPR_CUDA_PIECES); i++)
    {
      gpr_cuda_piece *p = &t->s->pieces[buffer_of (t, i)];
      if (! p->done)
        GPR_CUDA_TRY (cudaEventCreateWithFlags (&p->done, cudaEventDisableTiming), "making an event");
      if (! p->host)
        GPR_CUDA_TRY (cudaHostAlloc ((void **) &p->host, GPR_CUDA_PIECE, cudaHostAllocPortable), "page-locking host memory");
    }
  return GPR_OK;
}

void
gpr_cuda_free_pieces (gpr_cuda_state *s)
{
  for (int i = 0; i < GPR_CUDA_PIECES; i++)
    {
      gpr_cuda_piece *p = &s->pieces[i];
      if (p->host)
        (void) cudaFreeHost (p->host);
      if (p->done)
        (void) cudaEventDestroy (p->done);
      *p = (gpr_cuda_piece) { 0 };
    }
  s->next_piece = 0;
}

static gpr_status
issue (transfer *t)
{
  gpr_cuda_piece *p = &t->s->pieces[buffer_of (t, t->issued)];
  char *device = t->device + t->issued * t->piece;
  size_t bytes = bytes_of (t, t->issued);

  if (t->up)
    GPR_CUDA_TRY (cudaMemcpyAsync (device, p->host, bytes, cudaMemcpyHostToDevice, t->s->copy), "copying to the GPU");
  else
    GPR_CUDA_TRY (cudaMemcpyAsync (p->host, device, bytes, cudaMemcpyDeviceToHost, t->s->work), "copying from the GPU");
  GPR_CUDA_TRY (cudaEventRecord (p->done, t->up ? t->s->copy : t->s->work), "timing a copy");
  p->copying = true;
  t->issued++;
  return GPR_OK;
}

/* Opens pieces up to end whose buffers no copy uses any more.  */
static gpr_status
open_until (transfer *t, int64_t end)
{
  for (; t->open < end; t->open++)
    {
      gpr_cuda_piece *p = &t->s->pieces[buffer_of (t, t->open)];
      cudaError_t state = p->copying ? cudaEventQuery (p->done) : cudaSuccess;
      if (state == cudaErrorNotReady)
        break;
      if (state != cudaSuccess)
        return gpr_cuda_error (state, "copying");
      p->copying = false;
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
      return open_until (t, gpr_min64 (t->pieces, t->issued + GPR_CUDA_PIECES));
    }
  while (t->issued < t->pieces && t->last[buffer_of (t, t->issued)] == gpr_max64 (0, t->issued + 1 - GPR_CUDA_PIECES))
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
  const size_t step = 128 << 10, bytes = bytes_of (t, i);
  const int buffer = buffer_of (t, i);

  for (size_t at = 0; at < bytes; at += step)
    {
      move_run (t->v, t->from + i * t->piece + at, bytes - at < step ? bytes - at : step, t->s->pieces[buffer].host + at, t->up);
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
  if (s->copy_threads > 0)
    allowed = gpr_min64 (allowed, s->copy_threads);
  allowed = gpr_min64 (allowed, gpr_min64 (GPR_COPY_THREADS, omp_get_num_procs ()));
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

  t.piece = gpr_min64 (GPR_CUDA_PIECE, gpr_max64 (COPY_LEAST, share));
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
  s->next_piece = buffer_of (&t, t.pieces);
  return t.status;
}
