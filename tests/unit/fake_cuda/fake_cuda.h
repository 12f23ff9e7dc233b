/* A fake GPU.  A stream is a thread that does what it was told in order, but late: so
   memory that is used again or unlocked too early gives other bits or a violation.  */

#ifndef FAKE_CUDA_H
#define FAKE_CUDA_H

#include <stdbool.h>
#include <stddef.h>

/* What a kernel does; arguments: a copy of the launch's, of so many bytes.  */
extern void (*fake_run_kernel) (const void *kernel, unsigned blocks, unsigned threads, const void *arguments);
extern size_t fake_argument_bytes;
extern size_t (*fake_argument_bytes_of) (const void *kernel);   /* where kernels differ in that; or NULL */
void fake_violation (const char *what);
extern bool fake_refuses_locks;         /* cudaHostRegister fails */
extern int fake_late_us;                /* at most, before each thing that a stream does */

extern int fake_devices;                /* how many there are: alike, and of one memory */

typedef struct {
  long violations;              /* copies from or to pageable memory, locked memory freed under a copy, ... */
  const char *last;             /* violation */
  long locked, locks, device_blocks, pinned_blocks;     /* now; locks: ever */
  size_t pinned_bytes;
} fake_counts;
extern fake_counts fake;

#endif
