/* Half precision as kernels of reductions use it: a value of 16 bits, computed in float and
   rounded to the nearest, ties to even.  */

#ifndef SIM_CUDA_FP16_H
#define SIM_CUDA_FP16_H

#include "../device.h"

SIM_WRAP uint16_t sim_half_bits (float v)
{
  const uint32_t u = sim_value<uint32_t> (sim_bits (v)), sign = u >> 16 & 0x8000, size = u & 0x7fffffff;
  if (size > 0x7f800000)
    return (uint16_t) (sign | 0x7fff);
  if (size >= 0x47800000)
    return (uint16_t) (sign | 0x7c00);
  if (size < 0x38800000)        /* below 2^-14: whole multiples of 2^-24 */
    return (uint16_t) (sign | (uint32_t) rintf (fabsf (v) * 16777216));
  const uint32_t kept = size - 0x38000000 + 0xfff + (size >> 13 & 1);
  return (uint16_t) (sign | kept >> 13);
}
SIM_WRAP float sim_half_value (uint16_t h)
{
  const uint32_t sign = (uint32_t) (h & 0x8000) << 16, exponent = h >> 10 & 31, rest = h & 0x3ff;
  if (exponent == 0)
    return (sign ? -1 : 1) * (float) rest / 16777216;
  return sim_value<float> (sim_bits (sign | (exponent == 31 ? 0x7f800000u : (exponent + 112) << 23) | rest << 13));
}

struct __half
{
  uint16_t bits;
  __half () = default;
  __half (float v) : bits (sim_half_bits (v)) {}
  __half (double v) : bits (sim_half_bits ((float) v)) {}
  __half (int v) : bits (sim_half_bits ((float) v)) {}
  operator float () const { return sim_half_value (bits); }
  __half &operator+= (__half b) { return *this = (float) *this + (float) b; }
  __half &operator-= (__half b) { return *this = (float) *this - (float) b; }
  __half &operator*= (__half b) { return *this = (float) *this * (float) b; }
};
typedef __half half;
SIM_WRAP __half operator+ (__half a, __half b) { return (float) a + (float) b; }
SIM_WRAP __half operator- (__half a, __half b) { return (float) a - (float) b; }
SIM_WRAP __half operator* (__half a, __half b) { return (float) a * (float) b; }
SIM_WRAP __half operator/ (__half a, __half b) { return (float) a / (float) b; }
SIM_WRAP __half __float2half (float v) { return v; }
SIM_WRAP __half __float2half_rn (float v) { return v; }
SIM_WRAP float __half2float (__half v) { return v; }
SIM_WRAP __half __hadd (__half a, __half b) { return a + b; }
SIM_WRAP __half __hsub (__half a, __half b) { return a - b; }
SIM_WRAP __half __hmul (__half a, __half b) { return a * b; }
SIM_WRAP __half __hfma (__half a, __half b, __half c) { return fmaf (a, b, c); }
SIM_WRAP __half __shfl_down_sync (unsigned mask, __half v, unsigned d, int width = 32) { return __shfl_down_sync (mask, (float) v, d, width); }
SIM_WRAP __half __shfl_xor_sync (unsigned mask, __half v, int lanes, int width = 32) { return __shfl_xor_sync (mask, (float) v, lanes, width); }

#endif
