#include "engine.h"
#include "scan.h"
#include "turn.cuh"

/* cummax and cummin of real numbers are cummax of turned ones.  */
#define GPR_SCAN_GREATEST(F, id) GPR_SCAN_FLOATS_ (F, id##cummax, cummax) F (id##cummax_i8, cummax, i8) F (id##cummax_i16, cummax, i16) \
  F (id##cummax_i32, cummax, i32) F (id##cummax_i64, cummax, i64) F (id##cummin_c128, cummin, c128) F (id##cummin_c64, cummin, c64)
#define GPR_SCAN_KERNELS(F) GPR_SCAN_SUMS (F) GPR_SCAN_GREATEST (F,)

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
GPR_SCAN_KERNELS (GPR_SCAN_STRUCT)
/* Of sums and products that end.  */
template <class F> struct scan_ends {};
#define GPR_SCAN_ENDS(id, op, T) \
  template <> struct scan_ends<scan_##id> \
  { \
    enum { NEUTRAL = id##_NEUTRAL, RANGE = sizeof (T) == 8 ? 1074 : 149 };      /* RANGE: binary digits from 1 to where nothing is left */ \
    static __device__ __forceinline__ int ended (T a) { return id##_ended (a); } \
    static __device__ __forceinline__ T rest (T a, T x) { return id##_rest (a, x); } \
    static __device__ __forceinline__ T after (T a, T rest) { return id##_after (a, rest); } \
    static __device__ __forceinline__ int clearly_lost (T a, T x, T r, i64 rows) { return id##_clearly_lost (a, x, r, rows); } \
  };
GPR_SCAN_REAL_SUMS (GPR_SCAN_ENDS)
GPR_SCAN_GREATEST (GPR_SCAN_STRUCT, values_)

extern __shared__ __align__ (16) unsigned char gpr_scan_shared[];

#include "scan/columns.cuh"
#include "scan/in_order.cuh"
#include "scan/tiles.cuh"

#define GPR_SCAN_CASE(id, op_, T) \
  if (op == GPR_SCAN_##op_ && elem == GPR_##T) \
    { \
      *tile_bytes = sizeof (scan_tile<scan_##id>); \
      return way == GPR_SCAN_WALK ? (const void *) scan_walk_k<scan_##id> \
             : way == GPR_SCAN_IN_ORDER ? scan_in_order<scan_##id>::kernel () \
             : way == GPR_SCAN_STAGED ? (const void *) scan_staged_k<scan_##id> : (const void *) scan_tiled_k<scan_##id>; \
    }
#define GPR_SCAN_VALUES_CASE(id, op_, T) \
  if (way == GPR_SCAN_VALUES_TILED && op == GPR_SCAN_##op_ && elem == GPR_##T) \
    { \
      *tile_bytes = sizeof (scan_tile<scan_##id>); \
      return (const void *) scan_tiled_k<scan_##id>; \
    }
extern "C" const void *gpr_engine_scan (gpr_scan_op op, enum gpr_elem elem, gpr_scan_way way, size_t *tile_bytes)
{
  if ((op == GPR_SCAN_cummax || op == GPR_SCAN_cummin) && elem != GPR_c128 && elem != GPR_c64)
    {
      op = GPR_SCAN_cummax;
      elem = gpr_turned_elem (elem);
    }
  GPR_SCAN_GREATEST (GPR_SCAN_VALUES_CASE, values_)
  GPR_SCAN_KERNELS (GPR_SCAN_CASE)
  return 0;
}
