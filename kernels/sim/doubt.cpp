#include <string.h>

#include <algorithm>

#include "counts.h"
#include "doubt.h"
#include "fibers.h"

bool in_doubt;
const char unwritten_text[] = ", which nothing wrote";

/* The fault, and what the block's step was when it came: what its threads do after it is not told.  */
struct thread_then { u32 events; u64 path; size_t basic_blocks; bool accessed; };
static struct
{
  fault_report fault;
  block *b;
  const cell *watched;
  u32 mask, reader;
  std::vector<thread_then> threads;
  size_t accesses;
  std::string dynamic;
  std::vector<cell> cells;
} D;

static u64 dynamic_cells (void)
{
  return L.shared / 4 + 1;
}

void begin_doubt (fault_kind kind, fiber *f, u32 pc, const std::string &what)
{
  if (in_doubt)
    return;
  set_fault (kind, f, pc, what);
  D.fault = F;
  F = fault_report ();
  D.b = f->b;
  D.watched = NULL;
  D.accesses = f->b->accesses.size ();
  D.threads.clear ();
  for (const fiber &o : f->b->fibers)
    D.threads.push_back ({ o.event_count, o.path, o.basic_blocks.size (), o.accessed });
  if (want_frames && f->b->detail)
    {
      for (fiber &o : f->b->fibers)
        frame_finish (&o);
      D.dynamic.assign (f->b->dynamic, L.shared);
      D.cells.assign (f->b->dynamic_cells, f->b->dynamic_cells + dynamic_cells ());
    }
  in_doubt = true;
}

void begin_doubt_with (fault_kind kind, fiber *f, u32 pc, const std::string &what, u32 other_thread, u32 other_pc,
                       const std::string &other_what)
{
  if (in_doubt)
    return;
  begin_doubt (kind, f, pc, what);
  D.fault.has_other = true;
  D.fault.other_thread = other_thread % L.threads;
  D.fault.other_block = other_thread / L.threads;
  D.fault.other_pc = other_pc;
  D.fault.other_what = other_what;
}

void watch (const cell *c, u32 mask)
{
  if (D.watched || D.fault.kind != UNINITIALISED)
    return;
  D.watched = c;
  D.mask = mask;
}

void watch_reader (const cell *c, u32 mask, u32 thread, bool both_write)
{
  D.fault.both_write = both_write;
  D.watched = c;
  D.mask = mask;
  D.reader = thread;
}

void watched_write (const fiber *f, const cell *c, u32 mask, u32 pc)
{
  if (c != D.watched || ! (mask & D.mask) || f->b != D.b)
    return;
  if (D.fault.kind == RACE)
    {
      D.fault.both_write |= f->t == D.reader;
      return;
    }
  if (f->t == D.fault.thread)
    return;
  D.watched = NULL;
  D.fault.kind = RACE;
  D.fault.what.resize (D.fault.what.size () - strlen (unwritten_text));
  D.fault.what += " before it is written";
  D.fault.has_other = true;
  D.fault.other_thread = f->t;
  D.fault.other_block = f->b->index;
  D.fault.other_pc = pc;
  D.fault.other_what = std::string ("writes it afterwards, with no ")
    + (f->t / WARP == D.fault.thread / WARP ? "__syncwarp or barrier" : "barrier") + " between";
}

void settle_doubt (void)
{
  in_doubt = false;
  if (F.kind == BARRIER_DIVERGENCE)
    D.b = NULL;
  else
    F = D.fault;
}

void forget_since_doubt (block *b)
{
  if (b != D.b)
    return;
  for (fiber &f : b->fibers)
    {
      const thread_then &then = D.threads[f.t];
      if (f.event_count > then.events)
        f.event_count = then.events;
      f.path = then.path;
      f.basic_blocks.resize (std::min (f.basic_blocks.size (), then.basic_blocks));
      f.accessed = then.accessed;
    }
  if (b->accesses.size () > D.accesses)
    b->accesses.resize (D.accesses);
  if (want_frames && b->detail)
    {
      memcpy (b->dynamic, D.dynamic.data (), D.dynamic.size ());
      memcpy ((void *) b->dynamic_cells, D.cells.data (), D.cells.size () * sizeof (cell));
    }
}
