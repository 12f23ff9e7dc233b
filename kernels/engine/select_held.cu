/* Medians and quantiles of columns that a warp's or a block's registers hold.  */

#include "../ops/select.h"
#include "select.h"

#include "select/keys.cuh"
#include "select/team.cuh"
#include "select/load.cuh"
#include "select/network.cuh"
#include "select/short.cuh"
#include "select/held.cuh"

/* The kernel by SIZE threads, of which each has FULL elements at least, that has room for n: for N of a thread, or more.  */
template <class K, bool MEDIAN, int SIZE, int FULL, int N, int... MORE> static gpr_select_held of_each (int64_t n)
{
  if (n <= SIZE * N)
    return { (const void *) held_k<K, MEDIAN, SIZE, FULL, N>, SIZE };
  if constexpr (sizeof... (MORE) > 0)
    return of_each<K, MEDIAN, SIZE, N, MORE...> (n);
  return { NULL, 0 };
}

/* Many elements of a thread, since little is done then for a column beside them; but registers are few, and elements of 8 bytes take two of them while they are on their way.
   Of quantiles fewer numbers have a kernel.  */
static gpr_select_held medians_of_4 (int64_t n)
{
  return n <= 32 * 32 ? of_each<u32, true, 32, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32> (n) : n <= 64 * 32 ? of_each<u32, true, 64, 16, 20, 24, 32> (n)
         : n <= 128 * 32 ? of_each<u32, true, 128, 16, 20, 24, 32> (n) : n <= 256 * 32 ? of_each<u32, true, 256, 16, 20, 24, 32> (n)
         : of_each<u32, true, 512, 16, 20, 24, 28, 32> (n);
}
static gpr_select_held medians_of_8 (int64_t n)
{
  return n <= 32 * 24 ? of_each<u64, true, 32, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24> (n) : n <= 64 * 24 ? of_each<u64, true, 64, 12, 16, 24> (n)
         : n <= 128 * 24 ? of_each<u64, true, 128, 12, 16, 24> (n) : n <= 256 * 32 ? of_each<u64, true, 256, 12, 16, 20, 24, 32> (n)
         : of_each<u64, true, 512, 16, 20, 24, 28, 32> (n);
}
static gpr_select_held quantiles_of_4 (int64_t n)
{
  return n <= 32 * 32 ? of_each<u32, false, 32, 4, 6, 8, 12, 16, 24, 32> (n) : n <= 64 * 32 ? of_each<u32, false, 64, 16, 24, 32> (n)
         : n <= 128 * 32 ? of_each<u32, false, 128, 16, 24, 32> (n) : n <= 256 * 32 ? of_each<u32, false, 256, 16, 24, 32> (n)
         : of_each<u32, false, 512, 16, 24, 28, 32> (n);
}
static gpr_select_held quantiles_of_8 (int64_t n)
{
  return n <= 32 * 24 ? of_each<u64, false, 32, 2, 4, 8, 12, 16, 24> (n) : n <= 64 * 24 ? of_each<u64, false, 64, 12, 16, 24> (n)
         : n <= 128 * 24 ? of_each<u64, false, 128, 12, 24> (n) : n <= 256 * 32 ? of_each<u64, false, 256, 12, 24, 32> (n)
         : of_each<u64, false, 512, 16, 24, 28, 32> (n);
}

extern "C" gpr_select_held gpr_engine_select_held (int bytes, int64_t length, bool median)
{
  if (length <= (bytes == 8 ? 64 : 128))
    return { NULL, 0 };
  if (bytes == 8)
    return median ? medians_of_8 (length) : quantiles_of_8 (length);
  return median ? medians_of_4 (length) : quantiles_of_4 (length);
}
