/* From elements to keys (ops/order.h), by the width of the elements alone: what their class asks for is in the
   arguments.  And from keys to results.  */

#ifndef GPR_SELECT_KEYS_CUH
#define GPR_SELECT_KEYS_CUH

static __device__ __forceinline__ double select_distance (uint64_t x, uint64_t y, uint64_t *bits)
{
  union { u64 u; f64 f; } a, b;
  a.u = x;
  b.u = y;
  a.f = fabs (a.f - b.f);
  return *bits = a.u, a.f;
}
static __device__ __forceinline__ float select_distance (uint32_t x, uint32_t y, uint32_t *bits)
{
  union { u32 u; f32 f; } a, b;
  a.u = x;
  b.u = y;
  a.f = fabsf (a.f - b.f);
  return *bits = a.u, a.f;
}

/* A key's first word.  */
static __device__ __forceinline__ u32 select_top (u64 key) { return (u32) (key >> 32); }
static __device__ __forceinline__ u32 select_top (u32 key) { return key; }

/* All bits that the sign of a floating-point number's first word has, zeros of other classes.  */
static __device__ __forceinline__ u32 select_signs (const gpr_select_args &a, u32 word)
{
#ifdef __CUDACC__
  u32 signs;                    /* its last byte's sign, or zero's */
  asm ("prmt.b32 %0, %1, 0, %2;" : "=r" (signs) : "r" (word), "r" (a.signs));
  return signs;
#else
  u32 signs = 0;
  for (int i = 0; i < 4; i++)
    {
      const u32 which = a.signs >> 4 * i & 15, byte = which % 8 < 4 ? word >> 8 * (which % 8) & 255 : 0;
      signs |= (which < 8 ? byte : byte >> 7 ? 255u : 0) << 8 * i;
    }
  return signs;
#endif
}
/* In order, but for NaN.  */
static __device__ __forceinline__ u64 select_turned (const gpr_select_args &a, u64 bits)
{
  const u32 signs = select_signs (a, (u32) (bits >> 32));
  return (u64) ((u32) (bits >> 32) ^ (signs | (u32) (a.flip >> 32))) << 32 | ((u32) bits ^ signs);
}
static __device__ __forceinline__ u32 select_turned (const gpr_select_args &a, u32 bits) { return bits ^ (select_signs (a, bits) | (u32) a.flip); }
/* Without a center.  NaN's key is all ones; and is counted.  */
template <class K> static __device__ __forceinline__ K select_plain_key (const gpr_select_args &a, K bits, unsigned *nans)
{
  const K key = select_turned (a, bits);
  const bool nan = (bits & ~(K) 0 >> 1) > (K) a.infinite;
  *nans += nan;
  return nan ? (K) ~(K) 0 : key;
}
template <class K> static __device__ __forceinline__ K select_key (const gpr_select_args &a, K bits)
{
  unsigned nans = 0;
  return select_plain_key (a, bits, &nans);
}
template <class K> static __device__ __forceinline__ K select_key (const gpr_select_args &a, K bits, K center)
{
  if (a.center)
    (void) select_distance (bits, center, &bits);
  return select_key (a, bits);
}
static __device__ __forceinline__ bool select_floating (const gpr_select_args &a) { return a.floating; }

/* Whether turned bits are a NaN's.  */
template <class K> static __device__ __forceinline__ bool select_is_nan (const gpr_select_args &a, K turned)
{
  const K last = (K) a.infinite | (K) a.flip;
  return turned > last || turned < (K) ~last;
}
/* First words of finite numbers reach less far than those that an infinity's or a NaN's turned bits may have.  */
template <class K> static __device__ __forceinline__ u32 select_reach (const gpr_select_args &a, u32 word)
{
  const u32 last = select_top ((K) ((K) a.infinite | (K) a.flip));
  return word + last;           /* from -infinity's, ~last, and one on */
}
template <class K> static __device__ __forceinline__ bool select_extreme (const gpr_select_args &a, u32 reach)
{
  const u32 last = select_top ((K) ((K) a.infinite | (K) a.flip));
  return select_floating (a) && reach >= last + last;
}

/* By which the k greatest or least come first, zeros being equal.  */
template <class K> static __device__ __forceinline__ K select_rank_key (const gpr_select_args &a, K bits)
{
  const K key = select_key (a, bits == (K) a.minus_zero ? (K) 0 : bits);
  return select_floating (a) && ! a.nan_first && key == (K) ~(K) 0 ? key : key ^ (K) a.turned;
}

/* The element at which the center of a column lies; 0 where there is none.  */
template <class K> static __device__ __forceinline__ K select_center (const gpr_select_args &a, int64_t column)
{
  if (! a.center)
    return 0;
  const int64_t o = a.inner == 1 ? column : column / a.inner;
  return ((const K *) a.center)[column - o * a.inner + o * a.center_stride];
}

static __device__ __forceinline__ int64_t select_offset (const gpr_select_args &a, int64_t column)
{
  const int64_t o = a.inner == 1 ? column : column / a.inner;
  return column - o * a.inner + o * a.outer_stride;
}

/* Which elements of that many numbers result k is made of; false: of none.  What quantiles need stands apart, for
   the sake of registers.  */
static __device__ __noinline__ bool select_place_of_quantile (const gpr_select_args &a, int k, i64 numbers, gpr_select_place *at)
{
  const double p = a.p[k];
  if (! (p >= 0 && p <= 1) || numbers == 0)
    return false;
  *at = gpr_select_quantile (a.method, p, numbers);
  return true;
}
static __device__ __forceinline__ bool select_place_of_median (const gpr_select_args &a, i64 numbers, gpr_select_place *at)
{
  *at = gpr_select_median (numbers);
  return numbers > 0 && (numbers == a.length || a.omit_nan);
}
static __device__ __forceinline__ bool select_place (const gpr_select_args &a, int k, i64 numbers, gpr_select_place *at)
{
  return a.method != 0 ? select_place_of_quantile (a, k, numbers, at) : select_place_of_median (a, numbers, at);
}

/* Result k of a column, counted from 0, as an element of value.  */
static __device__ __forceinline__ int64_t select_result (const gpr_select_args &a, int64_t column, int k)
{
  const int64_t o = a.inner == 1 ? column : column / a.inner;
  return column - o * a.inner + a.value_stride * (a.first + k + a.all * o);
}

template <class K>
static __device__ __noinline__ void select_put_quantile (const gpr_select_args &a, int64_t to, double share, K low, K high)
{
  switch ((int) a.elem)
    {
#define GPR_SELECT_PUT(T, KEY, BITS) \
    case GPR_##T: \
      if (sizeof (KEY) != sizeof (K)) \
        break; \
      if (GPR_##T == GPR_f32) \
        ((f32 *) a.value)[to] = gpr_select_mix_f32 (a.method, share, (f32) gpr_order_value_##T ((KEY) low), (f32) gpr_order_value_##T ((KEY) high)); \
      else \
        ((f64 *) a.value)[to] = gpr_select_mix_f64 (a.method, share, (f64) gpr_order_value_##T ((KEY) low), (f64) gpr_order_value_##T ((KEY) high)); \
      break;
    GPR_ORDER_TYPES (GPR_SELECT_PUT)
#undef GPR_SELECT_PUT
    }
}

/* Result k of a column from the keys of its two elements.  */
template <class K>
static __device__ __forceinline__ void select_put (const gpr_select_args &a, int64_t column, int k, const gpr_select_place &at, K low, K high)
{
  const int64_t to = select_result (a, column, k);
  if (a.method != 0)
    select_put_quantile (a, to, at.share, low, high);
  else
    switch ((int) a.elem)
      {
#define GPR_SELECT_PUT(T, KEY, BITS) \
      case GPR_##T: \
        if (sizeof (KEY) == sizeof (K)) \
          { \
            const T x = gpr_order_value_##T ((KEY) low), y = gpr_order_value_##T ((KEY) high); \
            ((T *) a.value)[to] = at.low == at.high || a.logical ? y : gpr_order_middle_##T (x, y, a.round_up); \
          } \
        break;
      GPR_ORDER_TYPES (GPR_SELECT_PUT)
#undef GPR_SELECT_PUT
      }
}

/* A result that is made of no element.  */
static __device__ __noinline__ void select_put_none (const gpr_select_args &a, int64_t column, int k)
{
  const int64_t to = select_result (a, column, k);
  const double p = a.method == 0 ? 0.5 : a.p[k], v = p < 0 ? -HUGE_VAL : p > 1 ? HUGE_VAL : gpr_make_nan ();
  if (a.elem == GPR_f32)
    ((f32 *) a.value)[to] = v != v ? gpr_order_value_f32 ((u32) -1) : (f32) v;
  else
    ((f64 *) a.value)[to] = v;
}

#endif
