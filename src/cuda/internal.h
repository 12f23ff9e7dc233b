/* Inside gpureduce_cuda.so.

     cuda_device.c   devices, their streams, errors, waiting
     cuda_memory.c   device memory: a table of what is handed out, a cache
     cuda_stream.c   data between host and device through pinned slots
     cuda_instance.c     one reduction: boxes, chunks, launches
     cuda_count.c    one counting
     cuda_tally.c    how a long run of elements is counted
     cuda_pair.c     elementwise max, min, product
     cuda_scan.c     cumulative sums, products, extremes
     cuda_scatter.c  accumarray
     cuda_order.c    median, mode
     cuda_ladder.c   one run of a ladder variant
     cuda_backend.c  the module's table

   One thread at a time, as Octave's interpreter is; nothing here locks.  Every
   call is complete when it returns: no stream still works for it.  */

#ifndef GPR_CUDA_INTERNAL_H
#define GPR_CUDA_INTERNAL_H

#include <cuda_runtime_api.h>

#include "cuda.h"
#include "../../kernels/engine/engine.h"

extern gpr_cuda_host gpr_host;
#define gpr_cuda_fail(...) gpr_host.fail (__VA_ARGS__)

static inline bool
gpr_cuda_interrupted (void)
{
  return **gpr_host.interrupt_flag > 0;
}

/* ---- devices -------------------------------------------------------------------- */

enum {
  GPR_CUDA_DEVICES = 64,
  /* A sum of 1 GiB, call after call, on a host with 16 cores, PCIe 5: chunks of 128 MiB in 2 slots and 16 pieces
     of 4 MiB 51.8 GB/s; pieces of 2 MiB 50.4, 12 of 4 MiB 48, 8 of them 40; chunks of 32 MiB in
     4 slots, pieces of 2 MiB 47.6.  Both slots fit what is kept of idle memory.  */
  GPR_CUDA_SLOTS = 2,
  GPR_CUDA_CHUNK = 112 << 20,   /* bytes of a full slot */
  GPR_CUDA_PIECE = 4 << 20,     /* bytes of pinned memory that one thread fills or empties at once */
  GPR_CUDA_PIECES = 16,
  GPR_CUDA_SCRATCH = 256 << 20, /* most bytes of partial results and outputs at once */
  GPR_CUDA_TICKETS = 1 << 14,   /* of one launch: one an output and tile, or one for each of its groups of parts and one for all */
  GPR_CUDA_PINNED_RESULTS = 1 << 14       /* bytes of results that kernels write to host memory themselves */
};

/* A slot takes one chunk to the device, and times the kernels that use it.  */
typedef struct {
  void *device;                 /* a reduction's or counting's own, while it runs */
  cudaEvent_t copy_begin, copy_end, work_begin, work_end;
  bool copying, working;
  void *locked[2];              /* pages of the caller's arrays, page-locked until the copy is done; or NULL */
} gpr_cuda_slot;

/* Copies go through a ring of pinned pieces.  */
typedef struct {
  char *host;                   /* NULL before first use */
  cudaEvent_t done;             /* of its last copy */
  bool copying;
} gpr_cuda_piece;

typedef struct {
  bool ready, lost;
  int multiprocessors, capability;      /* 90: sm_90 */
  size_t shared_bytes;          /* a block may have, when asked for */
  cudaStream_t copy, work;
  gpr_cuda_slot slots[GPR_CUDA_SLOTS];
  int next;
  gpr_cuda_piece pieces[GPR_CUDA_PIECES];
  int next_piece;
  bool locks_fail;              /* the driver would not page-lock in place: not tried again */
  char *mail;                   /* pinned, GPR_CUDA_PINNED_RESULTS bytes, then the two below */
  int *needs_fixup;
  uint64_t *mailbox;             /* GPR_MAILBOX_WORDS: the result of the last of the calls (gpr_cuda_call) */
  unsigned call;
  double called_ms;             /* when it began */
  unsigned *tickets;            /* on the device, zero between launches */
  double transfer_ms, kernel_ms;
} gpr_cuda_state;

extern gpr_cuda_state gpr_cuda_states[GPR_CUDA_DEVICES];

/* The device of the resident arrays (NULL: none), or the selected one, made
   current and ready.  */
gpr_status gpr_cuda_enter (gpr_cuda_state **s, const void *a, const void *b, const void *c);
/* Before a call returns, well or not: waits for what is in flight.  */
void gpr_cuda_leave (gpr_cuda_state *s);
/* What gpr_cuda_times answers from now on.  */
void gpr_cuda_note_times (const gpr_cuda_state *s);

gpr_status gpr_cuda_error (cudaError_t e, const char *what);
/* An error where a test asked for one here (fault.h).  */
static inline cudaError_t
gpr_cuda_fault (void)
{
  return ! gpr_host.faults || ! gpr_fault (gpr_host.faults) ? cudaSuccess
         : gpr_host.faults->memory ? cudaErrorMemoryAllocation : cudaErrorInvalidValue;
}
#define GPR_CUDA_TRY(call, what) \
  do \
    { \
      cudaError_t try_ = gpr_cuda_fault (); \
      if (try_ == cudaSuccess) \
        try_ = (call); \
      if (try_ != cudaSuccess) \
        return gpr_cuda_error (try_, what); \
    } \
  while (0)
#define GPR_TRY(call) \
  do \
    { \
      gpr_status try_ = (call); \
      if (try_ != GPR_OK) \
        return try_; \
    } \
  while (0)

gpr_status gpr_cuda_wait (cudaEvent_t e);
gpr_status gpr_cuda_launch (gpr_cuda_state *s, const void *kernel, int64_t blocks, int threads, size_t shared,
                            const void *args);

/* A launch whose single result comes by mailbox: no event, no copy.  *call is the field
   of args that must hold its number.  */
gpr_status gpr_cuda_call (gpr_cuda_state *s, const void *kernel, int64_t blocks, int threads, const void *args, unsigned *call);
gpr_status gpr_cuda_await_call (gpr_cuda_state *s, void *value, size_t bytes, int64_t *index, bool *needs_fixup);

void gpr_cuda_probe_driver (gpr_cuda_probe *p);
gpr_status gpr_cuda_describe (int device, gpr_device *d);
gpr_status gpr_cuda_select (int device);
int gpr_cuda_selected (void);
gpr_status gpr_cuda_synchronize (void);
gpr_status gpr_cuda_reset (void);
void gpr_cuda_times (double *transfer_ms, double *kernel_ms);

/* ---- memory ---------------------------------------------------------------------- */

/* On the current device.  */
gpr_status gpr_cuda_take (void **p, size_t bytes);
void gpr_cuda_give (void *p);           /* NULL, or what a reset has dropped: nothing */
int gpr_cuda_owner (const void *p);     /* of what take gave: device from 0; else -1 */
void gpr_cuda_trim_cache (void);        /* of every device */
void gpr_cuda_forget (int device);      /* after its reset: all it had is gone */
void gpr_cuda_memory_now (gpr_cuda_memory *m);

/* A call plans with so many bytes first, and with half of it whenever they are
   not there, down to GPR_CUDA_LEAST.  */
enum { GPR_CUDA_LEAST = 1 << 20 };
static inline size_t
gpr_cuda_room (void)
{
  size_t limit = gpr_host.settings->memory_limit, most = 2 * (size_t) GPR_CUDA_SCRATCH;
  return limit > 0 && limit < most ? limit : most;
}

/* ---- transfers -------------------------------------------------------------------- */

/* count segments of so many bytes, each stride bytes after the one before.  */
typedef struct {
  char *host;
  size_t segment, stride;
  int64_t count;
} gpr_cuda_view;

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
/* After all copies have ended: no slot is in use, nothing is page-locked in place.  */
void gpr_cuda_clear_slots (gpr_cuda_state *s);
void gpr_cuda_free_pieces (gpr_cuda_state *s);

/* Whole arrays, piece by piece; the work stream's results first.  */
gpr_status gpr_cuda_upload (gpr_cuda_state *s, void *device, const gpr_cuda_view *v);
gpr_status gpr_cuda_download (gpr_cuda_state *s, const gpr_cuda_view *v, const void *device);
static inline gpr_cuda_view
gpr_cuda_bytes (const void *host, size_t bytes)
{
  return (gpr_cuda_view) { (char *) host, bytes, bytes, 1 };
}

/* ---- the backend's calls ---------------------------------------------------------- */

gpr_status gpr_cuda_reduce (gpr_reduction *r);
gpr_status gpr_cuda_share (struct gpr_share *share);
gpr_status gpr_cuda_count (gpr_counting *c);
gpr_status gpr_cuda_pair (gpr_pairing *p);
gpr_status gpr_cuda_scan (struct gpr_scanning *s);
gpr_status gpr_cuda_scatter (struct gpr_scattering *s);
gpr_status gpr_cuda_order (struct gpr_ordering *o);
gpr_status gpr_cuda_variant (gpr_variant_run *r, const gpr_ladder_module *m);
/* Modules of variants have a CUDA runtime each: after a reset of the device.  */
void gpr_cuda_reset_modules (int device);
gpr_status gpr_cuda_read_ceiling (const gpr_ladder_module *m, int64_t bytes, double *gbs);

static inline int64_t
gpr_bytes_of (enum gpr_elem elem)
{
  switch (elem)
    {
#define ELEM_BYTES(t) case GPR_##t: return sizeof (t);
    GPR_ELEMS (ELEM_BYTES)
#undef ELEM_BYTES
    default: return 0;
    }
}
static inline int64_t gpr_min64 (int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t gpr_max64 (int64_t a, int64_t b) { return a > b ? a : b; }
static inline int64_t gpr_over (int64_t a, int64_t b) { return (a + b - 1) / b; }   /* rounded up */
/* At most so many workers for n > 0 units, and each as many, or nearly.  */
static inline int64_t gpr_evenly (int64_t n, int64_t most) { return gpr_over (n, gpr_over (n, most)); }

#endif
