/* Blocks have turns, and in each the threads of a warp after those of another.  */

#include <algorithm>

#include "barriers.h"
#include "blocks.h"
#include "costs.h"
#include "counts.h"
#include "doubt.h"
#include "fibers.h"
#include "launch.h"
#include "position.h"
#include "stuck.h"

/* A spin is this many basic blocks that touch nothing new.  */
static const u64 MOST_IDLE = 20000000;

/* Turns of a block in doubt: it may spin for what another block does.  */
static const int MOST_TURNS = 16;

enum turn { GOES_ON, WAITS_FOR_GRID, ENDED, FAULTED };

/* Threads run until none can, or those that can only spin.  False: a fault.  */
static bool run_warps (block *b)
{
  for (warp &w : b->warps)
    while (! time_is_up)
      {
        int ran = 0, spun = 0, full = 0;
        for (int i = 0; i < w.count; i++)
          {
            fiber *f = w.lanes[i];
            if (f->state != RUN)
              continue;
            resume (f);
            if (F.kind)
              return false;
            ran++;
            spun += f->yielded;
          }
        if (ran > spun)
          continue;
        for (int i = 0; i < w.count; i++)
          full += w.lanes[i]->state == LOG_FULL;
        if (! full || spun)
          {
            /* A lane that has exited is not waited for.  */
            bool done = false;
            if (! ran)
              for (int i = 0; i < w.count && ! done; i++)
                done = w.lanes[i]->state == AT_WARP && w.lanes[i]->op == OP_SYNC && complete_warp_op (w.lanes[i]);
            if (done || release_active (&w))
              continue;
            break;
          }
        warp_flush (b, &w);
        for (int i = 0; i < w.count; i++)
          if (w.lanes[i]->state == LOG_FULL)
            w.lanes[i]->state = RUN;
        break;                  /* it may only spin: others have their turn */
      }
  return true;
}

struct census { u32 running, at_barrier, at_grid, done; };

static census count_threads (const block *b)
{
  census c = {};
  for (const fiber &f : b->fibers)
    switch (f.state)
      {
      case RUN: case LOG_FULL: c.running++; break;
      case AT_BARRIER: c.at_barrier++; break;
      case AT_GRID: c.at_grid++; break;
      case DONE: c.done++; break;
      default: break;
      }
  return c;
}

/* Whether all have exited or wait at one place.  */
static bool is_together (const block *b, const census &c)
{
  bool same = c.at_barrier == L.threads;
  for (const fiber &f : b->fibers)
    same = same && (f.wait_pc == b->fibers[0].wait_pc || same_location (&f, &b->fibers[0]));
  return same || c.done == L.threads || c.at_grid == L.threads;
}

static void too_long (const block *b)
{
  const fiber *f = &b->fibers[0];
  for (const fiber &other : b->fibers)
    if (other.state == RUN)
      {
        f = &other;
        break;
      }
  set_time_limit (f, where_it_is (f));
}

/* Until the block is where all threads are together, or stuck.  settle_doubt says which fault it was.  */
static void see_what_comes (block *b)
{
  census c = count_threads (b);
  for (int turns = 0; c.running && turns < MOST_TURNS && ! time_is_up && run_warps (b); turns++)
    c = count_threads (b);
  if (! F.kind && ! c.running && ! is_together (b, c))
    diagnose (b);
}

static turn run_threads (block *b)
{
  if (! run_warps (b))
    return FAULTED;
  if (in_doubt)
    {
      see_what_comes (b);
      return FAULTED;
    }
  if (time_is_up)
    {
      too_long (b);
      return FAULTED;
    }
  const census c = count_threads (b);
  if (c.running)
    return GOES_ON;
  if (! is_together (b, c))
    {
      diagnose (b);
      return FAULTED;
    }
  if (c.at_grid)
    return WAITS_FOR_GRID;
  const bool waits = c.at_barrier > 0;
  step_end (b, waits ? b->fibers[0].wait_pc : b->fibers[0].last_pc, waits);
  if (! waits)
    return ENDED;
  release_barrier (b);
  return GOES_ON;
}

static void release_grid (std::vector<block *> &seated)
{
  L.tick = ++sim_tick;
  sim_idle = 0;
  for (block *b : seated)
    {
      load_block (b);
      step_end (b, b->fibers[0].wait_pc, true);
      b->tick = L.tick;
      for (fiber &f : b->fibers)
        f.state = RUN;
    }
  L.now = NULL;
}

static void run_grid (std::vector<block *> &seated)
{
  u32 next = 0, live = 0;
  std::vector<bool> waits (seated.size ());
  for (u32 seat = 0; seat < seated.size () && next < L.grid; seat++)
    {
      begin_block (seated[seat], seat, next++);
      live++;
    }
  u32 ended = 0;
  sim_idle = 0;
  while (live > 0)
    {
      u32 waiting = 0, first = sim_seed % seated.size ();
      for (u32 i = 0; i < seated.size (); i++)
        {
          u32 seat = (first + i) % seated.size ();
          block *b = seated[seat];
          if (! b->live)
            continue;
          if (waits[seat])
            {
              waiting++;
              continue;
            }
          load_block (b);
          turn t = run_threads (b);
          store_block (b);
          if (t == FAULTED || F.kind)
            return;
          if (t == WAITS_FOR_GRID)
            {
              waits[seat] = true;
              waiting++;
              sim_idle = 0;
            }
          else if (t == ENDED)
            {
              ended++;
              sim_idle = 0;
              b->live = false;
              live--;
              if (next < L.grid)
                {
                  begin_block (b, seat, next++);
                  live++;
                }
            }
        }
      if (live > 0 && waiting == live)
        {
          if (ended)
            {
              deadlock (seated, "waits for the whole grid, of which blocks have exited");
              return;
            }
          release_grid (seated);
          waits.assign (seated.size (), false);
        }
      if (sim_idle > MOST_IDLE)
        {
          deadlock (seated, "spins, and nothing that runs changes anything");
          return;
        }
    }
}

/* Variables of other kernels lie between this one's: out of bounds.  */
u64 find_statics (const std::string &kernel)
{
  u64 own = 0;
  L.statics.clear ();
  for (const symbol &s : L.module->tls_symbols)
    {
      std::string owner = owner_of (s.name, L.kernels);
      if (owner.empty () || owner == kernel)
        L.statics.push_back (s);
      if (owner == kernel)
        own += s.size;
    }
  return own;
}

bool launch (const char *name, const void *kernel, const void *args, shape blocks, shape shaped, u64 shared, bool cooperative, value_type type)
{
  static std::vector<block *> seated;
  const u32 threads = shaped.all, grid = blocks.all;

  L.name = name;
  L.kernel = kernel;
  L.args = args;
  L.grid = grid;
  L.threads = threads;
  L.block_y = shaped.y;
  L.block_z = shaped.z;
  L.grid_y = blocks.y;
  L.grid_z = blocks.z;
  L.shared = shared;
  L.cooperative = cooperative;
  L.type = type;
  L.module = module_of (kernel);
  L.window = L.module->has_extern ? SHARED_MOST : WINDOW;
  L.tick = ++sim_tick;
  L.touched_from = ~(u64) 0;
  L.touched_to = 0;
  for (auto &s : L.syncvars)
    delete s.second;
  L.syncvars.clear ();
  gridDim = { grid / (L.grid_y * L.grid_z), L.grid_y, L.grid_z };
  blockDim = { threads / (L.block_y * L.block_z), L.block_y, L.block_z };
  threadIdx = { 0, 0, 0 };

  launch_report r = {};
  r.kernel = name;
  r.grid = grid;
  r.threads = threads;
  r.block_y = L.block_y;
  r.block_z = L.block_z;
  r.grid_y = L.grid_y;
  r.grid_z = L.grid_z;
  r.module = L.module;
  r.type = type;
  r.shared = shared;
  launches.push_back (r);
  forget_touches ();
  if (grid > DETAIL_BLOCKS)
    sampled = true;

  if (want_report)
    find_divisions (L.module, kernel);
  launches.back ().shared += find_statics (function_symbol (L.module, L.kernel_of ? L.kernel_of (kernel) : kernel));

  u32 count = std::min<u32> (grid, cooperative ? grid : (u32) RESIDENT);
  if ((u64) count * threads > COOPERATIVE_THREADS)
    {
      set_fault (DEADLOCK, NULL, 0, "a cooperative launch of " + std::to_string (grid) + " blocks of " + std::to_string (threads)
                 + " threads: at most " + std::to_string (COOPERATIVE_THREADS) + " threads run at once here");
      return false;
    }
  if (! take_seats (count))
    {
      set_fault (CRASH, NULL, 0, "no memory for " + std::to_string (count) + " blocks");
      return false;
    }
  while (seated.size () < count)
    seated.push_back (new block ());
  std::vector<block *> now (seated.begin (), seated.begin () + count);
  with_signals_caught ([] (void *seated) { run_grid (*(std::vector<block *> *) seated); }, &now);
  if (in_doubt)
    settle_doubt ();
  /* How far the block of a fault came in its step.  */
  if (F.kind && F.somewhere)
    for (block *b : now)
      if (b->live && b->detail && b->index == F.block)
        {
          load_block (b);
          forget_since_doubt (b);
          step_end (b, F.pc, false);
        }
  L.now = NULL;
  return ! F.kind;
}
