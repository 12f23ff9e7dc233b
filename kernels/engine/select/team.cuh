/* The keys of two neighbouring places of data in shared memory, by a warp or a block: by digits of 8 bits,
   of those bits alone in which keys differ, until few keys are left.  */

#ifndef GPR_SELECT_TEAM_CUH
#define GPR_SELECT_TEAM_CUH

enum : unsigned { SELECT_ALL = 0xFFFFFFFFu };
enum { SELECT_BINS = 256 };

/* What keys have in common, and how many of them are NaN's.  */
template <class K> struct select_look { K all, any; unsigned nans; };

template <bool WARP, class K> struct select_team
{
  enum { FEW = WARP ? 32 : 64, SLOTS = WARP ? 1 : GPR_SELECT_THREADS / 32, BYTES = WARP ? GPR_SELECT_WARP_BYTES : GPR_SELECT_BLOCK_BYTES };
  struct memory { unsigned bins[SELECT_BINS]; K few[FEW], got[2]; select_look<K> slots[SLOTS]; unsigned count; };
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

  /* The bin with key k of those counted; *k becomes its place there.  Every warp does it.  */
  __device__ __forceinline__ unsigned bin_of (unsigned *k, int *left) const
  {
    enum { EACH = SELECT_BINS / 32 };
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

  /* Places k and k + 1 of the few keys that have the known bits; returns whether there is a second.  */
  __device__ __forceinline__ void pick (const K *keys, int n, K known, K prefix, unsigned k, int left) const
  {
    if (t == 0)
      m.count = 0;
    sync ();
    for (int i = t; i < n; i += size)
      {
        const K key = keys[i];
        if (((key ^ prefix) & known) == 0)
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

  /* *low has place k of the n keys that look describes, *high that after it, if two are wanted.  */
  __device__ __forceinline__ void select (const K *keys, int n, const select_look<K> &look, unsigned k, bool two, K *low, K *high) const
  {
    const K differ = look.all ^ look.any;
    K known = (K) ~(K) 0, prefix = look.all & ~differ;
    int left = n;
    if (differ)
      {
        const int top = sizeof (K) == 8 ? 63 - __clzll ((long long) differ) : 31 - __clz ((int) differ);
        known = ~(((K) 1 << top << 1) - 1);     /* the bits above */
      }
    for (K open; (open = differ & ~known) != 0 && left > FEW; )
      {
        const int top = sizeof (K) == 8 ? 63 - __clzll ((long long) open) : 31 - __clz ((int) open), shift = top > 7 ? top - 7 : 0;
        for (int i = t; i < SELECT_BINS; i += size)
          m.bins[i] = 0;
        sync ();
        if (left == n)
#pragma unroll 4
          for (int i = t; i < n; i += size)
            atomicAdd (&m.bins[(unsigned) (keys[i] >> shift) % SELECT_BINS], 1u);
        else
#pragma unroll 4
          for (int i = t; i < n; i += size)
            {
              const K key = keys[i];
              if (((key ^ prefix) & known) == 0)
                atomicAdd (&m.bins[(unsigned) (key >> shift) % SELECT_BINS], 1u);
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
    pick (keys, n, known, prefix, k, left);
    *low = m.got[0];
    *high = (int) k + 1 < left ? m.got[1] : 0;
    if (two && (int) k + 1 >= left)
      *high = above (keys, n, prefix | ~known);
    sync ();
  }
};

#endif
