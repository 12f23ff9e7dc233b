/* cub (argmax): cub::DeviceReduce::ArgMax and ArgMin for int32.  For floats
   DeviceReduce::Reduce of pairs made on the way, since those do not skip NaN.  */

#include "ladder.h"

#ifndef LADDER_SIM              /* CUB runs on GPUs only */
#include <cub/device/device_reduce.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include "library.h"

template <class Op> struct make_pair_at
{
  const typename Op::X *x;
  __host__ __device__ __forceinline__ typename Op::T operator() (int64_t i) const { return Op::element (x[i], i); }
};

template <class Op>
static cudaError_t reduce_pairs (const void *args, void *scratch, size_t *bytes, cudaStream_t stream)
{
  typedef typename Op::T T;
  const ladder_reduce_args &a = *(const ladder_reduce_args *) args;
  make_pair_at<Op> pair = { (const typename Op::X *) a.x };

  return cub::DeviceReduce::Reduce (scratch, *bytes, thrust::make_transform_iterator (thrust::counting_iterator<int64_t> (0), pair),
                                    (T *) a.result, a.n, combination<Op> (), Op::identity (), stream);
}

static cudaError_t arg_max (const void *args, void *scratch, size_t *bytes, cudaStream_t stream)
{
  const ladder_reduce_args &a = *(const ladder_reduce_args *) args;
  Argmax<int>::T *to = (Argmax<int>::T *) a.result;
  return cub::DeviceReduce::ArgMax (scratch, *bytes, (const int *) a.x, &to->v, &to->i, a.n, stream);
}
static cudaError_t arg_min (const void *args, void *scratch, size_t *bytes, cudaStream_t stream)
{
  const ladder_reduce_args &a = *(const ladder_reduce_args *) args;
  Argmin<int>::T *to = (Argmin<int>::T *) a.result;
  return cub::DeviceReduce::ArgMin (scratch, *bytes, (const int *) a.x, &to->v, &to->i, a.n, stream);
}
#endif

LADDER_VARIANT (cub_argmax)
{
  v.name = "cub";
  v.family = LADDER_FAMILY_ARGMAX;
  v.rank = 950;
  v.aliases = "CUB, DeviceReduce";
  v.idea = "cub::DeviceReduce, of pairs";
  v.lesson = "what the library gives";
  v.source = "V, argmax";
#ifndef LADDER_SIM
  LADDER_SET (v, LADDER_ARGMAX, LADDER_DOUBLE, reduce_pairs<Argmax<double>>)
  LADDER_SET (v, LADDER_ARGMIN, LADDER_DOUBLE, reduce_pairs<Argmin<double>>)
  LADDER_SET (v, LADDER_ARGMAX, LADDER_SINGLE, reduce_pairs<Argmax<float>>)
  LADDER_SET (v, LADDER_ARGMIN, LADDER_SINGLE, reduce_pairs<Argmin<float>>)
  LADDER_SET (v, LADDER_ARGMAX, LADDER_INT32, arg_max)
  LADDER_SET (v, LADDER_ARGMIN, LADDER_INT32, arg_min)
  describe_library (v);
#endif
}
