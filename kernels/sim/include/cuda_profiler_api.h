/* CUDA's header of this name; what it declares for kernels is in device.h.  */

#include "../device.h"
