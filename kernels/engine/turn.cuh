/* An element turned (../common/turn.h), or turned back.  */

#ifndef GPR_TURN_CUH
#define GPR_TURN_CUH

#include "../common/turn.h"

template <class X> static __device__ __forceinline__ X gpr_turned (X x, u64 turn)
{
  u64 bits = 0;
  memcpy (&bits, &x, sizeof x);
  bits ^= turn;
  memcpy (&x, &bits, sizeof x);
  return x;
}
/* Of 64 bits the upper half has the sign: one instruction.  */
static __device__ __forceinline__ f64 gpr_turned (f64 x, u64 turn)
{
  unsigned words[2];
  memcpy (words, &x, sizeof x);
  words[1] ^= (unsigned) (turn >> 32);
  memcpy (&x, words, sizeof x);
  return x;
}

#endif
