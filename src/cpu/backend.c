/* The CPU backend: its functions, with the time each took, and memory.  */

#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "../core/timed.h"

#define TIMED(name, type) GPR_TIMED (name, type, gpr_cpu_##name)
TIMED (reduce, gpr_reduction)
TIMED (exact, gpr_reduction)
TIMED (count, gpr_counting)
TIMED (pair, gpr_pairing)
TIMED (map, struct gpr_mapping)
TIMED (slices, struct gpr_slices)
TIMED (complex, struct gpr_complex_mapping)
TIMED (convert, gpr_conversion)
TIMED (generate, struct gpr_generation)
TIMED (scan, struct gpr_scanning)
TIMED (scatter, struct gpr_scattering)
TIMED (order, struct gpr_ordering)
TIMED (select, struct gpr_selection)
TIMED (rank, struct gpr_ranking)
TIMED (gather, struct gpr_gathering)
TIMED (find, struct gpr_finding)

static gpr_status
allocate (void **p, size_t bytes)
{
  *p = gpr_system_allocate (bytes);
  return *p ? GPR_OK : gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", bytes);
}

static gpr_status
copy (void *to, const void *from, size_t bytes)
{
  enum { SOME = 1 << 20 };
  const int threads = bytes < 2 * SOME ? 1 : gpr_cpu_threads ();

  if (threads > 1)
    gpr_cpu_note_pool ();
  #pragma omp parallel for num_threads (threads) if (threads > 1) schedule (static)
  for (size_t at = 0; at < bytes; at += SOME)
    memcpy ((char *) to + at, (const char *) from + at, bytes - at < SOME ? bytes - at : SOME);
  return GPR_OK;
}

const gpr_backend gpr_cpu_backend = {
  .name = "cpu",
  .reduce = timed_reduce,
  .exact = timed_exact,
  .exact_totals = gpr_cpu_exact_totals,
  .share = gpr_cpu_share,
  .count = timed_count,
  .pair = timed_pair,
  .map = timed_map,
  .slices = timed_slices,
  .slices_fit = gpr_cpu_slices_fit,
  .complex = timed_complex,
  .convert = timed_convert,
  .generate = timed_generate,
  .scan = timed_scan,
  .scatter = timed_scatter,
  .order = timed_order,
  .select = timed_select,
  .rank = timed_rank,
  .keys_begin = gpr_cpu_keys_begin,
  .keys_count = gpr_cpu_keys_count,
  .keys_keep = gpr_cpu_keys_keep,
  .keys_end = gpr_cpu_keys_end,
  .gather = timed_gather,
  .find = timed_find,
  .allocate = allocate,
  .release = free,
  .room = gpr_system_free_memory,
  .upload = copy,
  .download = copy,
  .times = gpr_last_times
};
