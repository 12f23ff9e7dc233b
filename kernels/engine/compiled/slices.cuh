/* Reductions and an expression that reads their results, slice by slice: x - mean (x) and all that is made of it.

   A team, a block or a warp, takes some slices, neighbours of each other, into shared memory or registers, where all stages find them: a stage is a reduction of an
   expression of the slices' elements and of the results before it, an expression of results, or at last the elements of z.  What a reduction is made of takes the
   elements' place there where z's begin with it.  Reductions take elements in the order of ../../common/tree.h, so the bits are those of any other kernel.

   The text (src/cuda/source.c) has a struct S:

     group_log2, slices_log2        threads at each of a team's slices, and slices, both powers of 2; of flat columns' slices the power of 2 from them on
     warp, columns          teams are warps; the slices' elements of one row are neighbours, else those of a slice are
     flat                   slices are so short that all of a team's are copied, and z's elements written, one after the other; with columns: teams have whole
                            units, all slices of an outer index, which lie one after the other
     packed                 of flat slices that lie in shared memory as they do outside: bytes of a word that z's elements are written in; 0: there they lie apart
     rows                   of flat slices of which a thread has all, and so few that the text knows how many; else 0
     out                    of flat slices: the kept leaf whose place z's elements can take till then; -1: there is none
     kept                   leaves that lie as z does are copied words of so many bytes at a time; 0: there are none, or they are in registers
     cluster_log2           0, or a team is a cluster of 2^cluster_log2 blocks, each of which has some rows of every slice in its shared memory: of slices side by side block b
                            has args.share rows from row b * share on
     chunk_log2             of other slices the blocks have 2^chunk_log2 rows each in turn, so that every lane of a stage is one block's
     held, vector           0, or the leaves that lie as z does are in registers instead of shared memory: a thread has so many vectors of each, of so many neighbours
     leaves                 a struct of those: xL[k] is leaf L's vector k; made () are those whose place elements take that are made

   and an expression for each stage, E, as ./terms.cuh says, but with read_results (a, at), of a slice, read (a, at, results), of one of its elements and those after
   it, and vector, how many of these a thread takes together.  Where elements are in registers (registers),
   take (a, at, results, leaves, k) has those of vector k.  */

#ifndef GPR_ENGINE_COMPILED_SLICES_CUH
#define GPR_ENGINE_COMPILED_SLICES_CUH

#include "terms.cuh"
#include "../../ops/instances.h"

#ifndef GPR_SLICES_SHARED       /* an emulation has its own */
#define GPR_SLICES_SHARED extern __shared__ __align__ (16) unsigned char slices_shared[];
#endif
GPR_SLICES_SHARED

#define GPR_SLICES_INSTANCE(id, FAMILY, XT, AT, YT) \
  struct op_##id \
  { \
    typedef id##_x X; \
    typedef id##_a A; \
    typedef id##_y Y; \
    static constexpr bool leads = id##_leads, by_index = (id##_traits & GPR_FIXUP_MASK) == GPR_FIXUP_BY_INDEX; \
    static __device__ __forceinline__ A init () { return id##_init (); } \
    static __device__ __forceinline__ void step (A *a, X x) { id##_step (a, x, 0); } \
    static __device__ __forceinline__ void merge (A *a, A b) { id##_merge (a, b); } \
    static __device__ __forceinline__ void lead (A *a, const A &first) { id##_lead (a, first); } \
    static __device__ __forceinline__ int finish (A a, f64 d, Y *y) { i64 k; return id##_finish (a, d, y, &k); } \
  };

/* ---- blocks of a cluster, which write into each other's shared memory ---- */

/* What they send each other of a stage lies in a box of each; a barrier in shared memory (mbarrier) counts the bytes that have come, so nothing waits for what else is on its
   way to the device's memory, as a release to the whole cluster does.  All threads are told when every box is empty again.  */
#ifdef GPR_SLICES_CLUSTERS      /* an emulation has its own */
GPR_SLICES_CLUSTERS
#else
static __device__ __forceinline__ int slices_rank () { u32 r; asm ("mov.u32 %0, %%cluster_ctarank;" : "=r" (r)); return (int) r; }
static __device__ __forceinline__ u32 slices_near (const void *p) { return (u32) __cvta_generic_to_shared (p); }
static __device__ __forceinline__ void slices_begin_count (u64 *count)
{
  asm volatile ("mbarrier.init.shared::cta.b64 [%0], 1;\n\tfence.mbarrier_init.release.cluster;" :: "r" (slices_near (count)) : "memory");
}
static __device__ __forceinline__ void slices_box_is_empty () { asm volatile ("barrier.cluster.arrive.relaxed.aligned;" ::: "memory"); }
static __device__ __forceinline__ void slices_boxes_are_empty () { asm volatile ("barrier.cluster.wait.acquire.aligned;" ::: "memory"); }
/* *to of that block <- x, which its count is told.  */
template <class A> static __device__ __forceinline__ void slices_send (A *to, const A &x, int rank, u64 *count)
{
  typedef typename map_word<alignof (A) % 8 == 0 ? 8 : 4>::type word;
  static_assert (sizeof (A) % sizeof (word) == 0, "words");
  word words[sizeof (A) / sizeof (word)];
  u32 at, counts;
  memcpy (words, &x, sizeof x);
  asm ("mapa.shared::cluster.u32 %0, %1, %2;" : "=r" (at) : "r" (slices_near (to)), "r" (rank));
  asm ("mapa.shared::cluster.u32 %0, %1, %2;" : "=r" (counts) : "r" (slices_near (count)), "r" (rank));
#pragma unroll
  for (int w = 0; w < (int) (sizeof (A) / sizeof (word)); w++)
    if constexpr (sizeof (word) == 8)
      asm volatile ("st.async.shared::cluster.mbarrier::complete_tx::bytes.b64 [%0], %1, [%2];" :: "r" (at + 8 * w), "l" (words[w]), "r" (counts) : "memory");
    else
      asm volatile ("st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" :: "r" (at + 4 * w), "r" (words[w]), "r" (counts) : "memory");
}
/* So many bytes shall come; by one thread.  Till they have, for the turn-th time, by all.  */
static __device__ __forceinline__ void slices_expect (u64 *count, int bytes)
{
  asm volatile ("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r" (slices_near (count)), "r" (bytes) : "memory");
}
static __device__ __forceinline__ void slices_await (u64 *count, int turn)
{
  u32 all = 0;
  while (! all)
    asm volatile ("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}"
                  : "=r" (all) : "r" (slices_near (count)), "r" (turn & 1) : "memory");
}
#endif

/* An accumulator in shared memory, of whole words.  */
template <class A> struct alignas (alignof (A) < 4 ? 4 : alignof (A)) slices_slot { A a; };

/* ---- where elements are ----------------------------------------------------------- */

/* An element: of all; and in shared memory, of the arrays there, and which of the team's slices has it.  */
struct slices_at
{
  i64 i;
  unsigned char *kept;
  int j, own;
  __device__ __forceinline__ void step (i64 far, int near) { i += far; j += near; }
  __device__ __forceinline__ slices_at past (int n) const { return { i + n, kept, j + n, own }; }
};

/* Of the result of an earlier stage, at a slice.  */
template <class E, class X, int L, int N> struct map_terms_of<E, X, L, GPR_MAP_RESULT, N>
{
  X v;
  f64 inverse;                  /* of many quotients (map_quickly::over_) */
  __device__ __forceinline__ void read (const gpr_slices_args &a, const slices_at &at)
  {
    v = ((const X *) (at.kept + a.kept[L]))[at.own];
    inverse = map_inverse (v);
  }
  __device__ __forceinline__ X at (int) const { return v; }
};
template <class E, class X, int L, int N> struct map_terms_of<E, X, L, GPR_MAP_KEPT, N>
{
  map_vector<X, N> some;
  /* Where they are held in registers, of an element that is made again: from the device's memory.  */
  __device__ __forceinline__ void read (const gpr_slices_args &a, const slices_at &at)
  {
    some = *(const map_vector<X, N> *) (E::registers ? (const X *) a.terms.x[L] + at.i : (const X *) (at.kept + a.kept[L]) + at.j);
  }
  __device__ __forceinline__ X at (int j) const { return some.v[j]; }
};

/* A team's slices and what it has of shared memory; a thread is at one of the slices, at rows q, q + group, …  */
template <class S> struct slices_place
{
  static constexpr int group = 1 << S::group_log2, wide = 1 << S::slices_log2, team = group * wide;
  i64 slice, first, stride;     /* of the thread's slice: of all; its first element, and how far its elements are apart */
  i64 begin;                    /* the first element of all slices */
  int length, before;           /* rows of a slice that the block has, and of columns those before it */
  unsigned char *kept, *shared, *box;
  u64 *count_of_box;
  int turn;                     /* of the box: how often it has been full */
  typename S::leaves leaves;
  int t, own, q, first_kept, kept_stride, count, offset, rank;  /* offset: of flat columns, from begin to the slice */
  bool there;
  __device__ __forceinline__ slices_place (const gpr_slices_args &a)
  {
    t = S::warp ? threadIdx.x % 32 : threadIdx.x;
    shared = slices_shared + (S::warp ? (int) (threadIdx.x / 32) * a.team_bytes : 0);
    kept = shared + a.kept_at;
    own = S::columns ? t & (wide - 1) : t >> S::group_log2;
    q = S::columns ? t >> S::slices_log2 : t & (group - 1);
    stride = S::columns ? a.inner : 1;
    length = (int) a.length;
    before = rank = 0;
    if constexpr (S::cluster_log2 > 0)
      {
        rank = slices_rank ();
        box = shared + a.box_at;
        count_of_box = (u64 *) kept - 1;
        turn = 0;
        if (t == 0)
          slices_begin_count (count_of_box);
        slices_box_is_empty ();
        if (S::columns)
          {
            before = rank * a.share;
            length = max (0, min (length - before, a.share));
          }
        else
          {
            const int whole = length >> (S::chunk_log2 + S::cluster_log2);
            length -= (whole << (S::chunk_log2 + S::cluster_log2)) + (rank << S::chunk_log2);
            length = (whole << S::chunk_log2) + max (0, min (length, 1 << S::chunk_log2));
          }
      }
    if constexpr (S::columns && S::flat)
      {
        const int inner = (int) a.inner, unit = own / inner, c = own - unit * inner;
        offset = unit * a.unit + c;
        first_kept = unit * a.row + c;
        kept_stride = inner;
        return;
      }
    first_kept = S::columns ? own : own * a.row;
    kept_stride = S::columns ? wide : 1;
  }
  __device__ __forceinline__ void go_to (const gpr_slices_args &a, i64 slab)
  {
    if constexpr (S::columns && S::flat)
      {
        const i64 before = slab * a.slices, left = a.inner * a.outer - before;
        count = left < a.slices ? (int) left : a.slices;
        there = own < count;
        slice = before + own;
        begin = before * a.length;
        first = begin + offset;
        return;
      }
    const i64 o = S::columns ? slab / a.tiles : slab * wide, c = S::columns ? (slab - o * a.tiles) * wide : 0;
    const i64 left = S::columns ? a.inner - c : a.outer - o;
    count = left < wide ? (int) left : wide;
    there = own < count;
    slice = c + stride * o + own;
    begin = c + stride * a.length * o;
    first = begin + (S::columns ? own : own * a.length);
  }
  /* The block's row r; and how far it is from there to a row so many after it: a multiple of what a block has of a chunk.  */
  __device__ __forceinline__ slices_at at (int r) const { return { first + stride * row_of (r), kept, first_kept + kept_stride * r, own }; }
  __device__ __forceinline__ i64 far (int step) const { return stride * (S::columns ? step : step << S::cluster_log2); }
  __device__ __forceinline__ int row_of (int r) const
  {
    return S::columns || S::cluster_log2 == 0 ? before + r : ((((r >> S::chunk_log2) << S::cluster_log2) + rank) << S::chunk_log2) + (r & ((1 << S::chunk_log2) - 1));
  }
  /* Of flat slices: in which unit element j of all is, in which slice, and where in shared memory.  */
  static __device__ __forceinline__ int unit_of (const gpr_slices_args &a, int j) { return (int) (__umulhi ((u32) j, a.magic) >> a.shift); }
  static __device__ __forceinline__ int slice_of (const gpr_slices_args &a, int j)
  {
    const int unit = unit_of (a, j), inner = (int) a.inner;
    return S::columns ? unit * inner + (j - unit * a.unit) % inner : unit;
  }
  static __device__ __forceinline__ int place_of (const gpr_slices_args &a, int j) { return j + (a.row - a.unit) * unit_of (a, j); }
  /* Of those held in registers: whether the thread has as many vectors as any.  */
  __device__ __forceinline__ bool has_last () const { return (q + group * (S::held - 1)) * S::vector < length; }
  static __device__ __forceinline__ void sync ()
  {
    if constexpr (S::warp)
      __syncwarp ();
    else
      __syncthreads ();
  }
  /* Of a cluster, by all threads: each block is going to have so many bytes sent; all of them are there.  Who does not need them any more says slices_box_is_empty.  */
  __device__ __forceinline__ void open_box (int bytes) const
  {
    slices_boxes_are_empty ();
    if (t == 0)
      slices_expect (count_of_box, bytes);
  }
  __device__ __forceinline__ void await_box () { slices_await (count_of_box, turn++); }
  static __device__ __forceinline__ bool any (bool p) { return S::warp ? __any_sync (~0u, p) != 0 : __syncthreads_or (p) != 0; }
};

/* ---- into shared memory ------------------------------------------------------------- */

template <int BYTES> static __device__ __forceinline__ void slices_copy_word (void *to, const void *from)
{
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 800
  if constexpr (BYTES >= 4)
    {
      const u32 at = (u32) __cvta_generic_to_shared (to);
      if constexpr (BYTES == 16)        /* past the L1 */
        asm volatile ("cp.async.cg.shared.global.L2::128B [%0], [%1], %2;" :: "r" (at), "l" (from), "n" (BYTES) : "memory");
      else
        asm volatile ("cp.async.ca.shared.global.L2::128B [%0], [%1], %2;" :: "r" (at), "l" (from), "n" (BYTES) : "memory");
      return;
    }
#endif
  typedef typename map_word<BYTES>::type word;
  *(word *) to = *(const word *) from;
}
static __device__ __forceinline__ void slices_copied ()
{
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 800
  asm volatile ("cp.async.wait_all;" ::: "memory");
#endif
}

/* Some, so far apart.  */
template <int BYTES> static __device__ __forceinline__ void slices_copy_words (unsigned char *to, int to_step, const unsigned char *from, i64 from_step, int count)
{
#pragma unroll 8
  for (; count > 0; count--, to += to_step, from += from_step)
    slices_copy_word<BYTES> (to, from);
}

/* The elements, of BYTES each, of a leaf that lies as z does.  */
template <int BYTES, class S> static __device__ __forceinline__ void slices_keep (const gpr_slices_args &a, int l, const slices_place<S> &p)
{
  constexpr int W = S::kept > BYTES ? S::kept : BYTES, V = W / BYTES, team = slices_place<S>::team;
  const int length = p.length;
  const unsigned char *from = (const unsigned char *) a.terms.x[l] + (p.begin + p.stride * p.before) * BYTES;
  unsigned char *to = p.kept + a.kept[l];

  if constexpr (S::flat && S::packed == 0)
    for (int j = p.t; j < p.count * length; j += team)
      slices_copy_word<BYTES> (to + p.place_of (a, j) * BYTES, from + j * BYTES);
  else if constexpr (! S::columns && S::cluster_log2 > 0)       /* of one slice, chunk by chunk */
    {
      constexpr int words = (1 << S::chunk_log2) / V, step = team / words;
      const int w = p.t % words * W, all = length / V;
      slices_copy_words<W> (to + p.t * W, team * W, from + p.row_of (p.t / words << S::chunk_log2) * BYTES + w, (i64) step * words * W << S::cluster_log2, (all - p.t + team - 1) / team);
      for (int j = all * V + p.t; j < length; j += team)
        slices_copy_word<BYTES> (to + j * BYTES, from + p.row_of (j) * BYTES);
    }
  else if constexpr (! S::columns || S::flat)
    {
      const int all = p.count * length;
      slices_copy_words<W> (to + p.t * W, team * W, from + p.t * W, team * W, (all / V - p.t + team - 1) / team);
      for (int j = all / V * V + p.t; V > 1 && j < all; j += team)
        slices_copy_word<BYTES> (to + j * BYTES, from + j * BYTES);
    }
  else if (slices_place<S>::wide >= V && p.count == slices_place<S>::wide)
    {
      constexpr int words = slices_place<S>::wide >= V ? slices_place<S>::wide / V : 1, rows = team / words;
      const i64 row = a.inner * BYTES;
      const int r = p.t / words;
      slices_copy_words<W> (to + p.t * W, team * W, from + r * row + p.t % words * W, rows * row, (length - r + rows - 1) / rows);
    }
  else
    for (int r = p.q; r < length && p.there; r += p.group)
      slices_copy_word<BYTES> (to + (p.first_kept + p.kept_stride * r) * BYTES, from + (p.own + a.inner * r) * BYTES);
}

/* Into registers: a thread's vectors, the group's neighbours of each other.  Its second last stands for the last where there is none.  */
template <class S, class X> static __device__ __forceinline__ void slices_hold (const gpr_slices_args &a, int l, const slices_place<S> &p, map_vector<X, S::vector> (&x)[S::held])
{
  constexpr int V = S::vector, group = slices_place<S>::group;
  const X *const from = (const X *) a.terms.x[l] + p.first;
  if (p.there)
    {
#pragma unroll
      for (int k = 0; k < S::held; k++)
        x[k] = *(const map_vector<X, V> *) (from + (p.q + group * (k + 1 < S::held || p.has_last () ? k : k - 1)) * V);
    }
}

/* ---- stages ---------------------------------------------------------------------------- */

/* use (elements, at, far, near, n) of the rows r, r + step, … of a slice, each with the V - 1 after it, N at a time: they are read before the first is used.  They are
   count; all threads of a warp have all of them, or one more.  The last n are fewer, and one of them stands for those that are not there.  */
template <class E, int N, int V, class S, class Use>
static __device__ __forceinline__ void slices_take (const gpr_slices_args &a, const slices_place<S> &p, int r, int step, int count, int all, Use use)
{
  slices_at at = p.at (r);
  const i64 far = p.far (step);
  const int near = p.kept_stride * step;
  typename E::template terms<V> results, t[N];

  if (count <= 0)
    return;
  results.read_results (a, at);
  for (; all >= N; all -= N, count -= N)
    {
      slices_at next = at;
#pragma unroll
      for (int k = 0; k < N; k++, next.step (far, near))
        t[k].read (a, next, results);
      use (t, at, far, near, N);
      at = next;
    }
  if (count > 0)
    {
      slices_at next = at;
#pragma unroll
      for (int k = 0; k < N; k++)
        {
          t[k].read (a, next, results);
          if (k + 1 < count)
            next.step (far, near);
        }
      use (t, at, far, near, count);
    }
}

/* The same of all rows of the slice that are the thread's.  */
template <class E, class S, class Use> static __device__ __forceinline__ void slices_take_all (const gpr_slices_args &a, const slices_place<S> &p, Use use)
{
  constexpr int V = E::vector, group = slices_place<S>::group, batch = S::rows > 8 ? (S::rows + 1) / 2 : S::rows > 0 ? S::rows : E::batch;
  const int length = (S::rows > 0 ? S::rows : p.length) / V;
  if (p.there)
    slices_take<E, (batch > V ? batch / V : 1), V> (a, p, p.q * V, group * V, (length - p.q + group - 1) >> S::group_log2, length >> S::group_log2, use);
}

/* An element alone.  */
template <class E> static __device__ __forceinline__ typename E::template terms<1> slices_take_one (const gpr_slices_args &a, const slices_at &at)
{
  typename E::template terms<1> t, results;
  results.read_results (a, at);
  t.read (a, at, results);
  return t;
}

/* An element as it is reduced.  */
template <class E, class X, class T, class W> static __device__ __forceinline__ X slices_element (const gpr_slices_args &a, const T &t, int j, W &way)
{
  const typename E::Z z = map_made<E> (t.at (a.terms, j, way));
  static_assert (sizeof (X) == sizeof z, "of one size");
  X x;
  memcpy (&x, &z, sizeof x);
  return x;
}
template <class E, class X, int V> static __device__ __noinline__ void slices_elements_again (const gpr_slices_args &a, slices_at at, i64 far, int near, int n, map_vector<X, V> *x)
{
  map_for_reduction way;
  for (int k = 0; k < n; k++, at.step (far, near))
    for (int j = 0; j < V; j++)
      x[k].v[j] = slices_element<E, X> (a, slices_take_one<E> (a, at.past (j)), 0, way);
}
/* step (element, k) of the first n of N times V elements, which are computed before the first step, and keep (V elements, at, k).  */
template <class E, class X, int V, int N, class T, class Step, class Keep>
static __device__ __forceinline__ void slices_elements (const gpr_slices_args &a, const T (&t)[N], slices_at at, i64 far, int near, int n, Step step, Keep keep)
{
  map_vector<X, V> x[N];
  map_quickly quick;
#pragma unroll
  for (int k = 0; k < N * V; k++)
    x[k / V].v[k % V] = slices_element<E, X> (a, t[k / V], k % V, quick);
  if (quick.odd)
    {
      map_vector<X, V> again[N];        /* so that x can stay in registers */
      slices_elements_again<E, X, V> (a, at, far, near, n, again);
#pragma unroll
      for (int k = 0; k < N; k++)
        if (k < n)
          x[k] = again[k];
    }
#pragma unroll
  for (int k = 0; k < N; k++, at.step (far, near))
    if (k < n)
      {
#pragma unroll
        for (int j = 0; j < V; j++)
          step (x[k].v[j], k * V + j);
        keep (x[k], at, k);
      }
}
/* They take the place of leaf KEEPS in shared memory; -1: of none.  */
template <class X, int KEEPS> struct slices_keeper
{
  const gpr_slices_args &a;
  template <int V> __device__ __forceinline__ void operator () (const map_vector<X, V> &x, const slices_at &at, int) const
  {
    if constexpr (KEEPS >= 0)
      *(map_vector<X, V> *) ((X *) (at.kept + a.kept[KEEPS]) + at.j) = x;
  }
};
template <class E, class X, class S> static __device__ __forceinline__ X slices_element_at (const gpr_slices_args &a, const slices_place<S> &p, int r)
{
  map_for_reduction way;
  return slices_element<E, X> (a, slices_take_one<E> (a, p.at (r)), 0, way);
}

/* x of another thread of the warp.  */
template <class A> static __device__ __forceinline__ A slices_from (const A &x, int thread)
{
  u32 words[(sizeof (A) + 3) / 4] = { };
  A y;
  memcpy (words, &x, sizeof x);
#pragma unroll
  for (u32 &w : words)
    w = __shfl_sync (~0u, w, thread);
  memcpy (&y, words, sizeof y);
  return y;
}

/* The accumulators of a slice in shared memory, lane by lane of each part, are merged into its first.  */
template <class F, class S> static __device__ __forceinline__ void
slices_merge (const gpr_slices_args &a, const gpr_slices_tree &t, slices_slot<typename F::A> *acc, const slices_place<S> &p)
{
  const int strands = t.lanes * t.parts;
  const auto at = [&] (int s) -> typename F::A & { return acc[S::columns ? s * a.slices + p.own : p.own * strands + s].a; };

  p.sync ();
  if (F::leads && t.lanes > 1)
    {
      for (int s = p.q; s < strands && p.there; s += p.group)
        if (s & (t.lanes - 1))
          F::lead (&at (s), at (s & ~(t.lanes - 1)));
      p.sync ();
      for (int s = p.q; s < t.parts && p.there; s += p.group)
        {
          const typename F::A first = at (s * t.lanes);
          F::lead (&at (s * t.lanes), first);
        }
      p.sync ();
    }
  for (int half = t.lanes / 2, log2 = t.lanes_log2 - 1; half > 0; half /= 2, log2--)
    {
      for (int s = p.q; s < half * t.parts && p.there; s += p.group)
        {
          const int to = (s >> log2) * t.lanes + (s & (half - 1));
          F::merge (&at (to), at (to + half));
        }
      p.sync ();
    }
  for (int d = 1; d < t.parts; d *= 2)
    {
      for (int s = 2 * d * p.q; s + d < t.parts && p.there; s += 2 * d * p.group)
        F::merge (&at (s * t.lanes), at ((s + d) * t.lanes));
      p.sync ();
    }
}

/* Accumulators of parts, so far apart, into the first, by one thread.  */
template <class F> static __device__ __forceinline__ void slices_merge_some (int parts, slices_slot<typename F::A> *acc, int step)
{
  for (int d = 1; d < parts; d *= 2)
    for (int s = 0; s + d < parts; s += 2 * d)
      F::merge (&acc[s * step].a, acc[(s + d) * step].a);
}

/* Slices side by side, of one lane: some accumulators of each in shared memory are merged in the tree's order into x of thread q = 0, by its warp alone.  */
template <class F, class S> static __device__ __forceinline__ void slices_merge_parts (int parts, slices_slot<typename F::A> *acc, const slices_place<S> &p, typename F::A *x)
{
  constexpr int wide = slices_place<S>::wide, threads = wide < 32 ? 32 / wide : 1;     /* of a slice */
  int each = 1;

  if (p.q >= threads)
    return;
  while (each * threads < parts)
    each *= 2;
  const int first = p.q * each, end = min (first + each, parts);
  slices_merge_some<F> (end - first, &acc[first * wide + p.own], wide);
  *x = first < end ? acc[first * wide + p.own].a : F::init ();
#pragma unroll
  for (int d = 1; d < threads; d *= 2)
    {
      const typename F::A other = slices_from (*x, (p.t + d * wide) % 32);
      if (p.q % (2 * d) == 0 && (p.q + d) * each < parts)
        F::merge (x, other);
    }
}

/* The accumulators of the lanes of one part are merged into x[0] of thread q = 0.  A thread has LANES of them, V neighbours of every V group, V q and those after it the
   first; where it has one, threads from t.lanes on have none.  acc: shared memory of a block, for one of each thread that has some.  */
template <class F, int LANES, int V, class S> static __device__ __forceinline__ void
slices_merge_lanes (const gpr_slices_args &a, const gpr_slices_tree &t, typename F::A (&x)[LANES], typename F::A *acc, const slices_place<S> &p)
{
  typedef typename F::A A;
  int live = LANES > 1 ? p.group : t.lanes;

  if constexpr (! S::warp)
    acc += p.own * live * V;
  if (F::leads && t.lanes > 1)
    {
      A first;
      if constexpr (S::warp)
        first = slices_from (x[0], p.t - p.q);
      else if constexpr (S::columns)    /* a thread has all lanes */
        first = x[0];
      else
        {
          if (p.q == 0)
            acc[0] = x[0];
          p.sync ();
          first = acc[0];
          p.sync ();
        }
#pragma unroll
      for (A &lane : x)
        F::lead (&lane, first);
    }
#pragma unroll
  for (int half = LANES / 2; half >= V; half /= 2)
    for (int k = 0; k < half; k++)
      F::merge (&x[k], x[k + half]);
  if constexpr (! S::warp)
    if (live > 32)
      {
        if (p.q < live)
          {
#pragma unroll
            for (int k = 0; k < V; k++)
              acc[p.q * V + k] = x[k];
          }
        p.sync ();
        if (p.q < 32)
          {
            for (int half = live / 2; half >= 32; half /= 2)
              {
#pragma unroll 2
                for (int s = p.q; s < half * V; s += 32)
                  F::merge (&acc[s], acc[s + half * V]);
                __syncwarp ();
              }
#pragma unroll
            for (int k = 0; k < V; k++)
              x[k] = acc[p.q * V + k];
          }
        live = 32;
      }
  if (S::warp || p.q < 32)
    for (int half = live / 2; half > 0; half /= 2)
#pragma unroll
      for (int k = 0; k < V; k++)
        {
          const A other = slices_from (x[k], (p.t + half) % 32);
          if (p.q < half)
            F::merge (&x[k], other);
        }
#pragma unroll
  for (int half = V / 2; half > 0; half /= 2)
    for (int k = 0; k < half; k++)
      F::merge (&x[k], x[k + half]);
}

/* What is reduced along strand s is stepped into x[0], in its order; with several LANES what is along all of a thread's, into each its own.  MADE: it has taken the
   place of leaf KEEPS.  */
template <class E, class F, int KEEPS, bool MADE, int LANES, int V, class S> static __device__ __forceinline__ void
slices_strands (const gpr_slices_args &a, const gpr_slices_tree &t, const slices_place<S> &p, int s, typename F::A (&x)[LANES])
{
  typedef typename F::X X;
  constexpr bool all = S::rows > 0;     /* of the only part, on one thread */
  constexpr int batch = all ? S::rows : E::batch > LANES ? E::batch : LANES;
  const int part = all ? 0 : s >> t.lanes_log2, start = part * (int) t.rows, lane = all ? 0 : s & (t.lanes - 1), rows = all ? S::rows : min ((int) t.rows, p.length - start) / V;
  const int step_log2 = all ? 0 : LANES > 1 ? S::group_log2 : t.lanes_log2, step = 1 << step_log2;
  int count = (rows - lane + step - 1) >> step_log2;

  if constexpr (MADE)
    {
      const int near = p.kept_stride * t.lanes;
      const X *v = (const X *) (p.kept + a.kept[KEEPS]) + p.first_kept + p.kept_stride * (start + lane);
#pragma unroll 8
      for (; count > 0; count--, v += near)
        F::step (&x[0], *v);
    }
  else
    slices_take<E, batch / V, V> (a, p, start + lane * V, step * V, count, rows >> step_log2, [&] (const auto &e, const slices_at &at, i64 far, int near, int n)
      { slices_elements<E, X, V> (a, e, at, far, near, n, [&] (X v, int k) { F::step (&x[k % LANES], v); }, slices_keeper<X, KEEPS> { a }); });
}

/* use (elements, at, far, n, k) of the thread's vectors, from k on N at a time, the last of which may not be there: n are.  */
template <class E, int K, class S, class Use>
static __device__ __forceinline__ void slices_take_held (const gpr_slices_args &a, const slices_place<S> &p, const typename E::template terms<S::vector> &results, Use use)
{
  constexpr int V = S::vector, group = slices_place<S>::group, batch = E::batch > V ? E::batch / V : 1, N = S::held - K < batch ? S::held - K : batch;
  typename E::template terms<V> t[N];
  const slices_at at = p.at ((p.q + group * K) * V);
  const i64 far = p.far (group * V);
  slices_at next = at;
#pragma unroll
  for (int j = 0; j < N; j++, next.step (far, 0))
    t[j].take (a, K + j + 1 < S::held || p.has_last () ? next : p.at ((p.q + group * (S::held - 2)) * V), results, p.leaves, K + j);
  use (t, at, far, K + N < S::held || p.has_last () ? N : N - 1, K);
  if constexpr (K + N < S::held)
    slices_take_held<E, K + N> (a, p, results, use);
}
template <class E, class S, class Use> static __device__ __forceinline__ void slices_take_all_held (const gpr_slices_args &a, const slices_place<S> &p, Use use)
{
  typename E::template terms<S::vector> results;
  if (! p.there)
    return;
  results.read_results (a, p.at (0));
  slices_take_held<E, 0> (a, p, results, use);
}

/* *to of each block <- x.  */
template <class A, class S> static __device__ __forceinline__ void slices_share (const slices_place<S> &p, A *to, const A &x)
{
  for (int b = 0; b < 1 << S::cluster_log2; b++)
    slices_send (to, x, (p.rank + b) & ((1 << S::cluster_log2) - 1), p.count_of_box);
}

/* A stage's result y of the thread's slice.  LEAF: where later stages read it; -1: nowhere.  */
template <int K, int LEAF, class Y, class S> static __device__ __forceinline__ void slices_give (const gpr_slices_args &a, const slices_place<S> &p, Y y)
{
  if (p.rank == 0)
    ((Y *) a.value[K])[p.slice] = y;
  if constexpr (LEAF >= 0)
    ((Y *) (p.kept + a.kept[LEAF]))[p.own] = y;
}

/* An extreme that is 0 has the sign of its slice's first 0.  look: the thread's is.  */
template <class E, class F, int K, int LEAF, class S> static __device__ __forceinline__ void
slices_first_zero (const gpr_slices_args &a, slices_place<S> &p, bool look)
{
  typedef typename F::X X;
  int *const zero = (int *) p.shared + p.own;

  p.sync ();
  if (p.q == 0)
    *zero = look ? INT_MAX : -1;
  p.sync ();
  bool found = *zero < 0;
  p.sync ();
  for (int r = p.q; r < p.length && p.there && ! found; r += p.group)
    if ((found = slices_element_at<E, X> (a, p, r) == 0))
      atomicMin (zero, r);
  p.sync ();
  if constexpr (S::cluster_log2 == 0)
    {
      if (look)
        slices_give<K, LEAF> (a, p, slices_element_at<E, X> (a, p, *zero));
    }
  else                          /* of each block its first, with the sign in the last bit */
    {
      slices_slot<int> *const zeros = (slices_slot<int> *) p.box + p.own;
      const slices_slot<int> mine = { look && *zero < INT_MAX ? 2 * p.row_of (*zero) + (1 / slices_element_at<E, X> (a, p, *zero) < 0) : INT_MAX };
      p.sync ();
      slices_box_is_empty ();
      p.open_box ((p.wide << S::cluster_log2) * (int) sizeof mine);
      if (p.q == 0)
        slices_share (p, &zeros[p.rank * p.wide], mine);
      p.await_box ();
      int least = INT_MAX;
      for (int b = 0; b < 1 << S::cluster_log2; b++)
        least = min (least, zeros[b * p.wide].a);
      if (look)
        slices_give<K, LEAF> (a, p, (X) (least & 1 ? -0. : 0.));
    }
}

/* Stage K, a reduction by F of E, whose results are leaf LEAF.  doubt: its result may not be the last word.  KEEPS: what is reduced takes the place of leaf KEEPS.  LANES:
   a thread's, of the only part; 0: strands go to threads in turn, since there are several parts, or less than a warp of a block, and more than a thread, for each slice.  */
template <class E, class F, int K, int LEAF, int KEEPS, int LANES, class S> static __device__ __forceinline__ void
slices_reduce (const gpr_slices_args &a, slices_place<S> &p, bool *doubt)
{
  typedef typename F::A A;
  typedef typename F::X X;
  const gpr_slices_tree &t = a.tree[K];         /* of the block's rows */
  A x[LANES > 0 ? LANES : 1];
  typename F::Y y;
  int odd = 0;

#pragma unroll
  for (A &lane : x)
    lane = F::init ();
  constexpr bool made = KEEPS >= 0 && (S::columns || S::cluster_log2 > 0) && LANES == 0;
  if constexpr (made)           /* strands are few: the elements are made by all threads */
    {
      slices_take_all<E> (a, p, [&] (const auto &e, const slices_at &at, i64 far, int near, int n)
        { slices_elements<E, X, E::vector> (a, e, at, far, near, n, [] (X, int) { }, slices_keeper<X, KEEPS> { a }); });
      p.sync ();
    }
  typedef slices_slot<A> slot;
  slot *const acc = (slot *) p.shared, *const box = (slot *) p.box;     /* of a block; from all blocks */
  if constexpr (S::held > 0)
    {
      slices_take_all_held<E> (a, p, [&] (const auto &e, const slices_at &at, i64 far, int n, int from)
        {
          slices_elements<E, X, S::vector> (a, e, at, far, 0, n, [&] (X v, int k) { F::step (&x[(from * S::vector + k) % LANES], v); },
            [&] (const map_vector<X, S::vector> &made, const slices_at &, int k)
              {
                if constexpr (KEEPS >= 0)
                  p.leaves.made ()[from + k] = made;
              });
        });
      slices_merge_lanes<F, LANES, S::vector> (a, t, x, (A *) p.shared, p);
    }
  else if constexpr (LANES > 0)
    {
      constexpr int V = ! S::warp ? 1 : LANES % E::vector == 0 ? E::vector : E::vector % LANES == 0 ? LANES : 1;
      if (p.q < t.lanes && p.there)
        slices_strands<E, F, KEEPS, made, LANES, V> (a, t, p, p.q, x);
      slices_merge_lanes<F, LANES, V> (a, t, x, (A *) p.shared, p);
    }
  else if (S::columns && ! S::flat && (F::by_index || S::cluster_log2 > 0 || t.lanes == 1))
    {
      if constexpr (F::by_index)        /* the order does not matter: by all threads */
        {
          constexpr int threads = slices_place<S>::wide < 32 ? 32 / slices_place<S>::wide : 1;
          slices_take_all<E> (a, p, [&] (const auto &e, const slices_at &at, i64 far, int near, int n)
            { slices_elements<E, X, E::vector> (a, e, at, far, near, n, [&] (X v, int) { F::step (&x[0], v); }, slices_keeper<X, -1> { a }); });
#pragma unroll
          for (int d = threads / 2; d > 0; d /= 2)
            {
              const A other = slices_from (x[0], (p.t + d * p.wide) % 32);
              F::merge (&x[0], other);
            }
          if (p.q % threads == 0)
            acc[p.q / threads * p.wide + p.own].a = x[0];
          p.sync ();
          slices_merge_parts<F> (p.group / threads, acc, p, x);
          if constexpr (S::cluster_log2 > 0)
            {
              p.open_box ((p.wide << S::cluster_log2) * (int) sizeof (slot));
              if (p.q == 0)
                slices_share (p, &box[p.rank * p.wide + p.own], slot { x[0] });
              p.await_box ();
              slices_merge_parts<F> (1 << S::cluster_log2, box, p, x);
            }
        }
      else
        {
          const int strands = t.lanes * t.parts;
          for (int s = p.q; s < strands; s += p.group)
            {
              x[0] = F::init ();
              if (p.there)
                slices_strands<E, F, KEEPS, made, 1, 1> (a, t, p, s, x);
              acc[s * p.wide + p.own].a = x[0];
            }
          p.sync ();
          if constexpr (S::cluster_log2 > 0)
            {
              const int each = gpr_slices_each (&t);
              p.open_box ((strands / each * p.wide << S::cluster_log2) * (int) sizeof (slot));
              for (int s = p.q; s < strands / each; s += p.group)
                {
                  slot *const some = &acc[s * each * p.wide + p.own];
                  slices_merge_some<F> (min (each, a.parts[K] - p.rank * t.parts - s * each), some, p.wide);
                  slices_share (p, &box[(p.rank * (strands / each) + s) * p.wide + p.own], *some);
                }
              p.await_box ();
              if (t.lanes == 1)
                slices_merge_parts<F> ((a.parts[K] + each - 1) / each, box, p, x);
              else
                {
                  slices_merge<F> (a, { t.rows, a.parts[K], t.lanes, t.lanes_log2 }, box, p);
                  x[0] = box[p.own].a;
                }
            }
          else
            slices_merge_parts<F> (t.parts, acc, p, x);
        }
    }
  else if constexpr (! S::columns && S::cluster_log2 > 0)
    {
      const gpr_slices_tree all = { t.rows << S::cluster_log2, t.parts, t.lanes << S::cluster_log2, t.lanes_log2 + S::cluster_log2 };
      p.open_box ((t.lanes * t.parts << S::cluster_log2) * (int) sizeof (slot));
      for (int s = p.q; s < t.lanes * t.parts; s += p.group)
        {
          x[0] = F::init ();
          slices_strands<E, F, KEEPS, made, 1, 1> (a, t, p, s, x);
          const int lane = s & (t.lanes - 1);
          slices_share (p, &box[((s >> t.lanes_log2) << all.lanes_log2) + p.row_of (lane)], slot { x[0] });
        }
      p.await_box ();
      slices_merge<F> (a, all, box, p);
      x[0] = box[0].a;
    }
  else
    {
      const int strands = t.lanes * t.parts;
      for (int s = p.q; s < strands && p.there; s += p.group)
        {
          x[0] = F::init ();
          slices_strands<E, F, KEEPS, made, 1, 1> (a, t, p, s, x);
          acc[S::columns ? s * a.slices + p.own : p.own * strands + s].a = x[0];
        }
      slices_merge<F> (a, t, acc, p);
      if (p.q == 0 && p.there)
        x[0] = acc[S::columns ? p.own : p.own * strands].a;
    }
  if (p.q == 0 && p.there)
    {
      odd = F::finish (x[0], a.divisor[K], &y);
      slices_give<K, LEAF> (a, p, y);
    }
  if constexpr (F::by_index)
    {
      const bool look = odd && y == 0;
      if (p.any (look))
        slices_first_zero<E, F, K, LEAF> (a, p, look);
      if (look)
        odd = 0;
    }
  *doubt |= odd != 0;
  p.sync ();
  if constexpr (S::cluster_log2 > 0)
    slices_box_is_empty ();
}

/* Elements of a stage's results or of z, by all the rules, of what lies in the device's memory.  Whether one left the reals.  */
template <class RULES, int V> static __device__ __noinline__ int slices_by_rules (const gpr_slices_args &a, slices_at at, i64 far, int near, int n, typename RULES::A *v)
{
  map_by_rules way;
  for (int k = 0; k < n; k++, at.step (far, near))
    for (int j = 0; j < V; j++)
      v[k * V + j] = slices_take_one<RULES> (a, at.past (j)).at (a.terms, 0, way);
  return way.left;
}
/* put (elements, at) of V elements, the first n of N, step by step from at on.  */
template <class E, class RULES, int V, int N, class T, class Put>
static __device__ __forceinline__ void slices_values (const gpr_slices_args &a, const T (&t)[N], slices_at at, i64 far, int near, int n, bool *doubt, Put put)
{
  map_quickly quick;
  typename E::A v[N * V];
#pragma unroll
  for (int k = 0; k < N * V; k++)
    {
      v[k] = t[k / V].at (a.terms, k % V, quick);
      quick.odd |= v[k] != v[k];
    }
  if (quick.odd)
    {
      typename E::A again[N * V];
      *doubt |= slices_by_rules<RULES, V> (a, at, far, near, n, again) != 0;
#pragma unroll
      for (int k = 0; k < N * V; k++)
        if (k / V < n)
          v[k] = again[k];
    }
#pragma unroll
  for (int k = 0; k < N; k++, at.step (far, near))
    if (k < n)
      {
        map_vector<typename E::Z, V> z;
#pragma unroll
        for (int j = 0; j < V; j++)
          z.v[j] = map_made<E> (v[k * V + j]);
        put (z, at);
      }
}

/* Stage K: an expression of results, one element for a slice.  */
template <class E, int K, int LEAF, class S> static __device__ __forceinline__ void
slices_results (const gpr_slices_args &a, const slices_place<S> &p, bool *doubt)
{
  if (p.q == 0 && p.there)
    {
      const slices_at at = p.at (0);
      const typename E::template terms<1> t[1] = { slices_take_one<E> (a, at) };
      slices_values<E, E, 1> (a, t, at, 0, 0, 1, doubt, [&] (map_vector<typename E::Z, 1> z, const slices_at &) { slices_give<K, LEAF> (a, p, z.v[0]); });
    }
  p.sync ();
}

template <class Z, int V> static __device__ __forceinline__ void slices_put (Z *to, const map_vector<Z, V> &v) { *(map_vector<Z, V> *) to = v; }

/* The elements of z.  Of flat slices they are made where they were kept, each slice's by its threads, and neighbours are written together.  */
template <class E, class RULES, class S> static __device__ __forceinline__ void
slices_map (const gpr_slices_args &a, const slices_place<S> &p, bool *doubt)
{
  typedef typename E::Z Z;
  constexpr bool held = S::flat && S::out >= 0;
  Z *const z = (Z *) a.z, *const place = (Z *) (p.kept + a.kept[held ? S::out : 0]);
  const auto put = [&] (const auto &v, const slices_at &at) { slices_put (held ? place + at.j : z + at.i, v); };
  const int all = p.count * p.length, team = p.team;

  if constexpr (S::held > 0)
    {
      slices_take_all_held<E> (a, p, [&] (const auto &e, const slices_at &at, i64 far, int n, int) { slices_values<E, RULES, S::vector> (a, e, at, far, 0, n, doubt, put); });
      return;
    }
  if constexpr (S::flat && ! held)
    {
#pragma unroll 2
      for (int j = p.t; j < all; j += team)
        {
          const slices_at at = { p.begin + j, p.kept, p.place_of (a, j), p.slice_of (a, j) };
          const typename E::template terms<1> t[1] = { slices_take_one<E> (a, at) };
          slices_values<E, RULES, 1> (a, t, at, 0, 0, 1, doubt, put);
        }
      return;
    }
  slices_take_all<E> (a, p, [&] (const auto &e, const slices_at &at, i64 far, int near, int n) { slices_values<E, RULES, E::vector> (a, e, at, far, near, n, doubt, put); });
  if constexpr (held && S::packed > 0)
    {
      constexpr int V = S::packed / (int) sizeof (Z);
      p.sync ();
#pragma unroll 4
      for (int w = p.t; w < all / V; w += team)
        slices_put (z + p.begin + w * V, *(const map_vector<Z, V> *) (place + w * V));
      for (int j = all / V * V + p.t; V > 1 && j < all; j += team)
        z[p.begin + j] = place[j];
    }
  else if constexpr (held)
    {
      p.sync ();
#pragma unroll 4
      for (int j = p.t; j < all; j += team)
        z[p.begin + j] = place[p.place_of (a, j)];
    }
}

#endif
