/* What stands before a text that the fake NVRTC compiles (nvrtc.cpp).  */

#include "cuda.h"
#include <cfloat>
#include <limits.h>
#include <math.h>
#include "map_intrinsics.h"
#include "histogram_intrinsics.h"

#define GPR_SLICES_SHARED alignas (16) static unsigned char slices_shared[256 << 10];
#define GPR_HISTOGRAM_SHARED alignas (16) static unsigned char histogram_shared[256 << 10];
#define GPR_SCAN_SHARED alignas (16) static unsigned char gpr_scan_shared[96 << 10];
#define GPR_SCAN_IS_LATE(t) ((t) % 3 != 0)

template <class A> static void run (void (*kernel) (A), unsigned blocks, unsigned block, const void *arguments)
{
  static uint64_t random = 1;
  run_launch ((const void *) kernel, *(const A *) arguments, blocks, block, &random);
}
