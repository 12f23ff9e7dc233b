/* What small programs use of the header of this name in NVIDIA's samples: errors end the program.  */

#ifndef SIM_HELPER_CUDA_H
#define SIM_HELPER_CUDA_H

#include "../runtime.h"

static inline void sim_check (cudaError_t e, const char *call, const char *file, int line)
{
  if (e == cudaSuccess)
    return;
  fprintf (stderr, "%s:%d: %s: %s (%s)\n", file, line, call, cudaGetErrorName (e), cudaGetErrorString (e));
  exit (EXIT_FAILURE);
}
#define checkCudaErrors(call) sim_check ((call), #call, __FILE__, __LINE__)
#define getLastCudaError(message) sim_check (cudaGetLastError (), message, __FILE__, __LINE__)
static inline __attribute__ ((unused)) int findCudaDevice (int, const char **) { return 0; }
static inline __attribute__ ((unused)) int gpuGetMaxGflopsDeviceId (void) { return 0; }

#endif
