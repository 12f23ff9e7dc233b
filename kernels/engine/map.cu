/* Elementwise expressions: one kernel reads the steps of any of them and takes each for some elements of a thread, so that
   nothing is compiled at run time.  All threads take the same step, and what they read of it comes from the kernel's parameters; the
   accumulator is in registers, slots are in local memory.  */

#include "map.h"

/* ---- what a step gives -------------------------------------------------------------------- */

#define MAP_ONE(name) \
  static __device__ __forceinline__ f64 map_##name (f64 x, f64, int *left) { return gpr_map_##name##_f64 (x, left); } \
  static __device__ __forceinline__ f32 map_##name (f32 x, f32, int *left) { return gpr_map_##name##_f32 (x, left); }
#define MAP_TWO(name) \
  static __device__ __forceinline__ f64 map_##name (f64 x, f64 y, int *left) { return gpr_map_##name##_f64 (x, y, left); } \
  static __device__ __forceinline__ f32 map_##name (f32 x, f32 y, int *left) { return gpr_map_##name##_f32 (x, y, left); }
GPR_MAP_UNARY (MAP_ONE)
GPR_MAP_BINARY (MAP_TWO)

/* Those of few instructions, which are in line.  */
#define MAP_SHORT(F) \
  F (plus) F (minus) F (times) F (rdivide) F (eq) F (ne) F (lt) F (le) F (gt) F (ge) F (and) F (or) F (xor) F (max) F (min) \
  F (uminus) F (not) F (abs) F (sign) F (floor) F (ceil) F (round) F (fix) F (sqrt) F (isnan) F (isinf) F (isfinite) F (isna) F (signbit) \
  F (to_int8) F (to_uint8) F (to_int16) F (to_uint16) F (to_int32) F (to_uint32) F (to_single) F (to_logical)

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

/* ---- elements ------------------------------------------------------------------------------- */

static __device__ __forceinline__ f64 map_as (f64, f64 v) { return v; }
static __device__ __forceinline__ f32 map_as (f32, f32 v) { return v; }
static __device__ __forceinline__ f64 map_as (f64, f32 v) { return gpr_f64_of_f32 (v); }
static __device__ __forceinline__ f32 map_as (f32, f64 v) { return gpr_f32_of_f64 (v); }
#define MAP_OF_INTEGER(X) \
  static __device__ __forceinline__ f64 map_as (f64, X v) { return (f64) v; } \
  static __device__ __forceinline__ f32 map_as (f32, X v) { return (f32) v; } \
  static __device__ __forceinline__ X map_as (X, f64 v) { return gpr_##X##_of_f64 (v); } \
  static __device__ __forceinline__ X map_as (X, f32 v) { return gpr_##X##_of_f32 (v); }
MAP_OF_INTEGER (i8) MAP_OF_INTEGER (u8) MAP_OF_INTEGER (i16) MAP_OF_INTEGER (u16) MAP_OF_INTEGER (i32) MAP_OF_INTEGER (u32)

template <class X, int N> struct __align__ (N * sizeof (X)) map_vector { X v[N]; };

/* Stored as one word, which nvcc makes neither of the elements nor of a struct of 16 bytes.  */
template <int BYTES> struct map_word { };
template <> struct map_word<2> { typedef u16 type; };
template <> struct map_word<4> { typedef u32 type; };
template <> struct map_word<8> { typedef unsigned long long type; };
template <> struct map_word<16> { typedef uint4 type; };
template <class X, int N> static __device__ __forceinline__ void map_store (X *z, const map_vector<X, N> &v)
{
  typedef typename map_word<N * sizeof (X)>::type word;
  union { map_vector<X, N> v; word w; } all = { v };
  __stcg ((word *) z, all.w);
}

/* Where a thread's elements are in z.  */
typedef struct {
  i64 first, last;              /* of the array */
  bool whole;                   /* all are there */
  bool fours;
} map_place;

static __device__ __forceinline__ i64 map_at (const map_place &p, int j)
{
  const int each = p.fours ? 4 : 2;
  return p.first + j / each * each * GPR_MAP_THREADS + j % each;
}

template <class I> static __device__ __forceinline__ i64 map_offset (const gpr_map_args &a, int l, I i)
{
  i64 offset = 0;
  for (int d = 0; d < a.rank - 1; d++)
    {
      const I next = i / (I) a.dims[d];
      offset += (i64) (i - next * (I) a.dims[d]) * a.strides[l][d];
      i = next;
    }
  return offset + (i64) i * a.strides[l][a.rank - 1];
}

/* V neighbours at a time.  */
template <int V, class X, int N> static __device__ __forceinline__ void map_take (const X *x, X (&v)[N])
{
#pragma unroll
  for (int g = 0; g < N / V; g++)
    {
      const map_vector<X, V> all = *(const map_vector<X, V> *) (x + g * V * GPR_MAP_THREADS);
#pragma unroll
      for (int j = 0; j < V; j++)
        v[g * V + j] = all.v[j];
    }
}
template <int V, class X, int N> static __device__ __forceinline__ void map_give (X *z, const X (&v)[N])
{
#pragma unroll
  for (int g = 0; g < N / V; g++)
    {
      map_vector<X, V> all;
#pragma unroll
      for (int j = 0; j < V; j++)
        all.v[j] = v[g * V + j];
      map_store (z + g * V * GPR_MAP_THREADS, all);
    }
}

template <class X, class T, int N>
static __device__ __forceinline__ void map_read (const gpr_map_args &a, int l, const map_place &p, bool vectors, const i64 (&at)[N], T (&y)[N])
{
  const X *x = (const X *) a.x[l];
  X v[N];

  if (vectors && p.fours)
    map_take<4> (x + p.first, v);
  else if (vectors)
    map_take<2> (x + p.first, v);
  else
    {
#pragma unroll
      for (int j = 0; j < N; j++)
        v[j] = x[at[j]];
    }
#pragma unroll
  for (int j = 0; j < N; j++)
    y[j] = map_as (T (), v[j]);
}

/* What is beyond the end is the last element again, which can leave the reals no more often.  */
template <class T, int N> static __device__ __forceinline__ void map_leaf (const gpr_map_args &a, int l, const map_place &p, T (&y)[N])
{
  const int lies = a.lies[l];
  const bool vectors = lies == GPR_MAP_VECTORS && p.whole;
  i64 at[N] = {};

  if (lies != GPR_MAP_SCALAR && ! vectors)
    {
#pragma unroll
      for (int j = 0; j < N; j++)
        {
          const i64 i = map_at (p, j) < p.last ? map_at (p, j) : p.last;
          at[j] = lies == GPR_MAP_VECTORS ? i : a.narrow ? map_offset<u32> (a, l, (u32) i) : map_offset<u64> (a, l, (u64) i);
        }
    }
  switch (a.elems[l])
    {
#define MAP_READ_CASE(X) case GPR_##X: map_read<X> (a, l, p, vectors, at, y); break;
    GPR_MAP_ELEMS (MAP_READ_CASE)
    }
}

template <class X, class T, int N> static __device__ __forceinline__ void map_put (const gpr_map_args &a, const map_place &p, const T (&acc)[N])
{
  X *z = (X *) a.z;
  X v[N];
#pragma unroll
  for (int j = 0; j < N; j++)
    v[j] = map_as (X (), acc[j]);
  if (a.z_vectors && p.whole && p.fours)
    {
      if constexpr (sizeof (X) <= 4)    /* larger ones go in pairs */
        map_give<4> (z + p.first, v);
    }
  else if (a.z_vectors && p.whole)
    map_give<2> (z + p.first, v);
  else
    {
#pragma unroll
      for (int j = 0; j < N; j++)
        {
          const i64 i = map_at (p, j);
          if (i <= p.last)
            z[! a.placed ? i : a.narrow ? map_offset<u32> (a, GPR_MAP_LEAVES, (u32) i) : map_offset<u64> (a, GPR_MAP_LEAVES, (u64) i)] = v[j];
        }
    }
}

template <class T, int N> static __device__ __forceinline__ void map_write (const gpr_map_args &a, const map_place &p, const T (&acc)[N])
{
  switch (a.z_elem)
    {
#define MAP_WRITE_CASE(X) case GPR_##X: map_put<X> (a, p, acc); break;
    GPR_MAP_ELEMS (MAP_WRITE_CASE)
    }
}

/* ---- expressions ---------------------------------------------------------------------------- */

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

/* Of steps in one precision alone: more elements of a thread are on their way.  */
template <class T, int N>
static __device__ __forceinline__ int map_alone (const gpr_map_args &a, const map_place &p)
{
  T acc[N] = {};
  map_cell slot[GPR_MAP_SLOTS][N];
  unsigned singles = sizeof (T) == sizeof (f32) ? ~0u : 0;
  int left = 0;
  for (int k = 0; k < a.steps; k++)
    left |= map_run<T, T> (a, a.step[k], p, false, acc, acc, slot, singles);
  map_write<T> (a, p, acc);
  return left;
}

template <int N>
static __device__ __forceinline__ map_place map_tile (const gpr_map_args &a, i64 tile)
{
  constexpr int elements = GPR_MAP_THREADS * N;
  return { tile * elements + (i64) threadIdx.x * (a.fours ? 4 : 2), a.count - 1, (tile + 1) * elements <= a.count, a.fours };
}

__global__ void __launch_bounds__ (GPR_MAP_THREADS) map_singles_k (const __grid_constant__ gpr_map_args a)
{
  int left = 0;
  for (i64 tile = blockIdx.x; tile * GPR_MAP_THREADS * GPR_MAP_SINGLES < a.count; tile += gridDim.x)
    left |= map_alone<f32, GPR_MAP_SINGLES> (a, map_tile<GPR_MAP_SINGLES> (a, tile));
  if (left)
    *a.left = 1;
}

__global__ void __launch_bounds__ (GPR_MAP_THREADS) map_k (const __grid_constant__ gpr_map_args a)
{
  constexpr int N = GPR_MAP_EACH;
  int left = 0;

  for (i64 tile = blockIdx.x; tile * GPR_MAP_THREADS * N < a.count; tile += gridDim.x)
    {
      const map_place p = map_tile<N> (a, tile);
      f64 d[N] = {};
      f32 f[N] = {};
      map_cell slot[GPR_MAP_SLOTS][N];
      bool single = false;
      unsigned singles = 0;

      for (int k = 0; k < a.steps; k++)
        {
          const gpr_map_step &s = a.step[k];
          const bool turn = single != (s.single != 0);
          single = s.single != 0;
          left |= single ? map_run<f32, f64> (a, s, p, turn, f, d, slot, singles) : map_run<f64, f32> (a, s, p, turn, d, f, slot, singles);
        }
      if (single)
        map_write<f32> (a, p, f);
      else
        map_write<f64> (a, p, d);
    }
  if (left)
    *a.left = 1;
}

extern "C" const void *gpr_engine_map (bool singles) { return singles ? (const void *) map_singles_k : (const void *) map_k; }
