#include "engine.h"
#include "scan.h"

/* The units, blocks of columns, lie as their totals do: neighbours are columns.  */
template <class F>
__global__ void __launch_bounds__ (GPR_REDUCE_THREADS) scan_k (const gpr_scan_args a)
{
  typedef typename F::X X;
  typedef typename F::A A;
  const int64_t units = a.inner * a.blocks * a.outer;

  for (int64_t i = (int64_t) blockIdx.x * GPR_REDUCE_THREADS + threadIdx.x; i < units; i += (int64_t) gridDim.x * GPR_REDUCE_THREADS)
    {
      const int64_t row = i / a.inner, c = i - row * a.inner, o = row / a.blocks, from = (row - o * a.blocks) * a.rows;
      const int64_t rows = a.length - from < a.rows ? a.length - from : a.rows, column = o * a.length * a.inner + c;
      const X *x = (const X *) a.x + column + from * a.inner;
      if (! a.y)
        {
          A v = F::init ();
          for (int64_t r = 0; r < rows; r++)
            F::step (&v, x[r * a.inner], from + r);
          ((A *) a.totals)[i] = v;
          continue;
        }
      const X first = ((const X *) a.x)[column];
      const A before = a.blocks > 1 ? ((const A *) a.totals)[i] : F::init ();
      A v = F::init ();
      X *y = (X *) a.y + column + from * a.inner;
      double *index = a.index ? a.index + column + from * a.inner : NULL;
      for (int64_t r = 0; r < rows; r++)
        {
          F::step (&v, x[r * a.inner], from + r);
          A all = v;
          if (from > 0)
            {
              all = before;
              F::merge (&all, v);
            }
          const int64_t at = F::put (all, first, &y[r * a.inner]);
          if (index)
            index[r * a.inner] = (double) (at + 1);
        }
    }
}

#define GPR_SCAN_STRUCT(id, op, T) \
  struct scan_##id \
  { \
    typedef id##_x X; \
    typedef id##_a A; \
    static __device__ __forceinline__ A init () { return id##_init (); } \
    static __device__ __forceinline__ void step (A *a, X x, i64 row) { id##_step (a, x, row); } \
    static __device__ __forceinline__ void merge (A *a, A b) { id##_merge (a, b); } \
    static __device__ __forceinline__ i64 put (A a, X first, X *y) { return id##_put (a, first, y); } \
  };
GPR_SCANS (GPR_SCAN_STRUCT)

#define GPR_SCAN_CASE(id, op_, T) \
  if (op == GPR_SCAN_##op_ && elem == GPR_##T) \
    return (const void *) scan_k<scan_##id>;
extern "C" const void *gpr_engine_scan (gpr_scan_op op, enum gpr_elem elem)
{
  GPR_SCANS (GPR_SCAN_CASE)
  return 0;
}
