/* A thread goes along a column, in the built-in's order.  Where elements come from says the Load (instances.cuh).  */

#ifndef GPR_SCAN_COLUMNS_CUH
#define GPR_SCAN_COLUMNS_CUH

/* nvcc does not see how X was made, or it would make it and its like again for each row, by multiplications.  */
static __device__ __forceinline__ void scan_take_as_it_is (i64 &x)
{
#if defined __NVCC__ || defined __CUDACC_RTC__
  asm ("" : "+l" (x));
#endif
}

template <class L>
static __device__ __forceinline__ void scan_walk (const gpr_scan_args &a)
{
  typedef typename L::F F;
  typedef typename F::X X;

  const i64 columns = a.some ? a.some : a.inner * a.outer;

  for (i64 i = (i64) blockIdx.x * blockDim.x + threadIdx.x; i < columns; i += (i64) gridDim.x * blockDim.x)
    {
      const i64 outer = a.outer == 1 ? 0 : i / a.inner;
      i64 to = i + outer * (a.length - 1) * a.inner;    /* the next result */
      const typename L::start start (a, to);
      typename F::A v;
      scan_take_as_it_is (to);
      if (a.goes_on)
        v = ((const typename F::A *) a.level)[i];
      for (i64 from = 0; from < a.length; from += L::batch)
        {
          const int rows = a.length - from < L::batch ? (int) (a.length - from) : L::batch;
          typename L::some batch;
          i64 at = to;
#pragma unroll
          for (int r = 0; r < L::batch; r++, at += a.inner)
            if (r < rows)
              batch.read (a, r, at);
#pragma unroll
          for (int r = 0; r < L::batch; r++, to += a.inner)
            if (r < rows)
              {
                const X x = F::turned (batch.at (a, r, to), a.turn);
                if (r > 0 || from > 0 || a.goes_on)
                  F::step (&v, x, from + r);
                else
                  F::first (&v, x, 0);
                start.put (a, v, (X *) a.y + to);
                if (F::ROWS && a.index)
                  a.index[to] = (double) (F::row (v) + 1);
              }
        }
      if (a.level)
        ((typename F::A *) a.level)[i] = v;
    }
}

/* The elements of neighbouring outers, one after the other, from a thread's first to its next:
   which outer, and where in it.  */
struct scan_place
{
  int k, w, over, rest, slab;
  __device__ __forceinline__ scan_place (int slab_, int threads)
  {
    slab = slab_;
    k = threadIdx.x / slab;
    w = threadIdx.x % slab;
    over = threads / slab;
    rest = threads % slab;
  }
  /* In shared memory an outer begins at an odd place, since threads go along outers side by side.  */
  __device__ __forceinline__ int here () const { return k * (slab | 1) + w; }
  __device__ __forceinline__ void next ()
  {
    k += over;
    w += rest;
    if (w >= slab)
      {
        k++;
        w -= slab;
      }
  }
};

/* A column in shared memory, a row `stride' after the other; its elements are from `first' on.  */
template <class L>
static __device__ __forceinline__ void scan_column (const gpr_scan_args &a, i64 first, typename L::F::X *s, short *rows, int stride, int length)
{
  typedef typename L::F F;
  const u64 turn = a.turn;
  typename F::A v;
  F::first (&v, F::turned (s[0], turn), 0);
  if (rows)
    rows[0] = (short) F::row (v);
  for (int r = 1; r < length; r++)
    {
      F::next (&v, F::turned (s[r * stride], turn), r);
      F::put (v, s, &s[r * stride], turn);
      if (rows)
        rows[r * stride] = (short) F::row (v);
    }
  if (! F::unsure (v))
    return;
  F::first (&v, L::at (a, first), 0);
  for (int r = 1; r < length; r++)
    {
      F::step (&v, L::at (a, first + r * stride), r);
      F::put (v, s, &s[r * stride], 0);
    }
}

/* Short columns of outers that lie beside each other: read and written as they lie, by way of shared memory.  */
template <class L>
static __device__ __forceinline__ void scan_staged (const gpr_scan_args &a)
{
  typedef typename L::F::X X;
  const int threads = blockDim.x, inner = (int) a.inner, slab = inner * (int) a.length, pitch = slab | 1;
  X *s = (X *) gpr_scan_shared;
  short *rows = a.index ? (short *) (s + (((size_t) a.outers * pitch + 15) & ~(size_t) 15)) : NULL;

  for (i64 o = (i64) blockIdx.x * a.outers; o < a.outer; o += (i64) gridDim.x * a.outers)
    {
      const int outers = (int) (a.outer - o < a.outers ? a.outer - o : a.outers), count = outers * slab;
      const i64 first = o * slab;
      X *y = (X *) a.y + first;
      scan_place in (slab, threads), out (slab, threads);

      for (int e = threadIdx.x; e < count; e += L::batch * threads)
        {
          typename L::some batch;
#pragma unroll
          for (int j = 0; j < L::batch; j++)
            if (e + j * threads < count)
              batch.read (a, j, first + e + j * threads);
#pragma unroll
          for (int j = 0; j < L::batch; j++, in.next ())
            if (e + j * threads < count)
              s[in.here ()] = batch.at (a, j, first + e + j * threads);
        }
      __syncthreads ();
      for (int j = threadIdx.x; j < outers * inner; j += threads)
        {
          const int k = j / inner, c = j % inner;
          scan_column<L> (a, first + k * slab + c, s + k * pitch + c, rows ? rows + k * pitch + c : NULL, inner, (int) a.length);
        }
      __syncthreads ();
      for (int e = threadIdx.x; e < count; e += threads, out.next ())
        {
          y[e] = s[out.here ()];
          if (a.index)
            a.index[first + e] = (double) (rows[out.here ()] + 1);
        }
      __syncthreads ();
    }
}

#endif
