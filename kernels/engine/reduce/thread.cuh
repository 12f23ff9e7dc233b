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
  constexpr int bytes = S * V * L::bytes, fit = bytes < 32 ? gpr_tuned::thread_few : gpr_tuned::thread_bytes / (sizeof (typename F::A) > 16 ? 2 : 1) / bytes;
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
#pragma unroll
          for (int k = 0; k < S; k++)
            if (k < vectors)
              v[r][k] = L::template take<V> (x + r * T * n + k * V, a.load);
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

/* Columns that lie beside each other, V of them a thread; R times as many on their way.  */
template <class F, class L, int V>
static __device__ __forceinline__ int gpr_thread_columns (const gpr_reduce_args &a)
{
  constexpr int T = GPR_REDUCE_THREADS, S = 8, R = V * L::bytes < 16 ? 2 : 1;
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
#pragma unroll
          for (int k = 0; k < S; k++)
            if (k < n && i < a.units)
              v[r][k] = L::template take<V> (x + k * a.row_stride, a.load);
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
              gpr_batch<F, S> (&acc[e], [&] (int k) { return v[r][k].at (e, a.load); }, 0, 1, n);
            needs_fixup |= gpr_emit_vector<F, V> (a, u[r], column[r], V, acc);
          }
    }
  return needs_fixup;
}

/* Columns of up to 8 lanes, one after the other; these merge as any lanes do, by halves: the first with the one half of them on, so that those that are merged next
   follow each other in the order of their numbers' bits.  */
template <class F, class L>
static __device__ __forceinline__ int gpr_thread_lanes (const gpr_reduce_args &a)
{
  typedef typename F::A A;
  constexpr int T = GPR_REDUCE_THREADS, S = 8;
  const int n = (int) a.length, lanes = a.lanes;
  int needs_fixup = 0;

#pragma unroll 1
  for (int64_t i = (int64_t) blockIdx.x * T + threadIdx.x; i < a.units; i += (int64_t) gridDim.x * T)
    {
      const int64_t outer = a.outers == 1 ? 0 : gpr_quotient (i, a.inner, a.own.thread.by_across), column = i - outer * a.inner;
      const typename L::cursor x = L::begin (a.load) + outer * a.outer_stride + column;
      A all, half, quarter, lane, first;

#pragma unroll 1
      for (int q = 0; q < lanes; q++)
        {
          /* In pairs of pairs of pairs: with fewer lanes the last are of one.  */
          const int eighths = lanes < 8 ? 0 : q & 1, pairs = lanes < 8 ? q : q >> 1;
          const int quarters = lanes < 4 ? 0 : pairs & 1, halves = lanes < 4 ? pairs : pairs >> 1, l = halves + 2 * quarters + 4 * eighths;
          lane = F::init ();
#pragma unroll 1
          for (int row = l; row < n; row += S * lanes)
            {
              const int count = (n - row + lanes - 1) / lanes;
              typename L::template terms<1> v[S];
#pragma unroll
              for (int k = 0; k < S; k++)
                if (k < count)
                  v[k] = L::template take<1> (x + (row + k * lanes) * a.row_stride, a.load);
              gpr_batch<F, S> (&lane, [&] (int k) { return ! L::costs || k < count ? v[k].at (0, a.load) : typename F::X (); }, row, lanes, count);
            }
          if constexpr (F::leads)
            {
              if (q == 0)
                first = lane;
              F::lead (&lane, first);
            }
          if (eighths == 0)
            quarter = lane;
          else
            F::merge (&quarter, lane);
          if (lanes == 8 && eighths == 0)
            continue;
          if (quarters == 0)
            half = quarter;
          else
            F::merge (&half, quarter);
          if (lanes >= 4 && quarters == 0)
            continue;
          if (halves == 0)
            all = half;
          else
            F::merge (&all, half);
        }
      const gpr_unit u = { outer, 0, 0 };
      needs_fixup |= gpr_emit_vector<F, 1> (a, u, column, 1, &all);
    }
  return needs_fixup;
}

#endif
