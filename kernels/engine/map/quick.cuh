/* Expressions of one precision.  Instructions, not memory, are what steps cost, so this takes more elements of a thread at
   a step, in few registers, and lets the hardware make NaN: a warp that ends with one takes its elements again by all the rules.  */

#ifndef GPR_ENGINE_MAP_QUICK_CUH
#define GPR_ENGINE_MAP_QUICK_CUH

/* A thread's elements by the rules of map_k, some at a time.  */
template <class T, int N>
static __device__ __noinline__ int map_again (const gpr_map_args &a, map_place p)
{
  enum { SOME = 4 };
  unsigned singles = sizeof (T) == sizeof (f32) ? ~0u : 0;
  int left = 0;
  for (int first = 0; first < N; first += SOME, p.first += SOME * GPR_MAP_THREADS)
    {
      T acc[SOME] = {};
      map_cell slot[GPR_MAP_SLOTS][SOME];
      for (int k = 0; k < a.steps; k++)
        left |= map_run<T, T> (a, a.step[k], p, false, acc, acc, slot, singles);
      map_write<T> (a, p, acc);
    }
  return left;
}

/* Of a whole tile, narrow: what is the same for all elements is read once.  */
template <class T, int N> static __device__ __forceinline__ void map_quick_leaf (const gpr_map_args &a, int l, const map_place &p, T (&y)[N])
{
  const gpr_map_lie lies = (gpr_map_lie) a.lies[l];
  i32 at[N] = {};

  if (lies == GPR_MAP_STRIDED)
    {
      u32 rest[N];
#pragma unroll
      for (int j = 0; j < N; j++)
        rest[j] = (u32) map_at (p, j);
      for (int d = 0; d < a.rank - 1; d++)
        {
          const u32 size = (u32) a.dims[d], stride = (u32) a.strides[l][d], magic = a.magic[d], shift = a.shift[d];
#pragma unroll
          for (int j = 0; j < N; j++)
            {
              const u32 next = __umulhi (rest[j], magic) >> shift;
              at[j] += (i32) ((rest[j] - next * size) * stride);
              rest[j] = next;
            }
        }
      const u32 stride = (u32) a.strides[l][a.rank - 1];
#pragma unroll
      for (int j = 0; j < N; j++)
        at[j] += (i32) (rest[j] * stride);
    }
  map_read_any (a.elems[l], a.x[l], lies, p, at, y);
}

/* NaN is what the hardware makes of it in the first four.  */
template <class T> static __device__ __forceinline__ T map_quick_plus (T x, T y, int *) { return GPR_MAP_MADE (x + y); }
template <class T> static __device__ __forceinline__ T map_quick_minus (T x, T y, int *) { return GPR_MAP_MADE (x - y); }
template <class T> static __device__ __forceinline__ T map_quick_times (T x, T y, int *) { return GPR_MAP_MADE (x * y); }
template <class T> static __device__ __forceinline__ T map_quick_rdivide (T x, T y, int *) { return GPR_MAP_MADE (x / y); }
#define MAP_AS_EVER(name) template <class T> static __device__ __forceinline__ T map_quick_##name (T x, T y, int *left) { return map_##name (x, y, left); }
GPR_MAP_QUICK_AS_EVER (MAP_AS_EVER)

template <class T, int N> static __device__ __forceinline__ int map_roots (T (&acc)[N])
{
  bool usual = true;
  int left = 0;

#pragma unroll
  for (int j = 0; j < N; j++)
    usual = usual && map_is_usual (acc[j]);
  if (usual)
    {
#pragma unroll
      for (int j = 0; j < N; j++)
        acc[j] = map_root (acc[j]);
      return 0;
    }
#pragma unroll 1
  for (int j = 0; j < N; j++)           /* the first goes to the end: small code */
    {
      const T root = map_sqrt (acc[0], acc[0], &left);
#pragma unroll
      for (int i = 0; i < N - 1; i++)
        acc[i] = acc[i + 1];
      acc[N - 1] = root;
    }
  return left;
}

/* A number for every element, which takes no registers of each.  */
template <class T> struct map_same {
  T number;
  __device__ __forceinline__ T operator[] (int) const { return number; }
};
#define MAP_ALL(loop) _Pragma ("unroll") for (int j = 0; j < N; j++) loop;
#define MAP_QUICK_CASE(name) case GPR_MAP_QUICK_##name: MAP_ALL (acc[j] = map_quick_##name (acc[j], y[j], &left)) break;
#define MAP_QUICK_TURNED_CASE(name) case GPR_MAP_QUICK_TURNED_##name: MAP_ALL (acc[j] = map_quick_##name (y[j], acc[j], &left)) break;

template <class T, int N, class Y> static __device__ __forceinline__ int map_quick_two (int op, T (&acc)[N], const Y &y)
{
  int left = 0;
  switch (op)
    {
    case GPR_MAP_QUICK_load: MAP_ALL (acc[j] = y[j]) break;
    GPR_MAP_SHORT_BINARY (MAP_QUICK_CASE)
    GPR_MAP_SHORT_TURNED (MAP_QUICK_TURNED_CASE)
    default: break;
    }
  return left;
}
template <class T, int N> static __device__ __forceinline__ int map_quick_one (int op, T (&acc)[N])
{
  const T (&y)[N] = acc;
  int left = 0;
  switch (op)
    {
    case GPR_MAP_QUICK_sqrt: left |= map_roots (acc); break;
    GPR_MAP_SHORT_UNARY (MAP_QUICK_CASE)
    default: break;
    }
  return left;
}

template <class T, int N> static __device__ __forceinline__ int map_quick (const gpr_map_args &a, const map_place &p)
{
  extern __shared__ __align__ (16) unsigned char map_shared[];          /* slots */
  T *const slots = (T *) map_shared + threadIdx.x;
  T acc[N] = {};
  gpr_map_quick_step s, next = a.quick[0];      /* read ahead */
  int left = 0;

  for (int k = 0; k < a.steps; k++)
    {
      T y[N] = {};
      s = next;
      next = a.quick[k + 1];
      switch (s.from)
        {
        case GPR_MAP_FROM_NONE:
          left |= map_quick_one<T, N> (s.op, acc);
          continue;
        case GPR_MAP_FROM_NUMBER:
          left |= map_quick_two<T, N> (s.op, acc, map_same<T> { map_as (T (), s.number) });
          continue;
        case GPR_MAP_TO_SLOT: MAP_ALL (slots[(s.at * N + j) * GPR_MAP_THREADS] = acc[j]) continue;
        case GPR_MAP_FROM_SLOT: MAP_ALL (y[j] = slots[(s.at * N + j) * GPR_MAP_THREADS]) break;
        case GPR_MAP_FROM_SELF: MAP_ALL (y[j] = acc[j]) break;
        case GPR_MAP_FROM_LEAF: map_quick_leaf<T, N> (a, s.at, p, y); break;
        default:
          {
            const T number = map_as (T (), s.number);
            MAP_ALL (y[j] = number)
          }
        }
      if (s.op != GPR_MAP_QUICK_call)
        left |= map_quick_two<T, N> (s.op, acc, y);
      else
        {
#pragma unroll
          for (int j = 0; j < N; j++)
            {
              const map_result<T> r = map_long<T> (s.call, s.turned ? y[j] : acc[j], s.turned ? acc[j] : y[j]);
              acc[j] = r.v;
              left |= r.left;
            }
        }
    }

  bool odd = false;
  MAP_ALL (odd |= acc[j] != acc[j])
  if (map_any_of_warp (odd))
    return map_again<T, N> (a, p);
  map_write<T> (a, p, acc);
  return left;
}

#endif
