/* Medians and quantiles of columns that a warp's or a block's registers hold.  */

#include "../ops/select.h"
#include "select.h"

#ifndef GPR_SELECT_MEMORY
#define GPR_SELECT_MEMORY(raw) extern __shared__ __align__ (16) unsigned char raw[]
#endif

#include "select/keys.cuh"
#include "select/team.cuh"
#include "select/load.cuh"
#include "select/network.cuh"
#include "select/short.cuh"
#include "select/held.cuh"

/* By SIZE threads, of which each has FULL elements at least, or by more.  How many each has at most: many, so that little is done for a column beside its elements, but registers
   are few, and elements of 8 bytes take two of them while they are on their way.  */
template <class K, bool MEDIAN, int SIZE, int FULL> static gpr_select_held of_size (int64_t n)
{
#define HELD(full, most) \
  if (n <= SIZE * most) \
    return { (const void *) held_k<K, MEDIAN, SIZE, full, most>, SIZE };
  if constexpr (FULL < 4)
    {
      HELD (FULL, 3) HELD (3, 4)
    }
  if constexpr (SIZE == 32)
    {
      HELD (4, 5) HELD (5, 6) HELD (6, 7) HELD (7, 8) HELD (8, 10) HELD (10, 12) HELD (12, 14) HELD (14, 16)
    }
  else if constexpr (FULL < 16)
    HELD (FULL, 16)
  HELD (16, 20)
  HELD (20, 24)
  if constexpr (sizeof (K) == 4 || SIZE >= 256)
    {
      HELD (24, 28)
      HELD (28, 32)
    }
  if constexpr (SIZE < 512)
    return of_size<K, MEDIAN, 2 * SIZE, (sizeof (K) == 4 || SIZE >= 256 ? 16 : 12)> (n);
  return { NULL, 0 };
}

extern "C" gpr_select_held gpr_engine_select_held (int bytes, int64_t length, bool median)
{
  const int64_t fewest = 1 + (bytes == 8 ? 2 : 4) * 32;
  if (length < fewest)
    return { NULL, 0 };
  if (bytes == 8)
    return median ? of_size<u64, true, 32, 2> (length) : of_size<u64, false, 32, 2> (length);
  return median ? of_size<u32, true, 32, 4> (length) : of_size<u32, false, 32, 4> (length);
}
