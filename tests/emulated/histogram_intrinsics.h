/* What finding an element's bin asks of CUDA, on the CPU.  */

#ifndef EMULATED_HISTOGRAM_INTRINSICS_H
#define EMULATED_HISTOGRAM_INTRINSICS_H

template <class T> static T __ldg (const T *p) { return *p; }
static int __float_as_int (float x) { int i; memcpy (&i, &x, 4); return i; }
static float __int_as_float (int i) { float x; memcpy (&x, &i, 4); return x; }
/* Of a sum whose second term is so large that it is a whole number.  */
static float __fadd_rd (float x, float y) { return (float) (std::floor ((double) x) + y); }
static float __fadd_ru (float x, float y) { return (float) (std::ceil ((double) x) + y); }
static double __dadd_rd (double x, double y) { return std::floor (x) + y; }
static double __dadd_ru (double x, double y) { return std::ceil (x) + y; }

#endif
