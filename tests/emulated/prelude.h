/* What stands before a text that the fake NVRTC compiles (nvrtc.cpp).  */

#include "cuda.h"
#include <cfloat>
#include <limits.h>
#include <math.h>
#include "map_intrinsics.h"
#include "histogram_intrinsics.h"

/* Each block of a cluster has its own shared memory, which the others can write.  */
static unsigned emulated_rank () { return blockIdx.x - cluster_first; }
#define GPR_SLICES_SHARED alignas (16) static unsigned char slices_shared_of[8][256 << 10];
#define slices_shared slices_shared_of[emulated_rank ()]
#define GPR_SLICES_CLUSTERS \
  struct emulated_count { int expected, come; }; \
  static int emulated_said[FIBERS], emulated_turns[FIBERS];     /* of each thread: that a box is empty; how often it was full */ \
  static int slices_rank () { emulated_turns[at] = 0; return (int) emulated_rank (); }          /* once in a launch */ \
  static void emulated_check (bool p, const char *what) \
  { \
    if (! p) \
      { \
        printf ("FAILED %s\n", what); \
        exit (1); \
      } \
  } \
  static void slices_begin_count (u64 *count) { *(emulated_count *) count = { }; } \
  static void slices_box_is_empty () { emulated_check (emulated_said[at]++ == 0, "a box that is said to be empty twice"); } \
  static void slices_boxes_are_empty () \
  { \
    emulated_check (emulated_said[at]-- == 1, "a box that is not said to be empty"); \
    synchronize_cluster (); \
  } \
  template <class A> static void slices_send (A *to, const A &x, int rank, u64 *count) \
  { \
    const auto there = slices_shared_of[rank] - slices_shared; \
    memcpy ((unsigned char *) to + there, &x, sizeof x); \
    ((emulated_count *) ((unsigned char *) count + there))->come += sizeof x; \
  } \
  static void slices_expect (u64 *count, int bytes) { ((emulated_count *) count)->expected += bytes; } \
  static void slices_await (u64 *count, int turn) \
  { \
    emulated_check (turn == emulated_turns[at]++, "another turn than that of the box"); \
    synchronize_cluster (); \
    emulated_check (((emulated_count *) count)->expected == ((emulated_count *) count)->come, "other bytes have come to a block than it expects"); \
  }
namespace usual { enum { cluster_blocks = 1 }; }
using namespace usual;
#define __cluster_dims__(n, ...) enum { cluster_blocks = n };
#define GPR_HISTOGRAM_SHARED alignas (16) static unsigned char histogram_shared[256 << 10];
#define GPR_SCAN_SHARED alignas (16) static unsigned char gpr_scan_shared[96 << 10];
#define GPR_SCAN_IS_LATE(t) ((t) % 3 != 0)

template <class A> static void run (void (*kernel) (A), unsigned blocks, unsigned block, const void *arguments, unsigned of_cluster)
{
  static uint64_t random = 1;
  run_launch ((const void *) kernel, *(const A *) arguments, blocks, block, &random, of_cluster);
}
