/* The backend's table.  What is NULL the gateway does not ask of such arrays: it takes a copy on one device, or leaves it to Octave.  */

#include "backend.h"
#include "../core/timed.h"

#define TIMED(name, type) GPR_TIMED (name, type, gpr_spread_##name)
TIMED (reduce, gpr_reduction)
TIMED (exact, gpr_reduction)
TIMED (count, gpr_counting)
TIMED (pair, gpr_pairing)
TIMED (map, struct gpr_mapping)
TIMED (convert, gpr_conversion)
TIMED (scan, struct gpr_scanning)
TIMED (order, struct gpr_ordering)
TIMED (select, struct gpr_selection)
TIMED (rank, struct gpr_ranking)

const gpr_backend gpr_spread_backend = {
  .name = "cuda",
  .on_device = true,
  .reduce = timed_reduce,
  .exact = timed_exact,
  .count = timed_count,
  .pair = timed_pair,
  .map = timed_map,
  .convert = timed_convert,
  .scan = timed_scan,
  .order = timed_order,
  .select = timed_select,
  .rank = timed_rank,
  .allocate = gpr_spread_allocate,
  .release = gpr_spread_release,
  .room = gpr_spread_room,
  .upload = gpr_spread_upload,
  .download = gpr_spread_download,
  .column = gpr_spread_column,
  .times = gpr_last_times
};
