/* Elements as keys, and a sort of a few of them.  */

#include <math.h>

#include "keys.h"

int
gpr_cpu_key_bits (enum gpr_elem elem)
{
  switch (elem)
    {
#define BITS(T, K, B) case GPR_##T: return B;
    GPR_ORDER_TYPES (BITS)
#undef BITS
    default: return 0;
    }
}

/* |x - center|.  */
static void
load_distances (const gpr_columns *c, int64_t at, int64_t j, int64_t count, u64 *restrict keys)
{
#define LOAD(F, B, FABS) \
  { \
    const F *x = (const F *) c->x + at, center = ((const F *) c->center)[j]; \
    for (int64_t i = 0; i < count; i++) \
      keys[i] = (u64) gpr_order_key_##F (FABS (x[i * c->inner] - center), c->merge) << (64 - B); \
  }
  if (c->elem == GPR_f32)
    LOAD (f32, 32, fabsf)
  else
    LOAD (f64, 64, fabs)
#undef LOAD
}

static void
load (const gpr_columns *c, int64_t at, int64_t stride, int64_t count, u64 *restrict keys)
{
  const bool merge = c->merge;
  switch (c->elem)
    {
#define LOAD(T, K, B) \
    case GPR_##T: \
      { \
        const T *x = (const T *) c->x + at; \
        if (stride == 1) \
          for (int64_t i = 0; i < count; i++) \
            keys[i] = (u64) gpr_order_key_##T (x[i], merge) << (64 - B); \
        else \
          for (int64_t i = 0; i < count; i++) \
            keys[i] = (u64) gpr_order_key_##T (x[i * stride], merge) << (64 - B); \
      } \
      break;
    GPR_ORDER_TYPES (LOAD)
#undef LOAD
    default: break;
    }
}

void
gpr_cpu_load_keys (const gpr_columns *c, int64_t j, int64_t r, int64_t count, u64 *keys)
{
  const int64_t at = first_of_column (c, j) + c->inner * r;
  if (c->center)
    load_distances (c, at, j, count, keys);
  else
    load (c, at, c->inner, count, keys);
}

void
gpr_cpu_gather_keys (const gpr_columns *c, int64_t j, int64_t columns, u64 *keys)
{
  const int64_t rows = columns == 1 ? c->length : 128;  /* so many lines stay in L1 */
  if (c->inner == 1 && ! c->center)
    load (c, first_of_column (c, j), 1, columns * c->length, keys);
  else
    for (int64_t r = 0; r < c->length; r += rows)
      for (int64_t k = 0; k < columns; k++)
        gpr_cpu_load_keys (c, j + k, r, smaller (rows, c->length - r), keys + k * c->length + r);
}

void
gpr_cpu_sort_short (u64 *v, int64_t n)
{
  for (int64_t i = 1; i < n; i++)
    {
      u64 key = v[i];
      int64_t k = i;
      for (; k > 0 && v[k - 1] > key; k--)
        v[k] = v[k - 1];
      v[k] = key;
    }
}

/* The network is K. E. Batcher's merge exchange (D. E. Knuth, The Art of Computer Programming 3, 5.2.2 M).  */
void
gpr_cpu_sort_columns (u64 *keys, int64_t length, int64_t columns)
{
  int64_t top = 1;
  while (2 * top < length)
    top *= 2;
  for (int64_t p = top; p > 0; p /= 2)
    for (int64_t q = top, r = 0, apart = p;; apart = q - p, q /= 2, r = p)
      {
        for (int64_t i = 0; i < length - apart; i++)
          if ((i & p) == r)
            for (u64 *v = keys + i, *end = v + columns * length; v < end; v += length)
              {
                const u64 a = v[0], b = v[apart];
                v[0] = a < b ? a : b;
                v[apart] = a < b ? b : a;
              }
        if (q == p)
          break;
      }
}
