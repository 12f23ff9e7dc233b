/* Medians, quantiles and the k greatest or least by selection.  */

#include "../ops/select.h"
#include "select.h"

#include "select/keys.cuh"
#include "select/team.cuh"
#include "select/load.cuh"
#include "select/network.cuh"
#include "select/short.cuh"
#include "select/bound.cuh"
#include "select/divide.cuh"
#include "select/rank.cuh"
#include "select/digits.cuh"

template <class K> static const void *of_keys (gpr_select_kernel kernel, const gpr_select_args *a)
{
  const int64_t n = a->length;
  switch (kernel)
    {
    case GPR_SELECT_NETWORKS:
      return n <= 8 ? (const void *) networks_k<K, 8> : n <= 16 ? (const void *) networks_k<K, 16> : n <= 24 ? (const void *) networks_k<K, 24>
             : n <= 32 ? (const void *) networks_k<K, 32> : n <= 40 ? (const void *) networks_k<K, 40> : n <= 48 ? (const void *) networks_k<K, 48>
             : (const void *) networks_k<K, 64>;
    case GPR_SELECT_PARTS: return (const void *) parts_k<K>;
    case GPR_SELECT_WARPS: return (const void *) columns_k<true, K>;
    case GPR_SELECT_BLOCKS: return (const void *) columns_k<false, K>;
    case GPR_SELECT_SAMPLE: return (const void *) sample_k<K>;
    case GPR_SELECT_DIVIDE: return (const void *) divide_list_k<K>;
    case GPR_SELECT_RANK_COUNTED: return (const void *) rank_counted_k<K>;
    case GPR_SELECT_RANK_COLUMNS: return (const void *) rank_columns_k<K>;
    case GPR_SELECT_RANK_CHUNKS: return (const void *) rank_chunks_k<K>;
    default: return (const void *) finish_k<K>;
    }
}

template <class S, class K> static const void *of_elements (const gpr_select_args *a)
{
  return a->width == 1 ? (const void *) divide_k<S, K> : (const void *) divide_columns_k<S, K>;
}

template <class S, class K> static const void *of_column (gpr_select_kernel kernel)
{
  return kernel == GPR_SELECT_DIGIT ? (const void *) digits_k<S, K> : (const void *) keep_k<S, K>;
}

extern "C" const void *gpr_engine_select (gpr_select_kernel kernel, const gpr_select_args *a)
{
  if (kernel == GPR_SELECT_DIGIT || kernel == GPR_SELECT_KEEP)
    return a->bytes == 8 ? of_column<u64, u64> (kernel) : a->of_list || a->bytes == 4 ? of_column<u32, u32> (kernel)
           : a->bytes == 2 ? of_column<u16, u32> (kernel) : of_column<u8, u32> (kernel);
  if (kernel != GPR_SELECT_DIVIDE || a->level > 0)
    return a->bytes == 8 ? of_keys<u64> (kernel, a) : of_keys<u32> (kernel, a);
  switch (a->bytes)
    {
    case 8: return of_elements<u64, u64> (a);
    case 4: return of_elements<u32, u32> (a);
    case 2: return of_elements<u16, u32> (a);
    default: return of_elements<u8, u32> (a);
    }
}
