/* Modes: short columns are sorted by networks, others counted in tables; longer ones counted by bins where they hold
   few numbers, or sorted.  */

#include "../ops/select.h"
#include "mode.h"

#ifndef GPR_SELECT_MEMORY       /* of a block, as much as the launch says */
#define GPR_SELECT_MEMORY(raw) extern __shared__ __align__ (16) unsigned char raw[]
#endif

#include "select/keys.cuh"
#include "select/team.cuh"
#include "select/load.cuh"
#include "select/network.cuh"
#include "mode/run.cuh"
#include "mode/short.cuh"
#include "mode/count.cuh"
#include "mode/long.cuh"

template <class K> static const void *of_keys (gpr_mode_kernel kernel, int64_t n)
{
  switch (kernel)
    {
    case GPR_MODE_NETWORKS:
      return n <= 8 ? (const void *) mode_networks_k<K, 8> : n <= 16 ? (const void *) mode_networks_k<K, 16>
             : n <= 24 ? (const void *) mode_networks_k<K, 24> : n <= 32 ? (const void *) mode_networks_k<K, 32>
             : n <= 40 ? (const void *) mode_networks_k<K, 40> : (const void *) mode_networks_k<K, 64>;
    case GPR_MODE_RUNS: return (const void *) mode_runs_k<K>;
    case GPR_MODE_ZEROS: return (const void *) mode_zeros_k<K>;
    case GPR_MODE_SETTLE: return (const void *) mode_settle_k<K>;
    default: return 0;
    }
}

template <class S, class K> static const void *of_widths (gpr_mode_kernel kernel, const gpr_mode_args *a)
{
  return kernel == GPR_MODE_TABLES ? (const void *) mode_tables_k<S, K> : kernel == GPR_MODE_LAY ? (const void *) mode_lay_k<S>
         : of_keys<K> (kernel, a->x.length);
}

template <class T> static const void *of_numbers (gpr_mode_kernel kernel)
{
  return kernel == GPR_MODE_LOOK ? (const void *) mode_look_k<T> : (const void *) mode_count_k<T>;
}

extern "C" const void *gpr_engine_mode (gpr_mode_kernel kernel, const gpr_mode_args *a)
{
  const bool floating = a->x.floating;
  if (kernel == GPR_MODE_COUNT_HALVES)
    return (const void *) mode_halves_k;
  if (kernel == GPR_MODE_BEST)
    return ! floating ? (const void *) mode_best_k<u64> : a->x.bytes == 8 ? (const void *) mode_best_k<f64> : (const void *) mode_best_k<f32>;
  if (kernel == GPR_MODE_LOOK || kernel == GPR_MODE_COUNT)
    switch (a->x.bytes)
      {
      case 8: return floating ? of_numbers<f64> (kernel) : of_numbers<u64> (kernel);
      case 4: return floating ? of_numbers<f32> (kernel) : of_numbers<u32> (kernel);
      case 2: return of_numbers<u16> (kernel);
      default: return (const void *) mode_count_k<u8>;  /* of which all have bins */
      }
  switch (a->x.bytes)
    {
    case 8: return of_widths<u64, u64> (kernel, a);
    case 4: return of_widths<u32, u32> (kernel, a);
    case 2: return of_widths<u16, u32> (kernel, a);
    default: return of_widths<u8, u32> (kernel, a);
    }
}
