/* What reads HDF5 files, and so those of MAT 7.3: libhdf5, in a shared object of its own (gpureduce_hdf5.so), made where the library is and
   opened by src/stream when a file wants it.  This is its whole interface; one thread calls it.  */

#ifndef GPR_HDF5_H
#define GPR_HDF5_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GPR_HDF5_DIMS = 32 };

typedef struct {
  char class[16];               /* "double" …, "logical" */
  bool complex;
  int ndims;
  int64_t dims[GPR_HDF5_DIMS];  /* as Octave has them: the file's, from the last to the first */
  int64_t chunk;                /* indices of the last one that are read together; 1: it has no chunks */
} gpr_hdf5_about;

typedef struct {
  int abi;                      /* GPR_HDF5_ABI */
  const char *version;          /* GPR_VERSION */
  /* NULL: it cannot be opened, as why says.  */
  void *(*open) (const char *file, const char *dataset, gpr_hdf5_about *about, char *why, size_t bytes);
  /* Elements start[d] … start[d] + count[d] - 1 of each dimension, as memory has the class.  */
  bool (*read) (void *file, const int64_t *start, const int64_t *count, void *to);
  void (*close) (void *file);
} gpr_hdf5_api;
#define GPR_HDF5_ABI 1
const gpr_hdf5_api *gpr_hdf5_module (void);

#endif
