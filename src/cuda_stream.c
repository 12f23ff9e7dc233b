/* Data between host and device.  Octave's arrays are pageable memory, which
   the driver copies slowly; so several threads copy them to or from a ring of
   pinned slots, and the copy engine does the rest while kernels run.  */

#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "cuda_internal.h"

enum { COPY_THREADS = 8, COPY_PIECE = 256 << 10 };

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

static void
move (const gpr_cuda_view *v, size_t from, size_t bytes, char *run, bool to_run)
{
#ifdef _OPENMP
  int threads = gpr_host.settings->threads > 0 ? gpr_host.settings->threads : omp_get_max_threads ();
  int useful = (int) gpr_min64 (gpr_min64 (COPY_THREADS, omp_get_num_procs ()), bytes / COPY_PIECE);
  threads = threads < useful ? threads : useful;
  if (threads > 1)
    {
      #pragma omp parallel for num_threads (threads) schedule (static)
      for (int i = 0; i < threads; i++)
        {
          size_t first = bytes / threads * i, end = i == threads - 1 ? bytes : bytes / threads * (i + 1);
          move_run (v, from + first, end - first, run + first, to_run);
        }
      return;
    }
#endif
  move_run (v, from, bytes, run, to_run);
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

static gpr_status
pin (gpr_cuda_slot *slot, size_t bytes)
{
  size_t size = 64 << 10;
  if (bytes <= slot->host_bytes)
    return GPR_OK;
  while (size < bytes)
    size *= 2;
  if (slot->host)
    (void) cudaFreeHost (slot->host);
  slot->host = NULL;
  slot->host_bytes = 0;
  GPR_CUDA_TRY (cudaHostAlloc (&slot->host, size, cudaHostAllocPortable), "page-locking host memory");
  slot->host_bytes = size;
  return GPR_OK;
}

void
gpr_cuda_free_slots (gpr_cuda_state *s)
{
  for (int i = 0; i < GPR_CUDA_SLOTS; i++)
    if (s->slots[i].host)
      {
        (void) cudaFreeHost (s->slots[i].host);
        s->slots[i].host = NULL;
        s->slots[i].host_bytes = 0;
      }
}

gpr_status
gpr_cuda_equip_slots (gpr_cuda_state *s, int count, size_t bytes)
{
  s->next = 0;
  for (int i = 0; i < count; i++)
    GPR_TRY (gpr_cuda_take (&s->slots[i].device, bytes));
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

/* What lies in the slot's pinned memory.  */
static gpr_status
send_slot (gpr_cuda_state *s, gpr_cuda_slot *slot, size_t bytes, void *device)
{
  GPR_CUDA_TRY (cudaEventRecord (slot->copy_begin, s->copy), "timing a copy");
  GPR_CUDA_TRY (cudaMemcpyAsync (device, slot->host, bytes, cudaMemcpyHostToDevice, s->copy), "copying to the GPU");
  GPR_CUDA_TRY (cudaEventRecord (slot->copy_end, s->copy), "timing a copy");
  slot->copying = true;
  GPR_CUDA_TRY (cudaStreamWaitEvent (s->work, slot->copy_end, 0), "ordering streams");
  return GPR_OK;
}

gpr_status
gpr_cuda_send (gpr_cuda_state *s, gpr_cuda_slot *slot, const gpr_cuda_view *v, int count, void *device)
{
  size_t total = 0, at = 0;
  for (int i = 0; i < count; i++)
    total += v[i].segment * v[i].count;
  if (total == 0)
    return GPR_OK;
  GPR_TRY (pin (slot, total));
  for (int i = 0; i < count; i++)
    {
      size_t bytes = v[i].segment * v[i].count;
      move (&v[i], 0, bytes, (char *) slot->host + at, true);
      at += bytes;
    }
  return send_slot (s, slot, total, device);
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
      size_t bytes = total - from < GPR_CUDA_CHUNK ? total - from : GPR_CUDA_CHUNK;
      GPR_TRY (gpr_cuda_next_slot (s, &slot));
      GPR_TRY (pin (slot, bytes));
      move (v, from, bytes, slot->host, true);
      GPR_TRY (send_slot (s, slot, bytes, (char *) device + from));
    }
  return gpr_cuda_drain (s);
}

gpr_status
gpr_cuda_download (gpr_cuda_state *s, const gpr_cuda_view *v, const void *device)
{
  size_t total = v->segment * v->count;
  int64_t pieces = gpr_over (total, GPR_CUDA_CHUNK);

  GPR_TRY (gpr_cuda_drain (s));
  for (int64_t i = 0; i < pieces + GPR_CUDA_SLOTS; i++)
    {
      gpr_cuda_slot *slot = &s->slots[i % GPR_CUDA_SLOTS];
      int64_t back = i - GPR_CUDA_SLOTS;
      if (gpr_cuda_interrupted ())
        return gpr_cuda_fail (GPR_INTERRUPTED, "interrupted");
      if (back >= 0 && back < pieces)
        {
          size_t from = (size_t) back * GPR_CUDA_CHUNK;
          GPR_TRY (finish_slot (s, slot));
          move (v, from, gpr_min64 (GPR_CUDA_CHUNK, total - from), slot->host, false);
        }
      if (i < pieces)
        {
          size_t from = (size_t) i * GPR_CUDA_CHUNK, bytes = gpr_min64 (GPR_CUDA_CHUNK, total - from);
          GPR_TRY (pin (slot, bytes));
          GPR_CUDA_TRY (cudaEventRecord (slot->copy_begin, s->work), "timing a copy");
          GPR_CUDA_TRY (cudaMemcpyAsync (slot->host, (const char *) device + from, bytes, cudaMemcpyDeviceToHost, s->work),
                        "copying from the GPU");
          GPR_CUDA_TRY (cudaEventRecord (slot->copy_end, s->work), "timing a copy");
          slot->copying = true;
        }
    }
  return GPR_OK;
}
