/* A thread goes along a column, in the built-in's order.  Where elements come from says the Load (instances.cuh).  */

#ifndef GPR_SCAN_COLUMNS_CUH
#define GPR_SCAN_COLUMNS_CUH

template <class L>
static __device__ __forceinline__ void scan_walk (const gpr_scan_args &a)
{
  typedef typename L::F F;
  typedef typename F::X X;

  const i64 columns = a.some ? a.some : a.inner * a.outer;

  for (i64 i = (i64) blockIdx.x * blockDim.x + threadIdx.x; i < columns; i += (i64) gridDim.x * blockDim.x)
    {
      const i64 column = i / a.inner * a.length * a.inner + i % a.inner;
      X *y = (X *) a.y + column;
      double *index = a.index ? a.index + column : NULL;
      typename F::A v;
      if (a.goes_on)
        v = ((const typename F::A *) a.level)[i];
      else
        F::first (&v, F::turned (L::at (a, column), a.turn), 0);
      for (i64 from = 0; from < a.length; from += L::batch)
        {
          typename L::some batch;
#pragma unroll
          for (int r = 0; r < L::batch; r++)
            if (from + r < a.length)
              batch.read (a, r, column + (from + r) * a.inner);
#pragma unroll
          for (int r = 0; r < L::batch; r++)
            if (from + r < a.length)
              {
                if (from + r > 0 || a.goes_on)
                  F::step (&v, F::turned (batch.at (a, r, column + (from + r) * a.inner), a.turn), from + r);
                L::put (a, v, column, &y[(from + r) * a.inner]);
                if (index)
                  index[(from + r) * a.inner] = (double) (F::row (v) + 1);
              }
        }
      if (a.level)
        ((typename F::A *) a.level)[i] = v;
    }
}

/* Of segments or tiles that follow each other.  */
template <class F>
static __device__ __forceinline__ typename F::A scan_joined (const typename F::A &a, const typename F::A &b)
{
  typename F::A all = F::plain (a, b);
  if (F::strange (all))
    {
      all = a;
      F::merge (&all, b);
    }
  return all;
}

/* A result, and what says that it may be wrong where it is not sure: of what goes before it in the tile, and before the tile.  */
template <class F>
static __device__ __forceinline__ typename F::A
scan_result (const typename F::A &z, bool in_tile, const typename F::A &before, bool late, const typename F::A &earlier, int *lost)
{
  typename F::A all = z, b;
  if (in_tile)
    all = F::plain (before, all);
  if (late)
    all = F::plain (earlier, all);
  if (! F::unsure (all))
    return all;
  all = z;
  if (in_tile)
    {
      b = before;
      *lost |= F::merge (&b, all);
      all = b;
    }
  if (late)
    {
      b = earlier;
      *lost |= F::merge (&b, all);
      all = b;
    }
  return all;
}

/* Whether column LANE of 32 is a warp's own in a row that begins with element ROW of the array: those from a multiple of 32 - OWN elements on are, and of the
   first warp all from the row's first.  */
static __device__ __forceinline__ bool scan_is_own (int own, int lane, bool first, i64 row)
{
  const int left = -(int) row & (31 - own);
  return lane < own + left && (first || lane >= left);
}

/* A thread goes along a long column, in the order of tiles that are a group of segments at most (ops/scan.h).  Each step is asked whether it
   is sure, and no product is so quick.  */
template <class L>
static __device__ __forceinline__ void scan_walk_tiles (const gpr_scan_args &a)
{
  typedef typename L::F F;
  typedef typename F::X X;
  typedef typename F::A A;
  const int segments = GPR_SCAN_THREADS / gpr_scan_columns (a.inner), own = a.own, lane = threadIdx.x % 32;
  const i64 each = own ? (a.inner + own - 1) / own * 32 : a.inner, all_threads = each * a.outer;

  for (i64 i = (i64) blockIdx.x * blockDim.x + threadIdx.x; i < all_threads; i += (i64) gridDim.x * blockDim.x)
    {
      const i64 outer = i / each, in = i - outer * each, c = own ? in / 32 * own + lane : in, column = outer * a.length * a.inner + c;
      i64 to = column;
      int segment = 0, lost = 0;
      bool late = false;
      A z, before, earlier;     /* of the segment; of those before it in the tile; of the tiles before that */
      if (c >= a.inner)
        continue;

      for (i64 from = 0; from < a.length; from += F::STEPS)
        {
          const int rows = a.length - from < F::STEPS ? (int) (a.length - from) : (int) F::STEPS;
          for (int first = 0; first < rows; first += L::batch)
            {
              typename L::some batch;
#pragma unroll
              for (int r = 0; r < L::batch; r++)
                if (first + r < rows)
                  batch.read (a, r, to + r * a.inner);
#pragma unroll
              for (int r = 0; r < L::batch; r++)
                if (first + r < rows)
                  {
                    const X x = F::turned (batch.at (a, r, to), a.turn);
                    const i64 row = from + first + r;
                    if (first + r == 0)
                      F::first (&z, x, row);
                    else
                      {
                        const A old = z;
                        F::next (&z, x, row);
                        if (F::unsure (z))
                          {
                            z = old;
                            lost |= F::step (&z, x, row);
                          }
                      }
                    const A all = scan_result<F> (z, segment > 0, before, late, earlier, &lost);
                    if (own == 0 || scan_is_own (own, lane, in < 32, to - c))
                      {
                        L::put (a, all, column, (X *) a.y + to);
                        if (F::ROWS && a.index)
                          a.index[to] = (double) (F::row (all) + 1);
                      }
                    to += a.inner;
                  }
            }
          before = segment ? scan_joined<F> (before, z) : z;
          if (++segment == segments)
            {
              if (late)
                F::merge (&earlier, before);
              else
                earlier = before;
              late = true;
              segment = 0;
            }
        }
      if (lost)
        *a.any = 1;
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
