#include <algorithm>

#include "position.h"
#include "state.h"

position threadIdx, blockIdx, blockDim, gridDim;
fiber *sim_now;
u32 sim_tick = 1, sim_fuel = QUANTUM;
u64 sim_idle, sim_steps;

std::vector<buffer *> buffers;
launch_state L;
fault_report F;
counts totals;
std::vector<launch_report> launches;
bool want_report, want_steps, want_frames, sampled;
u32 sim_seed = 1;
volatile bool time_is_up;
double seconds_allowed;
u64 graded_at, graded_bytes;
void (*host_accesses) (const void *, u64, int, const void *);
void (*host_goes) (const void *);
bool (*no_array) (fiber *, u64, u32, int, u32);

const char *const fault_names[] = { "", "out of bounds", "uninitialised read", "race", "barrier divergence",
  "shuffle from a missing lane", "deadlock", "crash", "time limit", "wrong result",
  "device memory on the host", "host memory in a kernel", "wrong copy", "wrong free", "failed launch" };

void counts::add (const counts &c)
{
  active_lanes += c.active_lanes;
  warps_issued += c.warps_issued;
  warps_skipped += c.warps_skipped;
  divergent_warps += c.divergent_warps;
  branch_places += c.branch_places;
  shared_reads += c.shared_reads;
  shared_writes += c.shared_writes;
  bank_conflicts += c.bank_conflicts;
  worst_way = std::max (worst_way, c.worst_way);
  sectors += c.sectors;
  sectors_needed += c.sectors_needed;
  sectors_written += c.sectors_written;
  barriers += c.barriers;
  shuffles += c.shuffles;
  atomics += c.atomics;
  contention = std::max (contention, c.contention);
  sectors_first += c.sectors_first;
  shared_atomics += c.shared_atomics;
  shared_atomic_passes += c.shared_atomic_passes;
  global_atomics += c.global_atomics;
  global_atomic_passes += c.global_atomic_passes;
  issued.add (c.issued);
  path.add (c.path);
}

void work::add (const work &w)
{
  blocks += w.blocks;
  divisions += w.divisions;
  reads += w.reads;
  writes += w.writes;
  waits += w.waits;
  hits += w.hits;
  lines += w.lines;
  shared += w.shared;
  shuffles += w.shuffles;
  atomics += w.atomics;
  accesses += w.accesses;
  lanes += w.lanes;
}
