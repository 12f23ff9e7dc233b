/* What an instance of ops/scan.h is to kernels, and the shared memory of a block.

   What is scanned is a Load, L:

     F                      the instance
     at (a, i)              element i
     some                   batch elements on their way: read (a, j, i) begins with element i, at (a, j, i) is it then
     put (a, v, first, y)   y <- the value v, or as long as all elements are NaN element `first'
     start (a, first)       has a put (a, v, y) that does the same, of a column that is gone through row by row

   and of tiles

     read (a, p)            the elements go to p.s
     doubt (a, outer)       the outer's in a.doubt
     gives_up               what is in doubt is of no use: other tiles need not be done
     kernel                 which one this is: gpr_scan_kernel  */

#ifndef GPR_SCAN_INSTANCES_CUH
#define GPR_SCAN_INSTANCES_CUH

#include "../turn.cuh"

#ifndef GPR_SCAN_SHARED         /* an emulation has its own */
#define GPR_SCAN_SHARED extern __shared__ __align__ (16) unsigned char gpr_scan_shared[];
#endif
GPR_SCAN_SHARED

/* What is compiled at run time is to be short: some loops are not unrolled, what is seldom done is a call, and a segment of a single column is one of any.  */
#ifdef GPR_COMPILED_TERMS
#define GPR_SCAN_ROLLED _Pragma ("unroll 1")
#define GPR_SCAN_UNROLLED GPR_SCAN_ROLLED
#define GPR_SCAN_SELDOM __noinline__
enum { GPR_SCAN_LINES = false, GPR_SCAN_WRITES = 1, GPR_SCAN_WRITES_APART = 1 };
#else
#define GPR_SCAN_ROLLED
#define GPR_SCAN_UNROLLED _Pragma ("unroll")
#define GPR_SCAN_SELDOM __forceinline__
enum { GPR_SCAN_LINES = true, GPR_SCAN_WRITES = 4, GPR_SCAN_WRITES_APART = 2 };
#endif

template <class X, bool TURNS> struct scan_turn
{
  static __device__ __forceinline__ X of (X x, u64) { return x; }
};
template <class X> struct scan_turn<X, true>
{
  static __device__ __forceinline__ X of (X x, u64 turn) { return gpr_turned (x, turn); }
};
template <class X> static __device__ __forceinline__ bool scan_number (const X &x) { return x == x; }
static __device__ __forceinline__ bool scan_number (const c128 &) { return true; }
static __device__ __forceinline__ bool scan_number (const c64 &) { return true; }

#define GPR_SCAN_STRUCT(id, op, T) \
  struct scan_##id \
  { \
    typedef id##_x X; \
    typedef id##_a A; \
    enum { STEPS = id##_STEPS, EACH = id##_EACH, ROWS = sizeof (X) != sizeof (A), /* ROWS: of extremes */ \
           SUMS = GPR_SCAN_##op == GPR_SCAN_cumsum || GPR_SCAN_##op == GPR_SCAN_cumprod, ENDS = SUMS && GPR_##T != GPR_c128 && GPR_##T != GPR_c64, \
           TURNS = GPR_SCAN_##op == GPR_SCAN_cummax && sizeof (X) <= 8 && GPR_##T != GPR_c64 }; \
    static __device__ __forceinline__ X turned (X x, u64 turn) { return scan_turn<X, TURNS>::of (x, turn); } \
    static __device__ __forceinline__ void first (A *a, X x, i64 row) { id##_first (a, x, row); } \
    static __device__ __forceinline__ int step (A *a, X x, i64 row) { return id##_step (a, x, row); } \
    static __device__ __forceinline__ int merge (A *a, A b) { return id##_merge (a, b); } \
    static __device__ __forceinline__ void next (A *a, X x, i64 row) { id##_next (a, x, row); } \
    static __device__ __forceinline__ A plain (A a, A b) { return id##_plain (a, b); } \
    static __device__ __forceinline__ int unsure (A a) { return id##_unsure (a); } \
    static __device__ __forceinline__ int strange (A a) { return id##_strange (a); } \
    static __device__ __forceinline__ i64 row (A a) { return id##_row (a); } \
    static __device__ __forceinline__ void put (A a, const X *first, X *y, u64 turn) \
    { \
      id##_put (a, first, y); \
      if (TURNS && scan_number (*y)) /* else the column's first, as it is */ \
        *y = turned (*y, turn); \
    } \
    static __device__ __forceinline__ short pack (A a, i64 from, X *y) { return id##_pack (a, from, y); } \
    static __device__ __forceinline__ A unpack (X y, short at, i64 from) { return id##_unpack (y, at, from); } \
  };
/* Of sums and products that end.  */
template <class F> struct scan_ends {};
#define GPR_SCAN_ENDS(id, op, T) \
  template <> struct scan_ends<scan_##id> \
  { \
    enum { NEUTRAL = id##_NEUTRAL, RANGE = sizeof (T) == 8 ? 1074 : 149 };      /* RANGE: binary digits from 1 to where nothing is left */ \
    static __device__ __forceinline__ int ended (T a) { return id##_ended (a); } \
    static __device__ __forceinline__ T rest (T a, T x) { return id##_rest (a, x); } \
    static __device__ __forceinline__ T after (T a, T rest) { return id##_after (a, rest); } \
    static __device__ __forceinline__ bool turns (T a, T x) { return id##_turns (a, x); } \
    static __device__ __forceinline__ int clearly_lost (T a, T x, T r, i64 rows) { return id##_clearly_lost (a, x, r, rows); } \
  };

#endif
