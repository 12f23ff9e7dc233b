/* The state of one GPU, waiting for it, and launches.  */

#ifndef GPR_CUDA_DEVICE_H
#define GPR_CUDA_DEVICE_H

#include "error.h"
#include "sizes.h"

enum {
  /* A sum of 1 GiB, call after call, on a host with 16 cores, PCIe 5: chunks of 128 MiB in 2 slots and 16 pieces
     of 4 MiB 51.8 GB/s; pieces of 2 MiB 50.4, 12 of 4 MiB 48, 8 of them 40; chunks of 32 MiB in
     4 slots, pieces of 2 MiB 47.6.  Both slots fit what is kept of idle memory.  */
  GPR_CUDA_SLOTS = 2,
  GPR_CUDA_CHUNK = 112 << 20,   /* bytes of a full slot */
  /* Of a smaller array half is a slot's, or so many bytes.  Sums of 8, 32 and 64 MiB of doubles from the host took 0.46, 1.1 and 2.0 ms, by eighths 0.70, 2.1,
     2.7 (H100, by a program that is not kept; bench/auto.m has such calls).  */
  GPR_CUDA_WHOLE = 8 << 20,
  GPR_CUDA_BLOCK = 4 << 20,     /* bytes of the ring's memory that are allocated at once: its largest buffer */
  GPR_CUDA_BLOCKS = 16,
  /* Where several GPUs work at once each has smaller buffers, and no more of them than the processor's cache holds (bench/copies.cu, doc/experiments.md).  */
  GPR_CUDA_BUFFER = 1 << 20,
  GPR_CUDA_BUFFERS = GPR_CUDA_BLOCK / GPR_CUDA_BUFFER * GPR_CUDA_BLOCKS,
  GPR_CUDA_SCRATCH = 256 << 20, /* most bytes of partial results and outputs at once */
  GPR_CUDA_TICKETS = 1 << 14,   /* of one launch: one an output and tile, or one for each of its groups of parts and one for all */
  GPR_CUDA_PINNED_RESULTS = 1 << 14       /* bytes of results that kernels write to host memory themselves */
};

/* A slot takes one chunk of input to the device, and times the kernels that use it.  */
typedef struct {
  void *device;                 /* memory of the problem at work */
  cudaEvent_t copy_begin, copy_end, work_begin, work_end;
  cudaEvent_t done;             /* of work that waits for no copy, which the host's clock times: events with times take longer */
  double begun_ms;
  bool copying, working, timed;
  void *locked[2];              /* pages of the caller's arrays, page-locked until the copy is done; or NULL */
} gpr_cuda_slot;

/* The ring of pinned buffers that copies go through.  */
typedef struct {
  char *block[GPR_CUDA_BLOCKS]; /* NULL before first use */
  size_t bytes;                 /* of a buffer, which one thread fills or empties at once */
  int count, next;              /* buffers */
  struct {
    cudaEvent_t done;           /* of its last copy; NULL before first use */
    bool copying;
  } of[GPR_CUDA_BUFFERS];
} gpr_cuda_ring;

typedef struct {
  int number;                   /* from 0 */
  bool ready;
  int multiprocessors, capability;      /* 90: sm_90 */
  size_t shared_bytes;          /* a block may have, when asked for */
  cudaStream_t copy, work;
  gpr_cuda_slot slots[GPR_CUDA_SLOTS];
  int next;                     /* slot */
  gpr_cuda_ring ring;
  bool idle;                    /* nothing was sent since the last drain */
  int copy_threads;             /* that stage, at most, beside what other devices have; 0: as the settings say */
  size_t copy_bytes;            /* of its ring in use, at most, beside those; 0: all */
  bool locks_fail;              /* the driver would not page-lock in place: not tried again */
  char *mail;                   /* pinned, GPR_CUDA_PINNED_RESULTS bytes, then the three below */
  int *needs_fixup, *left_in_doubt;     /* of the last problem; of a product, by what came behind its tree (settle.c) */
  bool first_rows_done;         /* of the product that has just been reduced: what is in doubt still is so in spite of them */
  uint64_t *mailbox;            /* GPR_MAILBOX_WORDS: the result of the last of the calls (gpr_cuda_call) */
  unsigned call;
  double called_ms;             /* when its first launch began; 0: there was none */
  unsigned *tickets;            /* on the device, zero between launches */
  double transfer_ms, kernel_ms;        /* of the problem at work */
} gpr_cuda_state;

/* Makes the context and what a state has; s is zero, and stays unusable after a
   failure.  */
gpr_status gpr_cuda_open_device (gpr_cuda_state *s, int number);
/* Gives back what open has made, all or some of it; not the ring (stream.h).  */
void gpr_cuda_close_device (gpr_cuda_state *s);

double gpr_cuda_now_ms (void);
gpr_status gpr_cuda_wait (cudaEvent_t e);
/* A launch has gpr_cuda_most_blocks at most: kernels loop over the rest.  */
int64_t gpr_cuda_most_blocks (const gpr_cuda_state *s);
gpr_status gpr_cuda_launch (gpr_cuda_state *s, const void *kernel, int64_t blocks, int threads, size_t shared,
                            const void *args);

/* Of kernels that wait for memory alone (elementwise ones, conversions, WALK of scan.h, short columns), which read more a second by new blocks than by blocks that loop: more of them.  */
int64_t gpr_cuda_element_blocks (const gpr_cuda_state *s, int64_t blocks);
gpr_status gpr_cuda_launch_elements (gpr_cuda_state *s, const void *kernel, int64_t blocks, int threads, size_t shared, const void *args);

/* A launch whose single result comes by mailbox: no event, no copy.  *call is the field
   of args that must hold its number.  */
gpr_status gpr_cuda_call (gpr_cuda_state *s, const void *kernel, int64_t blocks, int threads, const void *args, unsigned *call);
gpr_status gpr_cuda_await_call (gpr_cuda_state *s, void *value, size_t bytes, int64_t *index, bool *needs_fixup);

#endif
