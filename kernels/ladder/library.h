/* What the libraries' rows share.  nvcc only.

   A row that launches kernels of its own keeps in its descriptor's table, where a
   rung has kernels, functions (const void *args, void *scratch, size_t *bytes,
   cudaStream_t stream) that return a cudaError_t.  */

#ifndef LADDER_LIBRARY_H
#define LADDER_LIBRARY_H

template <class Op> struct combination
{
  typedef typename Op::T T;
  __host__ __device__ __forceinline__ T operator() (T p, T q) const { return Op::combine (p, q); }
};

typedef cudaError_t library_call (const void *args, void *scratch, size_t *bytes, cudaStream_t stream);

static int call_library (const ladder_variant *v, int op, int type, const void *args, void *scratch, size_t *bytes, void *stream)
{
  library_call *call = (library_call *) v->kernel[op][type][0];
  return call ? call (args, scratch, bytes, (cudaStream_t) stream) : cudaErrorNotSupported;
}
static void describe_library (ladder_variant &v)
{
  v.host = call_library;
}

#endif
