/* Slots: chunks of input on their way to the device, and the kernels that use them; whole
   arrays.  Pageable memory is staged in the ring or, where few threads are allowed,
   its pages are locked while the copy engine reads them.  */

#include <string.h>
#include <unistd.h>

#include "stream.h"

enum { IN_PLACE_LEAST = 1 << 20 };      /* bytes that are worth page-locking */

/* ---- in place -------------------------------------------------------------------------- */

static bool
in_place (const gpr_cuda_state *s, const gpr_cuda_view *v, size_t bytes)
{
  return (v->count == 1 || v->segment == v->stride) && bytes >= IN_PLACE_LEAST && ! s->locks_fail
         && gpr_cuda_copy_threads (s, bytes) <= gpr_host.settings->in_place_threads;
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

/* Locks the pages that hold nothing but the view; the rest, at both ends, is staged.
   Memory that cannot be locked, such as a mapped file's, is staged whole.  */
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
      return gpr_cuda_stage (s, v, from, bytes, device, true);
    }
  *locked = (void *) first;
  GPR_CUDA_TRY (cudaMemcpyAsync (device + head, (void *) first, middle, cudaMemcpyHostToDevice, s->copy), "copying to the GPU");
  if (head > 0)
    GPR_TRY (gpr_cuda_stage (s, v, from, head, device, true));
  return head + middle < bytes ? gpr_cuda_stage (s, v, from + head + middle, bytes - head - middle, device + head + middle, true) : GPR_OK;
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
      GPR_TRY (gpr_cuda_wait (slot->timed ? slot->work_end : slot->done));
      slot->working = false;
      if (! slot->timed)
        s->kernel_ms += gpr_cuda_now_ms () - slot->begun_ms;
      else if (cudaEventElapsedTime (&ms, slot->work_begin, slot->work_end) == cudaSuccess)
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
  s->idle = true;
  return GPR_OK;
}

void
gpr_cuda_finish (gpr_cuda_state *s)
{
  if (! s->idle && ! gpr_cuda_is_lost (s->number))
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
begin_copy (gpr_cuda_state *s, gpr_cuda_slot *slot, cudaStream_t stream)
{
  s->idle = false;
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
  return in_place (s, v, bytes) ? send_in_place (s, locked, v, from, bytes, device) : gpr_cuda_stage (s, v, from, bytes, device, true);
}

gpr_status
gpr_cuda_send (gpr_cuda_state *s, gpr_cuda_slot *slot, const gpr_cuda_view *v, int count, void *device)
{
  char *to = device;

  GPR_TRY (begin_copy (s, slot, s->copy));
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
  s->idle = false;
  slot->timed = slot->copying;
  slot->begun_ms = slot->timed ? 0 : gpr_cuda_now_ms ();
  if (! slot->timed)
    return GPR_OK;
  GPR_CUDA_TRY (cudaEventRecord (slot->work_begin, s->work), "timing a kernel");
  return GPR_OK;
}

gpr_status
gpr_cuda_end_work (gpr_cuda_state *s, gpr_cuda_slot *slot)
{
  GPR_CUDA_TRY (cudaEventRecord (slot->timed ? slot->work_end : slot->done, s->work), "timing a kernel");
  slot->working = true;
  return GPR_OK;
}

/* ---- whole arrays --------------------------------------------------------------------- */

/* So little that the ring's events would take longer than the copy.  */
static bool
is_short (const gpr_cuda_view *v)
{
  return v->count == 1 && v->segment <= GPR_CUDA_PINNED_RESULTS;
}

gpr_status
gpr_cuda_upload (gpr_cuda_state *s, void *device, const gpr_cuda_view *v)
{
  size_t total = v->segment * v->count;
  if (is_short (v))             /* the driver has taken it when this returns, and kernels come after it */
    {
      s->idle = false;
      GPR_CUDA_TRY (cudaMemcpyAsync (device, v->host, total, cudaMemcpyHostToDevice, s->work), "copying to the GPU");
      return GPR_OK;
    }
  for (size_t from = 0; from < total; from += GPR_CUDA_CHUNK)
    {
      gpr_cuda_slot *slot;
      GPR_TRY (gpr_cuda_next_slot (s, &slot));
      GPR_TRY (begin_copy (s, slot, s->copy));
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

  if (total > 0 && is_short (v))        /* one wait for it and for what it comes from */
    {
      s->idle = false;
      GPR_CUDA_TRY (cudaMemcpyAsync (s->mail, device, total, cudaMemcpyDeviceToHost, s->work), "copying from the GPU");
      GPR_CUDA_TRY (cudaEventRecord (s->slots[0].done, s->work), "timing a copy");
      GPR_TRY (gpr_cuda_wait (s->slots[0].done));
      memcpy (v->host, s->mail, total);
      return gpr_cuda_drain (s);
    }
  GPR_TRY (gpr_cuda_drain (s));
  if (total == 0)
    return GPR_OK;
  GPR_TRY (gpr_cuda_next_slot (s, &slot));
  GPR_TRY (begin_copy (s, slot, s->work));
  GPR_TRY (gpr_cuda_stage (s, v, 0, total, (void *) device, false));
  GPR_TRY (end_copy (slot, s->work));
  return gpr_cuda_drain (s);
}
