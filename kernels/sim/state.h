/* What the simulator knows of a run: threads and who accessed what, memory, the launch, faults.
   Every other file of it is built on this one.  */

#ifndef SIM_STATE_H
#define SIM_STATE_H

#include <stddef.h>
#include <stdint.h>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "locations.h"
#include "values.h"

/* Functions that instrumented code calls, and the code that called one.  */
#define HOOK extern "C" __attribute__ ((visibility ("default")))
#define CALLER ((char *) __builtin_return_address (0) - 1)

enum { WARP = 32, RESIDENT = 4, STACK = 64 << 10, QUANTUM = 4096, LOG_MOST = 1024, DETAIL_BLOCKS = 8, DETAIL_STEPS = 4000 };
enum { COOPERATIVE_THREADS = 1 << 17, SHARED_MOST = 227 << 10, WINDOW = 4 << 20 };

enum access_kind { READ, WRITE, ATOMIC, VREAD, VWRITE, SHUFFLE };
enum access_space { SHARED_DYNAMIC, SHARED_STATIC, GLOBAL, REGISTER };

/* ---- who accessed four bytes last -------------------------------------------- */

/* tick: the number of synchronising events before it, of all threads.  0: nobody.  */
struct record { u32 thread, tick, pc; };
struct cell
{
  record w, r1, r2;             /* the last writer and two of the readers since */
  u32 block;                    /* shared memory: whose, plus 1 */
  uint8_t init : 4, wmask : 4;  /* bytes */
  uint8_t rmask1 : 4, rmask2 : 4;
  uint8_t atomic : 1, volatile1 : 1, volatile2 : 1;
};

/* ---- acquire and release -------------------------------------------------------- */

struct syncvar;
/* The first entries of a location's log of releases.  */
struct knowledge { syncvar *at; u32 entries; };
struct release
{
  u32 block, thread;
  u32 tick;                     /* its own accesses before */
  u32 block_tick, warp_tick;    /* its block's, its warp's */
  std::vector<knowledge> known;
};
struct syncvar
{
  std::vector<release> log;
  std::unordered_map<u32, std::vector<u32>> by_block;
};

/* ---- threads ------------------------------------------------------------------------ */

struct event { u64 address; u32 pc; uint8_t kind, space; uint16_t size; };

enum fiber_state { RUN, AT_BARRIER, AT_GRID, AT_WARP, LOG_FULL, DONE };
enum warp_op { OP_SYNC, OP_SHUFFLE, OP_VOTE, OP_ACTIVE };

/* Arguments of kernels have one layout, whatever their types (variant.h).  */
struct ladder_arguments { char bytes[96]; };

struct block;
struct warp;
struct fiber
{
  void *context;                /* fibers.cpp alone knows what it is */
  char *stack;
  block *b;
  warp *w;
  u32 id, t, lane;              /* in the grid, in the block, in the warp */
  fiber_state state;
  bool yielded, accessed, old;  /* old: exited before this step */
  uint8_t looked;               /* at memory, since its last turn; 2: read last */
  bool extended;                /* its turn, once */
  u64 loose;                    /* what it read plainly that others change atomically, or 0: see accesses.cpp */
  u32 loose_pc, loose_size;
  record loose_by;
  u32 last_pc;                  /* basic block */
  u64 path;                     /* of the step's basic blocks: a hash of their multiset */
  event *events;
  u32 event_count, event_room;
  std::vector<u32> basic_blocks;        /* of the step, the first LOG_MOST */
  u32 blocks_run;               /* all of them */
  u64 recent[2];                /* addresses */
  release *fence;
  std::vector<knowledge> known;
  long pending;                 /* a write whose value is to be read, or -1 */
  u32 wait_pc;
  /* barrier */
  int barrier_how, barrier_value;
  /* warp operation */
  int op, how, arg, width;
  u32 mask;
  u64 value;
  int from;
};

/* What a warp had to do in a step, in instructions of the whole warp.  */
struct work
{
  u64 blocks, divisions, reads, writes, waits, hits, lines, shared, shuffles, atomics, accesses, lanes;
  void add (const work &w);
};

struct warp
{
  fiber *lanes[WARP];
  int count;
  work w;
  int in_flight;                /* loads that wait together, and whether one of them is the first of its sector */
  bool missed;
  u32 tick;                     /* of the last __syncwarp of all */
  u32 (*known)[WARP];           /* [i][j]: i knows j's accesses before; NULL: only tick */
};

struct counts
{
  u64 active_lanes, warps_issued, warps_skipped, divergent_warps, branch_places, shared_reads, shared_writes,
    bank_conflicts, worst_way, sectors, sectors_needed, sectors_written, barriers, shuffles, atomics, contention;
  u64 sectors_first, shared_atomics, shared_atomic_passes, global_atomics, global_atomic_passes;
  work issued, path;            /* by all warps; the most by one warp, step by step */
  void add (const counts &c);
};

struct frame_access
{
  u32 thread, pc;
  uint8_t kind, space, size;
  bool has_value;
  u64 address;
  int from;
  unsigned char value[16];
  std::string array;            /* once the step is over */
  int64_t index;
  value_type type;              /* of the array's elements */
  u32 slot, passes;             /* its instruction, and what that cost its warp */
};

struct step_report
{
  u32 block, step, pc;
  std::string active;
  counts c;
  std::vector<std::string> shared;
  std::vector<frame_access> accesses;
};

struct block
{
  u32 index;
  std::vector<fiber> fibers;
  std::vector<warp> warps;
  u32 tick;                     /* of the last barrier */
  std::vector<knowledge> known;
  char *dynamic, *dynamic_image;        /* image: its contents while another block has its turn, or NULL */
  cell *dynamic_cells, *static_cells;
  char *static_image;
  u32 step;
  bool detail, live;
  u64 flushed_warps;
  counts c;
  std::vector<frame_access> accesses;
};

/* ---- memory ------------------------------------------------------------------------- */

/* Where a buffer of a program's is (runtime.cpp).  */
enum buffer_place { OF_A_RUN, OF_DEVICE, MANAGED, PINNED, VARIABLE };
struct buffer
{
  std::string name;
  value_type type;
  char *at;
  u64 bytes;
  bool read_only;
  cell *cells;
  buffer_place place;
  u32 each;                     /* bytes of an element; 0: type's, of a program's what is accessed */
  u32 made_pc, freed_pc, copied_pc;     /* the host's code that did so, or 0 */
  u64 copied;                   /* bytes from the start that the host has set */
  std::vector<u64> touched;     /* sectors of 32 bytes, a bit each, by this launch */
};
extern std::vector<buffer *> buffers;

/* ---- a launch --------------------------------------------------------------------------- */

enum fault_kind { NO_FAULT, OUT_OF_BOUNDS, UNINITIALISED, RACE, BARRIER_DIVERGENCE, MISSING_LANE, DEADLOCK, CRASH, TIME_LIMIT, WRONG_RESULT,
                  DEVICE_ON_HOST, HOST_IN_KERNEL, WRONG_COPY, WRONG_FREE, FAILED_LAUNCH };      /* of programs */
extern const char *const fault_names[];

struct waiting { u32 block, thread, count, pc; const char *how; };
struct fault_report
{
  fault_kind kind;
  u32 thread, block, pc;
  bool somewhere;               /* thread, block and pc are known */
  std::string what;
  bool has_other;
  u32 other_thread, other_block, other_pc;
  std::string other_what;
  bool both_write;              /* a race's two threads write to that place, or do so before the next barrier */
  std::vector<waiting> waiters;
  std::string cause;            /* in a sentence, or "" */
  std::string launched;         /* of a program: where, as the message's end */
  u64 address;                  /* of what no array or no element is, of what nothing wrote; or 0 */
};

struct launch_report
{
  std::string kernel;
  u32 grid, threads, block_y, block_z, grid_y, grid_z;
  module_info *module;
  value_type type;
  u64 shared;                   /* bytes of a block, static too */
  counts totals;
  std::vector<step_report> steps;
};

struct launch_state
{
  const void *kernel;           /* as it is called */
  const void *(*kernel_of) (const void *);      /* what that runs */
  const void *args;
  u32 grid, threads;
  u32 block_y, block_z;         /* of the threads */
  u32 grid_y, grid_z;           /* of the blocks */
  u64 shared;
  u64 window;                   /* bytes at a block's dynamic memory that are nothing else */
  bool cooperative;
  value_type type;              /* of dynamic shared memory */
  std::string name;
  module_info *module;
  std::unordered_set<std::string> kernels;      /* all: each has __shared__ variables of its own */
  u32 tick;                     /* at the start, or of the last grid sync */
  std::vector<symbol> statics;  /* this kernel's, by address */
  u64 touched_from, touched_to; /* of the static shared memory */
  block *now;
  std::unordered_map<u64, syncvar *> syncvars;
};

extern launch_state L;
extern fault_report F;
extern counts totals;
extern std::vector<launch_report> launches;
extern bool want_report, want_steps, want_frames, sampled;
extern u32 sim_seed;
extern volatile bool time_is_up;
extern double seconds_allowed; /* 0: no limit */

/* The module of a submission that is graded (graded.h), whose code is trusted with nothing; 0 bytes: none.  */
extern u64 graded_at, graded_bytes;

/* The thread that runs; NULL: the host's code.  */
extern "C" fiber *sim_now;
/* What a program's host code accesses, and where it goes; NULL: nobody asks.  */
extern void (*host_accesses) (const void *p, u64 bytes, int kind, const void *code);
extern void (*host_goes) (const void *code);
/* Of a program's kernel, an access to no array: a fault where it is to the host's memory; true: it is to be let be.  */
extern bool (*no_array) (fiber *f, u64 a, u32 size, int kind, u32 pc);
extern u32 sim_tick;            /* synchronising events so far */
extern u32 sim_fuel;            /* basic blocks until others have a turn */
extern u64 sim_idle, sim_steps; /* basic blocks since something changed, of threads that look at memory, and all but the fuel's */

static inline u32 pc_of (const void *code)
{
  return (u32) ((const char *) code - L.module->base);
}

#endif
