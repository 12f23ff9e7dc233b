/* Accesses of a warp's lanes are lined up by place in the code and occurrence in the step.  */

#include <stdlib.h>
#include <string.h>

#include <algorithm>

#include "costs.h"
#include "counts.h"
#include "fibers.h"
#include "memory.h"
#include "slots.h"

void log_event (fiber *f, u32 pc, int kind, int space, u32 size, u64 address)
{
  if (f->event_count == f->event_room)
    {
      if (f->event_room == LOG_MOST)
        {
          f->state = LOG_FULL;
          leave (f);
        }
      else
        {
          f->event_room = f->event_room ? 4 * f->event_room : 16;
          f->events = (event *) realloc (f->events, f->event_room * sizeof (event));
          if (! f->events)
            abort ();
        }
    }
  event *e = f->events + f->event_count++;
  e->pc = pc;
  e->kind = (uint8_t) kind;
  e->space = (uint8_t) space;
  e->size = (uint16_t) size;
  e->address = address;
}

/* ---- frames: each access with its value -------------------------------------------- */

enum { FRAMES_MOST = 200000 };
static u32 frames;

void frame_event (fiber *f, u32 pc, int kind, int space, u32 size, u64 address, int from, const void *value, value_type type)
{
  block *b = f->b;
  if (! b->detail)
    return;
  if (frames == FRAMES_MOST)
    {
      sampled = true;
      return;
    }
  frames++;
  frame_access a = {};
  a.thread = f->t;
  a.pc = pc;
  a.kind = (uint8_t) kind;
  a.space = (uint8_t) space;
  a.size = (uint8_t) size;
  a.address = address;
  a.from = from;
  a.type = type;
  a.has_value = kind == READ || kind == VREAD || kind == SHUFFLE;
  if (a.has_value)
    memcpy (a.value, value, size);
  else
    f->pending = (long) b->accesses.size ();    /* after the access: see below */
  b->accesses.push_back (a);
}

/* The thread goes on: what it wrote is there by now.  */
void frame_finish (fiber *f)
{
  if (f->pending < 0)
    return;
  if ((size_t) f->pending < f->b->accesses.size ())
    {
      frame_access &a = f->b->accesses[f->pending];
      memcpy (a.value, (const void *) a.address, a.size);
      a.has_value = true;
    }
  f->pending = -1;
}

/* ---- lining up --------------------------------------------------------------------------- */

struct keyed { u32 pc, occurrence, lane; const event *e; };

void warp_flush (block *b, warp *w)
{
  const event *group[WARP];
  int lanes[WARP], present[WARP], n = 0;
  u32 longest = 0, k = 0;

  for (int i = 0; i < w->count; i++)
    if (w->lanes[i]->event_count)
      {
        present[n++] = i;
        longest = std::max (longest, w->lanes[i]->event_count);
      }
  if (n == 0)
    return;
  if (! want_report)            /* nobody asks what it cost */
    {
      for (int i = 0; i < n; i++)
        w->lanes[present[i]]->event_count = 0;
      return;
    }
  /* As long as all lanes do the same, or have come to their end.  */
  for (; k < longest; k++)
    {
      int g = 0;
      bool same = true;
      for (int i = 0; i < n && same; i++)
        {
          const fiber *f = w->lanes[present[i]];
          if (k >= f->event_count)
            continue;
          same = g == 0 || (f->events[k].pc == group[0]->pc && f->events[k].kind == group[0]->kind
                            && f->events[k].space == group[0]->space);
          lanes[g] = present[i];
          group[g++] = f->events + k;
        }
      if (! same)
        break;
      count_group (&b->c, w, group, lanes, g);
    }
  if (k < longest)
    {
      static std::vector<keyed> all;
      std::unordered_map<u32, u32> seen;
      all.clear ();
      for (int i = 0; i < n; i++)
        {
          const fiber *f = w->lanes[present[i]];
          bool few = f->event_count - k <= 16;
          if (! few)
            seen.clear ();
          for (u32 j = k; j < f->event_count; j++)
            {
              u32 occurrence = 0;
              if (few)
                for (u32 before = k; before < j; before++)
                  occurrence += f->events[before].pc == f->events[j].pc;
              else
                occurrence = seen[f->events[j].pc]++;
              all.push_back ({ f->events[j].pc, occurrence, (u32) present[i], f->events + j });
            }
        }
      std::sort (all.begin (), all.end (), [] (const keyed &x, const keyed &y) {
        return x.pc != y.pc ? x.pc < y.pc : x.occurrence != y.occurrence ? x.occurrence < y.occurrence : x.lane < y.lane;
      });
      for (size_t i = 0; i < all.size (); )
        {
          int g = 0;
          size_t j = i;
          for (; j < all.size () && all[j].pc == all[i].pc && all[j].occurrence == all[i].occurrence && g < WARP
                 && all[j].e->kind == all[i].e->kind && (all[j].e->space == GLOBAL) == (all[i].e->space == GLOBAL); j++)
            {
              lanes[g] = (int) all[j].lane;
              group[g++] = all[j].e;
            }
          count_group (&b->c, w, group, lanes, g);
          i = j;
        }
    }
  for (int i = 0; i < n; i++)
    w->lanes[present[i]]->event_count = 0;
}

/* The accesses' instructions, and how often memory was asked for each of a warp: passes through the banks,
   sectors, or the most atomics on one address.  */
static void count_passes (std::vector<frame_access> &accesses)
{
  static warp nobody;           /* whose work that is has been counted */
  std::vector<frame_access *> all;
  find_slots (accesses);
  for (frame_access &a : accesses)
    all.push_back (&a);
  auto group = [] (const frame_access *a) { return (u64) a->slot << 32 | a->thread / WARP; };
  std::sort (all.begin (), all.end (), [group] (const frame_access *x, const frame_access *y) {
    return group (x) != group (y) ? group (x) < group (y) : x->thread < y->thread;
  });
  for (size_t i = 0, end; i < all.size (); i = end)
    {
      event events[WARP];
      const event *e[WARP];
      int lanes[WARP], n = 0;
      counts c = {};
      for (end = i; end < all.size () && group (all[end]) == group (all[i]); end++, n++)
        {
          const frame_access &a = *all[end];
          events[n] = { a.address, a.pc, a.kind, a.space, a.size };
          e[n] = events + n;
          lanes[n] = a.thread % WARP;
        }
      count_group (&c, &nobody, e, lanes, n);
      for (size_t k = i; k < end; k++)
        all[k]->passes = (u32) std::max<u64> (1, std::max (c.worst_way, std::max (c.sectors, c.contention)));
    }
}

/* Basic blocks that a warp goes through: a place as often as the lane that is there most often, so that
   both sides of a branch count where its lanes part.  */
static void count_blocks (warp *w, const fiber *one, bool diverges)
{
  struct sum { u64 blocks, divisions; };
  static std::unordered_map<u64, sum> known;    /* steps repeat */
  const fiber *ways[WARP];                      /* one of each way */
  u64 longest, together;
  int n = 1;
  if (! one)
    return;
  ways[0] = one;
  longest = one->blocks_run;
  together = one->path * one->path;
  for (int i = 0; diverges && i < w->count; i++)
    {
      const fiber *f = w->lanes[i];
      int k = 0;
      if (f->old)
        continue;
      while (k < n && ways[k]->path != f->path)
        k++;
      if (k < n)
        continue;
      ways[n++] = f;
      together += f->path * f->path;
      longest = std::max<u64> (longest, f->blocks_run);
    }
  auto there = known.find (together);
  if (there == known.end ())
    {
      std::unordered_map<u32, u32> most, here;
      for (int i = 0; i < n; i++)
        {
          here.clear ();
          for (u32 pc : ways[i]->basic_blocks)
            here[pc]++;
          for (const auto &p : here)
            most[p.first] = std::max (most[p.first], p.second);
        }
      sum s = {};
      for (const auto &p : most)
        {
          s.blocks += p.second;
          const auto divides = L.module->divisions.find (p.first);
          if (divides != L.module->divisions.end ())
            s.divisions += (u64) p.second * divides->second;
        }
      /* What the lists leave out is more of the same.  */
      if (longest > LOG_MOST)
        {
          const double more = (double) longest / LOG_MOST;
          s.blocks = (u64) ((double) s.blocks * more);
          s.divisions = (u64) ((double) s.divisions * more);
        }
      if (known.size () > 4096)
        known.clear ();
      there = known.emplace (together, s).first;
    }
  w->w.blocks = there->second.blocks;
  w->w.divisions = there->second.divisions;
}

/* Basic blocks where some lanes went and others did not.  */
static void divergent_blocks (const warp *w, std::vector<u32> &found)
{
  std::vector<std::vector<u32>> sorted;
  std::vector<u32> all;
  for (int i = 0; i < w->count; i++)
    if (! w->lanes[i]->old)
      {
        sorted.push_back (w->lanes[i]->basic_blocks);
        std::sort (sorted.back ().begin (), sorted.back ().end ());
        all.insert (all.end (), sorted.back ().begin (), sorted.back ().end ());
      }
  std::sort (all.begin (), all.end ());
  all.erase (std::unique (all.begin (), all.end ()), all.end ());
  for (u32 p : all)
    {
      size_t first = 0;
      for (size_t i = 0; i < sorted.size (); i++)
        {
          auto range = std::equal_range (sorted[i].begin (), sorted[i].end (), p);
          size_t times = range.second - range.first;
          if (i == 0)
            first = times;
          else if (times != first)
            {
              found.push_back (p);
              break;
            }
        }
    }
}

static void busiest (work *most, const work &w)
{
#define MOST(name) most->name = std::max (most->name, w.name);
  MOST (blocks) MOST (divisions) MOST (reads) MOST (writes) MOST (waits) MOST (hits) MOST (lines) MOST (shared) MOST (shuffles) MOST (atomics)
  MOST (accesses) MOST (lanes)
}

void step_end (block *b, u32 pc, bool barrier)
{
  std::vector<u32> branches;
  std::string active;

  for (warp &w : b->warps)
    {
      int lanes = 0;
      bool diverges = false;
      const fiber *one = NULL;          /* that has not exited before */
      for (int i = 0; i < w.count; i++)
        {
          fiber *f = w.lanes[i];
          if (b->detail)
            active += f->old ? ' ' : f->accessed ? '#' : '.';
          lanes += f->accessed;
          if (want_frames)
            frame_finish (f);
          if (f->old)
            continue;
          if (! one)
            one = f;
          diverges = diverges || f->path != one->path;
        }
      b->c.active_lanes += lanes;
      (lanes ? b->c.warps_issued : b->c.warps_skipped)++;
      b->c.divergent_warps += diverges;
      warp_flush (b, &w);
      if (want_report)
        count_blocks (&w, one, diverges);
      b->c.issued.add (w.w);
      busiest (&b->c.path, w.w);
      w.w = work ();
      w.in_flight = 0;
      if (b->detail && diverges)
        divergent_blocks (&w, branches);
      for (int i = 0; i < w.count; i++)
        {
          fiber *f = w.lanes[i];
          f->accessed = false;
          f->path = 0;
          f->old = f->state == DONE;
          f->basic_blocks.clear ();
          f->blocks_run = 0;
        }
    }
  b->c.barriers += barrier;
  /* A loop that does not end would fill the memory; where it was stopped is told all the same.  */
  const bool kept = b->detail && (F.kind || launches.back ().steps.size () < DETAIL_STEPS);
  sampled |= b->detail && ! kept;
  if (kept)
    {
      std::sort (branches.begin (), branches.end ());
      b->c.branch_places = (u64) (std::unique (branches.begin (), branches.end ()) - branches.begin ());
      step_report s;
      s.block = b->index;
      s.step = b->step;
      s.pc = pc;
      s.active = active;
      s.c = b->c;
      if (want_frames)
        {
          for (frame_access &a : b->accesses)
            if (a.kind != SHUFFLE)
              address_text (b, a.address, a.size, &a.array, &a.index, &a.type);
          count_passes (b->accesses);
          u64 size = (u64) value_bytes (L.type);
          for (u64 at = 0; at + size <= L.shared; at += size)
            {
              bool written = true;
              for (u64 i = at / 4; i * 4 < at + size; i++)
                written = written && b->dynamic_cells[i].block == b->index + 1 && b->dynamic_cells[i].init;
              s.shared.push_back (written ? json_value (L.type, b->dynamic + at) : "null");
            }
          s.accesses.swap (b->accesses);
        }
      launches.back ().steps.push_back (std::move (s));
    }
  b->accesses.clear ();
  totals.add (b->c);
  launches.back ().totals.add (b->c);
  b->c = counts ();
  b->step++;
}
