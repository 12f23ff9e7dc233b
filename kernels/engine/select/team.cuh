/* The keys of two neighbouring places of data in shared memory, by a warp or a block: by bins of equal width, for which some of the keys say where most
   are, or, where these leave many keys in one, by digits of 8 bits, of those bits alone in which keys differ, until few keys are left.  */

#ifndef GPR_SELECT_TEAM_CUH
#define GPR_SELECT_TEAM_CUH

enum : unsigned { SELECT_ALL = 0xFFFFFFFFu };
enum { SELECT_DIGITS = 256 };

/* What keys have in common, and how many of them are NaN's.  */
template <class K> struct select_look { K all, any; unsigned nans; };

/* The number that a key is made of; of integers none is needed.  */
static __device__ __forceinline__ f64 select_value (u64 key)
{
  union { u64 u; f64 f; } x;
  x.u = key >> 63 ? key ^ (u64) 1 << 63 : ~key;
  return x.f;
}
static __device__ __forceinline__ f32 select_value (u32 key)
{
  union { u32 u; f32 f; } x;
  x.u = key >> 31 ? key ^ (u32) 1 << 31 : ~key;
  return x.f;
}
template <class K> struct select_number;
template <> struct select_number<u64> { typedef f64 type; static constexpr f64 most = DBL_MAX; };
template <> struct select_number<u32> { typedef f32 type; static constexpr f32 most = FLT_MAX; };

/* Bins of equal width, of numbers or, of integers, keys, from low on; what is below is in the first and what is above, NaN too, in the last.  A greater key is never in a lower
   bin, however its place is rounded.  */
template <bool FLOATING, class K> struct select_ruler
{
  typedef typename select_number<K>::type number;
  number low, high;
  K low_key;
  float scale;
  int bins;

  __device__ __forceinline__ void set (number from, number to)
  {
    low = from;
    high = to;
    scale = (float) (bins / (to - from));
  }
  __device__ __forceinline__ void set_keys (K from, K to)
  {
    constexpr number most = select_number<K>::most;
    low_key = from;
    if (FLOATING)
      set (fmin (fmax (select_value (from), -most), most), fmin (fmax (select_value (to), -most), most));
    else
      set (0, to > from ? (number) (K) (to - from) : 0);
  }
  __device__ __forceinline__ int bin (K key) const
  {
    const float above = FLOATING ? (float) (select_value (key) - low) : key > low_key ? (float) (K) (key - low_key) : 0;
    return (int) fmaxf (fminf ((FLOATING ? above : above - (float) low) * scale, (float) (bins - 1)), 0.0f);
  }
};

template <bool WARP, class K> struct select_team
{
  enum { BINS = WARP ? 256 : 512, FEW = WARP ? 32 : 128, SLOTS = WARP ? 1 : GPR_SELECT_THREADS / 32, BYTES = WARP ? GPR_SELECT_WARP_BYTES : GPR_SELECT_BLOCK_BYTES };
  struct memory { unsigned bins[BINS]; K few[FEW], got[2]; select_look<K> slots[SLOTS]; unsigned count, found[3]; };
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

  __device__ __forceinline__ select_look<K> joined (select_look<K> l) const
  {
    for (int d = 16; d > 0; d /= 2)
      {
        l.all &= __shfl_xor_sync (SELECT_ALL, l.all, d);
        l.any |= __shfl_xor_sync (SELECT_ALL, l.any, d);
        l.nans += __shfl_xor_sync (SELECT_ALL, l.nans, d);
      }
    if (WARP)
      return l;
    if (t % 32 == 0)
      m.slots[t / 32] = l;
    sync ();
    for (int w = 0; w < size / 32; w++)
      {
        const select_look<K> other = m.slots[w];
        l.all &= other.all;
        l.any |= other.any;
        l.nans = w == 0 ? other.nans : l.nans + other.nans;
      }
    sync ();
    return l;
  }
  /* Of all threads; 0 is told by one vote.  */
  __device__ __forceinline__ unsigned sum (unsigned n) const
  {
    if (WARP ? ! __any_sync (SELECT_ALL, n != 0) : ! __syncthreads_or (n != 0))
      return 0;
    return joined ({ 0, 0, n }).nans;
  }
  __device__ __forceinline__ select_look<K> look (const K *keys, int n, bool floating) const
  {
    select_look<K> l = { (K) ~(K) 0, 0, 0 };
#pragma unroll 4
    for (int i = t; i < n; i += size)
      {
        const K key = keys[i];
        l.all &= key;
        l.any |= key;
        l.nans += key == (K) ~(K) 0;
      }
    l = joined (l);
    l.nans = floating ? l.nans : 0;
    return l;
  }

  /* The least key above a limit.  */
  __device__ __forceinline__ K above (const K *keys, int n, K limit) const
  {
    select_look<K> l = { (K) ~(K) 0, 0, 0 };
#pragma unroll 4
    for (int i = t; i < n; i += size)
      if (keys[i] > limit && keys[i] < l.all)
        l.all = keys[i];
    for (int d = 16; d > 0; d /= 2)
      {
        const K other = __shfl_xor_sync (SELECT_ALL, l.all, d);
        l.all = other < l.all ? other : l.all;
      }
    if (WARP)
      return l.all;
    if (t % 32 == 0)
      m.slots[t / 32] = l;
    sync ();
    for (int w = 0; w < size / 32; w++)
      l.all = m.slots[w].all < l.all ? m.slots[w].all : l.all;
    sync ();
    return l.all;
  }

  /* The bin with key k of those counted; *k becomes its place there.  By one warp.  */
  __device__ __forceinline__ unsigned bin_of_warp (unsigned *k, int *left) const
  {
    enum { EACH = BINS / 32 };
    const int lane = threadIdx.x % 32;
    unsigned n[EACH], sum = 0;
#pragma unroll
    for (int i = 0; i < EACH; i++)
      sum += n[i] = m.bins[lane * EACH + i];
    unsigned end = sum;
    for (int d = 1; d < 32; d *= 2)
      {
        const unsigned before = __shfl_up_sync (SELECT_ALL, end, d);
        end += lane >= d ? before : 0;
      }
    const int lane_of = __ffs (__ballot_sync (SELECT_ALL, end - sum <= *k && *k < end)) - 1;
    unsigned at = *k - (end - sum), bin = lane * EACH, count = n[0];
#pragma unroll
    for (int i = 1; i < EACH; i++)
      if (bin == lane * EACH + i - 1u && at >= n[i - 1])
        {
          at -= n[i - 1];
          bin++;
          count = n[i];
        }
    *k = __shfl_sync (SELECT_ALL, at, lane_of);
    *left = (int) __shfl_sync (SELECT_ALL, count, lane_of);
    return __shfl_sync (SELECT_ALL, bin, lane_of);
  }
  __device__ __forceinline__ unsigned bin_of (unsigned *k, int *left) const
  {
    if (WARP)
      return bin_of_warp (k, left);
    if (t < 32)
      {
        unsigned place = *k;
        const unsigned bin = bin_of_warp (&place, left);
        if (t == 0)
          {
            m.found[0] = bin;
            m.found[1] = place;
            m.found[2] = (unsigned) *left;
          }
      }
    sync ();
    *k = m.found[1];
    *left = (int) m.found[2];
    return m.found[0];
  }
  __device__ __forceinline__ void clear_bins () const
  {
    for (int i = t; i < BINS; i += size)
      m.bins[i] = 0;
    if (t == 0)
      m.count = 0;
    sync ();
  }

  /* Places k and k + 1 of the few keys that are meant, `left' of them; m.count is 0.  */
  template <class Meant>
  __device__ __forceinline__ void pick (const K *keys, int n, Meant meant, unsigned k, int left) const
  {
#pragma unroll 4
    for (int i = t; i < n; i += size)
      {
        const K key = keys[i];
        if (meant (key))
          m.few[atomicAdd (&m.count, 1u)] = key;
      }
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

  /* The least and the greatest of some keys, a thread's one each; NaN's is none.  */
  template <bool FLOATING>
  __device__ __forceinline__ void some_bounds (const K *keys, int n, K *least, K *most) const
  {
    const K key = keys[n > size ? (int) ((i64) t * n / size) : t % n];
    K low = key, high = FLOATING && key == (K) ~(K) 0 ? 0 : key;
    for (int d = 16; d > 0; d /= 2)
      {
        const K other_low = __shfl_xor_sync (SELECT_ALL, low, d), other_high = __shfl_xor_sync (SELECT_ALL, high, d);
        low = other_low < low ? other_low : low;
        high = other_high > high ? other_high : high;
      }
    if (! WARP)
      {
        if (t % 32 == 0)
          m.slots[t / 32] = { low, high, 0 };
        sync ();
        for (int w = 0; w < size / 32; w++)
          {
            low = m.slots[w].all < low ? m.slots[w].all : low;
            high = m.slots[w].any > high ? m.slots[w].any : high;
          }
        sync ();
      }
    *least = low;
    *most = high;
  }

  /* By bins of equal width, twice at most.  False: many are in one, or there is no such width.  */
  template <bool FLOATING>
  __device__ __forceinline__ bool select_by_bins (const K *keys, int n, unsigned k, bool two, K *low, K *high) const
  {
    select_ruler<FLOATING, K> ruler;
    K least, most;
    ruler.bins = BINS;
    some_bounds<FLOATING> (keys, n, &least, &most);
    ruler.set_keys (least, most);
#pragma unroll 1
    for (int turn = 0; turn < 2 && ruler.scale > 0 && ruler.scale <= FLT_MAX; turn++)
      {
        unsigned at = k;
        int left;
        clear_bins ();
#pragma unroll 4
        for (int i = t; i < n; i += size)
          atomicAdd (&m.bins[ruler.bin (keys[i])], 1u);
        sync ();
        const int bin = (int) bin_of (&at, &left);
        if (left <= FEW)
          {
            pick (keys, n, [&] (K key) { return ruler.bin (key) == bin; }, at, left);
            *low = m.got[0];
            *high = (int) at + 1 < left ? m.got[1] : 0;
            sync ();
            if (two && (int) at + 1 >= left)
              *high = above (keys, n, *low);
            return true;
          }
        sync ();
        if (left > n / 8 || bin == 0 || bin == BINS - 1)
          return false;
        const auto width = (ruler.high - ruler.low) / BINS;
        ruler.set (ruler.low + bin * width, ruler.low + (bin + 1) * width);
      }
    return false;
  }

  /* *low has place k of the n keys, *high that after it, if two are wanted.  */
  __device__ __forceinline__ void select_by_digits (const K *keys, int n, unsigned k, bool two, K *low, K *high) const
  {
    const select_look<K> common = look (keys, n, false);
    const K differ = common.all ^ common.any;
    K known = (K) ~(K) 0, prefix = common.all & ~differ;
    int left = n;
    if (differ)
      {
        const int top = sizeof (K) == 8 ? 63 - __clzll ((long long) differ) : 31 - __clz ((int) differ);
        known = ~(((K) 1 << top << 1) - 1);     /* the bits above */
      }
    clear_bins ();
    for (K open; (open = differ & ~known) != 0 && left > FEW; )
      {
        const int top = sizeof (K) == 8 ? 63 - __clzll ((long long) open) : 31 - __clz ((int) open), shift = top > 7 ? top - 7 : 0;
        clear_bins ();
        if (left == n)
#pragma unroll 4
          for (int i = t; i < n; i += size)
            atomicAdd (&m.bins[(unsigned) (keys[i] >> shift) % SELECT_DIGITS], 1u);
        else
#pragma unroll 4
          for (int i = t; i < n; i += size)
            {
              const K key = keys[i];
              if (((key ^ prefix) & known) == 0)
                atomicAdd (&m.bins[(unsigned) (key >> shift) % SELECT_DIGITS], 1u);
            }
        sync ();
        prefix |= (K) bin_of (&k, &left) << shift;
        known = (K) ~(K) 0 << shift;
        sync ();
      }
    if ((differ & ~known) == 0)
      {
        *low = prefix;
        *high = ! two || (int) k + 1 < left ? prefix : above (keys, n, prefix);
        return;
      }
    pick (keys, n, [&] (K key) { return ((key ^ prefix) & known) == 0; }, k, left);
    *low = m.got[0];
    *high = (int) k + 1 < left ? m.got[1] : 0;
    if (two && (int) k + 1 >= left)
      *high = above (keys, n, prefix | ~known);
    sync ();
  }
  __device__ __forceinline__ void select (const K *keys, int n, bool floating, unsigned k, bool two, K *low, K *high) const
  {
    if (! (floating ? select_by_bins<true> (keys, n, k, two, low, high) : select_by_bins<false> (keys, n, k, two, low, high)))
      select_by_digits (keys, n, k, two, low, high);
  }
};

#endif
