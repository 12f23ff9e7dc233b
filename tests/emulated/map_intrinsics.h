/* What the kernels of elementwise expressions ask of CUDA, on the CPU: with a GPU's NaN, and a root as wrong as its.  */

#ifndef EMULATED_MAP_INTRINSICS_H
#define EMULATED_MAP_INTRINSICS_H

static unsigned __umulhi (unsigned a, unsigned b) { return (unsigned) ((uint64_t) a * b >> 32); }
static unsigned __float_as_uint (float x) { unsigned u; memcpy (&u, &x, sizeof u); return u; }
static int __double2loint (double x) { uint64_t u; memcpy (&u, &x, sizeof u); return (int) u; }
static int __double2hiint (double x) { uint64_t u; memcpy (&u, &x, sizeof u); return (int) (u >> 32); }
#define GPR_MAP_MADE(v) ((v) == (v) ? (v) : (decltype (v)) NAN)
static double map_reciprocal_root (double x)
{
  const double y = 1 / sqrt (x);
  uint64_t u;
  memcpy (&u, &y, sizeof u);
  u &= ~(uint64_t) UINT32_MAX;
  memcpy (&x, &u, sizeof x);
  return x;
}
static float map_reciprocal_root (float x) { return nextafterf ((float) (1 / sqrt ((double) x)), 0); }

#endif
