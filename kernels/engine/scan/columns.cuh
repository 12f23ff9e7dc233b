/* A thread goes along a column, in the built-in's order.  */

#ifndef GPR_SCAN_COLUMNS_CUH
#define GPR_SCAN_COLUMNS_CUH

enum { GPR_SCAN_BATCH = 8 };    /* loads of a thread on their way at once */

template <class F>
__global__ void __launch_bounds__ (GPR_SCAN_THREADS) scan_walk_k (const gpr_scan_args a)
{
  typedef typename F::X X;

  for (i64 i = (i64) blockIdx.x * blockDim.x + threadIdx.x; i < a.inner * a.outer; i += (i64) gridDim.x * blockDim.x)
    {
      const i64 column = i / a.inner * a.length * a.inner + i % a.inner;
      const X *x = (const X *) a.x + column;
      X *y = (X *) a.y + column;
      double *index = a.index ? a.index + column : NULL;
      typename F::A v;
      F::first (&v, F::turned (*x, a.turn), 0);
      for (i64 from = 0; from < a.length; from += GPR_SCAN_BATCH)
        {
          X batch[GPR_SCAN_BATCH];
#pragma unroll
          for (int r = 0; r < GPR_SCAN_BATCH; r++)
            if (from + r < a.length)
              batch[r] = F::turned (x[(from + r) * a.inner], a.turn);
#pragma unroll
          for (int r = 0; r < GPR_SCAN_BATCH; r++)
            if (from + r < a.length)
              {
                if (from + r > 0)
                  F::step (&v, batch[r], from + r);
                F::put (v, x, &y[(from + r) * a.inner], a.turn);
                if (index)
                  index[(from + r) * a.inner] = (double) (F::row (v) + 1);
              }
        }
    }
}

/* Rows of a column in the built-in's order after v, which lie in s, a line of them in registers at a time: until the rest is known
   (ops/scan.h), or all.  Plain operations are the built-in's; a NaN of real numbers, and complex ones, want steps.  Returns how many.  */
template <class F>
static __device__ __forceinline__ int scan_go_on (typename F::A &v, typename F::X *s, int rows, i64 from)
{
  enum { LINE = 16 };
  typedef typename F::A A;
  int r = 0;

  do
    {
      A line[LINE], w = v;
#pragma unroll
      for (int j = 0; j < LINE; j++)
        if (r + j < rows)
          line[j] = s[r + j];
      A out[LINE];
#pragma unroll
      for (int j = 0; j < LINE; j++)
        if (r + j < rows)
          out[j] = w = F::plain (w, line[j]);
      if (scan_is_complex<A> () || ! scan_number (w))
        {
          w = v;
#pragma unroll
          for (int j = 0; j < LINE; j++)
            if (r + j < rows)
              {
                F::step (&w, line[j], from + r + j);
                out[j] = w;
              }
        }
#pragma unroll
      for (int j = 0; j < LINE; j++)
        if (r + j < rows)
          s[r + j] = out[j];
      v = w;
      r += LINE;
    }
  while (r < rows && ! scan_ends<F>::ended (v));
  return r < rows ? r : rows;
}

/* A column in doubt, chunk by chunk: one thread goes along it, until the rest is known (ops/scan.h).  */
template <class F>
static __device__ __forceinline__ void scan_begin (const gpr_scan_args &a, i64 column, gpr_scan_end &end)
{
  typedef typename F::X X;
  typename F::A &all = *(typename F::A *) gpr_scan_shared;
  int &done = *(int *) (gpr_scan_shared + 16);          /* rows of the chunk */
  const X *x = (const X *) a.x + column;
  X *s = (X *) (gpr_scan_shared + GPR_SCAN_CHUNK_HEAD), *y = (X *) a.y + column;
  bool ended = false;
  i64 from = 0;

  while (from < a.length && ! ended)
    {
      const int rows = (int) (a.length - from < GPR_SCAN_CHUNK ? a.length - from : GPR_SCAN_CHUNK);
      for (int r = threadIdx.x; r < rows; r += GPR_SCAN_THREADS)
        s[r] = x[(from + r) * a.inner];
      __syncthreads ();
      if (threadIdx.x == 0)
        {
          const int begun = from == 0;
          typename F::A v = all;
          if (begun)
            F::first (&v, s[0], 0);
          done = begun + (rows > begun ? scan_go_on<F> (v, s + begun, rows - begun, from + begun) : 0);
          all = v;
        }
      __syncthreads ();
      for (int r = threadIdx.x; r < done; r += GPR_SCAN_THREADS)
        y[(from + r) * a.inner] = s[r];
      from += done;
      ended = scan_ends<F>::ended (all);
      __syncthreads ();
    }
  if (threadIdx.x == 0)
    {
      end.row = from;
      end.left = (unsigned long long) a.length;
      memcpy (end.all, &all, sizeof all);
    }
}

/* The same by a thread for each column, where many lie side by side.  */
template <class F>
static __device__ __forceinline__ void scan_begin_alone (const gpr_scan_args &a, i64 column, gpr_scan_end &end)
{
  typedef typename F::X X;
  const X *x = (const X *) a.x + column;
  X *y = (X *) a.y + column;
  typename F::A all;
  i64 from = 0;

  for (bool ended = false; from < a.length && ! ended; from += GPR_SCAN_BATCH)
    {
      X batch[GPR_SCAN_BATCH];
#pragma unroll
      for (int r = 0; r < GPR_SCAN_BATCH; r++)
        if (from + r < a.length)
          batch[r] = x[(from + r) * a.inner];
#pragma unroll
      for (int r = 0; r < GPR_SCAN_BATCH; r++)
        if (from + r < a.length)
          {
            if (from + r == 0)
              F::first (&all, batch[r], 0);
            else
              F::step (&all, batch[r], from + r);
            F::put (all, x, &y[(from + r) * a.inner], 0);
          }
      ended = scan_ends<F>::ended (all);
    }
  end.row = from;
  end.left = (unsigned long long) a.length;
  memcpy (end.all, &all, sizeof all);
}

template <class F>
__global__ void __launch_bounds__ (GPR_SCAN_THREADS) scan_again_k (const gpr_scan_args a)
{
  if (! a.resume && a.inner >= 32)
    {
      for (i64 i = (i64) blockIdx.x * blockDim.x + threadIdx.x; i < a.inner * a.outer; i += (i64) gridDim.x * blockDim.x)
        if (a.doubt[i / a.inner])
          scan_begin_alone<F> (a, i / a.inner * a.length * a.inner + i % a.inner, a.ends[i]);
      return;
    }
  for (i64 i = blockIdx.x; i < a.inner * a.outer; i += gridDim.x)
    {
      const i64 o = i / a.inner, column = o * a.length * a.inner + i % a.inner;
      gpr_scan_end &end = a.ends[i];
      if (a.doubt[o] < (a.resume ? GPR_SCAN_LEFT : GPR_SCAN_DOUBT))
        continue;
      if (! a.resume)
        scan_begin<F> (a, column, end);
      else if (threadIdx.x == 0 && end.left < (unsigned long long) a.length)
        {
          const i64 at = column + (i64) end.left * a.inner;
          typename F::A all = ((const typename F::X *) a.y)[at - a.inner];
          F::step (&all, ((const typename F::X *) a.x)[at], (i64) end.left);
          end.row = (i64) end.left;
          end.left = (unsigned long long) a.length;
          memcpy (end.all, &all, sizeof all);
        }
    }
}

/* Rows of the only column of an outer, from … on: of tiles of the kind that it has where it ended, so that none after that is to be changed.  */
template <class F>
static __device__ __forceinline__ bool scan_is_as_ended (const gpr_scan_args &a, i64 o, const gpr_scan_end &end, i64 from, int count)
{
  const i64 rows = gpr_scan_tile_rows (1, F::STEPS);
  typename F::X all;
  memcpy (&all, end.all, sizeof all);
  const int kind = F::kind (all);
  if (! a.kinds || kind == 0)
    return false;
  for (i64 t = from / rows; t <= (from + count - 1) / rows; t++)
    if (a.kinds[o * a.tiles + t] != kind)
      return false;
  return true;
}

template <class X>
static __device__ __forceinline__ bool scan_same_bits (const X &x, const X &y)
{
  unsigned a[sizeof (X) / 4], b[sizeof (X) / 4], differ = 0;
  memcpy (a, &x, sizeof (X));
  memcpy (b, &y, sizeof (X));
#pragma unroll
  for (int i = 0; i < (int) (sizeof (X) / 4); i++)
    differ |= a[i] ^ b[i];
  return differ == 0;
}

/* The rows of columns that have ended, by all blocks: pieces of outers.  */
template <class F>
__global__ void __launch_bounds__ (GPR_SCAN_THREADS) scan_after_k (const gpr_scan_args a)
{
  typedef typename F::X X;
  const i64 slab = a.inner * a.length, piece = GPR_SCAN_THREADS * 32, pieces = (slab + piece - 1) / piece;
  const bool one = a.inner == 1, few = a.inner < 1 << 30;       /* few: 32 bits do */

  for (i64 i = blockIdx.x; i < pieces * a.outer; i += gridDim.x)
    {
      const i64 o = i / pieces, from = i % pieces * piece, row0 = from / a.inner, column0 = from % a.inner;
      const int count = (int) (slab - from < piece ? slab - from : piece);
      X *y = (X *) a.y + o * slab + from;
      if (a.doubt[o] < (a.resume ? GPR_SCAN_LEFT : GPR_SCAN_DOUBT))
        continue;
      const gpr_scan_end only = a.ends[o * a.inner];
      if (one && ! a.keeps && scan_is_as_ended<F> (a, o, only, from, count))
        continue;
      for (int k0 = threadIdx.x; k0 < count; k0 += GPR_SCAN_THREADS * GPR_SCAN_BATCH)
        {
          X batch[GPR_SCAN_BATCH];
#pragma unroll
          for (int b = 0; b < GPR_SCAN_BATCH; b++)
            if (k0 + b * GPR_SCAN_THREADS < count)
              batch[b] = y[k0 + b * GPR_SCAN_THREADS];
#pragma unroll
          for (int b = 0; b < GPR_SCAN_BATCH; b++)
            {
              const int k = k0 + b * GPR_SCAN_THREADS;
              if (k >= count)
                continue;
              const i64 row = one ? from + k : row0 + (few ? ((unsigned) column0 + k) / (unsigned) a.inner : (column0 + k) / a.inner);
              gpr_scan_end *end = &a.ends[o * a.inner + (one ? 0 : column0 + k - (row - row0) * a.inner)];
              X all;
              if (row < (one ? only.row : end->row))
                continue;
              memcpy (&all, one ? only.all : end->all, sizeof all);
              const X was = batch[b];
              if (! scan_ends<F>::after (all, &batch[b]) && (unsigned long long) row < *(volatile unsigned long long *) &end->left)
                {
                  atomicMin (&end->left, (unsigned long long) row);
                  if (*(volatile int *) &a.doubt[o] != GPR_SCAN_LEFT)
                    {
                      *(volatile int *) &a.doubt[o] = GPR_SCAN_LEFT;
                      *a.any = GPR_SCAN_LEFT;
                    }
                }
              if (! scan_same_bits (was, batch[b]))
                y[k] = batch[b];
            }
        }
    }
}
/* Extremes are never in doubt.  */
template <class F, bool ROWS = F::ROWS>
struct scan_again
{
  static const void *kernel () { return (const void *) scan_again_k<F>; }
  static const void *after () { return (const void *) scan_after_k<F>; }
};
template <class F>
struct scan_again<F, true>
{
  static const void *kernel () { return NULL; }
  static const void *after () { return NULL; }
};

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

/* A column in shared memory, a row `stride' after the other, from x's.  */
template <class F>
static __device__ __forceinline__ void scan_column (const typename F::X *x, typename F::X *s, short *rows, int stride, int length, u64 turn)
{
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
  F::first (&v, x[0], 0);
  for (int r = 1; r < length; r++)
    {
      F::step (&v, x[r * stride], r);
      F::put (v, x, &s[r * stride], 0);
    }
}

/* Short columns of outers that lie beside each other: read and written as they lie, by way of shared memory.  */
template <class F>
__global__ void __launch_bounds__ (GPR_SCAN_THREADS) scan_staged_k (const gpr_scan_args a)
{
  typedef typename F::X X;
  const int threads = blockDim.x, inner = (int) a.inner, slab = inner * (int) a.length, pitch = slab | 1;
  X *s = (X *) gpr_scan_shared;
  short *rows = a.index ? (short *) (s + (((size_t) a.outers * pitch + 15) & ~(size_t) 15)) : NULL;

  for (i64 o = (i64) blockIdx.x * a.outers; o < a.outer; o += (i64) gridDim.x * a.outers)
    {
      const int outers = (int) (a.outer - o < a.outers ? a.outer - o : a.outers), count = outers * slab;
      const X *x = (const X *) a.x + o * slab;
      X *y = (X *) a.y + o * slab;
      scan_place in (slab, threads), out (slab, threads);

      for (int e = threadIdx.x; e < count; e += GPR_SCAN_BATCH * threads)
        {
          X batch[GPR_SCAN_BATCH];
#pragma unroll
          for (int j = 0; j < GPR_SCAN_BATCH; j++)
            if (e + j * threads < count)
              batch[j] = x[e + j * threads];
#pragma unroll
          for (int j = 0; j < GPR_SCAN_BATCH; j++, in.next ())
            if (e + j * threads < count)
              s[in.here ()] = batch[j];
        }
      __syncthreads ();
      for (int j = threadIdx.x; j < outers * inner; j += threads)
        {
          const int k = j / inner, c = j % inner;
          scan_column<F> (x + k * slab + c, s + k * pitch + c, rows ? rows + k * pitch + c : NULL, inner, (int) a.length, a.turn);
        }
      __syncthreads ();
      for (int e = threadIdx.x; e < count; e += threads, out.next ())
        {
          y[e] = s[out.here ()];
          if (a.index)
            a.index[o * slab + e] = (double) (rows[out.here ()] + 1);
        }
      __syncthreads ();
    }
}

#endif
