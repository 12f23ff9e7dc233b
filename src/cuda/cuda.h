/* The CUDA backend: a shared object of its own (gpureduce_cuda.so, static CUDA
   runtime), opened on first use by dispatch/cuda_module.c, so that the package
   loads where there is no driver.  This is its whole interface.  */

#ifndef GPR_CUDA_H
#define GPR_CUDA_H

#include "../core/fault.h"
#include "../core/gpr.h"
#include "../core/variant_run.h"

typedef struct {
  char name[256];
  int index;                 /* from 1 */
  int major, minor;          /* compute capability */
  int multiprocessors, max_threads_per_block, warp_size;
  int max_grid[3], max_block[3];
  int64_t shared_per_block;
  int clock_khz;
  double memory_gbs;         /* 10^9 bytes a second that its memory's clock and bus allow; 0: not known */
  int64_t total_memory, free_memory;   /* free: -1 before the device is in use */
  int compute_mode;          /* 0 default, 2 prohibited, 3 exclusive process */
  bool ecc, integrated, overlaps;
  int driver_version, runtime_version; /* 13000: 13.0 */
} gpr_device;

/* What the module finds; made without a context.  devices is 0 with reason set
   when nothing can be used.  */
typedef struct {
  int devices;
  gpr_status status;
  char reason[512];
  int driver_version, runtime_version;
} gpr_cuda_probe;

typedef struct {
  int64_t in_use, idle, peak;    /* bytes of device memory: handed out, cached, most so far */
  int64_t allocations;
} gpr_cuda_memory;

/* Kernels that are compiled at run time, so far.  */
typedef struct {
  char compiler[32];             /* "NVRTC 13.0"; "": not found, or not looked for yet */
  int64_t files, bytes;          /* in the folder */
  int waiting, compiled, read, failed;   /* read: of the files */
  double last_ms;                /* from its turn on, of the last */
  char failure[1024];            /* why the last that failed did */
} gpr_cuda_compiling;

typedef struct {
  int to_device, from_device;    /* from 1 */
  void *to;
  const void *from;
  size_t bytes;
  bool by_rows;                 /* of these bytes, so many, and so much from each to the next: */
  size_t rows, to_pitch, from_pitch;
} gpr_cuda_transfer;
static inline bool gpr_cuda_moves (const gpr_cuda_transfer *t) { return t->bytes > 0 && (! t->by_rows || t->rows > 0); }

struct gpr_taker;               /* share.h: a device that works in a thread of its own, beside others */

/* Everything the module exports, from its one symbol gpr_cuda_module ().  The
   loader fills in host so that both sides share settings and the message.  */
typedef struct {
  int64_t abi;                   /* GPR_CUDA_ABI, or the module is of another version: look no further */
  const char *version;           /* GPR_VERSION */
  gpr_backend backend;
  void (*probe) (gpr_cuda_probe *p);             /* cuInit only */
  gpr_status (*describe) (int device, gpr_device *d);
  gpr_status (*select) (int device);             /* from 1; makes the context on first use */
  int (*selected) (void);                        /* 0: none yet */
  /* backend.share by that device, whichever is selected, and opens it on first use.  From a thread that is the device's
     for this call; others may do the same for other devices, and nothing else of the module runs meanwhile.  */
  gpr_status (*share_on) (struct gpr_taker *t, struct gpr_share *s);
  gpr_status (*count_on) (struct gpr_taker *t, gpr_counting *c);       /* likewise backend.count, of host data */
  /* The calling thread works for that device from here on, whichever is selected: all of backend but allocate, of that device's arrays.  Others may do so for other
     devices, and nothing else of the module runs meanwhile.  end_thread ends it, also after a failure.  */
  gpr_status (*begin_thread) (const struct gpr_taker *t);
  void (*end_thread) (const struct gpr_taker *t);
  /* From one device's memory to another's, or the same one's: all begin before any is waited for.  *failed: which could not.  */
  gpr_status (*copy) (const gpr_cuda_transfer *t, int count, int *failed);
  gpr_status (*rest) (void);                     /* waits for all devices that are not lost: then threads may copy from each */
  bool (*reaches) (int device, int other);       /* whether kernels of one can write to the other's memory; from now on they may */
  void (*memory) (gpr_cuda_memory *m);
  gpr_status (*trim) (void);                     /* gives idle memory back to the driver */
  gpr_status (*synchronize) (void);
  gpr_status (*reset) (void);                    /* of the selected device: drops context and allocations, deselects */
  gpr_status (*self_check) (char *report, size_t bytes);  /* one kernel, one copy each way: gpu_doctor */
  void (*compile_report) (gpr_cuda_compiling *report);
  void (*compile_end) (void);                    /* for good, when the process ends */
  bool (*compile_wait) (void);                   /* until none waits; false: interrupted */
  void (*compile_clear) (void);                  /* forgets all of them, and their files */
  const char *(*architectures) (void);           /* "sm_80 sm_90 compute_90" as built */
  gpr_status (*variant) (gpr_variant_run *r, const gpr_ladder_module *m);         /* one run of a ladder variant */
  gpr_status (*read_ceiling) (const gpr_ladder_module *m, int64_t bytes, double *gbs);    /* bytes 0: 1 GiB */
} gpr_cuda_api;
/* Both sides must agree on this interface, the table of reductions and the tree;
   raise the first number when the meaning of a field changes.  */
#define GPR_CUDA_ABI \
  (((((int64_t) 11 * 10000 + GPR_INSTANCE_COUNT) * 1000 + GPR_TREE_VERSION) * 10000 \
    + (int64_t) sizeof (gpr_reduction)) * 10000 + (int64_t) sizeof (gpr_cuda_api))

typedef struct {
  volatile int **interrupt_flag;
  gpr_settings *settings;
  gpr_status (*fail) (gpr_status status, const char *format, ...);
  gpr_faults *faults;
  const gpr_backend *cpu;        /* for stand-ins of this module */
} gpr_cuda_host;
const gpr_cuda_api *gpr_cuda_module (const gpr_cuda_host *host);

#endif
