/* Kernels compiled at run time, kept on disk for the next session: a folder of the user's alone, a file a kernel; path "": nowhere.  */

#ifndef GPR_CUDA_KERNEL_FILES_H
#define GPR_CUDA_KERNEL_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GPR_KERNEL_FILES_BYTES = 64 << 20 };     /* of all files; beyond it the longest unused go */

/* The kernel that was compiled of exactly that text, for free; NULL: there is none that is whole.  */
void *gpr_kernel_files_read (const char *path, const char *text, size_t *bytes);
/* Keeps it where that can be done.  */
void gpr_kernel_files_write (const char *path, const char *text, const void *kernel, size_t bytes);

/* How many there are, and their bytes.  remove: all of them go.  */
void gpr_kernel_files_count (const char *path, bool remove, int64_t *files, int64_t *bytes);

#endif
