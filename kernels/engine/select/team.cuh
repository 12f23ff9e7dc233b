/* The keys of two neighbouring places of data in shared memory or in registers, by a warp or a block: by digits of 8 bits
   of the keys' first words, of those bits alone in which these differ, until few keys are left; then, if many have the same first word, of their second ones.  */

#ifndef GPR_SELECT_TEAM_CUH
#define GPR_SELECT_TEAM_CUH

#ifndef GPR_SELECT_MEMORY       /* of a block, as much as the launch says */
#define GPR_SELECT_MEMORY(raw) extern __shared__ __align__ (16) unsigned char raw[]
#endif

enum : unsigned { SELECT_ALL = 0xFFFFFFFFu };
enum { SELECT_BINS = 256 };

/* What the first words of keys have in common, and how many keys are NaN's.  */
struct select_look { u32 all, any; unsigned nans; };

template <class K> struct select_two { K low, high; };

static __device__ __forceinline__ u32 select_warp_and (u32 x)
{
#if __CUDA_ARCH__ >= 800
  return __reduce_and_sync (SELECT_ALL, x);
#else
  for (int d = 16; d > 0; d /= 2)
    x &= __shfl_xor_sync (SELECT_ALL, x, d);
  return x;
#endif
}
static __device__ __forceinline__ u32 select_warp_or (u32 x) { return ~select_warp_and (~x); }
static __device__ __forceinline__ unsigned select_warp_sum (unsigned n)
{
#if __CUDA_ARCH__ >= 800
  return __reduce_add_sync (SELECT_ALL, n);
#else
  for (int d = 16; d > 0; d /= 2)
    n += __shfl_xor_sync (SELECT_ALL, n, d);
  return n;
#endif
}

template <bool WARP, class K> struct select_team
{
  enum { REST = 8 * sizeof (K) - 32, FEW = WARP ? 32 : 64, SLOTS = WARP ? 1 : GPR_SELECT_THREADS / 32, BYTES = WARP ? GPR_SELECT_WARP_BYTES : GPR_SELECT_BLOCK_BYTES };
  struct __align__ (16) some { unsigned bins[4]; };
  struct __align__ (16) memory { union { unsigned bins[SELECT_BINS]; some four[SELECT_BINS / 4]; }; K few[FEW], got[2], least[SLOTS]; select_look slots[SLOTS]; unsigned count; };
  memory &m;
  int t, size;                  /* of this thread, of the team */

  static __device__ __forceinline__ select_team of (unsigned char *raw)
  {
    static_assert (sizeof (memory) <= BYTES, "");
    return { *(memory *) (raw + (WARP ? threadIdx.x / 32 * BYTES : 0)), (int) (WARP ? threadIdx.x % 32 : threadIdx.x),
             (int) (WARP ? 32 : blockDim.x) };
  }
  static __device__ __forceinline__ void sync ()
  {
    if (WARP)
      __syncwarp ();
    else
      __syncthreads ();
  }
  __device__ __forceinline__ bool any (bool yes) const { return WARP ? __any_sync (SELECT_ALL, yes) : __syncthreads_or (yes); }

  /* Each key: of shared memory some at once, since they are on their way for a while; or those that the threads have (held.cuh).  */
  template <class F> __device__ __forceinline__ void each (const K *keys, int n, F use) const
  {
    enum { AT_ONCE = WARP ? 4 : 8 };
    int i = t;
    for (; i + (AT_ONCE - 1) * size < n; i += AT_ONCE * size)
      {
        K k[AT_ONCE];
#pragma unroll
        for (int e = 0; e < AT_ONCE; e++)
          k[e] = keys[i + e * size];
#pragma unroll
        for (int e = 0; e < AT_ONCE; e++)
          use (k[e]);
      }
    for (; i < n; i += size)
      use (keys[i]);
  }
  template <class HELD, class F> __device__ __forceinline__ auto each (const HELD &held, int, F use) const -> decltype (held.each (use)) { held.each (use); }

  __device__ __forceinline__ select_look joined (select_look l) const
  {
    l = { select_warp_and (l.all), select_warp_or (l.any), select_warp_sum (l.nans) };
    if (WARP)
      return l;
    if (t % 32 == 0)
      m.slots[t / 32] = l;
    sync ();
    const int lane = t % 32;
    const select_look none = { ~0u, 0, 0 };
    l = lane < size / 32 ? m.slots[lane] : none;
    l = { select_warp_and (l.all), select_warp_or (l.any), select_warp_sum (l.nans) };
    sync ();
    return l;
  }
  __device__ __forceinline__ select_look look (const K *keys, int n, bool floating) const
  {
    select_look l = { ~0u, 0, 0 };
    each (keys, n, [&] (K key) {
      const u32 word = select_top (key);
      l.all &= word;
      l.any |= word;
      l.nans += word == ~0u;    /* no number's */
    });
    l = joined (l);
    l.nans = floating ? l.nans : 0;
    return l;
  }

  /* The least key above a limit.  */
  template <class KEYS> __device__ __forceinline__ K above (const KEYS &keys, int n, K limit) const
  {
    K least = (K) ~(K) 0;
    each (keys, n, [&] (K key) { least = key > limit && key < least ? key : least; });
    for (int d = 16; d > 0; d /= 2)
      {
        const K other = __shfl_xor_sync (SELECT_ALL, least, d);
        least = other < least ? other : least;
      }
    if (WARP)
      return least;
    if (t % 32 == 0)
      m.least[t / 32] = least;
    sync ();
    for (int w = 0; w < size / 32; w++)
      least = m.least[w] < least ? m.least[w] : least;
    sync ();
    return least;
  }

  /* The sum of this lane's n and those before it.  */
  static __device__ __forceinline__ unsigned sum_to (unsigned n, int lanes)
  {
    for (int d = 1; d < lanes; d *= 2)
      {
        const unsigned before = __shfl_up_sync (SELECT_ALL, n, d);
        n += (int) (threadIdx.x % 32) >= d ? before : 0;
      }
    return n;
  }
  /* The bin with key k of those counted; *k becomes its place there.  Every warp does it: which eight bins, and which of these.  */
  __device__ __forceinline__ unsigned bin_of (unsigned *k, int *left) const
  {
    enum { EACH = SELECT_BINS / 32 };
    const int lane = threadIdx.x % 32;
    unsigned sum = 0;
#pragma unroll
    for (int i = 0; i < EACH; i++)
      sum += m.bins[lane * EACH + i];
    const unsigned end = sum_to (sum, 32);
    const int of = __ffs (__ballot_sync (SELECT_ALL, *k < end)) - 1;
    *k -= __shfl_sync (SELECT_ALL, end - sum, of);
    const unsigned n = m.bins[of * EACH + lane % EACH], to = sum_to (n, EACH);
    const int bin = __ffs (__ballot_sync (SELECT_ALL, lane < EACH && *k < to)) - 1;
    *k -= __shfl_sync (SELECT_ALL, to - n, bin);
    *left = (int) __shfl_sync (SELECT_ALL, n, bin);
    return of * EACH + bin;
  }

  /* Places k and k + 1 of the few keys that are such.  */
  template <class KEYS, class F> __device__ __forceinline__ void pick (const KEYS &keys, int n, F is, unsigned k, int left) const
  {
    if (t == 0)
      m.count = 0;
    sync ();
    each (keys, n, [&] (const auto &key) {
      if (is (key))
        m.few[atomicAdd (&m.count, 1u)] = key;
    });
    sync ();
    for (int i = t; i < left; i += size)
      {
        const K mine = m.few[i];
        unsigned place = 0;
#pragma unroll 4
        for (int j = 0; j < left; j++)
          place += m.few[j] < mine || (m.few[j] == mine && j < i);
        if (place == k || place == k + 1)
          m.got[place - k] = mine;
      }
    sync ();
  }

  /* Digits of a word of the keys that are such, of the bits that differ, until few keys are left or the word is known: *known has the bits of *prefix
     that are.  */
  template <class KEYS, class W, class F>
  __device__ __forceinline__ void digits (const KEYS &keys, int n, W word_of, F is, u32 differ, u32 *known, u32 *prefix, unsigned *k, int *left) const
  {
    *known = differ ? ~((2u << (31 - __clz ((int) differ))) - 1) : ~0u;         /* the bits above */
    *prefix &= ~differ;
    for (u32 open; (open = differ & ~*known) != 0 && *left > FEW; )
      {
        const int top = 31 - __clz ((int) open), shift = top > 7 ? top - 7 : 0;
#pragma unroll 2
        for (int i = t; i < SELECT_BINS / 4; i += size)
          m.four[i] = { 0, 0, 0, 0 };
        sync ();
        if (*left == n)
          each (keys, n, [&] (const auto &key) { atomicAdd (&m.bins[(word_of (key) >> shift) % SELECT_BINS], 1u); });
        else
          each (keys, n, [&] (const auto &key) {
            if (is (key) && ((word_of (key) ^ *prefix) & *known) == 0)
              atomicAdd (&m.bins[(word_of (key) >> shift) % SELECT_BINS], 1u);
          });
        sync ();
        *prefix |= bin_of (k, left) << shift;
        *known = ~0u << shift;
        sync ();
      }
  }

  /* The keys of places k and k + 1, if two are wanted, of n keys; what look says of them.  */
  template <class KEYS>
  __device__ __forceinline__ select_two<K> select (const KEYS &keys, int n, const select_look &look, unsigned k, bool two) const
  {
    u32 known, first = look.all;
    int left = n;
    digits (keys, n, [] (const auto &key) { return select_top (key); }, [] (const auto &) { return true; }, look.all ^ look.any, &known, &first, &k, &left);
    K low = (K) first << REST, last = low | (K) ((K) ~known << REST) | (K) ~((K) ~0u << REST);
    if (left <= FEW)
      pick (keys, n, [&] (const auto &key) { return ((select_top (key) ^ first) & known) == 0; }, k, left);
    else if (REST > 0)
      {
        select_look l = { ~0u, 0, 0 };
        each (keys, n, [&] (const auto &key) {
          if (select_top (key) == first)
            {
              const K own = key;
              l.all &= (u32) own;
              l.any |= (u32) own;
            }
        });
        l = joined (l);
        u32 known_too, second = l.all;
        auto has_first = [&] (const auto &key) { return select_top (key) == first; };
        digits (keys, n, [] (const auto &key) { return (u32) (K) key; }, has_first, l.all ^ l.any, &known_too, &second, &k, &left);
        low |= second;
        last = low | ~known_too;
        if (left <= FEW)
          pick (keys, n, [&] (const auto &key) { return has_first (key) && (((u32) (K) key ^ second) & known_too) == 0; }, k, left);
      }
    select_two<K> found = { low, low };
    if (left <= FEW)
      found = { m.got[0], m.got[1] };
    if (two && (int) k + 1 >= left)
      found.high = above (keys, n, last);
    sync ();
    return found;
  }
};

#endif
