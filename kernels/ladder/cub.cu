/* cub: CUB's reduction of the whole device, tuned for every GPU by its makers.

   DeviceReduce::Sum for sums; Reduce with this package's combination for the
   rest, since CUB's own Max and Min do not skip NaN.  For small n it launches one
   kernel, else two.  */

#include "ladder.h"

#ifndef LADDER_SIM              /* CUB runs on GPUs only */
#include <cub/device/device_reduce.cuh>

#include "library.h"

template <class Op> struct is_sum { enum { yes = 0 }; };
template <class X> struct is_sum<Sum<X>> { enum { yes = 1 }; };

template <class Op>
static cudaError_t cub_reduce (const void *args, void *scratch, size_t *bytes, cudaStream_t stream)
{
  typedef typename Op::T T;
  const ladder_reduce_args &a = *(const ladder_reduce_args *) args;

  if constexpr (is_sum<Op>::yes)
    return cub::DeviceReduce::Sum (scratch, *bytes, (const T *) a.x, (T *) a.result, a.n, stream);
  else
    return cub::DeviceReduce::Reduce (scratch, *bytes, (const T *) a.x, (T *) a.result, a.n, combination<Op> (), Op::identity (), stream);
}
#endif

LADDER_VARIANT (cub)
{
  v.rank = 920;
  v.aliases = "CUB, DeviceReduce";
  v.idea = "cub::DeviceReduce";
  v.lesson = "what the library gives";
  v.source = "V, G";
#ifndef LADDER_SIM
  REDUCE_KERNELS (v, cub_reduce);
  describe_library (v);
#endif
}
