/* Where the elements of a thread are, and how they are read and written.  */

#ifndef GPR_ENGINE_MAP_ELEMENTS_CUH
#define GPR_ENGINE_MAP_ELEMENTS_CUH

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
template <> struct map_word<1> { typedef u8 type; };
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

/* For a branch, one side of which calls a function that is not inline: all of a warp take that side.  ptxas (CUDA 13.0) keeps what the other side needs, such as where the tile
   begins, in uniform registers, which are the warp's, and which the function overwrites where threads of one warp take both sides: then the others' elements of z were written into
   its first tile.  */
static __device__ __forceinline__ bool map_any_of_warp (bool p) { return __any_sync (~0u, p) != 0; }

static __device__ __forceinline__ i64 map_at (const map_place &p, int j)
{
  const int each = p.fours ? 4 : 2;
  return p.first + j / each * each * GPR_MAP_THREADS + j % each;
}

/* i / dims[d].  */
static __device__ __forceinline__ u32 map_quotient (const gpr_map_args &a, int d, u32 i) { return __umulhi (i, a.magic[d]) >> a.shift[d]; }
static __device__ __forceinline__ u64 map_quotient (const gpr_map_args &a, int d, u64 i) { return i / (u64) a.dims[d]; }

template <class I> static __device__ __forceinline__ i64 map_offset (const gpr_map_args &a, int l, I i)
{
  i64 offset = 0;
  for (int d = 0; d < a.rank - 1; d++)
    {
      const I next = map_quotient (a, d, i);
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

/* at: where a leaf lies by its strides.  */
template <class X, class T, class I, int N>
static __device__ __forceinline__ void map_read (const void *leaf, gpr_map_lie lies, const map_place &p, const I (&at)[N], T (&y)[N])
{
  const X *x = (const X *) leaf;
  X v[N];

  if (lies == GPR_MAP_VECTORS && p.fours)
    map_take<4> (x + p.first, v);
  else if (lies == GPR_MAP_VECTORS)
    map_take<2> (x + p.first, v);
  else if (lies == GPR_MAP_SCALAR)
    {
      const X one = *x;
#pragma unroll
      for (int j = 0; j < N; j++)
        v[j] = one;
    }
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
template <class T, class I, int N>
static __device__ __forceinline__ void map_read_any (int elem, const void *leaf, gpr_map_lie lies, const map_place &p, const I (&at)[N], T (&y)[N])
{
  switch (elem)
    {
#define MAP_READ_CASE(X) case GPR_##X: map_read<X> (leaf, lies, p, at, y); break;
    GPR_MAP_ELEMS (MAP_READ_CASE)
    }
}

/* What is beyond the end is the last element again, which can leave the reals no more often.  */
template <class T, int N> static __device__ __forceinline__ void map_leaf (const gpr_map_args &a, int l, const map_place &p, T (&y)[N])
{
  const gpr_map_lie own = (gpr_map_lie) a.lies[l], lies = own == GPR_MAP_VECTORS && p.whole ? GPR_MAP_VECTORS : GPR_MAP_STRIDED;
  i64 at[N] = {};               /* of a number too */

  if (own != GPR_MAP_SCALAR && lies == GPR_MAP_STRIDED)
    {
#pragma unroll
      for (int j = 0; j < N; j++)
        {
          const i64 i = map_at (p, j) < p.last ? map_at (p, j) : p.last;
          at[j] = own == GPR_MAP_VECTORS ? i : a.narrow ? map_offset<u32> (a, l, (u32) i) : map_offset<u64> (a, l, (u64) i);
        }
    }
  map_read_any (a.elems[l], a.x[l], lies, p, at, y);
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

template <int N>
static __device__ __forceinline__ map_place map_tile (const gpr_map_args &a, i64 tile)
{
  constexpr int elements = GPR_MAP_THREADS * N;
  return { tile * elements + (i64) threadIdx.x * (a.fours ? 4 : 2), a.count - 1, (tile + 1) * elements <= a.count, a.fours };
}

#endif
