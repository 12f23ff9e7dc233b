/* Columns whose elements lie one after the other, each of as many bytes as its key.  The threads of a team have the first words of a column's keys in their registers,
   where every pass over the keys finds them; second words are read again where they are asked for.  */

#ifndef GPR_SELECT_HELD_CUH
#define GPR_SELECT_HELD_CUH

/* A key: its first word, and where its element lies, if it has one.  */
template <class K> struct select_held_key
{
  u32 word;
  const gpr_select_args &a;
  const K *x;
  bool here;
  __device__ __forceinline__ operator K () const
  {
    if (sizeof (K) == 4)
      return (K) word;
    return ! here || (select_floating (a) && word == ~0u) ? (K) ~(K) 0 : select_turned (a, *x);
  }
};
template <class K> static __device__ __forceinline__ u32 select_top (const select_held_key<K> &key) { return key.word; }

/* The keys of a thread, every SIZE-th of the column's: at least FULL of them, and N at most.  Registers that are left over have all bits that some key has: no key comes after such a word,
   and it is counted with the keys wherever their bits are the same.  */
template <class K, int SIZE, int FULL, int N> struct select_held
{
  const gpr_select_args &a;
  const K *x;                   /* the thread's first element */
  int left;                     /* elements from there on */
  u32 word[N];

  __device__ __forceinline__ bool here (int e) const { return e < FULL || e * SIZE < left; }
  template <class F> __device__ __forceinline__ void each (F use) const
  {
#pragma unroll
    for (int e = 0; e < N; e++)
      use (select_held_key<K> { word[e], a, x + e * SIZE, here (e) });
  }

  template <class TEAM> __device__ __forceinline__ select_look load (const TEAM &team)
  {
    const K *last = x + (left - 1);
    select_look l = { ~0u, 0, 0 };
    u32 reach = 0;
    K bits[N];

#pragma unroll
    for (int e = 0; e < N; e++)
      bits[e] = *(here (e) ? x + e * SIZE : last);
#pragma unroll
    for (int e = 0; e < N; e++)
      {
        const u32 own = select_top (select_turned (a, bits[e]));
        l.all &= own;
        l.any |= own;
        reach = max (reach, select_reach<K> (a, own));
        word[e] = own;
      }
    if (team.any (select_extreme<K> (a, reach)))
      {
        l = { ~0u, 0, 0 };
#pragma unroll
        for (int e = 0; e < N; e++)
          if (here (e))
            {
              if (select_is_nan (a, sizeof (K) == 4 ? (K) word[e] : select_turned (a, x[e * SIZE])))
                {
                  word[e] = ~0u;
                  l.nans++;
                }
              l.all &= word[e];
              l.any |= word[e];
            }
      }
    l = team.joined (l);
#pragma unroll
    for (int e = FULL; e < N; e++)
      word[e] = here (e) ? word[e] : l.any;
    return l;
  }
};

/* Blocks of a multiprocessor, so that each thread has as many registers as its keys ask for; some architectures have no room for so many threads or blocks.  */
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ < 800
#  define GPR_SELECT_MOST_BLOCKS(threads) (1024 / (threads) < 16 ? 1024 / (threads) : 16)
#elif defined __CUDA_ARCH__ && (__CUDA_ARCH__ % 100 > 0 || __CUDA_ARCH__ >= 1200)
#  define GPR_SELECT_MOST_BLOCKS(threads) (1536 / (threads) < 16 ? 1536 / (threads) : 16)
#else
#  define GPR_SELECT_MOST_BLOCKS(threads) 32
#endif
static constexpr int select_held_blocks (int bytes, int threads, int n, bool median)
{
  const int warps = median ? n <= 16 || (bytes == 4 && n <= 24) ? 48 : bytes == 4 || n <= 20 ? 40 : 32
                    : n <= (bytes == 4 ? 16 : 8) ? 48 : n <= (bytes == 4 ? 24 : 16) ? 40 : 32;
  const int blocks = (warps * 32 - 1) / threads + 1, most = GPR_SELECT_MOST_BLOCKS (threads);
  return blocks < most ? blocks : most;
}
#define GPR_SELECT_HELD_THREADS(size) ((size) > 32 ? (size) : (int) GPR_SELECT_WARPS_THREADS)

/* MEDIAN: of medians, without quantiles.  */
template <class K, bool MEDIAN, int SIZE, int FULL, int N>
static __global__ void __launch_bounds__ (GPR_SELECT_HELD_THREADS (SIZE), select_held_blocks (sizeof (K), GPR_SELECT_HELD_THREADS (SIZE), N, MEDIAN))
held_k (const __grid_constant__ gpr_select_args a)
{
  GPR_SELECT_MEMORY (raw);
  enum { WARP = SIZE == 32 };
  const select_team<WARP, K> team = select_team<WARP, K>::of (raw);
  const int teams = WARP ? GPR_SELECT_WARPS_THREADS / 32 : 1, mine = WARP ? threadIdx.x / 32 : 0, n = (int) a.length;

  for (int64_t column = (int64_t) blockIdx.x * teams + mine; column < a.outers; column += (int64_t) gridDim.x * teams)
    {
      select_held<K, SIZE, FULL, N> held = { a, (const K *) a.x + select_offset (a, column) + team.t, n - team.t, {} };
      const select_look look = held.load (team);
      select_column<MEDIAN> (a, team, held, SIZE * N, look, column);
    }
}

#endif
