/* Long columns: laid one after the other, runs of sorted ones, and the end.  */

#ifndef GPR_MODE_LONG_CUH
#define GPR_MODE_LONG_CUH

/* Tiles of columns side by side, through shared memory.  */
template <class S>
static __global__ void __launch_bounds__ (GPR_MODE_THREADS) mode_lay_k (const __grid_constant__ gpr_mode_args a)
{
  __shared__ S tile[GPR_MODE_TILE + 32];
  const int wide = a.x.inner < 32 ? (int) a.x.inner : 32, high = GPR_MODE_TILE / wide, pitch = high + 1;
  const int64_t n = a.x.length, across = (a.x.inner + wide - 1) / wide, down = (n + high - 1) / high;

  for (int64_t t = blockIdx.x; t < a.x.outers * down * across; t += gridDim.x)
    {
      const int64_t o = t / (down * across), rest = t - o * down * across, row = rest / across * high, column = rest % across * wide;
      const S *x = (const S *) a.x.x + o * a.x.outer_stride + column;
      S *to = (S *) a.laid + (o * a.x.inner + column) * n + row;
      for (int i = threadIdx.x; i < wide * high; i += blockDim.x)
        {
          const int r = i / wide, c = i - r * wide;
          if (row + r < n && column + c < a.x.inner)
            tile[c * pitch + r] = x[(row + r) * a.x.row_stride + c];
        }
      __syncthreads ();
      for (int i = threadIdx.x; i < wide * high; i += blockDim.x)
        {
          const int c = i / high, r = i - c * high;
          if (row + r < n && column + c < a.x.inner)
            to[c * n + r] = tile[c * pitch + r];
        }
      __syncthreads ();
    }
}

/* Where the run that begins at `first' of sorted elements ends.  */
template <class K> static __device__ __forceinline__ int64_t mode_end_of_run (const gpr_mode_args &a, const K *s, int64_t first)
{
  const int64_t n = a.x.length;
  const K key = select_rank_key (a.x, s[first]);
  int64_t in = first, out = first + 1;  /* s[in] is of the run, s[out] is not */
  for (int64_t step = 1; out < n && select_rank_key (a.x, s[out]) == key; step *= 2)
    {
      in = out;
      out = out + step < n ? out + step : n;
    }
  while (out - in > 1)
    {
      const int64_t half = in + (out - in) / 2;
      if (select_rank_key (a.x, s[half]) == key)
        in = half;
      else
        out = half;
    }
  return out;
}

/* A piece of a column: rows from `from' to `end'.  */
struct mode_piece { int64_t column, from, end; };
static __device__ __forceinline__ mode_piece mode_piece_of (const gpr_mode_args &a, int64_t i)
{
  const int64_t column = i / a.pieces, each = (a.x.length + a.pieces - 1) / a.pieces, from = (i - column * a.pieces) * each;
  return { column, from, from + each < a.x.length ? from + each : a.x.length };
}
static __device__ __forceinline__ int64_t mode_pieces (const gpr_mode_args &a) { return a.x.inner * a.x.outers * a.pieces; }

/* Where a run begins, by the order of elements: negative integers, which come last, are less than others.  */
enum : u32 { MODE_LATER = 1u << 31 };
template <class K> static __device__ __forceinline__ u32 mode_place (const gpr_mode_args &a, K bits, int64_t i)
{
  return (u32) i | (a.x.flip && ! select_floating (a.x) && ! (bits & (K) a.x.flip) ? MODE_LATER : 0);
}

/* The longest run of a sorted column that begins in the piece, as this thread sees it: where the element as far away
   as the longest one so far has its last is another, a run is shorter.  NaN are left out: they come first and last.  */
template <class K> static __device__ __forceinline__ mode_run<u32> mode_of_runs (const gpr_mode_args &a, const K *s, const mode_piece &p)
{
  mode_run<u32> best = mode_none<u32> ();
  for (int64_t i = p.from + threadIdx.x; i < p.end; i += blockDim.x)
    {
      const K key = select_rank_key (a.x, s[i]);
      if (! mode_finite (a, key))
        {
          if (best.count == 0 && key != (K) ~(K) 0)
            best = { 1, (u32) i };
          continue;
        }
      const int64_t last = i + best.count - 1;
      if (best.count > 1 && ! (last < a.x.length && select_rank_key (a.x, s[last]) == key))
        continue;
      if (i > 0 && select_rank_key (a.x, s[i - 1]) == key)
        continue;
      best = mode_better (best, { (u32) (mode_end_of_run (a, s, i) - i), mode_place (a, s[i], i) });
    }
  return best;
}

template <class K>
static __global__ void __launch_bounds__ (GPR_MODE_THREADS) mode_runs_k (const __grid_constant__ gpr_mode_args a)
{
  for (int64_t i = blockIdx.x; i < mode_pieces (a); i += gridDim.x)
    {
      const mode_piece p = mode_piece_of (a, i);
      const mode_run<u32> best = mode_of_block (mode_of_runs (a, (const K *) a.sorted + p.column * a.x.length, p));
      if (threadIdx.x == 0 && best.count)
        atomicMax (&a.found[p.column].best, (unsigned long long) best.count << 32 | (u32) ~best.key);
    }
}

template <class K> static __device__ __forceinline__ mode_run<K> mode_found (const gpr_mode_args &a, int64_t j)
{
  const gpr_mode_found &f = a.found[j];
  if (! a.sorted)
    return { f.count, (K) f.key };
  if (! f.best)
    return { 1, (K) ~(K) 0 };           /* all are NaN */
  return { (u32) (f.best >> 32), select_rank_key (a.x, ((const K *) a.sorted)[j * a.x.length + (~(u32) f.best & ~MODE_LATER)]) };
}

/* The first zero of a column whose mode that is.  */
template <class K>
static __global__ void __launch_bounds__ (GPR_MODE_THREADS) mode_zeros_k (const __grid_constant__ gpr_mode_args a)
{
  for (int64_t i = blockIdx.x; i < mode_pieces (a); i += gridDim.x)
    {
      const mode_piece p = mode_piece_of (a, i);
      unsigned long long *zero = &a.found[p.column].zero;
      if (! mode_is_zero (a, mode_found<K> (a, p.column).key))
        continue;
      for (int64_t row = p.from + threadIdx.x; row < p.end && ~(unsigned long long) row > *(volatile unsigned long long *) zero; row += blockDim.x)
        if (mode_is_zero (a, select_rank_key (a.x, mode_element<K> (a, p.column, row))))
          atomicMax (zero, ~(unsigned long long) row);
    }
}

template <class K>
static __global__ void __launch_bounds__ (GPR_MODE_THREADS) mode_settle_k (const __grid_constant__ gpr_mode_args a)
{
  for (int64_t j = (int64_t) blockIdx.x * blockDim.x + threadIdx.x; j < a.x.inner * a.x.outers; j += (int64_t) gridDim.x * blockDim.x)
    mode_put (a, j, mode_found<K> (a, j), (int64_t) ~a.found[j].zero);
}

#endif
