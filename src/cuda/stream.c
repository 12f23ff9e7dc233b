/* Data between host and device.  Octave's arrays are pageable memory, which the
   driver copies slowly.  So threads copy them, piece by piece, to or from a ring
   of pinned memory, and the copy engine does the rest while kernels run; or, where
   few threads are allowed, their pages are locked while the engine reads them.  */

#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "stream.h"

enum {
  COPY_THREADS = 8,             /* more are slower: 10 threads 48.9 GB/s where 8 have 50.4 (H200, 16 cores, PCIe 5) */
  COPY_LEAST = 128 << 10,       /* bytes of a piece: less is not worth a thread */
  IN_PLACE_LEAST = 1 << 20      /* bytes that are worth page-locking */
};

/* Bytes from … of a view, to or from one run of memory.  */
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

/* ---- the ring ------------------------------------------------------------------------- */

/* Bytes of a view to or from the device, by several threads.  Only the calling
   one, the lead, speaks to the driver: it queues the copies of pieces in order and
   sees them end.  All of them, the lead too, move what may be moved.  */
typedef struct {
  gpr_cuda_state *s;
  const gpr_cuda_view *v;
  size_t from, bytes, piece;    /* of the view; of a full piece */
  char *device;
  bool up;                      /* to the device */
  int64_t pieces, issued;       /* copies that are queued: the lead's */
  gpr_status status;            /* the lead's */
  _Atomic int64_t next, open;   /* to be moved next, by who takes it; those before open may be */
  _Atomic int64_t moved;        /* so many are */
  _Atomic int64_t last[GPR_CUDA_PIECES];        /* moved at this place of the ring, counted from 1 */
  atomic_bool stop;
} transfer;

static int
place_of (const transfer *t, int64_t i)
{
  return (int) ((t->s->next_piece + i) % GPR_CUDA_PIECES);
}

static size_t
bytes_of (const transfer *t, int64_t i)
{
  return i < t->pieces - 1 ? t->piece : t->bytes - (t->pieces - 1) * t->piece;
}

/* Pinned memory is given on demand and stays.  */
static gpr_status
equip (transfer *t)
{
  for (int64_t i = 0; i < gpr_min64 (t->pieces, GPR_CUDA_PIECES); i++)
    {
      gpr_cuda_piece *p = &t->s->pieces[place_of (t, i)];
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
  gpr_cuda_piece *p = &t->s->pieces[place_of (t, t->issued)];
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

/* Opens what comes next while no copy uses it.  */
static gpr_status
open_until (transfer *t, int64_t end)
{
  for (; t->open < end; t->open++)
    {
      gpr_cuda_piece *p = &t->s->pieces[place_of (t, t->open)];
      cudaError_t state = p->copying ? cudaEventQuery (p->done) : cudaSuccess;
      if (state == cudaErrorNotReady)
        break;
      if (state != cudaSuccess)
        return gpr_cuda_error (state, "copying");
      p->copying = false;
    }
  return GPR_OK;
}

/* Whatever can be queued or opened now.  */
static gpr_status
advance (transfer *t)
{
  if (gpr_cuda_interrupted ())
    return gpr_cuda_fail (GPR_INTERRUPTED, "interrupted");
  if (t->up)
    {
      while (t->issued < t->pieces && t->last[place_of (t, t->issued)] == t->issued + 1)
        GPR_TRY (issue (t));
      return open_until (t, gpr_min64 (t->pieces, t->issued + GPR_CUDA_PIECES));
    }
  while (t->issued < t->pieces && t->last[place_of (t, t->issued)] == gpr_max64 (0, t->issued + 1 - GPR_CUDA_PIECES))
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
  const int place = place_of (t, i);

  for (size_t at = 0; at < bytes; at += step)
    {
      move_run (t->v, t->from + i * t->piece + at, bytes - at < step ? bytes - at : step, t->s->pieces[place].host + at, t->up);
      if (lead && t->status == GPR_OK)
        t->status = advance (t);
    }
  t->last[place] = i + 1;
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

/* As many as the settings allow and the transfer is worth.  */
static int
threads_for (size_t bytes)
{
#ifdef _OPENMP
  int64_t allowed = gpr_host.settings->threads > 0 ? gpr_host.settings->threads : omp_get_max_threads ();
  if (omp_in_parallel ())
    return 1;
  allowed = gpr_min64 (allowed, gpr_min64 (COPY_THREADS, omp_get_num_procs ()));
  return (int) gpr_max64 (1, gpr_min64 (allowed, bytes / (2 * COPY_LEAST)));
#else
  (void) bytes;
  return 1;
#endif
}

static gpr_status
pass (gpr_cuda_state *s, const gpr_cuda_view *v, size_t from, size_t bytes, void *device, bool up)
{
  const int threads = threads_for (bytes);
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
  s->next_piece = place_of (&t, t.pieces);
  return t.status;
}

/* ---- in place -------------------------------------------------------------------------- */

static bool
in_place (const gpr_cuda_state *s, const gpr_cuda_view *v, size_t bytes)
{
  return (v->count == 1 || v->segment == v->stride) && bytes >= IN_PLACE_LEAST && ! s->locks_fail
         && threads_for (bytes) <= gpr_host.settings->in_place_threads;
}

static void
unlock (gpr_cuda_slot *slot)
{
  for (int i = 0; i < 2; i++)
    if (slot->locked[i])
      {
        if (cudaHostUnregister (slot->locked[i]) != cudaSuccess)
          (void) cudaGetLastError ();
        slot->locked[i] = NULL;
      }
}

/* The pages that are the view's alone are locked; what is left of it at both ends
   goes through the ring.  Memory that cannot be locked, such as a mapped file's:
   all of it.  */
static gpr_status
send_in_place (gpr_cuda_state *s, void **locked, const gpr_cuda_view *v, size_t from, size_t bytes, char *device)
{
  const uintptr_t page = (uintptr_t) sysconf (_SC_PAGESIZE), begin = (uintptr_t) v->host + from;
  const uintptr_t first = (begin + page - 1) / page * page, end = (begin + bytes) / page * page;
  const size_t head = first - begin, middle = end - first;
  cudaError_t e = gpr_cuda_fault ();

  if (e == cudaSuccess)
    e = cudaHostRegister ((void *) first, middle, cudaHostRegisterPortable);
  if (e != cudaSuccess)
    {
      (void) cudaGetLastError ();
      s->locks_fail = true;
      return pass (s, v, from, bytes, device, true);
    }
  *locked = (void *) first;
  GPR_CUDA_TRY (cudaMemcpyAsync (device + head, (void *) first, middle, cudaMemcpyHostToDevice, s->copy), "copying to the GPU");
  if (head > 0)
    GPR_TRY (pass (s, v, from, head, device, true));
  return head + middle < bytes ? pass (s, v, from + head + middle, bytes - head - middle, device + head + middle, true) : GPR_OK;
}

/* ---- slots -------------------------------------------------------------------------- */

static gpr_status
finish_slot (gpr_cuda_state *s, gpr_cuda_slot *slot)
{
  float ms;
  if (slot->copying)
    {
      GPR_TRY (gpr_cuda_wait (slot->copy_end));
      slot->copying = false;
      unlock (slot);
      if (cudaEventElapsedTime (&ms, slot->copy_begin, slot->copy_end) == cudaSuccess)
        s->transfer_ms += ms;
    }
  if (slot->working)
    {
      GPR_TRY (gpr_cuda_wait (slot->work_end));
      slot->working = false;
      if (cudaEventElapsedTime (&ms, slot->work_begin, slot->work_end) == cudaSuccess)
        s->kernel_ms += ms;
    }
  return GPR_OK;
}

gpr_status
gpr_cuda_next_slot (gpr_cuda_state *s, gpr_cuda_slot **slot)
{
  *slot = &s->slots[s->next];
  s->next = (s->next + 1) % GPR_CUDA_SLOTS;
  if (gpr_cuda_interrupted ())
    return gpr_cuda_fail (GPR_INTERRUPTED, "interrupted");
  return finish_slot (s, *slot);
}

gpr_status
gpr_cuda_drain (gpr_cuda_state *s)
{
  for (int i = 0; i < GPR_CUDA_SLOTS; i++)
    GPR_TRY (finish_slot (s, &s->slots[i]));
  s->next = 0;
  return GPR_OK;
}

void
gpr_cuda_finish (gpr_cuda_state *s)
{
  if (! gpr_cuda_is_lost (s->number))
    {
      (void) cudaStreamSynchronize (s->copy);
      (void) cudaStreamSynchronize (s->work);
    }
  for (int i = 0; i < GPR_CUDA_SLOTS; i++)
    {
      s->slots[i].copying = s->slots[i].working = false;
      unlock (&s->slots[i]);
    }
  s->next = 0;
}

gpr_status
gpr_cuda_equip_slots (gpr_cuda_state *s, int count, size_t bytes)
{
  s->next = 0;
  for (int i = 0; i < count; i++)
    GPR_TRY (gpr_cuda_take (s, &s->slots[i].device, bytes));
  return GPR_OK;
}

void
gpr_cuda_strip_slots (gpr_cuda_state *s)
{
  for (int i = 0; i < GPR_CUDA_SLOTS; i++)
    {
      gpr_cuda_give (s->slots[i].device);
      s->slots[i].device = NULL;
    }
}

static gpr_status
begin_copy (gpr_cuda_slot *slot, cudaStream_t stream)
{
  GPR_CUDA_TRY (cudaEventRecord (slot->copy_begin, stream), "timing a copy");
  return GPR_OK;
}

static gpr_status
end_copy (gpr_cuda_slot *slot, cudaStream_t stream)
{
  GPR_CUDA_TRY (cudaEventRecord (slot->copy_end, stream), "timing a copy");
  slot->copying = true;
  return GPR_OK;
}

static gpr_status
send (gpr_cuda_state *s, void **locked, const gpr_cuda_view *v, size_t from, size_t bytes, char *device)
{
  return in_place (s, v, bytes) ? send_in_place (s, locked, v, from, bytes, device) : pass (s, v, from, bytes, device, true);
}

gpr_status
gpr_cuda_send (gpr_cuda_state *s, gpr_cuda_slot *slot, const gpr_cuda_view *v, int count, void *device)
{
  char *to = device;

  GPR_TRY (begin_copy (slot, s->copy));
  for (int i = 0; i < count; i++)
    {
      size_t bytes = v[i].segment * v[i].count;
      if (bytes > 0)
        GPR_TRY (send (s, &slot->locked[i], &v[i], 0, bytes, to));
      to += bytes;
    }
  GPR_TRY (end_copy (slot, s->copy));
  GPR_CUDA_TRY (cudaStreamWaitEvent (s->work, slot->copy_end, 0), "ordering streams");
  return GPR_OK;
}

gpr_status
gpr_cuda_begin_work (gpr_cuda_state *s, gpr_cuda_slot *slot)
{
  GPR_CUDA_TRY (cudaEventRecord (slot->work_begin, s->work), "timing a kernel");
  return GPR_OK;
}

gpr_status
gpr_cuda_end_work (gpr_cuda_state *s, gpr_cuda_slot *slot)
{
  GPR_CUDA_TRY (cudaEventRecord (slot->work_end, s->work), "timing a kernel");
  slot->working = true;
  return GPR_OK;
}

/* ---- whole arrays --------------------------------------------------------------------- */

gpr_status
gpr_cuda_upload (gpr_cuda_state *s, void *device, const gpr_cuda_view *v)
{
  size_t total = v->segment * v->count;
  for (size_t from = 0; from < total; from += GPR_CUDA_CHUNK)
    {
      gpr_cuda_slot *slot;
      GPR_TRY (gpr_cuda_next_slot (s, &slot));
      GPR_TRY (begin_copy (slot, s->copy));
      GPR_TRY (send (s, &slot->locked[0], v, from, gpr_min64 (GPR_CUDA_CHUNK, total - from), (char *) device + from));
      GPR_TRY (end_copy (slot, s->copy));
    }
  return gpr_cuda_drain (s);
}

gpr_status
gpr_cuda_download (gpr_cuda_state *s, const gpr_cuda_view *v, const void *device)
{
  gpr_cuda_slot *slot;
  size_t total = v->segment * v->count;

  GPR_TRY (gpr_cuda_drain (s));
  if (total == 0)
    return GPR_OK;
  GPR_TRY (gpr_cuda_next_slot (s, &slot));
  GPR_TRY (begin_copy (slot, s->work));
  GPR_TRY (pass (s, v, 0, total, (void *) device, false));
  GPR_TRY (end_copy (slot, s->work));
  return gpr_cuda_drain (s);
}
