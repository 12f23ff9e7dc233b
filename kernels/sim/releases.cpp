#include "counts.h"
#include "releases.h"

static bool in_log (const knowledge &k, const record &r, std::vector<knowledge> &seen)
{
  for (const knowledge &s : seen)
    if (s.at == k.at && s.entries >= k.entries)
      return false;
  seen.push_back (k);
  auto own = k.at->by_block.find (r.thread / L.threads);
  if (own != k.at->by_block.end ())
    for (u32 i : own->second)
      {
        if (i >= k.entries)
          break;
        const release &e = k.at->log[i];
        if (r.tick < e.block_tick || (r.thread == e.thread && r.tick < e.tick)
            || (r.thread % L.threads / WARP == e.thread % L.threads / WARP && r.tick < e.warp_tick))
          return true;
      }
  for (u32 i = 0; i < k.entries; i++)
    for (const knowledge &older : k.at->log[i].known)
      if (older.at != k.at && in_log (older, r, seen))
        return true;
  return false;
}

bool acquired (const record &r, const fiber *f)
{
  std::vector<knowledge> seen;
  for (const knowledge &k : f->known)
    if (in_log (k, r, seen))
      return true;
  for (const knowledge &k : f->b->known)
    if (in_log (k, r, seen))
      return true;
  return false;
}

void learn (std::vector<knowledge> &to, const std::vector<knowledge> &from)
{
  for (const knowledge &k : from)
    {
      bool found = false;
      for (knowledge &t : to)
        if (t.at == k.at)
          {
            if (t.entries < k.entries)
              t.entries = k.entries;
            found = true;
          }
      if (! found)
        to.push_back (k);
    }
}

/* The key of an address: shared memory of different blocks has the same addresses.  */
static u64 key_of_address (const fiber *f, const void *p)
{
  u64 a = (u64) p;
  if (a - (u64) f->b->dynamic < L.shared)
    return (u64) 1 << 63 | (u64) f->b->index << 24 | (a - (u64) f->b->dynamic);
  if (a - (u64) L.module->tls < L.module->tls_bytes)
    return (u64) 3 << 62 | (u64) f->b->index << 24 | (a - (u64) L.module->tls);
  return a;
}

void synchronise (fiber *f, const void *p, bool acquires, bool releases)
{
  releases = releases && f->fence;
  if (! releases && L.syncvars.empty ())
    return;
  u64 at = key_of_address (f, p);
  auto found = L.syncvars.find (at);
  if (found == L.syncvars.end ())
    {
      if (! releases)
        return;
      found = L.syncvars.emplace (at, new syncvar).first;
    }
  syncvar *s = found->second;
  if (acquires && ! s->log.empty ())
    learn (f->known, { { s, (u32) s->log.size () } });
  if (releases)
    {
      s->by_block[f->fence->block].push_back ((u32) s->log.size ());
      s->log.push_back (*f->fence);
    }
}

static void fence (void)
{
  fiber *f = sim_now;
  if (! f)
    return;
  if (want_frames)
    frame_finish (f);
  if (! f->fence)
    f->fence = new release;
  f->fence->block = f->b->index;
  f->fence->thread = f->id;
  f->fence->tick = ++sim_tick;
  f->fence->block_tick = f->b->tick;
  f->fence->warp_tick = f->w->tick;
  f->fence->known = f->known;
  learn (f->fence->known, f->b->known);
}
HOOK void __threadfence (void) { fence (); }
HOOK void __threadfence_block (void) { fence (); }
HOOK void __threadfence_system (void) { fence (); }
HOOK void __tsan_atomic_thread_fence (int) { fence (); }
HOOK void __tsan_atomic_signal_fence (int) {}
