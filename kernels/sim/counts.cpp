/* Accesses of a warp's lanes are lined up by place in the code and occurrence in the step.  */

#include <stdlib.h>
#include <string.h>

#include <algorithm>

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

/* ---- one instruction of a warp -------------------------------------------------------- */

/* Distinct 4-byte words in the fullest bank, for lanes from to to.  */
static u64 bank_passes (const event **e, int from, int to)
{
  u64 words[WARP * 4];
  uint8_t per_bank[32], most = 0;
  int count = 0;

  for (int i = from; i < to; i++)
    for (u64 word = e[i]->address / 4; word <= (e[i]->address + e[i]->size - 1) / 4; word++)
      words[count++] = word;
  if (count == 0)
    return 0;
  bool rising = true;
  for (int i = 1; i < count && rising; i++)
    rising = words[i] == words[i - 1] + 1;
  if (rising && count <= 32)
    return 1;
  std::sort (words, words + count);
  memset (per_bank, 0, sizeof per_bank);
  for (int i = 0; i < count; i++)
    if (i == 0 || words[i] != words[i - 1])
      most = std::max<uint8_t> (most, ++per_bank[words[i] % 32]);
  return most;
}

/* Sectors of 32 bytes of global memory.  */
static void count_sectors (counts *c, bool written, u64 touched, u64 bytes)
{
  c->sectors += touched;
  c->sectors_needed += (bytes + 31) / 32;
  c->sectors_written += written ? touched : 0;
}

static buffer *touched_last;

/* The heap of kernels comes with the first thread that asks for some of it.  */
static void follow_touches (buffer *m) { m->touched.assign (m->bytes / 32 / 64 + 2, 0); }

void forget_touches (void)
{
  touched_last = NULL;          /* the host may have freed it */
  for (buffer *m : buffers)
    follow_touches (m);
}

/* Of the sectors from one to another those that nobody in this launch has touched before.  */
static u64 first_touches (u64 from, u64 to)
{
  buffer *&m = touched_last;
  u64 found = 0;
  if (! m || from * 32 - (u64) m->at >= m->bytes)
    {
      m = NULL;
      for (buffer *b : buffers)
        if (from * 32 + 31 - (u64) b->at < b->bytes + 31)
          m = b;
      if (! m)
        return 0;
      if (m->touched.empty ())
        follow_touches (m);
    }
  const u64 last = std::min<u64> (to - (u64) m->at / 32, m->touched.size () * 64 - 1);
  for (u64 at = from - (u64) m->at / 32; at <= last; at = (at | 63) + 1)
    {
      const u64 bits = ~(u64) 0 << at % 64 & ~(u64) 0 >> (63 - std::min (last - at / 64 * 64, (u64) 63));
      u64 *word = &m->touched[at / 64];
      found += (u64) __builtin_popcountll (bits & ~*word);
      *word |= bits;
    }
  return found;
}

/* nvcc unrolls loops: so many loads of a warp are on their way together, unless a write comes between.  They wait
   for memory where one of them touches a sector first, else for a cache.  */
enum { LOADS_IN_FLIGHT = 4 };
static void count_wait (warp *in, bool written, u64 first)
{
  work *w = &in->w;
  (written ? w->writes : w->reads)++;
  if (written)
    {
      in->in_flight = 0;
      return;
    }
  if (in->in_flight == 0)
    {
      w->hits++;
      in->missed = false;
    }
  if (first && ! in->missed)
    {
      w->hits--;
      w->waits++;
      in->missed = true;
    }
  in->in_flight = (in->in_flight + 1) % LOADS_IN_FLIGHT;
}

/* Turns that the lanes' atomics take: of shared memory as many as there are in the fullest bank; of global
   memory, whose cache changes a sector at a time, in each sector as many as there are on one address.  */
static u64 atomic_passes (const event **e, int n, bool shared)
{
  u64 at[WARP], passes = 0, most = 0, same = 0;
  for (int i = 0; i < n; i++)
    at[i] = shared ? e[i]->address / 4 % 32 : e[i]->address;
  std::sort (at, at + n);
  for (int i = 0; i < n; i++)
    {
      same = i && at[i] == at[i - 1] ? same + 1 : 1;
      if (! shared && i && at[i] / 32 != at[i - 1] / 32)
        {
          passes += most;
          most = 0;
        }
      most = std::max (most, same);
    }
  return passes + most;
}

/* The lanes' accesses by one instruction at one time.  */
static void count_group (counts *c, warp *in, const event **e, const int *lanes, int n)
{
  const event &one = *e[0];
  work *w = &in->w;
  w->accesses++;
  w->lanes += n;
  if (one.kind == SHUFFLE)
    {
      c->shuffles += n;
      w->shuffles++;
      return;
    }
  if (one.kind == ATOMIC)
    {
      u64 at[WARP], most = 1, same = 1;
      for (int i = 0; i < n; i++)
        at[i] = e[i]->address;
      std::sort (at, at + n);
      for (int i = 1; i < n; i++)
        most = std::max (most, same = at[i] == at[i - 1] ? same + 1 : 1);
      c->atomics += n;
      c->contention = std::max (c->contention, most);
      w->atomics++;
      in->in_flight = 0;
      const bool shared = one.space != GLOBAL;
      (shared ? c->shared_atomics : c->global_atomics) += n;
      (shared ? c->shared_atomic_passes : c->global_atomic_passes) += atomic_passes (e, n, shared);
      return;
    }
  if (one.space != GLOBAL)
    {
      (one.kind == READ || one.kind == VREAD ? c->shared_reads : c->shared_writes) += n;
      /* 8 bytes go in halves of the warp, 16 in quarters.  */
      int part = one.size <= 4 ? 32 : one.size == 8 ? 16 : 8;
      for (int first = 0, i = 0; i < n; i = first)
        {
          while (first < n && lanes[first] / part == lanes[i] / part)
            first++;
          u64 passes = bank_passes (e, i, first);
          w->shared++;
          c->bank_conflicts += passes - 1;
          c->worst_way = std::max (c->worst_way, passes);
        }
      return;
    }
  const bool written = one.kind == WRITE || one.kind == VWRITE;
  u64 at[2 * WARP], bytes = 0;
  int count = 0;
  bool rising = true;
  for (int i = 1; i < n && rising; i++)
    rising = e[i]->address == e[i - 1]->address + one.size && e[i]->size == one.size;
  if (rising)
    {
      bytes = (u64) n * one.size;
      const u64 last = (one.address + bytes - 1) / 32, first = first_touches (one.address / 32, last);
      count_sectors (c, written, last - one.address / 32 + 1, bytes);
      c->sectors_first += written ? 0 : first;
      w->lines += last / 4 - one.address / 128 + 1;
      count_wait (in, written, first);
      return;
    }
  u64 starts[WARP];
  for (int i = 0; i < n; i++)
    {
      starts[i] = e[i]->address;
      at[count++] = e[i]->address / 32;
      u64 last = (e[i]->address + e[i]->size - 1) / 32;
      if (last != at[count - 1])
        at[count++] = last;
    }
  std::sort (starts, starts + n);
  std::sort (at, at + count);
  bytes = one.size * (u64) (std::unique (starts, starts + n) - starts);
  count = (int) (std::unique (at, at + count) - at);
  count_sectors (c, written, (u64) count, bytes);
  u64 first = 0;
  for (int i = 0; i < count; i++)
    {
      first += first_touches (at[i], at[i]);
      w->lines += i == 0 || at[i] / 4 != at[i - 1] / 4;
    }
  c->sectors_first += written ? 0 : first;
  count_wait (in, written, first);
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
