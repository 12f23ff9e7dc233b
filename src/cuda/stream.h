/* Data between host and device, while kernels run.  */

#ifndef GPR_CUDA_STREAM_H
#define GPR_CUDA_STREAM_H

#include "memory.h"
#include "ring.h"

/* Takes the next slot; its last user is done.  */
gpr_status gpr_cuda_next_slot (gpr_cuda_state *s, gpr_cuda_slot **slot);
/* Brings count views, one after the other, to device, which the work stream waits
   for.  The views can be written again, or freed, once the slot is taken anew or
   drained: a large one of one run is page-locked in place where few threads are
   allowed (gpr_settings.in_place_threads).  */
gpr_status gpr_cuda_send (gpr_cuda_state *s, gpr_cuda_slot *slot, const gpr_cuda_view *v, int count, void *device);
gpr_status gpr_cuda_begin_work (gpr_cuda_state *s, gpr_cuda_slot *slot);
gpr_status gpr_cuda_end_work (gpr_cuda_state *s, gpr_cuda_slot *slot);
/* Device memory of so many bytes for each slot; and back.  */
gpr_status gpr_cuda_equip_slots (gpr_cuda_state *s, int count, size_t bytes);
void gpr_cuda_strip_slots (gpr_cuda_state *s);
/* Waits for every slot.  */
gpr_status gpr_cuda_drain (gpr_cuda_state *s);
/* A problem's end, well or not, before its memory goes: waits for both streams;
   then no slot is in use and nothing is page-locked in place.  */
void gpr_cuda_finish (gpr_cuda_state *s);

/* Whole arrays, piece by piece; the work stream's results first.  */
gpr_status gpr_cuda_upload (gpr_cuda_state *s, void *device, const gpr_cuda_view *v);
gpr_status gpr_cuda_download (gpr_cuda_state *s, const gpr_cuda_view *v, const void *device);

#endif
