/* What a step of an expression gives, by all the rules, and steps in either precision.  */

#ifndef GPR_ENGINE_MAP_STEPS_CUH
#define GPR_ENGINE_MAP_STEPS_CUH

/* NaN is what the hardware makes of it, where a kernel is quick.  */
#ifndef GPR_MAP_MADE            /* where kernels are emulated it makes others */
#define GPR_MAP_MADE(v) (v)
#endif

#define MAP_ONE(name) \
  static __device__ __forceinline__ f64 map_##name (f64 x, f64, int *left) { return gpr_map_##name##_f64 (x, left); } \
  static __device__ __forceinline__ f32 map_##name (f32 x, f32, int *left) { return gpr_map_##name##_f32 (x, left); }
#define MAP_TWO(name) \
  static __device__ __forceinline__ f64 map_##name (f64 x, f64 y, int *left) { return gpr_map_##name##_f64 (x, y, left); } \
  static __device__ __forceinline__ f32 map_##name (f32 x, f32 y, int *left) { return gpr_map_##name##_f32 (x, y, left); }
GPR_MAP_UNARY (MAP_ONE)
GPR_MAP_BINARY (MAP_TWO)

/* Those of few instructions, which are in line.  */
#define MAP_SHORT(F) GPR_MAP_SHORT_BINARY (F) GPR_MAP_SHORT_UNARY (F) F (sqrt) F (isna) F (signbit)

/* The others are calls, or the kernel would be large, and need the registers of the greediest.  */
template <class T> struct map_result { T v; int left; };
template <class T> static __device__ __noinline__ map_result<T> map_long (int op, T x, T y)
{
  map_result<T> r = { x, 0 };
#define MAP_LONG_CASE(name) case GPR_MAP_##name: r.v = map_##name (x, y, &r.left); break;
  switch (op)
    {
    GPR_MAP_UNARY (MAP_LONG_CASE)
    GPR_MAP_BINARY (MAP_LONG_CASE)
    }
  return r;
}

template <class T, int N> static __device__ __forceinline__ int map_step (const gpr_map_step &s, T (&acc)[N], const T (&y)[N])
{
  T a[N], b[N];
  const bool turned = s.turned && gpr_map_takes_two (s.op);
  int left = 0;
#pragma unroll
  for (int j = 0; j < N; j++)
    {
      a[j] = turned ? y[j] : acc[j];
      b[j] = turned ? acc[j] : y[j];
    }
#define MAP_SHORT_CASE(name) \
    case GPR_MAP_##name: \
      _Pragma ("unroll") \
      for (int j = 0; j < N; j++) \
        acc[j] = map_##name (a[j], b[j], &left); \
      break;
  switch (s.op)
    {
    MAP_SHORT (MAP_SHORT_CASE)
    default:
#pragma unroll
      for (int j = 0; j < N; j++)
        {
          const map_result<T> r = map_long<T> (s.op, a[j], b[j]);
          acc[j] = r.v;
          left |= r.left;
        }
    }
  return left;
}

union map_cell { f64 d; f32 f; };
static __device__ __forceinline__ f64 map_get (const map_cell &c, f64) { return c.d; }
static __device__ __forceinline__ f32 map_get (const map_cell &c, f32) { return c.f; }
static __device__ __forceinline__ void map_set (map_cell &c, f64 v) { c.d = v; }
static __device__ __forceinline__ void map_set (map_cell &c, f32 v) { c.f = v; }

/* acc is the accumulator in the step's precision, other that in the other one, where it was before if turn is set; slots alike: a bit
   each that says whether it holds singles.  */
template <class T, class U, int N>
static __device__ __forceinline__ int map_run (const gpr_map_args &a, const gpr_map_step &s, const map_place &p, bool turn, T (&acc)[N],
                                               const U (&other)[N], map_cell (&slot)[GPR_MAP_SLOTS][N], unsigned &singles)
{
  T y[N] = {};

  if (turn)
    {
#pragma unroll
      for (int j = 0; j < N; j++)
        acc[j] = map_as (T (), other[j]);
    }
  if (s.op == GPR_MAP_save)
    {
#pragma unroll
      for (int j = 0; j < N; j++)
        map_set (slot[s.at][j], acc[j]);
      singles = (singles & ~(1u << s.at)) | (unsigned) (sizeof (T) == sizeof (f32)) << s.at;
      return 0;
    }
  if (s.op == GPR_MAP_load || gpr_map_takes_two (s.op))
    {
      if (s.operand == GPR_MAP_LEAF)
        map_leaf<T> (a, s.at, p, y);
      else
        {
          const bool same = (singles >> (s.at & 31) & 1) == (sizeof (T) == sizeof (f32));
#pragma unroll
          for (int j = 0; j < N; j++)
            y[j] = s.operand == GPR_MAP_NUMBER ? map_as (T (), s.number) : s.operand == GPR_MAP_SELF ? acc[j]
                   : same ? map_get (slot[s.at][j], T ()) : map_as (T (), map_get (slot[s.at][j], U ()));
        }
    }
  if (s.op == GPR_MAP_load)
    {
#pragma unroll
      for (int j = 0; j < N; j++)
        acc[j] = y[j];
      return 0;
    }
  return map_step<T> (s, acc, y);
}

#endif
