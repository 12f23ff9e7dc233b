/* THREAD: an output a thread, or some neighbouring ones, of up to 8 elements: of rows, or of columns; or of a column in several lanes, which are as short.  */

#ifndef GPR_REDUCE_THREAD_CUH
#define GPR_REDUCE_THREAD_CUH

#include "emit.cuh"
#include "steps.cuh"

/* A row is read in vectors of V.  A thread has R rows on their way, its block neighbouring ones.  The
   loop writes outputs itself: gpr_store's code for a mailbox, which only a single output has,
   would be unrolled R times.  */
template <class F, class L, int V>
static __device__ __forceinline__ int gpr_thread_units (const gpr_reduce_args &a)
{
  typedef typename F::X X;
  typedef typename F::Y Y;
  static_assert (! F::indexed, "no indices here");
  constexpr int T = GPR_REDUCE_THREADS, S = V == 1 ? 8 : 8 / V > 4 ? 4 : 8 / V > 0 ? 8 / V : 1;
  constexpr int most = L::fixes ? gpr_tuned::thread_bytes_fixed : gpr_tuned::thread_bytes / (sizeof (typename F::A) > 16 ? 2 : 1);
  constexpr int bytes = S * V * L::bytes, fit = bytes < 32 ? gpr_tuned::thread_few : most / bytes;
  constexpr int R = fit < 1 ? 1 : fit < GPR_THREAD_OUTPUTS ? fit : GPR_THREAD_OUTPUTS;
  const int n = (int) a.length, vectors = n / V;
  int needs_fixup = 0;

  /* A block has so many times T neighbouring rows.  */
  const int each = (int) ((a.units + (int64_t) gridDim.x * T - 1) / ((int64_t) gridDim.x * T));
  int64_t o = (int64_t) blockIdx.x * each * T + threadIdx.x;
  typename L::cursor x = L::begin (a.load) + o * n;

#pragma unroll 1
  for (int q = 0; q < each; q += R, o += R * T, x += R * T * n)
    {
      typename L::template terms<V> v[R][S];
      auto here = [&] (int r) { return q + r < each && o + r * T < a.units; };
#pragma unroll
      for (int r = 0; r < R; r++)
        if (here (r))
          {
            const typename L::template fixed<V> fixed = L::template fix<V> (x + r * T * n, a.load);
#pragma unroll
            for (int k = 0; k < S; k++)
              if (k < vectors)
                v[r][k] = L::template take<V> (x + r * T * n + k * V, a.load, fixed);
          }
#pragma unroll
      for (int r = 0; r < R; r++)
        if (here (r))
          {
            typename F::A acc = F::init ();
#pragma unroll
            for (int k = 0; k < S; k++)
              if (k < vectors)
#pragma unroll
                for (int e = 0; e < V; e++)
                  F::step (&acc, v[r][k].at (e, a.load), k * V + e);
            if ((F::mails && a.out.mailbox) || F::both)
              {
                needs_fixup |= gpr_store<F> (a, o + r * T, acc);
                continue;
              }
            Y y;
            int64_t none;
            needs_fixup |= gpr_finish<F> (a, acc, &y, &none);
            ((Y *) a.out.value)[o + r * T] = y;
          }
    }
  return needs_fixup;
}

/* Columns of up to 8 elements that lie beside each other, V of them a thread; R times as many on their way.  */
template <class F, class L, int V, int R = V * L::bytes < 8 ? 2 : 1>
static __device__ __forceinline__ int gpr_thread_columns (const gpr_reduce_args &a)
{
  constexpr int T = GPR_REDUCE_THREADS, S = 8;
  const int n = (int) a.length;
  const int64_t across = a.inner / V;
  int needs_fixup = 0;

#pragma unroll 1
  for (int64_t first = (int64_t) blockIdx.x * R * T + threadIdx.x; first < a.units; first += (int64_t) gridDim.x * R * T)
    {
      typename L::template terms<V> v[R][S];
      gpr_unit u[R];
      int64_t column[R];
#pragma unroll
      for (int r = 0; r < R; r++)
        {
          const int64_t i = first + r * T, outer = a.outers == 1 ? 0 : gpr_quotient (i, across, a.own.thread.by_across);
          u[r] = { outer, 0, 0 };
          column[r] = (i - outer * across) * V;
          const typename L::cursor x = L::begin (a.load) + outer * a.outer_stride + column[r];
          typename L::template fixed<V> fixed;
          if (i < a.units)
            fixed = L::template fix<V> (x, a.load);
#pragma unroll
          for (int k = 0; k < S; k++)
            if (k < n && i < a.units)
              v[r][k] = L::template take<V> (x + k * a.row_stride, a.load, fixed);
        }
#pragma unroll
      for (int r = 0; r < R; r++)
        if (first + r * T < a.units)
          {
            typename F::A acc[V];
#pragma unroll
            for (int e = 0; e < V; e++)
              acc[e] = F::init ();
#pragma unroll
            for (int e = 0; e < V; e++)
              {
                if constexpr (F::marks)
                  if (gpr_plain_products<F, 1, S> ([&] (int) -> typename F::A & { return acc[e]; }, [&] (int, int k) { return k < n ? v[r][k].at (e, a.load) : 1; }))
                    continue;
                gpr_batch<F, S> (&acc[e], [&] (int k) { return ! L::costs || k < n ? v[r][k].at (e, a.load) : typename F::X (); }, 0, 1, n);
              }
            if constexpr (V == 1 && ! F::both)
              {                 /* gpr_store's code for a mailbox would be there R times */
                typename F::Y y;
                int64_t none;
                needs_fixup |= gpr_finish<F> (a, acc[0], &y, &none);
                ((typename F::Y *) a.out.value)[u[r].outer * a.out_stride + column[r]] = y;
              }
            else
              needs_fixup |= gpr_emit_vector<F, V> (a, u[r], column[r], V, acc);
          }
    }
  return needs_fixup;
}

/* Column i of all outers, which is a thread's, and its rows.  */
template <class L> struct gpr_thread_column
{
  int64_t outer, column;
  typename L::cursor x;
  typename L::template fixed<1> fixed;
  __device__ __forceinline__ gpr_thread_column (const gpr_reduce_args &a, int64_t i)
    : outer (a.outers == 1 ? 0 : gpr_quotient (i, a.inner, a.own.thread.by_across)), column (i - outer * a.inner),
      x (L::begin (a.load) + outer * a.outer_stride + column), fixed (L::template fix<1> (x, a.load))
  {}
  __device__ __forceinline__ typename L::template terms<1> take (const gpr_reduce_args &a, int64_t row) const
  {
    return L::template take<1> (x + row * a.row_stride, a.load, fixed);
  }
};

/* Columns of 2, 4 or 8 lanes (K), all of them at once.  */
template <class F, class L, int K>
static __device__ __forceinline__ int gpr_thread_lanes (const gpr_reduce_args &a)
{
  typedef typename F::X X;
  typedef typename F::A A;
  constexpr int T = GPR_REDUCE_THREADS, S = (GPR_DENSE_LANES (K, sizeof (X), false) || (sizeof (X) <= 4 && sizeof (A) <= 8) ? 16 : 8) / K;       /* what the kernel has registers for */
  const int n = (int) a.length;
  int needs_fixup = 0;

#pragma unroll 1
  for (int64_t i = (int64_t) blockIdx.x * T + threadIdx.x; i < a.units; i += (int64_t) gridDim.x * T)
    {
      const gpr_thread_column<L> c (a, i);
      A acc[K];
#pragma unroll
      for (A &lane : acc)
        lane = F::init ();
#pragma unroll 1
      for (int from = 0; from < n; from += S * K)
        {
          typename L::template terms<1> v[S][K];
#pragma unroll
          for (int k = 0; k < S; k++)
#pragma unroll
            for (int q = 0; q < K; q++)
              if (from + k * K + q < n)
                v[k][q] = c.take (a, from + k * K + q);
          if (F::marks && from + S * K <= n
              && gpr_plain_products<F, K, S> ([&] (int q) -> A & { return acc[q]; }, [&] (int q, int k) { return v[k][q].at (0, a.load); }))
            continue;
#pragma unroll
          for (int q = 0; q < K; q++)
            {
              const int count = (n - from - q + K - 1) / K;
              gpr_batch<F, S> (&acc[q], [&] (int k) { return ! L::costs || k < count ? v[k][q].at (0, a.load) : X (); }, from + q, K, count);
            }
        }
#pragma unroll
      for (int h = K / 2; h > 0; h /= 2)
#pragma unroll
        for (int q = 0; q < h; q++)
          F::merge (&acc[q], acc[q + h]);
      needs_fixup |= gpr_emit_vector<F, 1> (a, { c.outer, 0, 0 }, c.column, 1, acc);
    }
  return needs_fixup;
}
/* Those that the dense kernel has, or the others (GPR_DENSE_LANES).  */
template <class F, class L, bool DENSE> static __device__ __forceinline__ int gpr_thread_some_lanes (const gpr_reduce_args &a)
{
  if constexpr (GPR_DENSE_LANES (8, sizeof (typename F::X), false) == DENSE)
    if (a.lanes == 8)
      return gpr_thread_lanes<F, L, 8> (a);
  if constexpr (! DENSE)
    return a.lanes == 2 ? gpr_thread_lanes<F, L, 2> (a) : gpr_thread_lanes<F, L, 4> (a);
  return 0;
}

/* The same with wide accumulators: first the lanes of even numbers and then the others.  They merge as any lanes do, by halves, and the even and the odd ones meet last.  */
template <class F, class L>
static __device__ __forceinline__ int gpr_thread_wide_lanes (const gpr_reduce_args &a)
{
  typedef typename F::X X;
  typedef typename F::A A;
  constexpr int T = GPR_REDUCE_THREADS, S = sizeof (X) <= 4 ? 4 : 2;
  const int n = (int) a.length, lanes = a.lanes, some = lanes / 2;
  int needs_fixup = 0;

#pragma unroll 1
  for (int64_t i = (int64_t) blockIdx.x * T + threadIdx.x; i < a.units; i += (int64_t) gridDim.x * T)
    {
      const gpr_thread_column<L> c (a, i);
      A all = F::init (), first = F::init ();

#pragma unroll 1
      for (int odd = 0; odd < 2; odd++)
        {
          A acc[4];
          /* In the order in which they merge; of each four those that there are.  */
          const auto lane_of = [&] (int j) { return odd + (j & 2) + (j & 1) * some; };
          const auto is = [&] (int j) { return j < some; };
#pragma unroll
          for (A &lane : acc)
            lane = F::init ();
#pragma unroll 1
          for (int from = 0; from < n; from += S * lanes)
            {
              typename L::template terms<1> v[4][S];
#pragma unroll
              for (int k = 0; k < S; k++)
#pragma unroll
                for (int j = 0; j < 4; j++)
                  if (is (j) && from + lane_of (j) + k * lanes < n)
                    v[j][k] = c.take (a, from + lane_of (j) + k * lanes);
#pragma unroll
              for (int j = 0; j < 4; j++)
                {
                  const int row = from + lane_of (j), count = row < n ? (n - row + lanes - 1) / lanes : 0;
                  if (is (j) && count > 0)
                    gpr_batch<F, S> (&acc[j], [&] (int k) { return ! L::costs || k < count ? v[j][k].at (0, a.load) : X (); }, row, lanes, count);
                }
            }
          if constexpr (F::leads)
            {
              first = odd ? first : acc[0];
#pragma unroll
              for (int j = 0; j < 4; j++)
                if (is (j))
                  F::lead (&acc[j], first);
            }
          if (some > 1)
            F::merge (&acc[0], acc[1]);
          if (some > 2)
            {
              F::merge (&acc[2], acc[3]);
              F::merge (&acc[0], acc[2]);
            }
          if (odd)
            F::merge (&all, acc[0]);
          else
            all = acc[0];
        }
      needs_fixup |= gpr_emit_vector<F, 1> (a, { c.outer, 0, 0 }, c.column, 1, &all);
    }
  return needs_fixup;
}

#endif
