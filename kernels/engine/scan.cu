#include "engine.h"
#include "scan.h"

#define GPR_SCAN_STRUCT(id, op, T) \
  struct scan_##id \
  { \
    typedef id##_x X; \
    typedef id##_a A; \
    enum { STEPS = id##_STEPS }; \
    static __device__ __forceinline__ void first (A *a, X x, i64 row) { id##_first (a, x, row); } \
    static __device__ __forceinline__ int step (A *a, X x, i64 row) { return id##_step (a, x, row); } \
    static __device__ __forceinline__ int merge (A *a, A b) { return id##_merge (a, b); } \
    static __device__ __forceinline__ i64 row (A a) { return id##_row (a); } \
    static __device__ __forceinline__ i64 put (A a, X first, X *y) { return id##_put (a, first, y); } \
  };
GPR_SCANS (GPR_SCAN_STRUCT)

extern __shared__ __align__ (16) unsigned char gpr_scan_shared[];

#include "scan/columns.cuh"
#include "scan/tiles.cuh"

#define GPR_SCAN_CASE(id, op_, T) \
  if (op == GPR_SCAN_##op_ && elem == GPR_##T) \
    return way == GPR_SCAN_WALK ? (const void *) scan_walk_k<scan_##id> \
           : way == GPR_SCAN_STAGED ? (const void *) scan_staged_k<scan_##id> : (const void *) scan_tiled_k<scan_##id>;
extern "C" const void *gpr_engine_scan (gpr_scan_op op, enum gpr_elem elem, gpr_scan_way way)
{
  GPR_SCANS (GPR_SCAN_CASE)
  return 0;
}
