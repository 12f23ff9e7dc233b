/* Elements as keys, and a sort of a few of them.  */

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

void
gpr_cpu_load_keys (const gpr_ordering *o, int64_t at, int64_t stride, int64_t count, u64 *restrict keys)
{
  const bool merge = o->op == GPR_ORDER_MODE;
  switch (o->elem)
    {
#define LOAD(T, K, B) \
    case GPR_##T: \
      { \
        const T *x = (const T *) o->x + at; \
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
