/* Where numbers go that an expansion does not hold: to bins in shared memory, a long sum in global memory,
   or a mark that the output must be computed by bins.  Sinks add integers, so the order of their
   addends does not matter.  */

#ifndef GPR_ENGINE_EXACT_SINKS_CUH
#define GPR_ENGINE_EXACT_SINKS_CUH

#include "../exact.h"

/* Words of a number, where those of negative ones begin (in other banks), and words of a column's bins.  */
enum { WORDS = 4, NEGATIVE = WORDS * GPR_LONG_LIMBS + 16, BIN = 2 * NEGATIVE };

/* For each place of a limb and each sign a number of four words, which carries.  */
struct shared_sink
{
  u32 *bins;
  u32 *seen;
  int *used;

  __device__ void see (u32 what) const { atomicOr (seen, what); *used = 1; }
  __device__ void pour (u64 m, int place, bool negative) const
  {
    const gpr_digits d = gpr_digits_of (m, place);
    u32 *at = bins + (negative ? NEGATIVE : 0) + d.at;
    u32 carry = 0;
    for (int i = 0; i < WORDS; i++, at += GPR_LONG_LIMBS)
      {
        const u64 add = (u64) carry + (i < 3 ? d.digit[i] : 0);
        carry = (u32) (add >> 32);
        if ((u32) add != 0)
          carry += atomicAdd (at, (u32) add) + (u32) add < (u32) add;
      }
    *used = 1;
  }
};

struct global_sink
{
  gpr_long_sum *total;          /* or NULL: */
  unsigned char *mark, *some;

  __device__ void leave () const { *mark = *some = 1; }
  __device__ void see (u32 what) const
  {
    if (total)
      atomicOr ((unsigned long long *) &total->seen, (unsigned long long) what);
    else
      leave ();
  }
  __device__ void pour (u64 m, int place, bool negative) const
  {
    if (! total)
      {
        leave ();
        return;
      }
    const gpr_digits d = gpr_digits_of (m, place);
    for (int i = 0; i < 3; i++)
      if (d.digit[i] != 0)
        atomicAdd ((unsigned long long *) &total->limb[d.at + i], negative ? 0ull - d.digit[i] : (unsigned long long) d.digit[i]);
  }
};

static __device__ __forceinline__ void pour_number (shared_sink sink, f64 x)
{
  int e;
  const u64 m = gpr_mantissa (x, &e);
  sink.pour (m, e + GPR_LONG_OF_DOUBLES, x < 0);
}
/* What is rare is no part of its callers, which would be long.  */
static __device__ __noinline__ void pour_number (global_sink sink, f64 x)
{
  int e;
  const u64 m = gpr_mantissa (x, &e);
  if (m != 0)
    sink.pour (m, e + GPR_LONG_OF_DOUBLES, x < 0);
}
template <class S> static __device__ __noinline__ void pour_product (S sink, f64 x, f64 y, bool negative)
{
  int ex, ey;
  const u64 mx = gpr_mantissa (x, &ex), my = gpr_mantissa (y, &ey);
  const u128 m = (u128) mx * my;
  const int place = ex + ey + GPR_LONG_OF_PRODUCTS;
  const bool below = ((x < 0) != (y < 0)) != negative;
  if (m == 0)
    return;
  sink.pour ((u64) m, place, below);
  sink.pour ((u64) (m >> 64), place + 64, below);
}

#endif
