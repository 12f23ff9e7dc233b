/* A thread goes along a column, in the built-in's order.  */

#ifndef GPR_SCAN_COLUMNS_CUH
#define GPR_SCAN_COLUMNS_CUH

template <class F>
__global__ void __launch_bounds__ (GPR_SCAN_THREADS) scan_walk_k (const gpr_scan_args a)
{
  typedef typename F::X X;
  enum { BATCH = 8 };           /* loads on their way at once */

  for (i64 i = (i64) blockIdx.x * blockDim.x + threadIdx.x; i < a.inner * a.outer; i += (i64) gridDim.x * blockDim.x)
    {
      const i64 o = i / a.inner, column = o * a.length * a.inner + i % a.inner;
      if (a.doubt && ! a.doubt[o])
        continue;
      const X *x = (const X *) a.x + column, first = *x;
      X *y = (X *) a.y + column;
      double *index = a.index ? a.index + column : NULL;
      typename F::A v;
      for (i64 from = 0; from < a.length; from += BATCH)
        {
          X batch[BATCH];
          #pragma unroll
          for (int r = 0; r < BATCH; r++)
            if (from + r < a.length)
              batch[r] = x[(from + r) * a.inner];
          #pragma unroll
          for (int r = 0; r < BATCH; r++)
            if (from + r < a.length)
              {
                if (from + r == 0)
                  F::first (&v, batch[r], 0);
                else
                  F::step (&v, batch[r], from + r);
                const i64 at = F::put (v, first, &y[(from + r) * a.inner]);
                if (index)
                  index[(from + r) * a.inner] = (double) (at + 1);
              }
        }
    }
}

/* The same for short columns, whose outers lie beside each other: they are read and written as
   they lie.  In shared memory an outer begins at an odd place, since threads go along outers
   side by side.  */
template <class F>
__global__ void __launch_bounds__ (GPR_SCAN_THREADS) scan_staged_k (const gpr_scan_args a)
{
  typedef typename F::X X;
  const int threads = blockDim.x, inner = (int) a.inner, slab = inner * (int) a.length, pitch = slab | 1;
  X *s = (X *) gpr_scan_shared;
  short *rows = (short *) (s + (((size_t) a.outers * pitch + 15) & ~(size_t) 15));

  for (i64 o = (i64) blockIdx.x * a.outers; o < a.outer; o += (i64) gridDim.x * a.outers)
    {
      const int outers = (int) (a.outer - o < a.outers ? a.outer - o : a.outers), count = outers * slab;
      const int over = threads / slab, rest = threads % slab;
      const X *x = (const X *) a.x + o * slab;
      X *y = (X *) a.y + o * slab;
      double *index = a.index ? a.index + o * slab : NULL;

      for (int e = threadIdx.x, k = e / slab, w = e % slab; e < count; e += threads)
        {
          s[k * pitch + w] = x[e];
          k += over;
          w += rest;
          if (w >= slab)
            {
              k++;
              w -= slab;
            }
        }
      __syncthreads ();
      for (int j = threadIdx.x; j < outers * inner; j += threads)
        {
          const int at = j / inner * pitch + j % inner;
          const X first = s[at];
          typename F::A v;
          for (int r = 0; r < (int) a.length; r++)
            {
              if (r == 0)
                F::first (&v, first, 0);
              else
                F::step (&v, s[at + r * inner], r);
              const i64 row = F::put (v, first, &s[at + r * inner]);
              if (index)
                rows[at + r * inner] = (short) row;
            }
        }
      __syncthreads ();
      for (int e = threadIdx.x, k = e / slab, w = e % slab; e < count; e += threads)
        {
          y[e] = s[k * pitch + w];
          if (index)
            index[e] = (double) (rows[k * pitch + w] + 1);
          k += over;
          w += rest;
          if (w >= slab)
            {
              k++;
              w -= slab;
            }
        }
      __syncthreads ();
    }
}

#endif
