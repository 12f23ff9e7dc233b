#include "engine.h"
#include "scan.h"
#include "scan/instances.cuh"

/* cummax and cummin of real numbers are cummax of turned ones.  */
#define GPR_SCAN_GREATEST(F, id) GPR_SCAN_FLOATS_ (F, id##cummax, cummax) F (id##cummax_i8, cummax, i8) F (id##cummax_i16, cummax, i16) \
  F (id##cummax_i32, cummax, i32) F (id##cummax_i64, cummax, i64) F (id##cummin_c128, cummin, c128) F (id##cummin_c64, cummin, c64)
#define GPR_SCAN_KERNELS(F) GPR_SCAN_SUMS (F) GPR_SCAN_GREATEST (F,)

GPR_SCAN_KERNELS (GPR_SCAN_STRUCT)
GPR_SCAN_GREATEST (GPR_SCAN_STRUCT, values_)
GPR_SCAN_REAL_SUMS (GPR_SCAN_ENDS)

#include "scan/in_order.cuh"
#include "scan/load.cuh"

/* Of complex extremes none.  */
template <class F> static const void *scan_walk_many_of (bool twice)
{
  if constexpr (F::SUMS || F::TURNS)
    return twice ? (const void *) scan_walk_many_k<F, GPR_SCAN_TWICE (sizeof (typename F::X), F::ROWS)> : (const void *) scan_walk_many_k<F, 0>;
  return 0;
}

#define GPR_SCAN_CASE(id, op_, T) \
  if (op == GPR_SCAN_##op_ && elem == GPR_##T) \
    { \
      *tile_bytes = sizeof (scan_tile<scan_##id>); \
      return way == GPR_SCAN_WALK ? (const void *) scan_walk_k<scan_##id> \
             : way == GPR_SCAN_WALK_MANY || way == GPR_SCAN_WALK_TWICE ? scan_walk_many_of<scan_##id> (way == GPR_SCAN_WALK_TWICE) \
             : way == GPR_SCAN_IN_ORDER ? scan_in_order<scan_##id>::kernel () : way == GPR_SCAN_CHAIN ? (const void *) scan_chain_k<scan_##id> \
             : way == GPR_SCAN_STAGED ? (const void *) scan_staged_k<scan_##id> : (const void *) scan_tiled_k<scan_##id>; \
    }
#define GPR_SCAN_VALUES_CASE(id, op_, T) \
  if ((way == GPR_SCAN_VALUES_TILED || way == GPR_SCAN_VALUES_CHAIN \
       || way == GPR_SCAN_VALUES_WALK_MANY || way == GPR_SCAN_VALUES_WALK_TWICE) && op == GPR_SCAN_##op_ && elem == GPR_##T) \
    { \
      *tile_bytes = sizeof (scan_tile<scan_##id>); \
      return way == GPR_SCAN_VALUES_CHAIN ? (const void *) scan_chain_k<scan_##id> \
             : way == GPR_SCAN_VALUES_TILED ? (const void *) scan_tiled_k<scan_##id> : scan_walk_many_of<scan_##id> (way == GPR_SCAN_VALUES_WALK_TWICE); \
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
