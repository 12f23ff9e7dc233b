/* thrust: thrust::reduce, one line of C++ for whoever has a range.

   Underneath it is CUB's; but it returns the value to the host and so waits for
   the GPU, which costs more than a small reduction does.  */

#include "ladder.h"

#ifndef LADDER_SIM              /* Thrust runs on GPUs only */
#include <new>
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>
#include <thrust/system_error.h>

#include "library.h"

enum { SCRATCH = 1 << 20 };     /* it takes some values a block */

/* Memory for Thrust from the caller's.  */
struct from_scratch
{
  typedef char value_type;
  char *next, *end;
  char *allocate (ptrdiff_t n)
  {
    char *p = next;
    n = (n + 255) / 256 * 256;
    if (n > end - p)
      throw std::bad_alloc ();
    next += n;
    return p;
  }
  void deallocate (char *, size_t) {}
};

template <class Op> struct operation { typedef combination<Op> type; };
template <class X> struct operation<Sum<X>> { typedef thrust::plus<X> type; };

template <class Op>
static cudaError_t thrust_reduce (const void *args, void *scratch, size_t *bytes, cudaStream_t stream)
{
  typedef typename Op::T T;
  const ladder_reduce_args &a = *(const ladder_reduce_args *) args;
  from_scratch memory = { (char *) scratch, (char *) scratch + SCRATCH };

  if (! scratch)
    {
      *bytes = SCRATCH;
      return cudaSuccess;
    }
  try
    {
      T v = thrust::reduce (thrust::cuda::par (memory).on (stream), (const T *) a.x, (const T *) a.x + a.n, Op::identity (),
                            typename operation<Op>::type ());
      return cudaMemcpyAsync (a.result, &v, sizeof v, cudaMemcpyHostToDevice, stream);
    }
  catch (const thrust::system_error &e)
    {
      return (cudaError_t) e.code ().value ();
    }
  catch (const std::bad_alloc &)
    {
      return cudaErrorMemoryAllocation;
    }
}
#endif

LADDER_VARIANT (thrust)
{
  v.rank = 930;
  v.aliases = "Thrust";
  v.idea = "thrust::reduce";
  v.lesson = "one line of C++";
  v.wrong = "it brings the value to the host, and so waits for the GPU";
  v.source = "G";
#ifndef LADDER_SIM
  REDUCE_KERNELS (v, thrust_reduce);
  describe_library (v);
#endif
}
