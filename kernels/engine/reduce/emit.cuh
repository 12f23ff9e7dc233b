/* Results leave the device's registers: to the mailbox, to the outputs, or to the
   accumulators of parts.  */

#ifndef GPR_REDUCE_EMIT_CUH
#define GPR_REDUCE_EMIT_CUH

#include "unit.cuh"

/* A word of the mailbox, where a host waits for the result: 4 bytes of it beside the number
   of the call.  Words of 8 bytes arrive whole, so that no fence is needed.  */
static __device__ __forceinline__ void gpr_post (const gpr_reduce_out &out, int word, unsigned bits)
{
  ((volatile unsigned long long *) out.mailbox)[word] = (unsigned long long) out.call << 32 | bits;
}

/* F::finish, of turned elements too.  No element, and so no index: the value is 0 as it is.  */
template <class F>
static __device__ __forceinline__ int gpr_finish (const gpr_reduce_args &a, const typename F::A &acc, typename F::Y *y, int64_t *k)
{
  const int needs_fixup = F::finish (acc, a.out.divisor, y, k);
  if constexpr (F::turns)
    if (! F::indexed || *k != INT64_MAX)
      *y = gpr_turned (*y, a.load.array.turn);
  return needs_fixup;
}

/* Result i: finished, and written to the outputs or the mailbox.  Whether it needs a fix-up.  */
template <class F>
static __device__ __forceinline__ int gpr_store (const gpr_reduce_args &a, int64_t i, const typename F::A &acc)
{
  typedef typename F::Y Y;
  const gpr_reduce_out &out = a.out;
  Y y;
  int64_t k = 0;
  int needs_fixup = gpr_finish<F> (a, acc, &y, &k);
  if (F::mails && out.mailbox)
    {
      constexpr int words = (sizeof (Y) + 3) / 4;
      unsigned w[words] = { 0 };
      memcpy (w, &y, sizeof y);
#pragma unroll
      for (int j = 0; j < words; j++)
        gpr_post (out, GPR_MAILBOX_HEAD + j, w[j]);
      gpr_post (out, 0, needs_fixup);
      gpr_post (out, 1, (unsigned) k);
      gpr_post (out, 2, (unsigned) (k >> 32));
      return 0;
    }
  if constexpr (F::both)
    if (out.apart)
      {
        ((typename F::X *) out.value)[i] = y.least;
        if (out.most)
          ((typename F::X *) out.most)[i] = y.most;
        return needs_fixup;
      }
  ((Y *) out.value)[i] = y;
  if (F::indexed && out.index && out.rows)
    ((double *) out.index)[i] = (double) (int64_t) ((uint64_t) k + 1);     /* of INT64_MAX negative */
  else if (F::indexed && out.index)
    out.index[i] = k;
  return needs_fixup;
}

/* The accumulator of a part is complete: of this column of the box, which may be past the end.  */
template <class F>
static __device__ __forceinline__ int
gpr_emit (const gpr_reduce_args &a, int64_t outer, int64_t part, int64_t column, const typename F::A &acc)
{
  if (column >= a.out_columns)
    return 0;
  if (a.all_parts == 1)
    return gpr_store<F> (a, outer * a.out_stride + column, acc);
  ((typename F::A *) a.partials)[(outer * a.all_parts + a.first_part + part) * a.out_stride + column] = acc;
  return 0;
}

/* V values that lie together, in stores of 16 bytes, or of all of fewer bytes, where they are aligned.  */
template <class T, int V>
static __device__ __forceinline__ void gpr_write (T *to, const T *from)
{
  constexpr int bytes = V * sizeof (T), W = sizeof (T) > 8 ? 1 : bytes % 16 == 0 ? 16 / sizeof (T) : bytes == 2 || bytes == 4 || bytes == 8 ? V : 1;
  if constexpr (W > 1)
    if ((uintptr_t) to % (W * sizeof (T)) == 0)
      {
#pragma unroll
        for (int e = 0; e < V; e += W)
          {
            gpr_vector<T, W, false> p;
#pragma unroll
            for (int k = 0; k < W; k++)
              p.v[k] = from[e + k];
            *(gpr_vector<T, W, false> *) (to + e) = p;
          }
        return;
      }
#pragma unroll
  for (int e = 0; e < V; e++)
    to[e] = from[e];
}

/* The same of V neighbouring columns, of which the first count are there.  */
template <class F, int V>
static __device__ __forceinline__ int
gpr_emit_vector (const gpr_reduce_args &a, const gpr_unit &u, int64_t column, int count, const typename F::A *acc)
{
  typedef typename F::Y Y;
  int needs_fixup = 0;
  if (V > 1 && count >= V && column + V <= a.out_columns)
    {
      if (a.all_parts > 1)
        gpr_write<typename F::A, V> ((typename F::A *) a.partials
                                     + (u.outer * a.all_parts + a.first_part + u.part) * a.out_stride + column, acc);
      else if (! F::indexed && ! (F::both && a.out.apart))
        {
          Y y[V];
          int64_t k;
#pragma unroll
          for (int e = 0; e < V; e++)
            needs_fixup |= gpr_finish<F> (a, acc[e], &y[e], &k);
          gpr_write<Y, V> ((Y *) a.out.value + u.outer * a.out_stride + column, y);
        }
      if (a.all_parts > 1 || ! (F::indexed || (F::both && a.out.apart)))
        return needs_fixup;
    }
#pragma unroll
  for (int e = 0; e < V; e++)
    if (e < count)
      needs_fixup |= gpr_emit<F> (a, u.outer, u.part, column + e, acc[e]);
  return needs_fixup;
}

/* At a block's end: whether any of its threads had a result that needs a fix-up.  */
static __device__ __forceinline__ void gpr_report (const gpr_reduce_out &out, int needs_fixup)
{
  if (__syncthreads_or (needs_fixup) && threadIdx.x == 0)
    *(volatile int *) out.needs_fixup = 1;
}

#endif
