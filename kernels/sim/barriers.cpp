#include <stdlib.h>
#include <time.h>

#include "barriers.h"
#include "counts.h"
#include "fibers.h"
#include "releases.h"

/* ---- barriers ------------------------------------------------------------------------------ */

static int barrier (int how, int value, const void *code)
{
  fiber *f = sim_now;
  if (! f)
    return value;
  settle_loose (f);
  if (want_frames)
    frame_finish (f);
  f->barrier_how = how;
  f->barrier_value = value;
  f->wait_pc = pc_of (code);
  f->state = AT_BARRIER;
  leave (f);
  return f->barrier_value;
}
HOOK void __syncthreads (void) { barrier (0, 0, CALLER); }
HOOK int __syncthreads_or (int v) { return barrier (1, v, CALLER); }
HOOK int __syncthreads_and (int v) { return barrier (2, v, CALLER); }
HOOK int __syncthreads_count (int v) { return barrier (3, v, CALLER); }

HOOK void sim_grid_sync (void)
{
  fiber *f = sim_now;
  if (! f)
    return;
  if (want_frames)
    frame_finish (f);
  f->wait_pc = pc_of (CALLER);
  if (! L.cooperative)
    fault (DEADLOCK, f, f->wait_pc, "waits for the whole grid, in a launch that is not cooperative");
  f->state = AT_GRID;
  leave (f);
}

HOOK void *sim_shared (void)
{
  return L.now ? L.now->dynamic : NULL;
}

HOOK void __trap (void)
{
  fiber *f = sim_now;
  if (f)
    fault (CRASH, f, pc_of (CALLER), "traps");
  abort ();
}

HOOK long long clock64 (void)
{
  return (long long) sim_steps + QUANTUM - sim_fuel;
}
HOOK clock_t sim_clock (void)
{
  return sim_now ? (clock_t) clock64 () : clock ();
}

void release_barrier (block *b)
{
  int any = 0, all = 1, count = 0, how = b->fibers[0].barrier_how;
  bool learned = false;
  for (fiber &f : b->fibers)
    {
      any |= f.barrier_value != 0;
      all &= f.barrier_value != 0;
      count += f.barrier_value != 0;
      learned |= ! f.known.empty ();
    }
  b->tick = ++sim_tick;
  if (learned)
    for (fiber &f : b->fibers)
      {
        learn (b->known, f.known);
        f.known.clear ();
      }
  for (fiber &f : b->fibers)
    {
      f.barrier_value = how == 1 ? any : how == 2 ? all : count;
      f.state = RUN;
    }
  sim_idle = 0;
}

/* ---- warp operations ------------------------------------------------------------------------ */

/* Lanes that are named and there at all.  */
static u32 named (const warp *w, u32 mask)
{
  return w->count == WARP ? mask : mask & ((1u << w->count) - 1);
}

static void sync_warp (warp *w, u32 lanes)
{
  u32 all = 0;
  bool any_known = false;
  for (int i = 0; i < w->count; i++)
    {
      if (w->lanes[i]->state != DONE)
        all |= 1u << i;
      any_known |= ! w->lanes[i]->known.empty ();
    }
  u32 now = ++sim_tick;
  if (any_known)
    {
      std::vector<knowledge> joined;
      for (int i = 0; i < w->count; i++)
        if (lanes >> i & 1)
          learn (joined, w->lanes[i]->known);
      for (int i = 0; i < w->count; i++)
        if (lanes >> i & 1)
          w->lanes[i]->known = joined;
    }
  if ((lanes & all) == all)
    {
      w->tick = now;
      return;
    }
  if (! w->known)
    w->known = (u32 (*)[WARP]) calloc (WARP, sizeof *w->known);
  for (int j = 0; j < WARP; j++)
    {
      u32 most = lanes >> j & 1 ? now : 0;
      for (int i = 0; i < WARP; i++)
        if ((lanes >> i & 1) && w->known[i][j] > most)
          most = w->known[i][j];
      for (int i = 0; i < WARP; i++)
        if (lanes >> i & 1)
          w->known[i][j] = most;
    }
}

static void shuffle_all (warp *w, u32 lanes)
{
  u64 results[WARP];
  for (int lane = 0; lane < w->count; lane++)
    {
      if (! (lanes >> lane & 1))
        continue;
      fiber *f = w->lanes[lane];
      int width = f->width, base = lane & ~(width - 1), source = lane, d = f->arg;
      switch (f->how)
        {
        case 0: source = base | (d & (width - 1)); break;
        case 1: source = lane - d < base ? lane : lane - d; break;
        case 2: source = lane + d >= base + width || d < 0 ? lane : lane + d; break;
        default: source = (lane ^ d) >= base + width || (lane ^ d) >= WARP ? lane : lane ^ d; break;
        }
      if (! (lanes >> source & 1))
        {
          set_fault (MISSING_LANE, f, f->wait_pc, "reads from lane " + std::to_string (source)
                     + (source < w->count ? ", which is not in the mask" : ", which does not exist"));
          return;
        }
      results[lane] = w->lanes[source]->value;
      f->from = source;
    }
  for (int lane = 0; lane < w->count; lane++)
    if (lanes >> lane & 1)
      w->lanes[lane]->value = results[lane];
}

static void vote_all (warp *w, u32 lanes)
{
  fiber *one = NULL;
  u32 r = 0, matches[WARP];
  for (int i = 0; i < w->count; i++)
    {
      if (! (lanes >> i & 1))
        continue;
      fiber *f = w->lanes[i];
      u32 v = (u32) f->value;
      switch (f->how)
        {
        case 0: r |= (v != 0) << i; break;
        case 1: r = r || v; break;
        case 2: r = one ? r && v : v != 0; break;
        case 3:
          matches[i] = 0;
          for (int j = 0; j < w->count; j++)
            if ((lanes >> j & 1) && w->lanes[j]->value == f->value)
              matches[i] |= 1u << j;
          break;
        case 4: r += v; break;
        case 5: r = ! one || (int) v < (int) r ? v : r; break;
        case 6: r = ! one || (int) v > (int) r ? v : r; break;
        case 7: r = ! one || v < r ? v : r; break;
        case 8: r = ! one || v > r ? v : r; break;
        case 9: r = one ? r & v : v; break;
        case 10: r |= v; break;
        default: r ^= v; break;
        }
      one = f;
    }
  for (int i = 0; i < w->count; i++)
    if (lanes >> i & 1)
      w->lanes[i]->value = one->how == 3 ? matches[i] : r;
}

bool complete_warp_op (fiber *f)
{
  warp *w = f->w;
  u32 lanes = named (w, f->mask), here = 0;
  for (int i = 0; i < w->count; i++)
    {
      const fiber *o = w->lanes[i];
      if (! (lanes >> i & 1))
        continue;
      if (meets (f, o))
        here |= 1u << i;
      else if (! (o->state == DONE && f->op == OP_SYNC))
        return false;
    }
  switch (f->op)
    {
    case OP_SYNC: sync_warp (w, here); break;
    case OP_SHUFFLE: shuffle_all (w, here); break;
    default: vote_all (w, here); break;
    }
  for (int i = 0; i < w->count; i++)
    if (here >> i & 1)
      w->lanes[i]->state = RUN;
  return true;
}

static u64 warp_operation (int op, int how, u32 mask, u64 value, int arg, int width, value_type type, const void *code)
{
  fiber *f = sim_now;
  if (! f)
    return value;
  settle_loose (f);
  if (want_frames)
    frame_finish (f);
  u32 pc = pc_of (code);
  if (! (mask >> f->lane & 1))
    fault (op == OP_SYNC ? BARRIER_DIVERGENCE : MISSING_LANE, f, pc, "names a mask that it is not in itself");
  if (op == OP_SHUFFLE && (width < 1 || width > WARP || (width & (width - 1))))
    fault (MISSING_LANE, f, pc, "shuffles in a width of " + std::to_string (width) + ", which is no power of two up to 32");
  f->op = op;
  f->how = how;
  f->mask = mask;
  f->value = value;
  f->arg = arg;
  f->width = width;
  f->wait_pc = pc;
  f->from = (int) f->lane;
  f->state = AT_WARP;
  if (! complete_warp_op (f) || F.kind)
    leave (f);
  if (op != OP_SYNC)
    {
      u32 size = (u32) value_bytes (type);
      log_event (f, pc, SHUFFLE, REGISTER, size, 0);
      if (want_frames)
        frame_event (f, pc, SHUFFLE, REGISTER, size, 0, f->from, &f->value, type);
    }
  return f->value;
}

HOOK void __syncwarp (unsigned mask) { warp_operation (OP_SYNC, 0, mask, 0, 0, WARP, T_U32, CALLER); }
HOOK uint64_t sim_shuffle (int how, unsigned mask, uint64_t bits, int arg, int width, int type)
{
  /* SIM_I32, … of device.h.  */
  static const value_type types[] = { T_I32, T_U32, T_I64, T_U64, T_F32, T_F64 };
  return warp_operation (OP_SHUFFLE, how, mask, bits, arg, width, types[type], CALLER);
}
HOOK unsigned sim_vote (int how, unsigned mask, uint64_t value)
{
  return (u32) warp_operation (OP_VOTE, how, mask, value, 0, WARP, how >= 4 && how <= 6 ? T_I32 : T_U32, CALLER);
}

/* The lanes that come to this place while the others go another way: all wait until no lane of the warp
   can go on.  */
HOOK unsigned __activemask (void)
{
  fiber *f = sim_now;
  if (! f)
    return 1;
  if (want_frames)
    frame_finish (f);
  f->op = OP_ACTIVE;
  f->mask = 0;
  f->wait_pc = pc_of (CALLER);
  f->state = AT_WARP;
  leave (f);
  return (unsigned) f->value;
}

bool release_active (warp *w)
{
  bool any = false;
  for (int i = 0; i < w->count; i++)
    {
      if (w->lanes[i]->state != AT_WARP || w->lanes[i]->op != OP_ACTIVE)
        continue;
      u32 together = 0;
      for (int k = i; k < w->count; k++)
        if (w->lanes[k]->state == AT_WARP && w->lanes[k]->op == OP_ACTIVE && w->lanes[k]->wait_pc == w->lanes[i]->wait_pc)
          together |= 1u << k;
      for (int k = w->count - 1; k >= i; k--)
        if (together >> k & 1)
          {
            w->lanes[k]->value = together;
            w->lanes[k]->state = RUN;
          }
      any = true;
    }
  return any;
}
